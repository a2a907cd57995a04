"""Octobuns told in plain values, and what a seat does not know."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns.rules import KINDS, N_STACKS, NO_ORDER
from simkit.games.octobuns.state import NO_ACTION
from simkit.table import Table

HOW = (None, "move", "discard")


def describe(table: Table, games: npt.NDArray[np.intp]) -> list[dict[str, Any]]:
    """The states of some games (columns of the batch) in plain values."""
    state, rules = table.state, table.rules

    def plain(name: str) -> list[Any]:
        return np.moveaxis(getattr(state, name)[..., games], -1, 0).tolist()

    columns = {
        "bakeries": plain("bakery"),
        "hand": plain("hand"),
        "open": plain("open"),
        "stacks": [_rings(*parts) for parts in zip(plain("stack"), plain("first"), plain("size"), strict=True)],
        "discards": plain("discards"),
        "bun_stock": [stock[: len(rules.buns)] for stock in plain("bun_stock")],
        "piles": [_rings(*parts) for parts in zip(plain("pile"), plain("pile_first"), plain("pile_size"), strict=True)],
        "open_orders": [_ids(orders) for orders in plain("orders")],
        "reserved": [[_ids(places[: rules.n_reserved]) for places in seats] for seats in plain("reserved")],
        "icons": plain("icons"),
        "starting": plain("starting"),
        "n_done": plain("n_done"),
        "coins": [[sum(kinds) for kinds in seats] for seats in plain("coins_from")],
        "action": [None if action == NO_ACTION else action for action in plain("action")],
        "n_cleaned": plain("n_cleaned"),
        "cleaned_how": [HOW[how] for how in plain("cleaned_how")],
        "n_orders": plain("n_orders"),
        "fresh": plain("fresh"),
    }
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _ids(orders: list[int]) -> list[int | None]:
    """
    >>> _ids([3, 255])
    [3, None]
    """
    return [None if order == NO_ORDER else order for order in orders]


def _rings(rings: list[list[int]], firsts: list[int], sizes: list[int]) -> list[list[int]]:
    """Cards from the top.

    >>> _rings([[7, 8, 9]], [2], [2])
    [[9, 7]]
    """
    return [
        [ring[(first + place) % len(ring)] for place in range(size)]
        for ring, first, size in zip(rings, firsts, sizes, strict=True)
    ]


def hidden(table: Table, seat: int, luck: np.random.Generator) -> None:
    """Shuffle what no seat knows: cards of the last shuffle under the stacks' tops, and the piles of orders.

    The icon on the back of a pile's top order is seen and stays. So do cards of shuffles before the last, which lie
    above these, and piles that orders went under.
    """
    state, rules = table.state, table.rules
    for game in range(table.n):
        places = [
            (stack, (int(state.first[stack, game]) + depth) % rules.n_cards)
            for stack in range(N_STACKS)
            for depth in range(
                max(1, int(state.size[stack, game]) - int(state.newest[stack, game])), int(state.size[stack, game])
            )
        ]
        _permute(state.stack, places, game, luck)
        for kind in range(len(KINDS)):
            first, size = int(state.pile_first[kind, game]), int(state.pile_size[kind, game])
            if first + size <= len(state.pile[kind]):
                icons = rules.icon_of.take(state.pile[kind, first : first + size, game])
                _permute(state.pile, [(kind, place) for place in range(first, first + size)], game, luck)
                _keep_top_icon(state.pile[kind, first : first + size, game], rules.icon_of, icons[:1])


def _keep_top_icon(pile: npt.NDArray[np.uint8], icon_of: npt.NDArray[np.uint8], icon: npt.NDArray[np.uint8]) -> None:
    """Let the first order with the icon come to the top."""
    if len(pile):
        at = int((icon_of.take(pile) == icon).argmax())
        pile[0], pile[at] = int(pile[at]), int(pile[0])


def _permute(cards: npt.NDArray[np.uint8], places: list[tuple[int, int]], game: int, luck: np.random.Generator) -> None:
    """Shuffle the cards that lie at some places of one game."""
    values = luck.permutation([cards[at, place, game] for at, place in places])
    for (at, place), value in zip(places, values, strict=True):
        cards[at, place, game] = value
