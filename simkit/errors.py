"""Errors that are a user's to mend: one message, exit code 2, no traceback."""

from __future__ import annotations

import re
import traceback

LOCAL = "simkit_local_"
"""How the modules begin that code which is not simkit's runs in: see `simkit.sources`."""


class UserError(Exception):
    """Something the user gave cannot be used.

    The message says what must hold, what was found and what to do.
    """


class StrategyError(UserError):
    """A strategy broke the contract of `simkit.strategy`; the message names strategy, decision and what is wanted."""


def raised(error: BaseException) -> str:
    """What somebody's code has raised, on one line.

    >>> raised(ValueError("no\\nidea")), raised(AssertionError())
    ('ValueError: no idea', 'AssertionError')
    """
    text = re.sub(LOCAL + "[0-9a-f]+", "", " ".join(str(error).split()))
    return type(error).__name__ + (f": {text if len(text) <= 300 else text[:297] + '...'}" if text else "")


def foreign_place(error: BaseException) -> str | None:
    """The innermost file and line on an error's way that are not simkit's; None if all are."""
    places = [
        f"{frame.f_code.co_filename}, line {line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__", "")).startswith(LOCAL) and not frame.f_code.co_filename.startswith("<")
    ]
    return places[-1] if places else None


def foreign_fault(error: BaseException) -> UserError | None:
    """The complaint about a game, strategy or report that is not simkit's and fails; None if the fault is ours."""
    place = foreign_place(error)
    if place is None or isinstance(error, KeyboardInterrupt):
        return None
    return UserError(f"{place}: the code must run without errors; found {raised(error)}")
