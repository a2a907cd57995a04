"""Kinds of plain values: what a setting may hold, and what to say if it holds something else."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

from pydantic_core import PydanticCustomError

from simkit.names import shown

PLAIN = "a finite number, a text, true, false, or a list or table of these"


def fits(value: Any, kind: Any) -> str | None:
    """What must hold if a value is not of the same kind as another; None if it is.

    Numbers, truth values and texts are never taken for each other; an integer may stand for a float.

    >>> fits(True, 4)
    'a whole number'
    >>> fits(1, 0.5) is None
    True
    """
    if isinstance(kind, bool):
        return None if isinstance(value, bool) else "true or false"
    if isinstance(value, bool) and kind is not None:
        return _kind_name(kind)
    if isinstance(kind, int):
        return None if isinstance(value, int) and abs(value) < 2**64 else "a whole number"
    if isinstance(kind, float):
        number = isinstance(value, int | float) and abs(value) < 2**64 and math.isfinite(value)
        return None if number else "a finite number"
    if isinstance(kind, str):
        return None if isinstance(value, str) else "a text"
    if isinstance(kind, list | tuple):
        wrong = not isinstance(value, list | tuple) or any(fits(item, kind[0]) for item in value if kind)
        return _kind_name(kind) if wrong else None
    if isinstance(kind, Mapping):
        return None if isinstance(value, Mapping) and is_plain(value) else "a table"
    return None if is_plain(value) else PLAIN


def _kind_name(kind: Any) -> str:
    """What a value of this kind is called.

    >>> _kind_name([2, 2]), _kind_name(["draw", "chaos", "draw", "chaos", "draw"]), _kind_name([{"number": 1}])
    ('a list like [2, 2]', "a list like ['draw', 'chaos', 'draw', ...]", 'a list of tables')
    """
    if isinstance(kind, list | tuple):
        if any(isinstance(item, Mapping) for item in kind):
            return "a list of tables"
        begin = shown(list(kind[:3]))
        return f"a list like {begin if len(kind) <= 3 else begin[:-1] + ', ...]'}" if kind else "a list"
    names = {int: "a whole number", float: "a finite number", str: "a text"}
    return names.get(type(kind), "a table")


def is_plain(value: Any) -> bool:
    """Whether a value can be stored and compared: finite numbers, texts, truth values, lists and tables of these."""
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and is_plain(item) for key, item in value.items())
    if isinstance(value, list | tuple):
        return all(is_plain(item) for item in value)
    return isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value))


def hashable(value: Any) -> Hashable:
    """A plain value as one that sets can hold; equal values stay equal.

    >>> len({hashable([1, {"a": 2}]), hashable([1.0, {"a": 2}]), hashable([2])})
    2
    """
    if isinstance(value, Mapping):
        return frozenset((key, hashable(item)) for key, item in value.items())
    return tuple(map(hashable, value)) if isinstance(value, list | tuple) else value


def refused(key: str, problem: str) -> PydanticCustomError:
    """What a model raises to refuse one of its keys."""
    return PydanticCustomError("refused", "{key}", {"key": key, "problem": problem})
