"""The supply: stacks of ingredients and piles of orders, shuffled, drawn from, rebuilt.

A stack is a ring of cards; below the top nothing moves. Functions work on index subsets of the batch (`games`, all
alive).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.rules import EMPTY, KINDS, N_STACKS, NO_ORDER
from simkit.state import add
from simkit.table import Table

Games = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]
ONE = np.uint8(1)


def shuffle_ingredients(table: Table) -> None:
    """Game Setup: the ingredient cards in three stacks."""
    state, rules = table.state, table.rules
    box = np.repeat(np.arange(1, rules.n_ingredients + 1, dtype=np.uint8), rules.copies)
    deck = table.deck("ingredients", box)
    for place in range(rules.n_cards):
        state.stack[place % N_STACKS, place // N_STACKS] = deck.top(place)
    for stack in range(N_STACKS):
        state.size[stack] = state.newest[stack] = len(range(stack, rules.n_cards, N_STACKS))
    state.tops[:] = state.stack[:, 0]


def shuffle_orders(table: Table) -> None:
    """Game Setup: the small and the large orders, each a pile; a given order is taken out."""
    state, rules = table.state, table.rules
    n_small = len(rules.small_orders)
    for kind, (name, ids) in enumerate(zip(KINDS, np.split(np.arange(len(rules.orders)), [n_small]), strict=True)):
        deck = table.deck(name, ids.astype(np.uint8))
        for place in range(len(ids)):
            state.pile[kind, place] = deck.top(place)
        state.pile_size[kind] = len(ids)
    if rules.given_order:
        take_out(table, rules.order_names.index(rules.given_order))


def take_out(table: Table, order: int) -> None:
    """Take an order out of its pile, the others keeping their sequence."""
    state, kind = table.state, int(table.rules.kind_of[order])
    size = int(state.pile_size[kind, 0])
    is_past = np.zeros(table.n, bool)
    for place in range(size - 1):
        is_past |= state.pile[kind, place] == order
        state.pile[kind, place] = np.where(is_past, state.pile[kind, place + 1], state.pile[kind, place])
    state.pile_size[kind] -= ONE


# ------------------------------------------------------------------------------------------------------------- drawing


def draw_top(table: Table, stacks: Bytes, games: Games) -> Bytes:
    """The top cards of stacks that are not empty, one in each of these games; uint8 (k,)."""
    state, n_cards, n = table.state, table.rules.n_cards, table.n
    at = stacks * np.intp(n) + games
    cards = state.tops.reshape(-1).take(at)
    first = state.first.reshape(-1).take(at) + ONE
    first *= first < n_cards
    size = state.size.reshape(-1).take(at) - ONE
    state.first.reshape(-1)[at], state.size.reshape(-1)[at] = first, size
    newest = state.newest.reshape(-1)
    newest[at] = np.minimum(newest.take(at), size)
    under = state.stack.reshape(-1).take((stacks * np.intp(n_cards) + first) * n + games)
    state.tops.reshape(-1)[at] = under * (size > 0)
    return cards


def rebuild_empty(table: Table, stacks: Bytes, games: Games) -> None:
    """After a draw: by rule, stacks that it left empty are rebuilt at once."""
    if table.rules.rebuild_when == "at-once":
        size = table.state.size.reshape(-1).take(stacks * np.intp(table.n) + games)
        rebuild(table, games.compress(size == 0))


def open_next(table: Table, stack: int, games: Games, rebuilds: bool = True) -> None:
    """Turn up the top card of a stack where the open place in front of it is empty; rebuild it first if need be."""
    state = table.state
    if rebuilds:
        rebuild(table, games.compress(state.size[stack].take(games) == 0))
    games = games.compress(state.size[stack].take(games) > 0)
    if len(games):
        stacks = np.full(len(games), stack, np.uint8)
        cards = draw_top(table, stacks, games)
        state.open[stack][games] = cards
        table.note("refill", games=games, place=stack, item=cards)
        rebuild_empty(table, stacks, games)


def draw_order(table: Table, kind: int, games: Games) -> Bytes:
    """The top cards of a pile that is not empty, uint8 (k,)."""
    state, capacity = table.state, table.state.pile.shape[1]
    first = state.pile_first[kind].take(games)
    orders = state.pile[kind].reshape(-1).take((first % capacity).astype(np.intp) * table.n + games)
    state.pile_first[kind][games] = first + ONE
    add(state.pile_size[kind], games, ONE, np.subtract)
    return orders


def top_orders(table: Table) -> Bytes:
    """The top order of each pile, `NO_ORDER` where there is none; uint8 (kinds, n)."""
    state, (kinds, capacity, n) = table.state, table.state.pile.shape
    at = np.arange(kinds)[:, None] * capacity + state.pile_first % capacity
    tops = state.pile.reshape(-1).take(at * n + np.arange(n))
    return tops | (np.uint8(0) - (state.pile_size == 0))


def put_under_pile(table: Table, orders: Bytes, games: Games) -> None:
    """Discarded orders go under their piles."""
    state, capacity = table.state, table.state.pile.shape[1]
    for kind in range(len(KINDS)):
        of_kind = (table.rules.kind_of.take(orders) == kind).nonzero()[0]
        which = games.take(of_kind)
        place = state.pile_first[kind].take(which) + state.pile_size[kind].take(which)
        state.pile[kind].reshape(-1)[(place % capacity).astype(np.intp) * table.n + which] = orders.take(of_kind)
        add(state.pile_size[kind], which, ONE)


# ---------------------------------------------------------------------------------------------------------- turn's end


def replenish(table: Table) -> None:
    """Ending Your Turn: open ingredients from the stacks above them, open orders from their piles."""
    games = table.live.nonzero()[0]
    for stack in range(N_STACKS):
        lacking = games.compress(table.state.open[stack].take(games) == EMPTY)
        if len(lacking):
            open_next(table, stack, lacking)
    ran_out = ~table.state.size.all(axis=0)
    rebuild(table, games.compress(ran_out.take(games)))
    replenish_orders(table, games)


def replenish_orders(table: Table, games: Games) -> None:
    """Open orders from their piles, while these last."""
    state, filled = table.state, np.zeros(table.n, bool)
    for place, orders in enumerate(state.orders):
        lacking = games.compress(orders.take(games) == NO_ORDER)
        lacking = lacking.compress(state.pile_size[place // 2].take(lacking) > 0)
        if len(lacking):
            orders[lacking] = draw_order(table, place // 2, lacking)
            state.since[place][lacking] = table.turn + 1
            filled[lacking] = True
    if table.observer is not None and filled.any():
        table.note("orders", games=filled.nonzero()[0])


def rebuild(table: Table, games: Games) -> None:
    """Ending Your Turn: where there are discards, these are shuffled and go under the stacks."""
    if not len(games):
        return
    state = table.state
    total = state.discards.take(games, axis=1).sum(axis=0, dtype=np.uint8)
    games, total = games.compress(total > 0), total.compress(total > 0)
    if not len(games):
        return
    cards = shuffled_discards(table, total, games)
    game, stack, place = _places_under(table, total, games)
    n_cards, n, size = table.rules.n_cards, table.n, state.size.take(games, axis=1)
    ring = (state.first.take(games, axis=1)[stack, game].astype(np.intp) + place) % n_cards
    state.stack.reshape(-1)[(stack * n_cards + ring) * n + games.take(game)] = cards
    n_put = np.bincount(stack * len(games) + game, minlength=size.size).reshape(size.shape).astype(np.uint8)
    state.newest[:, games], state.size[:, games] = n_put, size + n_put
    state.discards[:, games] = 0
    add(state.n_rebuilds, games, ONE)
    show_tops(table, games)
    table.note("rebuild", games=games)


def shuffled_discards(table: Table, total: Bytes, games: Games) -> Bytes:
    """The discard piles in random order, one after the other; uint8 (cards,)."""
    order = table.shuffle("rebuild", total, games)
    number = order[np.arange(order.shape[1]) < total[:, None]]
    of_game = np.repeat(np.arange(len(games)), total)
    cards = np.ones(len(number), np.uint8)
    for end in table.state.discards.take(games, axis=1).cumsum(axis=0)[:-1]:
        cards += number >= end.take(of_game)
    return cards


def _places_under(table: Table, total: Bytes, games: Games) -> tuple[Games, Games, Games]:
    """Where the cards of `shuffled_discards` go: game, stack and place in it, (cards,) each."""
    size = table.state.size.take(games, axis=1)
    if table.rules.rebuild == "spread":
        game, number = (np.arange(int(total.max())) < total[:, None]).nonzero()
        stack = number % N_STACKS
        return game, stack, size[stack, game] + number // N_STACKS
    highest = max(int(size.max()), int((size.sum(axis=0) + total).max()) // N_STACKS + 1)
    is_free = np.arange(highest)[:, None] >= size.T[:, None, :]  # (games, places, stacks): from the top, left to right
    is_free = is_free.reshape(len(games), -1)
    game, at = (is_free & (is_free.cumsum(axis=1) <= total[:, None])).nonzero()
    return game, at % N_STACKS, at // N_STACKS


def show_tops(table: Table, games: Games) -> None:
    """The stacks' top cards are known by their backs."""
    state, n_cards = table.state, table.rules.n_cards
    at = (np.arange(N_STACKS)[:, None] * n_cards + state.first.take(games, axis=1)) * table.n + games
    state.tops[:, games] = state.stack.reshape(-1).take(at) * (state.size.take(games, axis=1) > 0)
