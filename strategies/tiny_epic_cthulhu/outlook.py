"""How far a seat is from its next page or portal: the board seen from where it stands, and plans counted in actions.

Everything is turned so that town 0 is the seat's own and the others follow clockwise. Worths are in twelfths of an
action, int16.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import N_TOWNS
from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView

from .prospects import Pages, pages, sum_of

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

ACTION = 12
_ONE, _TWO = np.uint8(1), np.uint8(2)
FAR = np.uint8(9)
"""More actions than any plan should take."""


class Outlook:
    """The board from where the seat stands; town 0 is its own."""

    def __init__(self, view: TinyEpicCthulhuView) -> None:
        self.view = view
        self.length = np.uint8(view.rules.temperament_track)

    @cached_property
    def _towns(self) -> npt.NDArray[np.intp]:
        """The towns in order from the seat's own, intp (5, n)."""
        steps = np.arange(N_TOWNS, dtype=np.uint8)[:, None]
        return ((self.view.at() + steps) % np.uint8(N_TOWNS)).astype(np.intp)

    def turned(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """An array (5, n) or (5, 3, n), own town first."""
        n, games = self.view.n, np.arange(self.view.n)
        if array.ndim == 2:
            return array.reshape(-1).take(self._towns * n + games)
        return array.reshape(-1).take((self._towns[:, None] * 3 + np.arange(3)[:, None]) * n + games)

    @cached_property
    def pages(self) -> Pages:
        """Pages by town, own first."""
        seen = pages(self.view)
        cost = np.stack([self.turned(cost) for cost in seen.cost])
        return Pages(cost, self.turned(seen.is_open), self.turned(seen.is_ready))

    @cached_property
    def cards(self) -> Bytes:
        """Page cards as far as they have been seen, own town first, uint8 (5, n)."""
        return self.turned(self.view.page)

    @cached_property
    def in_phase_two(self) -> Mask:
        """Whether the Necronomicon is translated, bool (n,)."""
        return self.view.is_phase_two

    @cached_property
    def rerolls(self) -> Bytes:
        """Dice that the seat may roll again, uint8 (n,)."""
        return np.minimum(self.view.brain(), np.uint8(3)) + self.view.passive("rerolls")

    @cached_property
    def shamblers_here(self) -> Bytes:
        """Shamblers in the own town by colour, uint8 (3, n)."""
        return self.view.here(self.view.shamblers)

    @cached_property
    def draws(self) -> Bytes:
        """Tentacles drawn on stopping in each town, uint8 (5, n)."""
        spared = self.view.passive("stop_draws")
        return np.maximum(self.shamblers, spared) - spared

    @cached_property
    def is_unseen(self) -> Mask:
        """A page that nobody has seen, bool (5, n)."""
        return self.turned(self.view.has_page & (self.view.page == 255))

    @cached_property
    def lies_down(self) -> Mask:
        """A page lies face down, bool (5, n)."""
        return self.turned(self.view.has_page & ~self.view.face_up)

    @cached_property
    def madness(self) -> Bytes:
        """Madness by colour and town, uint8 (3, 5, n)."""
        return np.ascontiguousarray(self.turned(self.view.madness).swapaxes(0, 1))

    @cached_property
    def shamblers(self) -> Bytes:
        """Shamblers by town, uint8 (5, n)."""
        return self.turned(self.view.n_shamblers)

    @cached_property
    def goo(self) -> Bytes:
        """How far clockwise the Great Old One is, uint8 (n,)."""
        return (self.view.goo + np.uint8(N_TOWNS) - self.view.at()) % np.uint8(N_TOWNS)

    @cached_property
    def reach(self) -> Bytes:
        """Towns that a move may go, uint8 (n,)."""
        return np.minimum(self.view.temper()[0] + _ONE + self.view.passive("steps"), np.uint8(4))

    @cached_property
    def hops(self) -> Bytes:
        """Moves from a town to another, uint8 (5, 5, n); `FAR` where the Great Old One is or bars both ways."""
        code = (self.goo + self.view.is_phase_two * np.uint8(N_TOWNS)) * np.uint8(4) + self.reach - _ONE
        return _all_hops().take(code, axis=1).reshape(N_TOWNS, N_TOWNS, self.view.n)

    @cached_property
    def others_here(self) -> Bytes:
        """Other seats by town, uint8 (5, n)."""
        view, counts = self.view, np.zeros((N_TOWNS, self.view.n), np.uint8)
        for left in range(1, view.seats):
            there = (view.at(left) + np.uint8(N_TOWNS) - view.at()) % np.uint8(N_TOWNS)
            for town in range(N_TOWNS):
                counts[town] += there == town
        return counts


@lru_cache(maxsize=1)
def _all_hops() -> Bytes:
    """Moves between towns by where the Great Old One is, phase and reach, uint8 (25, 40)."""
    hops = np.zeros((N_TOWNS, N_TOWNS, 2, N_TOWNS, 4), np.uint8)
    for start, step, phase, goo, reach in product(
        range(N_TOWNS), range(1, N_TOWNS), range(2), range(N_TOWNS), range(4)
    ):
        ahead = (goo - start) % N_TOWNS
        ways = [way for way, bars in ((step, 0 < ahead <= step), (N_TOWNS - step, ahead >= step)) if phase or not bars]
        hops[start, (start + step) % N_TOWNS, phase, goo, reach] = min(
            (-(-w // (reach + 1)) for w in ways), default=FAR
        )
    return hops.reshape(N_TOWNS * N_TOWNS, 2 * N_TOWNS * 4)


def unseen_lack(temper: Any) -> Bytes:
    """Sixths of a tentacle that a page not seen is likely to lack, uint8 (n,): each pair of colours equally often."""
    return sum_of([(_TWO - np.minimum(own, _TWO)) + (own == 0) * _TWO for own in temper])


@lru_cache(maxsize=64)
def chances(die: tuple[int, ...], most: int) -> npt.NDArray[np.uint8]:
    """Chance in 1/200 to reach a number with some dice and rerolls, uint8 (dice + 1, rerolls + 1, numbers)."""
    faces = [face for face, count in enumerate(die) for _ in range(count)]
    table = np.zeros((4, 4, most + 1), np.uint8)
    for dice, rerolls, need in product(range(4), range(4), range(most + 1)):
        rolls = list(product(faces, repeat=dice))
        table[dice, rerolls, need] = round(200 * sum(_hit(sorted(r), rerolls, need, faces) for r in rolls) / len(rolls))
    return table


def _hit(roll: list[int], rerolls: int, need: int, faces: list[int]) -> float:
    """Chance that a roll reaches a number once the best few of its lowest dice are rolled again."""
    best = float(sum(roll) >= need)
    for again in range(1, min(rerolls, len(roll)) + 1):
        best = max(best, _sum_chance(again, need - sum(roll[again:]), tuple(faces)))
    return best


@lru_cache(maxsize=1024)
def _sum_chance(dice: int, need: int, faces: tuple[int, ...]) -> float:
    """Chance that some dice show so many."""
    rolls = list(product(faces, repeat=dice))
    return sum(sum(roll) >= need for roll in rolls) / len(rolls)


def seal_chance(view: TinyEpicCthulhuView, runes: Bytes, rerolls: Bytes) -> tuple[Bytes, Bytes]:
    """Chance in 1/200 to seal the easier and the harder of the open portals of each colour, uint8 (3, n) each."""
    most = max(view.rules.portal_numbers)
    table = chances(tuple(view.rules.die), most)
    dice, again = np.minimum(runes, np.uint8(view.rules.n_dice)), np.minimum(rerolls, np.uint8(3))
    flat = table.reshape(-1)
    row = (dice * np.uint8(4) + again).astype(np.intp) * (most + 1)
    easy, hard = np.zeros(runes.shape, np.uint8), np.zeros(runes.shape, np.uint8)
    for colour in range(3):
        pair = [flat.take(row[colour] + view.rules.portal_numbers[2 * colour + i]) for i in range(2)]
        pair = [np.where(view.is_sealed[2 * colour + i], np.uint8(0), pair[i]) for i in range(2)]
        easy[colour], hard[colour] = np.maximum(*pair), np.minimum(*pair)
    return easy, hard


@lru_cache(maxsize=64)
def sum_chance_table(die: tuple[int, ...]) -> npt.NDArray[np.int16]:
    """Chance in 1/200 that some dice show so many, int16 (4 * 10,)."""
    faces = tuple(face for face, count in enumerate(die) for _ in range(count))
    return np.array([round(200 * _sum_chance(dice, need, faces)) for dice in range(4) for need in range(10)], np.int16)


def banish_chance(rules: Any) -> npt.NDArray[np.int16]:
    """Chance in 1/27 that a Banish with some dice costs no more than 0, 1, 2, int16 (4 * 3,)."""
    total = sum(rules.die)
    upto = [sum(rules.die[: most + 1]) / total for most in range(3)]
    return np.array([round(27 * upto[most] ** dice) for dice in range(4) for most in range(3)], np.int16)
