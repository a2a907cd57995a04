"""Play that looks a turn ahead: at the card that stays in hand, and at the colours that may still come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.games.tentacolor.view import TentacolorView

from .longest_run import LongestRun
from .prospects import (
    BITE,
    KEEP_RARE,
    KEEP_SHARK,
    PROMISE,
    THREAT,
    best_of_others,
    is_rare,
    is_rival_close,
    is_shark,
    steps,
    times,
    together,
)

Bytes = npt.NDArray[np.uint8]

SECOND_RUN = (2, 2, 2, 2)
"""Worth of the shorter run on the card placed, in steps as for the longer one."""

_BASE = np.array(72, np.uint8)  # the most that passing a card can cost, and then some: scores are never negative
_ENCOUNTER = np.array(0b11_000000, np.uint8)


@dataclass(frozen=True)
class Flexible(LongestRun):
    """Values the card it keeps and the colours still unseen, and passes what costs it least.

    Places the card after which its tentacle and the best card to keep promise most, less what it then has to pass. A
    rare specimen counts twice where it extends a run, for another card follows at once; a shark waits until a rival is
    about to win; of two colours to go on with, the one is better of which more cards are unseen. Ours.

    Parameters
    ----------
    unseen
        Whether it looks at the unseen colours: a third of its time for less than half a point of win share.
    """

    unseen: bool = True

    def place(self, view: TentacolorView) -> Bytes:
        """The best tentacle and hand together; above all, a card that reaches the goal."""
        cards = self.counted(view)
        runs, second = view.after(cards=cards)
        second -= runs
        extended = steps(runs, view.need - 1, PROMISE)
        score = self._best_hand_left(view, cards)
        score += extended
        score += self._other_run(view, second)
        score += self._rare(view, extended)
        score += self._shark(view)
        if self.unseen:
            score += self._still_to_come(view, cards)
        return np.maximum(score, times(runs >= np.array(view.need, np.uint8), 255))

    def give(self, view: TentacolorView) -> Bytes:
        """The card that costs least to pass, the promise of the other one counted."""
        runs, _ = view.after(cards=self.counted(view))
        kept: Bytes = steps(runs, view.need, PROMISE)[::-1] + _BASE
        return kept - self._cost_of_passing(view)

    def counted(self, view: TentacolorView) -> Bytes:
        """The cards offered, with those of their colours that count for the goal: here all."""
        return view.cards

    def _best_hand_left(self, view: TentacolorView, cards: Bytes) -> Bytes:
        """The better of the two hands that placing each card leaves: what is kept promises, what is passed costs."""
        worth: Bytes = steps(together(view, cards), view.need, PROMISE) + _BASE
        worth -= self._cost_of_passing(view)
        return best_of_others(worth)

    def _cost_of_passing(self, view: TentacolorView) -> Bytes:
        """The run that the neighbour makes of each card; a shark or rare specimen twice: lost to us, and theirs."""
        cost = steps(view.after(left=1)[0], view.need, THREAT)
        cost += times(is_shark(view.cards), 2 * KEEP_SHARK)
        cost += times(is_rare(view.cards), 2 * KEEP_RARE)
        return cost

    def _other_run(self, view: TentacolorView, runs: Bytes) -> Bytes:
        """What the shorter run on each card is worth: a way out."""
        return steps(runs, view.need - 1, SECOND_RUN)

    def _rare(self, view: TentacolorView, extended: Bytes) -> Bytes:
        """A rare specimen: what it extends counts again, for a card follows at once, less its worth in hand."""
        gain = extended - np.array(KEEP_RARE, np.uint8)
        gain *= is_rare(view.cards)
        return gain

    def _shark(self, view: TentacolorView) -> Bytes:
        """A shark: much if a rival is about to win, otherwise its worth in hand is lost (modulo 256)."""
        sharks = is_shark(view.cards)
        gain = times(sharks & is_rival_close(view), BITE)
        gain -= times(sharks, KEEP_SHARK)
        return gain

    def _still_to_come(self, view: TentacolorView, cards: Bytes) -> Bytes:
        """Half the number of unseen cards with each card's colour that goes on, or with either if none does."""
        tip = view.colours()
        going_on = cards & (tip[0] | tip[1])
        going_on |= cards * (going_on == 0)
        most = np.zeros(cards.shape, np.uint8)
        for colour, unseen in enumerate(view.unseen_colours()):
            has = (going_on & np.array(1 << colour, np.uint8)) != 0
            np.maximum(most, has * (unseen >> 1).astype(np.uint8), out=most)
        return most


@dataclass(frozen=True)
class Objective(Flexible):
    """Looks ahead as `flexible` does, but plays for the colours of its Extremity card (Expert).

    A colour that is not on its Extremity card is worth nothing to it; without the variant every colour counts. Does not
    look at the unseen colours, which would have it change colours too often when there are only three. Ours.
    """

    unseen: bool = False

    def counted(self, view: TentacolorView) -> Bytes:
        """The cards offered, without the colours that cannot win."""
        own = view.objective
        return view.cards if own is None else view.cards & (own | _ENCOUNTER)
