"""Exact bounds: which shares of a simulation cannot be told from the probabilities that they are to have."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction

import numpy as np
from scipy import stats


def far_off(seen: Mapping[Hashable, int], exact: Mapping[Hashable, Fraction], error_rate: float) -> list[str]:
    """Values whose share is too far from its probability, and values that cannot be.

    The interval of every share is Clopper and Pearson's, exact at any probability and number of games, at the level
    that is left when `error_rate` is shared out among all values (Bonferroni): a right simulation is found far off with
    a probability below `error_rate`.

    Parameters
    ----------
    seen
        Value -> games.
    exact
        Value -> probability; they add up to 1.

    Returns
    -------
    list of str
        A line for each.
    """
    assert sum(exact.values()) == 1
    off = [f"{value}: impossible, seen {n} times" for value, n in seen.items() if not exact.get(value)]
    n, values = sum(seen.values()), [value for value, p in exact.items() if p]
    found, tail = np.array([seen.get(value, 0) for value in values]), error_rate / (2 * len(values))
    low = np.where(found > 0, stats.beta.ppf(tail, np.maximum(found, 1), n - found + 1), 0)
    high = np.where(found < n, stats.beta.isf(tail, found + 1, np.maximum(n - found, 1)), 1)
    for value, k, least, most in zip(values, found, low, high, strict=True):
        p = float(exact[value])
        if not least <= p <= most:
            off.append(f"{value}: exactly {p:.6f}, simulated {k / n:.6f} [{least:.6f}, {most:.6f}]")
    return off


def chance(alarms: int) -> float:
    """The error rate of each of so many comparisons if all of them together are to be wrong once in a million seeds."""
    return 1e-6 / alarms
