"""Tiny Epic Cthulhu replayed in plain Python: a second, independent reading of the rulebook.

`Reference` follows one game event by event and raises `Mismatch` as soon as the trace and the rules disagree. It is
written from the rulebook, its numbered ambiguities (the components' sources tell them) and the agreed form of a trace
only; it shares no code with the engine it witnesses. The game is one generator, `_play`, that reads in the rulebook's
order: it changes the table, then waits for the event that tells the change and compares the whole table with it; only
luck (spins, tentacles out of the bag, dice, pages) is taken from the event. A decision with one legal option is not
told. The chapters are in files of their own, in the order in which each needs the one before: `_table` (Setup's lasting
values, comparing), `_accursed` (drawing, placing, spawning), `_dice` (banishing, sealing), `_effects` (what cards say),
`_wheel` (Step 1), `_actions` (Step 2); here are Setup, the turn and the End Game.

Readings where no text decides:

- Setup ends no game: without Shamblers on the Shambler Mat the loss waits for the first Shambler spawned.
- Without abilities (rule `abilities`) a character has no passive ability either.
- A Chaos paid for an action lies in the supply when the action's legality is judged.
- The advance of strength is told of the seat that drew the Eldritch Tentacle.
- A turn that `max_actions` ends is no stop in the tally of actions.
- At the stop of a turn its actions are over: none left, nothing to leave, the ability unused.
- `n_banishes` counts actions only, `n_banished` also what an effect banishes.
- A loss for want of Shamblers names the track "shambler".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .tiny_epic_cthulhu_accursed import POWERS, TRACKS, TRIGGERS
from .tiny_epic_cthulhu_actions import Actions
from .tiny_epic_cthulhu_table import (
    ELDRITCH,
    N_TOWNS,
    OPEN,
    Ending,
    Event,
    Mismatch,
    Over,
    Script,
    spins,
)

CAUSES = ("sealed", "strength", "delirium", "shamblers", "unfinished")
CASES = (
    "Shambler of the set-up on a full track", "two Shamblers of the set-up in one town", "lost in the first turn",
    "portals sealed, but lost", "chaos lost to the supply", "energy accursed with an empty bag",
    "discarded Eldritch returns", "discarded Eldritch stays", "strength lost on the back", "strength lost on the front",
    "first accursed leaves the Brain Token where it is", "another seat's temperament accursed",
    "chain: wheel, power, temperament, loss", "a seat goes mad in another's turn", "fresh Eldritch not available",
    "accursed where no Eldritch lies", "no Shambler left to spawn", "Shambler of the next colour",
    "Shambler of the colour after the next", "fresh Eldritch where none lay", "reroll of several dice",
    "rerolls left unused", "one roll rerolled more than once", "more Shamblers than dice", "one die at least",
    "fewer dice than Shamblers", "banish impossible after the roll", "another colour than the target could be paid",
    "banish declined", "sum above the highest die", "no banish is free", "free banish", "banish paid by chaos only",
    "banish paid by chaos in part", "banish moves less Madness than Rage allows", "no rune for an open portal",
    "more runes than dice", "sealed with exactly the number", "failed seal", "failed seal spends a Chaos",
    "failed seal spends a Madness", "portal sealed by chaos", "a colour sealed", "power of a sealed colour: nothing",
    "power of a sealed colour: power-stops", "town effect with nothing to do", "ability effect with nothing to do",
    "effect moves fewer than it says", "no room for an effect's chaos", "no room for an effect's Madness",
    "effect stopped by choice", "effect moves several Madness", "power takes Madness of several seats",
    "no Eldritch left to feed", "Energy Track accursed by feeding", "bag empty when an effect draws",
    "swap of a page face up with one face down", "must leave ended by travelling", "travelled to a town with Shamblers",
    "must leave ended by luring", "lured to one's own town", "fill finds fewer tentacles than towns",
    "fill passes over a full track", "no Chaos in the supply", "no Madness on the Shambler Mat",
    "bag empty before the draws", "bag runs empty in mid-draw", "drawn on after the Energy Track was accursed",
    "drawn on from a bag refilled in mid-draw", "a Madness Track accursed twice in one spin",
    "two Madness Tracks accursed in one spin", "power before the last draw", "power after the draws",
    "power without effects", "Great Old One stays where it is", "Great Old One follows an accursed spawn",
    "Great Old One does not follow an accursed spawn", "turn ended by the guard on actions", "turn ends unasked",
    "must leave the Great Old One", "Great Old One came in this turn, no need to leave",
    "Great Old One was here but has gone", "must leave with the last action", "must leave with the first action",
    "two further actions in one turn", "the exact distance is not open", "moved past the Great Old One in Phase Two",
    "stopped beside the Great Old One in Phase Two", "Shamblers passed by without a draw", "bag empty when stopping",
    "bag runs empty when stopping", "flip declined", "flipped a page moved past",
    "collecting ends for want of room or tentacles", "collecting stopped by choice", "collected three or more",
    "card with every row full", "chaos kept for a later colour", "page paid by chaos in part",
    "page paid by chaos only", "only the first of a card's pages placed", "only the second of a card's pages placed",
    "both of a card's pages placed", "row completed", "two rows completed by one card", "column completed",
    "row and column completed by one card", "page deck empty", "phase changes in mid-turn",
    "must leave ended by the phase", "Eldritch of the Discard Mat goes to the bag at the flip",
    "Energy at the flip: kept", "Energy at the flip: bag", "ability after the last action",
    "ability before leaving the Great Old One",
)  # fmt: skip

Position = tuple[Any, ...]


def replay(seats: int, rules: dict[str, Any], events: Iterable[Event]) -> Reference:
    """Replay a whole game; `Mismatch` also if it has not ended with the last event."""
    reference = Reference(seats, rules)
    for event in events:
        reference.apply(event)
    if not reference.finished:
        raise Mismatch(f"after event {reference.n_events - 1}: the game must go on to its end; found no more events")
    return reference


class Reference(Actions):
    """One game of Tiny Epic Cthulhu, checked event by event.

    Parameters
    ----------
    seats : int
        Number of seats, 2 to 4 (a solo game has two).
    rules : dict
        Every key of `RULES`.

    Raises
    ------
    ValueError
        If the rules are incomplete or no game can be set up under them.
    """

    # Gameplay Overview

    def _play(self) -> Script[None]:
        """Setup, then turns until a win or loss condition has been met, or the guard on rounds."""
        try:
            yield from self._set_up()
            while self.turn < self.rules["max_rounds"] * self.n_seats:
                yield from self._spin_the_wheel()
                yield from self._take_actions()
                self.turn += 1
            self._end_now("unfinished")
        except Over:
            pass
        yield from self._end(self.ending)

    # Setup

    def _set_up(self) -> Script[None]:
        """Setup, steps 1 to 11."""
        event = yield from self._next("setup")
        state = event["state"]
        self._deal_towns(list(state["sides"]))
        self._deal_characters(list(state["characters"]))
        for town in range(N_TOWNS):
            self._deal_page(town, state["pages"][town])
        self._place_tokens(state)
        if self._ruling("page_at_great_old_one") == "face-up":
            self.face_up[self.goo] = self.known[self.goo] = True
        self._check_state(event)

    def _deal_towns(self, sides: list[int]) -> None:
        """2. One side of each Town Card, in any order, or as the rules say (ambiguity 22)."""
        names = [self.town_sides[side]["name"] for side in sides]
        if sorted(side // 2 for side in sides) != list(range(N_TOWNS)):
            self._refuse("one side of each town card", sides)
        if self.rules["towns"]:
            self._agree("towns", list(self.rules["towns"]), names)
        elif self.rules["town_up"] and self.rules["town_up"] not in names:
            self._refuse(f"{self.rules['town_up']} among the towns", names)
        self.sides = sides

    def _deal_characters(self, characters: list[int]) -> None:
        """4. A Player Mat each."""
        names = [self.rules["characters"][character]["name"] for character in characters]
        if len(characters) != self.n_seats or len(set(characters)) < self.n_seats:
            self._refuse(f"{self.n_seats} different characters", characters)
        if self.rules["table_characters"]:
            self._agree("characters", list(self.rules["table_characters"])[: self.n_seats], names)
        else:
            if self.rules["character_in"]:
                self._agree("first seat's character", self.rules["character_in"], names[0])
            if self.rules["character_out"] in names:
                self._refuse(f"no {self.rules['character_out']} at the table", names)
        self.characters = characters

    def _place_tokens(self, state: dict[str, Any]) -> None:
        """10. A spin for each token: the Great Old One, a Shambler per player, the players; 11E is laid out."""
        if state["goo"] not in range(N_TOWNS) or any(town not in range(N_TOWNS) for town in state["at"]):
            self._refuse("tokens in the five towns", (state["goo"], state["at"]))
        if len(state["at"]) != self.n_seats:
            self._refuse(f"{self.n_seats} player tokens", state["at"])
        self.goo, self.at = state["goo"], list(state["at"])
        wanted = position_of(state)
        if wanted not in self._shambler_positions(wanted):
            self._refuse("a Shambler per player as the wheel allows", wanted)
        self._restore(wanted)
        n_gone = self.n_seats - sum(map(sum, self.shamblers))
        for _ in range(n_gone // (self.rules["shambler_track"] + 1)):
            self._count("accursed", self.trigger, "shambler")
        self._note("Shambler of the set-up on a full track", self.discard[ELDRITCH] > 0)
        self._note("two Shamblers of the set-up in one town", max(map(sum, self.shamblers)) > 1)

    def _shambler_positions(self, wanted: Position) -> set[Position]:
        """Every position after one Shambler per player, without those that cannot lead to the wanted one."""
        landings = {(spin.town, self._colour_of(spin)) for spin in spins(self.rules)}
        reached = {position_of(vars(self))}
        for _ in range(self.n_seats):
            following = set()
            for position in reached:
                for town, colour in landings:
                    self._restore(position)
                    self._put_shambler(town, colour)
                    following.add(position_of(vars(self)))
            reached = {position for position in following if is_on_the_way(position, wanted)}
        return reached

    def _restore(self, position: Position) -> None:
        """Lay out Shamblers and Eldritch as in a position."""
        shamblers, self.mat_shamblers, self.town_eldritch, self.discard[ELDRITCH], self.eldritch_supply = (
            list(part) if isinstance(part, tuple) else part for part in position
        )
        self.shamblers = [list(town) for town in shamblers]

    # End Game

    def _end(self, ending: Ending) -> Script[None]:
        """All six portals sealed wins; everything else is lost together."""
        is_won = ending.cause == "sealed"
        n_turns = self.turn + (ending.cause != "unfinished")
        figures = {"cause": ending.cause, "won": is_won, "n_turns": n_turns}
        yield from self._next_and_check("end", **figures, games=self._game_columns(ending), seats=self._seat_columns())
        self.coverage["cause", ending.cause] += 1
        self.coverage["trigger", ending.trigger, ending.track] += 1
        self.coverage["end in phase", 1 + self.side, ending.cause] += 1
        self._note("lost in the first turn", self.turn == 0)
        self._note("portals sealed, but lost", not is_won and any(portal != OPEN for portal in self.portals))
        self.finished = True
        yield

    def _game_columns(self, ending: Ending) -> dict[str, Any]:
        return {
            "won": ending.cause == "sealed",
            "end_cause": CAUSES.index(ending.cause),
            "phase": 1 + self.side,
            "strength": self.strength,
            "strength_left": len(self.draws[self.side]) - self.strength,
            "brain": max(self.brain),
            "shamblers_left": sum(self.mat_shamblers),
            "pages": sum(self.rows),
            "portals": sum(portal != OPEN for portal in self.portals),
            "trigger": TRIGGERS.index(ending.trigger),
            "track": TRACKS.index(ending.track),
            "power": POWERS.index(ending.power),
            **{name: self.totals[name] for name in ("n_draws", "n_strength", "n_accursed")},
        }

    def _seat_columns(self) -> dict[str, list[int]]:
        counted = (
            "n_moves", "n_collects", "n_collected", "n_banishes", "n_banished", "n_towns", "n_translated", "n_seals",
            "n_sealed", "n_abilities", "n_extra", "n_stop_draws",
        )  # fmt: skip
        columns = {name: [counts[name] for counts in self.counts] for name in counted}
        return columns | {
            "character": self.characters,
            "brain": self.brain,
            "held": [sum(own) + chaos for own, chaos in zip(self.temper, self.chaos, strict=True)],
            "runes": [sum(own) for own in self.runes],
            "sides_used": self.sides_used,
        }


def position_of(state: dict[str, Any]) -> Position:
    """What Shamblers of the set-up change, to be compared: Shamblers in towns and on the mat, Eldritch."""
    shamblers = tuple(tuple(town) for town in state["shamblers"])
    mat, town_eldritch = tuple(state["mat_shamblers"]), tuple(state["town_eldritch"])
    return shamblers, mat, town_eldritch, state["discard"][ELDRITCH], state["eldritch_supply"]


def is_on_the_way(position: Position, wanted: Position) -> bool:
    """Whether a position may still become the wanted one; without an accursed track Shamblers stay where they are."""
    if position[3] > wanted[3]:
        return False
    pairs = zip(position[0], wanted[0], strict=True)
    return wanted[3] > 0 or all(n <= most for own, aim in pairs for n, most in zip(own, aim, strict=True))
