"""Witness 3: simkit's exact attack distributions against icepool's, fraction by fraction; and icepool's by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from typing import Any

import pytest

from simkit.games.tentacle_town import GAME
from simkit.games.tentacle_town.exact import (
    AttackOptions,
    HarpoonOptions,
    attack_distribution,
    harpoons_distribution,
)
from tests.oracles.tentacle_town_icepool import attack, hunt, referee

HALF = Fraction(1, 2)
DIE = (1, 2, 2, 1, 0)

# The oracle itself, by hand.


def test_the_rulebooks_four_dice() -> None:
    # One new tentacle, one resident killed, two buildings destroyed; a harpoon saves the resident.
    rolled = ("destroy", "destroy", "new", "skull")
    assert referee(rolled, (), None, 3, 0, "kill-first", "never", "other", 1) == (1, 0, 2, 1, 0)
    assert referee(rolled, (True,), None, 3, 1, "kill-first", "all", "same", 1) == (0, 0, 2, 1, 1)
    assert referee(rolled, (False,), None, 3, 1, "kill-first", "all", "same", 1) == (1, 0, 2, 1, 0)
    assert referee(rolled, (True, False), None, 3, 1, "kill-first", "all", "other", 1) == (0, 0, 2, 1, 1)


def test_one_die() -> None:
    assert attack(1, DIE, HALF, harpoons=1, defend="all") == {
        (1, 0, 0, 0, 0): Fraction(1, 12),
        (0, 1, 0, 0, 0): Fraction(1, 3),
        (0, 0, 1, 0, 0): Fraction(1, 6),
        (0, 0, 0, 1, 0): Fraction(1, 6),
        (0, 0, 0, 0, 1): Fraction(1, 4),  # a skull or a destruction (1/2), hit (1/2)
    }


@pytest.mark.parametrize("faces", [DIE, (1, 1, 2, 1, 1)])
def test_without_defence_and_with_plenty_of_targets_it_is_multinomial(faces: tuple[int, ...]) -> None:
    told = attack(4, faces, HALF)
    for counts in product(range(5), repeat=4):
        if (n_blank := 4 - sum(counts)) >= 0:
            ways = factorial(4) // prod(map(factorial, (*counts, n_blank)))
            p = ways * prod(Fraction(f, 6) ** n for f, n in zip(faces, (*counts, n_blank), strict=True))
            assert told.get((*counts, 0), 0) == p


@pytest.mark.parametrize("residents", [0, 1, 2, 4])
def test_killed_first_they_are_as_many_as_skulls_or_residents(residents: int) -> None:
    killed = [Fraction(0)] * 5
    for outcome, p in attack(4, DIE, HALF, residents=residents).items():
        killed[outcome[0]] += p
    skulls = [comb(4, n) * Fraction(1, 6) ** n * Fraction(5, 6) ** (4 - n) for n in range(5)]
    assert killed[:residents] == skulls[:residents]
    assert killed[residents] == sum(skulls[residents:])


def test_a_lone_resident_may_flee_before_the_skull() -> None:
    told = attack(3, DIE, HALF, residents=1, order="retreat-first")
    no_arrow, neither = Fraction(4, 6) ** 3, Fraction(3, 6) ** 3
    assert sum(p for outcome, p in told.items() if outcome[0]) == no_arrow - neither
    assert sum(p for outcome, p in told.items() if outcome[1]) == 1 - no_arrow


def test_every_defended_result_is_repelled_with_the_chance_of_a_hit() -> None:
    told = attack(4, DIE, Fraction(2, 5), harpoons=4, defend="all")
    assert sum(p * outcome[4] for outcome, p in told.items()) == 4 * Fraction(3, 6) * Fraction(2, 5)


# simkit's distributions against the oracle's. Each list is what an option may be; the tests take some of the product.

GRID: dict[str, tuple[Any, ...]] = {
    "dice": (1, 2, 3, 4),
    "faces": (None, (1, 1, 2, 1, 1), (2, 0, 3, 1, 0), (1, 2, 2, 1)),
    "hit": (None, Fraction(2, 5), Fraction(1), Fraction(0)),
    "residents": (None, 0, 1, 2, 3),
    "rows": (None, (0, 0, 0), (1, 0, 0), (0, 1, 1), (2, 1, 0), (3, 2)),
    "harpoons": (0, 1, 2, 4),
    "order": ("kill-first", "retreat-first"),
    "defend": ("never", "buildings", "all"),
    "owners": ("other", "same"),
}


def some(n: int, seed: int) -> list[dict[str, Any]]:
    """Some of the grid's cases, drawn at random."""
    rng = random.Random(seed)
    return [{name: rng.choice(values) for name, values in GRID.items()} for _ in range(n)]


def told_apart(options: dict[str, Any], shots: int = 1, **wrong: Any) -> bool:
    """Whether simkit and the oracle say different things of an attack."""
    rules = GAME.rules(**GAME.components.values_with({"harpoons_per_result": shots}))
    ours = attack_distribution(rules, AttackOptions(**options))
    told = dict(options) | wrong
    rows, faces, hit = told.pop("rows"), told.pop("faces"), told.pop("hit")
    theirs = attack(
        faces=faces or rules.die,
        hit=rules.hit_chance if hit is None else hit,
        buildings=None if rows is None else sum(rows),
        shots=shots,
        **told,
    )
    assert all(isinstance(p, Fraction) for p in ours.values())
    return {tuple(outcome): p for outcome, p in ours.items() if p} != theirs


def test_simkits_distributions_are_icepools() -> None:
    cases = some(250, 4711)
    for name, values in GRID.items():
        assert {case[name] for case in cases} == set(values)
    assert [case for case in cases if told_apart(case)] == []
    assert [case for case in cases[:50] if told_apart(case, shots=2)] == []


@pytest.mark.slow
def test_simkits_distributions_are_icepools_over_and_over() -> None:
    for case in some(2_000, 4712):
        assert not told_apart(case), case


def test_wrong_readings_are_noticed() -> None:
    """Negative control: another order, other owners, other dice, one resident less."""
    case = {"dice": 3, "faces": None, "hit": None, "residents": 2, "rows": (1, 1, 0), "harpoons": 1}
    case |= {"order": "kill-first", "defend": "all", "owners": "same"}
    assert not told_apart(case)
    for wrong in ({"order": "retreat-first"}, {"owners": "other"}, {"defend": "buildings"}, {"residents": 1}):
        assert told_apart(case, **wrong), wrong
    assert told_apart(case, harpoons=2)


@pytest.mark.parametrize("hit", [None, Fraction(3, 5), Fraction(1), Fraction(0)])
def test_simkits_harpoons_are_icepools(hit: Fraction | None) -> None:
    rules = GAME.rules(**GAME.components.values_with({}))
    for harpoons, tentacles in product(range(7), [*range(1, 6), None]):
        ours = harpoons_distribution(rules, HarpoonOptions(harpoons=harpoons, tentacles=tentacles, hit=hit))
        told = hunt(harpoons, 99 if tentacles is None else tentacles, rules.hit_chance if hit is None else hit)
        assert {key: p for key, p in ours.items() if p} == {
            (killed, thrown): p for (thrown, _, killed), p in told.items()
        }
