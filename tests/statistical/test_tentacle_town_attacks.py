"""Attacks and hunts that the production code plays, against what icepool says they come to.

Every share of every outcome must have the exact probability within its Clopper-Pearson interval; the levels are shared
out so that a right program fails on fewer than one seed in a million for each of the two tests (see `bounds`).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.oracles.tentacle_town_icepool import attack, hunt
from tests.statistical.bounds import chance, far_off
from tests.statistical.tentacle_town_deals import attacks, hunts

N = 100_000
BLANK, HARD = [1, 1, 2, 1, 1], [2, 1, 3, 0, 0]

POSITIONS: dict[str, dict[str, Any]] = {
    "one die": {"dice": 1},
    "four dice": {"dice": 4, "district": 1},
    "a lone resident, killed first": {"dice": 4, "residents": 1},
    "a lone resident, fleeing first": {"dice": 4, "residents": 1, "order": "retreat-first", "district": 2},
    "nobody and nothing there": {"dice": 3, "residents": 0, "rows": (0, 0)},
    "few buildings in three rows": {"dice": 4, "rows": (1, 0, 1), "seats": 4, "residents": 2},
    "buildings defended": {"dice": 3, "rows": (2, 1), "harpoons": 1, "defend": "buildings"},
    "two quivers": {"dice": 4, "residents": 2, "rows": (1, 1), "harpoons": 2, "defend": "all", "district": 1},
    "one quiver": {"dice": 4, "residents": 2, "rows": (1, 1), "harpoons": 2, "defend": "all", "owners": "same"},
    "one quiver, fleeing first": {
        "dice": 4,
        "residents": 2,
        "rows": (2, 0),
        "harpoons": 3,
        "defend": "all",
        "owners": "same",
        "order": "retreat-first",
        "seats": 2,
        "district": 2,
    },
    "sure harpoons": {"dice": 4, "harpoons": 1, "defend": "all", "hit": "1", "die": HARD},
    "two thirds and blank faces": {"dice": 3, "harpoons": 3, "defend": "all", "hit": "2/3", "die": BLANK},
    "two harpoons a result": {"dice": 3, "harpoons": 4, "defend": "all", "harpoons_per_result": 2, "owners": "same"},
    "skulls first by rule": {"dice": 4, "residents": 1, "order": "retreat-first", "dice_order": "skulls-first"},
    "arrows first by rule": {"dice": 4, "residents": 1, "dice_order": "arrows-first"},
}


def exactly(position: dict[str, Any]) -> dict[Any, Fraction]:
    """The oracle's distribution for a position."""
    fixed = {"skulls-first": "kill-first", "arrows-first": "retreat-first"}.get(position.get("dice_order", ""))
    same = {name: position[name] for name in ("harpoons", "defend", "owners") if name in position}
    return attack(
        position["dice"],
        position.get("die", (1, 2, 2, 1, 0)),
        Fraction(position.get("hit", "1/2")),
        residents=position.get("residents"),
        buildings=sum(position["rows"]) if "rows" in position else None,
        order=fixed or position.get("order", "kill-first"),
        shots=position.get("harpoons_per_result", 1),
        **same,
    )


def missed(played: dict[str, Any], told: dict[str, Any], n_positions: int, seed: int) -> list[str]:
    """Where attacks from one position do not come to what is told of another."""
    return far_off(Counter(map(tuple, attacks(N, seed, **played).tolist())), exactly(told), chance(n_positions))


QUICK = (
    "four dice",
    "few buildings in three rows",
    "two quivers",
    "one quiver, fleeing first",
    "two harpoons a result",
)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in POSITIONS]
)
def test_attacks_come_to_what_icepool_says(name: str) -> None:
    position = POSITIONS[name]
    assert missed(position, position, len(POSITIONS), seed=list(POSITIONS).index(name)) == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("one die", {"die": BLANK}),
        ("one die", {"die": [1, 2, 1, 2, 0]}),
        ("a lone resident, killed first", {"order": "retreat-first"}),
        ("buildings defended", {"hit": "2/5"}),
        ("buildings defended", {"rows": (1, 1)}),
        ("one quiver", {"owners": "other"}),
        ("two harpoons a result", {"harpoons_per_result": 1}),
        ("one quiver", {"defend": "buildings"}),
    ],
)
def test_other_attacks_are_noticed(name: str, wrong: dict[str, Any]) -> None:
    """Negative control: one thing told otherwise than it is played."""
    assert missed(POSITIONS[name], POSITIONS[name] | wrong, len(POSITIONS), seed=7) != []


@pytest.mark.parametrize("hit", ["49/100", "51/100"])
def test_the_bounds_are_narrow(hit: str) -> None:
    """Negative control: harpoons a hundredth better or worse are told apart from fair ones."""
    position = {"dice": 4, "harpoons": 4, "defend": "all", "die": [1, 0, 0, 0, 0]}
    assert missed(position, position | {"hit": hit}, len(POSITIONS), seed=8) != []


HUNTS: dict[str, dict[str, Any]] = {
    "fewer harpoons than residents": {"harpoons": 2, "tentacles": 4, "residents": 5},
    "fewer residents than harpoons": {"harpoons": 6, "tentacles": 8, "residents": 3},
    "the area runs empty": {"harpoons": 6, "tentacles": 2, "residents": 9, "area": 1},
    "in the docks' own waters": {"harpoons": 4, "tentacles": 3, "residents": 4, "area": 0},
    "a volley": {"harpoons": 5, "tentacles": 2, "residents": 6, "hunt_firing": "volley"},
    "a better spinner": {"harpoons": 5, "tentacles": 4, "residents": 6, "hit": "3/5"},
}


def missed_in_hunts(played: dict[str, Any], told: dict[str, Any], seed: int) -> list[str]:
    """Where hunts do not come to what is told."""
    exact = hunt(
        min(told["harpoons"], told["residents"]),
        told["tentacles"],
        Fraction(told.get("hit", "1/2")),
        told.get("hunt_firing") == "volley",
    )
    return far_off(Counter(map(tuple, hunts(N, seed, **played).tolist())), exact, chance(len(HUNTS)))


@pytest.mark.parametrize("name", HUNTS)
def test_hunts_are_binomials_cut_off(name: str) -> None:
    assert missed_in_hunts(HUNTS[name], HUNTS[name], seed=list(HUNTS).index(name)) == []


@pytest.mark.parametrize("wrong", [{"hit": "51/100"}, {"residents": 5}, {"tentacles": 3}, {"hunt_firing": "volley"}])
def test_other_hunts_are_noticed(wrong: dict[str, Any]) -> None:
    """Negative control."""
    played = HUNTS["the area runs empty"]
    assert missed_in_hunts(played, played | wrong, seed=9) != []


def test_harpoons_that_are_not_fired_change_nothing() -> None:
    """The same deals, the same dice."""
    played = [attacks(2_000, 1, dice=4, residents=2, rows=(1, 1), harpoons=held) for held in (0, 3)]
    assert np.array_equal(*played)
