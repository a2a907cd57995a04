"""Witness 1: the rulebook of Octobuns on the Goal and the End of the Game: five orders, equal turns, coins, ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from simkit.batch import play
from simkit.game import UNFINISHED
from simkit.games.octobuns import GAME
from simkit.results import WIN
from simkit.strategy import Random
from tests.games.octobuns_position import Harbour, box

# As soon as a player completes 5 orders ... finish the round


@pytest.mark.parametrize(("players", "whose"), [(n, seat) for n in (2, 3, 4) for seat in range(n)])
def test_finish_the_round(players: int, whose: int) -> None:
    """The seats after the one with its fifth order have a turn yet, those before it have not."""
    done = [4 if seat == whose else 0 for seat in range(players)]
    bakeries = ["a.. ... ..." if seat == whose else "" for seat in range(players)]
    harbour = Harbour(bakeries, players=players, whose=whose, done=done, small=["ac"], round=3)
    harbour.turn("take middle, cell 2, complete")
    for seat in range(whose + 1, players):
        assert harbour.over is None
        harbour.turn("take left, cell 5" if seat % 2 else "take right, cell 5", "")
    assert harbour.over == "orders"
    assert harbour.result("n_turns") == 4 * players
    assert harbour.result("first_done") == whose


@pytest.mark.parametrize("done", [0, 1, 2, 3])
def test_not_before_the_fifth(done: int) -> None:
    """A first to fourth order ends nothing."""
    harbour = Harbour(["", "a.. ... ..."], whose=1, done=[0, done], small=["ac"]).turn("take middle, cell 2, complete")
    assert (harbour.over, harbour.done()) == (None, [done + 1, 0])


@pytest.mark.parametrize("kind", ["small", "large"])
def test_orders_of_both_kinds_count(kind: str) -> None:
    """Five orders, whichever."""
    position: dict[str, Any] = {kind: ["ac"]}
    harbour = Harbour(["", "a.. ... ..."], whose=1, done=[0, 4], **position).turn("take middle, cell 2, complete")
    assert harbour.over == "orders"


def test_a_reserved_order_counts() -> None:
    """Wherever it was."""
    harbour = Harbour(["", "a.. ... ..."], whose=1, done=[0, 4], reserved=[[], ["ac"]])
    assert harbour.turn("take middle, cell 2, complete").over == "orders"


def test_the_turn_that_triggers_goes_on() -> None:
    """12, 16: bonuses after the fifth order are still possible."""
    harbour = Harbour(["", "a.. ... ..."], whose=1, done=[0, 4], small=["ac 2 supply"])
    harbour.turn("take middle, cell 2, complete, take from supply, stack left, cell 1")
    assert (harbour.over, harbour.bakery(1)) == ("orders", "b.. ... ...")


def test_a_later_seat_may_overtake() -> None:
    """The first to five orders need not win."""
    harbour = Harbour(["a.. ... ...", "a.. ... ..."], done=[4, 4], coins=[10, 10], small=["ac 2", "ae 5"])
    harbour.turns("take middle, cell 2, complete", "take right, cell 2, complete")
    assert (harbour.over, harbour.result("first_done")) == ("orders", 0)
    assert (harbour.result("coins"), harbour.result("win")) == ([12, 15], [0, WIN])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_have_had_as_many_turns(seats: int) -> None:
    """Whole games: the number of turns is a multiple of the seats'."""
    rules = box(["aa", "bb", "cc", "dd", "ee", "ff"], ["aaa"], orders_to_end=1, max_rounds=8)
    results = play(GAME, rules, [Random()] * seats, 1, 0, 20)
    ended = results.games["end_cause"] == GAME.all_end_causes.index("orders")
    assert ended.sum() > 5
    assert (results.games["n_turns"] % seats == 0).all()


def test_a_game_is_given_up() -> None:
    """15: players could shuffle for ever; after max_rounds the game is unfinished."""
    rules = GAME.rules(**GAME.components.values_with({"max_rounds": 2}))
    results = play(GAME, rules, [Random()] * 3, 1, 0, 5)
    assert [GAME.all_end_causes[cause] for cause in results.games["end_cause"]] == [UNFINISHED] * 5
    assert results.games["n_turns"].tolist() == [6] * 5
    assert results.games["first_done"].tolist() == [3] * 5


