"""Exact answers on Tentacle Town: what an attack of the tentacles does, and what harpoons do.

Probabilities are fractions and the dice are counted face by face; nothing is drawn and nothing rounded.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import comb
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

from simkit.errors import UserError
from simkit.exact import LISTED, Answer, ExactProbability, Measure, Topic, Value, counted, decimal, percent

MAX_DICE, MAX_PIECES, MAX_HARPOONS, MAX_ROWS, MAX_SIDES = 10, 100, 100, 6, 1000
SKULL, ARROW, DESTROY, NEW = FACES = ("skull", "arrow", "destroy", "new")
ORDERS = {"kill-first": (SKULL, ARROW, DESTROY, NEW), "retreat-first": (ARROW, SKULL, DESTROY, NEW)}

LOSSES = {SKULL: "killed", ARROW: "fled", DESTROY: "destroyed"}

Pieces = Annotated[int, Field(ge=0, le=MAX_PIECES)]
Sides = Annotated[int, Field(ge=0, le=MAX_SIDES)]
HIT: Any = Field(
    None, description="chance that a harpoon hits, 0.45 or 9/20; as in the rules if left out", examples=["0.45"]
)
Outcome: TypeAlias = tuple[int, ...]
"""A whole number for each measure."""
S = TypeVar("S")
Spread: TypeAlias = dict[S, Fraction]
"""The probability of each of some states."""


# -------------------------------------------------------------------------------------------------------------- attack


class AttackOptions(BaseModel):
    """A district under attack."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dice: Annotated[int, Field(ge=0, le=MAX_DICE)] | None = Field(
        None, description="dice rolled; as many as the rules allow if left out", examples=["4"]
    )
    residents: Pieces | None = Field(None, description="residents in the district; plenty if left out", examples=["3"])
    rows: Annotated[tuple[Pieces, ...], LISTED, Field(min_length=1, max_length=MAX_ROWS)] | None = Field(
        None,
        description="buildings in each row, from the water inland, all of one seat; plenty if left out",
        examples=["2,1,0"],
    )
    harpoons: Annotated[int, Field(ge=0, le=MAX_HARPOONS)] = Field(
        0, description="harpoons of the buildings' owner, and as many of the active player's", examples=["2"]
    )
    order: Literal["kill-first", "retreat-first"] = Field(
        "kill-first", description="skulls or arrows first; destroys follow, then new tentacles"
    )
    defend: Literal["never", "buildings", "all"] = Field(
        "never", description="what a harpoon is fired for, at every such result while one is left"
    )
    hit: ExactProbability | None = HIT
    faces: Annotated[tuple[Sides, ...], LISTED, Field(min_length=4, max_length=5)] | None = Field(
        None,
        description="the die's faces: skulls, arrows, destroys, new tentacles, and blanks if any; as in the rules if "
        "left out",
        examples=["1,2,2,1"],
    )
    owners: Literal["other", "same"] = Field(
        "other",
        description="whose the buildings are: another seat's, or the active player's, whose harpoons serve both",
    )

    @field_validator("faces")
    @classmethod
    def _has_a_face(cls, faces: tuple[int, ...] | None) -> tuple[int, ...] | None:
        """A die has one face at least."""
        if faces is not None and not any(faces):
            raise ValueError("must have at least one face")
        return faces


class Attack(NamedTuple):
    """How far an attack has come: results that are left, what happened, and harpoons fired by either seat."""

    skull: int = 0
    arrow: int = 0
    destroy: int = 0
    new: int = 0
    killed: int = 0
    fled: int = 0
    destroyed: int = 0
    added: int = 0
    removed: int = 0
    fired_by_active: int = 0
    fired_by_owner: int = 0

    def plus(self, name: str, change: int = 1) -> Attack:
        """The same with one of the counts changed."""
        return self._replace(**{name: getattr(self, name) + change})


@dataclass(frozen=True)
class District:
    """What is attacked; None stands for plenty."""

    residents: int | None
    buildings: int | None
    harpoons: int
    per_result: int
    hit: Fraction
    defend: str
    has_one_owner: bool

    def after(self, attack: Attack, face: str) -> Spread[Attack]:
        """The attack with one result of that face applied, if any is left."""
        if not getattr(attack, face):
            return {attack: Fraction(1)}
        attack = attack.plus(face, -1)
        if face == NEW:
            return {attack.plus("added"): Fraction(1)}
        if not self._has_target(attack, face):
            return {attack: Fraction(1)}
        loss, harpoon = LOSSES[face], self._harpoon(face)
        return {attack.plus(loss): Fraction(1)} if harpoon is None else self._defended(attack, loss, harpoon)

    def _defended(self, attack: Attack, loss: str, harpoon: str) -> Spread[Attack]:
        """Harpoons are fired at one result until one hits, as long as there are any and the rules allow."""
        found, missed = {}, Fraction(1)
        for _ in range(min(self.per_result, self.harpoons - getattr(attack, harpoon))):
            attack = attack.plus(harpoon)
            found[attack.plus("removed")] = missed * self.hit
            missed *= 1 - self.hit
        return found | {attack.plus(loss): missed}

    def _has_target(self, attack: Attack, face: str) -> bool:
        """Whether a resident or building is left for the result."""
        if face == DESTROY:
            return self.buildings is None or attack.destroyed < self.buildings
        return self.residents is None or attack.killed + attack.fled < self.residents

    def _harpoon(self, face: str) -> str | None:
        """Whose harpoon may be fired at such a result, if anybody's."""
        if face == DESTROY and self.defend != "never":
            return "fired_by_active" if self.has_one_owner else "fired_by_owner"
        return "fired_by_active" if face == SKULL and self.defend == "all" else None


