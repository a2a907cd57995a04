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
BLOCK = 8192
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


def near(marked: Mask) -> Mask:
    """Cells next to those that are marked, (9, n).

    >>> near(np.eye(9, dtype=bool)[:, :1])[:, 0].nonzero()[0]
    array([1, 3])
    """
    grid = marked.reshape(SIDE, SIDE, -1)
    found = np.zeros_like(grid)
    found[1:] |= grid[:-1]
    found[:-1] |= grid[1:]
    found[:, 1:] |= grid[:, :-1]
    found[:, :-1] |= grid[:, 1:]
    return found.reshape(marked.shape)


@dataclass(frozen=True)
class Level:
    """All paths of one number of cells.

    Attributes
    ----------
    paths
        Sorted by their last cells.
    parents, cells : intp (paths,)
        The path of the level before that each extends, and the cell that it adds; sorted by these cells.
    """

    paths: tuple[Path, ...]
    parents: Rows
    cells: Rows

    @cached_property
    def ends(self) -> tuple[tuple[int, slice], ...]:
        """The cells where paths end, and the rows of these paths."""
        cells, starts, counts = np.unique(self.cells, return_index=True, return_counts=True)
        return tuple((int(c), slice(int(i), int(i + k))) for c, i, k in zip(cells, starts, counts, strict=True))

    @cached_property
    def children(self) -> Rows:
        """The paths that extend each one of the level before, (most, paths before); -1 for no more."""
        by_parent = [np.flatnonzero(self.parents == parent) for parent in range(1 + int(self.parents.max(initial=-1)))]
        found = np.full((max(map(len, by_parent), default=0), len(by_parent)), -1, np.intp)
        for parent, paths in enumerate(by_parent):
            found[: len(paths), parent] = paths
        return found

    @cached_property
    def sets(self) -> tuple[tuple[int, Rows], ...]:
        """The sets of cells that the paths take up, as rows of `cell_sets`, and the rows of their paths."""
        of_path = np.array([cell_sets(len(path)).index(tuple(sorted(path))) for path in self.paths], np.intp)
        return tuple((int(row), (of_path == row).nonzero()[0]) for row in np.unique(of_path))


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
        grown.sort(key=lambda found: found[1][-1])
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


@cache
def outside(longest: int) -> Mask:
    """Which cells are not in each of the sets, bool (9, sets)."""
    return np.array([[cell not in cells for cells in cell_sets(longest)] for cell in range(N_CELLS)])


# ---------------------------------------------------------------------------------------------- does an order fit?


def _blocks(n: int) -> Iterator[slice]:
    """Slices of at most `BLOCK`."""
    return (slice(start, start + BLOCK) for start in range(0, n, BLOCK))


def _levels(rules: Rules, lengths: Bytes) -> tuple[Level, ...]:
    """Paths of 2 cells, 3 cells and so on, up to the longest of some orders."""
    return levels(rules.bends, rules.reversal)[1 : int(lengths.max(initial=0))]


def _lying(rules: Rules, bakery: Bytes, ids: Bytes) -> Iterator[tuple[Level, Mask, Mask]]:
    """For 2, 3, ... items: the paths, where an order's items lie along them (paths, n), and where it has so many."""
    lengths = rules.lengths.take(ids)
    lies = bakery == rules.items[0].take(ids)
    for place, level in enumerate(_levels(rules, lengths), 1):
        here = bakery == rules.items[place].take(ids)
        lies = lies.take(level.parents, axis=0) & here.take(level.cells, axis=0)
        yield level, lies, lengths == place + 1


def fits(rules: Rules, bakery: Bytes, ids: Bytes) -> Mask:
    """Whether an order lies in a bakery, bool (n,); `NO_ORDER` never does."""
    found = np.zeros(len(ids), bool)
    for block in _blocks(len(ids)):
        part, its = bakery[:, block], ids[block]
        touching = near(part == rules.items[0].take(its)) & (part == rules.items[1].take(its))
        some = np.bitwise_or.reduce(touching, axis=0).nonzero()[0]  # few: a first look saves most of the work
        here = np.zeros(len(some), bool)
        for _, lies, is_order in _lying(rules, part.take(some, axis=1), its.take(some)):
            here |= np.bitwise_or.reduce(lies, axis=0) & is_order
        found[block][some] = here
    return found


def fitting_sets(rules: Rules, bakery: Bytes, ids: Bytes) -> Mask:
    """Which sets of cells hold an order, bool (sets, n), in the order of `cell_sets(rules.longest)`."""
    found = np.zeros((len(cell_sets(rules.longest)), len(ids)), bool)
    for block in _blocks(len(ids)):
        for level, lies, is_order in _lying(rules, bakery[:, block], ids[block]):
            for row, paths in level.sets:
                found[row, block] = np.bitwise_or.reduce(lies.take(paths, axis=0), axis=0) & is_order
    return found


# ------------------------------------------------------------------------------------------------ what is missing?


