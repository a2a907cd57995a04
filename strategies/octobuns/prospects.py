"""What if a cell held another item? How near each such change would bring an order, for all cells and items at once.

Distances are in quarters of a card: an ingredient still to be put down counts about four, less where the market shows
it, more where it does not. All paths are looked at once; what changes when a single cell changes follows from the best
path through the cell at each place of the order's sequence, and from the best path past it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.puzzle import Level, levels
from simkit.games.octobuns.rules import EMPTY, N_CELLS, Rules

Bytes = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.intp]

BLOCK = 4096
"""Games worked on at a time: all paths' distances stay in the cache."""

BAR = np.uint8(51)
"""What a cell costs that holds what an order has no use for: five of them still fit a byte."""

NEVER = np.uint8(204)
"""How far an order is that cannot be had; any distance of `BAR` or more is out of reach."""


@dataclass(frozen=True)
class Paths:
    """The paths of one number of cells, grouped for what-ifs.

    Attributes
    ----------
    level
        Their tree.
    at : intp (9, paths) for each place of the sequence
        For each cell the paths that have it there, some of them repeated.
    past : intp (9, paths)
        For each cell the paths that do not touch it.
    """

    level: Level
    at: tuple[Rows, ...]
    past: Rows


@cache
def grouped(bends: bool, reversal: bool) -> tuple[Paths, ...]:
    """The paths of 1 to 5 cells; one more, along which nothing ever lies, stands for those that there are not."""
    found = []
    for length, level in enumerate(levels(bends, reversal), 1):
        cells = np.array(level.paths, np.intp).reshape(-1, length)
        at = tuple(_by_cell(cells[:, place] == np.arange(N_CELLS)[:, None]) for place in range(length))
        past = _by_cell((cells != np.arange(N_CELLS)[:, None, None]).all(axis=2))
        found.append(Paths(level, at, past))
    return tuple(found)


def _by_cell(which: npt.NDArray[np.bool_]) -> Rows:
    """Paths marked for each cell, intp (9, most); fewer are filled up: the first again, or the one past the last."""
    rows = [marked.nonzero()[0] for marked in which]
    most = max(1, *map(len, rows))
    first = [row[0] if len(row) else which.shape[1] for row in rows]
    return np.array([[*row, *[one] * (most - len(row))] for row, one in zip(rows, first, strict=True)], np.intp)


def what_ifs(rules: Rules, bakery: Bytes, ids: Bytes, far: Bytes, lengths: tuple[int, int]) -> Bytes:
    """How far an order would be if a cell held an item, for every item and cell.

    Parameters
    ----------
    bakery : uint8 (9, n)
    ids : uint8 (n,)
    far : uint8 (items, n)
        What each item costs that is still to be put down, by item code [quarters of a card].
    lengths
        Fewest and most items of all these orders.

    Returns
    -------
    uint8 (items, 9, n)
        `BAR` or more: out of reach.
    """
    found = np.empty((len(rules.item_names), *bakery.shape), np.uint8)
    for start in range(0, len(ids), BLOCK):
        block = slice(start, start + BLOCK)
        _what_ifs(rules, bakery[:, block], ids[block], far[:, block], lengths, found[:, :, block])
    return found


def _what_ifs(rules: Rules, bakery: Bytes, ids: Bytes, far: Bytes, lengths: tuple[int, int], found: Bytes) -> None:
    """The what-ifs of a block."""
    length, (shortest, longest) = rules.lengths.take(ids), lengths
    put = _put(rules, rules.items[:longest].take(ids, axis=1), far)
    costs = np.zeros((longest, *bakery.shape), np.uint8)
    for item, each in enumerate(put):
        costs += (bakery == item) * each[:, None]
    rest = np.full(costs.shape, NEVER, np.uint8)
    past = np.full(bakery.shape, NEVER, np.uint8)
    cost = costs[0]
    for place, paths in enumerate(grouped(rules.bends, rules.reversal)[1:longest], 1):
        cost = cost.take(paths.level.parents, axis=0)
        cost += costs[place].take(paths.level.cells, axis=0)
        if place + 1 >= shortest:
            is_other = (length != place + 1) * np.uint8(255)
            known = np.concatenate((cost, np.full((1, len(ids)), 255, np.uint8)))
            for at, rows in enumerate(paths.at):
                _lower(rest[at], np.minimum.reduce(known.take(rows, axis=0), axis=1) - costs[at], is_other)
            _lower(past, np.minimum.reduce(known.take(paths.past, axis=0), axis=1), is_other)
    for item, nearest in enumerate(found):
        np.minimum(np.minimum.reduce(rest + put[item][:, None], axis=0), past, out=nearest)


def _lower(best: Bytes, least: Bytes, is_other: Bytes) -> None:
    """Lower what was best, but not where the order is of another length."""
    least |= is_other
    np.minimum(best, least, out=best)


def _put(rules: Rules, wants: Bytes, far: Bytes) -> Bytes:
    """What is still to be put down where an order wants something and a cell holds each item.

    Parameters
    ----------
    wants : uint8 (places, n)
        By place of the sequence.

    Returns
    -------
    uint8 (items, places, n)
    """
    put = np.full((len(far), *wants.shape), BAR, np.uint8)
    put[EMPTY] = 0
    for item in range(1, len(far)):
        is_wanted = wants == item
        put[EMPTY] += is_wanted * far[item]
        put[item] *= ~is_wanted
        if item > rules.n_ingredients:
            one, other, _ = (int(table[item]) for table in rules.recipes)
            np.copyto(put[one], far[other], where=is_wanted)
            np.copyto(put[other], far[one], where=is_wanted)
    return put
