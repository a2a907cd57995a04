"""Bonus Actions: favours of harbour guests, and the starting card."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns import rules as of
from simkit.games.octobuns.legal import Sight
from simkit.games.octobuns.play_actions import rope_in, take_open, take_top
from simkit.games.octobuns.state import BY_SUPPLY, BY_TENTACLE, EXTRA_ROPE_IN, EXTRA_TENTACLE, STARTING_CARD
from simkit.state import add
from simkit.table import Table

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

ONE = np.uint8(1)


def bonus(table: Table, seat: int, games: Games, option: int) -> None:
    """A bonus action, as the option of `act` says: its icon, or the starting card, is turned down."""
    state = table.state
    if option == STARTING_CARD:
        add(state.starting[seat], games, ONE, np.subtract)
        add(state.n_starting_used[seat], games)
    else:
        icon = {EXTRA_ROPE_IN: of.ROPE_IN, EXTRA_TENTACLE: of.TENTACLE}.get(option, of.SUPPLY)
        add(state.icons[seat, icon - 1], games, ONE, np.subtract)
    table.note("use", seat, games, kind=option - EXTRA_ROPE_IN)
    if option == EXTRA_ROPE_IN:
        add(state.n_extra_rope_ins[seat], games)
        rope_in(table, seat, games)
    elif option == EXTRA_TENTACLE:
        extra_tentacle(table, seat, games)
    else:
        take_from_supply(table, seat, games)


def extra_tentacle(table: Table, seat: int, games: Games) -> None:
    """Extra Tentacle: an open ingredient more."""
    add(table.state.n_extra_tentacles[seat], games)
    place = table.ask("ingredient", seat, games=games, legal=which_fit(table, seat, games, table.state.open))
    take_open(table, seat, games, place, BY_TENTACLE)


def take_from_supply(table: Table, seat: int, games: Games) -> None:
    """Take From the Supply: the top card of a stack, known by its back."""
    add(table.state.n_supply_takes[seat], games)
    stack = table.ask("stack", seat, games=games, legal=which_fit(table, seat, games, table.state.tops))
    take_top(table, seat, games, stack, BY_SUPPLY)


def which_fit(table: Table, seat: int, games: Games, cards: npt.NDArray[np.uint8]) -> Mask:
    """Which of the three cards can be put down, (3, k)."""
    return Sight(table, seat, games).placeable(cards.take(games, axis=1))
