"""Quick and cheap: small orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.rules import LARGE
from simkit.games.octobuns.view import OctobunsView

from .nearest_order import CARD, NearestOrder
from .tidy import Tidy


@dataclass(frozen=True)
class SmallOrders(Tidy, NearestOrder):
    """Aims at small orders; at a large one only if it lacks far fewer cards. Ours.

    Parameters
    ----------
    detour
        A large order must lack more than so many cards fewer than the nearest small one [cards].
    """

    detour: int = 3

    def distance(
        self, view: OctobunsView, ids: npt.NDArray[np.uint8], missing: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.int16]:
        """As many cards farther if large."""
        is_large = view.rules.kind_of.take(ids) == LARGE
        return super().distance(view, ids, missing) + is_large * (CARD * np.int16(self.detour))
