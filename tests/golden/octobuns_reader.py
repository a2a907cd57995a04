"""Reads a game of Octobuns from its words alone and holds them to the rulebook: actions, cards, paths, bonuses, coins.

Where the words and this reader disagree one of them is wrong; nothing of simkit is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from tests.golden.octobuns_table import BONUSES, RECIPES, SIDES, Table, adjoin, number, weight

SIDE = r"(?:on the|in the) (left|middle|right)"
ITEM = r"((?:kelp|plum|crab) bun|kelp|shrimp|plum|sesame|crab|leek)"
GUEST = r"the ([a-z' ]+?)'s?"
COUNT = r"(no|one|two|three|four|five|six|seven|eight|nine|ten|\d+)"
BONUS = rf"({'|'.join(BONUSES)})"


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
    reader.check_results()
    return reader.n_read


def listed(words: str) -> list[str]:
    """The items of a list in words."""
    return re.split(r", | and ", words)


class Reader(Table):
    """Understands the sentences, and follows a turn."""

    def line(self, line: str) -> None:
        """One line: a heading, a setting, a sentence or a result."""
        words = line.strip()
        if not line or line.startswith("Octobuns: "):
            return
        if line == "Setup" or line.startswith("Result after"):
            self.set_up() if line == "Setup" else self.conclude(words)
            self.stage = line.split()[0]
        elif line.startswith("Round "):
            assert not self.is_last_round()
            self.n_rounds += 1
            assert line == f"Round {self.n_rounds}"
        elif self.stage == "heading":
            self.heading(words)
        elif self.stage == "Result":
            self.results += f" {words}\n" if line.startswith("  ") else ""
        elif words in self.seats:
            self._next_turn(words)
        else:
            self._sentence(words)

    def _next_turn(self, name: str) -> None:
        """Whose turn it is."""
        assert name == self.seats[self.n_turns % len(self.seats)]
        assert self.n_rounds == self.n_turns // len(self.seats) + 1
        self.turn_ends()
        self.n_turns += 1
        self.whose, self.stage = name, "turn"
        self.action = self.bonus = ""
        self.n_cleaned = self.n_orders = self.freed = 0

    def _sentence(self, line: str) -> None:
        """Understand a sentence; where no name leads, it is that of whose turn it is."""
        for pattern, method in SENTENCES:
            if found := re.fullmatch(pattern, line):
                method(self, *found.groups())
                self.n_read += 1
                return
        raise ValueError(f"not understood: {line}")

    def _begins(self, action: str = "") -> None:
        """Something new: one of the four actions, once a turn, or something else; no card is in hand."""
        assert self.stage == "turn"
        assert not self.hands
        assert not self.bonus
        if action:
            assert not self.action
            self.action = action
            self.done(f"n_{action}")

    def _by_bonus(self, *bonuses: str) -> bool:
        """Whether it is the bonus action that was just told, which then is used up."""
        used, self.bonus = self.bonus in bonuses, "" if self.bonus in bonuses else self.bonus
        return used

    # ------------------------------------------------------------ setup

    def are_open(self, items: str) -> None:
        self.market = dict(zip(SIDES, listed(items), strict=True))

    def stacks_are(self, told: str) -> None:
        """Sizes and tops."""
        for side, part in zip(SIDES, listed(told), strict=True):
            found = re.fullmatch(rf"{COUNT} cards? with {ITEM} on top|empty", part)
            assert found, part
            self.sizes[side] = number(found[1]) if found[1] else 0
            if found[2]:
                assert self.tops.get(side, found[2]) == found[2]
                self.tops[side] = found[2]

    def starting_cards(self, n: str) -> None:
        assert number(n) == self.box("starting_cards", 1)
        for own in self.bonuses.values():
            own["the starting card"] = number(n)

    def orders_are(self, told: str) -> None:
        """At the start, and at the end of a turn from the piles."""
        if self.whose:
            assert self.stage in ("turn", "refilled")
            assert not self.hands
            self.stage = "refilled"
        for order in told.split("; "):
            found = re.fullmatch(rf"{GUEST} order of (.+)", order)
            assert found, order
            self._known(found[1], found[2])
            assert found[1] not in self.open_orders
            self.open_orders.add(found[1])
        assert len(self.open_orders) <= 4

    def _known(self, guest: str, items: str) -> None:
        """A guest always orders the same."""
        assert self.orders.setdefault(guest, listed(items)) == listed(items)

    # ------------------------------------------------------------ the supply

    def takes_open(self, item: str, side: str) -> None:
        """By the action, or by Extra Tentacle."""
        if not self._by_bonus("Extra Tentacle"):
            self._begins("taken")
        assert self.market.pop(side, None) == item
        self.hands.append((item, 0))

    def takes_top(self, item: str, side: str) -> None:
        """By Take From the Supply only."""
        assert self._by_bonus("Take From the Supply", "the starting card")
        self.drawn(item, side)
        self.hands.append((item, 0))

    def turned_up(self, item: str, side: str) -> None:
        """At the end of the turn, or by rule at once."""
        if self.rule("refill", "turn-end") == "turn-end":
            assert self.stage in ("refilled", "turn")
            assert not self.hands
            self.stage = "refilled"
        assert side not in self.market
        self.drawn(item, side)
        self.market[side] = item

    def rebuilt(self, n: str, told: str) -> None:
        """A stack has run out: the discards go under all three, which become level."""
        assert self.rule("rebuild_when", "turn-end") == "at-once" or not self.hands
        assert number(n) == self.discards.total() > 0
        expected = dict(self.sizes)
        assert 0 in expected.values()
        for _ in range(number(n)):
            expected[min(SIDES, key=expected.__getitem__)] += 1
        self.discards.clear()
        self.stacks_are(told)
        assert self.sizes == expected
        self.n_rebuilds += 1

    # ------------------------------------------------------------ the bakery

    def exchanges(self, bun: str, cell: str) -> None:
        self._begins("exchanges")
        assert self.bakery.pop(int(cell), None) == bun
        self.stock[bun] += 1
        self.freed = int(cell)

    def takes_discard(self, item: str) -> None:
        assert self.action == "exchanges"
        assert self.freed
        assert not self.hands
        self.discards[item] -= 1
        assert self.discards[item] >= 0
        self.hands.append((item, 0))

    def puts(self, item: str, cell: str) -> None:
        """On an empty cell, next to another card or in an empty bakery (a bun's cell is free after an exchange)."""
        at, bakery = int(cell), self.bakery
        came = self._lets_go(item)
        assert at not in bakery
        assert at != came
        assert not bakery or any(adjoin(at, other) for other in bakery) or self.freed == at
        bakery[at] = item
        self.freed = 0

    def _lets_go(self, item: str) -> int:
        """The card in hand; where it was lifted from."""
        assert not self.bonus
        assert self.hands
        held, came = self.hands.pop(0)
        assert held == item
        return came

    def stacks_on(self, item: str, under: str, cell: str, made: str) -> None:
        assert self.bakery.get(int(cell)) == under
        assert RECIPES[made] == {item, under}
        self._lets_go(item)
        self.discards.update((item, under))
        self.stock[made] -= 1
        self.bakery[int(cell)] = made
        self.done("n_buns_made")
        self.freed = 0

    def stacks_in_vain(self, item: str, under: str, cell: str) -> None:
        (made,) = (bun for bun, of in RECIPES.items() if of == {item, under})
        assert self.rule("bun_out_of_stock", "") == "lost"
        assert self.stock[made] == 0
        assert self.bakery.get(int(cell)) == under
        self._lets_go(item)
        self.discards.update((item, self.bakery.pop(int(cell))))

    def loses(self, item: str) -> None:
        """Nowhere to put it."""
        assert self.rule("full_bakery", "") == "discard"
        assert len(self.bakery) == 9
        self._lets_go(item)
        self.discards[item] += 1
        pairs = ({item, other} for other in self.bakery.values())
        assert not any(self.stock[bun] for bun, of in RECIPES.items() if of in pairs)

    def lifts(self, item: str, cell: str) -> None:
        """To move or discard it; one after the other, or by rule both together; not after an order."""
        if not (self.hands and self.rule("clean_up_sequence", "") == "together"):
            self._cleans_up()
        self.n_cleaned += 1
        assert self.n_cleaned <= int(str(self.rule("clean_up_cards", 2)))
        assert self.bakery.pop(int(cell), None) == item
        self.hands.append((item, int(cell)))

    def _cleans_up(self) -> None:
        """A step of the action: it may have begun before, and goes on until an order is completed."""
        assert not self.n_orders
        self._begins("" if self.action == "clean_ups" else "clean_ups")

    def discards_it(self, item: str, returns: str | None) -> None:
        self._lets_go(item)
        assert self.action == "clean_ups"
        assert bool(returns) == (item in RECIPES)
        (self.stock if returns else self.discards)[item] += 1

    def slides(self, told: str) -> None:
        """Before a card is put down: all cards, none out of the frame."""
        assert self.rule("grid", "") == "floating"
        assert self.hands
        assert self.bakery
        by = {way: int(n) for way, n in re.findall(r"(up|down|left|right) (\d)", told)}
        down, right = by.get("down", 0) - by.get("up", 0), by.get("right", 0) - by.get("left", 0)

        def moved(cell: int) -> int:
            row, column = (cell - 1) // 3 + down, (cell - 1) % 3 + right
            return 3 * row + column + 1 if {row, column} <= {0, 1, 2} else 0

        slid = {moved(cell): item for cell, item in self.bakery.items()}
        assert 0 not in slid
        self.bakeries[self.whose] = slid
        self.hands = [(item, moved(came) if came else 0) for item, came in self.hands]
        self.freed = moved(self.freed) if self.freed else 0

    # ------------------------------------------------------------ orders and bonuses

    def uses(self, bonus: str) -> None:
        """An icon that the seat has, or its starting card."""
        self._begins()
        own = self.bonuses[self.whose]
        own[bonus] -= 1
        assert own[bonus] >= 0
        self.bonus = bonus
        self.done(
            {"Extra Rope In": "n_extra_rope_ins", "Extra Tentacle": "n_extra_tentacles"}.get(bonus, "n_supply_takes")
        )
        if bonus == "the starting card":
            self.done("n_starting_used")

    def ropes_in(self, guest: str, items: str, pile: str | None) -> None:
        if not self._by_bonus("Extra Rope In"):
            self._begins("rope_ins")
        self._known(guest, items)
        assert (guest in self.open_orders) == (not pile)
        self.open_orders.discard(guest)
        if pile:
            assert weight(self.orders[guest]) in (range(5) if pile == "small" else range(4, 11))
            self.done("n_blind")
        self.reserved[self.whose].append(guest)
        assert len(self.reserved[self.whose]) <= 2

    def drops(self, guest: str, under: str | None) -> None:
        self._cleans_up()
        assert bool(under) == (self.rule("dropped_orders", "out") == "bottom")
        self.reserved[self.whose].remove(guest)
        self.done("n_dropped")

    def completes(self, guest: str, kind: str, cells: str, stay: str | None, coins: str, bonus: str | None) -> None:
        """After the action, once a turn: the items lie along a path through exactly these cells."""
        self._begins()
        assert self.action
        self.n_orders += 1
        assert self.n_orders <= int(str(self.rule("orders_per_turn", 1)))
        orders = self.open_orders if kind == "order" else self.reserved[self.whose]
        assert guest in orders
        orders.remove(guest)
        if kind != "order":
            self.done("n_from_reserve")
        at = {int(cell) for cell in cells.split("-")}
        assert self.lies([], self.orders[guest], at)
        assert bool(stay) == (self.rule("used_cards", "leave") == "stay")
        for cell in at if not stay else ():
            item = self.bakery.pop(cell)
            (self.stock if item in RECIPES else self.discards)[item] += 1
        if bonus:
            self.bonuses[self.whose][bonus] += 1
        self.earns(weight(self.orders[guest]), number(coins), bool(bonus))

    def lies(self, path: list[int], items: list[str], cells: set[int]) -> bool:
        """Whether the rest of the items lies on the rest of the cells, going on from a path."""
        if not items:
            return not cells
        return any(
            self.bakery.get(cell) == items[0]
            and (not path or adjoin(path[-1], cell))
            and self.lies([*path, cell], items[1:], cells - {cell})
            for cell in cells
        )

    # ------------------------------------------------------------ the end

    def has_completed(self, n: str, how: str) -> None:
        """The seat's last order, which ends the game."""
        assert self.n_done(self.whose) == number(n) == self.rule("orders_to_end", 5)
        assert (how == "the game ends") == (not self.rule("finish_round", True))
        self.finished.append(self.whose)

    def given_up(self, rounds: str) -> None:
        assert number(rounds) == self.rule("max_rounds", 100) == self.n_rounds
        assert self.n_turns == self.n_rounds * len(self.seats)
        assert not self.finished
        self.stage = "over"

    def has_coins(self, coins: str, name: str, buns: str) -> None:
        assert self.is_last_round() or not self.rule("finish_round", True)
        assert (number(coins), number(buns)) == self.standing(name)
        self.added_up.append(name)

    def wins(self, names: str, tie: str | None) -> None:
        """Most coins, then most buns."""
        assert self.added_up == self.seats
        self.stage = "over"
        assert self.winners() == [name for name in self.seats if name in names]
        coins = Counter(self.standing(name)[0] for name in self.seats)
        assert bool(tie) == (coins[max(coins)] > len(self.winners()))


SENTENCES: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"the open ingredients are (.+)", Reader.are_open),
    (r"the stacks are (.+)", Reader.stacks_are),
    (rf"each player has {COUNT} starting cards?", Reader.starting_cards),
    (r"(?:the open orders are|new among the open orders:) (.+)", Reader.orders_are),
    (rf"takes the open {ITEM} {SIDE}", Reader.takes_open),
    (rf"takes {ITEM} from the (left|middle|right) stack", Reader.takes_top),
    (rf"takes {ITEM} from the discard pile", Reader.takes_discard),
    (rf"{ITEM} is turned up {SIDE}", Reader.turned_up),
    (
        rf"{COUNT} cards? of the discard pile (?:go|goes) under the stacks, shuffled; the stacks are (.+)",
        Reader.rebuilt,
    ),
    (rf"puts {ITEM} on cell (\d)", Reader.puts),
    (rf"stacks {ITEM} on {ITEM} of cell (\d) and makes a {ITEM}", Reader.stacks_on),
    (rf"stacks {ITEM} on {ITEM} of cell (\d), but no bun is left: both are discarded", Reader.stacks_in_vain),
    (rf"returns the {ITEM} of cell (\d) to the supply", Reader.exchanges),
    (rf"lifts {ITEM} from cell (\d)", Reader.lifts),
    (rf"discards {ITEM}(, which goes back to the supply)?", Reader.discards_it),
    (rf"has no place for {ITEM} and discards it", Reader.loses),
    (r"slides all cards (.+)", Reader.slides),
    (rf"ropes in {GUEST} order of (.+?)(?: from the (small|large) pile)?", Reader.ropes_in),
    (rf"discards {GUEST} reserved order(, which goes under its pile)?", Reader.drops),
    (
        rf"completes {GUEST} (order|reserved order) with cells ([\d-]+)(, which stay)?: "
        rf"{COUNT} coins?(?: and {BONUS})?",
        Reader.completes,
    ),
    (rf"has completed {COUNT} orders?: (the round is finished|the game ends)", Reader.has_completed),
    (rf"{COUNT} coins? for (.+), with {COUNT} buns? left", Reader.has_coins),
    (r"the most coins: (.+) (?:wins|share the win)( for the most buns)?", Reader.wins),
    (rf"uses {BONUS}", Reader.uses),
    (rf"the game is given up after {COUNT} rounds?", Reader.given_up),
)
