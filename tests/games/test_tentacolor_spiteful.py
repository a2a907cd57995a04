"""Spiteful plays exactly as the yardstick's program does, whose choices are written here anew, a game at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.catalog import load_strategy
from simkit.experiment import StrategySpec
from simkit.games.tentacolor import GAME
from simkit.games.tentacolor.state import FIRST, RUN, SECOND, SHORT_RUN
from simkit.strategy import Random, Strategy
from simkit.view import View
from tests.games.tentacolor_replay import rules_with


def made(name: str) -> Strategy:
    """A library strategy."""
    return load_strategy(StrategySpec.model_validate({"name": name}), GAME.id, Path(__file__).parent)


Tip = dict[int, int]
"""The run of each of the last card's colours [cards], by colour bit."""


def worth(tip: Tip, placed: int) -> int:
    """Sixteen times the longest run that a card would make and the sum of both: the yardstick's measure."""
    runs = [1 + tip.get(1 << i, 0) for i in range(6) if placed >> i & 1]
    return 16 * max(runs) + sum(runs)


def plain_spiteful(decision: str, seat: int, tips: list[Tip], cards: list[int]) -> int:
    """What the yardstick's program does, for one game."""
    left = tips[(seat + 1) % len(tips)]
    if decision in ("place", "rare"):
        values = [worth(tips[seat], placed) for placed in cards]
        return values.index(max(values))
    if decision == "give":
        return 0 if worth(left, cards[0]) <= worth(left, cards[1]) else 1
    if decision == "school":
        return 0
    longest = [max(tips[(seat + i) % len(tips)].values()) for i in range(1, len(tips))]
    return longest.index(max(longest))


class Beside:
    """Watches play and compares, in every position, what spiteful would do with the plain program's choice."""

    def __init__(self) -> None:
        self.spiteful, self.different = made("spiteful"), 0
        self.compared = {decision.name: 0 for decision in GAME.decisions}

    def noted(self, *event: Any) -> None:
        """Nothing to do."""

    def decided(self, table: Any, view: View, choice: np.ndarray) -> None:
        """Compare all games of the view."""
        chosen = self.spiteful.choose(view)
        for column in view.asked.nonzero()[0]:
            tips = [
                {tip[FIRST]: tip[RUN], tip[SECOND]: tip[SHORT_RUN]}
                for tip in table.state.tip[:, :, view.columns[column]].tolist()
            ]
            cards = view.offer["cards"][:, column].tolist() if "cards" in view.offer else []
            self.different += chosen[column] != plain_spiteful(view.decision, view.seat, tips, cards)
            self.compared[view.decision] += 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("changes", [{}, {"colours": 6}, {"sharks": 20, "schools": 10, "rares": 20}, {"expert": True}])
def test_spiteful_is_the_yardstick_s_play(players: int, changes: dict[str, Any]) -> None:
    beside = Beside()
    for line_up in ([Random()] * players, [*[Random()] * (players - 1), made("spiteful")]):
        play(GAME, rules_with(**changes), line_up, 5, 0, 40, observer=beside)
    assert beside.different == 0
    assert beside.compared["place"] > 300
    assert min(beside.compared.values()) > 20


def test_the_comparison_notices_another_play() -> None:
    """Negative control."""
    beside = Beside()
    beside.spiteful = made("longest-run")
    play(GAME, rules_with(), [Random()] * 3, 5, 0, 40, observer=beside)
    assert beside.different > 20
