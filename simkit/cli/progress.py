"""How far play has come, on the error stream: a bar on a terminal, plain lines elsewhere, nothing for short work."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 1.0
"""Work that takes less is over before anyone wonders [s]."""
LINE_EVERY = 5.0
"""Time between plain lines [s]."""


class PlayProgress:
    """Progress of a run; see `simkit.runner.Progress`.

    Parameters
    ----------
    stream
        Where it is shown.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._n_games = self._n_done = 0
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._shown = self._stopped = False

    def start(self, n_games: int) -> None:
        """Play begins; so many games are to be played."""
        self._n_games, self._begun = n_games, time.monotonic()
        self._timer = threading.Timer(PATIENCE, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        """Appear."""
        with self._lock:
            if self._stopped:
                return
            self._shown = True
            if self._stream.isatty():
                self._bar = _bar(self._stream)
                self._task = self._bar.add_task("playing", total=self._n_games, completed=self._n_done)
                self._bar.start()
            else:
                self._line(f"playing {self._n_games:,} games")

    def advance(self, n_games: int) -> None:
        """So many more games have been published."""
        with self._lock:
            self._n_done += n_games
            if self._bar is not None and self._task is not None:
                self._bar.update(self._task, completed=self._n_done)
            elif self._shown and time.monotonic() - self._last >= LINE_EVERY:
                self._line(f"{self._n_done:,} of {self._n_games:,} games, {self._left()}")

    def _left(self) -> str:
        """The time that is left, in words."""
        spent = time.monotonic() - self._begun
        return f"about {spent * (self._n_games / self._n_done - 1):,.0f} s left"

    def _line(self, text: str) -> None:
        """One plain line."""
        self._last = time.monotonic()
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def stop(self) -> None:
        """Play is over, or was broken off."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._stopped = True
            if self._bar is not None:
                self._bar.stop()


def _bar(stream: TextIO) -> Bar:
    """Share done, games, time left; it vanishes at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(file=stream), transient=True)
