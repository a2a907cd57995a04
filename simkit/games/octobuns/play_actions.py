"""Options A to C of a turn: take an ingredient, rope in an order, exchange a bun; and putting a card down."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.bakery import SHIFTS, cells_for, legal_shifts, shifted, shifted_cell
from simkit.games.octobuns.legal import reservable
from simkit.games.octobuns.rules import EMPTY, N_CELLS, N_OPEN, N_STACKS, NO_ORDER
from simkit.games.octobuns.state import BY_EXCHANGE, EXCHANGED, GONE, LOST, NOWHERE, STACKED, TO_BUN, TURNS_TOLD, WAYS
from simkit.games.octobuns.supply import draw_order, draw_top, open_next, rebuild_empty
from simkit.state import add
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

ONE = np.uint8(1)

# ---------------------------------------------------------------------------------------- Option A: Take 1 Ingredient


def take_open(table: Table, seat: int, games: Games, places: Bytes, way: int) -> None:
    """An open ingredient comes to hand and is placed."""
    state = table.state
    at = places * np.intp(table.n) + games
    card = state.open.reshape(-1).take(at)
    state.open.reshape(-1)[at] = EMPTY
    state.hand[0][games] = card
    table.note("take", seat, games, way=WAYS[way], place=places, item=card)
    if table.rules.refill == "at-once":
        for stack in range(N_STACKS):
            open_next(table, stack, games.compress(places == stack), table.rules.rebuild_when == "at-once")
    place(table, seat, games, way)


def take_top(table: Table, seat: int, games: Games, stacks: Bytes, way: int) -> None:
    """The top card of a supply stack comes to hand and is placed."""
    card = draw_top(table, stacks, games)
    table.state.hand[0][games] = card
    table.note("take", seat, games, way=WAYS[way], place=stacks, item=card)
    rebuild_empty(table, stacks, games)
    place(table, seat, games, way)


def place(table: Table, seat: int, games: Games, way: int) -> None:
    """Placement rules: next to a card, or on one to make a bun; where there is no place the card is discarded."""
    state, rules = table.state, table.rules
    if rules.grid == "floating":
        slide(table, seat, games)
    card = state.hand[0].take(games)
    bakery, stock = state.bakery[seat].take(games, axis=1), state.bun_stock.take(games, axis=1)
    legal = cells_for(rules, bakery, card, stock)
    if way == BY_EXCHANGE and rules.freed_cell:
        legal |= np.arange(N_CELLS, dtype=np.uint8)[:, None] == state.lifted[0].take(games)
    if rules.full_bakery == "discard":
        has_place = any_of(legal)
        lose(table, seat, games.compress(~has_place), way)
        games, card, legal = games.compress(has_place), card.compress(has_place), legal.compress(has_place, axis=1)
    if len(games):
        cell = table.ask("cell", seat, games=games, legal=legal, card=card)
        fate = put_down(table, seat, games, cell)
        table.tally("flow", games, item=card - ONE, way=way, fate=fate)


def lose(table: Table, seat: int, games: Games, way: int) -> None:
    """A card that can be placed nowhere goes to the discard pile."""
    if not len(games):
        return
    state = table.state
    card = state.hand[0].take(games)
    state.hand[0][games] = EMPTY
    discard(table, card, games)
    table.tally("flow", games, item=card - ONE, way=way, fate=GONE)
    table.note("lose", seat, games, item=card)


def put_down(table: Table, seat: int, games: Games, cell: Bytes) -> Bytes:
    """The card in hand goes to a cell, or makes a bun there.

    Returns
    -------
    uint8 (k,)
        Its fate: stacked without a bun, it is lost.
    """
    state, rules = table.state, table.rules
    card, at = state.hand[0].take(games), cell * np.intp(table.n) + games
    cells = state.bakery[seat].reshape(-1)
    under = cells.take(at)
    state.hand[0][games], cells[at] = state.hand[1].take(games), card
    state.hand[1][games] = EMPTY
    made = np.zeros(len(games), np.uint8)
    fate = (under != EMPTY).view(np.uint8)
    on = fate.nonzero()[0]
    if len(on):
        made[on] = rules.bun_of[card.take(on), under.take(on)]
        fate[on] = make_buns(table, seat, games.take(on), at.take(on), (card.take(on), under.take(on)), made, on)
    table.note("place", seat, games, cell=cell, made=made)
    return fate


def make_buns(
    table: Table, seat: int, games: Games, at: Games, stacked: tuple[Bytes, Bytes], made: Bytes, on: Games
) -> Bytes:
    """Making Buns: both ingredients are discarded for a bun from the supply, while stocks last; their fates, (k,)."""
    state, rules = table.state, table.rules
    bun = made.take(on)
    stock_at = (bun - np.uint8(rules.n_ingredients + 1)) * np.intp(table.n) + games
    has_bun = state.bun_stock.reshape(-1).take(stock_at) > 0
    add(state.bun_stock, stock_at, has_bun.view(np.uint8), np.subtract)
    bun *= has_bun
    made[on] = bun
    state.bakery[seat].reshape(-1)[at] = bun
    add(state.n_buns_made[seat], games, has_bun)
    for card in stacked:
        discard(table, card, games)
        table.tally("leaving", games, item=card - ONE, how=np.where(has_bun, np.uint8(TO_BUN), np.uint8(LOST)))
    return np.where(has_bun, np.uint8(STACKED), np.uint8(GONE))


def discard(table: Table, card: Bytes, games: Games) -> None:
    """Ingredients go to the discard pile."""
    add(table.state.discards, (card - ONE) * np.intp(table.n) + games, ONE)


def slide(table: Table, seat: int, games: Games) -> None:
    """A floating bakery: all its cards may slide before one is put down; cells that cards came from slide with them."""
    state = table.state
    games = games.compress(any_of(state.bakery[seat].take(games, axis=1) != EMPTY))
    if not len(games):
        return
    bakery = state.bakery[seat].take(games, axis=1)
    shift = table.ask("shift", seat, games=games, legal=legal_shifts(bakery), card=state.hand[0].take(games))
    for option in range(1, len(SHIFTS)):
        which = (shift == option).nonzero()[0]
        if len(which):
            some = games.take(which)
            state.bakery[seat][:, some] = shifted(bakery.take(which, axis=1), option)
            state.lifted[:, some] = shifted_cell(state.lifted.take(some, axis=1), option)
    moved = shift > 0
    if moved.any():
        table.note("shift", seat, games.compress(moved), shift=shift.compress(moved))


# ------------------------------------------------------------------------------------------ Option B: Rope in (Reserve)


def rope_in(table: Table, seat: int, games: Games) -> None:
    """An open order, or the top one of a pile, is reserved: it lies left of the bakery."""
    state = table.state
    source = table.ask("reserve", seat, games=games, legal=reservable(table, games))
    order = np.zeros(len(games), np.uint8)
    is_open = source < N_OPEN
    from_open = is_open.nonzero()[0]
    order[from_open] = leave_open(table, games.take(from_open), source.take(from_open), how=1)
    for kind in range(2):
        blind = (source == N_OPEN + kind).nonzero()[0]
        if len(blind):
            order[blind] = draw_order(table, kind, games.take(blind))
    left = np.ones(len(games), bool)
    for row in state.reserved[seat]:
        here = (left & (row.take(games) == NO_ORDER)).nonzero()[0]
        row[games.take(here)] = order.take(here)
        left[here] = False
    add(state.n_blind[seat], games, ~is_open)
    table.note("rope in", seat, games, source=source, order=order)


def leave_open(table: Table, games: Games, places: Bytes, how: int) -> Bytes:
    """Open orders leave their places, completed (0) or roped in (1); uint8 (k,)."""
    state = table.state
    at = places * np.intp(table.n) + games
    orders = state.orders.reshape(-1).take(at)
    state.orders.reshape(-1)[at] = NO_ORDER
    turns = np.minimum(table.turn - state.since.reshape(-1).take(at).astype(np.int32), TURNS_TOLD - 1)
    table.tally("waits", games, kind=table.rules.kind_of.take(orders), how=how, turns=np.maximum(turns, 0))
    return orders


# ------------------------------------------------------------------------------------------ Option C: Exchange a Bun


def exchange(table: Table, seat: int, games: Games) -> None:
    """A bun goes back to the supply; any ingredient of the discard pile is placed for it."""
    state, rules = table.state, table.rules
    legal = state.bakery[seat].take(games, axis=1) > rules.n_ingredients
    cell = table.ask("bun", seat, games=games, legal=legal)
    at = cell * np.intp(table.n) + games
    bun = state.bakery[seat].reshape(-1).take(at)
    state.bakery[seat].reshape(-1)[at] = EMPTY
    return_bun(table, bun, games)
    table.tally("leaving", games, item=bun - ONE, how=EXCHANGED)
    table.note("return", seat, games, cell=cell, bun=bun)

    chosen = table.ask("discarded", seat, games=games, legal=state.discards.take(games, axis=1) > 0, freed=cell)
    add(state.discards, chosen * np.intp(table.n) + games, ONE, np.subtract)
    state.hand[0][games] = chosen + ONE
    table.note("take", seat, games, way=WAYS[BY_EXCHANGE], place=0, item=chosen + ONE)
    state.lifted[0][games] = cell
    place(table, seat, games, BY_EXCHANGE)
    state.lifted[0][games] = NOWHERE


def return_bun(table: Table, bun: Bytes, games: Games) -> None:
    """Buns go back to the supply."""
    add(table.state.bun_stock, (bun - np.uint8(table.rules.n_ingredients + 1)) * np.intp(table.n) + games, ONE)
