"""Distributions of whole numbers side by side, a panel for each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.figures.style import COLOURS, HATCHES, INK, in_order, legend_above, panels, percent_axis, styled

ROOM = 0.84
"""That the bars of one value fill."""


@styled
def distributions(frame: pd.DataFrame, ylabel: str) -> Figure:
    """Bars with intervals: a group for each value, in it a bar for each series.

    Parameters
    ----------
    frame
        Columns `panel`, `series`, `x` (whole numbers), `value`, `low`, `high` [share].
    ylabel
    """
    names, series = in_order(frame["panel"]), in_order(frame["series"])
    columns = min(len(names), 2)
    figure, axes = panels(names, [1.55] * math.ceil(len(names) / columns), columns)
    for axis, name in zip(axes, names, strict=True):
        _panel(axis, frame[frame["panel"] == name], series)
    figure.supylabel(ylabel, size=8.5)
    legend_above(figure, *axes[0].get_legend_handles_labels())
    return figure


def _panel(axis: Axes, mine: pd.DataFrame, series: list[str]) -> None:
    """One panel."""
    width = ROOM / len(series)
    for i, name in enumerate(series):
        part = mine[mine["series"] == name]
        x = part["x"].to_numpy(float) + (i - (len(series) - 1) / 2) * width
        ends = np.maximum([part["value"] - part["low"], part["high"] - part["value"]], 0)
        look: dict[str, Any] = {"color": COLOURS[i % len(COLOURS)], "hatch": HATCHES[i % len(HATCHES)]}
        whisker = {"elinewidth": 0.8, "ecolor": INK, "capsize": 1.2, "capthick": 0.8}
        axis.bar(x, part["value"], width, yerr=ends, ec="white", lw=0.4, label=name, error_kw=whisker, **look)
    axis.set_xlim(mine["x"].min() - 0.6, mine["x"].max() + 0.6)
    axis.set_ylim(bottom=0)
    axis.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    percent_axis(axis.yaxis)
    axis.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axis.tick_params(axis="x", length=0)
    axis.grid(axis="y")
