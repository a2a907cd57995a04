"""A game's course depends on its deal alone: not on the width of the batch, on chunks, or on its neighbours."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.batch import play
from simkit.game import Column, Key, Outcome, Tally
from simkit.results import GROUPS, Results
from simkit.state import Field
from simkit.strategy import Epsilon, Mixture, Random, Strategy
from tests.reference import tape as twin

from .tiny import OPTIONS, SEED, tiny_game

SEATS, BOX, DICE, DECK = 3, 12, 16, 17


def deal_out(table) -> None:
    """A deck of twelve, of which the lowest four may be drawn out of turn."""
    table.state.add("deck", table.deck("deck", np.arange(BOX, dtype=np.uint8), 4))


def race_turn(table, seat) -> None:
    """Draw a card, step as far as one likes; on an odd card roll dice, again after every six; 15 wins."""
    state = table.state
    card = state.deck.top(table.turn % (BOX - 4))
    step = table.ask("pick", seat, card=card) + 1
    state.at[seat] += step
    roll(table, seat, ((card % 2 == 1) & table.live).nonzero()[0])
    extra = ((state.at[seat] % 5 == 0) & (state.n_low < 4) & table.live).nonzero()[0]
    state.at[seat][extra] += state.deck.from_bottom(state.n_low.take(extra), extra) % 3
    state.n_low[extra] += 1
    table.tally("steps", seat=seat, option=step - 1)
    table.finish(((state.at[seat] >= 15) & table.live).nonzero()[0], "done", winners=seat)


def roll(table, seat, games) -> None:
    """A die in some games; where it is a six, another."""
    if len(games):
        die = table.draw("dice", 6, games)
        table.state.at[seat][games] += (die == 5).astype(np.uint8)
        table.state.n_dice[games] += 1
        roll(table, seat, games[die == 5])


RACE = tiny_game(
    fields=lambda rules, seats: (
        Field("at", "uint8", (seats,), "steps", "how far each seat is"),
        Field("n_low", "uint8", (), "cards", "drawn from the bottom"),
        Field("n_dice", "uint8", (), "dice", "rolled"),
    ),
    setup=deal_out,
    turn=race_turn,
    outcome=lambda table, games: Outcome(
        score=table.state.at.take(games, axis=1), games={"n_dice": table.state.n_dice.take(games)}
    ),
    columns=(Column("n_dice", "uint8", "dice", "rolled"),),
    tallies=(Tally("steps", (Key("seat", SEATS), Key("option", len(OPTIONS))), "options taken"),),
)


class ByCard(Strategy):
    """The card says how far; equals are left to a coin."""

    ties = "coin"

    def pick(self, view):
        return (view.card % 3)[None] <= np.arange(4)[:, None]


STRATEGIES = (Mixture((ByCard(), Random())), Epsilon(ByCard(), 0.3), Random())
RULES = SimpleNamespace(max_rounds=4)


def race(first: int, n: int, width: int | None = None) -> Results:
    return play(RACE, RULES, STRATEGIES, SEED, first, n, width=width)


def told(results: Results) -> dict[str, Any]:
    return {name: a.tolist() for part in (results.games, results.seats) for name, a in part.items()}


WHOLE = race(1000, 300)


def test_the_race_is_worth_racing():
    """It ends in both ways, dice chain, and games end at different times: else the tests below would prove little."""
    assert set(WHOLE.games["end_cause"].tolist()) == {0, 2}
    assert len(set(WHOLE.games["n_turns"].tolist())) > 3
    assert WHOLE.games["n_dice"].max() > 4


@pytest.mark.parametrize("width", [1, 2, 7, 64, 299, 300, 4096])
def test_results_do_not_depend_on_the_width(width):
    results = race(1000, 300, width)
    assert told(results) == told(WHOLE)
    assert results.tallies()["steps"].tolist() == WHOLE.tallies()["steps"].tolist()


@settings(max_examples=15)
@given(st.lists(st.integers(1, 299), unique=True, max_size=6))
def test_results_do_not_depend_on_chunks(cut_at):
    edges = [0, *sorted(cut_at), 300]
    chunks = [race(1000 + a, b - a) for a, b in pairwise(edges)]
    for name, column in WHOLE.games.items():
        assert np.concatenate([chunk.games[name] for chunk in chunks]).tolist() == column.tolist()
    for name, column in WHOLE.seats.items():
        assert np.concatenate([chunk.seats[name] for chunk in chunks], axis=1).tolist() == column.tolist()
    assert sum(chunk.tallies()["steps"] for chunk in chunks).tolist() == WHOLE.tallies()["steps"].tolist()


@settings(max_examples=15)
@given(st.integers(0, 299))
def test_a_game_played_alone_is_the_same_game(game):
    alone = race(1000 + game, 1)
    assert {name: a[0].item() for name, a in alone.games.items()} == {n: a[game].item() for n, a in WHOLE.games.items()}
    assert told(alone)["score"] == WHOLE.seats["score"][:, [game]].tolist()
    assert alone.tallies()["steps"].sum(axis=(0, 1)).nonzero()[0].tolist() == [(1000 + game) % GROUPS]


def scalar_race(deal: int) -> tuple[int, list[int], int]:
    """The race of three seats that all take the first option, one game with the scalar tape: winners, scores, dice."""
    pile, at, n_low, n_dice = twin.pile(SEED, deal, DECK, range(BOX), 4), [0] * SEATS, 0, 0
    for turn in range(RULES.max_rounds * SEATS):
        seat, card = turn % SEATS, pile[turn % (BOX - 4)]
        at[seat] += 1
        again = card % 2 == 1
        while again:
            again = twin.below(twin.word(SEED, deal, DICE, n_dice), 6) == 5
            at[seat] += again
            n_dice += 1
        if at[seat] % 5 == 0 and n_low < 4:
            at[seat] += pile[BOX - 1 - n_low] % 3
            n_low += 1
        if at[seat] >= 15:
            return 2**seat, at, n_dice
    return 0, at, n_dice


def test_lockstep_games_are_those_of_the_scalar_tape():
    results = play(RACE, RULES, [Strategy()] * SEATS, SEED, 0, 100)
    for deal in range(100):
        winners, scores, n_dice = scalar_race(deal)
        assert results.games["winners"][deal] == winners
        assert results.seats["score"][:, deal].tolist() == scores
        assert results.games["n_dice"][deal] == n_dice


def test_a_strategy_that_draws_more_leaves_the_games_luck_alone():
    """Two line-ups meet the same dice and cards, however many coins they throw."""

    class Nervous(Strategy):
        """Takes the first option after throwing coins."""

        def pick(self, view):
            view.coin(2), view.coin(6)
            return np.zeros((4, view.n), np.uint8)

    calm, nervous = (play(RACE, RULES, [s] * SEATS, SEED, 0, 200) for s in (Strategy(), Nervous()))
    assert told(calm) == told(nervous)


def test_other_seeds_play_other_games():
    other = play(RACE, RULES, STRATEGIES, SEED + 1, 1000, 300)
    assert told(other)["score"] != told(WHOLE)["score"]


# ------------------------------------------------------------------------------------------------------ ends of a batch


@pytest.mark.parametrize("max_rounds", [1, 2, 5])
def test_games_that_are_not_over_end_unfinished(max_rounds):
    results = play(tiny_game(), SimpleNamespace(max_rounds=max_rounds), [Strategy()] * 3, SEED, 0, 7)
    assert results.games["end_cause"].tolist() == [2] * 7
    assert results.games["n_turns"].tolist() == [3 * max_rounds] * 7
    assert results.games["winners"].tolist() == [0] * 7


def test_no_games_are_no_rows():
    results = race(0, 0)
    assert all(a.shape[-1] == 0 for a in (*results.games.values(), *results.seats.values()))
    assert not results.tallies()["steps"].any()


def test_the_last_deals_of_a_tape_can_be_played_and_no_later_ones():
    assert told(race(2**40 - 2, 2)) == {name: _last_two(column) for name, column in told(race(2**40 - 9, 9)).items()}
    with pytest.raises(OverflowError):
        race(2**40 - 1, 2)


def _last_two(column: list) -> list:
    return [row[-2:] for row in column] if isinstance(column[0], list) else column[-2:]


def draw_dice(n_draws: int, *, one_by_one: bool) -> None:
    """Every game draws so many dice: all together, or each game on its own."""

    def turn(table, seat) -> None:
        for _ in range(n_draws):
            for games in table.live.nonzero()[0][:, None] if one_by_one else [None]:
                table.draw("dice", 6, games)
        table.finish(np.arange(table.n), "done")

    play(tiny_game(turn=turn), RULES, [Strategy()], SEED, 0, 5)


@pytest.mark.parametrize("one_by_one", [False, True])
def test_a_game_that_draws_more_words_than_a_stream_has_is_an_error(monkeypatch, one_by_one):
    monkeypatch.setattr("simkit.tape.MAX_ORDINALS", 8)
    with pytest.raises(OverflowError, match="ordinal must be below 8"):
        draw_dice(9, one_by_one=one_by_one)


@pytest.mark.parametrize(("n_draws", "one_by_one"), [(8, False), (2, True)])
def test_a_game_may_draw_as_many_words_as_a_stream_has(monkeypatch, n_draws, one_by_one):
    """Neighbours' draws are no concern of a game's."""
    monkeypatch.setattr("simkit.tape.MAX_ORDINALS", 8)
    draw_dice(n_draws, one_by_one=one_by_one)
