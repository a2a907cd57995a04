"""Values of deals, and how often each occurs: all that an estimate needs, however many deals there are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK = 1 << 18
"""Deals tabulated at a time: counting widens them to eight bytes each."""

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Frequencies:
    """How often each value occurred.

    Parameters
    ----------
    values : float (k,)
        In rising order.
    counts : int64 (k,)
        Of deals, all above 0.
    """

    values: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]

    @cached_property
    def n(self) -> int:
        """Deals."""
        return int(self.counts.sum())

    @cached_property
    def mean(self) -> float:
        """Mean over deals; NaN without deals."""
        return float(self.values @ self.counts / self.n) if self.n else float("nan")

    @cached_property
    def variance(self) -> float:
        """Variance between deals, ddof 1; 0 if all are alike."""
        if len(self.values) < 2:
            return 0.0
        return float((self.values - self.mean) ** 2 @ self.counts / (self.n - 1))

    @cached_property
    def n_off(self) -> int:
        """Deals off the commonest value."""
        return self.n - int(self.counts.max(initial=0))

    @cached_property
    def is_plain(self) -> bool:
        """Every deal is a whole win or none: a plain proportion."""
        return bool(np.isin(self.values, (0.0, 1.0)).all())

    @cached_property
    def n_wins(self) -> int:
        """Deals with the value 1."""
        return int(self.counts[self.values == 1.0].sum())


@dataclass(frozen=True)
class PerDeal:
    """One value for each deal, as exact integers: points / scale.

    Parameters
    ----------
    points : int (n,)
    scale
        What one unit is in points.
    """

    points: Array
    scale: int

    def frequencies(self) -> Frequencies:
        """How often each value occurs."""
        return tabulate(self.points, self.scale)


def tabulate(points: Array, scale: int = 1) -> Frequencies:
    """Count integers, a block at a time.

    Parameters
    ----------
    points : int (n,)
    scale
        Values are points / scale.

    Examples
    --------
    >>> tabulate(np.array([60, 0, 30, 60], np.uint8), 60)
    Frequencies(values=array([0. , 0.5, 1. ]), counts=array([1, 1, 2]))
    """
    if len(points) == 0:
        return Frequencies(np.zeros(0), np.zeros(0, np.int64))
    low, high = int(points.min()), int(points.max())
    counts = np.zeros(high - low + 1, np.int64)
    for start in range(0, len(points), BLOCK):
        block = points[start : start + BLOCK].astype(np.int64)
        counts += np.bincount(block - low, minlength=len(counts))
    occurs = counts.nonzero()[0]
    return Frequencies((occurs + low) / scale, counts[occurs])


def tabulate_all(column: Array) -> Frequencies:
    """Count every game of a column (rotations, n): games, not deals."""
    return tabulate(column.reshape(-1))


def share_of_rotations(marked: Array) -> PerDeal:
    """The share of a deal's games that are marked.

    Parameters
    ----------
    marked : bool (rotations, n)
    """
    return PerDeal(marked.sum(axis=0, dtype=np.uint16), len(marked))
