"""Tentacle Town's tasks: those on the board, and the task cards. See `play.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.harpoons import HUNTING, fire, tokens_left
from simkit.games.tentacle_town.rules import HOUSING, HUNT, MOVERS
from simkit.games.tentacle_town.state import BUILD, FIRST_CARD, FIRST_TASK, N_OPTIONS, PASS
from simkit.games.tentacle_town.tasks import N_BOARD, Means, left_to_build, legal_tasks, tasks_in_play
from simkit.state import add
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

_ONE = np.uint8(1)


def legal_work(table: Table, seat: int, games: Games | None, means: Means, often: Bytes) -> Mask:
    """Which tasks may be done, and whether a building may be built, where it matters; bool (options, k)."""
    state, rules = table.state, table.rules
    cards, district = (array if games is None else array.take(games) for array in (state.cards, state.district))
    legal = legal_tasks(rules, means, often, district, cards)
    if games is not None:
        done = state.done.take(games)
        for task in tasks_in_play(rules):
            legal[FIRST_TASK + task] &= (done & np.uint32(1 << FIRST_TASK + task)) == 0
    if not rules.zero_tasks:
        tentacles = state.tentacles if games is None else state.tentacles.take(games, axis=1)
        legal[FIRST_TASK + HUNT] &= any_of(tentacles != 0)
    housing, movers = legal[FIRST_TASK + HOUSING], legal[FIRST_TASK + MOVERS]
    if games is None or rules.build_by_overtime or housing.any():
        legal[BUILD] = can_build(table, seat, games)
        housing &= legal[BUILD]
    if movers.any():
        movers &= can_move(table, seat, games)
    return legal


def carry_out(table: Table, seat: int, games: Games | None, choice: Bytes, means: Means, often: Bytes) -> None:
    """Do what was chosen: pass, build, or one of the tasks."""
    state = table.state
    where: Any = slice(None) if games is None else games
    bits = np.left_shift(1, choice, dtype=np.uint32)
    state.done[where] |= bits
    state.cards_used[seat][where] |= (bits >> np.uint32(FIRST_CARD)).astype(np.uint16)
    said = said_times(table, seat, games, choice, often)
    for task in tasks_in_play(table.rules):
        chosen = choice == FIRST_TASK + task
        if task != HUNT and chosen.any():
            trade(table, seat, where, task, chosen.view(np.uint8), said, often, means)
    if games is not None:
        for good, held in means.goods.items():
            getattr(state, good)[seat][games] = held
    for option in _EFFECTS if table.observer is None else range(N_OPTIONS):
        _carry_out_option(table, seat, games, choice, option, said, often)


def _carry_out_option(
    table: Table, seat: int, games: Games | None, choice: Bytes, option: int, said: Bytes, often: Bytes
) -> None:
    """What is left to do, or only to tell, of one option in the games that chose it."""
    effect = _EFFECTS.get(option)
    chosen = choice == option
    columns = (chosen & table.live if games is None else chosen).nonzero()[0]
    if not len(columns):
        return
    among = columns if games is None else games.take(columns)
    if effect is not None:
        effect(table, seat, among)
    elif option == PASS:
        table.note("pass", seat, among)
    else:
        task = option - FIRST_TASK
        n_times = said if table.rules.tasks[task].up_to else often[task]
        table.note("task", seat, among, task=task, times=n_times.take(columns))


# ----------------------------------------------------------------------------------------------------- Build a Building


def can_build(table: Table, seat: int, games: Games | None) -> Mask:
    """Whether the seat has a building left and the district a space, (n,) or (k,)."""
    state = table.state
    free, district = (array if games is None else array.take(games, axis=-1) for array in (state.free, state.district))
    can = any_of([any_in(rows) & (district == which) for which, rows in enumerate(free)])
    can &= left_to_build(table, seat, games) != 0
    return can


def build(table: Table, seat: int, games: Games) -> None:
    """Recruit a New Resident: a building in the district, in a row of one's choice."""
    row = build_here(table, seat, games)
    table.note("build", seat, games, row=row)


