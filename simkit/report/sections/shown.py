"""How sections show cells and estimates: columns of texts, and dots where there are not too many rows."""

from __future__ import annotations

from typing import Any

import pandas as pd

from simkit.figures.dots import dots
from simkit.report.blocks import Block, Picture, Table, Text
from simkit.report.cells import Cell
from simkit.report.study import Study
from simkit.report.words import PERCENT, SPACE, Unit, columns, players_name, whole

MOST_ROWS = 40
"""Rows of a figure, and of a table that is not folded."""
INTERVAL = f"95{SPACE}% interval"


def table_of(name: str, caption: str, shown: dict[str, Any], data: pd.DataFrame) -> Table:
    """A table, folded if it is long."""
    frame = pd.DataFrame(shown)
    return Table(name, caption, frame, data, folded=len(frame) > MOST_ROWS)


def keys_of(table: pd.DataFrame) -> dict[str, pd.Series[Any]]:
    """Columns that name a cell, left out where they say nothing."""
    told = {"players": True, "setting": table["setting"].ne("").any(), "line_up": table["line_up"].nunique() > 1}
    return {name.replace("_", "-"): table[name].astype(str) for name in told if told[name]}


def estimates_of(table: pd.DataFrame, what: str, unit: Unit, interval: str = INTERVAL) -> dict[str, Any]:
    """An estimate's value and interval."""
    values, ends = columns(table, unit)
    return {what: values, interval: ends}


def games_of(table: pd.DataFrame) -> dict[str, Any]:
    """How many games a row rests on."""
    return {"games": table["n_games"].map(whole)}


def fair_of(table: pd.DataFrame) -> dict[str, Any]:
    """The fair share."""
    return {"fair": [f"{PERCENT.number(value, 1)}{SPACE}%" for value in table["fair"]]}


def gains_of(table: pd.DataFrame) -> dict[str, Any]:
    """How much pairing gained."""
    return {"pairing gain": ["" if pd.isna(gain) else f"{gain:.2f}" for gain in table["gain"]]}


PAIRED = (
    "Each interval is at 95 % by itself. Pairing gain: how many times as many games unpaired play would need for an "
    "interval of the same width."
)


def headline_rows(study: Study, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the strongest line-ups."""
    return table[table["cell"].isin([cell.id for cell in study.headlines])]


def strongest(study: Study) -> str:
    """What captions say where only the line-ups of the headlines are shown."""
    return "" if len(study.cells) == len(study.headlines) else f" ({study.headline_name.removeprefix('the ')})"


def cell_name(cell: Cell) -> str:
    """Players and setting."""
    return f"{cell.players_name}, {cell.setting_name}" if cell.setting_name else cell.players_name


def dots_of(table: pd.DataFrame, series: str, caption: str, xlabel: str, unit: Unit = PERCENT) -> list[Block]:
    """Dots for each cell, a panel for each player count, unless there are none or too many rows.

    Parameters
    ----------
    table
        With the columns of a cell and an estimate; `fair`, `band_low`, `band_high` if there is a band.
    series
        The column that makes the dots of one row.
    caption, xlabel, unit
    """
    if table.empty:
        return []
    names = keys_of(table)
    told = [names[name] for name in ("setting", "line-up") if name in names]
    rows = [", ".join(filter(None, row)) for row in zip(*told, strict=True)] if told else [""] * len(table)
    frame = table.assign(panel=table["players"].map(players_name), row=rows, series=table[series])
    n_rows = len(frame[["panel", "row"]].drop_duplicates())
    if n_rows > MOST_ROWS:
        return [Text([f"There is no figure: {n_rows} rows are too many to draw. The table has them."])]
    alt = f"{caption} {n_rows} rows of dots with intervals; the numbers are in the table below."
    note = "Bars are intervals; they may be narrower than the dots."
    return [Picture(dots(frame, xlabel, signed=unit.signed), f"{caption} {note}", alt)]
