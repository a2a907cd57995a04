"""Estimates as dots with their intervals, row by row: shares against a band, differences against zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.figures.style import (
    BAND,
    COLOURS,
    GREY,
    MARKERS,
    in_order,
    legend_above,
    name_rows,
    panels,
    percent_axis,
    row_height,
    styled,
)

STEP = 0.14
"""Between the dots of one row [inches]."""


@styled
def dots(frame: pd.DataFrame, xlabel: str, signed: bool = False, percent: bool = True) -> Figure:
    """Dots with intervals.

    Parameters
    ----------
    frame
        Columns `panel`, `row`, `series`, `value`, `low`, `high` [share]; and, if there is a band, `fair`, `band_low`,
        `band_high`, one value per panel. An infinite end is drawn as no interval.
    xlabel
    signed
        Values are changes: shown in points with their sign, not in percent.
    percent
        Values are shares; others are shown as they are.

    Returns
    -------
    Figure
    """
    names, series = in_order(frame["panel"]), in_order(frame["series"])
    parts = {name: frame[frame["panel"] == name] for name in names}
    step = STEP * len(series) + 0.14
    rows = [in_order(part["row"]) for part in parts.values()]
    figure, axes = panels(names, [0.45 + row_height(named, step) * len(named) for named in rows])
    for axis, part in zip(axes, parts.values(), strict=True):
        _rows(axis, part, series)
        if percent:
            percent_axis(axis.xaxis, signed)
    axes[-1].set_xlabel(xlabel)
    handles, labels = axes[0].get_legend_handles_labels()
    legend_above(figure, handles, labels)
    return figure


def _rows(axis: Axes, part: pd.DataFrame, series: list[str]) -> None:
    """One panel: a row for each `row`, in it a dot for each series."""
    rows = in_order(part["row"])
    _background(axis, part)
    for i, name in enumerate(series):
        mine = part[part["series"] == name]
        y = np.array([rows.index(row) for row in mine["row"]]) + _offset(i, len(series))
        ends = np.array([mine["value"] - mine["low"], mine["high"] - mine["value"]])
        ends[~np.isfinite(ends)] = 0
        look: dict[str, Any] = {"fmt": MARKERS[i % len(MARKERS)], "color": COLOURS[i % len(COLOURS)]}
        axis.errorbar(mine["value"], y, xerr=np.maximum(ends, 0), label=name, ms=5, capsize=2.5, elinewidth=1.2, **look)
    name_rows(axis, rows)
    axis.grid(axis="x")


def _background(axis: Axes, part: pd.DataFrame) -> None:
    """The band, and the line at fair (or zero)."""
    if "band_low" in part:
        axis.axvspan(part["band_low"].iloc[0], part["band_high"].iloc[0], color=BAND, lw=0)
    if "fair" in part:
        axis.axvline(part["fair"].iloc[0], color=GREY, lw=1, ls="--")


def _offset(i: int, n: int) -> float:
    """Where in its row the i-th of n series lies."""
    return (i - (n - 1) / 2) * STEP / (STEP * n + 0.14)
