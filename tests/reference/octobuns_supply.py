"""Octobuns' supply in plain Python: Game Setup, refilling at the end of a turn, new stacks from the discard pile."""

from __future__ import annotations

from collections import Counter

from .octobuns_bakery import CELLS
from .octobuns_table import ACTS, ICONS, KINDS, MOST_STEPS, OPEN_PLACES, SMALL, Script, Table


class Supply(Table):
    """The table with its stacks and piles; all luck of the game is here."""

    # Game Setup

    def _set_up(self) -> Script[None]:
        """Three stacks and two piles, shuffled: the order of the cards is the event's, the cards are the box's."""
        event = yield from self._next("setup")
        given = next((i for i in range(len(self.orders)) if self._name_of(i) == self.rules["given_order"]), None)
        self._form_stacks(event["state"]["stacks"], event["state"]["open"])
        self._form_piles(event["state"]["piles"], event["state"]["open_orders"], given)
        if given is not None:
            self._note("an order given")
            self.seats[0].reserved[0] = given
        if self.rules["given_icon"]:
            self.seats[0].icons[ICONS.index(self.rules["given_icon"])] += 1
        self._check_state(event)

    def _name_of(self, order: int) -> str:
        n_small = len(self.rules["small_orders"])
        card = (self.rules["small_orders"] + self.rules["large_orders"])[order] if order < n_small else None
        name: str = (card or self.rules["large_orders"][order - n_small])["name"]
        return name

    def _form_stacks(self, stacks: list[list[int]], opened: list[int]) -> None:
        """Three stacks of roughly equal size, the top card of each turned up."""
        n_cards = self.n_ingredients * self.rules["copies"]
        sizes = [len(range(place, n_cards, 3)) for place in range(3)]
        self._agree("stacks of", [max(size - 1, 0) for size in sizes], [len(stack) for stack in stacks])
        self._agree("open cards", [size > 0 for size in sizes], [card > 0 for card in opened])
        found = Counter(card for stack in (*stacks, opened) for card in stack if card)
        box = {1 + kind: self.rules["copies"] for kind in range(self.n_ingredients)} if n_cards else {}
        self._agree("ingredients", box, dict(sorted(found.items())))
        self.stacks, self.open = [list(stack) for stack in stacks], list(opened)

    def _form_piles(self, piles: list[list[int]], opened: list[int | None], given: int | None) -> None:
        """The orders of each kind but the one given, the top two turned up."""
        for kind in KINDS:
            box = [i for i, order in enumerate(self.orders) if order.kind == kind and i != given]
            up = opened[2 * kind : 2 * kind + 2]
            n_up = min(len(box), 2)
            self._agree("open orders", [place < n_up for place in range(2)], [order is not None for order in up])
            found = sorted([*(order for order in up if order is not None), *piles[kind]])
            self._agree(f"{'small' if kind == SMALL else 'large'} orders", box, found)
        self.piles, self.open_orders = [list(pile) for pile in piles], list(opened)

    # Ending Your Turn

    def _end_turn(self) -> Script[None]:
        """Replenish the open ingredients and orders (ambiguities 11, 14, 21, 22)."""
        for place in range(3):
            if not self.open[place]:
                yield from self._refill(place, may_rebuild=True)
        if self._some_stack_is_empty():
            yield from self._rebuild()
        yield from self._refill_orders()
        self.was_out_of_stock |= 0 in self.bun_stock
        self._note("a bun kind out of stock at the end of a turn", 0 in self.bun_stock)
        self.turn += 1

    def _refill(self, place: int, may_rebuild: bool) -> Script[None]:
        """Open the top card of the stack above an empty place, from new stacks if it has run out."""
        if not self.stacks[place] and may_rebuild and any(self.discards):
            yield from self._rebuild()
            self._note("an open card from a stack just rebuilt", bool(self.stacks[place]))
            self._note("a stack still empty after the rebuild", not self.stacks[place])
        if not self.stacks[place]:
            self._note("an open place stays empty")
            return
        self.open[place] = self.stacks[place].pop(0)
        yield from self._next_and_check("refill", place=place, item=self.open[place])
        yield from self._rebuild_at_once(place)

    def _refill_orders(self) -> Script[None]:
        """Turn up orders, the left of two empty places first."""
        filled = []
        for place in OPEN_PLACES:
            pile = self.piles[place // 2]
            self._note("an order place stays empty", self.open_orders[place] is None and not pile)
            if self.open_orders[place] is None and pile:
                self.open_orders[place], self.up_since[place] = pile.pop(0), self.turn + 1
                filled.append(place)
        self._note("several orders turned up", len(filled) > 1)
        if filled:
            yield from self._next_and_check("orders")

    def _some_stack_is_empty(self) -> bool:
        return not all(self.stacks) and any(self.discards)

    def _rebuild_at_once(self, place: int) -> Script[None]:
        """After a draw: a stack that it has emptied may be rebuilt at once (ambiguity 22)."""
        if self.rules["rebuild_when"] == "at-once" and not self.stacks[place] and any(self.discards):
            yield from self._rebuild()
            self._note("rebuilt right after a draw")

    def _rebuild(self) -> Script[None]:
        """Shuffle the discard pile and deal it under the stacks, one by one: their order is the event's."""
        sizes, places = [len(stack) for stack in self.stacks], []
        for number in range(sum(self.discards)):
            place = number % 3 if self.rules["rebuild"] == "spread" else sizes.index(min(sizes))
            sizes[place] += 1
            places.append(place)
        event = yield from self._next("rebuild")
        found = event["state"]["stacks"]
        self._agree("stacks of", sizes, [len(stack) for stack in found])
        below = [stack[len(before) :] for stack, before in zip(found, self.stacks, strict=True)]
        dealt = Counter(card for cards in below for card in cards)
        self._agree("discards dealt", self.discards, [dealt[1 + kind] for kind in range(self.n_ingredients)])
        self._note("a rebuild of fewer cards than stacks", sum(self.discards) < 3)
        self._note("a rebuild under stacks of different size", len({len(stack) for stack in self.stacks}) > 1)
        for stack, cards in zip(self.stacks, below, strict=True):
            stack.extend(cards)
        self.discards = [0] * self.n_ingredients
        self.totals["n_rebuilds"] += 1
        self._check_state(event)

    # Counts

    def _count_act(self, act: int) -> None:
        """What a seat does, by round."""
        self.tallies["acts", min(self.turn // self.players, MOST_STEPS - 1), self.active, ACTS[act]] += 1

    def _count_wait(self, place: int, how: str) -> None:
        """How long an open order has been up when it is taken."""
        self.tallies[
            "waits", ("small", "large")[place // 2], how, min(self.turn - self.up_since[place], MOST_STEPS - 1)
        ] += 1

    def _seat_columns(self) -> dict[str, list[int]]:
        """What each seat did, and what it has at the end."""
        counted = (
            "n_small", "n_large", "from_small", "from_large", "n_buns_made", "n_taken", "n_rope_ins", "n_blind",
            "n_exchanges", "n_clean_ups", "n_extra_rope_ins", "n_extra_tentacles", "n_supply_takes", "n_starting_used",
            "n_from_reserve", "n_dropped",
        )  # fmt: skip
        kinds = [[self.recipes.is_bun(seat.bakery[cell]) for cell in CELLS if seat.bakery[cell]] for seat in self.seats]
        buns = [sum(is_bun) for is_bun in kinds]
        return {name: [seat.counts[name] for seat in self.seats] for name in counted} | {
            "coins": [seat.coins + self.rules["coins_per_bun"] * n for seat, n in zip(self.seats, buns, strict=True)],
            "buns_left": buns,
            "cards_left": [len(is_bun) - sum(is_bun) for is_bun in kinds],
            "icons_left": [sum(seat.icons) for seat in self.seats],
            "reserved_left": [seat.n_reserved for seat in self.seats],
        }
