"""Witness 1: the rows and tallies of Octobuns, counted by hand for a whole short game and for single turns."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from simkit.games.octobuns import GAME
from tests.games.octobuns_position import MINE, Harbour


def counted(harbour: Harbour, tally: str) -> dict[tuple[str, ...], int]:
    """The cells of a tally that are not empty, by the names of their keys."""
    counts = harbour.results.counts[tally][..., MINE]  # deals belong to a group each
    keys = next(declared.keys for declared in GAME.tallies if declared.name == tally)
    names = [key.labels or tuple(map(str, range(size))) for key, size in zip(keys, counts.shape, strict=True)]
    cells = zip(*np.nonzero(counts), strict=True)
    return {tuple(name[k] for name, k in zip(names, cell, strict=True)): int(counts[cell]) for cell in cells}


def items(harbour: Harbour, tally: str) -> dict[tuple[str, ...], int]:
    """The same, the first key being an item."""
    return {(harbour.letters[int(item)], *rest): n for (item, *rest), n in counted(harbour, tally).items()}


@cache
def game() -> Harbour:
    """Four rounds of two seats; two orders end the game."""
    harbour = Harbour(
        ["ae. ... ...", "X.. ... ..c"], open="bce", stacks=("dddddd", "ffff", "bbbb"), icons=["rts", ""],
        starting=[1, 1], small=["Xe 3 supply", "ff 1", "cc 2", "dd 2"], large=["ca 6", "bb", "aaa"], orders_to_end=2,
    )  # fmt: skip
    harbour.turns(
        # b on a: X; cc from the pile; Xe served; d from the supply; c on d: Y
        "take left, cell 1, extra rope in, reserve small pile, complete, "
        "take from supply, stack left, cell 5, extra tentacle, ingredient middle, cell 5",
        # X goes back, e comes; b from the supply
        "exchange, discarded e, cell 1, starting card, stack right, cell 6",
        # Y goes back, cc is dropped; f from the supply
        "clean up, clean_up 5, clean_to discard, clean up, clean_up reserved 1, starting card, stack middle, cell 1",
        "rope in, reserve large 1",
        "take left, cell 2",
        "take right, cell 8",
        # d, d: served
        "take left, cell 3, complete",
        # f on e: Z
        "take middle, cell 1",
    )
    assert harbour.over == "orders"
    return harbour


def test_the_games_columns() -> None:
    """No stack ran out, six buns are enough, seat 0 had its orders first, after eight turns."""
    wanted: dict[str, Any] = {"n_rebuilds": 0, "stock_out": False, "first_done": 0}
    assert {column.name for column in GAME.columns} == {*wanted}
    assert {name: game().result(name) for name in wanted} == wanted
    assert game().result("n_turns") == 8


SEATS: dict[str, list[int]] = {
    "coins": [5, 1],
    "n_small": [2, 0],
    "n_large": [0, 0],
    "from_small": [5, 0],
    "from_large": [0, 0],
    "buns_left": [0, 1],
    "cards_left": [1, 3],  # f; b, e, c
    "icons_left": [1, 0],  # one of two supply icons
    "reserved_left": [0, 1],
    "n_from_reserve": [0, 0],
    "n_dropped": [1, 0],
    "n_buns_made": [2, 1],
    "n_taken": [3, 2],
    "n_rope_ins": [0, 1],
    "n_exchanges": [0, 1],
    "n_clean_ups": [1, 0],
    "n_blind": [1, 0],
    "n_extra_rope_ins": [1, 0],
    "n_extra_tentacles": [1, 0],
    "n_supply_takes": [2, 1],  # starting cards included
    "n_starting_used": [1, 1],
}


@pytest.mark.parametrize("column", SEATS)
def test_the_seats_columns(column: str) -> None:
    """Counted by hand."""
    assert game().result(column) == SEATS[column]


def test_all_columns_are_here() -> None:
    """None is left out."""
    assert {column.name for column in GAME.seat_columns} == {*SEATS} - {"coins"}


def test_acts() -> None:
    """Every act, by round and seat; to end a turn is none."""
    assert counted(game(), "acts") == {
        ("0", "0", "take left"): 1,
        ("0", "0", "extra rope in"): 1,
        ("0", "0", "complete"): 1,
        ("0", "0", "take from supply"): 1,
        ("0", "0", "extra tentacle"): 1,
        ("0", "1", "exchange"): 1,
        ("0", "1", "starting card"): 1,
        ("1", "0", "clean up"): 2,
        ("1", "0", "starting card"): 1,
        ("1", "1", "rope in"): 1,
        ("2", "0", "take left"): 1,
        ("2", "1", "take right"): 1,
        ("3", "0", "take left"): 1,
        ("3", "0", "complete"): 1,
        ("3", "1", "take middle"): 1,
    }


def test_orders() -> None:
    """Xe and dd, both open, by seat 0."""
    order_names = game().rules.order_names
    told = {(order_names[int(order)], *rest): n for (order, *rest), n in counted(game(), "orders").items()}
    assert told == {("Xe", "0", "open"): 1, ("dd", "0", "open"): 1}


def test_flow() -> None:
    """Ten cards came to the seats."""
    assert items(game(), "flow") == {
        ("b", "open", "stacked"): 1,
        ("d", "supply", "placed"): 1,
        ("c", "tentacle", "stacked"): 1,
        ("e", "exchange", "placed"): 1,
        ("b", "supply", "placed"): 1,
        ("f", "supply", "placed"): 1,
        ("d", "open", "placed"): 2,
        ("e", "open", "placed"): 1,
        ("f", "open", "stacked"): 1,
    }


def test_leaving() -> None:
    """Three buns took two cards each; orders took X, e, d, d; X was exchanged, Y discarded."""
    assert items(game(), "leaving") == {
        ("a", "bun"): 1,
        ("b", "bun"): 1,
        ("c", "bun"): 1,
        ("d", "bun"): 1,
        ("e", "bun"): 1,
        ("f", "bun"): 1,
        ("X", "order"): 1,
        ("e", "order"): 1,
        ("d", "order"): 2,
        ("X", "exchanged"): 1,
        ("Y", "discarded"): 1,
    }


def test_waits() -> None:
    """Xe in the first turn; ca after three turns; dd, turned up after the first turn, after five more."""
    assert counted(game(), "waits") == {
        ("small", "completed", "0"): 1,
        ("large", "roped in", "3"): 1,
        ("small", "completed", "5"): 1,
    }


def test_a_reserved_large_order() -> None:
    """What the game above has not: a large order, from a reserved place, by the last seat of three."""
    harbour = Harbour(
        ["", "", "a.. ... ..."], players=3, whose=2, done=[0, 0, 4], coins=[0, 0, 7], reserved=[[], [], ["large ac 5"]]
    )
    harbour.turn("take middle, cell 2, complete")
    names = ("coins", "n_small", "n_large", "from_small", "from_large", "n_from_reserve")
    assert [harbour.result(name) for name in names] == [
        [0, 0, 12],
        [0, 0, 4],
        [0, 0, 1],
        [0, 0, 7],
        [0, 0, 5],
        [0, 0, 1],
    ]
    assert harbour.result("first_done") == 2
    assert counted(harbour, "orders") == {("1", "2", "reserved"): 1}  # number 0 is a small one
    assert counted(harbour, "waits") == {}


@pytest.mark.parametrize(("stock", "out"), [(1, True), (2, False)])
def test_out_of_stock_and_rebuilt(stock: int, out: bool) -> None:
    """The last bun was made in the last turn; the supply was rebuilt once."""
    harbour = Harbour(
        ["", "ac. .c. ..."],
        whose=1,
        done=[0, 4],
        small=["ac"],
        open="bdf",
        stock=[6, stock, 6],
        stacks=("ab", "b", "ab"),
    )
    harbour.turn("take middle, cell 5, complete", "adcc")
    assert (harbour.result("stock_out"), harbour.result("n_rebuilds")) == (out, 1)


def test_late_rounds_and_long_waits() -> None:
    """The last of 24 is for all that come later."""
    harbour = Harbour("a.. ... ...", round=40, small=["ac"]).turn("take middle, cell 2, complete")
    assert counted(harbour, "acts") == {("23", "0", "take middle"): 1, ("23", "0", "complete"): 1}
    assert counted(harbour, "waits") == {("small", "completed", "23"): 1}


def test_what_is_lost() -> None:
    """A bun out of stock: the card that came and the one that lay there; a full bakery: the card never lay there."""
    harbour = Harbour("... .a. ...", open="bbb", stock=[0, 6, 6], bun_out_of_stock="lost").turn("take left, cell 5")
    assert items(harbour, "flow") == {("b", "open", "lost"): 1}
    assert items(harbour, "leaving") == {("a", "lost"): 1, ("b", "lost"): 1}
    harbour = Harbour("aaa aaa aaa", open="cad", full_bakery="discard").turn("take left")
    assert items(harbour, "flow") == {("c", "open", "lost"): 1}
    assert items(harbour, "leaving") == {}


def test_buns_made_by_moving() -> None:
    """A clean-up makes buns, too; nothing came to the seat."""
    harbour = Harbour("ab. ... c.d").turn("clean up, clean_up 1, clean_to 2, clean up, clean_up 9, clean_to 7")
    assert harbour.table.state.n_buns_made[:, MINE].tolist() == [2, 0]
    assert items(harbour, "flow") == {}
    assert items(harbour, "leaving") == {("a", "bun"): 1, ("b", "bun"): 1, ("c", "bun"): 1, ("d", "bun"): 1}
    assert counted(harbour, "acts") == {("0", "0", "clean up"): 2}


def test_used_cards_that_stay_do_not_leave() -> None:
    """used_cards stay."""
    harbour = Harbour("a.. ... ...", small=["ac"], used_cards="stay").turn("take middle, cell 2, complete")
    assert items(harbour, "leaving") == {}


def test_standing() -> None:
    """Coins that each seat would have if the game ended now: of orders, and of buns."""
    harbour = Harbour(["XY. ... a..", "ab. ... ...", "..Z ... ..."], players=3, coins=[4, 2, 0])
    assert GAME.standing is not None
    assert GAME.standing(harbour.table)[:, MINE].tolist() == [6, 2, 1]
