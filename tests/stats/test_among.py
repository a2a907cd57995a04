"""Shares and means among some of the games, against what is computed by hand and by scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from simkit.stats.among import mean_among, share_among

RNG = np.random.default_rng(8)


def test_a_game_counts_only_if_it_is_among_those() -> None:
    lost = np.array([[True, True, True, False]])
    by_dice = np.array([[True, False, False, True]])  # the last one was won, whatever its column says
    assert share_among(by_dice, lost).value == pytest.approx(1 / 3)
    assert share_among(by_dice, lost).n_deals == 3


def test_a_game_a_deal_is_binomial_given_how_many_count() -> None:
    lost = RNG.random((1, 3000)) < 0.4
    marked = lost & (RNG.random((1, 3000)) < 0.3)
    found = share_among(marked, lost)
    wanted = proportion_confint(int(marked.sum()), int(lost.sum()), method="wilson")
    assert (found.low, found.high) == pytest.approx(wanted)


def test_several_games_a_deal_are_no_independent_games() -> None:
    """All games of a deal alike: the interval is about that of as many single games."""
    lost = np.repeat(RNG.random((1, 6400)) < 0.4, 4, axis=0)
    marked = lost & np.repeat(RNG.random((1, 6400)) < 0.3, 4, axis=0)
    found, alone = share_among(marked, lost), share_among(marked[:1], lost[:1])
    assert found.value == pytest.approx(alone.value)
    assert found.high - found.low == pytest.approx(alone.high - alone.low, rel=0.35)
    assert found.high - found.low > 1.4 * np.diff(proportion_confint(int(marked.sum()), int(lost.sum())))[0]


def test_the_ratio_of_groups_by_hand() -> None:
    lost, marked = (RNG.random((2, 640)) < p for p in (0.7, 0.2))
    found = share_among(marked, lost)
    tops, bottoms = (values.sum(axis=0).reshape(-1, 64).sum(axis=0) for values in (marked & lost, lost))
    rest = tops - tops.sum() / bottoms.sum() * bottoms
    reach = stats.t.ppf(0.975, 63) * math.sqrt(64 / 63 * (rest**2).sum()) / bottoms.sum()
    assert (found.low, found.high) == pytest.approx((found.value - reach, found.value + reach))


def test_none_of_no_games_is_no_number() -> None:
    nothing = np.zeros((1, 50), bool)
    assert math.isnan(share_among(nothing, nothing).value)
    assert share_among(nothing, nothing).few_cases
    assert math.isnan(share_among(np.zeros((2, 50), bool), np.zeros((2, 50), bool)).value)
    assert mean_among(np.ones((1, 50), int), nothing, (0, 9)).few_cases


def test_means() -> None:
    values, among = RNG.integers(0, 9, (1, 500)), RNG.random((1, 500)) < 0.5
    found = mean_among(values, among, (0, 8))
    wanted = stats.ttest_1samp(values[among], 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))
    twice = mean_among(np.repeat(values, 2, axis=0), np.repeat(among, 2, axis=0), (0, 8))
    assert twice.value == pytest.approx(found.value)
    assert twice.high - twice.low == pytest.approx(found.high - found.low, rel=0.35)
