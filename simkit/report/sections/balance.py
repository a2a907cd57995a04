"""Is it balanced, and who wins how often?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from simkit.report import tables
from simkit.report.answer import told_cells
from simkit.report.blocks import Block, Part, Table, Text
from simkit.report.cells import Cell
from simkit.report.sections.shown import (
    MOST_ROWS,
    cell_name,
    dots_of,
    estimates_of,
    fair_of,
    games_of,
    headline_rows,
    keys_of,
    strongest,
    table_of,
)
from simkit.report.study import Study
from simkit.report.verdict_words import verdict_sentence
from simkit.report.words import PERCENT, SPACE, about, interval, level, listed

MOST_SENTENCES = 8
"""That are shown without being asked for, below a table that says the same."""


def verdicts(study: Study) -> Part:
    """Is it balanced? The headline line-ups first, then every cell."""
    n = len(study.cells)
    band = "the wanted win rate" if study.cooperative else "the band around fair"
    rule = (
        f"Balanced: every interval lies inside {band}. Unbalanced: one lies wholly outside. Otherwise undecided. The "
        f"intervals of verdicts hold for the whole report at once at 95{SPACE}%: the error is divided by the number of "
        f"cells, {n}, so that those of one cell hold together at {level(study.level)}."
    )
    headlines = tables.verdict_table(study, study.headlines)
    estimate = "how often the table wins" if study.cooperative else "the seat farthest from fair"
    caption = f"Verdict for each player count and setting{strongest(study)}, and {estimate}."
    fall = f"Of {len(headlines)} settings{strongest(study)} {_counted(headlines)}."
    said = [rule] if len(headlines) <= MOST_ROWS else [rule, fall]
    blocks: list[Block] = [Text(said), table_of("headlines", caption, _shown(headlines), headlines)]
    untold = [cell for cell in study.headlines if cell not in told_cells(study)]
    if 0 < len(untold) <= MOST_ROWS:
        sentences = [f"{cell_name(cell)}: {verdict_sentence(study, cell)}" for cell in untold]
        blocks.append(Text(sentences, folded="The same in sentences" if len(untold) > MOST_SENTENCES else ""))
    if n > len(study.headlines):
        blocks.append(_every_cell(study, study.cells))
    return Part("Verdicts", blocks)


def _counted(table: pd.DataFrame) -> str:
    """How many verdicts there are of each kind."""
    counts = table["verdict"].value_counts()
    return listed([f"{n:,} {'is' if n == 1 else 'are'} {word}" for word, n in counts.items()])


def _every_cell(study: Study, cells: Sequence[Cell]) -> Table:
    """The verdicts of weaker line-ups too."""
    table = tables.verdict_table(study, cells)
    return Table("verdicts", "Verdict of every line-up.", pd.DataFrame(_shown(table)), table, folded=True)


def _shown(table: pd.DataFrame) -> dict[str, Any]:
    """The verdicts as texts."""
    bands = [interval(*pair, PERCENT, 1) for pair in zip(table["band_low"], table["band_high"], strict=True)]
    needed = [
        "" if word != "undecided" else "at the band’s edge" if edge else f"about {about(int(deals))}"
        for word, edge, deals in zip(table["verdict"], table["at_edge"], table["deals_needed"].fillna(0), strict=True)
    ]
    shown = keys_of(table) | {"verdict": table["verdict"], "seat": table["about"]}
    shown |= estimates_of(table, "wins", PERCENT, "interval of the verdict")
    shown |= {"band, %": bands} | games_of(table)
    if (table["about"] == "table").all():
        del shown["seat"]
    return shown | ({"deals that would decide it": needed} if any(needed) else {})


def seats(study: Study) -> Part | None:
    """Which seat wins how often?"""
    if study.cooperative:
        return None
    table = tables.seat_table(study)
    shown = keys_of(table) | {"seat": table["seat"]} | estimates_of(table, "wins", PERCENT) | fair_of(table)
    shown |= {"method": table["method"]} | games_of(table)
    caption = "Each seat’s share of the win, each interval at 95 % by itself. Seat 1 starts, seat 2 is next in turn."
    drawn = f"Win share by seat{strongest(study)}. Dashed: fair. Grey: the band of the verdict."
    picture = dots_of(headline_rows(study, table), "seat", drawn, "share of games won [%]")
    return Part("Win shares by seat", [*picture, table_of("seat_shares", caption, shown, table)])


def table_rate(study: Study) -> Part | None:
    """Cooperative games: how often does the table win?"""
    if not study.cooperative:
        return None
    table = tables.table_rates(study).assign(who="the table")
    shown = keys_of(table) | estimates_of(table, "table wins", PERCENT) | {"method": table["method"]} | games_of(table)
    picture = dots_of(table, "who", "How often the table wins. Grey: as often as wanted.", "share of games won [%]")
    caption = "Share of games that the table won, each interval at 95 % by itself."
    return Part("How often the table wins", [*picture, table_of("table_wins", caption, shown, table)])
