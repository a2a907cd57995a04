"""What the plans of this folder have in common: goods have prices, and each thing to do a worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.rules import HOUSING, HUNT, MOVERS, Goods
from simkit.games.tentacle_town.state import BUILD, FIRST_TASK, N_OPTIONS, PASS
from simkit.games.tentacle_town.tasks import tasks_in_play
from simkit.games.tentacle_town.view import TentacleTownView
from simkit.strategy import Strategy

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]

FAME = 12
"""Worth of one fame: all worths and prices are in twelfths of it."""

NEVER = np.int16(-3000)


@dataclass(frozen=True)
class Planner(Strategy):
    """Does what is worth most, by fixed prices of goods and buildings; the plans differ in prices and habits.

    Builds inland, trades as often as it can where that pays, hunts where most tentacles are, lets others' buildings
    fall before its own, and defends with every harpoon it has.

    Parameters
    ----------
    gold, food, iron, harpoons, building
        Prices in twelfths of a fame.
    """

    gold: int = 6
    food: int = 5
    iron: int = 5
    harpoons: int = 6
    building: int = 14

    name_as_planned: ClassVar[str] = ""

    # --------------------------------------------------------------------------------------------------------- prices

    def price(self, goods: Goods) -> int:
        """What some goods are worth together, in twelfths of a fame."""
        return sum(amount * (FAME if good == "fame" else getattr(self, good)) for good, amount in goods.some)

    def worth(self, view: TentacleTownView, times: Bytes) -> Worth:
        """What each option of `work` is worth, done as often as `times` says; int16 (options, n)."""
        worth = np.full((N_OPTIONS, view.n), NEVER)
        worth[PASS] = 0
        worth[BUILD] = self.building
        for index in tasks_in_play(view.rules):
            task = view.rules.tasks[index]
            gain, cost = self.price(task.gain), self.price(task.cost)
            row = worth[FIRST_TASK + index]
            if index == HUNT:
                row[:] = self.hunting(view, times[HUNT])
            elif index == HOUSING:
                row[:] = self.building - cost
            elif index == MOVERS:
                row[:] = -1 - cost
            elif task.up_to:
                np.multiply(times[index], np.int16(gain - cost), out=row)
            elif task.per:
                np.multiply(times[index], np.int16(gain), out=row)
                row -= np.int16(cost)
            else:
                row[:] = gain - cost
        return worth

    def hunting(self, view: TentacleTownView, most: Bytes) -> Worth:
        """What a hunt is worth: the harpoons fired, each a chance, at the area with the most tentacles."""
        tentacles = view.tentacles
        target = np.maximum(np.maximum(tentacles[0], tentacles[1]), tentacles[2])
        chance = view.rules.hit_chance
        shots = np.minimum(most, target * np.uint8(min(-(-chance.denominator // max(chance.numerator, 1)), 9)))
        return shots * np.int16(self.shot(view))

    def shot(self, view: TentacleTownView) -> int:
        """What firing a harpoon in a hunt is worth, less the harpoon."""
        chance = view.rules.hit_chance
        return self.price(view.rules.hunt_tentacles.gain) * chance.numerator // chance.denominator - self.harpoons

    # ------------------------------------------------------------------------------------------------------- the turn

    def district(self, view: TentacleTownView) -> Worth:
        """The district where the best thing to do is."""
        best = np.empty((3, view.n), np.int16)
        for district in range(3):
            times, legal = view.prospects(district)
            worth = self.worth(view, times)
            best[district] = np.max(np.where(legal, worth, NEVER), axis=0)
        return best

    def work(self, view: TentacleTownView) -> Worth:
        """The best thing to do; in overtime only what is worth more than its gold."""
        worth = self.worth(view, view.times)
        if view.decision == "overtime":
            worth[BUILD:] -= np.int16(view.rules.overtime_cost * self.gold)
        return worth

    def row(self, view: TentacleTownView) -> Bytes:
        """As far inland as possible."""
        return _rising(view)

    def times(self, view: TentacleTownView) -> Bytes:
        """As often as possible, if one trade pays."""
        return _rising(view)

    def hunt_area(self, view: TentacleTownView) -> Bytes:
        """Where the most tentacles are."""
        return view.tentacles

    def fire(self, view: TentacleTownView) -> Bytes:
        """On and on."""
        return _rising(view)

    # -------------------------------------------------------------------------------------------------------- attacks

    def die(self, view: TentacleTownView) -> Bytes:
        """Residents flee before they can be killed; buildings fall last but for new tentacles."""
        return _constant(view, (2, 3, 1, 0))

    def victim(self, view: TentacleTownView) -> Bytes:
        """Others' buildings, the left neighbour's first."""
        return _constant(view, (0, 3, 2, 1)[: len(view.options)])

    def retreat(self, view: TentacleTownView) -> npt.NDArray[Any]:
        """Where own buildings are most."""
        return view.standing()

    def defend_building(self, view: TentacleTownView) -> Bytes:
        """With every harpoon: a hit is a fame and saves the building."""
        return _rising(view)

    def tentacle_from(self, view: TentacleTownView) -> Bytes:
        """From where own buildings are most."""
        return view.standing()

    def movers_from(self, view: TentacleTownView) -> Bytes:
        """From nearest to the water."""
        return _rising(view)[::-1]


def _rising(view: TentacleTownView) -> Bytes:
    """The later an option the better, uint8 (options, n)."""
    return _constant(view, range(len(view.options)))


def _constant(view: TentacleTownView, scores: Any) -> Bytes:
    """The same score for an option in every game, uint8 (options, n)."""
    return np.broadcast_to(np.array(tuple(scores), np.uint8)[:, None], (len(view.options), view.n))
