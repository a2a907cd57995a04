"""What the seat whose turn it is may do: the legal options of `act`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.bakery import cells_for, placeable
from simkit.games.octobuns.puzzle import fits
from simkit.games.octobuns.rules import EMPTY, N_CELLS, N_OPEN, N_STACKS, NO_ORDER, ROPE_IN, SUPPLY, TENTACLE, Rules
from simkit.games.octobuns.state import (
    ACTS,
    CLEAN_UP,
    COMPLETE,
    END_TURN,
    EXCHANGE,
    EXTRA_ROPE_IN,
    EXTRA_TENTACLE,
    FROM_SUPPLY,
    MOVED,
    NO_ACTION,
    STARTING_CARD,
    TAKE,
)
from simkit.games.octobuns.state import ROPE_IN as TO_ROPE_IN
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


class Sight:
    """A seat's situation in some games, gathered once for all that is asked of it."""

    def __init__(self, table: Table, seat: int, games: Games) -> None:
        state = table.state
        self.table, self.rules, self.seat, self.games = table, table.rules, seat, games
        self.bakery = state.bakery[seat].take(games, axis=1)
        self.stock = state.bun_stock.take(games, axis=1)
        self.reserved = state.reserved[seat].take(games, axis=1)
        self.n_reserved = np.add.reduce(self.reserved != NO_ORDER, axis=0, dtype=np.uint8)
        self.action = state.action.take(games)
        self.n_orders = state.n_orders.take(games)

    def placeable(self, cards: Bytes) -> Mask:
        """Which of some cards (m, k) can be put down, (m, k)."""
        return placeable(self.rules, self.bakery, cards, self.stock)

    # ----------------------------------------------------------------------------------------------- the four actions

    def may_rope_in(self) -> Mask:
        """Whether there is anything to reserve, (k,)."""
        return any_of(reservable(self.table, self.games))

    def may_exchange(self) -> Mask:
        """A bun in the bakery, and a card in the discard pile; (k,)."""
        has_bun = np.maximum.reduce(self.bakery, axis=0) > self.rules.n_ingredients
        return has_bun & any_of(self.table.state.discards.take(self.games, axis=1) > 0)

    def cleanable(self) -> Mask:
        """Cards and reserved orders that a clean-up may deal with next, (9 + reserved places, k)."""
        rules, state = self.rules, self.table.state
        n_cleaned = state.n_cleaned.take(self.games)
        cards = (self.bakery != EMPTY) & (n_cleaned < self._most_cleaned())
        if not rules.clean_up_mixed:
            cards &= (state.cleaned_how.take(self.games) != MOVED) | self._movable(cards)
        orders = self.reserved != NO_ORDER
        if not rules.clean_up_orders_alone:
            orders &= n_cleaned > 0
        return np.concatenate((cards, orders))

    def _most_cleaned(self) -> int:
        """Cards that must not have been handled for another one to be; both at once are one step."""
        return min(self.rules.clean_up_cards, 1 if self.rules.clean_up_sequence == "together" else 2)

    def _movable(self, cards: Mask) -> Mask:
        """Which cards can be put down elsewhere, (9, k)."""
        return np.stack([any_of(self.move_cells(cell)) & cards[cell] for cell in range(N_CELLS)])

    def move_cells(self, cell: int) -> Mask:
        """Where the card of a cell may go, (9, k)."""
        lifted = self.bakery.copy()
        lifted[cell] = EMPTY
        cells = moves_to(self.rules, lifted, self.bakery[cell], self.stock)
        cells[cell] = False
        return cells

    # -------------------------------------------------------------------------------------------- bonuses and orders

    def bonuses(self, open_cards: Mask, legal: Mask) -> None:
        """Bonus Actions: at any moment of the turn, each icon once."""
        rules, state = self.rules, self.table.state
        icons = state.icons[self.seat].take(self.games, axis=1)
        starting = state.starting[self.seat].take(self.games) > 0
        if rules.new_bonus == "next-turn":
            icons -= state.fresh.take(self.games, axis=1)
        has = icons > 0
        if not rules.bonus_after_order:
            has &= self.n_orders == 0
            starting &= self.n_orders == 0
        if (some := has[ROPE_IN - 1]).any():
            legal[EXTRA_ROPE_IN] = some & (self.n_reserved < rules.n_reserved) & self.may_rope_in()
        legal[EXTRA_TENTACLE] = has[TENTACLE - 1] & any_of(open_cards)
        tops = any_of(self.placeable(state.tops.take(self.games, axis=1)))
        legal[FROM_SUPPLY] = has[SUPPLY - 1] & tops
        legal[STARTING_CARD] = starting & tops

    def fitting(self) -> Mask:
        """Which orders, open and reserved, lie in the bakery; (4 + reserved places, k)."""
        found = np.zeros((N_OPEN + len(self.reserved), len(self.games)), bool)
        for place in range(N_OPEN):
            found[place] = fits(self.rules, self.bakery, self.table.state.orders[place].take(self.games))
        for place, ids in enumerate(self.reserved, N_OPEN):
            some = (ids != NO_ORDER).nonzero()[0]
            if len(some):
                found[place][some] = fits(self.rules, self.bakery.take(some, axis=1), ids.take(some))
        return found


def reservable(table: Table, games: Games) -> Mask:
    """Open orders, and piles with a top one, that may be roped in: options of `reserve`, (6, k)."""
    state = table.state
    is_blind_allowed = np.bool_(table.rules.blind_rope_in)
    piles = (state.pile_size.take(games, axis=1) > 0) & is_blind_allowed
    return np.concatenate((state.orders.take(games, axis=1) != NO_ORDER, piles))


def moves_to(rules: Rules, bakery: Bytes, card: Bytes, stock: Bytes) -> Mask:
    """Clean Up: cells where a lifted card may be put down, its own apart; (9, k)."""
    if not rules.clean_up_stacks:
        card = np.full_like(card, 255)
    return cells_for(rules, bakery, card, stock)


def legal_acts(table: Table, seat: int, games: Games) -> Mask:
    """Legal options of `act`, (12, k)."""
    sight = Sight(table, seat, games)
    rules, legal = table.rules, np.zeros((len(ACTS), len(games)), bool)
    has_acted = sight.action != NO_ACTION
    open_cards = sight.placeable(table.state.open.take(games, axis=1))
    sight.bonuses(open_cards, legal)
    legal[CLEAN_UP] = ~has_acted | ((sight.action == CLEAN_UP) & (sight.n_orders == 0))
    if legal[CLEAN_UP].any():
        legal[CLEAN_UP] &= any_of(sight.cleanable())
    if not has_acted.all():
        legal[TAKE : TAKE + N_STACKS] = open_cards & ~has_acted
        legal[TO_ROPE_IN] = ~has_acted & (sight.n_reserved < rules.reserve_limit) & sight.may_rope_in()
        legal[EXCHANGE] = ~has_acted & sight.may_exchange()
    legal[END_TURN] = has_acted | ~any_of(legal[: CLEAN_UP + 1])
    may_complete = (has_acted & (sight.n_orders < rules.orders_per_turn)).nonzero()[0]
    if len(may_complete) == len(games):
        legal[COMPLETE] = any_of(sight.fitting())
    elif len(may_complete):
        legal[COMPLETE][may_complete] = any_of(Sight(table, seat, games.take(may_complete)).fitting())
    return legal
