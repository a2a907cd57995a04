"""Witness 1: the rulebook of Octobuns on Option A, Take 1 Ingredient, and on Making Buns."""

from __future__ import annotations

import pytest

from tests.games.octobuns_position import BUNS, INGREDIENTS, Harbour

PLACES = ("left", "middle", "right")
NEIGHBOURS = {1: "24", 2: "135", 3: "26", 4: "157", 5: "2468", 6: "359", 7: "48", 8: "579", 9: "68"}
ALL = "123456789"


def bakery_with(**cards: str) -> str:
    """A bakery with cards on cells: c5="a"."""
    return "".join(cards.get(f"c{cell}", ".") for cell in range(1, 10))


# Choose 1 of the 3 face-up ingredient cards and place it


@pytest.mark.parametrize(("place", "item", "left"), [(0, "a", ".ce"), (1, "c", "a.e"), (2, "e", "ac.")])
def test_one_of_three_open_cards(place: int, item: str, left: str) -> None:
    """The card chosen comes to the bakery, the others stay, its place is empty until the end of the turn."""
    harbour = Harbour(states=True).turn(f"take {PLACES[place]}, cell 5")
    assert harbour.bakery() == f"... .{item}. ..."
    assert harbour.told("take")[0]["way"] == "open"
    assert (harbour.told("take")[0]["place"], harbour.items([harbour.told("take")[0]["item"]])) == (place, item)
    assert harbour.items(harbour.told("place")[0]["state"]["open"]) == left


@pytest.mark.parametrize("seat", [0, 1])
def test_ones_own_bakery(seat: int) -> None:
    """The card is placed in the bakery of the seat whose turn it is."""
    harbour = Harbour(["d.. ... ...", "d.. ... ..."], whose=seat).turn("take left, cell 2")
    assert (harbour.bakery(seat), harbour.bakery(1 - seat)) == ("da. ... ...", "d.. ... ...")


@pytest.mark.parametrize("place", range(3))
def test_an_empty_place_cannot_be_taken(place: int) -> None:
    """Where no open card lies there is nothing to take."""
    acts = Harbour(open="ace".replace("ace"[place], "."), stacks=("", "", "")).acts()
    assert f"take {PLACES[place]}" not in acts
    assert len(acts) == 2


# Placement rules: an empty bakery, adjacency


def test_anywhere_in_an_empty_bakery() -> None:
    """All nine cells of the grid."""
    harbour = Harbour().turn("take left, cell 9")
    assert (harbour.cells(), harbour.bakery()) == (ALL, "... ... ..a")


@pytest.mark.parametrize("cell", range(1, 10))
def test_next_to_a_card(cell: int) -> None:
    """Left, right, above, below; neither diagonally nor round the edge."""
    harbour = Harbour(bakery_with(**{f"c{cell}": "a"}), open="ccc").tried("take left")
    assert harbour.cells() == NEIGHBOURS[cell]


@pytest.mark.parametrize(
    ("bakery", "cells"),
    [
        ("a.. ... ..a", "2468"),
        ("a.a ... a.a", "2468"),
        ("aa. ... ...", "345"),
        ("... aaa ...", "123789"),
        ("aaa ... ...", "456"),
        ("a.a .a. a.a", "2468"),
        ("aaa a.a aaa", "5"),
        ("aaa aaa aa.", "9"),
        ("aaa aaa ..a", "78"),
        (".a. ... .a.", "13579"),
        ("a.. a.. a..", "258"),
    ],
)
def test_next_to_any_card(bakery: str, cells: str) -> None:
    """One neighbour is enough, it need not touch the others; a taken cell is no cell to place on."""
    assert Harbour(bakery, open="ccc").tried("take left").cells() == cells


def test_a_bun_is_a_card_to_place_next_to() -> None:
    """Adjacent to an existing card, of whatever kind."""
    assert Harbour("X.. ... ...").tried("take left").cells() == "24"


def test_isolated_cards_count() -> None:
    """5: a card that was left alone is an existing card as well."""
    assert Harbour("aa. ... ..a", open="ccc").tried("take left").cells() == "34568"


def test_others_bakeries_do_not_matter() -> None:
    """One's own bakery is empty: anywhere."""
    assert Harbour(["", "aaa aaa aaa"]).tried("take left").cells() == ALL


@pytest.mark.parametrize("cell", "2468")
def test_cards_are_not_rearranged(cell: str) -> None:
    """What lies stays where it is; one cell changes."""
    harbour = Harbour("a.f .d. f.a", open="ccc").turn(f"take left, cell {cell}")
    before, after = "a.f.d.f.a", harbour.bakery().replace(" ", "")
    assert [n for n in range(9) if before[n] != after[n]] == [int(cell) - 1]


