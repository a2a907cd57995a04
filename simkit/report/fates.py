"""How a cooperative table's games end: won, or lost by one cause or another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simkit.report.cells import Cell
from simkit.report.study import Study

WON = "won"

Marked = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Fates:
    """Which games of a cell ended how, each bool (rotations, n).

    Attributes
    ----------
    won
    lost
        By end cause, every declared one in order.
    """

    won: Marked
    lost: dict[str, Marked]

    @property
    def every(self) -> dict[str, Marked]:
        """Won first, then lost by each cause that occurs."""
        return {WON: self.won} | {cause: games for cause, games in self.lost.items() if games.any()}


def fates(study: Study, cell: Cell) -> Fates:
    """What became of a cell's games."""
    won = study.run.column("games", "won", cell.id).astype(bool)
    causes = study.run.column("games", "end_cause", cell.id)
    return Fates(won, {name: ~won & (causes == code) for code, name in enumerate(study.run.game.all_end_causes)})


def causes_of(study: Study, cells: Sequence[Cell]) -> list[str]:
    """The causes by which any of these cells' games were lost, in declared order."""
    found = {cause for cell in cells for cause in fates(study, cell).every}
    return [cause for cause in study.run.game.all_end_causes if cause in found]


def fate_name(fate: str) -> str:
    """
    >>> fate_name("won"), fate_name("strength"), fate_name("unfinished")
    ('won', 'lost by strength', 'unfinished')
    """
    return fate if fate in (WON, "unfinished") else f"lost by {fate}"