# Coins, buns, ties


def ended(bakeries: Sequence[str], coins: Sequence[int], **position: Any) -> Harbour:
    """The last seat has two e and completes its fifth order with them, for nothing."""
    players = len(bakeries)
    done = [0] * (players - 1) + [4]
    position = {"large": ["", "", "fff"], "small": ["ee 0"]} | position
    harbour = Harbour(bakeries, players=players, whose=players - 1, done=done, coins=coins, **position)
    harbour.turn("rope in, reserve large pile, complete")
    assert harbour.over == "orders"
    return harbour


@pytest.mark.parametrize(
    ("bakeries", "coins", "total", "wins"),
    [
        (["", "ee. ... ..."], [5, 4], [5, 4], [1, 0]),
        (["", "ee. ... ..."], [4, 5], [4, 5], [0, 1]),
        (["XY. ... ...", "ee. ... ..."], [5, 6], [7, 6], [1, 0]),
        (["abc def abc", "ee. ... ..X"], [3, 3], [3, 4], [0, 1]),
        (["XYZ XYZ XYZ", "eeX YZX YZ."], [3, 4], [12, 10], [1, 0]),
        (["XX. ... ...", "ee. ... ..."], [3, 5], [5, 5], [1, 0]),
        (["X.. ... ...", "ee. XY. ..."], [4, 3], [5, 5], [0, 1]),
        (["X.. ... ...", "ee. Y.. ..."], [4, 4], [5, 5], [1, 1]),
        (["", "ee. ... ..."], [4, 4], [4, 4], [1, 1]),
        (["abc d.. ...", "ee. ... ..."], [4, 4], [4, 4], [1, 1]),
        (["", "", "ee. ... ..."], [4, 4, 3], [4, 4, 3], [1, 1, 0]),
        (["", "", "ee. ... ..."], [4, 4, 4], [4, 4, 4], [1, 1, 1]),
        (["X.. ... ...", "", "ee. ... ..."], [3, 4, 4], [4, 4, 4], [1, 0, 0]),
        (["X.. ... ...", "", "ee. ... ..Y"], [3, 4, 3], [4, 4, 4], [1, 0, 1]),
        (["X.. ... ...", "XX. ... ...", "ee. ... ..Y"], [4, 2, 3], [5, 4, 4], [1, 0, 0]),
        (["", "X.. ... ...", "Y.. ... ...", "ee. ... ..Z"], [9, 8, 8, 8], [9, 9, 9, 9], [0, 1, 1, 1]),
    ],
)
def test_the_most_coins_win(bakeries: list[str], coins: list[int], total: list[int], wins: list[int]) -> None:
    """Coins of orders, one for each bun left, none for ingredients; then the most buns; then a shared win."""
    harbour = ended(bakeries, coins)
    assert harbour.result("coins") == total
    assert harbour.result("win") == [won * WIN // sum(wins) for won in wins]


def test_buns_served_count_no_more() -> None:
    """Only those still in the bakery."""
    harbour = Harbour(["", "Xa. ... ..."], whose=1, done=[0, 4], small=["Xac 4"]).turn("take middle, cell 3, complete")
    assert (harbour.result("coins"), harbour.result("buns_left")) == ([0, 4], [0, 0])


def test_unused_bonuses_and_reserved_orders_count_nothing() -> None:
    """16: reserved orders that are not completed are discarded, without a penalty."""
    harbour = ended(["", "ee. ... ..."], [4, 4], icons=["rrtts", ""], starting=[1, 0], reserved=[["cc 9", "dd 9"], []])
    assert (harbour.result("coins"), harbour.result("win")) == ([4, 4], [WIN // 2] * 2)
    assert harbour.result("reserved_left") == [2, 1]


def test_a_bun_made_after_the_trigger_counts() -> None:
    """The round is finished before coins are added up."""
    harbour = Harbour(["a.. ... ...", "a.. ... ..."], done=[4, 0], small=["ac 2"], coins=[0, 2], open="bcb")
    harbour.turns("take middle, cell 2, complete", "take left, cell 1")
    assert (harbour.result("coins"), harbour.result("win")) == ([2, 3], [0, WIN])
