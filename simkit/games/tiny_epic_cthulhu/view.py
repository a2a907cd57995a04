"""What the table may know at Tiny Epic Cthulhu: everything but pages never seen, and the luck to come."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import N_TOWNS
from simkit.games.tiny_epic_cthulhu.state import NO_CARD, OPEN
from simkit.view import View, read_only

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


class TinyEpicCthulhuView(View):
    """A decision of Tiny Epic Cthulhu.

    Colours are 0 fear, 1 rage, 2 greed; kinds of tentacle add 3 chaos and 4 eldritch. Towns 0 to 4 lie clockwise round
    the wheel. Portals are 0 and 1 of fear, 2 and 3 of rage, 4 and 5 of greed. `left` is how many seats to the left: 0
    is the seat that is asked. What page cards show is in `rules.page_costs`, `rules.page_numbers`, `rules.page_runes`.

    Attributes
    ----------
    way : uint8 (4, n)
        flip: the town that each option means; 255 beyond the move.
    n_more : uint8 (n,)
        collect, tentacle: how many may still be taken, this one included.
    dice : uint8 (dice, n)
        banish, reroll_banish, reroll_seal: faces; 255 for dice not rolled.
    n_rerolls : uint8 (n,)
        reroll_banish, reroll_seal: dice that may be rolled again.
    portal, need : uint8 (n,)
        reroll_seal: the portal, and the number to reach. chaos_paid: `need` is the number of tentacles to pay.
    cost : uint8 (n,)
        banish: tentacles to pay.
    colour : uint8 (n,)
        chaos_paid: what Chaos would stand for.
    purpose : uint8 (n,)
        chaos_paid: 0 banish, 1 translate, 2 seal. page: 0 turn it up, 1 swap it. town: 0 travel, 1 lure.
    source, target : uint8 (n,)
        tentacle: places, as in `simkit.games.tiny_epic_cthulhu.cards.PLACES`.
    """

    # ------------------------------------------------------------------------------------------- the Great Old One

    @cached_property
    def goo(self) -> Bytes:
        """Town of the Great Old One, uint8 (n,)."""
        return self.look(self._table.state.goo)

    @cached_property
    def is_phase_two(self) -> Mask:
        """Whether the Necronomicon is translated, bool (n,)."""
        return read_only(self.look(self._table.state.side) != 0)

    @cached_property
    def strength(self) -> Bytes:
        """Steps of the Strength Token on this side, uint8 (n,)."""
        return self.look(self._table.state.strength)

    @cached_property
    def strength_left(self) -> Bytes:
        """Steps to the last space, which loses the game, uint8 (n,)."""
        last = np.array(self.rules.last_space, np.uint8)
        return read_only(last.take(self.look(self._table.state.side)) - self.strength)

    @cached_property
    def n_draws(self) -> Bytes:
        """Tentacles that the next spin draws, but for its icon, uint8 (n,)."""
        side = self.look(self._table.state.side)
        spaces = self.rules.draw_table.shape[1]
        return read_only(self.rules.draw_table.reshape(-1).take(side * np.uint8(spaces) + self.strength))

    @cached_property
    def energy(self) -> Bytes:
        """Eldritch on the Energy Track, uint8 (n,)."""
        return self.look(self._table.state.energy)

    @cached_property
    def energy_room(self) -> Bytes:
        """Free spaces of the Energy Track; one Eldritch more makes it accursed, uint8 (n,)."""
        length = np.array(self.rules.energy_track, np.uint8).take(self.look(self._table.state.side))
        return read_only(length - np.minimum(length, self.energy))

    @cached_property
    def is_sealed(self) -> Mask:
        """Portals that are sealed, bool (6, n)."""
        return read_only(self.look(self._table.state.portals) != OPEN)

    # -------------------------------------------------------------------------------------------------- tentacles

    @cached_property
    def bag(self) -> Bytes:
        """Tentacles in the bag by kind, which can be counted, uint8 (5, n)."""
        return self.look(self._table.state.bag)

    @cached_property
    def discard(self) -> Bytes:
        """Tentacles on the Discard Mat by kind, uint8 (5, n)."""
        return self.look(self._table.state.discard)

    @cached_property
    def mat(self) -> Bytes:
        """Madness on the Shambler Mat by colour, uint8 (3, n)."""
        return self.look(self._table.state.mat)

    @cached_property
    def mat_shamblers(self) -> Bytes:
        """Shamblers on the Shambler Mat by colour, uint8 (3, n)."""
        return self.look(self._table.state.mat_shamblers)

    @cached_property
    def chaos_supply(self) -> Bytes:
        """Chaos in the supply, uint8 (n,)."""
        return self.look(self._table.state.chaos_supply)

    @cached_property
    def eldritch_supply(self) -> Bytes:
        """Eldritch in the supply, uint8 (n,)."""
        return self.look(self._table.state.eldritch_supply)

    # ------------------------------------------------------------------------------------------------------- towns

    @cached_property
    def madness(self) -> Bytes:
        """Madness on the towns' tracks, uint8 (5, 3, n)."""
        return self.look(self._table.state.madness)

    @cached_property
    def shamblers(self) -> Bytes:
        """Shamblers in the towns by colour, uint8 (5, 3, n)."""
        return self.look(self._table.state.shamblers)

    @cached_property
    def n_shamblers(self) -> Bytes:
        """Shamblers in each town, uint8 (5, n)."""
        towns = self.shamblers
        return read_only(towns[:, 0] + towns[:, 1] + towns[:, 2])

    @cached_property
    def sides(self) -> Bytes:
        """Side of each town's card that lies up, as in `rules.sides`, uint8 (5, n)."""
        return self.look(self._table.state.sides)

    @cached_property
    def page(self) -> Bytes:
        """Page card at each town as far as it has been seen, else 255; uint8 (5, n)."""
        return read_only(np.where(self.look(self._table.state.known), self._pages, np.uint8(NO_CARD)))

    @cached_property
    def _pages(self) -> Bytes:
        """Page cards, seen or not."""
        return self.look(self._table.state.pages)

    @cached_property
    def has_page(self) -> Mask:
        """Towns where a page lies, bool (5, n)."""
        return read_only(self._pages != NO_CARD)

    @cached_property
    def face_up(self) -> Mask:
        """Towns whose page lies face up, bool (5, n)."""
        return self.look(self._table.state.face_up)

    @cached_property
    def pointer_town(self) -> Bytes:
        """Town that the pointer is at this turn, uint8 (n,)."""
        return self.look(self._table.state.town)

    @cached_property
    def rows(self) -> Bytes:
        """Tokens on the Necronomicon by number, uint8 (5, n)."""
        return self.look(self._table.state.rows)

    # ------------------------------------------------------------------------------------------------------- seats

    def at(self, left: int = 0) -> Bytes:
        """Town of a seat's token, uint8 (n,)."""
        return self.look(self._table.state.at[self._seat(left)])

    def temper(self, left: int = 0) -> Bytes:
        """Madness on a seat's Temperament Tracks, uint8 (3, n)."""
        return self.look(self._table.state.temper[self._seat(left)])

    def chaos(self, left: int = 0) -> Bytes:
        """Chaos on a seat's Chaos Track, uint8 (n,)."""
        return self.look(self._table.state.chaos[self._seat(left)])

    def brain(self, left: int = 0) -> Bytes:
        """Space of a seat's Brain Token, 0 off the track, uint8 (n,)."""
        return self.look(self._table.state.brain[self._seat(left)])

    def runes(self, left: int = 0) -> Bytes:
        """Runes of a seat by colour, uint8 (3, n)."""
        return self.look(self._table.state.runes[self._seat(left)])

    def character(self, left: int = 0) -> Bytes:
        """Who a seat plays, as in `rules.characters`, uint8 (n,)."""
        return self.look(self._table.state.characters[self._seat(left)])

    def passive(self, name: str, left: int = 0) -> Bytes:
        """What a seat's character always has: steps, collects, rerolls, banish_dice or stop_draws, uint8 (n,)."""
        return read_only(self.rules.passives[name].take(self.character(left)))

    @cached_property
    def actions_left(self) -> Bytes:
        """Regular actions left this turn, uint8 (n,)."""
        return self.look(self._table.state.left)

    @cached_property
    def must_leave(self) -> Mask:
        """Whether the seat must leave the Great Old One, bool (n,)."""
        return self.look(self._table.state.must_leave)

    @cached_property
    def ability_used(self) -> Mask:
        """Whether the ability was used this turn, bool (n,)."""
        return self.look(self._table.state.ability_used)

    # --------------------------------------------------------------------------------------------------- positions

    def ahead(self, array: npt.NDArray[Any], steps: int = 0) -> npt.NDArray[Any]:
        """What an array (5, ..., n) has at the town so many steps clockwise from the seat's own, (..., n)."""
        town = (self.at() + np.uint8(steps % N_TOWNS)) % np.uint8(N_TOWNS)
        found = array[0] * (town == 0)
        for place in range(1, N_TOWNS):
            found = found + array[place] * (town == place)
        return found

    def here(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What an array (5, ..., n) has at the seat's own town, (..., n)."""
        return self.ahead(array)

    def _seat(self, left: int) -> int:
        """The seat so many places to the left."""
        return (self.seat + left) % self.seats
