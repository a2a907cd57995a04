"""A keeper who thinks of its own oil first."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .watchful import Watchful


@dataclass(frozen=True)
class Thrifty(Watchful):
    """Works like watchful, chooses among equals by a coin, and holds a beacon only if some oil is left.

    Parameters
    ----------
    spare
        Oil that it keeps.
    """

    ties: ClassVar[str] = "coin"
    spare: int = 1

    def defend(self, view):
        rich = view.oil[view.seat] > self.spare
        return np.stack([~rich, rich])
