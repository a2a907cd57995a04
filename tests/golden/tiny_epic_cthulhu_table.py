"""The table at which a reader of Tiny Epic Cthulhu follows the words: setup, the wheel, tracks, powers."""

from __future__ import annotations

import json
import re
from collections import Counter

COLOURS = ("fear", "rage", "greed")
BOX = {
    "fear": "madness_each",
    "rage": "madness_each",
    "greed": "madness_each",
    "Chaos": "chaos",
    "Eldritch": "eldritch",
}
USUAL = {
    "madness_each": 15,
    "chaos": 17,
    "eldritch": 23,
    "shamblers_each": 5,
    "chaos_per_line": 1,
    "actions": 3,
    "temperament_track": 2,
    "chaos_track": 2,
    "madness_track": 3,
    "shambler_track": 3,
    "energy_track": [2, 2],
    "delirium": 4,
    "n_dice": 3,
    "page_cost": 2,
    "max_rounds": 60,
}
"""The rulebook's numbers, unless the heading says otherwise."""
PASSIVES = {("investigator", "steps"): 1, ("sailor", "rerolls"): 1, ("medium", "stop_draws"): 1}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

Amounts = Counter[str]


def number(word: str) -> int:
    """A number in words or digits."""
    return NUMBERS.index(word) if word in NUMBERS else int(word)


def amounts(words: str) -> Amounts:
    """ "2 fear and 1 Chaos" as numbers by name."""
    return Counter({name: int(n) for n, name in re.findall(r"(\d+) (fear|rage|greed|Chaos|Eldritch)", words)})


class Seat:
    """A player: where its token is, and what lies on its mat."""

    def __init__(self, character: str, at: str, brain: int) -> None:
        self.character, self.at, self.brain, self.was_delirious = character, at, brain, False
        self.mat, self.runes, self.done = Amounts(), Amounts(), Counter[str]()


