"""Rows of cooperative games made up from a seed, so that nothing need be played: of any game's declared columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from tests.fake_run import FakeCell, FakeRun

FEW = 5
"""Values of a column that counts something: 0 to 4."""


def made_up(
    game: Any,
    cells: Mapping[str, tuple[dict[str, Any], Sequence[str]]],
    n_deals: int,
    win_rates: Mapping[str, float],
    **fields: Any,
) -> FakeRun:
    """A run with random rows: rules and labels by cell id, and how often each cell wins.

    Games won end by the first declared cause, games lost by any of the others.
    """
    infos, columns, counts = [], {}, {}
    for number, (name, (rules, labels)) in enumerate(cells.items()):
        rng, labels = np.random.default_rng(number), tuple(labels)
        rotations = next(r for r in range(1, len(labels) + 1) if labels[r:] + labels[:r] == labels)
        shape = (rotations, n_deals)
        key = {"players": len(labels), "rules": rules, "line_up": list(labels), "swept": {}}
        infos.append(FakeCell(name, key, len(labels), len(labels), rules, labels, rotations, n_deals))
        won = rng.random(shape) < win_rates[name]
        columns["games", "won", name] = won
        lost_by = rng.integers(1, len(game.all_end_causes) - 1, shape)
        columns["games", "end_cause", name] = np.where(won, 0, lost_by).astype(np.uint8)
        columns["games", "n_turns", name] = rng.integers(5, 25, shape).astype(np.uint16)
        for column in game.columns:
            columns["games", column.name, name] = _values(rng, column, shape)
        for column in game.seat_columns:
            columns["seats", column.name, name] = _values(rng, column, (rotations, len(labels), n_deals))
        for tally in game.tallies:
            counts.setdefault(tally.name, []).append(_counted(rng, tally, len(labels), shape).assign(cell=name))
    return FakeRun(game, columns, infos, counts, **fields)


def _values(rng: np.random.Generator, column: Any, shape: tuple[int, ...]) -> np.ndarray:
    return rng.integers(0, len(column.labels) or FEW, shape).astype(column.dtype)


def _counted(rng: np.random.Generator, tally: Any, seats: int, shape: tuple[int, int]) -> pd.DataFrame:
    """Counts for every key, rotation and group that has a deal."""
    sizes = [key.size_for(None, seats) for key in tally.keys]
    index = np.indices([*sizes, shape[0], min(64, shape[1])]).reshape(len(sizes) + 2, -1)
    frame = pd.DataFrame(dict(zip([*(key.name for key in tally.keys), "rotation", "group"], index, strict=True)))
    return frame.assign(count=rng.integers(0, 9, len(frame)))
