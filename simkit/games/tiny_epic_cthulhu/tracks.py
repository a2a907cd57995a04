"""Tiny Epic Cthulhu: tentacles and Shamblers come to their tracks, and what happens when one is accursed.

Every function takes some games of the batch (columns, all alive) and plays them to the end of what it is about; games
may be lost on the way, so that callers go on with `alive`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import CHAOS, ELDRITCH
from simkit.games.tiny_epic_cthulhu.state import (
    ENERGY,
    ENERGY_ACCURSED,
    MADNESS_ACCURSED,
    NO_CARD,
    SHAMBLERS,
    SHAMBLERS_ACCURSED,
    TEMPER,
    TEMPER_ACCURSED,
)
from simkit.state import add
from simkit.table import Table

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

NONE = NO_CARD
"""No colour: no Shambler was there to be placed."""

_ONE = np.uint8(1)


def alive(table: Table, games: Games) -> Games:
    """Those of the games that are not over."""
    live = table.live.take(games)
    return games if live.all() else games[live]


def lose(table: Table, games: Games, cause: str, track: int | Bytes) -> None:
    """End Game: the table loses."""
    if len(games):
        table.state.track[games] = track
        table.finish(games, cause)


# ------------------------------------------------------------------------------------------------------ piles, the bag


def pile(table: Table, place: str, kind: int) -> Bytes:
    """The count of a kind at a place that belongs to no seat or town, (n,)."""
    state = table.state
    if place in ("bag", "discard", "mat"):
        counts: Bytes = getattr(state, place)[kind]
    elif place == "energy":
        counts = state.energy
    else:
        counts = {CHAOS: state.chaos_supply, ELDRITCH: state.eldritch_supply}[kind]
    return counts


def from_bag(table: Table, games: Games) -> Bytes:
    """A tentacle from each game's bag, none of which is empty: its kind, uint8 (k,)."""
    state, n = table.state, table.n
    bag = state.bag.take(games, axis=1)
    upto = bag[0].copy()
    bounds = [upto.copy()]
    for kind in range(1, 5):
        upto += bag[kind]
        bounds.append(upto.copy())
    at = table.draw("bag", bounds[-1], games).astype(np.uint8)
    kinds = np.zeros(len(games), np.uint8)
    for bound in bounds[:-1]:
        kinds += at >= bound
    add(state.bag, kinds * np.intp(n) + games, _ONE, np.subtract)
    table.tally("draws", games, phase=state.side.take(games), origin=state.origin.take(games), kind=kinds)
    return kinds


def can_draw(table: Table, games: Games) -> Games:
    """Those of the games that are not over and whose bag is not empty."""
    games = alive(table, games)
    return games[table.state.bag.take(games, axis=1).any(axis=0)]


def draw(
    table: Table, seat: int, games: Games, source: str, place: Callable[[Games, Bytes], Mask]
) -> tuple[Games, Bytes]:
    """Draw a tentacle, as `can_draw` allows; Chaos comes to the seat, Eldritch to the Energy Track.

    Parameters
    ----------
    place
        (games, colours) -> where Madness made its track accursed.

    Returns
    -------
    games, colours : intp (k,), uint8 (k,)
        The Madness Tentacles that did, for the consequence.
    """
    kinds = from_bag(table, games)
    accursed, is_madness = np.zeros(len(games), bool), kinds < CHAOS
    drawn = is_madness.nonzero()[0]
    accursed[drawn] = place(games.take(drawn), kinds.take(drawn))
    accursed |= place_others(table, seat, games, kinds)
    table.note("draw", seat, games, source=source, kind=kinds, accursed=accursed)
    strengthen(table, seat, games[accursed & ~is_madness])
    mad = (accursed & is_madness).nonzero()[0]
    return games.take(mad), kinds.take(mad)


def draw_onto_seat(table: Table, seat: int, games: Games, source: str) -> None:
    """A seat draws a tentacle, as `can_draw` allows: Madness goes to its player mat."""
    if len(games):
        mad, colours = draw(table, seat, games, source, partial(onto_temper, table, seat))
        go_delirious(table, seat, mad, colours)


