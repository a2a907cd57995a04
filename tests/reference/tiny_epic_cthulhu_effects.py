"""Tiny Epic Cthulhu in plain Python: what town cards, characters and powers do, written as lists of typed effects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .tiny_epic_cthulhu_accursed import KINDS
from .tiny_epic_cthulhu_dice import Dice
from .tiny_epic_cthulhu_table import CHAOS, ELDRITCH, MADNESS, N_TOWNS, NO_PAGE, Script

Effect = dict[str, Any]
STOP_TENTACLE, STOP_PAGE = 3, 5  # options after the colours, after the towns
NUMBER = {"chaos": CHAOS, "eldritch": ELDRITCH}
PLACES = ("bag", "discard", "mat", "supply", "energy", "here", "you", "players")  # as offers number them
REVEAL, SWAP = TRAVEL, LURE = range(2)  # what a page or a town is chosen for


class Effects(Dice):
    """Effects in the order in which they stand; those without a choice are carried out as far as possible."""

    def _carry_out(self, effects: Iterable[Effect], place: str, colour: int = 0) -> Script[None]:
        """The effects of a town card, a character ("ability") or a power (of a colour)."""
        ways = {
            "move": self._do_move, "feed": self._do_feed, "draw": self._do_draw, "reveal": self._do_reveal,
            "swap": self._do_swap, "travel": self._do_travel, "lure": self._do_lure, "banish": self._do_banish,
            "fill": self._do_fill, "spawn": self._do_spawn, "hide": self._do_hide,
        }  # fmt: skip
        for effect in effects:
            self.coverage["effect", name_of(effect), place] += 1
            is_idle = place != "power" and not self._is_possible(effect)
            self._note(f"{place} effect with nothing to do", is_idle)
            yield from ways[effect["do"]](effect, colour)

    def _is_possible(self, effect: Effect) -> bool:
        """Whether an effect of a town card or a character has something to do."""
        do = effect["do"]
        if do == "move":
            source, target, what = effect["from"], effect["to"], effect["what"]
            kinds = MADNESS if what == "madness" else (NUMBER[what],)
            return any(self._number_at(source, kind) and self._room_at(target, kind) for kind in kinds)
        if do == "swap":
            return self._has_page(self.here) and any(self._has_page(t) for t in range(N_TOWNS) if t != self.here)
        asked = {
            "draw": any(self.bag), "reveal": bool(self._face_down()), "banish": any(self.shamblers[self.here]),
            "travel": True, "lure": True,
        }  # fmt: skip
        return asked[do]

    # Places of tentacles

    def _pile(self, place: str, kind: int) -> tuple[Any, Any]:
        """Where so many of a kind lie: a container and a key in it."""
        seat = self.active
        if place == "supply":
            return vars(self), "chaos_supply" if kind == CHAOS else "eldritch_supply"
        if place == "energy":
            return vars(self), "energy"
        if place == "you":
            return (self.chaos, seat) if kind == CHAOS else (self.temper[seat], kind)
        piles = {"here": self.madness[self.here], "discard": self.discard, "mat": self.mat, "bag": self.bag}
        return piles[place], kind

    def _number_at(self, place: str, kind: int) -> int:
        pile, key = self._pile(place, kind)
        return pile[key]

    def _room_at(self, place: str, kind: int) -> int:
        """How many more can be put there; a move never makes a track accursed."""
        if place == "here":
            return self.rules["madness_track"] - self._number_at(place, kind)
        if place == "you":
            track = "chaos_track" if kind == CHAOS else "temperament_track"
            return self.rules[track] - self._number_at(place, kind)
        return 10**6

    def _shift(self, source: str, target: str, kind: int, number: int) -> None:
        for place, change in ((source, -number), (target, number)):
            pile, key = self._pile(place, kind)
            pile[key] += change

    # Moving tentacles

    def _do_move(self, effect: Effect, colour: int) -> Script[None]:
        if effect["what"] == "madness":
            yield from self._move_chosen(effect)
        elif effect["what"] == "colour":
            yield from self._move_colour(effect, colour)
        else:
            kind, n = NUMBER[effect["what"]], effect.get("n", 1)
            source, target = effect["from"], effect["to"]
            number = min(n, self._number_at(source, kind), max(self._room_at(target, kind), 0))
            self._note("effect moves fewer than it says", 0 < number < n)
            self._note("no room for an effect's chaos", not number and self._number_at(source, kind) > 0)
            self._shift(source, target, kind, number)
            yield from self._tell_move(kind, source, target, number)

    def _move_chosen(self, effect: Effect) -> Script[None]:
        """Madness of one's choice, one by one."""
        source, target, n = effect["from"], effect["to"], effect.get("n", 1)
        for n_moved in range(n):
            colours = [c for c in MADNESS if self._number_at(source, c) and self._room_at(target, c) > 0]
            full = [c for c in MADNESS if self._number_at(source, c) and c not in colours]
            self._note("no room for an effect's Madness", bool(full))
            offer = {"source": PLACES.index(source), "target": PLACES.index(target), "n_more": n - n_moved}
            colour = yield from self._choose("tentacle", [*colours, STOP_TENTACLE], **offer)
            self._note("effect stopped by choice", colour == STOP_TENTACLE and bool(colours))
            if colour == STOP_TENTACLE:
                return
            self._note("effect moves several Madness", n_moved > 0)
            self._shift(source, target, colour, 1)
            yield from self._tell_move(colour, source, target, 1)

    def _move_colour(self, effect: Effect, colour: int) -> Script[None]:
        """Powers: tentacles of the power's colour, as many as there are; of each seat so many."""
        source, target, n = effect["from"], effect["to"], effect.get("n", 1)
        tracks = self.temper if source == "players" else [self._pile(source, colour)[0]]
        number = 0
        for track in tracks:
            n_moved = min(n, track[colour])
            track[colour] -= n_moved
            number += n_moved
        self._note("power takes Madness of several seats", source == "players" and number > n)
        pile, key = self._pile(target, colour)
        pile[key] += number
        yield from self._tell_move(colour, source, target, number)

    def _tell_move(self, kind: int, source: str, target: str, number: int) -> Script[None]:
        if number:
            self.coverage["moved", "madness" if kind in MADNESS else KINDS[kind], source, target] += 1
            yield from self._next_and_check("moved", what=KINDS[kind], source=source, target=target, number=number)

    def _do_feed(self, effect: Effect, colour: int) -> Script[None]:
        """Eldritch from the supply to the Energy Track, one by one."""
        for _ in range(effect.get("n", 1)):
            self._note("no Eldritch left to feed", not self.eldritch_supply)
            if self.eldritch_supply:
                self.eldritch_supply -= 1
                is_accursed = self._energize()
                self._note("Energy Track accursed by feeding", is_accursed)
                yield from self._next_and_check("fed", accursed=is_accursed)
                if is_accursed:
                    yield from self._strengthen(self.active)

    def _do_draw(self, effect: Effect, colour: int) -> Script[None]:
        """One seat or all of them, the active one first, draw onto their mats."""
        seats = range(self.active, self.active + self.n_seats) if effect.get("who") == "all" else (self.active,)
        for seat in seats:
            for _ in range(effect.get("n", 1)):
                self._note("bag empty when an effect draws", not any(self.bag))
                if any(self.bag):
                    yield from self._draw_onto_mat(seat % self.n_seats, "effect" if self.power == "none" else "power")

    # Pages

    def _face_down(self) -> list[int]:
        """Towns with a page that lies face down."""
        return [town for town in range(N_TOWNS) if self._has_page(town) and not self.face_up[town]]

    def _has_page(self, town: int) -> bool:
        return self.pages[town] != NO_PAGE

    def _do_reveal(self, effect: Effect, colour: int) -> Script[None]:
        for _ in range(effect.get("n", 1)):
            town = yield from self._choose("page", [*self._face_down(), STOP_PAGE], purpose=REVEAL)
            if town == STOP_PAGE:
                return
            self.face_up[town] = self.known[town] = True
            yield from self._next_and_check("reveal", town=town, card=self.pages[town])

    def _do_swap(self, effect: Effect, colour: int) -> Script[None]:
        """Two pages change places with how they lie."""
        here = self.here
        others = (
            [town for town in range(N_TOWNS) if town != here and self._has_page(town)] if self._has_page(here) else []
        )
        other = yield from self._choose("page", [*others, STOP_PAGE], purpose=SWAP)
        if other == STOP_PAGE:
            return
        self._note("swap of a page face up with one face down", self.face_up[here] != self.face_up[other])
        for row in (self.pages, self.face_up, self.known):
            row[here], row[other] = row[other], row[here]
        yield from self._next_and_check("swap", town=here, other=other)

    def _do_hide(self, effect: Effect, colour: int) -> Script[None]:
        """Powers: the first pages that lie face up, from the pointer's town clockwise, are turned face down."""
        found = [town for town in self._from_the_pointer() if self.face_up[town]][: effect.get("n", 1)]
        for town in found:
            self.face_up[town] = False
        if found:
            yield from self._next_and_check("hide", towns=[town in found for town in range(N_TOWNS)])

    def _from_the_pointer(self) -> list[int]:
        return [(self.pointer + i) % N_TOWNS for i in range(N_TOWNS)]

    # Tokens

    def _do_travel(self, effect: Effect, colour: int) -> Script[None]:
        """To any town but the Great Old One's in Phase One; nothing is drawn or flipped there."""
        barred = {self.here} if self.is_phase_two else {self.here, self.goo}
        town = yield from self._choose("town", set(range(N_TOWNS)) - barred, purpose=TRAVEL)
        self.at[self.active] = town
        self._note("must leave ended by travelling", self.must_leave)
        self._note("travelled to a town with Shamblers", any(self.shamblers[town]))
        self.must_leave = False
        yield from self._next_and_check("travel", town=town)

    def _do_lure(self, effect: Effect, colour: int) -> Script[None]:
        """The Great Old One goes to another town."""
        town = yield from self._choose("town", set(range(N_TOWNS)) - {self.goo}, purpose=LURE)
        self._note("must leave ended by luring", self.must_leave)
        self._note("lured to one's own town", town == self.here)
        self.goo, self.must_leave = town, False
        yield from self._next_and_check("lure", town=town)

    def _do_banish(self, effect: Effect, colour: int) -> Script[None]:
        if any(self.shamblers[self.here]):
            yield from self._banish(effect.get("n", 1), "effect", False)

    # Powers: the town

    def _do_fill(self, effect: Effect, colour: int) -> Script[None]:
        """Towns with room on that Madness Track get one from the Discard Mat each, while there are any."""
        n, length = effect.get("n", 1), self.rules["madness_track"]
        with_room = [town for town in self._from_the_pointer() if self.madness[town][colour] < length][:n]
        filled = with_room[: self.discard[colour]]
        self._note("fill finds fewer tentacles than towns", len(filled) < len(with_room))
        self._note("fill passes over a full track", with_room != self._from_the_pointer()[:n])
        for town in filled:
            self.madness[town][colour] += 1
            self.discard[colour] -= 1
        if filled:
            yield from self._next_and_check("fill", towns=[town in filled for town in range(N_TOWNS)])

    def _do_spawn(self, effect: Effect, colour: int) -> Script[None]:
        """Shamblers of the power's colour; the Great Old One does not move for them."""
        town = self.pointer if effect["where"] == "pointer" else self.goo
        for _ in range(effect.get("n", 1)):
            yield from self._spawn(town, colour, "power")


def name_of(effect: Effect) -> str:
    """An effect as the coverage tells it.

    >>> name_of({"do": "move", "what": "chaos", "from": "supply", "to": "you"})
    'move chaos'
    """
    detail = {"move": "what", "draw": "who", "spawn": "where"}.get(effect["do"])
    return f"{effect['do']} {effect[detail]}" if detail else effect["do"]
