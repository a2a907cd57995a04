"""The oracle of small Tentacle Towns itself: by hand, the rulebook's examples, and wrong rules that must show."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracles.tentacle_town_settings import SETTINGS, enumerated, rules_of
from tests.oracles.tentacle_town_tiny import COUNTS, FIRST_TASK, TASKS, Plan, exact

CALM = {"die": [0, 0, 0, 0, 1], "start_gold": 3, "start_harpoons": 3}
IDLE: Plan = {}
HALF = Fraction(1, 2)


def doing(*tasks: str, **more: Any) -> Plan:
    """Build (or do the first task) in the docks unless told otherwise, the others by overtime."""
    first, *others = (1 if task == "build" else FIRST_TASK + TASKS.index(task) for task in tasks)
    return {"work": (first,), "overtime": tuple(others), "row": (1,), "times": (9, 8, 7, 6, 5, 4, 3, 2, 1), **more}


def told(*plans: Plan, **changes: Any) -> list[tuple[Fraction, dict[str, Any]]]:
    """Probability and row of everything that may come of a tiny setting."""
    return [(p, dict(row)) for row, p in exact(rules_of("free", **changes), plans, COUNTS).items()]


def only(*plans: Plan, **changes: Any) -> dict[str, Any]:
    """The row of a game without luck."""
    ((p, row),) = told(*plans, **CALM, **changes)
    assert p == 1
    return row


def test_one_resident_in_a_tied_district() -> None:
    # Seat 0 recruits the only resident to the docks and does nothing; one building each, so the fame is discarded.
    row = only(IDLE, IDLE)
    assert (row["n_turns"], row["end_cause"]) == (1, "no-resident")
    assert (row["fame"], row["from_majority"], row["majority_lost"], row["majority_unheld"]) == ((0, 0), (0, 0), 1, 0)
    assert (row["gold"], row["win"]) == ((3, 3), (HALF, HALF))


def test_gold_breaks_the_tie() -> None:
    row = only(doing("butcher_catch", "build"), IDLE, residents=2, overtime_cost=1, build_by_overtime=True)
    assert row["gold"] == (2, 3)
    assert (row["fame"], row["from_majority"]) == ((2, 0), (2, 0))
    changes = {"cards": ["fancy_shindig"], "fancy_shindig": {"cost": {"gold": 2}}, "residents": 2, "max_rounds": 2}
    row = only(doing("fancy_shindig"), IDLE, **changes)
    assert (row["fame"], row["gold"], row["win"]) == ((1, 1), (1, 3), (0, 1))


def test_a_resident_killed_is_recruited_again() -> None:
    # One die, skull or blank: the game ends after n turns with probability 1/2 to the n; the fourth turn is the last.
    rows = told(IDLE, IDLE, die=[1, 0, 0, 0, 1], tentacles=1, max_rounds=2, start_harpoons=0)
    by_turns = {turns: sum(p for p, row in rows if row["n_turns"] == turns) for turns in (1, 2, 3, 4)}
    assert by_turns == {1: HALF, 2: Fraction(1, 4), 3: Fraction(1, 8), 4: Fraction(1, 8)}
    assert sum(p for p, row in rows if row["end_cause"] == "unfinished") == Fraction(1, 8)


def test_a_hunt() -> None:
    # In turn 1 a tentacle came to the docks; two residents, so seat 1 may fire twice; the area is empty after a hit.
    rows = told(IDLE, doing("hunt_tentacles", fire=(1,)), **CALM, residents=2, hit="1/3")
    fired = {(row["n_fired"][1], row["n_hit"][1], row["fame"]): p for p, row in rows}
    third = Fraction(1, 3)
    assert fired == {(1, 1, (1, 2)): third, (2, 1, (1, 2)): 2 * third**2, (2, 0, (1, 1)): 4 * third**2}


def test_a_volley_is_thrown_though_the_area_is_empty() -> None:
    plan = doing("hunt_tentacles", times=(2,))
    rows = told(IDLE, plan, **CALM, residents=2, hunt_firing="volley", hit="1/3")
    assert {(row["n_fired"][1], row["n_hit"][1], row["from_hunting"][1]): p for p, row in rows} == {
        (2, 2, 1): Fraction(1, 9),
        (2, 1, 1): Fraction(4, 9),
        (2, 0, 0): Fraction(4, 9),
    }


def test_a_defended_resident() -> None:
    # The one die is a skull. A hit: the resident stays, and the game is over; a miss: one more turn, for seat 1.
    plan = {"defend_resident": (1,)}
    rows = told(plan, IDLE, die=[1, 0, 0, 0, 0], tentacles=1, start_harpoons=1, max_rounds=1)
    assert {(row["n_turns"], row["n_killed"], row["n_saved"], row["from_defence"]): p for p, row in rows} == {
        (1, 0, 1, (1, 0)): HALF,
        (2, 2, 0, (0, 0)): HALF,
    }


def test_petes_example() -> None:
    # Build, then Fancy Shindig and Erect a Statue by overtime: 1 iron and 5 gold for 4 fame. Two buildings against one
    # take the resident's fame besides.
    cards = ["fancy_shindig", "erect_a_statue"]
    changes = dict(CALM, start_gold=5, start_iron=1, cards=cards)
    ((_, row),) = told(doing("build", *cards), IDLE, **changes)
    assert (row["from_cards"], row["from_majority"], row["gold"], row["n_overtime"]) == ((4, 0), (1, 0), (0, 5), (2, 0))


def test_johns_example() -> None:
    # The second building in the market, then the caravan by overtime: fame for each building.
    plan = doing("build", "calamari_caravan", district=(1,))
    row = only(plan, IDLE, start_iron=1, start_food=1)
    assert (row["from_board"], row["gold"]) == ((2, 0), (1, 3))


def test_squid_bake_by_buildings() -> None:
    # Up to as often as there are buildings in the district.
    plan = doing("build", "squid_bake", district=(2,))
    assert only(plan, IDLE, start_food=6, cards=["squid_bake"])["from_cards"] == (2, 0)
    assert only(plan, IDLE, start_food=3, cards=["squid_bake"])["from_cards"] == (1, 0)


def test_housing_project_beside_building() -> None:
    row = only(doing("build", "housing_project"), IDLE, start_fame=1, buildings=5, cards=["housing_project"])
    assert (row["n_built"], row["n_buildings"], row["spent"], row["gold"]) == ((2, 0), (5, 3), (1, 0), (1, 3))


def test_the_outermost_row_is_read_anew() -> None:
    # Two dice, both destroy: seat 0's tentacle is the second one, so turn 2 has two dice. Seat 1 picks its right
    # neighbour's building in row 0, then its own there; the building in row 1 stays.
    plans = [doing("build", district=(0,)), {"victim": (1, 0)}]
    changes = {"die": [0, 0, 1, 0, 0], "dice": 2, "residents": 2, "start_harpoons": 0, "buildings": 5}
    ((_, row),) = told(*plans, **changes)
    # turn 1: seat 0's own building in row 0 (its lowest option); turn 2: seat 1's in row 0, then seat 0's in row 1
    assert (row["n_lost"], row["n_buildings"], row["n_destroyed"]) == ((2, 1), (2, 2), 3)
    assert (row["majority_unheld"], row["fame"]) == (2, (0, 0))


@pytest.mark.parametrize("name", ["every_count", "skulls_first", "readings"])
def test_identities(name: str) -> None:
    rows = [(p, dict(row)) for row, p in enumerated(name).items()]
    assert sum(p for p, _ in rows) == 1
    residents = SETTINGS[name]["changes"]["residents"]
    for _, row in rows:
        if row["end_cause"] == "no-resident":
            assert sum(row["from_majority"]) + row["majority_lost"] + row["majority_unheld"] == residents
            assert sum(row["win"]) == 1
            assert row["n_turns"] == residents + row.get("n_killed", row["n_turns"] - residents)


@pytest.mark.parametrize(
    "wrong", [{"hit": "2/5"}, {"die": [1, 1, 2, 1, 1]}, {"dice": 1}, {"tentacles": 2}, {"defence_pays": {"food": 1}}]
)
def test_other_rules_show(wrong: dict[str, Any]) -> None:
    """Negative control."""
    setting = SETTINGS["every_count"]
    assert exact(rules_of("every_count", **wrong), setting["plans"], setting["counted"]) != enumerated("every_count")
