"""Quantiles of a game's length, with intervals that know of deals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simkit.stats import pacing

RNG = np.random.default_rng(23)


@pytest.mark.parametrize("q", [0.05, 0.25, 0.5, 0.75, 0.95])
def test_one_game_a_deal_gives_order_statistics_as_scipy_does(q: float) -> None:
    turns = RNG.poisson(1000, (1, 3000)).astype(np.uint16)
    found = pacing.quantiles(turns, (q,)).iloc[0]
    wanted = stats.quantile_test(turns[0], q=0, p=q).confidence_interval(0.95)
    assert found["value"] == np.quantile(turns, q, method="inverted_cdf")
    assert abs(found["low"] - wanted.low) <= 1
    assert abs(found["high"] - wanted.high) <= 1


@pytest.mark.parametrize("n", [5, 20, 121])
def test_ranks_enclose_the_median_often_enough(n: int) -> None:
    """The probability that the quantile lies between the ranks, from the binomial distribution."""
    low, high = pacing.order_ranks(n, 0.5)
    assert stats.binom.cdf(high - 1, n, 0.5) - stats.binom.cdf(low - 1, n, 0.5) >= 0.95


def test_too_few_games_for_an_extreme_quantile_are_marked() -> None:
    found = pacing.quantiles(np.arange(1, 20, dtype=np.uint16)[None], (0.05, 0.5)).set_index("quantile")
    assert found.loc[0.05, "few_cases"]
    assert not found.loc[0.5, "few_cases"]


def test_rotations_of_a_deal_are_not_games_apart() -> None:
    """Three rotations of equal length tell no more than one; taken as games they would (negative control)."""
    turns = np.random.default_rng(24).integers(1000, 60000, (1, 3000)).astype(np.uint16)
    copied = np.repeat(turns, 3, axis=0)
    once, thrice = (pacing.quantiles(t, (0.5,)).iloc[0] for t in (turns, copied))
    as_games = pacing.quantiles(copied.reshape(1, -1), (0.5,)).iloc[0]
    width, honest = once["high"] - once["low"], thrice["high"] - thrice["low"]
    assert honest == pytest.approx(width, rel=0.03)  # ranks are rounded: one of a hundred
    assert as_games["high"] - as_games["low"] < 0.75 * width


def test_mean_turns_are_means_over_deals() -> None:
    turns = RNG.poisson(20, (3, 500)).astype(np.uint16)
    found = pacing.mean_turns(turns)
    wanted = stats.ttest_1samp(turns.mean(axis=0), 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


@pytest.mark.parametrize("rotations", [1, 2])
def test_the_histogram_holds_every_game(rotations: int) -> None:
    turns = RNG.poisson(12, (rotations, 900)).astype(np.uint16)
    found = pacing.histogram(turns)
    assert found["value"].sum() == pytest.approx(1)
    assert dict(zip(found["turns"], found["value"] * turns.size, strict=True)) == pytest.approx(
        dict(zip(*(x.tolist() for x in np.unique(turns, return_counts=True)), strict=True))
    )
    assert (found["low"] <= found["value"]).all()
    assert (found["value"] <= found["high"]).all()
