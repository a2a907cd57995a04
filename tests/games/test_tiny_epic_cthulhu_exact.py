"""Tiny Epic Cthulhu's exact answers: by hand, and against everything that may happen gone through one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from simkit.components import Components
from simkit.errors import UserError
from simkit.exact import Answer
from simkit.games import tiny_epic_cthulhu
from simkit.games.tiny_epic_cthulhu.exact import TOPICS
from simkit.games.tiny_epic_cthulhu.rules import ICONS, Rules

COMPONENTS = Components.read(Path(tiny_epic_cthulhu.__file__ or "").with_name("components.toml"))
HALF = Fraction(1, 2)
Outcome = tuple[int, ...]


def rules_with(**changes: Any) -> Rules:
    """The box, with other dice, another wheel and so on."""
    return Rules(**COMPONENTS.values_with(changes))


RULES = rules_with()


def asked(topic: str, rules: Any = RULES, **options: Any) -> Answer:
    """A topic's answer."""
    found = {each.name: each for each in TOPICS}[topic]
    return found.answer(rules, found.options(**options))


def value(answer: Answer, name: str) -> Fraction:
    """One of an answer's numbers."""
    return {each.name: each.value for each in answer.values}[name]


def shares(outcomes: list[Any]) -> dict[Any, Fraction]:
    """Equally likely outcomes as a distribution."""
    return {outcome: Fraction(n, len(outcomes)) for outcome, n in Counter(outcomes).items()}


# ------------------------------------------------------------------------------------------------------------ strength


@pytest.mark.parametrize(("mode", "mean"), [("normal", "23.25"), ("hard", "19.2"), ("madness", "16.5")])
def test_draws_until_strength_grows(mode: str, mean: str) -> None:
    """27 Madness and 3, 4 or 5 Eldritch, of which the third is one too many for two spaces: 3 (N + 1) / (E + 1)."""
    answer = asked("strength", mode=mode)
    assert answer.mean("draws") == Fraction(mean)
    assert asked("strength", rules_with(mode=mode)) == answer
    assert {*answer.marginal("draws")} == set(range(3, 31))


def test_the_last_eldritch_is_the_last_tentacle_as_often_as_any() -> None:
    """Three of three: the last tentacle is Eldritch in 3 of 30 cases, the first three are in 1 of C(30, 3)."""
    draws = asked("strength").marginal("draws")
    assert draws[30] == Fraction(3, 30)
    assert draws[3] == Fraction(1, 4060)


BAGS = [(3, 0, 3, 2, 0), (2, 2, 3, 1, 0), (4, 1, 2, 0, 0), (3, 0, 2, 3, 2), (0, 1, 3, 2, 1)]
"""Madness, Chaos, Eldritch, length of the Energy Track, Eldritch on it."""


@pytest.mark.parametrize(("madness", "chaos", "eldritch", "track", "energy"), BAGS)
@pytest.mark.parametrize("per_turn", [1, 2, 3])
def test_every_order_of_the_bag(
    madness: int, chaos: int, eldritch: int, track: int, energy: int, per_turn: int
) -> None:
    """Every place of the Eldritch among the tentacles, and for each every run of turns with and without one more."""
    size, extra = madness + chaos + eldritch, Fraction(1, 3)
    draws, turns = [], Counter[Outcome]()
    for places in combinations(range(1, size + 1), eldritch):
        draws.append((places[track - energy],))
        for coins in product([1, 1, 0], repeat=2 if per_turn > 1 else 3):  # a third of turns has one more
            so_far, turn = 0, 0
            longer = [per_turn + (coin == 0) for coin in coins]
            while so_far < draws[-1][0] and turn < len(longer):
                so_far, turn = so_far + longer[turn], turn + 1
            if so_far >= draws[-1][0]:
                turns[draws[-1][0], turn] += 1
    bag = {"madness": madness, "chaos": chaos, "eldritch": eldritch, "track": track, "energy": energy}
    assert asked("strength", **bag).distribution == shares(draws)
    told = asked("strength", **bag, per_turn=per_turn, extra=extra).distribution
    n_ways = len(draws) * 3 ** (2 if per_turn > 1 else 3)
    assert turns
    for outcome, n in turns.items():  # those that are over within the turns gone through
        assert told[outcome] == Fraction(n, n_ways)


