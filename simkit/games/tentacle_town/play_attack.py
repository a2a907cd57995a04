"""Tentacle Town: the tentacles attack, the town defends itself. See `play.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.harpoons import FOR_BUILDING, FOR_RESIDENT, add, fire
from simkit.games.tentacle_town.rules import ARROW, DESTROY, NEW, SKULL
from simkit.games.tentacle_town.state import ADDED, DESTROYED, FLED, KILLED, ROUNDS_TOLD
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

EVENTS = ("killed", "fled", "destroyed", "saved resident", "saved building", "new tentacle")
HAS_KILLED, HAS_FLED, HAS_DESTROYED, SAVED_RESIDENT, SAVED_BUILDING, APPEARED = range(6)

FROM_SUPPLY, FROM_NOWHERE = -1, -2
"""Where a new tentacle comes from, beside the ocean areas 0 to 2."""

ORDERS = {"skulls-first": (SKULL, ARROW, DESTROY, NEW), "arrows-first": (ARROW, SKULL, DESTROY, NEW)}

_ONE, _NO = np.uint8(1), np.uint8(0)


def tentacle_attack(table: Table, seat: int) -> None:
    """Tentacle Attacks: a tentacle comes to the district worked in, and all that are there attack."""
    state = table.state
    state.effects[:] = 0
    games = table.live.nonzero()[0]
    table.note("tentacle", seat, games, source=place_tentacle(table, seat, games))
    n_dice = roll(table, games)
    table.note("roll", seat, dice=state.dice)
    for _ in range(table.rules.dice):
        games = (any_of(state.dice != _NO) & table.live).nonzero()[0]
        if not len(games):
            break
        apply_a_result(table, seat, games)
    _count(table, n_dice)


def _count(table: Table, n_dice: Bytes) -> None:
    """What the attacks of this turn came to."""
    told = min(table.round, ROUNDS_TOLD - 1)
    table.tally("attacks", round=told, district=table.state.district, dice=n_dice)
    plenty = table.state.plenty.view(np.uint8)
    for effect, number in enumerate(table.state.effects):
        table.tally("outcomes", dice=n_dice, plenty=plenty, effect=effect, number=number)


# ---------------------------------------------------------------------------------------------------- Tenticular Terror


def place_tentacle(table: Table, seat: int, games: Games) -> npt.NDArray[np.int8]:
    """Place a tentacle next to the district; where it comes from: `FROM_SUPPLY`, an area or `FROM_NOWHERE`, (k,)."""
    state, n = table.state, table.n
    source = np.full(len(games), FROM_SUPPLY, np.int8)
    area = state.district.take(games).astype(np.intp)
    in_supply = state.tentacles_left.take(games) != 0
    if not in_supply.all():
        without = (~in_supply).nonzero()[0]
        source[without] = everywhere(table, seat, games.take(without), area.take(without))
    comes = (source != FROM_NOWHERE).nonzero()[0]
    add(state.tentacles, area.take(comes) * n + games.take(comes), 1)
    state.tentacles_left[games] -= in_supply
    return source


def everywhere(table: Table, seat: int, games: Games, area: Games) -> npt.NDArray[np.int8]:
    """TENTACLES! They're Everywhere!: with none left, one leaves another area, if it is not all here already."""
    tentacles = table.state.tentacles.take(games, axis=1)
    legal = (tentacles != 0) & (np.arange(3)[:, None] != area)
    source = np.full(len(games), FROM_NOWHERE, np.int8)
    columns = any_of(legal).nonzero()[0]
    if len(columns):
        among = games.take(columns)
        source[columns] = leaving = table.ask("tentacle_from", seat, games=among, legal=legal.take(columns, axis=1))
        add(table.state.tentacles, leaving.astype(np.intp) * table.n + among, -1)
    return source


