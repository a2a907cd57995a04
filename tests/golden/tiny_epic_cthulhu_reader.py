"""Reads a game of Tiny Epic Cthulhu from its words alone and holds them to the rulebook: tracks, dice, clocks.

Where the words and this reader disagree one of them is wrong; nothing of simkit is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.golden.tiny_epic_cthulhu_table import COLOURS, Amounts, Table, amounts, number


def read(text: str) -> int:
    """Follow a game to its result; how many sentences were understood.

    Raises
    ------
    AssertionError, ValueError
        If a sentence is not understood, or contradicts another one or the rulebook.
    """
    reader = Reader()
    for line in text.splitlines():
        reader.line(line)
    assert reader.cause
    assert reader.n_results == 1 + len(reader.seats)
    return reader.n_read


class Reader(Table):
    """Understands the sentences, and follows player actions and the end."""

    def line(self, line: str) -> None:
        """One line: a heading, a setting, a sentence or a result."""
        if not line or line.startswith(("Tiny Epic Cthulhu: ", "Round ")):
            return
        words = line.strip()
        if line == "Setup" or line.startswith("Result after"):
            self.stage = line.split()[0]
            self.n_turns -= int(line.split()[2]) if self.stage == "Result" else 0
            assert self.n_turns == 0
        elif self.stage == "heading":
            self._heading(words)
        elif self.stage == "Result":
            self._result(words)
        elif words in self.names:
            assert self.stage in ("Setup", "over")
            assert (self.stage == "Setup") == (not self.whose)
            assert not self.whose or words == self.names[(self.names.index(self.whose) + 1) % len(self.names)]
            self.whose, self.stage = words, "spin"
            self.n_turns += 1
            self._new_turn()
        else:
            assert not self.cause
            self._sentence(words)

    def _sentence(self, line: str) -> None:
        """Understand a sentence; where no name leads, it is that of whose turn it is."""
        names = "|".join(map(re.escape, self.names))
        for pattern, method in SENTENCES:
            if found := re.fullmatch(rf"(?:({names}) )?{pattern}", line):
                self._nothing_owed(method)
                name, *told = found.groups()
                assert name in (None, self.whose) or method in OF_ANYBODY
                method(self, name or self.whose, *told)
                self.n_read += 1
                return
        raise ValueError(f"not understood: {line}")

    def _nothing_owed(self, method: Callable[..., None]) -> None:
        """What must follow at once has followed."""
        assert self.grows == (method is Reader.grow)
        assert self.mad == (method is Reader.delirium)
        assert not self.relief or method is Reader.goes
        assert not self.overrun or method in (Reader.goes, Reader.none_fresh)
        assert not self.clears or not self.piles["Discard Mat"] or method is Reader.goes
        if method not in (Reader.draws, Reader.flips, Reader.empty, Reader.grow, Reader.delirium, Reader.ends):
            assert not self.beside or not +self.piles["bag"]
            self.beside = 0

    # ------------------------------------------------------------ step 2

    def _acts(self, name: str, paid: str | None, deed: str) -> None:
        """A regular action, or one for a Chaos once those are used up."""
        assert self.stage == "actions"
        assert bool(paid) == (self.actions == self.box("actions"))
        if paid:
            self.move(Amounts(Chaos=1), self.me.mat, self.piles["supply"])
            self.me.done["n_extra"] += 1
        else:
            self.actions += 1
        self.me.done[deed] += 1
        if deed != "n_moves" and self.must_leave:
            assert self.actions < self.box("actions")
            assert not self.says("must_leave", "an-action", "first-action")

    def moves(self, name: str, paid: str | None, steps: str, way: str, town: str) -> None:
        """As far as Fear allows; in Phase One not through or to the Great Old One."""
        self._acts(name, paid, "n_moves")
        assert 1 <= number(steps) <= min(4, 1 + self.me.mat["fear"] + self.passive("steps"))
        at, step = self.towns.index(self.me.at), 1 if way == "clockwise" else -1
        self.way = [self.towns[(at + step * k) % 5] for k in range(1, number(steps) + 1)]
        assert self.way[-1] == town
        assert self.phase == 2 or self.goo not in self.way
        self.me.at, self.must_leave = town, False
        there = self.shamblers[town].total()
        self.beside = max(0, there - self.passive("stop_draws"))

    def flips(self, name: str, verb: str, town: str, card: str) -> None:
        assert not self.pages[town]
        assert verb == "reveals" or town in (self.way[-1:] if self.says("flip", "passed", "stopped") else self.way)
        self.way = self.way if verb == "reveals" else []
        self._turn_up(town, card)

    def _turn_up(self, town: str, card: str) -> None:
        """A page is seen."""
        found = re.fullmatch(r"numbers? (\d(?: and \d)?) for (.*), (.*) runes?", card)
        assert found
        self.pages[town] = (amounts(found[2]), amounts(found[3]), [int(n) for n in found[1].split(" and ")])
        assert self.pages[town][0].total() == self.box("page_cost")
        before = self.seen.setdefault(town, self.pages[town])
        assert before == self.pages[town]

    def collects(self, name: str, paid: str | None, colour: str, more: str | None, town: str, *track: str) -> None:
        """One for an action, and one more for each greed that there was."""
        assert town == self.me.at
        if not more:
            self._acts(name, paid, "n_collects")
            self.n_more = 1 + self.me.mat["greed"]
        assert self.n_more
        self.n_more, (held, length) = self.n_more - 1, track
        self.me.done["n_collected"] += 1
        self.move(Amounts({colour: 1}), self.piles[town], self.me.mat)
        assert self.me.mat[colour] == int(held) <= int(length) == self.box("temperament_track")

    def delirium(self, name: str, verb: str, space: str, top: str) -> None:
        seat, self.mad = self.seats[name], False
        stays = bool(self.rules.get("brain_at_start")) and not seat.was_delirious
        seat.brain, seat.was_delirious = seat.brain + (not stays), True
        assert (verb == "has its Brain Token at") == stays
        assert seat.brain == int(space) <= int(top) == self.box("delirium")

    def rolls(self, name: str, paid: str | None, n: str, purpose: str, told: str) -> None:
        """A die for each Shambler here, or for each rune of the portal's colour."""
        if found := re.fullmatch(r"seal the ((?:first|second) (\w+)) portal, which needs (\d+)", purpose):
            self._acts(name, paid, "n_seals")
            assert self.phase == 2
            assert self.me.at == self.goo
            assert found[1] not in self.sealed
            assert self.portals[found[1]] == int(found[3])
            assert number(n) == min(self.box("n_dice"), self.me.runes[found[2]])
            self.target = found[1]
        else:
            if self.rolled_for != "banish by effect":
                self._acts(name, paid, "n_banishes")
                self.fewer = 0
            present = self.shamblers[self.me.at].total()
            assert present
            assert number(n) == max(1, min(self.box("n_dice"), present - self.fewer))
            found = re.fullmatch(r"banish a (?:(\w+) )?Shambler", purpose)
            assert found
            self.target, self.rage = found[1] or "", self.me.mat["rage"]
        self.rolled_for = ""
        self.dice = [int(die) for die in re.findall(r"\d", told)]
        self.rerolls = min(3, self.me.brain) + self.passive("rerolls")
        assert len(self.dice) == number(n)

    def rerolls_some(self, name: str, which: str, told: str) -> None:
        again = re.findall(r"first|second|third", which)
        dice = [int(die) for die in re.findall(r"\d", told)]
        kept = [i for i in range(len(dice)) if ("first", "second", "third")[i] not in again]
        assert len(again) <= self.rerolls
        assert all(dice[i] == self.dice[i] for i in kept)
        self.rerolls = self.rerolls - len(again) if self.rules.get("rerolls") == "total" else 0
        self.dice = dice

    def keeps(self, name: str) -> None:
        assert self.rerolls

    def _cost(self) -> int:
        """The highest die."""
        cost = sum(self.dice) if self.rules.get("banish_cost") == "sum" else max(self.dice)
        return cost if self.rules.get("free_banish", True) else max(1, cost)

    def banishes(self, name: str, colour: str, town: str, told: str) -> None:
        """Paid in its colour or in Chaos; Rage moves more Madness off the Shambler Mat."""
        assert town == self.me.at
        assert self.target in ("", colour)
        paid = amounts(told)
        assert paid.total() == self._cost()
        assert set(paid) <= {colour, "Chaos"}
        self._pay(paid)
        self.move(Amounts({colour: 1}), self.shamblers[town], self.shamblers["Shambler Mat"])
        n = min(1 + self.rage, self.piles["Shambler Mat"][colour])
        self.relief = Amounts({colour: n}) if n else Amounts()
        self.me.done["n_banished"] += 1

    def _pay(self, paid: Amounts) -> None:
        """Madness to the Discard Mat, Chaos to the supply."""
        chaos = Amounts(Chaos=paid["Chaos"])
        self.move(chaos, self.me.mat, self.piles["supply"])
        self.move(paid - chaos, self.me.mat, self.piles["Discard Mat"])

    def banishes_none(self, name: str, verb: str, cost: str) -> None:
        assert int(cost) == self._cost()
        there = [c for c in COLOURS if self.shamblers[self.me.at][c] and self.target in ("", c)]
        payable = any(self.me.mat[c] + self.me.mat["Chaos"] >= self._cost() for c in there)
        assert payable == (verb == "pays for")

    def town_action(self, name: str, paid: str | None, town: str, effects: str) -> None:
        self._acts(name, paid, "n_towns")
        assert town == self.me.at
        self._effects(effects)

    def uses_ability(self, name: str, character: str, effects: str) -> None:
        """Once a turn, and no action."""
        assert self.stage == "actions"
        assert not self.ability
        assert character == self.me.character
        self.ability = True
        self.me.done["n_abilities"] += 1
        self._effects(effects)

    def _effects(self, effects: str) -> None:
        """What follows from the words on a card."""
        self.rolled_for = ""
        for effect in effects.split("; "):
            if found := re.fullmatch(r"banish with (\w+) dic?e fewer", effect):
                self.rolled_for, self.fewer = "banish by effect", number(found[1])
            elif (found := re.fullmatch(r"draw (\w+) tentacles?", effect)) and +self.piles["bag"]:
                self.to_be_drawn += [self.whose] * number(found[1])

    def swaps(self, name: str, here: str, there: str) -> None:
        assert here == self.me.at != there
        for known in (self.pages, self.seen):
            pair = known.pop(here, None), known.pop(there, None)
            for town, page in zip((there, here), pair, strict=True):
                if page or known is self.pages:
                    known[town] = page  # type: ignore[assignment]

    def travels(self, name: str, town: str) -> None:
        assert town != self.me.at
        assert self.phase == 2 or town != self.goo
        self.me.at, self.must_leave = town, False

    def lures(self, name: str, town: str) -> None:
        assert town != self.goo
        self.goo = town
        self.must_leave = self.must_leave and town == self.me.at

    def leaves(self, name: str, _: str) -> None:
        assert self.stage == "actions"

    def translates(self, name: str, paid: str | None, town: str, told: str, placed: str) -> None:
        """A page that lies face up here; Chaos stands for any Madness."""
        self._acts(name, paid, "n_translated")
        card = self.pages[town]
        assert card
        assert town == self.me.at
        cost, self.gains, numbers = card
        pays = amounts(told)
        assert pays.total() == cost.total()
        assert all(pays[colour] <= cost[colour] for colour in COLOURS)
        self._pay(pays)
        before = self._n_lines()
        placed_on = [n for n in sorted(numbers) if self.rows[n - 1] < 5]
        for n in placed_on:
            self.rows[n - 1] += 1
        rows = " and ".join(f"number {n} has {self.rows[n - 1]} of 5" for n in placed_on)
        assert placed_on
        assert placed == f"{rows}, the Necronomicon {sum(self.rows)} of 25"
        self.n_completed = self._n_lines() - before
        self.pages[town] = None
        self.seen.pop(town)

    def _n_lines(self) -> int:
        """Completed rows and columns."""
        return sum(n == 5 for n in self.rows) + min(self.rows)

    def completes(self, name: str, n: str, told: str | None) -> None:
        assert number(n) == self.n_completed > 0
        chaos = self.n_completed * self.box("chaos_per_line")
        assert amounts(told or "") == (Amounts(Chaos=chaos) if chaos else Amounts())
        self.move(Amounts(Chaos=chaos), self.lines, self.piles["Discard Mat"])
        self.n_completed = 0

    def takes(self, name: str, gained: str, held: str) -> None:
        assert amounts(gained) == self.gains
        assert not self.n_completed
        self.me.runes.update(self.gains)
        assert amounts(held) == self.me.runes

    def no_page(self, _: str, town: str) -> None:
        assert town == self.me.at

    def phase_two(self, _: str, __: str, clock: str) -> None:
        assert sum(self.rows) == 25
        assert self.phase == 1
        self.phase, self.must_leave, self.clears = 2, False, True
        self.strength(clock, 0)

    def seals(self, name: str, portal: str, tentacle: str, n: str) -> None:
        assert portal == self.target
        assert sum(self.dice) >= self.portals[portal]
        assert tentacle in ("Chaos", portal.split()[1])
        self.move(Amounts({tentacle: 1}), self.me.mat, self.covered)
        self.sealed.add(portal)
        assert len(self.sealed) == int(n)
        self.me.done["n_sealed"] += 1

    def fails(self, name: str, portal: str, lost: str | None) -> None:
        assert portal == self.target
        assert sum(self.dice) < self.portals[portal]
        assert bool(lost) == (self.rules.get("failed_seal") == "tentacle")
        if lost:
            assert lost in ("Chaos", portal.split()[1])
            self._pay(Amounts({lost: 1}))

    def stops(self, name: str) -> None:
        """The turn is over, and so is all that was under way."""
        assert self.stage == "actions"
        assert not self.must_leave
        assert not +self.powers
        assert not self.to_spawn
        assert not self.to_be_drawn
        self.stage = "over"
        self.check()

    # ---------------------------------------------------------------------------------------------------------- the end

    def ends(self, name: str, *told: str | None) -> None:
        """Why the game is over."""
        sealed, strong, mad, none_left, rounds = told
        if sealed:
            assert len(self.sealed) == 6
        elif strong:
            assert self.steps == self.last
        elif mad:
            assert self.seats[name].brain == self.box("delirium")
        elif none_left:
            assert not +self.shamblers["Shambler Mat"]
            assert self.says("shamblers_lose", "no", "yes")
        else:
            assert int(rounds or 0) == self.box("max_rounds") == self.n_turns / len(self.names)
        self.check()
        causes = {"sealed": sealed, "strength": strong, "delirium": mad, "shamblers": none_left, "unfinished": rounds}
        self.cause = next(cause for cause, words in causes.items() if words)

    def _result(self, line: str) -> None:
        """The rows that the program wrote agree with the words."""
        if line.startswith("the table"):
            assert (line == "the table wins") == (self.cause == "sealed")
            self.n_results += 1
        whose = next((name for name in self.names if line.startswith(f"{name}: ")), "")
        if whose:
            self.whose = whose
            self.n_results += 1
        told = {name: int(value) for name, value in re.findall(r"(\w+) (\d+)(?= \[|,|:|$)", line)}
        held = self._seat_row() if self.n_results > 1 else self._game_row()
        for name, value in told.items():
            assert held.get(name, value) == value, name

    def _game_row(self) -> dict[str, int]:
        """What the table's row must say."""
        return {
            "phase": self.phase,
            "strength": self.steps,
            "strength_left": self.last - self.steps,
            "brain": max(seat.brain for seat in self.seats.values()),
            "shamblers_left": self.shamblers["Shambler Mat"].total(),
            "pages": sum(self.rows),
            "portals": len(self.sealed),
            **{name: self.totals[name] for name in ("n_draws", "n_strength", "n_accursed")},
        }

    def _seat_row(self) -> dict[str, int]:
        """What the row of a seat must say."""
        seat = self.me
        names = ("moves", "collects", "collected", "banishes", "banished", "towns", "translated", "seals", "sealed")
        counted = {f"n_{name}": seat.done[f"n_{name}"] for name in (*names, "abilities", "extra", "stop_draws")}
        return {"brain": seat.brain, "held": seat.mat.total(), "runes": seat.runes.total()} | counted


