"""Exact enumerator for a tiny Octobuns that one seat plays at random, written from the rulebook alone.

A position is followed with its exact probability from decision to decision; equal positions are merged. Cards that
nobody has turned up have no order yet: the supply is a list of shuffles, `Shuffle`, each of which knows its cards and
how many of them lie in each stack, so that any card is equally likely to be the next. The back of a card tells which it
is, but a player at random does not look, as long as a cell is left for every card: a full bakery is refused.

A bakery that is another's mirror image or lies on its side is the same position, if the rules read orders in all
directions. Which of the places of its kind an order lies in does not matter either.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from .octobuns_paths import next_to, paths, where

Cards = tuple[int, ...]
KINDS = ("small", "large")
ICONS = ("rope-in", "tentacle", "supply")


class Shuffle(NamedTuple):
    """Cards shuffled together, and in the supply how many of them are left in each stack."""

    cards: Cards  # sorted
    sizes: Cards


class Order(NamedTuple):
    """An order card: items by number, ingredients from 1, buns after them."""

    items: Cards
    coins: int
    icon: str


class Position(NamedTuple):
    """Everything the future depends on; what comes after `n_rebuilds` is about the turn under way."""

    bakery: Cards
    open: Cards
    supply: tuple[Shuffle, ...]  # those that came in first lie on top
    discards: Cards  # sorted
    stock: Cards  # by kind of bun
    orders: tuple[Cards, Cards]  # open ones, sorted
    piles: tuple[tuple[Cards, ...], tuple[Cards, ...]]  # each a list of shuffles, the topmost first
    reserved: Cards  # sorted
    icons: Cards
    starting: int
    done: Cards  # orders completed, sorted
    n_rebuilds: int = 0
    action: str = ""
    n_cleaned: int = 0
    cleaned: str = ""
    n_completed: int = 0
    fresh: Cards = (0, 0, 0)


class End(NamedTuple):
    """How a game ended."""

    cause: str
    n_turns: int
    coins: int
    n_small: int
    n_large: int
    buns_left: int
    cards_left: int
    reserved_left: int
    icons_left: int
    n_starting_used: int
    n_rebuilds: int


Weighted = Iterator[tuple[Fraction, Position]]
Layer = dict[Position, Fraction]


@dataclass(frozen=True)
class Box:
    """The components and rules of a tiny game; buns are pairs of ingredients, orders have items by number."""

    ingredients: int
    copies: int
    buns: tuple[tuple[int, int], ...]
    small: tuple[Order, ...]
    large: tuple[Order, ...]
    bun_copies: int = 1
    starting_cards: int = 0
    reserve_limit: int = 0
    clean_up_cards: int = 0
    orders_to_end: int = 1
    orders_per_turn: int = 1
    coins_per_bun: int = 1
    max_rounds: int = 3
    blind_rope_in: bool = True
    used_cards: str = "leave"
    bends: bool = True
    reversal: bool = True
    isolated_neighbours: bool = True
    stacking_next_to: bool = False
    bun_out_of_stock: str = "no-stacking"
    freed_cell: bool = True
    clean_up_mixed: bool = True
    clean_up_stacks: bool = True
    clean_up_orders_alone: bool = True
    dropped_orders: str = "out"
    extra_rope_in: str = "capped"
    refill: str = "turn-end"
    bonus_after_order: bool = True
    new_bonus: str = "at-once"
    rebuild: str = "level"
    rebuild_when: str = "turn-end"

    @property
    def all_orders(self) -> tuple[Order, ...]:
        """Small ones first; their places here are their numbers."""
        return (*self.small, *self.large)

    def kind(self, order: int) -> int:
        """0 small, 1 large."""
        return int(order >= len(self.small))

    def bun(self, one: int, other: int) -> int:
        """The bun that two items make, 0 if none."""
        pairs = [tuple(sorted(pair)) for pair in self.buns]
        pair = tuple(sorted((one, other)))
        return self.ingredients + 1 + pairs.index(pair) if pair in pairs else 0

    def is_bun(self, item: int) -> bool:
        """Ingredients come first."""
        return item > self.ingredients


# ------------------------------------------------------------------------------------------------------------ one game


class Tiny:
    """The rules, section by section; each method yields what may come of a position, with probabilities."""

    def __init__(self, box: Box) -> None:
        self.box = box
        longest = max(len(order.items) for order in box.all_orders)
        self.paths = {n: paths(n, box.bends, box.reversal) for n in range(2, longest + 1)}
        self.alike = cache(self._alike)
        self.held = cache(lambda order, bakery: self._held(order, bakery))
        self.cells_in = cache(lambda *situation: self._cells_in(*situation))

    # Game Setup

    def setup(self) -> Layer:
        """Three stacks of a shuffled pile, their top cards turned up; two orders of each kind."""
        box = self.box
        cards = tuple(item for item in range(1, box.ingredients + 1) for _ in range(box.copies))
        sizes = tuple(len(range(stack, len(cards), 3)) for stack in range(3))
        piles = tuple(range(len(box.small))), tuple(range(len(box.small), len(box.all_orders)))
        start = Position(
            bakery=(0,) * 9,
            open=(0, 0, 0),
            supply=(Shuffle(cards, sizes),),
            discards=(),
            stock=(box.bun_copies,) * len(box.buns),
            orders=((), ()),
            piles=((piles[0],), (piles[1],)),
            reserved=(),
            icons=(0, 0, 0),
            starting=box.starting_cards,
            done=(),
        )
        return merged(self.refill_orders(Fraction(1), 0, start, self.refill))

    def refill(self, p: Fraction, position: Position) -> Weighted:
        """Ending Your Turn: every empty place gets the top card of the stack above it, see `open_from`."""
        layer: Layer = {position: p}
        for stack in range(3):
            layer = merged(after for each, q in layer.items() for after in self.open_from(q, each, stack))
        for each, q in layer.items():
            yield q, self.rebuilt(each) if 0 in self.heights(each) else each

    def open_from(self, p: Fraction, position: Position, stack: int, *, rebuilding: bool = True) -> Weighted:
        """One open place, if it is empty."""
        if position.open[stack]:
            yield p, position
            return
        if rebuilding and not self.heights(position)[stack]:
            position = self.rebuilt(position)
        if not self.heights(position)[stack]:
            yield p, position
            return
        for q, card, after in self.drawn(p, position, stack):
            yield q, after._replace(open=put(after.open, stack, card))

    def refill_orders(
        self, p: Fraction, kind: int, position: Position, then: Callable[[Fraction, Position], Weighted] | None = None
    ) -> Weighted:
        """Two open orders of each kind, as long as there are any."""
        if kind == 2:
            yield from then(p, position) if then else iter([(p, position)])
        elif len(position.orders[kind]) == 2 or not position.piles[kind]:
            yield from self.refill_orders(p, kind + 1, position, then)
        else:
            for q, order, after in self.order_drawn(p, position, kind):
                opened = tuple(sorted((*after.orders[kind], order)))
                yield from self.refill_orders(q, kind, after._replace(orders=put(after.orders, kind, opened)), then)

    # The supply

    def heights(self, position: Position) -> Cards:
        """Cards in each stack."""
        return tuple(sum(shuffle.sizes[stack] for shuffle in position.supply) for stack in range(3))

    def drawn(self, p: Fraction, position: Position, stack: int) -> Iterator[tuple[Fraction, int, Position]]:
        """The top card of a stack: any of those shuffled together is as likely."""
        place = next(i for i, shuffle in enumerate(position.supply) if shuffle.sizes[stack])
        shuffle = position.supply[place]
        for card in sorted(set(shuffle.cards)):
            sizes = put(shuffle.sizes, stack, shuffle.sizes[stack] - 1)
            supply = put(position.supply, place, Shuffle(without(shuffle.cards, card), sizes))
            after = position._replace(supply=tuple(each for each in supply if each.cards))
            if self.box.rebuild_when == "at-once" and not self.heights(after)[stack]:
                after = self.rebuilt(after)
            yield p * Fraction(shuffle.cards.count(card), len(shuffle.cards)), card, after

    def rebuilt(self, position: Position) -> Position:
        """The discards are shuffled and put under the stacks, if there are any."""
        if not position.discards:
            return position
        sizes, heights = [0, 0, 0], [*self.heights(position)]
        for i in range(len(position.discards)):
            stack = heights.index(min(heights)) if self.box.rebuild == "level" else i % 3
            sizes[stack] += 1
            heights[stack] += 1
        supply = (*position.supply, Shuffle(position.discards, tuple(sizes)))
        return position._replace(supply=supply, discards=(), n_rebuilds=position.n_rebuilds + 1)

    def order_drawn(self, p: Fraction, position: Position, kind: int) -> Iterator[tuple[Fraction, int, Position]]:
        """The top card of a pile of orders."""
        top, *below = position.piles[kind]
        for order in top:
            rest = without(top, order)
            after = position._replace(piles=put(position.piles, kind, ((rest, *below) if rest else tuple(below))))
            yield p / len(top), order, after

    # Taking a Turn

    def acts(self, position: Position) -> list[str]:
        """The options that are open."""
        action = position.action
        takes = [f"take {stack}" for stack in self.takable(position)]
        first = [*takes, *self.actions(position)] if not action else []
        acts = first + (["clean up"] if action == "clean up" and self.may_clean_on(position) else [])
        acts += self.bonuses(position)
        if action and position.n_completed < self.box.orders_per_turn and self.fitting(position):
            acts.append("complete")
        return acts + (["end turn"] if action or not first else [])

    def actions(self, position: Position) -> list[str]:
        """Options B, C and D."""
        acts = []
        if len(position.reserved) < self.box.reserve_limit and self.reservable(position):
            acts.append("rope in")
        if any(map(self.box.is_bun, position.bakery)) and position.discards:
            acts.append("exchange")
        return acts + (["clean up"] if self.cleanable(position) else [])

    def bonuses(self, position: Position) -> list[str]:
        """Bonus actions."""
        if position.n_completed and not self.box.bonus_after_order:
            return []
        usable = [n - new for n, new in zip(position.icons, position.fresh, strict=True)]
        limit = self.box.reserve_limit + 2 * (self.box.extra_rope_in == "beyond")
        acts = []
        if usable[0] and len(position.reserved) < limit and self.reservable(position):
            acts.append("extra rope in")
        if usable[1] and self.takable(position):
            acts.append("extra tentacle")
        if any(self.heights(position)):
            if 0 not in position.bakery:
                raise ValueError("a full bakery is too much for this enumerator; give fewer cards or rounds")
            acts += (["take from supply"] if usable[2] else []) + (["starting card"] if position.starting else [])
        return acts

    def done_act(self, p: Fraction, position: Position, act: str) -> Weighted:
        """What comes of an act."""
        if act.startswith("take ") and act != "take from supply":
            return self.take(p, position._replace(action="take"), int(act[-1]))
        if act in ("rope in", "exchange", "clean up"):
            position = position._replace(action=act)
        icon = {"extra rope in": 0, "extra tentacle": 1, "take from supply": 2}.get(act)
        if icon is not None:
            position = position._replace(icons=put(position.icons, icon, position.icons[icon] - 1))
        if act == "starting card":
            position = position._replace(starting=position.starting - 1)
        sections = {
            **dict.fromkeys(("rope in", "extra rope in"), self.rope_in),
            **dict.fromkeys(("take from supply", "starting card"), self.take_from_supply),
            "exchange": self.exchange,
            "clean up": self.clean_up,
            "complete": self.complete,
            "extra tentacle": self.tentacle,
        }
        return sections[act](p, position)

    # Option A: Take 1 Ingredient

    def takable(self, position: Position) -> list[int]:
        """Open cards that can be placed."""
        return [s for s, card in enumerate(position.open) if card and self.cells(position, card)]

    def take(self, p: Fraction, position: Position, stack: int) -> Weighted:
        """An open card is taken and placed."""
        card, after = position.open[stack], position._replace(open=put(position.open, stack, 0))
        refilled = [(p, after)]
        if self.box.refill == "at-once":
            refilled = [*self.open_from(p, after, stack, rebuilding=self.box.rebuild_when == "at-once")]
        for q, each in refilled:
            yield from self.place(q, each, card)

    def tentacle(self, p: Fraction, position: Position) -> Weighted:
        """Extra Tentacle."""
        stacks = self.takable(position)
        for stack in stacks:
            yield from self.take(p / len(stacks), position, stack)

    def take_from_supply(self, p: Fraction, position: Position) -> Weighted:
        """Take From the Supply."""
        stacks = [stack for stack, height in enumerate(self.heights(position)) if height]
        for stack in stacks:
            for q, card, after in self.drawn(p / len(stacks), position, stack):
                yield from self.place(q, after, card)

    def cells(self, position: Position, item: int, freed: int | None = None, stacking: bool = True) -> list[int]:
        """Where an item may be placed."""
        return self.cells_in(position.bakery, position.stock, item, freed, stacking)

    def _cells_in(self, bakery: Cards, stock: Cards, item: int, freed: int | None, stacking: bool) -> list[int]:
        """Next to a card, or on an ingredient with which it makes a bun."""
        cards = [cell for cell in range(9) if bakery[cell]]
        if not self.box.isolated_neighbours:
            joined = [cell for cell in cards if any(bakery[other] for other in next_to(cell))]
            counted = joined or cards
        else:
            counted = cards
        free = [cell for cell in range(9) if not bakery[cell]]
        near = {other for cell in counted for other in next_to(cell)}
        found = [cell for cell in free if cell in near or not cards or (cell == freed and self.box.freed_cell)]
        if stacking and not self.box.is_bun(item):
            found += [cell for cell in cards if self.stackable(bakery, stock, item, cell, near)]
        return sorted(found)

    def stackable(self, bakery: Cards, stock: Cards, item: int, cell: int, near: set[int]) -> bool:
        """Making Buns: while stocks last."""
        made, is_alone = self.box.bun(item, bakery[cell]), bakery.count(0) == 8
        if not made or (self.box.stacking_next_to and cell not in near and not is_alone):
            return False
        return bool(stock[made - self.box.ingredients - 1]) or self.box.bun_out_of_stock == "lost"

    def place(self, p: Fraction, position: Position, item: int, freed: int | None = None) -> Weighted:
        """Any of the cells."""
        cells = self.cells(position, item, freed)
        for cell in cells:
            yield p / len(cells), self.put_down(position, item, cell)

    def put_down(self, position: Position, item: int, cell: int) -> Position:
        """The card lies there, or the bun that it makes."""
        under = position.bakery[cell]
        if not under:
            return position._replace(bakery=put(position.bakery, cell, item))
        made = self.box.bun(item, under)
        discards = tuple(sorted((*position.discards, item, under)))
        kind = made - self.box.ingredients - 1
        if not position.stock[kind]:
            return position._replace(bakery=put(position.bakery, cell, 0), discards=discards)
        stock = put(position.stock, kind, position.stock[kind] - 1)
        return position._replace(bakery=put(position.bakery, cell, made), discards=discards, stock=stock)

    # Option B: Rope in

    def reservable(self, position: Position) -> list[tuple[str, int]]:
        """Open orders, and the piles."""
        found = [("open", order) for orders in position.orders for order in orders]
        blind = [("pile", kind) for kind in (0, 1) if position.piles[kind] and self.box.blind_rope_in]
        return found + blind

    def rope_in(self, p: Fraction, position: Position) -> Weighted:
        """One of them is reserved."""
        choices = self.reservable(position)
        for source, which in choices:
            q = p / len(choices)
            if source == "open":
                yield q, self.with_reserved(self.without_open(position, which), which)
            else:
                for r, order, after in self.order_drawn(q, position, which):
                    yield r, self.with_reserved(after, order)

    def with_reserved(self, position: Position, order: int) -> Position:
        """To the left of the bakery."""
        return position._replace(reserved=tuple(sorted((*position.reserved, order))))

    def without_open(self, position: Position, order: int) -> Position:
        """An open order is gone."""
        kind = self.box.kind(order)
        return position._replace(orders=put(position.orders, kind, without(position.orders[kind], order)))

    # Option C: Exchange a Bun

    def exchange(self, p: Fraction, position: Position) -> Weighted:
        """A bun goes back, an ingredient of the discard pile comes."""
        buns = [cell for cell in range(9) if self.box.is_bun(position.bakery[cell])]
        for cell in buns:
            returned = self.thrown(position, position.bakery[cell])
            returned = returned._replace(bakery=put(position.bakery, cell, 0))
            kinds = sorted(set(returned.discards))
            for item in kinds:
                after = returned._replace(discards=without(returned.discards, item))
                yield from self.place(p / len(buns) / len(kinds), after, item, freed=cell)

    def thrown(self, position: Position, item: int) -> Position:
        """An ingredient goes to the discard pile, a bun to the supply."""
        if self.box.is_bun(item):
            kind = item - self.box.ingredients - 1
            return position._replace(stock=put(position.stock, kind, position.stock[kind] + 1))
        return position._replace(discards=tuple(sorted((*position.discards, item))))

    # Option D: Clean Up

    def cleanable(self, position: Position) -> list[tuple[str, int]]:
        """Cards that may be moved or discarded, and reserved orders that may be discarded."""
        found: list[tuple[str, int]] = []
        if position.n_cleaned < self.box.clean_up_cards:
            found = [("cell", cell) for cell in range(9) if position.bakery[cell] and self.outcomes(position, cell)]
        if position.n_cleaned or self.box.clean_up_orders_alone:
            found += [("order", order) for order in position.reserved]
        return found

    def may_clean_on(self, position: Position) -> bool:
        """Until an order is completed."""
        return not position.n_completed and bool(self.cleanable(position))

    def outcomes(self, position: Position, cell: int) -> list[int | None]:
        """Where a card may be moved to; None stands for the discard pile."""
        item, lifted = position.bakery[cell], position._replace(bakery=put(position.bakery, cell, 0))
        cells = [to for to in self.cells(lifted, item, stacking=self.box.clean_up_stacks) if to != cell]
        if self.box.clean_up_mixed or not position.cleaned:
            return [*cells, None]
        return [*cells] if position.cleaned == "move" else [None]

    def clean_up(self, p: Fraction, position: Position) -> Weighted:
        """One card or order; the act may be taken again."""
        choices = self.cleanable(position)
        for what, which in choices:
            q = p / len(choices)
            if what == "order":
                yield q, self.dropped(position, which)
                continue
            item, n_cleaned = position.bakery[which], position.n_cleaned + 1
            lifted = position._replace(bakery=put(position.bakery, which, 0), n_cleaned=n_cleaned)
            goals = self.outcomes(position, which)
            for to in goals:
                after = self.thrown(lifted, item) if to is None else self.put_down(lifted, item, to)
                how = "" if self.box.clean_up_mixed else "move" if to is not None else "discard"
                yield q / len(goals), after._replace(cleaned=how)

    def dropped(self, position: Position, order: int) -> Position:
        """A reserved order leaves the game, or goes under its pile."""
        after, kind = position._replace(reserved=without(position.reserved, order)), self.box.kind(order)
        if self.box.dropped_orders == "out":
            return after
        return after._replace(piles=put(after.piles, kind, (*after.piles[kind], (order,))))

    # Completing Orders

    def fitting(self, position: Position) -> list[int]:
        """Orders, open or reserved, that lie in the bakery."""
        orders = [*position.orders[0], *position.orders[1], *position.reserved]
        return [order for order in orders if self.held(order, position.bakery)]

    def _held(self, order: int, bakery: Cards) -> list[Cards]:
        """The sets of cells that hold an order."""
        items = self.box.all_orders[order].items
        return sorted(where(items, bakery, self.paths[len(items)]))

    def complete(self, p: Fraction, position: Position) -> Weighted:
        """The cards used leave, the order is the seat's, with its icon."""
        orders = self.fitting(position)
        for order in orders:
            sets = self.held(order, position.bakery)
            if order in position.reserved:
                after = position._replace(reserved=without(position.reserved, order))
            else:
                after = self.without_open(position, order)
            done, icon = tuple(sorted((*position.done, order))), self.box.all_orders[order].icon
            after = after._replace(done=done, n_completed=position.n_completed + 1)
            if icon:
                place = ICONS.index(icon)
                after = after._replace(icons=put(after.icons, place, after.icons[place] + 1))
                if self.box.new_bonus == "next-turn":
                    after = after._replace(fresh=put(after.fresh, place, after.fresh[place] + 1))
            for cells in sets:
                yield p / len(orders) / len(sets), self.cleared(after, cells)

    def cleared(self, position: Position, cells: Cards) -> Position:
        """Used cards leave the bakery."""
        for cell in cells if self.box.used_cards == "leave" else ():
            item = position.bakery[cell]
            position = self.thrown(position, item)._replace(bakery=put(position.bakery, cell, 0))
        return position

    # Ending Your Turn, End of the Game

    def turn_end(self, p: Fraction, position: Position) -> Weighted:
        """Replenish ingredients, then orders."""
        over = position._replace(action="", n_cleaned=0, cleaned="", n_completed=0, fresh=(0, 0, 0))
        for q, refilled in self.refill(p, over):
            yield from self.refill_orders(q, 0, refilled)

    def is_over(self, position: Position) -> bool:
        """Enough orders are completed."""
        return len(position.done) >= self.box.orders_to_end

    def end(self, cause: str, n_turns: int, position: Position) -> End:
        """What is counted."""
        n_buns = sum(map(self.box.is_bun, position.bakery))
        n_small = sum(not self.box.kind(order) for order in position.done)
        coins = sum(self.box.all_orders[order].coins for order in position.done)
        return End(
            cause=cause,
            n_turns=n_turns,
            coins=coins + self.box.coins_per_bun * n_buns,
            n_small=n_small,
            n_large=len(position.done) - n_small,
            buns_left=n_buns,
            cards_left=9 - position.bakery.count(0) - n_buns,
            reserved_left=len(position.reserved),
            icons_left=sum(position.icons),
            n_starting_used=self.box.starting_cards - position.starting,
            n_rebuilds=position.n_rebuilds,
        )

    def play_out(self) -> dict[End, Fraction]:
        """Turn after turn until every game is over."""
        layer, found = self.setup(), defaultdict[End, Fraction](Fraction)
        for n_turns in range(1, self.box.max_rounds + 1):
            is_last, following = n_turns == self.box.max_rounds, dict[Position, Fraction]()
            for after, p in self.turn(layer, is_last).items():
                if self.is_over(after) or is_last:
                    cause = "orders" if self.is_over(after) else "unfinished"
                    found[self.end(cause, n_turns, after)] += p
                else:
                    following[after] = p
            layer = following
        return dict(found)

    def turn(self, layer: Layer, is_last: bool) -> Layer:
        """Taking a Turn, act by act, all positions at a time: one action, any bonus actions, an order."""
        going_on, at_end = layer, defaultdict[Position, Fraction](Fraction)
        while going_on:
            following: Layer = defaultdict(Fraction)
            for each, p in going_on.items():
                acts = self.acts(each)
                for act in acts:
                    if act == "end turn":
                        over = self.bare(each) if is_last or self.is_over(each) else each
                        at_end[over] += p / len(acts)
                    else:
                        for q, after in self.done_act(p / len(acts), each, act):
                            following[self.tidy(after)] += q
            going_on = following
        return merged(after for each, p in at_end.items() for after in self.turn_end(p, each))

    # Positions that are the same

    def tidy(self, position: Position) -> Position:
        """The same bakery as one sees it from the side from which it comes first."""
        return position._replace(bakery=self.alike(position.bakery))

    def bare(self, position: Position) -> Position:
        """The last turn is over: which cards are turned up now matters to nobody, only how many there are."""
        supply = tuple(Shuffle((1,) * len(shuffle.cards), shuffle.sizes) for shuffle in position.supply)
        some = {"open": tuple(map(bool, position.open)), "discards": (1,) * len(position.discards)}
        return position._replace(**some, supply=supply, orders=((), ()), piles=((), ()))

    def _alike(self, bakery: Cards) -> Cards:
        """The first of its images; only the diagonal's mirror keeps right and down what they are."""
        views = [bakery]
        if self.box.reversal:
            for _ in range(3):
                views.append(tuple(views[-1][3 * (2 - column) + row] for row in range(3) for column in range(3)))
        views += [tuple(view[3 * column + row] for row in range(3) for column in range(3)) for view in views]
        return min(views)


