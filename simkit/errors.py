"""Errors that are a user's to mend: one message, exit code 2, no traceback."""

from __future__ import annotations


class UserError(Exception):
    """Something the user gave cannot be used.

    The message says what must hold, what was found and what to do.
    """


class StrategyError(UserError):
    """A strategy broke the contract of `simkit.strategy`; the message names strategy, decision and what is wanted."""
