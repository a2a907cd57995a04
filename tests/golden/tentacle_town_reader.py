"""Reads a game of Tentacle Town from its words alone and holds them to the rulebook: goods, buildings, dice."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable

DISTRICT = r"(?:docks|market|foundry)"
ROW = rf"the ({DISTRICT})'s? (outermost|second|third) row"
WATERS = rf"the ({DISTRICT})'s? waters"
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ROWS = ("outermost", "second", "third")
SPACES = {2: (4, 3), 3: (6, 4), 4: (6, 4, 3)}
B, R = "buildings", "residents"
TASKS: dict[str, tuple[str, dict[str, int], dict[str, int], str, str]] = {
    # where ("": on a card), cost, gain, the gain is for each of, cost and gain up to once for each of
    "Butcher Catch": ("docks", {}, {"food": 1}, B, ""),
    "Sell Sushi": ("market", {"food": 1}, {"gold": 1}, "", R),
    "Calamari Caravan": ("market", {"iron": 1, "food": 1, "gold": 1}, {"fame": 1}, B, ""),
    "Forge Harpoons": ("foundry", {"iron": 2, "food": 1}, {"harpoons": 1}, R, ""),
    "Smelt Iron": ("foundry", {}, {"iron": 1}, B, ""),
    "Declaw Crabs": ("", {}, {"food": 2}, "", ""),
    "Recycle Anchors": ("", {}, {"iron": 2}, "", ""),
    "Whittle Sticks": ("", {}, {"harpoons": 1}, "", ""),
    "Research Steel": ("", {"iron": 1}, {"fame": 1}, "", ""),
    "Fancy Shindig": ("", {"gold": 2}, {"fame": 2}, "", ""),
    "Erect a Statue": ("", {"iron": 1, "gold": 1}, {"fame": 2}, "", ""),
    "Bake Pie": ("", {"food": 2}, {"fame": 2}, "", ""),
    "Squid Bake": ("", {"food": 2}, {"fame": 1}, "", B),
    "Plant Flowers": ("", {"gold": 1}, {"fame": 1}, "", B),
    "Can Calamari": ("", {"food": 2, "iron": 1}, {"gold": 1}, B, ""),
    "Housing Project": ("", {"gold": 1, "fame": 1}, {}, "", ""),
    "Hire Movers": ("", {}, {}, "", ""),
}


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
    assert reader.is_over
    return reader.n_read


def goods_of(words: str | None) -> Counter[str]:
    """ "2 gold and 1 harpoon" as numbers by good; nothing for "nothing"."""
    found = re.findall(r"(\d+) (gold|food|iron|fame|harpoon)", words or "")
    return Counter({"harpoons" if good == "harpoon" else good: int(n) for n, good in found})


def number(word: str) -> int:
    """A number in words or digits."""
    return WORDS.index(word) if word in WORDS else int(word)


class Reader:
    """A table without rules or strategies: pieces go where the words say."""

    def __init__(self) -> None:
        self.seats: list[str] = []
        self.goods: dict[str, Counter[str]] = {}
        self.buildings: dict[str, Counter[tuple[str, str]]] = {}
        self.residents, self.tentacles = Counter[str](), Counter[str]()
        self.rules: dict[str, object] = {}
        self.cards: set[str] = set()
        self.supply, self.n_read = 20, 0
        self.whose, self.stage, self.is_over = "", "heading", False
        self.dice, self.done = Counter[str](), set[str]()
        self.district = self.aimed = self.hunted = ""
        self.n_fired = 0
        self.awarded = Counter[str]()

    def line(self, line: str) -> None:
        """One line: a heading, a setting, a sentence or a result."""
        if not line or line.startswith(("Tentacle Town: ", "Round ")):
            return
        if line == "Setup" or line.startswith("Result after"):
            self.stage = line.split()[0]
        elif self.stage == "heading":
            self._heading(line.strip())
        elif self.stage == "Result":
            self._result(line.strip())
        elif line.strip() in self.seats:
            assert (
                self.stage == "Setup"
                or line.strip() == self.seats[(self.seats.index(self.whose) + 1) % len(self.seats)]
            )
            self.whose, self.stage = line.strip(), "turn"
        else:
            self._sentence(line.strip())

    def _heading(self, line: str) -> None:
        """Who plays by which rules."""
        if changed := re.fullmatch(r"rules\.(\w+) = (.*)", line):
            self.rules[changed[1]] = json.loads(changed[2])
            self.supply = self._box("residents", 20)
        else:
            name = line.removesuffix(", who starts")
            self.seats.append(name)
            self.goods[name], self.buildings[name] = Counter(), Counter()

    def _box(self, name: str, usual: int) -> int:
        """How many pieces the box has; the rulebook's number, unless the heading says otherwise."""
        return int(str(self.rules.get(name, usual)))

    def _sentence(self, line: str) -> None:
        """Understand a sentence; where no name leads, it is that of whose turn it is."""
        names = "|".join(map(re.escape, self.seats))
        for pattern, method in SENTENCES:
            if found := re.fullmatch(rf"(?:({names}) )?{pattern}", line):
                name, *told = found.groups()
                method(self, name or self.whose, *told)
                self.n_read += 1
                return
        raise ValueError(f"not understood: {line}")

    # setup

    def each_player(self, _: str, goods: str, n: str) -> None:
        for seat in self.seats:
            self.goods[seat] = goods_of(goods)
            self.buildings[seat] = Counter(
                {(where, "outermost"): number(n) for where in ("docks", "market", "foundry")}
            )

    def in_play(self, _: str, cards: str | None) -> None:
        self.cards = set(re.split(", | and ", cards or "")) - {""}
        assert self.cards <= set(TASKS)

    # a turn

    def recruits(self, name: str, district: str, last: str | None) -> None:
        """A resident from the supply, to any district."""
        assert name == self.whose
        assert self.stage == "turn"
        self.stage, self.district = "work", district
        self.supply -= 1
        self.residents[district] += 1
        self.done = set()
        assert self.supply >= 0
        assert bool(last) == (self.supply == 0)

    def passes(self, name: str) -> None:
        self._works(name, None, "nothing")

    def builds(self, name: str, overtime: str | None, district: str, row: str) -> None:
        """A building in the district, where there is a space; not by overtime."""
        assert not overtime
        self._works(name, overtime, "build")
        self._place(name, district, row)
        assert district == self.district

    def _works(self, name: str, overtime: str | None, what: str) -> None:
        """Once for nothing, then for a gold each; everything once a turn."""
        assert name == self.whose
        assert self.stage == ("overtime" if overtime else "work")
        self.stage = "attack" if what == "nothing" else "overtime"
        assert what not in self.done
        self.done.add(what)
        if overtime:
            self._pay(name, Counter(gold=int(overtime)))
            assert overtime == "1"

    def _place(self, name: str, district: str, row: str) -> None:
        """A building on a free space."""
        self.buildings[name][district, row] += 1
        standing = sum(own[district, row] for own in self.buildings.values())
        assert standing <= SPACES[len(self.seats)][ROWS.index(row)]
        assert self.buildings[name].total() <= 10

    def _pay(self, name: str, goods: Counter[str]) -> None:
        self.goods[name].subtract(goods)
        assert min(self.goods[name].values()) >= 0

    def _tokens(self, gain: Counter[str]) -> Counter[str]:
        """A gain as far as there are tokens."""
        if not self.rules.get("token_limit"):
            return gain
        tokens = self._box("tokens", 28)
        held = {good: sum(own[good] for own in self.goods.values()) for good in gain}
        left = {good: n if good == "harpoons" else min(n, tokens - held[good]) for good, n in gain.items()}
        return Counter({good: n for good, n in left.items() if n > 0})

    def completes(self, name: str, overtime: str | None, title: str, paid: str | None, taken: str) -> None:
        """A task: in its district or on a card in play, with the cost and gain of the rulebook."""
        self._works(name, overtime, title)
        where, cost, gain, per, up_to = TASKS[title]
        assert (where == self.district) if where else title in self.cards
        here = {
            R: self.residents[self.district],
            B: sum(self.buildings[name][self.district, row] for row in ROWS),
            "": 1,
        }
        pays = goods_of(paid)
        n_paid = 1 if not up_to else next((pays[good] // n for good, n in cost.items()), 0)
        assert n_paid <= here[up_to]
        assert pays == Counter({good: n * n_paid for good, n in cost.items() if n_paid})
        self._pay(name, pays)
        takes = self._tokens(Counter({good: n * n_paid * here[per] for good, n in gain.items() if n_paid * here[per]}))
        assert goods_of(taken) == takes
        self.goods[name].update(takes)

    def houses(self, name: str, overtime: str | None, paid: str, district: str, row: str) -> None:
        self._works(name, overtime, "Housing Project")
        assert "Housing Project" in self.cards
        assert goods_of(paid) == Counter(gold=1, fame=1)
        self._pay(name, goods_of(paid))
        self._place(name, district, row)
        assert district == self.district

    def moves_house(self, name: str, overtime: str | None, *places: str) -> None:
        self._works(name, overtime, "Hire Movers")
        assert "Hire Movers" in self.cards
        here, row, there, to_row = places
        self._place(name, there, to_row)
        self._remove(name, here, row)

    def _remove(self, name: str, district: str, row: str) -> None:
        self.buildings[name][district, row] -= 1
        assert self.buildings[name][district, row] >= 0

    def hunts(self, name: str, overtime: str | None, area: str | None, why: str | None) -> None:
        """In the docks, wherever tentacles are, with a harpoon at least."""
        self._works(name, overtime, "Hunt Tentacles")
        assert self.district == "docks"
        if why:
            assert not (self.tentacles.total() if "none" in why else self.goods[name]["harpoons"])
        else:
            assert area is not None
            assert self.tentacles[area] > 0
        self.hunted, self.n_fired = area or "", 0

    def throws(self, name: str, n: str) -> None:
        assert number(n) <= min(self.residents["docks"], self.goods[name]["harpoons"])

    def fires(self, name: str, hit: str | None, goods: str | None, area: str | None, late: str | None) -> None:
        """A harpoon is gone; a hit brings a food and a fame, and a tentacle less where it was fired."""
        self._pay(name, Counter(harpoons=1))
        self.n_fired += 1
        if self.stage != "attack":
            assert name == self.whose
            assert self.n_fired <= self.residents["docks"]
        elif self.aimed.startswith("a resident"):
            assert name == self.whose
        else:
            assert self.aimed.startswith(f"{name}'s building")
        if hit:
            assert area == (self.district if self.stage == "attack" else self.hunted)
            self.tentacles[area] -= 1
            assert self.tentacles[area] >= 0
            takes = self._tokens(Counter(food=1, fame=1))
            assert goods_of(goods) == takes
            self.goods[name].update(takes)
        if late:
            assert self.tentacles[self.hunted] == 0
        self.was_hit = bool(hit)

    def stops(self, name: str) -> None:
        assert name == self.whose

    def none_left(self, _: str, good: str, tokens: str) -> None:
        assert sum(own[good] for own in self.goods.values()) >= int(tokens)

    # the attack

    def appears(self, _: str, district: str) -> None:
        """From the supply of ten, next to the district worked in."""
        self._comes(district)
        self.tentacles[district] += 1
        assert self.tentacles.total() <= self._box("tentacles", 10)

    def _comes(self, district: str) -> None:
        assert district == self.district
        assert self.stage in ("work", "overtime", "attack")
        self.stage = "attack"

    def moves_tentacle(self, name: str, source: str, target: str) -> None:
        """Only if all ten are in play."""
        assert name == self.whose
        assert self.tentacles.total() == self._box("tentacles", 10)
        self._comes(target)
        self.tentacles[source] -= 1
        self.tentacles[target] += 1
        assert self.tentacles[source] >= 0

    def none_comes(self, _: str, district: str) -> None:
        assert self.tentacles[district] == self._box("tentacles", 10)
        self._comes(district)

    def rolls(self, name: str, n: str, _: str, told: str) -> None:
        """A die for each tentacle there, up to four."""
        assert name == self.whose
        shown = Counter(
            {kind.removesuffix("s"): number(k) for k, kind in (part.split(" ", 1) for part in told.split(", "))}
        )
        assert number(n) == shown.total() == min(4, self.tentacles[self.district])
        self.dice = shown - Counter(blank=4)

    def applies(self, name: str, result: str, effect: str) -> None:
        """A result that was rolled."""
        assert name == self.whose
        self.dice[result] -= 1
        assert self.dice[result] >= 0
        self._sentence(effect)

    def aims(self, name: str, result: str, what: str) -> None:
        """A result that somebody defends against."""
        assert name == self.whose
        self.dice[result] -= 1
        assert self.dice[result] >= 0
        self.aimed = what

    def killed(self, _: str, district: str, __: str | None) -> None:
        assert district == self.district
        self._spent_on(f"a resident of the {district}")
        self.residents[district] -= 1
        self.supply += 1
        assert self.residents[district] >= 0

    def _spent_on(self, target: str) -> None:
        """A harpoon fired for what is lost all the same was fired for it, and missed."""
        if self.aimed:
            assert self.aimed == target
            assert not self.was_hit
        self.aimed = ""

    def saved(self, _: str, what: str) -> None:
        assert what in self.aimed
        assert self.was_hit
        self.aimed = ""

    def nobody(self, _: str, what: str) -> None:
        standing = sum(own[self.district, row] for own in self.buildings.values() for row in ROWS)
        assert not (standing if what == "building" else self.residents[self.district])

    def retreats(self, _: str, source: str, target: str) -> None:
        assert source == self.district != target
        assert self.rules.get("adjacency") != "line" or "market" in (source, target)
        self.residents[source] -= 1
        self.residents[target] += 1
        assert self.residents[source] >= 0

    def destroyed(self, _: str, owner: str, district: str, row: str, __: str | None, ___: str | None) -> None:
        """Of the row closest to the water that has buildings."""
        assert district == self.district
        outermost = next(r for r in ROWS if sum(own[district, r] for own in self.buildings.values()))
        assert row == outermost
        of = "the docks'" if district == "docks" else f"the {district}'s"
        self._spent_on(f"{owner}'s building in {of} {row} row")
        self._remove(owner, district, row)

    # the end

    def ends(self, _: str) -> None:
        assert self.stage == "turn"
        assert self.supply == 0
        assert self.residents.total() == self._box("residents", 20)

    def given_up(self, _: str, rounds: str) -> None:
        assert int(rounds) == self.rules["max_rounds"]

    def award(self, _: str, district: str, n: str, told: str) -> None:
        """For each district the seats with most buildings share a fame for each resident, rounded down."""
        residents = self.residents[district]
        assert number(n) == residents
        own = {seat: sum(self.buildings[seat][district, row] for row in ROWS) for seat in self.seats}
        leaders = [seat for seat in self.seats if own[seat] == max(own.values()) > 0]
        assert leaders == [seat for seat in self.seats if seat in told]
        share = residents // len(leaders) if leaders else 0
        assert re.findall(r"(\d+) fame", told) == ([str(share)] if leaders else [])
        rest = re.search(r"(\d+) discarded", told)
        assert (int(rest[1]) if rest else 0) == (residents - share * len(leaders) if leaders else 0)
        for seat in leaders:
            self.goods[seat]["fame"] += share

    def mayor(self, name: str, fame: str) -> None:
        assert self._best() == [name]
        assert self.goods[name]["fame"] == int(fame)

    def tie(self, _: str, fame: str, names: str, told: str) -> None:
        """Of the tied, those with most gold."""
        assert self._best() == [seat for seat in self.seats if seat in names]
        assert self.goods[self._best()[0]]["fame"] == int(fame)
        gold = {seat: self.goods[seat]["gold"] for seat in self._best()}
        richest = [seat for seat in gold if gold[seat] == max(gold.values())]
        assert richest == [seat for seat in self.seats if seat in told]
        assert told.endswith(f"for the most gold, {max(gold.values())}")
        assert ("share" in told) == (len(richest) > 1)

    def _best(self) -> list[str]:
        most = max(own["fame"] for own in self.goods.values())
        return [seat for seat in self.seats if self.goods[seat]["fame"] == most]

    def _result(self, line: str) -> None:
        """The rows that the program wrote agree with the words."""
        self.whose = next((name for name in self.seats if line.startswith(f"{name}: ")), self.whose)
        own, buildings = self.goods[self.whose], self.buildings[self.whose].total()
        for pattern, value in (
            (rf"{re.escape(self.whose)}: fame (\d+)", own["fame"]),
            (r"(?:^|, )gold (\d+)", own["gold"]),
            (r"n_buildings (\d+)", buildings),
        ):
            if found := re.search(pattern, line):
                assert int(found[1]) == value
                self.is_over = "n_buildings" in pattern and self.whose == self.seats[-1]


OVERTIME = r"(?:pays (\d+) gold of overtime and )?"
GOODS = r"((?:\d+ \w+(?:, | and )?)+)"
SENTENCES: tuple[tuple[str, Callable[..., None]], ...] = (
    (rf"each player has {GOODS}, and (\w+) buildings? in the outermost row of each district", Reader.each_player),
    (r"(?:the task cards in play are (.+)|no task cards are in play)", Reader.in_play),
    (rf"recruits a resident to the ({DISTRICT})(, the last one of the supply)?", Reader.recruits),
    (r"has the new resident do nothing", Reader.passes),
    (rf"{OVERTIME}builds in {ROW}", Reader.builds),
    (rf"{OVERTIME}completes (?:Housing Project): pays {GOODS} and builds in {ROW}", Reader.houses),
    (rf"{OVERTIME}completes (?:Hire Movers): moves a building from {ROW} to {ROW}", Reader.moves_house),
    (rf"{OVERTIME}completes ([\w ]+?)(?:: {GOODS})? for ({GOODS[1:-1]}|nothing)", Reader.completes),
    (rf"{OVERTIME}hunts tentacles(?: in {WATERS}|, but (.*))", Reader.hunts),
    (r"throws (\w+) harpoons?", Reader.throws),
    (
        rf"fires a harpoon: (?:a miss|a (hit), (?:{GOODS}|for nothing), and a tentacle is removed from {WATERS}|"
        r"a hit, (but no tentacle is left there))",
        Reader.fires,
    ),
    (r"(?:fires no more harpoons|pays for no more overtime)", Reader.stops),
    (r"no (\w+) is left of the (\d+) tokens", Reader.none_left),
    (rf"(?:a tentacle|another one) appears next to the ({DISTRICT})", Reader.appears),
    (rf"moves a tentacle from {WATERS} to {WATERS}: all are in play", Reader.moves_tentacle),
    (rf"all tentacles are in {WATERS} already: none comes", Reader.none_comes),
    (r"rolls (\w+) (die|dice): (.*)", Reader.rolls),
    (r"applies an? (skull|arrow|destroy|new tentacle): (.*)", Reader.applies),
    (r"applies a (skull|destroy) to (.*)", Reader.aims),
    (rf"a resident of the ({DISTRICT}) is killed and goes back to the supply(, undefended)?", Reader.killed),
    (r"the (resident|building) is saved", Reader.saved),
    (r"there is no (resident|building)", Reader.nobody),
    (rf"a resident retreats from the ({DISTRICT}) to the ({DISTRICT})", Reader.retreats),
    (rf"(.+ \(seat \d\))'s building in {ROW} is destroyed( for good)?(, undefended)?", Reader.destroyed),
    (r"there is no resident left to place: the game ends", Reader.ends),
    (r"the game is given up after (\d+) rounds", Reader.given_up),
    (rf"the ({DISTRICT}), with (\w+) residents?: (.*)", Reader.award),
    (r"is elected mayor with (\d+) fame", Reader.mayor),
    (r"with (\d+) fame (.+) are tied: (.+)", Reader.tie),
)
