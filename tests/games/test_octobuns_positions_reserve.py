"""Witness 1: the rulebook of Octobuns on Option B, Rope in (Reserve), and on Option C, Exchange a Bun."""

from __future__ import annotations

import pytest

from tests.games.octobuns_position import Harbour

SMALL, LARGE = ["aa", "bb", "cc", "dd"], ["aaa", "bbb", "ccc", "ddd"]
SOURCES = ("small 1", "small 2", "large 1", "large 2", "small pile", "large pile")

# Option B: choose 1 of the face-up order cards, or the top card of a draw pile


def test_six_to_choose_from() -> None:
    """Four open orders, two piles."""
    assert tuple(Harbour(small=SMALL, large=LARGE).tried("rope in").legal("reserve")) == SOURCES


@pytest.mark.parametrize(
    ("source", "order", "orders"),
    [
        (0, "aa", ["cc", "bb", "aaa", "bbb"]),
        (1, "bb", ["aa", "cc", "aaa", "bbb"]),
        (2, "aaa", ["aa", "bb", "ccc", "bbb"]),
        (3, "bbb", ["aa", "bb", "aaa", "ccc"]),
        (4, "cc", ["aa", "bb", "aaa", "bbb"]),
        (5, "ccc", ["aa", "bb", "aaa", "bbb"]),
    ],
)
def test_the_order_comes_to_the_seat(source: int, order: str, orders: list[str]) -> None:
    """Beside its bakery; an open one is replaced at the end of the turn, from a pile the top card comes."""
    harbour = Harbour(small=SMALL, large=LARGE).turn(f"rope in, reserve {SOURCES[source]}")
    assert (harbour.reserved(0), harbour.reserved(1)) == ([order, ""], ["", ""])
    assert harbour.orders == orders
    (event,) = harbour.told("rope in")
    assert (event["source"], harbour.names([event["order"]])) == (source, [order])
    assert [len(pile) for pile in harbour.piles] == [2 - (source in (0, 1, 4)), 2 - (source in (2, 3, 5))]


@pytest.mark.parametrize(
    ("small", "large", "legal"),
    [
        (["aa"], [], ["small 1"]),
        (["", "bb"], [], ["small 2"]),
        ([], ["", "bbb"], ["large 2"]),
        (["", "", "cc"], [], ["small pile"]),
        (["", "", "cc"], ["", "", "ccc"], ["small pile", "large pile"]),
        (["aa", "bb"], ["aaa"], ["small 1", "small 2", "large 1"]),
    ],
)
def test_only_what_is_there(small: list[str], large: list[str], legal: list[str]) -> None:
    """21: an empty place has no order, and a pile that is used up cannot be roped from."""
    harbour = Harbour(small=small, large=large).tried("rope in")
    assert harbour.legal("reserve") in ([], legal)
    assert SOURCES[harbour.told("rope in")[0]["source"]] == legal[0]


def test_no_order_left() -> None:
    """With nothing to reserve the action is not available."""
    assert "rope in" not in Harbour().acts()


@pytest.mark.parametrize(("reserved", "may"), [([], True), (["cc"], True), (["cc", "dd"], False)])
def test_two_at_most(reserved: list[str], may: bool) -> None:
    """One may hold two reserved orders."""
    assert ("rope in" in Harbour(small=["aa"], reserved=reserved).acts()) == may


def test_two_of_another_seat_do_not_matter() -> None:
    """The maximum is each player's."""
    assert "rope in" in Harbour(small=["aa"], reserved=[[], ["cc", "dd"]]).acts()


@pytest.mark.parametrize(("reserved", "after"), [(["cc"], ["cc", "aa"]), (["", "cc"], ["aa", "cc"])])
def test_the_lowest_free_place(reserved: list[str], after: list[str]) -> None:
    """Ours: the others stay where they are."""
    assert Harbour(small=["aa"], reserved=reserved).turn("rope in").reserved() == after


def test_roping_in_costs_nothing_and_pays_nothing() -> None:
    """No coins, no card moves."""
    harbour = Harbour("ab. ... ...", small=["ee 4"]).turn("rope in")
    assert (harbour.coins(), harbour.bakery(), harbour.open) == (0, "ab. ... ...", "ace")


def test_only_its_owner_completes_a_reserved_order() -> None:
    """Seat 1 holds ab: seat 0, whose bakery has it, cannot complete it; seat 1 can."""
    harbour = Harbour(["ab. ... ...", "ab. ... ..."], reserved=[[], ["ab 3"]], small=["ff", "dd", "cc"])
    harbour.tried("rope in, reserve small pile, complete")
    assert "complete" not in harbour.legal("act", 1)
    harbour.turn("rope in, reserve small 1, complete")
    assert (harbour.coins(0), harbour.coins(1)) == (0, 3)
    assert harbour.reserved(1) == ["", "ff"]


def test_a_place_is_free_again_after_completing() -> None:
    """Two at a time, more in a game."""
    harbour = Harbour("ab. ... ...", reserved=["ab", "cc"], small=["ff", "dd"])
    harbour.turns("take left, cell 4, complete", "take left, cell 1", "rope in, reserve small 1")
    assert harbour.reserved() == ["ff", "cc"]