def attack_distribution(rules: Any, options: AttackOptions) -> dict[Outcome, Fraction]:
    """The exact distribution of one attack.

    Results are applied skulls and arrows first, in that order or the other way round, then destroys, then new
    tentacles. A result without a target does nothing, and no harpoon is fired at it.

    Parameters
    ----------
    rules
        With `die` (faces: skull, arrow, destroy, new, blank), `hit_chance`, `dice` and `harpoons_per_result`.
    options

    Returns
    -------
    dict
        Probabilities above 0 by outcome: residents killed and fled, buildings destroyed, tentacles added and removed.
        They add up to 1.
    """
    district, n_dice = _district(rules, options), _n_dice(rules, options)
    attacks = _rolled(options.faces or rules.die, n_dice)
    for face in ORDERS[options.order]:
        for _ in range(n_dice):
            attacks = _step(attacks, partial(district.after, face=face))
    found: Spread[Outcome] = defaultdict(Fraction)
    for attack, p in attacks.items():
        found[attack.killed, attack.fled, attack.destroyed, attack.added, attack.removed] += p
    return dict(found)


def _rolled(die: Sequence[int], n_dice: int) -> Spread[Attack]:
    """How many dice show each face: die by die, equal counts taken together."""
    shows = {face: Fraction(n, sum(die)) for face, n in zip((*FACES, "blank"), die, strict=False)}
    attacks = {Attack(): Fraction(1)}
    for _ in range(n_dice):
        attacks = _step(
            attacks, lambda attack: {attack if face == "blank" else attack.plus(face): p for face, p in shows.items()}
        )
    return attacks


def _step(states: Mapping[S, Fraction], following: Callable[[S], Mapping[S, Fraction]]) -> Spread[S]:
    """The states after one more step, equal ones taken together."""
    found: Spread[S] = defaultdict(Fraction)
    for state, p in states.items():
        for after, q in following(state).items():
            if q:
                found[after] += p * q
    return dict(found)


def _district(rules: Any, options: AttackOptions) -> District:
    """What the options describe."""
    return District(
        residents=options.residents,
        buildings=None if options.rows is None else sum(options.rows),
        harpoons=options.harpoons,
        per_result=rules.harpoons_per_result,
        hit=_hit(rules, options.hit),
        defend=options.defend,
        has_one_owner=options.owners == "same",
    )


def _n_dice(rules: Any, options: AttackOptions) -> int:
    """How many dice are rolled."""
    if options.dice is None and rules.dice > MAX_DICE:
        raise UserError(
            f"an exact attack must be by at most {MAX_DICE} dice; the rules have {rules.dice}: set `--dice`"
        )
    return int(rules.dice) if options.dice is None else options.dice


def _hit(rules: Any, asked: Fraction | None) -> Fraction:
    """The chance that a harpoon hits."""
    return Fraction(rules.hit_chance) if asked is None else asked


# -------------------------------------------------------------------------------------------------- the attack in words


ATTACK_MEASURES = (
    Measure("killed", "residents", "who go back to the supply"),
    Measure("fled", "residents", "who go to another district"),
    Measure("destroyed", "buildings", "that fall, the outermost row's first"),
    Measure("added", "tentacles", "that come to the district"),
    Measure("removed", "tentacles", "that harpoons hit"),
)


def attack(rules: Any, options: AttackOptions) -> Answer:
    """What an attack does, with all that it says beside the numbers."""
    distribution = attack_distribution(rules, options)
    unharmed = sum((p for (killed, _, fell, *_), p in distribution.items() if not killed and not fell), Fraction(0))
    values = [Value("unharmed", unharmed, "probability", "nobody is killed and nothing is destroyed")]
    for number, (row, outer) in enumerate(_rows(options), 1):
        emptied = sum((p for (_, _, fell, *_), p in distribution.items() if fell >= outer + row), Fraction(0))
        if row:
            values.append(
                Value(f"row_{number}_emptied", emptied, "probability", f"all buildings of row {number} are destroyed")
            )
    answer = Answer((), ATTACK_MEASURES, distribution, tuple(values), shown=tuple(m.name for m in ATTACK_MEASURES))
    return dataclasses.replace(answer, sentences=(_asked(rules, options), *_found(answer, unharmed)))