def exact(box: Box, tiny: type[Tiny] = Tiny) -> dict[End, Fraction]:
    """How the game ends, exactly, if one seat picks any legal option of each decision, all equally likely."""
    return tiny(box).play_out()


# ----------------------------------------------------------------------------------------------------- small machinery


def put(values: Any, place: int, value: Any) -> Any:
    """A tuple with one entry replaced."""
    return (*values[:place], value, *values[place + 1 :])


def without(values: Cards, value: int) -> Cards:
    """A tuple with one of its entries taken out."""
    place = values.index(value)
    return (*values[:place], *values[place + 1 :])


def merged(positions: Iterable[tuple[Fraction, Position]]) -> Layer:
    """Equal positions taken together."""
    layer: Layer = defaultdict(Fraction)
    for p, position in positions:
        layer[position] += p
    return layer


# --------------------------------------------------------------------------------------------------------- tiny boxes

PAIR, TWINS = Order((1, 2), 2, "tentacle"), Order((1, 1), 3, "supply")
BUN_AND_ONE = Order((3, 1), 4, "rope-in")
TWO: dict[str, Any] = {"ingredients": 2, "copies": 2, "buns": ((1, 2),)}
"""Two ingredients, 1 and 2, and their bun, 3."""

BOXES = {
    "first order": Box(
        **TWO, small=(PAIR, TWINS), large=(BUN_AND_ONE,), starting_cards=1, reserve_limit=1, max_rounds=3
    ),
    "clean-ups": Box(**TWO, small=(PAIR,), large=(BUN_AND_ONE,), reserve_limit=1, clean_up_cards=2, max_rounds=2),
    "one of each": Box(  # every rule of clean-ups in its other reading
        ingredients=3,
        copies=1,
        buns=((1, 2), (2, 3)),
        small=(PAIR, Order((4, 3), 1, "supply")),
        large=(Order((5, 1), 5, "tentacle"),),
        starting_cards=1,
        reserve_limit=1,
        clean_up_cards=2,
        max_rounds=3,
        clean_up_mixed=False,
        clean_up_stacks=False,
        clean_up_orders_alone=False,
        dropped_orders="bottom",
        extra_rope_in="beyond",
        stacking_next_to=True,
    ),
    "straight on": Box(
        **TWO,
        small=(PAIR, Order((2, 1, 2), 1, "")),
        large=(BUN_AND_ONE,),
        starting_cards=1,
        max_rounds=4,
        bends=False,
        reversal=False,
        bun_out_of_stock="lost",
        refill="at-once",
        new_bonus="next-turn",
    ),
    "stay": Box(
        ingredients=2,
        copies=2,
        buns=((1, 1),),
        small=(PAIR, Order((2, 2), 1, "supply")),
        large=(Order((3, 2, 1), 5, ""),),
        reserve_limit=1,
        clean_up_cards=1,
        max_rounds=4,
        orders_to_end=2,
        used_cards="stay",
        rebuild="spread",
        isolated_neighbours=False,
    ),
    "at once": Box(
        **TWO,
        small=(PAIR, TWINS, Order((2, 2), 0, "supply")),
        large=(BUN_AND_ONE,),
        starting_cards=1,
        reserve_limit=1,
        max_rounds=4,
        rebuild_when="at-once",
        bonus_after_order=False,
        freed_cell=False,
        orders_to_end=2,
        blind_rope_in=False,
    ),
    "six cards": Box(
        ingredients=2,
        copies=3,
        buns=((1, 2),),
        small=(PAIR, TWINS),
        large=(BUN_AND_ONE,),
        starting_cards=1,
        reserve_limit=1,
        clean_up_cards=2,
        max_rounds=3,
    ),
    "holes": Box(
        **TWO,
        small=(Order((3, 1), 2, ""),),
        large=(Order((3, 3), 3, ""),),
        bun_copies=2,
        starting_cards=2,
        clean_up_cards=2,
        max_rounds=3,
    ),
    "both at once": Box(
        **TWO,
        small=(PAIR, Order((2, 1, 2), 1, "")),
        large=(BUN_AND_ONE,),
        starting_cards=1,
        max_rounds=4,
        refill="at-once",
        rebuild_when="at-once",
    ),
    "two orders": Box(
        ingredients=2,
        copies=3,
        buns=((1, 1),),
        small=(PAIR, Order((2, 2), 2, "supply")),
        large=(BUN_AND_ONE,),
        reserve_limit=1,
        clean_up_cards=1,
        max_rounds=4,
        orders_to_end=2,
        orders_per_turn=2,
    ),
}
