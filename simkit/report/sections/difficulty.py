"""Is what should be harder harder: the table's win rate by two rules, and steps from easy to hard on the same deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pandas as pd

from simkit.figures.grid import grid
from simkit.report.blocks import Block, Part, Picture, Section, Text
from simkit.report.cells import THE_DEFAULTS, Cell, value_name
from simkit.report.per_deal import table_rate
from simkit.report.pooled import defaults
from simkit.report.sections.shown import PAIRED, estimates_of, gains_of, strongest, table_of
from simkit.report.study import Study
from simkit.report.words import PERCENT, POINTS, capital, estimate_of, listed, players_name, told, whole
from simkit.stats import intervals
from simkit.stats.comparisons import paired, side
from simkit.stats.verdicts import judge

HOLDS, BROKEN, OPEN = "holds", "broken", "undecided"
FEW = 6
"""Exceptions that a sentence names."""


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


def difficulty(rows: Scale, columns: Scale, heading: str, notes: Sequence[str] = ()) -> Section:
    """A shaded table of win rates, and whether each step makes the game harder.

    Parameters
    ----------
    rows, columns
        The two scales; player counts are columns too.
    heading
    notes
        Sentences above; the first says where the order comes from.
    """

    def section(study: Study) -> Part | None:
        scales = [scale for scale in (rows, columns) if scale.rule in study.varied]
        if not study.cooperative or not scales:
            return None
        steps = pd.DataFrame([row for scale in scales for row in _steps(study, scale, scales)])
        if steps.empty:
            return None
        blocks: list[Block] = [Text([*notes, *_survives(steps, scales)])]
        if len(scales) > 1 or steps["players"].nunique() > 1:
            blocks.append(_picture(study, rows, columns, scales))
        return Part(heading, [*blocks, _step_table(study, steps)], answer=_answer(study, steps, scales))

    return section


# --------------------------------------------------------------------------------------------------- the shaded table


def _value(study: Study, cell: Cell, rule: str) -> Any:
    """A rule's value in a cell."""
    name = rule.removeprefix("rules.")
    return cell.info.rules.get(name, defaults(study)[name])


def _rest(study: Study, cell: Cell, scales: Sequence[Scale]) -> list[str]:
    """What a cell's setting changes beside the scales, in words."""
    base = dict(next(other for other in study.cells if other.kin == cell.kin and other.is_base).setting)
    own = {scale.rule for scale in scales}
    return [
        value_name(key, value, study.names) for key, value in cell.setting if key not in own and base.get(key) != value
    ]


def _picture(study: Study, rows: Scale, columns: Scale, scales: Sequence[Scale]) -> Picture:
    """The win rates of the headline line-ups, without settings that change anything else."""
    cells = [cell for cell in study.headlines if not _rest(study, cell, scales)]
    cells.sort(key=lambda cell: (_place(study, cell, rows), cell.info.players, _place(study, cell, columns)))
    several = len({cell.info.players for cell in cells}) > 1
    places = []
    for cell in cells:
        rate = intervals.share(study.measures[cell.id].per_deal["table", "won"])
        row = value_name(rows.rule, _value(study, cell, rows.rule), study.names)
        mode = value_name(columns.rule, _value(study, cell, columns.rule), study.names) if columns in scales else ""
        where = (f"{row}, {cell.players_name}", mode) if several and mode else (row, mode or cell.players_name)
        places.append((*where, rate.value, _text(rate)))
    frame = pd.DataFrame(places, columns=["row", "column", "value", "text"])
    caption = (
        f"How often the table wins, in %, ± half the 95 % interval{strongest(study)}; at least "
        f"{whole(min(cell.n_games for cell in cells))} games each. The darker, the more often."
    )
    return Picture(grid(frame), caption, f"{caption} The numbers are in the table of win rates.")


def _place(study: Study, cell: Cell, scale: Scale) -> int:
    """Where on the scale a cell is; what it does not name comes last."""
    value = _value(study, cell, scale.rule)
    return list(scale.values).index(value) if value in scale.values else len(scale.values)


def _text(rate: intervals.Estimate) -> str:
    """A number and half its interval."""
    digits = min(PERCENT.digits(rate.low, rate.high), 1)
    return f"{PERCENT.number(rate.value, digits)} ±{PERCENT.number((rate.high - rate.low) / 2, digits)}"


