"""How far seats have come, round by round."""

from __future__ import annotations

import math
from textwrap import fill

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.figures.style import COLOURS, LINES, MARKERS, in_order, legend_above, panels, styled


@styled
def progress(frame: pd.DataFrame, xlabel: str, ylabel: str) -> Figure:
    """A line with its interval for each series, a panel for each cell.

    Parameters
    ----------
    frame
        Columns `panel`, `series`, `x`, `value`, `low`, `high`.
    xlabel, ylabel
    """
    names, series = in_order(frame["panel"]), in_order(frame["series"])
    columns = min(len(names), 2)
    titles = [fill(name, 52 // columns) for name in names]
    figure, axes = panels(titles, [1.9] * math.ceil(len(names) / columns), columns)
    for axis, name in zip(axes, names, strict=True):
        axis.sharex(axes[0])
        axis.sharey(axes[0])
        for i, seat in enumerate(series):
            part = frame[(frame["panel"] == name) & (frame["series"] == seat)]
            colour = COLOURS[i % len(COLOURS)]
            look = {"color": colour, "ls": LINES[i % len(LINES)], "marker": MARKERS[i % len(MARKERS)], "label": seat}
            axis.fill_between(part["x"], part["low"], part["high"], color=colour, alpha=0.25, lw=0)
            axis.plot(part["x"], part["value"], ms=3.2, lw=1.2, **look)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.grid(axis="y")
    figure.supxlabel(xlabel, size=8.5)
    figure.supylabel(ylabel, size=8.5)
    longest = max(axes, key=lambda axis: len(axis.lines))
    legend_above(figure, *longest.get_legend_handles_labels())
    return figure
