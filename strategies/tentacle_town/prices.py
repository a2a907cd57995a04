"""What things are worth at Tentacle Town: the measures that the plans of this folder share.

A worth is a small integer, in twelfths of a fame. What one trade is worth is cut off far above anything that the
rulebook's numbers lead to, so that the worth of forty fits into 16 bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.rules import Goods, Task
from simkit.games.tentacle_town.view import TentacleTownView
from simkit.view import any_of

Worth = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]
Lead = npt.NDArray[np.int8]
Mask = npt.NDArray[np.bool_]
Prices = Mapping[str, Any]
"""What a unit of each good but fame is worth: an integer, or int16 (n,)."""

FAME = 12
"""Worth of one fame."""

NEVER = np.int16(-30_000)
"""Less than anything is worth."""

_MOST = 600
"""In twelfths of a fame."""


def price(goods: Goods, prices: Prices) -> Any:
    """What some goods are worth together: an integer, or int16 (n,) if one of the prices is.

    >>> price(Goods(food=2, fame=1), {"food": 5})
    22
    """
    return sum(amount * (FAME if good == "fame" else prices[good]) for good, amount in goods.some)


def cut(worth: Any) -> Any:
    """A worth that may be multiplied by forty, int16.

    >>> int(cut(-7)), int(cut(9999))
    (-7, 600)
    """
    return worth.clip(-_MOST, _MOST) if isinstance(worth, np.ndarray) else np.int16(max(-_MOST, min(_MOST, worth)))


def trading(terms: Task, often: Bytes, prices: Prices) -> Worth:
    """What a task is worth that may be done, or gives its gain, so often, int16 (n,).

    >>> crab = Task(gain=Goods(food=2))
    >>> trading(crab, np.array([0, 1], np.uint8), {"food": 5}).tolist()
    [0, 10]
    """
    gain, cost = price(terms.gain, prices), price(terms.cost, prices)
    if not terms.per:
        return often * cut(gain - cost)
    worth: Worth = often * cut(gain)
    worth -= cut(cost)
    return worth


def hunting(view: TentacleTownView, most: Bytes, prices: Prices) -> Worth:
    """What a hunt with up to so many harpoons is worth where the most tentacles are, int16 (n,)."""
    chance, tentacles = view.rules.hit_chance, view.tentacles
    hit = cut(price(view.rules.hunt_tentacles.gain, prices)) * round(32 * chance) >> 5
    throws_a_tentacle = min(-(-chance.denominator // max(chance.numerator, 1)), 5)
    target = np.maximum(np.maximum(tentacles[0], tentacles[1]), tentacles[2]) * np.uint8(throws_a_tentacle)
    worth: Worth = np.minimum(most, target) * cut(hit - prices["harpoons"])
    return worth


def turns_left(view: TentacleTownView) -> int:
    """Turns that the seat is likely to have after this one: a fifth of those recruited are killed, and come again."""
    return max(0, view.rules.residents * 5 // 4 - 1 - view.turn) // view.seats


def lead(view: TentacleTownView) -> Lead:
    """By how many buildings the seat leads in each district, negative where another does; int8 (3, n)."""
    most = view.standing(1)
    for left in range(2, view.seats):
        np.maximum(most, view.standing(left), out=most)
    return (view.standing() - most).view(np.int8)


def by_lead(leads: Lead, worth: Mapping[int, int]) -> Worth:
    """A worth that depends on by how many one leads, and is 0 where nothing is said, int16 (n,).

    >>> by_lead(np.array([-1, 0, 5], np.int8), {-1: 4, 0: 6}).tolist()
    [4, 6, 0]
    """
    total = np.zeros(leads.shape, np.int16)
    for at, each in worth.items():
        total += (leads == at) * np.int16(each)
    return total


def exposed(view: TentacleTownView, district: int) -> tuple[Mask, Mask]:
    """Whether others have a building in the outermost row with any, and whether only the seat itself does, (n,)."""
    others = view.buildings(1)[district]
    for left in range(2, view.seats):
        others = others + view.buildings(left)[district]
    theirs, mine, passed = np.zeros((3, view.n), bool)
    for own, other in zip(view.buildings()[district] != 0, others != 0, strict=True):
        theirs |= other & ~passed
        passed |= other
        mine |= own & ~passed
        passed |= own
    return theirs, mine


def dice(view: TentacleTownView, district: int) -> Bytes:
    """Dice of the attack that follows work in a district, uint8 (n,)."""
    return np.minimum(view.tentacles[district] + np.uint8(1), np.uint8(view.rules.dice))


def is_room(view: TentacleTownView, district: int) -> Mask:
    """Whether the seat could build in a district, bool (n,)."""
    room: Mask = any_of(view.free[district] != 0)
    return room & (view.left_to_build() != 0)


def scores(view: TentacleTownView, by_option: Any) -> Bytes:
    """The same scores in every game, uint8 (options, n)."""
    return np.broadcast_to(np.array(tuple(by_option), np.uint8)[:, None], (len(view.options), view.n))


def rising(view: TentacleTownView) -> Bytes:
    """The later an option the better, uint8 (options, n)."""
    return scores(view, range(len(view.options)))
