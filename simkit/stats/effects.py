"""What a feature is worth: cells that have it against cells that have not, on the same deals.

This is what happens when the feature is put in, all other luck unchanged. How those who use it fare is another thing:
whoever is ahead may use it more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.stats.comparisons import Difference
from simkit.stats.frequencies import PerDeal, tabulate
from simkit.stats.intervals import DIFFERENCE, LEVEL, Bounds, mean

Points = npt.NDArray[np.int64]


@dataclass
class Side:
    """The sum of some cells, deal by deal."""

    points: Points = field(default_factory=lambda: np.zeros(0, np.int64))
    n_cells: int = 0
    variances: float = 0.0

    def add(self, points: npt.NDArray[Any], variance: float) -> None:
        """One more cell; of deals that not all have the later ones are left out."""
        n = min(len(points), len(self.points)) if self.n_cells else len(points)
        self.points = self.points[:n] + points[:n] if self.n_cells else points.astype(np.int64)
        self.n_cells += 1
        self.variances += variance


def effects(
    cells: Iterable[tuple[PerDeal, Sequence[bool | None]]],
    n_features: int,
    level: float = LEVEL,
    bounds: Bounds = DIFFERENCE,
) -> list[Difference | None]:
    """The mean of the cells with a feature less the mean of those without, feature by feature.

    Parameters
    ----------
    cells
        A measure of each cell, all on the same deals and to the same scale, and whether the cell has each feature;
        None where that is left to luck: the cell says nothing of this feature.
    n_features
    level
    bounds
        What a deal's difference must lie between.

    Returns
    -------
    list
        For each feature the difference, by Student's t over deals: what all cells of a deal have in common is in its
        one value. None where no cell has the feature, or all have it. The gain is that against cells that share no
        deal.

    Examples
    --------
    >>> cells = [(PerDeal(np.array([3, 5, 9]), 1), [True]), (PerDeal(np.array([1, 2, 9]), 1), [False])]
    >>> effects(cells, 1)[0].estimate.value
    1.6666666666666667
    """
    sides = [(Side(), Side()) for _ in range(n_features)]
    scale = 1
    for deals, has in cells:
        scale, variance = deals.scale, deals.frequencies().variance
        for (without, having), is_in in zip(sides, has, strict=True):
            if is_in is not None:
                (having if is_in else without).add(deals.points, variance)
    return [_difference(*pair, scale, level, bounds) for pair in sides]


def _difference(without: Side, having: Side, scale: int, level: float, bounds: Bounds) -> Difference | None:
    """Mean of one side less mean of the other, in exact integers."""
    if not (without.n_cells and having.n_cells):
        return None
    n = min(len(without.points), len(having.points))
    common = math.lcm(without.n_cells, having.n_cells)
    ours = having.points[:n] * (common // having.n_cells)
    apart = tabulate(ours - without.points[:n] * (common // without.n_cells), common * scale)
    unpaired = having.variances / having.n_cells**2 + without.variances / without.n_cells**2
    gain = unpaired / apart.variance if apart.variance > 0 else math.nan
    return Difference(mean(apart, level, bounds), gain)
