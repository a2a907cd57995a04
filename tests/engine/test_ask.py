"""`ask` puts a decision to one seat or to a seat a game, of all games or of some, and takes the best legal option."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.strategy import Strategy

from .tiny import OPTIONS, Offered, Watcher, always, best_by_hand, table_of


def masks(n: int, options: int = 4):
    """Legal masks with at least one legal option a game."""
    column = st.lists(st.booleans(), min_size=options, max_size=options).filter(any)
    return st.lists(column, min_size=n, max_size=n).map(lambda columns: np.array(columns, bool).T.copy())


def score_tables(n: int, options: int = 4):
    column = st.lists(st.integers(0, 3), min_size=options, max_size=options)
    return st.lists(column, min_size=n, max_size=n).map(lambda columns: np.array(columns, np.uint8).T.copy())


# ------------------------------------------------------------------------------------------------------------- one seat


def test_every_option_is_legal_unless_said_otherwise():
    assert table_of(always(0), always(3)).ask("pick", 1).tolist() == [3, 3, 3, 3, 3]


@given(score_tables(6), masks(6))
def test_the_best_legal_option_is_taken_in_every_game(scores, legal):
    choice = table_of(Offered(), n=6).ask("pick", 0, legal=legal, scores=scores)
    assert choice.dtype == np.uint8
    assert choice.tolist() == best_by_hand(scores, legal)


@given(score_tables(3), masks(3), st.permutations(range(5)))
def test_a_subset_of_games_is_asked_in_its_own_order(scores, legal, order):
    """Scores and masks have a column for each game that asks, not one for each game of the batch."""
    games = np.array(order[:3])
    assert table_of(Offered()).ask("pick", 0, games=games, legal=legal, scores=scores).tolist() == best_by_hand(
        scores, legal
    )


@given(score_tables(5), masks(5), st.sets(st.integers(0, 4), max_size=4))
def test_games_that_are_over_do_not_change_the_others(scores, legal, over):
    """They have no legal option and are not asked: their mask may be empty, their scores anything."""
    legal[:, list(over)] = False
    choice = table_of(Offered(), over=sorted(over)).ask("pick", 0, legal=legal, scores=scores)
    expected = best_by_hand(scores, legal)
    assert [int(c) for game, c in enumerate(choice) if game not in over] == [c for c in expected if c >= 0]


def test_a_subset_may_be_empty():
    nobody = np.array([], np.intp)
    assert table_of(always(2)).ask("pick", 0, games=nobody).tolist() == []
    assert table_of(always(2), always(1)).ask("pick", nobody, games=nobody).tolist() == []


def test_options_may_depend_on_the_seats():
    for seats in (2, 3, 4):
        table = table_of(*[Strategy()] * seats)
        assert table.options["few"] == OPTIONS[: seats - 1]
        scores = np.tile(np.arange(seats - 1)[:, None], 5)
        assert table_of(*[Offered()] * seats).ask("few", 0, scores=scores).tolist() == [seats - 2] * 5


# -------------------------------------------------------------------------------------------------- a seat in each game


@given(st.data())
def test_each_game_asks_its_own_seat(data):
    n_asked, in_batch = data.draw(st.integers(1, 5)), data.draw(st.booleans())
    games = None if in_batch else np.array(data.draw(st.permutations(range(5)))[:n_asked])
    n_asked = 5 if in_batch else n_asked
    seats = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n_asked, max_size=n_asked)), np.uint8)
    legal, scores = data.draw(masks(n_asked)), data.draw(score_tables(n_asked))
    choice = table_of(*[Offered()] * 3).ask("pick", seats, games=games, legal=legal, scores=scores)
    assert choice.tolist() == best_by_hand(scores, legal)


def test_each_seats_strategy_is_called_once_with_the_games_that_ask_it():
    seated = [always(0), always(1), always(2), always(3)]
    table = table_of(*seated, n=8)
    games, seats = np.array([7, 5, 3, 2, 0]), np.array([2, 0, 2, 2, 0])
    assert table.ask("pick", seats, games=games).tolist() == [2, 0, 2, 2, 0]
    assert [len(strategy.views) for strategy in seated] == [1, 0, 1, 0]
    assert seated[0].views[0].numbers().tolist() == [5, 0]
    assert seated[2].views[0].numbers().tolist() == [7, 3, 2]
    assert [seated[2].views[0].seat, seated[2].views[0].n] == [2, 3]


def test_games_that_are_over_ask_nobody():
    seated = [always(0), always(1)]
    table = table_of(*seated, over=[1, 4])
    table.ask("pick", np.array([0, 1, 0, 0, 1]))
    assert seated[0].views[0].numbers().tolist() == [0, 2, 3]
    assert seated[1].views == []


def test_luck_is_a_seats_own_however_it_is_asked():
    """A coin of a seat asked for a few games, and of one asked for all, is the same in the same game."""

    class ByCoin(Strategy):
        ties = "coin"

        def many(self, view):
            return np.zeros((100, view.n), np.uint8)

    whole = table_of(ByCoin(), ByCoin(), n=9)
    first = [whole.ask("many", 0).tolist(), whole.ask("many", 1).tolist()]
    parts = table_of(ByCoin(), ByCoin(), n=9)
    seats = np.array([0, 1, 1, 0, 0, 1, 0, 1, 0])
    assert parts.ask("many", seats).tolist() == [first[seat][game] for game, seat in enumerate(seats)]
    rest = parts.ask("many", 1 - seats, games=np.arange(9)).tolist()
    assert rest == [first[1 - seat][game] for game, seat in enumerate(seats)]


# -------------------------------------------------------------------------------------------------------- what is shown


def test_the_view_shows_each_game_its_own_columns():
    watcher = always(1)
    table = table_of(watcher, Strategy(), first_deal=100)
    legal = np.array([[1, 0], [1, 1], [0, 1], [0, 1]], bool)
    table.ask("pick", 0, games=np.array([4, 2]), legal=legal, pairs=np.array([[9, 8], [7, 6]]), line=np.array([5, 3]))
    view = watcher.views[0]
    assert (view.decision, view.seat, view.seats, view.options, view.n) == ("pick", 0, 2, OPTIONS, 2)
    assert view.legal.tolist() == legal.tolist()
    assert view.numbers().tolist() == [104, 102]
    assert (view.pairs.tolist(), view.line.tolist()) == ([[9, 8], [7, 6]], [5, 3])


def test_no_option_is_shown_as_legal_where_a_game_is_over():
    watcher = always(1)
    table = table_of(watcher, over=[3])
    table.ask("pick", 0)
    table.ask("pick", 0, legal=np.ones((4, 5), bool))
    for view in watcher.views:
        assert view.legal.tolist() == [[True, True, True, False, True]] * 4


def test_turn_and_round_are_told():
    watcher = always(1)
    table = table_of(watcher, Strategy(), Strategy())
    table.turn = 7
    table.ask("pick", 0)
    assert (watcher.views[0].turn, watcher.views[0].round) == (7, 2)


@given(masks(5), score_tables(5), st.lists(st.sampled_from(range(5)), unique=True, min_size=1))
def test_a_view_of_fewer_games_keeps_their_columns(legal, scores, columns):
    watcher = Watcher(lambda view: view.scores)
    table_of(watcher, first_deal=50).ask("pick", 0, legal=legal, scores=scores)
    part = watcher.views[0].only(np.array(columns))
    assert part.n == len(columns)
    assert part.legal.tolist() == legal[:, columns].tolist()
    assert part.scores.tolist() == scores[:, columns].tolist()
    assert part.numbers().tolist() == [50 + column for column in columns]


# ---------------------------------------------------------------------------------------------------- chain of defaults


class Picks(Strategy):
    def pick(self, view):
        return np.tile(np.array([[0], [0], [5], [0]]), view.n)


class PicksAgain(Picks):
    def pick_again(self, view):
        return np.tile(np.array([[0], [9], [0], [0]]), view.n)


@pytest.mark.parametrize(
    ("strategy", "answers"),
    [
        (Strategy(), {"pick": 0, "pick_again": 0, "pick_last": 0, "pay": 0}),
        (Picks(), {"pick": 2, "pick_again": 2, "pick_last": 2, "pay": 0}),
        (PicksAgain(), {"pick": 2, "pick_again": 1, "pick_last": 1, "pay": 0}),
    ],
)
def test_a_decision_without_a_method_is_answered_by_the_games_defaults(strategy, answers):
    table = table_of(strategy, n=2)
    assert {name: table.ask(name, 0).tolist() for name in answers} == {name: [a, a] for name, a in answers.items()}


def test_the_last_default_is_the_first_legal_option():
    legal = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]], bool)
    assert table_of(Strategy(), n=3).ask("pick", 0, legal=legal).tolist() == [2, 1, 0]
