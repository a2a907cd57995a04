"""Tiny Epic Cthulhu told in plain values, and what lies hidden from whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import N_NUMBERS
from simkit.games.tiny_epic_cthulhu.play_pages import lines
from simkit.games.tiny_epic_cthulhu.state import NO_CARD
from simkit.table import Table

_PLAIN = (
    *("goo", "side", "strength", "energy", "bag", "discard", "mat", "mat_shamblers", "chaos_supply"),
    *("eldritch_supply", "madness", "shamblers", "town_eldritch", "sides", "face_up", "known", "n_dealt", "rows"),
    *("at", "temper", "chaos", "brain", "runes", "characters", "left", "must_leave", "ability_used"),
)


def describe(table: Table, games: npt.NDArray[np.intp]) -> list[dict[str, Any]]:
    """The states of some games (columns of the batch) in plain values; -1 for no page, and for an open portal."""
    state = table.state
    columns = {name: _by_game(getattr(state, name)[..., games]) for name in _PLAIN}
    for name in ("pages", "portals"):
        columns[name] = _by_game(getattr(state, name)[..., games].view(np.int8))
    untaken = 2 * N_NUMBERS - lines(state.rows[..., games])
    columns["lines"] = (untaken * table.rules.chaos_per_line).tolist()
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _by_game(array: npt.NDArray[Any]) -> list[Any]:
    """An array (..., k) as a list of k games."""
    return np.ascontiguousarray(array.transpose(-1, *range(array.ndim - 1))).tolist()


def hidden(table: Table, seat: int, luck: np.random.Generator) -> None:
    """Nobody knows the order of the deck, nor pages that lie face down and were never up."""
    state = table.state
    for game in range(table.n):
        slots = state.deck.undrawn(game, 0, int(state.n_dealt[game]))
        for town, page in enumerate(state.pages[:, game].tolist()):
            if page != NO_CARD and not state.known[town, game]:
                slots.append((state.pages, (town, game)))
        cards = luck.permutation(np.array([array[place] for array, place in slots], np.uint8))
        for (array, place), card in zip(slots, cards, strict=True):
            array[place] = card
