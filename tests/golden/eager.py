"""Plays Octobuns towards any order that lies near, so that the games kept here end; no rival of the library's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.state import CLEAN_UP, COMPLETE, END_TURN, EXTRA_ROPE_IN, ROPE_IN, TAKE
from simkit.strategy import Strategy


@dataclass(frozen=True)
class Eager(Strategy):
    """Puts down what its nearest order lacks, ropes in orders that lack two cards at most, and uses bonuses at once."""

    ties = "coin"

    def act(self, view: Any) -> npt.NDArray[np.int8]:
        """An order, bonuses, a card that is wanted; else anything but a clean-up or the end of the turn."""
        scores = np.full((len(view.options), view.n), 2, np.int8)
        scores[EXTRA_ROPE_IN:COMPLETE], scores[COMPLETE], scores[CLEAN_UP], scores[END_TURN] = 6, 9, 1, 0
        for place, steps in enumerate(view.steps(self._nearest(view), *view.open_ingredients)):
            scores[TAKE + place] += 3 * steps.any(axis=0)
        scores[ROPE_IN] += 2 * (self._missing(view)[:4].min(axis=0) <= 2)
        return scores

    def cell(self, view: Any) -> npt.NDArray[np.bool_]:
        """Where it is wanted."""
        (steps,) = view.steps(self._nearest(view), view.card)
        return np.asarray(steps)

    def reserve(self, view: Any) -> npt.NDArray[np.int16]:
        """What lacks least; rather than an order that lacks much, one from a pile."""
        return -np.concatenate([self._missing(view)[:4], np.full((2, view.n), 4)]).astype(np.int16)

    def _missing(self, view: Any) -> npt.NDArray[np.uint8]:
        """What open and own orders lack."""
        return np.stack([view.missing(ids) for ids in view.orders])

    def _nearest(self, view: Any) -> npt.NDArray[np.uint8]:
        """The order that lacks least."""
        return np.take_along_axis(view.orders, self._missing(view).argmin(axis=0)[None], axis=0)[0]