def _rows(options: AttackOptions) -> list[tuple[int, int]]:
    """Buildings in each row, and in all rows nearer the water."""
    rows = options.rows or ()
    return list(zip(rows, accumulate(rows, initial=0), strict=False))


def _asked(rules: Any, options: AttackOptions) -> str:
    """The position."""
    n_dice, die = _n_dice(rules, options), options.faces or rules.die
    faces = ", ".join(f"{n} {face}" for face, n in zip((*FACES, "blank"), die, strict=False) if n)
    residents = "plenty of residents"
    if options.residents is not None:
        first = "skulls" if options.order == "kill-first" else "arrows"
        residents = f"{counted(options.residents, 'resident')} ({first} first)"
    buildings = "plenty of buildings" if options.rows is None else counted(sum(options.rows), "building")
    attacked = f"{counted(n_dice, 'die', 'dice')} (faces: {faces}) against {residents} and {buildings}"
    if options.defend == "never" or not options.harpoons:
        return f"{attacked}, no defence."
    guarded = "buildings" if options.defend == "buildings" else "buildings and residents"
    harpoons = counted(options.harpoons, "harpoon")
    both = options.owners == "other" and options.defend == "all"
    whose = f"{harpoons} of the owner's and as many of the active player's" if both else harpoons
    return f"{attacked}; {whose} for {guarded}, a hit in {percent(_hit(rules, options.hit))} of shots."


def _found(answer: Answer, unharmed: Fraction) -> tuple[str, str]:
    """The averages, and how often the town gets off."""
    killed, fled, destroyed, added, removed = (decimal(answer.mean(measure.name)) for measure in answer.measures)
    return (
        f"On average {killed} residents are killed and {fled} flee, {destroyed} buildings are destroyed, "
        f"{added} tentacles are added and {removed} removed.",
        f"In {percent(unharmed)} of attacks nobody is killed and nothing is destroyed.",
    )


# ------------------------------------------------------------------------------------------------------------ harpoons


class HarpoonOptions(BaseModel):
    """Harpoons fired at one area, one by one, until it is empty."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    harpoons: Annotated[int, Field(ge=0, le=MAX_HARPOONS)] = Field(
        description="fired at most: those at hand, or the residents who hunt", examples=["3"]
    )
    tentacles: Pieces | None = Field(None, description="in the area; plenty if left out", examples=["2"])
    hit: ExactProbability | None = HIT


def harpoons_distribution(rules: Any, options: HarpoonOptions) -> dict[Outcome, Fraction]:
    """The exact distribution of (hits, harpoons fired), where nobody fires at an empty area.

    With h harpoons, t tentacles and hits of probability p: fewer than t hits are binomial in h shots; the t-th hit
    falls on shot n with probability C(n - 1, t - 1) p^t (1 - p)^(n - t).
    """
    h, hit = options.harpoons, _hit(rules, options.hit)
    t = h + 1 if options.tentacles is None else options.tentacles
    if t == 0:
        return {(0, 0): Fraction(1)}
    too_few = {(k, h): comb(h, k) * hit**k * (1 - hit) ** (h - k) for k in range(min(t, h + 1))}
    emptied = {(t, n): comb(n - 1, t - 1) * hit**t * (1 - hit) ** (n - t) for n in range(t, h + 1)}
    return {outcome: p for outcome, p in (too_few | emptied).items() if p}


def harpoons(rules: Any, options: HarpoonOptions) -> Answer:
    """What harpoons come to."""
    distribution, t = harpoons_distribution(rules, options), options.tentacles
    cleared = sum((p for (hits, _), p in distribution.items() if hits == t), Fraction(0))
    measures = (
        Measure("hits", "tentacles", "that are hit and removed"),
        Measure("fired", "harpoons", "that are fired, none at an empty area"),
    )
    values = () if t is None else (Value("cleared", cleared, "probability", "no tentacle is left in the area"),)
    answer = Answer((), measures, distribution, values, shown=("hits",) if t is None else ("hits", "fired"))
    target = "plenty of tentacles" if t is None else counted(t, "tentacle")
    shots = (
        f"{counted(options.harpoons, 'harpoon')} at {target}, a hit in {percent(_hit(rules, options.hit))} of shots."
    )
    means = f"On average {decimal(answer.mean('fired'))} are fired and {decimal(answer.mean('hits'))} hit."
    end = () if t is None else (f"In {percent(cleared)} of cases no tentacle is left.",)
    return dataclasses.replace(answer, sentences=(shots, means, *end))


TOPICS = (
    Topic("attack", "what the tentacles' attack on a district does", AttackOptions, attack),
    Topic("harpoons", "how many harpoons hit, fired one by one until no tentacle is left", HarpoonOptions, harpoons),
)
