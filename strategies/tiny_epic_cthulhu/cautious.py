"""Stay sane: no track may overflow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView

from .balanced import Balanced
from .prospects import NO_MORE, may_overflow, pages

Bytes = npt.NDArray[np.uint8]
Small = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Cautious(Balanced):
    """Never stops beside Shamblers when a track could overflow, if it can help it, and collects only what pages lack.

    Ours.
    """

    shambler: int = 9
    draw: int = 6

    def danger(self, view: TinyEpicCthulhuView) -> Small:
        """Where a track could overflow is the last place to be."""
        return np.maximum(super().danger(view), may_overflow(view) * np.int8(100)).astype(np.int8)

    def collect(self, view: TinyEpicCthulhuView) -> Bytes:
        """Only what pages lack."""
        scores = super().collect(view)
        wanted = self.demand(view, pages(view))
        scores[:NO_MORE] *= wanted != 0
        return scores
