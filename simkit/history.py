"""What lies under the top of per-game stacks: append-only, shared by all games of a batch.

A stack whose top is an ordinary state array costs nothing to read. Pushing copies the top here and remembers where;
popping (rare, on a subset of games) reads it back. Nothing is moved when games are dropped from the batch.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Games = npt.NDArray[np.intp]


class History:
    """Entries of `width` bytes and the place of the entry below each.

    Parameters
    ----------
    width
        Bytes of a top.
    n
        Games in step: a first guess at the room needed.
    """

    def __init__(self, width: int, n: int) -> None:
        self.tops = np.empty((width, 24 * n + 1), np.uint8)
        self.below = np.empty(24 * n + 1, np.int32)
        self.used = 1  # place 0 is the empty stack's
        self.tops[:, 0] = 0
        self.below[0] = 0

    def push(self, tops: npt.NDArray[np.uint8], below: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Remember tops.

        Parameters
        ----------
        tops : uint8 (width, k)
        below : int32 (k,)
            Where the entries under them are.

        Returns
        -------
        int32 (k,)
            Where they are now.
        """
        start, end = self.used, self.used + len(below)
        if end > len(self.below):
            self._grow(end)
        self.tops[:, start:end] = tops
        self.below[start:end] = below
        self.used = end
        return np.arange(start, end, dtype=np.int32)

    def pop(self, places: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
        """The tops at these places, (width, k), and where the entries below them are, (k,)."""
        return self.tops.take(places, axis=1), self.below.take(places)

    def take(self, games: Games) -> None:
        """Dropping games moves nothing: their entries are never read again."""

    def _grow(self, room: int) -> None:
        """Twice the room, or more."""
        size = max(2 * len(self.below), room)
        tops, below = np.empty((len(self.tops), size), np.uint8), np.empty(size, np.int32)
        tops[:, : self.used], below[: self.used] = self.tops[:, : self.used], self.below[: self.used]
        self.tops, self.below = tops, below
