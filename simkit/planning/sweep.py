"""What an experiment varies: `[sweep]`, a grid, a sampled design or all assumptions; or `[[cells]]`, a list.

Keys are `rules.NAME` and `strategies.LABEL.PARAMETER`, quoted as one key or as nested tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from simkit.names import shown, unknown
from simkit.planning.values import PLAIN, hashable, is_plain, refused

MAX_VALUES = 10_000
"""Values of an axis, points of a design, tables of a list of cells."""

KEY = "`rules.NAME` or `strategies.LABEL.PARAMETER`"
_KEY = re.compile(r"rules\.[^.]+|strategies\..+\.[^.]+", re.DOTALL)
_BOUNDS = ("from", "to")
_MOST_BOUND = 2**53
"""Whole numbers beyond this are not exact as floats."""


@dataclass(frozen=True)
class Range:
    """All numbers from `low` to `high`, both included; whole numbers if both ends are."""

    low: int | float
    high: int | float

    def at(self, u: float) -> int | float:
        """The value at a share of the way, 0 <= u < 1; floats have six significant digits.

        >>> Range(2, 4).at(0.5), Range(0.0, 1.0).at(1 / 3)
        (3, 0.333333)
        """
        if isinstance(self.low, int) and isinstance(self.high, int):
            return min(self.low + int(u * (self.high - self.low + 1)), self.high)
        value = float(f"{self.low + u * (self.high - self.low):.6g}")
        return min(max(value, float(self.low)), float(self.high)) + 0.0


@dataclass(frozen=True)
class Axis:
    """Keys that are set together, and their values: rows, one value a key, or (of a single key) a range."""

    keys: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...] | Range

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """The listed values."""
        return () if isinstance(self.values, Range) else self.values

    def at(self, u: float) -> tuple[Any, ...]:
        """The row at a share of the way through the values, 0 <= u < 1."""
        if isinstance(self.values, Range):
            return (self.values.at(u),)
        return self.values[min(int(u * len(self.values)), len(self.values) - 1)]


class Sweep(BaseModel):
    """The table `[sweep]`; keys beside those declared are the axes.

    Attributes
    ----------
    assumptions
        One more setting per alternative of every component that the rulebook does not give.
    design, n
        Sample so many points in place of the full grid.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    assumptions: Annotated[bool, Field(strict=True)] = False
    design: Literal["lhs", "sobol"] | None = None
    n: Annotated[int, Field(strict=True, ge=1, le=MAX_VALUES)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, given: Any) -> Any:
        """Every axis under one dotted key."""
        return flat(given) if isinstance(given, Mapping) else given

    @model_validator(mode="after")
    def _known_axes(self) -> Sweep:
        """Each axis is one that can be played."""
        for axis in self.axes:
            if isinstance(axis.values, Range) and self.design is None:
                key = axis.keys[0]
                found = shown((self.model_extra or {})[key])
                raise refused(
                    key, f"must be a list of values; a range needs a `design` and `n` beside it; found {found}"
                )
        return self

    @model_validator(mode="after")
    def _whole_design(self) -> Sweep:
        """A design has a number of points and something to sample, and stands alone."""
        if self.design is None:
            if self.n is not None:
                raise refused("n", f"must be left out, or stand beside `design`; found {self.n} and no design")
            return self
        if self.assumptions:
            raise refused("assumptions", "must be left out where a `design` is sampled; found both")
        if self.n is None:
            raise refused("n", "must be set beside `design`: the number of points; found nothing")
        if not self.axes:
            raise refused("design", f"must have something to sample: {KEY}, with values or a range; found none")
        if self.design == "sobol" and self.n & (self.n - 1):
            powers = 1 << self.n.bit_length() - 1, 1 << self.n.bit_length()
            near = " or ".join(str(power) for power in powers if power <= MAX_VALUES)
            raise refused("n", f"must be a power of two for a sobol design, such as {near}; found {self.n}")
        return self

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """The axes, in the file's order."""
        return tuple(_axis(joined, values) for joined, values in (self.model_extra or {}).items())

    @property
    def keys(self) -> list[str]:
        """All keys that are swept, one by one."""
        return [key for axis in self.axes for key in axis.keys]

    @property
    def is_empty(self) -> bool:
        """Nothing is varied."""
        return not (self.axes or self.assumptions)


