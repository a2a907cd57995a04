"""What is it that happens: tallied events of a game, by kind and by what they came of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from simkit.figures.stacks import stacks
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Section
from simkit.report.cells import Cell
from simkit.report.pooled import counts_of, declared_values, in_own_order
from simkit.report.sections.shown import MOST_PANELS, chosen, few_cells, keys_of, table_of, whole_names, wide_texts
from simkit.report.study import Study
from simkit.report.words import PERCENT, SPACE, capital, whole
from simkit.stats.grouped import GROUPS, deals_in_groups
from simkit.stats.rates import rates, shares

MOST_DRAWN = 1
"""Cells with a figure of their own."""


@dataclass(frozen=True)
class Mix:
    """A tally, and how it is shown.

    Parameters
    ----------
    tally
    what
        What is counted, in the plural.
    panel, row, part
        Its keys (enums): panels of the figure, rows of a panel, parts of a row.
    leave_out
        Values of keys that are not counted.
    most
        Events of one kind that a game may have.
    """

    tally: str
    what: str
    panel: str
    row: str
    part: str
    leave_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    most: int = 10_000


def mixes(items: Sequence[Mix], heading: str) -> Section:
    """Events per game by the tally's keys."""

    def section(study: Study) -> Part:
        cells = few_cells(study, MOST_PANELS)
        drawn = sorted(cells, key=lambda cell: not cell.is_base)[:MOST_DRAWN]
        blocks: list[Block] = []
        for mix in items:
            blocks += [_picture(study, cell, mix, len(study.cells) > 1) for cell in drawn]
            blocks.append(_table(study, cells, mix))
        return Part(heading, blocks)

    return section


def _counts(study: Study, cell: Cell, mix: Mix) -> pd.DataFrame:
    """What is counted."""
    counts = counts_of(study, mix.tally, [cell])
    for key, values in mix.leave_out.items():
        counts = counts[~counts[key].isin(list(values))]
        counts = counts.assign(**{key: counts[key].cat.remove_categories(list(values))})
    return counts


def _per_game(cell: Cell, counts: pd.DataFrame, by: Sequence[str], mix: Mix) -> pd.DataFrame:
    """Events per game."""
    n_deals = int(cell.info.n_deals)
    games = pd.DataFrame({"group": range(GROUPS), "count": deals_in_groups(n_deals) * cell.info.rotations})
    return rates(counts, games, by, n_deals, (0, mix.most))


def _picture(study: Study, cell: Cell, mix: Mix, is_one_of_many: bool) -> Picture:
    """A panel for each value of the first key, a bar for each of the second, in it the third."""
    counts = _counts(study, cell, mix)
    frame = _placed(_per_game(cell, counts, [mix.panel, mix.row, mix.part], mix), mix)
    sums = _placed(_per_game(cell, counts, [mix.panel, mix.row], mix), mix)
    for name, key in (("part", mix.part), ("row", mix.row), ("panel", mix.panel)):
        frame = in_own_order(frame, name, declared_values(study, mix.tally, key))
    frame, sums = (found.assign(panel=[f"{mix.panel} {value}" for value in found["panel"]]) for found in (frame, sums))
    where = ", ".join(dict.fromkeys(filter(None, (cell.players_name, whole_names([cell])[cell.id] * is_one_of_many))))
    caption = (
        f"{capital(mix.what)} per game, by {mix.panel} and {mix.row} ({where}); games that never come to that "
        f"{mix.panel} count too. The diamond is what a bar comes to, with its 95{SPACE}% interval, which may be "
        "narrower than the diamond."
    )
    figure = stacks(frame, sums, f"{mix.what} per game")
    return Picture(figure, caption, f"{caption} The numbers are in the table below.")


def _placed(found: pd.DataFrame, mix: Mix) -> pd.DataFrame:
    """What occurs, with its place in the figure."""
    occurs = found[found["n_events"] > 0]
    keys = {"panel": mix.panel, "row": mix.row, "part": mix.part}
    placed = {name: occurs[key].astype(str) for name, key in keys.items() if key in occurs}
    return pd.DataFrame(placed | {name: occurs[name] for name in ("value", "low", "high")})


def _table(study: Study, cells: Sequence[Cell], mix: Mix) -> Any:
    """A row per cell and values of the keys: per game, and as a share of all events of the panel."""
    by = [mix.panel, mix.row, mix.part]
    parts = []
    for cell in cells:
        counts = _counts(study, cell, mix)
        game = _per_game(cell, counts, by, mix).assign(per="game")
        every = shares(counts, [mix.panel], by[1:], int(cell.info.n_deals)).assign(per=mix.panel)
        parts += [found.assign(**tables.keys(cell)) for found in (game, every)]
    table = pd.concat(parts, ignore_index=True)
    told = table[table["n_events"] > 0]
    game, every = told[told["per"] == "game"], told[told["per"] != "game"]
    keys = ["cell", *by]
    every = game[keys].merge(every, on=keys)
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(game).items()}
    shown |= {key: game[key].astype(str).tolist() for key in by}
    shown |= {"per game": wide_texts(game), f"share of that {mix.panel} [%]": wide_texts(every, PERCENT)}
    caption = (
        f"{capital(mix.what)} per game, and as a share of all in that {mix.panel}{chosen(study, cells)}: ± half the "
        f"95{SPACE}% interval, by the spread of 64 groups of deals. What never occurs is left out here."
    )
    shown["counted"] = game["n_events"].map(whole).tolist()
    return table_of(mix.tally, caption, shown, table, folded=True)