def roll(table: Table, games: Games) -> Bytes:
    """Roll a die for each tentacle next to the district, four at most: how many, (n,)."""
    state, rules = table.state, table.rules
    state.dice[:] = 0
    tentacles, residents, buildings = np.zeros((3, table.n), np.uint8)
    spaces = np.uint8(sum(rules.rows_for(table.seats)))
    for district, free in enumerate(state.free):
        here = (state.district == district).view(np.uint8)
        tentacles += state.tentacles[district] * here
        residents += state.residents[district] * here
        buildings += (spaces - free.sum(axis=0, dtype=np.uint8)) * here
    n_dice = np.minimum(tentacles, np.uint8(rules.dice))
    state.plenty[:] = (residents >= n_dice) & (buildings >= n_dice) & (tentacles + n_dice <= rules.tentacles)
    for die in range(rules.dice):
        games = games[n_dice.take(games) > die]
        if not len(games):
            break
        face = rules.face_of.take(table.draw("dice", len(rules.face_of), games))
        for result, count in enumerate(state.dice):
            count[games] += face == result
    return n_dice


def apply_a_result(table: Table, seat: int, games: Games) -> None:
    """One of the results rolled, in the order that the seat likes."""
    dice = table.state.dice
    left = dice.take(games, axis=1) != _NO
    choice = chosen_result(table, seat, games, left)
    add(dice, choice * table.n + games, -1)
    for result, effect in ((SKULL, skull), (ARROW, arrow), (DESTROY, destroy), (NEW, new_tentacle)):
        chosen = (choice == result).nonzero()[0]
        if len(chosen):
            effect(table, seat, games.take(chosen))


def chosen_result(table: Table, seat: int, games: Games, left: Mask) -> Games:
    """The result to apply next: asked where several kinds are left, and no rule gives the order; intp (k,)."""
    order = ORDERS.get(table.rules.dice_order, (SKULL, ARROW, DESTROY, NEW))
    choice = np.full(len(games), order[3], np.intp)
    for result in order[2::-1]:
        choice[left[result]] = result
    if table.rules.dice_order == "chosen":
        kinds = left.view(np.uint8)
        several = (kinds[0] + kinds[1] + kinds[2] + kinds[3] > _ONE).nonzero()[0]
        if len(several):
            legal = left.take(several, axis=1)
            choice[several] = table.ask("die", seat, games=games.take(several), legal=legal)
    return choice


def skull(table: Table, seat: int, games: Games) -> None:
    """Kill one resident, unless the seat whose turn it is defends it: back to the supply."""
    state = table.state
    area = state.district.take(games)
    place = area.astype(np.intp) * table.n + games
    found = state.residents.reshape(-1).take(place) != 0
    if not found.all():
        table.note("skull", seat, games[~found], result="nothing")
        games, area, place = games[found], area[found], place[found]
    saved = defend(table, seat, seat, games, area, FOR_RESIDENT)
    if saved.any():
        state.n_saved[games[saved]] += np.uint16(1)
        _happened(table, games[saved], area[saved], SAVED_RESIDENT)
        table.note("skull", seat, games[saved], result="saved")
        games, area, place = games[~saved], area[~saved], place[~saved]
    add(state.residents, place, -1)
    state.supply[games] += _ONE
    state.n_killed[games] += np.uint16(1)
    state.effects[KILLED][games] += _ONE
    _happened(table, games, area, HAS_KILLED)
    table.note("skull", seat, games, result="killed")


def arrow(table: Table, seat: int, games: Games) -> None:
    """One resident retreats to an adjacent district."""
    state = table.state
    area = state.district.take(games)
    place = area.astype(np.intp) * table.n + games
    found = state.residents.reshape(-1).take(place) != 0
    if not found.all():
        nobody = games[~found]
        table.note("arrow", seat, nobody, to=np.full(len(nobody), -1))
        games, area, place = games[found], area[found], place[found]
    legal = _ADJACENT[table.rules.adjacency].take(area, axis=1)
    to = table.ask("retreat", seat, games=games, legal=legal)
    add(state.residents, place, -1)
    add(state.residents, to.astype(np.intp) * table.n + games, 1)
    state.n_fled[games] += np.uint16(1)
    state.effects[FLED][games] += _ONE
    _happened(table, games, area, HAS_FLED)
    table.note("arrow", seat, games, to=to)


_ADJACENT = {
    "all": ~np.eye(3, dtype=bool),
    "line": np.array([[False, True, False], [True, False, True], [False, True, False]]),
}


def new_tentacle(table: Table, seat: int, games: Games) -> None:
    """Place New Tentacle: next to the district, without a die of its own."""
    source = place_tentacle(table, seat, games)
    came = games[source != FROM_NOWHERE]
    table.state.effects[ADDED][came] += _ONE
    _happened(table, came, table.state.district.take(came), APPEARED)
    table.note("new", seat, games, source=source)


