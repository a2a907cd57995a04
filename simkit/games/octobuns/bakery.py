"""Where a card may be put down in a bakery: functions of bakeries (9, k), cards (k,) and what is in stock."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.puzzle import SIDE, near
from simkit.games.octobuns.rules import EMPTY, N_CELLS, Rules
from simkit.view import any_of

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

SHIFTS = ((0, 0), *((dr, dc) for dr in range(-2, 3) for dc in range(-2, 3) if (dr, dc) != (0, 0)))
"""Rows down and columns to the right that all cards slide: options of the decision `shift`."""


def next_to_cards(rules: Rules, bakery: Bytes) -> Mask:
    """Cells next to a card that counts, (9, k)."""
    cards = bakery != EMPTY
    found = near(cards)
    if not rules.isolated_neighbours:
        linked = cards & found
        found = np.where(np.logical_or.reduce(linked, axis=0), near(linked), found)
    return found


def free_cells(rules: Rules, bakery: Bytes) -> Mask:
    """Empty cells where a card may be placed: next to another, or anywhere in an empty bakery; (9, k)."""
    is_empty = bakery == EMPTY
    return is_empty & (next_to_cards(rules, bakery) | np.logical_and.reduce(is_empty, axis=0))


def stack_cells(rules: Rules, bakery: Bytes, card: Bytes, stock: Bytes) -> Mask:
    """Cells where an ingredient may be stacked on another to make a bun that is in stock, (9, k)."""
    found = np.zeros(bakery.shape, bool)
    for partner_of, bun_of in rules.partners:
        partner, bun = partner_of.take(card), bun_of.take(card)
        for which, left in enumerate(stock if rules.bun_out_of_stock == "no-stacking" else ()):
            partner |= np.uint8(0) - ((bun == which) & (left == 0)).view(np.uint8)
        found |= bakery == partner
    if rules.stacking_next_to:
        n_cards = np.count_nonzero(bakery, axis=0)
        found &= next_to_cards(rules, bakery) | (n_cards == 1)
    return found


def cells_for(rules: Rules, bakery: Bytes, card: Bytes, stock: Bytes) -> Mask:
    """Placement rules: cells where a card may be put down, (9, k)."""
    return free_cells(rules, bakery) | stack_cells(rules, bakery, card, stock)


def placeable(rules: Rules, bakery: Bytes, cards: Bytes, stock: Bytes) -> Mask:
    """Which of some cards (m, k) can be put down in a bakery (9, k); bool (m, k).

    A bakery that is not full always has a free cell next to a card: the grid cannot be cut by one cell.
    """
    found = cards != EMPTY
    if rules.full_bakery == "discard":
        return found
    full = np.logical_and.reduce(bakery != EMPTY, axis=0).nonzero()[0]
    if len(full):
        there, in_stock = bakery.take(full, axis=1), stock.take(full, axis=1)
        for row, card in zip(found, cards.take(full, axis=1), strict=True):
            row[full] &= any_of(stack_cells(rules, there, card, in_stock))
    return found


def legal_shifts(bakery: Bytes) -> Mask:
    """Which shifts leave every card within the frame, (25, k)."""
    cards = (bakery != EMPTY).reshape(SIDE, SIDE, -1)
    rows, columns = np.logical_or.reduce(cards, axis=1), np.logical_or.reduce(cards, axis=0)
    return np.stack([_stays_within(rows, down) & _stays_within(columns, right) for down, right in SHIFTS])


def _stays_within(lines: Mask, by: int) -> Mask:
    """Whether lines (3, k) that hold cards stay within the frame."""
    leaving = lines[SIDE - by :] if by > 0 else lines[:-by]
    return ~np.logical_or.reduce(leaving, axis=0) if by else np.ones(lines.shape[1], bool)


def shifted(bakery: Bytes, shift: int) -> Bytes:
    """The bakery with all cards slid, (9, k)."""
    down, right = SHIFTS[shift]
    grid = bakery.reshape(SIDE, SIDE, -1)
    moved = np.zeros_like(grid)
    to = tuple(slice(max(by, 0), SIDE + min(by, 0)) for by in (down, right))
    at = tuple(slice(max(-by, 0), SIDE + min(-by, 0)) for by in (down, right))
    moved[to] = grid[at]
    return moved.reshape(N_CELLS, -1)


def shifted_cell(cell: Bytes, shift: int) -> Bytes:
    """A cell after the slide, 255 if it left the frame; uint8 (k,)."""
    table = np.full(256, 255, np.uint8)
    frame = shifted(np.arange(1, N_CELLS + 1, dtype=np.uint8)[:, None], shift)[:, 0]
    for to, came in enumerate(frame.tolist()):
        if came:
            table[came - 1] = to
    return table.take(cell)
