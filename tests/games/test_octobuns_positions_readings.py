"""Witness 1: other readings of Octobuns, and other boxes: taking, placing, buns, roping in, exchanging.

Every rule of `components.toml` with another value, in a position where that makes a difference; the readings of
Clean Up, of orders, bonuses and the end, and of the supply are in the modules beside.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from simkit.games.octobuns import GAME
from tests.games.octobuns_position import Harbour, box, set_up

MODULES = "".join(module.read_text() for module in Path(__file__).parent.glob("test_octobuns_positions_*.py"))


@pytest.mark.parametrize("component", sorted({*GAME.components} - {"small_orders", "large_orders"}))
def test_every_rule_has_a_position(component: str) -> None:
    """Each is given another value somewhere in these modules; orders are told anew by every position."""
    assert f" {component}=" in MODULES or f'"{component}": ' in MODULES or f"({component}=" in MODULES


# The box


def test_other_ingredients() -> None:
    """ingredients, copies: eight types, three of each."""
    rules = box(["ab"], ["ba"], ingredients=list("abcdefgh"), copies=3)
    (state,) = set_up(rules)
    cards = state["open"] + [*chain(*state["stacks"])]
    assert sorted(cards) == sorted(list(range(1, 9)) * 3)
    assert [rules.item_names[code] for code in (8, 9)] == ["h", "X"]


@pytest.mark.parametrize("copies", [1, 4])
def test_other_numbers_of_buns(copies: int) -> None:
    """bun_copies."""
    assert set_up(box(["ab"], ["ba"], bun_copies=copies))[0]["bun_stock"] == [copies] * 3


@pytest.mark.parametrize(
    ("buns", "below", "above", "cells"),
    [
        ({"X": "aa"}, "a", "a", "24568"),
        ({"X": "aa"}, "a", "b", "2468"),
        ({"X": "ab", "Y": "bc"}, "b", "a", "24568"),
        ({"X": "ab", "Y": "bc"}, "b", "c", "24568"),
        ({"X": "ab", "Y": "bc"}, "a", "c", "2468"),
        ({}, "a", "b", "2468"),
    ],
)
def test_other_buns(buns: dict[str, str], below: str, above: str, cells: str) -> None:
    """buns: a doubled ingredient, one ingredient in two of them, none at all."""
    made = [{"name": name, "of": list(of)} for name, of in buns.items()]
    assert Harbour(f"... .{below}. ...", open=above * 3, buns=made).tried("take left").cells() == cells


def test_a_doubled_bun() -> None:
    """buns: both of its cards are discarded."""
    made = [{"name": "X", "of": ["a", "a"]}]
    harbour = Harbour("... .a. ...", buns=made).turn("take left, cell 5")
    assert (harbour.bakery(), harbour.discards, harbour.stock) == ("... .X. ...", "aa", [5])


@pytest.mark.parametrize("cards", [0, 1, 3])
def test_other_numbers_of_starting_cards(cards: int) -> None:
    """starting_cards: of every seat, each used once."""
    assert set_up(box(["ab"], ["ba"], starting_cards=cards), 3)[0]["starting"] == [cards] * 3
    harbour = Harbour(starting=cards, stacks=("cccc", "d", "f"))
    used = ", ".join(f"starting card, stack left, cell {cell}" for cell in (4, 5, 6)[:cards])
    harbour.turn(f"{used}, take left, cell 1".removeprefix(", "))
    assert "starting card" not in harbour.legal("act", cards)


@pytest.mark.parametrize("name", ["large 2", "small 1", "small 3"])
def test_a_given_order(name: str) -> None:
    """given_order: seat 0 has it from the start, and the other orders lie as they would without it."""
    small, large = ["ab", "bc", "cd", "de", "ef"], ["aab", "bbc", "ccd", "dde"]
    given = {"small": small, "large": large}[name.split(" ")[0]][int(name.split(" ")[1]) - 1]
    without, with_it = set_up(box(small, large), n=20), set_up(box(small, large, given_order=given), n=20)
    place = (small + large).index(given)
    for before, after in zip(without, with_it, strict=True):
        for kind in (0, 1):
            was, is_now = (
                [*state["open_orders"][2 * kind : 2 * kind + 2], *state["piles"][kind]] for state in (before, after)
            )
            assert is_now == [order for order in was if order != place]
        assert after["reserved"] == [[place, None], [None, None]]
        assert (after["stacks"], after["open"]) == (before["stacks"], before["open"])


@pytest.mark.parametrize(
    ("icon", "icons"), [("rope-in", [1, 0, 0]), ("tentacle", [0, 1, 0]), ("supply", [0, 0, 1]), ("", [0, 0, 0])]
)
def test_a_given_icon(icon: str, icons: list[int]) -> None:
    """given_icon: seat 0 may use it once, all else is the same."""
    (state,), (other,) = set_up(box(["ab"], ["ba"], given_icon=icon)), set_up(box(["ab"], ["ba"]))
    assert state["icons"] == [icons, [0, 0, 0]]
    assert state | {"icons": 0} == other | {"icons": 0}


# Option A: the grid


@pytest.mark.parametrize(
    ("bakery", "shifts"),
    [
        (
            "a.. ... ...",
            [
                *("stay", "right 1", "right 2", "down 1", "down 1 right 1", "down 1 right 2"),
                *("down 2", "down 2 right 1", "down 2 right 2"),
            ],
        ),
        ("aa. ... ...", ["stay", "right 1", "down 1", "down 1 right 1", "down 2", "down 2 right 1"]),
        ("aaa ... ...", ["stay", "down 1", "down 2"]),
        (
            "... ... .a.",
            ["up 2 left 1", "up 2", "up 2 right 1", "up 1 left 1", "up 1", "up 1 right 1", "left 1", "right 1"],
        ),
        ("..a ..a ..a", ["stay", "left 2", "left 1"]),
        ("... .a. ..a", ["stay", "up 1 left 1", "up 1", "left 1"]),
    ],
)
def test_floating_shifts(bakery: str, shifts: list[str]) -> None:
    """4, grid floating: all cards may slide before one is put down, as long as none leaves the frame."""
    shifts = ["stay", *(shift for shift in shifts if shift != "stay")]
    harbour = Harbour(bakery, open="ccc", grid="floating").tried("take left")
    assert harbour.legal("shift") == shifts
    assert Harbour(bakery, open="ccc").tried("take left").legal("shift") == []


@pytest.mark.parametrize(
    ("bakery", "shift", "cells", "after"),
    [
        ("aaa ... ...", "down 1", "123789", "ccc aaa ..."),
        ("aaa ... ...", "down 2", "456", "... caa aaa"),
        ("aaa ... ...", "stay", "456", "aaa c.. ..."),
        ("a.. ... ...", "down 1 right 1", "2468", ".c. .a. ..."),
        ("... ... ..a", "up 2 left 2", "24", "ac. ... ..."),
    ],
)
def test_floating_cells(bakery: str, shift: str, cells: str, after: str) -> None:
    """4, grid floating: the card is placed where they then are."""
    harbour = Harbour(bakery, open="ccc", grid="floating").turn(f"take left, shift {shift}, cell {cells[0]}")
    assert harbour.cells() == cells
    wanted = {"ccc aaa ...": "c.. aaa ...", "... caa aaa": "... c.. aaa"}.get(after, after)
    assert harbour.bakery() == wanted
    assert harbour.course == ("take, shift, place, refill" if shift != "stay" else "take, place, refill")


@pytest.mark.parametrize("bakery", ["", "a.. .a. ..a", "aaa aaa aa."])
def test_floating_without_a_choice(bakery: str) -> None:
    """4, grid floating: an empty bakery, or one as wide and high as the frame, does not slide."""
    assert Harbour(bakery, open="ccc", grid="floating").tried("take left").legal("shift") in ([], ["stay"])


def test_floating_and_stacking() -> None:
    """4, grid floating: a bun is made where the ingredient has slid to."""
    harbour = Harbour("a.. ... ...", open="bbb", grid="floating").turn("take left, shift right 2, cell 3")
    assert harbour.bakery() == "..X ... ..."


@pytest.mark.parametrize(("shift", "cells"), [("stay", "148"), ("right 1", "2579"), ("up 1", "157"), ("up 2", "24")])
def test_floating_and_the_freed_cell(shift: str, cells: str) -> None:
    """4, 8: the freed cell slides with the cards; outside the frame it is none."""
    harbour = Harbour("X.. ... c..", discards="f", grid="floating").tried(f"exchange, shift {shift}")
    assert harbour.cells() == cells


# Option A: next to a card


@pytest.mark.parametrize(
    ("bakery", "counting", "not_counting"),
    [
        ("aa. ... ..a", "34568", "345"),
        ("a.. ... ..a", "2468", "2468"),
        ("a.. ... ...", "24", "24"),
        ("a.a a.. ...", "2567", "257"),
        ("a.a .a. a.a", "2468", "2468"),
        ("Xa. ... a..", "3458", "345"),
    ],
)
def test_isolated_neighbours(bakery: str, counting: str, not_counting: str) -> None:
    """5, isolated_neighbours: whether a card without a neighbour is one to place next to; if all are so, it is."""
    assert Harbour(bakery, open="ccc").tried("take left").cells() == counting
    assert Harbour(bakery, open="ccc", isolated_neighbours=False).tried("take left").cells() == not_counting


def test_isolated_cards_may_be_stacked_on() -> None:
    """5: stacking asks for no neighbour, so an isolated card may still become a bun."""
    harbour = Harbour("aa. ... ..a", open="bbb", isolated_neighbours=False).tried("take left")
    assert harbour.cells() == "123459"


@pytest.mark.parametrize(
    ("bakery", "free", "next_to", "neither"),
    [
        ("aa. ... ..a", "12345689", "1234568", "12345"),
        ("a.. ... ..a", "124689", "2468", "2468"),
        ("a.. ... ...", "124", "124", "124"),
        ("a.. ... ..X", "12468", "2468", "2468"),
        ("aX. ... ...", "1345", "1345", "1345"),
    ],
)
def test_stacking_next_to(bakery: str, free: str, next_to: str, neither: str) -> None:
    """5, stacking_next_to: whether stacking needs a card beside the cell; the only card may always be stacked on."""
    position: dict[str, Any] = {"open": "bbb"}
    assert Harbour(bakery, **position).tried("take left").cells() == free
    position |= {"stacking_next_to": True}
    assert Harbour(bakery, **position).tried("take left").cells() == next_to
    assert Harbour(bakery, **position, isolated_neighbours=False).tried("take left").cells() == neither


def test_stacking_next_to_in_a_full_bakery() -> None:
    """5, 7: every card has neighbours there."""
    assert "take left" in Harbour("aaa aaa aaa", open="bcc", stacking_next_to=True).acts()
    acts = Harbour("a.a .c. a.a", open="bcc", stacking_next_to=True).tried("take left")
    assert acts.cells() == "2468"


# Buns


def test_a_bun_out_of_stock_is_lost() -> None:
    """6, bun_out_of_stock lost: both cards are discarded, nothing takes their place."""
    harbour = Harbour("... .a. ...", open="bbb", stock=[0, 6, 6], bun_out_of_stock="lost").turn("take left, cell 5")
    assert harbour.cells() == "24568"
    assert (harbour.bakery(), harbour.discards, harbour.stock) == ("... ... ...", "ab", [0, 6, 6])
    assert harbour.told("place")[0]["made"] == 0


def test_a_bun_in_stock_is_not_lost() -> None:
    """6: the rule only concerns those out of stock; no other pair may be stacked."""
    harbour = Harbour("... .ac ...", open="bbb", stock=[1, 0, 6], bun_out_of_stock="lost").turn("take left, cell 5")
    assert (harbour.cells(), harbour.bakery(), harbour.stock) == ("234589", "... .Xc ...", [0, 0, 6])


def test_a_full_bakery_may_lose_a_bun() -> None:
    """6, 7: the card may be taken, since it may be stacked."""
    position: dict[str, Any] = {"open": "bcc", "stock": [0, 6, 6]}
    assert Harbour("aaa aaa aaa", **position).acts() == ["clean up"]
    acts = Harbour("aaa aaa aaa", **position, bun_out_of_stock="lost").acts()
    assert acts == ["take left", "clean up"]


# A full bakery


def test_a_full_bakery_discards() -> None:
    """7, full_bakery discard: any card may be taken; what cannot be placed is discarded."""
    position: dict[str, Any] = {"open": "cad", "full_bakery": "discard", "icons": "ts", "starting": 1}
    acts = Harbour("aaa aaa aaa", **position).acts()
    assert acts == [
        *("take left", "take middle", "take right", "clean up", "extra tentacle", "take from supply", "starting card"),
    ]
    harbour = Harbour("aaa aaa aaa", **position).turn("take left")
    assert (harbour.bakery(), harbour.discards, harbour.course) == ("aaa aaa aaa", "c", "take, lose, refill")
    assert harbour.items([harbour.told("lose")[0]["item"]]) == "c"


def test_a_full_bakery_still_stacks() -> None:
    """7: only a card that can be placed nowhere is discarded."""
    harbour = Harbour("aaa aaa aaa", open="bcc", full_bakery="discard").turn("take left, cell 5")
    assert (harbour.bakery(), harbour.discards) == ("aaa aXa aaa", "ab")


@pytest.mark.parametrize(
    "bonus", ["extra tentacle, ingredient right", "take from supply, stack middle", "starting card, stack middle"]
)
def test_a_full_bakery_discards_bonus_cards(bonus: str) -> None:
    """7: those of bonuses, too."""
    position: dict[str, Any] = {"open": "aad", "full_bakery": "discard", "icons": "ts", "starting": 1}
    harbour = Harbour("aaa aaa aaa", **position).turn(f"{bonus}, clean up, clean_up 1, clean_to discard, end turn")
    assert harbour.discards == "ad"


# Option B


@pytest.mark.parametrize(
    ("limit", "held", "may"), [(0, 0, False), (1, 0, True), (1, 1, False), (3, 2, True), (3, 3, False)]
)
def test_another_reserve_limit(limit: int, held: int, may: bool) -> None:
    """reserve_limit: reserved orders at a time, by action and bonus."""
    harbour = Harbour(small=["ff"], reserved=["aa", "bb", "cc"][:held], reserve_limit=limit, icons="r")
    acts = harbour.acts()
    assert (("rope in" in acts), ("extra rope in" in acts)) == (may, may)


def test_no_blind_rope_in() -> None:
    """blind_rope_in false: open orders only; none: the action is not available."""
    position: dict[str, Any] = {"small": ["aa", "bb", "cc"], "large": ["", "", "ccc"], "icons": "r"}
    harbour = Harbour(**position, blind_rope_in=False).tried("rope in")
    assert harbour.legal("reserve") == ["small 1", "small 2"]
    acts = Harbour(large=["", "", "ccc"], icons="r", blind_rope_in=False).acts()
    assert not {"rope in", "extra rope in"} & {*acts}


@pytest.mark.parametrize(
    ("reserved", "rope_in", "extra"),
    [
        (["aa", "bb"], False, True),
        (["aa", "bb", "cc"], False, True),
        (["aa", "bb", "cc", "dd"], False, False),
        (["", "", "cc", "dd"], False, True),
        (["", "bb"], True, True),
    ],
)
def test_extra_rope_in_beyond(reserved: list[str], rope_in: bool, extra: bool) -> None:
    """10, extra_rope_in beyond: the bonus may go two above the limit, the action (counting orders) may not."""
    acts = Harbour(small=["ff", "ee"], reserved=reserved, icons="r", extra_rope_in="beyond").acts()
    assert (("rope in" in acts), ("extra rope in" in acts)) == (rope_in, extra)


def test_four_reserved_orders() -> None:
    """10, beyond: all four may be completed."""
    harbour = Harbour("a.. ... ...", reserved=["bb", "cc", "dd", "ac 3"], extra_rope_in="beyond")
    harbour.turn("take middle, cell 2, complete")
    assert (harbour.coins(), harbour.reserved()) == (3, ["bb", "cc", "dd", ""])


# Option C


@pytest.mark.parametrize(
    ("bakery", "freed", "not_freed"),
    [("X.. ... ..a", "168", "68"), ("Xa. ... ...", "135", "135"), ("X.. ... ...", "123456789", "123456789")],
)
def test_the_freed_cell(bakery: str, freed: str, not_freed: str) -> None:
    """8, freed_cell: whether the bun's cell may be used though no card is next to it."""
    assert Harbour(bakery, discards="f").tried("exchange").cells() == freed
    assert Harbour(bakery, discards="f", freed_cell=False).tried("exchange").cells() == not_freed