def place_others(table: Table, seat: int, games: Games, kinds: Bytes) -> Mask:
    """Chaos comes to the seat, Eldritch to the Energy Track: where that is accursed, bool (k,)."""
    state, accursed = table.state, np.zeros(len(games), bool)
    chaos = games[kinds == CHAOS]
    if len(chaos):
        has_room = state.chaos[seat].take(chaos) < table.rules.chaos_track
        state.chaos[seat][chaos] += has_room
        state.chaos_supply[chaos] += ~has_room
    eldritch = (kinds == ELDRITCH).nonzero()[0]
    if len(eldritch):
        accursed[eldritch] = onto_energy(table, games.take(eldritch))
    return accursed


# ----------------------------------------------------------------------------------------------------- the Energy Track


def onto_energy(table: Table, games: Games) -> Mask:
    """Eldritch Tentacles: onto the Energy Track; a full one is emptied into the bag with the Discard Mat: bool (k,)."""
    state, rules = table.state, table.rules
    length = np.array(rules.energy_track, np.uint8).take(state.side.take(games))
    accursed = state.energy.take(games) >= length
    state.energy[games[~accursed]] += _ONE
    full = games[accursed]
    if len(full):
        state.bag[ELDRITCH][full] += state.energy.take(full) + _ONE
        state.energy[full] = 0
        empty_discard(table, full, rules.eldritch_comes_back)
        _count_accursed(table, full, ENERGY_ACCURSED)
    return accursed


def empty_discard(table: Table, games: Games, with_eldritch: bool) -> None:
    """What is on the Discard Mat goes to the bag."""
    state = table.state
    for kind in range(ELDRITCH + with_eldritch):
        state.bag[kind][games] += state.discard[kind].take(games)
        state.discard[kind][games] = 0


def strengthen(table: Table, seat: int, games: Games) -> None:
    """Consequence of accursed energy: one space on the Strength Track; on the last one the game is lost."""
    if not len(games):
        return
    state = table.state
    state.strength[games] += _ONE
    state.n_strength[games] += _ONE
    table.note("strength", seat, games)
    last = np.array(table.rules.last_space, np.uint8).take(state.side.take(games))
    lose(table, games[state.strength.take(games) >= last], "strength", ENERGY)


# ------------------------------------------------------------------------------------- Madness and Temperament Tracks


def onto_town(table: Table, games: Games, colours: Bytes) -> Mask:
    """Madness Tentacles: onto the pointer's town's track; a full one is emptied: where accursed, bool (k,)."""
    state, towns = table.state, table.state.town.take(games)
    accursed = _onto_track(table, state.madness, towns * np.uint8(3) + colours, games, colours, "madness_track")
    full = accursed.nonzero()[0]
    if len(full):
        add(state.n_accursed, games.take(full), _ONE)
        _count_accursed(table, games.take(full), colours.take(full) + np.uint8(MADNESS_ACCURSED))
    return accursed


def onto_temper(table: Table, seat: int, games: Games, colours: Bytes) -> Mask:
    """A Madness Tentacle drawn onto the player mat: where its Temperament Track is accursed, bool (k,)."""
    accursed = _onto_track(table, table.state.temper[seat], colours, games, colours, "temperament_track")
    full = accursed.nonzero()[0]
    if len(full):
        _count_accursed(table, games.take(full), colours.take(full) + np.uint8(TEMPER_ACCURSED))
    return accursed


def _onto_track(table: Table, tracks: Bytes, which: Bytes, games: Games, colours: Bytes, length: str) -> Mask:
    """One Madness more on a track; a full one is emptied onto the Shambler Mat with it."""
    place = which * np.intp(table.n) + games
    held = tracks.reshape(-1).take(place)
    accursed = held >= getattr(table.rules, length)
    tracks.reshape(-1)[place] = (held + _ONE) * ~accursed
    full = accursed.nonzero()[0]
    if len(full):
        mat = colours.take(full) * np.intp(table.n) + games.take(full)
        add(table.state.mat, mat, held.take(full) + _ONE)
    return accursed


