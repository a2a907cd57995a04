"""Coverage is measured, not believed: 2,000 simulated experiments on fixed seeds."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.stats.frequencies import tabulate
from simkit.stats.intervals import proportion, share, simultaneous
from tests.stats.made import plain

N = 2000
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("p", "n"), [(0.5, 80), (0.1, 300), (1 / 3, 1000)])
def test_wilson_covers(p: float, n: int) -> None:
    """At least 30 expected cases on either side."""
    wins = np.random.default_rng(1).binomial(n, p, N)
    found = [proportion(int(k), n) for k in wins]
    assert 0.935 <= np.mean([e.low <= p <= e.high for e in found]) <= 0.965


@pytest.mark.parametrize(("p", "n"), [(0.01, 300), (0.001, 1000), (0.99, 500)])
def test_exact_limits_cover_at_least_as_often_as_they_say(p: float, n: int) -> None:
    wins = np.random.default_rng(2).binomial(n, p, N)
    found = [proportion(int(k), n) for k in wins]
    assert np.mean([e.low <= p <= e.high for e in found]) >= 0.95 - 2 * np.sqrt(0.05 * 0.95 / N)


def experiments(n_deals: int, rotations: int) -> tuple[np.ndarray, float]:
    """Wins of a label (N, rotations, n_deals) whose chance varies from deal to deal: rotations are alike; the mean."""
    rng = np.random.default_rng(3)
    chance = rng.choice([0.1, 0.3, 0.9], (N, 1, n_deals))
    return rng.random((N, rotations, n_deals)) < chance, 1.3 / 3


def test_t_over_deals_covers_and_games_taken_as_the_unit_do_not() -> None:
    wins, mean = experiments(300, 3)
    deals = [share(tabulate(w.sum(axis=0), 3)) for w in wins]
    assert 0.935 <= np.mean([e.low <= mean <= e.high for e in deals]) <= 0.965
    games = [proportion(int(w.sum()), w.size) for w in wins]
    assert np.mean([e.low <= mean <= e.high for e in games]) < 0.90


def test_simultaneous_intervals_hold_for_all_seats_at_once() -> None:
    shares, n = np.array([0.36, 0.34, 0.30]), 500
    counts = np.random.default_rng(4).multinomial(n, shares, N)
    together, alone = [], []
    for row in counts:
        found = simultaneous([plain(int(k), n) for k in row])
        together.append(all(e.low <= p <= e.high for e, p in zip(found, shares, strict=True)))
        apart = [proportion(int(k), n) for k in row]
        alone.append(all(e.low <= p <= e.high for e, p in zip(apart, shares, strict=True)))
    assert np.mean(together) >= 0.935
    assert np.mean(alone) < 0.925
