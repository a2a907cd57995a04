"""Tentacolor told in plain values, and what a seat does not know."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacolor.rules import ENCOUNTER_SHIFT, ENCOUNTERS, Rules
from simkit.games.tentacolor.state import CARD, FIRST, RUN, SECOND, SHORT_RUN
from simkit.table import Table

Slot = tuple[npt.NDArray[np.uint8], Any]


def card_value(card: int) -> tuple[tuple[int, ...], str | None] | None:
    """A card byte as ((colour, colour), encounter); None for no card.

    >>> card_value(0b01_000101)
    ((0, 2), 'shark')
    """
    if not card:
        return None
    kind = int(card) >> ENCOUNTER_SHIFT
    return tuple(colour for colour in range(6) if card >> colour & 1), ENCOUNTERS[kind] if kind else None


def describe(table: Table, game: int) -> dict[str, Any]:
    """The state of one game (a column of the batch)."""
    state, rules = table.state, table.rules
    hands = [[card_value(state.held[seat, game])] for seat in range(table.seats)]
    hands[state.hand_of] += [card_value(card) for card in state.hand[:, game]]
    seen = int(state.seen[game])
    return {
        "tips": [_tip_value(state.tip[seat, :, game]) for seat in range(table.seats)],
        "hands": [[card for card in hand if card is not None] for hand in hands],
        "pile": pile_size(table, game),
        "boxed": int(state.n_boxed[game]),
        "seen": {pair: seen >> 4 * i & 15 for i, pair in enumerate(rules.pairs) if seen >> 4 * i & 15},
        "seen_encounters": state.seen_encounters[:, game].tolist(),
        "extremities": [_bits(mask) for mask in state.extremity[:, game]] if rules.expert else None,
    }


def pile_size(table: Table, game: int) -> int:
    """Cards that can be drawn without reshuffling; `table.state.n_top` turns have drawn so far."""
    state = table.state
    return max(0, table.rules.cards - state.n_top - int(state.n_low[game])) + int(state.renewed[game])


def _tip_value(tip: npt.NDArray[np.uint8]) -> list[tuple[int, int]] | None:
    """(colour, run) of the last card's colours; None for an empty tentacle."""
    if not tip[CARD]:
        return None
    return sorted((_bits(tip[colour])[0], int(tip[run])) for colour, run in ((FIRST, RUN), (SECOND, SHORT_RUN)))


def _bits(mask: int) -> tuple[int, ...]:
    """
    >>> _bits(0b10101)
    (0, 2, 4)
    """
    return tuple(bit for bit in range(8) if int(mask) >> bit & 1)


def hidden(table: Table, seat: int, luck: np.random.Generator) -> None:
    """Deal anew all that this seat cannot know: the pile, the other hands, and in the Expert variant the other objectives.

    Parameters
    ----------
    table
        Its state is changed to an equally possible one.
    seat
        The seat whose turn it is.
    luck
        Where the new order comes from.
    """
    state, rules = table.state, table.rules
    for game in range(table.n):
        slots = state.deck.undrawn(game, state.n_top, int(state.n_low[game]))
        slots += [(state.held, (other, game)) for other in range(table.seats) if other != seat]
        if rules.deck_out == "reshuffle":
            slots += [(state.boxed, (place, game)) for place in range(int(state.renewed[game]))]
        _permute([slot for slot in slots if slot[0][slot[1]]], luck)
        if rules.expert:
            _redeal_extremities(rules, state.extremity, seat, game, luck)


def _permute(slots: list[Slot], luck: np.random.Generator) -> None:
    """Shuffle what lies in the slots."""
    values = luck.permutation(np.array([array[place] for array, place in slots], np.uint8))
    for (array, place), value in zip(slots, values, strict=True):
        array[place] = value


def _redeal_extremities(
    rules: Rules, extremity: npt.NDArray[np.uint8], seat: int, game: int, luck: np.random.Generator
) -> None:
    """Any of the other Extremity cards may be with the other seats."""
    cards = [sum(1 << colour for colour in card) for card in rules.extremity_cards]
    cards.remove(int(extremity[seat, game]))
    for other in range(len(extremity)):
        if other != seat:
            extremity[other, game] = cards.pop(int(luck.integers(len(cards))))
