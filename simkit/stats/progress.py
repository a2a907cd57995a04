"""Ratios of tallied counts, such as the mean longest run by round and seat.

The counts are kept in 64 groups of deals (deal mod 64); the spread of the groups gives the interval.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from simkit.stats.grouped import GROUPS, Sample, ratio
from simkit.stats.intervals import LEVEL, Bounds


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
