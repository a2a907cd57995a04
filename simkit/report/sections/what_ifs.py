"""What if a component were another: what a rule's values do to the game, beyond who wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from simkit.figures.dots import dots
from simkit.report import tables
from simkit.report.blocks import Part, Picture, Section
from simkit.report.cells import Cell
from simkit.report.per_deal import Measure
from simkit.report.sections.shown import HALF, PAIRED, estimates_of, gains_of, keys_of, strongest, table_of, wide_texts
from simkit.report.study import Study
from simkit.report.words import PERCENT, players_name, told, whole
from simkit.stats import comparisons, intervals
from simkit.stats.comparisons import Difference
from simkit.stats.intervals import Estimate


def what_ifs(rule: str, measures: Sequence[Measure], heading: str, leads: str) -> Section:
    """What the values of a rule do, where cells differ from their base in nothing else.

    Parameters
    ----------
    rule
        `rules.NAME`.
    measures
    heading
    leads
        Subject of the answer's sentence: "The die's faces".
    """

    def section(study: Study) -> Part | None:
        cells = [cell for cell in study.headlines if _differs_by(study, cell, rule)]
        if not any(not cell.is_base for cell in cells):
            return None
        levels = pd.DataFrame([row for cell in cells for row in _levels(study, cell, measures)])
        changes = pd.DataFrame([row for cell in cells if not cell.is_base for row in _changes(study, cell, measures)])
        caption = f"Means by setting{strongest(study)}, {HALF}, t over deals."
        told_changes = (
            f"Mean under this setting less mean under the other{strongest(study)}, on the same deals. {PAIRED}"
        )
        blocks = [
            _picture(levels, measures),
            table_of("what_ifs", caption, _shown(levels, measures), levels),
            table_of("what_if_changes", told_changes, _shown_changes(changes, measures), changes, folded=True),
        ]
        only = all(dict(cell.setting).keys() <= {rule} for cell in study.cells)
        return Part(heading, blocks, answer=[_answer(levels, changes, measures, leads)] if only else ())

    return section


def _differs_by(study: Study, cell: Cell, rule: str) -> bool:
    """Whether it is a base, or differs from its base in this rule alone."""
    base = dict(_base(study, cell).setting)
    return {key for key, value in cell.setting if base.get(key) != value} <= {rule} and rule in base


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


def _answer(levels: pd.DataFrame, changes: pd.DataFrame, measures: Sequence[Measure], leads: str) -> str:
    """What the settings change most, measure by measure, against the base."""
    players = levels["players"].iloc[len(levels) // 2]
    mine = changes[changes["players"] == players]
    clauses = []
    for measure in measures:
        rows = mine[mine["measure"] == measure.name]
        most = rows.loc[rows["value"].abs().idxmax()]
        clauses.append(f"{measure.name} by {told(_estimate(most), measure.change)} with {most['setting']}")
    base = mine["base"].iloc[0]
    return (
        f"{leads} change the game most as follows, against {base}, with {players_name(int(players))}, on the same deals: "
        f"{'; '.join(clauses)}."
    )


def _estimate(row: pd.Series[Any]) -> Estimate:
    """A table row's estimate."""
    ends = (float(row["value"]), float(row["low"]), float(row["high"]), int(row["n_deals"]), float(row["level"]))
    return Estimate(*ends, str(row["method"]), bool(row["few_cases"]))
