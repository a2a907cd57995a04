"""How sections show cells and estimates: columns of texts, and dots where there are not too many rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from simkit.figures.dots import dots
from simkit.report.blocks import Block, Picture, Table, Text
from simkit.report.cells import Cell
from simkit.report.study import Study
from simkit.report.words import PERCENT, SPACE, Unit, columns, players_name, whole

MOST_ROWS = 40
"""Rows of a figure, and of a table that is not folded."""
PLAIN = Unit(1, "", most_digits=3)
INTERVAL = f"95{SPACE}% interval"


MOST_PICKED = 16
"""Rows of a figure that shows those alone which stand out."""
MOST_PANELS = 8
"""Cells that a figure shows."""
MOST_SHOWN = 300
"""Rows of a table on the page: a longer one is in its CSV file."""


def table_of(name: str, caption: str, shown: dict[str, Any], data: pd.DataFrame, folded: bool = False) -> Table:
    """A table, folded if it is long, and cut off if it is longer than anybody reads."""
    frame = pd.DataFrame(shown)
    if len(frame) > MOST_SHOWN:
        caption = f"{caption} The first {MOST_SHOWN} of {whole(len(frame))} rows; tables/{name}.csv has them all."
    return Table(name, caption, frame.head(MOST_SHOWN), data, folded=folded or len(frame) > MOST_ROWS)


def keys_of(table: pd.DataFrame) -> dict[str, pd.Series[Any]]:
    """Columns that name a cell, left out where they say nothing."""
    told = {"players": True, "setting": table["setting"].ne("").any(), "line_up": table["line_up"].nunique() > 1}
    return {name.replace("_", "-"): table[name].astype(str) for name in told if told[name]}


def pool_keys(table: pd.DataFrame) -> dict[str, Any]:
    """Columns that name a pool, left out where they say nothing."""
    return {name: list(values) for name, values in keys_of(table).items()}


def pool_name(players: int, setting_name: str) -> str:
    """Players and setting."""
    return ", ".join(filter(None, (players_name(players), setting_name)))


def by_measure(table: pd.DataFrame, keys: list[str], of: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each value of a column with its rows, one for each occurring combination of the keys: NaN where there is none."""
    every = table[keys].drop_duplicates()
    for name in dict.fromkeys(table[of]):
        yield str(name), every.merge(table[table[of] == name], how="left", on=keys)


HALF = f"± half the 95{SPACE}% interval, which is in brackets where it is lopsided or rests on few cases"
"""What captions say of `wide_texts`."""


def wide_texts(table: pd.DataFrame, unit: Unit = PLAIN) -> list[str]:
    """Values ± half their intervals, without the unit, for tables with a column per measure; see `HALF`."""
    known = table[table["value"].notna()]
    values, ends = columns(known.astype({"few_cases": bool}), unit)
    each = zip(known["value"], known["low"], known["high"], values, ends, strict=True)
    texts = iter([_wide((v, low, high), text.split(SPACE)[0], end, unit) for v, low, high, text, end in each])
    return [next(texts) if is_known else "" for is_known in table["value"].notna()]


def _wide(numbers: tuple[float, float, float], text: str, ends: str, unit: Unit) -> str:
    """One value."""
    value, low, high = numbers
    if "few" in ends or not math.isclose(value - low, high - value, rel_tol=0.1, abs_tol=1e-12):
        return f"{text} ({ends.replace(' (few cases)', ', few cases')})"
    digits = len(text.partition(".")[2])
    half = Unit(unit.scale, unit.name).number((high - low) / 2, digits)
    return f"{text} ±{half}"


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


def drawn_cells(study: Study) -> list[Cell]:
    """Those that a figure with a panel for each can show: the strongest line-ups; of too many the base setting's."""
    cells = list(study.headlines)
    return cells if len(cells) <= MOST_PANELS else [cell for cell in cells if cell.is_base]


def few_cells(study: Study, most: int) -> list[Cell]:
    """All cells if they are few enough; else the strongest line-ups; of too many the base setting's, and the first."""
    cells = list(study.cells)
    if len(cells) > most:
        cells = list(study.headlines)
    if len(cells) > most:
        cells = [cell for cell in cells if cell.is_base][:most]
    return cells


def chosen(study: Study, cells: Sequence[Cell]) -> str:
    """What captions say where not all cells are shown."""
    if len(cells) == len(study.cells):
        return ""
    if len(cells) == len(study.headlines):
        return strongest(study)
    settings = {cell.spoken for cell in cells}
    alone = settings.pop() if len(settings) == 1 else ""
    return f" ({alone or f'{len(cells)} of {len(study.cells)} cells'})"


def row_names(cells: Sequence[Cell]) -> dict[str, str]:
    """What the rows of a figure with a panel for each player count are called, by cell id."""
    several = len({cell.line_up_name for cell in cells}) > 1
    names = {}
    for cell in cells:
        told = ", ".join(filter(None, (cell.setting_name, cell.line_up_name if several else "")))
        names[cell.id] = told or cell.line_up_name
    return names


def whole_names(cells: Sequence[Cell]) -> dict[str, str]:
    """What the panels of a figure are called, by cell id: players only where they differ."""
    several = len({cell.info.players for cell in cells}) > 1
    rows = row_names(cells)
    return {c.id: ", ".join(filter(None, (c.players_name if several else "", rows[c.id]))) for c in cells}


def strongest(study: Study) -> str:
    """What captions say where only the line-ups of the headlines are shown."""
    return "" if len(study.cells) == len(study.headlines) else f" ({study.headline_name.removeprefix('the ')})"


def cell_name(cell: Cell) -> str:
    """Players and setting."""
    return pool_name(cell.info.players, cell.setting_name)


def _farthest(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of each panel that lie farthest from fair, or from no change; in their order."""
    reach = (frame["value"] - frame["fair"]).abs().groupby([frame["panel"], frame["row"]]).max()
    each = max(MOST_PICKED // frame["panel"].nunique(), 4)
    picked = reach.groupby(level="panel").nlargest(each).droplevel(0).index
    return frame[pd.MultiIndex.from_frame(frame[["panel", "row"]]).isin(picked)]


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
        if "fair" not in frame:
            return [Text([f"There is no figure: {n_rows} rows are too many to draw. The table has them."])]
        frame = _farthest(frame)
        n_drawn = len(frame[["panel", "row"]].drop_duplicates())
        caption = f"{caption} Of {n_rows} rows are drawn the {n_drawn} with a dot farthest from the dashed line."
    alt = f"{caption} {n_rows} rows of dots with intervals; the numbers are in the table below."
    note = "Bars are intervals; they may be narrower than the dots."
    return [Picture(dots(frame, xlabel, signed=unit.signed), f"{caption} {note}", alt)]
