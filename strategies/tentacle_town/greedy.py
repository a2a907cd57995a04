"""The best thing to do right now, by a fixed valuation of goods."""

from __future__ import annotations

from dataclasses import dataclass

from .planner import Planner


@dataclass(frozen=True)
class Greedy(Planner):
    """Takes the most fame it can get at once, goods counted by a fixed price.

    It is the play by which simkit's speed at this game is measured, and stays as it is: improvements go into others.
    """
