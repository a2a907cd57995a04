"""The other actions of Octobuns in plain Python: Rope in, Exchange a Bun, Clean Up."""

from __future__ import annotations

from .octobuns_bakery import CELLS, NEIGHBOURS
from .octobuns_placing import Placing
from .octobuns_table import KINDS, OPEN_PLACES, Script

ROPING_IN, EXCHANGING, CLEANING_UP = 3, 4, 5  # the action shown
FIRST_PILE = 4  # the options of reserve: open orders, then piles
NONE = DISCARD = FIRST_RESERVED_CARD = 9  # after the cells: of clean_second, clean_to, clean_up


class Actions(Placing):
    """The table with what may be done on it instead of taking an ingredient."""

    _moved_to: int | None = None
    _first_source: int | None = None
    _last_act_was_bonus = False
    _n_roped = 0

    # Option B: Rope in (Reserve)

    def _may_rope_in(self, limit: int) -> bool:
        """Room for one more order (ambiguity 10), and one to be had."""
        to_have = self._legal_reserve()
        self._note("nothing to rope in", not to_have)
        is_reached = self.me.n_reserved == limit
        self._note("limit reached in higher places", is_reached and None in self.me.reserved[:limit])
        return self.me.n_reserved < limit and bool(to_have)

    def _legal_reserve(self) -> list[int]:
        """Open orders; the tops of the piles."""
        options = [place for place in OPEN_PLACES if self.open_orders[place] is not None]
        if self.rules["blind_rope_in"]:
            options += [FIRST_PILE + kind for kind in KINDS if self.piles[kind]]
        return options

    def _rope_in_by_action(self) -> Script[None]:
        self.action = ROPING_IN
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
        self.action = EXCHANGING
        self.me.counts["n_exchanges"] += 1
        cell = yield from self._choose("bun", [i for i in CELLS if self.recipes.is_bun(self.me.bakery[i])])
        bun = self.me.bakery[cell]
        self._last_returned = bun if self.bun_stock[bun - self.n_ingredients - 1] == 0 else None
        self.me.bakery[cell] = 0
        self._leave(bun, "exchanged")
        self._note("bakery of one bun exchanged", not any(self.me.bakery))
        yield from self._next_and_check("return", cell=cell, bun=bun)
        ingredients = [i for i, n in enumerate(self.discards) if n]
        item = 1 + (yield from self._choose("discarded", ingredients, freed=cell))
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
            self.action = CLEANING_UP
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
        option = yield from self._choose("clean_to", [*cells, *([DISCARD] if is_free else [])], card=item)
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
