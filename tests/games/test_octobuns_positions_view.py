"""Witness 1: what a seat of Octobuns sees when it is asked, what it does not, and what each decision is about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.games.octobuns.view import OctobunsView
from simkit.view import View
from tests.games.octobuns_position import MINE, Harbour

NO_ORDER = NO_ACTION = 255
IMPOSSIBLE = 40


def seen(harbour: Harbour, look: Any, turn: str = "", time: int = 0) -> Any:
    """What a view has at a decision of the turn, in plain values."""
    harbour.look = lambda view: _plain(look(view))
    harbour.tried(turn)
    return harbour.script.seen[time]


def _plain(value: Any) -> Any:
    """Arrays with one game as plain values."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value[..., 0].tolist() if isinstance(value, np.ndarray) else value


def laid_out(**position: Any) -> Harbour:
    """Three seats with something of everything; seat 2 is asked."""
    return Harbour(
        ["a.. ... ...", "... .X. ...", "... ... .YZ"], players=3, whose=2, open="a.f", stacks=("bcd", "", "e"),
        discards="aabf", small=["aa", "", "bb", "cc"], large=["", "ccc"], reserved=[["dd"], [], ["", "large ddd"]],
        icons=["r", "", "tts"], starting=[1, 0, 1], done=[2, 0, 1], coins=[7, 0, 3], **position,
    )  # fmt: skip


# What lies on the table is seen by all


def test_the_table() -> None:
    """Open cards, the tops known by their backs, how many lie below, the discards, the buns, orders, piles."""
    names = ("open_ingredients", "tops", "stack_sizes", "discards", "bun_stock", "pile_sizes")
    told = seen(laid_out(), lambda view: {name: getattr(view, name) for name in names})
    assert told == {
        "open_ingredients": [1, 0, 6],
        "tops": [2, 0, 5],
        "stack_sizes": [3, 0, 1],
        "discards": [2, 1, 0, 0, 0, 1],
        "bun_stock": [5, 5, 5],
        "pile_sizes": [2, 0],
    }


def test_orders() -> None:
    """By numbers: aa 0, bb 1, cc 2, dd 3, then the large ones ccc 4, ddd 5."""
    told = seen(laid_out(), lambda view: [view.open_orders, view.orders])
    assert told[0] == [0, NO_ORDER, NO_ORDER, 4]
    assert told[1] == [0, NO_ORDER, NO_ORDER, 4, NO_ORDER, 5]


@pytest.mark.parametrize("left", [0, 1, 2])
def test_seats_are_seen_from_where_one_sits(left: int) -> None:
    """0 is the seat that is asked, 1 the next one clockwise; reserved orders of others lie open."""
    names = ("bakery", "reserved", "icons", "starting", "n_done", "coins")
    told = seen(laid_out(), lambda view: {name: getattr(view, name)(left) for name in names})
    seat = (2 + left) % 3
    assert told == {
        "bakery": [[1] + [0] * 8, [0] * 4 + [7] + [0] * 4, [0] * 7 + [8, 9]][seat],
        "reserved": [[3, NO_ORDER], [NO_ORDER, NO_ORDER], [NO_ORDER, 5]][seat],
        "icons": [[1, 0, 0], [0, 0, 0], [0, 2, 1]][seat],
        "starting": [1, 0, 1][seat],
        "n_done": [2, 0, 1][seat],
        "coins": [7, 0, 3][seat],
    }


def test_the_turn_so_far() -> None:
    """The action taken, orders completed."""
    harbour = Harbour("a.. ... ...", small=["ac"], starting=1)
    harbour.look = lambda view: _plain([view.action, view.n_orders])
    harbour.turn("take middle, cell 2, complete")
    told = [told for told, (name, _, _) in zip(harbour.script.seen, harbour.script.asked, strict=True) if name == "act"]
    assert told == [[NO_ACTION, 0], [0, 0], [0, 1]]


