"""The spatial puzzle: whether an order lies in a bakery, where, and what is missing.

An order lies along a path: cells next to each other, none of them twice. All paths of the 3x3 grid are known
beforehand as trees (a path of four cells is one of three and a cell more), so that a level of the tree costs two look-
ups of whole rows however many games there are. Bakeries are `(9, n)`, orders are ids `(n,)`; both are taken in blocks
that stay in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.rules import EMPTY, MOST_ITEMS, N_CELLS, Rules

SIDE = 3
BLOCK = 4096
"""Games worked on at a time: the widest level of a tree has 104 rows of that many bytes."""

BAR = 40
"""What a cell costs that can never hold what an order wants there; as many cards or more missing: impossible."""

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]
Path = tuple[int, ...]

NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(other for other in range(N_CELLS) if abs(cell // SIDE - other // SIDE) + abs(cell % SIDE - other % SIDE) == 1)
    for cell in range(N_CELLS)
)


@dataclass(frozen=True)
class Level:
    """All paths of one number of cells.

    Attributes
    ----------
    paths
        In the order in which they extend those of the level before.
    parents, cells : intp (paths,)
        The path of the level before that each extends, and the cell that it adds.
    """

    paths: tuple[Path, ...]
    parents: Rows
    cells: Rows

    @cached_property
    def by_cell(self) -> tuple[tuple[Rows, Rows, Rows], ...]:
        """For each place in the sequence: paths sorted by the cell there, where each cell's begin, and these cells."""
        cells = np.array(self.paths)
        return tuple(_grouped(cells[:, place]) for place in range(cells.shape[1]))

    @cached_property
    def by_set(self) -> tuple[Rows, Rows, Rows]:
        """Paths sorted by the set of their cells, where each set's begin, and these sets as rows of `cell_sets`."""
        sets = cell_sets(len(self.paths[0]))
        return _grouped(np.array([sets.index(tuple(sorted(path))) for path in self.paths]))


def _grouped(keys: Rows) -> tuple[Rows, Rows, Rows]:
    """Rows sorted by key, where each key's begin among them, and the keys."""
    order = np.argsort(keys, kind="stable")
    found, starts = np.unique(keys[order], return_index=True)
    return order, starts, found


@cache
def levels(bends: bool = True, reversal: bool = True) -> tuple[Level, ...]:
    """The paths of 1 to 5 cells, each in every direction that the rules allow."""
    last: tuple[Path, ...] = tuple((cell,) for cell in range(N_CELLS))
    found = [Level(last, np.zeros(N_CELLS, np.intp), np.arange(N_CELLS))]
    for _ in range(1, MOST_ITEMS):
        grown = [
            (parent, (*path, cell))
            for parent, path in enumerate(last)
            for cell in NEIGHBOURS[path[-1]]
            if cell not in path and _is_allowed((*path, cell), bends, reversal)
        ]
        last = tuple(path for _, path in grown)
        found.append(Level(last, np.array([p for p, _ in grown], np.intp), np.array([p[-1] for p in last], np.intp)))
    return tuple(found)


def _is_allowed(path: Path, bends: bool, reversal: bool) -> bool:
    """Whether the rules let the last step of a path follow."""
    steps = [to - at for at, to in pairwise(path)]
    return (bends or steps[-1] == steps[0]) and (reversal or steps[-1] > 0)


@cache
def cell_sets(longest: int) -> tuple[Path, ...]:
    """The sets of cells of paths of 2 to `longest` cells, the smaller ones first: options of the decision `path`."""
    sets = {tuple(sorted(path)) for level in levels()[1:longest] for path in level.paths}
    return tuple(sorted(sets, key=lambda cells: (len(cells), cells)))


# ---------------------------------------------------------------------------------------------- does an order fit?


def _blocks(n: int) -> Iterator[slice]:
    """Slices of at most `BLOCK`."""
    return (slice(start, start + BLOCK) for start in range(0, n, BLOCK))


def _lying(rules: Rules, bakery: Bytes, ids: Bytes) -> Iterator[tuple[Level, Mask, Mask]]:
    """For 2, 3, ... items: the paths, where an order's items lie along them (paths, n), and where it has so many."""
    lengths = rules.lengths.take(ids)
    lies = bakery == rules.items[0].take(ids)
    for place, level in enumerate(levels(rules.bends, rules.reversal)[1 : rules.longest], 1):
        here = bakery == rules.items[place].take(ids)
        lies = lies.take(level.parents, axis=0) & here.take(level.cells, axis=0)
        yield level, lies, lengths == place + 1


def fits(rules: Rules, bakery: Bytes, ids: Bytes) -> Mask:
    """Whether an order lies in a bakery, bool (n,); `NO_ORDER` never does."""
    found = np.zeros(len(ids), bool)
    for block in _blocks(len(ids)):
        for _, lies, is_order in _lying(rules, bakery[:, block], ids[block]):
            found[block] |= np.bitwise_or.reduce(lies, axis=0) & is_order
    return found


