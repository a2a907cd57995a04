"""Means from tallies, their intervals from 64 groups of deals."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from simkit.stats.grouped import Sample, ratio
from simkit.stats.progress import tally_means


def tally(values: np.ndarray, reached: np.ndarray, rotation: int = 0) -> pd.DataFrame:
    """Counts by round, seat 0, value and group from `values` (rounds, n) of games that reached the round."""
    rows = []
    for number, (line, there) in enumerate(zip(values, reached, strict=True)):
        frame = pd.DataFrame({"run": line[there], "group": (np.arange(len(line)) % 64)[there]})
        counts = frame.groupby(["run", "group"]).size().reset_index(name="count")
        rows.append(counts.assign(rotation=rotation, round=number, seat=0))
    return pd.concat(rows)


def test_means_and_counts_are_those_of_the_games() -> None:
    rng = np.random.default_rng(2)
    values, reached = rng.integers(0, 6, (3, 6400)), rng.random((3, 6400)) < 0.8
    found = tally_means(tally(values, reached), ["round", "seat"], "run", (0, 5), 6400)
    assert found["n"].tolist() == reached.sum(axis=1).tolist()
    assert found["value"].tolist() == pytest.approx([v[r].mean() for v, r in zip(values, reached, strict=True)])
    error = [v[r].std() / math.sqrt(r.sum()) for v, r in zip(values, reached, strict=True)]
    half = (found["high"] - found["low"]) / 2
    assert (half / (stats.t.ppf(0.975, 63) * np.array(error))).between(0.7, 1.35).all()


def test_the_ratios_error_by_hand() -> None:
    """Three groups: totals 6, 4, 8 of counts 3, 2, 3 make 18 / 8; the residuals are -0.75, -0.5, 1.25."""
    found = ratio(np.array([6, 4, 8]), np.array([3, 2, 3]), Sample(3, 8, (0, 10)))
    error = math.sqrt(3 / 2 * (0.75**2 + 0.5**2 + 1.25**2)) / 8
    assert found.value == 2.25
    assert found.high - found.value == pytest.approx(stats.t.ppf(0.975, 2) * error)
    assert found.few_cases


def test_groups_that_nobody_reached_count_as_groups() -> None:
    all_there = ratio(np.array([6, 4, 8]), np.array([3, 2, 3]), Sample(64, 800, (0, 10)))
    assert all_there.high - all_there.value == pytest.approx(
        stats.t.ppf(0.975, 63) * math.sqrt(64 / 63 * (0.75**2 + 0.5**2 + 1.25**2)) / 8
    )


def test_what_never_varies_has_an_honest_interval() -> None:
    values = np.ones((1, 640), int)
    found = tally_means(tally(values, values > 0), ["round", "seat"], "run", (0, 5), 640).iloc[0]
    off = 1 - 0.025 ** (1 / 640)
    assert (found["value"], found["low"], found["high"]) == pytest.approx((1, 1 - off, 1 + 4 * off))
    assert found["method"] == "Clopper-Pearson"


def test_few_games_off_the_commonest_value_are_marked() -> None:
    values = np.ones((2, 6400), int)
    values[0, :99], values[1, :100] = 3, 3
    found = tally_means(tally(values, values > 0), ["round"], "run", (0, 5), 6400)
    assert found["few_cases"].tolist() == [True, False]


def test_rotations_are_added_up_and_are_no_deals_of_their_own() -> None:
    values = np.ones((1, 640), int)
    both = pd.concat([tally(values, values > 0), tally(values, values > 0, rotation=1)])
    found = tally_means(both, ["round", "seat"], "run", (0, 5), 640).iloc[0]
    assert (found["n"], found["n_deals"]) == (1280, 640)


@pytest.mark.slow
def test_intervals_from_groups_cover() -> None:
    rng, hits = np.random.default_rng(31), 0
    for _ in range(2000):
        counts = rng.multinomial(1280, [1 / 64] * 64)
        totals = rng.binomial(counts * 3, 0.4)
        found = ratio(totals, counts, Sample(64, 1280, (0, 3)))
        hits += found.low <= 1.2 <= found.high
    assert 0.935 <= hits / 2000 <= 0.965
