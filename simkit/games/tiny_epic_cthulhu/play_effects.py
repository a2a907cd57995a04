"""Tiny Epic Cthulhu: Use a Town Action, and Player Abilities: effects that the seat steers. See `play.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import (
    COLOURS,
    KINDS,
    N_TOWNS,
    PLACES,
    Banish,
    Draw,
    Lure,
    Move,
    Reveal,
    Swap,
    Travel,
)
from simkit.games.tiny_epic_cthulhu.legal import Situation
from simkit.games.tiny_epic_cthulhu.play_dice import banish_one
from simkit.games.tiny_epic_cthulhu.play_powers import move_kind
from simkit.games.tiny_epic_cthulhu.state import ABILITY, TOWN_ACTION
from simkit.games.tiny_epic_cthulhu.tracks import alive, can_draw, draw_onto_seat
from simkit.state import add
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

STOP_COLOUR, STOP_PAGE = 3, N_TOWNS
"""Options of `tentacle` and of `page`: no more."""
REVEAL, SWAP = range(2)
TRAVEL, LURE = range(2)


def town_action(table: Table, seat: int, games: Games, choice: Bytes, extra: Mask) -> None:
    """Use a Town Action: that of the town one is in."""
    state = table.state
    state.origin[games] = TOWN_ACTION
    place = state.at[seat].take(games) * np.intp(table.n) + games
    sides = state.sides.reshape(-1).take(place)
    state.sides_used[seat][games] |= np.left_shift(1, sides, dtype=np.uint16)
    table.note("town", seat, games, side=sides, chaos=extra)
    for side, town in enumerate(table.rules.sides):
        mine = games[sides == side]
        if len(mine):
            carry_out(table, seat, mine, town.effects)


def ability(table: Table, seat: int, games: Games, choice: Bytes, extra: Mask) -> None:
    """Player Abilities: what the character can do, once a turn, without an action."""
    state = table.state
    state.origin[games] = ABILITY
    state.ability_used[games] = True
    who = state.characters[seat].take(games)
    table.note("ability", seat, games, character=who)
    for place, character in enumerate(table.rules.characters):
        mine = games[who == place]
        if len(mine):
            carry_out(table, seat, mine, character.effects)


def carry_out(table: Table, seat: int, games: Games, effects: Sequence[Any]) -> None:
    """Effects one after the other."""
    for effect in effects:
        games = alive(table, games)
        if len(games):
            _EFFECTS[type(effect)](table, seat, games, effect)


def _move(table: Table, seat: int, games: Games, effect: Move) -> None:
    """Tentacles change places: Madness one by one, of a colour that the seat chooses."""
    if effect.what != "madness":
        move_kind(table, seat, games, KINDS.index(effect.what), effect)
        return
    for moved in range(effect.n):
        movable = Situation(table, seat, games).movable(effect)
        some = any_of(movable).nonzero()[0]
        if not len(some):
            return
        games = games.take(some)
        legal = np.stack([*(mask.take(some) for mask in movable), np.ones(len(some), bool)])
        told = {"source": PLACES.index(effect.source), "target": PLACES.index(effect.target)}
        told["n_more"] = effect.n - moved
        offer = {name: np.full(len(games), value, np.uint8) for name, value in told.items()}
        choice = table.ask("tentacle", seat, games=games, legal=legal, **offer)
        going = (choice != STOP_COLOUR).nonzero()[0]
        games, colours = games.take(going), choice.take(going)
        if not len(games):
            return
        for place, how in ((effect.source, np.subtract), (effect.target, np.add)):
            tracks, first = _tracks(table, seat, games, place)
            add(tracks, first + colours * np.intp(table.n), 1, how)
        if table.observer is not None:
            _tell_moved(table, seat, games, colours, effect)


def _tracks(table: Table, seat: int, games: Games, place: str) -> tuple[Bytes, Games]:
    """The array that holds the Madness of a place, and where in it that of fear lies in each game."""
    state, n = table.state, np.intp(table.n)
    if place == "here":
        return state.madness, state.at[seat].take(games) * (np.intp(3) * n) + games
    return {"you": state.temper[seat], "mat": state.mat, "discard": state.discard, "bag": state.bag}[place], games


def _tell_moved(table: Table, seat: int, games: Games, colours: Bytes, effect: Move) -> None:
    """Tell what has moved."""
    for colour, name in enumerate(COLOURS):
        mine = games[colours == colour]
        moved = {"what": name, "source": effect.source, "target": effect.target}
        table.note("moved", seat, mine, **moved, number=np.ones(len(mine), np.uint8))


def _draw(table: Table, seat: int, games: Games, effect: Draw) -> None:
    """Draw from the bag onto one's own mat."""
    for _ in range(effect.n):
        draw_onto_seat(table, seat, can_draw(table, games), "effect")


