"""What plans that aim at one order do alike beside it: how a bakery slides, what is dropped."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.puzzle import BAR
from simkit.games.octobuns.rules import N_CELLS, N_OPEN, NO_ORDER
from simkit.games.octobuns.view import OctobunsView

Bytes = npt.NDArray[np.uint8]
Scores = npt.NDArray[np.int16]

REACHABLE, LEAST = np.int16(100), np.int16(-30_000)


class Tidy:
    """Decisions of a plan that aims at one order, before those of `nearest-order`."""

    target: Any

    def shift(self, view: OctobunsView) -> Scores:
        """So that the order lacks the fewest cards; where that is no better, not at all."""
        order, _ = self.target(view)
        scores = np.full((len(view.options), view.n), LEAST)
        for option, is_legal in enumerate(view.legal):
            games = is_legal.nonzero()[0]
            if len(games):
                part = cast(OctobunsView, view.only(games))
                missing = part.missing(order.take(games), part.slid(option)).astype(np.int16)
                scores[option, games] = -2 * missing + np.int16(option == 0)
        return scores

    def clean_up(self, view: OctobunsView) -> Scores:
        """The card without which an order is nearest; an order that cannot be had if there is nothing else to do."""
        scores: Scores = super().clean_up(view)  # type: ignore[misc]
        for place, ids in enumerate(view.reserved(), N_CELLS):
            is_idle = (ids != NO_ORDER) & (view.lacks[place - N_CELLS + N_OPEN] >= BAR)
            scores[place] = np.where(is_idle, LEAST + np.int16(1), LEAST)
        return scores

    def clean_second(self, view: OctobunsView) -> Bytes:
        """None."""
        scores = np.zeros((len(view.options), view.n), np.uint8)
        scores[-1] = 1
        return scores
