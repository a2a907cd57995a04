"""What changes, and who beats whom: paired differences on the same deals, and what the pairing gained.

The gain is the factor by which pairing shrank the variance against unpaired play of as many games. Cells that share no
deal have unpaired differences. A difference is judged by its interval against a margin to either side of 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from simkit.stats.frequencies import Frequencies, PerDeal, tabulate
from simkit.stats.intervals import DIFFERENCE, FEW_OFF, LEVEL, Bounds, Estimate, mean
from simkit.stats.shares import WIN, places
from simkit.stats.verdicts import Verdict, judge

Array = npt.NDArray[Any]
Side = Literal["above", "below", "alike", "undecided"]


@dataclass(frozen=True)
class Difference:
    """A difference of means over deals.

    Parameters
    ----------
    estimate
        Paired: the mean of the deals' differences, by Student's t. Unpaired: Welch's interval.
    gain
        Variance of the unpaired difference / variance of the paired one; NaN where that is 0, or nothing is paired.
    """

    estimate: Estimate
    gain: float

    def row(self) -> dict[str, Any]:
        """The columns of a table."""
        return self.estimate.row() | {"gain": self.gain}


def paired(first: PerDeal, second: PerDeal, level: float = LEVEL, bounds: Bounds = DIFFERENCE) -> Difference:
    """second - first on the deals that both have.

    Parameters
    ----------
    first, second
        The same measure in two cells, deals in the same order.
    level
    bounds
        What a deal's difference must lie between.

    Examples
    --------
    >>> a, b = PerDeal(np.array([0, 60, 60, 0]), 60), PerDeal(np.array([60, 60, 60, 0]), 60)
    >>> paired(a, b).estimate.value
    0.25
    """
    n = min(len(first.points), len(second.points))
    scale = math.lcm(first.scale, second.scale)
    ours = first.points[:n].astype(np.int32) * (scale // first.scale)
    theirs = second.points[:n].astype(np.int32) * (scale // second.scale)
    unpaired = tabulate(ours, scale).variance + tabulate(theirs, scale).variance
    return _difference(PerDeal(theirs - ours, scale), unpaired, level, bounds)


def _difference(apart: PerDeal, unpaired: float, level: float, bounds: Bounds) -> Difference:
    """A difference whose values per deal are at hand."""
    frequencies = apart.frequencies()
    gain = unpaired / frequencies.variance if frequencies.variance > 0 else math.nan
    return Difference(mean(frequencies, level, bounds), gain)


def unpaired(first: Frequencies, second: Frequencies, level: float = LEVEL, bounds: Bounds = DIFFERENCE) -> Difference:
    """second - first where the two share no deal; the gain is NaN.

    Parameters
    ----------
    first, second
        The same measure in two cells.
    level
    bounds
        What a deal's difference must lie between.

    Returns
    -------
    Difference
        By Welch's t. Where one has no variance: the ends of both means' intervals, each at half the error. `n_deals`
        and `few_cases` are those of the smaller sample.

    References
    ----------
    Welch (1947), Biometrika 34, 28-35.
    """
    value, n = second.mean - first.mean, min(first.n, second.n)
    n_off = min(first.n_off, second.n_off)
    if 0 in (first.variance, second.variance):
        return Difference(_apart(first, second, level, bounds), math.nan)
    samples = (DescrStatsW(s.values, weights=s.counts) for s in (second, first))
    low, high = CompareMeans(*samples).tconfint_diff(1 - level, usevar="unequal")
    low, high = max(float(low), bounds[0]), min(float(high), bounds[1])
    return Difference(Estimate(value, low, high, n, level, "Welch, unpaired", n_off < FEW_OFF, n_off), math.nan)


def _apart(first: Frequencies, second: Frequencies, level: float, bounds: Bounds) -> Estimate:
    """The same where at least one of the two does not vary."""
    each, reach = (1 + level) / 2, max(bounds)
    a, b = (mean(sample, each, (0.0, reach)) for sample in (first, second))
    few, n = a.few_cases or b.few_cases, min(a.n_deals, b.n_deals)
    n_off = min((e.n_off for e in (a, b) if e.few_cases), default=0)
    return Estimate(b.value - a.value, b.low - a.high, b.high - a.low, n, level, "Bonferroni, unpaired", few, n_off)


def against_margin(estimate: Estimate, margin: float) -> Verdict:
    """A difference against the margin within which it makes no odds.

    Parameters
    ----------
    estimate
    margin
        In the difference's unit.

    Examples
    --------
    >>> found = against_margin(Estimate(0.034, 0.031, 0.037, 10**5, 0.95, "t over deals"), 0.01)
    >>> found.word, side(found)
    ('unbalanced', 'above')
    """
    return judge([estimate], -margin, margin, 0.0)


def side(verdict: Verdict) -> Side:
    """Where the interval lies: wholly above the margin, wholly below, inside (`alike`), or `undecided`."""
    if verdict.word == "unbalanced":
        return "above" if verdict.estimates[0].value > verdict.centre else "below"
    return "alike" if verdict.word == "balanced" else "undecided"


@dataclass(frozen=True)
class Gap:
    """One label's win share less another's in one line-up.

    Parameters
    ----------
    per_deal
        Over all rotations of a deal.
    unpaired
        Variance for games that share no deal, as many of each rotation: the mean over rotations of one game's variance,
        divided by the rotations.
    """

    per_deal: PerDeal
    unpaired: float

    def difference(self, level: float = LEVEL) -> Difference:
        """Its mean and interval."""
        return _difference(self.per_deal, self.unpaired, level, DIFFERENCE)


def label_gap(win: Array, labels: Sequence[str], label: str, other: str) -> Gap:
    """Win share per seat of `label` less that of `other`.

    Parameters
    ----------
    win : uint8 (rotations, seats, n)
    labels
        Of the line-up, in cyclic order.
    label, other
        Two of them.
    """
    rotations = len(win)
    n_mine, n_theirs = (list(labels).count(name) for name in (label, other))
    weight = dict.fromkeys(places(labels, label, rotations), n_theirs)
    weight |= dict.fromkeys(places(labels, other, rotations), -n_mine)
    total, unpaired = np.zeros(win.shape[2], np.int32), 0.0
    for rotation in range(rotations):
        points = np.zeros(win.shape[2], np.int32)
        for seat in range(len(labels)):
            if (rotation, seat) in weight:
                points += win[rotation, seat] * np.int32(weight[rotation, seat])
        unpaired += tabulate(points, WIN * n_mine * n_theirs).variance / rotations**2
        total += points
    return Gap(PerDeal(total, WIN * rotations * n_mine * n_theirs), unpaired)


def mean_gap(gaps: Sequence[Gap]) -> Gap:
    """The mean of several line-ups' gaps (A among Bs, B among As), on the deals that all have."""
    n = min(len(gap.per_deal.points) for gap in gaps)
    scale = math.lcm(*(gap.per_deal.scale for gap in gaps))
    points = np.zeros(n, np.int64)
    for gap in gaps:
        points += gap.per_deal.points[:n] * np.int64(scale // gap.per_deal.scale)
    return Gap(PerDeal(points, len(gaps) * scale), sum(gap.unpaired for gap in gaps) / len(gaps) ** 2)


def one_among(labels: Sequence[str]) -> list[tuple[str, str]]:
    """The cells (A, B) of the win matrix that a line-up gives: A as the one A among Bs.

    Examples
    --------
    >>> one_among(["a", "b", "b"]), one_among(["a", "b"]), one_among(["a", "a"])
    ([('a', 'b')], [('a', 'b'), ('b', 'a')], [])
    """
    names = sorted(set(labels))
    if len(names) != 2:
        return []
    return [(a, b) for a, b in (names, names[::-1]) if list(labels).count(a) == 1]


def beats(pairs: pd.DataFrame) -> set[tuple[str, str]]:
    """Who beats whom: pairs whose interval lies above 0, or below it.

    Parameters
    ----------
    pairs
        Columns `label`, `other`, `low`, `high`, `few_cases`; a row per pair: win share of label less that of other.
    """
    sure = pairs[~pairs["few_cases"].astype(bool)]
    ahead, behind = sure[sure["low"] > 0], sure[sure["high"] < 0]
    won = set(zip(ahead["label"].astype(str), ahead["other"].astype(str), strict=True))
    return won | set(zip(behind["other"].astype(str), behind["label"].astype(str), strict=True))


def top(pairs: pd.DataFrame) -> str | None:
    """The label that beats every other one, if there is one."""
    won = beats(pairs)
    labels = sorted({*pairs["label"], *pairs["other"]})
    return next((a for a in labels if all((a, b) in won for b in labels if b != a)), None)


def cycles(pairs: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Rock-paper-scissors: three labels each of which beats the next.

    Any longer cycle in which all pairs are decided holds one of three.
    """
    won = beats(pairs)
    return sorted(_cycles_of_three(sorted({*pairs["label"], *pairs["other"]}), won))


def _cycles_of_three(labels: Sequence[str], won: set[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Both directions of every three."""
    for a, b, c in combinations(labels, 3):
        for x, y, z in ((a, b, c), (a, c, b)):
            if {(x, y), (y, z), (z, x)} <= won:
                yield x, y, z