@pytest.mark.parametrize(
    ("action", "number"), [("rope in", 3), ("exchange", 4), ("clean up, clean_up 1, clean_to discard", 5)]
)
def test_the_action_by_its_option(action: str, number: int) -> None:
    """As `act` counts them."""
    harbour = Harbour("X.. ... ...", small=["ac"], discards="c", starting=1)
    harbour.look = lambda view: _plain(view.action)
    harbour.tried(action)
    assert harbour.script.asked[-1][0] == "act"
    assert harbour.script.seen[-1] == number


# What is not seen


def test_nothing_else_is_seen() -> None:
    """No look under the tops of stacks and piles, none into the luck to come."""
    own = {name for name in dir(OctobunsView) if not name.startswith("_")} - {*dir(View)}
    on_the_table = {"open_ingredients", "tops", "stack_sizes", "discards", "bun_stock", "open_orders"}
    on_the_table |= {"pile_sizes", "pile_icons"}
    of_seats = {"bakery", "reserved", "orders", "icons", "starting", "n_done", "coins", "action", "n_orders"}
    worked_out = {"lacks", "missing", "steps", "cells_for", "slid", "after"}
    assert own == on_the_table | of_seats | worked_out


def test_what_is_hidden() -> None:
    """Cards under the tops of the stacks, and the piles: what no seat knows may lie in any order."""
    harbour = Harbour(stacks=("bcda", "ef", "a"), small=["aa", "bb", "cc", "dd"], large=["aaa", "bbb", "ccc"])
    before, found = harbour.state, set()
    for trial in range(60):
        harbour.hide(trial)
        after = harbour.state
        assert [stack[0] for stack in after["stacks"]] == [2, 5, 1]
        assert [len(stack) for stack in after["stacks"]] == [4, 2, 1]
        assert sorted(after["stacks"][0][1:] + after["stacks"][1][1:]) == [1, 3, 4, 6]
        assert [sorted(pile) for pile in after["piles"]] == [sorted(pile) for pile in before["piles"]]
        assert {name: after[name] for name in after if name not in ("stacks", "piles")} == {
            name: before[name] for name in before if name not in ("stacks", "piles")
        }
        found.add((harbour.stacks[1][1], harbour.piles[0][0]))
    assert found == {(card, order) for card in "acdf" for order in ("cc", "dd")}


def test_the_back_of_a_piles_top_order() -> None:
    """Completed orders show the icon on their backs: so do those that lie face down on a pile."""
    harbour = Harbour(small=["aa", "bb", "cc 2 tentacle", "dd 2 supply"], large=["aaa", "bbb", "ccc"])
    assert seen(harbour, lambda view: view.pile_icons) == [2, 0]
    empty = Harbour(small=["aa", "bb"], large=["aaa", "bbb", "ccc 3 rope-in"])
    assert seen(empty, lambda view: view.pile_icons) == [0, 1]


def test_the_icon_on_the_back_is_not_hidden() -> None:
    """On top lies any order with the icon that is seen."""
    small = ["aa", "bb", "cc 2 tentacle", "dd 2 supply", "ee 2 tentacle", "ff"]
    harbour, found = Harbour(small=small, large=["aaa", "bbb"]), set()
    for trial in range(60):
        harbour.hide(trial)
        assert {name.split()[0] for name in harbour.piles[0]} == {"cc", "dd", "ee", "ff"}
        found.add(harbour.piles[0][0].split()[0])
    assert found == {"cc", "ee"}


def test_what_is_hidden_after_a_rebuild() -> None:
    """The discards went under what was left: older cards stay above them, and the top is known."""
    harbour = Harbour(stacks=("b", "dfd", "fbf"), discards="aaacccee")
    harbour.turn("take left, cell 5", "acacaece")  # 0, 3, 3 cards: a, c, a to the left, then in turn
    assert harbour.stacks == ("acacc", "dfdae", "fbfe")
    found = set()
    for trial in range(60):
        harbour.hide(trial)
        assert [harbour.stacks[0][0], harbour.stacks[1][:3], harbour.stacks[2][:3]] == ["a", "dfd", "fbf"]
        assert sorted("".join(harbour.stacks)[1:5] + harbour.stacks[1][3:] + harbour.stacks[2][3:]) == list("aacccee")
        found.add(harbour.stacks[2][3])
    assert found == set("ace")


