"""Slow and dear: large orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.rules import SMALL
from simkit.games.octobuns.view import OctobunsView

from .nearest_order import CARD, NearestOrder
from .tidy import Tidy


@dataclass(frozen=True)
class LargeOrders(Tidy, NearestOrder):
    """Aims at large orders; at a small one only if it lacks far fewer cards. Ours.

    Parameters
    ----------
    detour
        A small order must lack more than so many cards fewer than the nearest large one [cards].
    """

    detour: int = 4

    def distance(
        self, view: OctobunsView, ids: npt.NDArray[np.uint8], missing: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.int16]:
        """As many cards farther if small."""
        is_small = view.rules.kind_of.take(ids) == SMALL
        return super().distance(view, ids, missing) + is_small * (CARD * np.int16(self.detour))