def build_here(table: Table, seat: int, games: Games) -> Bytes:
    """Ask for a row of the district and build there; the row, (k,)."""
    state, n = table.state, table.n
    district = state.district.take(games).astype(np.intp)
    n_rows = state.free.shape[1]
    first = district * (n_rows * n) + games
    spaces = np.stack([state.free.reshape(-1).take(first + row * n) for row in range(n_rows)])
    row = table.ask("row", seat, games=games, legal=spaces != 0)
    place = first + row.astype(np.intp) * n
    add(state.free, place, how=np.subtract)
    for array, at in ((state.buildings[seat], place), (state.buildings_here, games), (state.n_built[seat], games)):
        add(array, at)
    return row


# ----------------------------------------------------------------------------------------------- Trade Tasks and others


def said_times(table: Table, seat: int, games: Games | None, choice: Bytes, often: Bytes) -> Bytes:
    """How often the trade task that was chosen is traded, as the seat says, (k,); 0 for other choices."""
    rules = table.rules
    most, task = np.zeros((2, len(choice)), np.uint8)
    for index in tasks_in_play(rules):
        if rules.tasks[index].up_to and index != HUNT:
            chosen = choice == FIRST_TASK + index
            if chosen.any():
                most += often[index] * chosen
                task += np.uint8(index) * chosen
    least = 0 if rules.zero_tasks else 1
    if rules.trades == "all":
        return most
    open_choice = most > least
    columns = (open_choice & table.live if games is None else open_choice).nonzero()[0]
    if len(columns):
        among = columns if games is None else games.take(columns)
        most[columns] = ask_times(table, seat, among, least, most.take(columns), task.take(columns))
    return most


def ask_times(table: Table, seat: int, games: Games, least: int, most: Bytes, task: Bytes) -> Bytes:
    """A number from `least` to `most` (k,)."""
    numbers = np.arange(len(table.options["times"]), dtype=np.uint8)[:, None]
    return table.ask("times", seat, games=games, legal=(numbers <= most) & (numbers >= least), most=most, task=task)


def trade(
    table: Table, seat: int, where: Any, index: int, chosen: Bytes, said: Bytes, often: Bytes, means: Means
) -> None:
    """Pay a task's cost and take its gain in the games that chose it: changes `means`."""
    state, task = table.state, table.rules.tasks[index]
    n_times = chosen * said if task.up_to else chosen * often[index] if task.per else chosen
    for good, amount in task.cost.some:
        paid = (n_times if task.up_to else chosen) * np.uint16(amount)
        means.goods[good] -= paid
        if good == "fame":
            state.spent[seat][where] += paid
    for good, amount in task.gain.some:
        taken = n_times * np.uint16(amount)
        if table.rules.token_limit and good != "harpoons":
            held = getattr(state, good)[:, where].copy()
            held[seat] = means.goods[good]
            taken = np.minimum(taken, tokens_left(table, held))
        means.goods[good] += taken
        if good == "fame" and index < N_BOARD:
            state.from_board[seat][where] += taken


# ------------------------------------------------------------------------------------------------------- Hunt Tentacles


def hunt_tentacles(table: Table, seat: int, games: Games) -> None:
    """Hunt Tentacles: harpoons at one ocean area, up to one for each resident in the docks."""
    state = table.state
    most = np.minimum(state.residents_here.take(games), state.harpoons[seat].take(games)).astype(np.uint8)
    areas = state.tentacles.take(games, axis=1) != 0
    can_hunt = (most != 0) & any_of(areas)
    if not can_hunt.all():
        idle = games[~can_hunt]
        table.note("hunt", seat, idle, area=np.full(len(idle), -1))
        games, most, areas = games[can_hunt], most[can_hunt], areas[:, can_hunt]
    if len(games):
        area = table.ask("hunt_area", seat, games=games, legal=areas)
        table.note("hunt", seat, games, area=area)
        (_volley if table.rules.hunt_firing == "volley" else _one_by_one)(table, seat, games, area, most)


