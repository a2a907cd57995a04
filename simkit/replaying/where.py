"""Conditions on the columns of a run, as in `n_turns > 40 and score[1] >= 3`; they are never run as code.

    condition   = either { "or" either }
    either      = part { "and" part }
    part        = "not" part | "(" condition ")" | comparison
    comparison  = column [ sign value ]         a column of true and false may stand alone
    column      = [ "games." | "seats." ] name [ "[" seat "]" ]
    sign        = "=" | "==" | "!=" | "<" | "<=" | ">" | ">="
    value       = number | "true" | "false" | word | quoted text | column

A column of `seats` needs its seat: `[1]` is the seat that starts, as in reports, and `[any]` is true if it is true of
some seat (the same on both sides of the sign).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from simkit.errors import UserError
from simkit.game import Game
from simkit.names import printable, unknown
from simkit.results import games_columns, seats_columns

MAX_LENGTH, MAX_DEPTH, MAX_DIGITS = 2000, 40, 18
ANY = -1
"""Stands for the seat in `[any]`."""

Kind = Literal["number", "bool", "name"]
Mask = npt.NDArray[np.bool_]
Read = Callable[[Any, str], npt.NDArray[Any]]
"""(table, column) -> (n,) or (seats, n)."""

_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>-?[0-9]+(?:\.[0-9]+)?(?![\w.]))
        |(?P<word>[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)
        |(?P<text>"[^"]*"|'[^']*')
        |(?P<sign>==|!=|<=|>=|[=<>()\[\]]))""",
    re.VERBOSE,
)
_EXAMPLE = "as in `n_turns > 40 and score[1] >= 3`"


@dataclass(frozen=True)
class Field:
    """A column; of `seats`, that of one seat (counted from 0) or of any.

    Attributes
    ----------
    names
        The values of an enum, in the order of their codes.
    """

    table: Literal["games", "seats"]
    name: str
    kind: Kind
    names: tuple[str, ...] = ()
    seat: int | None = None

    def values(self, read: Read) -> npt.NDArray[Any]:
        """(n,), or (seats, n) for any seat."""
        column = read(self.table, self.name)
        return column if self.seat in (None, ANY) else column[self.seat]

    def __str__(self) -> str:
        """As it is written."""
        return self.name if self.seat is None else f"{self.name}[{'any' if self.seat == ANY else self.seat + 1}]"


@dataclass(frozen=True)
class Comparison:
    """A column and a value, or two columns."""

    left: Field
    sign: str
    right: Field | int | float | bool

    def mask(self, read: Read) -> Mask:
        """Where it holds, (n,)."""
        right = self.right.values(read) if isinstance(self.right, Field) else self.right
        holds = _SIGNS[self.sign](self.left.values(read), right)
        return holds.any(axis=0) if holds.ndim == 2 else holds

    def fields(self) -> Iterator[Field]:
        """The columns it reads."""
        yield self.left
        if isinstance(self.right, Field):
            yield self.right


@dataclass(frozen=True)
class Joined:
    """Conditions of which all, some or none must hold."""

    how: Literal["and", "or", "not"]
    parts: tuple[Condition, ...]

    def mask(self, read: Read) -> Mask:
        """Where it holds, (n,)."""
        masks = [part.mask(read) for part in self.parts]
        if self.how == "not":
            return ~masks[0]
        return reduce(np.logical_and if self.how == "and" else np.logical_or, masks)

    def fields(self) -> Iterator[Field]:
        """The columns it reads."""
        for part in self.parts:
            yield from part.fields()


Condition = Comparison | Joined


def seats_needed(condition: Condition) -> int:
    """Seats that a table must have for the condition to make sense there."""
    return max((field.seat + 1 for field in condition.fields() if field.seat is not None), default=0)


def parse(text: str, game: Game, labels: Sequence[str]) -> Condition:
    """Read a condition.

    Parameters
    ----------
    text
        As the module describes.
    game
        Its columns may be named.
    labels
        What the column `label` may be.

    Raises
    ------
    UserError
        If it is not a condition on known columns; the message names what was found.
    """
    return _Parser(_tokens(text), _known(game, labels)).whole()


def _known(game: Game, labels: Sequence[str]) -> dict[tuple[str, str], Field]:
    """Every column by table and name."""
    fields = [Field("games", "rotation", "number"), Field("games", "deal", "number")]
    fields.append(Field("seats", "label", "name", tuple(labels)))
    for table, columns in (("games", games_columns(game)), ("seats", seats_columns(game))):
        for column in columns:
            kind: Kind = "name" if column.labels else "bool" if column.dtype == "bool" else "number"
            fields.append(Field(table, column.name, kind, column.labels))  # type: ignore[arg-type]
    return {(field.table, field.name): field for field in fields}


def _tokens(text: str) -> list[tuple[str, str]]:
    """Kind and text of every word, number and sign."""
    if len(text) > MAX_LENGTH:
        raise _refusal(f"must have at most {MAX_LENGTH:,} characters; found {len(text):,}")
    tokens, place = [], 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            raise _refusal(f"must be a condition on columns, {_EXAMPLE}; found `{text[place:].strip()[:40]}`")
        tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
        place = match.end()
    return tokens


