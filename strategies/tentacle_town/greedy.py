"""The best thing to do right now, by fixed prices of goods; the other plans of this folder start from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.errors import UserError
from simkit.games.tentacle_town.rules import BOARD_TASKS, GOODS, HOUSING, HUNT, MOVERS
from simkit.games.tentacle_town.state import BUILD, FIRST_TASK, N_OPTIONS, PASS
from simkit.games.tentacle_town.tasks import Means, tasks_in_play, times
from simkit.games.tentacle_town.view import TentacleTownView
from simkit.strategy import Strategy

from .prices import NEVER, Prices, by_lead, cut, hunting, is_room, lead, price, rising, scores, trading, turns_left

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]
Lead = npt.NDArray[np.int8]

MOST_PRICE = 120
"""No good may be priced higher than ten fame."""

BY_LEAD = {-2: 1, -1: 4, 0: 6, 1: 2}
"""What another building is worth for each resident of a district where one leads by so many [twelfths of a fame]."""


@dataclass(frozen=True)
class Greedy(Strategy):
    """Does what is worth most at once, at fixed prices; a building by the residents of the district that it helps win.

    Goods are worth half with one turn to go, and nothing in the last. It builds inland, lets others' buildings fall
    before its own, has residents flee to where most of its buildings are, and fires every harpoon it has in defence.
    It never hires movers. It is the play by which simkit's speed at this game is measured, and stays as it is:
    improvements go into other plans. Ours.

    Parameters
    ----------
    gold, food, iron, harpoons
        Prices [twelfths of a fame].
    building
        What a building is worth wherever it stands, beside the residents [twelfths of a fame].
    """

    gold: int = 7
    food: int = 4
    iron: int = 4
    harpoons: int = 8
    building: int = 12

    def __post_init__(self) -> None:
        """Refuse prices that would not fit."""
        for name in ("gold", "food", "iron", "harpoons", "building"):
            if not 0 <= getattr(self, name) <= MOST_PRICE:
                found = getattr(self, name)
                raise UserError(f"{self.name}: `{name}` must be from 0 to {MOST_PRICE}; found {found}")

    # ------------------------------------------------------------------------------------------- what is worth

    def prices(self, view: TentacleTownView) -> Prices:
        """What a unit of each good is worth now [twelfths of a fame]."""
        to_come = min(turns_left(view), 2)
        return {good: getattr(self, good) * to_come // 2 for good in ("gold", "food", "iron", "harpoons")}

    def built(self, view: TentacleTownView, district: Any, leads: Lead, residents: Bytes) -> Worth:
        """What one more building is worth in a district where the seat leads by so many, int16 (n,)."""
        return by_lead(leads, BY_LEAD) * residents + np.int16(self.building)

    def done(self, view: TentacleTownView, task: int, often: Bytes, prices: Prices) -> Worth:
        """What a task is worth that may be done, or gives its gain, so often, int16 (n,)."""
        return hunting(view, often, prices) if task == HUNT else trading(view.rules.tasks[task], often, prices)

    def attacked(self, view: TentacleTownView, district: int, leads: Lead) -> Any:
        """What the attack after work in a district is worth to the seat, int16 (n,) or a number."""
        return np.int16(0)

    # ------------------------------------------------------------------------------------------- its turn

    def district(self, view: TentacleTownView) -> Worth:
        """Where the best thing to do is."""
        prices, leads, own = self.prices(view), lead(view), view.standing()
        goods = {good: view.held(good) for good in GOODS}
        anywhere, by_district = self._cards(view)
        best = np.zeros((3, view.n), np.int16)
        means = Means(goods, view.residents[0], own[0])
        for task in anywhere:
            often = times(view.rules.tasks[task], means) * view.cards[task - len(BOARD_TASKS)]
            np.maximum(best[0], self.done(view, task, often, prices), out=best[0])
        best[1:] = best[0]
        for district in range(3):
            means = Means(goods, view.residents[district] + np.uint8(1), own[district])
            top = best[district]
            for task in (2 * district, 2 * district + 1, *by_district):
                often = self._often(view, task, means)
                np.maximum(top, self.done(view, task, often, prices), out=top)
            building = self.built(view, district, leads[district], means.residents)
            np.maximum(top, building * is_room(view, district), out=top)
            top += self.attacked(view, district, leads[district])
        return best

    def work(self, view: TentacleTownView) -> Worth:
        """The best thing to do; in overtime only what is worth more than its gold."""
        prices, tasks = self.prices(view), view.rules.tasks
        worth = np.full((N_OPTIONS, view.n), NEVER)
        worth[PASS] = cut(view.rules.overtime_cost * prices["gold"]) if view.decision == "overtime" else 0
        if view.legal[BUILD].any() or view.legal[FIRST_TASK + HOUSING].any():
            worth[BUILD] = self.built(view, view.district, view.here(lead(view)), view.here(view.residents))
            worth[FIRST_TASK + HOUSING] = worth[BUILD] - cut(price(tasks[HOUSING].cost, prices))
        for task in tasks_in_play(view.rules):
            if task not in (HOUSING, MOVERS) and view.legal[FIRST_TASK + task].any():
                worth[FIRST_TASK + task] = self.done(view, task, view.times[task], prices)
        return worth

    def row(self, view: TentacleTownView) -> Bytes:
        """As far inland as possible."""
        return rising(view)

    def times(self, view: TentacleTownView) -> Bytes:
        """As often as possible."""
        return rising(view)

    def hunt_area(self, view: TentacleTownView) -> Bytes:
        """Where the most tentacles are."""
        return view.tentacles

    def fire(self, view: TentacleTownView) -> Bytes:
        """On and on."""
        return rising(view)

    def movers_from(self, view: TentacleTownView) -> Bytes:
        """From nearest to the water."""
        return rising(view)[::-1]

    # ------------------------------------------------------------------------------------------- under attack

    def die(self, view: TentacleTownView) -> Bytes:
        """Buildings first, then residents flee before they can be killed."""
        return scores(view, (1, 2, 3, 0))

    def victim(self, view: TentacleTownView) -> Bytes:
        """Others' buildings before its own, the left neighbour's first."""
        return scores(view, (0, 3, 2, 1)[: len(view.options)])

    def retreat(self, view: TentacleTownView) -> npt.NDArray[Any]:
        """To where it has most buildings."""
        return view.standing()

    def tentacle_from(self, view: TentacleTownView) -> Bytes:
        """From where they are most."""
        return view.tentacles

    def defend_building(self, view: TentacleTownView) -> Bytes:
        """With every harpoon: a hit is paid for, and saves the building."""
        return rising(view)

    # ------------------------------------------------------------------------------------------- in short

    def _cards(self, view: TentacleTownView) -> tuple[list[int], list[int]]:
        """Tasks of cards in play worth the same everywhere, and those that depend on the district."""
        anywhere: list[int] = []
        by_district: list[int] = []
        for task in tasks_in_play(view.rules):
            if task >= len(BOARD_TASKS) and task not in (HOUSING, MOVERS):
                terms = view.rules.tasks[task]
                (by_district if terms.per or terms.up_to else anywhere).append(task)
        return anywhere, by_district

    def _often(self, view: TentacleTownView, task: int, means: Means) -> Any:
        """How often a task may be done, or gives its gain, with these means; 0 where its card is not in play."""
        if task == HUNT:
            return np.minimum(means.residents, means.goods["harpoons"]).astype(np.uint8)
        often = times(view.rules.tasks[task], means)
        return often * view.cards[task - len(BOARD_TASKS)] if task >= len(BOARD_TASKS) else often
