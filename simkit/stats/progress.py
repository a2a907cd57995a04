"""Ratios of tallied counts, such as the mean longest run by round and seat.

The counts are kept in 64 groups of deals (deal mod 64); the spread of the groups gives the interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from simkit.stats.intervals import FEW_OFF, LEVEL, Bounds, Estimate, proportion

GROUPS = 64


def tally_means(
    counts: pd.DataFrame, by: Sequence[str], of: str, bounds: Bounds, n_deals: int, level: float = LEVEL
) -> pd.DataFrame:
    """The mean of one key of a tally, for each value of others.

    Parameters
    ----------
    counts
        One cell's tally: columns `rotation`, `group`, the declared keys and `count`.
    by
        Keys to tell apart.
    of
        The key whose mean is taken, an integer.
    bounds
        What that key lies between.
    n_deals
        Deals of the cell: with fewer than 64, as many groups.
    level

    Returns
    -------
    DataFrame
        `by`, `n` (what was counted) and the columns of an estimate.
    """
    keys, rotations = list(by), counts["rotation"].nunique()
    table = counts.assign(total=counts[of].astype(np.int64) * counts["count"])
    sums = table.groupby([*keys, "group"], observed=True)[["total", "count"]].sum().unstack("group", fill_value=0)
    by_value = table.groupby([*keys, of], observed=True)["count"].sum().groupby(keys, observed=True)
    n, n_common = by_value.sum(), by_value.max()
    rows = []
    for key in sums.index:
        deals = min(n_deals, max(int(n[key]) // rotations, 1))
        sample = Sample(min(GROUPS, n_deals), deals, bounds, level)
        n_off = int(n[key] - n_common[key]) // rotations
        totals, counted = (sums.loc[key, name].to_numpy(np.int64) for name in ("total", "count"))
        names = dict(zip(keys, key if isinstance(key, tuple) else (key,), strict=True))
        rows.append(names | {"n": int(n[key])} | ratio(totals, counted, sample, n_off).row())
    return pd.DataFrame(rows)


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


def ratio(
    totals: npt.NDArray[np.int64], counts: npt.NDArray[np.int64], sample: Sample, n_off: int = FEW_OFF
) -> Estimate:
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
    n, bounds, groups = int(counts.sum()), sample.bounds, sample.groups
    value = float(totals.sum() / n)
    residuals = totals - value * counts
    if groups < 2 or n_off == 0:
        return _unvaried(value, sample)
    error = math.sqrt(groups / (groups - 1) * float(residuals @ residuals)) / n
    reach = float(stats.t.ppf((1 + sample.level) / 2, groups - 1)) * error
    few = n_off < FEW_OFF or groups < GROUPS
    low, high = max(value - reach, bounds[0]), min(value + reach, bounds[1])
    return Estimate(value, low, high, sample.n_deals, sample.level, "t over groups", few, n_off)


def _unvaried(value: float, sample: Sample) -> Estimate:
    """All values alike (or one group): at most a share `off` of deals may be otherwise, at the worst at a bound."""
    off = proportion(0, sample.n_deals, sample.level).high
    low, high = (value + off * (bound - value) for bound in sample.bounds)
    few = sample.groups < 2
    return Estimate(value, low, high, sample.n_deals, sample.level, "Clopper-Pearson", few)
