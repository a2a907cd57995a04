"""When do games end, and by what: competing causes over turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from simkit.figures.incidence import incidence as draw
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Text
from simkit.report.cells import Cell
from simkit.report.fates import WON, causes_of, fate_name, fates
from simkit.report.sections.shown import HALF, chosen, few_cells, keys_of, table_of, whole_names, wide_texts
from simkit.report.study import Study
from simkit.report.words import PERCENT, SPACE, whole
from simkit.stats.endings import incidence

MOST_CELLS = 4
"""With a panel each."""
ABOUT = 9
"""Turns that the table tells."""
STEPS = (1, 2, 5, 10, 20, 50, 100)

NOTE = (
    "The share of all games that each cause has ended by the end of each turn; being won is one of the causes. Every "
    "game is followed to its end and none is censored (an unfinished one is its own cause), so that the estimator of "
    "Aalen and Johansen is the plain share of games, and its interval that of a share: Wilson where a deal is one "
    "game, t over deals where it is several. Each interval is at 95 % by itself, not for the whole line at once."
)


def over_time(study: Study) -> Part | None:
    """Cumulative incidence of winning and of each cause of loss."""
    if not study.cooperative:
        return None
    cells = few_cells(study, MOST_CELLS)
    last = max(int(study.measures[cell.id].histogram["turns"].max()) for cell in cells)
    table = pd.concat([_of(study, cell, last) for cell in cells], ignore_index=True)
    blocks: list[Block] = [Text([NOTE]), _picture(study, cells, table), _wide(study, cells, table)]
    return Part("When games end, and by what", blocks)


def _of(study: Study, cell: Cell, last: int) -> pd.DataFrame:
    """One cell, up to the last turn of all."""
    turns = study.run.column("games", "n_turns", cell.id)
    return incidence(turns, fates(study, cell).every, last=last).assign(**tables.keys(cell))


def _in_order(study: Study, cells: Sequence[Cell]) -> list[str]:
    """Fates that occur in any of the cells."""
    return [WON, *causes_of(study, cells)]


def _picture(study: Study, cells: Sequence[Cell], table: pd.DataFrame) -> Picture:
    """A panel for each cell, from before the first turn."""
    names = whole_names(cells)
    parts = []
    for fate in _in_order(study, cells):
        for cell in cells:
            mine = table[(table["cell"] == cell.id) & (table["cause"] == fate)]
            if not mine.empty:
                mine = pd.concat([mine.iloc[[0]].assign(turn=0, value=0.0, low=0.0, high=0.0), mine])
                parts.append(mine.assign(panel=names[cell.id], series=fate_name(fate), x=mine["turn"]))
    frame = pd.concat(parts).sort_values("panel", key=lambda c: c.map(list(names.values()).index), kind="stable")
    caption = (
        f"Share of all games over by the end of each turn, by what ended them{chosen(study, cells)}. The higher a line "
        f"ends, the more games that cause takes; the sooner it rises, the earlier. Shades are 95{SPACE}% intervals; "
        "they may be narrower than the lines."
    )
    figure = draw(frame, "turn, all seats together", "share of all games [%]")
    return Picture(figure, caption, f"{caption} The numbers are in the table below.")


def told_turns(first: int, last: int) -> list[int]:
    """Turns at even steps, about nine of them, and the last one.

    Examples
    --------
    >>> told_turns(8, 47)
    [10, 15, 20, 25, 30, 35, 40, 45, 47]
    """
    step = next((step for step in STEPS if (last - first) / step <= ABOUT), STEPS[-1])
    turns = [turn for turn in range(step, last, step) if turn >= first]
    return [*turns, last]


def _wide(study: Study, cells: Sequence[Cell], table: pd.DataFrame) -> Any:
    """A row per cell and some turns, a column per fate."""
    ended = table[table["value"] > 0]
    turns = told_turns(int(ended["turn"].min()), int(table["turn"].max()))
    rows = table[table["turn"].isin(turns)]
    every = rows[["cell", "turn"]].drop_duplicates()
    first = every.merge(table.drop_duplicates("cell").drop(columns="turn"), on="cell")
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    shown["by turn"] = first["turn"].astype(str).tolist()
    for fate in _in_order(study, cells):
        mine = every.merge(rows[rows["cause"] == fate], how="left", on=["cell", "turn"])
        shown[f"{fate_name(fate)} [%]"] = wide_texts(mine, PERCENT)
    caption = (
        f"Share of all games over by the end of some turns, by what ended them{chosen(study, cells)}: {HALF}. Every "
        "turn is in the file."
    )
    return table_of("incidence", caption, shown | {"games": list(first["n_games"].map(whole))}, table)
