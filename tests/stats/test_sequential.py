"""Looks are fixed beforehand, and an interval that was stopped at still covers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from simkit.stats.frequencies import Frequencies, PerDeal
from simkit.stats.intervals import share
from simkit.stats.sequential import FIRST_LOOK, half_width, is_precise, looks, widest


@given(st.integers(1, 10**12))
def test_looks_double_up_to_the_ceiling(ceiling: int) -> None:
    found = list(looks(ceiling))
    assert found[-1] == ceiling
    assert found[:-1] == [FIRST_LOOK * 2**k for k in range(len(found) - 1)]
    assert found == sorted(set(found))
    assert FIRST_LOOK * 2 ** (len(found) - 1) >= ceiling  # none left out


def test_the_widest_share_of_the_first_deals_counts() -> None:
    luck = np.random.default_rng(1)
    often, seldom = (PerDeal((luck.random(9000) < p) * np.uint8(60), 60) for p in (0.5, 0.05))
    assert widest([seldom, often], 5000) == share(PerDeal(often.points[:5000], 60).frequencies())


@pytest.mark.parametrize("value", [0, 60])
def test_nothing_but_wins_or_losses_is_precise_in_the_end(value: int) -> None:
    """Clopper-Pearson's half-width is about 3.7 / 2n with no case at all."""
    estimate = widest([PerDeal(np.full(4096, value, np.uint8), 60)], 4096)
    assert is_precise(estimate, 0.001)
    assert not is_precise(estimate, 0.0004)


def test_few_cases_are_never_precise() -> None:
    split = np.zeros(100_000, np.uint8)
    split[:20] = 30
    estimate = widest([PerDeal(split, 60)], 100_000)
    assert half_width(estimate) < 0.001
    assert not is_precise(estimate, 0.001)


N_EXPERIMENTS, LEVEL, PRECISION, CEILING = 2000, 0.95, 0.0088, 1 << 16


def coverage(p: float, luck: np.random.Generator, precision: float) -> tuple[float, set[int]]:
    """How often the interval at the stop holds the truth, and where play stopped."""
    held, stops = 0, set()
    for _ in range(N_EXPERIMENTS):
        wins = n = 0
        for look in looks(CEILING):
            wins, n = wins + int(luck.binomial(look - n, p)), look
            estimate = share(Frequencies(np.array([0.0, 1.0]), np.array([n - wins, wins])))
            if is_precise(estimate, precision):
                break
        held += estimate.low <= p <= estimate.high
        stops.add(n)
    return held / N_EXPERIMENTS, stops


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.5, 0.3, 0.1])
def test_an_interval_that_was_stopped_at_covers(p: float) -> None:
    """2,000 experiments: the number that cover lies within the 0.1 % and 99.9 % points of the binomial at 95 %."""
    found, _ = coverage(p, np.random.default_rng(5), PRECISION)
    low, high = binom.ppf([0.001, 0.999], N_EXPERIMENTS, LEVEL) / N_EXPERIMENTS
    assert low <= found <= high


@pytest.mark.slow
def test_stopping_where_the_share_looks_good_does_not_cover() -> None:
    """Negative control: stopping by where an interval lies, and not by its width, is found."""
    luck, held = np.random.default_rng(6), 0
    for _ in range(N_EXPERIMENTS):
        wins = n = 0
        for look in looks(CEILING):
            wins, n = wins + int(luck.binomial(look - n, 0.5)), look
            estimate = share(Frequencies(np.array([0.0, 1.0]), np.array([n - wins, wins])))
            if estimate.low > 0.5:
                break
        held += estimate.low <= 0.5 <= estimate.high
    assert held / N_EXPERIMENTS < binom.ppf(0.001, N_EXPERIMENTS, LEVEL) / N_EXPERIMENTS
