"""Pages above all: Shamblers are fought only where they are about to overrun the town."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView

from .balanced import Balanced
from .prospects import sum_of

Small = npt.NDArray[np.int8]


@dataclass(frozen=True)
class PageRusher(Balanced):
    """Goes from page to page whatever waits there, pays Chaos to get on, and leaves Shamblers alone. Ours.

    It fights only in a town whose Shambler Track is full, and when it has nothing better to do.
    """

    ready: int = 62
    shambler: int = 4
    risk: int = 2
    draw: int = 0
    chaos: int = 40

    def fight_worth(self, view: TinyEpicCthulhuView) -> Small:
        """Nothing, but where another Shambler would overrun the town."""
        is_full = sum_of(list(view.here(view.shamblers))) >= view.rules.shambler_track
        return super().fight_worth(view) * is_full
