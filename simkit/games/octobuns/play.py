"""Octobuns: fill the harbour guests' orders from a bakery of 3x3 cards, and earn the most coins.

Edition: the English rulebook, which names neither year nor publisher; what only its pictures show (orders, icons,
recipes, names) is a component, and ours. Nothing in the rulebook is left out. What it does not say is a rule of
`components.toml`, and these are settled by its text or by sense, without a switch (numbers as in the components'
sources): an order lies on one contiguous path, and a bun counts as the bun only (3); the known back of a stack's top
card is what one takes (13); nobody is ever stuck, for Clean Up or Take is always legal, unless a box is so small that
neither is: then the turn may end without an action (15); after the last round there are no turns, and unused bonuses
and unfinished reserved orders count nothing (16, 17); who starts is chance, and later seats get nothing for it (18); a
bakery that is empty again is begun anywhere (19); where several sets of cells hold an order the seat chooses which
cards leave (20); a pile that is used up leaves its places empty (21). Reserved orders lie open, and the icon on the
back of a pile's top order is seen. A bonus may come between any two steps of a turn, also between the two cards of a
clean-up, but not within a step: not between lifting a card and putting it down. A card that is moved must come to
another cell.

One function per section of the rulebook, in the book's order; actions in `play_actions.py`, clean-ups in
`play_clean_up.py`, orders in `play_orders.py`, bonuses in `play_bonuses.py`; the supply in `supply.py`. The state is
declared in `state.py`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.game import Outcome
from simkit.games.octobuns.lacks import Lacks
from simkit.games.octobuns.legal import legal_acts
from simkit.games.octobuns.play_actions import exchange, rope_in, take_open
from simkit.games.octobuns.play_bonuses import bonus
from simkit.games.octobuns.play_clean_up import clean_up
from simkit.games.octobuns.play_orders import complete
from simkit.games.octobuns.rules import EMPTY, ICONS, LARGE, N_OPEN, N_STACKS, NO_ORDER, SMALL
from simkit.games.octobuns.state import (
    CLEAN_UP,
    COMPLETE,
    COUNTS,
    END_TURN,
    EXCHANGE,
    NO_ACTION,
    OPEN,
    ROPE_IN,
    ROUNDS_TOLD,
    TAKE,
)
from simkit.games.octobuns.supply import draw_order, draw_top, replenish, shuffle_ingredients, shuffle_orders
from simkit.state import add
from simkit.table import Table

Games = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

# ----------------------------------------------------------------------------------------------------------- Game Setup


def setup(table: Table) -> None:
    """Game Setup: stacks with an open card each, piles with two open orders each, starting cards."""
    state, rules, everywhere = table.state, table.rules, np.arange(table.n)
    state.orders[:] = state.reserved[:] = NO_ORDER
    state.lifted[:] = 255
    state.first_done[:] = table.seats
    state.action[:] = NO_ACTION
    state.starting[:] = rules.starting_cards
    state.bun_stock[: len(rules.buns)] = rules.bun_copies
    table.answers["lacks"] = Lacks(table.seats, N_OPEN + len(state.reserved[0]), table.n)
    shuffle_ingredients(table)
    shuffle_orders(table)
    for stack in range(N_STACKS):
        if state.size[stack, 0]:
            state.open[stack] = draw_top(table, np.full(table.n, stack, np.uint8), everywhere)
    for place in range(N_OPEN):
        if state.pile_size[place // 2, 0]:
            state.orders[place] = draw_order(table, place // 2, everywhere)
    if rules.given_order:
        state.reserved[0, 0] = rules.order_names.index(rules.given_order)
    if rules.given_icon:
        state.icons[0, ICONS.index(rules.given_icon)] = 1
    table.note("setup")


# ------------------------------------------------------------------------------------------------------ Taking a Turn


def turn(table: Table, seat: int) -> None:
    """Taking a Turn: one action, bonus actions, an order; then replenish."""
    begin_turn(table)
    games, legal = options(table, seat, table.live.nonzero()[0])
    while len(games):
        act = table.ask("act", seat, games=games, legal=legal)
        going = act != END_TURN
        games, act = games.compress(going), act.compress(going)
        table.tally("acts", games, round=min(table.round, ROUNDS_TOLD - 1), seat=seat, act=act)
        carry_out(table, seat, games, act)
        games, legal = options(table, seat, games)
    replenish(table)
    end_of_game(table, seat)


def options(table: Table, seat: int, games: Games) -> tuple[Games, Mask]:
    """The games where the seat may do something beside ending its turn, and its legal options there, (12, k)."""
    legal = legal_acts(table, seat, games)
    can_go_on = np.logical_or.reduce(legal[:END_TURN], axis=0)
    return games.compress(can_go_on), legal.compress(can_go_on, axis=1)


def begin_turn(table: Table) -> None:
    """Nothing is done yet."""
    state = table.state
    state.action[:] = NO_ACTION
    for name in ("n_cleaned", "cleaned_how", "n_orders", "fresh"):
        getattr(state, name)[:] = 0


def carry_out(table: Table, seat: int, games: Games, act: Bytes) -> None:
    """One of the four actions, a bonus action, or an order."""
    takers = (act < ROPE_IN).nonzero()[0]
    if len(takers):
        some = games.take(takers)
        begin_action(table, seat, some, TAKE)
        take_open(table, seat, some, act.take(takers), OPEN)
    for option, play in ((ROPE_IN, rope_in), (EXCHANGE, exchange), (CLEAN_UP, clean_up)):
        some = games.compress(act == option)
        if len(some):
            begin_action(table, seat, some, option)
            play(table, seat, some)
    for option in range(CLEAN_UP + 1, COMPLETE):
        some = games.compress(act == option)
        if len(some):
            bonus(table, seat, some, option)
    some = games.compress(act == COMPLETE)
    if len(some):
        complete(table, seat, some)


def begin_action(table: Table, seat: int, games: Games, option: int) -> None:
    """Choose one of four actions; a clean-up may have begun before."""
    state = table.state
    count = {TAKE: state.n_taken, ROPE_IN: state.n_rope_ins, EXCHANGE: state.n_exchanges, CLEAN_UP: state.n_clean_ups}
    add(count[option][seat], games, state.action.take(games) == NO_ACTION)
    state.action[games] = option


# -------------------------------------------------------------------------------------------------- End of the Game


def end_of_game(table: Table, seat: int) -> None:
    """End of the Game: a seat has its orders; the round is finished."""
    state, rules = table.state, table.rules
    if rules.buns:
        state.stock_out |= ~state.bun_stock[: len(rules.buns)].all(axis=0)
    if seat == table.seats - 1 or not rules.finish_round:
        over = ((state.first_done < table.seats) & table.live).nonzero()[0]
        if len(over):
            table.finish(over, "orders")


def outcome(table: Table, games: Games) -> Outcome:
    """End of the Game: coins of orders and of buns left; then the most buns."""
    state, rules = table.state, table.rules
    bakery = state.bakery.take(games, axis=-1)
    buns = (bakery > rules.n_ingredients).sum(axis=1, dtype=np.uint8)
    coins_from, n_done = state.coins_from.take(games, axis=-1), state.n_done.take(games, axis=-1)
    return Outcome(
        score=coins_from[:, SMALL] + coins_from[:, LARGE] + buns * np.uint16(rules.coins_per_bun),
        tiebreak=buns,
        games={name: getattr(state, name).take(games) for name in ("n_rebuilds", "stock_out", "first_done")},
        seats={name: getattr(state, name).take(games, axis=-1) for name in COUNTS}
        | {
            "n_small": n_done[:, SMALL],
            "n_large": n_done[:, LARGE],
            "from_small": coins_from[:, SMALL],
            "from_large": coins_from[:, LARGE],
            "buns_left": buns,
            "icons_left": state.icons.take(games, axis=-1).sum(axis=1, dtype=np.uint8),
            "cards_left": ((bakery != EMPTY) & (bakery <= rules.n_ingredients)).sum(axis=1, dtype=np.uint8),
            "reserved_left": (state.reserved.take(games, axis=-1) != NO_ORDER).sum(axis=1, dtype=np.uint8),
        },
    )


def standing(table: Table) -> npt.NDArray[np.uint16]:
    """Coins that each seat would have if the game ended now, (seats, n)."""
    state, rules = table.state, table.rules
    coins = state.coins_from[:, SMALL] + state.coins_from[:, LARGE]
    buns = (state.bakery > rules.n_ingredients).sum(axis=1, dtype=np.uint16)
    return coins + buns * np.uint16(rules.coins_per_bun)
