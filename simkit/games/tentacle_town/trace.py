"""Tentacle Town told in plain values; nothing of it is hidden from anyone."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.rules import CARDS, GOODS
from simkit.games.tentacle_town.state import BUILD, FIRST_CARD, FIRST_TASK, N_OPTIONS
from simkit.games.tentacle_town.tasks import left_to_build
from simkit.table import Table


def describe(table: Table, games: npt.NDArray[np.intp]) -> list[dict[str, Any]]:
    """The states of some games (columns of the batch) in plain values."""
    state = table.state
    names = ("residents", "supply", "tentacles", "buildings", *GOODS, "dice")
    columns = {name: _by_game(getattr(state, name)[..., games]) for name in names}
    columns["left"] = np.stack([left_to_build(table, seat, games) for seat in range(table.seats)], axis=1).tolist()
    columns["cards"] = [bits_of(bits, FIRST_CARD - FIRST_TASK, len(CARDS)) for bits in state.cards[games].tolist()]
    columns["done"] = [bits_of(bits >> BUILD, BUILD, N_OPTIONS) for bits in state.done[games].tolist()]
    columns["district"] = state.district[games].tolist() if state.is_begun else [None] * len(games)
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def bits_of(mask: int, first: int, size: int) -> list[int]:
    """The bits that are set, the lowest one being called `first`.

    >>> bits_of(0b1001, 6, 12)
    [6, 9]
    """
    return [first + bit for bit in range(size) if mask >> bit & 1]


def hidden(table: Table, seat: int, luck: np.random.Generator) -> None:
    """Nothing lies hidden: the luck to come is nowhere in the state."""


def _by_game(array: npt.NDArray[Any]) -> list[Any]:
    """An array (..., k) as a list of k games."""
    return array.transpose(-1, *range(array.ndim - 1)).tolist()
