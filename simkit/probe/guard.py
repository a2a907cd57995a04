"""Runs a strategy's code so that whatever it does is told in the user's words."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from time import monotonic, process_time
from types import TracebackType

import numpy as np

from simkit.errors import Passing, StrategyError, UserError
from simkit.probe.findings import Findings
from simkit.strategy import Choice, Strategy
from simkit.view import View


class Slip(Passing):
    """A strategy broke off: the check that fails, and what to say."""

    def __init__(self, check: str, text: str) -> None:
        super().__init__(text)
        self.check, self.text = check, text


class OutOfTime(Passing):
    """The time set aside for the probes is over."""


class Trial:
    """A stretch of foreign code, `with Trial(...) as trial:`; what it raises becomes a finding.

    Parameters
    ----------
    findings
    check
        The check that fails where the code does, unless a strategy broke off for a reason of its own.
    where
        What was played, for the message.
    files
        The user's files, for the line at which something was raised.

    Attributes
    ----------
    is_through
        Whether the code came to its end.
    """

    def __init__(self, findings: Findings, check: str, where: str, files: Collection[Path] = ()) -> None:
        self.findings, self.check, self.where, self.files = findings, check, where, files
        self.is_through = False

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        """Tell what was raised; faults of the probes themselves and the end of the time go on."""
        self.is_through = error is None
        if isinstance(error, Slip):
            self.findings.fail(error.check, f"{error.text} ({self.where})")
        elif isinstance(error, StrategyError):
            self.findings.fail("answers", f"{error} ({self.where})")
        elif isinstance(error, Exception | SystemExit):
            self.findings.fail(self.check, f"{said_of(error, self.files)} ({self.where})")
        else:
            return False
        return True


class Guarded(Strategy):
    """Another strategy: what it raises becomes a `Slip`, the watching process hears of every answer, time is taken.

    Parameters
    ----------
    strategy
    files
        The user's files, for the line at which something was raised.
    findings
        Where the beginning of every answer is told.
    deadline
        When the time for the probes is over, on the monotonic clock [s].

    Attributes
    ----------
    seconds, n_answers
        Spent, and games answered, by decision.
    """

    def __init__(
        self, strategy: Strategy, files: Collection[Path], findings: Findings, deadline: float = float("inf")
    ) -> None:
        self.strategy, self.files, self.findings, self.deadline = strategy, files, findings, deadline
        self.name = strategy.name
        self.seconds: Counter[str] = Counter()
        self.n_answers: Counter[str] = Counter()

    def choose(self, view: View) -> Choice:
        """The other's choice."""
        if monotonic() > self.deadline:
            raise OutOfTime
        self.findings.begin(f"decision `{view.decision}`")
        begun = process_time()
        try:
            choice = self.strategy.choose(view)
        except BaseException as error:
            raise self._slip(error, view) from error
        finally:
            spent = process_time() - begun
            self.findings.done()
        self.seconds[view.decision] += spent  # type: ignore[assignment]
        self.n_answers[view.decision] += int(np.count_nonzero(view.asked))
        return choice

    def _slip(self, error: BaseException, view: View) -> Slip:
        """What was raised, in words."""
        if isinstance(error, StrategyError) and error.__cause__ is not None:
            error = error.__cause__  # what the strategy's own code raised
        if isinstance(error, StrategyError):
            return Slip("answers", str(error))
        text = f"decision `{view.decision}`: {said_of(error, self.files)}"
        if isinstance(error, ValueError) and ("read-only" in str(error) or "WRITEABLE" in str(error)):
            return Slip("view", text)
        return Slip("runs", text)


def said_of(error: BaseException, files: Collection[Path]) -> str:
    """An exception's kind and message, and the line of the user's file where it came up."""
    message = f": {error}" if str(error) else ""
    text = str(error) if isinstance(error, UserError) else f"{type(error).__name__}{message}"
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) in files]
    return f"{text} ({lines[-1].filename}, line {lines[-1].lineno})" if lines else text
