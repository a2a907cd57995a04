"""Does it help a cooperative table if its seats play differently?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from simkit.report import tables
from simkit.report.blocks import Part
from simkit.report.cells import Cell
from simkit.report.per_deal import table_rate
from simkit.report.sections.shown import PAIRED, estimates_of, gains_of, games_of, keys_of, table_of
from simkit.report.study import Study
from simkit.report.words import POINTS, estimate_of, players_name, told
from simkit.stats.comparisons import paired


def mixed_tables(study: Study) -> Part | None:
    """Tables of several strategies against tables of each of them alone, on the same deals."""
    if not study.cooperative:
        return None
    rows = [row for cell in study.cells if not cell.is_mirror for row in _rows(study, cell)]
    if not rows:
        return None
    table = pd.DataFrame(rows)
    shown: dict[str, Any] = keys_of(table) | {"against a table of": table["other"]}
    shown |= estimates_of(table, "leads by", POINTS) | gains_of(table) | games_of(table)
    caption = f"Win rate of a mixed table less that of a table where all play alike, on the same deals. {PAIRED}"
    part = table_of("mixed_tables", caption, shown, table)
    return Part("Mixed tables", [part], answer=[_sentence(table)] if not study.varied else ())


def _rows(study: Study, mixed: Cell) -> Iterator[dict[str, Any]]:
    """A row per strategy at the table that also sits at one of its own."""
    rate = table_rate()
    for label in dict.fromkeys(mixed.labels):
        group = study.groups[mixed.info.players, mixed.setting_name]
        alone = next((cell for cell in group if set(cell.labels) == {label}), None)
        if alone is not None:
            difference = paired(rate.read(study.run, alone), rate.read(study.run, mixed))
            yield tables.keys(mixed) | {"other": label} | difference.row()


def _sentence(table: pd.DataFrame) -> str:
    """How many mixed tables do better than the better of their strategies alone, and which comes nearest to it."""
    best = table.sort_values("value", kind="stable").drop_duplicates("cell")  # against the better strategy
    sure = best[~best["few_cases"].astype(bool)]
    ahead, behind = int((sure["low"] > 0).sum()), int((sure["high"] < 0).sum())
    top = best.iloc[-1]
    return (
        f"Of {len(best)} mixed tables {ahead or 'none'} win{'s' * (ahead == 1)} more often than a table of the better "
        f"of their strategies alone, and {behind or 'none'} win{'s' * (behind == 1)} less often, beyond the interval; "
        f"the best in that is {top['line_up']} with {players_name(int(top['players']))}: "
        f"{told(estimate_of(top), POINTS)} against {top['other']} alone."
    )