# ------------------------------------------------------------------------------------------------------ step by step


def _lines(study: Study, scale: Scale, scales: Sequence[Scale]) -> list[Line]:
    """Cells alike but for the scale's rule."""
    found: dict[Any, list[Cell]] = {}
    for cell in study.cells:
        if _value(study, cell, scale.rule) in scale.values:
            rest = tuple((key, str(value)) for key, value in cell.setting if key != scale.rule)
            found.setdefault((cell.info.players, cell.labels, rest), []).append(cell)
    lines = []
    for cells in found.values():
        others = [s for s in scales if s is not scale]
        told = [value_name(s.rule, _value(study, cells[0], s.rule), study.names) for s in others]
        changed = _rest(study, cells[0], scales)
        ordered = sorted(cells, key=lambda cell: _place(study, cell, scale))
        lines.append(Line(cells[0].info.players, ", ".join([*told, *changed]), not changed, tuple(ordered)))
    return lines


def _steps(study: Study, scale: Scale, scales: Sequence[Scale]) -> Iterator[dict[str, Any]]:
    """A row per step: the win rate at the harder value less that at the easier one."""
    rate = table_rate()
    for line in _lines(study, scale, scales):
        for easy, hard in pairwise(line.cells):
            difference = paired(rate.read(study.run, easy), rate.read(study.run, hard))
            names = [value_name(scale.rule, _value(study, cell, scale.rule), study.names) for cell in (easy, hard)]
            yield (
                {"scale": scale.name, "players": line.players, "setting": line.rest, "usual": line.is_usual}
                | {"line_up": hard.line_up_name, "easier": names[0], "harder": names[1]}
                | difference.row()
                | {"is": _word(difference.estimate), "n_games": hard.n_games}
            )


def _word(estimate: intervals.Estimate) -> str:
    """Whether the step is one towards harder play."""
    word = side(judge([estimate], 0.0, 0.0, 0.0))
    return {"below": "harder", "above": "easier"}.get(word, OPEN)


def _orders(steps: pd.DataFrame, scale: Scale) -> pd.DataFrame:
    """A row per line: whether the whole order holds, is broken somewhere, or is undecided."""
    mine = steps[steps["scale"] == scale.name]
    rows = []
    for _, line in mine.groupby(["players", "setting", "line_up"], sort=False):
        words = set(line["is"])
        word = BROKEN if "easier" in words else OPEN if OPEN in words else HOLDS
        rows.append(line.iloc[0][["players", "setting", "line_up"]].to_dict() | {"order": word})
    return pd.DataFrame(rows)


def _step_table(study: Study, steps: pd.DataFrame) -> Any:
    """Every step."""
    shown: dict[str, Any] = {"players": steps["players"].astype(str)}
    if steps["setting"].ne("").any():
        shown["setting"] = steps["setting"].where(steps["setting"].ne(""), THE_DEFAULTS)
    shown |= {"from": steps["easier"], "to": steps["harder"]} | estimates_of(steps, "win rate changes by", POINTS)
    shown |= gains_of(steps) | {"which is": steps["is"]}
    caption = f"Step by step towards what should be harder{strongest(study)}, on the same deals. {PAIRED}"
    return table_of("difficulty_steps", caption, shown, steps)


# ---------------------------------------------------------------------------------------------------------- sentences


def _survives(steps: pd.DataFrame, scales: Sequence[Scale]) -> list[str]:
    """How many lines keep the order, scale by scale, and which do not."""
    return [_order_words(_orders(steps, scale), steps, scale) for scale in scales]


def _order_words(orders: pd.DataFrame, steps: pd.DataFrame, scale: Scale) -> str:
    """One scale: in how many comparisons its order holds, and which are the others."""
    mine = steps[steps["scale"] == scale.name]
    names = ", ".join(dict.fromkeys([*mine["easier"], *mine["harder"]]))
    judged = "Each step is judged by its own 95 % interval."
    if len(orders) == 1:
        odd = mine[mine["is"] == ("easier" if orders["order"].iloc[0] == BROKEN else OPEN)]
        falls = "falls at every step" if odd.empty else "should fall at every step"
        but = {HOLDS: "", BROKEN: ", but does not: ", OPEN: "; undecided are "}[orders["order"].iloc[0]]
        return f"By {scale.name} ({names}) the win rate {falls}{but}{listed(_told_steps(odd))}. {judged}"
    held = int((orders["order"] == HOLDS).sum())
    text = f"By {scale.name} ({names}) the win rate falls at every step in {held} of {len(orders)} comparisons"
    for word, found in ((BROKEN, "a step goes the other way"), (OPEN, "a step is undecided")):
        odd = orders[orders["order"] == word]
        text += f"; {found} in {_counted(odd, orders)}" if len(odd) else ""
    return f"{text}. {judged}"