def test_the_freed_cell_and_isolated_cards() -> None:
    """5, 8: only the pair counts; the bun's cell is free all the same."""
    harbour = Harbour("X.. ... caa", discards="f", isolated_neighbours=False).tried("exchange")
    assert harbour.cells() == "1456"
    harbour = Harbour("X.c ... .aa", discards="f", isolated_neighbours=False).tried("exchange")
    assert harbour.cells() == "1567"


# Boxes that cannot be


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"buns": [{"name": "X", "of": ["a", "q"]}]}, "made of"),
        ({"buns": [{"name": "X", "of": ["a", "b"]}, {"name": "Y", "of": ["b", "a"]}]}, "one kind"),
        ({"buns": [{"name": "a", "of": ["a", "b"]}]}, "own"),
        ({"ingredients": ["a", "a"], "buns": []}, "own"),
        ({"buns": []}, "made of"),
        ({"copies": 1}, "needs 2"),
        ({"given_order": "nobody"}, "given_order"),
        ({"given_order": "aab", "reserve_limit": 0}, "reserve_limit"),
    ],
)
def test_boxes_that_cannot_be(changes: dict[str, Any], fault: str) -> None:
    """Names are known and stand once, two ingredients make one bun, an order can be made of what there is."""
    with pytest.raises(ValueError, match=fault):
        box(["Xc"], ["aab"], **changes)
