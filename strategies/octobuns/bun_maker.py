"""Buns everywhere: they are worth a coin each at the end, and orders with buns pay more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.puzzle import BAR
from simkit.games.octobuns.rules import EMPTY, N_CELLS
from simkit.games.octobuns.view import OctobunsView
from simkit.view import any_of

from .nearest_order import NearestOrder
from .tidy import Tidy

BUN = 640
"""How much nearer an order must come by a bun thrown away than by an ingredient."""

Bytes = npt.NDArray[np.uint8]
Scores = npt.NDArray[np.int16]


@dataclass(frozen=True)
class BunMaker(Tidy, NearestOrder):
    """Stacks a bun wherever it can, aims at orders with buns, and never throws a bun away. Ours.

    Parameters
    ----------
    liking
        By so many cards an order is nearer for each bun in it [half cards].
    """

    liking: int = 2

    def distance(self, view: OctobunsView, ids: Bytes, missing: Bytes) -> Scores:
        """Nearer for each bun."""
        n_buns = np.add.reduce(view.rules.items.take(ids, axis=1) > view.rules.n_ingredients, axis=0, dtype=np.int16)
        n_buns *= missing < BAR
        return super().distance(view, ids, missing) - n_buns * np.int16(16 * self.liking)

    def _think(self, view: OctobunsView, scores: Bytes) -> None:
        """A card that makes a bun before one that is a step."""
        super()._think(view, scores)
        for option, card in enumerate(view.open_ingredients):
            scores[option] += self._makes(view, card).view(np.uint8) * np.uint8(35)

    def cell(self, view: OctobunsView) -> Bytes:
        """On a card with which it makes a bun."""
        (legal,) = view.cells_for(view.card)
        return super().cell(view) // np.uint8(2) + (legal & (view.bakery() != EMPTY)).view(np.uint8) * np.uint8(100)

    def _makes(self, view: OctobunsView, card: Bytes) -> npt.NDArray[np.bool_]:
        """Whether a card makes a bun somewhere, (n,)."""
        (legal,) = view.cells_for(card)
        return any_of(legal & (view.bakery() != EMPTY))

    def clean_up(self, view: OctobunsView) -> Scores:
        """A bun only where no ingredient thrown away brings an order within reach."""
        scores = super().clean_up(view)
        scores[:N_CELLS] -= (view.bakery() > view.rules.n_ingredients) * np.int16(BUN)
        return scores
