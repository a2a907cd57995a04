"""Competing causes over turns: shares of all games, against values by hand and statsmodels' own estimator."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.duration.survfunc import CumIncidenceRight, SurvfuncRight
from statsmodels.stats.proportion import proportion_confint

from simkit.stats.endings import incidence

TURNS = np.array([[2, 3, 3, 5, 5, 5, 6, 2, 3, 6]])
CAUSES = np.array([[1, 0, 1, 0, 0, 2, 2, 1, 1, 0]])
BY = {name: code == CAUSES for code, name in enumerate(("won", "strength", "delirium"))}


def test_by_hand() -> None:
    found = incidence(TURNS, BY).set_index(["cause", "turn"])["value"]
    assert found["won"].tolist() == pytest.approx([0, 0, 0.1, 0.1, 0.3, 0.4])
    assert found["strength"].tolist() == pytest.approx([0, 0.2, 0.4, 0.4, 0.4, 0.4])
    assert found["delirium"].tolist() == pytest.approx([0, 0, 0, 0, 0.1, 0.2])


@pytest.mark.filterwarnings("ignore:.*encountered in.*:RuntimeWarning")  # of statsmodels' variances at the last turn
def test_it_is_the_estimator_of_aalen_and_johansen_and_not_that_of_kaplan_and_meier() -> None:
    rng = np.random.default_rng(2)
    turns, causes = rng.integers(1, 12, (1, 500)), rng.integers(0, 3, (1, 500))
    found = incidence(turns, {str(code): causes == code for code in range(3)})
    wanted = CumIncidenceRight(turns[0], causes[0] + 1)
    for code in range(3):
        mine = found[found["cause"] == str(code)]
        assert mine["value"].tolist() == pytest.approx(wanted.cinc[code].tolist())
    alone = 1 - SurvfuncRight(turns[0], causes[0] == 0).surv_prob  # the others taken for censored: too much
    assert alone[-2] > found[found["cause"] == "0"]["value"].iloc[-2] + 0.1


def test_a_game_a_deal_has_binomial_intervals() -> None:
    rng = np.random.default_rng(3)
    turns, won = rng.integers(1, 6, (1, 400)), rng.random((1, 400)) < 0.5
    row = incidence(turns, {"won": won}).iloc[2]
    count = int((won & (turns <= 3)).sum())
    assert (row["low"], row["high"]) == pytest.approx(proportion_confint(count, 400, method="wilson"))
    assert row["method"] == "Wilson"


def test_several_games_a_deal_have_intervals_over_deals() -> None:
    rng = np.random.default_rng(4)
    turns = np.repeat(rng.integers(1, 6, (1, 400)), 3, axis=0)  # a deal's games are alike: no more than one is
    won = np.repeat(rng.random((1, 400)) < 0.5, 3, axis=0)
    won[0, ::2] = False
    row = incidence(turns, {"won": won}).iloc[3]
    deals = (won & (turns <= 4)).mean(axis=0)
    interval = stats.ttest_1samp(deals, 0).confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("rotations", [1, 2])
def test_turns_beyond_and_short_of_the_last_one_told(rotations: int) -> None:
    turns, won = np.full((rotations, 8), 4), np.ones((rotations, 8), bool)
    assert incidence(turns, {"won": won}, last=6)["value"].tolist() == [0, 0, 0, 1, 1, 1]
    assert incidence(turns, {"won": won}, last=2)["value"].tolist() == [0, 0]
