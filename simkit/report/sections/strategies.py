"""Which strategy beats which?"""

from __future__ import annotations

import pandas as pd

from simkit.figures.matrix import matrix
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Table
from simkit.report.sections.shown import (
    PAIRED,
    cell_name,
    estimates_of,
    fair_of,
    gains_of,
    games_of,
    keys_of,
    table_of,
)
from simkit.report.study import Study
from simkit.report.words import PERCENT, POINTS, SPACE, whole


def strategies(study: Study) -> Part | None:
    """Line-ups in which strategies meet (cooperative: tables of different strategies on the same deals)."""
    if not study.contests:
        return None
    blocks: list[Block] = []
    if not study.cooperative:
        labels = tables.label_table(study)
        blocks = [*_matrices(study, labels), _label_block(labels)]
    return Part("Strategies", [*blocks, _contest_block(study)])


def _matrices(study: Study, labels: pd.DataFrame) -> list[Block]:
    """A win matrix for every group of cells that makes one."""
    found = [_matrix(study, labels, players, setting) for players, setting in study.groups]
    return [picture for picture in found if picture is not None]


def _matrix(study: Study, labels: pd.DataFrame, players: int, setting: str) -> Picture | None:
    """The win matrix of one player count and setting, if more than two strategies met one by one."""
    mine = labels[(labels["players"] == players) & (labels["setting"] == setting) & labels["among"].ne("")]
    if mine["label"].nunique() < 3:
        return None
    strengths = study.strengths(players, setting)
    mine = mine.sort_values(["label", "among"], key=lambda names: names.map(strengths), ascending=False)
    cell = study.groups[players, setting][0]
    fair = f"{PERCENT.number(study.fair(cell), 1)}{SPACE}%"
    digits = max(PERCENT.digits(low, high) for low, high in zip(mine["low"], mine["high"], strict=True))
    half = (mine["high"] - mine["low"]) / 2
    numbers = [(PERCENT.number(v, digits), PERCENT.number(h, digits)) for v, h in zip(mine["value"], half, strict=True)]
    texts = [f"{value}\n±{reach}" for value, reach in numbers]
    caption = (
        f"{cell_name(cell)}: win share, in %, of the row’s strategy in one seat with the column’s in all others, ± "
        f"half its 95 % interval; at least {whole(mine['n_games'].min())} games each. Orange: above fair ({fair}); "
        "purple: below. The strongest comes first."
    )
    alt = f"Win matrix, {cell_name(cell)}; the numbers are in the table of win shares below."
    return Picture(matrix(mine.assign(text=texts), study.fair(cell)), caption, alt)


def _label_block(labels: pd.DataFrame) -> Table:
    """Win shares per seat that a strategy holds."""
    shown = keys_of(labels) | {"strategy": labels["label"]} | estimates_of(labels, "wins per seat", PERCENT)
    shown |= fair_of(labels) | games_of(labels)
    caption = (
        "Win share per seat that a strategy holds, over all rotations of the seats: fair is the same for all. Each "
        "interval is at 95 % by itself."
    )
    return table_of("strategy_shares", caption, shown, labels)


def _contest_block(study: Study) -> Table:
    """Differences, pair by pair."""
    table = tables.contest_table(study)
    shown = keys_of(table) | {"strategy": table["label"], "against": table["other"]}
    shown |= estimates_of(table, "leads by", POINTS) | gains_of(table) | games_of(table)
    measure = "the table’s win rate" if study.cooperative else "win share per seat"
    return table_of("strategy_differences", f"Difference of {measure} on the same deals. {PAIRED}", shown, table)
