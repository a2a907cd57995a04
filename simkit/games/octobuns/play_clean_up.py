"""Option D of a turn: discard or move cards of the bakery, and discard reserved orders, a step at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.legal import Sight, moves_to
from simkit.games.octobuns.play_actions import discard, put_down, return_bun, slide
from simkit.games.octobuns.rules import EMPTY, N_CELLS, NO_ORDER
from simkit.games.octobuns.state import DISCARDED, MOVED, NOWHERE, THROWN
from simkit.games.octobuns.supply import put_under_pile
from simkit.state import add
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

ONE = np.uint8(1)
NO_OTHER = TO_DISCARD = N_CELLS
"""The last option of `clean_second` and of `clean_to`."""


def clean_up(table: Table, seat: int, games: Games) -> None:
    """A step of Clean Up: a card (or two together) is moved or discarded, or a reserved order is discarded."""
    what = table.ask("clean_up", seat, games=games, legal=Sight(table, seat, games).cleanable())
    for place in range(len(table.state.reserved[seat])):
        drop_order(table, seat, games.compress(what == N_CELLS + place), place)
    is_card = what < N_CELLS
    games, cell = games.compress(is_card), what.compress(is_card)
    if len(games):
        lift(table, seat, games, cell, 0)
        with_second = lift_second(table, seat, games)
        move_or_discard(table, seat, games)
        if len(with_second):
            move_or_discard(table, seat, with_second)


def drop_order(table: Table, seat: int, games: Games, place: int) -> None:
    """A reserved order leaves the game, or goes under its pile."""
    if not len(games):
        return
    state = table.state
    orders = state.reserved[seat, place].take(games)
    state.reserved[seat, place][games] = NO_ORDER
    add(state.n_dropped[seat], games)
    if table.rules.dropped_orders == "bottom":
        put_under_pile(table, orders, games)
    table.note("drop", seat, games, place=place, order=orders)


def lift(table: Table, seat: int, games: Games, cell: Bytes, which: int) -> None:
    """A card leaves its cell and comes to hand."""
    state, at = table.state, cell * np.intp(table.n) + games
    card = state.bakery[seat].reshape(-1).take(at)
    state.bakery[seat].reshape(-1)[at] = EMPTY
    state.hand[which][games], state.lifted[which][games] = card, cell
    add(state.n_cleaned, games, ONE)
    table.note("lift", seat, games, cell=cell, item=card)


def lift_second(table: Table, seat: int, games: Games) -> Games:
    """Cards that are handled together: another one, if the seat likes; the games where it does."""
    rules = table.rules
    if rules.clean_up_sequence != "together" or rules.clean_up_cards < 2:
        return games[:0]
    cards = table.state.bakery[seat].take(games, axis=1) != EMPTY
    legal = np.concatenate((cards, np.ones((1, len(games)), bool)))
    cell = table.ask("clean_second", seat, games=games, legal=legal)
    going = cell != NO_OTHER
    games = games.compress(going)
    if len(games):
        lift(table, seat, games, cell.compress(going), 1)
    return games


def move_or_discard(table: Table, seat: int, games: Games) -> None:
    """The card in hand is put down in another cell or discarded."""
    state, rules = table.state, table.rules
    if rules.grid == "floating":
        is_open = rules.clean_up_mixed | (state.cleaned_how.take(games) != THROWN)
        if len(sliding := games.compress(is_open)):
            slide(table, seat, sliding)
    card = state.hand[0].take(games)
    to = table.ask("clean_to", seat, games=games, legal=legal_ends(table, seat, games), card=card)
    is_thrown = to == TO_DISCARD
    state.cleaned_how[games] = np.where(is_thrown, np.uint8(THROWN), np.uint8(MOVED))
    if len(thrown := games.compress(is_thrown)):
        throw(table, seat, thrown)
    if len(moved := games.compress(~is_thrown)):
        put_down(table, seat, moved, to.compress(~is_thrown))
    state.lifted[0][games], state.lifted[1][games] = state.lifted[1].take(games), NOWHERE


def legal_ends(table: Table, seat: int, games: Games) -> Mask:
    """Cells where the card in hand may be put down, and whether it may be discarded; (10, k)."""
    state, rules = table.state, table.rules
    card, stock = state.hand[0].take(games), state.bun_stock.take(games, axis=1)
    legal = np.ones((N_CELLS + 1, len(games)), bool)
    legal[:N_CELLS] = moves_to(rules, state.bakery[seat].take(games, axis=1), card, stock)
    legal[:N_CELLS] &= np.arange(N_CELLS, dtype=np.uint8)[:, None] != state.lifted[0].take(games)
    if not rules.clean_up_mixed:
        how = state.cleaned_how.take(games)
        legal[:N_CELLS] &= how != THROWN
        legal[TO_DISCARD] = (how != MOVED) | ~any_of(legal[:N_CELLS])
    return legal


def throw(table: Table, seat: int, games: Games) -> None:
    """The card in hand is discarded: an ingredient to the discard pile, a bun to the supply."""
    state, rules = table.state, table.rules
    card = state.hand[0].take(games)
    state.hand[0][games] = state.hand[1].take(games)
    state.hand[1][games] = EMPTY
    is_bun = card > rules.n_ingredients
    return_bun(table, card.compress(is_bun), games.compress(is_bun))
    discard(table, card.compress(~is_bun), games.compress(~is_bun))
    table.tally("leaving", games, item=card - ONE, how=DISCARDED)
    table.note("discard", seat, games, item=card)
