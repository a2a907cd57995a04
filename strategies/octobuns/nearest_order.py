"""One order at a time: aim at the order that lacks the fewest cards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.puzzle import BAR
from simkit.games.octobuns.rules import N_OPEN, N_STACKS, NO_ORDER
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

FAR = np.int16(30_000)
"""How far an order is that cannot be had."""


@dataclass(frozen=True)
class NearestOrder(Strategy):
    """Aims at the order that lacks the fewest cards, and among these at the one that pays most. Ours.

    A bonus is used as soon as it is a step towards it; where nothing is, the order is roped in; cards that bar all orders
    are thrown away.
    """

    # ------------------------------------------------------------------------------------------------ what to aim at

    def distance(self, view: OctobunsView, ids: Bytes, missing: Bytes) -> Scores:
        """How far away an order seems: the nearest is the target, int16 (n,)."""
        return missing * np.int16(32) - view.rules.coins_of.take(ids)

    def distances(self, view: OctobunsView, bakery: Bytes | None = None) -> Scores:
        """How far away each order seems that the seat may complete, int16 (4 + places, n)."""
        found = np.full(view.orders.shape, FAR, np.int16)
        for row, ids in zip(found, view.orders, strict=True):
            missing = view.missing(ids, bakery)
            np.copyto(row, self.distance(view, ids, missing), where=missing < BAR)
        return found

    def target(self, view: OctobunsView) -> tuple[Bytes, Bytes]:
        """The order aimed at and its place among `view.orders`, uint8 (n,) each; `NO_ORDER` where none can be had."""
        orders = view.orders
        nearest, place = np.full(view.n, FAR), np.zeros(view.n, np.uint8)
        order = np.full(view.n, NO_ORDER, np.uint8)
        for number, distance in enumerate(self.distances(view)):
            is_nearer = distance < nearest
            nearest = np.minimum(nearest, distance)
            place = np.where(is_nearer, np.uint8(number), place)
            order = np.where(is_nearer, orders[number], order)
        return order, place

    def steps(self, view: OctobunsView, order: Bytes, *cards: Bytes) -> tuple[Mask, ...]:
        """Cells where cards may be put down and are a step towards an order, bool (9, n) each."""
        found = view.steps(order, *cards)
        return tuple(cells & view.cells_for(card) for cells, card in zip(found, cards, strict=True))

    # ------------------------------------------------------------------------------------------------------ decisions

    def act(self, view: OctobunsView) -> npt.NDArray[np.uint8]:
        """An order, a bonus that is a step, a card that is a step; else rope the order in, take any card, clean up."""
        scores = np.zeros((len(view.options), view.n), np.uint8)
        scores[COMPLETE], scores[END_TURN], scores[CLEAN_UP] = 100, 10, 5
        order, place = self.target(view)
        found = self.steps(view, order, *view.open_ingredients, *view.tops)
        open_steps = [any_of(cells) for cells in found[:N_STACKS]]
        top_steps = any_of(np.stack([any_of(cells) for cells in found[N_STACKS:]]))
        for option, is_step in enumerate(open_steps):
            scores[option] = np.where(is_step, np.uint8(50), np.uint8(20))
        any_step = any_of(np.stack(open_steps))
        scores[EXTRA_TENTACLE] = any_step * np.uint8(60)
        scores[FROM_SUPPLY] = scores[STARTING_CARD] = top_steps * np.uint8(70)
        is_open = (place < N_OPEN) & (order != NO_ORDER)
        scores[ROPE_IN] = is_open * np.uint8(30)
        scores[EXTRA_ROPE_IN] = is_open * np.uint8(40)
        scores[CLEAN_UP] += (order == NO_ORDER) * np.uint8(75)
        return scores

    def cell(self, view: OctobunsView) -> npt.NDArray[np.uint8]:
        """A step towards the order; else out of the way."""
        order, _ = self.target(view)
        (cells,) = self.steps(view, order, view.card)
        return cells * np.uint8(100) + OUT_OF_THE_WAY

    def ingredient(self, view: OctobunsView) -> npt.NDArray[np.uint8]:
        """A card that is a step."""
        return self._which_steps(view, view.open_ingredients)

    def stack(self, view: OctobunsView) -> npt.NDArray[np.uint8]:
        """A card that is a step."""
        return self._which_steps(view, view.tops)

    def _which_steps(self, view: OctobunsView, cards: Bytes) -> npt.NDArray[np.uint8]:
        """Whether each of three cards is a step, (3, n)."""
        order, _ = self.target(view)
        return np.stack([any_of(cells) for cells in self.steps(view, order, *cards)]).view(np.uint8)

    def reserve(self, view: OctobunsView) -> npt.NDArray[np.uint8]:
        """The order aimed at."""
        _, place = self.target(view)
        return (np.arange(len(view.options), dtype=np.uint8)[:, None] == place).view(np.uint8)

    def order(self, view: OctobunsView) -> npt.NDArray[np.uint8]:
        """The one that pays most."""
        return view.rules.coins_of.take(view.orders)

    def clean_up(self, view: OctobunsView) -> Scores:
        """The card without which an order is nearest."""
        scores = np.full((len(view.options), view.n), -FAR, np.int16)
        for cell in range(9):
            bakery = view.bakery().copy()
            bakery[cell] = 0
            scores[cell] = -np.minimum.reduce(self.distances(view, bakery), axis=0)
        return scores

    def clean_to(self, view: OctobunsView) -> npt.NDArray[np.uint8]:
        """Thrown away."""
        scores = np.zeros((len(view.options), view.n), np.uint8)
        scores[-1] = 1
        return scores


OUT_OF_THE_WAY = np.array([5, 3, 5, 3, 1, 3, 5, 3, 5], np.uint8)[:, None]
"""Corners before edges before the centre."""
