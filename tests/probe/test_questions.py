"""The machinery of the probes: copies of tables, the same question among other games, and other luck."""

from __future__ import annotations

import numpy as np

from simkit.catalog import find_game
from simkit.probe.leaks import OtherLuck, redealt, with_other_luck
from simkit.probe.questions import Question, answer, twin, unlike, with_games
from simkit.probe.variants import settings_of, variants
from simkit.results import Results
from simkit.strategy import Random, Strategy
from simkit.table import GAME_STREAMS, Table
from simkit.tape import Tape
from tests.engine.tiny import OPTIONS, Offered, table_of
from tests.toy.planned import TOY


def beacon(n: int = 6) -> Table:
    """The toy game after a few turns."""
    game = find_game("beacon", TOY)
    rules = game.rules(**game.components.values_with({}))
    deals = np.arange(n, dtype=np.uint64)
    table = Table(game, rules, [Random()] * 3, Tape(5), deals, Results(game, rules, 3, n))
    game.setup(table)
    for table.turn in range(5):
        game.turn(table, table.turn % 3)
    return table


def test_a_twin_is_the_same_and_goes_its_own_way() -> None:
    table = beacon()
    other, kept = twin(table), twin(table)
    assert not unlike(vars(table.state), vars(other.state))
    for turn in range(5, 9):
        other.turn = turn
        other.game.turn(other, turn % 3)
    assert unlike(vars(table.state), vars(other.state))
    assert not unlike(vars(table.state), vars(kept.state))
    assert unlike(table._ordinals, other._ordinals)
    assert not unlike(table._ordinals, kept._ordinals)


def test_every_change_of_a_state_is_seen() -> None:
    """In each declared array, and in the parts beside them."""
    table = beacon()
    for field in table.state.fields:
        other = twin(table)
        getattr(other.state, field.name)[..., -1] += 1
        assert unlike(vars(table.state), vars(other.state)), field.name
    other = twin(table)
    other.state.pile.lines[-1, other.state.pile.n_main - 1] += 1
    assert unlike(vars(table.state), vars(other.state))
    other = twin(table)
    other.state.n_top += 1
    assert unlike(vars(table.state), vars(other.state))


def test_a_question_goes_with_its_games() -> None:
    """Each game keeps what it is offered, what is legal there and its luck, wherever it is put."""
    table = table_of(Strategy(), Offered(), n=6, over=(4,))
    scores = np.arange(24).reshape(4, 6) * 7 % 11
    legal = scores % 3 != 0
    legal[0] = True
    question = Question("pick", 1, None, legal, {"scores": scores})
    given = answer(twin(table), question.copied())
    kept = np.array([5, 0, 0, 3])
    other, same, shown = with_games(table, question, kept)
    assert shown.tolist() == kept.tolist()
    assert other.n_live == 4
    assert np.array_equal(answer(other, same).choice, given.choice[kept])


def test_a_question_to_some_games_goes_with_them() -> None:
    table = table_of(Strategy(), Offered(), n=6)
    games = np.array([1, 3, 5])
    scores = np.array([[0, 5, 1], [1, 2, 2], [2, 1, 0], [3, 0, 9]])
    question = Question("pick", 1, games, None, {"scores": scores})
    given = answer(twin(table), question.copied())
    assert given.choice.tolist() == [OPTIONS.index("west"), OPTIONS.index("north"), OPTIONS.index("west")]
    other, same, shown = with_games(table, question, np.array([5, 2, 1, 5]))
    assert same.games is not None
    assert same.games.tolist() == [0, 2, 3]
    assert shown.tolist() == [2, 0, 2]
    assert answer(other, same).choice.tolist() == given.choice[shown].tolist()


def test_luck_that_was_used_up_is_seen() -> None:
    """An answer is not the same if it draws another number of coins."""
    table = table_of(Random(), n=5)
    question = Question("pick", 0, None, None, {})
    first, second = (answer(twin(table), question) for _ in range(2))
    assert not first.unlike(second).any()
    answer(table, question)
    assert answer(twin(table), question).unlike(first).all()


def test_elsewhere_only_hidden_things_differ() -> None:
    """A seat's own coins fall as they would; the table's luck, the deal and who else is there do not."""
    table = beacon()
    other = with_other_luck(redealt(table, 1, np.random.default_rng(1)))
    assert not unlike(table.state.oil, other.state.oil)
    assert unlike(vars(table.state.pile), vars(other.state.pile))
    assert not (table.deals == other.deals).any()
    assert isinstance(other.tape, OtherLuck)
    coins = [each.seat_coin(1, 1000, None).tolist() for each in (twin(table), other)]
    assert coins[0] == coins[1]
    ships = [each.draw("ships", 1000).tolist() for each in (twin(table), other)]
    assert ships[0] != ships[1]
    assert not (table.tape.words(table.deals, GAME_STREAMS) == other.tape.words(other.deals, GAME_STREAMS)).any()


def test_every_switch_is_turned() -> None:
    game = find_game("tentacolor")
    as_is, turned, others = variants(game)
    assert as_is == {}
    assert turned == {"expert": True, "forced_match": True}
    assert others == turned | {"carriers": "random", "deck_out": "reshuffle", "rare_at_deck_out": "play-one"}
    assert len(settings_of(game)) == 3 * len(game.players)
