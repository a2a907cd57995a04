"""What was under way when a table lost, cause by cause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from simkit.figures.stacks import stacks
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Section
from simkit.report.cells import Cell
from simkit.report.fates import causes_of, fates
from simkit.report.sections.shown import chosen, estimates_of, few_cells, keys_of, table_of, whole_names
from simkit.report.study import Study
from simkit.report.words import PERCENT, SPACE, whole
from simkit.stats.among import share_among

MOST_CELLS = 12
"""With a row each in every panel."""
MOST_PARTS = 6
"""Told apart in a bar; the rarest of more are put together."""
OTHERS = "others"
FEW = 30
"""Games so lost that a bar must rest on."""


@dataclass(frozen=True)
class Circumstance:
    """An enum column of `games` that says something of the end of a game.

    Parameters
    ----------
    column
    what
        What a bar is told apart by, in a caption.
    is_drawn
        Whether there is a figure of it, or the table alone.
    """

    column: str
    what: str
    is_drawn: bool = True


def circumstances(columns: Sequence[Circumstance], heading: str) -> Section:
    """Shares of the games lost by each cause."""

    def section(study: Study) -> Part | None:
        cells = few_cells(study, MOST_CELLS)
        causes = [cause for cause in causes_of(study, cells) if cause != "unfinished"]
        if not study.cooperative or not causes:
            return None
        table = pd.concat([_of(study, cell, columns) for cell in cells], ignore_index=True)
        drawn = [_picture(study, cells, column, causes) for column in columns if column.is_drawn]
        blocks: list[Block] = [block for block in drawn if block is not None]
        return Part(heading, [*blocks, _long(study, cells, table, columns)])

    return section


def _labels(study: Study, column: str) -> tuple[str, ...]:
    """The declared values of a column."""
    (found,) = (declared for declared in study.run.game.columns if declared.name == column)
    return tuple(found.labels)


def _lost(study: Study, cell: Cell) -> dict[str, Any]:
    """Games lost by each cause that occurs."""
    lost = fates(study, cell).lost
    return {cause: games for cause, games in lost.items() if games.any() and cause != "unfinished"}


def _of(study: Study, cell: Cell, columns: Sequence[Circumstance]) -> pd.DataFrame:
    """One cell: a row per cause and values of the columns that occur together."""
    names = [column.column for column in columns]
    labels = [_labels(study, name) for name in names]
    values = [study.run.column("games", name, cell.id) for name in names]
    rows = []
    for cause, lost in _lost(study, cell).items():
        for codes in product(*(range(len(own)) for own in labels)):
            marked = np.logical_and.reduce([own == code for own, code in zip(values, codes, strict=True)])
            if (marked & lost).any():
                told = {name: own[code] for name, own, code in zip(names, labels, codes, strict=True)}
                keys = tables.keys(cell) | {"cause": cause} | told | {"n_lost": int(lost.sum())}
                rows.append(keys | share_among(marked, lost).row())
    return pd.DataFrame(rows)


# ------------------------------------------------------------------------------------------------------------- figure


def _picture(study: Study, cells: Sequence[Cell], column: Circumstance, causes: Sequence[str]) -> Picture | None:
    """A panel for each cause, a bar for each cell; no panel where there is nothing to tell apart."""
    rows, edges, alone = [], [], []
    for cause in causes:
        parts = _parts(study, cells, column, cause)
        if len(parts) < 2:
            alone.append(f"lost by {cause}: {next(iter(parts))}")
            continue
        for cell in cells:
            own, ends = _bar(study, cell, column, cause, parts)
            rows += own
            edges += ends
    if not rows:
        return None
    names, edge = whole_names(cells), pd.DataFrame(edges)
    edge = edge[edge["value"].between(0, 1, inclusive="neither")]
    always = f" Always the same, and not drawn: {'; '.join(alone)}." if alone else ""
    caption = (
        f"Games lost by each cause, by {column.what}{chosen(study, cells)}.{always} Whiskers are 95{SPACE}% intervals "
        f"of where a part ends; they may be too narrow to see. There is no bar on fewer than {FEW} games."
    )
    frames = [frame.assign(row=frame["row"].map(names)) for frame in (pd.DataFrame(rows), edge)]
    figure = stacks(frames[0], None, "share of the games so lost [%]", frames[1], percent=True)
    return Picture(figure, caption, f"{caption} The numbers are in the table below.")


def _bar(
    study: Study, cell: Cell, column: Circumstance, cause: str, parts: Mapping[str, Sequence[int]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The parts of one bar, and the intervals of where they end."""
    lost = _lost(study, cell).get(cause)
    if lost is None or lost.sum() < FEW:
        return [], []
    values = study.run.column("games", column.column, cell.id)
    where, so_far = {"panel": f"lost by {cause}", "row": cell.id}, np.zeros_like(lost)
    rows, edges = [], []
    for part, codes in parts.items():
        marked = np.isin(values, codes) & lost
        so_far |= marked
        rows.append(where | {"part": part, "value": share_among(marked, lost).value})
        edges.append(where | share_among(so_far, lost).row())
    return rows, edges


def _parts(study: Study, cells: Sequence[Cell], column: Circumstance, cause: str) -> dict[str, list[int]]:
    """Codes of the column's values by what the figure calls them: those that occur, the rarest put together."""
    labels = _labels(study, column.column)
    counts = np.zeros(len(labels), np.int64)
    for cell in cells:
        values = study.run.column("games", column.column, cell.id)
        lost = _lost(study, cell).get(cause, np.zeros_like(values, bool))
        counts += np.bincount(values[lost], minlength=len(labels))
    occur = [code for code in range(len(labels)) if counts[code]]
    kept = occur
    if len(occur) > MOST_PARTS:
        kept = sorted(sorted(occur, key=lambda code: -counts[code])[: MOST_PARTS - 1])
    parts = {labels[code]: [code] for code in kept}
    rest = [code for code in occur if code not in kept]
    return parts | ({OTHERS: rest} if rest else {})


def _long(study: Study, cells: Sequence[Cell], table: pd.DataFrame, columns: Sequence[Circumstance]) -> Any:
    """A row per cell, cause and values that occur together."""
    shown: dict[str, Any] = keys_of(table) | {"lost by": table["cause"]}
    shown |= {column.column: table[column.column] for column in columns}
    shown |= estimates_of(table, "share", PERCENT) | {"games so lost": table["n_lost"].map(whole)}
    caption = (
        f"Shares of the games lost by each cause, everything together{chosen(study, cells)}. Intervals: given how many "
        "games were so lost, binomial where a deal is one game; else by the spread of 64 groups of deals."
    )
    return table_of("circumstances", caption, shown, table, folded=True)
