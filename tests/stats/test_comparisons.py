"""Paired differences against scipy, and what pairing gains."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from simkit.stats import comparisons
from simkit.stats.frequencies import PerDeal
from simkit.stats.intervals import Estimate
from tests.stats.made import win_column

RNG = np.random.default_rng(11)


def test_paired_differences_are_the_paired_t_interval() -> None:
    first, second = RNG.integers(0, 4, 5000) * 20, RNG.integers(0, 4, 5000) * 20
    found = comparisons.paired(PerDeal(first, 60), PerDeal(second, 60))
    wanted = stats.ttest_rel(second / 60, first / 60).confidence_interval(0.95)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((wanted.low, wanted.high))


def test_pairing_gains_what_the_deals_share() -> None:
    """Two cells that agree but for a tenth of deals gain much; independent ones gain nothing (negative control)."""
    first = RNG.integers(0, 2, 50_000) * 60
    redrawn = np.where(RNG.random(50_000) < 0.1, RNG.integers(0, 2, 50_000) * 60, first)
    shared = comparisons.paired(PerDeal(first, 60), PerDeal(redrawn, 60))
    apart = comparisons.paired(PerDeal(first, 60), PerDeal(RNG.permutation(first), 60))
    assert shared.gain == pytest.approx(10, rel=0.1)
    assert apart.gain == pytest.approx(1, rel=0.05)


def test_cells_that_agree_in_every_deal_differ_by_nothing_that_was_seen() -> None:
    same = PerDeal(RNG.integers(0, 2, 400) * 60, 60)
    found = comparisons.paired(same, same)
    off = 1 - 0.025 ** (1 / 400)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((-off, off))
    assert math.isnan(found.gain)


def test_only_deals_that_both_have_are_compared() -> None:
    first, second = PerDeal(np.array([0, 60, 60]), 60), PerDeal(np.array([60, 60]), 60)
    found = comparisons.paired(first, second)
    assert (found.estimate.value, found.estimate.n_deals) == (0.5, 2)


def gap_by_hand(win: np.ndarray, line_up: tuple[str, ...], a: str, b: str) -> np.ndarray:
    """Share per seat of a less that of b, rotation by rotation, (rotations, n)."""
    rows = []
    for r, game in enumerate(win / 60):
        sits = [line_up[(s + r) % len(line_up)] for s in range(len(line_up))]
        ours, theirs = ([s for s, label in enumerate(sits) if label == x] for x in (a, b))
        rows.append(game[ours].mean(axis=0) - game[theirs].mean(axis=0))
    return np.array(rows)


@pytest.mark.parametrize("line_up", [("a", "b", "b"), ("a", "c", "b"), ("a", "b", "b", "b"), ("a", "b", "a", "c")])
def test_a_labels_lead_as_worked_out_game_by_game(line_up: tuple[str, ...]) -> None:
    seats = len(line_up)
    win = win_column(RNG.integers(0, seats, (seats, 2000)), seats)
    games = gap_by_hand(win, line_up, "a", "b")
    gap = comparisons.label_gap(win, line_up, "a", "b")
    found, wanted = gap.difference(), stats.ttest_1samp(games.mean(axis=0), 0).confidence_interval(0.95)
    assert found.estimate.value == pytest.approx(games.mean())
    assert (found.estimate.low, found.estimate.high) == pytest.approx((wanted.low, wanted.high))
    unpaired = games.var(axis=1, ddof=1).mean() / seats
    assert found.gain == pytest.approx(unpaired / games.mean(axis=0).var(ddof=1))


def test_rotating_seats_on_the_same_deal_gains_where_the_deal_decides() -> None:
    """Seat 0 or seat 1 is dealt the win, whoever sits there: over both rotations each label has its half."""
    dealt = RNG.integers(0, 2, 4000)
    win = win_column(np.array([dealt, dealt]), 2)
    gap = comparisons.label_gap(win, ("a", "b"), "a", "b")
    assert gap.difference().estimate.value == 0
    assert gap.unpaired == pytest.approx(0.5, rel=0.01)


def test_the_mean_of_two_line_ups_is_paired_too() -> None:
    wins = [win_column(RNG.integers(0, 3, (3, 3000)), 3) for _ in range(2)]
    line_ups = (("a", "b", "b"), ("a", "a", "b"))
    games = [gap_by_hand(win, line_up, "a", "b").mean(axis=0) for win, line_up in zip(wins, line_ups, strict=True)]
    gaps = [comparisons.label_gap(win, line_up, "a", "b") for win, line_up in zip(wins, line_ups, strict=True)]
    found = comparisons.mean_gap(gaps).difference()
    wanted = stats.ttest_1samp((games[0] + games[1]) / 2, 0).confidence_interval(0.95)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((wanted.low, wanted.high))


def test_the_win_matrix_is_made_of_one_among_others() -> None:
    assert comparisons.one_among(("a", "b", "b", "b")) == [("a", "b")]
    assert comparisons.one_among(("a", "b")) == [("a", "b"), ("b", "a")]
    assert comparisons.one_among(("a", "a", "b", "b")) == comparisons.one_among(("a", "b", "c")) == []


def ladder(rows: list[tuple[str, str, float, float]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["label", "other", "low", "high"]).assign(few_cases=False)


def test_a_top_strategy_beats_every_other_one() -> None:
    pairs = ladder([("a", "b", -0.3, -0.1), ("a", "c", 0.1, 0.2), ("b", "c", 0.01, 0.2)])
    assert comparisons.top(pairs) == "b"
    assert comparisons.cycles(pairs) == []


def test_a_lead_whose_interval_holds_zero_is_none() -> None:
    pairs = ladder([("a", "b", -0.01, 0.1), ("a", "c", 0.1, 0.2), ("b", "c", 0.01, 0.2)])
    assert comparisons.top(pairs) is None
    few = pairs.assign(low=0.05, few_cases=True)
    assert comparisons.top(few) is None


def test_rock_paper_scissors_is_named() -> None:
    pairs = ladder([("paper", "rock", 0.2, 0.3), ("paper", "scissors", -0.3, -0.2), ("rock", "scissors", 0.2, 0.3)])
    assert comparisons.top(pairs) is None
    assert comparisons.cycles(pairs) == [("paper", "rock", "scissors")]


# ----------------------------------------------------------------------------------------------- unpaired, and a margin


def test_unpaired_differences_are_welchs_interval() -> None:
    first, second = RNG.integers(0, 4, 3000) * 20, RNG.binomial(3, 0.6, 1100) * 20
    found = comparisons.unpaired(PerDeal(first, 60).frequencies(), PerDeal(second, 60).frequencies(), 0.99)
    wanted = stats.ttest_ind(second / 60, first / 60, equal_var=False).confidence_interval(0.99)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((wanted.low, wanted.high))
    assert found.estimate.value == pytest.approx(second.mean() / 60 - first.mean() / 60)
    assert found.estimate.n_deals == 1100
    assert math.isnan(found.gain)
    pooled = stats.ttest_ind(second / 60, first / 60).confidence_interval(0.99)
    assert found.estimate.low != pytest.approx(pooled.low)


def test_an_unpaired_difference_of_what_never_varies_is_not_certain() -> None:
    """None of 400 against all of 100: each may be off by Clopper-Pearson's bound at half the error."""
    never, always = PerDeal(np.zeros(400, int), 1).frequencies(), PerDeal(np.ones(100, int), 1).frequencies()
    found = comparisons.unpaired(never, always).estimate
    off = sum(1 - 0.0125 ** (1 / n) for n in (400, 100))
    assert (found.value, found.low) == (1, pytest.approx(1 - off))
    assert comparisons.unpaired(never, never).estimate.low < 0 < comparisons.unpaired(never, never).estimate.high


