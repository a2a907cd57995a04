"""docs/octobuns-cards.md: the experiment and the sweep that it shows play; what it says is checked is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import simkit
from simkit.errors import UserError
from simkit.games.octobuns import GAME
from simkit.planning.settings import rules_with

PAGE = (Path(__file__).parents[1] / "docs" / "octobuns-cards.md").read_text(encoding="utf-8")
EXPERIMENT, SWEEP = map(tomllib.loads, re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL))
RULES = EXPERIMENT["rules"]


def played(tmp_path: Path, document: dict[str, Any]) -> simkit.Run:
    """A short run of an experiment."""
    return simkit.run(document | {"games": 16, "name": "own"}, runs=tmp_path, jobs=1)


def test_a_box_of_ones_own_plays(tmp_path: Path) -> None:
    run = played(tmp_path, EXPERIMENT)
    seats = run.seats()
    assert len(run.games()) == 16
    assert seats["n_small"].sum() > 0
    assert seats["n_large"].max() <= len(RULES["large_orders"])


def test_decks_are_swept(tmp_path: Path) -> None:
    rules = {name: value for name, value in RULES.items() if name != "buns"}
    assert len(played(tmp_path, EXPERIMENT | {"rules": rules} | SWEEP).games()) == 2 * 16


@pytest.mark.parametrize("given", [{"given_order": "captain"}, {"given_icon": "supply"}])
def test_what_may_be_given(given: dict[str, str]) -> None:
    assert rules_with(GAME, RULES | given)


def limits(rule: str) -> tuple[int, int]:
    """The fewest and the most that the page's table says of a rule."""
    row = next(line for line in PAGE.splitlines() if line.startswith("|") and f"`{rule}`" in line.split("|")[1])
    found = re.search(r"(\d+) to (\d+)", row.split("|")[3])
    assert found, row
    return int(found[1]), int(found[2])


NAMES = [*"abcdefghi"]
GUESTS = [{"name": f"guest {n}", "items": ["a", "b"], "coins": 2} for n in range(1, 40)]
PLAIN = {
    "ingredients": NAMES[:8],
    "buns": [],
    "small_orders": [GUESTS[-1] | {"name": "small"}],
    "large_orders": GUESTS[:1],
}
OF_SIZE: dict[str, Callable[[int], dict[str, Any]]] = {
    "ingredients": lambda n: {"ingredients": NAMES[:n]},
    "copies": lambda n: {"copies": n},
    "bun_copies": lambda n: {"bun_copies": n},
    "buns": lambda n: {"buns": [{"name": f"bun {i}", "of": ["a", NAMES[i]]} for i in range(n)]},
    "large_orders": lambda n: {"large_orders": GUESTS[:n]},
    "items": lambda n: {"large_orders": [GUESTS[0] | {"items": ["a"] * n}]},
    "coins": lambda n: {"large_orders": [GUESTS[0] | {"coins": n}]},
}


@pytest.mark.parametrize("rule", OF_SIZE)
def test_limits_are_those_of_the_page(rule: str) -> None:
    """The fewest and the most are taken; one less and one more are not."""
    fewest, most = limits(rule)
    for size in (fewest, most):
        assert rules_with(GAME, PLAIN | OF_SIZE[rule](size))
    for size in (fewest - 1, most + 1) if rule != "buns" else (most + 1,):
        with pytest.raises(UserError):
            rules_with(GAME, PLAIN | OF_SIZE[rule](size))
