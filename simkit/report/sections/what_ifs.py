"""What if a component were another: what a rule's values do to the game, beyond who wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

import pandas as pd

from simkit.figures.dots import dots
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Section, Text
from simkit.report.cells import Cell
from simkit.report.per_deal import Measure
from simkit.report.sections.shown import HALF, PAIRED, estimates_of, gains_of, keys_of, strongest, table_of, wide_texts
from simkit.report.study import Study
from simkit.report.words import PERCENT, POINTS, SPACE, Unit, capital, estimate_of, listed, players_name, told, whole
from simkit.stats import comparisons, intervals
from simkit.stats.comparisons import Difference


def what_ifs(
    rule: str | Sequence[str], measures: Sequence[Measure], heading: str, lead: str, note: str = ""
) -> Section:
    """What the values of a rule (or of some) do, where cells differ from their base in nothing else.

    Parameters
    ----------
    rule
        `rules.NAME`, or several of them.
    measures
    heading
    lead
        The measure that the answer speaks of first.
    note
        A sentence above the figure; optional.
    """

    rules = {rule} if isinstance(rule, str) else set(rule)

    def section(study: Study) -> Part | None:
        cells = [cell for cell in study.headlines if _differs_by(study, cell, rules)]
        if not any(not cell.is_base for cell in cells):
            return None
        levels = pd.DataFrame([row for cell in cells for row in _levels(study, cell, measures)])
        changes = pd.DataFrame([row for cell in cells if not cell.is_base for row in _changes(study, cell, measures)])
        caption = f"Means by setting{strongest(study)}, {HALF}, t over deals."
        told_changes = (
            f"Mean under this setting less mean under the other{strongest(study)}, on the same deals. {PAIRED}"
        )
        blocks: list[Block] = [
            *([Text([note])] if note else []),
            _picture(levels, measures),
            table_of("what_ifs", caption, _shown(levels, measures), levels),
            table_of("what_if_changes", told_changes, _shown_changes(changes, measures), changes, folded=True),
        ]
        return Part(heading, blocks, answer=_answer(study, changes, measures, lead) if study.varied <= rules else ())

    return section


def _differs_by(study: Study, cell: Cell, rules: Set[str]) -> bool:
    """Whether it is a base, or differs from its base in these rules alone."""
    base = dict(_base(study, cell).setting)
    return {key for key, value in cell.setting if base.get(key) != value} <= rules and bool(rules & base.keys())


def _base(study: Study, cell: Cell) -> Cell:
    """The cell that this one is compared with."""
    return cell if cell.is_base else next(other for other in study.kin_of(cell) if other.is_base)


def _levels(study: Study, cell: Cell, measures: Sequence[Measure]) -> Iterator[dict[str, Any]]:
    """A row per measure: its mean."""
    for measure in measures:
        frequencies = measure.read(study.run, cell).frequencies()
        found = intervals.mean(frequencies, bounds=measure.bounds)
        yield tables.keys(cell) | {"measure": measure.name} | found.row()


def _changes(study: Study, cell: Cell, measures: Sequence[Measure]) -> Iterator[dict[str, Any]]:
    """A row per measure: its paired difference."""
    base = _base(study, cell)
    for measure in measures:
        before, after = (measure.read(study.run, one) for one in (base, cell))
        found: Difference = comparisons.paired(before, after, bounds=measure.difference_bounds)
        yield tables.keys(cell) | {"base": base.setting_name, "measure": measure.name} | found.row()


def _shown(levels: pd.DataFrame, measures: Sequence[Measure]) -> dict[str, Any]:
    """A row per cell, a column per measure."""
    first = levels.drop_duplicates("cell")
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    for measure in measures:
        sign = " [%]" if measure.unit is PERCENT else ""
        shown[measure.name + sign] = wide_texts(levels[levels["measure"] == measure.name], measure.unit)
    return shown | {"games": list(first["n_games"].map(whole))}


def _shown_changes(changes: pd.DataFrame, measures: Sequence[Measure]) -> dict[str, Any]:
    """A row per cell and measure."""
    parts = []
    for measure in measures:
        mine = changes[changes["measure"] == measure.name]
        shown = keys_of(mine) | {"against": mine["base"], "measure": mine["measure"]}
        parts.append(pd.DataFrame(shown | estimates_of(mine, "changes by", measure.change) | gains_of(mine)))
    return {str(name): values for name, values in pd.concat(parts).sort_index().items()}


def _picture(levels: pd.DataFrame, measures: Sequence[Measure]) -> Picture:
    """A panel for each measure, a row for each setting, a dot for each player count."""
    scales = {measure.name: measure.unit.scale for measure in measures}
    units = {measure.name: f"{measure.name} [%]" if measure.unit is PERCENT else measure.name for measure in measures}
    frame = levels.assign(
        panel=levels["measure"].map(units),
        row=levels["setting"],
        series=[players_name(players) for players in levels["players"]],
    )
    for end in ("value", "low", "high"):
        frame[end] = frame[end] * frame["measure"].map(scales)
    frame = frame.sort_values("measure", key=lambda names: names.map(list(scales).index), kind="stable")
    caption = "What the settings do to the game. Bars are 95 % intervals; they may be narrower than the dots."
    figure = dots(frame, "mean", percent=False)
    return Picture(figure, caption, f"{caption} The numbers are in the table below.")


def _answer(study: Study, changes: pd.DataFrame, measures: Sequence[Measure], lead: str) -> list[str]:
    """For the middle player count: what moves the leading measure most, up and down; then each setting's changes."""
    counts = list(dict.fromkeys(changes["players"]))
    mine = changes[changes["players"] == counts[len(counts) // 2]]
    units = {measure.name: measure.change for measure in measures}
    leading = mine[mine["measure"] == lead].sort_values("value")
    sure = [leading[leading["low"] > 0].tail(1), leading[leading["high"] < 0].head(1)]
    ends = pd.concat(sure).to_dict("records")
    moves = listed([f"{row['setting']}: {told(estimate_of(row), units[lead])}" for row in ends])
    spoken = {cell.setting_name: cell.spoken for cell in study.cells}
    against = spoken[mine["base"].iloc[0]]
    where = f"with {players_name(int(mine['players'].iloc[0]))}, against {against}, on the same deals"
    sentences = [f"What moves {lead} most, {where}, is {moves}."]
    if not ends:
        sentences = [f"Nothing moves {lead}, {where}, beyond its interval."]
    for setting, rows in mine.groupby("setting", sort=False):
        told_rows = [f"{row['measure']} {_bare(row, units[row['measure']])}" for _, row in rows.iterrows()]
        sentences.append(f"{capital(str(setting))}: {', '.join(told_rows)}.")
    return sentences


def _bare(row: pd.Series[Any], unit: Unit) -> str:
    """A change in words, without the unit that its name tells."""
    text = told(estimate_of(row), unit)
    return text if unit is POINTS else text.replace(f"{SPACE}{unit.name} (", " (")
