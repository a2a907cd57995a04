"""Witness 1: other readings of Octobuns: orders, bonuses, the end."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.results import WIN
from tests.games.octobuns_position import BONUSES, Harbour, paths

RIGHT_OR_DOWN: dict[str, Any] = {"reversal": False}
STRAIGHT: dict[str, Any] = {"bends": False}

# used_cards


def test_used_cards_stay() -> None:
    """1, used_cards stay: the order pays, and the cards remain in the bakery."""
    harbour = Harbour("aX. ... ...", open="ccc", small=["aXc 4"], used_cards="stay")
    harbour.turn("take left, cell 3, complete")
    assert (harbour.coins(), harbour.bakery(), harbour.discards) == (4, "aXc ... ...", "")
    assert (harbour.stock, harbour.orders[0], harbour.done()) == ([5, 6, 6], "", [1, 0])


def test_cards_that_stayed_serve_again() -> None:
    """1, used_cards stay: the next order may use them; buns pay twice and count at the end."""
    harbour = Harbour(["aX. ... ...", ""], small=["aX 3", "Xa 4"], used_cards="stay", orders_to_end=2)
    harbour.turns(
        "take middle, cell 4, complete, order small 1", "take left, cell 1", "take left, cell 7, complete, path 1-2",
        "take left, cell 2",
    )  # fmt: skip
    assert (harbour.over, harbour.result("coins")) == ("orders", [8, 0])


# bends, reversal


@pytest.mark.parametrize(
    ("order", "bakery", "any_way", "straight", "right_or_down", "both"),
    [
        ("ac", "ac. ... ...", True, True, True, True),
        ("ac", "ca. ... ...", True, True, False, False),
        ("ac", "a.. c.. ...", True, True, True, True),
        ("ac", "c.. a.. ...", True, True, False, False),
        ("ace", "ace ... ...", True, True, True, True),
        ("ace", "eca ... ...", True, True, False, False),
        ("ace", ".a. .c. .e.", True, True, True, True),
        ("ace", ".e. .c. .a.", True, True, False, False),
        ("ace", "ac. .e. ...", True, False, True, False),
        ("ace", "a.. ce. ...", True, False, True, False),
        ("ace", "ec. .a. ...", True, False, False, False),
        ("ace", "ce. a.. ...", True, False, False, False),
        ("ace", ".a. ec. ...", True, False, False, False),
        ("aca", "aca ... ...", True, True, True, True),
        ("aca", "ca. a.. ...", True, False, False, False),
        ("acef", "ace ..f ...", True, False, True, False),
        ("acef", "ac. fe. ...", True, False, False, False),
        ("acef", "fec ..a ...", True, False, False, False),
        ("acefb", "a.. c.. efb", True, False, True, False),
        ("acefb", "ac. .ef ..b", True, False, True, False),
        ("acefb", "ace .bf ...", True, False, False, False),
        ("aXY", "a.. X.. Y..", True, True, True, True),
        ("aXY", "YXa ... ...", True, True, False, False),
    ],
)
def test_where_an_order_may_lie(
    order: str, bakery: str, any_way: bool, straight: bool, right_or_down: bool, both: bool
) -> None:
    """2: bends (default), or straight only; reversal: in any direction (default), or each step right or down."""
    readings: tuple[dict[str, Any], ...] = ({}, STRAIGHT, RIGHT_OR_DOWN, STRAIGHT | RIGHT_OR_DOWN)
    assert [bool(paths(bakery, order, **rules)) for rules in readings] == [any_way, straight, right_or_down, both]


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        ({}, ["2-4-5", "2-5-6", "2-5-8", "4-5-6", "4-5-8", "5-6-8"]),
        (STRAIGHT, ["2-5-8", "4-5-6"]),
        (RIGHT_OR_DOWN, ["2-5-6", "2-5-8", "4-5-6", "4-5-8"]),
        (STRAIGHT | RIGHT_OR_DOWN, ["2-5-8", "4-5-6"]),
    ],
)
def test_the_sets_of_cells(rules: dict[str, Any], wanted: list[str]) -> None:
    """2: of a cross of a around a b, for the order aba."""
    assert paths(".a. aba .a.", "aba", **rules) == wanted


# orders_per_turn


@pytest.mark.parametrize("orders", [1, 2, 3])
def test_orders_per_turn(orders: int) -> None:
    """orders_per_turn: so many may be completed in a turn, one after another."""
    harbour = Harbour("ace dfb ...", small=["ad", "cf"], large=["eb", "", "fff"], orders_per_turn=orders)
    told = ["complete, order small 1", "complete, order small 2", "complete, order large 1"][:orders]
    harbour.turn(", ".join(["rope in, reserve large pile", *told]))
    assert (sum(harbour.done()), harbour.state["n_orders"]) == (orders, orders)
    assert harbour.asked("act") == 1 + orders


# bonus_after_order, new_bonus


@pytest.mark.parametrize("after_order", [True, False])
def test_bonus_after_order(after_order: bool) -> None:
    """12, bonus_after_order: whether bonuses are allowed once an order was completed in the turn."""
    harbour = Harbour(
        "ac. ... ...", small=["ac", "ff"], large=["", "", "fff"], icons="rts", starting=1, bonus_after_order=after_order
    )
    harbour.turn("rope in, reserve large pile, complete")
    assert harbour.legal("act", 1) == [*BONUSES, "complete", "end turn"]
    assert harbour.legal("act", 2) == ([*BONUSES, "end turn"] if after_order else [])


@pytest.mark.parametrize(("new_bonus", "legal"), [("at-once", True), ("next-turn", False)])
def test_new_bonus(new_bonus: str, legal: bool) -> None:
    """12, new_bonus: whether the icon of the order just completed may be used in the same turn."""
    position: dict[str, Any] = {"small": ["ac 2 supply"], "large": ["", "", "fff"], "new_bonus": new_bonus}
    harbour = Harbour("ac. ... ...", **position).tried("rope in, reserve large pile, complete")
    assert ("take from supply" in harbour.legal("act", 2)) == legal
    assert "take from supply" in harbour.turn("take left, cell 5").acts()


def test_an_old_icon_of_the_same_kind() -> None:
    """12, new_bonus next-turn: the one that the seat had before may be used, the new one not."""
    position: dict[str, Any] = {"small": ["ac 2 supply"], "large": ["", "", "fff"], "icons": "s"}
    harbour = Harbour("ac. ... ...", **position, new_bonus="next-turn")
    harbour.turn("rope in, reserve large pile, complete, take from supply, stack left, cell 5")
    assert (harbour.icons(), harbour.asked("act")) == ("s", 3)


# orders_to_end, finish_round, coins_per_bun


@pytest.mark.parametrize(("orders", "done"), [(1, 0), (3, 2), (7, 6)])
def test_orders_to_end(orders: int, done: int) -> None:
    """orders_to_end: another number of orders ends the game."""
    position: dict[str, Any] = {"whose": 1, "small": ["ac"], "orders_to_end": orders}
    harbour = Harbour(["", "a.. ... ..."], done=[0, done], **position).turn("take middle, cell 2, complete")
    assert harbour.over == "orders"
    harbour = Harbour(["", "a.. ... ..."], done=[0, done], **position).turn("take left, cell 2")
    assert harbour.over is None


@pytest.mark.parametrize("finish", [True, False])
def test_finish_round(finish: bool) -> None:
    """finish_round false: the game is over with the turn in which the last order was completed."""
    harbour = Harbour(["a.. ... ...", "X.. ... ..."], done=[4, 0], small=["ac"], finish_round=finish)
    harbour.turn("take middle, cell 2, complete")
    assert harbour.over == (None if finish else "orders")
    if not finish:
        assert (harbour.result("n_turns"), harbour.result("coins")) == (1, [2, 1])


@pytest.mark.parametrize(("worth", "coins", "wins"), [(0, [4, 3], [1, 0]), (1, [4, 5], [0, 1]), (3, [4, 9], [0, 1])])
def test_coins_per_bun(worth: int, coins: list[int], wins: list[int]) -> None:
    """coins_per_bun: of each bun left in the bakery."""
    harbour = Harbour(["", "XYc a.. ..."], whose=1, done=[0, 4], coins=[4, 1], small=["ae"], coins_per_bun=worth)
    harbour.turn("take right, cell 7, complete")
    assert harbour.result("coins") == coins
    assert harbour.result("win") == [won * WIN for won in wins]


def test_buns_worth_nothing_still_break_ties() -> None:
    """coins_per_bun 0: the most buns win a tie all the same."""
    harbour = Harbour(["", "X.. a.. ..."], whose=1, done=[0, 4], coins=[2, 0], small=["ac"], coins_per_bun=0)
    harbour.turn("take middle, cell 5, complete")
    assert (harbour.result("coins"), harbour.result("win")) == ([2, 2], [0, WIN])


# icons, coins, flat_coins, small_orders, large_orders


@pytest.mark.parametrize(
    ("icons", "gained"),
    [("printed", ["", "s", "", ""]), ("all", ["r", "s", "t", "s"]), ("none", ["", "", "", ""])],
)
def test_whose_icons_count(icons: str, gained: list[str]) -> None:
    """icons: as printed; or those without get rope-in, tentacle, supply in turn; or none has one."""
    cards = ("middle", "right", "middle", "right")
    for order, card, icon in zip(("small 1", "small 2", "large 1", "large 2"), cards, gained, strict=True):
        harbour = Harbour("a.. ... ...", small=["ac", "ae 2 supply"], large=["ca", "ea"], rules={"icons": icons})
        assert harbour.turn(f"take {card}, cell 2, complete, order {order}").icons() == icon


@pytest.mark.parametrize(
    ("rules", "coins"), [({}, [1, 9]), ({"coins": "flat"}, [3, 6]), ({"coins": "flat", "flat_coins": [0, 20]}, [0, 20])]
)
def test_what_orders_pay(rules: dict[str, Any], coins: list[int]) -> None:
    """coins: as printed, or as many for each small and each large order."""
    for order, paid in zip(("small 1", "large 1"), coins, strict=True):
        harbour = Harbour("a.. ... ...", small=["ac 1"], large=["ca 9"], rules=rules)
        assert harbour.turn(f"take middle, cell 2, complete, order {order}").coins() == paid