def fitting_sets(rules: Rules, bakery: Bytes, ids: Bytes) -> Mask:
    """Which sets of cells hold an order, bool (sets, n), in the order of `cell_sets(rules.longest)`."""
    found = np.zeros((len(cell_sets(rules.longest)), len(ids)), bool)
    for block in _blocks(len(ids)):
        for level, lies, is_order in _lying(rules, bakery[:, block], ids[block]):
            if len(level.paths):
                rows, starts, sets = level.by_set
                found[sets, block] = np.bitwise_or.reduceat(lies.take(rows, axis=0), starts, axis=0) & is_order
    return found


# ------------------------------------------------------------------------------------------------ what is missing?


@dataclass(frozen=True)
class Wants:
    """What an order wants at one place of its sequence.

    Attributes
    ----------
    item, one, other, cards : uint8 (n,)
        The item; the two ingredients that make it (255 where it is no bun); cards that it takes.
    """

    item: Bytes
    one: Bytes
    other: Bytes
    cards: Bytes

    def cost(self, bakery: Bytes) -> Bytes:
        """Cards still to be put down on each cell, uint8 (9, n)."""
        is_empty = bakery == EMPTY
        is_half = (bakery == self.one) | (bakery == self.other)
        bars = ~(is_empty | is_half | (bakery == self.item))
        return is_empty * self.cards + is_half.view(np.uint8) + bars * np.uint8(BAR)

    def helped_by(self, bakery: Bytes, item: Bytes) -> Mask:
        """Where one more card is a step towards it, bool (9, n)."""
        is_one, is_other = item == self.one, item == self.other
        begins = (item == self.item) | is_one | is_other
        completes = ((bakery == self.one) & is_other) | ((bakery == self.other) & is_one)
        return ((bakery == EMPTY) & begins) | completes


def _wants(rules: Rules, ids: Bytes) -> tuple[Wants, ...]:
    """What orders want at each place; past their ends anything."""
    items = [codes.take(ids) for codes in rules.items]
    return tuple(Wants(item, *(table.take(item) for table in rules.recipes)) for item in items)


def _costs(rules: Rules, bakery: Bytes, ids: Bytes, wants: tuple[Wants, ...]) -> Iterator[tuple[Level, Bytes, Mask]]:
    """As `_lying`, with the cards still to be put down along each path, uint8 (paths, n)."""
    lengths = rules.lengths.take(ids)
    cost = wants[0].cost(bakery)
    for place, level in enumerate(levels(rules.bends, rules.reversal)[1 : rules.longest], 1):
        cost = cost.take(level.parents, axis=0)
        cost += wants[place].cost(bakery).take(level.cells, axis=0)
        yield level, cost, lengths == place + 1


def missing(rules: Rules, bakery: Bytes, ids: Bytes) -> Bytes:
    """The fewest cards to be put down until an order lies in a bakery, none being taken away.

    A cell that lacks an ingredient takes one, a cell that lacks a bun two, or one if half of it lies there. Cards that
    an order has no use for bar their cells.

    Returns
    -------
    uint8 (n,)
        `BAR` or more: impossible as the bakery is, or no order.
    """
    fewest = np.full(len(ids), 255, np.uint8)
    for block in _blocks(len(ids)):
        part, its = bakery[:, block], ids[block]
        for level, cost, is_order in _costs(rules, part, its, _wants(rules, its)):
            if len(level.paths):
                least = np.minimum.reduce(cost, axis=0)
                np.minimum(fewest[block], np.where(is_order, least, np.uint8(255)), out=fewest[block])
    return fewest


def steps(rules: Rules, bakery: Bytes, ids: Bytes, items: tuple[Bytes, ...]) -> tuple[Mask, ...]:
    """Where a card brings an order a step nearer, along some path on which the fewest cards are missing.

    Parameters
    ----------
    bakery : uint8 (9, n)
    ids : uint8 (n,)
    items : uint8 (n,) each
        Ingredients to be put down.

    Returns
    -------
    bool (9, n) for each of the items
        Cells where it is a step; they need not be legal.
    """
    found = tuple(np.zeros((N_CELLS, len(ids)), bool) for _ in items)
    for block in _blocks(len(ids)):
        part, its = bakery[:, block], ids[block]
        wants = _wants(rules, its)
        for place, here in enumerate(_on_best_paths(rules, part, its, wants)):
            for cells, item in zip(found, items, strict=True):
                cells[:, block] |= here & wants[place].helped_by(part, item[block])
    return found


def _on_best_paths(rules: Rules, bakery: Bytes, ids: Bytes, wants: tuple[Wants, ...]) -> list[Mask]:
    """For each place of the sequence the cells that take it on a path with the fewest cards missing, bool (9, n)."""
    here = [np.zeros(bakery.shape, bool) for _ in range(rules.longest)]
    for level, cost, is_order in _costs(rules, bakery, ids, wants):
        if not len(level.paths):
            continue
        least = np.minimum.reduce(cost, axis=0)
        is_best = cost == np.where(is_order & (least < BAR), least, np.uint8(255))
        for place, (rows, starts, cells) in enumerate(level.by_cell):
            here[place][cells] |= np.bitwise_or.reduceat(is_best.take(rows, axis=0), starts, axis=0)
    return here
