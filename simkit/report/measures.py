"""Reads a run, one column of one cell at a time, and reduces it to what tables and verdicts need."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from simkit.report.cells import Cell
from simkit.stats import comparisons, endings, pacing, shares
from simkit.stats.comparisons import Difference, Gap
from simkit.stats.frequencies import Frequencies, PerDeal, share_of_rotations
from simkit.stats.intervals import DIFFERENCE, LEVEL, Bounds, Estimate

Key = tuple[str, str]
"""A measure: its kind (`seat`, `label`, `table`, `turns`, `cause`, `tiebreak`) and which one."""


@dataclass
class CellMeasures:
    """What a cell's games come to.

    Attributes
    ----------
    per_deal
        By measure, how often each value of a deal occurs.
    mean_turns, quantiles, histogram
        The length of its games [turns].
    """

    cell: Cell
    per_deal: dict[Key, Frequencies] = field(default_factory=dict)
    mean_turns: Estimate | None = None
    quantiles: pd.DataFrame = field(default_factory=pd.DataFrame)
    histogram: pd.DataFrame = field(default_factory=pd.DataFrame)

    def of(self, kind: str) -> dict[str, Frequencies]:
        """All measures of a kind."""
        return {name: values for (k, name), values in self.per_deal.items() if k == kind}


@dataclass(frozen=True)
class Change:
    """A measure's paired difference between a cell and its base: the same line-up and deals under other rules."""

    cell: Cell
    base: Cell
    key: Key
    difference: Difference


@dataclass(frozen=True)
class Contest:
    """One label against another: in one line-up, or the mean over several.

    Attributes
    ----------
    shares
        Of one line-up: each label's share of the win per seat (cooperative: the win rate of its table).
    """

    players: int
    setting_name: str
    label: str
    other: str
    line_ups: tuple[Cell, ...]
    difference: Difference
    shares: Mapping[str, Frequencies] = field(default_factory=dict)

    def lead(self, label: str) -> Estimate:
        """The difference as seen by one of the two."""
        found = self.difference.estimate
        if label == self.label:
            return found
        return replace(found, value=0.0 - found.value, low=0.0 - found.high, high=0.0 - found.low)

    def turned(self) -> Contest:
        """The same as the other one sees it."""
        seen = replace(self.difference, estimate=self.lead(self.other))
        return replace(self, label=self.other, other=self.label, difference=seen)


def measure(run: Any, cells: Sequence[Cell]) -> tuple[dict[str, CellMeasures], list[Change]]:
    """Every cell's measures, and what each setting changes against the base.

    Parameters
    ----------
    run
        A `simkit.store.Run`, or what offers its `game`, `column`.
    cells
    """
    measures = {cell.id: CellMeasures(cell) for cell in cells}
    changes: list[Change] = []
    for kin in dict.fromkeys(cell.kin for cell in cells):
        group = sorted((cell for cell in cells if cell.kin == kin), key=lambda cell: not cell.is_base)
        for table, column in columns(run.game):
            changes += _reduce(run, group, table, column, measures)
    order = {cell.id: place for place, cell in enumerate(cells)}
    return measures, sorted(changes, key=lambda change: order[change.cell.id])


def columns(game: Any) -> list[tuple[str, str]]:
    """What is read of a game's runs."""
    verdict = [("games", "won")] if game.cooperative else [("seats", "win"), ("games", "decided_by_tiebreak")]
    return [*verdict, ("games", "n_turns"), ("games", "end_cause")]


def _reduce(
    run: Any, group: Sequence[Cell], table: str, column: str, measures: dict[str, CellMeasures]
) -> Iterator[Change]:
    """One column of cells that differ in rules; the first is the base that stays in memory meanwhile."""
    base: dict[Key, PerDeal] = {}
    for cell in group:
        values = run.column(table, column, cell.id)
        found = measures[cell.id]
        per_deal = values_per_deal(run, cell, column, values)
        found.per_deal |= {key: deals.frequencies() for key, deals in per_deal.items()}
        if column == "n_turns":
            found.mean_turns = pacing.mean_turns(values, bounds=(0, most_turns(run, cell)))
            found.quantiles, found.histogram = pacing.quantiles(values), pacing.histogram(values)
        if cell is group[0]:
            base = per_deal if len(group) > 1 else {}
            continue
        for key, deals in per_deal.items():
            difference = comparisons.paired(base[key], deals, bounds=difference_bounds(run, key, cell))
            yield Change(cell, group[0], key, difference)


