"""A strategy written for one game at a time plays exactly like the same one written for whole batches."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from simkit.batch import play
from simkit.errors import StrategyError
from simkit.strategy import Epsilon, Mixture, Never, PerGame, Random, Strategy

from .test_ask import masks
from .test_batch import RACE
from .tiny import OPTIONS, SEED, best_by_hand, table_of

RULES = SimpleNamespace(max_rounds=4)


class Batchwise(Strategy):
    """Steps that match the card, and a coin's whim on every third."""

    ties = "coin"

    def pick(self, view):
        whim = view.coin(4, among=view.legal.any(axis=0) & (view.card % 3 == 0))
        wanted = np.where(view.card % 3 == 0, whim, view.card % 4)
        return -np.abs(np.arange(4)[:, None] - wanted)


class OneByOne(PerGame):
    """The same sentence in plain Python."""

    ties = "coin"

    def pick(self, view):
        wanted = view.coin(4) if view.card % 3 == 0 else view.card % 4
        return [-abs(option - wanted) for option in range(4)]


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda s: s,
        lambda s: Epsilon(s, 0.4),
        lambda s: Mixture((s, Random())),
        lambda s: Never(s, {"pick": ("east",)}),
        lambda s: Never(Epsilon(Mixture((Strategy(), s)), 0.2), mask=lambda view: view.legal & (view.card == 5)),
    ],
    ids=["alone", "epsilon", "mixture", "never", "all"],
)
@pytest.mark.parametrize("width", [None, 5])
def test_both_play_the_same_games(wrapped, width):
    whole, single = (
        play(RACE, RULES, [wrapped(s), Random(), wrapped(s)], SEED, 0, 60, width=width)
        for s in (Batchwise(), OneByOne())
    )
    for name in whole.games:
        assert single.games[name].tolist() == whole.games[name].tolist()
    for name in whole.seats:
        assert single.seats[name].tolist() == whole.seats[name].tolist()


class Told(PerGame):
    """Repeats the scores it is shown."""

    def pick(self, view):
        return view.scores


@given(hnp.arrays("float64", (4, 5), elements=st.floats(allow_nan=False)), st.sets(st.integers(0, 4)))
def test_any_float_is_a_score(scores, over):
    choice = table_of(Told(), over=sorted(over)).ask("pick", 0, scores=scores)
    expected = best_by_hand(scores.tolist(), np.ones((4, 5), bool))
    assert [c for game, c in enumerate(choice) if game not in over] == [
        c for g, c in enumerate(expected) if g not in over
    ]


@given(hnp.arrays("int64", (4, 5), elements=st.integers(-(2**50), 2**50)), masks(5))
def test_integers_that_a_float_holds_are_scores(scores, legal):
    choice = table_of(Told()).ask("pick", 0, legal=legal, scores=scores)
    assert choice.tolist() == best_by_hand(scores.tolist(), legal)


def test_large_integers_are_told_apart_as_in_a_batchwise_strategy():
    scores = np.array([[2**53], [2**53 + 1], [0], [0]])
    assert table_of(Told(), n=1).ask("pick", 0, scores=scores).tolist() == [1]


def test_a_view_of_one_game_holds_plain_values():
    seen = {}

    class Curious(PerGame):
        def pick(self, view):
            seen[view.number] = view
            return [0, 0, 1, 0]

    offer = {"number": np.array([7, 8], np.uint8), "hand": np.array([[1, 2], [3, 4], [5, 6]], np.uint8)}
    legal = np.array([[1, 1], [0, 1], [1, 0], [0, 0]], bool)
    table = table_of(Strategy(), Curious(), n=9)
    assert table.ask("pick", 1, games=np.array([6, 2]), legal=legal, **offer).tolist() == [2, 0]
    view = seen[8]
    assert view.hand == [2, 4, 6]
    assert view.legal == [True, True, False, False]
    assert view.numbers() == 2
    assert (view.seat, view.seats, view.options, view.decision) == (1, 2, OPTIONS, "pick")
    assert all(isinstance(value, int) for value in (view.number, view.hand[0], view.numbers(), view.coin(6)))


def test_only_games_that_are_asked_are_shown():
    shown = []

    class Curious(PerGame):
        def pick(self, view):
            shown.append(view.numbers())
            return [1, 0, 0, 0]

    table_of(Curious(), over=[0, 3]).ask("pick", 0)
    assert shown == [1, 2, 4]


def test_defaults_hold_for_it_as_well():
    table = table_of(OneByOne(), n=3)
    card = np.array([1, 2, 7])
    assert table.ask("pick_last", 0, card=card).tolist() == [1, 2, 3]
    assert table.ask("pay", 0).tolist() == [0, 0, 0]


def test_not_a_number_is_refused_by_name():
    class Lost(PerGame):
        def pick(self, view):
            return [0.0, float("nan"), 0.0, 0.0]

    with pytest.raises(StrategyError, match=r"lost.*pick.*NaN"):
        table_of(Lost()).ask("pick", 0)


@pytest.mark.parametrize("answer", [[1, 2, 3], [1, 2, 3, 4, 5], 5, "east", [[1, 2, 3, 4]]], ids=str)
def test_a_wrong_answer_is_an_error_that_names_strategy_and_decision(answer):
    class Lost(PerGame):
        def pick(self, view):
            return answer

    with pytest.raises(StrategyError, match=r"lost.*pick"):
        table_of(Lost()).ask("pick", 0)