def _one_by_one(table: Table, seat: int, games: Games, area: Bytes, most: Bytes) -> None:
    """Fire until one stops, the area is empty, or no harpoon may follow."""
    is_first = True
    while len(games):
        legal = np.ones((2, len(games)), bool)
        legal[0] = table.rules.zero_tasks or not is_first
        going = table.ask("fire", seat, games=games, legal=legal, area=area, most=most).nonzero()[0]
        games, area, most = games.take(going), area.take(going), most.take(going) - _ONE
        fire(table, seat, seat, games, HUNTING, area)
        left = table.state.tentacles.reshape(-1).take(area.astype(np.intp) * table.n + games)
        further = ((most != 0) & (left != 0)).nonzero()[0]
        games, area, most = games.take(further), area.take(further), most.take(further)
        is_first = False


def _volley(table: Table, seat: int, games: Games, area: Bytes, most: Bytes) -> None:
    """Say a number, and throw as many."""
    least = 0 if table.rules.zero_tasks else 1
    number = ask_times(table, seat, games, least, most, np.full(len(games), HUNT, np.uint8))
    while len(further := number.nonzero()[0]):
        games, area, number = games.take(further), area.take(further), number.take(further) - _ONE
        fire(table, seat, seat, games, HUNTING, area)


# ---------------------------------------------------------------------------------------- Housing Project, Hire Movers


def housing_project(table: Table, seat: int, games: Games) -> None:
    """Housing Project: one more building in the district; its cost is paid."""
    row = build_here(table, seat, games)
    table.note("task", seat, games, task=HOUSING, times=1, row=row)


def can_move(table: Table, seat: int, games: Games | None) -> Mask:
    """Whether some building of the seat has somewhere to go, (n,) or (k,)."""
    own, free = table.state.buildings[seat], table.state.free
    if table.rules.movers_same_district:
        can = any_in(own.reshape(-1, table.n)) & any_in(free.reshape(-1, table.n))
    else:
        can = any_of(np.stack([any_in(rows) for rows in own]) & targets(table))
    return can if games is None else can.take(games)


def movable(table: Table, seat: int, games: Games) -> Mask:
    """Places, district by district and row by row, with an own building that has somewhere to go, (places, k)."""
    own = table.state.buildings[seat].take(games, axis=-1) != 0
    return (own & targets(table).take(games, axis=1)[:, None]).reshape(-1, len(games))


def targets(table: Table) -> Mask:
    """Whether a building of each district has a free space to move to, (3, n)."""
    free = np.stack([any_in(rows) for rows in table.state.free])
    if table.rules.movers_same_district:
        return np.broadcast_to(any_of(free), free.shape)
    return np.stack([free[1] | free[2], free[0] | free[2], free[0] | free[1]])


def any_in(rows: Bytes) -> Mask:
    """Whether some row of a district counts something, (rows, n) -> (n,)."""
    return np.bitwise_or.reduce(rows, axis=0) != 0


def hire_movers(table: Table, seat: int, games: Games) -> None:
    """Hire Movers: one own building goes from any district to any free space."""
    state, n = table.state, table.n
    n_rows = state.free.shape[1]
    source = table.ask("movers_from", seat, games=games, legal=movable(table, seat, games))
    to = (state.free.take(games, axis=-1) != 0).reshape(-1, len(games))
    if not table.rules.movers_same_district:
        for place in range(len(to)):
            to[place] &= source // n_rows != place // n_rows
    target = table.ask("movers_to", seat, games=games, legal=to, source=source)
    for spot, goes, comes in ((source, np.subtract, np.add), (target, np.add, np.subtract)):
        at = spot.astype(np.intp) * n + games
        add(state.buildings[seat], at, how=goes)
        add(state.free, at, how=comes)
        add(state.buildings_here, games, spot // n_rows == state.district.take(games), goes)
    table.note("task", seat, games, task=MOVERS, times=1, source=source, target=target)


_EFFECTS = {
    BUILD: build,
    FIRST_TASK + HUNT: hunt_tentacles,
    FIRST_TASK + HOUSING: housing_project,
    FIRST_TASK + MOVERS: hire_movers,
}
