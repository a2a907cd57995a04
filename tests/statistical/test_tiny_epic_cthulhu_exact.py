"""Games of Tiny Epic Cthulhu come to what the exact answers say: the bag, the first strength, the wheel, the dice.

Bounds hold whatever the number of events: Clopper and Pearson's where games are counted (`bounds`), martingale bounds
where every event has a chance of its own (`tiny_epic_cthulhu_watchers`). They are shared out so that each test fails a
right program on fewer than one seed in a million.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.exact import Answer
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.exact import TOPICS
from simkit.games.tiny_epic_cthulhu.exact_bag import start_bag
from simkit.strategy import Epsilon, Random, Strategy
from tests.games.tiny_epic_cthulhu_likings import EASY, HUNTER, IDLE, SCHOLAR, Likes, long_mat
from tests.statistical.bounds import chance, far_off
from tests.statistical.tiny_epic_cthulhu_watchers import (
    DiceWatcher,
    DrawWatcher,
    Rerolls,
    SpinWatcher,
    StrengthWatcher,
    Sums,
    Watcher,
    bound,
)


def rules_with(**changes: Any) -> Any:
    """Tiny Epic Cthulhu's rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))


def asked(topic: str, rules: Any, **options: Any) -> Answer:
    """A topic's answer."""
    found = {each.name: each for each in TOPICS}[topic]
    return found.answer(rules, found.options(**options))


def value(answer: Answer, name: str) -> Fraction:
    """One of an answer's numbers."""
    return {each.name: each.value for each in answer.values}[name]


def watch(watcher: Any, rules: Any, strategies: list[Strategy], seed: int, n: int) -> Any:
    """Play games under observation."""
    play(GAME, rules, strategies, seed, 0, n, observer=watcher)
    return watcher


def alike(**passive: int) -> list[dict[str, Any]]:
    """Characters who all have the same, and no ability."""
    return [{"name": f"twin {number}", "passive": passive} for number in range(6)]


def test_bounds_by_hand() -> None:
    """At the error rate of a fair coin's 2 e^-2 it is no narrower than Chernoff's bound, and not much wider."""
    assert bound(0, 1e-6) >= np.log(2e6)
    for variance in (10.0, 1e3, 1e5):
        chernoff = np.sqrt(2 * variance * np.log(2e6))
        assert chernoff < bound(variance, 1e-6) < 1.6 * chernoff + 10


# -------------------------------------------------------------------------------------------------------------- the bag

TABLES = {
    "the rulebook": ({}, [Epsilon(Likes(SCHOLAR), 0.2), Random()]),
    "published, madness": ({"edition": "published", "mode": "madness"}, [Likes(HUNTER), Random(), Likes(SCHOLAR)]),
    "phase two": (EASY, [Likes(SCHOLAR)] * 2),
    "cthulhu": ({"great_old_one": "cthulhu", "powers": "twice"}, [Random()] * 4),
}


@cache
def drawn(name: str, n: int, seed: int) -> DrawWatcher:
    """Games with every draw noted."""
    changes, strategies = TABLES[name]
    watcher: DrawWatcher = watch(DrawWatcher(n), rules_with(**changes), [*strategies], seed, n)
    return watcher


def share(bag: Any) -> Any:
    """The chance of each kind: its share in the bag."""
    return bag / bag.sum(axis=0)


