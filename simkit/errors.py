"""Errors that are a user's to mend: one message, exit code 2, no traceback."""

from __future__ import annotations

import re
import traceback

LOCAL = "simkit_local_"
"""How the modules begin that code which is not simkit's runs in: see `simkit.sources`."""

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


class UserError(Exception):
    """Something the user gave cannot be used.

    The message says what must hold, what was found and what to do.
    """


class StrategyError(UserError):
    """A strategy broke the contract of `simkit.strategy`; the message names strategy, decision and what is wanted."""


class Passing(BaseException):
    """What passes through foreign code on its way from one part of simkit to another: no fault of that code."""


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
    if place is None or isinstance(error, KeyboardInterrupt | Passing):
        return None
    return UserError(f"{place}: the code must run without errors; found {raised(error)}")


def in_words(problem: str) -> str:
    """What pydantic says must hold, as a designer would say it.

    >>> in_words("Input should be a valid integer, unable to parse string as an integer")
    'must be a whole number'
    >>> in_words("Tuple should have at least 1 item after validation, not 0"), in_words("Input should be below 5000")
    ('must not be empty', 'must be below 5,000')
    """
    if re.match(r"\w+ should have at least 1 (item|character)", problem):
        return "must not be empty"
    if tags := re.match(r"Input tag .* found using '(\w+)' does not match any of the expected tags: (.*)", problem):
        return f"`{tags[1]}` must be one of {tags[2]}"
    if "exceeded maximum size" in problem:
        return "must be a whole number of fewer digits"
    for theirs, ours in _IN_WORDS.items():
        problem = problem.replace(theirs, ours)
    problem = re.sub(r"^(String|Tuple|List|Value) should", "must", problem)
    problem = re.sub(r", unable to parse .*| or instance of \w+$| after validation, not \d+$", "", problem)
    return re.sub(r"\b\d{4,}\b(?!\.)", lambda digits: f"{int(digits[0]):,}", problem)
