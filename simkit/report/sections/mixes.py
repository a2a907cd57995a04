"""What is it that happens: tallied events of a game, by kind and by what they came of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
        Its keys: panels of the figure (optional), rows of a panel, parts of a row.
    leave_out
        Values of keys that are not counted.
    most
        Events of one kind that a game may have.
    values
        (the game's rules) -> names of a key's values in order, where it has none of its own or others are wanted;
        values of the same name are counted together.
    is_phase
        Whether a game may end before it comes to a panel.
    largest_first
        Rows by what they come to, not in their own order.
    note
        A sentence of the caption; optional.
    """

    tally: str
    what: str
    panel: str
    row: str
    part: str
    leave_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    most: int = 10_000
    values: Mapping[str, Callable[[Any], Sequence[str]]] = field(default_factory=dict)
    is_phase: bool = True
    largest_first: bool = False
    note: str = ""

    @property
    def keys(self) -> list[str]:
        """Those that there are."""
        return [key for key in (self.panel, self.row, self.part) if key]


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
    for key, names in mix.values.items():
        own = list(names(study.rules_of(cell)))
        declared = declared_values(study, mix.tally, key) or range(len(own))
        counts = counts.assign(**{key: _renamed(counts[key], dict(zip(declared, own, strict=False)))})
    return counts


def _renamed(values: pd.Series[Any], names: Mapping[Any, str]) -> Any:
    """Values by other names, which several may share."""
    return pd.Categorical(values.astype(object).map(names), categories=list(dict.fromkeys(names.values())))


def _names(study: Study, cell: Cell, mix: Mix, key: str) -> list[str]:
    """A key's values, in order."""
    if key in mix.values:
        return list(dict.fromkeys(mix.values[key](study.rules_of(cell))))
    return declared_values(study, mix.tally, key)


def _per_game(cell: Cell, counts: pd.DataFrame, by: Sequence[str], mix: Mix) -> pd.DataFrame:
    """Events per game."""
    n_deals = int(cell.info.n_deals)
    games = pd.DataFrame({"group": range(GROUPS), "count": deals_in_groups(n_deals) * cell.info.rotations})
    return rates(counts, games, by, n_deals, (0, mix.most))


def _picture(study: Study, cell: Cell, mix: Mix, is_one_of_many: bool) -> Picture:
    """A panel for each value of the first key, a bar for each of the second, in it the third."""
    counts = _counts(study, cell, mix)
    above = [key for key in (mix.panel, mix.row) if key]
    frame = _placed(_per_game(cell, counts, mix.keys, mix), mix)
    sums = _placed(_per_game(cell, counts, above, mix), mix)
    for name, key in (("part", mix.part), ("row", mix.row), ("panel", mix.panel)):
        if key:
            frame = in_own_order(frame, name, _names(study, cell, mix, key))
    if mix.largest_first:
        frame = in_own_order(frame, "row", list(sums.sort_values("value", ascending=False)["row"]))
    if mix.panel and mix.is_phase:
        frame, sums = (
            found.assign(panel=[f"{mix.panel} {value}" for value in found["panel"]]) for found in (frame, sums)
        )
    where = ", ".join(dict.fromkeys(filter(None, (cell.players_name, whole_names([cell])[cell.id] * is_one_of_many))))
    ends = f"; games that never come to that {mix.panel} count too" if mix.panel and mix.is_phase else ""
    caption = (
        f"{capital(mix.what)} per game, by {' and '.join(above)} ({where}){ends}. {f'{mix.note} ' * bool(mix.note)}"
        f"The diamond is what a bar comes to, with its 95{SPACE}% interval, which may be narrower than the diamond."
    )
    figure = stacks(frame, sums, f"{mix.what} per game")
    return Picture(figure, caption, f"{caption} The numbers are in the table below.")


def _placed(found: pd.DataFrame, mix: Mix) -> pd.DataFrame:
    """What occurs, with its place in the figure."""
    occurs = found[found["n_events"] > 0]
    keys = {"panel": mix.panel, "row": mix.row, "part": mix.part}
    placed = {name: occurs[key].astype(str) for name, key in keys.items() if key in occurs}
    return pd.DataFrame({"panel": "", **placed} | {name: occurs[name] for name in ("value", "low", "high")})


def _table(study: Study, cells: Sequence[Cell], mix: Mix) -> Any:
    """A row per cell and values of the keys: per game, and as a share of all events of the panel."""
    by, group = mix.keys, mix.panel or mix.row
    parts = []
    for cell in cells:
        counts = _counts(study, cell, mix)
        game = _per_game(cell, counts, by, mix).assign(per="game")
        every = shares(counts, [group], by[1:], int(cell.info.n_deals)).assign(per=group)
        parts += [found.assign(**tables.keys(cell)) for found in (game, every)]
    table = pd.concat(parts, ignore_index=True)
    told = table[table["n_events"] > 0]
    game, every = told[told["per"] == "game"], told[told["per"] != "game"]
    keys = ["cell", *by]
    every = game[keys].merge(every, on=keys)
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(game).items()}
    shown |= {key: game[key].astype(str).tolist() for key in by}
    shown |= {"per game": wide_texts(game), f"share of that {group} [%]": wide_texts(every, PERCENT)}
    caption = (
        f"{capital(mix.what)} per game, and as a share of all in that {group}{chosen(study, cells)}: ± half the "
        f"95{SPACE}% interval, by the spread of 64 groups of deals. What never occurs is left out here."
    )
    shown["counted"] = game["n_events"].map(whole).tolist()
    return table_of(mix.tally, caption, shown, table, folded=True)
