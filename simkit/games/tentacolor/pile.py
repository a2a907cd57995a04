"""Tentacolor's pile and box: where cards are drawn from, and what happens when there are none left.

A turn draws from the top of the pile, an encounter from its bottom. Under the rule `deck_out = "reshuffle"` the cards
that have gone back to the box become a new pile.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.deck import Deck
from simkit.table import Table

Games = npt.NDArray[np.intp]
Cards = npt.NDArray[np.uint8]

_ONE = np.array(1, np.uint8)


def can_draw(table: Table, games: Games) -> npt.NDArray[np.bool_]:
    """Whether these games have a card left to draw in mid-turn, (k,)."""
    deck: Deck = table.state.deck
    if place_of_turn(table) + 1 < deck.n_main:
        return np.ones(len(games), bool)
    return _in_pile(table, games) | (in_box(table, games) > 0)


def draw_for_encounter(table: Table, seat: int, games: Games) -> Cards:
    """A card from the bottom of the pile, or of the box reshuffled, in games that have one and have counted it."""
    deck, depth = table.state.deck, drawn_from_bottom(table, games) - _ONE
    if place_of_turn(table) + 1 < deck.n_main:
        return deck.from_bottom(depth, games)
    in_pile = place_of_turn(table) + 1 + depth < deck.size
    cards = np.empty(len(games), np.uint8)
    cards[in_pile] = deck.from_bottom(depth[in_pile], games[in_pile])
    cards[~in_pile] = draw_from_box(table, seat, games[~in_pile])
    return cards


def draw_from_box(table: Table, seat: int, games: Games) -> Cards:
    """Rule deck_out = reshuffle: a card of the pile made of the cards in the box, which is made when it is needed."""
    state = table.state
    fresh = games[state.renewed.take(games) == 0]
    if len(fresh):
        _reshuffle(table, seat, fresh)
    if not len(games):
        return np.empty(0, np.uint8)
    left = state.renewed.take(games)
    drawn = table.draw("reshuffle", left, games)
    cards = state.boxed[drawn, games]
    last = left - 1
    state.boxed[drawn, games] = state.boxed[last, games]
    state.boxed[last, games] = state.boxed[last + n_boxed(table, games), games]
    state.renewed[games] = last
    return cards


def _reshuffle(table: Table, seat: int, games: Games) -> None:
    """The cards in the box are unseen again, and a pile."""
    state = table.state
    count = n_boxed(table, games)
    state.renewed[games] = count
    state.n_reshuffled[games] += count
    for place in range(int(count.max())):
        some = games[place < count]
        state.seen[some] -= table.rules.seen_units.take(state.boxed[place, some])
    table.note("reshuffle", seat, games)


def keep_in_box(table: Table, games: Games, cards: Cards) -> None:
    """Rule deck_out = reshuffle: cards (k,) that go back to the box, not counted yet, wait there."""
    table.state.boxed[table.state.renewed.take(games) + n_boxed(table, games), games] = cards


def n_boxed(table: Table, games: Games) -> npt.NDArray[np.uint16]:
    """Cards returned to the box and not reshuffled, (k,)."""
    state = table.state
    return state.n_bitten.take(games) + state.n_swapped.take(games) - state.n_reshuffled.take(games)


def place_of_turn(table: Table) -> int:
    """The place in the pile, from the top, of the card that this turn draws."""
    return table.seats + 1 + table.turn


def drawn_from_bottom(table: Table, games: Games) -> npt.NDArray[np.uint16]:
    """Cards drawn by encounters, (k,); once the pile is empty this may count more, which keeps it empty."""
    return table.state.n_swapped.take(games) + table.state.n_rare.take(games)


def _in_pile(table: Table, games: Games) -> npt.NDArray[np.bool_]:
    """Whether the first pile has a card left after this turn's, (k,)."""
    return place_of_turn(table) + 1 + drawn_from_bottom(table, games) < table.state.deck.size


def pile_size(table: Table, games: Games) -> npt.NDArray[np.int16]:
    """Cards left to draw before the box is reshuffled, or for good, (k,)."""
    left = table.rules.cards - table.state.n_top - drawn_from_bottom(table, games).astype(np.int16)
    return np.maximum(left, 0) + table.state.renewed.take(games)


def in_box(table: Table, games: Games) -> npt.NDArray[np.uint16]:
    """Cards that may be drawn once the first pile is empty, (k,)."""
    if table.rules.deck_out != "reshuffle":
        return np.zeros(len(games), np.uint16)
    return table.state.renewed.take(games) + n_boxed(table, games)


def add(array: npt.NDArray[Any], games: Games, amount: npt.NDArray[Any]) -> None:
    """Add in some games; each is there once, so that reading and writing back is safe (and faster than `+=`)."""
    array[games] = array.take(games) + amount
