"""Distributions of whole numbers as bars, a panel for each."""

from __future__ import annotations

import math
from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.figures.style import COLOURS, in_order, panels, percent_axis, styled

FEW = 7
"""Bars of a panel that have room for their number above."""
MOST_LETTERS = 82
"""On a line of the title."""


@styled
def bars(frame: pd.DataFrame, title: str, ylabel: str) -> Figure:
    """A bar for each value, in panels side by side; where all values are few, panels share their scales.

    Parameters
    ----------
    frame
        Columns `panel`, `unit` (of the panel's values), `value` [whole number], `share`, and `text`, what is written
        above the bar.
    title
        What was asked, above them all.
    ylabel
    """
    names = in_order(frame["panel"])
    columns = min(len(names), 2)
    figure, axes = panels(names, [1.45] * math.ceil(len(names) / columns), columns)
    are_few = frame["value"].max() - frame["value"].min() < FEW
    for axis, name in zip(axes, names, strict=True):
        part = frame[frame["panel"] == name]
        _panel(axis, part, are_few)
        scale = frame if are_few else part
        axis.set_xlim(scale["value"].min() - 0.6, scale["value"].max() + 0.6)
        axis.set_ylim(0, 1.15 * scale["share"].max())
    figure.suptitle(fill(title, MOST_LETTERS), x=0.01, ha="left", size=8.5)
    figure.supylabel(ylabel, size=8.5)
    return figure


def _panel(axis: Axes, part: pd.DataFrame, has_texts: bool) -> None:
    """One distribution."""
    drawn = axis.bar(part["value"], part["share"], width=0.7, color=COLOURS[0])
    if has_texts:
        axis.bar_label(drawn, part["text"], padding=2, size=7.5)
    axis.set_xlabel(part["unit"].iloc[0])
    percent_axis(axis.yaxis)
    axis.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axis.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axis.grid(axis="y")
    axis.tick_params(axis="x", length=0)
