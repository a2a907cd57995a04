"""What runs and hands promise: the measures shared by the strategies that weigh one against another.

A worth is a small integer, so that what a turn adds up to fits into a byte. A unit is roughly a point of win share: the
weights were read off a regression of wins on positions, rounded, and adjusted by play (docs/strategies-tentacolor.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacolor.view import TentacolorView

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

PROMISE = (20, 7, 4, 2, 1)
"""Worth of a run that a seat may have on its next turn: for reaching the goal, for one card less, two less ..."""
THREAT = (40, 9, 4, 2, 2)
"""The same for the run that a passed card gives to the left neighbour, who plays it first."""
KEEP_SHARK, KEEP_RARE = 4, 2
"""Worth of such a card in hand."""
BITE = 24
"""Worth of a shark placed while a rival is close to the goal."""

_ONE, _COLOURS = np.array(1, np.uint8), np.array(0b00_111111, np.uint8)
_ENCOUNTER, _SHARK, _RARE = (np.array(bits << 6, np.uint8) for bits in (0b11, 0b01, 0b11))
_OTHERS = ((1, 2), (0, 2), (0, 1))


def steps(runs: Bytes, goal: int, weights: Sequence[int]) -> Bytes:
    """What runs are worth: weights[i] if at most i cards are missing to the goal, added up.

    >>> steps(np.array([1, 3, 4, 5, 9], np.uint8), 5, (20, 8, 3)).tolist()
    [0, 3, 11, 31, 31]
    """
    worth = np.zeros(runs.shape, np.uint8)
    for missing, weight in enumerate(weights[:goal]):
        worth += times(runs >= np.array(goal - missing, np.uint8), weight)
    return worth


def times(mask: Mask, weight: int) -> Bytes:
    """The weight where the mask is true, else 0; uses up the mask.

    >>> times(np.array([True, False]), 7).tolist()
    [7, 0]
    """
    worth = mask.view(np.uint8)
    worth *= np.array(weight, np.uint8)
    return worth


def together(view: TentacolorView, cards: Bytes) -> Bytes:
    """The run that two cards of a hand of three make, one placed after the other, when the third is passed.

    It is the run of a colour that both have, whichever comes first.

    Parameters
    ----------
    view
    cards : uint8 (3, n)

    Returns
    -------
    uint8 (3, n)
        By the card that is passed; 1 where the other two share no colour [cards].
    """
    shared = np.empty_like(cards)
    for passed, (one, other) in enumerate(_OTHERS):
        np.bitwise_and(cards[one], cards[other], out=shared[passed])
    shared &= _COLOURS
    runs, _ = view.after(cards=shared)
    runs *= shared != 0
    runs += _ONE
    return runs


def best_of_others(worth: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """For each of three rows the greater of the other two.

    >>> best_of_others(np.array([[1], [5], [3]])).tolist()
    [[5], [3], [5]]
    """
    best = np.empty_like(worth)
    for row, (one, other) in enumerate(_OTHERS):
        np.maximum(worth[one], worth[other], out=best[row])
    return best


def is_shark(cards: Bytes) -> Mask:
    """Which cards carry a shark."""
    return (cards & _ENCOUNTER) == _SHARK


def is_rare(cards: Bytes) -> Mask:
    """Which cards carry a rare specimen."""
    return cards >= _RARE


def is_rival_close(view: TentacolorView, missing: int = 1) -> Mask:
    """Where some rival's run lacks at most so many cards to the goal, bool (n,).

    Expert: one more, for there a complete run can still be bitten before it is revealed.
    """
    goal = max(view.need - missing + view.rules.expert, 1)
    return view.rivals().max(axis=0) >= np.array(goal, np.uint8)
