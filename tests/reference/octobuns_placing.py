"""Taking an ingredient in Octobuns, placing it and making buns, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

from .octobuns_bakery import CELLS, NEIGHBOURS, SHIFTS, STAY, slid, slid_bakery
from .octobuns_supply import Supply
from .octobuns_table import Script

TAKE = range(3)  # the options of act that take an open ingredient
TAKEN = 0  # the action shown when one was taken


class Placing(Supply):
    """The table on which cards are placed."""

    _last_returned: int | None = None
    _is_bakery_cleared = False

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
        cell = yield from self._choose("cell", self._cells(item, freed), card=item)
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
        option = yield from self._choose("shift", legal, card=self.hand[0])
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
