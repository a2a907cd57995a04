"""What a seat at Tentacle Town may know: everything but the luck to come."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.play_tasks import can_move
from simkit.games.tentacle_town.rules import CARDS, GOODS, HOUSING, MOVERS
from simkit.games.tentacle_town.state import BUILD, FIRST_TASK, N_OPTIONS
from simkit.games.tentacle_town.tasks import Means, all_times, left_to_build, legal_tasks
from simkit.view import View, any_of, read_only

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Amounts = npt.NDArray[np.uint16]


class TentacleTownView(View):
    """A decision of Tentacle Town.

    Districts are 0 docks, 1 market, 2 foundry; rows count from the water. `left` is how many seats to the left: 0 is
    the seat that is asked. Tasks are numbered as in `simkit.games.tentacle_town.rules.TASKS`; as options of `work` and
    `overtime` two higher, for 0 is to pass or to stop, and 1 to build.

    Attributes
    ----------
    times : uint8 (tasks, n)
        work, overtime: how often each task gives its gain; trades: the most; hunting: the harpoons that may be fired.
    most : uint8 (n,)
        times, fire: the highest number that may be said; the harpoons that may still be fired.
    task : uint8 (n,)
        times: the task that is done.
    area : uint8 (n,)
        fire: the ocean area that is hunted in.
    row : uint8 (n,)
        victim, defend_building: the row that is under attack.
    source : uint8 (n,)
        movers_to: where the building comes from, as an option.
    """

    def held(self, good: str, left: int = 0) -> Amounts:
        """Gold, food, iron, fame or harpoons of a seat, uint16 (n,)."""
        return self.look(getattr(self._table.state, good)[self._seat(left)])

    def buildings(self, left: int = 0) -> Bytes:
        """A seat's buildings by district and row, uint8 (3, rows, n)."""
        return self.look(self._table.state.buildings[self._seat(left)])

    def standing(self, left: int = 0) -> Bytes:
        """A seat's buildings by district, to keep or change, uint8 (3, n)."""
        rows, games = self._table.state.buildings[self._seat(left)], self._games
        gather_first = games is not None and 8 * self.n < self._table.n  # of many games it is cheaper to add up all
        if gather_first:
            rows = rows.take(games, axis=-1)
        total = rows[:, 0].copy()
        for row in range(1, rows.shape[1]):
            total += rows[:, row]
        return total if games is None or gather_first else total.take(games, axis=-1)

    def left_to_build(self, left: int = 0) -> Bytes:
        """Buildings a seat has not built, uint8 (n,)."""
        return read_only(left_to_build(self._table, self._seat(left), self._games))

    @property
    def free(self) -> Bytes:
        """Free spaces by district and row, uint8 (3, rows, n)."""
        return self.look(self._table.state.free)

    @property
    def residents(self) -> Bytes:
        """Residents by district, uint8 (3, n)."""
        return self.look(self._table.state.residents)

    @property
    def supply(self) -> Bytes:
        """Residents yet to be recruited, uint8 (n,): the game ends when there is none to recruit."""
        return self.look(self._table.state.supply)

    @property
    def tentacles(self) -> Bytes:
        """Tentacles by ocean area, uint8 (3, n)."""
        return self.look(self._table.state.tentacles)

    @property
    def district(self) -> Bytes:
        """The district worked in this turn, uint8 (n,)."""
        return self.look(self._table.state.district)

    @property
    def acting(self) -> int:
        """How many seats to the left the seat sits whose turn it is."""
        return (self._table.turn - self.seat) % self.seats

    @property
    def dice(self) -> Bytes:
        """Results of dice not yet applied: skulls, arrows, destroys, new tentacles; uint8 (4, n)."""
        return self.look(self._table.state.dice)

    @cached_property
    def cards(self) -> Mask:
        """Task cards in play, in the order of `rules.CARDS`; bool (cards, n)."""
        bits = self.look(self._table.state.cards)
        return np.stack([(bits & np.uint16(1 << card)) != 0 for card in range(len(CARDS))])

    @cached_property
    def done(self) -> Mask:
        """Options of `work` that were taken this turn; bool (options, n)."""
        bits = self.look(self._table.state.done)
        return np.stack([(bits & np.uint32(1 << option)) != 0 for option in range(N_OPTIONS)])

    def here(self, by_district: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Of values by district (3, n) those of the district worked in, (n,)."""
        district = self.district
        return sum(by_district[which] * (district == which) for which in range(3))

    def prospects(self, district: int) -> tuple[Bytes, Mask]:
        """What a new resident in a district could do, as if it were there.

        Returns
        -------
        times : uint8 (tasks, n)
            As the attribute `times` of `work`.
        legal : bool (options, n)
            As its legal options; passing is left out.
        """
        goods = {good: self.held(good) for good in GOODS}
        means = Means(goods, self.residents[district] + np.uint8(1), self.standing()[district])
        times = all_times(self.rules, means)
        legal = legal_tasks(self.rules, means, times, district, self.look(self._table.state.cards))
        can_build = any_of(self.free[district] != 0) & (self.left_to_build() != 0)
        legal[BUILD] = can_build
        legal[FIRST_TASK + HOUSING] &= can_build
        legal[FIRST_TASK + MOVERS] &= self._can_move
        return times, legal

    @cached_property
    def _can_move(self) -> Mask:
        """Where movers have something to do, (n,)."""
        return can_move(self._table, self.seat, self._games)

    def _seat(self, left: int) -> int:
        """The number of a seat to the left."""
        return (self.seat + left) % self.seats
