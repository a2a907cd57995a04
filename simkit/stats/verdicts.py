"""Is it balanced? Intervals against a band that the designer sets, never a bare p-value.

`balanced`: every interval lies inside the band. `unbalanced`: one lies wholly outside. Else `undecided`, with the
number of deals that would decide it if the estimates stay as they are, or "at the band's edge".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from simkit.stats.frequencies import Frequencies
from simkit.stats.intervals import FEW_OFF, LEVEL, Estimate, share, simultaneous

Word = Literal["balanced", "unbalanced", "undecided"]

MOST_DEALS = 10**9
"""An estimate that would need more deals than this lies at the band's edge."""


@dataclass(frozen=True)
class Verdict:
    """What a cell's estimates say against a band.

    Parameters
    ----------
    word
        balanced, unbalanced or undecided.
    estimates
        One per seat (simultaneous intervals), or the table's win rate.
    low, high
        The band.
    centre
        Fair, or the middle of the band.
    deals_needed
        Undecided: deals that would decide it at the present estimates; None at the band's edge.
    few_cases
        Undecided because there are too few cases to claim coverage.
    """

    word: Word
    estimates: tuple[Estimate, ...]
    low: float
    high: float
    centre: float
    deals_needed: int | None = None
    few_cases: bool = False

    @property
    def at_edge(self) -> bool:
        """Undecided however many deals are played."""
        return self.word == "undecided" and self.deals_needed is None

    @property
    def worst(self) -> int:
        """Index of the estimate farthest from the centre."""
        gaps = [abs(estimate.value - self.centre) for estimate in self.estimates]
        return gaps.index(max(gaps))

    @property
    def gap(self) -> float:
        """How far the farthest estimate lies from the centre."""
        return abs(self.estimates[self.worst].value - self.centre)

    @property
    def outside(self) -> list[int]:
        """Indices of the estimates whose intervals lie wholly outside the band."""
        return [i for i, e in enumerate(self.estimates) if e.high < self.low or e.low > self.high]


def family_level(n_cells: int, level: float = LEVEL) -> float:
    """The level of one cell's verdict in a report of several, so that all hold at once.

    Examples
    --------
    >>> round(family_level(5), 6)
    0.99
    """
    return 1 - (1 - level) / max(n_cells, 1)


def seat_verdict(shares: Sequence[Frequencies], fair: float, band: float, level: float = LEVEL) -> Verdict:
    """Whether every seat wins its fair share, within the band.

    Parameters
    ----------
    shares
        Of each seat, over deals.
    fair
        Finished games / (seats x games).
    band
        How far from fair a share may lie [probability].
    level
        Of all the cell's intervals at once.
    """
    return judge(simultaneous(shares, level), fair - band, fair + band, fair)


def rate_verdict(rate: Frequencies, wanted: tuple[float, float], level: float = LEVEL) -> Verdict:
    """Whether a cooperative table wins as often as wanted."""
    return judge([share(rate, level)], *wanted, sum(wanted) / 2)


def judge(estimates: Sequence[Estimate], low: float, high: float, centre: float) -> Verdict:
    """Intervals against a band."""
    few = any(estimate.few_cases for estimate in estimates)
    word: Word = "undecided"
    if not few and all(low <= estimate.low and estimate.high <= high for estimate in estimates):
        word = "balanced"
    elif not few and any(estimate.high < low or estimate.low > high for estimate in estimates):
        word = "unbalanced"
    needed = deals_needed(estimates, low, high) if word == "undecided" else None
    return Verdict(word, tuple(estimates), low, high, centre, needed, few)


def deals_needed(estimates: Sequence[Estimate], low: float, high: float) -> int | None:
    """Deals that would decide it at the present estimates, intervals shrinking with the root of their number.

    Returns
    -------
    int or None
        None: more than `MOST_DEALS`, so at the band's edge.
    """
    outside = [_growth(e, low, high) for e in estimates if not low <= e.value <= high]
    growth = min(outside) if outside else max((_growth(e, low, high) for e in estimates), default=math.inf)
    enough = max((FEW_OFF / max(e.n_off, 1) for e in estimates if e.few_cases), default=0.0)
    deals = max(growth, enough) * max((e.n_deals for e in estimates), default=0)
    return math.ceil(deals) if 0 < deals <= MOST_DEALS else None


def _growth(estimate: Estimate, low: float, high: float) -> float:
    """How many times as many deals bring this interval wholly to one side of the band's edges."""
    value = estimate.value
    below, above = value - estimate.low, estimate.high - value
    if value > high:
        ratios = [_ratio(below, value - high)]
    elif value < low:
        ratios = [_ratio(above, low - value)]
    else:
        ratios = [_ratio(above, high - value), _ratio(below, value - low)]
    return max(ratios) ** 2


def _ratio(reach: float, room: float) -> float:
    """How often the room goes into the interval's reach."""
    return reach / room if room > 0 else math.inf
