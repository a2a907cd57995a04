"""How do matters stand at the end, in games won and in games lost?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from simkit.figures.distributions import distributions
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Section
from simkit.report.cells import Cell
from simkit.report.fates import fates
from simkit.report.sections.shown import (
    HALF,
    MOST_ROWS,
    by_measure,
    chosen,
    estimates_of,
    few_cells,
    keys_of,
    table_of,
    whole_names,
    wide_texts,
)
from simkit.report.study import Study
from simkit.report.words import PERCENT, SPACE, whole
from simkit.stats.among import mean_among, share_among

MOST_DRAWN = 1
"""Cells with a figure of their own."""


@dataclass(frozen=True)
class Clock:
    """A column of `games` that counts something at the end.

    Parameters
    ----------
    column
    name
        What it counts.
    """

    column: str
    name: str


def clocks(columns: Sequence[Clock], heading: str) -> Section:
    """Distributions and means at the end, apart for games won and lost."""

    def section(study: Study) -> Part | None:
        if not study.cooperative:
            return None
        cells = few_cells(study, MOST_ROWS)
        drawn = _drawn(cells)
        shares = pd.DataFrame([row for cell in cells for row in _shares(study, cell, columns)])
        means = pd.DataFrame([row for cell in cells for row in _means(study, cell, columns)])
        blocks: list[Block] = [_picture(shares, cell, study, cells) for cell in drawn]
        return Part(heading, [*blocks, _wide(study, cells, means, columns), _long(study, cells, shares)])

    return section


def _drawn(cells: Sequence[Cell]) -> list[Cell]:
    """The base settings' cells come first."""
    return sorted(cells, key=lambda cell: not cell.is_base)[:MOST_DRAWN]


def _outcomes(study: Study, cell: Cell) -> dict[str, Any]:
    """Games won and lost, where there are any."""
    won = fates(study, cell).won
    return {name: games for name, games in (("won", won), ("lost", ~won)) if games.any()}


def _shares(study: Study, cell: Cell, columns: Sequence[Clock]) -> Iterator[dict[str, Any]]:
    """A row per clock, outcome and value that occurs."""
    for clock in columns:
        values = study.run.column("games", clock.column, cell.id)
        seen = np.unique(values)
        for outcome, games in _outcomes(study, cell).items():
            for value in range(int(seen[0]), int(seen[-1]) + 1):
                own = {"clock": clock.name, "games": outcome, "number": value}
                yield tables.keys(cell) | own | share_among(values == value, games).row()


def _means(study: Study, cell: Cell, columns: Sequence[Clock]) -> Iterator[dict[str, Any]]:
    """A row per clock and outcome: the mean."""
    for outcome, games in _outcomes(study, cell).items():
        for clock in columns:
            values = study.run.column("games", clock.column, cell.id).astype(np.int64)
            found = mean_among(values, games, (0, max(int(values.max()), 1)))
            own = {"games": outcome, "clock": clock.name, "n": int(games.sum())}
            yield tables.keys(cell) | own | found.row()


def _picture(shares: pd.DataFrame, cell: Cell, study: Study, cells: Sequence[Cell]) -> Picture:
    """A panel for each clock."""
    mine = shares[shares["cell"] == cell.id]
    frame = mine.assign(panel=mine["clock"], series=mine["games"].map("{} games".format), x=mine["number"])
    where = ", ".join(dict.fromkeys(filter(None, (cell.players_name, whole_names(cells)[cell.id]))))
    caption = (
        f"How matters stand at the end, as shares of the games won and of the games lost ({where}). Whiskers are "
        f"95{SPACE}% intervals."
    )
    figure = distributions(frame, "share of the games won, or lost [%]")
    return Picture(figure, caption, f"{caption} The numbers are in the tables below.")


def _wide(study: Study, cells: Sequence[Cell], means: pd.DataFrame, columns: Sequence[Clock]) -> Any:
    """A row per cell and outcome, a column per clock."""
    first = means.drop_duplicates(["cell", "games"])
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    shown["games that were"] = list(first["games"])
    for name, mine in by_measure(means, ["cell", "games"], "clock"):
        shown[name] = wide_texts(mine)
    caption = f"Means at the end of games won and of games lost{chosen(study, cells)}: {HALF}."
    return table_of("clocks", caption, shown | {"games": list(first["n"].map(whole))}, means)


def _long(study: Study, cells: Sequence[Cell], shares: pd.DataFrame) -> Any:
    """Every share."""
    shown: dict[str, Any] = keys_of(shares) | {"at the end": shares["clock"], "games that were": shares["games"]}
    shown |= {"number": shares["number"].astype(str)} | estimates_of(shares, "share", PERCENT)
    caption = f"Shares of the games won, and of the games lost, by how matters stood{chosen(study, cells)}."
    return table_of("clock_shares", caption, shown, shares, folded=True)
