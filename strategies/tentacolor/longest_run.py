"""Extending one's own longest run: the rulebook's plain way to play, with and without an eye on the left neighbour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacolor.view import TentacolorView
from simkit.strategy import Strategy

Scores = npt.NDArray[Any]

LONGEST_IN_A_BYTE = 14
"""The longest run whose worth fits into a byte [cards]."""

_SIXTEEN = np.array(16, np.uint8)


def worth(view: TentacolorView, left: int = 0) -> Scores:
    """What each card offered would make of the tentacle `left` seats to the left.

    Returns
    -------
    uint8 or uint16 (options, n)
        Sixteen times the longer run plus the sum of both: the sum decides between equal runs.
    """
    longest, total = view.after(left)
    if view.rules.expert or view.need > LONGEST_IN_A_BYTE:  # Expert: a run in a wrong colour goes on and on
        longest = longest.astype(np.uint16)
    longest *= _SIXTEEN
    longest += total
    return longest


@dataclass(frozen=True)
class LongestRun(Strategy):
    """Extends its longest run and passes one of the two other cards at random.

    Of cards that make an equal run it places the one with the larger sum of both colours' runs; a shark bites the
    longest run, a school of fish hits the left neighbour. The idea is the rulebook's.
    """

    def place(self, view: TentacolorView) -> Scores:
        """The longest run, then the larger sum of both."""
        return worth(view)

    def give(self, view: TentacolorView) -> Scores:
        """Either card, by the seat's own coin."""
        second = view.coin(2, among=view.legal[0] & view.legal[1]).astype(np.uint8)
        return np.stack([np.uint8(1) - second, second])

    def shark(self, view: TentacolorView) -> Scores:
        """The longest run; of equals the nearest to the left."""
        return view.rivals()

    def school(self, view: TentacolorView) -> Scores:
        """The left neighbour."""
        return np.zeros((len(view.options), view.n), np.uint8)


@dataclass(frozen=True)
class Spiteful(LongestRun):
    """Extends its longest run and passes the card that helps the left neighbour least.

    The rulebook's tip about passing, taken literally. It is the play by which simkit's speed is measured, and stays as
    it is: improvements go into other strategies.
    """

    def give(self, view: TentacolorView) -> Scores:
        """The card that would do the left neighbour least good."""
        return ~worth(view, left=1)
