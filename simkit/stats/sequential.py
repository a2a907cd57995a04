"""Stopping when the answer is precise enough: looks at fixed numbers of deals, in index order.

Whether to stop at a look depends on the deals before it and on nothing else: neither on how they were played nor on
what was played beyond. Looks lie a factor of two apart, so that there are few of them; an interval that is narrow
enough to stop at was not chosen for where it lies, only for its width, which the share hardly moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simkit.stats.frequencies import PerDeal
from simkit.stats.intervals import Estimate, share

FIRST_LOOK = 4096
"""Deals before the first look."""
PRECISE = "precise enough"
"""Why a cell was left alone, if it was not for its ceiling."""


def looks(ceiling: int) -> Iterator[int]:
    """Numbers of deals at which to look; the last is the ceiling.

    >>> list(looks(20_000)), list(looks(100))
    ([4096, 8192, 16384, 20000], [100])
    """
    n_deals = FIRST_LOOK
    while n_deals < ceiling:
        yield n_deals
        n_deals *= 2
    yield ceiling


def widest(shares: Sequence[PerDeal], n_deals: int) -> Estimate:
    """The share with the widest 95 % interval over the first deals.

    Parameters
    ----------
    shares
        Of every seat, or of the table.
    n_deals
        How many deals to look at.
    """
    estimates = [share(PerDeal(each.points[:n_deals], each.scale).frequencies()) for each in shares]
    return max(estimates, key=half_width)


def half_width(estimate: Estimate) -> float:
    """Half of an interval's width."""
    return (estimate.high - estimate.low) / 2


def is_precise(estimate: Estimate, precision: float) -> bool:
    """Whether an interval is narrow enough, and rests on enough cases to be believed."""
    return not estimate.few_cases and half_width(estimate) <= precision
