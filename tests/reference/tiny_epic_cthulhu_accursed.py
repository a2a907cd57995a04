"""Tiny Epic Cthulhu in plain Python: drawing tentacles, placing them and Shamblers, and what becomes accursed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .tiny_epic_cthulhu_table import CHAOS, COLOURS, ELDRITCH, MADNESS, NONE, Event, Script, Table

TRIGGERS = (
    "none", "wheel draw", "stop", "power by wheel", "power by madness", "town action", "ability", "spin", "pointer",
    "seal",
)  # fmt: skip
TRACKS = ("none", "energy", *COLOURS, "shambler")
POWERS = ("none", *COLOURS)
KINDS = (*COLOURS, "chaos", "eldritch")


class Accursed(Table):
    """The chapters Accursed and The Great Old One: tracks that fill up, and what follows."""

    @contextmanager
    def _under_way(self, trigger: str, power: str = "none") -> Iterator[None]:
        """What would be named if the game ended now."""
        before = self.trigger, self.power
        self.trigger, self.power = trigger, power
        yield
        self.trigger, self.power = before

    # Tentacles out of the bag

    def _draw_into_town(self) -> Script[int]:
        """One tentacle drawn at the wheel; the colour of a Madness Track that became accursed, or none."""
        event = yield from self._next("draw", self.active, source="wheel")
        kind = self._out_of_the_bag(event)
        self.totals["n_draws"] += 1
        is_accursed = self._put_into_town(kind) if kind in MADNESS else self._put_elsewhere(self.active, kind)
        self._fit(event, accursed=is_accursed)
        self._check_state(event)
        if is_accursed and kind == ELDRITCH:
            yield from self._strengthen(self.active)
        return kind if is_accursed and kind in MADNESS else NONE

    def _draw_onto_mat(self, seat: int, source: str) -> Script[None]:
        """One tentacle drawn onto a Player Mat, when stopping beside Shamblers or by an effect."""
        event = yield from self._next("draw", seat, source=source)
        kind = self._out_of_the_bag(event)
        self.counts[seat]["n_stop_draws"] += source == "stop"
        is_accursed = self._put_onto_mat(seat, kind) if kind in MADNESS else self._put_elsewhere(seat, kind)
        self._fit(event, accursed=is_accursed)
        self._check_state(event)
        if is_accursed and kind == ELDRITCH:
            yield from self._strengthen(seat)
        elif is_accursed:
            yield from self._go_delirious(seat, kind)

    def _out_of_the_bag(self, event: Event) -> int:
        """The kind of tentacle that was drawn; the bag must have held one."""
        kind = event["kind"]
        if kind not in range(5) or not self.bag[kind]:
            self._refuse(f"a tentacle out of the bag {self.bag}", kind)
        self.bag[kind] -= 1
        self._count("draws", self.trigger, KINDS[kind])
        return kind

    # Where they are placed

    def _put_into_town(self, colour: int) -> bool:
        """Madness Track of the pointer's town; accursed, all of it goes to the Shambler Mat."""
        track = self.madness[self.pointer]
        track[colour] += 1
        if track[colour] <= self.rules["madness_track"]:
            return False
        self.mat[colour] += track[colour]
        track[colour] = 0
        self.totals["n_accursed"] += 1
        self._count("accursed", self.trigger, f"madness {COLOURS[colour]}")
        return True

    def _put_onto_mat(self, seat: int, colour: int) -> bool:
        """Temperament Track; accursed, all of it goes to the Shambler Mat."""
        track = self.temper[seat]
        track[colour] += 1
        if track[colour] <= self.rules["temperament_track"]:
            return False
        self.mat[colour] += track[colour]
        track[colour] = 0
        self._count("accursed", self.trigger, f"temper {COLOURS[colour]}")
        return True

    def _put_elsewhere(self, seat: int, kind: int) -> bool:
        """Chaos onto the seat's Chaos Track, Eldritch onto the Energy Track."""
        if kind == CHAOS:
            self._take_chaos(seat)
            return False
        return self._energize()

    def _take_chaos(self, seat: int) -> None:
        """The Chaos Track cannot be accursed: what cannot be placed is lost to the supply."""
        if self.chaos[seat] < self.rules["chaos_track"]:
            self.chaos[seat] += 1
        else:
            self._note("chaos lost to the supply")
            self.chaos_supply += 1

    def _energize(self) -> bool:
        """Energy Track; accursed, it goes to the bag with the Madness and Chaos of the Discard Mat."""
        self.energy += 1
        if self.energy <= self.rules["energy_track"][self.side]:
            return False
        self._note("energy accursed with an empty bag", not any(self.bag))
        self._count("accursed", self.trigger, "energy")
        self._empty_energy()
        does_return = self._ruling("eldritch_returns") == "yes"
        self._note(f"discarded Eldritch {'returns' if does_return else 'stays'}", self.discard[ELDRITCH] > 0)
        self._empty_discard((*MADNESS, CHAOS, ELDRITCH) if does_return else (*MADNESS, CHAOS))
        return True

    def _empty_energy(self) -> None:
        self.bag[ELDRITCH] += self.energy
        self.energy = 0

    def _empty_discard(self, kinds: tuple[int, ...]) -> None:
        for kind in kinds:
            self.bag[kind] += self.discard[kind]
            self.discard[kind] = 0

    # Consequences

    def _strengthen(self, seat: int) -> Script[None]:
        """The Strength Token advances one space, told of the seat that drew; on the last space the game is lost."""
        self.strength += 1
        self.totals["n_strength"] += 1
        yield from self._next_and_check("strength", seat)
        if self.strength == len(self.draws[self.side]):
            self._note(f"strength lost on the {'back' if self.side else 'front'}")
            self._end_now("strength", "energy")

    def _go_delirious(self, seat: int, colour: int) -> Script[None]:
        """The Brain Token moves up; the first time it is put on the bottom space, where it may already lie."""
        is_there_already = self.rules["brain_at_start"] and not self.has_been_accursed[seat]
        self._note("first accursed leaves the Brain Token where it is", is_there_already)
        self._note("another seat's temperament accursed", seat != self.active)
        self.has_been_accursed[seat] = True
        self.brain[seat] += not is_there_already
        yield from self._next_and_check("delirium", seat)
        if self.brain[seat] == self.rules["delirium"]:
            self._note("chain: wheel, power, temperament, loss", self.power != "none")
            self._note("a seat goes mad in another's turn", seat != self.active)
            self._end_now("delirium", COLOURS[colour])

    # Shamblers

    def _spawn(self, town: int, wanted: int, source: str) -> Script[bool]:
        """A Shambler onto a town's track; whether it became accursed."""
        self._note("fresh Eldritch not available", self._would_be_accursed(town) and not self.eldritch_supply)
        self._note("accursed where no Eldritch lies", self._would_be_accursed(town) and not self.town_eldritch[town])
        colour, is_accursed = self._put_shambler(town, wanted)
        self._note("no Shambler left to spawn", colour == NONE)
        self._note("Shambler of the next colour", colour == (wanted + 1) % 3)
        self._note("Shambler of the colour after the next", colour == (wanted + 2) % 3)
        if is_accursed:
            self._count("accursed", self.trigger, "shambler")
        yield from self._next_and_check("spawn", town=town, colour=colour, accursed=is_accursed, source=source)
        if self._ruling("shamblers_lose") == "yes" and not any(self.mat_shamblers):
            self._end_now("shamblers", "shambler")
        return is_accursed

    def _would_be_accursed(self, town: int) -> bool:
        return any(self.mat_shamblers) and sum(self.shamblers[town]) == self.rules["shambler_track"]

    def _put_shambler(self, town: int, wanted: int) -> tuple[int, bool]:
        """The Shambler's colour, the next one if it is unavailable, and whether the track became accursed."""
        colour = next((c % 3 for c in range(wanted, wanted + 3) if self.mat_shamblers[c % 3]), NONE)
        if colour == NONE:
            return NONE, False
        self.mat_shamblers[colour] -= 1
        self.shamblers[town][colour] += 1
        if sum(self.shamblers[town]) <= self.rules["shambler_track"]:
            return colour, False
        self._clear_shamblers(town)
        return colour, True

    def _clear_shamblers(self, town: int) -> None:
        """All to the Shambler Mat; the town's Eldritch is discarded and a fresh one comes from the supply."""
        for colour, n in enumerate(self.shamblers[town]):
            self.mat_shamblers[colour] += n
        self.shamblers[town] = [0, 0, 0]
        self.discard[ELDRITCH] += self.town_eldritch[town]
        self._note("fresh Eldritch where none lay", self.eldritch_supply > self.town_eldritch[town] == 0)
        self.town_eldritch[town] = min(1, self.eldritch_supply)
        self.eldritch_supply -= self.town_eldritch[town]
