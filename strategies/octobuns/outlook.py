"""What a position is worth to a seat, and would be worth if one cell of its bakery held something else.

An order is worth what it pays, by a fixed share less for each card that is missing; all orders count that the seat may
complete, the best one twice as much as the others. Worths are small integers, in 200ths of a coin.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns import bakery as placing
from simkit.games.octobuns.rules import EMPTY, N_CELLS, N_OPEN, NO_ORDER, Rules
from simkit.games.octobuns.view import OctobunsView

from .prospects import BAR, what_ifs

Bytes = npt.NDArray[np.uint8]
Worth = npt.NDArray[np.int16]
Games = npt.NDArray[np.intp]

COIN = 200
"""Worth of a coin."""

NOTHING = np.int16(-20_000)
"""Less than anything is worth."""

MOST_PAID = 24
"""No order counts for more, so that the worth of all fits into 16 bits [half coins]."""

MIDGAME, LATE, LAST = range(3)
"""Phases: a rival lacks one order; the seat's last turn."""


@dataclass(frozen=True)
class Prices:
    """What positions are valued by: the parameters of `planner`, which see."""

    patience: int
    open_patience: int
    hurry: int
    icon: int
    order: int
    card: int
    bun: int
    shown: int
    hidden: int

    @cached_property
    def shares(self) -> tuple[Worth, Worth]:
        """What is left of an order's worth by phase and distance, of open and of reserved ones, int16 (3 * 256,)."""
        last = np.zeros(256, np.int16)
        last[0] = 100
        open_, own = (
            np.concatenate((decay(each), decay(self.hurry), last)) for each in (self.open_patience, self.patience)
        )
        return open_, own

    def pays(self, rules: Rules) -> Worth:
        """What each order pays, by id [half coins], int16 (256,)."""
        coins = rules.coins_of * np.int16(2) + (rules.icon_of > 0) * np.int16(self.icon) + np.int16(self.order)
        return coins.clip(0, MOST_PAID)

    def lying(self, rules: Rules) -> Worth:
        """What an item is worth that lies in the bakery, whatever the orders, by item code, int16 (items,)."""
        worth = np.full(len(rules.item_names), self.card, np.int16)
        worth[EMPTY], worth[rules.n_ingredients + 1 :] = 0, self.bun
        return worth

    def far(self, view: OctobunsView) -> Bytes:
        """What an item costs that is still to be put down [quarters of a card], uint8 (items, n)."""
        rules = view.rules
        far = np.zeros((len(rules.item_names), view.n), np.uint8)
        at_hand = np.concatenate((view.open_ingredients, view.tops))
        for item in range(1, rules.n_ingredients + 1):
            is_shown = np.logical_or.reduce(at_hand == item, axis=0)
            far[item] = np.where(is_shown, np.uint8(self.shown), np.uint8(self.hidden))
        one, other, _ = rules.recipes
        for bun in range(rules.n_ingredients + 1, len(far)):
            far[bun] = far[one[bun]] + far[other[bun]]
        return far