# --------------------------------------------------------------------------------------------- Destroying Tentacle Town


def destroy(table: Table, seat: int, games: Games) -> None:
    """Destroy one building of the row with buildings closest to the water, unless its owner defends it."""
    state, n = table.state, table.n
    area = state.district.take(games)
    row = outermost_row(table, games, area)
    found = row != _NO_ROW
    if not found.all():
        nothing = games[~found]
        table.note("destroy", seat, nothing, owner=np.full(len(nothing), -1), result="nothing")
        games, area, row = games[found], area[found], row[found]
    place = (area.astype(np.intp) * state.free.shape[1] + row) * n + games
    owner = victim(table, seat, games, row, place)
    saved = defend(table, seat, owner, games, area, FOR_BUILDING, row=row)
    if saved.any():
        state.n_saved[games[saved]] += np.uint16(1)
        _happened(table, games[saved], area[saved], SAVED_BUILDING)
        table.note("destroy", seat, games[saved], owner=owner[saved], row=row[saved], result="saved")
        games, area, row, place, owner = games[~saved], area[~saved], row[~saved], place[~saved], owner[~saved]
    add(state.buildings, owner * state.free.size + place, -1)
    add(state.free, place, 1)
    if table.rules.destroyed_returns:
        add(state.left, owner * n + games, 1)
    add(state.n_lost, owner * n + games, 1)
    state.n_destroyed[games] += np.uint16(1)
    state.effects[DESTROYED][games] += _ONE
    _happened(table, games, area, HAS_DESTROYED)
    table.note("destroy", seat, games, owner=owner, row=row, result="destroyed")


_NO_ROW = np.uint8(9)


def outermost_row(table: Table, games: Games, area: Bytes) -> Bytes:
    """The row with buildings closest to the water, (k,); `_NO_ROW` if there is none."""
    spaces = table.rules.rows_for(table.seats)
    first = area.astype(np.intp) * (len(spaces) * table.n) + games
    row = np.full(len(games), _NO_ROW)
    for number in reversed(range(len(spaces))):
        free = table.state.free.reshape(-1).take(first + number * table.n)
        row[free != spaces[number]] = number
    return row


def victim(table: Table, seat: int, games: Games, row: Bytes, place: Games) -> Games:
    """Whose building of that row falls: asked where there are several owners; intp (k,)."""
    state = table.state
    order = [(seat + left) % table.seats for left in range(table.seats)]
    owns = np.stack([state.buildings.reshape(-1).take(owner * state.free.size + place) != 0 for owner in order])
    choice = table.ask("victim", seat, games=games, legal=owns, row=row)
    return np.array(order).take(choice)


# ---------------------------------------------------------------------------------------------- Defending Tentacle Town


def defend(
    table: Table, seat: int, owner: int | Games, games: Games, area: Bytes, purpose: int, **offer: Bytes
) -> Mask:
    """Whoever has a harpoon may fire it to save their building, or a resident in their own turn: who is saved, (k,)."""
    decision = "defend_building" if purpose == FOR_BUILDING else "defend_resident"
    saved = np.zeros(len(games), bool)
    asked = np.arange(len(games))
    for _ in range(table.rules.harpoons_per_result):
        by = owner if isinstance(owner, int) else owner.take(asked)
        armed = table.state.harpoons.reshape(-1).take(by * table.n + games.take(asked)) != 0
        asked = asked[armed]
        if not len(asked):
            break
        by = owner if isinstance(owner, int) else owner.take(asked)
        told = {name: value.take(asked) for name, value in offer.items()}
        firing = table.ask(decision, by, games=games.take(asked), **told).nonzero()[0]
        asked = asked.take(firing)
        if not len(asked):
            break
        by = owner if isinstance(owner, int) else owner.take(asked)
        hit = fire(table, seat, by, games.take(asked), purpose, area.take(asked))
        saved[asked[hit]] = True
        asked = asked[~hit]
    return saved


def _happened(table: Table, games: Games, area: Any, event: int) -> None:
    """Count an event of an attack, by round and district."""
    if len(games):
        table.tally("events", games, round=min(table.round, ROUNDS_TOLD - 1), district=area, event=event)
