"""Lines in panels that share their axes: what figures over time have in common."""

from __future__ import annotations

import math
from collections.abc import Callable
from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.figures.style import in_order, legend_above, panels


def lines(
    frame: pd.DataFrame, height: float, xlabel: str, ylabel: str, draw: Callable[[Axes, pd.DataFrame, int, str], None]
) -> Figure:
    """A panel for each cell, in it a line for each series; two panels beside each other.

    Parameters
    ----------
    frame
        Columns `panel`, `series`, and what `draw` reads.
    height
        Of a panel [inches].
    xlabel, ylabel
    draw
        (axis, rows of one panel and series, number of the series, its name).
    """
    names, series = in_order(frame["panel"]), in_order(frame["series"])
    columns = min(len(names), 2)
    titles = [fill(name, 52 // columns) for name in names]
    figure, axes = panels(titles, [height] * math.ceil(len(names) / columns), columns)
    for axis, name in zip(axes, names, strict=True):
        axis.sharex(axes[0])
        axis.sharey(axes[0])
        for i, label in enumerate(series):
            draw(axis, frame[(frame["panel"] == name) & (frame["series"] == label)], i, label)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.grid(axis="y")
    figure.supxlabel(xlabel, size=8.5)
    figure.supylabel(ylabel, size=8.5)
    longest = max(axes, key=lambda axis: len(axis.lines))
    legend_above(figure, *longest.get_legend_handles_labels())
    return figure
