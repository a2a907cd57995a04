"""All orders at once: what a card is worth for everything that could still be completed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.puzzle import outside
from simkit.games.octobuns.rules import EMPTY, N_CELLS, N_OPEN, N_STACKS, NO_ORDER
from simkit.games.octobuns.state import (
    CLEAN_UP,
    COMPLETE,
    END_TURN,
    EXCHANGE,
    EXTRA_ROPE_IN,
    EXTRA_TENTACLE,
    FROM_SUPPLY,
    ROPE_IN,
    STARTING_CARD,
)
from simkit.games.octobuns.view import OctobunsView
from simkit.strategy import Strategy

from .outlook import LAST, NOTHING, Outlook, Prices, Worth, after_sliding, outlook, phase, standing

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

AT_ONCE, FREE, FIRST = np.int16(30_000), np.int16(19_000), np.int16(20_000)
"""Scores of an order, of roping in for nothing, and of cards from bonuses, above whatever an action is worth."""

PATIENT_ROUNDS = 40
"""Who is behind does not put off the end of the game for longer."""


@dataclass(frozen=True)
class Planner(Strategy):
    """Values every card on every cell by how near it brings all orders that it could complete. Ours.

    It uses bonuses as soon as they gain something, cleans up and exchanges where that gains more than a card, keeps
    buns for their coins in its last turn, and does not end the game while another is ahead.

    Parameters
    ----------
    patience, open_patience
        What is left of the worth of an order for each card that is missing: of its own and of open ones [percent].
    hurry
        The same for all orders when a rival lacks only one [percent].
    icon
        What an icon is worth [half coins].
    order_bonus
        What every order pays more than its coins, or less [half coins].
    card, bun_lying
        What an ingredient and a bun in the bakery are worth beside the orders [200ths of a coin].
    shown, hidden
        What a missing ingredient costs that the market shows, and one that it does not [quarters of a card].
    token
        What a card from a bonus must gain [200ths of a coin].
    rope_in, clean_up_for, exchange_for
        By how much these actions must gain more than others [200ths of a coin].
    """

    patience: int = 45
    open_patience: int = 42
    hurry: int = 30
    icon: int = 1
    order_bonus: int = -1
    card: int = 50
    bun_lying: int = 150
    shown: int = 3
    hidden: int = 4
    token: int = 60
    rope_in: int = 100
    clean_up_for: int = 150
    exchange_for: int = 300

    @cached_property
    def prices(self) -> Prices:
        """What positions are valued by."""
        return Prices(
            *(self.patience, self.open_patience, self.hurry, self.icon, self.order_bonus),
            *(self.card, self.bun_lying, self.shown, self.hidden),
        )

    # ----------------------------------------------------------------------------------------------- what to do next

    def act(self, view: OctobunsView) -> Worth:
        """An order, if that does not end the game too soon; else what is worth most."""
        will_complete = view.legal[COMPLETE] & ~self._would_lose(view)
        scores = np.full((len(view.options), view.n), NOTHING)
        scores[COMPLETE] = np.where(will_complete, AT_ONCE, NOTHING)
        thinking = (view.asked & ~will_complete).nonzero()[0]
        if len(thinking):
            scores[:COMPLETE, thinking] = self._think(cast(OctobunsView, view.only(thinking)))
            scores[END_TURN, thinking] = 0
        return scores

    def _would_lose(self, view: OctobunsView) -> Mask:
        """Whether any order that it can complete would end the game while another has more coins, (n,)."""
        rules, would_lose = view.rules, np.zeros(view.n, bool)
        end = rules.orders_to_end
        ends = view.legal[COMPLETE] & (view.n_done() == end - 1) & (phase(view) != LAST)
        games = ends.nonzero()[0]
        if len(games) and view.round < PATIENT_ROUNDS:
            part = cast(OctobunsView, view.only(games))
            best = np.zeros(len(games), np.uint8)
            for ids in part.orders:
                np.maximum(best, rules.coins_of.take(ids) * (part.missing(ids) == 0), out=best)
            others = np.maximum.reduce([standing(part, left) for left in range(1, view.seats)])
            would_lose[games] = standing(part) + best < others
        return would_lose

    def _think(self, view: OctobunsView) -> Worth:
        """What each option is worth more than the position now, up to `COMPLETE`."""
        look, bakery = self._look(view), view.bakery()
        scores = np.full((COMPLETE, view.n), NOTHING)
        best = look.best
        if view.rules.grid == "floating":
            best = after_sliding(view, self.prices, best)
        gains = np.where(best == NOTHING, NOTHING, best - look.now)
        cards, tops = _of(gains, view.open_ingredients), _of(gains, view.tops)
        scores[:N_STACKS] = cards
        token = np.where(phase(view) == LAST, np.int16(1), np.int16(self.token))
        for bonuses, those in (((EXTRA_TENTACLE,), cards), ((FROM_SUPPLY, STARTING_CARD), tops)):
            most = np.maximum.reduce(those, axis=0)
            scores[list(bonuses)] = np.where(most >= token, most + FIRST, NOTHING)
        scores[ROPE_IN], scores[EXTRA_ROPE_IN] = -self.rope_in, FREE
        removed = look.if_held[EMPTY] - look.now
        ingredients = np.where(view.discards > 0, gains[1 : view.rules.n_ingredients + 1], NOTHING)
        buns = np.where(bakery > view.rules.n_ingredients, removed, NOTHING)
        exchanged = np.maximum.reduce(buns, axis=0) // 2 + np.maximum.reduce(ingredients, axis=0) // 2
        scores[EXCHANGE] = np.maximum(exchanged, NOTHING // 4) * 2 - np.int16(self.exchange_for)
        moved = np.maximum(removed, removed + np.maximum(_of(gains, bakery), -500))
        self._weigh_cleaning_up(view, look, scores, np.maximum.reduce(np.where(bakery, moved, NOTHING), axis=0))
        return scores

    def _weigh_cleaning_up(self, view: OctobunsView, look: Outlook, scores: Worth, about: Worth) -> None:
        """What it gains to clean up, worked out where it seems to gain more than all else."""
        legal = view.legal[:CLEAN_UP]
        other = np.maximum.reduce(np.where(legal, scores[:CLEAN_UP], NOTHING), axis=0)
        other = np.maximum(other, np.where(view.legal[END_TURN], np.int16(0), NOTHING))
        likely = view.legal[CLEAN_UP] & (about - np.int16(self.clean_up_for) > other)
        scores[CLEAN_UP] = NOTHING // 2
        games = likely.nonzero()[0]
        if len(games):
            gains = self.clean_up(cast(OctobunsView, view.only(games)))
            scores[CLEAN_UP, games] = np.maximum.reduce(gains, axis=0) - look.now.take(games) - self.clean_up_for

    def _look(self, view: OctobunsView) -> Outlook:
        """What its position is worth."""
        return outlook(view, self.prices)

    # ------------------------------------------------------------------------------------------------ cards and cells

    def cell(self, view: OctobunsView) -> Worth:
        """Where the card is worth most."""
        return self._on_cells(view, self._look(view))

    def _on_cells(self, view: OctobunsView, look: Outlook) -> Worth:
        """What the card in hand is worth on each cell, or the bun that it makes there, (9, n)."""
        bakery = view.bakery()
        becomes = np.where(bakery == EMPTY, view.card, view.rules.bun_of[view.card, bakery])
        return np.take_along_axis(look.if_held, becomes[None].astype(np.intp), 0)[0]

    def shift(self, view: OctobunsView) -> Worth:
        """So that the card is worth most on its best cell; if it makes no difference, not at all."""
        options, games = view.legal.nonzero()
        slid = np.empty((N_CELLS, len(games)), np.uint8)
        for option in np.unique(options).tolist():
            part = (options == option).nonzero()[0]
            slid[:, part] = view.slid(option).take(games.take(part), axis=1)
        look = outlook(cast(OctobunsView, view.only(games)), self.prices, slid)
        scores = np.full((len(view.options), view.n), NOTHING)
        scores[options, games] = look.best[view.card.take(games), np.arange(len(games))]
        return scores

    def ingredient(self, view: OctobunsView) -> Worth:
        """The card that is worth most."""
        return _of(self._look(view).best, view.open_ingredients)

    def stack(self, view: OctobunsView) -> Worth:
        """The card that is worth most."""
        return _of(self._look(view).best, view.tops)

    def bun(self, view: OctobunsView) -> Worth:
        """The one that is missed least."""
        return self._look(view).if_held[EMPTY]

    def discarded(self, view: OctobunsView) -> Worth:
        """The card that is worth most."""
        return self._look(view).best[1 : view.rules.n_ingredients + 1]

    # ------------------------------------------------------------------------------------------------------- cleaning

    def clean_up(self, view: OctobunsView) -> Worth:
        """The card that is worth most elsewhere, or without which the others are."""
        scores = np.full((len(view.options), view.n), NOTHING)
        cells, games = (view.bakery() != EMPTY).nonzero()
        bakery, at = view.bakery().take(games, axis=1), np.arange(len(games))
        card = bakery[cells, at]
        bakery[cells, at] = EMPTY
        look = outlook(cast(OctobunsView, view.only(games)), self.prices, bakery, cells)
        worth = np.maximum(look.now, look.best[card, at])
        scores[cells, games] = worth - self.prices.lying(view.rules).take(card)
        return scores

    def clean_second(self, view: OctobunsView) -> Bytes:
        """None."""
        scores = np.zeros((len(view.options), view.n), np.uint8)
        scores[-1] = 1
        return scores

    def clean_to(self, view: OctobunsView) -> Worth:
        """Where the card is worth most; away, if it is worth more there."""
        look = self._look(view)
        return np.concatenate((self._on_cells(view, look), look.now[None]))

    # --------------------------------------------------------------------------------------------------------- orders

    def reserve(self, view: OctobunsView) -> Worth:
        """The order that is worth most now; none of a pile."""
        scores = np.full((len(view.options), view.n), NOTHING)
        scores[:N_OPEN] = np.where(view.open_orders != NO_ORDER, self._look(view).orders[:N_OPEN], NOTHING)
        return scores

    def order(self, view: OctobunsView) -> Worth:
        """The one that pays most."""
        return self.prices.pays(view.rules).take(view.orders)

    def path(self, view: OctobunsView) -> Worth:
        """So that what stays is worth most."""
        scores = np.full((len(view.options), view.n), NOTHING)
        options, games = view.legal.nonzero()
        bakery = view.bakery().take(games, axis=1) * outside(view.rules.longest).take(options, axis=1)
        scores[options, games] = outlook(cast(OctobunsView, view.only(games)), self.prices, bakery).now
        return scores


def _of(by_item: Worth, items: Bytes) -> Worth:
    """What items are worth, (m, n), by what each item is worth (items, n)."""
    return np.take_along_axis(by_item, items.astype(np.intp), 0)
