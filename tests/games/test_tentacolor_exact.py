"""Witness 3: tiny boxes enumerated in fractions, and the simulation's figures beside them.

The enumerator (tests/oracles) is a second reading of the rulebook and knows nothing of the engine. Every figure of the
simulation must lie within 4.5 standard errors of the exact value: 7 in a million miss by chance, some 150 are compared,
so that a right program would fail on one seed in a thousand.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.games.tentacolor import GAME
from simkit.strategy import Random
from tests.games.tentacolor_replay import rules_with
from tests.oracles.tentacolor_tiny import SETTINGS, Outcome, by_setting, enumerated

N = 200_000
Z = 4.5
QUICK = ("plain_2p_9", "plain_2p_12", "encounters_2p_6", "encounters_3p_6", "forced_2p_6", "forced_expert_2p_6")


def simulated(setting: dict[str, Any], **changes: Any) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Columns of `games` and `seats` of N games of random play."""
    told = dict(setting)
    players, colours, copies, need = (told.pop(name) for name in ("players", "colours", "copies", "need"))
    for kind in ("sharks", "schools", "rares"):
        told.setdefault(kind, 0)
    cards = copies * colours * (colours - 1) // 2
    box = {"colours": colours, "cards": cards, "run": need, "run_two_players": need}
    rules = rules_with(**{**box, **told, **changes})
    results = play(GAME, rules, [Random()] * players, 99, 0, N)
    return results.games, results.seats


def far_off(truth: Outcome, games: dict[str, np.ndarray], seats: dict[str, np.ndarray]) -> list[str]:
    """The figures of the simulation that lie too far from the exact ones."""
    figures: list[tuple[str, Fraction, np.ndarray]] = [
        ("deck-out", truth.p_deck_out, games["end_cause"] == GAME.all_end_causes.index("deck-out")),
        ("turns", truth.mean_turns, games["n_turns"]),
        ("bitten", truth.mean_bitten, games["n_bitten"]),
        ("swapped", truth.mean_swapped, games["n_swapped"]),
        ("rare", truth.mean_rare, games["n_rare"]),
    ]
    figures += [(f"share of seat {i}", share, seats["win"][i] / 60) for i, share in enumerate(truth.win_share)]
    figures += [(f"{turns} turns", p, games["n_turns"] == turns) for turns, p in truth.turns.items()]
    off = []
    for name, value, found in figures:
        spread = float(found.std()) or 1 / N  # no spread: the simulation must agree outright
        if abs(found.mean() - float(value)) > Z * spread / N**0.5:
            off.append(f"{name}: exactly {float(value):.5f}, simulated {found.mean():.5f}")
    return off


@pytest.mark.parametrize("name", by_setting(QUICK))
def test_the_simulation_agrees_with_the_enumeration(name: str) -> None:
    truth = enumerated(name)
    assert sum(truth.turns.values()) == 1
    assert not far_off(truth, *simulated(SETTINGS[name]))


def test_a_small_change_of_the_rules_is_noticed() -> None:
    """Negative control: one shark too many, or a run one card longer, and the figures no longer agree."""
    truth = enumerated("encounters_2p_6")
    assert far_off(truth, *simulated(SETTINGS["encounters_2p_6"], sharks=2))
    assert far_off(truth, *simulated(SETTINGS["encounters_2p_6"], run_two_players=2))