OF_ANYBODY = (Reader.plays, Reader.draws, Reader.delirium, Reader.ends)
"""What may be told of a player whose turn it is not."""
PAYS = r"(pays 1 Chaos and )?"
SENTENCES: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"the towns, clockwise from the first one: (.*)", Reader.towns_lie),
    (r"the Great Old One is (.*), in the (.*): (strength .*)", Reader.great_old_one),
    (r"the portals need (.*)", Reader.portals_need),
    (r"the (bag|Discard Mat|Shambler Mat) holds (.*)", Reader.holds),
    (r"the supply holds (.*); (\d+) Chaos lie on the Necronomicon, an Eldritch on each town", Reader.supply),
    (r"a Shambler Track was accursed already: its Eldritch lies on the Discard Mat", Reader.accursed_at_setup),
    (r"the (.*) has (.*) Shamblers?", Reader.town_has),
    (r"the page at the (.*) lies face up: (.*)", Reader.lies_up),
    (r"is the (.*), in the (.*)", Reader.plays),
    (r"spins: the pointer at the (.*), the tentacle end at the (.*), (\w+)", Reader.spins),
    (r"resolves the pointer: (.*)", Reader.resolves),
    (r"draws (fear|rage|greed|Chaos|Eldritch)( for a Shambler)?((?:,|:| and).*)", Reader.draws),
    (r"the bag is empty", Reader.empty),
    (r"the Great Old One grows stronger: (.*)", Reader.grow),
    (r"spawns a (\w+) Shambler in the (.*?): (.*)", Reader.spawns),
    (r"spawns no Shambler in the (.*): none is on the Shambler Mat", Reader.spawns_none),
    (r"the Great Old One (moves to|stays in) the (.*?)(?:, where (.*) is)?", Reader.goo_moves),
    (r"the Great Old One uses its (\w+) power( twice)? \((.*)\)", Reader.uses_power),
    (r"1 Eldritch comes from the supply: (.*)", Reader.fed),
    (r"1 (\w+) goes from the Discard Mat to the (.*): (\d) of (\d)", Reader.fills),
    (r"(\d+ .*) go(?:es)? from (.*?) to (.*)", Reader.goes),
    (r"no Eldritch is in the supply for the (.*)", Reader.none_fresh),
    (r"the page at the (.*) is turned face down", Reader.hides),
    (r"moves (1 \w+) from (.*) to (.*)", Reader.moves_some),
    (r"(moves its Brain Token to|has its Brain Token at) space (\d+) of (\d+)", Reader.delirium),
    (rf"{PAYS}moves (\w+) towns? (clockwise|back) to the (.*)", Reader.moves),
    (r"(flips|reveals) the page at the (.*?): (.*)", Reader.flips),
    (rf"{PAYS}collects 1 (\w+)( more)? in the (.*) and has (\d) of (\d)", Reader.collects),
    (rf"{PAYS}rolls (\w+) dic?e to (.*): (.*)", Reader.rolls),
    (r"rolls the (.*) dic?e again: (.*)", Reader.rerolls_some),
    (r"rolls no die again", Reader.keeps),
    (r"banishes a (\w+) Shambler from the (.*) for (.*)", Reader.banishes),
    (r"(pays for|can pay for) no Shambler: it would cost (\d)", Reader.banishes_none),
    (rf"{PAYS}uses the town action of the (.*?) \((.*)\)", Reader.town_action),
    (r"uses the ability of the (.*?) \((.*)\)", Reader.uses_ability),
    (r"swaps the page at the (.*) with that at the (.*)", Reader.swaps),
    (r"travels to the (.*)", Reader.travels),
    (r"lures the Great Old One to the (.*)", Reader.lures),
    (r"(moves no more tentacles|leaves the pages as they are)", Reader.leaves),
    (rf"{PAYS}translates the page at the (.*?) for (.*?): (.*)", Reader.translates),
    (r"completes (\w+) lines? of the Necronomicon(?:: (.*) go(?:es)? to the Discard Mat)?", Reader.completes),
    (r"takes (.*) runes? and has (.*) runes?", Reader.takes),
    (r"the deck has no page left for the (.*)", Reader.no_page),
    (r"Phase Two begins, and the mat of (.*) is flipped: (.*)", Reader.phase_two),
    (r"seals the (.*) portal with 1 (\w+): (\d) of 6 portals are sealed", Reader.seals),
    (r"fails to seal the (.*) portal(?: and loses 1 (\w+))?", Reader.fails),
    (r"ends its turn", Reader.stops),
    (
        r"(?:(all six portals are sealed: the Great Old One is banished, and the table wins)|"
        r"(the Great Old One has reached its full strength: the table loses)|"
        r"(has gone completely mad: the table loses)|(no Shambler is left on the Shambler Mat: the table loses)|"
        r"the game is given up after (\d+) rounds)",
        Reader.ends,
    ),
)