def test_turns_by_hand() -> None:
    """One Eldritch and one other, no Energy Track to speak of: a turn of one, or of two draws in a quarter of cases."""
    bag = {"madness": 1, "eldritch": 1, "track": 0, "per_turn": 1}
    answer = asked("strength", **bag, extra="1/4")
    assert answer.distribution == {(1, 1): HALF, (2, 1): HALF / 4, (2, 2): HALF * 3 / 4}
    assert asked("strength", **bag, extra=0).distribution == {(1, 1): HALF, (2, 2): HALF}


def test_the_wheel_gives_one_draw_more() -> None:
    """Two of ten icons."""
    assert asked("strength", per_turn=3) == asked("strength", per_turn=3, extra="1/5")
    three = asked("strength", per_turn=3, extra=0)
    assert all(turn == -(-draw // 3) for draw, turn in three.distribution)


def test_a_bag_with_too_few_eldritch() -> None:
    with pytest.raises(UserError, match="must hold 3 Eldritch or more"):
        asked("strength", eldritch=2)
    with pytest.raises(UserError, match="`--energy` must be at most 2, the Energy Track's length; found 3"):
        asked("strength", energy=3)
    assert asked("strength", eldritch=1, energy=2).mean("draws") == Fraction(29, 2)


def test_the_longest_question() -> None:
    answer = asked("strength", madness=100, chaos=100, eldritch=100, track=20, energy=0, per_turn=3)
    assert answer.mean("draws") == Fraction(21 * 301, 101)


# --------------------------------------------------------------------------------------------------------------- draws


@pytest.mark.parametrize("bag", [(2, 1, 1, 1, 2), (3, 0, 0, 0, 1), (1, 1, 1, 0, 3)])
@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_every_draw(bag: Outcome, k: int) -> None:
    tentacles = [kind for kind, n in enumerate(bag) for _ in range(n)]
    drawn = [tuple(hand.count(kind) for kind in range(5)) for hand in combinations(tentacles, k)]
    answer = asked("draws", bag=bag, draws=k, at_least=2)
    assert answer.distribution == shares(drawn)
    assert value(answer, "eldritch_2_or_more") == Fraction(sum(hand[4] >= 2 for hand in drawn), len(drawn))


def test_the_first_turn() -> None:
    """Three of 27 Madness and 3 Eldritch: none of these in 27 * 26 * 25 of 30 * 29 * 28 cases."""
    answer = asked("draws", draws=3)
    none = Fraction(27 * 26 * 25, 30 * 29 * 28)
    assert value(answer, "eldritch_1_or_more") == 1 - none
    assert [answer.mean(kind) for kind in ("fear", "chaos", "eldritch")] == [Fraction(9, 10), 0, Fraction(3, 10)]


def test_a_bag_runs_out() -> None:
    answer = asked("draws", bag="1,0,0,2,0", draws=9)
    assert answer.distribution == {(1, 0, 0, 2, 0): 1}
    assert answer.sentences[0].startswith("3 draws from a bag of 1 fear, 2 chaos")
    assert asked("draws", bag="0,0,0,0,0", draws=2).distribution == {(0, 0, 0, 0, 0): 1}


# -------------------------------------------------------------------------------------------------------------- banish

DICE = [(2, 2, 2), (1, 3, 2), (3, 2, 1), (0, 1, 2), (1, 0, 0)]


@pytest.mark.parametrize(("dice", "table"), [(1, ".333 .333 .333"), (2, ".111 .333 .556"), (3, ".037 .259 .704")])
def test_costs_of_the_facts_table(dice: int, table: str) -> None:
    costs = asked("banish", dice=dice).marginal("cost")
    assert [f"{float(p):.3f}"[1:] for p in costs.values()] == table.split()


def test_costs_by_hand() -> None:
    """The highest die is at most 1 if all are: (sides of 0 and 1)^dice."""
    for die, dice in product(DICE, (1, 2, 3)):
        answer = asked("banish", rules_with(die=die), dice=dice, held=1)
        assert value(answer, "banished") == Fraction(sum(die[:2]), sum(die)) ** dice
    assert asked("banish", rules_with(banish_cost="sum"), dice=2).marginal("cost")[4] == Fraction(1, 9)
    assert asked("banish", rules_with(free_banish=False), dice=2).marginal("cost")[1] == Fraction(4, 9)


def test_rerolls_by_hand() -> None:
    """Two dice, one reroll, one tentacle at hand: a lone 2 is rolled again, and stays in a third of cases."""
    answer = asked("banish", dice=2, rerolls=1, held=1)
    assert value(answer, "banished") == Fraction(4, 9) + Fraction(4, 9) * Fraction(2, 3)
    free = asked("banish", dice=2, rerolls=1, held=0)  # one 0 of two, in 4 of 9 cases
    assert value(free, "banished") == Fraction(1, 9) + Fraction(4, 9) / 3
    twice = asked("banish", rules_with(rerolls="total"), dice=1, rerolls=2, held=1)
    assert value(twice, "banished") == 1 - Fraction(1, 27)
    assert twice.marginal("rerolled") == {0: Fraction(2, 3), 1: Fraction(2, 9), 2: Fraction(1, 9)}


def test_no_die_is_rolled_again_for_nothing() -> None:
    answer = asked("banish", dice=3, rerolls=3, held=2)
    assert value(answer, "banished") == 1
    assert answer.mean("cost") < asked("banish", dice=3).mean("cost")
    assert asked("seal", dice=2, number=5, rerolls=2).marginal("rerolled") == {0: 1}
    assert asked("seal", dice=2, number=0, rerolls=2).marginal("rerolled") == {0: 1}


def best(sides: list[int], roll: Outcome, rerolls: int, again: bool, is_good: Callable[[Outcome], bool]) -> Fraction:
    """The best chance of a good end, over all dice that may be rolled again, and all that these may show."""
    chances = [Fraction(is_good(roll))]
    for chosen in product((False, True), repeat=len(roll)):
        if 0 < sum(chosen) <= rerolls:
            left = rerolls - sum(chosen) if again else 0
            ends = [
                tuple(new.pop() if is_new else old for old, is_new in zip(roll, chosen, strict=True))
                for new in map(list, product(sides, repeat=sum(chosen)))
            ]
            chances.append(sum((best(sides, end, left, again, is_good) for end in ends), Fraction(0)) / len(ends))
    return max(chances)


@pytest.mark.parametrize("die", DICE)
@pytest.mark.parametrize(("dice", "rerolls", "how"), [(1, 2, "total"), (2, 1, "once"), (2, 2, "total"), (3, 2, "once")])
def test_no_choice_of_rerolls_does_better(die: Outcome, dice: int, rerolls: int, how: str) -> None:
    """Die by die, side by side."""
    rules, sides = rules_with(die=die, rerolls=how), [face for face, number in enumerate(die) for _ in range(number)]
    fresh = [*product(sides, repeat=dice)]

    def chance(is_good: Callable[[Outcome], bool]) -> Fraction:
        known = {roll: best(sides, roll, rerolls, how == "total", is_good) for roll in {*fresh}}
        return sum((known[roll] for roll in fresh), Fraction(0)) / len(fresh)

    for held in (0, 1):
        told = value(asked("banish", rules, dice=dice, rerolls=rerolls, held=held), "banished")
        assert told == chance(lambda roll, held=held: max(roll) <= held)
    for number in (dice, 2 * dice):
        told = value(asked("seal", rules, dice=dice, rerolls=rerolls, number=number), "sealed")
        assert told == chance(lambda roll, number=number: sum(roll) >= number)


# ---------------------------------------------------------------------------------------------------------------- seal


@pytest.mark.parametrize(
    ("die", "table"),
    [((2, 2, 2), ".630 .370 .148 .037"), ((1, 3, 2), ".801 .509 .204 .037"), ((3, 2, 1), ".333 .130 .032 .005")],
)
def test_seals_of_the_facts_table(die: Outcome, table: str) -> None:
    answers = [asked("seal", rules_with(die=die), number=number) for number in (3, 4, 5, 6)]
    assert [f"{float(value(answer, 'sealed')):.3f}"[1:] for answer in answers] == table.split()


def test_seals_by_hand() -> None:
    assert [value(asked("seal", dice=2, number=n), "sealed") for n in (2, 3, 4)] == [
        Fraction(2, 3),
        Fraction(1, 3),
        Fraction(1, 9),
    ]
    answer = asked("seal", dice=1, number=2, rerolls=1, attempts=2)
    assert value(answer, "sealed") == Fraction(5, 9)
    assert value(answer, "attempts") == Fraction(9, 5)
    assert value(answer, "within_2") == 1 - Fraction(16, 81)
    assert answer.distribution == {
        (2, 0): Fraction(1, 3),
        (2, 1): Fraction(2, 9),
        (1, 1): Fraction(2, 9),
        (0, 1): Fraction(2, 9),
    }


def test_portals_that_are_harder_or_cannot_be_sealed() -> None:
    harder, easier = rules_with(portals_harder=1), rules_with(portals_harder=-1)
    assert asked("seal", harder, number=3).distribution == asked("seal", number=4).distribution
    assert value(asked("seal", easier, number=0), "sealed") == 1
    never = asked("seal", number=7, rerolls=3)
    assert value(never, "sealed") == 0
    assert "attempts" not in {each.name for each in never.values}


# --------------------------------------------------------------------------------------------------------------- wheel

SEVEN = [*ICONS, "madness", "draw", "draw"]
WHEELS: list[list[str]] = [[*RULES.wheel], SEVEN, [*ICONS[:4], "draw"], [*RULES.wheel, *ICONS[:5]]]


@pytest.mark.parametrize("wheel", WHEELS, ids=len)
def test_the_spinner_on_the_circle(wheel: list[str]) -> None:
    """Angles in fifths of the circle, fine enough to miss every line: the tail is half a circle on, two and a half."""
    steps = 4 * len(wheel)
    told = []
    for step in range(steps):
        pointer = Fraction(5 * (2 * step + 1), 2 * steps)
        tail = (pointer + Fraction(5, 2)) % 5
        town, icon = int(pointer), ICONS.index(wheel[int(pointer / 5 * len(wheel))])
        told.append((town, icon, (int(tail) - town) % 5, int(tail % 1 >= HALF)))
    answer = asked("wheel", rules_with(wheel=wheel))
    assert answer.distribution == shares(told)
    assert answer.marginal("distance") == {2: HALF, 3: HALF}
    assert answer.marginal("half") == {0: HALF, 1: HALF}


@pytest.mark.parametrize("wheel", WHEELS, ids=len)
def test_a_tail_of_its_own(wheel: list[str]) -> None:
    answer = asked("wheel", rules_with(wheel=wheel, wheel_tail="independent"))
    for (town, icon, _, _), p in answer.distribution.items():
        mine = [segment for segment in range(len(wheel)) if segment * 5 // len(wheel) == town]
        assert p == Fraction(sum(wheel[segment] == ICONS[icon] for segment in mine), len(wheel)) / 4
    assert value(answer, "guessed") == HALF
    assert all(each.value == HALF for each in answer.values if each.name.endswith("_tail_3"))


@pytest.mark.parametrize("tail", ["opposite", "independent"])
@pytest.mark.parametrize("wheel", WHEELS, ids=len)
def test_what_the_game_looks_up(tail: str, wheel: list[str]) -> None:
    """The table of `Rules.spins` is worked out apart from the answer."""
    rules = rules_with(wheel=wheel, wheel_tail=tail)
    ways = zip(*(rules.spins[name].tolist() for name in ("segment", "town", "tail", "half")), strict=True)
    told = [(town, ICONS.index(wheel[segment]), (end - town) % 5, half) for segment, town, end, half in ways]
    assert asked("wheel", rules).distribution == shares(told)


def test_the_boxs_wheel_by_hand() -> None:
    """The first of a town's two segments has its tail two towns on, the second one three."""
    answer = asked("wheel")
    icons = {name: Fraction(RULES.wheel.count(name), 10) for name in ICONS}
    assert {name: value(answer, name.replace(" ", "_")) for name in ICONS} == icons
    for place, name in enumerate(ICONS):
        second = Fraction(RULES.wheel[1::2].count(name), RULES.wheel.count(name))
        assert value(answer, f"{name.replace(' ', '_')}_tail_3") == second
        only = asked("wheel", icon=name)
        assert set(only.marginal("icon")) == {place}
        assert only.marginal("distance").get(3, 0) == second
    first, second = (Counter(RULES.wheel[half::2]) for half in (0, 1))
    assert value(answer, "guessed") == Fraction(sum(max(first[name], second[name]) for name in ICONS), 10)


def test_an_icon_that_is_not_there() -> None:
    with pytest.raises(UserError, match="must be on the wheel, one of madness; found draw"):
        asked("wheel", rules_with(wheel=["madness"] * 5), icon="draw")


# ------------------------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("topic", "wrong", "told"),
    [
        ("strength", {"eldritch": 4, "mode": "hard"}, "must not be given with a mode; found hard"),
        ("strength", {"extra": "1/5"}, "must go with `--per-turn`"),
        ("strength", {"mode": "easy"}, "'rules', 'normal', 'hard' or 'madness'"),
        ("strength", {"per_turn": 0}, "greater than or equal to 1"),
        ("draws", {}, "Field required"),
        ("draws", {"bag": "1,2,3", "draws": 1}, "at least 5 items"),
        ("draws", {"bag": "1,2,3,4,-5", "draws": 1}, "greater than or equal to 0"),
        ("draws", {"draws": 13}, "less than or equal to 12"),
        ("banish", {"dice": 0}, "greater than or equal to 1"),
        ("banish", {"x": 1}, "Extra inputs"),
        ("seal", {"rerolls": 1}, "Field required"),
        ("seal", {"number": 3, "rerolls": 10}, "less than or equal to 9"),
        ("wheel", {"icon": "skull"}, "'any', 'madness'"),
    ],
)
def test_options_out_of_bounds(topic: str, wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        asked(topic, **wrong)


@pytest.mark.parametrize(("topic", "options"), [("banish", {}), ("seal", {"number": 1})])
def test_dice_that_are_not_there(topic: str, options: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="`--dice` must be at most 2, as many as the rules have; found 3"):
        asked(topic, rules_with(n_dice=2), dice=3, **options)


def test_answers_in_words() -> None:
    assert asked("banish", dice=2, rerolls=1, held=1).sentences == (
        "2 dice (sides: 2 of 0, 2 of 1, 2 of 2), up to 1 die rolled again, once and as is best; the cost is the "
        "highest die.",
        "On average 1.074: 0 in 18.52 %, 1 in 55.56 %, 2 in 25.93 % of cases.",
        "With 1 tentacle at hand a Shambler is banished in 74.07 % of cases.",
    )
    assert asked("strength", per_turn=3).sentences[1].startswith("That takes 23.25 draws on average, at most 25 in")
