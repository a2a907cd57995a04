"""Tentacolor told in plain values, and what a seat does not know."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacolor.pile import drawn_from_bottom, n_boxed, pile_size
from simkit.games.tentacolor.rules import COLOUR_BITS, ENCOUNTER_SHIFT, ENCOUNTERS, Rules
from simkit.games.tentacolor.state import FIRST, RUN, SECOND, SHORT_RUN
from simkit.table import Table

Slot = tuple[npt.NDArray[np.uint8], Any]


@lru_cache
def card_value(card: int) -> tuple[tuple[int, ...], str | None] | None:
    """A card byte as ((colour, colour), encounter); None for no card.

    >>> card_value(0b01_000101)
    ((0, 2), 'shark')
    """
    if not card:
        return None
    kind = card >> ENCOUNTER_SHIFT
    return _bits(card & COLOUR_BITS), ENCOUNTERS[kind] if kind else None


@lru_cache
def _bits(mask: int) -> tuple[int, ...]:
    """
    >>> _bits(0b10101)
    (0, 2, 4)
    """
    return tuple(bit for bit in range(8) if mask >> bit & 1)


def describe(table: Table, games: npt.NDArray[np.intp]) -> list[dict[str, Any]]:
    """The states of some games (columns of the batch) in plain values."""
    state, rules = table.state, table.rules

    def by_game(name: str) -> list[Any]:
        return np.moveaxis(getattr(state, name)[..., games], -1, 0).tolist()

    columns = [by_game(name) for name in ("tip", "held", "hand", "extremity")]
    piles, boxed = pile_size(table, games).tolist(), n_boxed(table, games).tolist()
    seen = rules.seen_counts(state.seen[games]).T.tolist()
    return [_described(table, *values) for values in zip(*columns, piles, boxed, seen, strict=True)]


def _described(
    table: Table,
    tips: list[list[int]],
    held: list[int],
    hand: list[int],
    extremities: list[int],
    pile: int,
    boxed: int,
    seen: list[int],
) -> dict[str, Any]:
    """One game's state."""
    hands = [[card_value(card)] for card in held]
    hands[table.state.hand_of] += [card_value(card) for card in hand]
    return {
        "tips": [_tip_value(tip) for tip in tips],
        "hands": [[card for card in cards if card is not None] for cards in hands],
        "pile": pile,
        "boxed": boxed,
        "seen": {pair: count for pair, count in zip(table.rules.pairs, seen, strict=False) if count},
        "seen_encounters": seen[-3:],
        "extremities": [_bits(mask) for mask in extremities] if table.rules.expert else None,
    }


def _tip_value(tip: list[int]) -> list[tuple[int, int]] | None:
    """(colour, run) of the last card's colours; None for an empty tentacle."""
    if not tip[FIRST]:
        return None
    return sorted(((_bits(tip[FIRST])[0], tip[RUN]), (_bits(tip[SECOND])[0], tip[SHORT_RUN])))


def hidden(table: Table, seat: int, luck: np.random.Generator) -> None:
    """Deal anew all that this seat cannot know: the pile, the other hands and, Expert, their objectives.

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
    for game, n_low in enumerate(drawn_from_bottom(table, np.arange(table.n)).tolist()):
        slots = state.deck.undrawn(game, state.n_top, n_low)
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
    cards = rules.objectives
    cards.remove(int(extremity[seat, game]))
    for other in range(len(extremity)):
        if other != seat:
            extremity[other, game] = cards.pop(int(luck.integers(len(cards))))
