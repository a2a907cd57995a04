"""Looking further: who will win each district, and what an attack there does to that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.view import TentacleTownView

from .greedy import Greedy
from .prices import Prices, dice, exposed, turns_left

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]
Lead = npt.NDArray[np.int8]

BY_LEAD = ((-2, 1), (-1, 6), (0, 13), (1, 3))


@dataclass(frozen=True)
class Tycoon(Greedy):
    """Plays for the residents that each district will have in the end, and weighs what the attack does to them.

    Ours.
    """

    building: int = 9

    def prices(self, view: TentacleTownView) -> Prices:
        left = min(turns_left(view), 2)
        return {
            "gold": (1, 7, 7)[left],
            "food": (0, 3, 5)[left],
            "iron": (0, 3, 5)[left],
            "harpoons": (2, 6, 8)[left],
        }

    def built(self, view: TentacleTownView, district: Any, leads: Lead, residents: Bytes) -> Worth:
        each = np.zeros(view.n, np.int16)
        for at, worth in BY_LEAD:
            each += (leads == at) * np.int16(worth)
        each += (leads < -2) * np.int16(0)
        stake = residents * np.int16(4) + (view.supply * np.uint8(2) // np.uint8(3))
        return (each * stake >> np.int16(3)) + np.int16(self.building)

    def attacked(self, view: TentacleTownView, district: int, leads: Lead) -> Any:
        theirs, mine = exposed(view, district)
        rivals = view.seats - 1
        up, tie, down = leads > 0, leads == 0, leads < 0
        each = theirs * np.int16(4 // rivals) - mine * np.int16(16)
        each += down * np.int16(16 // rivals) - up * np.int16(4)
        flow = up * np.int16(16) + tie * np.int16(4) - down * np.int16(16 // rivals)
        return (dice(view, district) * each + flow) >> np.int16(2)

    def victim(self, view: TentacleTownView) -> Bytes:
        worth = np.zeros((len(view.options), view.n), np.uint8)
        for left in range(1, view.seats):
            worth[left] = view.here(view.standing(left)) + 1
        return worth
