"""Shares and means among some of the games, such as those that were lost.

How many games are counted is itself up to luck. One game a deal: given their number, the marked ones among them are
binomial. Several games a deal: a ratio of counts, with the spread of 64 groups of deals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.stats.frequencies import tabulate
from simkit.stats.grouped import GROUPS, Sample, group_sums, ratio
from simkit.stats.intervals import LEVEL, SHARE, Bounds, Estimate, mean, proportion

Array = npt.NDArray[Any]


def share_among(marked: Array, among: Array, level: float = LEVEL) -> Estimate:
    """The share of marked games among others.

    Parameters
    ----------
    marked, among : bool (rotations, n)
        A game counts if it is among those; it is marked only if it is.
    level

    Returns
    -------
    Estimate
        NaN where no game counts. `n_deals` are the games counted where each is a deal, else all deals.

    Examples
    --------
    >>> lost, by_dice = np.array([[True, True, False, True]]), np.array([[True, False, False, True]])
    >>> share_among(by_dice, lost).value
    0.6666666666666666
    """
    counted, n_marked = int(among.sum()), int((marked & among).sum())
    if len(among) == 1 or counted == 0:
        return proportion(n_marked, counted, level)
    return _ratio(marked & among, among, min(n_marked, counted - n_marked), SHARE, level)


def mean_among(values: Array, among: Array, bounds: Bounds, level: float = LEVEL) -> Estimate:
    """The mean of a whole number over some of the games.

    Parameters
    ----------
    values : int (rotations, n)
    among : bool (rotations, n)
        Games that count.
    bounds
        What a value lies between.
    level
    """
    frequencies = tabulate(values[among])
    if len(among) == 1 or frequencies.n == 0:
        return mean(frequencies, level, bounds)
    return _ratio(values * among, among, frequencies.n_off, bounds, level)


def _ratio(tops: Array, bottoms: Array, n_off: int, bounds: Bounds, level: float) -> Estimate:
    """Sum of some numbers per game that counts, several games a deal."""
    n_deals = bottoms.shape[1]
    totals, counts = (group_sums(values.sum(axis=0, dtype=np.int64)) for values in (tops, bottoms))
    return ratio(totals, counts, Sample(min(GROUPS, n_deals), n_deals, bounds, level), n_off)
