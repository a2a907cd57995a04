"""Reads a game of Octobuns from its words alone and holds them to the rulebook: cards, buns, paths, coins."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SIDES = ("left", "middle", "right")
SIDE = r"(?:on the|in the) (left|middle|right)"
RECIPES = {
    "kelp bun": {"kelp", "shrimp"},
    "plum bun": {"plum", "sesame"},
    "crab bun": {"crab", "leek"},
}
ITEM = r"((?:kelp|plum|crab) bun|kelp|shrimp|plum|sesame|crab|leek)"
GUEST = r"the ([a-z' ]+?)'s"
COUNT = rf"({'|'.join(WORDS)}|\d+)"


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
    assert reader.stage == "Result"
    return reader.n_read


def number(word: str) -> int:
    """A number in words or digits."""
    return WORDS.index(word) if word in WORDS else int(word)


def listed(words: str) -> list[str]:
    """The items of a list in words."""
    return re.split(r", | and ", words)


def adjoin(one: int, other: int) -> bool:
    """Whether two cells, counted from 1 row by row, share an edge."""
    (row, column), (row_2, column_2) = divmod(one - 1, 3), divmod(other - 1, 3)
    return abs(row - row_2) + abs(column - column_2) == 1


class Reader:
    """A harbour without rules or strategies: cards go where the words say."""

    def __init__(self) -> None:
        self.seats: list[str] = []
        self.bakeries: dict[str, dict[int, str]] = {}
        self.coins, self.n_done = Counter[str](), Counter[str]()
        self.reserved: dict[str, list[str]] = {}
        self.orders: dict[str, list[str]] = {}
        self.open_orders: set[str] = set()
        self.market: dict[str, str] = {}
        self.tops: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self.discards, self.stock = Counter[str](), Counter[str]()
        self.rules: dict[str, object] = {}
        self.hands: list[str] = []
        self.whose, self.stage, self.n_read = "", "heading", 0

    def rule(self, name: str, usual: object) -> object:
        """A rule as the heading says it, or as it usually is."""
        return self.rules.get(name, usual)

    def line(self, line: str) -> None:
        """One line: a heading, a setting, a sentence or a result."""
        if not line or line.startswith(("Octobuns: ", "Round ")):
            return
        if line == "Setup" or line.startswith("Result after"):
            self.stage = line.split()[0]
            self.stock = Counter({bun: int(str(self.rule("bun_copies", 6))) for bun in RECIPES})
        elif self.stage == "heading":
            self._heading(line.strip())
        elif self.stage == "Result":
            self._result(line.strip())
        elif line.strip() in self.seats:
            after = self.seats[(self.seats.index(self.whose) + 1) % len(self.seats)] if self.whose else self.seats[0]
            assert line.strip() == after
            self._turn_ends()
            self.whose, self.stage = line.strip(), "turn"
        else:
            self._sentence(line.strip())

    def _heading(self, line: str) -> None:
        """Who plays by which rules."""
        if changed := re.fullmatch(r"rules\.(\w+) = (.*)", line):
            self.rules[changed[1]] = json.loads(changed[2])
        else:
            name = line.removesuffix(", who starts")
            self.seats.append(name)
            self.bakeries[name], self.reserved[name] = {}, []

    def _turn_ends(self) -> None:
        """All cards are somewhere: those of the box, neither more nor fewer."""
        assert not self.hands
        copies = int(str(self.rule("copies", 10)))
        lying = [item for bakery in self.bakeries.values() for item in bakery.values()]
        cards = sum(item not in RECIPES for item in lying) + self.discards.total() + len(self.market)
        assert cards + sum(self.sizes.values()) == 6 * copies
        for bun, left in self.stock.items():
            assert 0 <= left == int(str(self.rule("bun_copies", 6))) - lying.count(bun)
        assert all(len(orders) <= 2 for orders in self.reserved.values())

    def _sentence(self, line: str) -> None:
        """Understand a sentence; where no name leads, it is that of whose turn it is."""
        for pattern, method in SENTENCES:
            if found := re.fullmatch(pattern, line):
                method(self, *found.groups())
                self.n_read += 1
                return
        raise ValueError(f"not understood: {line}")

    # setup

    def are_open(self, items: str) -> None:
        self.market = dict(zip(SIDES, listed(items), strict=True))

    def stacks(self, told: str) -> None:
        """Sizes and tops."""
        parts = listed(told)
        for side, part in zip(SIDES, parts, strict=True):
            found = re.fullmatch(rf"{COUNT} cards? under {ITEM}|none", part)
            assert found, part
            self.sizes[side] = number(found[1]) if found[1] else 0
            if found[2]:
                self.tops[side] = found[2]

    def new_orders(self, told: str) -> None:
        for order in told.split("; "):
            found = re.fullmatch(rf"{GUEST} order of (.+)", order)
            assert found, order
            assert found[1] not in self.open_orders
            self.orders[found[1]] = listed(found[2])
            self.open_orders.add(found[1])
        assert len(self.open_orders) <= 4

    # the supply

    def takes_open(self, item: str, side: str) -> None:
        assert self.market.pop(side, None) == item
        self.hands.append(item)

    def takes_top(self, item: str, side: str) -> None:
        self.drawn(item, side)
        self.hands.append(item)

    def turned_up(self, item: str, side: str) -> None:
        assert side not in self.market
        self.drawn(item, side)
        self.market[side] = item

    def drawn(self, item: str, side: str) -> None:
        """The top of a stack was known where it has been told."""
        assert self.sizes[side] > 0
        assert self.tops.pop(side, item) == item
        self.sizes[side] -= 1

    def rebuilt(self, n: str, told: str) -> None:
        assert number(n) == self.discards.total()
        total = sum(self.sizes.values()) + self.discards.total()
        assert 0 in self.sizes.values()
        self.discards.clear()
        self.stacks(told)
        assert sum(self.sizes.values()) == total

    def takes_discard(self, item: str) -> None:
        assert self.discards[item] > 0
        self.discards[item] -= 1
        self.hands.append(item)

    # the bakery

    def bakery(self) -> dict[int, str]:
        return self.bakeries[self.whose]

    def puts(self, item: str, cell: str) -> None:
        """On an empty cell, next to another card or in an empty bakery (a bun's cell is free after an exchange)."""
        at, bakery = int(cell), self.bakery()
        assert at not in bakery
        assert not bakery or any(adjoin(at, other) for other in bakery) or self.freed == at
        assert self.hands.pop(0) == item
        bakery[at] = item

    freed = 0

    def stacks_on(self, item: str, under: str, cell: str, made: str) -> None:
        assert self.bakery()[int(cell)] == under
        assert RECIPES[made] == {item, under}
        assert self.hands.pop(0) == item
        self.discards.update((item, under))
        self.stock[made] -= 1
        self.bakery()[int(cell)] = made

    def stacks_in_vain(self, item: str, under: str, cell: str) -> None:
        (made,) = (bun for bun, of in RECIPES.items() if of == {item, under})
        assert self.stock[made] == 0
        assert self.hands.pop(0) == item
        self.discards.update((item, self.bakery().pop(int(cell))))

    def gives_back(self, bun: str, cell: str) -> None:
        assert self.bakery().pop(int(cell)) == bun
        self.stock[bun] += 1
        self.freed = int(cell)

    def lifts(self, item: str, cell: str) -> None:
        assert self.bakery().pop(int(cell)) == item
        self.hands.append(item)

    def discards_it(self, item: str) -> None:
        assert self.hands.pop(0) == item
        self.discards[item] += 1

    def returns_it(self, item: str) -> None:
        assert self.hands.pop(0) == item
        self.stock[item] += 1

    def slides(self, told: str) -> None:
        """All cards, none out of the frame."""
        by = {way: int(n) for way, n in re.findall(r"(up|down|left|right) (\d)", told)}
        down, right = by.get("down", 0) - by.get("up", 0), by.get("right", 0) - by.get("left", 0)
        moved = {}
        for cell, item in self.bakery().items():
            row, column = divmod(cell - 1, 3)
            assert 0 <= row + down < 3
            assert 0 <= column + right < 3
            moved[3 * (row + down) + column + right + 1] = item
        self.bakeries[self.whose] = moved

    # orders

    def ropes_in(self, guest: str, items: str, pile: str | None) -> None:
        if pile is None:
            self.open_orders.remove(guest)
        self.orders.setdefault(guest, listed(items))
        assert self.orders[guest] == listed(items)
        self.reserved[self.whose].append(guest)

    def gives_up(self, guest: str) -> None:
        self.reserved[self.whose].remove(guest)

    def completes(self, guest: str, kind: str, cells: str, stay: str | None, coins: str) -> None:
        """The items lie along a path through exactly these cells."""
        if kind == "order":
            assert guest in self.open_orders
            self.open_orders.remove(guest)
        else:
            self.reserved[self.whose].remove(guest)
        at = {int(cell) for cell in cells.split("-")}
        assert self.lies([], self.orders[guest], at)
        for cell in at if stay is None else ():
            item = self.bakery().pop(cell)
            (self.stock if item in RECIPES else self.discards)[item] += 1
        self.coins[self.whose] += number(coins)
        self.n_done[self.whose] += 1

    def lies(self, path: list[int], items: list[str], cells: set[int]) -> bool:
        """Whether the rest of the items lies on the rest of the cells, going on from a path."""
        if not items:
            return not cells
        return any(
            self.bakery().get(cell) == items[0]
            and (not path or adjoin(path[-1], cell))
            and self.lies([*path, cell], items[1:], cells - {cell})
            for cell in cells
        )

    def has_completed(self, n: str) -> None:
        assert self.n_done[self.whose] == number(n) == self.rule("orders_to_end", 5)

    def has_coins(self, coins: str, name: str, buns: str) -> None:
        lying = [item for item in self.bakeries[name].values() if item in RECIPES]
        assert number(buns) == len(lying)
        assert number(coins) == self.coins[name] + len(lying)

    def wins(self, names: str) -> None:
        def standing(name: str) -> tuple[int, int]:
            buns = sum(item in RECIPES for item in self.bakeries[name].values())
            return self.coins[name] + buns, buns

        best = max(map(standing, self.seats))
        assert set(re.findall(r"[a-z-]+ \(seat \d\)", names)) == {s for s in self.seats if standing(s) == best}

    def nothing(self, *_: str) -> None:
        """Understood; nothing moves."""

    def _result(self, line: str) -> None:
        """The rows agree with the words."""
        if found := re.match(r"(.+ \(seat \d\)): coins (\d+) .*", line):
            buns = sum(item in RECIPES for item in self.bakeries[found[1]].values())
            assert int(found[2]) == self.coins[found[1]] + buns


SENTENCES: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"the open ingredients are (.+)", Reader.are_open),
    (r"the stacks are (.+)", Reader.stacks),
    (r"(?:the open orders are|new among the open orders:) (.+)", Reader.new_orders),
    (rf"takes the open {ITEM} {SIDE}", Reader.takes_open),
    (rf"takes {ITEM} from the (left|middle|right) stack", Reader.takes_top),
    (rf"takes {ITEM} from the discard pile", Reader.takes_discard),
    (rf"{ITEM} is turned up {SIDE}", Reader.turned_up),
    (
        rf"{COUNT} cards? of the discard pile go under the stacks, shuffled; the stacks are (.+)",
        Reader.rebuilt,
    ),
    (rf"puts {ITEM} on cell (\d)", Reader.puts),
    (rf"stacks {ITEM} on {ITEM} of cell (\d) and makes a {ITEM}", Reader.stacks_on),
    (rf"stacks {ITEM} on {ITEM} of cell (\d), but no bun is left: both are discarded", Reader.stacks_in_vain),
    (rf"gives back the {ITEM} of cell (\d)", Reader.gives_back),
    (rf"lifts {ITEM} from cell (\d)", Reader.lifts),
    (rf"discards {ITEM}", Reader.discards_it),
    (rf"returns {ITEM}", Reader.returns_it),
    (rf"has no place for {ITEM} and discards it", Reader.discards_it),
    (r"slides all cards (.+)", Reader.slides),
    (rf"ropes in {GUEST} order of (.+?)( from the (?:small|large) pile)?", Reader.ropes_in),
    (rf"gives up {GUEST} order(?:, which goes under its pile)?", Reader.gives_up),
    (
        rf"completes {GUEST} (order|reserved order) with cells ([\d-]+)(, which stay)?: {COUNT} coins?(?: and .+)?",
        Reader.completes,
    ),
    (rf"has completed {COUNT} orders?: (?:the round is finished|the game ends)", Reader.has_completed),
    (rf"{COUNT} coins? for (.+), with {COUNT} buns? left", Reader.has_coins),
    (r"the most coins: (.+) (?:wins|share the win)(?: for the most buns)?", Reader.wins),
    (r"uses (?:Extra Rope In|Extra Tentacle|Take From the Supply|the starting card)", Reader.nothing),
    (r"the game is given up after \d+ rounds", Reader.nothing),
)
