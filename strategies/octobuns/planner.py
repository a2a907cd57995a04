"""All orders at once: what a card is worth for everything that could still be completed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns import bakery as placing
from simkit.games.octobuns.puzzle import cell_sets
from simkit.games.octobuns.rules import EMPTY, N_CELLS, N_OPEN, N_STACKS, NO_ORDER, Rules
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
    TAKE,
)
from simkit.games.octobuns.view import OctobunsView
from simkit.strategy import Strategy

from .prospects import BAR, what_ifs

Bytes = npt.NDArray[np.uint8]
Worth = npt.NDArray[np.int16]
Mask = npt.NDArray[np.bool_]

NOTHING = np.int16(-20_000)
N_KINDS = 2


@dataclass(frozen=True)
class Outlook:
    """What a position is worth to a seat, and would be if one cell held something else.

    Attributes
    ----------
    now : int16 (n,)
    if_held : int16 (items, 9, n)
    distances : uint8 (4 + places, n)
    best : int16 (items, n)
        With each item put down on its best cell.
    """

    now: Worth
    if_held: Worth
    distances: Bytes
    best: Worth


@dataclass(frozen=True)
class Planner(Strategy):
    """x"""

    patience: int = 60
    open_patience: int = 50
    icon: int = 2
    each: int = 0
    bun_worth: int = 20
    card: int = 0
    shown: int = 3
    unseen: int = 5
    on_top: int = 4
    token: int = 60
    rope: int = 0
    free_rope: int = 1
    clean: int = 0
    exch: int = 0
    edge: int = 0
    centre: int = 0
    second: int = 0
    rest: int = 4
    hurry: int = 50
    open_hurry: int = 50
    guard: int = 1
    margin: int = 0

    # ---------------------------------------------------------------------------------------------------- prospects

    @cached_property
    def tables(self) -> tuple[Worth, Worth]:
        last = np.zeros(256, np.int16)
        last[0] = 100
        return tuple(np.concatenate((_decay(p), _decay(q), last)) for p, q in ((self.patience, self.hurry), (self.open_patience, self.open_hurry)))

    def far(self, view: OctobunsView) -> Bytes:
        rules = view.rules
        far = np.zeros((len(rules.item_names), view.n), np.uint8)
        cards, tops = view.open_ingredients, view.tops
        for item in range(1, rules.n_ingredients + 1):
            shown = (cards == item).any(axis=0)
            top = (tops == item).any(axis=0)
            far[item] = np.where(shown, np.uint8(self.shown), np.where(top, np.uint8(self.on_top), np.uint8(self.unseen)))
        one, other, _ = rules.recipes
        for item in range(rules.n_ingredients + 1, len(far)):
            far[item] = far[one[item]] + far[other[item]]
        return far

    def outlook(self, view: OctobunsView, bakery: Bytes | None = None, own: npt.NDArray[np.intp] | None = None, fixed: bool = False) -> Outlook:
        rules = view.rules
        bakery = view.bakery() if bakery is None else bakery
        far = self.far(view)
        orders = view.orders
        shape = (len(rules.item_names), N_CELLS, view.n)
        if_held, best_held = np.zeros(shape, np.int16), np.zeros(shape, np.int16)
        now, best_now = np.zeros((2, view.n), np.int16)
        distances = np.full(orders.shape, 255, np.uint8)
        phase = self.phase(view) * np.uint16(256)
        late = bool(phase.any())
        pays = self.pays(rules)
        for kind in range(2):
            is_kind = (orders != NO_ORDER) & (rules.kind_of.take(orders) == kind)
            places, games = is_kind.nonzero()
            if not len(games):
                continue
            ids = orders[places, games]
            lying = bakery.take(games, axis=1)
            lengths = [len(order.items) for order in (rules.small_orders, rules.large_orders)[kind]]
            what = what_ifs(rules, lying, ids, far.take(games, axis=1), (min(lengths), max(lengths)))
            distance = what[lying[4], 4, np.arange(len(games))]
            distances[places, games] = distance
            starts = np.searchsorted(places, np.arange(len(orders) + 1)).tolist()
            for place in range(len(orders)):
                part = slice(starts[place], starts[place + 1])
                some = games[part]
                if not len(some):
                    continue
                table = self.tables[1 if place < N_OPEN else 0]
                coins = pays.take(ids[part])
                if late:
                    worth = table.take(what[:, :, part] + phase.take(some))
                    worth_now = table.take(distance[part] + phase.take(some)) * coins
                else:
                    worth = table.take(what[:, :, part])
                    worth_now = table.take(distance[part]) * coins
                worth *= coins
                if len(some) == view.n:
                    now += worth_now
                    if_held += worth
                    if self.rest < 4:
                        np.maximum(best_now, worth_now, out=best_now)
                        np.maximum(best_held, worth, out=best_held)
                else:
                    now[some] += worth_now
                    if_held[:, :, some] += worth
                    if self.rest < 4:
                        best_now[some] = np.maximum(best_now[some], worth_now)
                        best_held[:, :, some] = np.maximum(best_held[:, :, some], worth)
        if self.rest < 4:
            if_held *= np.int16(self.rest)
            now *= np.int16(self.rest)
            best_held *= np.int16(4 - self.rest)
            best_now *= np.int16(4 - self.rest)
            if_held += best_held
            now += best_now
            if_held >>= 2
            now >>= 2
        self.add_statics(view, bakery, if_held)
        best = np.full((len(rules.item_names), view.n), NOTHING)
        free = placing.free_cells(rules, bakery)
        if own is not None:
            free[own, np.arange(view.n)] = False
        for item in range(1, len(rules.item_names)):
            best[item] = np.where(free, if_held[item], NOTHING).max(axis=0)
        one, other, _ = rules.recipes
        for bun in range(rules.n_ingredients + 1, len(rules.item_names)):
            ok = view.bun_stock[bun - rules.n_ingredients - 1] > 0
            for a, b in ((one[bun], other[bun]), (other[bun], one[bun])):
                stacked = np.where((bakery == b) & ok, if_held[bun], NOTHING).max(axis=0)
                best[a] = np.maximum(best[a], stacked)
        if rules.grid == "floating" and own is None and not fixed:
            legal = placing.legal_shifts(bakery)
            legal[0] = False
            options, games = legal.nonzero()
            if len(games):
                slid = np.concatenate([placing.shifted(bakery, o)[:, legal[o].nonzero()[0]] for o in range(1, len(legal))], axis=1)
                for o, at in ((o, (options == o).nonzero()[0]) for o in range(1, len(legal))):
                    if len(at):
                        some = games[at]
                        found = self.outlook(view.only(some), slid[:, at], fixed=True).best
                        best[:, some] = np.maximum(best[:, some], found)
        return Outlook(now, if_held, distances, best)

    def statics(self, rules: Rules) -> Worth:
        found = np.zeros((len(rules.item_names), N_CELLS), np.int16)
        found[1:] = self.card
        found[rules.n_ingredients + 1 :] = self.bun_worth
        found[1:, 1::2] += self.edge
        found[1:, 4] += self.centre
        return found

    def add_statics(self, view: OctobunsView, bakery: Bytes, if_held: Worth) -> None:
        statics = self.statics(view.rules)
        last = self.phase(view) == 2
        some = last.nonzero()[0]
        kept = if_held[:, :, some] if len(some) else None
        for cell in range(N_CELLS):
            if_held[:, cell] += statics[:, cell, None] - statics[:, cell].take(bakery[cell])
        if kept is not None:
            is_bun = np.arange(len(kept))[:, None, None] > view.rules.n_ingredients
            kept += (is_bun * np.int16(200) - (bakery.take(some, axis=1) > view.rules.n_ingredients) * np.int16(200)) * np.int16(view.rules.coins_per_bun)
            if_held[:, :, some] = kept

    def phase(self, view: OctobunsView) -> npt.NDArray[np.uint16]:
        end = view.rules.orders_to_end
        most = np.maximum.reduce([view.n_done(left) for left in range(1, view.seats)])
        return (most >= end).astype(np.uint16) + (most >= end - 1)

    def pays(self, rules: Rules) -> Worth:
        return (rules.coins_of * 2 + (rules.icon_of > 0) * self.icon + self.each).astype(np.int16)

    # ---------------------------------------------------------------------------------------------------- decisions

    def act(self, view: OctobunsView) -> Worth:
        may = view.legal[COMPLETE]
        will = may & ~self.loses(view) if self.guard else may
        thinking = (view.asked & ~will).nonzero()[0]
        if len(thinking) == view.n:
            scores = self.think(view)
        else:
            scores = np.full((len(view.options), view.n), NOTHING)
            if len(thinking):
                scores[:, thinking] = self.think(view.only(thinking))
        scores[COMPLETE] = np.where(will, np.int16(30_000), NOTHING)
        return scores

    def loses(self, view: OctobunsView) -> Mask:
        """Whether completing an order would end the game while another is ahead."""
        rules = view.rules
        n_ing = rules.n_ingredients
        theirs = np.zeros(view.n, np.int16)
        ended = np.zeros(view.n, bool)
        for left in range(1, view.seats):
            coins = view.coins(left).astype(np.int16) + (view.bakery(left) > n_ing).sum(axis=0, dtype=np.int16) * np.int16(rules.coins_per_bun)
            theirs = np.maximum(theirs, coins)
            ended |= view.n_done(left) >= rules.orders_to_end
        mine = view.coins().astype(np.int16) + (view.bakery() > n_ing).sum(axis=0, dtype=np.int16) * np.int16(rules.coins_per_bun)
        pays = (rules.coins_of.take(view.orders) * (view.lacks == 0)).max(axis=0)
        if view.round > 40:
            return ended & False
        return (view.n_done() == rules.orders_to_end - 1) & ~ended & (mine + pays < theirs + np.int16(self.margin))

    def think(self, view: OctobunsView) -> Worth:
        look = self.outlook(view)
        rules = view.rules
        scores = np.full((len(view.options), view.n), NOTHING)
        cards = [np.take_along_axis(look.best, card[None].astype(np.intp), 0)[0] for card in view.open_ingredients]
        tops = [np.take_along_axis(look.best, card[None].astype(np.intp), 0)[0] for card in view.tops]
        for place, worth in enumerate(cards):
            scores[TAKE + place] = worth
        best_open = np.maximum.reduce(cards) - look.now
        token = np.where(self.phase(view) == 2, 1, self.token)
        best_top = np.maximum.reduce(tops) - look.now
        scores[EXTRA_TENTACLE] = np.where(best_open >= token, best_open + np.int16(20_000), NOTHING)
        for option in (FROM_SUPPLY, STARTING_CARD):
            scores[option] = np.where(best_top >= token, best_top + np.int16(20_000), NOTHING)
        gain = self.roped(view, look)[:N_OPEN].max(axis=0)
        scores[ROPE_IN] = look.now + gain + np.int16(self.rope)
        scores[EXTRA_ROPE_IN] = np.where(gain >= self.free_rope, np.int16(19_000), NOTHING)
        bakery = view.bakery()
        removed = look.if_held[EMPTY]
        moved = np.take_along_axis(look.best, bakery.astype(np.intp), 0) + removed - look.now
        cleaned = np.where(bakery != EMPTY, np.maximum(removed, moved), NOTHING)
        first = cleaned.max(axis=0)
        if self.second:
            two = np.partition(cleaned, 7, axis=0)[7] - look.now
            first = np.where(view.action == 255, first + np.maximum(two, 0) * np.int16(self.second) // np.int16(4), first)
        is_bun = bakery > rules.n_ingredients
        given = np.where(is_bun, removed, NOTHING).max(axis=0)
        taken = np.where(view.discards > 0, look.best[1 : rules.n_ingredients + 1], NOTHING).max(axis=0)
        scores[EXCHANGE] = np.where((given > NOTHING) & (taken > NOTHING), given - look.now + taken, NOTHING) - np.int16(self.exch)
        scores[END_TURN] = look.now
        margin = first - np.int16(self.clean)
        other = np.where(view.legal, scores, NOTHING)[: CLEAN_UP].max(axis=0)
        other = np.maximum(other, np.where(view.legal[END_TURN], look.now, NOTHING))
        some = (view.legal[CLEAN_UP] & (margin > other)).nonzero()[0]
        if len(some):
            scores[CLEAN_UP, some] = self.clean_up(view.only(some)).max(axis=0) - np.int16(self.clean)
        return scores

    def roped(self, view: OctobunsView, look: Outlook) -> Worth:
        mine, theirs = self.tables
        found = np.full((N_OPEN + N_KINDS, view.n), NOTHING)
        for place, ids in enumerate(view.open_orders):
            distance = look.distances[place]
            gain = (mine.take(distance) - theirs.take(distance)) * self.pays(view.rules).take(ids)
            found[place] = np.where(ids != NO_ORDER, gain, NOTHING)
        return found

    def cell(self, view: OctobunsView) -> Worth:
        return self._on_cells(view, self.outlook(view))

    def _on_cells(self, view: OctobunsView, look: Outlook) -> Worth:
        bakery = view.bakery()
        becomes = np.where(bakery == EMPTY, view.card, view.rules.bun_of[view.card, bakery])
        return np.take_along_axis(look.if_held, becomes[None].astype(np.intp), 0)[0]

    def ingredient(self, view: OctobunsView) -> Worth:
        return np.take_along_axis(self.outlook(view).best, view.open_ingredients.astype(np.intp), 0)

    def stack(self, view: OctobunsView) -> Worth:
        return np.take_along_axis(self.outlook(view).best, view.tops.astype(np.intp), 0)

    def reserve(self, view: OctobunsView) -> Worth:
        return self.roped(view, self.outlook(view))

    def bun(self, view: OctobunsView) -> Worth:
        return self.outlook(view).if_held[EMPTY]

    def discarded(self, view: OctobunsView) -> Worth:
        return self.outlook(view).best[1 : view.rules.n_ingredients + 1]

    def order(self, view: OctobunsView) -> Worth:
        return self.pays(view.rules).take(view.orders)

    def clean_up(self, view: OctobunsView) -> Worth:
        scores = np.full((len(view.options), view.n), NOTHING)
        bakery = view.bakery()
        cells, games = (bakery != EMPTY).nonzero()
        lifted = bakery.take(games, axis=1)
        at = np.arange(len(games))
        card = lifted[cells, at].astype(np.intp)
        lifted[cells, at] = EMPTY
        look = self.outlook(view.only(games), lifted, own=cells)
        scores[cells, games] = np.maximum(look.now, look.best[card, at]) - self.statics(view.rules)[card, cells]
        return scores

    def clean_second(self, view: OctobunsView) -> Worth:
        scores = np.zeros((len(view.options), view.n), np.int16)
        scores[-1] = 1
        return scores

    def shift(self, view: OctobunsView) -> Worth:
        scores = np.full((len(view.options), view.n), NOTHING)
        options, games = view.legal.nonzero()
        bakery = np.empty((N_CELLS, len(games)), np.uint8)
        for option in range(len(scores)):
            part = (options == option).nonzero()[0]
            if len(part):
                bakery[:, part] = view.slid(option).take(games.take(part), axis=1)
        look = self.outlook(view.only(games), bakery, fixed=True)
        scores[options, games] = look.best[view.card.take(games), np.arange(len(games))]
        scores[0] += view.legal[0]
        return scores

    def clean_to(self, view: OctobunsView) -> Worth:
        look = self.outlook(view)
        return np.concatenate((self._on_cells(view, look), look.now[None]))

    def path(self, view: OctobunsView) -> Worth:
        scores = np.full((len(view.options), view.n), NOTHING)
        options, games = view.legal.nonzero()
        bakery = view.bakery().take(games, axis=1) * _outside(view.rules.longest).take(options, axis=1)
        scores[options, games] = self.outlook(view.only(games), bakery).now
        return scores


@cache
def _outside(longest: int) -> Bytes:
    """Which cells are not in each set of cells, uint8 (9, sets)."""
    return np.array([[cell not in cells for cells in cell_sets(longest)] for cell in range(N_CELLS)], np.uint8)


def _decay(patience: int) -> Worth:
    whole = [100]
    for _ in range(13):
        whole.append(whole[-1] * patience // 100)
    table = np.zeros(256, np.int16)
    for d in range(int(BAR)):
        k, j = divmod(d, 4)
        table[d] = ((4 - j) * whole[k] + j * whole[k + 1]) // 4
    return table
