"""What is a card (or any other feature) worth: put in on the same deals, beside how those who use it fare.

Rival games: what it adds to the seats' scores; cooperative ones: to the table's win rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from simkit.report.blocks import Block, Part, Section, Text
from simkit.report.cells import Cell, value_name
from simkit.report.per_deal import Measure, game_mean, label_share, seats_best, seats_total, table_rate
from simkit.report.pooled import defaults
from simkit.report.sections import effects_told
from simkit.report.sections.features import Features
from simkit.report.sections.shown import table_of
from simkit.report.study import Study
from simkit.report.words import spelled
from simkit.stats import effects as paired
from simkit.stats.comparisons import Difference
from simkit.stats.grouped import GROUPS, Sample, Sums, group_sums, ratio_gap
from simkit.stats.intervals import DIFFERENCE, Estimate
from simkit.stats.shares import WIN


@dataclass(frozen=True)
class Group:
    """Cells that differ in nothing but features."""

    cells: tuple[Cell, ...]
    setting_name: str

    def where(self) -> dict[str, Any]:
        """What tables call it."""
        first = self.cells[0]
        n_games = sum(cell.n_games for cell in self.cells)
        keys = {"players": first.info.players, "setting": self.setting_name, "line_up": first.line_up_name}
        return keys | {"n_cells": len(self.cells), "n_games": n_games}


def effects(what: Features, heading: str) -> Section:
    """Games with each feature less games without, beside what its use seems to say."""

    def section(study: Study) -> Part | None:
        rows = [row for group in groups(study, what) for row in _rows(study, group, what)]
        if not rows:
            return None
        table = pd.DataFrame(rows)
        caption, shown = effects_told.caption(what, table), effects_told.shown(table, what)
        blocks: list[Block] = [
            Text([effects_told.reading(what)]),
            *effects_told.pictures(table, what),
            table_of(what.table, caption, shown, table),
        ]
        return Part(heading, blocks, answer=effects_told.answer(table, what))

    return section


def groups(study: Study, what: Features) -> list[Group]:
    """Cells alike but for features, where some have one that others have not."""
    usual = defaults(study)
    keys = [f"rules.{rule}" for rule in what.rules]
    found: dict[Any, list[Cell]] = {}
    for cell in study.cells:
        rest = tuple(pair for pair in cell.setting if pair[0] not in keys)
        found.setdefault((cell.kin, spelled(rest)), []).append(cell)
    told = []
    for cells in found.values():
        has = [what.has(usual | dict(cell.info.rules)) for cell in cells]
        if any({True, False} <= set(column) for column in zip(*has, strict=True)):
            told.append((tuple(cells), [pair for pair in cells[0].setting if pair[0] not in keys]))
    several = len({spelled(rest) for _, rest in told}) > 1
    names = [", ".join(value_name(*pair, study.names) for pair in rest) if several else "" for _, rest in told]
    return [Group(cells, name) for (cells, _), name in zip(told, names, strict=True)]


def _rows(study: Study, group: Group, what: Features) -> Iterator[dict[str, Any]]:
    """A row per feature and measure."""
    usual, where, known = defaults(study), group.where(), list[str]()
    has = [what.has(usual | dict(cell.info.rules)) for cell in group.cells]
    for measure in _measures(group, what):
        values = ((measure.read(study.run, cell), in_cell) for cell, in_cell in zip(group.cells, has, strict=True))
        found = paired.effects(values, len(what.names), bounds=measure.difference_bounds)
        known = [name for name, difference in zip(what.names, found, strict=True) if difference is not None]
        for name, difference in zip(what.names, found, strict=True):
            if difference is not None:
                yield where | {"feature": name, "measure": measure.name, "kind": "put in"} | difference.row()
    uses = _uses(study, group, what, has)
    for name in (name for name in known if name in uses):
        for measure_name, estimate in uses[name].items():
            yield where | {"feature": name, "measure": measure_name, "kind": "use"} | Difference(estimate, np.nan).row()


def _measures(group: Group, what: Features) -> list[Measure]:
    """What is compared."""
    if not what.score:
        return [table_rate(), game_mean("n_turns", "turns", "turns")]
    first = group.cells[0]
    shares = [] if first.is_mirror else [label_share(label) for label in dict.fromkeys(first.labels)]
    return [
        seats_total(what.score, f"{what.unit} of all seats", what.unit),
        seats_best(what.score, f"winning {what.unit}", what.unit),
        game_mean("n_turns", "turns", "turns"),
        *shares,
    ]


# ------------------------------------------------------------------------------------------------------- use, not value


def _uses(
    study: Study, group: Group, what: Features, has: Sequence[Sequence[bool | None]]
) -> dict[str, dict[str, Estimate]]:
    """Seats that used a feature less seats of the same games that did not: share of the win, and score.

    Pooled over all cells that have the feature; the intervals come from the spread of 64 groups of deals.
    """
    if not what.score:
        return _tables_uses(study, group, what, has)
    sums: dict[str, dict[str, Sums]] = {}
    for cell, in_cell in zip(group.cells, has, strict=True):
        if True in in_cell:
            used, win, score = (study.run.column("seats", name, cell.id) for name in (what.used, "win", what.score))
            for bit, (name, is_in) in enumerate(zip(what.names, in_cell, strict=True)):
                if is_in:
                    _add_use(sums.setdefault(name, {}), (used >> bit & 1).astype(bool), win, score)
    n_deals = min(int(cell.info.n_deals) for cell in group.cells)
    return {name: _use_gaps(found, n_deals, what) for name, found in sums.items()}


def _add_use(sums: dict[str, Sums], used: Any, win: Any, score: Any) -> None:
    """Count a cell's seats, their wins and scores, by use."""
    for who, mask in (("users", used), ("others", ~used)):
        for name, values in (("n", mask), ("win", win * mask), ("score", score * mask)):
            own = group_sums(values.sum(axis=(0, 1), dtype=np.int64))
            sums[f"{who} {name}"] = sums.get(f"{who} {name}", np.zeros(GROUPS, np.int64)) + own


