"""Verdicts: intervals against a band, from exact counts."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.stats.verdicts import family_level, rate_verdict, seat_verdict
from tests.stats.made import of_values, plain

FAIR, BAND = 1 / 3, 0.02


def three_seats(gap: float, n: int) -> list:
    """Seat 1 wins `gap` more often than fair, seat 3 less."""
    first, second = round(n * (FAIR + gap)), round(n * FAIR)
    wins = [first, second, n - first - second]
    return [plain(k, n) for k in wins]


def test_a_gap_of_a_fifth_of_a_point_is_balanced_however_significant() -> None:
    verdict = seat_verdict(three_seats(0.002, 10_000_000), FAIR, BAND)
    assert verdict.word == "balanced"
    assert verdict.estimates[0].low > FAIR


def test_a_gap_of_five_points_is_unbalanced() -> None:
    verdict = seat_verdict(three_seats(0.05, 10_000_000), FAIR, BAND)
    assert verdict.word == "unbalanced"
    assert verdict.outside == [0, 2]
    assert verdict.worst in (0, 2)


@pytest.mark.parametrize("gap", [0.0, 0.002, 0.05])
def test_200_games_are_undecided(gap: float) -> None:
    verdict = seat_verdict(three_seats(gap, 200), FAIR, BAND)
    assert verdict.word == "undecided"
    assert verdict.deals_needed > 200


@pytest.mark.parametrize("gap", [0.0, 0.01, 0.03, 0.05])
def test_the_deals_that_would_decide_it_do(gap: float) -> None:
    """As many deals at the same estimates decide it; a fifth fewer do not (negative control)."""
    needed = seat_verdict(three_seats(gap, 600), FAIR, BAND).deals_needed
    wanted = "balanced" if gap < BAND else "unbalanced"
    assert seat_verdict(three_seats(gap, round(1.05 * needed)), FAIR, BAND).word == wanted
    assert seat_verdict(three_seats(gap, round(0.8 * needed)), FAIR, BAND).word == "undecided"


def test_at_the_bands_edge_no_number_decides_it() -> None:
    verdict = seat_verdict([plain(520_000, 1_000_000), plain(480_000, 1_000_000)], 0.5, BAND)
    assert verdict.word == "undecided"
    assert verdict.at_edge


def test_few_cases_are_undecided_though_the_interval_is_narrow() -> None:
    """Values 1/2 but for 20 deals: t is narrow, and claims no coverage."""
    values = [0.5] * 99_980 + [0.0] * 20
    verdict = seat_verdict([of_values(values), of_values(1 - np.array(values))], 0.5, BAND)
    assert verdict.word == "undecided"
    assert verdict.few_cases
    assert verdict.deals_needed == pytest.approx(5 * 100_000, rel=0.01)


def test_no_variance_gives_a_verdict() -> None:
    """Each seat wins half of every deal's two rotations, 10,000 times over."""
    half = of_values([0.5] * 10_000)
    assert seat_verdict([half, half], 0.5, BAND).word == "balanced"
    sure, never = plain(10_000, 10_000), plain(0, 10_000)
    assert seat_verdict([sure, never], 0.5, BAND).word == "unbalanced"


def test_more_cells_ask_for_more() -> None:
    seats = three_seats(0.01, 16_000)
    assert seat_verdict(seats, FAIR, BAND, family_level(1)).word == "balanced"
    assert seat_verdict(seats, FAIR, BAND, family_level(100)).word == "undecided"


@pytest.mark.parametrize(
    ("n_wins", "word"), [(500, "balanced"), (300, "unbalanced"), (700, "unbalanced"), (590, "undecided")]
)
def test_a_cooperative_table_should_win_as_often_as_wanted(n_wins: int, word: str) -> None:
    verdict = rate_verdict(plain(n_wins, 1000), (0.4, 0.6))
    assert verdict.word == word
    assert len(verdict.estimates) == 1
