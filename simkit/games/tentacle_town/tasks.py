"""Which tasks a seat can do, and how often: what play enforces and what players see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.rules import BOARD_TASKS, GOODS, HUNT, TASKS, Goods, Rules, Task
from simkit.games.tentacle_town.state import FIRST_TASK
from simkit.table import Table

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Amounts = npt.NDArray[np.uint16]

N_BOARD = len(BOARD_TASKS)

_NONE, _ONE = np.uint8(0), np.array(1, np.uint8)


def tasks_in_play(rules: Rules) -> tuple[int, ...]:
    """Tasks that some game under these rules has, by index."""
    dealt = bool(rules.task_cards) and not rules.cards
    return tuple(task for task, name in enumerate(TASKS) if task < N_BOARD or dealt or name in rules.cards)


@dataclass
class Means:
    """What one seat has to work with in some games.

    Attributes
    ----------
    goods : dict of uint16 (k,)
        By name.
    residents, buildings : uint8 (k,)
        In the district: all residents, and the seat's own buildings.
    """

    goods: dict[str, Amounts]
    residents: Bytes
    buildings: Bytes

    def most(self, of: str) -> Bytes:
        """What a task's gain or number is limited by, (k,)."""
        return self.residents if of == "residents" else self.buildings


def payable(cost: Goods, goods: Mapping[str, Amounts]) -> Mask | None:
    """Where a cost can be paid, (k,); None: everywhere."""
    masks = [goods[good] >= np.uint16(amount) for good, amount in cost.some]
    return None if not masks else masks[0] if len(masks) == 1 else np.logical_and.reduce(masks)


def times(task: Task, means: Means) -> Bytes:
    """How often a task gives its gain: 1, the multiplier, or the most that can be traded; 0 where it cannot be paid."""
    if task.up_to:
        most: npt.NDArray[Any] = means.most(task.up_to)
        for good, amount in task.cost.some:
            held = means.goods[good]
            most = np.minimum(most, held if amount == 1 else held // np.uint16(amount))
        return most.astype(np.uint8) if most.dtype != np.uint8 else most
    can_pay = payable(task.cost, means.goods)
    often = means.most(task.per) if task.per else _ONE
    return np.broadcast_to(often, means.residents.shape) if can_pay is None else often * can_pay.view(np.uint8)


def all_times(rules: Rules, means: Means) -> Bytes:
    """How often each task can be done, or gives its gain, by itself; uint8 (tasks, k).

    Hunting counts the harpoons that may be fired; Housing Project and Hire Movers only look at their cost.
    """
    often = np.zeros((len(TASKS), len(means.residents)), np.uint8)
    for index in tasks_in_play(rules):
        if index == HUNT:
            often[HUNT] = np.minimum(means.residents, means.goods["harpoons"])
        else:
            often[index] = times(rules.tasks[index], means)
    return often


def legal_tasks(rules: Rules, means: Means, often: Bytes, district: int | Bytes, cards: Amounts) -> Mask:
    """Which options of `work` are tasks that may be done, by their own terms; bool (options, k).

    Building, Housing Project's spaces, Hire Movers' targets, what there is to hunt, and what is done already are
    looked at elsewhere.

    Parameters
    ----------
    often : uint8 (tasks, k)
        Of `all_times`.
    district : int or uint8 (k,)
        Worked in.
    cards : uint16 (k,)
        In play, a bit each.
    """
    legal = np.zeros((FIRST_TASK + len(TASKS), often.shape[1]), bool)
    for index in tasks_in_play(rules):
        task, here = rules.tasks[index], legal[FIRST_TASK + index]
        if index >= N_BOARD:
            np.not_equal(cards & np.uint16(1 << index - N_BOARD), 0, out=here)
        else:
            np.equal(district, np.uint8(index // 2), out=here)
        if not rules.zero_tasks or not (task.per or task.up_to):
            here &= often[index] != _NONE
        elif not task.up_to and (can_pay := payable(task.cost, means.goods)) is not None:
            here &= can_pay
    return legal


def left_to_build(table: Table, seat: int, games: Games | None) -> Bytes:
    """Buildings that a seat has in its supply, (n,) or (k,): a destroyed one is among them, or out of the game."""
    state, rules = table.state, table.rules
    kept = state.buildings[seat].reshape(-1, table.n) if rules.destroyed_returns else state.n_built[seat]
    if games is not None:
        kept = kept.take(games, axis=-1)
    if rules.destroyed_returns:
        return np.uint8(rules.buildings) - kept.sum(axis=0, dtype=np.uint8)
    return np.uint8(rules.buildings - 3 * rules.start_buildings) - kept.astype(np.uint8)


def means_of(table: Table, seat: int, games: Games | None, overtime: int = 0) -> Means:
    """What the seat has in these games, its gold less what overtime costs."""
    state = table.state

    def taken(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array if games is None else array.take(games)

    goods = {good: taken(getattr(state, good)[seat]) for good in GOODS}
    if overtime:
        goods["gold"] = goods["gold"] - np.uint16(overtime)
    return Means(goods, taken(state.residents_here), taken(state.buildings_here))