def _use_gaps(sums: dict[str, Sums], n_deals: int, what: Features) -> dict[str, Estimate]:
    """Users less others."""
    fewer = min(int(sums["users n"].sum()), int(sums["others n"].sum()))
    found = {}
    for name, column, scale, reach in (("wins", "win", WIN, 1.0), (what.unit, "score", 1, np.inf)):
        pairs = [(sums[f"{who} {column}"], scale * sums[f"{who} n"]) for who in ("users", "others")]
        gap = ratio_gap(pairs[0], pairs[1], Sample(min(GROUPS, n_deals), n_deals, (-reach, reach)), fewer)
        if gap is not None:
            found[f"{name} of users"] = gap
    return found


def _tables_uses(
    study: Study, group: Group, what: Features, has: Sequence[Sequence[bool | None]]
) -> dict[str, dict[str, Estimate]]:
    """Cooperative: the win rate of games that used a feature less that of games that did not."""
    sums: dict[str, dict[str, Sums]] = {}
    for cell, in_cell in zip(group.cells, has, strict=True):
        if (None if what.is_dealt else True) in in_cell:
            used, won = what.used(study.run, cell), study.run.column("games", "won", cell.id).astype(bool)
            for name, is_in, mask in zip(what.names, in_cell, used, strict=True):
                if is_in is (None if what.is_dealt else True):
                    _add_games(sums.setdefault(name, {}), mask, won)
    n_deals = min(int(cell.info.n_deals) for cell in group.cells)
    gaps = {}
    for name, found in sums.items():
        pairs = [(found[f"{who} won"], found[f"{who} n"]) for who in ("users", "others")]
        fewer = min(int(n.sum()) for _, n in pairs)
        gap = ratio_gap(pairs[0], pairs[1], Sample(min(GROUPS, n_deals), n_deals, DIFFERENCE), fewer)
        gaps[name] = {} if gap is None else {what.of_use: gap}
    return gaps


def _add_games(sums: dict[str, Sums], used: Any, won: Any) -> None:
    """Count a cell's games and wins, by use."""
    for who, mask in (("users", used), ("others", ~used)):
        for name, values in (("n", mask), ("won", mask & won)):
            own = group_sums(values.sum(axis=0, dtype=np.int64))
            sums[f"{who} {name}"] = sums.get(f"{who} {name}", np.zeros(GROUPS, np.int64)) + own
