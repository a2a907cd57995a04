"""What a seat can see coming at Tiny Epic Cthulhu: what pages lack, what stopping somewhere risks, who can seal what.

Measures that the strategies of this folder share: small whole numbers, the game axis last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import (
    N_NUMBERS,
    N_TOWNS,
    Banish,
    Draw,
    Lure,
    Move,
    Reveal,
    Swap,
    Travel,
)
from simkit.games.tiny_epic_cthulhu.legal import COLLECT
from simkit.games.tiny_epic_cthulhu.state import NO_CARD
from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView

Bytes = npt.NDArray[np.uint8]
Small = npt.NDArray[np.int8]
Mask = npt.NDArray[np.bool_]

MOVES = range(COLLECT)
"""Options of `action`: 1 to 4 towns clockwise, 1 to 4 back."""
TOWNS_AHEAD = (1, 2, 3, 4, 4, 3, 2, 1)
"""How far clockwise the town lies that each move leads to."""

NO_MORE = 3
"""Option of `collect` and of `tentacle`."""

_UNSEEN = 1 << 11
_NUMBERS = 6


@dataclass(frozen=True)
class Pages:
    """The pages in the towns as far as they have been seen.

    Attributes
    ----------
    cost : uint8 (3, 5, n)
        Madness to pay, by colour and town; 3 of each where the page is not known.
    is_open : bool (5, n)
        Known, and one of its numbers has a free space.
    is_ready : bool (5, n)
        Open, and lying face up.
    """

    cost: Bytes
    is_open: Mask
    is_ready: Mask

    def lack(self, temper: Bytes) -> Bytes:
        """Tentacles that a seat holding so many is short of for each page, uint8 (5, n)."""
        return sum_of([np.maximum(self.cost[c], temper[c]) - temper[c] for c in range(3)])


def pages(view: TinyEpicCthulhuView) -> Pages:
    """What the pages cost, and which can be translated."""
    codes = _codes(view.rules).take(view.page)
    low, full = codes.astype(np.uint8), np.zeros(view.n, np.uint16)
    for number in range(N_NUMBERS):
        full |= (view.rows[number] == N_NUMBERS) * np.uint16(1 << (_NUMBERS + number))
    free = (codes & ~full) >> np.uint16(_NUMBERS)
    is_open = (free != 0) & (free < np.uint16(_UNSEEN >> _NUMBERS))
    three = np.uint8(3)
    cost = np.stack([low & three, low >> np.uint8(2) & three, low >> np.uint8(4) & three])
    return Pages(cost, is_open, is_open & view.face_up)


def _codes(rules: Any) -> npt.NDArray[np.uint16]:
    """Cost and numbers of each card in one number, uint16 (256,)."""
    codes = np.full(NO_CARD + 1, _UNSEEN | 63, np.uint16)
    costs, shows = rules.page_costs.astype(np.uint16), rules.page_numbers.astype(np.uint16)
    code = costs[:, 0] + costs[:, 1] * 4 + costs[:, 2] * 16
    for number in range(N_NUMBERS):
        code = code + (shows[:, number] << (_NUMBERS + number))
    codes[: len(code)] = code
    return codes


def sum_of(parts: list[Any]) -> Any:
    """The sum of arrays, in their own type."""
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def most_of(parts: list[Any]) -> Any:
    """The greatest of arrays, place by place."""
    total = parts[0]
    for part in parts[1:]:
        total = np.maximum(total, part)
    return total


# ------------------------------------------------------------------------------------------------------------- dangers


def n_full(view: TinyEpicCthulhuView) -> Bytes:
    """Own Temperament Tracks that the next tentacle of their colour makes accursed, uint8 (n,)."""
    length = view.rules.temperament_track
    full = view.temper() >= length
    return sum_of([full[c].view(np.uint8) for c in range(3)])


def stop_draws(view: TinyEpicCthulhuView) -> Bytes:
    """Tentacles that the seat draws if it stops in each town, uint8 (5, n)."""
    spared = view.passive("stop_draws")
    return np.maximum(view.n_shamblers, spared) - spared


def may_overflow(view: TinyEpicCthulhuView) -> Mask:
    """Towns where the tentacles drawn on stopping could make one of the seat's tracks accursed, bool (5, n)."""
    room = np.uint8(view.rules.temperament_track) - np.minimum(
        most_of(list(view.temper())), view.rules.temperament_track
    )
    return stop_draws(view) > room


# ---------------------------------------------------------------------------------------------------------- Phase Two


def open_portals(view: TinyEpicCthulhuView) -> Bytes:
    """Portals not yet sealed by colour, uint8 (3, n)."""
    shut = view.is_sealed.view(np.uint8)
    return np.uint8(2) - shut[0::2] - shut[1::2]


# --------------------------------------------------------------------------------------------------------- effects


def worth_of_sides(rules: Any, worth: dict[Any, int]) -> Bytes:
    """A worth of each side's town action, the sum of its effects', uint8 (sides,); see `effect_key`."""
    sides = [
        sum(worth.get(effect_key(effect), 0) * getattr(effect, "n", 1) for effect in s.effects) for s in rules.sides
    ]
    return np.clip(sides, 0, 90).astype(np.uint8)


def effect_key(effect: Any) -> str:
    """What an effect is, in short.

    >>> effect_key(Move(do="move", what="madness", **{"from": "mat", "to": "discard"})), effect_key(Lure(do="lure"))
    ('madness from mat', 'lure')
    """
    if isinstance(effect, Move):
        return f"{effect.what} to you" if effect.target == "you" else f"{effect.what} from {effect.source}"
    names = {Draw: "draw", Reveal: "reveal", Swap: "swap", Travel: "travel", Lure: "lure", Banish: "banish"}
    return names[type(effect)]


def rising(view: TinyEpicCthulhuView) -> Bytes:
    """The later an option the better, uint8 (options, n)."""
    options = len(view.options)
    return np.broadcast_to(np.arange(options, dtype=np.uint8)[:, None], (options, view.n))


def towns_round(array: npt.NDArray[Any], steps: int) -> npt.NDArray[Any]:
    """An array (5, n), every town showing what lies so many steps clockwise of it."""
    return np.concatenate([array[steps % N_TOWNS :], array[: steps % N_TOWNS]])
