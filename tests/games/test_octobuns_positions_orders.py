"""Witness 1: the rulebook of Octobuns on Completing Orders: the right items, in sequence, next to each other."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.octobuns_position import Harbour, paths

# The required cards, in the correct sequence


@pytest.mark.parametrize(
    ("order", "bakery", "wanted"),
    [
        ("ac", "ac. ... ...", ["1-2"]),
        ("ac", "ca. ... ...", ["1-2"]),
        ("ac", "a.. c.. ...", ["1-4"]),
        ("ac", "... ..c ..a", ["6-9"]),
        ("ac", "ae. ... ...", []),
        ("ac", "a.. ... ...", []),
        ("ac", "aa. ... ...", []),
        ("ace", "ace ... ...", ["1-2-3"]),
        ("ace", "eca ... ...", ["1-2-3"]),
        ("ace", "aec ... ...", []),
        ("ace", "cae ... ...", []),
        ("ace", ".a. .c. .e.", ["2-5-8"]),
        ("ace", ".e. .c. .a.", ["2-5-8"]),
        ("ace", "ac. .e. ...", ["1-2-5"]),
        ("ace", "ec. .a. ...", ["1-2-5"]),
        ("ace", "... .ec ..a", ["5-6-9"]),
        ("ace", "ce. a.. ...", ["1-2-4"]),
        ("acef", "ace ..f ...", ["1-2-3-6"]),
        ("acef", "ac. fe. ...", ["1-2-4-5"]),
        ("acef", "ac. .ef ...", ["1-2-5-6"]),
        ("acef", "ac. ef. ...", []),
        ("acefb", "ace .bf ...", ["1-2-3-5-6"]),
        ("acefb", "a.. c.. efb", ["1-4-7-8-9"]),
        ("acefb", "bfe ..c ..a", ["1-2-3-6-9"]),
    ],
)
def test_in_sequence(order: str, bakery: str, wanted: list[str]) -> None:
    """2: along a path that may bend, read from either end, wherever and however turned."""
    assert paths(bakery, order) == wanted


@pytest.mark.parametrize(
    ("order", "bakery"),
    [
        ("ac", "a.. .c. ..."),
        ("ac", "a.c ... ..."),
        ("ac", "..a c.. ..."),
        ("ace", "ac. ..e ..."),
        ("ace", "ac. e.. ..."),
        ("ace", "ac. ... e.."),
        ("ace", "a.. .c. ..e"),
        ("acef", "ac. ... ef."),
        ("acef", "ac. ..e ..f"),
    ],
)
def test_not_adjacent(order: str, bakery: str) -> None:
    """Corners do not touch, nor do the ends of rows; 3: the pieces must make one path."""
    assert paths(bakery, order) == []


@pytest.mark.parametrize("bakery", ["aXY Zac XYe", "bce ada bcb"])
def test_other_cards_may_surround_it(bakery: str) -> None:
    """2: only the cards needed count, whatever lies around them."""
    wanted = {"aXY Zac XYe": ["5-6-9"], "bce ada bcb": []}[bakery]
    assert paths(bakery, "ace") == wanted


# Repeated items


@pytest.mark.parametrize(
    ("order", "bakery", "wanted"),
    [
        ("aa", "aa. a.. ...", ["1-2", "1-4"]),
        ("aa", "aaa ... ...", ["1-2", "2-3"]),
        ("aa", "a.. .a. ...", []),
        ("aab", "aab ... ...", ["1-2-3"]),
        ("aab", "aba ... ...", []),
        ("aab", "aa. .b. ...", ["1-2-5"]),
        ("aba", "aba ... ...", ["1-2-3"]),
        ("aba", "ab. ... ...", []),
        ("aba", ".a. aba .a.", ["2-4-5", "2-5-6", "2-5-8", "4-5-6", "4-5-8", "5-6-8"]),
        ("bab", ".a. aba .a.", []),
        ("abab", "ab. ba. ...", ["1-2-4-5"]),
        ("abba", "ab. ab. ...", ["1-2-4-5"]),
        ("abba", "ab. ba. ...", []),
        ("aaaa", "aaa ..a ...", ["1-2-3-6"]),
        ("aaaa", ".a. aaa .a.", []),
        (
            "aaa",
            "aaa aaa ...",
            ["1-2-3", "1-2-4", "1-2-5", "1-4-5", "2-3-5", "2-3-6", "2-4-5", "2-5-6", "3-5-6", "4-5-6"],
        ),
    ],
)
def test_repeated_items(order: str, bakery: str, wanted: list[str]) -> None:
    """2: each cell is used once; a palindrome has one way to be read, its two directions being the same cells."""
    assert paths(bakery, order) == wanted


# Buns in orders


@pytest.mark.parametrize(
    ("order", "bakery", "wanted"),
    [
        ("Xc", "Xc. ... ...", ["1-2"]),
        ("Xc", "cX. ... ...", ["1-2"]),
        ("XX", "XX. ... ...", ["1-2"]),
        ("XYZ", "X.. YZ. ...", ["1-4-5"]),
        ("cXc", "cXc ... ...", ["1-2-3"]),
        ("Xc", "Yc. ... ...", []),
        ("ac", "Xc. ... ...", []),
        ("bc", "Xc. ... ...", []),
        ("ab", "X.. ... ...", []),
        ("Xc", "abc ... ...", []),
        ("XX", "X.. .X. ...", []),
        ("Xa", "Xb. ... ...", []),
    ],
)
def test_a_bun_is_a_bun(order: str, bakery: str, wanted: list[str]) -> None:
    """3: it counts as itself, not as its ingredients, and these beside each other are no bun."""
    assert paths(bakery, order) == wanted


# What completing brings


@pytest.mark.parametrize(
    ("items", "coins", "icon", "gained"),
    [("ac", 3, "", ""), ("ac", 0, "rope-in", "r"), ("ac", 7, "tentacle", "t"), ("ac", 20, "supply", "s")],
)
def test_coins_and_the_bonus(items: str, coins: int, icon: str, gained: str) -> None:
    """The number of coins shown, and the bonus if there is one."""
    harbour = Harbour("a.. ... ...", small=[f"{items} {coins} {icon}".strip()], coins=5, done=1)
    harbour.turn("take middle, cell 2, complete")
    assert (harbour.coins(), harbour.icons(), harbour.done()) == (5 + coins, gained, [2, 0])
    assert (harbour.coins(1), harbour.icons(1), harbour.done(1)) == (0, "", [0, 0])


@pytest.mark.parametrize(("kind", "done"), [("small", [1, 0]), ("large", [0, 1])])
def test_small_and_large(kind: str, done: list[int]) -> None:
    """Both count as orders."""
    position: dict[str, Any] = {kind: ["ac"]}
    harbour = Harbour("a.. ... ...", **position).turn("take middle, cell 2, complete")
    assert harbour.done() == done


def test_used_cards_leave() -> None:
    """1: ingredients to the discard pile, buns to the supply; other cards stay."""
    harbour = Harbour("aXe cYf ...", small=["aXY"], open="eee").turn("take left, cell 7, complete")
    assert (harbour.bakery(), harbour.discards, harbour.stock) == ("..e c.f e..", "a", [6, 6, 6])


@pytest.mark.parametrize(("source", "done"), [("small 1", [1, 0]), ("large 1", [0, 1])])
def test_any_open_order_that_fits(source: str, done: list[int]) -> None:
    """Of the four open ones the seat chooses among those that lie in its bakery."""
    harbour = Harbour("a.. ... ...", small=["ac", "ae"], large=["ca", "ea"])
    harbour.turn(f"take middle, cell 2, complete, order {source}")
    assert harbour.legal("order") == ["small 1", "large 1"]
    assert harbour.done() == done


def test_open_and_reserved_orders() -> None:
    """All own reserved orders, too."""
    harbour = Harbour("a.. ... ...", small=["ac", "ff"], reserved=["ee", "large ca"], large=["cc"])
    harbour.turn("take middle, cell 2, complete, order reserved 2")
    assert harbour.legal("order") == ["small 1", "reserved 2"]
    assert (harbour.reserved(), harbour.done(), harbour.orders[0]) == (["ee", ""], [0, 1], "ac")


def test_the_place_of_a_completed_order() -> None:
    """It is empty until the end of the turn."""
    harbour = Harbour("a.. ... ...", small=["ac", "ff", "ee"], states=True).turn("take middle, cell 2, complete")
    (event,) = harbour.told("complete")
    assert (event["place"], harbour.names([event["order"]])) == (0, ["ac"])
    assert harbour.names(event["state"]["open_orders"]) == ["", "ff", "", ""]
    assert harbour.orders == ["ee", "ff", "", ""]


# Several ways: the seat chooses which cards leave


@pytest.mark.parametrize(("path", "after"), [("1-2", "..a a.. ..."), ("1-4", ".aa ... ..."), ("2-3", "a.. a.. ...")])
def test_the_seat_chooses_the_path(path: str, after: str) -> None:
    """20: which of the cards that fit are used."""
    harbour = Harbour("aaa a.. ...", small=["aa"], large=["", "", "fff"])
    harbour.turn(f"rope in, reserve large pile, complete, path {path}")
    assert harbour.legal("path") == ["1-2", "1-4", "2-3"]
    assert harbour.bakery() == after


def test_the_path_is_told() -> None:
    """The set of cells by its number, as the options are counted."""
    harbour = Harbour("aaa ... ...", small=["aa"], large=["", "", "fff"])
    harbour.turn("rope in, reserve large pile, complete, path 2-3")
    assert harbour.table.options["path"][harbour.told("complete")[0]["path"]] == "2-3"


@pytest.mark.parametrize(("longest", "n_paths"), [("ac", 12), ("ace", 12 + 22), ("acef", 12 + 22 + 40 - 12)])
def test_how_many_sets_of_cells_there_are(longest: str, n_paths: int) -> None:
    """Pairs 12, threes 22, fours: 40 paths, of which the four around each of four corners have the same cells."""
    harbour = Harbour(small=[longest], large=["fe"])
    names = harbour.table.options["path"]
    assert len(names) == len({*names}) == n_paths
    assert names[:4] == ("1-2", "1-4", "2-3", "2-5")


# One order a turn, after the action, or none


def test_not_mandatory() -> None:
    """One may keep the cards."""
    harbour = Harbour("a.. ... ...", small=["ac"]).turn("take middle, cell 2, end turn")
    assert harbour.legal("act", 1) == ["complete", "end turn"]
    assert (harbour.coins(), harbour.bakery(), harbour.orders[0]) == (0, "ac. ... ...", "ac")


def test_not_before_the_action() -> None:
    """12: after performing the action."""
    harbour = Harbour("ac. ... ...", small=["ac"], icons="s")
    harbour.turn("take from supply, stack left, cell 4, take left, cell 7, complete")
    assert all("complete" not in harbour.legal("act", time) for time in (0, 1))


def test_one_order_a_turn() -> None:
    """A second one that fits has to wait for the next turn."""
    harbour = Harbour("ac. .ef ...", small=["ac", "ef"], open="bbb", stacks=("ffff",) * 3, starting=1)
    harbour.turn("take left, cell 3, complete, order small 1, starting card, stack left, cell 8")
    assert "complete" not in harbour.legal("act", 2)
    harbour.turns("take left, cell 1", "take middle, cell 2, complete, path 5-6")
    assert harbour.done() == [2, 0]


@pytest.mark.parametrize(
    ("bakery", "action"),
    [
        ("a.. ... ...", "take middle, cell 2"),
        ("ac. ... ...", "rope in, reserve small 2"),
        ("aX. ... ...", "exchange, discarded c, cell 2"),
        ("a.. X.. c..", "clean up, clean_up 7, clean_to 2"),
    ],
)
def test_after_any_of_the_four_actions(bakery: str, action: str) -> None:
    """A, B, C, D alike."""
    harbour = Harbour(bakery, small=["ac", "ff"], discards="cc").turn(f"{action}, complete")
    assert harbour.coins() == 2


def test_a_bun_made_this_turn() -> None:
    """Making it was the action; it may be served at once, and its ingredients lie on the discard pile."""
    harbour = Harbour("ac. ... ...", small=["Xc 4"], open="bbb").turn("take left, cell 1, complete")
    assert (harbour.coins(), harbour.bakery(), harbour.discards) == (4, "... ... ...", "abc")
    assert harbour.stock == [6, 6, 6]


def test_nothing_fits() -> None:
    """Then there is nothing to complete, and the turn is over without a question."""
    harbour = Harbour("a.. ... ...", small=["ae"]).turn("take middle, cell 2")
    assert harbour.asked("act") == 1
