"""Competing causes over time: how much each has ended by then."""

from __future__ import annotations

import math
from textwrap import fill

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.figures.style import COLOURS, LINES, in_order, legend_above, panels, percent_axis, styled


@styled
def incidence(frame: pd.DataFrame, xlabel: str, ylabel: str) -> Figure:
    """A rising line of steps with its band for each cause, a panel for each cell.

    Parameters
    ----------
    frame
        Columns `panel`, `series` (the cause), `x`, `value`, `low`, `high` [share].
    xlabel, ylabel
    """
    names, series = in_order(frame["panel"]), in_order(frame["series"])
    columns = min(len(names), 2)
    titles = [fill(name, 52 // columns) for name in names]
    figure, axes = panels(titles, [2.0] * math.ceil(len(names) / columns), columns)
    for axis, name in zip(axes, names, strict=True):
        axis.sharex(axes[0])
        axis.sharey(axes[0])
        for i, cause in enumerate(series):
            part = frame[(frame["panel"] == name) & (frame["series"] == cause)]
            colour = COLOURS[i % len(COLOURS)]
            axis.fill_between(part["x"], part["low"], part["high"], step="post", color=colour, alpha=0.3, lw=0)
            axis.step(part["x"], part["value"], where="post", color=colour, ls=LINES[i % len(LINES)], label=cause)
        percent_axis(axis.yaxis)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.grid(axis="y")
    axes[0].set_ylim(0, 1.05 * frame["high"].max())  # of all panels, which share their axes
    figure.supxlabel(xlabel, size=8.5)
    figure.supylabel(ylabel, size=8.5)
    longest = max(axes, key=lambda axis: len(axis.lines))
    legend_above(figure, *longest.get_legend_handles_labels())
    return figure
