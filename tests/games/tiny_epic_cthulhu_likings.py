"""Seats at Tiny Epic Cthulhu that do what they like best, as tests need them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.strategy import Strategy, uniform
from simkit.view import View

Liking = Mapping[str, tuple[str, ...]]
"""Decision -> names of its options, the favourite first; what it does not name is left to chance."""

MOVES = tuple(f"{steps} {way}" for steps in (1, 2, 3, 4) for way in ("clockwise", "back"))
IDLE: Liking = {"action": ("stop", *MOVES), "chaos_action": ("stop",), "flip": ("none",)}
"""Stops at once; leaves the Great Old One if it must."""
SCHOLAR: Liking = {
    "action": ("seal", "translate", "collect"),
    "chaos_action": ("seal", "translate", "stop"),
    "flip": ("4", "3", "2", "1"),
}
"""Translates and seals whenever it can, collects, and otherwise wanders about."""
HUNTER: Liking = {
    "action": ("banish", "collect", *MOVES),
    "chaos_action": ("banish", "stop"),
    "banish": ("fear", "rage", "greed"),
}
"""Goes where Shamblers are and rolls for them."""


@dataclass(frozen=True)
class Likes(Strategy):
    """Takes its favourite among the legal options; any of them if it has none there."""

    liking: Liking

    def choose(self, view: View) -> npt.NDArray[np.uint8]:
        """The favourite that is legal; or any."""
        chosen, left = uniform(view, view.legal), view.asked.copy()
        for name in self.liking.get(view.decision, ()):
            option = view.options.index(name)
            takes = left & view.legal[option]
            chosen[takes] = option
            left &= ~takes
        return chosen


def long_mat(spaces: int = 12, draws: int = 2, **powers: Any) -> dict[str, Any]:
    """A Great Old One whose strength takes long to grow, with easy portals; without powers if none are given."""
    none: dict[str, Any] = {"fear": [], "rage": [], "greed": []}
    return {
        "name": "Long",
        "front": [draws] * spaces,
        "back": [draws] * spaces,
        "portals": {"fear": [0, 1], "rage": [1, 2], "greed": [2, 3]},
        "powers": none | powers,
    }


EASY: dict[str, Any] = {
    "great_old_one": "custom",
    "custom": long_mat(),
    "page_cost": 0,
    "pages_per_card": "2",
    "delirium": 99,
    "max_rounds": 40,
}
"""Rules by which `SCHOLAR` soon comes to Phase Two, and to the end of it."""