def decay(patience: int) -> Worth:
    """What is left of 100 for each distance [quarters of a card], by so many percent a card; int16 (256,).

    >>> decay(50)[[0, 2, 4, 8, 51]].tolist()
    [100, 75, 50, 25, 0]
    """
    whole = [100]
    for _ in range(int(BAR) // 4 + 1):
        whole.append(whole[-1] * patience // 100)
    table = np.zeros(256, np.int16)
    for distance in range(int(BAR)):
        cards, quarters = divmod(distance, 4)
        table[distance] = ((4 - quarters) * whole[cards] + quarters * whole[cards + 1]) // 4
    return table


def phase(view: OctobunsView) -> npt.NDArray[np.uint16]:
    """How near the end is, by the orders that rivals have completed, uint16 (n,)."""
    most = np.maximum.reduce([view.n_done(left) for left in range(1, view.seats)])
    end = view.rules.orders_to_end
    return (most + 1 >= end).astype(np.uint16) + (most >= end)


def standing(view: OctobunsView, left: int = 0) -> npt.NDArray[np.int16]:
    """Coins that a seat would have if the game ended now, int16 (n,)."""
    buns = np.add.reduce(view.bakery(left) > view.rules.n_ingredients, axis=0, dtype=np.int16)
    return view.coins(left).astype(np.int16) + buns * np.int16(view.rules.coins_per_bun)


@dataclass(frozen=True)
class Outlook:
    """What a position is worth.

    Attributes
    ----------
    now : int16 (n,)
    if_held : int16 (items, 9, n)
        If a cell held an item.
    best : int16 (items, n)
        With each item put down on its best cell.
    orders : int16 (4 + places, n)
        What each order is worth now.
    """

    now: Worth
    if_held: Worth
    best: Worth
    orders: Worth


def outlook(view: OctobunsView, prices: Prices, bakery: Bytes | None = None, barred: Games | None = None) -> Outlook:
    """What one's position is worth, or would be with another bakery.

    Parameters
    ----------
    barred : intp (n,)
        A cell that no card may be put on.
    """
    bakery = view.bakery() if bakery is None else bakery
    if_held, orders = _orders(view, prices, bakery)
    highest = np.maximum.reduce(orders, axis=0)
    now = np.add.reduce(orders, axis=0, dtype=np.int16) + highest
    now >>= 1
    lying = prices.lying(view.rules)
    if_held += lying[:, None, None]
    if_held -= lying.take(bakery)
    last = (phase(view) == LAST).nonzero()[0]
    if len(last):
        bun_only = np.where(np.arange(len(lying)) > view.rules.n_ingredients, COIN * view.rules.coins_per_bun, 0)
        change = (bun_only - lying).astype(np.int16)
        if_held[:, :, last] += change[:, None, None] - change.take(bakery.take(last, axis=1))
    return Outlook(now, if_held, best_cells(view, bakery, if_held, barred), orders)


def _orders(view: OctobunsView, prices: Prices, bakery: Bytes) -> tuple[Worth, Worth]:
    """What all orders are worth together if a cell held an item (items, 9, n), and each of them now."""
    rules, orders, far = view.rules, view.orders, prices.far(view)
    total, highest = np.zeros((2, len(far), *bakery.shape), np.int16)
    now = np.zeros(orders.shape, np.int16)
    late, pays = phase(view) * np.uint16(256), prices.pays(rules)
    for kind, cards in enumerate((rules.small_orders, rules.large_orders)):
        lengths = [len(order.items) for order in cards]
        places, games = ((orders != NO_ORDER) & (rules.kind_of.take(orders) == kind)).nonzero()
        ids = orders[places, games]
        distances = what_ifs(
            rules, bakery.take(games, axis=1), ids, far.take(games, axis=1), (min(lengths), max(lengths))
        )
        here = distances[bakery[0, games], 0, np.arange(len(games))]
        edges = np.searchsorted(places, np.arange(len(orders) + 1)).tolist()
        for place in range(len(orders)):
            part = slice(edges[place], edges[place + 1])
            some, shares = games[part], prices.shares[place >= N_OPEN]
            if not len(some):
                continue
            at, coins = late.take(some), pays.take(ids[part])
            now[place, some] = shares.take(here[part] + at) * coins
            worth = shares.take(distances[:, :, part] + at if at.any() else distances[:, :, part])
            worth *= coins
            if len(some) == view.n:
                total += worth
                np.maximum(highest, worth, out=highest)
            else:
                total[:, :, some] += worth
                highest[:, :, some] = np.maximum(highest.take(some, axis=2), worth)
    total += highest
    total >>= 1
    return total, now


def best_cells(view: OctobunsView, bakery: Bytes, if_held: Worth, barred: Games | None = None) -> Worth:
    """What the position is worth with each item put down on its best cell, `NOTHING` without one; int16 (items, n)."""
    rules = view.rules
    free = placing.free_cells(rules, bakery)
    if barred is not None:
        free[barred, np.arange(view.n)] = False
    best = np.full((len(rules.item_names), view.n), NOTHING)
    for item in range(1, len(best)):
        np.maximum.reduce(np.where(free, if_held[item], NOTHING), axis=0, out=best[item])
    one, other, _ = rules.recipes
    for bun in range(rules.n_ingredients + 1, len(best)):
        in_stock = view.bun_stock[bun - rules.n_ingredients - 1] > 0
        for upper, lower in {(int(one[bun]), int(other[bun])), (int(other[bun]), int(one[bun]))}:
            stacked = np.where((bakery == lower) & in_stock, if_held[bun], NOTHING)
            np.maximum(best[upper], np.maximum.reduce(stacked, axis=0), out=best[upper])
    return best


def after_sliding(view: OctobunsView, prices: Prices, best: Worth) -> Worth:
    """The same for a bakery that floats: with each item put down on its best cell after the best slide."""
    bakery = view.bakery()
    options, games = placing.legal_shifts(bakery).nonzero()
    slid = np.empty((N_CELLS, len(games)), np.uint8)
    for option in range(len(placing.SHIFTS)):
        part = (options == option).nonzero()[0]
        slid[:, part] = placing.shifted(bakery.take(games.take(part), axis=1), option)
    found = outlook(cast(OctobunsView, view.only(games)), prices, slid).best
    best = best.copy()
    for option in range(1, len(placing.SHIFTS)):
        part = (options == option).nonzero()[0]
        some = games.take(part)
        best[:, some] = np.maximum(best.take(some, axis=1), found.take(part, axis=1))
    return best