@pytest.mark.parametrize("name", TABLES)
def test_tentacles_come_as_they_lie_in_the_bag(name: str) -> None:
    sums = drawn(name, 500, 1).sums(share)
    assert sums.counts["eldritch"] > 5_000
    assert {name.split(" by ")[-1] for name in sums.counts} >= {"wheel", "stop"}
    assert sums.far_off(chance(len(TABLES))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_tentacles_come_as_they_lie_in_the_bag_in_many_games(name: str) -> None:
    assert drawn(name, 20_000, 2).sums(share).far_off(chance(len(TABLES))) == []


@pytest.mark.parametrize("kind", range(5))
def test_another_bag_is_noticed(kind: int) -> None:
    """Negative control: one tentacle more than there is."""
    found = drawn("the rulebook", 500, 1).sums(lambda bag: share(bag + (np.arange(5) == kind)[:, None]))
    assert found.far_off(chance(len(TABLES))) != []


def test_kinds_that_are_not_as_likely_as_they_are_many_are_noticed() -> None:
    """Negative control: each kind in the bag as often as any other."""
    assert len(drawn("the rulebook", 500, 1).sums(lambda bag: share(bag != 0)).far_off(chance(len(TABLES)))) >= 5


# ------------------------------------------------------------------------------------------------------- first strength

MODES = ("normal", "hard", "madness")
QUIET = {"powers": "none", "abilities": "printed", "max_rounds": 5}
N_STRENGTH = 4_000


@cache
def strengthened(mode: str, n: int, **changes: Any) -> StrengthWatcher:
    """Games in which the wheel draws and nobody does anything."""
    rules = rules_with(mode=mode, characters=alike(stop_draws=9), **QUIET, **changes)
    watcher: StrengthWatcher = watch(StrengthWatcher(n), rules, [Likes(IDLE)] * 2, MODES.index(mode), n)
    assert watcher.is_done.all()
    return watcher


def missed(mode: str, n: int, told: Any = ()) -> list[str]:
    """Where draws and turns until the first strength are not as the exact answer says."""
    exact = asked("strength", rules_with(), **{"mode": mode, "per_turn": 3} | dict(told))
    return far_off(strengthened(mode, n).found, exact.distribution, chance(len(MODES)))


@pytest.mark.parametrize("mode", MODES)
def test_the_first_strength(mode: str) -> None:
    assert missed(mode, N_STRENGTH) == []


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_the_first_strength_in_many_games(mode: str) -> None:
    assert missed(mode, 100_000) == []


@pytest.mark.parametrize(
    "wrong", [{"mode": "hard"}, {"extra": "1/10"}, {"extra": "3/10"}, {"track": 1}, {"madness": 28}, {"per_turn": 4}]
)
def test_another_first_strength_is_noticed(wrong: dict[str, Any]) -> None:
    """Negative control."""
    assert missed("normal", N_STRENGTH, wrong) != []


@pytest.mark.parametrize("mode", MODES)
def test_the_first_strength_when_players_draw_too(mode: str) -> None:
    """Whoever draws, the order in the bag is the same, if nothing comes back to it: draws alone, not turns."""
    changes = {"town_actions": "none", "abilities": "none", "delirium": 99, "characters": alike()}
    rules, n = rules_with(mode=mode, **QUIET | changes | {"max_rounds": 8}), 2_000
    watcher = watch(StrengthWatcher(n), rules, [Random()] * 2, 7, n)
    assert watcher.is_done.all()
    draws: dict[Any, int] = {}
    for (number, _), games in watcher.found.items():
        draws[number,] = draws.get((number,), 0) + games
    assert far_off(draws, asked("strength", rules).distribution, chance(len(MODES))) == []


def test_the_bag_at_the_start() -> None:
    """The answers' bag is the game's."""

    class Start(Watcher):
        def on_setup(self, table: Any, columns: Any, deals: Any) -> None:
            assert (start_bag(table.rules) == table.state.bag.T).all()
            self.seen = True

    for mode in MODES:
        assert watch(Start(), rules_with(mode=mode, max_rounds=1), [Random()] * 2, 1, 5).seen


# ------------------------------------------------------------------------------------------------------------ the wheel

TAILS = ("opposite", "independent")
FIFTEEN = GAME.components["wheel"].alternatives[0]


@cache
def spun(tail: str, is_large: bool, n: int) -> SpinWatcher:
    """Two spins in each of so many games."""
    changes = {"wheel": FIFTEEN} if is_large else {}
    rules = rules_with(wheel_tail=tail, max_rounds=1, **changes)
    watcher: SpinWatcher = watch(SpinWatcher(), rules, [Likes(IDLE)] * 2, 3, n)
    assert watcher.segments.total() == 2 * n
    return watcher


def off_the_wheel(watcher: SpinWatcher, **told: Any) -> list[str]:
    """Where spins do not stop as they are said to."""
    rules = rules_with(**told)
    segments = dict.fromkeys(range(len(rules.wheel)), Fraction(1, len(rules.wheel)))
    exact = asked("wheel", rules).distribution
    return far_off(watcher.found, exact, chance(8)) + far_off(watcher.segments, segments, chance(8))


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize("tail", TAILS)
def test_spins(tail: str, is_large: bool) -> None:
    wheel = {"wheel": FIFTEEN} if is_large else {}
    assert off_the_wheel(spun(tail, is_large, 20_000), wheel_tail=tail, **wheel) == []


@pytest.mark.parametrize("tail", TAILS)
def test_other_wheels_are_noticed(tail: str) -> None:
    """Negative control: the other kind of tail, and two icons changed for each other."""
    watcher = spun(tail, False, 20_000)
    assert off_the_wheel(watcher, wheel_tail=TAILS[1 - TAILS.index(tail)]) != []
    wheel = [*rules_with().wheel]
    wheel[1], wheel[2] = wheel[2], wheel[1]
    assert off_the_wheel(watcher, wheel_tail=tail, wheel=wheel) != []


# ------------------------------------------------------------------------------------------------------------- the dice

DICE = ((2, 2, 2), (1, 3, 2))
PORTALS = {"fear": [2, 3], "rage": [3, 4], "greed": [4, 5]}
SEALING = EASY | {"custom": long_mat(29, 1) | {"portals": PORTALS}}
LINE_UPS = {"banish": HUNTER, "seal": SCHOLAR}


@cache
def rolled(goal: str, die: tuple[int, ...], rerolls: int, how: str, n: int) -> DiceWatcher:
    """Games with every roll noted: as many rerolls for everyone, used as well as can be."""
    changes = {"die": die, "rerolls": how, "characters": alike(rerolls=rerolls, stop_draws=9)}
    rules = rules_with(**(SEALING if goal == "seal" else {}) | changes)
    watcher: DiceWatcher = watch(DiceWatcher(n), rules, [Rerolls(LINE_UPS[goal])] * 2, 11, n)
    assert len(watcher.seals if goal == "seal" else watcher.costs) > n / 2
    return watcher


def off_the_dice(watcher: DiceWatcher, die: tuple[int, ...], rerolls: int, how: str) -> list[str]:
    """Faces, costs by the number of dice, and portals by their number and the dice that are not as they should be."""
    rules, sums = rules_with(die=die, rerolls=how), Sums()
    for (name, seen), face in product(watcher.faces.items(), range(3)):
        sums.add(("face", face, name), np.array(seen, int) == face, die[face] / sum(die))
    costs = np.array(watcher.costs).reshape(-1, 2)
    for dice in (1, 2, 3):
        answer, found = asked("banish", rules, dice=dice, rerolls=rerolls, held=1), costs[costs[:, 0] == dice, 1]
        sums.add(("one is enough", dice), found <= 1, float(value(answer, "banished")))
        for cost, p in answer.marginal("cost").items() if not rerolls else ():
            sums.add(("cost", dice, cost), found == cost, float(p))
    for need, dice in sorted({(need, dice) for need, dice, _ in watcher.seals}):
        p = value(asked("seal", rules, number=need, dice=dice, rerolls=rerolls), "sealed")
        found = np.array([is_sealed for *tried, is_sealed in watcher.seals if tried == [need, dice]])
        for name in (("sealed",), ("sealed", need, dice)):
            sums.add(name, found, float(p))
    return sums.far_off(chance(len(CASES)))


CASES = [
    (goal, die, rerolls, how)
    for goal in LINE_UPS
    for die, rerolls, how in [(DICE[0], 0, "once"), (DICE[0], 2, "once"), (DICE[1], 1, "once"), (DICE[0], 2, "total")]
]
N_DICE = 400


@pytest.mark.parametrize(("goal", "die", "rerolls", "how"), CASES)
def test_dice(goal: str, die: tuple[int, ...], rerolls: int, how: str) -> None:
    assert off_the_dice(rolled(goal, die, rerolls, how, N_DICE), die, rerolls, how) == []


@pytest.mark.slow
@pytest.mark.parametrize(("goal", "die", "rerolls", "how"), CASES)
def test_dice_in_many_games(goal: str, die: tuple[int, ...], rerolls: int, how: str) -> None:
    assert off_the_dice(rolled(goal, die, rerolls, how, 20_000), die, rerolls, how) == []


@pytest.mark.parametrize("goal", LINE_UPS)
@pytest.mark.parametrize(("die", "rerolls"), [(DICE[1], 2), (DICE[0], 1), (DICE[0], 0), ((2, 1, 3), 2)])
def test_other_dice_are_noticed(goal: str, die: tuple[int, ...], rerolls: int) -> None:
    """Negative control: two rerolls of a fair die, told otherwise."""
    assert off_the_dice(rolled(goal, DICE[0], 2, "once", N_DICE), die, rerolls, "once") != []
