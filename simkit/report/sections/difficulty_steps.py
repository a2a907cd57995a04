"""Cells that differ in a rule of rising difficulty, and the steps between them on the same deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pandas as pd

from simkit.report.cells import Cell, value_name
from simkit.report.per_deal import table_rate
from simkit.report.pooled import defaults
from simkit.report.study import Study
from simkit.stats.comparisons import paired, side
from simkit.stats.intervals import Estimate
from simkit.stats.verdicts import judge

HOLDS, BROKEN, OPEN = "holds", "broken", "undecided"
"""What becomes of an order."""


@dataclass(frozen=True)
class Scale:
    """A rule whose values are meant to be of rising difficulty.

    Parameters
    ----------
    rule
        `rules.NAME`.
    values
        The easiest first.
    name
        What a value is, in a sentence.
    """

    rule: str
    values: Sequence[Any]
    name: str


@dataclass(frozen=True)
class Line:
    """Cells that differ in a scale's rule only, the easiest first.

    Attributes
    ----------
    rest
        What else their setting changes, in words; empty where that is nothing.
    is_usual
        It changes no rule that is not a scale's.
    """

    players: int
    rest: str
    is_usual: bool
    cells: tuple[Cell, ...]


def value_of(study: Study, cell: Cell, rule: str) -> Any:
    """A rule's value in a cell."""
    name = rule.removeprefix("rules.")
    return cell.info.rules.get(name, defaults(study)[name])


def named(study: Study, cell: Cell, scale: Scale) -> str:
    """A cell's value of a scale, in words."""
    return value_name(scale.rule, value_of(study, cell, scale.rule), study.names)


def rest_of(study: Study, cell: Cell, scales: Sequence[Scale]) -> list[str]:
    """What a cell's setting changes beside the scales, in words."""
    base = dict(next(other for other in study.cells if other.kin == cell.kin and other.is_base).setting)
    own = {scale.rule for scale in scales}
    return [
        value_name(key, value, study.names) for key, value in cell.setting if key not in own and base.get(key) != value
    ]


def place_of(study: Study, cell: Cell, scale: Scale) -> int:
    """Where on the scale a cell is; what it does not name comes last."""
    value = value_of(study, cell, scale.rule)
    return list(scale.values).index(value) if value in scale.values else len(scale.values)


def lines_of(study: Study, scale: Scale, scales: Sequence[Scale]) -> list[Line]:
    """Cells alike but for the scale's rule."""
    found: dict[Any, list[Cell]] = {}
    for cell in study.cells:
        if value_of(study, cell, scale.rule) in scale.values:
            rest = tuple((key, str(value)) for key, value in cell.setting if key != scale.rule)
            found.setdefault((cell.info.players, cell.labels, rest), []).append(cell)
    lines = []
    for cells in found.values():
        others = [s for s in scales if s is not scale]
        told = [named(study, cells[0], s) for s in others]
        changed = rest_of(study, cells[0], scales)
        ordered = sorted(cells, key=lambda cell: place_of(study, cell, scale))
        lines.append(Line(cells[0].info.players, ", ".join([*told, *changed]), not changed, tuple(ordered)))
    return lines


def steps_of(study: Study, scale: Scale, scales: Sequence[Scale]) -> Iterator[dict[str, Any]]:
    """A row per step: the win rate at the harder value less that at the easier one."""
    rate = table_rate()
    for number, line in enumerate(line for line in lines_of(study, scale, scales) if len(line.cells) > 1):
        for easy, hard in pairwise(line.cells):
            difference = paired(rate.read(study.run, easy), rate.read(study.run, hard))
            names = [named(study, cell, scale) for cell in (easy, hard)]
            where = {"scale": scale.name, "line": number, "players": line.players, "setting": line.rest}
            where |= {"usual": line.is_usual, "line_up": hard.line_up_name, "easier": names[0], "harder": names[1]}
            yield where | difference.row() | {"is": _word(difference.estimate), "n_games": hard.n_games}


def _word(estimate: Estimate) -> str:
    """Whether the step is one towards harder play."""
    word = side(judge([estimate], 0.0, 0.0, 0.0))
    return {"below": "harder", "above": "easier"}.get(word, OPEN)


def orders_of(steps: pd.DataFrame, scale: Scale) -> pd.DataFrame:
    """A row per line: whether the whole order holds, is broken somewhere, or is undecided."""
    mine = steps[steps["scale"] == scale.name]
    rows = []
    for _, line in mine.groupby("line", sort=False):
        words = set(line["is"])
        word = BROKEN if "easier" in words else OPEN if OPEN in words else HOLDS
        rows.append(line.iloc[0][["players", "setting", "line_up"]].to_dict() | {"order": word})
    return pd.DataFrame(rows)
