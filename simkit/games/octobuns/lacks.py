"""What each seat lacks for orders, worked out when somebody asks and kept as long as it holds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns import puzzle
from simkit.games.octobuns.rules import N_CELLS, NO_ORDER, Rules

Games = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]

BITS_A_CELL, ORDER_SHIFT = 4, 36
"""A key is the bakery, four bits a cell, and the order's id and one: never 0."""


class Lacks:
    """The last answers of `puzzle.missing` for each seat and place of an order, and of `puzzle.steps` for each seat.

    A strategy asks the same several times a turn. Answers lie beside the keys that they followed from, and are taken up
    again only where the key is the same: nobody need tell of anything that changes.

    Parameters
    ----------
    seats, places, n
        Seats; open orders and places for reserved ones; games in step.
    """

    def __init__(self, seats: int, places: int, n: int) -> None:
        self.keys = np.zeros((seats, places, n), np.uint64)
        self.values = np.zeros((seats, places, n), np.uint8)
        self.step_keys = np.zeros((seats, n), np.uint64)
        self.step_cells = np.zeros((seats, N_CELLS, n), np.uint8)

    def take(self, games: Games) -> None:
        """Keep only these games."""
        for name in ("keys", "values", "step_keys", "step_cells"):
            setattr(self, name, getattr(self, name).take(games, axis=-1))

    def missing(self, rules: Rules, seat: int, games: Games | None, bakery: Bytes, orders: Bytes) -> Bytes:
        """The fewest cards that a seat lacks for each order, uint8 (places, k); 255 where there is none.

        Parameters
        ----------
        games : intp (k,) or None
            All of the batch if None.
        bakery, orders : uint8 (9, k), uint8 (places, k)
            The seat's, in these games.
        """
        found = np.empty(orders.shape, np.uint8)
        cells = _packed(bakery)
        for place, ids in enumerate(orders):
            keys, values = self.keys[seat, place], self.values[seat, place]
            key = cells | _order_bits(ids)
            is_new = key != (keys if games is None else keys.take(games))
            found[place] = values if games is None else values.take(games)
            found[place] |= np.uint8(0) - (ids == NO_ORDER)
            some = (is_new & (ids != NO_ORDER)).nonzero()[0]
            if len(some):
                found[place][some] = puzzle.missing(rules, bakery.take(some, axis=1), ids.take(some))
                at = some if games is None else games.take(some)
                keys[at], values[at] = key.take(some), found[place].take(some)
        return found

    def steps(self, rules: Rules, seat: int, games: Games | None, bakery: Bytes, ids: Bytes) -> Bytes:
        """The steps of a seat towards an order, uint8 (9, k); `games`, `bakery` and `ids` as in `missing`."""
        keys, cells = self.step_keys[seat], self.step_cells[seat]
        key = _packed(bakery) | _order_bits(ids)
        found = cells.copy() if games is None else cells.take(games, axis=1)
        some = (key != (keys if games is None else keys.take(games))).nonzero()[0]
        if len(some):
            found[:, some] = puzzle.steps(rules, bakery.take(some, axis=1), ids.take(some))
            at = some if games is None else games.take(some)
            keys[at], cells[:, at] = key.take(some), found.take(some, axis=1)
        return found


def _order_bits(ids: Bytes) -> Words:
    """Orders above the bits of a bakery, uint64 (k,)."""
    return (ids + np.uint64(1)) << np.uint64(ORDER_SHIFT)


def _packed(bakery: Bytes) -> Words:
    """The items on a bakery's cells in one number, uint64 (k,)."""
    packed = bakery[0].astype(np.uint64)
    for row in bakery[1:]:
        packed <<= np.uint64(BITS_A_CELL)
        packed |= row
    return packed
