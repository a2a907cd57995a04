"""Play that minds the rivals: weighs their threat against its own gain, or saves its sharks for whoever gets close."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.errors import UserError
from simkit.games.tentacolor.view import TentacolorView

from .longest_run import LongestRun, worth
from .prospects import BITE, KEEP_SHARK, PROMISE, THREAT, best_of_others, is_rival_close, is_shark, steps, times

Scores = npt.NDArray[np.int16]

SIXTEEN = np.int16(16)
"""Blocker's scores are in sixteenths of a unit, to which `spite` is rounded."""
MOST_SPITE = 16
GOAL, FIRST, LESS_THAN_A_CARD = np.int16(32767), np.int16(8192), np.int16(15)
"""Above all else, above all but the goal, and less than one more card in the longest run."""


@dataclass(frozen=True)
class Blocker(LongestRun):
    """Weighs the left neighbour's threat against its own gain, and bites a rival who is about to win.

    Places the card whose run outweighs most what the neighbour could make of the less harmful of the other two; passes
    the one by which it gives up least, the run that it could make itself counted in. Ours.

    Parameters
    ----------
    spite
        Weight of a rival's threat against its own gain; 0 minds only itself.
    """

    spite: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a spite whose scores would not fit."""
        if not 0 <= self.spite <= MOST_SPITE:
            raise UserError(f"blocker: `spite` must be a number from 0 to {MOST_SPITE}; found {self.spite}")

    def place(self, view: TentacolorView) -> Scores:
        """Its own run, less the harm that it must do by passing; above all, the goal."""
        runs, _ = view.after()
        sharks = is_shark(view.cards)
        score: Scores = best_of_others(-self._threat(view))
        score += steps(runs, view.need - 1, PROMISE) * SIXTEEN
        score += (sharks & is_rival_close(view)) * self._weighed(BITE)
        score -= sharks * np.int16(16 * KEEP_SHARK)
        np.copyto(score, GOAL, where=runs >= view.need)
        return score

    def give(self, view: TentacolorView) -> Scores:
        """The card without which the other promises most, less its own threat."""
        runs, _ = view.after()
        kept: Scores = steps(runs, view.need, PROMISE)[::-1] * SIXTEEN
        return kept - self._threat(view)

    def _threat(self, view: TentacolorView) -> Scores:
        """What each card offered would be worth to the left neighbour; a shark is a weapon gained and one lost."""
        threat = steps(view.after(left=1)[0], view.need, THREAT)
        threat += times(is_shark(view.cards), 2 * KEEP_SHARK)
        return threat * self._weighed(1)

    def _weighed(self, threat: int) -> np.int16:
        """A threat weighed by spite, in sixteenths."""
        return np.int16(round(16 * self.spite) * threat)


@dataclass(frozen=True)
class SharkHunter(LongestRun):
    """Keeps its sharks until a rival is close to the goal, and then bites the longest run.

    Otherwise extends its longest run, with a shark only if no other card makes it as long, and passes the card that
    helps the left neighbour least, but no shark. Ours.

    Parameters
    ----------
    close
        How many cards a rival must lack at most to be bitten [cards].
    """

    close: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no number of cards."""
        if self.close < 0:
            raise UserError(f"shark-hunter: `close` must be 0 or more cards; found {self.close}")

    def place(self, view: TentacolorView) -> Scores:
        """The goal; a shark if a rival is close; the longest run, of equal ones without a shark."""
        score, sharks = worth(view).astype(np.int16), is_shark(view.cards)
        score -= sharks * LESS_THAN_A_CARD
        score += (sharks & is_rival_close(view, self.close)) * FIRST
        return np.maximum(score, (view.after()[0] >= view.need) * GOAL)

    def give(self, view: TentacolorView) -> Scores:
        """The card that would do the left neighbour least good, a shark last."""
        return -worth(view, left=1).astype(np.int16) - is_shark(view.cards) * FIRST
