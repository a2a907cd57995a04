"""Estimates and their intervals. The unit is the deal with all its rotations, never the game.

Which interval stands beside a share:

- a plain proportion (every deal a whole win or none): Wilson; Clopper-Pearson with fewer than 30 cases on either side;
- otherwise t over deals, marked `few_cases` (no coverage claimed) with fewer than 100 deals off the commonest value;
- no variance: Clopper-Pearson on the deals that might have been off the only value seen.

scipy and statsmodels are loaded with the first interval, as they take a second and most of play needs none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.stats.frequencies import Frequencies

LEVEL = 0.95
FEW_WINS = 30
"""Wins (or losses) below which a proportion's interval is the exact one."""
FEW_OFF = 100
"""Deals off the commonest value below which a mean over deals claims no coverage."""

Bounds = tuple[float, float]
SHARE: Bounds = (0.0, 1.0)
DIFFERENCE: Bounds = (-1.0, 1.0)


@dataclass(frozen=True)
class Estimate:
    """A number, its interval, and what it rests on.

    Parameters
    ----------
    value, low, high
        In the measure's unit.
    n_deals
        Deals, or games where each is a deal.
    level
        Coverage aimed at [probability].
    method
        How the interval was obtained.
    few_cases
        Too few cases to claim coverage.
    n_off
        Deals off the commonest value.
    """

    value: float
    low: float
    high: float
    n_deals: int
    level: float
    method: str
    few_cases: bool = False
    n_off: int = 0

    def row(self) -> dict[str, Any]:
        """The columns of a table."""
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "n_deals": self.n_deals,
            "level": self.level,
            "method": self.method,
            "few_cases": self.few_cases,
        }


def proportion(n_wins: int, n: int, level: float = LEVEL) -> Estimate:
    """A plain proportion: Wilson, or Clopper-Pearson with fewer than 30 cases on either side.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17, 857-872.

    Examples
    --------
    >>> e = proportion(81, 263)
    >>> f"{e.low:.4f} {e.high:.4f} {e.method}"
    '0.2553 0.3662 Wilson'
    """
    n_off = min(n_wins, n - n_wins)
    method = "Wilson" if n_off >= FEW_WINS else "Clopper-Pearson"
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0, 0, level, "no deals", few_cases=True)
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(n_wins, n, 1 - level, "wilson" if method == "Wilson" else "beta")
    return Estimate(n_wins / n, float(low), float(high), n, level, method, n_off=n_off)


def share(frequencies: Frequencies, level: float = LEVEL) -> Estimate:
    """A share, each deal's value lying between 0 and 1."""
    if frequencies.is_plain:
        return proportion(frequencies.n_wins, frequencies.n, level)
    return mean(frequencies, level, SHARE)


def mean(frequencies: Frequencies, level: float = LEVEL, bounds: Bounds = (-math.inf, math.inf)) -> Estimate:
    """A mean over deals by Student's t; Clopper-Pearson where the deals are all alike.

    Parameters
    ----------
    frequencies
        Of the deals' values.
    level
    bounds
        What a deal's value must lie between. Without them a mean without variance has no interval (infinite ends).
    """
    n, centre = frequencies.n, frequencies.mean
    if frequencies.variance == 0:
        return _constant(centre, n, level, bounds)
    from scipy import stats

    reach = stats.t.ppf((1 + level) / 2, n - 1) * math.sqrt(frequencies.variance / n)
    low, high = max(centre - reach, bounds[0]), min(centre + reach, bounds[1])
    few = frequencies.n_off < FEW_OFF
    return Estimate(centre, float(low), float(high), n, level, "t over deals", few, frequencies.n_off)


def _constant(value: float, n: int, level: float, bounds: Bounds) -> Estimate:
    """All deals alike: at most a share `off` of deals may be otherwise, and then at the worst at a bound."""
    if n == 0:
        return Estimate(math.nan, *bounds, 0, level, "no deals", few_cases=True)
    off = proportion(0, n, level).high
    low = value - off * (value - bounds[0]) if value > bounds[0] else value
    high = value + off * (bounds[1] - value) if value < bounds[1] else value
    return Estimate(value, low, high, n, level, "Clopper-Pearson")


def simultaneous(shares: Sequence[Frequencies], level: float = LEVEL) -> list[Estimate]:
    """Intervals that hold together for all seats of a cell.

    Goodman if no point is split and a deal is one game; else Bonferroni over the seats.

    Parameters
    ----------
    shares
        Of each seat; together they make up one point a deal, or less where games are unfinished.
    level
        Of all of them at once.

    References
    ----------
    Goodman (1965), Technometrics 7, 247-254.
    """
    if shares and shares[0].n and all(seat.is_plain for seat in shares):
        return _goodman(shares, level)
    each = 1 - (1 - level) / len(shares)
    return [_renamed(share(seat, each), "Bonferroni, ", level) for seat in shares]


def _goodman(shares: Sequence[Frequencies], level: float) -> list[Estimate]:
    """Goodman's intervals; exact ones at the same level for seats with fewer than 30 cases on either side."""
    from statsmodels.stats.proportion import multinomial_proportions_confint

    n, wins = shares[0].n, [seat.n_wins for seat in shares]
    nobody = n - sum(wins)
    counts = [*wins, nobody] if nobody else wins
    ends = multinomial_proportions_confint(counts, 1 - level, method="goodman")
    each = 1 - (1 - level) / len(counts)
    estimates = []
    for won, (low, high) in zip(wins, np.asarray(ends), strict=False):
        alone = proportion(won, n, each)
        if alone.n_off < FEW_WINS:
            estimates.append(_renamed(alone, "Bonferroni, ", level))
        else:
            estimates.append(Estimate(won / n, float(low), float(high), n, level, "Goodman", n_off=alone.n_off))
    return estimates


def _renamed(estimate: Estimate, prefix: str, level: float) -> Estimate:
    """The same with the level of all seats at once."""
    ends = (estimate.value, estimate.low, estimate.high, estimate.n_deals, level)
    return Estimate(*ends, prefix + estimate.method, estimate.few_cases, estimate.n_off)