def _told_steps(steps: pd.DataFrame) -> list[str]:
    """Steps with their numbers."""
    return [f"{row['harder']} after {row['easier']} {told(estimate_of(row), POINTS)}" for _, row in steps.iterrows()]


def _counted(odd: pd.DataFrame, orders: pd.DataFrame) -> str:
    """How many comparisons, and which if they are few."""
    several = orders["line_up"].nunique() > 1
    each = [f"{_where(row)}{f', {row.line_up}' * several}" for _, row in odd.iterrows()]
    return f"{len(odd)} ({'; '.join(each)})" if len(odd) <= FEW else str(len(odd))


def _where(row: pd.Series[Any]) -> str:
    """Players and setting."""
    return ", ".join(filter(None, (players_name(int(row["players"])), str(row["setting"]))))


def _answer(study: Study, steps: pd.DataFrame, scales: Sequence[Scale]) -> list[str]:
    """For runs about difficulty: several scales or player counts, or a scale under other settings."""
    has_others = not steps["usual"].all()
    is_about = len(scales) > 1 or steps["players"].nunique() > 1 or has_others
    if not is_about or study.contests:
        return []
    sentences = _survives(steps, scales) if has_others else [*_rates(study, scales), *_survives(steps, scales)]
    for scale in scales:
        usual = steps[(steps["scale"] == scale.name) & steps["usual"]]
        line = usual[(usual["players"] == usual["players"].iloc[0]) & (usual["setting"] == usual["setting"].iloc[0])]
        sentences.append(f"{capital(_where(line.iloc[0]))}, step by step: {listed(_told_steps(line))}.")
    return sentences + ([_in_band(study, scales)] if has_others else [])


def _rates(study: Study, scales: Sequence[Scale]) -> Iterator[str]:
    """The most and the least that tables win, and at the easiest values each player count."""
    rates = {cell.id: intervals.share(study.measures[cell.id].per_deal["table", "won"]) for cell in study.headlines}
    ranked = sorted(study.headlines, key=lambda cell: rates[cell.id].value)
    most, least = (
        f"{told(rates[cell.id], PERCENT)} {'of games ' * first}with {cell.players_name}, {_values(study, cell, scales)}"
        for first, cell in ((True, ranked[-1]), (False, ranked[0]))
    )
    yield f"Tables win {most}, and {least}: the most and the least of {len(ranked)} settings{strongest(study)}."
    easiest = [cell for cell in study.headlines if all(_place(study, cell, scale) == 0 for scale in scales)]
    if len(easiest) > 1:
        each = [f"{told(rates[cell.id], PERCENT)} with {cell.players_name}" for cell in easiest]
        yield f"With {_values(study, easiest[0], scales)} tables win {listed(each)}."


def _values(study: Study, cell: Cell, scales: Sequence[Scale]) -> str:
    """A cell's values of the scales, in words."""
    return ", ".join(value_name(scale.rule, _value(study, cell, scale.rule), study.names) for scale in scales)


def _in_band(study: Study, scales: Sequence[Scale]) -> str:
    """Of the base's scale values under other settings: how the verdicts fall."""
    judged = [
        study.verdicts[cell.id].word
        for cell in study.headlines
        if _rest(study, cell, scales) and all(_place(study, cell, scale) == 0 for scale in scales)
    ]
    low, high = study.run.experiment.verdicts.win_rate
    counts = {word: judged.count(word) for word in dict.fromkeys(judged)}
    parts = [f"{n} {'is' if n == 1 else 'are'} {word}" for word, n in counts.items()]
    band = f"{PERCENT.number(low, 0)} to {PERCENT.number(high, 0)} %"
    easiest = listed([value_name(s.rule, s.values[0], study.names) for s in scales])
    return f"Of the other settings with {easiest}, judged against a win rate of {band}, {listed(parts)}."
