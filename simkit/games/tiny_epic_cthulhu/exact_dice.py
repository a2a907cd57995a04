"""Exact answers on the Cthulhu Dice: what banishing costs and how often a portal is sealed, with the best rerolls."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from simkit.errors import UserError
from simkit.exact import Answer, Measure, Value, counted, decimal, percent

MAX_DICE, MAX_REROLLS, MAX_HELD, MAX_NUMBER, MAX_ATTEMPTS = 3, 9, 99, 99, 99

Roll = tuple[int, ...]
"""What the dice show, sorted."""
Spread = dict[tuple[Roll, int], Fraction]
"""The probability of each roll in the end, with the dice that were rolled again on the way to it."""
Outcome: TypeAlias = tuple[int, ...]
"""A whole number for each measure."""
Worth = tuple[Fraction | int, ...]
"""What is to be as great as can be; what comes later decides where what comes earlier is equal."""

DICE: Any = Field(None, description="dice rolled; as many as there are if left out", examples=["2"])
REROLLS: Any = Field(0, description="dice that may be rolled again", examples=["1"])
Dice = Annotated[int, Field(ge=1, le=MAX_DICE)]
Rerolls = Annotated[int, Field(ge=0, le=MAX_REROLLS)]


# ------------------------------------------------------------------------------------------------------------- rerolls


def all_rolls(die: Sequence[int], n_dice: int) -> dict[Roll, Fraction]:
    """Every roll with its probability; `die[face]` sides show the face.

    >>> all_rolls((1, 1), 2)
    {(0, 0): Fraction(1, 4), (0, 1): Fraction(1, 2), (1, 1): Fraction(1, 4)}
    """
    found: dict[Roll, Fraction] = {(): Fraction(1)}
    for _ in range(n_dice):
        longer: dict[Roll, Fraction] = defaultdict(Fraction)
        for roll, p in found.items():
            for face, sides in enumerate(die):
                if sides:
                    longer[tuple(sorted((*roll, face)))] += p * Fraction(sides, sum(die))
        found = longer
    return dict(found)


@dataclass
class Thrower:
    """Somebody who rolls, and rolls dice again where that is worth it.

    Parameters
    ----------
    die
        Sides that show 0, 1, 2 and so on.
    again
        Whether dice may be rolled again, and yet again, until all rerolls are used up; if not, some dice once.
    worth
        What a roll is worth: compared in expectation, the first number first.
    """

    die: Sequence[int]
    again: bool
    worth: Callable[[Roll], Worth]
    _known: dict[tuple[Roll, int], tuple[Worth, Spread]] = field(default_factory=dict)

    def throw(self, n_dice: int, rerolls: int) -> Spread:
        """Where a first roll of so many dice ends."""
        found: Spread = defaultdict(Fraction)
        for roll, p in all_rolls(self.die, n_dice).items():
            for end, q in self._best(roll, rerolls)[1].items():
                found[end] += p * q
        return dict(found)

    def _best(self, roll: Roll, rerolls: int) -> tuple[Worth, Spread]:
        """The best that can be made of a roll: its worth, and where it ends.

        Of equally good ways the one that rolls the fewest dice again is taken.
        """
        if (roll, rerolls) not in self._known:
            kept = {keep for n in range(min(rerolls, len(roll)) + 1) for keep in combinations(roll, len(roll) - n)}
            ways = [self._keep(roll, keep, rerolls) for keep in sorted(kept)]
            self._known[roll, rerolls] = max(ways, key=lambda way: way[0])
        return self._known[roll, rerolls]

    def _keep(self, roll: Roll, keep: Roll, rerolls: int) -> tuple[Worth, Spread]:
        """Some dice are kept, the others rolled again."""
        n_again = len(roll) - len(keep)
        if not n_again:
            return (*self.worth(roll), 0), {(roll, 0): Fraction(1)}
        total, found = [Fraction(0)] * (len(self.worth(roll)) + 1), defaultdict[tuple[Roll, int], Fraction](Fraction)
        for rolled, p in all_rolls(self.die, n_again).items():
            worth, spread = self._best(tuple(sorted(keep + rolled)), rerolls - n_again if self.again else 0)
            total = [so_far + p * more for so_far, more in zip(total, worth, strict=True)]
            for (end, n_more), q in spread.items():
                found[end, n_again + n_more] += p * q
        return (*total[:-1], total[-1] - n_again), dict(found)


def _n_dice(rules: Any, asked: int | None) -> int:
    """How many dice are rolled."""
    n_dice = int(rules.n_dice) if asked is None else asked
    if n_dice > rules.n_dice:
        raise UserError(f"`--dice` must be at most {rules.n_dice}, as many as the rules have; found {n_dice}")
    return n_dice


def _thrown(rules: Any, n_dice: int, rerolls: int) -> str:
    """The dice in words."""
    faces = ", ".join(f"{sides} of {face}" for face, sides in enumerate(rules.die) if sides)
    told = f"{counted(n_dice, 'die', 'dice')} (sides: {faces})"
    if not rerolls:
        return f"{told}, no rerolls"
    how = "one after another" if rules.rerolls == "total" else "once"
    return f"{told}, up to {counted(rerolls, 'die', 'dice')} rolled again, {how} and as is best"


REROLLED = Measure("rerolled", "dice", "that are rolled again")


# -------------------------------------------------------------------------------------------------------------- banish


class BanishOptions(BaseModel):
    """A Shambler that is to be banished."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dice: Dice | None = Field(
        None, description="dice rolled, one for each Shambler present; as many as there are if left out", examples=["2"]
    )
    rerolls: Rerolls = REROLLS
    held: Annotated[int, Field(ge=0, le=MAX_HELD)] | None = Field(
        None,
        description="tentacles that can be paid, Chaos included, for the Shambler that it is easiest to pay for; the "
        "cost is to be low on average if left out",
        examples=["1"],
    )


