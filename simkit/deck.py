"""A shuffled pile of cards per game, dealt lazily from both ends.

A whole shuffle costs as much as half a game of cards. Here a card's place in the pile is fixed only shortly before it
is drawn (Fisher-Yates, a word of luck at a time), for all games of a batch and in blocks that stay in the cache.
Cards that every game draws at the same moment come from the top: they lie in one row for all games. Cards that only
some games draw (encounters, events) come from the bottom, at a depth that differs from game to game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.tape import Tape, Words, cuts

BLOCK = 8192
"""Games dealt at a time: their lines of the pile stay in the second-level cache."""

Cards = npt.NDArray[np.uint8]
_S32 = np.array(32, np.uint64)


class Deck:
    """A pile of `size` cards for each of n games.

    Parameters
    ----------
    tape, stream
        Where the luck comes from; words 0, 1, ... of the stream are used.
    deals : uint64 (n,)
        The deal of each game.
    box : uint8 (size,) or (n, size)
        The cards before the shuffle, the same for all games or a line a game.
    n_bottom
        How many cards may be drawn from the bottom before the top reaches them; they are dealt at once.
    """

    def __init__(self, tape: Tape, stream: int, deals: Words, box: Cards, n_bottom: int = 0) -> None:
        self.tape, self.stream, self.deals = tape, stream, deals
        self.size, self.n_bottom = box.shape[-1], min(n_bottom, box.shape[-1])
        self.n_main = self.size - self.n_bottom
        width = max(64, 1 << (self.size - 1).bit_length())  # whole cache lines: one line fetched per card
        self.lines = np.empty((len(deals), width), np.uint8)
        self.lines[:, : self.size] = box
        self.line_of = np.arange(len(deals))  # lines stay where they are when games are dropped
        self._whole = True  # no game has been dropped yet: a block of games is a block of lines
        self.bottom = np.empty((self.n_bottom, len(deals)), np.uint8)
        self.ahead = np.empty((0, len(deals)), np.uint8)  # cards from the top, fixed and not yet drawn past
        self.first = 0  # the place in the pile of ahead[0]
        bounds = [self.size - i for i in range(self.size)]
        self._top_cuts = list(cuts(bounds[self.n_bottom :]))
        bottom_cuts = list(cuts(bounds[: self.n_bottom]))
        self._n_words, self._n_cut = 0, 0
        for run in bottom_cuts:
            self._deal(run, self.bottom[self.size - run[0] :][: len(run)], from_top=False)

    def top(self, place: int) -> Cards:
        """The card at a place from the top, the same place in every game.

        Parameters
        ----------
        place
            0 is the first card. Places are asked for in rising order; earlier rows may be gone.

        Returns
        -------
        uint8 (n,)
            A row of the deck's own: copy it before changing it.
        """
        if place >= self.size:
            raise IndexError(f"a pile of {self.size} cards has no card at place {place}")
        if place >= self.n_main:
            return self.bottom[self.size - 1 - place].take(self.line_of)
        while place >= self.first + len(self.ahead):
            run = self._top_cuts[self._n_cut]
            self.first += len(self.ahead)
            self.ahead = np.empty((len(run), len(self.deals)), np.uint8)
            self._deal(run, self.ahead, from_top=True)
            self._n_cut += 1
        return self.ahead[place - self.first]

    def from_bottom(self, depths: npt.NDArray[np.integer], games: npt.NDArray[np.intp]) -> Cards:
        """The cards at the given depths (0: the lowest) of the given games' piles.

        Returns
        -------
        uint8 (k,)
        """
        at = depths.astype(np.intp)
        at *= len(self.lines)
        at += self.line_of.take(games)
        return self.bottom.reshape(-1).take(at)

    def undrawn(self, game: int, n_top: int, n_bottom: int) -> list[tuple[Cards, tuple[int, int]]]:
        """Where one game's undrawn cards lie, after n_top cards from the top and n_bottom from the bottom.

        Returns
        -------
        list of (array, index)
            In no order that tells which is drawn when.
        """
        fixed = self.first + len(self.ahead)
        places = range(min(n_top, self.n_main), self.n_main)
        line = int(self.line_of[game])
        slots = [(self.ahead, (p - self.first, game)) if p < fixed else (self.lines, (line, p)) for p in places]
        last = self.n_bottom - max(0, n_top - self.n_main)
        return slots + [(self.bottom, (depth, line)) for depth in range(n_bottom, last)]

    def take(self, games: npt.NDArray[np.intp]) -> None:
        """Keep only these games."""
        self._whole = False
        self.deals, self.line_of = self.deals.take(games), self.line_of.take(games)
        self.ahead = self.ahead.take(games, axis=1)

    def _deal(self, bounds: list[int], rows: Cards, *, from_top: bool) -> None:
        """Fix the next cards of every game: those that one word of luck decides."""
        width, flat = self.lines.shape[1], self.lines.reshape(-1)
        k = [np.array(bound, np.uint64) for bound in bounds]
        for start in range(0, len(self.deals), BLOCK):
            block = slice(start, start + BLOCK)
            line_starts = self.line_of[block] * width
            word = self.tape.words(self.deals[block], self.stream, self._n_words)
            at = np.empty_like(word)
            hole = at.view(np.int64)
            for i, bound in enumerate(bounds):
                np.right_shift(word, _S32, out=at)
                np.multiply(at, k[i], out=at)
                np.right_shift(at, _S32, out=at)
                np.multiply(word, k[i], out=word)
                np.add(hole, line_starts, out=hole)
                # undealt cards lie in `bound` places from `lowest` on; the one at their end takes the hole
                lowest = self.n_main - bound if from_top else 0
                last = lowest if from_top else bound - 1
                cards = flat[lowest:]
                rows[i, block] = cards.take(hole)
                cards[hole] = self.lines[block, last] if self._whole else flat[last:].take(line_starts)
        self._n_words += 1