# What a decision is about


def test_what_decisions_are_about() -> None:
    """The card in hand; the cell that the bun left; the order that is completed."""
    harbour = Harbour("... .X. ...", discards="cd", small=["cd"]).turn("exchange, discarded d, cell 9")
    assert harbour.offer("discarded") == {"freed": 4}
    assert harbour.offer("cell") == {"card": 4}
    harbour = Harbour("aac a.. ...", small=["bb", "aa"], large=["", "", "fff"])
    harbour.turn("rope in, reserve large pile, complete, path 1-4")
    assert harbour.offer("path") == {"order": 1}
    harbour = Harbour("ac. ... ...", grid="floating").tried("clean up, clean_up 2")
    assert (harbour.offer("shift"), harbour.offer("clean_to")) == ({"card": 3}, {"card": 3})


# The puzzle


@pytest.mark.parametrize(
    ("bakery", "order", "missing"),
    [
        ("", "ac", 2),
        ("", "Xc", 3),
        ("", "XX", 4),
        ("", "acefb", 5),
        ("a.. ... ...", "ac", 1),
        ("a.. ... ...", "ca", 1),
        ("a.. ... ...", "ef", 2),
        ("a.. ... ...", "Xc", 2),
        ("a.. ... ...", "XX", 3),
        ("a.. ... ...", "acef", 3),
        ("a.. ... ...", "cac", 2),
        ("ac. ... ...", "ac", 0),
        ("a.c ... ...", "ac", 1),
        ("a.. .c. ...", "ac", 1),
        ("a.. .c. ...", "aec", 1),
        ("a.. .c. ...", "XY", 3),
        ("ab. ... ...", "XX", 2),
        ("ae. e.. ...", "ac", 2),
        ("aaa aaa aaa", "aa", 0),
        ("aaa aaa aaa", "aX", 1),
        ("aaa aaa aaa", "XX", 2),
        ("aaa aaa aaa", "ac", IMPOSSIBLE),
        ("aaa a.a aaa", "aca", 1),
        ("aaa a.a aaa", "cc", IMPOSSIBLE),
        ("aaa a.a aaa", "Ya", 2),
        ("XXX XXX XX.", "XX", 0),
        ("XXX XXX XX.", "Xe", 1),
        ("XXX XXX XX.", "eXe", IMPOSSIBLE),
    ],
)
def test_missing(bakery: str, order: str, missing: int) -> None:
    """The fewest cards to put down until an order lies there, none being taken away."""
    harbour = Harbour(bakery, small=[order, "ff"], large=["cc" if order != "cc" else "dd"])
    told = seen(harbour, lambda view: view.missing(view.open_orders[0]))
    assert min(told, IMPOSSIBLE) == missing


def test_missing_of_no_order() -> None:
    """255 where there is none; another bakery may be told."""
    harbour = Harbour("a.. ... ...", small=["ac"])
    told = seen(harbour, lambda view: [view.missing(view.open_orders[1]), view.missing(view.open_orders[0])])
    assert told == [255, 1]
    harbour = Harbour(["a.. ... ...", "... ace ..."], small=["ace"])
    assert seen(harbour, lambda view: view.missing(view.open_orders[0], view.bakery(1))) == 0


@pytest.mark.parametrize(
    ("rules", "missing"),
    [({}, 0), ({"bends": False}, 1), ({"reversal": False}, 2), ({"bends": False, "reversal": False}, 3)],
)
def test_missing_by_the_rules(rules: dict[str, Any], missing: int) -> None:
    """2: for ace: it is there; an a at 3; c and e at 6 and 9; a column or a row where nothing lies."""
    harbour = Harbour("ec. .a. ...", small=["ace"], rules=rules)
    assert seen(harbour, lambda view: view.missing(view.open_orders[0])) == missing