def values_per_deal(run: Any, cell: Cell, column: str, values: Any) -> dict[Key, PerDeal]:
    """A column's measures, a value for each deal."""
    if column == "win":
        seats = {("seat", str(seat)): deals for seat, deals in enumerate(shares.seat_shares(values))}
        labels = [] if cell.is_mirror else list(dict.fromkeys(cell.labels))
        return seats | {("label", label): shares.label_share(values, cell.labels, label) for label in labels}
    if column == "won":
        return {("table", "won"): shares.table_rate(values)}
    if column == "n_turns":
        return {("turns", "mean"): pacing.turns_per_deal(values)}
    if column == "end_cause":
        causes = endings.cause_shares(values, run.game.all_end_causes)
        return {("cause", cause): deals for cause, deals in causes.items()}
    return {("tiebreak", "decided"): share_of_rotations(values.astype(bool))}


def most_turns(run: Any, cell: Cell) -> float:
    """No game of the cell is longer: the guard against endless games [turns]."""
    guard = run.game.components.get("max_rounds")
    rounds = cell.info.rules.get("max_rounds", guard.value if guard else math.inf)
    return float(rounds * cell.info.seats)


def difference_bounds(run: Any, key: Key, cell: Cell) -> Bounds:
    """What a deal's difference must lie between."""
    most = most_turns(run, cell)
    return (-most, most) if key[0] == "turns" else DIFFERENCE


def contests(run: Any, cells: Sequence[Cell], level: float = LEVEL) -> Iterator[Contest]:
    """Every pair of labels that meet: line-up by line-up, then the mean over the line-ups where both sit."""
    for players, setting_name, label, other in pairs(cells):
        gaps: list[Gap] = []
        met: list[Cell] = []
        for cell in cells:
            same = (cell.info.players, cell.setting_name) == (players, setting_name)
            if same and {label, other} <= set(cell.labels):
                win = run.column("seats", "win", cell.id)
                gap = comparisons.label_gap(win, cell.labels, label, other)
                gaps.append(gap)
                met.append(cell)
                own = {name: shares.label_share(win, cell.labels, name).frequencies() for name in (label, other)}
                yield Contest(players, setting_name, label, other, (cell,), gap.difference(level), own)
        if len(gaps) > 1:
            mean = comparisons.mean_gap(gaps)
            yield Contest(players, setting_name, label, other, tuple(met), mean.difference(level))


def pairs(cells: Sequence[Cell]) -> list[tuple[int, str, str, str]]:
    """Players, setting and two labels, for every two that sit at one table."""
    found: dict[tuple[int, str, str, str], None] = {}
    for cell in cells:
        kinds = list(dict.fromkeys(cell.labels))
        for i, label in enumerate(kinds):
            for other in kinds[i + 1 :]:
                pair = (cell.info.players, cell.setting_name, *sorted((label, other)))
                found[pair] = None
    return list(found)


def table_contests(run: Any, cells: Sequence[Cell], level: float = LEVEL) -> Iterator[Contest]:
    """Cooperative games: table A A.. against table B B.. on the same deals."""
    for first, second in mirror_pairs(cells):
        ours, theirs = (shares.table_rate(run.column("games", "won", cell.id)) for cell in (first, second))
        names = first.labels[0], second.labels[0]
        rates = {name: rate.frequencies() for name, rate in zip(names, (ours, theirs), strict=True)}
        difference = comparisons.paired(theirs, ours, level)
        yield Contest(first.info.players, first.setting_name, *names, (first, second), difference, rates)


def mirror_pairs(cells: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    """Every two mirrors that differ in nothing but their strategy."""
    mirrors = [cell for cell in cells if cell.is_mirror]
    return [
        (first, second)
        for i, first in enumerate(mirrors)
        for second in mirrors[i + 1 :]
        if (second.info.players, second.setting) == (first.info.players, first.setting)
    ]
