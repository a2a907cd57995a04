"""Witness 1: other readings of Octobuns: Clean Up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.octobuns_position import Harbour

# clean_up_cards


@pytest.mark.parametrize(("cards", "asked"), [(1, 1), (2, 2)])
def test_other_numbers_of_cards(cards: int, asked: int) -> None:
    """clean_up_cards: after so many no other is offered."""
    harbour = Harbour("acf ... ...", clean_up_cards=cards)
    harbour.turn(", ".join(f"clean up, clean_up {cell}, clean_to discard" for cell in (1, 2)[:cards]))
    assert harbour.asked("act") == asked


def test_no_cards_but_orders() -> None:
    """clean_up_cards 0: only reserved orders may be discarded."""
    assert "clean up" not in Harbour("acf ... ...", clean_up_cards=0).acts()
    harbour = Harbour("acf ... ...", reserved=["dd", "ee"], clean_up_cards=0).tried("clean up")
    assert harbour.legal("clean_up") == ["reserved 1", "reserved 2"]


# clean_up_mixed


def test_not_mixed_after_a_move() -> None:
    """9, clean_up_mixed false: both cards are moved ..."""
    harbour = Harbour("acf ... ...", clean_up_mixed=False)
    harbour.turn("clean up, clean_up 1, clean_to 5, clean up, clean_up 2, clean_to 4")
    assert harbour.legal("clean_to", 0) == ["5", "6", "discard"]
    assert harbour.legal("clean_to", 1) == ["4", "6", "8"]


def test_not_mixed_after_a_discard() -> None:
    """9, clean_up_mixed false: ... or both discarded."""
    harbour = Harbour("acf ... ...", clean_up_mixed=False)
    harbour.turn("clean up, clean_up 1, clean_to discard, clean up, clean_up 2")
    assert (harbour.legal("clean_to", 1) or ["discard"]) == ["discard"]
    assert (harbour.bakery(), harbour.discards) == ("..f ... ...", "ac")


def test_not_mixed_but_orders() -> None:
    """9: reserved orders may be discarded in either case, and one card alone is enough."""
    harbour = Harbour("acf ... ...", reserved=["dd"], clean_up_mixed=False)
    harbour.turn("clean up, clean_up 1, clean_to 5, clean up, clean_up reserved 1, end turn")
    assert (harbour.reserved(), harbour.bakery()) == (["", ""], ".cf .a. ...")


def test_mixed() -> None:
    """9, clean_up_mixed true: each may be moved or discarded."""
    harbour = Harbour("acf ... ...").turn("clean up, clean_up 1, clean_to 5, clean up, clean_up 2, clean_to discard")
    assert harbour.legal("clean_to", 1) == ["4", "6", "8", "discard"]


# clean_up_stacks


@pytest.mark.parametrize(("stacks", "cells"), [(True, "235"), (False, "35")])
def test_stacking_by_a_move(stacks: bool, cells: str) -> None:
    """9, clean_up_stacks: whether a moved ingredient may be put on another."""
    assert Harbour("ab. ... ...", clean_up_stacks=stacks).tried("clean up, clean_up 1").cells("clean_to") == cells


def test_the_action_stacks_all_the_same() -> None:
    """9: clean_up_stacks is about Clean Up only."""
    assert Harbour("a.. ... ...", open="bbb", clean_up_stacks=False).tried("take left").cells() == "124"


# clean_up_orders_alone, dropped_orders


def test_orders_with_a_card_only() -> None:
    """9, clean_up_orders_alone false: a card has to be handled first."""
    harbour = Harbour("acf ... ...", reserved=["dd", "ee"], clean_up_orders_alone=False)
    harbour.turn("clean up, clean_up 1, clean_to discard, clean up, clean_up reserved 2, end turn")
    assert harbour.legal("clean_up", 0) == ["1", "2", "3"]
    assert harbour.legal("clean_up", 1) == ["2", "3", "reserved 1", "reserved 2"]


def test_orders_without_cards() -> None:
    """9: an empty bakery: by default orders may be discarded, otherwise there is no clean-up."""
    assert "clean up" in Harbour(reserved=["dd"]).acts()
    assert "clean up" not in Harbour(reserved=["dd"], clean_up_orders_alone=False).acts()


@pytest.mark.parametrize(
    ("how", "piles"),
    [
        ("out", [["ee"], ["eee"]]),
        ("bottom", [["ee", "dd"], ["eee", "ddd"]]),
    ],
)
def test_where_discarded_orders_go(how: str, piles: list[list[str]]) -> None:
    """9, dropped_orders: out of the game, or under the pile of their kind."""
    harbour = Harbour(
        "a.. ... ...", small=["aa", "bb", "ee"], large=["aaa", "bbb", "eee"], reserved=["dd", "large ddd"],
        dropped_orders=how,
    )  # fmt: skip
    harbour.turn("clean up, clean_up reserved 1, clean up, clean_up reserved 2, end turn")
    assert harbour.piles == piles


def test_a_discarded_order_fills_an_empty_place() -> None:
    """9, 21, dropped_orders bottom: the pile was used up; now it has a card again, which is turned up."""
    position: dict[str, Any] = {"small": ["aa"], "reserved": ["dd"]}
    drop = "clean up, clean_up reserved 1, end turn"
    assert Harbour("a.. ... ...", **position).turn(drop).orders[:2] == ["aa", ""]
    assert Harbour("a.. ... ...", **position, dropped_orders="bottom").turn(drop).orders[:2] == ["aa", "dd"]


# clean_up_sequence


def test_together() -> None:
    """23, clean_up_sequence together: both are lifted first, so that two cards may change places."""
    harbour = Harbour("ac. ... ...", clean_up_sequence="together")
    harbour.turn("clean up, clean_up 1, clean_second 2, clean_to 2, clean_to 1")
    assert harbour.cells("clean_to", 0) == "23456789"  # the bakery is empty; not where it was
    assert harbour.cells("clean_to", 1) == "135"
    assert (harbour.bakery(), harbour.course) == ("ca. ... ...", "lift, lift, place, place")


def test_one_by_one() -> None:
    """23: otherwise the second still lies when the first is put down."""
    harbour = Harbour("ac. ... ...").tried("clean up, clean_up 1")
    assert harbour.cells("clean_to") == "35"
    assert harbour.legal("clean_second") == []


def test_together_another_one_or_none() -> None:
    """23: any other card; and afterwards no card any more."""
    harbour = Harbour("acX ... ...", clean_up_sequence="together", reserved=["dd"])
    harbour.turn("clean up, clean_up 2, clean_second none, clean_to discard, clean up, clean_up reserved 1")
    assert harbour.legal("clean_second") == ["1", "3", "none"]
    assert harbour.bakery() == "a.X ... ..."
    assert harbour.legal("clean_up", 1) in ([], ["reserved 1"])
    assert harbour.asked("act") == 2


@pytest.mark.parametrize("position", [{"bakery": "a.. ... ..."}, {"bakery": "ac. ... ...", "clean_up_cards": 1}])
def test_together_with_one_card(position: dict[str, Any]) -> None:
    """23: no other card lies there, or none may be handled."""
    harbour = Harbour(**position, clean_up_sequence="together").tried("clean up, clean_up 1")
    assert harbour.legal("clean_second") in ([], ["none"])
    assert harbour.legal("clean_to")[-1] == "discard"


def test_together_in_hand() -> None:
    """23: both cards are out of the bakery, in the order lifted."""
    harbour = Harbour("acf ... ...", clean_up_sequence="together", states=True)
    harbour.turn("clean up, clean_up 3, clean_second 1, clean_to discard, clean_to 5")
    lifts = [event["state"] for event in harbour.told("lift")]
    assert [harbour.items(state["hand"]) for state in lifts] == ["f.", "fa"]
    assert (harbour.bakery(), harbour.discards) == (".c. .a. ...", "f")


def test_together_the_second_on_the_first() -> None:
    """23: two cards lifted together may be stacked to a bun somewhere else."""
    harbour = Harbour("abc ... ...", clean_up_sequence="together")
    harbour.turn("clean up, clean_up 1, clean_second 2, clean_to 6, clean_to 6")
    assert (harbour.bakery(), harbour.discards, harbour.stock) == ("..c ..X ...", "ab", [5, 6, 6])


def test_together_each_its_own_cell() -> None:
    """23: a card may not come back to the cell that it was lifted from, but to the other's."""
    harbour = Harbour("acf ... ...", clean_up_sequence="together")
    harbour.turn("clean up, clean_up 1, clean_second 2, clean_to 2, clean_to 1")
    assert harbour.cells("clean_to", 0) == "26"
    assert harbour.cells("clean_to", 1) == "156"
    harbour = Harbour("acf ... ...", clean_up_sequence="together")
    harbour.turn("clean up, clean_up 1, clean_second 2, clean_to 6, clean_to 9")
    assert harbour.cells("clean_to", 1) == "59"


