"""Witness 1: the rulebook of Octobuns on Ending Your Turn: what is replenished when, and how the supply is rebuilt."""

from __future__ import annotations

import pytest

from tests.games.octobuns_position import Harbour

PLACES = ("left", "middle", "right")

# Replenish ingredient cards, from the stack above


@pytest.mark.parametrize(
    ("place", "open_cards", "stacks"),
    [
        (0, "bce", ("dbd", "dfdf", "fbfb")),
        (1, "ade", ("bdbd", "fdf", "fbfb")),
        (2, "acf", ("bdbd", "dfdf", "bfb")),
    ],
)
def test_from_the_stack_above(place: int, open_cards: str, stacks: tuple[str, ...]) -> None:
    """The place is filled with the top card of its own stack; the others are not touched."""
    harbour = Harbour().turn(f"take {PLACES[place]}, cell 5")
    assert (harbour.open, harbour.stacks) == (open_cards, stacks)
    (refill,) = harbour.told("refill")
    assert (refill["place"], harbour.items([refill["item"]])) == (place, open_cards[place])
    assert harbour.course == "take, place, refill"


def test_never_from_another_stack() -> None:
    """14: the stack above is empty and there are no discards: the place stays empty, whatever the others hold."""
    harbour = Harbour(stacks=("", "dfdf", "fbfb")).turn("take left, cell 5")
    assert (harbour.open, harbour.stacks) == (".ce", ("", "dfdf", "fbfb"))
    assert harbour.course == "take, place"


def test_at_the_end_of_the_turn_only() -> None:
    """11: the place is empty while the turn goes on; then both places are filled, from the left."""
    harbour = Harbour(icons="t").turn("take right, cell 5, extra tentacle, ingredient left, cell 4")
    assert harbour.legal("ingredient") == ["left", "middle"]
    assert harbour.course == "take, place, use, take, place, refill, refill"
    assert [event["place"] for event in harbour.told("refill")] == [0, 2]
    assert harbour.open == "bcf"


def test_nothing_to_replenish() -> None:
    """Where all places are full nothing happens."""
    assert Harbour("aa. ... ...").turn("clean up, clean_up 1, clean_to discard, end turn").course == "lift, discard"


def test_after_a_take_from_the_supply() -> None:
    """13: the stack has a new top, and that is what is turned up."""
    harbour = Harbour(starting=1).turn("starting card, stack left, cell 5, take left, cell 4")
    assert (harbour.open, harbour.stacks[0]) == ("dce", "bd")


# Replenish order cards


@pytest.mark.parametrize(
    ("source", "orders", "piles"),
    [
        ("small 1", ["cc", "bb", "aaa", "bbb"], [["dd"], ["ccc", "ddd"]]),
        ("small 2", ["aa", "cc", "aaa", "bbb"], [["dd"], ["ccc", "ddd"]]),
        ("large 1", ["aa", "bb", "ccc", "bbb"], [["cc", "dd"], ["ddd"]]),
        ("large 2", ["aa", "bb", "aaa", "ccc"], [["cc", "dd"], ["ddd"]]),
    ],
)
def test_an_order_of_the_same_kind(source: str, orders: list[str], piles: list[list[str]]) -> None:
    """Small by small, large by large, the pile's top card."""
    harbour = Harbour(small=["aa", "bb", "cc", "dd"], large=["aaa", "bbb", "ccc", "ddd"])
    harbour.turn(f"rope in, reserve {source}")
    assert (harbour.orders, harbour.piles) == (orders, piles)
    assert harbour.course == "rope in, orders"


@pytest.mark.parametrize(("first", "second"), [("small 1", "small 2"), ("small 2", "small 1")])
def test_two_orders(first: str, second: str) -> None:
    """Both places are filled at the end, the first one first, in whatever order they became empty."""
    harbour = Harbour(small=["aa", "bb", "cc", "dd"], icons="r")
    harbour.turn(f"rope in, reserve {first}, extra rope in, reserve {second}")
    assert harbour.orders[:2] == ["cc", "dd"]
    assert len(harbour.told("orders")) == 1


@pytest.mark.parametrize(("pile", "orders"), [([], ["", ""]), (["cc"], ["cc", ""])])
def test_a_pile_that_is_used_up(pile: list[str], orders: list[str]) -> None:
    """21: places stay empty; large orders do not replace small ones."""
    harbour = Harbour(small=["aa", "bb", *pile], large=["aaa", "bbb", "ccc"], icons="r")
    harbour.turn("rope in, reserve small 1, extra rope in, reserve small 2")
    assert harbour.orders == [*orders, "aaa", "bbb"]


def test_an_empty_place_is_filled_whenever_possible() -> None:
    """An order roped in from the pile leaves the open ones as they are."""
    harbour = Harbour(small=["aa", "bb", "cc"]).turn("rope in, reserve small pile")
    assert (harbour.orders[:2], harbour.piles[0], harbour.course) == (["aa", "bb"], [], "rope in")


# A stack runs out


