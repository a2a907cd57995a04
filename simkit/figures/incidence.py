"""Competing causes over time: how much each has ended by then."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.figures.lines import lines
from simkit.figures.style import COLOURS, LINES, percent_axis, styled


@styled
def incidence(frame: pd.DataFrame, xlabel: str, ylabel: str) -> Figure:
    """A rising line of steps with its band for each cause, a panel for each cell.

    Parameters
    ----------
    frame
        Columns `panel`, `series` (the cause), `x`, `value`, `low`, `high` [share].
    xlabel, ylabel
    """
    figure = lines(frame, 2.0, xlabel, ylabel, _steps)
    for axis in figure.axes:
        percent_axis(axis.yaxis)
    figure.axes[0].set_ylim(0, 1.05 * frame["high"].max())  # of all panels, which share their axes
    return figure


def _steps(axis: Axes, part: pd.DataFrame, i: int, label: str) -> None:
    """One cause."""
    colour = COLOURS[i % len(COLOURS)]
    axis.fill_between(part["x"], part["low"], part["high"], step="post", color=colour, alpha=0.3, lw=0)
    axis.step(part["x"], part["value"], where="post", color=colour, ls=LINES[i % len(LINES)], label=label)
