"""How long does a game take?"""

from __future__ import annotations

from typing import Any

import pandas as pd

from simkit.figures import turns
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Table
from simkit.report.sections.shown import MOST_ROWS, estimates_of, keys_of, strongest, table_of
from simkit.report.study import Study
from simkit.report.words import PERCENT, SPACE, Unit, columns, whole

MOST_HISTOGRAMS = 4
"""Settings whose histograms fit into one panel."""
TURNS = Unit(1, "turns")
WHOLE_TURNS = Unit(1, "turns", most_digits=0)


def length(study: Study) -> Part:
    """Mean, quantiles and histogram of the turns of a game."""
    table, histogram = tables.length_table(study), tables.histogram_table(study)
    caption = (
        "Turns of a game, all seats together: the mean, and the turns within which so many games are over. In brackets "
        f"95{SPACE}% intervals."
    )
    shares = keys_of(histogram) | {"turns": histogram["turns"].astype(str)}
    shares |= estimates_of(histogram, "share of games", PERCENT)
    folded = Table(
        "length_histogram", "Share of games by number of turns.", pd.DataFrame(shares), histogram, folded=True
    )
    return Part("Length of a game", [*_pictures(study), table_of("length", caption, _shown(table), table), folded])


def _shown(table: pd.DataFrame) -> dict[str, Any]:
    """A row per cell, a column per statistic."""
    first = table.drop_duplicates("cell")
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    for statistic in dict.fromkeys(table["statistic"]):
        part = table[table["statistic"] == statistic]
        name = statistic.replace("50% quantile", "median").replace("% quantile", f"{SPACE}%")
        values, ends = columns(part, TURNS if statistic == "mean" else WHOLE_TURNS)
        shown[name] = [f"{value.split(SPACE)[0]} ({end})" for value, end in zip(values, ends, strict=True)]
    return shown | {"games": list(first["n_games"].map(whole))}


def _pictures(study: Study) -> list[Block]:
    """Histograms of few settings, ranges of many."""
    few = len({cell.setting_name for cell in study.headlines}) <= MOST_HISTOGRAMS
    if len(study.headlines) > MOST_ROWS:
        return []
    return [_histograms(study) if few else _ranges(study)]


def _histograms(study: Study) -> Picture:
    """A panel for each player count, a line for each setting."""
    frames = [
        study.measures[cell.id].histogram.assign(panel=cell.players_name, series=cell.setting_name or "all games")
        for cell in study.headlines
    ]
    caption = f"Share of games that take so many turns, all seats together{strongest(study)}."
    alt = f"{caption} The quantiles are in the table below."
    return Picture(turns.histogram(pd.concat(frames)), caption, alt)


def _ranges(study: Study) -> Picture:
    """A row for each setting."""
    rows = []
    for cell in study.headlines:
        values = study.measures[cell.id].quantiles["value"]
        row = {"panel": cell.players_name, "row": cell.setting_name}
        rows.append(row | dict(zip(("q05", "q25", "q50", "q75", "q95"), values, strict=True)))
    caption = f"Turns of a game{strongest(study)}: median, middle half and middle nine tenths of games."
    alt = f"{caption} The numbers are in the table below."
    return Picture(turns.ranges(pd.DataFrame(rows)), caption, alt)