def test_unpaired_intervals_cover() -> None:
    """2,000 experiments in which the truth is 0.1: 95 % +- 4 standard errors of 0.49 points."""
    n_covered = 0
    for _ in range(2000):
        first, second = (PerDeal(RNG.binomial(1, p, n), 1).frequencies() for p, n in ((0.3, 500), (0.4, 300)))
        found = comparisons.unpaired(first, second).estimate
        n_covered += found.low <= 0.1 <= found.high
    assert n_covered / 2000 == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / 2000))


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (-0.01, 0.01, "alike"),
        (-0.010001, 0.01, "undecided"),
        (0.0, 0.010001, "undecided"),
        (0.01, 0.03, "undecided"),
        (0.010001, 0.03, "above"),
        (-0.03, -0.01, "undecided"),
        (-0.03, -0.010001, "below"),
        (-0.5, 0.5, "undecided"),
        (0.0, 0.0, "alike"),
    ],
)
def test_a_margin_decides_by_the_whole_interval(low: float, high: float, wanted: str) -> None:
    estimate = Estimate((low + high) / 2, low, high, 1000, 0.95, "t over deals", n_off=500)
    assert comparisons.side(comparisons.against_margin(estimate, 0.01)) == wanted
    few = replace(estimate, few_cases=True)
    assert comparisons.side(comparisons.against_margin(few, 0.01)) == "undecided"


def test_deals_that_would_decide_go_with_the_square() -> None:
    """3 points +- 4: to clear a margin of 1 the reach must shrink to a half, which takes four times the deals."""
    estimate = Estimate(0.03, -0.01, 0.07, 1000, 0.95, "t over deals", n_off=500)
    assert comparisons.against_margin(estimate, 0.01).deals_needed == pytest.approx(4000, abs=1)
    at_edge = Estimate(0.01, -0.01, 0.03, 1000, 0.95, "t over deals", n_off=500)
    assert comparisons.against_margin(at_edge, 0.01).at_edge
