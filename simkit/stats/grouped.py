"""Ratios of what was counted in 64 groups of deals (deal mod 64): the spread of the groups gives the interval.

Whatever a deal's games have in common (several attacks in one game, several rotations, several cells that share the
deal) lies in one group, so that no count is taken for independent that is not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from simkit.stats.intervals import FEW_OFF, LEVEL, Bounds, Estimate, proportion

GROUPS = 64

Sums = npt.NDArray[np.int64]
"""A number for each group, (64,)."""


@dataclass(frozen=True)
class Sample:
    """What counts in groups of deals come from.

    Parameters
    ----------
    groups
        How many there are in all.
    n_deals
        At least so many deals were counted.
    bounds
        What a single value lies between.
    level
    """

    groups: int
    n_deals: int
    bounds: Bounds
    level: float = LEVEL


def ratio(totals: Sums, counts: Sums, sample: Sample, n_off: int = FEW_OFF) -> Estimate:
    """sum(totals) / sum(counts) by groups of deals, with Student's t over the groups' residuals.

    Parameters
    ----------
    totals, counts : int64 (k,)
        By group; groups without any count may be left out.
    sample
    n_off
        Deals off the commonest value: with fewer than 100 (but some) no coverage is claimed.

    References
    ----------
    Cochran (1977), Sampling Techniques, chapter 6 (the ratio estimator's variance).
    """
    n, bounds = int(counts.sum()), sample.bounds
    value = float(totals.sum() / n)
    if sample.groups < 2 or n_off == 0:
        return _unvaried(value, sample)
    reach = _reach((totals - value * counts) / n, sample)
    few = n_off < FEW_OFF or sample.groups < GROUPS
    low, high = max(value - reach, bounds[0]), min(value + reach, bounds[1])
    return Estimate(value, low, high, sample.n_deals, sample.level, "t over groups", few, n_off)


def _reach(residuals: npt.NDArray[np.float64], sample: Sample) -> float:
    """Half the interval of a sum of residuals."""
    groups = sample.groups
    error = math.sqrt(groups / (groups - 1) * float(residuals @ residuals))
    return float(stats.t.ppf((1 + sample.level) / 2, groups - 1)) * error


def _unvaried(value: float, sample: Sample) -> Estimate:
    """All values alike (or one group): at most a share `off` of deals may be otherwise, at the worst at a bound."""
    off = proportion(0, sample.n_deals, sample.level).high
    low, high = (value + off * (bound - value) for bound in sample.bounds)
    few = sample.groups < 2
    return Estimate(value, low, high, sample.n_deals, sample.level, "Clopper-Pearson", few)


def ratio_gap(
    first: tuple[Sums, Sums], second: tuple[Sums, Sums], sample: Sample, n_off: int = FEW_OFF
) -> Estimate | None:
    """One ratio less another, counted on the same deals, by the groups' residuals of both together.

    Parameters
    ----------
    first, second
        Totals and counts by group.
    sample
        Its bounds are those of the difference.
    n_off
        As in `ratio`, of the one that has fewer.

    Returns
    -------
    Estimate or None
        None where one of the two has no counts, or there is one group only.
    """
    n, m = int(first[1].sum()), int(second[1].sum())
    if n == 0 or m == 0 or sample.groups < 2:
        return None
    a, b = float(first[0].sum() / n), float(second[0].sum() / m)
    reach = _reach((first[0] - a * first[1]) / n - (second[0] - b * second[1]) / m, sample)
    few = n_off < FEW_OFF or sample.groups < GROUPS
    low, high = max(a - b - reach, sample.bounds[0]), min(a - b + reach, sample.bounds[1])
    return Estimate(a - b, low, high, sample.n_deals, sample.level, "t over groups", few, n_off)


def group_sums(values: npt.NDArray[Any]) -> Sums:
    """Sum what each deal has by group, a line at a time; values are (n,) in deal order, from deal 0.

    Examples
    --------
    >>> group_sums(np.ones(130, np.uint8))[:4]
    array([3, 3, 2, 2])
    """
    whole = len(values) // GROUPS * GROUPS
    sums = values[:whole].reshape(-1, GROUPS).sum(axis=0, dtype=np.int64)
    sums[: len(values) - whole] += values[whole:]
    return sums


def deals_in_groups(n_deals: int) -> Sums:
    """How many deals each group has.

    Examples
    --------
    >>> deals_in_groups(130)[:4]
    array([3, 3, 2, 2])
    """
    return n_deals // GROUPS + (np.arange(GROUPS) < n_deals % GROUPS)
