"""Completing Orders: the cards of an order leave the bakery for its coins and its icon."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.legal import Sight
from simkit.games.octobuns.play_actions import discard, leave_open, return_bun
from simkit.games.octobuns.puzzle import fitting_sets, outside
from simkit.games.octobuns.rules import EMPTY, N_OPEN, NO_ORDER
from simkit.games.octobuns.state import WITH_ORDER
from simkit.state import add
from simkit.table import Table

Games = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]

ONE = np.uint8(1)


def complete(table: Table, seat: int, games: Games) -> None:
    """An order, open or reserved, that lies in the bakery is completed."""
    state, rules, n = table.state, table.rules, np.intp(table.n)
    place = table.ask("order", seat, games=games, legal=Sight(table, seat, games).fitting())
    order = order_at(table, seat, games, place)
    legal = fitting_sets(rules, state.bakery[seat].take(games, axis=1), order)
    cells = table.ask("path", seat, games=games, legal=legal, order=order)

    how = (place >= N_OPEN).view(np.uint8)
    was_open, was_reserved = (how == 0).nonzero()[0], how.nonzero()[0]
    leave_open(table, games.take(was_open), place.take(was_open), how=0)
    state.reserved[seat].reshape(-1)[(place - N_OPEN).take(was_reserved) * n + games.take(was_reserved)] = NO_ORDER
    add(state.n_from_reserve[seat], games, how)
    table.tally("orders", games, order=order, seat=seat, how=how)
    if rules.used_cards == "leave":
        use_up(table, seat, games, order, cells)

    kind = rules.kind_of.take(order)
    add(state.n_done[seat], kind * n + games, ONE)
    add(state.coins_from[seat], kind * n + games, rules.coins_of.take(order))
    add(state.n_orders, games, ONE)
    gain_icon(table, seat, games, rules.icon_of.take(order))
    is_first = (state.n_done[seat].take(games, axis=1).sum(axis=0) >= rules.orders_to_end) & (
        state.first_done.take(games) == table.seats
    )
    state.first_done[games.compress(is_first)] = seat
    table.note("complete", seat, games, place=place, order=order, path=cells)


def order_at(table: Table, seat: int, games: Games, place: Bytes) -> Bytes:
    """The orders at places of the decision `order`: open ones, then the seat's own; uint8 (k,)."""
    state = table.state
    order = state.orders[0].take(games)
    for number, row in enumerate((*state.orders[1:], *state.reserved[seat]), 1):
        here = (place == number).nonzero()[0]
        order[here] = row.take(games.take(here))
    return order


def use_up(table: Table, seat: int, games: Games, order: Bytes, cells: Bytes) -> None:
    """The order's ingredients go to the discard pile, its buns to the supply."""
    rules = table.rules
    stays = outside(rules.longest).take(cells, axis=1)
    bakery = table.state.bakery[seat]
    bakery[:, games] = bakery.take(games, axis=1) * stays
    for codes in rules.items:
        item = codes.take(order)
        some = (item != EMPTY).nonzero()[0]
        item, where = item.take(some), games.take(some)
        is_bun = item > rules.n_ingredients
        return_bun(table, item.compress(is_bun), where.compress(is_bun))
        discard(table, item.compress(~is_bun), where.compress(~is_bun))
        table.tally("leaving", where, item=item - ONE, how=WITH_ORDER)


def gain_icon(table: Table, seat: int, games: Games, icon: Bytes) -> None:
    """The order lies with its icon up: a bonus action to come."""
    some = icon.nonzero()[0]
    at = (icon.take(some) - ONE) * np.intp(table.n) + games.take(some)
    add(table.state.icons[seat], at, ONE)
    add(table.state.fresh, at, ONE)