class Table:
    """A table without rules or strategies: pieces go where the words say."""

    def __init__(self) -> None:
        self.seats: dict[str, Seat] = {}
        self.names: list[str] = []
        self.rules: dict[str, object] = {}
        self.towns: list[str] = []
        self.piles = {name: Amounts() for name in ("bag", "Discard Mat", "Shambler Mat", "supply", "Energy Track")}
        self.lines, self.covered = Amounts(), Amounts()
        self.shamblers: dict[str, Amounts] = {"Shambler Mat": Amounts()}
        self.pages: dict[str, tuple[Amounts, Amounts, list[int]] | None] = {}
        self.seen: dict[str, tuple[Amounts, Amounts, list[int]]] = {}
        self.rows = [0] * 5
        self.portals: dict[str, int] = {}
        self.sealed: set[str] = set()
        self.goo = self.whose = self.cause = ""
        self.stage, self.phase, self.n_read, self.n_results, self.n_turns = "heading", 1, 0, 0, 0
        self.steps, self.last, self.to_draw = 0, 0, 0
        self.totals = Counter[str]()
        self._new_turn()

    def _new_turn(self) -> None:
        """Nothing is under way."""
        self.pointer = self.tail = self.colour = self.power = self.target = self.overrun = ""
        self.n_drawn, self.more, self.actions, self.ability = 0, 0, 0, False
        self.powers, self.to_spawn, self.to_be_drawn = Amounts(), list[tuple[str, str]](), list[str]()
        self.way, self.beside, self.relief = list[str](), 0, Amounts()
        self.dice, self.fewer, self.rage, self.rolled_for = list[int](), 0, 0, ""
        self.grows = self.mad = self.clears = False

    def _heading(self, line: str) -> None:
        """Who plays by which rules."""
        if changed := re.fullmatch(r"rules\.(\S+) = (.*)", line):
            self.rules[changed[1]] = json.loads(changed[2])
        else:
            self.names.append(line.removesuffix(", who starts"))

    def box(self, name: str) -> int:
        """A number of the rules."""
        return int(str(self.rules.get(name, USUAL[name])))

    def says(self, name: str, rulebook: str, published: str) -> bool:
        """Whether a rule is as the published edition has it."""
        value = self.rules.get(name, "edition")
        assert value in ("edition", rulebook, published)
        return value == published or (value == "edition" and self.rules.get("edition") == "published")

    @property
    def me(self) -> Seat:
        """Whose turn it is."""
        return self.seats[self.whose]

    def passive(self, name: str) -> int:
        """What the character of whose turn it is always has."""
        return PASSIVES.get((self.me.character, name), 0) * (self.rules.get("abilities") != "none")

    def check(self) -> None:
        """All tentacles and Shamblers are somewhere."""
        piles = [*self.piles.values(), *(seat.mat for seat in self.seats.values()), self.lines, self.covered]
        assert sum(piles, Amounts()) == Counter({name: self.box(rule) for name, rule in BOX.items()})
        everyone = sum(self.shamblers.values(), Amounts())
        assert everyone == Counter(dict.fromkeys(COLOURS, self.box("shamblers_each")))

    def move(self, what: Amounts, source: Amounts, target: Amounts) -> None:
        """Some tentacles or Shamblers change places."""
        source.subtract(what)
        target.update(what)
        assert min(source.values(), default=0) >= 0

    # ------------------------------------------------------------------------------------------------------------ setup

    def towns_lie(self, _: str, told: str) -> None:
        self.towns = re.findall(r"the ([^,(]+) \(\w+/\w+\)", told)
        assert len(self.towns) == 5
        for town in self.towns:
            self.piles[town], self.shamblers[town] = Amounts(Eldritch=1), Amounts()
            self.pages[town] = None

    def great_old_one(self, _: str, __: str, town: str, clock: str) -> None:
        self.goo = town
        self.strength(clock, 0)

    def strength(self, clock: str, steps: int) -> None:
        """ "strength 1 of 6, three tentacles to draw"."""
        found = re.fullmatch(r"strength (\d+) of (\d+), (?:(\w+) tentacles? to draw|its full strength)", clock)
        assert found
        assert int(found[1]) == steps
        assert steps == 0 or self.last == int(found[2])
        self.steps, self.last = steps, int(found[2])
        assert (found[3] is None) == (self.steps == self.last)
        self.to_draw = number(found[3]) if found[3] else 0

    def portals_need(self, _: str, told: str) -> None:
        for colour, first, second in re.findall(r"(\w+) (\d+) and (\d+)", told):
            self.portals[f"first {colour}"], self.portals[f"second {colour}"] = int(first), int(second)
        assert len(self.portals) == 6

    def holds(self, _: str, pile: str, told: str) -> None:
        self.piles[pile] = amounts(told)
        if found := re.search(r", and (.*) Shamblers?$", told):
            self.piles[pile] = amounts(told[: found.start()])
            self.shamblers[pile] = amounts(found[1])

    def supply(self, _: str, told: str, lines: str) -> None:
        self.piles["supply"], self.lines = amounts(told), Amounts(Chaos=int(lines))

    def accursed_at_setup(self, _: str) -> None:
        assert self.piles["Discard Mat"]["Eldritch"]

    def town_has(self, _: str, town: str, told: str) -> None:
        self.shamblers[town] = amounts(told)

    def lies_up(self, _: str, town: str, card: str) -> None:
        assert self.says("page_at_great_old_one", "face-down", "face-up")
        assert town == self.goo
        self._turn_up(town, card)

    def plays(self, name: str, character: str, town: str) -> None:
        self.seats[name] = Seat(character, town, int(bool(self.rules.get("brain_at_start"))))
        assert town in self.towns

    # ----------------------------------------------------------------------------------------------------------- step 1

    def spins(self, name: str, pointer: str, tail: str, colour: str) -> None:
        assert self.stage == "spin"
        assert pointer in self.towns
        assert tail in self.towns
        self.pointer, self.tail, self.colour, self.stage = pointer, tail, colour, "pointer"
        self.was_there = self.goo == self.me.at

    def resolves(self, name: str, told: str) -> None:
        """Pointer Actions; what follows is told by itself."""
        assert self.stage == "pointer"
        self.stage = "draw"
        if found := re.fullmatch(r"1 (\w+) goes from the (.*) to the Discard Mat", told):
            assert found[2] == ("supply" if found[1] == "Chaos" else "Shambler Mat")
            self.move(Amounts({found[1]: 1}), self.piles[found[2]], self.piles["Discard Mat"])
        elif told == "a Shambler spawns":
            by_tail = self.rules.get("pointer_shambler") == "tail"
            self.to_spawn.append((self.colour, self.tail if by_tail else self.pointer))
        elif found := re.fullmatch(r"the (\w+) power(;.*)?", told):
            self._owe_power(found[1], found[2])
        elif told == "one tentacle more is drawn":
            self.more = 1
        elif told == "no Madness is on the Shambler Mat":
            assert not +self.piles["Shambler Mat"]
        else:
            assert told == "no Chaos is in the supply"
            assert not self.piles["supply"]["Chaos"]

    def _owe_power(self, colour: str, stopped: str | None) -> None:
        """A power comes, unless the words say why not."""
        is_sealed = {f"first {colour}", f"second {colour}"} <= self.sealed
        stops = self.says("colour_sealed", "nothing", "power-stops") and is_sealed
        why = "; sealed portals stop its power" if stops else ""
        assert (stopped or "") == ("; there are no powers" if self.rules.get("powers") == "none" else why)
        self.powers[colour] += not stopped

    def draws(self, name: str, kind: str, beside: str | None, told: str) -> None:
        """A tentacle from the bag: to the pointer's town, to a player mat, or to the Energy Track."""
        by_wheel = not beside and not self.to_be_drawn and self.stage == "draw"
        if by_wheel:
            if not self.n_drawn:
                self.n_to_draw = self.to_draw + self.more
            self.n_drawn += 1
            self.totals["n_draws"] += 1
            assert name == self.whose
            assert self.n_drawn <= self.n_to_draw
        elif beside:
            assert name == self.whose
            assert self.beside
            self.beside -= 1
            self.me.done["n_stop_draws"] += 1
        else:
            assert self.to_be_drawn[:1] == [name]
            self.to_be_drawn.pop(0)
        self.move(Amounts({kind: 1}), self.piles["bag"], self.covered)  # held in the hand
        if kind == "Eldritch":
            self._onto_energy(self.covered, told.removeprefix(": "))
        elif kind == "Chaos":
            self._chaos(self.seats[name], told)
        elif by_wheel:
            self._madness(self.pointer, kind, told)
        else:
            self._temper(self.seats[name], kind, told)

    def _onto_energy(self, source: Amounts, told: str) -> None:
        """An Eldritch comes to the Energy Track."""
        track, lengths = self.piles["Energy Track"], self.rules.get("energy_track", USUAL["energy_track"])
        assert isinstance(lengths, list)
        held, length = track["Eldritch"] + 1, lengths[self.phase - 1]
        self.move(Amounts(Eldritch=1), source, track)
        if found := re.fullmatch(r"the Energy Track has (\d+) of (\d+)", told):
            assert [int(found[1]), int(found[2])] == [held, length]
            assert held <= length
            return
        found = re.fullmatch(
            r"the Energy Track is accursed, and (\d+) Eldritch go to the bag(?:, with (.*) from the Discard Mat)?", told
        )
        assert found
        assert int(found[1]) == held > length
        self.move(Amounts(Eldritch=held), track, self.piles["bag"])
        goes = +self.piles["Discard Mat"]
        if not self.says("eldritch_returns", "no", "yes"):
            del goes["Eldritch"]
        assert amounts(found[2] or "") == goes
        self.move(goes, self.piles["Discard Mat"], self.piles["bag"])
        self.grows = True

    def _chaos(self, seat: Seat, told: str) -> None:
        """A Chaos for the Chaos Track, which cannot be accursed."""
        held, length = seat.mat["Chaos"] + 1, self.box("chaos_track")
        has_room = held <= length
        assert told == (f" and has {held} of {length}" if has_room else ", which is lost to the supply")
        self.move(Amounts(Chaos=1), self.covered, seat.mat if has_room else self.piles["supply"])

    def _madness(self, town: str, kind: str, told: str) -> None:
        """A Madness for a town's track."""
        held, length = self.piles[town][kind] + 1, self.box("madness_track")
        self.move(Amounts({kind: 1}), self.covered, self.piles[town])
        if held <= length:
            assert told == f": the {town} has {held} of {length}"
            return
        words = f": at the {town} the {kind} track is accursed, and {held} {kind} go to the Shambler Mat"
        assert told.startswith(words)
        self.move(Amounts({kind: held}), self.piles[town], self.piles["Shambler Mat"])
        self.totals["n_accursed"] += 1
        self._owe_power(kind, told.removeprefix(words))

    def _temper(self, seat: Seat, kind: str, told: str) -> None:
        """A Madness for a Temperament Track."""
        held, length = seat.mat[kind] + 1, self.box("temperament_track")
        self.move(Amounts({kind: 1}), self.covered, seat.mat)
        if held <= length:
            assert told == f" and has {held} of {length}"
            return
        assert told == f": the {kind} track is accursed, and {held} {kind} go to the Shambler Mat"
        self.move(Amounts({kind: held}), seat.mat, self.piles["Shambler Mat"])
        self.mad = True

    def empty(self, _: str) -> None:
        assert not +self.piles["bag"]
        self.to_be_drawn.clear()

    def grow(self, _: str, clock: str) -> None:
        self.grows = False
        self.strength(clock, self.steps + 1)
        self.totals["n_strength"] += 1

    def spawns(self, name: str, colour: str, town: str, told: str) -> None:
        """Of the colour wanted, or of the next one that there is."""
        wanted = self._place_to_spawn(town)
        mat, there = self.shamblers["Shambler Mat"], self.shamblers[town]
        at = COLOURS.index(wanted)
        assert colour == next(c for c in (*COLOURS[at:], *COLOURS[:at]) if mat[c])
        self.move(Amounts({colour: 1}), mat, there)
        held, length = there.total(), self.box("shambler_track")
        if held <= length:
            assert told == f"{held} of {length}"
            return
        assert told == f"the Shambler Track is accursed, and {held} Shamblers go to the Shambler Mat"
        self.move(Counter(there), there, mat)
        self.overrun = town

    def spawns_none(self, name: str, town: str) -> None:
        assert not +self.shamblers["Shambler Mat"]
        self._place_to_spawn(town)

    def _place_to_spawn(self, town: str) -> str:
        """The colour wanted, at the place wanted; the last one of the step is that of the tentacle end."""
        if self.to_spawn:
            wanted, where = self.to_spawn.pop(0)
        else:
            assert self.stage == "draw"
            n_to_draw = self.n_to_draw if self.n_drawn else self.to_draw + self.more
            assert self.n_drawn == n_to_draw or not +self.piles["bag"]
            self.stage, wanted, where = "great old one", self.colour, self.tail
        assert town == where
        return wanted

    def goo_moves(self, _: str, verb: str, town: str, name: str | None) -> None:
        assert self.stage == "great old one"
        assert (verb == "stays in") == (town == self.goo)
        assert town == self.tail or not self.rules.get("follows_accursed", True)
        assert (name or self.whose) == self.whose
        assert bool(name) == (town == self.me.at)
        self.goo, self.stage = town, "actions"
        by_start = self.rules.get("must_leave_checked") == "turn-start"
        self.must_leave = self.phase == 1 and town == self.me.at and (self.was_there or not by_start)

    # -------------------------------------------------------------------------------------------------- powers, effects

    def uses_power(self, _: str, colour: str, twice: str | None, effects: str) -> None:
        self.powers[colour] -= 1
        assert self.powers[colour] >= 0
        self.power = colour
        assert bool(twice) == (self.rules.get("powers") == "twice")
        for effect in effects.split("; ") * (1 + bool(twice)):
            if found := re.fullmatch(r"(everybody )?draws? (\w+) tentacles?", effect):
                first = self.names.index(self.whose)
                seats = self.names[first:] + self.names[:first] if found[1] else [self.whose]
                if +self.piles["bag"]:
                    self.to_be_drawn += [seat for seat in seats for _ in range(number(found[2]))]
            elif found := re.fullmatch(rf"(\w+) {colour} Shamblers? at the (pointer|Great Old One)", effect):
                where = self.pointer if found[2] == "pointer" else self.goo
                self.to_spawn += [(colour, where)] * number(found[1])

    def fed(self, _: str, told: str) -> None:
        self._onto_energy(self.piles["supply"], told)

    def goes(self, _: str, told: str, source: str, target: str) -> None:
        """What a power, a banishment or an accursed track moves."""
        what = amounts(told)
        if self.overrun:
            self._fresh(what, source.removeprefix("the "), target.removeprefix("the "))
        if self.clears:
            assert (what, source, target) == (+self.piles["Discard Mat"], "the Discard Mat", "the bag")
            self.clears = False
        if self.relief:
            assert (what, source, target) == (self.relief, "the Shambler Mat", "the Discard Mat")
            self.relief = Amounts()
        if source == "the player mats":
            (colour,) = what
            for seat in self.seats.values():
                n = min(seat.mat[colour], what[colour])
                self.move(Amounts({colour: n}), seat.mat, self.covered)
                what[colour] -= n
            self.move(amounts(told), self.covered, self.pile(target))
            assert not what[colour]
            return
        self.move(what, self.pile(source), self.pile(target))

    def _fresh(self, what: Amounts, source: str, target: str) -> None:
        """The Eldritch of a town whose Shambler Track is accursed, and one in its place."""
        has_one = self.piles[self.overrun]["Eldritch"]
        assert what == Amounts(Eldritch=1)
        assert (source, target) == ((self.overrun, "Discard Mat") if has_one else ("supply", self.overrun))
        self.overrun = self.overrun if has_one else ""

    def none_fresh(self, _: str, town: str) -> None:
        assert not self.piles["supply"]["Eldritch"]
        assert town == self.overrun
        self.overrun = ""

    def fills(self, _: str, colour: str, town: str, held: str, length: str) -> None:
        assert colour == self.power
        self.move(Amounts({colour: 1}), self.piles["Discard Mat"], self.piles[town])
        assert self.piles[town][colour] == int(held) <= int(length) == self.box("madness_track")

    def hides(self, _: str, town: str) -> None:
        assert self.pages.pop(town)
        self.pages[town] = None

    def moves_some(self, name: str, told: str, source: str, target: str) -> None:
        """By a town action or an ability, one Madness at a time."""
        assert self.stage == "actions"
        self.move(amounts(told), self.pile(source), self.pile(target))
        assert amounts(told).total() == 1
        assert set(amounts(told)) <= set(COLOURS)
        assert all(self.me.mat[colour] <= self.box("temperament_track") for colour in COLOURS)

    def pile(self, place: str) -> Amounts:
        """Tentacles at a place."""
        if place.endswith("player mat"):
            return self.me.mat if place == "its player mat" else self.seats[place.removesuffix("'s player mat")].mat
        return self.piles[place.removeprefix("the ")]