def test_lacks() -> None:
    """What is missing of the open orders, then of one's own, at each moment of a turn: ac, efd; Xc; XY."""
    harbour = Harbour(
        ["a.. ... ...", "ef. ... ..."], small=["ac", "efd"], reserved=[["Xc"], ["XY"]], starting=1, open="ccc"
    )
    harbour.look = lambda view: _plain([view.lacks, view.missing(view.orders[4], view.bakery(1))])
    harbour.turn("take left, cell 2, starting card, stack left, cell 1, end turn")
    told = [told for told, (name, _, _) in zip(harbour.script.seen, harbour.script.asked, strict=True) if name == "act"]
    # a; a c; X c: the second seat, with e and f, lacks all of Xc, and the first one card, then none
    assert [[min(n, IMPOSSIBLE) for n in lacks] for lacks, _ in told] == [
        [1, 3, IMPOSSIBLE, IMPOSSIBLE, 2, IMPOSSIBLE],
        [0, 3, IMPOSSIBLE, IMPOSSIBLE, 1, IMPOSSIBLE],
        [1, 3, IMPOSSIBLE, IMPOSSIBLE, 0, IMPOSSIBLE],
    ]
    assert [other for _, other in told] == [3, 3, 3]
    harbour.tried("take left, cell 3")
    assert [min(n, IMPOSSIBLE) for n in harbour.script.seen[0][0]] == [2, 1, *[IMPOSSIBLE] * 2, 4, IMPOSSIBLE]


@pytest.mark.parametrize(
    ("bakery", "order", "cells"),
    [
        ("a.. ... ...", "ac", {"a": "", "c": "24"}),
        ("a.. ... ...", "Xc", {"a": "", "b": "1", "c": "24", "d": ""}),
        ("", "ac", {"a": "123456789", "c": "123456789", "e": ""}),
        ("a.. .c. ...", "aec", {"e": "24", "a": ""}),
        ("aaa aaa aaa", "aX", {"b": "123456789", "c": ""}),
        ("aaa aaa aaa", "ac", {"c": ""}),
    ],
)
def test_steps(bakery: str, order: str, cells: dict[str, str]) -> None:
    """Cells where an ingredient leaves one card less to be put down."""

    def look(view: Any) -> Any:
        """For each ingredient."""
        cards = [np.full(view.n, "abcdef".index(letter) + 1, np.uint8) for letter in cells]
        return list(view.steps(view.open_orders[0], *cards))

    told = seen(Harbour(bakery, small=[order]), look)
    assert ["".join(str(n + 1) for n in range(9) if found[n]) for found in told] == [*cells.values()]


@pytest.mark.parametrize(
    ("bakery", "card", "cells"), [("a.. ... ...", "b", "124"), ("a.. ... ...", "c", "24"), ("", "c", "123456789")]
)
def test_cells_for(bakery: str, card: str, cells: str) -> None:
    """Where an ingredient may be put down."""
    code = "abcdef".index(card) + 1
    told = seen(Harbour(bakery), lambda view: view.cells_for(np.full(view.n, code, np.uint8))[0])
    assert "".join(str(n + 1) for n in range(9) if told[n]) == cells


def test_thinking_ahead() -> None:
    """The bakery after a card, or a slide; nothing is changed by it."""
    harbour = Harbour("a.. ... ...", grid="floating")
    told = seen(harbour, lambda view: [view.after(2, 0), view.after(3, 1), view.slid(1 + 12), view.bakery()])
    assert told[0] == [7] + [0] * 8
    assert told[1] == [1, 3] + [0] * 7
    right_1 = harbour.table.options["shift"].index("right 1")
    assert seen(Harbour("a.. ... ...", grid="floating"), lambda view: view.slid(right_1)) == [0, 1] + [0] * 7
    assert told[3] == [1] + [0] * 8


def test_the_view_is_of_the_position() -> None:
    """The seat asked is the one whose turn it is."""
    assert seen(Harbour(["a.. ... ...", "c.. ... ..."], whose=1), lambda view: view.bakery())[0] == 3
    harbour = Harbour(["a.. ... ...", "c.. ... ..."], whose=1)
    assert harbour.items([int(harbour.table.state.bakery[1, 0, MINE])]) == "c"
