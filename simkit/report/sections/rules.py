"""What does each setting change?"""

from __future__ import annotations

import pandas as pd

from simkit.report import tables
from simkit.report.blocks import Part
from simkit.report.sections.shown import (
    PAIRED,
    dots_of,
    estimates_of,
    gains_of,
    games_of,
    headline_rows,
    keys_of,
    strongest,
    table_of,
)
from simkit.report.study import Study
from simkit.report.words import POINTS, Unit

TURNS_CHANGE = Unit(1, "turns", signed=True)


def rules(study: Study) -> Part | None:
    """Cells that differ in their setting only, compared on the same deals."""
    if not study.changes:
        return None
    table = tables.change_table(study)
    told = headline_rows(study, table)
    told = told[told["gain"].notna() | told["kind"].isin(["seat", "table", "turns"])]
    shares, turns = told[told["kind"] != "turns"], told[told["kind"] == "turns"]
    shown = pd.concat([_shown(shares, POINTS), _shown(turns, TURNS_CHANGE)])
    wins = shares[shares["kind"].isin(["seat", "table"])]
    wins = wins.assign(who=[name.removeprefix("win share of ") for name in wins["measure"]], fair=0.0)
    bases = list(dict.fromkeys(change.base.spoken for change in study.changes))
    of = "the table’s win rate" if study.cooperative else "win shares"
    drawn = f"Change of {of} against {bases[0] if len(bases) == 1 else 'the base'}{strongest(study)}, in points."
    picture = dots_of(wins, "who", f"{drawn} Dashed: no change.", "change [points]", POINTS)
    caption = (
        f"Value under this setting less value under the other{strongest(study)}, on the same deals; ways to end that "
        f"never occur are left out. {PAIRED}"
    )
    return Part("What the settings change", [*picture, table_of("rule_differences", caption, dict(shown), table)])


def _shown(table: pd.DataFrame, unit: Unit) -> pd.DataFrame:
    """Paired differences as texts."""
    shown = keys_of(table) | {"against": table["base"], "measure": table["measure"]}
    return pd.DataFrame(shown | estimates_of(table, "changes by", unit) | gains_of(table) | games_of(table))
