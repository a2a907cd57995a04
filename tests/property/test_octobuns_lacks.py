"""What seats lack is kept between questions: whenever anybody asks, the answer must be as if worked out anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simkit.batch import play
from simkit.games.octobuns import GAME, lacks, puzzle
from simkit.strategy import Epsilon, Random
from simkit.table import Table
from simkit.view import View
from tests.oracles.octobuns_box import rules_with
from tests.property.test_octobuns_invariants import BAKER, CLEANER, EAGER, SCARCE

RULES: dict[str, dict[str, Any]] = {
    "rulebook": {"max_rounds": 8},
    "games that end early": {**SCARCE, "orders_to_end": 1, "finish_round": False},
    "slid": {**SCARCE, "grid": "floating", "clean_up_sequence": "together", "used_cards": "stay", "bends": False},
    "beyond": {**SCARCE, "extra_rope_in": "beyond", "dropped_orders": "bottom", "icons": "all", "reversal": False},
}


class Asker:
    """An observer that asks at some of the decisions, of all games or of some, and works the answers out itself.

    Parameters
    ----------
    seed
        Of when and of which games it asks.

    Attributes
    ----------
    n_asked, n_near
        Games asked about, and orders of theirs of which at most two cards are missing.
    """

    def __init__(self, seed: int) -> None:
        self.luck, self.n_asked, self.n_near = np.random.default_rng(seed), 0, 0

    def noted(self, table: Table, event: str, seat: Any, games: Any, fields: Any) -> None:
        """Nothing to ask."""

    def decided(self, table: Table, view: View, choice: npt.NDArray[np.uint8]) -> None:
        """Compare, now and then."""
        asked = np.flatnonzero(view.asked)
        if not len(asked) or self.luck.random() < 0.4:
            return
        if self.luck.random() < 0.5:
            asked = self.luck.permutation(asked)[: int(self.luck.integers(1, len(asked) + 1))]
        part = view.only(asked)
        bakery = part.bakery()
        for place, ids in enumerate(part.orders):
            assert np.array_equal(part.lacks[place], puzzle.missing(part.rules, bakery, ids) | _none(ids))
            self.n_near += int((part.lacks[place] < 3).sum())
        for place in self.luck.permutation(len(part.orders))[:2]:
            steps = puzzle.steps(part.rules, bakery, part.orders[place])
            for item in range(1, part.rules.n_ingredients + 1):
                (cells,) = part.steps(part.orders[place], np.full(part.n, item, np.uint8))
                assert np.array_equal(cells, (steps >> np.uint8(item - 1) & 1) != 0)
        self.n_asked += part.n


def _none(ids: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """255 where there is no order."""
    return np.where(ids == 255, 255, 0).astype(np.uint8)


def asked(name: str, seed: int, n: int) -> Asker:
    """Play, and ask."""
    asker, players = Asker(seed), [BAKER, Epsilon(BAKER, 0.3), CLEANER, EAGER, Random()]
    play(GAME, rules_with(**RULES[name]), players[seed % 3 :][:3], seed, 0, n, observer=asker)
    assert asker.n_asked > 100
    assert asker.n_near > 100
    return asker


@pytest.mark.parametrize("name", RULES)
def test_answers_are_never_stale(name: str) -> None:
    asked(name, 1, 8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", RULES)
def test_answers_are_never_stale_in_many_games(name: str, seed: int) -> None:
    asked(name, seed, 100)


@pytest.mark.parametrize(
    ("function", "wrong"),
    [
        ("_packed", lambda bakery, packed=lacks._packed: packed(bakery[:8])),
        ("_packed", lambda bakery, packed=lacks._packed: packed(bakery & 1)),
        ("_order_bits", lambda ids: np.full(ids.shape, 1 << lacks.ORDER_SHIFT, np.uint64)),
    ],
    ids=["a cell that is left out", "items that are taken for others", "orders that are taken for others"],
)
def test_stale_answers_are_noticed(monkeypatch: pytest.MonkeyPatch, function: str, wrong: Any) -> None:
    """Negative control: keys that do not tell everything."""
    monkeypatch.setattr(lacks, function, wrong)
    with pytest.raises(AssertionError):
        asked("games that end early", 1, 8)


def test_answers_of_other_games_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: games are dropped, and their answers are kept in place of others' (keys and values apart)."""

    def take(self: lacks.Lacks, games: npt.NDArray[np.intp]) -> None:
        taken(self, games)
        self.values = np.roll(self.values, 1, axis=-1)

    taken = lacks.Lacks.take
    monkeypatch.setattr(lacks.Lacks, "take", take)
    with pytest.raises(AssertionError):
        asked("games that end early", 1, 40)
