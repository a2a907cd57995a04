"""What a seat at Octobuns may know: everything but what lies under the tops of stacks, and the orders in the piles."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns import bakery as placing
from simkit.games.octobuns import puzzle
from simkit.games.octobuns.rules import NO_ORDER
from simkit.games.octobuns.supply import top_orders
from simkit.view import View, read_only

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


class OctobunsView(View):
    """A decision of Octobuns.

    Items are codes: 0 nothing, then ingredients, then buns, as in `rules.item_names`. Orders are ids, places in
    `rules.orders`, 255 where there is none; `rules.items`, `rules.lengths`, `rules.coins_of`, `rules.icon_of` and
    `rules.kind_of` are tables by id. `left` is how many seats to the left: 0 is the seat that is asked.

    Attributes
    ----------
    card : uint8 (n,)
        cell, shift, clean_to: the card in hand.
    freed : uint8 (n,)
        discarded: the cell that the bun left.
    order : uint8 (n,)
        path: the order that is completed.
    """

    def bakery(self, left: int = 0) -> Bytes:
        """Items on a seat's cells, row by row, uint8 (9, n)."""
        return self.look(self._table.state.bakery[self._seat(left)]) if left else self._own_bakery

    @cached_property
    def _own_bakery(self) -> Bytes:
        """The bakery of the seat that is asked, (9, n)."""
        return self.look(self._table.state.bakery[self.seat])

    @property
    def open_ingredients(self) -> Bytes:
        """The open ingredient cards, uint8 (3, n)."""
        return self.look(self._table.state.open)

    @property
    def tops(self) -> Bytes:
        """The stacks' top cards, known by their backs, 0 where a stack is empty; uint8 (3, n)."""
        return self.look(self._table.state.tops)

    @property
    def stack_sizes(self) -> Bytes:
        """Cards in each stack, uint8 (3, n)."""
        return self.look(self._table.state.size)

    @property
    def discards(self) -> Bytes:
        """Cards of each ingredient in the discard pile, uint8 (ingredients, n)."""
        return self.look(self._table.state.discards)

    @property
    def bun_stock(self) -> Bytes:
        """Cards of each bun in the supply, uint8 (buns or 1, n)."""
        return self.look(self._table.state.bun_stock)

    @property
    def open_orders(self) -> Bytes:
        """Open orders, two small and two large, uint8 (4, n)."""
        return self.look(self._table.state.orders)

    def reserved(self, left: int = 0) -> Bytes:
        """Orders that a seat has reserved, uint8 (places, n)."""
        return self.look(self._table.state.reserved[self._seat(left)])

    @cached_property
    def orders(self) -> Bytes:
        """Orders that the seat may complete: the open ones, then its own; uint8 (4 + places, n)."""
        return read_only(np.concatenate((self.open_orders, self.reserved())))

    @property
    def pile_sizes(self) -> Bytes:
        """Cards in the piles of small and large orders, uint8 (2, n)."""
        return self.look(self._table.state.pile_size)

    @property
    def pile_icons(self) -> Bytes:
        """Icons on the backs of the piles' top orders (0 none or no card, 1 rope-in, 2 tentacle, 3 supply), (2, n)."""
        tops = top_orders(self._table)
        return self.look(self.rules.icon_of.take(tops))

    def icons(self, left: int = 0) -> Bytes:
        """A seat's unused icons: rope-in, tentacle, supply; uint8 (3, n)."""
        return self.look(self._table.state.icons[self._seat(left)])

    def starting(self, left: int = 0) -> Bytes:
        """A seat's unused starting cards, uint8 (n,)."""
        return self.look(self._table.state.starting[self._seat(left)])

    def n_done(self, left: int = 0) -> Bytes:
        """Orders that a seat has completed, uint8 (n,)."""
        done = self.look(self._table.state.n_done[self._seat(left)])
        return read_only(done[0] + done[1])

    def coins(self, left: int = 0) -> npt.NDArray[np.uint16]:
        """Coins of a seat's completed orders, uint16 (n,)."""
        coins = self.look(self._table.state.coins_from[self._seat(left)])
        return read_only(coins[0] + coins[1])

    @property
    def action(self) -> Bytes:
        """The action taken this turn as an option of `act` (0 for all takes), 255 if none; uint8 (n,)."""
        return self.look(self._table.state.action)

    @property
    def n_orders(self) -> Bytes:
        """Orders completed this turn, uint8 (n,)."""
        return self.look(self._table.state.n_orders)

    # ---------------------------------------------------------------------------------------------------- the puzzle

    @cached_property
    def lacks(self) -> Bytes:
        """What `missing` says of each of `orders`, uint8 (4 + places, n)."""
        lacks: Any = self._table.answers["lacks"]
        return read_only(lacks.missing(self.rules, self.seat, self._games, self.bakery(), self.orders))

    def missing(self, ids: Bytes, bakery: Bytes | None = None) -> Bytes:
        """The fewest cards to be put down until an order lies in one's bakery (or another), uint8 (n,).

        None being taken away; `puzzle.BAR` or more: impossible as the bakery is, or no order.
        """
        found = np.full(self.n, 255, np.uint8)
        bakery = self.bakery() if bakery is None else bakery
        some = (ids != NO_ORDER).nonzero()[0]
        if len(some) == self.n:
            return puzzle.missing(self.rules, bakery, ids)
        if len(some):
            found[some] = puzzle.missing(self.rules, bakery.take(some, axis=1), ids.take(some))
        return found

    def steps(self, ids: Bytes, *items: Bytes) -> tuple[Mask, ...]:
        """Cells where each of some ingredients (n,) brings an order a step nearer, legal or not, bool (9, n) each."""
        lacks: Any = self._table.answers["lacks"]
        steps = lacks.steps(self.rules, self.seat, self._games, self.bakery(), ids)
        return tuple((steps & puzzle.bit_of(item)) != 0 for item in items)

    def cells_for(self, *items: Bytes) -> tuple[Mask, ...]:
        """Cells of one's bakery where each of some ingredients (n,) may be put down, bool (9, n) each."""
        free = placing.free_cells(self.rules, self.bakery())
        stock = self.bun_stock
        return tuple(free | placing.stack_cells(self.rules, self.bakery(), item, stock) for item in items)

    def _seat(self, left: int) -> int:
        """The number of a seat to the left."""
        return (self.seat + left) % self.seats

    def slid(self, shift: int) -> Bytes:
        """One's bakery after all cards have slid, an option of `shift` that is legal; uint8 (9, n)."""
        return placing.shifted(self.bakery(), shift)

    def after(self, item: Any, cell: int) -> Bytes:
        """One's bakery with an ingredient put down on a cell, or the bun that it makes there; uint8 (9, n)."""
        bakery = self.bakery().copy()
        made = self.rules.bun_of[item, bakery[cell]]
        bakery[cell] = np.where(bakery[cell] == 0, item, made)
        return bakery
