"""Exact answers on the Tentacle Draw Bag: when the Great Old One first grows stronger, what the next draws bring."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb, prod
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from simkit.errors import UserError
from simkit.exact import LISTED, Answer, ExactProbability, Measure, Value, counted, decimal, percent
from simkit.games.tiny_epic_cthulhu.cards import COLOURS, ELDRITCH, KINDS
from simkit.games.tiny_epic_cthulhu.rules import MODES

MAX_TOKENS, MAX_TRACK, MAX_DRAWS, MAX_BY_KIND = 100, 20, 99, 12

Tokens = Annotated[int, Field(ge=0, le=MAX_TOKENS)]
Counts = tuple[int, ...]
"""A number for each of `KINDS`."""


def start_bag(rules: Any, mode: str = "rules") -> Counts:
    """What is in the bag when the game begins, by kind."""
    eldritch = rules.n_eldritch if mode == "rules" else rules.start_eldritch + MODES.index(mode)
    return (rules.bag_each,) * len(COLOURS) + (0, eldritch)


# ------------------------------------------------------------------------------------------------------------ strength


class StrengthOptions(BaseModel):
    """A bag that is drawn from and not refilled, and the Energy Track."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: Literal["rules", *MODES] = Field(  # type: ignore[valid-type]
        "rules", description="difficulty: the Eldritch in the bag; as in the rules if left out"
    )
    eldritch: Tokens | None = Field(
        None, description="Eldritch Tentacles in the bag; as at the start of a game if left out", examples=["4"]
    )
    madness: Tokens | None = Field(
        None, description="Madness Tentacles in the bag; as at the start of a game if left out", examples=["20"]
    )
    chaos: Tokens = Field(0, description="Chaos Tentacles in the bag", examples=["2"])
    track: Annotated[int, Field(ge=0, le=MAX_TRACK)] | None = Field(
        None, description="length of the Energy Track; the front's of the rules if left out", examples=["3"]
    )
    energy: Annotated[int, Field(ge=0, le=MAX_TRACK)] = Field(
        0, description="Eldritch Tentacles on the Energy Track already", examples=["1"]
    )
    per_turn: Annotated[int, Field(ge=1, le=MAX_DRAWS)] | None = Field(
        None, description="draws a turn, to be answered in turns as well", examples=["3"]
    )
    extra: ExactProbability | None = Field(
        None,
        description="chance that a turn has one draw more; the share of such icons on the rules' wheel if left out",
        examples=["1/5"],
    )

    @model_validator(mode="after")
    def _go_together(self) -> StrengthOptions:
        """Eldritch are told once, and chances of a turn need turns."""
        if self.eldritch is not None and self.mode != "rules":
            raise ValueError(f"`--eldritch` must not be given with a mode; found {self.mode}: leave one out")
        if self.extra is not None and self.per_turn is None:
            raise ValueError("`--extra` must go with `--per-turn`; found it alone: add the draws a turn")
        return self


def strength_distribution(rules: Any, options: StrengthOptions) -> dict[Counts, Fraction]:
    """The exact distribution of the draw that makes the Energy Track accursed, with its turn if draws a turn are told.

    The tentacles lie in an order of which all are equally likely. With N of them, E Eldritch, the m-th of which is one
    too many, that one is drawn n-th with probability C(n - 1, m - 1) C(N - n, E - m) / C(N, E).

    Raises
    ------
    UserError
        If the bag has too few Eldritch for that, or more lie on the track than it holds.
    """
    others, eldritch, needed = _asked(rules, options)
    total = others + eldritch
    draws = {
        n: Fraction(comb(n - 1, needed - 1) * comb(total - n, eldritch - needed), comb(total, eldritch))
        for n in range(needed, total - (eldritch - needed) + 1)
    }
    if options.per_turn is None:
        return {(n,): p for n, p in draws.items()}
    turns = _turns(max(draws), options.per_turn, _extra(rules, options))
    return {(n, turn): p * q for n, p in draws.items() for turn, q in turns[n].items() if q}


def _asked(rules: Any, options: StrengthOptions) -> tuple[int, int, int]:
    """Other tentacles in the bag, Eldritch in the bag, and how many of these make the track accursed."""
    start = start_bag(rules, options.mode)
    madness = sum(start[: len(COLOURS)]) if options.madness is None else options.madness
    eldritch = start[ELDRITCH] if options.eldritch is None else options.eldritch
    track = _track(rules, options)
    if options.energy > track:
        raise UserError(f"`--energy` must be at most {track}, the Energy Track's length; found {options.energy}")
    needed = track - options.energy + 1
    if eldritch < needed:
        raise UserError(
            f"the bag must hold {needed} Eldritch or more for the Energy Track to become accursed; found {eldritch}: "
            "set `--eldritch`, `--track` or `--energy`"
        )
    return madness + options.chaos, eldritch, needed


def _track(rules: Any, options: StrengthOptions) -> int:
    """The length of the Energy Track."""
    return int(rules.energy_track[0]) if options.track is None else options.track


def _extra(rules: Any, options: StrengthOptions) -> Fraction:
    """The chance that a turn has one draw more."""
    return Fraction(rules.wheel.count("draw"), len(rules.wheel)) if options.extra is None else options.extra


