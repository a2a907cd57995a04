"""Plays Tiny Epic Cthulhu straight for its end, so that the games kept here are short; no rival of the library's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.strategy import Strategy

N_MOVES, COLLECT, TRANSLATE, SEAL = 8, 8, 11, 12


@dataclass(frozen=True)
class Hasty(Strategy):
    """Translates and seals what it can, goes to the Great Old One in Phase Two, and else does anything but stop."""

    ties = "coin"

    def action(self, view: Any) -> npt.NDArray[np.int8]:
        """Pages and portals, then the way to them, then Madness to pay with."""
        scores = np.ones((len(view.options), view.n), np.int8)
        scores[-1] = 0
        scores[COLLECT] = 2
        scores[[TRANSLATE, SEAL]] = 9
        is_unpaid = view.temper().sum(axis=0) + view.chaos() == 0
        for option in range(N_MOVES):
            steps = option + 1 if option < 4 else 3 - option
            page, is_up = view.ahead(view.has_page, steps), view.ahead(view.face_up, steps)
            to_portals = (view.at() + np.uint8((steps + 5) % 5)) % np.uint8(5) == view.goo
            scores[option] += (page & ~is_up) + 2 * (view.is_phase_two & to_portals & ~is_unpaid)
        return scores

    def collect(self, view: Any) -> npt.NDArray[np.int8]:
        """What it has least of."""
        own = view.temper().astype(np.int8)
        return np.concatenate([9 - own, np.zeros((1, view.n), np.int8)])
