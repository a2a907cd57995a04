"""What a feature is worth: cells with it less cells without, deal by deal."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from simkit.stats.effects import effects
from simkit.stats.frequencies import PerDeal

N = 4000
BOUNDS = (-1000.0, 1000.0)
WORTH = (3, 0, -2, 1)


def triples(rng: np.random.Generator) -> list[tuple[PerDeal, list[bool | None]]]:
    """All pairs of four features: a deal's luck is shared by all cells, each feature adds its worth."""
    luck = rng.integers(0, 50, N)
    cells = []
    for pair in combinations(range(4), 2):
        points = 100 + luck + sum(WORTH[feature] for feature in pair) + rng.integers(0, 3, N)
        cells.append((PerDeal(points, 1), [feature in pair for feature in range(4)]))
    return cells


def test_effects_are_means_of_each_deals_difference() -> None:
    cells = triples(np.random.default_rng(1))
    found = effects(cells, 4, bounds=BOUNDS)
    for feature, difference in enumerate(found):
        having = np.mean([deals.points for deals, has in cells if has[feature]], axis=0)
        without = np.mean([deals.points for deals, has in cells if not has[feature]], axis=0)
        wanted = stats.ttest_rel(having, without).confidence_interval(0.95)
        assert difference is not None
        assert difference.estimate.value == pytest.approx((having - without).mean())
        assert (difference.estimate.low, difference.estimate.high) == pytest.approx((wanted.low, wanted.high))


def test_intervals_hold_what_was_put_in_and_shared_deals_gain_much() -> None:
    """With two of four dealt, a feature stands in place of the mean of the other three, one of which stays anyway."""
    for worth, difference in zip(WORTH, effects(triples(np.random.default_rng(2)), 4, bounds=BOUNDS), strict=True):
        others = (sum(WORTH) - worth) / 3
        assert difference is not None
        assert difference.estimate.low <= worth - others <= difference.estimate.high
        assert difference.gain > 20


def test_what_does_nothing_has_an_interval_around_zero() -> None:
    """Negative control: a label that has nothing to do with the points."""
    rng = np.random.default_rng(3)
    luck = rng.integers(0, 50, N)
    cells = [(PerDeal(luck + rng.integers(0, 3, N), 1), [bool(i % 2)]) for i in range(6)]
    (found,) = effects(cells, 1, bounds=BOUNDS)
    assert found is not None
    assert found.estimate.low < 0 < found.estimate.high


def test_a_cell_that_leaves_it_to_luck_says_nothing() -> None:
    ones, twos = (PerDeal(np.full(200, value), 1) for value in (1, 2))
    cells = [(ones, [False, None]), (twos, [True, None]), (PerDeal(np.full(200, 99), 1), [None, None])]
    found = effects(cells, 2, bounds=BOUNDS)
    assert found[0] is not None
    assert found[0].estimate.value == 1
    assert found[1] is None


def test_deals_that_not_all_cells_have_are_left_out() -> None:
    cells = [(PerDeal(np.array([1, 2, 3, 99]), 3), [False]), (PerDeal(np.array([4, 5, 6]), 3), [True])]
    (found,) = effects(cells, 1, bounds=BOUNDS)
    assert found is not None
    assert (found.estimate.value, found.estimate.n_deals) == (1, 3)
