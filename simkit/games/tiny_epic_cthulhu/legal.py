"""Tiny Epic Cthulhu: what a seat may do with an action, computed for many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import (
    COLOURS,
    KINDS,
    N_NUMBERS,
    N_TOWNS,
    Banish,
    Draw,
    Lure,
    Move,
    Reveal,
    Swap,
    Travel,
)
from simkit.games.tiny_epic_cthulhu.rules import MOST_STEPS
from simkit.games.tiny_epic_cthulhu.state import NO_CARD, OPEN
from simkit.games.tiny_epic_cthulhu.tracks import pile
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

BACK = MOST_STEPS
"""First option of moves back, 1 to 4 towns; those clockwise come before."""
COLLECT, BANISH, TOWN, TRANSLATE, SEAL_PORTAL, USE_ABILITY, END_TURN = range(2 * MOST_STEPS, 2 * MOST_STEPS + 7)
OPTIONS = (
    *(f"{steps} clockwise" for steps in range(1, MOST_STEPS + 1)),
    *(f"{steps} back" for steps in range(1, MOST_STEPS + 1)),
    *("collect", "banish", "town action", "translate", "seal", "ability", "stop"),
)
_ONE = np.uint8(1)


class Situation:
    """Where a seat is in some games, and what it has; everything (..., k).

    Parameters
    ----------
    games : intp (k,)
    pays : bool (k,), optional
        Where the action itself would cost a Chaos.
    """

    def __init__(self, table: Table, seat: int, games: Games, pays: Mask | None = None) -> None:
        self.table, self.state, self.rules = table, table.state, table.rules
        self.seat, self.games = seat, games
        self.pays = np.zeros(len(games), bool) if pays is None else pays
        self.at = self.state.at[seat].take(games)
        self.place = self.at * np.intp(table.n) + games

    def _here(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What an array (towns, n) has at the seat's town."""
        return array.reshape(-1).take(self.place)

    def _three_here(self, array: Bytes) -> list[Bytes]:
        """What an array (towns, 3, n) has at the seat's town, by colour."""
        n = self.table.n
        first = self.place + self.at * np.intp(2 * n)
        return [array.reshape(-1).take(first + colour * n) for colour in range(3)]

    @cached_property
    def chaos(self) -> Bytes:
        """Own Chaos, what the action itself costs paid."""
        own: Bytes = self.state.chaos[self.seat].take(self.games)
        return own - self.pays

    @cached_property
    def temper(self) -> Bytes:
        """Own Madness, uint8 (3, k)."""
        return self.state.temper[self.seat].take(self.games, axis=1)

    @cached_property
    def character(self) -> Bytes:
        """Who the seat plays."""
        return self.state.characters[self.seat].take(self.games)

    @cached_property
    def goo(self) -> Bytes:
        """Town of the Great Old One."""
        return self.state.goo.take(self.games)

    @cached_property
    def in_phase_two(self) -> Mask:
        """The mat has been flipped."""
        return self.state.side.take(self.games) != 0

    @cached_property
    def shamblers(self) -> list[Bytes]:
        """Shamblers here, by colour."""
        return self._three_here(self.state.shamblers)

    @cached_property
    def has_shamblers(self) -> Mask:
        """Whether any are here."""
        return (self.shamblers[0] | self.shamblers[1] | self.shamblers[2]) != 0

    @cached_property
    def madness(self) -> list[Bytes]:
        """Madness on the town's tracks, by colour."""
        return self._three_here(self.state.madness)

    @cached_property
    def town_side(self) -> Bytes:
        """Side of the town card here."""
        return self._here(self.state.sides)

    @cached_property
    def page(self) -> Bytes:
        """Page here, face up or down."""
        return self._here(self.state.pages)

    @cached_property
    def face_up(self) -> Mask:
        """Whether the page here lies face up."""
        return self._here(self.state.face_up)

    def passive(self, name: str) -> Bytes:
        """What the seat's character always has of something."""
        return self.rules.passives[name].take(self.character)

    # ------------------------------------------------------------------------------------------------------- actions

    @cached_property
    def reach(self) -> Bytes:
        """Towns that a move may go."""
        return np.minimum(self.temper[0] + _ONE + self.passive("steps"), np.uint8(MOST_STEPS))

    def moves(self) -> list[Mask]:
        """Which moves are open, clockwise and back: in Phase One not through the Great Old One's town."""
        clockwise = (self.goo + np.uint8(N_TOWNS) - self.at) % np.uint8(N_TOWNS)
        is_free = self.in_phase_two | (clockwise == 0)
        ways = []
        for distance in (clockwise, np.uint8(N_TOWNS) - clockwise):
            ways += [(self.reach >= k) & (is_free | (distance > k)) for k in range(1, MOST_STEPS + 1)]
        if self.rules.move_distance == "exact":
            exact = [way & (self.reach == 1 + place % MOST_STEPS) for place, way in enumerate(ways)]
            some = any_of(exact)
            ways = [np.where(some, far, way) for far, way in zip(exact, ways, strict=True)]
        return ways

    def can_collect(self) -> list[Mask]:
        """Which colours may be collected."""
        length = self.rules.temperament_track
        return [(here != 0) & (own < length) for here, own in zip(self.madness, self.temper, strict=True)]

    def can_translate(self) -> Mask:
        """The page here lies face up, has a free space, and can be paid."""
        rules, card = self.rules, np.where(self.page == NO_CARD, np.uint8(0), self.page)
        lack = np.zeros(len(card), np.uint8)
        for colour in range(3):
            cost = rules.page_costs[:, colour].take(card)
            lack += cost - np.minimum(cost, self.temper[colour])
        return self.face_up & (self.page != NO_CARD) & (lack <= self.chaos) & self._has_space(card)

    def _has_space(self, card: Bytes) -> Mask:
        """Whether a number of the card has a free space in its row."""
        rows = self.state.rows.take(self.games, axis=1)
        shows = self.rules.page_numbers
        return any_of([(rows[number] < N_NUMBERS) & shows[:, number].take(card) for number in range(N_NUMBERS)])

    def sealable(self) -> list[Mask]:
        """Which portals may be tried."""
        portals = self.state.portals.take(self.games, axis=1)
        runes = self.state.runes[self.seat].take(self.games, axis=1)
        may = self.in_phase_two & (self.goo == self.at)
        colours = [may & (runes[c] != 0) & ((self.temper[c] | self.chaos) != 0) for c in range(3)]
        return [(portals[portal] == OPEN) & colours[portal // 2] for portal in range(len(portals))]

    # ------------------------------------------------------------------------------------------------------- effects

    def can_use_town(self) -> Mask:
        """Whether the action of the town here can do anything."""
        if self.rules.town_actions == "none":
            return np.zeros(len(self.games), bool)
        return any_of(
            [
                (self.town_side == side) & self.possible(town.effects, self.pays)
                for side, town in enumerate(self.rules.sides)
            ]
        )

    def can_use_ability(self) -> Mask:
        """Whether the ability is unused and can do anything."""
        can = no_payment = np.zeros(len(self.games), bool)
        if self.rules.abilities == "none":
            return can
        for place, character in enumerate(self.rules.characters):
            if character.effects:
                can = can | (self.character == place) & self.possible(character.effects, no_payment)
        return can & ~self.state.ability_used.take(self.games)

    def possible(self, effects: Sequence[Any], pays: Mask) -> Mask:
        """Whether one of the effects can do anything, where some pay a Chaos first."""
        if not effects:
            return np.zeros(len(self.games), bool)
        return any_of([self._possible(effect, pays) for effect in effects])

    def _possible(self, effect: Any, pays: Mask) -> Mask:
        """Whether an effect can do anything."""
        if isinstance(effect, Travel | Lure):
            return np.ones(len(self.games), bool)
        if isinstance(effect, Banish):
            return self.has_shamblers
        if isinstance(effect, Draw):
            return any_of(self.state.bag.take(self.games, axis=1) != 0)
        if isinstance(effect, Reveal):
            return any_of(self.face_down)
        if isinstance(effect, Swap):
            return any_of(self.swappable)
        return any_of(self.movable(effect)) if effect.what == "madness" else self._can_move(effect, pays)

    @cached_property
    def face_down(self) -> list[Mask]:
        """Towns with a page that lies face down."""
        state = self.state
        return [
            (pages.take(self.games) != NO_CARD) & ~up.take(self.games)
            for pages, up in zip(state.pages, state.face_up, strict=True)
        ]

    @cached_property
    def swappable(self) -> list[Mask]:
        """Towns whose page may change places with the one here."""
        has_page = self.page != NO_CARD
        return [
            has_page & (self.at != town) & (pages.take(self.games) != NO_CARD)
            for town, pages in enumerate(self.state.pages)
        ]

    def movable(self, effect: Move) -> list[Mask]:
        """Which colours of Madness a move can move."""
        sources, room = self._madness_at(effect.source), self._room_at(effect.target)
        return [(source != 0) & free for source, free in zip(sources, room, strict=True)]

    def _can_move(self, effect: Move, pays: Mask) -> Mask:
        """Whether Chaos or Eldritch can move; a Chaos that is paid first lies in the supply."""
        can = pile(self.table, effect.source, KINDS.index(effect.what)).take(self.games) != 0
        if effect.what == "chaos" and effect.source == "supply":
            can |= pays
        if effect.target == "you":
            can &= self.state.chaos[self.seat].take(self.games) - pays < self.rules.chaos_track
        return can

    def _madness_at(self, place: str) -> Sequence[Bytes]:
        """Madness at a place, by colour."""
        if place == "here":
            return self.madness
        if place == "you":
            return list(self.temper)
        return [pile(self.table, place, colour).take(self.games) for colour in range(len(COLOURS))]

    def _room_at(self, place: str) -> Sequence[Any]:
        """Whether a Madness more may lie at a place, by colour."""
        if place == "you":
            return list(self.temper < self.rules.temperament_track)
        if place == "here":
            return [here < self.rules.madness_track for here in self.madness]
        return [True, True, True]


def legal_actions(situation: Situation, left: Bytes) -> Mask:
    """Player Actions open with so many regular ones left, uint8 (k,), or paid with Chaos; bool (options, k)."""
    rules, state, games = situation.rules, situation.state, situation.games
    must = state.must_leave.take(games)
    may_act = (left != 0) | situation.pays
    may_stay = may_act & ~must if rules.leaves_first else may_act & ~(must & (left == 1))
    legal = np.empty((len(OPTIONS), len(games)), bool)
    for option, way in enumerate(situation.moves()):
        legal[option] = way & may_act
    legal[COLLECT] = any_of(situation.can_collect()) & may_stay
    legal[BANISH] = situation.has_shamblers & may_stay
    legal[TOWN] = situation.can_use_town() & may_stay
    legal[TRANSLATE] = situation.can_translate() & may_stay
    legal[SEAL_PORTAL] = any_of(situation.sealable()) & may_stay if situation.in_phase_two.any() else False
    legal[USE_ABILITY] = situation.can_use_ability()
    legal[END_TURN] = ~must
    return legal
