"""What is a seat's score made of, strategy by strategy?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from simkit.figures.stacks import stacks
from simkit.report.blocks import Part, Picture, Section
from simkit.report.pooled import Pool, label_order, pooled_words, pools, seat_sums
from simkit.report.sections.shown import HALF, pool_keys, pool_name, table_of, wide_texts
from simkit.report.study import Study
from simkit.report.words import whole

TOTAL = "in all"


def sources(columns: Mapping[str, str], total: str, heading: str, unit: str, minus: Sequence[str] = ()) -> Section:
    """The means of columns of `seats` that add up to another one.

    Parameters
    ----------
    columns
        Column -> what it is called.
    total
        The column that they add up to.
    heading, unit
        Of the section; what is counted.
    minus
        Those of `columns` that are taken away.
    """

    def section(study: Study) -> Part:
        rows = [row for pool in pools(study) for row in _rows(study, pool, columns, total, minus)]
        table = pd.DataFrame(rows)
        note = pooled_words(study)
        caption = (
            f"Mean {unit} of a seat by what it came from{f' ({note})' if note else ''}; {HALF}, "
            "by the spread of 64 groups of deals."
        )
        bars = f"Mean {unit} of a seat, by strategy and by what it came from. The diamond is what they come to."
        alt = f"{bars} The numbers are in the table below."
        wide = table_of("sources", caption, _shown(table), table)
        return Part(heading, [Picture(_drawn(table, unit), bars, alt), wide])

    return section


def _rows(
    study: Study, pool: Pool, columns: Mapping[str, str], total: str, minus: Sequence[str]
) -> list[dict[str, Any]]:
    """A row per strategy and source of one pool."""
    found = seat_sums(study, pool, [*columns, total])
    names = {total: TOTAL} | dict(columns)
    labels = [label for label in label_order(study) if label in found]
    return [
        pool.where()
        | {"label": label, "n_games": found[label].n_games, "source": name, "sign": -1 if column in minus else 1}
        | found[label].mean(column).row()
        for label in labels
        for column, name in names.items()
    ]


def _shown(table: pd.DataFrame) -> dict[str, Any]:
    """A row per strategy, a column per source."""
    first = table.drop_duplicates(["players", "setting", "label"])
    shown: dict[str, Any] = pool_keys(first) | {"strategy": list(first["label"])}
    for name in dict.fromkeys(table["source"]):
        shown[name] = wide_texts(table[table["source"] == name])
    return shown | {"games": list(first["n_games"].map(whole))}


def _drawn(table: pd.DataFrame, unit: str) -> Any:
    """Bars and diamonds."""
    frame = table.assign(
        panel=[pool_name(*pair) for pair in zip(table["players"], table["setting"], strict=True)],
        row=table["label"],
        part=table["source"],
        value=table["value"] * table["sign"],
    )
    totals = frame["part"] == TOTAL
    return stacks(frame[~totals], frame[totals], f"mean {unit} of a seat")
