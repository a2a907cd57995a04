"""Tentacles as weapons: work where they will tear down what others have built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.view import TentacleTownView

from .greedy import Greedy
from .prices import dice, exposed

Worth = npt.NDArray[np.int16]
Lead = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Wrecker(Greedy):
    """Works where many tentacles are and others' buildings stand in front, and not where its own do.

    Ours.

    Parameters
    ----------
    spite, caution
        What a die is worth that may fall on others' buildings only, and what one costs that falls on its own [twelfths
        of a fame].
    """

    spite: int = 6
    caution: int = 6

    def attacked(self, view: TentacleTownView, district: int, leads: Lead) -> Any:
        """Dice on others' buildings are good, dice on its own are bad."""
        theirs, mine = exposed(view, district)
        return (theirs * np.int16(self.spite) - mine * np.int16(self.caution)) * dice(view, district)
