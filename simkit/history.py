"""What lies under the top of per-game stacks: append-only, shared by all games of a batch.

A stack whose top is an ordinary state array costs nothing to read. Pushing copies the top here and remembers where;
popping (rare, on a subset of games) reads it back. Nothing is moved when games are dropped from the batch.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Games = npt.NDArray[np.intp]


class History:
    """What lies under the tops of `n_stacks` stacks in each of n games.

    Parameters
    ----------
    n_stacks, width, n
        Stacks a game; bytes of a top; games in step (a first guess at the room needed).
    """

    def __init__(self, n_stacks: int, width: int, n: int) -> None:
        self.tops = np.empty((width, 24 * n + 1), np.uint8)
        self.below = np.empty(24 * n + 1, np.int32)
        self.used = 1  # place 0 is under every empty stack: an empty top, on itself
        self.tops[:, 0], self.below[0] = 0, 0
        self.under = np.zeros((n_stacks, n), np.int32)
        self._count = np.arange(n, dtype=np.int32)

    def push(self, stack: int, tops: npt.NDArray[np.uint8], games: Games | None = None) -> None:
        """Remember the tops, (width, k), that are about to be covered, in all games or in those given."""
        under = self.under[stack]
        below = under if games is None else under.take(games)
        start, end = self.used, self.used + len(below)
        if end > len(self.below):
            self._grow(end)
        self.tops[:, start:end], self.below[start:end], self.used = tops, below, end
        if games is None:
            np.add(self._count[: len(below)], np.int32(start), out=under)
        else:
            under[games] = np.arange(start, end, dtype=np.int32)

    def pop(self, stacks: Games, games: Games) -> npt.NDArray[np.uint8]:
        """The tops, (width, k), that lie under the present ones, of one stack in each of these games."""
        at = stacks * self.under.shape[1] + games
        under = self.under.reshape(-1)
        places = under.take(at)
        under[at] = self.below.take(places)
        return self.tops.take(places, axis=1)

    def take(self, games: Games) -> None:
        """Keep only these games; their entries stay where they are."""
        self.under = self.under.take(games, axis=1)

    def _grow(self, room: int) -> None:
        """Twice the room, or more."""
        size = max(2 * len(self.below), room)
        tops, below = np.empty((len(self.tops), size), np.uint8), np.empty(size, np.int32)
        tops[:, : self.used], below[: self.used] = self.tops[:, : self.used], self.below[: self.used]
        self.tops, self.below = tops, below