def banish_cost(rules: Any, roll: Roll) -> int:
    """Tentacles that a banishment costs: "the highest number of tentacles shown on a single die"."""
    cost = sum(roll) if rules.banish_cost == "sum" else max(roll)
    return cost if rules.free_banish else max(cost, 1)


def banish_distribution(rules: Any, options: BanishOptions) -> dict[Outcome, Fraction]:
    """The exact joint distribution of the cost and of the dice rolled again.

    Rerolls make the chance to banish as great as can be, and then the average cost as small, with as few dice as that
    takes.
    """

    def worth(roll: Roll) -> Worth:
        cost = banish_cost(rules, roll)
        return (-cost,) if options.held is None else (int(cost <= options.held), -cost)

    thrower = Thrower(rules.die, rules.rerolls == "total", worth)
    found: dict[Outcome, Fraction] = defaultdict(Fraction)
    for (roll, n_again), p in thrower.throw(_n_dice(rules, options.dice), options.rerolls).items():
        found[banish_cost(rules, roll), n_again] += p
    return dict(found)


def banish(rules: Any, options: BanishOptions) -> Answer:
    """What a banishment costs, and how often it can be paid."""
    measures = (Measure("cost", "tentacles", "to be paid for a Shambler"), REROLLED)
    answer = Answer((), measures, banish_distribution(rules, options), shown=("cost",))
    costs = answer.marginal("cost")
    how = "the sum of the dice" if rules.banish_cost == "sum" else "the highest die"
    least = "" if rules.free_banish else ", 1 at least"
    told = [
        f"{_thrown(rules, _n_dice(rules, options.dice), options.rerolls)}; the cost is {how}{least}.",
        f"On average {decimal(answer.mean('cost'))}: "
        + ", ".join(f"{cost} in {percent(p)}" for cost, p in costs.items())
        + " of cases.",
    ]
    if options.held is None:
        return dataclasses.replace(answer, sentences=tuple(told))
    paid = sum((p for cost, p in costs.items() if cost <= options.held), Fraction(0))
    told.append(f"With {counted(options.held, 'tentacle')} at hand a Shambler is banished in {percent(paid)} of cases.")
    values = (Value("banished", paid, "probability", "the tentacles at hand are enough"),)
    return dataclasses.replace(answer, sentences=tuple(told), values=values)


# ---------------------------------------------------------------------------------------------------------------- seal


class SealOptions(BaseModel):
    """A portal that is to be sealed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: Annotated[int, Field(ge=0, le=MAX_NUMBER)] = Field(
        description="number on the portal; the rules may make it harder", examples=["4"]
    )
    dice: Dice | None = Field(
        None, description="dice rolled, one for each matching rune; as many as there are if left out", examples=["2"]
    )
    rerolls: Rerolls = REROLLS
    attempts: Annotated[int, Field(ge=1, le=MAX_ATTEMPTS)] = Field(
        3, description="attempts, the chance of sealing within so many being told", examples=["2"]
    )


def seal_distribution(rules: Any, options: SealOptions) -> dict[Outcome, Fraction]:
    """The exact joint distribution of the sum and of the dice rolled again in one attempt.

    Rerolls make the chance to reach the number as great as can be, with as few dice as that takes.
    """
    need = max(0, options.number + rules.portals_harder)
    thrower = Thrower(rules.die, rules.rerolls == "total", lambda roll: (int(sum(roll) >= need),))
    found: dict[Outcome, Fraction] = defaultdict(Fraction)
    for (roll, n_again), p in thrower.throw(_n_dice(rules, options.dice), options.rerolls).items():
        found[sum(roll), n_again] += p
    return dict(found)


def seal(rules: Any, options: SealOptions) -> Answer:
    """How often a portal is sealed."""
    need = max(0, options.number + rules.portals_harder)
    distribution = seal_distribution(rules, options)
    sealed = sum((p for (total, _), p in distribution.items() if total >= need), Fraction(0))
    within = 1 - (1 - sealed) ** options.attempts
    values = [
        Value("sealed", sealed, "probability", "one attempt reaches the number"),
        Value(f"within_{options.attempts}", within, "probability", f"one of {options.attempts} attempts reaches it"),
    ]
    told = [
        f"{_thrown(rules, _n_dice(rules, options.dice), options.rerolls)}, against a portal of {need}.",
        f"An attempt seals it in {percent(sealed)} of cases, and within {counted(options.attempts, 'attempt')} it is "
        f"sealed in {percent(within)}.",
    ]
    if sealed:
        values.append(Value("attempts", 1 / sealed, "attempts", "until the portal is sealed, on average"))
        told.append(f"That takes {decimal(1 / sealed)} attempts on average.")
    measures = (Measure("sum", "tentacles", "that the dice show in the end"), REROLLED)
    return Answer(tuple(told), measures, distribution, tuple(values), shown=("sum",))
