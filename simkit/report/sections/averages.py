"""How do games go on the whole: means of some measures, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from simkit.figures.dots import dots
from simkit.report import tables
from simkit.report.blocks import Part, Picture, Section
from simkit.report.cells import Cell
from simkit.report.per_deal import Measure
from simkit.report.sections.shown import (
    HALF,
    MOST_PANELS,
    chosen,
    drawn_cells,
    keys_of,
    row_names,
    table_of,
    wide_texts,
)
from simkit.report.study import Study
from simkit.report.words import PERCENT, players_name, whole
from simkit.stats import intervals

MOST_DRAWN = 4
"""Measures with a panel each."""


def averages(measures: Sequence[Measure], name: str, heading: str, what: str) -> Section:
    """A table with a row per cell and a column per measure; the first few are drawn where there are several settings.

    Parameters
    ----------
    measures
    name
        Of the table.
    heading, what
        Of the section; what is measured, for captions.
    """

    def section(study: Study) -> Part:
        table = pd.DataFrame([row for cell in study.cells for row in _rows(study, cell, measures)])
        caption = f"{what}: means, {HALF}, t over deals."
        pictures = _pictures(study, table, measures, what)
        return Part(heading, [*pictures, table_of(name, caption, _shown(table, measures), table)])

    return section


def _rows(study: Study, cell: Cell, measures: Sequence[Measure]) -> list[dict[str, Any]]:
    """A row per measure."""
    reads = [(measure, measure.read(study.run, cell).frequencies()) for measure in measures]
    return [
        tables.keys(cell) | {"measure": measure.name} | intervals.mean(found, bounds=measure.bounds).row()
        for measure, found in reads
    ]


def _shown(table: pd.DataFrame, measures: Sequence[Measure]) -> dict[str, Any]:
    """A row per cell, a column per measure."""
    first = table.drop_duplicates("cell")
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    for measure in measures:
        shown[_titled(measure)] = wide_texts(table[table["measure"] == measure.name], measure.unit)
    return shown | {"games": list(first["n_games"].map(whole))}


def _titled(measure: Measure) -> str:
    """With its unit, where its name does not tell."""
    return f"{measure.name} [%]" if measure.unit is PERCENT else measure.name


def _pictures(study: Study, table: pd.DataFrame, measures: Sequence[Measure], what: str) -> list[Picture]:
    """A panel for each measure, a row for each setting or line-up, a dot for each player count; not of one row."""
    cells = drawn_cells(study)
    names = row_names(cells)
    if not 1 < len(set(names.values())) <= MOST_PANELS:
        return []
    frame = table[table["cell"].isin(names)]
    parts = []
    for measure in measures[:MOST_DRAWN]:
        mine = frame[frame["measure"] == measure.name].copy()
        mine[["value", "low", "high"]] *= measure.unit.scale
        parts.append(mine.assign(panel=_titled(measure), row=mine["cell"].map(names)))
    drawn = pd.concat(parts).assign(series=lambda f: f["players"].map(players_name))
    caption = f"{what}: means{chosen(study, cells)}. Bars are 95 % intervals; they may be narrower than the dots."
    return [Picture(dots(drawn, "mean", percent=False), caption, f"{caption} The numbers are in the table below.")]
