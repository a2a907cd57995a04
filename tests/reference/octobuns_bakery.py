"""A bakery of Octobuns in plain Python: where a card may be placed, which buns it makes, which cards an order takes.

A bakery is a list of nine cells, row by row, top left first: 0 empty, then the ingredients, then the buns, as they are
listed in the rules. Everything here only looks; the rules of play are in `octobuns`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

Cells = tuple[int, ...]

CELLS = range(9)
NEIGHBOURS = tuple(
    tuple(other for other in CELLS if abs(other // 3 - cell // 3) + abs(other % 3 - cell % 3) == 1) for cell in CELLS
)
STAY = (0, 0)
SHIFTS = (STAY, *((rows, columns) for rows in range(-2, 3) for columns in range(-2, 3) if (rows, columns) != STAY))
"""Rows down and columns to the right by which all cards are slid; the option's number is the place here."""


class Recipes:
    """Which two ingredients make which bun, and how cards may be placed by these rules."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules, self.ingredients = rules, list(rules["ingredients"])
        self.codes = {name: 1 + number for number, name in enumerate(self.ingredients)}
        self.buns: dict[tuple[int, int], int] = {}
        for number, bun in enumerate(rules["buns"]):
            one, other = (self.codes[name] for name in bun["of"])
            self.buns[one, other] = self.buns[other, one] = 1 + len(self.ingredients) + number
        self.codes |= {bun["name"]: 1 + len(self.ingredients) + i for i, bun in enumerate(rules["buns"])}

    def is_bun(self, item: int) -> bool:
        """Whether a card is a bun, not an ingredient (or nothing)."""
        return item > len(self.ingredients)

    def bun_of(self, one: int, other: int) -> int:
        """The bun that two cards make, 0 if none; a bun is never stacked, nor stacked upon."""
        return self.buns.get((one, other), 0)

    # Option A: Take 1 Ingredient, the placement rules

    def counted(self, bakery: Sequence[int]) -> list[int]:
        """The cells whose cards count as "an existing card" to place next to (ambiguity 5)."""
        cards = self._cards(bakery)
        if self.rules["isolated_neighbours"]:
            return cards
        return [cell for cell in cards if any(bakery[other] for other in NEIGHBOURS[cell])] or cards

    def free_cells(self, bakery: Sequence[int]) -> list[int]:
        """Empty cells horizontally or vertically adjacent to an existing card; anywhere in an empty bakery."""
        if not any(bakery):
            return list(CELLS)
        existing = self.counted(bakery)
        return [cell for cell in CELLS if not bakery[cell] and any(other in existing for other in NEIGHBOURS[cell])]

    def stacking_cells(self, bakery: Sequence[int], item: int, stock: Sequence[int]) -> list[int]:
        """Making Buns: cells where this card may be placed on top of another (ambiguities 5, 6)."""
        existing, cells = self.counted(bakery), []
        for cell in self._cards(bakery):
            bun = self.bun_of(bakery[cell], item)
            if not bun or (self.rules["bun_out_of_stock"] == "no-stacking" and not self._in_stock(bun, stock)):
                continue
            is_next = any(other in existing for other in NEIGHBOURS[cell]) or existing == [cell] == self._cards(bakery)
            if is_next or not self.rules["stacking_next_to"]:
                cells.append(cell)
        return cells

    def cells_for(self, bakery: Sequence[int], item: int, stock: Sequence[int]) -> list[int]:
        """All cells where this card may be placed."""
        return sorted(self.free_cells(bakery) + self.stacking_cells(bakery, item, stock))

    def cells_to_move(self, bakery: Sequence[int], item: int, stock: Sequence[int], source: int | None) -> list[int]:
        """Clean Up: where a card lifted from `source` may go, by the normal placement rules (ambiguity 9)."""
        stacking = self.stacking_cells(bakery, item, stock) if self.rules["clean_up_stacks"] else []
        return sorted(cell for cell in self.free_cells(bakery) + stacking if cell != source)

    def _in_stock(self, bun: int, stock: Sequence[int]) -> bool:
        return stock[bun - len(self.ingredients) - 1] > 0

    def _cards(self, bakery: Sequence[int]) -> list[int]:
        return [cell for cell in CELLS if bakery[cell]]


# A grid that floats (ambiguity 4)


def slid(cell: int, shift: tuple[int, int]) -> int | None:
    """Where a cell comes to lie; None outside the frame."""
    row, column = cell // 3 + shift[0], cell % 3 + shift[1]
    return 3 * row + column if 0 <= row < 3 and 0 <= column < 3 else None


def slid_bakery(bakery: Sequence[int], shift: tuple[int, int]) -> list[int] | None:
    """The bakery with all cards slid; None if one would leave the frame."""
    told = [0] * 9
    for cell in CELLS:
        if bakery[cell]:
            target = slid(cell, shift)
            if target is None:
                return None
            told[target] = bakery[cell]
    return told


# Completing Orders (ambiguities 2, 3, 20)


def walks(cell: int, n_cells: int, before: Cells = ()) -> Iterator[Cells]:
    """All ways of walking over so many different cells, each adjacent to the one before."""
    if n_cells == 1:
        yield (*before, cell)
        return
    for other in NEIGHBOURS[cell]:
        if other not in (*before, cell):
            yield from walks(other, n_cells - 1, (*before, cell))


@cache
def path_sets(longest: int) -> tuple[Cells, ...]:
    """The sets of cells that walks of two cells and more cover: the options of `path`."""
    found = {tuple(sorted(walk)) for n in range(2, longest + 1) for cell in CELLS for walk in walks(cell, n)}
    return tuple(sorted(found, key=lambda cells: (len(cells), cells)))


@cache
def sets_that_fit(bakery: Cells, items: Cells, bends: bool, reversal: bool) -> frozenset[Cells]:
    """The sets of cells whose cards, walked over in the order's sequence, are the order's items."""
    found: set[Cells] = set()
    for cell in CELLS:
        _walk_on(bakery, items, bends, reversal, (cell,), found)
    return frozenset(found)


def _walk_on(bakery: Cells, items: Cells, bends: bool, reversal: bool, walk: Cells, found: set[Cells]) -> None:
    """Keep the set of a walk that shows all items; go on from one that shows the first of them."""
    if bakery[walk[-1]] != items[len(walk) - 1]:
        return
    if len(walk) == len(items):
        found.add(tuple(sorted(walk)))
        return
    for other in NEIGHBOURS[walk[-1]]:
        step = other - walk[-1]
        is_as_one_reads = step > 0  # to the right or down
        is_straight = len(walk) < 2 or step == walk[-1] - walk[-2]
        if other not in walk and (is_as_one_reads or reversal) and (is_straight or bends):
            _walk_on(bakery, items, bends, reversal, (*walk, other), found)
