"""Harpoons: forge them where many live, and hunt with all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.rules import HUNT, MARKET
from simkit.games.tentacle_town.view import TentacleTownView

from .greedy import Greedy
from .prices import Prices

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]
Lead = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Hunter(Greedy):
    """Forges harpoons where many residents live, throws them from the docks, and lives on the catch.

    Residents flee to the foundry and the docks, where each makes or throws one harpoon more. Buildings count for half
    of what they are worth to others. Ours.

    Parameters
    ----------
    harpoons
        What a harpoon is worth that is to be made [twelfths of a fame].
    thrown
        What a harpoon is worth that may be thrown [twelfths of a fame].
    """

    gold: int = 6
    food: int = 6
    iron: int = 8
    harpoons: int = 12
    building: int = 12
    thrown: int = 2

    def built(self, view: TentacleTownView, district: Any, leads: Lead, residents: Bytes) -> Worth:
        """Half of what it is worth to others."""
        return super().built(view, district, leads, residents) >> np.int16(1)

    def done(self, view: TentacleTownView, task: int, often: Bytes, prices: Prices) -> Worth:
        """As for others, but a harpoon is there to be thrown."""
        if task == HUNT:
            prices = {**prices, "harpoons": min(prices["harpoons"], self.thrown)}
        return super().done(view, task, often, prices)

    def retreat(self, view: TentacleTownView) -> Bytes:
        """To the docks or the foundry, where fewer are."""
        flee = np.uint8(100) - view.residents
        flee[MARKET] = 0
        return flee
