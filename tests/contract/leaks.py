"""A table that looks for leaks, as tests use it."""

from __future__ import annotations

from typing import Any

from simkit.probe.leaks import Leaks
from simkit.probe.questions import ExaminedTable


class LeakTable(ExaminedTable):
    """A table that asks every question twice: as it is, and with all that the seat cannot know changed.

    Attributes
    ----------
    leaks, n_compared, n_changed
        See `Leaks`.
    """

    examiner: Leaks

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, examiner=Leaks(), **kwargs)

    @property
    def leaks(self) -> list[tuple[str, int]]:
        """Decisions that depended on something hidden, and in which column."""
        return self.examiner.found

    @property
    def n_compared(self) -> int:
        """Answers compared."""
        return self.examiner.n_compared

    @property
    def n_changed(self) -> int:
        """Questions at which the hidden state was changed."""
        return self.examiner.n_changed
