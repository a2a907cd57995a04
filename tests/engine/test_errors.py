"""Mistakes of a strategy are refused by name, mistakes of a game are faults, and neither is passed over in silence."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.errors import StrategyError, UserError
from simkit.game import Decision
from simkit.strategy import Epsilon, Mixture, Never, Random, Strategy

from .tiny import OPTIONS, Watcher, always, table_of, tiny_game


class WayOff(Strategy):
    """Answers whatever it was made with."""

    def __init__(self, answer) -> None:
        self.answer = answer

    def pick(self, view):
        return self.answer(view) if callable(self.answer) else self.answer


# ------------------------------------------------------------------------------------------------ a strategy's mistakes

WRONG_TYPES = {
    "a list": [[0] * 5] * 4,
    "nothing": None,
    "a number": 3,
    "text": np.full((4, 5), "east"),
    "objects": np.full((4, 5), None),
    "complex": np.zeros((4, 5), complex),
    "dates": np.zeros((4, 5), "datetime64[s]"),
}
WRONG_SHAPES = {
    "options only": np.zeros(4),
    "games only": np.zeros(5),
    "turned": np.zeros((5, 4)),
    "a row too few": np.zeros((3, 5)),
    "a game too many": np.zeros((4, 6)),
    "one column": np.zeros((4, 1)),
    "three axes": np.zeros((1, 4, 5)),
    "a single number": np.array(3),
}


@pytest.mark.parametrize("answer", WRONG_TYPES.values(), ids=WRONG_TYPES)
def test_scores_of_a_wrong_type_are_refused_by_name(answer):
    with pytest.raises(StrategyError, match=r"`way-off`.*`pick`.*array of integers or floats; found"):
        table_of(WayOff(answer)).ask("pick", 0)


@pytest.mark.parametrize("answer", WRONG_SHAPES.values(), ids=WRONG_SHAPES)
def test_scores_of_a_wrong_shape_are_refused_by_name(answer):
    with pytest.raises(StrategyError, match=r"`way-off`.*`pick`.*\(4, 5\); found"):
        table_of(WayOff(answer)).ask("pick", 0)


def test_the_shape_wanted_is_that_of_the_view():
    with pytest.raises(StrategyError, match=r"\(4, 2\); found \(4, 5\)"):
        table_of(WayOff(np.zeros((4, 5)))).ask("pick", 0, games=np.array([1, 3]))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("ties", ["first", "coin"])
def test_nan_is_refused_for_a_game_that_was_asked(dtype, ties):
    scores = np.zeros((4, 5), dtype)
    scores[2, 3] = np.nan
    strategy = WayOff(scores)
    strategy.ties = ties
    with pytest.raises(StrategyError, match=r"`way-off`.*`pick`.*NaN"):
        table_of(strategy).ask("pick", 0)


@pytest.mark.parametrize("ties", ["first", "coin"])
@pytest.mark.parametrize("masked", [False, True])
def test_anything_goes_for_a_game_that_was_not_asked(ties, masked):
    """NaN and infinities in a game that is over change nothing in the others."""
    scores = np.tile(np.array([[0.0], [1.0], [3.0], [2.0]]), 5)
    scores[:, 1], scores[:, 4] = np.nan, [np.inf, -np.inf, np.nan, 0]
    strategy = WayOff(scores)
    strategy.ties = ties
    legal = np.tile(np.array([[True], [True], [False], [True]]), 5) if masked else None
    choice = table_of(strategy, over=[1, 4]).ask("pick", 0, legal=legal)
    assert choice[[0, 2, 3]].tolist() == [3 if masked else 2] * 3


@pytest.mark.parametrize("ties", ["first", "coin"])
def test_nan_is_no_matter_for_an_option_that_is_not_legal(ties):
    scores, legal = np.zeros((4, 5)), np.ones((4, 5), bool)
    scores[0], legal[0] = np.nan, False
    scores[3] = 1
    strategy = WayOff(scores)
    strategy.ties = ties
    assert table_of(strategy).ask("pick", 0, legal=legal).tolist() == [3] * 5


@pytest.mark.parametrize(
    "wrapped",
    [lambda s: Epsilon(s, 0.1), lambda s: Never(s, {"pick": ("east",)}), lambda s: Mixture((s, s))],
    ids=["epsilon", "never", "mixture"],
)
def test_a_wrapper_names_the_strategy_inside(wrapped):
    with pytest.raises(StrategyError, match=r"`way-off`.*`pick`"):
        table_of(wrapped(WayOff(np.zeros((2, 2))))).ask("pick", 0)


def test_a_strategys_mistake_is_a_users_to_mend():
    assert issubclass(StrategyError, UserError)


# -------------------------------------------------------------------------------------------------- a view is read-only

WRITES = {
    "what is offered": lambda view: view.cards,
    "the legal mask": lambda view: view.legal,
    "the state": lambda view: view.numbers(),
}


@pytest.mark.parametrize("games", [None, np.array([3, 1])], ids=["all games", "some games"])
@pytest.mark.parametrize("masked", [False, True], ids=["no mask", "mask"])
@pytest.mark.parametrize("shown", WRITES.values(), ids=WRITES)
def test_writing_to_a_view_is_refused(shown, masked, games):
    n = 5 if games is None else len(games)

    def scribble(view):
        shown(view)[...] = 0

    cards, legal = np.ones((2, n), np.uint8), np.ones((4, n), bool) if masked else None
    table = table_of(Watcher(scribble))
    with pytest.raises(StrategyError, match="ValueError: assignment destination is read-only"):
        table.ask("pick", 0, games=games, legal=legal, cards=cards)
    assert cards.all()
    assert table.state.number.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("shown", WRITES.values(), ids=WRITES)
def test_writing_to_a_part_of_a_view_is_refused(shown):
    watcher = always(1)
    table_of(watcher).ask("pick", 0, cards=np.ones((2, 5)))
    with pytest.raises(ValueError, match="read-only"):
        shown(watcher.views[0].only(np.array([0, 2])))[...] = 0
    with pytest.raises(ValueError, match="read-only"):
        shown(watcher.views[0].restricted(np.ones((4, 5), bool)))[...] = 0


# ---------------------------------------------------------------------------------------------------- a game's mistakes


@pytest.mark.parametrize("strategy", [Strategy(), Random(), always(0)], ids=["default", "random", "scores"])
def test_no_legal_option_is_a_fault_of_the_game(strategy):
    legal = np.ones((4, 5), bool)
    legal[:, 2] = False
    with pytest.raises(RuntimeError, match=r"tiny.*`pick`.*no legal option"):
        table_of(strategy).ask("pick", 0, legal=legal)
    with pytest.raises(RuntimeError, match=r"tiny.*`pick`.*no legal option"):
        table_of(strategy, strategy).ask("pick", np.array([0, 1, 1]), games=np.array([0, 4, 1]), legal=legal[:, :3])
    assert len(table_of(strategy, over=[2]).ask("pick", 0, legal=legal)) == 5


def test_a_decision_or_stream_that_is_not_declared_is_an_error():
    with pytest.raises(KeyError, match="dance"):
        table_of(Strategy()).ask("dance", 0)
    with pytest.raises(ValueError, match="tuple"):
        table_of(Strategy()).draw("tea leaves", 6)


def test_a_seat_that_is_not_at_the_table_is_a_fault():
    with pytest.raises((IndexError, RuntimeError)):
        table_of(always(1), always(2)).ask("pick", np.array([0, 1, 2, 255, 0]))


def test_a_seat_may_be_a_numpy_integer():
    assert table_of(always(1), always(2)).ask("pick", np.int64(1)).tolist() == [2] * 5


UNFIT = {
    "a circle of defaults": (Decision("a", OPTIONS, "", "b"), Decision("b", OPTIONS, "", "a")),
    "an unknown default": (Decision("a", OPTIONS, "", "b"),),
    "a name twice": (Decision("a", OPTIONS, ""), Decision("a", OPTIONS, "")),
    "a name that strategies use": (Decision("choose", OPTIONS, ""),),
    "a name that defaults use": (Decision("first", OPTIONS, ""),),
}


@pytest.mark.parametrize("decisions", UNFIT.values(), ids=UNFIT)
def test_decisions_that_could_not_be_asked_are_refused(decisions):
    with pytest.raises(ValueError, match="tiny"):
        tiny_game(decisions=decisions)


@pytest.mark.parametrize(
    "second", [lambda t: t.deck("deck", np.arange(9, dtype=np.uint8), 9), lambda t: t.draw("deck", 9)]
)
def test_luck_is_not_used_twice(second):
    """A second deck of a stream is dealt alike, card by card; the game's author would not see it."""
    table = table_of(Strategy())
    table.deck("deck", np.arange(9, dtype=np.uint8), 9)
    with pytest.raises(RuntimeError):
        second(table)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [([4, 0], "below 4"), ([0.0, 1.0], "uint8"), ([0], "uint8"), ([[0, 0]], "uint8"), ([1, 0], "must give legal")],
)
def test_a_strategy_with_a_choose_of_its_own_is_held_to_the_rules(answer, problem):
    class Free(Strategy):
        def choose(self, view):
            return np.array(answer, None if isinstance(answer[0], float) else np.uint8)

    table = table_of(Free(), n=2)
    legal = np.array([[True, True], [False, True], [True, True], [True, True]])
    with pytest.raises(StrategyError, match=problem):
        table.ask("pick", 0, legal=legal)
