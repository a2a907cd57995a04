"""Intervals against published or independently computed values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from simkit.stats import intervals
from simkit.stats.frequencies import BLOCK, Frequencies, tabulate
from tests.stats.made import of_values, plain

# Newcombe (1998), Table I: 95 % limits; with fewer than 30 cases on either side the exact method is ours
NEWCOMBE = [
    (81, 263, "Wilson", 0.2553, 0.3662),
    (15, 148, "Clopper-Pearson", 0.0578, 0.1617),
    (0, 20, "Clopper-Pearson", 0.0, 0.1684),
    (1, 29, "Clopper-Pearson", 0.0009, 0.1776),
]


@pytest.mark.parametrize(("n_wins", "n", "method", "low", "high"), NEWCOMBE)
def test_proportions_as_published(n_wins: int, n: int, method: str, low: float, high: float) -> None:
    found = intervals.proportion(n_wins, n)
    assert found.method == method
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("n_wins", "method"), [(29, "Clopper-Pearson"), (30, "Wilson"), (970, "Wilson"), (971, "Clopper-Pearson")]
)
def test_thirty_cases_on_either_side_make_it_wilson(n_wins: int, method: str) -> None:
    assert intervals.proportion(n_wins, 1000).method == method


@pytest.mark.parametrize("n_wins", [0, 20])
def test_exact_limits_hold_at_a_tiny_level(n_wins: int) -> None:
    """No success in n: the upper limit is 1 - (alpha / 2)^(1 / n)."""
    found = intervals.proportion(n_wins, 20, level=1 - 1e-9)
    reach = 1 - 5e-10 ** (1 / 20)
    wanted = (0, reach) if n_wins == 0 else (1 - reach, 1)
    assert (found.low, found.high) == pytest.approx(wanted, abs=1e-7)


def test_goodman_as_published() -> None:
    """Sison and Glaz (1995), first example, Goodman's intervals to three digits."""
    counts = [56, 72, 73, 59, 62, 87, 58]
    published = [
        (0.085, 0.166),
        (0.115, 0.204),
        (0.116, 0.207),
        (0.091, 0.173),
        (0.096, 0.181),
        (0.143, 0.239),
        (0.089, 0.171),
    ]
    found = intervals.simultaneous([plain(k, sum(counts)) for k in counts])
    assert {e.method for e in found} == {"Goodman"}
    assert [(e.low, e.high) for e in found] == [pytest.approx(p, abs=6e-4) for p in published]


def test_goodman_counts_games_that_nobody_won() -> None:
    """With 100 unfinished games of 1,000 there are three categories: Goodman's formula written out."""
    found = intervals.simultaneous([plain(500, 1000), plain(400, 1000)], level=0.9)[0]
    a, p, n = stats.chi2.isf(0.1 / 3, 1), 0.5, 1000
    ends = [(a + 2 * n * p + s * math.sqrt(a * (a + 4 * n * p * (1 - p)))) / (2 * (n + a)) for s in (-1, 1)]
    assert (found.low, found.high) == pytest.approx(ends)


def test_goodman_gives_way_to_exact_limits_where_cases_are_few() -> None:
    rare, common = intervals.simultaneous([plain(3, 1000), plain(997, 1000)])
    exact = stats.binomtest(3, 1000).proportion_ci(0.975, method="exact")
    assert (rare.low, rare.high) == pytest.approx((exact.low, exact.high))
    assert rare.method == common.method == "Bonferroni, Clopper-Pearson"


def test_split_points_make_it_bonferroni_t() -> None:
    rng = np.random.default_rng(5)
    values = rng.choice([0, 0.5, 1], 500)
    first, second = intervals.simultaneous([of_values(values), of_values(1 - values)])
    wanted = stats.ttest_1samp(values, 0).confidence_interval(0.975)
    assert first.method == "Bonferroni, t over deals"
    assert (first.low, first.high) == pytest.approx((wanted.low, wanted.high))
    assert (second.low, second.high) == pytest.approx((1 - wanted.high, 1 - wanted.low))


def test_means_are_students_t() -> None:
    values = np.random.default_rng(1).integers(0, 40, 3000)
    found = intervals.mean(tabulate(values))
    wanted = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))
    assert not found.few_cases


def test_few_cases_claim_nothing() -> None:
    """99 deals off the commonest value are few, 100 are not."""
    assert intervals.mean(of_values([0.5] * 99 + [0.25] * 5000), bounds=(0, 1)).few_cases
    assert not intervals.mean(of_values([0.5] * 100 + [0.25] * 5000), bounds=(0, 1)).few_cases


def test_no_variance_is_clopper_pearson_on_unseen_deals() -> None:
    """All 50 deals at 1/3: at most 1 - 0.025^(1/50) of deals may be otherwise, at worst at 0 or at 1."""
    found = intervals.share(of_values([1 / 3] * 50))
    off = 1 - 0.025 ** (1 / 50)
    assert (found.low, found.high) == pytest.approx((1 / 3 * (1 - off), 1 / 3 + off * 2 / 3))
    assert found.method == "Clopper-Pearson"
    assert not found.few_cases


def test_no_variance_without_bounds_has_no_interval() -> None:
    found = intervals.mean(of_values([12] * 50))
    assert (found.low, found.high) == (-math.inf, math.inf)


def test_a_share_never_leaves_its_bounds() -> None:
    found = intervals.share(of_values([0.0] * 30 + [0.5]))
    assert found.low == 0
    assert found.few_cases


def test_nothing_played_is_no_estimate() -> None:
    found = intervals.share(Frequencies(np.zeros(0), np.zeros(0, np.int64)))
    assert math.isnan(found.value)
    assert (found.low, found.high) == (0, 1)


def test_counting_in_blocks_is_exact() -> None:
    points = np.random.default_rng(3).integers(-300, 300, 2 * BLOCK + 17)
    found = tabulate(points, 60)
    assert found.n == len(points)
    assert found.mean == pytest.approx(points.mean() / 60)
    assert found.variance == pytest.approx(points.var(ddof=1) / 3600)
    assert found.n_off == len(points) - np.unique(points, return_counts=True)[1].max()