def test_the_discards_go_under_three_stacks() -> None:
    """14: shuffled, roughly equal stacks, the cards that are left lie on top.

    0, 4 and 4 cards, discards in the order a c a d e: to the first until it has as many as the others, then in turn.
    """
    harbour = Harbour(stacks=("b", "dfdf", "fbfb"), discards="aaccde").turn("take left, cell 5", shuffled="acadec")
    assert (harbour.open, harbour.discards) == ("bce", "")
    assert harbour.stacks == ("acade", "dfdfc", "fbfb")
    assert harbour.course == "take, place, refill, rebuild"


@pytest.mark.parametrize(
    ("stacks", "shuffled", "after"),
    [
        (("b", "df", "fb"), "acad", ("aca", "dfd", "fb")),
        (("b", "df", "f"), "acad", ("acd", "df", "fa")),
        (("b", "", ""), "acadf", ("ad", "cf", "a")),
        (("b", "dddddd", "f"), "acadf", ("acd", "dddddd", "faf")),
        (("b", "dddddd", "ffffff"), "ac", ("ac", "dddddd", "ffffff")),
    ],
)
def test_to_the_stack_with_the_fewest(stacks: tuple[str, ...], shuffled: str, after: tuple[str, ...]) -> None:
    """14: as level as can be; of equal stacks the left one gets the card."""
    discards = "".join(sorted(shuffled))
    harbour = Harbour(stacks=stacks, discards=discards).turn("take left, cell 5", shuffled=shuffled)
    assert (harbour.stacks, harbour.discards) == (after, "")


def test_a_stack_that_was_empty_already() -> None:
    """Two cards stacked to a bun are the first discards: they are dealt, then the place is filled from its stack."""
    harbour = Harbour("a.. ... ...", open="bce", stacks=("", "df", "fb")).turn("take left, cell 1", shuffled="ba")
    assert (harbour.open, harbour.stacks) == ("bce", ("a", "df", "fb"))
    assert harbour.course == "take, place, rebuild, refill"


def test_all_stacks_were_empty() -> None:
    """All open places are filled as their stacks come back."""
    harbour = Harbour(open="a..", stacks=("", "", ""), discards="aabcdef").turn("take left, cell 5", shuffled="abcdefa")
    assert (harbour.open, harbour.stacks) == ("abc", ("da", "e", "f"))
    assert harbour.course == "take, place, rebuild, refill, refill, refill"


def test_too_few_discards() -> None:
    """14: two cards for three places: the last stays empty, and so do the stacks."""
    harbour = Harbour(open="a..", stacks=("", "", ""), discards="ab").turn("take left, cell 5", shuffled="ba")
    assert (harbour.open, harbour.stacks, harbour.discards) == ("ba.", ("", "", ""), "")
    assert len(harbour.told("rebuild")) == 1


def test_no_discards() -> None:
    """14: the stack stays empty until there are some."""
    harbour = Harbour(["", "ab. ... ..."], stacks=("b", "df", "fb")).turn("take left, cell 5")
    assert (harbour.open, harbour.stacks) == ("bce", ("", "df", "fb"))
    harbour.turn("clean up, clean_up 1, clean_to discard, end turn", shuffled="a")
    assert (harbour.stacks, harbour.course) == (("a", "df", "fb"), "lift, discard, rebuild")


def test_only_when_a_stack_has_run_out() -> None:
    """One card left is not run out."""
    harbour = Harbour(stacks=("bd", "d", "f"), discards="aaa").turn("take left, cell 5")
    assert (harbour.stacks, harbour.discards) == (("d", "d", "f"), "aaa")


def test_emptied_in_the_middle_of_a_turn() -> None:
    """22: by Take From the Supply: it is rebuilt at the end; until then nothing can be drawn from it."""
    harbour = Harbour(stacks=("b", "df", "fb"), discards="aac", icons="ss")
    harbour.turn(
        "take from supply, stack left, cell 5, take from supply, stack middle, cell 6, take right, cell 9",
        shuffled="aca",
    )
    assert harbour.legal("stack", 1) == ["middle", "right"]
    assert harbour.bakery() == "... .bd ..e"
    # the right place is filled with f, then: 0, 1, 1 cards; a to the left, c to the left of equals, a to the middle
    assert harbour.stacks == ("ac", "fa", "b")
    assert harbour.course == "use, take, place, use, take, place, take, place, refill, rebuild"


def test_cards_of_this_turn_are_in_it() -> None:
    """The cards of an order completed in this turn lie on the discard pile by then."""
    harbour = Harbour("a.. ... ...", stacks=("bbb", "d", "fff"), small=["ac"])
    harbour.turn("take middle, cell 2, complete", shuffled="ca")
    assert (harbour.open, harbour.stacks, harbour.discards) == ("ade", ("bbb", "ca", "fff"), "")


def test_discards_that_are_opened_at_once() -> None:
    """One card for each stack, one for each place: nothing is left to be dealt again."""
    harbour = Harbour(open="ac.", stacks=("", "", ""), discards="bbb", icons="t")
    harbour.turn("take left, cell 5, extra tentacle, cell 4", shuffled="bbb")
    assert (harbour.open, harbour.stacks) == ("bbb", ("", "", ""))
    assert len(harbour.told("rebuild")) == 1