def test_together_and_not_mixed() -> None:
    """9, 23: the second does as the first did: both are moved, or both are discarded."""
    rules: dict[str, Any] = {"clean_up_sequence": "together", "clean_up_mixed": False}
    harbour = Harbour("ac. ... ...", **rules)
    harbour.turn("clean up, clean_up 1, clean_second 2, clean_to 6, clean_to 3")
    assert (harbour.legal("clean_to", 1), harbour.bakery()) == (["3", "5", "9"], "..c ..a ...")
    harbour = Harbour("ac. ... ...", **rules).turn("clean up, clean_up 1, clean_second 2, clean_to discard")
    assert (harbour.bakery(), harbour.discards) == ("... ... ...", "ac")


# grid = floating


@pytest.mark.parametrize(
    ("shift", "cells"),
    [("stay", "35"), ("down 1", "268"), ("left 1", "24"), ("down 1 left 1", "157"), ("down 2", "59")],
)
def test_floating_before_a_move(shift: str, cells: str) -> None:
    """4: the other cards may slide first, and with them the cell that the card may not come back to."""
    harbour = Harbour("ac. ... ...", grid="floating").tried(f"clean up, clean_up 1, shift {shift}")
    assert harbour.legal("clean_to") == [*cells, "discard"]


def test_floating_and_the_only_card() -> None:
    """4: nothing is left that could slide."""
    harbour = Harbour("a.. ... ...", grid="floating").tried("clean up, clean_up 1")
    assert harbour.legal("shift") == []
    assert harbour.cells("clean_to") == "23456789"


