"""What does something yield, strategy by strategy: means and ratios of what seats have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from simkit.report.blocks import Block, Part, Section, Text
from simkit.report.pooled import LabelSums, Pool, counts_of, label_order, pooled_words, pools, seat_games, seat_sums
from simkit.report.sections.shown import HALF, PLAIN, pool_keys, table_of, wide_texts
from simkit.report.study import Study
from simkit.report.words import Unit, whole
from simkit.stats.intervals import Bounds
from simkit.stats.rates import rates


@dataclass(frozen=True)
class SeatRatio:
    """The sum of some columns of `seats` per sum of others; per game and seat where there are no others."""

    name: str
    tops: Sequence[str]
    bottoms: Sequence[str] = ()
    unit: Unit = PLAIN
    bounds: Bounds = (0, 1000)


@dataclass(frozen=True)
class TallyRate:
    """What a tally counted per game and seat, `most` at the most: of its keys only the values listed."""

    name: str
    tally: str
    where: Mapping[str, Sequence[Any]]
    most: int
    unit: Unit = PLAIN


Measured = SeatRatio | TallyRate


def ratios(measures: Sequence[Measured], name: str, heading: str, caption: str, notes: Any = None) -> Section:
    """A table with a row per strategy and a column per measure.

    Parameters
    ----------
    measures
    name
        Of the table.
    heading, caption
    notes
        (study) -> sentences above the table; optional.
    """

    def section(study: Study) -> Part:
        rows = [row for pool in pools(study) for row in _rows(study, pool, measures)]
        table = pd.DataFrame(rows)
        note = pooled_words(study)
        told = f"{caption}{f' ({note})' if note else ''}; {HALF}, by the spread of 64 groups of deals."
        sentences = list(notes(study)) if notes else []
        above: list[Block] = [Text(sentences)] if sentences else []
        return Part(heading, [*above, table_of(name, told, _shown(table, measures), table)])

    return section


def _rows(study: Study, pool: Pool, measures: Sequence[Measured]) -> list[dict[str, Any]]:
    """A row per strategy and measure of one pool."""
    columns = [c for m in measures if isinstance(m, SeatRatio) for c in (*m.tops, *m.bottoms)]
    found = seat_sums(study, pool, list(dict.fromkeys(columns)))
    tallied = {m.name: _tallied(study, pool, m) for m in measures if isinstance(m, TallyRate)}
    rows = []
    for label in (label for label in label_order(study) if label in found):
        where = pool.where() | {"label": label, "n_games": found[label].n_games}
        for measure in measures:
            own = tallied[measure.name][label] if measure.name in tallied else _ratio(found[label], measure)
            rows.append(where | {"measure": measure.name} | own)
    return rows


def _ratio(sums: LabelSums, measure: Measured) -> dict[str, Any]:
    """One ratio, or one mean."""
    if not isinstance(measure, SeatRatio):
        return {}
    if measure.bottoms:
        return sums.ratio(measure.tops, measure.bottoms, measure.bounds).row()
    (column,) = measure.tops
    return sums.mean(column).row()


def _tallied(study: Study, pool: Pool, measure: TallyRate) -> dict[str, dict[str, Any]]:
    """A tally's rate for each strategy."""
    counts = counts_of(study, measure.tally, pool.cells)
    for key, values in measure.where.items():
        counts = counts[counts[key].isin(list(values))]
    found = rates(counts, seat_games(pool), ["label"], pool.n_deals, (0, measure.most))
    names = ("value", "low", "high", "n_deals", "level", "method", "few_cases")
    return {str(row["label"]): {name: row[name] for name in names} for row in found.to_dict("records")}


def _shown(table: pd.DataFrame, measures: Sequence[Measured]) -> dict[str, Any]:
    """A row per strategy, a column per measure."""
    first = table.drop_duplicates(["players", "setting", "label"])
    shown: dict[str, Any] = pool_keys(first) | {"strategy": list(first["label"])}
    for measure in measures:
        name = measure.name + (f" [{measure.unit.name}]" if measure.unit.name else "")
        shown[name] = wide_texts(table[table["measure"] == measure.name], measure.unit)
    return shown | {"games": list(first["n_games"].map(whole))}
