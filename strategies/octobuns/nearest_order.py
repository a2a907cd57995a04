"""One order at a time: aim at the order that lacks the fewest cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns import puzzle
from simkit.games.octobuns.puzzle import BAR
from simkit.games.octobuns.rules import EMPTY, N_CELLS, N_OPEN, N_STACKS, NO_ORDER
from simkit.games.octobuns.state import (
    CLEAN_UP,
    COMPLETE,
    END_TURN,
    EXTRA_ROPE_IN,
    EXTRA_TENTACLE,
    FROM_SUPPLY,
    ROPE_IN,
    STARTING_CARD,
)
from simkit.games.octobuns.view import OctobunsView
from simkit.strategy import Strategy
from simkit.view import any_of

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.int16]

CARD = np.int16(32)
"""How much farther an order is for each card that is missing."""

OUT_OF_REACH = np.int16(BAR) * CARD
"""A distance: the order cannot be had as the bakery is."""

PLACES = 16
"""More than there can be orders open and reserved."""

OUT_OF_THE_WAY = np.array([5, 3, 5, 3, 1, 3, 5, 3, 5], np.uint8)[:, None]
"""Corners before edges before the centre."""


@dataclass(frozen=True)
class NearestOrder(Strategy):
    """Aims at the order that lacks the fewest cards, and among these at the one that pays most. Ours.

    A bonus is used as soon as it is a step towards it; where nothing is, the order is roped in; cards that bar all
    orders are thrown away.
    """

    # ------------------------------------------------------------------------------------------------ what to aim at

    def distance(self, view: OctobunsView, ids: Bytes, missing: Bytes) -> Scores:
        """How far away an order seems: the nearest is the target; int16 (n,), below `OUT_OF_REACH`."""
        return missing * CARD + (np.int16(31) - view.rules.coins_of.take(ids))

    def distances(self, view: OctobunsView, orders: Bytes, lacks: Bytes) -> Scores:
        """How far away orders seem that lack so many cards, int16 (places, k); both uint8 (places, k)."""
        found = np.empty(orders.shape, np.int16)
        for row, ids, missing in zip(found, orders, np.minimum(lacks, np.uint8(BAR)), strict=True):
            np.minimum(self.distance(view, ids, missing), OUT_OF_REACH, out=row)
        return found

    def target(self, view: OctobunsView) -> tuple[Bytes, Bytes]:
        """The order aimed at and its place among `view.orders`, uint8 (n,) each; `NO_ORDER` where none can be had."""
        keys = self.distances(view, view.orders, view.lacks)
        keys *= np.int16(PLACES)
        keys += np.arange(len(keys), dtype=np.int16)[:, None]
        key = np.minimum.reduce(keys, axis=0)
        place = (key & np.int16(PLACES - 1)).astype(np.uint8)
        order = view.orders.reshape(-1).take(place * np.intp(view.n) + np.arange(view.n))
        order |= np.uint8(0) - (key >= OUT_OF_REACH * PLACES)
        return order, place

    def steps(self, view: OctobunsView, order: Bytes, *cards: Bytes) -> tuple[Mask, ...]:
        """Cells where cards may be put down and are a step towards an order, bool (9, n) each."""
        found, legal = view.steps(order, *cards), view.cells_for(*cards)
        return tuple(cells & may for cells, may in zip(found, legal, strict=True))

    # ------------------------------------------------------------------------------------------------------ decisions

    def act(self, view: OctobunsView) -> Bytes:
        """An order, a bonus that is a step, a card that is a step; else rope the order in, take any card, clean up."""
        scores = np.zeros((len(view.options), view.n), np.uint8)
        scores[COMPLETE], scores[END_TURN], scores[:N_STACKS] = 100, 10, 20
        scores[view.round % N_STACKS] += np.uint8(1)  # of cards of no use now this one, now that: the market moves
        thinking = (view.asked & ~view.legal[COMPLETE]).nonzero()[0]
        if len(thinking) == view.n:
            self._think(view, scores)
        elif len(thinking):
            part = scores.take(thinking, axis=1)
            self._think(cast(OctobunsView, view.only(thinking)), part)
            scores[:, thinking] = part
        return scores

    def _think(self, view: OctobunsView, scores: Bytes) -> None:
        """Scores for what is a step towards an order."""
        order, place = self.target(view)
        open_steps = [any_of(cells) for cells in self.steps(view, order, *view.open_ingredients)]
        for option, is_step in enumerate(open_steps):
            scores[option] += is_step.view(np.uint8) * np.uint8(30)
        scores[EXTRA_TENTACLE] = any_of(np.stack(open_steps)).view(np.uint8) * np.uint8(60)
        from_supply = (view.legal[FROM_SUPPLY] | view.legal[STARTING_CARD]).nonzero()[0]
        if len(from_supply):
            part = cast(OctobunsView, view.only(from_supply))
            is_step = any_of(self._which_steps(part, order.take(from_supply), part.tops))
            scores[FROM_SUPPLY, from_supply] = scores[STARTING_CARD, from_supply] = is_step * np.uint8(70)
        has_none = order == NO_ORDER
        is_open = ((place < N_OPEN) & ~has_none).view(np.uint8)
        scores[ROPE_IN], scores[EXTRA_ROPE_IN] = is_open * np.uint8(30), is_open * np.uint8(40)
        scores[CLEAN_UP] = np.uint8(5) + has_none.view(np.uint8) * np.uint8(75)

    def cell(self, view: OctobunsView) -> Bytes:
        """A step towards the order; else out of the way."""
        order, _ = self.target(view)
        (cells,) = self.steps(view, order, view.card)
        return cells.view(np.uint8) * np.uint8(100) + OUT_OF_THE_WAY

    def ingredient(self, view: OctobunsView) -> Bytes:
        """A card that is a step."""
        return self._which_steps(view, self.target(view)[0], view.open_ingredients).view(np.uint8)

    def stack(self, view: OctobunsView) -> Bytes:
        """A card that is a step."""
        return self._which_steps(view, self.target(view)[0], view.tops).view(np.uint8)

    def _which_steps(self, view: OctobunsView, order: Bytes, cards: Bytes) -> Mask:
        """Whether each of three cards is a step, (3, n)."""
        return np.stack([any_of(cells) for cells in self.steps(view, order, *cards)])

    def reserve(self, view: OctobunsView) -> Bytes:
        """The order aimed at."""
        _, place = self.target(view)
        return (np.arange(len(view.options), dtype=np.uint8)[:, None] == place).view(np.uint8)

    def order(self, view: OctobunsView) -> Bytes:
        """The one that pays most."""
        return view.rules.coins_of.take(view.orders)

    def clean_up(self, view: OctobunsView) -> Scores:
        """The card without which an order is nearest."""
        scores = np.full((len(view.options), view.n), np.iinfo(np.int16).min + 1, np.int16)
        orders, bakeries = (np.concatenate((rows,) * N_CELLS, axis=1) for rows in (view.orders, view.bakery()))
        for cell in range(N_CELLS):
            bakeries[cell, cell * view.n :][: view.n] = EMPTY
        lacks = np.stack([puzzle.missing(view.rules, bakeries, ids) for ids in orders])
        nearest = np.minimum.reduce(self.distances(view, orders, lacks), axis=0)
        scores[:N_CELLS] = -nearest.reshape(N_CELLS, view.n)
        return scores

    def clean_to(self, view: OctobunsView) -> Bytes:
        """Thrown away."""
        scores = np.zeros((len(view.options), view.n), np.uint8)
        scores[-1] = 1
        return scores
