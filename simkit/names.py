"""How names are spelled, and what to say of one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
"""Names that some systems keep for devices: no file may be called so."""


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


def first_line(error: Exception) -> str:
    r"""The first line of an error's message, printable.

    >>> first_line(ValueError("no footer\nat byte 7"))
    'no footer'
    """
    return printable(str(error).strip().partition("\n")[0])


def shown(value: Any) -> str:
    """A value as a message quotes it: printable, and not too long.

    >>> shown(True), shown(10**50)
    ('true', 'a very large integer')
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
