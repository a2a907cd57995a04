"""Tentacle Town: the tentacles attack, the town defends itself. See `play.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.harpoons import FOR_BUILDING, FOR_RESIDENT, fire
from simkit.games.tentacle_town.rules import ARROW, DESTROY, NEW, SKULL
from simkit.games.tentacle_town.state import ADDED, DESTROYED, FLED, KILLED, REMOVED, ROUNDS_TOLD
from simkit.state import add
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
    state, told = table.state, min(table.round, ROUNDS_TOLD - 1)
    for total, effect in (("n_killed", KILLED), ("n_fled", FLED), ("n_destroyed", DESTROYED), ("n_saved", REMOVED)):
        getattr(state, total)[:] += state.effects[effect]
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
    add(state.tentacles, area.take(comes) * n + games.take(comes), _ONE)
    add(state.tentacles_left, games, in_supply.view(np.uint8), np.subtract)
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
        add(table.state.tentacles, leaving.astype(np.intp) * table.n + among, _ONE, np.subtract)
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
    packed, n_faces = np.zeros(table.n, np.uint32), len(rules.packed_faces)
    if rules.dice:  # with the tentacle just placed there is one in every game
        packed += rules.packed_faces.take(table.draw("dice", n_faces))
    for die in range(1, rules.dice):
        games = games[n_dice.take(games) > die]
        if not len(games):
            break
        add(packed, games, rules.packed_faces.take(table.draw("dice", n_faces, games)))
    for result, count in enumerate(state.dice):
        np.right_shift(packed, np.uint32(8 * result), out=count, casting="unsafe")
    return n_dice


def apply_a_result(table: Table, seat: int, games: Games) -> None:
    """One of the results rolled, in the order that the seat likes."""
    left = table.state.dice.take(games, axis=1) != _NO
    if table.rules.dice_order != "chosen":
        left = _first_of(left, ORDERS[table.rules.dice_order])
    choice = table.ask("die", seat, games=games, legal=left)
    add(table.state.dice, choice.astype(np.intp) * table.n + games, _ONE, np.subtract)
    for result, effect in ((SKULL, skull), (ARROW, arrow), (DESTROY, destroy), (NEW, new_tentacle)):
        chosen = (choice == result).nonzero()[0]
        if len(chosen):
            effect(table, seat, games.take(chosen))


def _first_of(left: Mask, order: tuple[int, ...]) -> Mask:
    """Only the first kind of result, in a fixed order, of which some are left."""
    first, before = np.zeros_like(left), np.zeros(left.shape[1], bool)
    for result in order:
        first[result] = left[result] & ~before
        before |= left[result]
    return first


def skull(table: Table, seat: int, games: Games) -> None:
    """Kill one resident, unless the seat whose turn it is defends it: back to the supply."""
    state = table.state
    games, area, place = _with_residents(table, seat, games, "skull", {"result": "nothing"})
    saved = defend(table, seat, seat, games, area, FOR_RESIDENT)
    killed = (~saved).view(np.uint8)
    add(state.residents, place, killed, np.subtract)
    add(state.supply, games, killed)
    add(state.effects[KILLED], games, killed)
    _happened(table, games, area, killed * np.uint8(HAS_KILLED) + saved * np.uint8(SAVED_RESIDENT))
    if table.observer is not None:
        table.note("skull", seat, games[saved], result="saved")
        table.note("skull", seat, games[~saved], result="killed")


def _with_residents(
    table: Table, seat: int, games: Games, event: str, nothing: dict[str, Any]
) -> tuple[Games, Bytes, Games]:
    """The games that have a resident under attack, the district, and its place in `residents`; all (k,)."""
    area = table.state.district.take(games)
    place = area.astype(np.intp) * table.n + games
    found = table.state.residents.reshape(-1).take(place) != 0
    if found.all():
        return games, area, place
    table.note(event, seat, games[~found], **nothing)
    some = found.nonzero()[0]
    return games.take(some), area.take(some), place.take(some)


def arrow(table: Table, seat: int, games: Games) -> None:
    """One resident retreats to an adjacent district."""
    state = table.state
    games, area, place = _with_residents(table, seat, games, "arrow", {"to": -1})
    to = table.ask("retreat", seat, games=games, legal=_ADJACENT[table.rules.adjacency].take(area, axis=1))
    add(state.residents, place, _ONE, np.subtract)
    add(state.residents, to.astype(np.intp) * table.n + games, _ONE)
    add(state.effects[FLED], games, _ONE)
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
    add(table.state.effects[ADDED], came, _ONE)
    _happened(table, came, table.state.district.take(came), APPEARED)
    table.note("new", seat, games, source=source)


# --------------------------------------------------------------------------------------------- Destroying Tentacle Town


def destroy(table: Table, seat: int, games: Games) -> None:
    """Destroy one building of the row with buildings closest to the water, unless its owner defends it."""
    state, n = table.state, table.n
    area = state.district.take(games)
    row = outermost_row(table, games, area)
    n_rows = state.free.shape[1]
    found = row < n_rows
    if not found.all():
        table.note("destroy", seat, games[~found], owner=-1, result="nothing")
        some = found.nonzero()[0]
        games, area, row = games.take(some), area.take(some), row.take(some)
    place = (area * np.uint8(n_rows) + row).astype(np.intp) * n + games
    owner = victim(table, seat, games, row, place)
    saved = defend(table, seat, owner, games, area, FOR_BUILDING, row=row)
    falls = (~saved).view(np.uint8)
    add(state.buildings, owner * state.free.size + place, falls, np.subtract)
    add(state.free, place, falls)
    add(state.effects[DESTROYED], games, falls)
    _happened(table, games, area, falls * np.uint8(HAS_DESTROYED) + saved * np.uint8(SAVED_BUILDING))
    if table.observer is not None:
        for which, result in ((saved, "saved"), (~saved, "destroyed")):
            table.note("destroy", seat, games[which], owner=owner[which], row=row[which], result=result)


def outermost_row(table: Table, games: Games, area: Bytes) -> Bytes:
    """The row with buildings closest to the water, (k,); the number of rows if there is none."""
    spaces = table.rules.rows_for(table.seats)
    first = area.astype(np.intp) * (len(spaces) * table.n) + games
    row = np.zeros(len(games), np.uint8)
    for number in reversed(range(len(spaces))):
        is_empty = table.state.free.reshape(-1).take(first + number * table.n) == spaces[number]
        row += _ONE
        row *= is_empty
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


def _happened(table: Table, games: Games, area: Any, event: int | Bytes) -> None:
    """Count an event of an attack, by round and district."""
    if len(games):
        table.tally("events", games, round=min(table.round, ROUNDS_TOLD - 1), district=area, event=event)
