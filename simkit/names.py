"""How names are spelled, and what to say of one that is not known."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
"""Names that some systems keep for devices: no file may be called so."""

_IN_WORDS = {
    "Input should": "must",
    "Value error, ": "",
    "Field required": "must be set",
    "Extra inputs are not permitted": "must be left out: it is no known key",
    "must be a valid integer": "must be a whole number",
    "must be a valid tuple": "must be a list",
    "must be a valid list": "must be a list",
    "must be a valid string": "must be a text",
    "must be a valid dictionary": "must be a table",
    "must be a valid number": "must be a number",
    "must be a valid boolean": "must be true or false",
    "embedded null byte": "must not hold a null byte",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
}


def canonical(name: str) -> str:
    """The one spelling of a name that may be written in two.

    >>> canonical("My_Game")
    'my-game'
    """
    return name.strip().lower().replace("_", "-")


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """What to say of an unknown name: the nearest known one, and all that are allowed.

    >>> unknown("key", "sede", ["games", "seed"])
    'unknown key `sede`; did you mean `seed`? Allowed: games, seed'
    """
    names = sorted(set(known))
    near = difflib.get_close_matches(canonical(name), names, n=1, cutoff=0.5)
    guess = f"; did you mean `{near[0]}`?" if near else ";"
    allowed = ", ".join(names[:60]) + (" ..." if len(names) > 60 else "")
    return f"unknown {kind} {quoted(name)}{guess} Allowed: {allowed or 'none'}"


def quoted(name: str) -> str:
    r"""A name as a message quotes it: on one line, and not too long.

    >>> quoted("a\nb")
    '`a\\nb`'
    """
    text = printable(name).replace("\n", "\\n")
    return f"`{text if len(text) <= 80 else text[:77] + '...'}`"


def in_words(problem: str) -> str:
    """What pydantic says must hold, as a designer would say it.

    >>> in_words("Input should be a valid integer, unable to parse string as an integer")
    'must be a whole number'
    >>> in_words("Tuple should have at least 1 item after validation, not 0"), in_words("Input should be below 5000")
    ('must not be empty', 'must be below 5,000')
    """
    if re.match(r"\w+ should have at least 1 (item|character)", problem):
        return "must not be empty"
    if "exceeded maximum size" in problem:
        return "must be a whole number of fewer digits"
    for theirs, ours in _IN_WORDS.items():
        problem = problem.replace(theirs, ours)
    problem = re.sub(r"^(String|Tuple|List) should", "must", problem)
    problem = re.sub(r", unable to parse .*| or instance of \w+$| after validation, not \d+$", "", problem)
    return re.sub(r"\b\d{4,}\b(?!\.)", lambda digits: f"{int(digits[0]):,}", problem)


def shown(value: Any) -> str:
    """A value as a message quotes it: printable, and not too long.

    >>> shown(True), shown("a\x1b"), shown(10**50)
    ('true', "'a\\x1b'", 'a very large integer')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    text = printable(repr(value) if not isinstance(value, int) or abs(value) < 10**40 else "a very large integer")
    return text if len(text) <= 80 else text[:77] + "..."


def printable(text: str) -> str:
    r"""The text without characters that a terminal would obey.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
