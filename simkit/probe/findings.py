"""What probes have found so far, and what is under way: kept here, or told to the process that watches."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, TextIO

FAILED, NOTE, OK, UNCHECKED = "FAILED", "note", "ok", "not checked"

MOST = 4
"""Findings of one check that are told in full."""


class Findings:
    """What was found, by check.

    Parameters
    ----------
    wire
        Where every finding is written at once, a JSON line each: the process may not live to tell at the end.

    Attributes
    ----------
    found : list of (check, FAILED or "note", text)
    compared
        How much each check has looked at.
    """

    def __init__(self, wire: TextIO | None = None) -> None:
        self._wire = wire
        self._n_told: Counter[tuple[str, str]] = Counter()
        self.found: list[tuple[str, str, str]] = []
        self.compared: Counter[str] = Counter()

    def failed(self, check: str) -> bool:
        """Whether the check has failed."""
        return self._n_told[check, FAILED] > 0

    def fail(self, check: str, text: str) -> None:
        """The check has failed."""
        self._find(check, FAILED, text)

    def note(self, check: str, text: str) -> None:
        """Something that the user should know."""
        self._find(check, NOTE, text)

    def _find(self, check: str, status: str, text: str) -> None:
        """Tell the first few."""
        if (check, status, text) in self.found:
            return
        self._n_told[check, status] += 1
        if self._n_told[check, status] > MOST:
            text = "... and more like these"
        if self._n_told[check, status] <= MOST + 1:
            self.found.append((check, status, text))
            self.tell(found=[check, status, text])

    def so_far(self) -> None:
        """Tell how much has been looked at; the process may not live to tell at the end."""
        self.tell(compared=self.compared)

    def tell(self, **message: Any) -> None:
        """Write a message."""
        if self._wire is not None:
            self._wire.write(json.dumps(message) + "\n")
            self._wire.flush()

    def begin(self, what: str) -> None:
        """Foreign code is about to run; the watching process waits so long and no longer."""
        if self._wire is not None:
            self._wire.write(f"?{what}\n")
            self._wire.flush()

    def done(self) -> None:
        """Foreign code has come back."""
        self.begin("")
