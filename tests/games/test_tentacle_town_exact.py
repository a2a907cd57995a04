"""Witness 3: small Tentacle Towns enumerated in fractions, and the simulation's figures beside them.

The enumerator (tests/oracles) is a second reading of the rulebook and knows nothing of the engine. The share of every
row and of every value of every measure must have the exact probability within its Clopper-Pearson interval, and no row
may be seen that cannot be. The levels are shared out so that a right program fails on fewer than one seed in a million
(see `tests.statistical.bounds`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from simkit.batch import play
from simkit.games.tentacle_town import GAME
from simkit.results import WIN
from tests.games.tentacle_town_plans import Planned
from tests.oracles.tentacle_town_settings import SETTINGS, enumerated, rules_of
from tests.statistical.bounds import chance, far_off

N = 100_000
QUICK = ("free", "docks_and_market", "every_count", "readings", "housing")
Figures = dict[str, list[int]]
"""Measure -> its value in each game (or each row of the enumeration); measures of seats have the seat in their name."""


def simulated(name: str, seed: int, **changes: Any) -> Figures:
    """N games of a setting, the rules changed if told."""
    rules = GAME.rules(**rules_of(name, **changes))
    results = play(GAME, rules, [Planned(plan) for plan in SETTINGS[name]["plans"]], seed, 0, N)
    figures = {column: values.tolist() for column, values in results.games.items()}
    for column, values in results.seats.items():
        figures |= {f"{column} of seat {seat}": each.tolist() for seat, each in enumerate(values)}
    return figures


def exactly(name: str) -> tuple[Figures, list[Fraction]]:
    """The rows of the enumeration in the same terms, and their probabilities."""
    figures: Figures = {}
    told = enumerated(name)
    for row in told:
        for column, value in row:
            for seat, each in enumerate(value) if isinstance(value, tuple) else [(None, value)]:
                measure = column if seat is None else f"{column} of seat {seat}"
                figures.setdefault(measure, []).append(as_stored(column, each))
    return figures, list(told.values())


def as_stored(column: str, value: Any) -> int:
    """A value as the engine's columns have it."""
    if column == "end_cause":
        return GAME.all_end_causes.index(value)
    return int(value * WIN) if column == "win" else int(value)


def differences(name: str, seed: int, **changes: Any) -> list[str]:
    """Where the simulation is too far from the enumeration: whole rows, and each measure by itself."""
    found = simulated(name, seed, **changes)
    truth, p = exactly(name)
    level = chance(len(SETTINGS)) / (1 + len(truth))
    seen = Counter(zip(*(found[column] for column in truth), strict=True))
    rows = list(zip(*truth.values(), strict=True))
    off = far_off(seen, summed(rows, p), level)
    for place, column in enumerate(truth):
        each = summed([row[place] for row in seen], list(seen.values()))
        off += [f"{column}: {line}" for line in far_off(each, summed([row[place] for row in rows], p), level)]
    return off


def summed(values: Sequence[Hashable], numbers: Sequence[Any]) -> dict[Hashable, Any]:
    """Value -> the sum of its numbers."""
    told: dict[Hashable, Any] = {}
    for value, number in zip(values, numbers, strict=True):
        told[value] = told.get(value, 0) + number
    return told


def setting(name: str, *more: Any) -> Any:
    """A test's parameters; tests of a setting share its enumeration."""
    slow = [] if name in QUICK else [pytest.mark.slow]
    return pytest.param(name, *more, marks=[*slow, pytest.mark.xdist_group(f"town_{name}")])


@pytest.mark.parametrize("name", [setting(name) for name in SETTINGS])
def test_the_simulation_agrees_with_the_enumeration(name: str) -> None:
    assert differences(name, seed=list(SETTINGS).index(name)) == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        setting("every_count", {"die": [1, 2, 1, 2, 0]}),
        setting("every_count", {"hit": "9/20"}),
        setting("every_count", {"start_buildings": 0}),
        setting("skulls_first", {"dice_order": "arrows-first"}),
        setting("readings", {"adjacency": "all"}),
        setting("readings", {"harpoons_per_result": 1}),
        setting("readings", {"token_limit": False}),
        setting("docks_and_market", {"pass_work": "stuck"}),
        setting("housing", {"housing_project": {"cost": {"gold": 1}}}),
        setting("movers", {"movers_same_district": False}),
        setting("overtime", {"overtime_after_pass": False}),
        setting("dealt", {"card_out": ""}),
    ],
)
def test_a_small_change_of_the_rules_is_noticed(name: str, wrong: dict[str, Any]) -> None:
    """Negative control: the simulation plays by one rule otherwise than the enumerator."""
    assert differences(name, seed=99, **wrong) != []
