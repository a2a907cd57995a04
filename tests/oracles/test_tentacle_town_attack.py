"""Tentacle Town's attack and harpoons, exactly: by hand, and against every roll and every shot gone through one by one.

The rules are a stand-in with what `exact.py` uses of the game's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from pydantic import ValidationError

from simkit.errors import UserError
from simkit.games.tentacle_town.exact import (
    AttackOptions,
    HarpoonOptions,
    attack,
    attack_distribution,
    harpoons,
    harpoons_distribution,
)

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Rules:
    """One skull, two arrows, two destroys, one new tentacle; a harpoon hits or not."""

    die: tuple[int, ...] = (1, 2, 2, 1, 0)
    hit_chance: Fraction = HALF
    dice: int = 4
    harpoons_per_result: int = 1


RULES = Rules()
ONLY_SKULLS, ONLY_DESTROYS = (1, 0, 0, 0), (0, 0, 1, 0)
SKULLS_AND_ARROWS = (1, 1, 0, 0)


def found(**options: Any) -> dict[tuple[int, ...], Fraction]:
    """The distribution of (killed, fled, destroyed, added, removed)."""
    return attack_distribution(RULES, AttackOptions(**options))


# -------------------------------------------------------------------------------------------------------------- by hand


def test_one_die() -> None:
    sixth = Fraction(1, 6)
    assert found(dice=1) == {
        (1, 0, 0, 0, 0): sixth,
        (0, 1, 0, 0, 0): 2 * sixth,
        (0, 0, 1, 0, 0): 2 * sixth,
        (0, 0, 0, 1, 0): sixth,
    }
    assert found(dice=1, residents=0, rows=(0, 0)) == {(0, 0, 0, 0, 0): 5 * sixth, (0, 0, 0, 1, 0): sixth}
    assert found(dice=0) == {(0, 0, 0, 0, 0): 1}


def test_a_blank_does_nothing() -> None:
    assert found(dice=1, faces=(0, 0, 0, 1, 3)) == {(0, 0, 0, 0, 0): Fraction(3, 4), (0, 0, 0, 1, 0): Fraction(1, 4)}


def test_two_dice_and_one_resident_in_either_order() -> None:
    """Half the dice are skulls, half arrows: whichever comes first takes the resident."""
    die = {"dice": 2, "residents": 1, "faces": SKULLS_AND_ARROWS}
    killed, fled = (1, 0, 0, 0, 0), (0, 1, 0, 0, 0)
    assert found(**die, order="kill-first") == {killed: Fraction(3, 4), fled: Fraction(1, 4)}
    assert found(**die, order="retreat-first") == {killed: Fraction(1, 4), fled: Fraction(3, 4)}


def test_one_harpoon_for_two_buildings() -> None:
    """Two results, one shot: a hit saves one of them."""
    die = {"dice": 2, "faces": ONLY_DESTROYS, "harpoons": 1, "hit": HALF}
    assert found(**die, defend="buildings") == {(0, 0, 1, 0, 1): HALF, (0, 0, 2, 0, 0): HALF}
    assert found(**die, defend="never") == {(0, 0, 2, 0, 0): 1}


def test_a_building_that_was_saved_may_fall_to_the_next_result() -> None:
    die = {"dice": 2, "faces": ONLY_DESTROYS, "rows": (1,), "harpoons": 1, "hit": HALF, "defend": "all"}
    assert found(**die) == {(0, 0, 1, 0, 1): HALF, (0, 0, 1, 0, 0): HALF}


def test_residents_are_defended_if_all_are() -> None:
    die = {"dice": 1, "faces": ONLY_SKULLS, "harpoons": 1, "hit": Fraction(2, 5)}
    assert found(**die, defend="buildings") == {(1, 0, 0, 0, 0): 1}
    assert found(**die, defend="all") == {(0, 0, 0, 0, 1): Fraction(2, 5), (1, 0, 0, 0, 0): Fraction(3, 5)}


def test_no_harpoon_is_fired_at_what_finds_no_target() -> None:
    die = {"dice": 3, "faces": ONLY_SKULLS, "residents": 0, "harpoons": 3, "hit": 1, "defend": "all"}
    assert found(**die) == {(0, 0, 0, 0, 0): 1}


def test_owners() -> None:
    """A skull and a destroy: two seats fire a harpoon each, one seat with one harpoon spends it on the skull."""
    die = {"dice": 2, "faces": (1, 0, 1, 0), "harpoons": 1, "hit": 1, "defend": "all"}
    quarter = Fraction(1, 4)
    skulls, destroys = {(1, 0, 0, 0, 1): quarter}, {(0, 0, 1, 0, 1): quarter}
    assert found(**die, owners="other") == skulls | destroys | {(0, 0, 0, 0, 2): HALF}
    assert found(**die, owners="same") == skulls | {(0, 0, 1, 0, 1): quarter + HALF}


def test_the_rulebooks_example() -> None:
    """Tentacle Attack Example: four dice show a new tentacle, a skull and two destroys.

    The outer row has one building, the next more. John may fire for the resident, the owner for the buildings. The roll
    has chance 4! / 2! * (1/6)(1/6)(2/6)^2 = 1/27; without defence nothing else leads to this outcome.
    """
    rolled = Fraction(12) * Fraction(1, 6) * Fraction(1, 6) * Fraction(1, 3) ** 2
    assert rolled == Fraction(1, 27)
    assert found(rows=(1, 3, 0), residents=2)[1, 0, 2, 1, 0] == rolled
    answer = attack(RULES, AttackOptions(rows=(1, 3, 0), residents=2))
    emptied = {value.name: value.value for value in answer.values}
    assert emptied["row_1_emptied"] == 1 - Fraction(2, 3) ** 4
    assert emptied["row_2_emptied"] == Fraction(1, 3) ** 4


def test_the_example_defended() -> None:
    """John fires for the resident, the owner once for a building: a quarter of 1/27 for each pair of hit and miss.

    Other rolls lead to two of the outcomes: two skulls of which the first is saved, a destroy that is missed, a new one
    (1/54 * 1/4); three destroys of which the first is saved, and a new one (2/81 * 1/2).
    """
    spread = found(rows=(1, 3, 0), residents=2, harpoons=1, defend="all")
    example = Fraction(1, 27) / 4
    assert spread[1, 0, 2, 1, 0] == example
    assert spread[0, 0, 1, 1, 2] == example
    assert spread[1, 0, 1, 1, 1] == example + Fraction(1, 54) / 4
    assert spread[0, 0, 2, 1, 1] == example + Fraction(2, 81) / 2


# -------------------------------------------------------------------------------------------- every roll and every shot


SIDES = ("skull", "arrow", "destroy", "new", "blank")


def by_brute_force(
    die: tuple[int, ...],
    dice: int,
    residents: int | None,
    buildings: int | None,
    n_harpoons: int,
    hit: Fraction,
    order: str,
    defend: str,
    owners: str,
) -> dict[tuple[int, ...], Fraction]:
    """Every sequence of faces, and for each every sequence of as many hits and misses as could be fired."""
    sides = [face for face, n in zip(SIDES, die, strict=False) for _ in range(n)]
    sequence = ["skull", "arrow"] if order == "kill-first" else ["arrow", "skull"]
    total: Counter[tuple[int, ...]] = Counter()
    for roll in product(sides, repeat=dice):
        for shots in product([True, False], repeat=dice if n_harpoons else 0):
            people = 99 if residents is None else residents
            houses = 99 if buildings is None else buildings
            mine, theirs, used = n_harpoons, n_harpoons, 0
            killed = fled = destroyed = removed = 0
            for face in sorted((f for f in roll if f in sequence), key=sequence.index):
                if people == 0:
                    continue
                if face == "skull" and defend == "all" and mine:
                    mine, used = mine - 1, used + 1
                    if shots[used - 1]:
                        removed += 1
                        continue
                people -= 1
                killed, fled = (killed + 1, fled) if face == "skull" else (killed, fled + 1)
            for _ in range(roll.count("destroy")):
                if houses == 0:
                    continue
                left = mine if owners == "same" else theirs
                if defend != "never" and left:
                    mine, theirs, used = mine - 1, theirs - 1, used + 1
                    if shots[used - 1]:
                        removed += 1
                        continue
                houses, destroyed = houses - 1, destroyed + 1
            p = prod((hit if shot else 1 - hit for shot in shots), start=Fraction(1, len(sides) ** dice))
            total[killed, fled, destroyed, roll.count("new"), removed] += p  # type: ignore[assignment]
    return {outcome: p for outcome, p in total.items() if p}


DICE = [(1, 2, 2, 1, 0), (1, 1, 2, 1, 1), (2, 1, 1, 0)]
PLACES = [(None, None), (1, (1, 1)), (2, (0,)), (0, (2, 0, 1)), (1, None)]


@pytest.mark.parametrize("owners", ["other", "same"])
@pytest.mark.parametrize("defend", ["never", "buildings", "all"])
@pytest.mark.parametrize("order", ["kill-first", "retreat-first"])
def test_against_brute_force(order: str, defend: str, owners: str) -> None:
    for die, (residents, rows), n_harpoons in product(DICE, PLACES, (0, 1, 2)):
        hit = Fraction(2, 5) if n_harpoons == 1 else HALF
        asked = {"dice": 3, "faces": die, "residents": residents, "rows": rows, "harpoons": n_harpoons, "hit": hit}
        exact = found(**asked, order=order, defend=defend, owners=owners)
        houses = None if rows is None else sum(rows)
        assert exact == by_brute_force(die, 3, residents, houses, n_harpoons, hit, order, defend, owners), asked
        assert sum(exact.values()) == 1


def test_four_dice_against_brute_force() -> None:
    exact = found(residents=2, rows=(1, 2), harpoons=1, defend="all", hit="0.45", order="retreat-first")
    hit = Fraction(9, 20)
    assert exact == by_brute_force(RULES.die, 4, 2, 3, 1, hit, "retreat-first", "all", "other")


def test_brute_force_tells_orders_and_owners_apart() -> None:
    """Negative control."""
    kinds = {
        str(sorted(by_brute_force((1, 1, 1, 1), 2, 1, 1, 1, HALF, order, defend, owners).items()))
        for order in ("kill-first", "retreat-first")
        for defend, owners in (("never", "other"), ("buildings", "other"), ("all", "other"), ("all", "same"))
    }
    assert len(kinds) == 8


@pytest.mark.parametrize("dice", [1, 4, 10])
@pytest.mark.parametrize("harpoons", [0, 3])
def test_probabilities_add_up_to_one(dice: int, harpoons: int) -> None:
    assert sum(found(dice=dice, harpoons=harpoons, defend="all", residents=4, rows=(2, 3), hit="1/7").values()) == 1


def test_the_rules_give_what_is_left_out() -> None:
    rules = Rules(die=(0, 0, 0, 1, 1), dice=2, hit_chance=Fraction(1))
    assert attack_distribution(rules, AttackOptions())[0, 0, 0, 1, 0] == HALF
    rules = Rules(die=(*ONLY_DESTROYS, 0), dice=2, hit_chance=Fraction(1))
    assert attack_distribution(rules, AttackOptions(harpoons=2, defend="all")) == {(0, 0, 0, 0, 2): 1}
    with pytest.raises(UserError, match="at most 10 dice; the rules have 40"):
        attack_distribution(Rules(dice=40), AttackOptions())


def test_means_by_linearity() -> None:
    """With plenty of targets and no defence each die counts by itself."""
    answer = attack(RULES, AttackOptions(dice=5))
    means = {measure.name: answer.mean(measure.name) for measure in answer.measures}
    assert means == {
        "killed": Fraction(5, 6),
        "fled": Fraction(5, 3),
        "destroyed": Fraction(5, 3),
        "added": Fraction(5, 6),
        "removed": 0,
    }
    assert answer.marginal("added")[5] == Fraction(1, 6) ** 5
    assert answer.values[0].value == HALF**5


# ------------------------------------------------------------------------------------------------------------- harpoons


def hunted(n: int, tentacles: int | None, hit: Fraction) -> dict[tuple[int, ...], Fraction]:
    """Every sequence of hits and misses, of which no more is fired than needed."""
    total: Counter[tuple[int, ...]] = Counter()
    for shots in product([True, False], repeat=n):
        hits = fired = 0
        for shot in shots:
            if hits != tentacles:
                hits, fired = hits + shot, fired + 1
        total[hits, fired] += prod((hit if shot else 1 - hit for shot in shots), start=Fraction(1))  # type: ignore[assignment]
    return dict(total)


@pytest.mark.parametrize("tentacles", [None, 0, 1, 2, 3, 9])
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_harpoons(n: int, tentacles: int | None) -> None:
    for hit in (HALF, Fraction(2, 5)):
        exact = harpoons_distribution(RULES, HarpoonOptions(harpoons=n, tentacles=tentacles, hit=hit))
        assert exact == hunted(n, tentacles, hit)
        assert sum(exact.values()) == 1


def test_harpoons_by_hand() -> None:
    """Two tentacles, three harpoons, even odds."""
    answer = harpoons(RULES, HarpoonOptions(harpoons=3, tentacles=2))
    eighth = Fraction(1, 8)
    assert answer.distribution == {(0, 3): eighth, (1, 3): 3 * eighth, (2, 2): 2 * eighth, (2, 3): 2 * eighth}
    assert answer.values[0].value == HALF
    assert answer.mean("fired") == Fraction(11, 4)


@pytest.mark.parametrize("hit", [0, 1])
def test_harpoons_that_never_or_always_hit(hit: int) -> None:
    exact = harpoons_distribution(RULES, HarpoonOptions(harpoons=4, tentacles=2, hit=hit))
    assert exact == {(2, 2) if hit else (0, 4): 1}


@pytest.mark.parametrize(
    "wrong",
    [{"dice": 11}, {"residents": -1}, {"rows": ()}, {"faces": (0, 0, 0, 0)}, {"faces": (1, 2)}, {"hit": 1.5}, {"x": 1}],
)
def test_options_out_of_bounds(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        AttackOptions(**wrong)
