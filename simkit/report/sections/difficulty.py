"""Is what should be harder harder: the table's win rate by two rules, and steps from easy to hard on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from simkit.figures.grid import grid
from simkit.report.blocks import Block, Part, Picture, Section, Table, Text
from simkit.report.cells import THE_DEFAULTS
from simkit.report.sections import difficulty_told
from simkit.report.sections.difficulty_steps import Scale, lines_of, named, orders_of, place_of, rest_of, steps_of
from simkit.report.sections.shown import (
    HALF,
    PAIRED,
    by_measure,
    estimates_of,
    gains_of,
    keys_of,
    strongest,
    table_of,
    wide_texts,
)
from simkit.report.study import Study
from simkit.report.words import PERCENT, POINTS, whole
from simkit.stats import intervals


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
        steps = pd.DataFrame([row for scale in scales for row in steps_of(study, scale, scales)])
        if steps.empty:
            return None
        blocks: list[Block] = [Text([*notes, *difficulty_told.survives(steps, scales)])]
        if len(scales) > 1 or steps["players"].nunique() > 1:
            blocks.append(_picture(study, rows, columns, scales))
        orders = [_order_table(study, steps, scale, scales) for scale in scales]
        blocks += [table for table in orders if table is not None]
        return Part(heading, [*blocks, _step_table(steps)], answer=difficulty_told.answer(study, steps, scales))

    return section


# --------------------------------------------------------------------------------------------------- the shaded table


def _picture(study: Study, rows: Scale, columns: Scale, scales: Sequence[Scale]) -> Picture:
    """The win rates of the headline line-ups, without settings that change anything else."""
    cells = [cell for cell in study.headlines if not rest_of(study, cell, scales)]
    cells.sort(key=lambda cell: (place_of(study, cell, rows), cell.info.players, place_of(study, cell, columns)))
    several = len({cell.info.players for cell in cells}) > 1
    places = []
    for cell in cells:
        rate = intervals.share(study.measures[cell.id].per_deal["table", "won"])
        row = named(study, cell, rows)
        mode = named(study, cell, columns) if columns in scales else ""
        where = (f"{row}, {cell.players_name}", mode) if several and mode else (row, mode or cell.players_name)
        places.append((*where, rate.value, _text(rate)))
    frame = pd.DataFrame(places, columns=["row", "column", "value", "text"])
    caption = (
        f"How often the table wins, in %, ± half the 95 % interval{strongest(study)}; at least "
        f"{whole(min(cell.n_games for cell in cells))} games each. The darker, the more often."
    )
    return Picture(grid(frame), caption, f"{caption} The numbers are in the table of win rates.")


def _text(rate: intervals.Estimate) -> str:
    """A number and half its interval."""
    digits = min(PERCENT.digits(rate.low, rate.high), 1)
    return f"{PERCENT.number(rate.value, digits)} ±{PERCENT.number((rate.high - rate.low) / 2, digits)}"


# ------------------------------------------------------------------------------------------------------------ tables


def _order_table(study: Study, steps: pd.DataFrame, scale: Scale, scales: Sequence[Scale]) -> Table | None:
    """A row per line, where there are several: the win rate at each value, and whether the order holds."""
    lines = [line for line in lines_of(study, scale, scales) if len(line.cells) > 1]
    if len(lines) < 2:
        return None
    rows = []
    for number, (line, order) in enumerate(zip(lines, orders_of(steps, scale)["order"], strict=True)):
        for cell in line.cells:
            rate = intervals.share(study.measures[cell.id].per_deal["table", "won"])
            name = named(study, cell, scale)
            keys = {"line": number, "players": line.players, "setting": line.rest or THE_DEFAULTS}
            keys |= {"line_up": cell.line_up_name, "n_games": cell.n_games}
            rows.append(keys | {scale.name: name} | rate.row() | {"order": order})
    table = pd.DataFrame(rows)
    first = table.drop_duplicates("line")
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    shown["order"] = list(first["order"])
    for name, mine in by_measure(table, ["line"], scale.name):
        shown[f"{name} [%]"] = wide_texts(mine, PERCENT)
    caption = f"How often the table wins by {scale.name}, and whether it falls at every step: {HALF}."
    name = f"order_by_{scale.rule.removeprefix('rules.')}"
    return table_of(name, caption, shown, table.drop(columns="line"))


def _step_table(steps: pd.DataFrame) -> Any:
    """Every step."""
    several = steps["setting"].ne("").any()
    told = steps.assign(setting=steps["setting"].replace("", THE_DEFAULTS)) if several else steps
    shown: dict[str, Any] = keys_of(told)
    shown |= {"from": steps["easier"], "to": steps["harder"]} | estimates_of(steps, "win rate changes by", POINTS)
    shown |= gains_of(steps) | {"which is": steps["is"]}
    caption = f"Step by step towards what should be harder, on the same deals. {PAIRED}"
    return table_of("difficulty_steps", caption, shown, steps.drop(columns="line"))
