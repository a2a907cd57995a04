"""The table of Octobuns for the reader of its words: what lies where, and what the rows must say in the end."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SIDES = ("left", "middle", "right")
BONUSES = ("Extra Rope In", "Extra Tentacle", "Take From the Supply", "the starting card")
RECIPES = {"kelp bun": {"kelp", "shrimp"}, "plum bun": {"plum", "sesame"}, "crab bun": {"crab", "leek"}}
N_ORDERS = 14
"""Orders of each kind."""


def number(word: str) -> int:
    """A number in words or digits."""
    return WORDS.index(word) if word in WORDS else int(word)


def adjoin(one: int, other: int) -> bool:
    """Whether two cells, counted from 1 row by row, share an edge."""
    (row, column), (row_2, column_2) = divmod(one - 1, 3), divmod(other - 1, 3)
    return abs(row - row_2) + abs(column - column_2) == 1


def weight(items: Sequence[str]) -> int:
    """How many ingredients an order takes."""
    return sum(2 if item in RECIPES else 1 for item in items)


class Table:
    """A harbour without rules or strategies: cards go where the words say."""

    def __init__(self) -> None:
        self.rules: dict[str, object] = {}
        self.seats: list[str] = []
        self.bakeries: dict[str, dict[int, str]] = {}
        self.reserved: dict[str, list[str]] = {}
        self.bonuses: dict[str, Counter[str]] = {}
        self.counts: dict[str, Counter[str]] = {}
        self.orders: dict[str, list[str]] = {}
        self.open_orders: set[str] = set()
        self.market: dict[str, str] = {}
        self.tops: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self.discards, self.stock = Counter[str](), Counter[str]()
        self.hands: list[tuple[str, int]] = []  # cards about to be put down, and where they were lifted from
        self.whose, self.stage, self.results = "", "heading", ""
        self.action = self.bonus = ""
        self.n_cleaned = self.n_orders = self.freed = 0
        self.n_read = self.n_turns = self.n_rounds = self.n_rebuilds = 0
        self.stock_out = False
        self.finished, self.added_up = list[str](), list[str]()

    # ------------------------------------------------------------ heading and setup

    def heading(self, line: str) -> None:
        """Who plays by which rules."""
        if changed := re.fullmatch(r"rules\.(\w+) = (.*)", line):
            self.rules[changed[1]] = json.loads(changed[2])
        else:
            name = line.removesuffix(", who starts")
            self.seats.append(name)
            self.bakeries[name], self.reserved[name] = {}, []
            self.bonuses[name], self.counts[name] = Counter(), Counter()

    def rule(self, name: str, usual: object) -> object:
        """A rule as the heading says it, or as it usually is."""
        return self.rules.get(name, usual)

    def box(self, name: str, usual: int) -> int:
        """How many cards the box has of each kind."""
        return int(str(self.rule(name, usual)))

    def set_up(self) -> None:
        """The buns in the supply."""
        self.stock = Counter({bun: self.box("bun_copies", 6) for bun in RECIPES})

    # ------------------------------------------------------------ play

    @property
    def bakery(self) -> dict[int, str]:
        """That of whose turn it is."""
        return self.bakeries[self.whose]

    def done(self, what: str) -> None:
        """Count what a seat does, under the name that the rows have for it."""
        self.counts[self.whose][what] += 1

    def n_done(self, name: str) -> int:
        """Completed orders."""
        return self.counts[name]["n_small"] + self.counts[name]["n_large"]

    def drawn(self, item: str, side: str) -> None:
        """The top of a stack, which was known where it has been told."""
        assert self.sizes[side] > 0
        assert self.tops.pop(side, item) == item
        self.sizes[side] -= 1

    def earns(self, size: int, coins: int, has_icon: bool) -> None:
        """Coins by the scheme of the cards: as many as ingredients, one more on large orders, one less with an icon."""
        more = coins - size + (has_icon and "icons" not in self.rules)
        assert more in (0, 1) or "icons" in self.rules
        kind = "large" if size > 4 or (size == 4 and more == 1) else "small"
        assert size >= 4 or more <= 0
        assert size <= 4 or more == 1 or "icons" in self.rules
        own = self.counts[self.whose]
        own[f"n_{kind}"] += 1
        own[f"from_{kind}"] += coins

    def turn_ends(self) -> None:
        """All is refilled, and all cards are somewhere: those of the box, neither more nor fewer."""
        assert not self.hands
        assert not self.bonus
        assert self.action or not self.whose
        lying = [item for bakery in self.bakeries.values() for item in bakery.values()]
        cards = sum(item not in RECIPES for item in lying) + self.discards.total() + len(self.market)
        assert cards + sum(self.sizes.values()) == 6 * self.box("copies", 10)
        for side, size in self.sizes.items():
            assert side in self.market or not size
            assert size or not self.discards.total()
        for bun, left in self.stock.items():
            assert 0 <= left == self.box("bun_copies", 6) - lying.count(bun)
        assert len(self.open_orders) == 4 or len(self.orders) >= N_ORDERS
        self.stock_out |= bool(self.whose) and 0 in self.stock.values()

    # ------------------------------------------------------------ the end

    def is_last_round(self) -> bool:
        """Whether a seat has all its orders, and every seat has had as many turns."""
        return bool(self.finished) and self.n_turns % len(self.seats) == 0

    def standing(self, name: str) -> tuple[int, int]:
        """Coins and buns of a seat."""
        buns = sum(item in RECIPES for item in self.bakeries[name].values())
        return self.counts[name]["from_small"] + self.counts[name]["from_large"] + buns, buns

    def winners(self) -> list[str]:
        """Most coins, then most buns."""
        best = max(map(self.standing, self.seats))
        return [name for name in self.seats if self.standing(name) == best]

    def conclude(self, line: str) -> None:
        """The heading of the results."""
        self.turn_ends()
        assert self.stage == "over"
        assert line == f"Result after {self.n_turns} turns: {'orders' if self.finished else 'unfinished'}"

    def check_results(self) -> None:
        """The rows that the program wrote agree with the words."""
        assert self.stage == "Result"
        wins = self.winners() if self.finished else []
        verdict = self.results.splitlines()[0]
        assert [name for name in self.seats if name in verdict] == wins
        assert ("nobody wins" in verdict, "share the win" in verdict) == (not wins, len(wins) > 1)
        first = self.seats.index(self.finished[0]) if self.finished else len(self.seats)
        assert f" n_rebuilds {self.n_rebuilds}:" in self.results
        assert f" stock_out {'yes' if self.stock_out else 'no'}:" in self.results
        assert f" first_done {first} " in self.results
        rows = re.split("|".join(rf"{re.escape(name)}: " for name in self.seats), self.results)[1:]
        for name, row in zip(self.seats, rows, strict=True):
            told = {column: int(value) for column, value in re.findall(r"(\w+) (\d+)", row)}
            assert told == self.row(name)

    def row(self, name: str) -> dict[str, int]:
        """What the row of a seat must say."""
        coins, buns = self.standing(name)
        wins = self.winners() if self.finished else []
        counted = (
            *("n_small", "n_large", "from_small", "from_large", "n_from_reserve", "n_dropped", "n_buns_made"),
            *("n_taken", "n_rope_ins", "n_exchanges", "n_clean_ups", "n_blind", "n_extra_rope_ins"),
            *("n_extra_tentacles", "n_supply_takes", "n_starting_used"),
        )
        return {
            "coins": coins,
            "rank": 1 + sum(self.standing(other) > (coins, buns) for other in self.seats),
            "win": 60 // len(wins) if name in wins else 0,
            "buns_left": buns,
            "cards_left": len(self.bakeries[name]) - buns,
            "icons_left": sum(n for bonus, n in self.bonuses[name].items() if bonus != "the starting card"),
            "reserved_left": len(self.reserved[name]),
        } | {column: self.counts[name][column] for column in counted}
