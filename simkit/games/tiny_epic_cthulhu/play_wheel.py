"""Tiny Epic Cthulhu, Step 1: Spin the Wheel of Madness. See `play.py`."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import CHAOS
from simkit.games.tiny_epic_cthulhu.play_powers import unleash
from simkit.games.tiny_epic_cthulhu.rules import ICONS
from simkit.games.tiny_epic_cthulhu.state import POINTER, POWER_BY_MADNESS, POWER_BY_WHEEL, SPIN, WHEEL_DRAW
from simkit.games.tiny_epic_cthulhu.tracks import alive, can_draw, draw, onto_town, spawn
from simkit.state import add
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

MADNESS_ICON, SHAMBLER_ICON, CHAOS_ICON, FIRST_POWER, DRAW_ICON = 0, 1, 2, 3, 6
_ONE = np.uint8(1)


def spin(table: Table) -> None:
    """The spinner stops: pointer's segment and town, the tail's town and the colour of Shamblers there."""
    state, spins = table.state, table.rules.spins
    way = table.draw("spins", len(spins["segment"]))
    state.segment[:] = spins["segment"].take(way)
    state.town[:] = spins["town"].take(way)
    state.tail[:] = spins["tail"].take(way)
    side = state.sides.reshape(-1).take(state.tail * np.intp(table.n) + np.arange(table.n))
    state.colour[:] = table.rules.side_colours.reshape(-1).take(side * np.uint8(2) + spins["half"].take(way))


def wheel_of_madness(table: Table, seat: int) -> None:
    """Step 1: spin, pointer action, draws, a Shambler, and the Great Old One moves."""
    state = table.state
    spin(table)
    table.note("spin", seat, segment=state.segment, town=state.town, tail=state.tail, colour=state.colour)
    games = table.live.nonzero()[0]
    icons = _icons(table).take(state.segment.take(games))
    pointer_actions(table, seat, games, icons)
    draw_tentacles(table, seat, games, icons)
    spawn_and_move(table, seat, alive(table, games))


def _icons(table: Table) -> Bytes:
    """The icon of each segment, uint8 (segments,)."""
    return np.array([ICONS.index(icon) for icon in table.rules.wheel], np.uint8)


# ------------------------------------------------------------------------------------------------------ Pointer Actions


def pointer_actions(table: Table, seat: int, games: Games, icons: Bytes) -> None:
    """Pointer Actions: the icon that the pointer is at."""
    state = table.state
    state.origin[:] = POINTER
    colours = np.full(len(games), -1, np.int8)
    is_madness = (icons == MADNESS_ICON).nonzero()[0]
    if len(is_madness):
        colours[is_madness] = move_a_madness(table, seat, games.take(is_madness))
    chaos = games[(icons == CHAOS_ICON) & (state.chaos_supply.take(games) != 0)]
    state.chaos_supply[chaos] -= _ONE
    state.discard[CHAOS][chaos] += _ONE
    if table.observer is not None:
        for icon, name in enumerate(ICONS):
            mine = (icons == icon).nonzero()[0]
            table.note("pointer", seat, games.take(mine), icon=name, colour=colours.take(mine))
    shambler = games[icons == SHAMBLER_ICON]
    if len(shambler):
        towns = state.town if table.rules.pointer_shambler == "pointer" else state.tail
        spawn(table, seat, shambler, towns.take(shambler), state.colour.take(shambler), "pointer")
    power = ((icons >= FIRST_POWER) & (icons < DRAW_ICON)).nonzero()[0]
    if len(power):
        unleash(table, seat, games.take(power), icons.take(power) - np.uint8(FIRST_POWER), POWER_BY_WHEEL)


def move_a_madness(table: Table, seat: int, games: Games) -> npt.NDArray[np.int8]:
    """One Madness of the seat's choice from the Shambler Mat to the Discard Mat: its colour, -1 if there is none."""
    state = table.state
    legal = state.mat.take(games, axis=1) != 0
    colours = np.full(len(games), -1, np.int8)
    some = any_of(legal).nonzero()[0]
    if len(some):
        among = games.take(some)
        choice = table.ask("wheel_madness", seat, games=among, legal=legal.take(some, axis=1))
        place = choice * np.intp(table.n) + among
        add(state.mat, place, how=np.subtract)
        add(state.discard, place)
        colours[some] = choice.view(np.int8)
    return colours


# ------------------------------------------------------------------------------------------------------- Draw Tentacles


def draw_tentacles(table: Table, seat: int, games: Games, icons: Bytes) -> None:
    """Draw Tentacles: as many as the space right of the Strength Token says, one at a time."""
    state = table.state
    state.origin[:] = WHEEL_DRAW
    table_of_draws = table.rules.draw_table
    spaces = table_of_draws.shape[1]
    place = state.side.take(games) * np.uint8(spaces) + state.strength.take(games)
    number = table_of_draws.reshape(-1).take(place) + (icons == DRAW_ICON)
    state.pending[:] = 0
    for drawn in range(int(number.max(initial=0))):
        mine = can_draw(table, games[number > drawn])
        if not len(mine):
            break
        draw_onto_town(table, seat, mine)
    if table.rules.powers_resolve == "after-draws":
        _resolve_pending(table, seat, games)


def draw_onto_town(table: Table, seat: int, games: Games) -> None:
    """A tentacle of the wheel: Madness goes to the pointer's town."""
    state = table.state
    state.n_draws[games] += np.uint16(1)
    mad, colours = draw(table, seat, games, "wheel", partial(onto_town, table))
    if not len(mad):
        return
    if table.rules.powers_resolve == "at-once":
        unleash(table, seat, mad, colours, POWER_BY_MADNESS)
    else:
        add(state.pending, colours * np.intp(table.n) + mad)


def _resolve_pending(table: Table, seat: int, games: Games) -> None:
    """Powers that waited for the end of the draws."""
    for colour, pending in enumerate(table.state.pending.copy()):
        for number in range(int(pending.take(games).max(initial=0))):
            mine = alive(table, games[pending.take(games) > number])
            unleash(table, seat, mine, np.full(len(mine), colour, np.uint8), POWER_BY_MADNESS)
    table.state.pending[:] = 0


# ------------------------------------------------------------------------------------ Spawn Shambler, the Great Old One


def spawn_and_move(table: Table, seat: int, games: Games) -> None:
    """Spawn Shambler at the tail's town; Move the Great Old One there."""
    state = table.state
    state.origin[:] = SPIN
    towns = state.tail.take(games)
    accursed = spawn(table, seat, games, towns, state.colour.take(games), "spin")
    follows = table.live.take(games)
    if not table.rules.follows_accursed:
        follows &= ~accursed
    state.goo[games[follows]] = towns[follows]
    table.note("great_old_one", seat, games[table.live.take(games)], town=state.goo.take(alive(table, games)))
