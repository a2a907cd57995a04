"""Tiny Epic Cthulhu: the powers of the Great Old One, which leave nobody a choice. See `play.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import (
    KINDS,
    N_TOWNS,
    Draw,
    Feed,
    Fill,
    Hide,
    Move,
    Spawn,
)
from simkit.games.tiny_epic_cthulhu.state import OPEN, POWER_BY_MADNESS, POWER_BY_WHEEL
from simkit.games.tiny_epic_cthulhu.tracks import (
    alive,
    can_draw,
    draw_onto_seat,
    onto_energy,
    pile,
    spawn,
    strengthen,
)
from simkit.table import Table

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

_ONE = np.uint8(1)


def unleash(table: Table, seat: int, games: Games, colours: Bytes, origin: int) -> None:
    """Powers of the Great Old One: that of a colour in each of the games, by the wheel or by accursed Madness."""
    if table.rules.powers == "none":
        return
    state = table.state
    for colour in range(3):
        mine = alive(table, games[colours == colour])
        if table.rules.sealing_stops_power and len(mine):
            portals = state.portals[2 * colour : 2 * colour + 2].take(mine, axis=1)
            mine = mine[(portals == OPEN).any(axis=0)]
        if len(mine):
            before = state.origin.take(mine)
            state.origin[mine], state.power[mine] = origin, colour + 1
            table.note("power", seat, mine, colour=colour, cause=_CAUSES[origin])
            _carry_out(table, seat, mine, colour)
            state.origin[mine], state.power[mine] = before, 0


_CAUSES = {POWER_BY_WHEEL: "wheel", POWER_BY_MADNESS: "madness"}


def _carry_out(table: Table, seat: int, games: Games, colour: int) -> None:
    """The effects of a power one after the other, as its side of the mat has them."""
    sides = table.state.side.take(games)
    for side in range(2):
        mine = games[sides == side]
        for effect in table.rules.effects_of(colour, side):
            mine = alive(table, mine)
            if len(mine):
                _EFFECTS[type(effect)](table, seat, mine, colour, effect)


def _move(table: Table, seat: int, games: Games, colour: int, effect: Move) -> None:
    """Tentacles of one kind change places."""
    if effect.source == "players":
        from_players(table, games, colour, effect)
    else:
        move_kind(table, seat, games, colour if effect.what == "colour" else KINDS.index(effect.what), effect)


def from_players(table: Table, games: Games, colour: int, effect: Move) -> None:
    """Every seat gives up to n Madness of the colour."""
    total = np.zeros(len(games), np.uint8)
    for temper in table.state.temper[:, colour]:
        amount = np.minimum(temper.take(games), np.uint8(effect.n))
        temper[games] -= amount
        total += amount
    pile(table, effect.target, colour)[games] += total
    _told(table, games, KINDS[colour], effect, total)


def move_kind(table: Table, seat: int, games: Games, kind: int, effect: Move) -> None:
    """As many of a kind as there are, and fit, up to n."""
    source = pile(table, effect.source, kind)
    amount = np.minimum(source.take(games), np.uint8(effect.n))
    if effect.target == "you":
        target = table.state.chaos[seat]
        amount = np.minimum(amount, np.uint8(table.rules.chaos_track) - target.take(games))
    else:
        target = pile(table, effect.target, kind)
    source[games] -= amount
    target[games] += amount
    _told(table, games, KINDS[kind], effect, amount)


def _told(table: Table, games: Games, what: str, effect: Move, amount: Bytes) -> None:
    """Tell of what has moved, where anything has."""
    some = np.flatnonzero(amount)
    if len(some):
        moved = {"what": what, "source": effect.source, "target": effect.target}
        table.note("moved", None, games.take(some), **moved, number=amount.take(some))


def _feed(table: Table, seat: int, games: Games, colour: int, effect: Feed) -> None:
    """Eldritch from the supply to the Energy Track."""
    for _ in range(effect.n):
        games = alive(table, games)
        games = games[table.state.eldritch_supply.take(games) != 0]
        if not len(games):
            return
        table.state.eldritch_supply[games] -= _ONE
        accursed = onto_energy(table, games)
        table.note("fed", seat, games, accursed=accursed)
        strengthen(table, seat, games[accursed])


def _draw(table: Table, seat: int, games: Games, colour: int, effect: Draw) -> None:
    """Seats draw, the active one first."""
    for left in range(table.seats if effect.who == "all" else 1):
        for _ in range(effect.n):
            draw_onto_seat(table, (seat + left) % table.seats, can_draw(table, games), "power")


def _fill(table: Table, seat: int, games: Games, colour: int, effect: Fill) -> None:
    """Madness from the Discard Mat to towns with room for it."""
    tracks, discard = table.state.madness.reshape(-1), table.state.discard[colour]

    def fill(towns: Games, may: Mask) -> Mask:
        place = (towns * 3 + colour) * table.n + games
        goes = may & (tracks.take(place) < table.rules.madness_track) & (discard.take(games) != 0)
        tracks[place] += goes
        discard[games] -= goes
        return goes

    _clockwise(table, games, effect.n, "fill", fill)


def _hide(table: Table, seat: int, games: Games, colour: int, effect: Hide) -> None:
    """Face-up pages are turned face down."""
    lies = table.state.face_up.reshape(-1)

    def hide(towns: Games, may: Mask) -> Mask:
        place = towns * table.n + games
        goes = may & lies.take(place)
        lies[place] &= ~goes
        return goes

    _clockwise(table, games, effect.n, "hide", hide)


def _clockwise(table: Table, games: Games, n: int, event: str, do: Callable[[Games, Mask], Mask]) -> None:
    """Do something in the first n towns where it can be done, clockwise from the pointer's, and tell of them.

    Parameters
    ----------
    do
        (towns, where it may be done) -> where it was, all (k,).
    """
    town = table.state.town.take(games).astype(np.intp)
    to_do = np.full(len(games), n, np.uint8)
    done, columns = np.zeros((N_TOWNS, len(games)), bool), np.arange(len(games))
    for _ in range(N_TOWNS):
        done[town, columns] = goes = do(town, to_do != 0)
        to_do -= goes
        town = (town + 1) % N_TOWNS
    some = np.flatnonzero(done.any(axis=0))
    if len(some):
        table.note(event, None, games.take(some), towns=done.take(some, axis=1))


def _spawn(table: Table, seat: int, games: Games, colour: int, effect: Spawn) -> None:
    """Shamblers of the power's colour."""
    for _ in range(effect.n):
        games = alive(table, games)
        if len(games):
            town = (table.state.town if effect.where == "pointer" else table.state.goo).take(games)
            spawn(table, seat, games, town, np.full(len(games), colour, np.uint8), "power")


_EFFECTS: dict[type, Any] = {Move: _move, Feed: _feed, Draw: _draw, Fill: _fill, Spawn: _spawn, Hide: _hide}
