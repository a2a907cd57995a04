"""Exact probabilities as bars, what was simulated as dots with intervals upon them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.figures.style import COLOURS, INK, in_order, legend_above, panels, percent_axis, styled

ROOM = 0.82
"""That the bars of one place fill."""
PALE = 0.42


@styled
def beside(frame: pd.DataFrame, xlabel: str, ylabel: str, exact: str = "exact", simulated: str = "simulated") -> Figure:
    """A group of bars for each number, a bar for each series; without an interval there is no dot.

    Parameters
    ----------
    frame
        Columns `panel`, `series`, `x` (whole numbers), `exact`, `value`, `low`, `high` [probability].
    xlabel, ylabel
    exact, simulated
        What the legend calls bars and dots.
    """
    names, series = in_order(frame["panel"]), in_order(frame["series"])
    columns = min(len(names), 2)
    figure, axes = panels(names, [1.9] * math.ceil(len(names) / columns), columns)
    for axis, name in zip(axes, names, strict=True):
        _panel(axis, frame[frame["panel"] == name], series, exact, simulated)
        axis.sharey(axes[0])
    axes[0].set_ylim(bottom=0)
    figure.supxlabel(xlabel, size=8.5)
    figure.supylabel(ylabel, size=8.5)
    told = dict(zip(*reversed(axes[0].get_legend_handles_labels()), strict=True))
    told[simulated] = told.pop(simulated)  # last
    legend_above(figure, list(told.values()), list(told))
    return figure


def _panel(axis: Axes, mine: pd.DataFrame, series: list[str], exact: str, simulated: str) -> None:
    """One panel."""
    width = ROOM / len(series)
    for i, name in enumerate(series):
        part = mine[mine["series"] == name]
        place = (i - (len(series) - 1) / 2) * width
        x = part["x"].to_numpy(float) + place
        axis.bar(
            x,
            part["exact"],
            width * 0.94,
            color=COLOURS[i % len(COLOURS)],
            alpha=PALE,
            label=f"{name}, {exact}" if i == len(series) - 1 else name,
        )
        part = part[part["low"].notna()]
        ends = np.maximum([part["value"] - part["low"], part["high"] - part["value"]], 0)
        look: dict[str, Any] = {"fmt": "o", "color": INK, "ms": 2.4, "capsize": 1.6, "elinewidth": 0.9, "capthick": 0.9}
        axis.errorbar(part["x"] + place, part["value"], yerr=ends, label="" if i else simulated, **look)
    axis.set_xticks(sorted(mine["x"].unique()))
    axis.tick_params(axis="x", length=0)
    axis.grid(axis="y")
    percent_axis(axis.yaxis)
