"""Octobuns replayed in plain Python: a second, independent reading of the rulebook.

`Reference` follows one game event by event and raises `Mismatch` as soon as the trace and the rules disagree. It is
written from the rulebook, its numbered ambiguities (the components' sources tell them) and the agreed form of a trace
only; it shares no code with the engine it witnesses. The game is one generator, `_play`, that reads in the rulebook's
order: it changes the table, then waits for the event that tells the change and compares the whole table with it; only
luck (the order of shuffled cards) is taken from the event. A decision with one legal option is no event.

Readings where no text decides:

- "A maximum of 2 orders" counts the orders, not their places: with two of them the third is barred wherever they lie.
- What was done in a turn is shown until the next turn begins; a card counts as cleaned up when it is lifted.
- `cleaned_how` tells what was done with the last card.
- A seat that takes an open order in the turn after it was turned up has waited no turn for it.
- The same card may be moved twice in a clean-up, as two cards.
- The end tells the turn that cannot begin or the last one that did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .octobuns_bakery import (
    CELLS,
    NEIGHBOURS,
    SHIFTS,
    STAY,
    Cells,
    path_sets,
    sets_that_fit,
    slid,
    slid_bakery,
)
from .octobuns_supply import Supply
from .octobuns_table import ICONS, KINDS, OPEN_PLACES, SMALL, Event, Mismatch, Order, Script

TAKE = range(3)  # the options of act
(ROPE_IN, EXCHANGE, CLEAN_UP, EXTRA_ROPE_IN, EXTRA_TENTACLE, FROM_SUPPLY, STARTING_CARD, COMPLETE, END_TURN) = range(
    3, 12
)
TAKEN = 0  # the action shown when an ingredient was taken
STARTING_KIND = 3  # how the use of the starting card is told; icons by their numbers
FIRST_PILE = 4  # the options of reserve: open orders, then piles
NONE = DISCARD = FIRST_RESERVED_CARD = 9  # after the cells: of clean_second, clean_to, clean_up
FIRST_RESERVED = 4  # of order: open orders, then reserved ones

CASES = (
    "full bakery, no taking", "full bakery, card lost", "stacked in a full bakery",
    "bun out of stock, no stacking", "bun out of stock, cards lost",
    "bun of a doubled type made", "bun of a shared ingredient made", "stacked without a neighbour",
    "stacking barred without a neighbour", "stacked upon the only card", "isolated card does not count",
    "all cards isolated, so all count", "first card of a bakery cleared", "cards slid",
    "reserve limit reached", "two orders in higher places", "extra rope in barred by the limit",
    "extra rope in beyond the limit", "roped in blind", "nothing to rope in", "several roped in in a turn",
    "exchange barred, no discards", "freed cell without a neighbour", "freed cell barred", "freed cell used",
    "freed cell slid out", "exchanged card makes a bun", "bakery of one bun exchanged", "last bun returned and remade",
    "card moved", "card discarded", "moved card makes a bun", "bun moved", "bun discarded", "the same card moved twice",
    "moved and discarded", "card isolated by cleaning up", "reserved order dropped first",
    "reserved order dropped after",
    "dropped order comes back", "only card moved", "clean-up goes on after a bonus", "clean-up stopped by an order",
    "second card must be moved", "second card discarded too",
    "drop barred without cards",
    "two lifted, cells swapped", "two lifted, the first takes the other's cell", "only one lifted",
    "cell lifted from slid", "cell lifted from slid out",
    "completed open order", "completed reserved order", "several sets fit", "several orders fit", "read backwards",
    "bent path", "order of five", "palindrome", "repeated items", "bun in an order", "cards stay",
    "second order in a turn", "order fits but not another in this turn", "bonus after an order",
    "bonus barred after an order", "fresh icon used", "fresh icon barred", "icon without use",
    "ended without an action", "open place refilled at once", "open place not refilled at once",
    "an open card from a stack just rebuilt", "a stack still empty after the rebuild", "an open place stays empty",
    "an order place stays empty", "several orders turned up", "rebuilt right after a draw",
    "a rebuild of fewer cards than stacks", "a rebuild under stacks of different size",
    "a bun kind out of stock at the end of a turn", "nothing to take", "an order given",
    "end in mid-round", "last round after the end was triggered", "another seat done in the last round",
    "tie on coins decided by buns", "shared win",
)  # fmt: skip


def replay(players: int, rules: dict[str, Any], events: Iterable[Event]) -> Reference:
    """Replay a whole game; `Mismatch` also if it has not ended with the last event."""
    reference = Reference(players, rules)
    for event in events:
        reference.apply(event)
    if not reference.finished:
        raise Mismatch(f"after event {reference.n_events - 1}: the game must go on to its end; found no more events")
    return reference


class Reference(Supply):
    """One game of Octobuns, checked event by event.

    Parameters
    ----------
    players : int
        Number of seats, 2 to 4.
    rules : dict
        Every key of `RULES`.

    Raises
    ------
    ValueError
        If the rules are incomplete.
    """

    def _play(self) -> Script[None]:
        """Setup, then turns until enough orders have been completed, or the guard on rounds."""
        yield from self._set_up()
        while not (cause := self._cause_to_end()):
            self._begin_turn()
            yield from self._take_turn()
            yield from self._end_turn()
        yield from self._end(cause)

    # Taking a Turn

    def _take_turn(self) -> Script[None]:
        """One of the four actions, any number of bonus actions, an order."""
        self._is_bakery_cleared = not any(self.me.bakery) and self.turn >= self.players
        self._n_roped = 0
        while (act := (yield from self._choose("act", self._legal_acts()))) != END_TURN:
            self._count_act(act)
            if act in TAKE:
                yield from self._take_one(act)
            else:
                yield from {
                    ROPE_IN: self._rope_in_by_action, EXCHANGE: self._exchange, CLEAN_UP: self._clean_up,
                    EXTRA_ROPE_IN: self._rope_in_by_icon, EXTRA_TENTACLE: self._extend_a_tentacle,
                    FROM_SUPPLY: self._take_by_icon, STARTING_CARD: self._use_starting_card, COMPLETE: self._complete,
                }[act]()  # fmt: skip
        self._note("ended without an action", self.action is None)

    def _legal_acts(self) -> list[int]:
        """What the active seat may do now."""
        actions = self._legal_actions()
        acts = [*actions, *self._legal_bonuses()]
        if self._may_complete():
            acts.append(COMPLETE)
        if self.action is not None or not actions:
            acts.append(END_TURN)
        return acts

    def _legal_actions(self) -> list[int]:
        """One of the four; a clean-up may go on card by card, but not once an order has been completed."""
        if self.action is None:
            acts = [place for place in TAKE if self.open[place] and self._may_take(self.open[place])]
            self._note("nothing to take", not any(self.open))
            if self._may_rope_in(self.rules["reserve_limit"]):
                acts.append(ROPE_IN)
            has_bun = any(map(self.recipes.is_bun, self.me.bakery))
            self._note("exchange barred, no discards", has_bun and not any(self.discards))
            if has_bun and any(self.discards):
                acts.append(EXCHANGE)
            self._note("reserve limit reached", self.me.n_reserved >= self.rules["reserve_limit"])
            if self._clean_up_steps():
                acts.append(CLEAN_UP)
            return acts
        if self.action == CLEAN_UP and self._clean_up_steps():
            self._note("clean-up stopped by an order", self.n_orders > 0)
            return [CLEAN_UP] if self.n_orders == 0 else []
        return []

    # Option A: Take 1 Ingredient

    def _take_one(self, place: int) -> Script[None]:
        """Choose one of the face-up ingredients and place it."""
        self.action = TAKEN
        self.me.counts["n_taken"] += 1
        yield from self._take_open(place, "open")

    def _may_take(self, item: int) -> bool:
        """Whether a card could be placed (ambiguity 7)."""
        if self._cells(item):
            return True
        self._note("full bakery, no taking", self.rules["full_bakery"] == "no-taking")
        return bool(self.rules["full_bakery"] == "discard")

    def _take_open(self, place: int, way: str) -> Script[None]:
        self.hand, self.open[place] = [self.open[place], 0], 0
        yield from self._next_and_check("take", way=way, place=place, item=self.hand[0])
        if self.rules["refill"] == "at-once":
            self._note("open place refilled at once", bool(self.stacks[place]))
            self._note("open place not refilled at once", not self.stacks[place])
            yield from self._refill(place, may_rebuild=self.rules["rebuild_when"] == "at-once")
        yield from self._place(way)

    def _cells(self, item: int, freed: int | None = None) -> list[int]:
        """Where the active seat may place a card, the cell freed by an exchange among them (ambiguity 8)."""
        cells = self.recipes.cells_for(self.me.bakery, item, self.bun_stock)
        if freed is not None and freed not in cells:
            self._note("freed cell without a neighbour", self.rules["freed_cell"])
            self._note("freed cell barred", not self.rules["freed_cell"])
            return sorted([*cells, freed]) if self.rules["freed_cell"] else cells
        return cells

    def _place(self, way: str, freed: int | None = None) -> Script[None]:
        """Place the card in hand, adjacent to a card or on top of one; a card without a place is lost."""
        item = self.hand[0]
        if not self._cells(item, freed):
            self._note("full bakery, card lost")
            self.hand = [0, 0]
            self._discard_taken(item, way)
            yield from self._next_and_check("lose", item=item)
            return
        if freed is not None:
            (freed,) = yield from self._slide(freed)
            self._note("freed cell slid out", freed is None)
        else:
            yield from self._slide()
        self._note_placing(item)
        cell = yield from self._choose("cell", self._cells(item, freed))
        self._note("freed cell used", cell == freed)
        is_stacked = bool(self.me.bakery[cell])
        self._note("stacked in a full bakery", is_stacked and all(self.me.bakery))
        self._note("exchanged card makes a bun", is_stacked and way == "exchange")
        self._note("first card of a bakery cleared", self._is_bakery_cleared and not any(self.me.bakery))
        made = self._put(cell, item)
        self.hand = [0, 0]
        fate = "placed" if not is_stacked else "stacked" if made else "lost"
        self.tallies["flow", item - 1, way, fate] += 1
        self.coverage["flow", way, fate] += 1
        yield from self._next_and_check("place", cell=cell, made=made)

    def _discard_taken(self, item: int, way: str) -> None:
        self.discards[item - 1] += 1
        self.tallies["flow", item - 1, way, "lost"] += 1
        self.coverage["flow", way, "lost"] += 1

    def _slide(self, *marked: int | None) -> Script[Sequence[int | None]]:
        """In a floating grid all cards may be slid first; where marked cells come to lie (ambiguity 4)."""
        if self.rules["grid"] == "fixed" or not any(self.me.bakery):
            return marked
        legal = [i for i, shift in enumerate(SHIFTS) if slid_bakery(self.me.bakery, shift) is not None]
        option = yield from self._choose("shift", legal)
        shift = SHIFTS[option]
        if shift == STAY:
            return marked
        self.me.bakery = slid_bakery(self.me.bakery, shift) or self.me.bakery
        self._note("cards slid")
        yield from self._next_and_check("shift", shift=option)
        return [None if cell is None else slid(cell, shift) for cell in marked]

    # Making Buns

    def _put(self, cell: int, item: int) -> int:
        """Put a card into a cell; on top of an ingredient both are discarded for the bun; the bun made, 0 if none."""
        bakery, below = self.me.bakery, self.me.bakery[cell]
        if not below:
            bakery[cell] = item
            return 0
        bun = self.recipes.bun_of(below, item)
        stock = bun - self.n_ingredients - 1
        is_lost = self.bun_stock[stock] == 0
        self._note("bun out of stock, cards lost", is_lost)
        for card in (below, item):
            self._leave(card, "lost" if is_lost else "bun")
        if is_lost:
            bakery[cell] = 0
            return 0
        self._note_bun(cell, below, item)
        self._note("last bun returned and remade", self._last_returned == bun)
        self.bun_stock[stock] -= 1
        bakery[cell] = bun
        self.me.counts["n_buns_made"] += 1
        return bun

    # Option B: Rope in (Reserve)

    def _may_rope_in(self, limit: int) -> bool:
        """Room for one more order (ambiguity 10), and one to be had."""
        to_have = self._legal_reserve()
        self._note("nothing to rope in", not to_have)
        self._note("two orders in higher places", limit == 2 == self.me.n_reserved and None in self.me.reserved[:2])
        return self.me.n_reserved < limit and bool(to_have)

    def _legal_reserve(self) -> list[int]:
        """Open orders; the tops of the piles."""
        options = [place for place in OPEN_PLACES if self.open_orders[place] is not None]
        if self.rules["blind_rope_in"]:
            options += [FIRST_PILE + kind for kind in KINDS if self.piles[kind]]
        return options

    def _rope_in_by_action(self) -> Script[None]:
        self.action = ROPE_IN
        self.me.counts["n_rope_ins"] += 1
        yield from self._rope_in()

    def _rope_in(self) -> Script[None]:
        """Put an order before oneself, in the lowest free place."""
        source = yield from self._choose("reserve", self._legal_reserve())
        order = self.piles[source - FIRST_PILE].pop(0) if source >= FIRST_PILE else self.open_orders[source]
        if source < FIRST_PILE:
            self.open_orders[source] = None
            self._count_wait(source, "roped in")
        else:
            self.me.counts["n_blind"] += 1
            self._note("roped in blind")
        self.me.reserved[self.me.reserved.index(None)] = order
        self._n_roped += 1
        self._note("several roped in in a turn", self._n_roped > 1)
        self.coverage["roped in", source] += 1
        yield from self._next_and_check("rope in", source=source, order=order)

    # Option C: Exchange a Bun

    def _exchange(self) -> Script[None]:
        """Return a bun, take any card of the discard pile, place it as in action A (ambiguity 8)."""
        self.action = EXCHANGE
        self.me.counts["n_exchanges"] += 1
        cell = yield from self._choose("bun", [i for i in CELLS if self.recipes.is_bun(self.me.bakery[i])])
        bun = self.me.bakery[cell]
        self._last_returned = bun if self.bun_stock[bun - self.n_ingredients - 1] == 0 else None
        self.me.bakery[cell] = 0
        self._leave(bun, "exchanged")
        self._note("bakery of one bun exchanged", not any(self.me.bakery))
        yield from self._next_and_check("return", cell=cell, bun=bun)
        item = 1 + (yield from self._choose("discarded", [i for i, n in enumerate(self.discards) if n]))
        self.discards[item - 1] -= 1
        self.hand = [item, 0]
        yield from self._next_and_check("take", way="exchange", place=0, item=item)
        yield from self._place("exchange", cell)
        self._last_returned = None

    # Option D: Clean Up

    def _clean_up_steps(self) -> list[int]:
        """A card may be lifted, a reserved order dropped."""
        return self._liftable() + self._droppable()

    def _liftable(self) -> list[int]:
        """One or two cards, each moved or discarded (ambiguities 9, 23)."""
        cards, rules = [cell for cell in CELLS if self.me.bakery[cell]], self.rules
        if self.n_cleaned >= rules["clean_up_cards"] or (self.n_cleaned and rules["clean_up_sequence"] == "together"):
            return []
        if self.cleaned_how == "move" and not rules["clean_up_mixed"]:
            return [cell for cell in cards if self._can_be_moved(cell)]
        return cards

    def _can_be_moved(self, cell: int) -> bool:
        rest = [0 if other == cell else card for other, card in enumerate(self.me.bakery)]
        return bool(self.recipes.cells_to_move(rest, self.me.bakery[cell], self.bun_stock, cell))

    def _droppable(self) -> list[int]:
        """You may also discard reserved orders."""
        places = [FIRST_RESERVED_CARD + i for i, order in enumerate(self.me.reserved) if order is not None]
        is_barred = not self.n_cleaned and not self.rules["clean_up_orders_alone"]
        self._note("drop barred without cards", is_barred and bool(places))
        return [] if is_barred else places

    def _clean_up(self) -> Script[None]:
        """One step: a reserved order, or a card (both cards, where they are lifted together)."""
        steps = self._clean_up_steps()
        if self.action is None:
            self.action = CLEAN_UP
            self.me.counts["n_clean_ups"] += 1
            self._moved_to = self._first_source = None
        else:
            self._note("clean-up goes on after a bonus", self._last_act_was_bonus)
        self._last_act_was_bonus = False
        option = yield from self._choose("clean_up", steps)
        if option >= FIRST_RESERVED_CARD:
            yield from self._drop(option - FIRST_RESERVED_CARD)
            return
        sources: list[int | None] = [(yield from self._lift(option, 0))]
        if self.rules["clean_up_sequence"] == "together" and self.rules["clean_up_cards"] >= 2:
            cells = [cell for cell in CELLS if self.me.bakery[cell]]
            option = yield from self._choose("clean_second", [*cells, NONE])
            self._note("only one lifted", option == NONE and bool(cells))
            sources += [(yield from self._lift(option, 1))] if option != NONE else []
        how_before = self.cleaned_how
        while sources:
            sources = yield from self._clean_to(sources, how_before)
            how_before = self.cleaned_how

    def _drop(self, place: int) -> Script[None]:
        """A reserved order leaves the game, or goes under its pile (ambiguity 9)."""
        order = self.me.reserved[place]
        if order is None:
            raise LookupError("an empty place was offered")
        self.me.reserved[place] = None
        self.me.counts["n_dropped"] += 1
        pile = self.piles[self.orders[order].kind]
        is_back = self.rules["dropped_orders"] == "bottom"
        self._note("dropped order comes back", is_back)
        self._note("reserved order dropped after" if self.n_cleaned else "reserved order dropped first")
        if is_back:
            pile.append(order)
        yield from self._next_and_check("drop", place=place, order=order)

    def _lift(self, cell: int, hand: int) -> Script[int]:
        """Take a card of the bakery into the hand; the cell that it came from."""
        self._note("the same card moved twice", self.n_cleaned > 0 and cell == self._moved_to)
        self.hand[hand], self.me.bakery[cell] = self.me.bakery[cell], 0
        self.n_cleaned += 1
        isolated = [i for i in NEIGHBOURS[cell] if self.me.bakery[i] and not any(map(self._has_card, NEIGHBOURS[i]))]
        self._note("card isolated by cleaning up", bool(isolated) and sum(map(bool, self.me.bakery)) > 1)
        yield from self._next_and_check("lift", cell=cell, item=self.hand[hand])
        return cell

    def _has_card(self, cell: int) -> bool:
        return self.me.bakery[cell] > 0

    def _clean_to(self, sources: list[int | None], how_before: str | None) -> Script[list[int | None]]:
        """Move or discard the first card in hand; where the cells of those left were lifted from lie now."""
        item, is_second = self.hand[0], self.n_cleaned > 1
        is_bound = how_before is not None and not self.rules["clean_up_mixed"]
        if not is_bound or how_before == "move":
            before = list(sources)
            sources = list((yield from self._slide(*sources)))
            self._note("cell lifted from slid", sources != before and sources[0] is not None)
            self._note("cell lifted from slid out", sources[0] is None)
        cells = self.recipes.cells_to_move(self.me.bakery, item, self.bun_stock, sources[0])
        self._note_placing(item)
        if is_bound and how_before == "discard":
            cells = []
            self._note("second card discarded too")
        is_free = not is_bound or not cells
        self._note("second card must be moved", not is_free)
        option = yield from self._choose("clean_to", [*cells, *([DISCARD] if is_free else [])])
        self.hand = [self.hand[1], 0]
        how = "discard" if option == DISCARD else "move"
        self._note("moved and discarded", is_second and how != how_before)
        self.cleaned_how = how
        if option == DISCARD:
            yield from self._discard(item)
        else:
            self._note("two lifted, the first takes the other's cell", len(sources) > 1 and option == sources[1])
            is_swap = self.rules["clean_up_sequence"] == "together" and self._first_source == option
            self._note("two lifted, cells swapped", is_second and is_swap)
            self._first_source = sources[0]
            yield from self._move(option, item)
        return sources[1:]

    def _discard(self, item: int) -> Script[None]:
        self._note("bun discarded" if self.recipes.is_bun(item) else "card discarded")
        self._leave(item, "discarded")
        yield from self._next_and_check("discard", item=item)

    def _move(self, cell: int, item: int) -> Script[None]:
        is_stacked = bool(self.me.bakery[cell])
        self._note("bun moved" if self.recipes.is_bun(item) else "card moved")
        self._note("only card moved", not any(self.me.bakery))
        made = self._put(cell, item)
        self._note("moved card makes a bun", is_stacked and made > 0)
        self._moved_to = cell
        yield from self._next_and_check("place", cell=cell, made=made)

    # Completing Orders

    def _may_complete(self) -> bool:
        """After the action, one order a turn (ambiguity 12)."""
        if self.action is None:
            return False
        is_allowed = self.n_orders < self.rules["orders_per_turn"]
        fitting = self._orders_that_fit()
        self._note("order fits but not another in this turn", bool(fitting) and not is_allowed)
        return is_allowed and bool(fitting)

    def _orders_that_fit(self) -> list[int]:
        """Open orders, then one's own reserved ones."""
        orders = [*self.open_orders, *self.me.reserved]
        return [place for place, order in enumerate(orders) if order is not None and self._sets_for(order)]

    def _sets_for(self, order: int) -> frozenset[Cells]:
        """The cells that this order may take (ambiguities 2, 3)."""
        items = self.orders[order].items
        return sets_that_fit(tuple(self.me.bakery), items, self.rules["bends"], self.rules["reversal"])

    def _complete(self) -> Script[None]:
        """Hand over the required cards; the order's coins and icon are the seat's."""
        options = self._orders_that_fit()
        self._note("several orders fit", len(options) > 1)
        place = yield from self._choose("order", options)
        number = self.open_orders[place] if place < FIRST_RESERVED else self.me.reserved[place - FIRST_RESERVED]
        if number is None:
            raise LookupError("an empty place was offered")
        order, all_sets = self.orders[number], path_sets(self.longest)
        sets = self._sets_for(number)
        self._note("several sets fit", len(sets) > 1)
        path = yield from self._choose("path", [i for i, cells in enumerate(all_sets) if cells in sets])
        self._note_order(order, all_sets[path], sets)
        self._hand_over(all_sets[path])
        if place < FIRST_RESERVED:
            self.open_orders[place] = None
            self._count_wait(place, "completed")
        else:
            self.me.reserved[place - FIRST_RESERVED] = None
            self.me.counts["n_from_reserve"] += 1
        self._reward(order)
        how = "open" if place < FIRST_RESERVED else "reserved"
        self._note(f"completed {how} order")
        self.tallies["orders", number, self.active, how] += 1
        yield from self._next_and_check("complete", place=place, order=number, path=path)

    def _hand_over(self, cells: Cells) -> None:
        """The cards used leave the bakery, or stay (ambiguity 1)."""
        if self.rules["used_cards"] == "stay":
            self._note("cards stay")
            return
        for cell in cells:
            self._leave(self.me.bakery[cell], "order")
            self.me.bakery[cell] = 0
        self._is_bakery_cleared |= not any(self.me.bakery)

    def _reward(self, order: Order) -> None:
        """The coins, and the icon face up."""
        me, kind = self.me, "small" if order.kind == SMALL else "large"
        me.n_done[order.kind] += 1
        me.coins += order.coins
        me.counts[f"n_{kind}"] += 1
        me.counts[f"from_{kind}"] += order.coins
        if order.icon is not None:
            me.icons[order.icon] += 1
            self.fresh[order.icon] += 1
        self.n_orders += 1
        self._note("second order in a turn", self.n_orders == 2)
        if sum(me.n_done) == self.rules["orders_to_end"]:
            self._note("another seat done in the last round", self.first_done < self.players)
            self.first_done = min(self.first_done, self.active) if self.first_done == self.players else self.first_done

    # Bonus Actions

    def _legal_bonuses(self) -> list[int]:
        """Any number at any moment (ambiguity 12), each from an unused icon."""
        icons = list(self.me.icons)
        if self.rules["new_bonus"] == "next-turn":
            icons = [n - fresh for n, fresh in zip(icons, self.fresh, strict=True)]
            self._note("fresh icon barred", icons != self.me.icons)
        if self.n_orders and not self.rules["bonus_after_order"]:
            self._note("bonus barred after an order", any(icons) or self.me.starting > 0)
            return []
        limit = self.rules["reserve_limit"] + 2 * (self.rules["extra_rope_in"] == "beyond")
        may_draw = any(stack and self._may_take(stack[0]) for stack in self.stacks)
        is_possible = {
            EXTRA_ROPE_IN: icons[0] and self._may_rope_in(limit),
            EXTRA_TENTACLE: icons[1] and any(item and self._may_take(item) for item in self.open),
            FROM_SUPPLY: icons[2] and may_draw,
            STARTING_CARD: self.me.starting and may_draw,
        }
        self._note("extra rope in barred by the limit", bool(icons[0]) and self.me.n_reserved >= limit)
        self._note("icon without use", not may_draw and self.me.starting > 0)
        return [act for act, may in is_possible.items() if may]

    def _use(self, kind: int) -> Script[None]:
        """Flip a card, so that its bonus is used."""
        self._last_act_was_bonus = True
        if kind == STARTING_KIND:
            self.me.starting -= 1
            self.me.counts["n_starting_used"] += 1
        else:
            self._note("fresh icon used", 0 < self.me.icons[kind] <= self.fresh[kind])
            self.me.icons[kind] -= 1
        self._note("bonus after an order", self.n_orders > 0)
        self.coverage["use", kind] += 1
        yield from self._next_and_check("use", kind=kind)

    def _rope_in_by_icon(self) -> Script[None]:
        """Extra Rope In: follow the rules of Action B."""
        yield from self._use(ICONS.index("rope-in"))
        self.me.counts["n_extra_rope_ins"] += 1
        self._note("extra rope in beyond the limit", self.me.n_reserved >= self.rules["reserve_limit"])
        yield from self._rope_in()

    def _extend_a_tentacle(self) -> Script[None]:
        """Extra Tentacle: take one face-up ingredient."""
        yield from self._use(ICONS.index("tentacle"))
        self.me.counts["n_extra_tentacles"] += 1
        places = [place for place in range(3) if self.open[place] and self._may_take(self.open[place])]
        yield from self._take_open((yield from self._choose("ingredient", places)), "tentacle")

    def _take_by_icon(self) -> Script[None]:
        """Take From the Supply."""
        yield from self._use(ICONS.index("supply"))
        self.me.counts["n_supply_takes"] += 1
        yield from self._take_from_supply()

    def _use_starting_card(self) -> Script[None]:
        """Starting Card: a free Take From the Supply."""
        yield from self._use(STARTING_KIND)
        self.me.counts["n_supply_takes"] += 1
        yield from self._take_from_supply()

    def _take_from_supply(self) -> Script[None]:
        """Take the top card, known by its back, of any stack (ambiguity 13)."""
        legal = [place for place, stack in enumerate(self.stacks) if stack and self._may_take(stack[0])]
        place = yield from self._choose("stack", legal)
        self.hand = [self.stacks[place].pop(0), 0]
        yield from self._next_and_check("take", way="supply", place=place, item=self.hand[0])
        yield from self._rebuild_at_once(place)
        yield from self._place("supply")

    # End of the Game

    def _cause_to_end(self) -> str | None:
        """Enough orders completed and the round finished (ambiguity 16); or too many rounds."""
        if self.first_done < self.players:
            is_round_over = self.turn % self.players == 0
            self._note("last round after the end was triggered", self.rules["finish_round"] and not is_round_over)
            self._note("end in mid-round", not self.rules["finish_round"] and not is_round_over)
            if is_round_over or not self.rules["finish_round"]:
                return "orders"
        return "unfinished" if self.turn == self.rules["max_rounds"] * self.players else None

    def _end(self, cause: str) -> Script[None]:
        """The most coins win, then the most buns left, then all of these (ambiguity 17)."""
        columns = self._seat_columns()
        coins, standing = columns["coins"], list(zip(columns["coins"], columns["buns_left"], strict=True))
        ranks = [1 + sum(other > own for other in standing) for own in standing]
        winners = [seat for seat in range(self.players) if ranks[seat] == 1 and cause != "unfinished"]
        figures = {"cause": cause, "n_turns": self.turn, "winners": winners, "ranks": ranks}
        games = {
            "n_rebuilds": self.totals["n_rebuilds"],
            "stock_out": self.was_out_of_stock,
            "first_done": self.first_done,
        }
        yield from self._next_and_check("end", **figures, games=games, seats=columns)
        self.coverage["cause", cause] += 1
        self._note("shared win", len(winners) > 1)
        self._note("tie on coins decided by buns", 0 < len(winners) < coins.count(max(coins)))
        self.finished = True
        yield

    # Coverage

    def _note_placing(self, item: int) -> None:
        """What the placement rules say here."""
        bakery, recipes = self.me.bakery, self.recipes
        if recipes.is_bun(item):
            return
        cards = [cell for cell in CELLS if bakery[cell]]
        lonely = [cell for cell in cards if not any(bakery[other] for other in NEIGHBOURS[cell])]
        if not self.rules["isolated_neighbours"] and lonely and len(cards) > 1:
            self._note("all cards isolated, so all count" if lonely == cards else "isolated card does not count")
        pairs = [cell for cell in cards if recipes.bun_of(bakery[cell], item)]
        stacking = recipes.stacking_cells(bakery, item, self.bun_stock)
        for cell in set(pairs) - set(stacking):
            is_out = self.bun_stock[recipes.bun_of(bakery[cell], item) - self.n_ingredients - 1] == 0
            self._note("bun out of stock, no stacking" if is_out else "stacking barred without a neighbour")

    def _note_bun(self, cell: int, below: int, item: int) -> None:
        """How this bun came about."""
        bakery = self.me.bakery
        is_alone = not any(bakery[other] for other in NEIGHBOURS[cell])
        self._note("bun of a doubled type made", below == item)
        shared = {bun for pair, bun in self.recipes.buns.items() if below in pair or item in pair}
        self._note("bun of a shared ingredient made", len(shared) > 1)
        n_cards = sum(map(bool, bakery))
        self._note("stacked without a neighbour", is_alone and n_cards > 1)
        self._note("stacked upon the only card", n_cards == 1 and self.rules["stacking_next_to"])

    def _note_order(self, order: Order, cells: Cells, sets: frozenset[Cells]) -> None:
        """What is special about an order completed."""
        bakery, items = tuple(self.me.bakery), order.items
        self._note("read backwards", cells not in sets_that_fit(bakery, items, True, False))
        self._note("bent path", cells not in sets_that_fit(bakery, items, False, True))
        self._note("order of five", len(items) == 5)
        self._note("palindrome", items == items[::-1])
        self._note("repeated items", len(set(items)) < len(items))
        self._note("bun in an order", any(map(self.recipes.is_bun, items)))
        self.coverage["icon", order.icon] += 1

    _last_returned: int | None = None
    _moved_to: int | None = None
    _first_source: int | None = None
    _last_act_was_bonus = False
    _is_bakery_cleared = False
    _n_roped = 0
