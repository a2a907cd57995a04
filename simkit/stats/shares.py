"""Who wins: shares of the win per seat and per label, and how often the table wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.stats.frequencies import PerDeal, share_of_rotations

WIN = 60
"""A whole win in `seats.win`."""

Array = npt.NDArray[Any]


def seat_shares(win: Array) -> list[PerDeal]:
    """Each seat's share of the win, over the rotations of a deal.

    Parameters
    ----------
    win : uint8 (rotations, seats, n)
        In sixtieths.

    Examples
    --------
    >>> win = np.array([[[60, 30], [0, 30]]], np.uint8)
    >>> [seat.frequencies().mean for seat in seat_shares(win)]
    [0.75, 0.25]
    """
    rotations, seats, _ = win.shape
    return [PerDeal(win[:, seat].sum(axis=0, dtype=np.uint16), WIN * rotations) for seat in range(seats)]


def places(labels: Sequence[str], label: str, rotations: int) -> list[tuple[int, int]]:
    """Where a label sits: (rotation, seat); seat s holds labels[(s + rotation) % seats].

    Examples
    --------
    >>> places(("a", "b", "b"), "a", 3)
    [(0, 0), (1, 2), (2, 1)]
    """
    seats = len(labels)
    return [(r, s) for r in range(rotations) for s in range(seats) if labels[(s + r) % seats] == label]


def label_share(win: Array, labels: Sequence[str], label: str) -> PerDeal:
    """A label's share of the win per seat it holds, over all rotations: fair is the same for all labels.

    Parameters
    ----------
    win : uint8 (rotations, seats, n)
    labels
        Of the line-up, in cyclic order.
    label
        One of them.
    """
    held = places(labels, label, len(win))
    points = np.zeros(win.shape[2], np.uint16)
    for rotation, seat in held:
        points += win[rotation, seat]
    return PerDeal(points, WIN * len(held))


def table_rate(won: Array) -> PerDeal:
    """Cooperative games: the share of a deal's games that the table won; won is bool (rotations, n)."""
    return share_of_rotations(won.astype(bool))


def fair_share(finished: float, seats: int) -> float:
    """What every seat would win if all were alike: finished games / (seats x games)."""
    return finished / seats