@dataclass(frozen=True)
class Wants:
    """What orders want at one place of their sequence; past their ends anything.

    Attributes
    ----------
    item, one, other, cards : uint8 (n,)
        The item; the two ingredients that make it (255 where it is no bun); cards that it takes.
    """

    item: Bytes
    one: Bytes
    other: Bytes
    cards: Bytes

    def cost(self, bakery: Bytes, is_empty: Bytes) -> Bytes:
        """Cards still to be put down on each cell, uint8 (9, n); `BAR` where the cell can never hold the item."""
        is_half = (bakery == self.one) | (bakery == self.other)
        cost = (bakery != self.item).view(np.uint8)
        cost *= np.uint8(BAR)
        cost -= is_empty * (np.uint8(BAR) - self.cards)
        cost -= is_half.view(np.uint8) * np.uint8(BAR - 1)
        return cost

    def welcome(self, bakery: Bytes, here: Bytes) -> Bytes:
        """Ingredients that are a step towards it, a bit each, on cells `here` (marked by 255); uint8 (9, n)."""
        one, other = bit_of(self.one), bit_of(self.other)
        itself = bit_of(self.item) & _full(self.one == 255)
        begun = (_full(bakery == self.one) & other) | (_full(bakery == self.other) & one)
        return here & (begun | (_full(bakery == EMPTY) & (itself | one | other)))


def bit_of(ingredient: Bytes) -> Bytes:
    """The bit of an ingredient, 0 for 0 and 255.

    >>> bit_of(np.array([0, 1, 3, 255], np.uint8))
    array([0, 1, 4, 0], dtype=uint8)
    """
    return np.left_shift(np.uint8(1), ingredient - np.uint8(1))


def _full(mask: Mask) -> Bytes:
    """255 where it is True."""
    return np.uint8(0) - mask.view(np.uint8)


def _wants(rules: Rules, ids: Bytes) -> tuple[Wants, ...]:
    """What orders want at each place."""
    at = ids.astype(np.intp)
    return tuple(Wants(*(table.take(at) for table in tables)) for tables in rules.wants)


def _costs(rules: Rules, bakery: Bytes, ids: Bytes, wants: tuple[Wants, ...]) -> Iterator[tuple[Level, Bytes, Bytes]]:
    """For 2, 3, ... items: the paths, the cards still to be put down along them, and the fewest.

    Yields
    ------
    level
    cost : uint8 (paths, n)
    least : uint8 (n,)
        255 where the order does not have so many items.
    """
    lengths, is_empty = rules.lengths.take(ids), (bakery == EMPTY).view(np.uint8)
    cost = wants[0].cost(bakery, is_empty)
    for place, level in enumerate(_levels(rules, lengths), 1):
        cost = cost.take(level.parents, axis=0)
        cost += wants[place].cost(bakery, is_empty).take(level.cells, axis=0)
        least = np.minimum.reduce(cost, axis=0, initial=255)
        yield level, cost, least | ((lengths == place + 1).view(np.uint8) - np.uint8(1))


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
        for _, _, least in _costs(rules, part, its, _wants(rules, its)):
            np.minimum(fewest[block], least, out=fewest[block])
    return fewest


def steps(rules: Rules, bakery: Bytes, ids: Bytes) -> Bytes:
    """Which ingredients bring an order a step nearer on each cell, on some path where the fewest cards are missing.

    Returns
    -------
    uint8 (9, n)
        A bit for each ingredient, see `bit_of`. To put it down there need not be legal.
    """
    found = np.zeros(bakery.shape, np.uint8)
    for block in _blocks(len(ids)):
        part, its = bakery[:, block], ids[block]
        wants = _wants(rules, its)
        for want, here in zip(wants, _on_best_paths(rules, part, its, wants), strict=False):
            found[:, block] |= want.welcome(part, _full(here))
    return found


def _on_best_paths(rules: Rules, bakery: Bytes, ids: Bytes, wants: tuple[Wants, ...]) -> list[Mask]:
    """For each place in sequence the cells that take it on a path with the fewest cards missing, bool (9, n)."""
    by_level, best = [levels()[0]], [np.zeros((N_CELLS + 1, len(ids)), bool)]
    for level, cost, least in _costs(rules, bakery, ids, wants):
        least |= _full(least >= BAR)
        is_best = np.zeros((len(cost) + 1, len(ids)), bool)  # the last row is that of no path
        np.equal(cost, least, out=is_best[:-1])
        by_level.append(level)
        best.append(is_best)
    here = []
    for place in reversed(range(len(best))):
        level, is_best = by_level[place], best[place]
        cells = np.zeros((N_CELLS, len(ids)), bool)
        for cell, rows in level.ends:
            np.bitwise_or.reduce(is_best[rows], axis=0, out=cells[cell])
        here.append(cells)
        for children in level.children if place else ():
            best[place - 1][: len(children)] |= is_best.take(children, axis=0, mode="wrap")
    return here[::-1]
