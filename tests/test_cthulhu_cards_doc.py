"""docs/cthulhu-cards.md: the experiment that it shows plays; the vocabulary that it lists is the one that there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

import simkit
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.cards import Action, Power

PAGE = (Path(__file__).parents[1] / "docs" / "cthulhu-cards.md").read_text(encoding="utf-8")
EXPERIMENT, SIDE = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def played(tmp_path: Path, document: dict[str, Any]) -> simkit.Run:
    """A short run of an experiment."""
    return simkit.run(document | {"games": 64, "name": "own"}, runs=tmp_path, jobs=1)


def test_a_great_old_one_of_ones_own_plays(tmp_path: Path) -> None:
    run = played(tmp_path, tomllib.loads(EXPERIMENT))
    games = run.games()
    assert len(games) == 64
    assert games["n_strength"].max() <= 5 + 4, "its tracks are this long"


def test_a_town_side_of_ones_own_plays(tmp_path: Path) -> None:
    cards = [card.copy() for card in GAME.components["town_cards"].value]
    cards[2] |= tomllib.loads(SIDE)
    rules = {"town_cards": cards, "town_up": "lighthouse"}
    document = {"game": GAME.id, "players": 2, "seed": 1, "strategies": ["balanced"], "rules": rules}
    used = played(tmp_path, document).seats()["sides_used"]
    assert ((used & 1 << 4) != 0).any()
    assert not ((used & 1 << 5) != 0).any(), "its back never lies up"


@pytest.mark.parametrize(("kinds", "word"), [(Action, "towns"), (Power, "powers")])
def test_every_effect_is_on_the_page(kinds: Any, word: str) -> None:
    listed = {m[1]: m[2] for m in re.finditer(r'^\| `\{ do = "(\w+)"[^|]*\| ([^|]*) \|', PAGE, re.MULTILINE)}
    names = {get_args(kind.model_fields["do"].annotation)[0] for kind in get_args(get_args(kinds)[0])}
    assert names <= set(listed)
    assert all(listed[name] == "all" or word in listed[name] for name in names - {"move"})
