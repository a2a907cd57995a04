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

from collections.abc import Iterable
from typing import Any

from .octobuns_actions import Actions
from .octobuns_bakery import Cells, path_sets, sets_that_fit
from .octobuns_placing import TAKE
from .octobuns_table import ACTS, ICONS, SMALL, Event, Mismatch, Order, Script

(ROPE_IN, EXCHANGE, CLEAN_UP, EXTRA_ROPE_IN, EXTRA_TENTACLE, FROM_SUPPLY, STARTING_CARD, COMPLETE, END_TURN) = range(
    3, len(ACTS)
)
STARTING_KIND = 3  # how the use of the starting card is told; icons by their numbers
FIRST_RESERVED = 4  # of order: open orders, then reserved ones

CASES = (
    "full bakery, no taking", "full bakery, card lost", "stacked in a full bakery",
    "bun out of stock, no stacking", "bun out of stock, cards lost",
    "bun of a doubled type made", "bun of a shared ingredient made", "stacked without a neighbour",
    "stacking barred without a neighbour", "stacked upon the only card", "isolated card does not count",
    "all cards isolated, so all count", "first card of a bakery cleared", "cards slid",
    "reserve limit reached", "limit reached in higher places", "extra rope in barred by the limit",
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


class Reference(Actions):
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
            yield from self._take_turn()
            yield from self._end_turn()
        yield from self._end(cause)

    # Taking a Turn

    def _take_turn(self) -> Script[None]:
        """One of the four actions, any number of bonus actions, an order."""
        self._begin_turn()
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
        fitting = [i for i, cells in enumerate(all_sets) if cells in sets]
        path = yield from self._choose("path", fitting, order=number)
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
