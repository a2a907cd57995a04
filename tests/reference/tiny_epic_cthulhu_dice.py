"""Tiny Epic Cthulhu in plain Python: the Cthulhu Dice, banishing Shamblers and sealing portals."""

from __future__ import annotations

from .tiny_epic_cthulhu_accursed import Accursed
from .tiny_epic_cthulhu_table import (
    BANISH,
    CHAOS,
    MADNESS,
    NONE,
    NOT_ROLLED,
    NOT_THERE,
    OPEN,
    RAGE,
    SEAL,
    Event,
    Script,
    listed,
)

NO_COLOUR = 3  # the option of banish after the colours


class Dice(Accursed):
    """The chapters Cthulhu Dice, Banish Shamblers and Seal the Portals."""

    # Cthulhu Dice

    def _roll(self, n: int, purpose: str, is_chaos: bool, **offer: int) -> Script[list[int]]:
        """So many dice; the Delirium Track lets one, two or three of them be rolled again."""
        event = yield from self._next("roll", purpose=purpose, chaos=is_chaos)
        dice = self._dice_of(event, n)
        self._check_state(event)
        left, n_rerolls = min(self.brain[self.active], 3) + self._passive("rerolls"), 0
        while left > 0:
            masks = [mask for mask in range(1 << n) if mask.bit_count() <= left]
            told = dice + [NOT_THERE] * (self.rules["n_dice"] - n)
            mask = yield from self._choose(f"reroll_{purpose}", masks, dice=told, n_rerolls=left, **offer)
            if not mask:
                break
            dice = yield from self._reroll(dice, mask)
            left, n_rerolls = left - mask.bit_count(), n_rerolls + 1
            self._note("reroll of several dice", mask.bit_count() > 1)
            self._note("rerolls left unused", left > 0 and self.rules["rerolls"] == "once")
            self._note("one roll rerolled more than once", n_rerolls > 1)
            if self.rules["rerolls"] == "once":
                break
        return dice

    def _reroll(self, dice: list[int], mask: int) -> Script[list[int]]:
        """The dice with those of the mask rolled again."""
        event = yield from self._next("reroll")
        found = self._dice_of(event, len(dice))
        for i, (old, new) in enumerate(zip(dice, found, strict=True)):
            if not mask >> i & 1:
                self._agree(f"die {i} that is kept", old, new)
        self._check_state(event)
        return found

    def _dice_of(self, event: Event, n: int) -> list[int]:
        """So many dice with faces that the die has; the others are told as not rolled."""
        faces = [face for face, count in enumerate(self.rules["die"]) if count]
        told = listed(event["dice"])
        rest = [NOT_ROLLED] * (self.rules["n_dice"] - n)
        if told[n:] != rest or any(face not in faces for face in told[:n]):
            self._refuse(f"{n} dice with the faces {faces}", told)
        return told[:n]

    def _choose_chaos(self, colour: int, need: int, most: int, purpose: int) -> Script[int]:
        """How many of the tentacles of a colour that are needed are Chaos, spent as wild."""
        least = max(need - self.temper[self.active][colour], 0)
        options = range(least, min(need, most) + 1)
        return (yield from self._choose("chaos_paid", options, colour=colour, need=need, purpose=purpose))

    def _spend(self, colour: int, need: int, n_chaos: int) -> None:
        """Madness to the Discard Mat, Chaos to the supply."""
        self.temper[self.active][colour] -= need - n_chaos
        self.discard[colour] += need - n_chaos
        self._spend_chaos(n_chaos)

    def _spend_chaos(self, n: int) -> None:
        self.chaos[self.active] -= n
        self.chaos_supply += n

    # Banish Shamblers

    def _banish(self, n_fewer: int, source: str, is_chaos: bool) -> Script[None]:
        """Roll a die for each Shambler here, spend tentacles, banish one of any colour (ambiguities 1, 2)."""
        seat, present = self.active, self.shamblers[self.here]
        rage_at_first, targets = self.temper[seat][RAGE], [c for c in MADNESS if present[c]]
        if self.rules["banish_target"] == "before-roll":
            targets = [(yield from self._choose("target", targets))]
        n_wanted = sum(present) - self._passive("banish_dice") - n_fewer
        self._note("more Shamblers than dice", n_wanted > self.rules["n_dice"])
        self._note("one die at least", n_wanted < 1)
        self._note("fewer dice than Shamblers", 1 <= n_wanted < sum(present))
        n_dice = max(1, min(n_wanted, self.rules["n_dice"]))
        dice = yield from self._roll(n_dice, "banish", is_chaos)
        cost = self._banish_cost(dice)
        payable = [c for c in MADNESS if present[c] and self.temper[seat][c] + self.chaos[seat] >= cost]
        legal = [c for c in targets if c in payable]
        self._note("banish impossible after the roll", not payable)
        self._note("another colour than the target could be paid", not legal and bool(payable))
        self.counts[seat]["n_banishes"] += source == "action"
        option = yield from self._choose("banish", [*legal, NO_COLOUR], cost=cost)
        self._note("banish declined", option == NO_COLOUR and bool(legal))
        n_chaos = 0
        if option != NO_COLOUR:
            n_chaos = yield from self._choose_chaos(option, cost, self.chaos[seat], BANISH)
            self._carry_off(option, cost, n_chaos, rage_at_first)
        colour = NONE if option == NO_COLOUR else option
        yield from self._next_and_check("banish", colour=colour, paid=n_chaos, source=source)

    def _banish_cost(self, dice: list[int]) -> int:
        """The highest number on a single die, not their sum."""
        is_sum = self.rules["banish_cost"] == "sum"
        cost = sum(dice) if is_sum else max(dice)
        self._note("sum above the highest die", is_sum and cost > max(dice))
        self._note("no banish is free", cost == 0 and not self.rules["free_banish"])
        return cost if self.rules["free_banish"] else max(cost, 1)

    def _carry_off(self, colour: int, cost: int, n_chaos: int, rage: int) -> None:
        """The Shambler to its mat; 1 + Rage (when the banishment started) Madness from there to the Discard Mat."""
        self._note("free banish", cost == 0)
        self._note("banish paid by chaos only", 0 < cost == n_chaos)
        self._note("banish paid by chaos in part", 0 < n_chaos < cost)
        self._note("banish moves less Madness than Rage allows", self.mat[colour] <= rage)
        self.coverage["rage when banishing", rage] += 1
        self.shamblers[self.here][colour] -= 1
        self.mat_shamblers[colour] += 1
        n_moved = min(1 + rage, self.mat[colour])
        self.mat[colour] -= n_moved
        self.discard[colour] += n_moved
        self._spend(colour, cost, n_chaos)
        self.counts[self.active]["n_banished"] += 1

    # Seal the Portals

    def _sealable(self) -> list[int]:
        """The portals that the active seat can try to close (ambiguity 15)."""
        seat = self.active
        if not self.is_phase_two or self.here != self.goo:
            return []
        open_portals = [portal for portal in range(6) if self.portals[portal] == OPEN]
        with_rune = [portal for portal in open_portals if self.runes[seat][portal // 2]]
        self._note("no rune for an open portal", len(with_rune) < len(open_portals))
        return [portal for portal in with_rune if self.temper[seat][portal // 2] or self.chaos[seat]]

    def _seal(self, is_chaos: bool) -> Script[None]:
        """A die for each rune, their sum against the portal's number; a tentacle covers a closed portal."""
        seat = self.active
        portal = yield from self._choose("portal", self._sealable())
        colour, need = portal // 2, self.portal_numbers[portal]
        n_runes = self.runes[seat][colour]
        self._note("more runes than dice", n_runes > self.rules["n_dice"])
        n_dice = min(n_runes, self.rules["n_dice"])
        dice = yield from self._roll(n_dice, "seal", is_chaos, need=need, portal=portal)
        is_sealed = sum(dice) >= need
        self._note("sealed with exactly the number", sum(dice) == need)
        self._note("failed seal", not is_sealed)
        self.counts[seat]["n_seals"] += 1
        self.counts[seat]["n_sealed"] += is_sealed
        n_chaos = 0
        if is_sealed or self.rules["failed_seal"] == "tentacle":
            n_chaos = yield from self._choose_chaos(colour, 1, self.chaos[seat], SEAL)
            self._cover(portal, n_chaos) if is_sealed else self._spend(colour, 1, n_chaos)
            self._note(f"failed seal spends a {'Chaos' if n_chaos else 'Madness'}", not is_sealed)
        with self._under_way("seal"):
            yield from self._next_and_check("seal", portal=portal, sealed=is_sealed, paid=n_chaos)
            if OPEN not in self.portals:
                self._end_now("sealed")

    def _cover(self, portal: int, n_chaos: int) -> None:
        """The tentacle covers the portal for good (ambiguity 4)."""
        self._note("portal sealed by chaos", n_chaos > 0)
        if n_chaos:
            self.chaos[self.active] -= 1
        else:
            self.temper[self.active][portal // 2] -= 1
        self.portals[portal] = CHAOS if n_chaos else portal // 2
        other = self.portals[portal ^ 1]
        self._note("a colour sealed", other != OPEN)

    def _is_stopped(self, colour: int) -> bool:
        """Sealing a Color: whether both its portals are sealed and a rule stops its power."""
        is_sealed = OPEN not in self.portals[2 * colour : 2 * colour + 2]
        self._note(f"power of a sealed colour: {self._ruling('colour_sealed')}", is_sealed)
        return is_sealed and self._ruling("colour_sealed") == "power-stops"