def _refusal(problem: str) -> UserError:
    """The complaint about a condition."""
    return UserError(f"`--where`: {printable(problem)}")


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[tuple[str, str]], known: Mapping[tuple[str, str], Field]) -> None:
        self._tokens, self._known = tokens, known
        self._at = self._depth = 0

    def whole(self) -> Condition:
        """The condition, with nothing after it."""
        condition = self._condition()
        if self._at < len(self._tokens):
            raise self._unexpected("`and`, `or` or the end")
        return condition

    def _condition(self) -> Condition:
        """Parts joined by `and`, and those by `or`."""
        either = [self._all()]
        while self._take("or"):
            either.append(self._all())
        return either[0] if len(either) == 1 else Joined("or", tuple(either))

    def _all(self) -> Condition:
        """Parts joined by `and`."""
        parts = [self._part()]
        while self._take("and"):
            parts.append(self._part())
        return parts[0] if len(parts) == 1 else Joined("and", tuple(parts))

    def _part(self) -> Condition:
        """A comparison, a condition in parentheses, or the opposite of either."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _refusal(f"`not` and parentheses must lie at most {MAX_DEPTH} deep; found more")
        if self._take("not"):
            part: Condition = Joined("not", (self._part(),))
        elif self._take("("):
            part = self._condition()
            self._expect(")")
        else:
            part = self._comparison()
        self._depth -= 1
        return part

    def _comparison(self) -> Comparison:
        """A column, a sign and a value."""
        left = self._column()
        kind, sign = self._peek()
        if kind != "sign" or sign not in _SIGNS:
            if left.kind == "bool":
                return Comparison(left, "=", True)
            raise self._unexpected(f"a sign after `{left}`, one of {' '.join(_SIGNS)},")
        self._at += 1
        if left.kind != "number" and sign not in ("=", "==", "!="):
            raise _refusal(f"`{left}` has no order and must be compared by = or !=; found `{sign}`")
        return Comparison(left, sign, self._value(left))

    def _value(self, left: Field) -> Field | int | float | bool:
        """What a column is compared with."""
        kind, text = self._peek()
        if left.kind == "name" and kind in ("word", "text"):
            self._at += 1
            return self._code(left, text.strip("\"'") if kind == "text" else text)
        if left.kind == "number" and kind == "number":
            self._at += 1
            return self._number(text)
        if left.kind == "bool" and text.lower() in ("true", "false"):
            self._at += 1
            return text.lower() == "true"
        if kind == "word" and left.kind != "name" and text.lower() not in ("true", "false"):
            right = self._column()
            if right.kind == left.kind:
                return right
            raise _refusal(f"`{left}` is a {left.kind} and must be compared with one; found `{right}`")
        wanted = {"number": "a number or a column of numbers", "bool": "true or false", "name": "one of its values"}
        raise self._unexpected(f"{wanted[left.kind]} after `{left}`")

    def _number(self, text: str) -> int | float:
        """A number that is not absurdly long."""
        if len(text) > MAX_DIGITS:
            raise _refusal(f"numbers must have at most {MAX_DIGITS} digits; found {len(text)}")
        return float(text) if "." in text else int(text)

    def _code(self, field: Field, name: str) -> int:
        """The code of an enum's value."""
        if name not in field.names:
            raise _refusal(unknown(f"value of `{field}`", name, field.names))
        return field.names.index(name)

    def _column(self) -> Field:
        """A column, of `seats` with its seat."""
        kind, text = self._peek()
        if kind != "word" or text.lower() in ("and", "or", "not", "true", "false"):
            raise self._unexpected("a column")
        self._at += 1
        table, _, name = text.rpartition(".")
        seat = self._seat()
        fields = [field for place, field in self._known.items() if place[1] == name and table in ("", place[0])]
        if not fields:
            raise _refusal(unknown("column", text, [".".join(place) if table else place[1] for place in self._known]))
        wanted = "games" if seat is None else "seats"
        found = next((field for field in fields if field.table == wanted), None)
        if found is None and seat is None:
            raise _refusal(f"`{name}` differs from seat to seat: write `{name}[1]` for the first seat or `{name}[any]`")
        if found is None:
            raise _refusal(f"`{name}` is one for the whole game; leave out the seat in square brackets")
        return Field(found.table, found.name, found.kind, found.names, seat)

    def _seat(self) -> int | None:
        """The seat in square brackets, if there is one."""
        if not self._take("["):
            return None
        _, text = self._peek()
        self._at += 1
        self._expect("]")
        if text.lower() == "any":
            return ANY
        if not re.fullmatch("[1-9]", text):
            raise _refusal(f"a seat must be a number from 1 (who starts), or any; found `[{text}]`")
        return int(text) - 1

    def _peek(self) -> tuple[str, str]:
        """The next token."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "the end")

    def _take(self, wanted: str) -> bool:
        """Go past a word or sign, if it is next."""
        kind, text = self._peek()
        if kind not in ("word", "sign") or text.lower() != wanted:
            return False
        self._at += 1
        return True

    def _expect(self, wanted: str) -> None:
        """Go past a sign that must be next."""
        if not self._take(wanted):
            raise self._unexpected(f"`{wanted}`")

    def _unexpected(self, wanted: str) -> UserError:
        """The complaint about the next token."""
        return _refusal(f"must be a condition on columns, {_EXAMPLE}; wanted {wanted}, found `{self._peek()[1]}`")
