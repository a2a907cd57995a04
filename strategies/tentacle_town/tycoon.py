"""Looking further: who will win each district, and what the attack that follows does to that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.view import TentacleTownView

from .greedy import Greedy
from .prices import Prices, by_lead, dice, exposed, lead, turns_left

Worth = npt.NDArray[np.int16]
Lead = npt.NDArray[np.int8]

LEVEL, SECURE, TIE, FAR = 8, 4, 1, 2
"""What one more building is worth for each resident that is likely to be there in the end: to lead, to lead by two, to
draw level, and two behind, shared among the rivals [twelfths of a fame]."""

LATE, FEW = 4, 4
"""Drawing level is worth so much more while no more residents than that are to come [twelfths of a fame; residents]."""

SPITE, CAUTION = 20, 24
"""What a die is worth where others' buildings stand in front, and costs where its own do [48ths of a fame]."""

AHEAD, EVEN, BEHIND = 24, 20, 40
"""What a die costs where it leads or is level, and is worth where it is behind: residents leave [48ths of a fame]."""

STAYS = ((1, 12), (0, 6), (-1, -8))
"""What the new resident is worth where it leads, is level, or is behind [48ths of a fame]."""


@dataclass(frozen=True)
class Tycoon(Greedy):
    """Plays for the residents that each district will have in the end, and weighs what each attack does to them.

    It stacks buildings where it leads or is level and is slow to catch up elsewhere, works where tentacles will drive
    residents and buildings away from a rival and not from itself, has them flee to where it leads by most, and lets the
    building fall of whoever has most there. Harm to one rival counts for less the more there are. Ours; the weights
    were found by play (docs/strategies-tentacle-town.md).
    """

    gold: int = 8
    food: int = 3
    iron: int = 5
    harpoons: int = 10
    building: int = 14

    def prices(self, view: TentacleTownView) -> Prices:
        """About half with one turn to go; in the last, gold may break a tie and harpoons may still defend."""
        to_come = turns_left(view)
        if not to_come:
            return {"gold": min(self.gold, 1), "food": 0, "iron": 0, "harpoons": self.harpoons // 5}
        return {good: getattr(self, good) >> (to_come == 1) for good in ("gold", "food", "iron", "harpoons")}

    def built(self, view: TentacleTownView, district: Any, leads: Lead, residents: npt.NDArray[np.uint8]) -> Worth:
        """What it helps to win, those counted who are there and a share of those to come."""
        rivals = np.uint8(view.seats - 1)
        each = by_lead(leads, {-2: FAR // int(rivals), -1: TIE, 0: LEVEL, 1: SECURE})
        worth: Worth = each * (residents + view.supply // (np.uint8(3) * rivals))
        worth += ((leads == -1) & (view.supply <= FEW)) * residents * np.int16(LATE)
        return worth + np.int16(self.building)

    def attacked(self, view: TentacleTownView, district: int, leads: Lead) -> Worth:
        """Residents and buildings leave; that is bad where they are its own, and good where they are a rival's."""
        rivals = view.seats - 1
        theirs, mine = exposed(view, district)
        a_die = by_lead(np.sign(leads), {-1: BEHIND // rivals**2, 0: -EVEN, 1: -AHEAD // rivals})
        a_die += theirs * np.int16(SPITE // rivals**2)
        a_die -= mine * np.int16(CAUTION)
        a_die *= dice(view, district)
        a_die += by_lead(np.sign(leads), dict(STAYS))
        return a_die >> np.int16(2)

    def victim(self, view: TentacleTownView) -> npt.NDArray[np.uint8]:
        """Whoever has most buildings in the district; its own last."""
        worth = np.zeros((len(view.options), view.n), np.uint8)
        for left in range(1, view.seats):
            worth[left] = view.here(view.standing(left)) + np.uint8(1)
        return worth

    def retreat(self, view: TentacleTownView) -> Lead:
        """To where it leads by most."""
        return lead(view)
