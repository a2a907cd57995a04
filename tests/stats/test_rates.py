"""Rates of tallied events, shares, and gaps between ratios: intervals from 64 groups of deals."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from simkit.stats.grouped import GROUPS, Sample, deals_in_groups, group_sums, ratio, ratio_gap
from simkit.stats.intervals import proportion
from simkit.stats.rates import rates, shares


def counted(values: np.ndarray, **keys: object) -> pd.DataFrame:
    """A tally's counts by group from a number for each deal."""
    return pd.DataFrame({"group": range(GROUPS), "count": group_sums(values)}).assign(**keys)


def test_sums_by_group_are_those_of_deals_modulo_64() -> None:
    values = np.random.default_rng(1).integers(0, 9, 1000)
    assert group_sums(values).tolist() == [values[g::64].sum() for g in range(64)]
    assert deals_in_groups(1000).tolist() == [len(values[g::64]) for g in range(64)]
    assert group_sums(values[:10]).tolist() == [*values[:10], *[0] * 54]


def test_a_rate_by_hand() -> None:
    """Two groups: 3 events on 4 occasions, 1 on 4; the residuals of 4 / 8 are 1 and -1."""
    events = pd.DataFrame({"place": ["sea", "sea"], "group": [0, 1], "count": [3, 1]})
    occasions = pd.DataFrame({"group": [0, 1], "count": [4, 4]})
    found = rates(events, occasions, ["place"], 2, (0, 1)).iloc[0]
    half = stats.t.ppf(0.975, 1) * math.sqrt(2 / 1 * (1 + 1)) / 8
    assert (found["value"], found["n_events"], found["n"]) == (0.5, 4, 8)
    assert (found["low"], found["high"]) == (max(0.5 - half, 0), min(0.5 + half, 1))
    assert found["few_cases"]


def test_every_place_and_event_has_a_rate_even_where_nothing_happened() -> None:
    rng = np.random.default_rng(2)
    occasions = pd.concat([counted(rng.integers(1, 5, 640), place=place) for place in ("hill", "sea")])
    events = counted(rng.integers(0, 2, 640), place="sea", event="storm")
    events["event"] = pd.Categorical(events["event"], ["calm", "storm"])
    found = rates(events, occasions, ["place", "event"], 640, (0, 4)).set_index(["place", "event"])
    assert list(found.index) == [("hill", "calm"), ("hill", "storm"), ("sea", "calm"), ("sea", "storm")]
    never = found.loc[("hill", "storm")]
    assert (never["value"], never["low"], never["method"]) == (0, 0, "Clopper-Pearson")
    assert 0 < never["high"] < 0.1


def test_shares_add_up_to_one() -> None:
    rng = np.random.default_rng(3)
    frames = [counted(rng.integers(0, 4, 1280), dice=dice, number=k) for dice in (1, 2) for k in range(3)]
    found = shares(pd.concat(frames), ["dice"], ["number"], 1280)
    assert found.groupby("dice")["value"].sum().tolist() == pytest.approx([1, 1])
    assert found["n"].nunique() == 2
    assert (found["low"] < found["value"]).all()
    assert (found["value"] < found["high"]).all()


def test_fewer_than_100_events_claim_no_coverage() -> None:
    occasions = counted(np.ones(6400, int))
    for n_events, few in ((99, True), (100, False)):
        events = counted((np.arange(6400) < n_events).astype(int), event="storm")
        assert rates(events, occasions, ["event"], 6400, (0, 1))["few_cases"].tolist() == [few]


def clustered(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A deal's occasions and events: the chance differs from deal to deal, 0.3 on average."""
    occasions = rng.integers(5, 15, 640)
    return occasions, rng.binomial(occasions, rng.choice([0.1, 0.5], 640))


def test_intervals_cover_where_events_of_a_deal_go_together_and_those_of_single_events_do_not() -> None:
    rng, n, grouped, single = np.random.default_rng(4), 400, 0, 0
    for _ in range(n):
        occasions, events = clustered(rng)
        found = ratio(group_sums(events), group_sums(occasions), Sample(64, 640, (0, 1)))
        plain = proportion(int(events.sum()), int(occasions.sum()))
        grouped += found.low <= 0.3 <= found.high
        single += plain.low <= 0.3 <= plain.high
    reach = 3 * math.sqrt(0.95 * 0.05 / n)
    assert abs(grouped / n - 0.95) <= reach
    assert single / n < 0.95 - 3 * reach


def test_a_gap_counted_on_the_same_deals_is_narrower_than_two_intervals() -> None:
    rng = np.random.default_rng(5)
    chance, n = rng.choice([0.1, 0.6], 6400), np.full(6400, 10)
    first, second = rng.binomial(n, chance), rng.binomial(n, chance + 0.05)
    pairs = [(group_sums(events), group_sums(n)) for events in (second, first)]
    gap = ratio_gap(*pairs, Sample(64, 6400, (-1, 1)))
    apart = [ratio(*pair, Sample(64, 6400, (0, 1))) for pair in pairs]
    assert gap is not None
    assert gap.value == pytest.approx(apart[0].value - apart[1].value)
    assert gap.low < 0.05 < gap.high
    unpaired = math.hypot(*(estimate.high - estimate.value for estimate in apart))
    assert gap.high - gap.value < 0.6 * unpaired
    per_deal = stats.ttest_1samp((second - first) / 10, 0).confidence_interval(0.95)
    assert gap.high - gap.low == pytest.approx(per_deal.high - per_deal.low, rel=0.35)


def test_a_gap_needs_counts_on_both_sides() -> None:
    some, none = np.ones(64, np.int64), np.zeros(64, np.int64)
    assert ratio_gap((some, some), (none, none), Sample(64, 64, (-1, 1))) is None