def _turns(n_draws: int, per_turn: int, extra: Fraction) -> dict[int, dict[int, Fraction]]:
    """For each draw, the first one 1, the distribution of its turn.

    After t turns there were t * per_turn draws and a binomial number more.
    """
    found: dict[int, dict[int, Fraction]] = {n: {} for n in range(1, n_draws + 1)}
    is_later = dict.fromkeys(found, Fraction(1))
    for turn in range(1, -(-n_draws // per_turn) + 1):
        more = (comb(turn, k) * extra**k * (1 - extra) ** (turn - k) for k in range(turn + 1))
        fewer_than = [*accumulate(more, initial=Fraction(0))]
        for n in range((turn - 1) * per_turn + 1, n_draws + 1):
            later = fewer_than[min(max(n - turn * per_turn, 0), turn + 1)]
            found[n][turn] = is_later[n] - later
            is_later[n] = later
    return found


def strength(rules: Any, options: StrengthOptions) -> Answer:
    """When the Great Old One's strength first advances."""
    others, eldritch, needed = _asked(rules, options)
    measures = [Measure("draws", "tentacles", "drawn until the Energy Track is accursed, the last one counted")]
    if options.per_turn is not None:
        measures.append(Measure("turns", "turns", "until then, this one counted"))
    answer = Answer((), tuple(measures), strength_distribution(rules, options))
    track = _track(rules, options)
    asked = (
        f"A bag of {counted(eldritch, 'Eldritch', 'Eldritch')} and {counted(others, 'other tentacle')} that nothing "
        f"comes back to; an Energy Track of {track} with {options.energy} on it: "
        f"{counted(needed, 'Eldritch', 'Eldritch')} drawn and it is accursed."
    )
    told = [asked, f"That takes {decimal(answer.mean('draws'))} draws on average, {_half(answer, 'draws')}."]
    if options.per_turn is not None:
        more = percent(_extra(rules, options))
        told.append(
            f"At {counted(options.per_turn, 'draw')} a turn, one more in {more} of turns, it takes "
            f"{decimal(answer.mean('turns'))} turns on average, {_half(answer, 'turns')}."
        )
    return dataclasses.replace(answer, sentences=tuple(told))


def _half(answer: Answer, name: str) -> str:
    """The median in words."""
    so_far = Fraction(0)
    for number, p in answer.marginal(name).items():
        so_far += p
        if so_far >= Fraction(1, 2):
            return f"at most {number} in {percent(so_far)} of cases"
    raise ValueError("probabilities must add up to 1")


# --------------------------------------------------------------------------------------------------------------- draws


class DrawsOptions(BaseModel):
    """A bag, and how many tentacles are drawn from it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bag: Annotated[tuple[Tokens, ...], LISTED, Field(min_length=len(KINDS), max_length=len(KINDS))] | None = Field(
        None,
        description="tentacles in the bag: fear, rage, greed, chaos, eldritch; as at the start of a game if left out",
        examples=["6,5,7,1,2"],
    )
    draws: Annotated[int, Field(ge=0, le=MAX_BY_KIND)] = Field(
        description="tentacles drawn; all of them if the bag has fewer", examples=["3"]
    )
    at_least: Annotated[int, Field(ge=0, le=MAX_BY_KIND)] = Field(
        1, description="Eldritch Tentacles, the chance of so many or more being told", examples=["2"]
    )


def draws_distribution(rules: Any, options: DrawsOptions) -> dict[Counts, Fraction]:
    """The exact joint distribution of how many tentacles of each kind are drawn: multivariate hypergeometric."""
    bag = start_bag(rules) if options.bag is None else options.bag
    draws = min(options.draws, sum(bag))
    ways = comb(sum(bag), draws)
    return {drawn: Fraction(prod(map(comb, bag, drawn)), ways) for drawn in _drawn(bag, draws)}


def _drawn(bag: Sequence[int], draws: int) -> Iterator[Counts]:
    """All numbers of each kind that so many draws may bring.

    >>> sorted(_drawn((1, 3), 2))
    [(0, 2), (1, 1)]
    """
    if not bag:
        yield ()
        return
    first, *rest = bag
    for n in range(max(0, draws - sum(rest)), min(first, draws) + 1):
        yield from ((n, *others) for others in _drawn(rest, draws - n))


def draws(rules: Any, options: DrawsOptions) -> Answer:
    """What the next tentacles are."""
    bag = start_bag(rules) if options.bag is None else options.bag
    distribution = draws_distribution(rules, options)
    many = sum((p for drawn, p in distribution.items() if drawn[ELDRITCH] >= options.at_least), Fraction(0))
    measures = tuple(Measure(kind, "tentacles", f"of {kind} that are drawn") for kind in KINDS)
    name = f"eldritch_{options.at_least}_or_more"
    values = (Value(name, many, "probability", f"{options.at_least} or more of the tentacles drawn are Eldritch"),)
    answer = Answer((), measures, distribution, values, shown=("eldritch",))
    inside = ", ".join(f"{n} {kind}" for n, kind in zip(bag, KINDS, strict=True) if n) or "nothing"
    means = ", ".join(f"{decimal(answer.mean(kind))} {kind}" for kind in KINDS)
    sentences = (
        f"{counted(min(options.draws, sum(bag)), 'draw')} from a bag of {inside} that nothing comes back to.",
        f"On average {means}.",
        f"In {percent(many)} of cases {options.at_least} or more are Eldritch.",
    )
    return dataclasses.replace(answer, sentences=sentences)
