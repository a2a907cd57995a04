"""Frequencies and win columns with exact counts, so that nothing need be played."""

from __future__ import annotations

import numpy as np

from simkit.stats.frequencies import Frequencies


def plain(n_wins: int, n: int) -> Frequencies:
    """A plain proportion."""
    counts = np.array([n - n_wins, n_wins])
    occurs = counts > 0
    return Frequencies(np.array([0.0, 1.0])[occurs], counts[occurs])


def of_values(values: list[float] | np.ndarray) -> Frequencies:
    """The frequencies of some values."""
    found, counts = np.unique(np.asarray(values, float), return_counts=True)
    return Frequencies(found, counts.astype(np.int64))


def win_column(winners: np.ndarray, seats: int) -> np.ndarray:
    """`seats.win` (rotations, seats, n) from the winning seat (rotations, n); -1 for nobody."""
    return np.where(winners[:, None] == np.arange(seats)[:, None], 60, 0).astype(np.uint8)
