"""How long a game takes: quantiles, mean and histogram of its turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from simkit.stats.frequencies import Frequencies, PerDeal, share_of_rotations, tabulate_all
from simkit.stats.intervals import LEVEL, Bounds, Estimate, mean, proportion, share

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

Array = npt.NDArray[Any]


def turns_per_deal(turns: Array) -> PerDeal:
    """Mean turns of a deal's games; turns is uint16 (rotations, n)."""
    return PerDeal(turns.sum(axis=0, dtype=np.int32), len(turns))


def mean_turns(turns: Array, level: float = LEVEL, bounds: Bounds = (0, math.inf)) -> Estimate:
    """Mean length over deals [turns]; a game cannot be longer than the upper bound."""
    return mean(turns_per_deal(turns).frequencies(), level, bounds)


def quantiles(turns: Array, at: Sequence[float] = QUANTILES, level: float = LEVEL) -> pd.DataFrame:
    """Quantiles of a game's length with their intervals.

    Parameters
    ----------
    turns : uint16 (rotations, n)
    at
        Which quantiles [probability].
    level

    Returns
    -------
    DataFrame
        `quantile` and the columns of an estimate [turns]. One game a deal: order statistics (binomial ranks). Several:
        Woodruff's interval, the empirical distribution read off at t limits over deals around the quantile.

    References
    ----------
    Woodruff (1952), Journal of the American Statistical Association 47, 635-646.
    """
    frequencies = tabulate_all(turns)
    return pd.DataFrame([{"quantile": q} | quantile(turns, frequencies, q, level).row() for q in at])


def quantile(turns: Array, frequencies: Frequencies, q: float, level: float) -> Estimate:
    """One quantile [turns]; `frequencies` are those of all games."""
    rotations, n = turns.shape
    games = rotations * n
    value = _at_rank(frequencies, math.ceil(q * games))
    low, high = order_ranks(n, q, level) if rotations == 1 else _woodruff_ranks(turns, value, q, level)
    method = "order statistics" if rotations == 1 else "Woodruff, t over deals"
    few = low < 1 or high > games
    ends = (_at_rank(frequencies, low), _at_rank(frequencies, high))
    return Estimate(value, *ends, n, level, method, few)


def order_ranks(n: int, q: float, level: float = LEVEL) -> tuple[int, int]:
    """Ranks (1..n) of the order statistics that enclose the quantile; 0 or n + 1 where there is no such rank.

    Examples
    --------
    The median of 20 values lies between the 6th and the 15th (95.9 %).

    >>> order_ranks(20, 0.5)
    (6, 15)
    """
    tail = (1 - level) / 2
    return int(stats.binom.ppf(tail, n, q)), int(stats.binom.ppf(1 - tail, n, q)) + 1


def _woodruff_ranks(turns: Array, value: float, q: float, level: float) -> tuple[int, int]:
    """Ranks among all games, from the spread between deals of the share of games that are no longer than `value`."""
    within = share_of_rotations(turns <= value).frequencies()
    reach = stats.t.ppf((1 + level) / 2, max(within.n - 1, 1)) * math.sqrt(within.variance / within.n)
    games = turns.size
    return math.floor((q - reach) * games), math.ceil((q + reach) * games) + 1


def _at_rank(frequencies: Frequencies, rank: int) -> float:
    """The value of that rank, the nearest one if there is none."""
    ends = np.cumsum(frequencies.counts)
    return float(frequencies.values[np.searchsorted(ends, min(max(rank, 1), int(ends[-1])))])


def histogram(turns: Array, level: float = LEVEL) -> pd.DataFrame:
    """The share of games of each length.

    Parameters
    ----------
    turns : uint16 (rotations, n)
    level

    Returns
    -------
    DataFrame
        `turns` and the columns of a share's estimate.
    """
    lengths = tabulate_all(turns)
    if len(turns) == 1:
        shares = [proportion(int(count), lengths.n, level) for count in lengths.counts]
    else:
        shares = [share(share_of_rotations(turns == t).frequencies(), level) for t in lengths.values]
    return pd.DataFrame([{"turns": int(t)} | e.row() for t, e in zip(lengths.values, shares, strict=True)])