def _ask_page(table: Table, seat: int, games: Games, towns: list[Mask], purpose: int) -> tuple[Games, Bytes]:
    """The town whose page is meant, in the games where there is one and the seat does not stop."""
    some = any_of(towns).nonzero()[0]
    if not len(some):
        return games[:0], np.zeros(0, np.uint8)
    games = games.take(some)
    legal = np.stack([*(mask.take(some) for mask in towns), np.ones(len(some), bool)])
    choice = table.ask("page", seat, games=games, legal=legal, purpose=np.full(len(games), purpose, np.uint8))
    going = (choice != STOP_PAGE).nonzero()[0]
    return games.take(going), choice.take(going)


def _reveal(table: Table, seat: int, games: Games, effect: Reveal) -> None:
    """Turn pages face up."""
    for _ in range(effect.n):
        games, towns = _ask_page(table, seat, games, Situation(table, seat, games).face_down, REVEAL)
        if not len(games):
            return
        turn_up(table, games, towns)
        if table.observer is not None:
            card = table.state.pages.reshape(-1).take(towns * np.intp(table.n) + games)
            table.note("reveal", seat, games, town=towns, card=card)


def turn_up(table: Table, games: Games, towns: Bytes) -> None:
    """A page is turned face up, and seen."""
    place = towns * np.intp(table.n) + games
    table.state.face_up.reshape(-1)[place] = True
    table.state.known.reshape(-1)[place] = True


def _swap(table: Table, seat: int, games: Games, effect: Swap) -> None:
    """The page here changes places with another."""
    state, n = table.state, np.intp(table.n)
    games, others = _ask_page(table, seat, games, Situation(table, seat, games).swappable, SWAP)
    if not len(games):
        return
    at = state.at[seat].take(games)
    here, there = at * n + games, others * n + games
    for name in ("pages", "face_up", "known"):
        array = getattr(state, name).reshape(-1)
        array[here], array[there] = array.take(there), array.take(here)
    table.note("swap", seat, games, town=at, other=others)


def _ask_town(table: Table, seat: int, games: Games, barred: list[Bytes], purpose: int) -> Bytes:
    """Any town but some."""
    towns = np.arange(N_TOWNS, dtype=np.uint8)[:, None]
    legal = np.logical_and.reduce([towns != town for town in barred])
    return table.ask("town", seat, games=games, legal=legal, purpose=np.full(len(games), purpose, np.uint8))


def _travel(table: Table, seat: int, games: Games, effect: Travel) -> None:
    """Go to another town, in Phase One not the Great Old One's."""
    state = table.state
    at, goo = state.at[seat].take(games), state.goo.take(games)
    barred = np.where(state.side.take(games) == 0, goo, at)
    state.at[seat][games] = town = _ask_town(table, seat, games, [at, barred], TRAVEL)
    state.must_leave[games] = False
    table.note("travel", seat, games, town=town)


def _lure(table: Table, seat: int, games: Games, effect: Lure) -> None:
    """The Great Old One goes to another town; whoever had to leave it need not any more."""
    state = table.state
    state.goo[games] = town = _ask_town(table, seat, games, [state.goo.take(games)], LURE)
    state.must_leave[games] &= town == state.at[seat].take(games)
    table.note("lure", seat, games, town=town)


def _banish(table: Table, seat: int, games: Games, effect: Banish) -> None:
    """Banish with fewer dice, where a Shambler is."""
    games = games[Situation(table, seat, games).has_shamblers]
    if len(games):
        banish_one(table, seat, games, np.zeros(len(games), bool), effect.n, "effect")


_EFFECTS: dict[type, Any] = {
    Move: _move,
    Draw: _draw,
    Reveal: _reveal,
    Swap: _swap,
    Travel: _travel,
    Lure: _lure,
    Banish: _banish,
}