def go_delirious(table: Table, seat: int, games: Games, colours: Bytes) -> None:
    """Consequence of accursed temperament: the Brain Token goes up a space; on the top one the game is lost."""
    if not len(games):
        return
    state, rules = table.state, table.rules
    brain = state.brain[seat]
    if rules.brain_at_start:  # the first time leaves the token on the bottom space, where it lies already
        brain[games] += state.delirious[seat].take(games)
    else:
        brain[games] += _ONE
    state.delirious[seat][games] = True
    table.note("delirium", seat, games)
    mad = (brain.take(games) >= rules.delirium).nonzero()[0]
    lose(table, games.take(mad), "delirium", colours.take(mad) + np.uint8(TEMPER))


def _count_accursed(table: Table, games: Games, track: int | Bytes) -> None:
    """One more track accursed, by what was under way."""
    state = table.state
    table.tally("accursed", games, phase=state.side.take(games), origin=state.origin.take(games), track=track)


# -------------------------------------------------------------------------------------------------- the Shambler Tracks


def _next_there() -> Bytes:
    """The colour to take by the colours there are (a bit each) and the one wanted: the next one to the right."""
    colours = np.full((8, 3), NONE, np.uint8)
    for there in range(1, 8):
        for wanted in range(3):
            colours[there, wanted] = next(c for c in (wanted, (wanted + 1) % 3, (wanted + 2) % 3) if there >> c & 1)
    return colours


_COLOUR_THERE = _next_there()


def spawn(table: Table, seat: int | None, games: Games, towns: Bytes, wanted: Any, source: str) -> Mask:
    """Spawn Shambler: onto the town's track; if it is full all go back, and its Eldritch to the Discard Mat.

    Parameters
    ----------
    wanted : uint8 (k,)
        Colour; the next one to the right is taken where there is none.
    source
        For the trace; empty during set-up, where nothing is told or lost.

    Returns
    -------
    bool (k,)
        Where the track was accursed.
    """
    state, n = table.state, table.n
    there = state.mat_shamblers.take(games, axis=1) != 0
    bits = there[0] + there[1] * np.uint8(2) + there[2] * np.uint8(4)
    colours = _COLOUR_THERE[bits, wanted]
    first = towns * np.intp(3 * n) + games
    flat = state.shamblers.reshape(-1)
    held = flat.take(first) + flat.take(first + n) + flat.take(first + 2 * n)
    is_one = colours != NONE
    accursed = (held >= table.rules.shambler_track) & is_one
    placed = (is_one & ~accursed).nonzero()[0]
    colour = colours.take(placed).astype(np.intp)
    add(state.shamblers, first.take(placed) + colour * n)
    add(state.mat_shamblers, colour * n + games.take(placed), how=np.subtract)
    if accursed.any():
        _clear_shamblers(table, games[accursed], towns[accursed])
    if not source:
        return accursed
    table.note("spawn", seat, games, town=towns, colour=colours.view(np.int8), accursed=accursed, source=source)
    if table.rules.loses_without_shamblers:
        left = state.mat_shamblers.take(games, axis=1).any(axis=0)
        lose(table, games[~left], "shamblers", SHAMBLERS)
    return accursed


def _clear_shamblers(table: Table, games: Games, towns: Bytes) -> None:
    """Accursed Shamblers: back to the Shambler Mat; the town's Eldritch to the Discard Mat, a fresh one comes."""
    state, n = table.state, table.n
    flat = state.shamblers.reshape(-1)
    for colour in range(3):
        place = (towns * np.intp(3) + colour) * n + games
        state.mat_shamblers[colour][games] += flat.take(place)
        flat[place] = 0
    lies = towns * np.intp(n) + games
    goes = state.town_eldritch.reshape(-1).take(lies)
    fresh = np.minimum(_ONE, state.eldritch_supply.take(games))
    state.discard[ELDRITCH][games] += goes
    state.eldritch_supply[games] -= fresh
    state.town_eldritch.reshape(-1)[lies] = fresh
    _count_accursed(table, games, SHAMBLERS_ACCURSED)
