"""The experiments that come with simkit can be planned; nothing is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit import catalog
from simkit.experiment import load
from simkit.games.tentacle_town.rules import CARDS
from simkit.plan import make_plan

FILES = sorted(catalog.library("experiments").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_experiment_can_be_planned_and_says_what_it_asks(path: Path) -> None:
    experiment = load(path)
    assert make_plan(experiment, path).cells
    assert experiment.title
    assert experiment.question.endswith("?")
    assert path.read_text(encoding="utf-8").startswith("# ")


def test_all_sets_of_three_cards_are_played_once() -> None:
    path = catalog.find_experiment("tentacle-town-cards")
    sets = [frozenset(cell.rules["cards"]) for cell in make_plan(load(path), path).cells]
    assert len(set(sets)) == len(sets) == 220
    assert set().union(*sets) == set(CARDS)
    assert all(len(cards) == 3 for cards in sets)
