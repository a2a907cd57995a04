"""The plans of the enumerator of small Tentacle Towns as a strategy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.strategy import Strategy, uniform
from simkit.view import View
from tests.oracles.tentacle_town_tiny import ANY, Plan


@dataclass(frozen=True)
class Planned(Strategy):
    """Chooses by a plan of the enumerator's."""

    plan: Plan

    def choose(self, view: View) -> npt.NDArray[np.uint8]:
        """The favourite that is legal; or any."""
        liking = self.plan.get(view.decision, self.plan.get("", ()))
        if liking == ANY:
            return uniform(view, view.legal)
        order = [*(option for option in liking if option < len(view.options)), *range(len(view.options))]
        return np.array(order, np.uint8)[view.legal[order].argmax(axis=0)]
