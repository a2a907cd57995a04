"""How often something happens: tallied events per tallied occasion, or per game, and shares of what may happen.

Intervals come from 64 groups of deals, see `simkit.stats.grouped`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from simkit.stats.grouped import GROUPS, Sample, Sums, ratio
from simkit.stats.intervals import LEVEL, Bounds

Place = tuple[Any, ...]


def rates(
    events: pd.DataFrame,
    occasions: pd.DataFrame,
    by: Sequence[str],
    n_deals: int,
    bounds: Bounds = (0, math.inf),
    level: float = LEVEL,
) -> pd.DataFrame:
    """Events per occasion, for each value of some keys.

    Parameters
    ----------
    events
        Columns `by`, `group`, `count`.
    occasions
        Some of the columns `by`, `group`, `count`: what the events are counted against.
    by
        Keys to tell apart: every combination with occasions and each value that an event's other keys take, in order.
    n_deals
        Deals that were counted, all cells together sharing them.
    bounds
        What one occasion's number of events lies between.
    level

    Returns
    -------
    DataFrame
        `by`, `n_events`, `n` (occasions) and the columns of an estimate, by the spread of 64 groups of deals. Fewer
        than 100 events (or occasions without one) are `few_cases`: no coverage is claimed.
    """
    shared = [key for key in by if key in occasions]
    own = [key for key in by if key not in shared]
    tops, bottoms = _by_group(events, by), _by_group(occasions, shared)
    often = max(sum(int(counts.sum()) for counts in bottoms.values()) // max(n_deals, 1), 1)
    rows = []
    for place, values in product(bottoms, product(*(_values(events, key) for key in own))):
        names = dict(zip(shared, place, strict=True)) | dict(zip(own, values, strict=True))
        counted, happened = bottoms[place], tops.get(tuple(names[key] for key in by), np.zeros(GROUPS, np.int64))
        n, n_events = int(counted.sum()), int(happened.sum())
        deals = min(n_deals, max(n // often, 1))
        sample = Sample(min(GROUPS, n_deals), deals, bounds, level)
        found = ratio(happened, counted, sample, _n_off(n_events, n, bounds))
        rows.append({key: names[key] for key in by} | {"n_events": n_events, "n": n} | found.row())
    return pd.DataFrame(rows)


def shares(
    counts: pd.DataFrame, by: Sequence[str], of: Sequence[str], n_deals: int, level: float = LEVEL
) -> pd.DataFrame:
    """The share of each value of some keys among all that was counted with the same values of others.

    Parameters
    ----------
    counts
        Columns `by`, `of`, `group`, `count`.
    by, of
        Shares add up to 1 over `of` for each value of `by`.
    n_deals, level
        As in `rates`.

    Returns
    -------
    DataFrame
        As from `rates`.
    """
    every = counts.groupby([*by, "group"], observed=True)["count"].sum().reset_index()
    return rates(counts, every, [*by, *of], n_deals, (0, 1), level)


def _n_off(n_events: int, n: int, bounds: Bounds) -> int:
    """Occasions that are off what is commonest: with an event or without, whichever are fewer."""
    return n_events if bounds[1] > 1 else min(n_events, n - n_events)


def _values(frame: pd.DataFrame, key: str) -> list[Any]:
    """All values of a key in order: those declared, or those that occur."""
    if isinstance(frame[key].dtype, pd.CategoricalDtype):
        return list(frame[key].cat.categories)
    return sorted(frame[key].unique().tolist())


def _by_group(frame: pd.DataFrame, keys: Sequence[str]) -> dict[Place, Sums]:
    """Counts by group for each value of the keys that occurs, in order."""
    found: dict[Place, Sums] = {}
    sums = frame.groupby([*keys, "group"], observed=True, sort=True)["count"].sum()
    for index, count in sums.items():
        *place, group = index if isinstance(index, tuple) else (index,)
        found.setdefault(tuple(place), np.zeros(GROUPS, np.int64))[group] += count
    return found
