"""Exact answers: what follows from a game's rules without playing it, in rational arithmetic.

A game declares topics, `Game.exact`, each a question with options. `simkit exact GAME TOPIC` reads the options, asks,
and tells the answer; `topic.answer(rules, topic.options(...))` does the same from Python.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, InstanceOf

MAX_DIGITS = 12
"""Of numerator and denominator that a user gives: powers of them are still told in no time."""
MAX_NUMBERS = 100
"""In a list that a user gives."""

COMMON_OPTIONS = ("set", "csv", "figure", "json", "quiet", "help")
"""Every topic has these; its own have other names."""
OTHER_COLUMNS = ("p", "fraction")
"""They stand beside the measures in tables."""

_NUMBER = re.compile(
    rf"[0-9]{{1,{MAX_DIGITS}}}(/[0-9]{{1,{MAX_DIGITS}}})?|[0-9]{{0,{MAX_DIGITS}}}\.[0-9]{{1,{MAX_DIGITS}}}"
)


# ------------------------------------------------------------------------------------------------------------- options


def exact_probability(value: Any) -> Fraction:
    """A probability as it is written: decimals are taken at their word.

    Raises
    ------
    ValueError
        If it is no such number, not from 0 to 1, or of too many digits.

    Examples
    --------
    >>> exact_probability("0.45"), exact_probability("1/3"), exact_probability(0.1)
    (Fraction(9, 20), Fraction(1, 3), Fraction(1, 10))
    """
    found = value
    if not isinstance(value, Fraction):
        text = str(value).strip()
        if isinstance(value, bool) or not _NUMBER.fullmatch(text):
            raise ValueError(f"must be a probability like 0.45 or 1/3, of at most {MAX_DIGITS} digits")
        if "/" in text and not int(text.partition("/")[2]):
            raise ValueError("must not be divided by zero")
        found = Fraction(text)
    if not 0 <= found <= 1:
        raise ValueError("must lie between 0 and 1")
    return found


def _parted(value: Any) -> Any:
    """A list as it is typed, its entries parted by commas."""
    if not isinstance(value, str):
        return value
    if value.count(",") >= MAX_NUMBERS:
        raise ValueError(f"must be at most {MAX_NUMBERS} numbers, parted by commas")
    return value.split(",")


def spelled(name: str) -> str:
    """An option as it is typed.

    >>> spelled("n_cards")
    '--n-cards'
    """
    return f"--{name.replace('_', '-')}"


ExactProbability = Annotated[InstanceOf[Fraction], BeforeValidator(exact_probability)]
"""The type of an option that is a probability."""

LISTED = BeforeValidator(_parted)
"""Makes a tuple of numbers an option: `Annotated[tuple[int, ...], LISTED]` is typed as `2,1,0`."""


# ------------------------------------------------------------------------------------------------------------- answers


def percent(p: Fraction) -> str:
    """A probability in words, four digits of it.

    >>> percent(Fraction(1, 16)), percent(Fraction(1, 3)), percent(Fraction(1))
    ('6.25 %', '33.33 %', '100 %')
    """
    return f"{float(100 * p):.4g} %"


def counted(number: int, thing: str, things: str = "") -> str:
    """So many of a thing, in words.

    >>> counted(1, "die", "dice"), counted(3, "harpoon")
    ('1 die', '3 harpoons')
    """
    return f"{number} {thing if number == 1 else things or f'{thing}s'}"


def decimal(value: Fraction) -> str:
    """A number in words, three places of it.

    >>> decimal(Fraction(4, 3)), decimal(Fraction(2))
    ('1.333', '2')
    """
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Measure:
    """A column of a distribution: what is counted, in whole numbers."""

    name: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class Value:
    """A single exact number: a probability, an expectation, a count."""

    name: str
    value: Fraction
    unit: str
    meaning: str


@dataclass(frozen=True)
class Answer:
    """What a topic says.

    Parameters
    ----------
    sentences
        The answer in plain words, what was asked first.
    measures, distribution
        The exact joint distribution: a probability for each outcome, one integer for each measure. They add up to 1.
        Empty if the answer is numbers alone.
    values
        Other exact numbers. Means and marginals follow from the distribution and need not be given.
    shown
        The measures that a figure shows, all of them if none are named.

    Examples
    --------
    >>> heads = Measure("heads", "coins", "that show heads")
    >>> answer = Answer(("A coin is thrown.",), (heads,), {(0,): Fraction(1, 2), (1,): Fraction(1, 2)})
    >>> answer.mean("heads")
    Fraction(1, 2)
    """

    sentences: tuple[str, ...]
    measures: tuple[Measure, ...] = ()
    distribution: Mapping[tuple[int, ...], Fraction] = field(default_factory=dict)
    values: tuple[Value, ...] = ()
    shown: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is no distribution."""
        names = [measure.name for measure in self.measures]
        if len({*names, *OTHER_COLUMNS}) < len(names) + len(OTHER_COLUMNS):
            raise ValueError(f"measures need names of their own, none of {', '.join(OTHER_COLUMNS)}; found {names}")
        if not {*self.shown} <= {*names}:
            raise ValueError(f"a figure must show measures of the answer, {names}; found {self.shown}")
        if any(len(outcome) != len(names) or p < 0 for outcome, p in self.distribution.items()):
            raise ValueError(f"an outcome must have a number for each of {names}, and a probability of at least 0")
        if self.distribution and sum(self.distribution.values()) != 1:
            raise ValueError(f"probabilities must add up to 1; found {sum(self.distribution.values())}")

    def outcomes(self) -> list[tuple[tuple[int, ...], Fraction]]:
        """What may happen, the most likely first."""
        possible = [(outcome, p) for outcome, p in self.distribution.items() if p]
        return sorted(possible, key=lambda row: (-row[1], row[0]))

    def marginal(self, name: str) -> dict[int, Fraction]:
        """The distribution of one measure, its values rising."""
        place = [measure.name for measure in self.measures].index(name)
        found: dict[int, Fraction] = defaultdict(Fraction)
        for outcome, p in self.outcomes():
            found[outcome[place]] += p
        return dict(sorted(found.items()))

    def mean(self, name: str) -> Fraction:
        """The expectation of one measure."""
        return sum((value * p for value, p in self.marginal(name).items()), Fraction(0))


@dataclass(frozen=True)
class Topic:
    """A question that can be answered exactly.

    Parameters
    ----------
    name
        As commands name it, `attack`.
    meaning
        One line for listings.
    options
        A frozen pydantic model. Its fields are the command's options, `n_cards` is `--n-cards`: each has a
        description, most a default, and limits that keep the answer quick. Values come as text from a command line and
        as themselves from Python; `ExactProbability` and `LISTED` read what pydantic does not.
    answer
        (rules, options) -> `Answer`. It raises `simkit.errors.UserError` if the two do not go together.
    """

    name: str
    meaning: str
    options: type[BaseModel]
    answer: Callable[[Any, Any], Answer]

    def __post_init__(self) -> None:
        """Refuse options that could not be told apart or explained."""
        if not re.fullmatch(r"[a-z][a-z0-9-]*", self.name):
            raise ValueError(f"a topic's name must be of a-z, 0-9 and -; found {self.name!r}")
        if not self.options.model_config.get("frozen"):
            raise ValueError(f"topic {self.name}: the model of its options must be frozen")
        for name, declared in self.options.model_fields.items():
            if name in COMMON_OPTIONS or not declared.description:
                told = f"needs a description, and a name that is none of {', '.join(COMMON_OPTIONS)}"
                raise ValueError(f"topic {self.name}: an option {told}; found `{name}`")
