"""How do seats fare that have more of something than others? What goes together, not what causes what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from simkit.figures.dots import dots
from simkit.report.blocks import Block, Part, Picture, Section, Text
from simkit.report.cells import Cell
from simkit.report.pooled import Pool, in_own_order, label_order, pools
from simkit.report.sections.shown import HALF, pool_keys, pool_name, table_of, wide_texts
from simkit.report.study import Study
from simkit.report.words import PERCENT, Unit, estimate_of, listed, told, whole
from simkit.stats.grouped import GROUPS, Sample, deals_in_groups, group_sums, ratio
from simkit.stats.intervals import FEW_OFF
from simkit.stats.shares import WIN

MOST_DRAWN = 4
"""Pools with a panel each."""
MOST_LABELS = 2
"""Strategies that a figure shows, the strongest."""


@dataclass(frozen=True)
class Kinds:
    """Kinds of seats, by what they have at the end.

    Parameters
    ----------
    names
        (the game's rules) -> the kinds, in order.
    columns
        Of `seats`.
    kind
        (the game's rules, those columns) -> the number of each seat's kind; what lies beyond the names counts for none.
    score, unit
        The column of `seats` that is the score, and what it counts.
    what
        What the kinds are kinds of: heads their column.
    """

    names: Callable[[Any], Sequence[str]]
    columns: Sequence[str]
    kind: Callable[..., npt.NDArray[Any]]
    score: str
    unit: str
    what: str


def fares(what: Kinds, name: str, heading: str, caption: str, note: str) -> Section:
    """How often each kind occurs, wins, and what it scores; mirrors only, so that no strategy stands behind it.

    Parameters
    ----------
    what
    name
        Of the table.
    heading, caption
    note
        How to read it.
    """

    def section(study: Study) -> Part | None:
        found = [(pool, _mirrors(study, pool)) for pool in pools(study)]
        rows = [row for pool, cells in found if cells for row in _rows(study, pool, cells, what)]
        if not rows:
            return None
        table = pd.DataFrame(rows)
        how = (
            f"{caption}; {HALF}, by the spread of 64 groups of deals. Line-ups of one strategy in every seat only; "
            f"kinds with fewer than {FEW_OFF} seats are in the file alone."
        )
        blocks: list[Block] = [
            Text([note, *_sentences(table)]),
            *_pictures(table, caption),
            table_of(name, how, _shown(table, what), table),
        ]
        return Part(heading, blocks)

    return section


def _mirrors(study: Study, pool: Pool) -> tuple[Cell, ...]:
    """Its line-ups of one strategy, the strongest first."""
    order = label_order(study)
    return tuple(sorted((c for c in pool.cells if c.is_mirror), key=lambda cell: order.index(cell.labels[0])))


MEASURES = ("share of seats", "win share", "score")


def _rows(study: Study, pool: Pool, cells: Sequence[Cell], what: Kinds) -> list[dict[str, Any]]:
    """A row per strategy, kind and measure."""
    rows = []
    for cell in cells:
        columns = [study.run.column("seats", column, cell.id) for column in what.columns]
        rules = study.rules_of(cell)
        kinds = what.kind(rules, *columns)
        win, score = (study.run.column("seats", column, cell.id) for column in ("win", what.score))
        n_deals, most = int(cell.info.n_deals), float(score.max(initial=1))
        seats = deals_in_groups(n_deals) * cell.info.rotations * cell.info.seats
        for number, kind in enumerate(what.names(rules)):
            own = kinds == number
            n, wins, scores = (
                group_sums(values.sum(axis=(0, 1), dtype=np.int64)) for values in (own, win * own, score * own)
            )
            where = pool.where() | {"label": cell.labels[0], "n_games": cell.n_games, "kind": kind, "number": number}
            where |= {"n": int(n.sum())}
            pairs = ((n, seats, (0, 1)), (wins, WIN * n, (0, 1)), (scores, n, (0, most)))
            for measure, (top, bottom, bounds) in zip(MEASURES, pairs, strict=True):
                if bottom.sum():
                    sample = Sample(min(GROUPS, n_deals), n_deals, bounds)
                    rows.append(where | {"measure": measure} | ratio(top, bottom, sample, int(n.sum())).row())
    return rows


UNITS = {"share of seats": PERCENT, "win share": PERCENT}


def _shown(table: pd.DataFrame, what: Kinds) -> dict[str, Any]:
    """A row per strategy and kind."""
    keys = ["players", "setting", "label", "kind"]
    first = table[table["n"] >= FEW_OFF].drop_duplicates(keys)
    shown: dict[str, Any] = pool_keys(first)
    if first["label"].nunique() > 1:
        shown["strategy"] = list(first["label"])
    shown[what.what] = list(first["kind"])
    for measure in MEASURES:
        part = first[keys].merge(table[table["measure"] == measure], how="left", on=keys)
        title = f"{measure} [%]" if measure in UNITS else what.unit
        shown[title] = wide_texts(part, UNITS.get(measure, Unit(1, "", most_digits=2)))
    return shown | {"seats": list(first["n"].map(whole))}


def _pictures(table: pd.DataFrame, caption: str) -> list[Picture]:
    """Win shares: a panel for each player count and setting, a row for each kind, a dot for each strategy."""
    frame = table[(table["measure"] == "win share") & ~table["few_cases"] & (table["n"] >= FEW_OFF)]
    panels = [pool_name(*pair) for pair in zip(frame["players"], frame["setting"], strict=True)]
    frame = frame.assign(panel=panels, row=frame["kind"], series=frame["label"], fair=1 / frame["players"])
    labels = list(dict.fromkeys(table["label"]))[:MOST_LABELS]
    frame = frame[frame["panel"].isin(list(dict.fromkeys(panels))[:MOST_DRAWN]) & frame["label"].isin(labels)]
    frame = in_own_order(frame, "series", labels).sort_values("number", kind="stable")
    frame = in_own_order(frame, "panel", list(dict.fromkeys(panels)))
    if frame.empty:
        return []
    told_caption = (
        f"{caption}: win share ({listed(labels)}, in every seat). Dashed: fair. Kinds with fewer than {FEW_OFF} seats "
        "are left out. Bars are 95 % intervals; they may be narrower than the dots."
    )
    figure = dots(frame, "share of games won [%]")
    return [Picture(figure, told_caption, f"{told_caption} The numbers are in the table below.")]


def _sentences(table: pd.DataFrame) -> list[str]:
    """The commonest kind and that which wins most, for each player count, of the strongest strategy."""
    sentences = []
    sure = table[~table["few_cases"] & (table["n"] >= FEW_OFF)]
    for players, setting in dict.fromkeys(zip(sure["players"], sure["setting"], strict=True)):
        mine = sure[(sure["players"] == players) & (sure["setting"] == setting)]
        own = mine[mine["label"] == mine["label"].iloc[0]]
        parts = [own[own["measure"] == measure] for measure in MEASURES[:2]]
        common, best = (part.loc[part["value"].idxmax()] for part in parts)
        told_where = f"{pool_name(int(players), str(setting))}, {own['label'].iloc[0]} in every seat"
        sentences.append(
            f"With {told_where}: commonest is {common['kind']}, {told(estimate_of(common), PERCENT)} of seats; most "
            f"often wins who has {best['kind']}, {told(estimate_of(best), PERCENT)} of their games."
        )
    return sentences
