"""The task cards: gather what those in play turn into fame, and do them over and over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.rules import BOARD_TASKS
from simkit.games.tentacle_town.tasks import tasks_in_play
from simkit.games.tentacle_town.view import TentacleTownView

from .greedy import Greedy
from .prices import Prices, turns_left

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]
Lead = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Gardener(Greedy):
    """Gathers the goods that task cards in play turn into fame, and does those cards again and again.

    Without such a card it plays as `greedy` does. Ours.

    Parameters
    ----------
    wanted
        What a good that a card in play turns into fame is worth beside its price [twelfths of a fame].
    deed
        What doing such a card is worth beside its fame and goods [twelfths of a fame].
    """

    gold: int = 6
    wanted: int = 3
    deed: int = 24

    def prices(self, view: TentacleTownView) -> Prices:
        """Goods are worth more that a card in play turns into fame, if there are turns to come."""
        prices = dict(super().prices(view))
        if turns_left(view):
            for task in self.deeds(view):
                for good, _ in view.rules.tasks[task].cost.some:
                    if good in prices:
                        more = view.cards[task - len(BOARD_TASKS)] * np.int16(self.wanted)
                        prices[good] = np.maximum(prices[good], more + np.int16(getattr(self, good)))
        return prices

    def done(self, view: TentacleTownView, task: int, often: Bytes, prices: Prices) -> Worth:
        """Cards that give fame are worth more."""
        worth = super().done(view, task, often, prices)
        return worth + (often != 0) * np.int16(self.deed) if task in self.deeds(view) else worth

    def deeds(self, view: TentacleTownView) -> list[int]:
        """Tasks of cards that give more fame than they cost."""
        cards = [task for task in tasks_in_play(view.rules) if task >= len(BOARD_TASKS)]
        return [t for t in cards if view.rules.tasks[t].gain.fame > view.rules.tasks[t].cost.fame]
