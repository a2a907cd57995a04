"""Small Tentacle Towns to enumerate, and what they come to; beside each the seconds of a core that it takes."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import simkit
from tests.oracles.tentacle_town_tiny import (
    ANY,
    ARROW,
    COUNTS,
    DESTROY,
    GAME_COUNTS,
    NEW,
    SKULL,
    Plan,
    Row,
    Rules,
    exact,
)


def setting(plans: Sequence[Plan], counted: Collection[str] = (), **changes: Any) -> dict[str, Any]:
    """Who plays, what is counted, and the rules that differ from `TINY`."""
    return {"plans": plans, "counted": counted, "changes": {**TINY, **changes}}


def at(district: int, **more: Any) -> Plan:
    """Works in one district, builds in the second row, and does anything else at random."""
    return {"": ANY, "district": (district,), "row": (1,), **more}


TINY: dict[str, Any] = {
    "residents": 1,
    "tentacles": 2,
    "dice": 1,
    "buildings": 4,
    "task_cards": 0,
    "max_rounds": 1,
    "start_gold": 1,
    "start_harpoons": 1,
}
FREE: Plan = {"": ANY}
HUNTER: Plan = {"work": (2, 1), "fire": (1,), "defend_building": (1,), "die": (DESTROY, NEW, ARROW, SKULL)}
CARTER: Plan = {"district": (1,), "work": (1,), "overtime": (5, 4), "times": (2, 1), "defend_building": (1,)}
CARTER = {**CARTER, "defend_resident": (1,), "victim": (1,), "retreat": (2, 0)}
SMITH: Plan = {"": ANY, "district": (2,), "work": (6, 7), "overtime": (6, 7), "row": (1,), "times": (2, 1)}
TOWN: dict[str, Any] = {"residents": 3, "tentacles": 3, "dice": 2, "buildings": 5, "max_rounds": 2}
GOODS_TOO: dict[str, Any] = {"start_food": 2, "start_iron": 2}
READINGS: dict[str, Any] = {
    "adjacency": "line",
    "destroyed_returns": False,
    "token_limit": True,
    "tokens": 2,
    "hunt_firing": "volley",
    "harpoons_per_result": 2,
    "zero_tasks": False,
    "pass_work": "stuck",
    "build_by_overtime": True,
}
SETTINGS = {
    "free": setting([FREE, FREE], start_gold=0),  # 0.4 s
    "free_with_gold": setting([FREE, FREE]),  # 1.5 s
    "free_3p": setting([FREE, FREE, FREE], start_gold=0, start_harpoons=0),  # 1.5 s
    "docks_and_market": setting([at(0), at(1)], residents=2),  # 0.4 s
    "forge": setting([at(2), at(2)], residents=2, **GOODS_TOO, defence_pays={"gold": 1, "fame": 2}),  # 0.7 s
    "every_count": setting([HUNTER, CARTER], COUNTS, **TOWN, **GOODS_TOO, start_gold=2),  # 0.7 s
    "three_seats": setting([HUNTER, CARTER, CARTER], ("n_lost", "n_built"), **{**TOWN, "max_rounds": 1}),  # 0.1 s
    "every_count_4p": setting([HUNTER, CARTER, HUNTER, CARTER], COUNTS, **{**TOWN, "max_rounds": 1}, **GOODS_TOO),
    "town": setting([HUNTER, CARTER], **{**TOWN, "max_rounds": 3}, start_gold=3, start_harpoons=3),  # 4 s
    "smith": setting([SMITH, HUNTER], ("n_killed", "n_overtime", "n_fired"), **TOWN),  # 2 s
    "two_dice": setting(  # 1.5 s
        [at(0, work=(2,)), at(2, work=(7,))], GAME_COUNTS, **{**TOWN, "residents": 2}, start_gold=0
    ),
    "readings": setting([at(0), at(1)], residents=2, **READINGS, start_food=1, start_harpoons=2),  # 0.5 s
    "skulls_first": setting([HUNTER, SMITH], GAME_COUNTS, **TOWN, dice_order="skulls-first", trades="all"),
    "arrows_first": setting([HUNTER, CARTER], GAME_COUNTS, **TOWN, dice_order="arrows-first", **READINGS),
    "housing": setting(  # 0.2 s
        [at(1), at(2, row=ANY)], **GOODS_TOO, cards=["housing_project", "erect_a_statue"], start_fame=1
    ),
    "movers": setting([at(0, movers_to=(0,)), at(2)], cards=["hire_movers"], start_harpoons=0),  # 1 s
    "movers_between": setting(  # 2 s
        [at(0, row=(0,)), at(1)], cards=["hire_movers"], movers_same_district=False, start_harpoons=0
    ),
    "cards": setting(  # 2 s
        [at(0), at(1)], **GOODS_TOO, cards=["plant_flowers", "can_calamari", "whittle_sticks"], start_harpoons=0
    ),
    "dealt": setting(  # 1.5 s
        [at(0), at(1)], **{**GOODS_TOO, "start_fame": 1, "start_harpoons": 0}, task_cards=1, card_out="hire_movers"
    ),
    "overtime": setting(
        [at(0), at(2)], **GOODS_TOO, overtime_after_pass=True, overtime_from_earnings=False, overtime_limit="residents"
    ),
}


@cache
def enumerated(name: str) -> dict[Row, Fraction]:
    """The rows of a setting with their probabilities; kept, for several tests look at them."""
    return exact(rules_of(name), SETTINGS[name]["plans"], SETTINGS[name]["counted"])


def rules_of(name: str, **changes: Any) -> Rules:
    """The components' values in a setting."""
    path = Path(simkit.__file__).parent / "games" / "tentacle_town" / "components.toml"
    values = {name: entry["value"] for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items()}
    return values | SETTINGS[name]["changes"] | changes
