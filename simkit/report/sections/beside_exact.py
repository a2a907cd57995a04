"""What was simulated beside what is known exactly: bars and dots, a table, and how many intervals hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from simkit.figures.beside import beside
from simkit.report.blocks import Picture, Table
from simkit.report.sections.shown import estimates_of, table_of
from simkit.report.words import PERCENT, SPACE, whole


@dataclass(frozen=True)
class Known:
    """How exact values are called.

    Parameters
    ----------
    exact, simulated
        In legends and headings.
    """

    exact: str = "exact"
    simulated: str = "simulated"


def exact_picture(table: pd.DataFrame, caption: str, xlabel: str, ylabel: str, known: Known) -> Picture:
    """Exact probabilities as bars, simulated shares as dots with their intervals.

    Parameters
    ----------
    table
        Columns `panel`, `series`, `x`, `exact` and those of an estimate.
    caption, xlabel, ylabel, known
    """
    caption = f"{caption} Bars: {known.exact}; dots with 95{SPACE}% intervals: {known.simulated}."
    figure = beside(table, xlabel, ylabel, known.exact, known.simulated)
    return Picture(figure, caption, f"{caption} The numbers are in the table below.")


def exact_table(name: str, caption: str, table: pd.DataFrame, keys: Mapping[str, str], known: Known) -> Table:
    """A row per value, folded.

    Parameters
    ----------
    name, caption
    table
        Columns of an estimate, `exact`, `n`, and those of `keys`.
    keys
        Column -> heading.
    known
    """
    shown: dict[str, Any] = {heading: table[column].astype(str) for column, heading in keys.items()}
    shown |= {known.exact: [f"{PERCENT.number(value, 2)}{SPACE}%" for value in table["exact"]]}
    shown |= estimates_of(table, known.simulated, PERCENT) | {"of": table["n"].map(whole)}
    return table_of(name, caption, shown, table, folded=True)


def agreement(table: pd.DataFrame, every: pd.DataFrame) -> str:
    """How many intervals hold the exact value, each by itself and all at once.

    Parameters
    ----------
    table
        Estimates at 95 % each, with `exact`.
    every
        The same at the level at which all hold at once.
    """
    told = ~table["few_cases"].astype(bool) & table["exact"].between(0, 1, inclusive="neither")
    n, held = int(told.sum()), int(_holds(table[told]).sum())
    wide = int(_holds(every[told]).sum())
    at_once = "all" if wide == n else f"{wide} of {n}"
    return (
        f"of {n} intervals {held} hold the exact value ({0.95 * n:.0f} would be expected at 95{SPACE}% each); widened "
        f"so that all should hold at once at 95{SPACE}%, {at_once} do. Shares that rest on fewer than 100 cases are "
        "left out."
    )


def _holds(table: pd.DataFrame) -> pd.Series[bool]:
    """Where the interval holds the exact value."""
    return (table["low"] <= table["exact"]) & (table["exact"] <= table["high"])
