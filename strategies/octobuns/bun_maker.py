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

KEPT = 640
"""How much nearer an order must come by a card thrown away that it would rather keep."""

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.int16]


@dataclass(frozen=True)
class BunMaker(Tidy, NearestOrder):
    """Stacks a bun wherever it can, aims at orders with buns, and keeps buns for their coins. Ours.

    Parameters
    ----------
    liking
        By so many cards an order is nearer for each bun in it [half cards].
    most
        With so many buns in its bakery it stacks only for orders, and throws buns away before ingredients [buns].
    """

    liking: int = 2
    most: int = 5

    def distance(self, view: OctobunsView, ids: Bytes, missing: Bytes) -> Scores:
        """Nearer for each bun."""
        n_buns = np.add.reduce(view.rules.items.take(ids, axis=1) > view.rules.n_ingredients, axis=0, dtype=np.int16)
        n_buns *= missing < BAR
        return super().distance(view, ids, missing) - n_buns * np.int16(16 * self.liking)

    def _think(self, view: OctobunsView, scores: Bytes) -> None:
        """A card that makes a bun before one that is a step."""
        super()._think(view, scores)
        for option, card in enumerate(view.open_ingredients):
            scores[option] += any_of(self._stacks(view, card)).view(np.uint8) * np.uint8(35)

    def cell(self, view: OctobunsView) -> Bytes:
        """On a card with which it makes a bun."""
        return super().cell(view) // np.uint8(2) + self._stacks(view, view.card).view(np.uint8) * np.uint8(100)

    def _stacks(self, view: OctobunsView, card: Bytes) -> Mask:
        """Cells where a card makes a bun that it would like to have, (9, n)."""
        (legal,) = view.cells_for(card)
        return legal & (view.bakery() != EMPTY) & ~self._has_enough(view)

    def _has_enough(self, view: OctobunsView) -> Mask:
        """Whether it has all the buns that it wants to keep, (n,)."""
        is_bun = view.bakery() > view.rules.n_ingredients
        return np.add.reduce(is_bun, axis=0, dtype=np.uint8) >= self.most

    def clean_up(self, view: OctobunsView) -> Scores:
        """A bun only where it has enough of them, or no ingredient thrown away brings an order within reach."""
        scores = super().clean_up(view)
        is_kept = (view.bakery() > view.rules.n_ingredients) ^ self._has_enough(view)
        scores[:N_CELLS] -= is_kept * np.int16(KEPT)
        return scores