def test_an_empty_bakery_again() -> None:
    """19: after an order that took all cards the next one goes anywhere."""
    harbour = Harbour(["a.. ... ...", ""], small=["ac"]).turns("take middle, cell 2, complete", "take left, cell 1")
    harbour.turn("take left, cell 7")
    assert (harbour.cells(), harbour.bakery()) == (ALL, "... ... b..")


# A full bakery


def test_a_full_bakery_takes_nothing() -> None:
    """7: no cell is free and nothing can be stacked: no open card may be taken."""
    assert Harbour("aaa aaa aaa", open="cad").acts() == ["clean up"]


@pytest.mark.parametrize("place", range(3))
def test_a_full_bakery_may_stack(place: int) -> None:
    """7: only the card that makes a bun may be taken."""
    open_cards = "cee"[-place:] + "cee"[: 3 - place] if place else "cee"
    harbour = Harbour("aaa ada aaa", open=open_cards)
    harbour.turn(f"take {PLACES[place]}")
    assert harbour.legal() == [f"take {PLACES[place]}", "clean up"]
    assert harbour.bakery() == "aaa aYa aaa"


# Making Buns


@pytest.mark.parametrize("below", INGREDIENTS)
@pytest.mark.parametrize("above", INGREDIENTS)
def test_two_ingredients_that_make_a_bun(below: str, above: str) -> None:
    """Only a and b, c and d, e and f; either may lie below."""
    harbour = Harbour(f"... .{below}. ...", open=above * 3).tried("take left")
    is_bun = "".join(sorted(below + above)) in BUNS.values()
    assert harbour.cells() == ("24568" if is_bun else "2468")


@pytest.mark.parametrize("below", "XYZ")
@pytest.mark.parametrize("above", INGREDIENTS)
def test_nothing_on_a_bun(below: str, above: str) -> None:
    """6: on top of another ingredient card only."""
    assert Harbour(f"... .{below}. ...", open=above * 3).tried("take left").cells() == "2468"


@pytest.mark.parametrize(
    ("below", "above", "bun", "stock"),
    [
        ("a", "b", "X", [5, 6, 6]),
        ("b", "a", "X", [5, 6, 6]),
        ("c", "d", "Y", [6, 5, 6]),
        ("d", "c", "Y", [6, 5, 6]),
        ("e", "f", "Z", [6, 6, 5]),
        ("f", "e", "Z", [6, 6, 5]),
    ],
)
def test_the_bun_takes_their_place(below: str, above: str, bun: str, stock: list[int]) -> None:
    """Its card comes from the supply to the cell of the two, which are discarded."""
    harbour = Harbour(f"... .{below}. ...", open=above * 3).turn("take left, cell 5")
    assert (harbour.bakery(), harbour.stock) == (f"... .{bun}. ...", stock)
    assert harbour.discards == "".join(sorted(below + above))
    (place,) = harbour.told("place")
    assert (place["cell"], harbour.items([place["made"]])) == (4, bun)


def test_placing_beside_makes_nothing() -> None:
    """Two ingredients next to each other are no bun; the discard pile stays empty."""
    harbour = Harbour("... .a. ...", open="bbb").turn("take left, cell 6")
    assert (harbour.bakery(), harbour.stock, harbour.discards) == ("... .ab ...", [6, 6, 6], "")
    assert harbour.told("place")[0]["made"] == 0


def test_stacking_needs_no_neighbour() -> None:
    """5: on top of a card, whether another lies next to it or not."""
    assert Harbour("a.. ... ..a", open="bbb").tried("take left").cells() == "124689"


def test_stacking_everywhere() -> None:
    """Each card that it fits; not on the others."""
    assert Harbour("aba aXa aba", open="bbb").tried("take left").cells() == "134679"


@pytest.mark.parametrize("stock", [1, 2, 6])
def test_while_stocks_last(stock: int) -> None:
    """The last bun card may still be taken."""
    harbour = Harbour("... .a. ...", open="bbb", stock=[stock, 6, 6]).turn("take left, cell 5")
    assert harbour.stock == [stock - 1, 6, 6]


def test_a_bun_out_of_stock() -> None:
    """6: no valid bun can be formed, so no stacking; the other buns are not concerned."""
    harbour = Harbour("... ac. ...", open="bdb", stock=[0, 6, 6])
    assert harbour.tried("take left").cells() == "12678"
    harbour = Harbour("... ac. ...", open="bdb", stock=[0, 6, 6])
    assert harbour.tried("take middle").cells() == "125678"


def test_a_full_bakery_and_a_bun_out_of_stock() -> None:
    """6, 7: what could only be stacked may not be taken."""
    assert Harbour("aaa aaa aaa", open="bbb", stock=[0, 6, 6]).acts() == ["clean up"]


def test_buns_of_others_lack_in_the_supply() -> None:
    """Six of each for all: three here, three there, none is left."""
    harbour = Harbour(["a.X X.X ...", "XXX ... ..."], open="bbb")
    assert harbour.stock == [0, 6, 6]
    assert "1" not in harbour.tried("take left").cells()
