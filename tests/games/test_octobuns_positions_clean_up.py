"""Witness 1: the rulebook of Octobuns on Option D, Clean Up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.octobuns_position import BONUSES, Harbour

# Discard or move


@pytest.mark.parametrize(
    ("bakery", "cell", "after", "discards", "stock"),
    [
        ("ac. ... ...", 1, ".c. ... ...", "a", [6, 6, 6]),
        ("acc ... ...", 3, "ac. ... ...", "c", [6, 6, 6]),
        ("aX. ... ...", 2, "a.. ... ...", "", [6, 6, 6]),
        ("aXX ... ..Z", 9, "aXX ... ...", "", [4, 6, 6]),
    ],
)
def test_discard_one(bakery: str, cell: int, after: str, discards: str, stock: list[int]) -> None:
    """9: an ingredient goes to the discard pile, a bun to the supply."""
    harbour = Harbour(bakery).turn(f"clean up, clean_up {cell}, clean_to discard, end turn")
    assert (harbour.bakery(), harbour.discards, harbour.stock) == (after, discards, stock)
    assert harbour.course == "lift, discard"


@pytest.mark.parametrize(
    ("bakery", "cell", "cells"),
    [
        ("ac. ... ...", 1, "35"),
        ("ac. ... ...", 2, "4"),
        ("aca ... ...", 2, "46"),
        ("acf ... ...", 1, "56"),
        ("a.. ... ..c", 1, "68"),
        ("Xa. ... ...", 1, "35"),
        ("aX. ... ...", 1, "35"),
        ("aX. ... ...", 2, "4"),
        ("ccc cac ccc", 5, ""),
        ("ccc c.c ccc", 1, "5"),
    ],
)
def test_move_by_the_placement_rules(bakery: str, cell: int, cells: str) -> None:
    """Next to another card, on a cell that is free; its own cell is not another one. Or it may be discarded."""
    harbour = Harbour(bakery).tried(f"clean up, clean_up {cell}")
    assert harbour.legal("clean_to") == [*cells, "discard"]


def test_the_only_card_moves_anywhere() -> None:
    """Lifted, it leaves an empty bakery."""
    assert Harbour("... .a. ...").tried("clean up, clean_up 5").cells("clean_to") == "12346789"


@pytest.mark.parametrize(
    ("bakery", "cell", "cells"),
    [("ab. ... ...", 1, "235"), ("a.b ... c..", 1, "23468"), ("aba aaa aaa", 2, "13456789"), ("ef. d.. ...", 2, "157")],
)
def test_a_moved_ingredient_may_be_stacked(bakery: str, cell: int, cells: str) -> None:
    """9: the placement rules of an ingredient are those of making buns, too."""
    assert Harbour(bakery).tried(f"clean up, clean_up {cell}").cells("clean_to") == cells


def test_a_bun_made_by_moving() -> None:
    """Both cards are discarded, the bun lies where they met, and the other cell is empty."""
    harbour = Harbour("ab. ... ...").turn("clean up, clean_up 1, clean_to 2, end turn")
    assert (harbour.bakery(), harbour.discards, harbour.stock) == (".X. ... ...", "ab", [5, 6, 6])
    assert harbour.items([harbour.told("place")[0]["made"]]) == "X"


def test_stacking_by_moving_needs_a_bun_in_stock() -> None:
    """6: while stocks last."""
    assert Harbour("ab. ... ...", stock=[0, 6, 6]).tried("clean up, clean_up 1").cells("clean_to") == "35"


@pytest.mark.parametrize("other", "abcdefXYZ")
def test_a_moved_bun_is_never_stacked(other: str) -> None:
    """6: neither on an ingredient nor on a bun."""
    assert Harbour(f"X{other}. ... ...").tried("clean up, clean_up 1").cells("clean_to") == "35"


def test_a_move_changes_nothing_else() -> None:
    """The card is gone from its cell and lies on the other; supply and discards are as before."""
    harbour = Harbour("ac. X.. ...").turn("clean up, clean_up 4, clean_to 3, end turn")
    assert (harbour.bakery(), harbour.discards, harbour.stock) == ("acX ... ...", "", [5, 6, 6])
    assert (harbour.open, harbour.stacks) == ("ace", ("bdbd", "dfdf", "fbfb"))
    assert harbour.course == "lift, place"


# 1 or 2 cards


@pytest.mark.parametrize(
    ("answers", "after", "discards"),
    [
        ("clean_up 1, clean_to discard, clean up, clean_up 2, clean_to discard", "..f ... ...", "ac"),
        ("clean_up 1, clean_to 5, clean up, clean_up 2, clean_to 6", "..f .ac ...", ""),
        ("clean_up 1, clean_to 5, clean up, clean_up 2, clean_to discard", "..f .a. ...", "c"),
        ("clean_up 1, clean_to discard, clean up, clean_up 2, clean_to 6", "..f ..c ...", "a"),
        ("clean_up 3, clean_to 5, clean up, clean_up 5, clean_to 4", "ac. f.. ...", ""),
    ],
)
def test_two_cards(answers: str, after: str, discards: str) -> None:
    """Both discarded, both moved, or one of each; 23: one after the other, the same card twice counting as two."""
    harbour = Harbour("acf ... ...").turn(f"clean up, {answers}")
    assert (harbour.bakery(), harbour.discards) == (after, discards)
    assert harbour.asked("act") == 2  # a third card is not offered


def test_one_card_is_enough() -> None:
    """One may stop after it."""
    harbour = Harbour("acf ... ...").turn("clean up, clean_up 1, clean_to discard, end turn")
    assert harbour.legal("act", 1) == ["clean up", "end turn"]


def test_the_second_card_finds_what_the_first_left() -> None:
    """23: with the first discarded the bakery is empty once the second is lifted."""
    harbour = Harbour("ac. ... ...").tried("clean up, clean_up 2, clean_to discard, clean up")
    assert harbour.cells("clean_to", 1) == "23456789"


def test_the_second_card_may_take_the_firsts_cell() -> None:
    """Its cell is free by then."""
    harbour = Harbour("acf ... ...").turn("clean up, clean_up 1, clean_to 5, clean up, clean_up 3, clean_to 1")
    assert harbour.bakery() == "fc. .a. ..."


def test_a_bun_made_by_the_first_may_be_moved() -> None:
    """It is a card like any other."""
    harbour = Harbour("abc ... ...").turn("clean up, clean_up 1, clean_to 2, clean up, clean_up 2, clean_to 6")
    assert harbour.bakery() == "..c ..X ..."


def test_the_course_of_a_clean_up() -> None:
    """What is told of it: the action, cards handled, what was done with the last."""
    harbour = Harbour("acf ... ...", states=True)
    harbour.turn("clean up, clean_up 1, clean_to 5, clean up, clean_up 2, clean_to discard")
    states = [event["state"] for event in harbour.events]
    assert [state["action"] for state in states] == [5] * 4
    assert states[1]["n_cleaned"] == 1
    assert states[3]["n_cleaned"] == 2
    assert [states[at]["cleaned_how"] for at in (1, 3)] == ["move", "discard"]
    assert harbour.items(states[0]["hand"]) == "a."


def test_ones_own_cards_only() -> None:
    """In your bakery; what others have is not to be touched."""
    harbour = Harbour(["a.. .X. ...", "bbb b.b bbb"], reserved=[[], ["cc"]]).tried("clean up")
    assert harbour.legal("clean_up") == ["1", "5"]


@pytest.mark.parametrize(
    ("bakery", "reserved", "may"),
    [("a.. ... ...", [], True), ("X.. ... ...", [], True), ("", ["cc"], True), ("", [], False)],
)
def test_something_must_be_there(bakery: str, reserved: list[str], may: bool) -> None:
    """A card, or a reserved order."""
    assert ("clean up" in Harbour(bakery, reserved=reserved).acts()) == may


# Cards that become isolated


@pytest.mark.parametrize("how", ["clean_up 2, clean_to discard", "clean_up 2, clean_to 6"])
def test_isolated_cards_remain(how: str) -> None:
    """What has lost its neighbour stays where it is."""
    harbour = Harbour("acf ... ...").turn(f"clean up, {how}, end turn")
    assert harbour.bakery() == ("a.f ... ..." if "discard" in how else "a.f ..c ...")


def test_isolated_cards_may_be_built_on() -> None:
    """5: they are existing cards."""
    harbour = Harbour("acf ... ...", open="aaa").turns(
        "clean up, clean_up 2, clean_to discard, end turn", "take right, cell 1"
    )
    assert harbour.tried("take left").cells() == "246"


def test_a_moved_card_may_become_isolated() -> None:
    """The first is moved next to the second, which is then discarded."""
    harbour = Harbour("... acf ...").turn("clean up, clean_up 4, clean_to 2, clean up, clean_up 5, clean_to discard")
    assert harbour.bakery() == ".a. ..f ..."


# Reserved orders


@pytest.mark.parametrize(("drop", "left"), [("reserved 1", ["", "dd"]), ("reserved 2", ["cc", ""])])
def test_a_reserved_order_may_be_discarded(drop: str, left: list[str]) -> None:
    """9: without handling a card; it leaves the game."""
    harbour = Harbour("a.. ... ...", reserved=["cc", "dd"], small=["aa", "bb", "ee"])
    harbour.turn(f"clean up, clean_up {drop}, end turn")
    assert (harbour.reserved(), harbour.orders[:2], harbour.piles) == (left, ["aa", "bb"], [["ee"], []])
    assert harbour.course == "drop"
    assert harbour.told("drop")[0]["place"] == left.index("")


def test_all_of_them_and_two_cards() -> None:
    """9: any number, before, between and after the cards."""
    harbour = Harbour("acf ... ...", reserved=["cc", "dd"])
    harbour.turn(
        "clean up, clean_up reserved 2, clean up, clean_up 1, clean_to discard, "
        "clean up, clean_up 2, clean_to discard, clean up, clean_up reserved 1"
    )
    assert (harbour.reserved(), harbour.bakery()) == (["", ""], "..f ... ...")
    assert harbour.course == "drop, lift, discard, lift, discard, drop"


def test_after_two_cards_orders_only() -> None:
    """The cards are used up, the orders are not."""
    harbour = Harbour("acf ... ...", reserved=["cc", "dd"])
    harbour.tried(
        "clean up, clean_up 1, clean_to discard, clean up, clean_up 2, clean_to discard, clean up, clean_up reserved 2"
    )
    assert harbour.legal("act", 2) == ["clean up", "end turn"]
    assert harbour.legal("clean_up", 2) == ["reserved 1", "reserved 2"]


def test_what_may_be_cleaned_up() -> None:
    """Cards and orders are offered side by side."""
    harbour = Harbour("a.X ... ..c", reserved=["", "dd"]).tried("clean up")
    assert harbour.legal("clean_up") == ["1", "3", "9", "reserved 2"]


def test_a_discarded_order_makes_room() -> None:
    """One may rope in again, by a bonus even in this turn."""
    harbour = Harbour("a.. ... ...", reserved=["cc", "dd"], small=["aa"], icons="r")
    harbour.turn("clean up, clean_up reserved 1, extra rope in")
    assert "extra rope in" not in harbour.legal("act", 0)
    assert harbour.reserved() == ["aa", "dd"]


# One action


def test_the_order_ends_the_clean_up() -> None:
    """After the action an order may be completed; no card is handled then."""
    harbour = Harbour("acf ... ...", small=["cf"], reserved=["dd"])
    harbour.turn("clean up, clean_up 1, clean_to discard, complete, order small 1")
    assert harbour.legal("act", 1) == ["clean up", "complete", "end turn"]
    assert harbour.asked("act") == 2


def test_moving_cards_for_an_order() -> None:
    """Two moves bring d, e, f in a row."""
    harbour = Harbour("e.. d.. f..", small=["def 3"])
    harbour.turn("clean up, clean_up 1, clean_to 5, clean up, clean_up 7, clean_to 6, complete")
    assert (harbour.coins(), harbour.bakery(), harbour.discards) == (3, "... ... ...", "def")


def test_a_bonus_in_the_middle() -> None:
    """At any moment: also between the two cards."""
    position: dict[str, Any] = {"icons": "rts", "starting": 1, "small": ["ff"]}
    harbour = Harbour("acX ... ...", **position)
    harbour.turn(
        "clean up, clean_up 1, clean_to discard, starting card, stack left, cell 1, clean up, clean_up 2, clean_to 4"
    )
    assert harbour.legal("act", 1) == ["clean up", *BONUSES, "end turn"]
    assert harbour.bakery() == "b.X c.. ..."
    assert harbour.course.startswith("lift, discard, use, take, place, lift, place")


def test_the_card_of_a_bonus_may_be_cleaned_up() -> None:
    """The second card is the one just taken."""
    harbour = Harbour("aX. ... ...", starting=1)
    harbour.turn(
        "clean up, clean_up 1, clean_to discard, starting card, stack left, cell 1, clean up, clean_up 1, clean_to 3"
    )
    assert harbour.bakery() == ".Xb ... ..."
