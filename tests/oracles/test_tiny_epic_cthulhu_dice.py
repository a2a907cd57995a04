"""Witness 3: simkit's exact answers on dice and bag against icepool's, fraction by fraction; and icepool's by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from simkit.exact import Answer
from simkit.games.tiny_epic_cthulhu.exact import TOPICS
from tests.games.test_tiny_epic_cthulhu_exact import rules_with
from tests.oracles.tiny_epic_cthulhu_icepool import attempts, cost, drawn, draws_until, reached, total

DICE = [(2, 2, 2), (1, 3, 2), (3, 2, 1), (0, 1, 2), (1, 0, 1), (4, 1, 0)]
EVEN = (2, 2, 2)

# The oracle itself, by hand.


def test_the_oracles_dice_by_hand() -> None:
    assert cost(EVEN, 2) == {0: Fraction(1, 9), 1: Fraction(3, 9), 2: Fraction(5, 9)}
    assert cost(EVEN, 2, is_free=False) == {1: Fraction(4, 9), 2: Fraction(5, 9)}
    assert cost((1, 1, 0), 2, by="sum") == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    assert total(EVEN, 1) == dict.fromkeys(range(3), Fraction(1, 3))


def test_the_oracles_rerolls_by_hand() -> None:
    """Two dice must both show 2. A lone other die is rolled again, in all twice if there are two rerolls."""
    third = Fraction(1, 3)

    def both(rolled: Any) -> bool:
        return min(rolled) == 2

    lone, none = 2 * third * (1 - third), (1 - third) ** 2
    assert reached(EVEN, 2, 0, both) == third**2
    assert reached(EVEN, 2, 1, both) == third**2 + lone * third
    assert reached(EVEN, 2, 2, both) == third**2 + lone * third + none * third**2
    assert reached(EVEN, 2, 2, both, "total") == third**2 + lone * (1 - (1 - third) ** 2) + none * third**2


def test_the_oracles_bag_by_hand() -> None:
    assert drawn((1, 0, 0, 0, 2), 2) == {(0, 0, 0, 0, 2): Fraction(1, 3), (1, 0, 0, 0, 1): Fraction(2, 3)}
    assert draws_until(1, 1, 1) == Fraction(3, 2)
    assert attempts(Fraction(1, 4)) == 4


# simkit's answers against the oracle's.


def asked(topic: str, rules: Any, **options: Any) -> Answer:
    """A topic's answer."""
    found = {each.name: each for each in TOPICS}[topic]
    return found.answer(rules, found.options(**options))


def value(answer: Answer, name: str) -> Fraction:
    """One of an answer's numbers."""
    return {each.name: each.value for each in answer.values}[name]


@pytest.mark.parametrize("die", DICE)
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_costs_and_sums_without_rerolls(die: tuple[int, ...], dice: int) -> None:
    for by, is_free in product(("highest", "sum"), (True, False)):
        rules = rules_with(die=die, banish_cost=by, free_banish=is_free)
        assert asked("banish", rules, dice=dice).marginal("cost") == cost(die, dice, by, is_free)
    assert asked("seal", rules_with(die=die), dice=dice, number=1).marginal("sum") == total(die, dice)


def differ(die: tuple[int, ...], dice: int, rerolls: int, how: str, goal: int, wrong: Any = ()) -> list[str]:
    """Where simkit and the oracle say different things of rolls for a goal."""
    rules, off = rules_with(die=die, rerolls=how), []
    told = {"sides": die, "dice": dice, "rerolls": rerolls, "how": how} | dict(wrong)
    seal = asked("seal", rules, dice=dice, rerolls=rerolls, number=goal)
    p = reached(is_good=lambda rolled: sum(rolled) >= goal, **told)
    if value(seal, "sealed") != p:
        off.append("seal")
    if p and value(seal, "attempts") != attempts(p):
        off.append("attempts")
    if value(asked("banish", rules, dice=dice, rerolls=rerolls, held=goal), "banished") != reached(
        is_good=lambda rolled: max(rolled) <= goal, **told
    ):
        off.append("banish")
    summed = rules_with(die=die, rerolls=how, banish_cost="sum")
    if value(asked("banish", summed, dice=dice, rerolls=rerolls, held=goal), "banished") != reached(
        is_good=lambda rolled: sum(rolled) <= goal, **told
    ):
        off.append("banish by sum")
    return off


CASES = [*product(DICE, (1, 2, 3), (1, 2, 3), ("once", "total"), (0, 1, 2, 3, 4, 5, 6))]


def test_the_best_rerolls_are_the_oracles() -> None:
    for case in random.Random(5).sample(CASES, 60):
        assert differ(*case) == [], case


@pytest.mark.slow
def test_the_best_rerolls_are_the_oracles_in_all_cases() -> None:
    for case in CASES:
        assert differ(*case) == [], case


@pytest.mark.parametrize(
    "wrong", [{"rerolls": 1}, {"rerolls": 3}, {"dice": 2}, {"sides": (1, 3, 2)}, {"how": "total", "rerolls": 2}]
)
def test_other_dice_are_noticed(wrong: dict[str, Any]) -> None:
    """Negative control."""
    assert differ(EVEN, 3, 2, "once", 3) == []
    assert {"seal", "attempts", "banish by sum"} <= {*differ(EVEN, 3, 2, "once", 3, wrong)}


BAGS = [(2, 1, 3, 1, 2), (9, 9, 9, 0, 3), (1, 0, 0, 4, 1), (0, 0, 0, 0, 2)]


@pytest.mark.parametrize("bag", BAGS)
@pytest.mark.parametrize("draws", [1, 2, 4])
def test_draws_are_deals_from_a_deck(bag: tuple[int, ...], draws: int) -> None:
    assert asked("draws", rules_with(), bag=bag, draws=draws).distribution == drawn(bag, draws)


@pytest.mark.parametrize(
    ("others", "eldritch", "needed"), [(27, 3, 3), (27, 4, 3), (27, 5, 3), (4, 6, 2), (0, 3, 1), (12, 5, 5)]
)
def test_draws_until_strength_grows_are_the_oracles(others: int, eldritch: int, needed: int) -> None:
    bag = {"madness": others, "eldritch": eldritch, "track": needed - 1}
    assert asked("strength", rules_with(), **bag).mean("draws") == draws_until(others, eldritch, needed)
    assert asked("strength", rules_with(), **bag | {"chaos": 1}).mean("draws") != draws_until(others, eldritch, needed)
