"""The market: gather iron, food and gold, and send caravans from many market buildings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.rules import MARKET
from simkit.games.tentacle_town.view import TentacleTownView

from .greedy import Greedy
from .prices import Prices, scores, turns_left

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]
Lead = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Caravan(Greedy):
    """Builds in the market, gathers what the next Calamari Caravan lacks, and sends it for a fame a building.

    Residents flee to the market. Ours.

    Parameters
    ----------
    lacking
        What a good that the next caravan lacks is worth beside its price [twelfths of a fame].
    market
        What a building in the market is worth more than elsewhere [twelfths of a fame].
    """

    gold: int = 5
    food: int = 4
    iron: int = 4
    building: int = 2
    lacking: int = 14
    market: int = 12

    def prices(self, view: TentacleTownView) -> Prices:
        """Goods that the next caravan lacks are worth more, if there are turns to come."""
        prices = dict(super().prices(view))
        if turns_left(view):
            for good, amount in view.rules.calamari_caravan.cost.some:
                if good in prices:
                    lacks = view.held(good) < np.uint16(amount)
                    prices[good] = lacks * np.int16(self.lacking) + np.int16(prices[good])
        return prices

    def built(self, view: TentacleTownView, district: Any, leads: Lead, residents: Bytes) -> Worth:
        """More in the market."""
        return super().built(view, district, leads, residents) + (district == MARKET) * np.int16(self.market)

    def retreat(self, view: TentacleTownView) -> Bytes:
        """To the market."""
        return scores(view, (0, 1, 0))