def test_floating_and_not_mixed() -> None:
    """4, 9: before a card that can only be discarded nothing slides."""
    harbour = Harbour("acf ... ...", grid="floating", clean_up_mixed=False)
    harbour.turn("clean up, clean_up 1, shift stay, clean_to discard, clean up, clean_up 2")
    assert harbour.asked("shift") == 1
    assert harbour.course == "lift, discard, lift, discard"


def test_floating_and_then_discarding() -> None:
    """4: the cards have slid, even if the lifted one is discarded."""
    harbour = Harbour("ac. ... ...", grid="floating")
    harbour.turn("clean up, clean_up 1, shift down 1, clean_to discard, end turn")
    assert (harbour.bakery(), harbour.course) == ("... .c. ...", "lift, shift, discard")


def test_floating_and_together() -> None:
    """4, 23: both cells slide that cards were lifted from; here they leave the frame, and bar nothing."""
    harbour = Harbour("ac. f.. ...", grid="floating", clean_up_sequence="together")
    harbour.turn("clean up, clean_up 1, clean_second 2, shift up 1, clean_to 2, shift stay, clean_to 5")
    assert [harbour.cells("clean_to", time) for time in (0, 1)] == ["24", "345"]
    assert (harbour.bakery(), harbour.course) == ("fa. .c. ...", "lift, lift, shift, place, place")
