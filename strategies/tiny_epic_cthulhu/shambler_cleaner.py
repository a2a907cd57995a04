"""Shamblers first: go where most are, with the tentacles to fight them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView

from .balanced import Balanced
from .prospects import Pages, most_of, sum_of

Bytes = npt.NDArray[np.uint8]
Small = npt.NDArray[np.int8]


@dataclass(frozen=True)
class ShamblerCleaner(Balanced):
    """Fights Shamblers wherever it stands beside one and can pay, before it translates anything. Ours.

    It goes to towns where it holds the colour of a Shambler, and takes up tentacles of colours that Shamblers have.

    Parameters
    ----------
    hunt
        What going to a Shambler is worth, for each that it has a tentacle for.
    """

    shambler: int = 30
    draw: int = 0
    hunt: int = 18

    def fight_worth(self, view: TinyEpicCthulhuView) -> Small:
        """More than any page, if there is a tentacle to pay with."""
        here = view.here(view.shamblers)
        can = most_of([(here[c] != 0) * view.temper()[c] for c in range(3)]) + view.chaos()
        return (can != 0) * np.int8(105)

    def town_worth(self, view: TinyEpicCthulhuView, seen: Pages) -> Small:
        """Towns where a Shambler is that it could pay for are worth more."""
        held = view.temper() != 0
        targets = sum_of([(view.shamblers[:, c] != 0) * held[c] for c in range(3)])
        return super().town_worth(view, seen) + targets.view(np.int8) * np.int8(self.hunt)

    def demand(self, view: TinyEpicCthulhuView, seen: Pages) -> Bytes:
        """What Shamblers cost is wanted too."""
        wanted = super().demand(view, seen)
        lacking = view.temper() < view.rules.temperament_track
        for colour in range(3):
            somewhere = most_of(list(view.shamblers[:, colour])) != 0
            wanted[colour] += somewhere * lacking[colour]
        return wanted
