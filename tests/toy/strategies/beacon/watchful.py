"""Keepers who look at the coast as a whole."""

from dataclasses import dataclass

import numpy as np

from simkit.strategy import Strategy

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True)
class Watchful(Strategy):
    """Builds towards a line, clears thick fog, and always holds its beacons.

    Parameters
    ----------
    fear
        Fog that it clears before anything else.
    """

    fear: int = 2

    def work(self, view):
        thickest = view.fog.max(axis=0)
        return np.stack([np.full(view.n, 2), np.where(thickest >= self.fear, 9, 1), np.full(view.n, 5)])

    def clear(self, view):
        return view.fog

    def build(self, view):
        burning = view.keeper != 0
        near = np.zeros((9, view.n), np.uint8)
        for line in LINES:
            n_burning = burning[list(line)].sum(axis=0, dtype=np.uint8)
            for cell in line:
                near[cell] = np.maximum(near[cell], n_burning)
        return near

    def defend(self, view):
        return np.stack([np.zeros(view.n, np.uint8), np.ones(view.n, np.uint8)])
