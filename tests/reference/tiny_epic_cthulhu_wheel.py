"""Tiny Epic Cthulhu in plain Python: Step 1, the spin of the Wheel of Madness and what it brings."""

from __future__ import annotations

from .tiny_epic_cthulhu_effects import Effects
from .tiny_epic_cthulhu_table import CHAOS, COLOURS, MADNESS, NONE, Script, Spin, spins

ICONS = ("madness", "shambler", "chaos", "draw", *(f"{colour} power" for colour in COLOURS))


class Wheel(Effects):
    """The chapter Step 1: Spin the Wheel of Madness."""

    def _spin_the_wheel(self) -> Script[None]:
        """The spinner stops; resolve it in the rulebook's order."""
        event = yield from self._next("spin")
        self.was_beside = not self.is_phase_two and self.goo == self.here
        self.spin = self._spin_of(event["segment"], event["tail"], event["colour"])
        self._fit(event, town=self.pointer)
        self._check_state(event)
        wanted = event["colour"]
        icon = self.rules["wheel"][self.spin.segment]
        self.coverage["icon", icon] += 1
        yield from self._pointer_action(icon, wanted)
        yield from self._draw_tentacles(icon)
        yield from self._spawn_shambler(wanted)

    def _spin_of(self, segment: int, tail: int, colour: int) -> Spin:
        """The spin that is told, which must be possible."""
        for spin in spins(self.rules):
            if (spin.segment, spin.tail) == (segment, tail) and self._colour_of(spin) == colour:
                return spin
        return self._refuse("a spin that the wheel allows", (segment, tail, colour))

    # Pointer Actions

    def _pointer_action(self, icon: str, wanted: int) -> Script[None]:
        """The icon that the pointer-side points to."""
        moved = NONE
        if icon == "madness":
            moved = yield from self._move_from_the_mat()
        elif icon == "chaos":
            self._note("no Chaos in the supply", not self.chaos_supply)
            n = min(1, self.chaos_supply)
            self.chaos_supply -= n
            self.discard[CHAOS] += n
        yield from self._next_and_check("pointer", icon=icon, colour=moved)
        if icon == "shambler":
            at_tail = self.rules["pointer_shambler"] == "tail"
            with self._under_way("pointer"):
                yield from self._spawn(self.spin.tail if at_tail else self.pointer, wanted, "pointer")
        elif icon.endswith(" power"):
            yield from self._unleash(COLOURS.index(icon.removesuffix(" power")), "wheel")

    def _move_from_the_mat(self) -> Script[int]:
        """One Madness Tentacle of the active seat's choice from the Shambler Mat to the Discard Mat."""
        colours = [colour for colour in MADNESS if self.mat[colour]]
        self._note("no Madness on the Shambler Mat", not colours)
        if not colours:
            return NONE
        colour = yield from self._choose("wheel_madness", colours)
        self.mat[colour] -= 1
        self.discard[colour] += 1
        return colour

    # Draw Tentacles

    def _draw_tentacles(self, icon: str) -> Script[None]:
        """As many as stand to the right of the Strength Token, or as many as there are in the bag."""
        number = self.draws[self.side][self.strength] + (icon == "draw")
        strength, accursed = self.strength, [0, 0, 0]
        self._note("bag empty before the draws", number > 0 and not any(self.bag))
        for n_drawn in range(number):
            if not any(self.bag):
                self._note("bag runs empty in mid-draw", n_drawn > 0)
                break
            self._note("drawn on after the Energy Track was accursed", self.strength > strength)
            is_last = sum(self.bag) == 1
            with self._under_way("wheel draw"):
                colour = yield from self._draw_into_town()
            self._note("drawn on from a bag refilled in mid-draw", is_last and any(self.bag) and n_drawn < number - 1)
            if colour != NONE:
                accursed[colour] += 1
                self._note("a Madness Track accursed twice in one spin", accursed[colour] == 2)
                self._note("two Madness Tracks accursed in one spin", sum(map(bool, accursed)) == 2)
                if self.rules["powers_resolve"] == "at-once":
                    self._note("power before the last draw", n_drawn < number - 1)
                    yield from self._unleash(colour, "madness")
        if self.rules["powers_resolve"] == "after-draws":
            for colour, n in enumerate(accursed):
                for _ in range(n):
                    self._note("power after the draws")
                    yield from self._unleash(colour, "madness")

    # Powers of the Great Old One

    def _unleash(self, colour: int, cause: str) -> Script[None]:
        """The power of the colour, by the wheel or by an accursed Madness Track (ambiguity 16)."""
        if self.rules["powers"] == "none" or self._is_stopped(colour):
            return
        great_old_one = self.rules[self.rules["great_old_one"]]
        powers = (great_old_one.get("back_powers") if self.is_phase_two else None) or great_old_one["powers"]
        effects = list(powers.get(COLOURS[colour]) or ())
        self.coverage["power", colour, cause] += 1
        self.coverage["unleashed", self.rules["great_old_one"], self.side, colour] += 1
        self._note("power without effects", not effects)
        with self._under_way(f"power by {cause}", COLOURS[colour]):
            yield from self._next_and_check("power", colour=colour, cause=cause)
            yield from self._carry_out(effects * (2 if self.rules["powers"] == "twice" else 1), "power", colour)

    # Spawn Shambler, Move the Great Old One

    def _spawn_shambler(self, wanted: int) -> Script[None]:
        """A Shambler at the tail's town, where the Great Old One follows (ambiguity 8)."""
        tail = self.spin.tail
        with self._under_way("spin"):
            is_accursed = yield from self._spawn(tail, wanted, "spin")
        self._note("Great Old One stays where it is", self.goo == tail)
        does_follow = not is_accursed or self.rules["follows_accursed"]
        if self.goo != tail and is_accursed:
            self._note(f"Great Old One {'follows' if does_follow else 'does not follow'} an accursed spawn")
        if does_follow:
            self.goo = tail
        yield from self._next_and_check("great_old_one", town=self.goo)