class ListedCell(BaseModel):
    """One of the tables `[[cells]]`; keys beside those declared are what it sets.

    Attributes
    ----------
    players
        In place of the experiment's.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    players: Annotated[int, Field(strict=True, ge=1, le=100)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, given: Any) -> Any:
        """Every value under one dotted key."""
        return flat(given) if isinstance(given, Mapping) else given

    @model_validator(mode="after")
    def _known_keys(self) -> ListedCell:
        """Each key is one that can be set."""
        for key, value in self.settings.items():
            _check_key(key, key, ("players",))
            if not is_plain(value):
                raise refused(key, f"must be {PLAIN}; found {shown(value)}")
        return self

    @property
    def settings(self) -> dict[str, Any]:
        """What is set, by dotted key."""
        return dict(self.model_extra or {})


def flat(table: Mapping[Any, Any]) -> dict[str, Any]:
    """A table with `rules` and `strategies` in it written out as dotted keys.

    >>> flat({"rules": {"sharks": 4}, "strategies": {"wild": {"p": 0.5}}})
    {'rules.sharks': 4, 'strategies.wild.p': 0.5}
    """
    found: dict[str, Any] = {}
    for key, value in _pairs(table):
        if key in found:
            raise refused(key, "must be set once; found it twice, as one quoted key and in a table of its own")
        found[key] = value
    return found


def _pairs(table: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    """Dotted keys and values; a value may itself be a table."""
    for key, value in table.items():
        if key == "rules" and isinstance(value, Mapping):
            yield from ((f"rules.{name}", v) for name, v in value.items())
        elif key == "strategies" and isinstance(value, Mapping):
            for label, inner in value.items():
                parameters = inner.items() if isinstance(inner, Mapping) else [("", inner)]
                yield from ((f"strategies.{label}.{name}".rstrip("."), v) for name, v in parameters)
        else:
            yield str(key), value


def _axis(joined: str, values: Any) -> Axis:
    """One axis; a single key's values stand alone, joined keys have rows of values."""
    keys = tuple(re.split(r"\s*,\s*(?=rules\.|strategies\.)", joined.strip()))
    for key in keys:
        _check_key(joined, key, Sweep.model_fields)
    if isinstance(values, Mapping) and len(keys) == 1:
        return Axis(keys, _range(joined, values))
    if not isinstance(values, list | tuple):
        raise refused(joined, f"must be a list; found {shown(values)}")
    if not 1 <= len(values) <= MAX_VALUES:
        raise refused(joined, f"must have at least 1 and at most {MAX_VALUES:,} values; found {len(values):,}")
    if len(keys) > 1 and not all(isinstance(row, list | tuple) and len(row) == len(keys) for row in values):
        raise refused(joined, f"needs rows of {len(keys)} values, one for each key; found {shown(values)}")
    if not is_plain(values):
        raise refused(joined, f"must be {PLAIN}; found {shown(values)}")
    if len(set(map(hashable, values))) < len(values):
        raise refused(joined, f"must not repeat a value; found {shown(values)}")
    return Axis(keys, tuple(tuple(row) if len(keys) > 1 else (row,) for row in values))


def _check_key(where: str, key: str, declared: Any) -> None:
    """Refuse what is no key that can be varied."""
    if _KEY.fullmatch(key):
        return
    if key.startswith(("rules.", "strategies.")):
        raise refused(where, f"must be {KEY}; found `{shown(key)[1:-1]}`")
    raise refused(where, unknown("key", key, [*declared, "rules.NAME", "strategies.LABEL.PARAMETER"]))


def _range(where: str, table: Mapping[Any, Any]) -> Range:
    """The range that a table `{ from, to }` gives."""
    for name in table:
        if name not in _BOUNDS:
            raise refused(where, f"must be a list, or a range with `from` and `to`; {unknown('key', name, _BOUNDS)}")
    low, high = (table.get(name) for name in _BOUNDS)
    for bound in (low, high):
        if isinstance(bound, bool) or not isinstance(bound, int | float) or not abs(bound) <= _MOST_BOUND:
            raise refused(
                where, f"must go `from` one finite number `to` another, within 2^53; found {shown(dict(table))}"
            )
    if not low < high:  # type: ignore[operator]
        raise refused(where, f"must go `from` the lower number `to` the higher; found {shown(dict(table))}")
    return Range(low, high)  # type: ignore[arg-type]


def sweep_target(key: str) -> tuple[str, str]:
    """The strategy's label and the parameter that a key `strategies.LABEL.PARAM` names."""
    label, _, parameter = key.removeprefix("strategies.").rpartition(".")
    return label, parameter
