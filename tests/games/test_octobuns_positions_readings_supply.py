"""Witness 1: other readings of Octobuns: when open cards are refilled, how and when the supply is rebuilt."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.octobuns_position import Harbour

AT_ONCE: dict[str, Any] = {"refill": "at-once"}
REBUILT_AT_ONCE: dict[str, Any] = {"rebuild_when": "at-once"}

# refill


def test_refill_at_once() -> None:
    """11, refill at-once: the next card is turned up as soon as one is taken, before that is placed."""
    harbour = Harbour(**AT_ONCE, states=True).turn("take left, cell 5")
    assert harbour.course == "take, refill, place"
    assert harbour.items(harbour.told("refill")[0]["state"]["hand"]) == "a."
    assert (harbour.open, harbour.stacks[0]) == ("bce", "dbd")


def test_the_tentacle_finds_three_cards() -> None:
    """11, refill at-once: Extra Tentacle may take the card that has just come."""
    harbour = Harbour(icons="t", **AT_ONCE).turn("take left, cell 5, extra tentacle, ingredient left, cell 2")
    assert harbour.legal("ingredient") == ["left", "middle", "right"]
    assert (harbour.bakery(), harbour.open) == (".b. .a. ...", "dce")


def test_orders_are_refilled_at_the_end_all_the_same() -> None:
    """11: the rulebook says so of them."""
    harbour = Harbour(small=["aa", "bb", "cc", "dd"], icons="r", **AT_ONCE)
    harbour.turn("rope in, reserve small 1, extra rope in, reserve small 2")
    assert harbour.legal("reserve", 1) == ["small 2", "small pile"]


def test_refill_at_once_from_an_empty_stack() -> None:
    """11, 22: without a rebuild until the end of the turn."""
    harbour = Harbour(stacks=("", "df", "fb"), discards="cc", **AT_ONCE).turn("take left, cell 5")
    assert harbour.course == "take, place, rebuild, refill"
    assert (harbour.open, harbour.stacks) == ("cce", ("c", "df", "fb"))


def test_supply_takes_refill_nothing() -> None:
    """11: no open card has been taken."""
    harbour = Harbour(starting=1, **AT_ONCE).turn("starting card, stack left, cell 5, take right, cell 4")
    assert harbour.course == "use, take, place, take, refill, place"


# rebuild


@pytest.mark.parametrize(
    ("stacks", "shuffled", "level", "spread"),
    [
        (("b", "dfdf", "fbfb"), "acadec", ("acade", "dfdfc", "fbfb"), ("ad", "dfdfce", "fbfbac")),
        (("b", "df", "fb"), "acad", ("aca", "dfd", "fb"), ("ad", "dfc", "fba")),
        (("b", "ff", "ff"), "c", ("c", "ff", "ff"), ("c", "ff", "ff")),
        (("b", "ff", "ff"), "cde", ("cde", "ff", "ff"), ("c", "ffd", "ffe")),
        (("b", "", ""), "acde", ("ae", "c", "d"), ("ae", "c", "d")),
    ],
)
def test_where_the_discards_go(
    stacks: tuple[str, ...], shuffled: str, level: tuple[str, ...], spread: tuple[str, ...]
) -> None:
    """14, rebuild: so that the stacks become equal, or one after another under the left, the middle, the right."""
    position: dict[str, Any] = {"stacks": stacks, "discards": "".join(sorted(shuffled))}
    assert Harbour(**position).turn("take left, cell 5", shuffled).stacks == level
    assert Harbour(**position, rebuild="spread").turn("take left, cell 5", shuffled).stacks == spread


def test_spread_begins_at_the_left() -> None:
    """14, rebuild spread: whichever stack has run out; it may stay empty, if there are too few."""
    harbour = Harbour(stacks=("bd", "df", "f"), discards="cc", rebuild="spread").turn("take right, cell 5")
    assert (harbour.stacks, harbour.course) == (("bdc", "dfc", ""), "take, place, refill, rebuild")


# rebuild_when


def test_rebuild_at_once() -> None:
    """22, rebuild_when at-once: as soon as a draw leaves a stack empty, so that one may draw from it again."""
    position: dict[str, Any] = {"stacks": ("b", "df", "fb"), "discards": "aac", "icons": "ss"}
    turn = "take from supply, stack left, cell 5, take from supply, stack {}, cell 6, take right, cell 9"
    harbour = Harbour(**position, **REBUILT_AT_ONCE).turn(turn.format("left"), "aca")
    assert harbour.legal("stack", 1) == ["left", "middle", "right"]
    assert harbour.course == "use, take, rebuild, place, use, take, place, take, place, refill"
    assert (harbour.bakery(), harbour.stacks, harbour.open) == ("... .ba ..e", ("ca", "df", "b"), "acf")
    harbour = Harbour(**position).turn(turn.format("middle"), "aca")
    assert harbour.legal("stack", 1) == ["middle", "right"]


def test_rebuild_at_once_while_refilling() -> None:
    """22: between two open cards that are refilled, or after both.

    Both first stacks have one card, the last one f; discards c, c. At once: b opened, then c c under the empty left
    stack (0, 1, 1, then 1, 1, 1), then d opened. At the end: b and d opened, then c left, c middle (0, 0, 1).
    """
    position: dict[str, Any] = {"open": "ace", "stacks": ("b", "d", "f"), "discards": "cc", "icons": "t"}
    turn = "take left, cell 5, extra tentacle, ingredient middle, cell 2"
    harbour = Harbour(**position, **REBUILT_AT_ONCE).turn(turn)
    assert (harbour.open, harbour.stacks) == ("bde", ("cc", "", "f"))
    assert harbour.course == "take, place, use, take, place, refill, rebuild, refill"
    harbour = Harbour(**position).turn(turn)
    assert (harbour.open, harbour.stacks) == ("bde", ("c", "c", "f"))
    assert harbour.course == "take, place, use, take, place, refill, refill, rebuild"


def test_rebuild_at_once_without_discards() -> None:
    """22: there is nothing to rebuild from; discards that come later are dealt at the end of the turn."""
    harbour = Harbour("a.. ... ...", stacks=("b", "df", "fb"), starting=1, **REBUILT_AT_ONCE)
    harbour.turn("starting card, stack left, cell 1, take middle, cell 2", "ba")
    assert harbour.course == "use, take, place, take, place, refill, rebuild"
    assert (harbour.bakery(), harbour.stacks) == ("Xc. ... ...", ("ba", "f", "fb"))


def test_refill_and_rebuild_at_once() -> None:
    """11, 22: a card in front of an empty stack is taken: the discards are dealt, and the place is filled from them."""
    harbour = Harbour(stacks=("", "df", "fb"), discards="ccc", **AT_ONCE, **REBUILT_AT_ONCE).turn("take left, cell 5")
    assert harbour.course == "take, rebuild, refill, place"
    assert (harbour.open, harbour.stacks) == ("cce", ("cc", "df", "fb"))


def test_refill_that_empties_a_stack_and_rebuild_at_once() -> None:
    """11, 22: the last card of the stack is turned up; then the discards go under it."""
    harbour = Harbour(stacks=("b", "df", "fb"), discards="cc", **AT_ONCE, **REBUILT_AT_ONCE).turn("take left, cell 5")
    assert harbour.course == "take, refill, rebuild, place"
    assert (harbour.open, harbour.stacks) == ("bce", ("cc", "df", "fb"))
