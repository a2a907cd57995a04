"""Building for the majorities: most buildings, most fame at the end."""

from __future__ import annotations

from dataclasses import dataclass

from .greedy import Greedy


@dataclass(frozen=True)
class Builder(Greedy):
    """Builds whenever it can, where one more building helps to win most residents; other tasks are for overtime. Ours.

    Parameters
    ----------
    building
        What a building is worth wherever it stands: little else is worth as much [twelfths of a fame].
    """

    building: int = 36