def test_an_order_roped_in_may_be_completed_at_once() -> None:
    """The order is checked after the action, also this one."""
    harbour = Harbour("ab. ... ...", small=["cc", "dd", "ab 3"]).turn("rope in, reserve small pile, complete")
    assert (harbour.coins(), harbour.reserved(), harbour.orders[:2]) == (3, ["", ""], ["cc", "dd"])


# Option C: return a bun, choose an ingredient of the discard pile


@pytest.mark.parametrize(
    ("bakery", "discards", "may"),
    [
        ("X.. ... ...", "c", True),
        ("X.. ... ...", "", False),
        ("ab. ... ...", "c", False),
        ("", "c", False),
    ],
)
def test_a_bun_and_a_discard_are_needed(bakery: str, discards: str, may: bool) -> None:
    """With an empty discard pile, or without a bun, the action cannot be performed."""
    assert ("exchange" in Harbour(bakery, discards=discards).acts()) == may


def test_a_bun_of_another_seat_is_not_ones_own() -> None:
    """A bun card from your bakery."""
    assert "exchange" not in Harbour(["a.. ... ...", "X.. ... ..."], discards="c").acts()


@pytest.mark.parametrize(("bun", "stock"), [("X", [6, 5, 5]), ("Y", [5, 6, 5]), ("Z", [5, 5, 6])])
def test_the_bun_goes_back_to_the_supply(bun: str, stock: list[int]) -> None:
    """Not to the discard pile; and one ingredient comes from there."""
    cell = "XYZ".index(bun) + 1
    harbour = Harbour("XYZ ... ...", discards="ccdf").turn(f"exchange, bun {cell}, discarded f, cell {cell}")
    assert (harbour.stock, harbour.discards) == (stock, "ccd")
    assert harbour.bakery() == f"{'XYZ'.replace(bun, 'f')} ... ..."
    assert harbour.course == "return, take, place"
    assert (harbour.told("return")[0]["cell"], harbour.told("take")[0]["way"]) == (cell - 1, "exchange")


def test_which_bun() -> None:
    """Any bun of the bakery, no ingredient."""
    assert Harbour("XaY ... .bZ", discards="c").tried("exchange").cells("bun") == "139"


@pytest.mark.parametrize(("discards", "legal"), [("abcdef", list("abcdef")), ("aaf", ["a", "f"]), ("bcc", ["b", "c"])])
def test_any_ingredient_of_the_discard_pile(discards: str, legal: list[str]) -> None:
    """8: the whole pile is open, not only its top card."""
    assert Harbour("X.. ... ...", discards=discards).tried("exchange").legal("discarded") == legal


@pytest.mark.parametrize(
    ("bakery", "cells"),
    [
        ("Xc. ... ...", "135"),
        ("cXc ... ...", "246"),
        ("ccc cXc ccc", "5"),
        ("c.. .X. ...", "245"),
        ("c.. ... ..X", "249"),
        ("XYc ... ...", "156"),
    ],
)
def test_placed_by_the_rules_of_option_a(bakery: str, cells: str) -> None:
    """Next to a card; 8: or on the cell that the bun has left, even if no card is next to it."""
    harbour = Harbour(bakery, discards="f").tried("exchange, bun 1")
    assert (harbour.cells() or str(harbour.told("place")[0]["cell"] + 1)) == cells


def test_anywhere_if_the_bun_was_the_only_card() -> None:
    """The bakery is empty then."""
    assert Harbour("... .X. ...", discards="f").tried("exchange").cells() == "123456789"


def test_the_ingredient_may_be_stacked() -> None:
    """Following the rules of A: on an ingredient with which it makes a bun; both are discarded."""
    harbour = Harbour("Xa. ... ...", discards="be").turn("exchange, discarded b, cell 2")
    assert harbour.cells() == "1235"
    assert (harbour.bakery(), harbour.stock, harbour.discards) == (".X. ... ...", [5, 6, 6], "abe")


def test_the_bun_given_back_may_be_made_again() -> None:
    """It is in the supply when the ingredient is placed, even if it was the last."""
    harbour = Harbour("Xa. ... ...", discards="b", stock=[0, 6, 6]).turn("exchange, cell 2")
    assert (harbour.bakery(), harbour.stock) == (".X. ... ...", [0, 6, 6])


def test_another_bun_out_of_stock() -> None:
    """6: it does not come back by this exchange."""
    harbour = Harbour("Xc. ... ...", discards="d", stock=[0, 0, 6]).tried("exchange")
    assert harbour.cells() == "135"


def test_the_freed_cell_may_stay_empty() -> None:
    """One may place elsewhere."""
    assert Harbour("Xc. ... ...", discards="f").turn("exchange, cell 5").bakery() == ".c. .f. ..."


def test_the_open_cards_stay() -> None:
    """Nothing is taken from the supply, nothing to refill."""
    harbour = Harbour("X.. ... ...", discards="f").turn("exchange, cell 1")
    assert (harbour.open, harbour.stacks) == ("ace", ("bdbd", "dfdf", "fbfb"))


def test_what_one_discarded_this_turn_may_be_taken() -> None:
    """A bonus before made a bun: its ingredients lie on the discard pile."""
    harbour = Harbour("a.. ... ...", starting=1).turn(
        "starting card, stack left, cell 1, exchange, discarded a, cell 9"
    )
    assert (harbour.bakery(), harbour.discards, harbour.stock) == ("... ... ..a", "b", [6, 6, 6])
