"""How far seats have come, round by round."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.figures.lines import lines
from simkit.figures.style import COLOURS, LINES, MARKERS, styled


@styled
def progress(frame: pd.DataFrame, xlabel: str, ylabel: str) -> Figure:
    """A line with its interval for each series, a panel for each cell.

    Parameters
    ----------
    frame
        Columns `panel`, `series`, `x`, `value`, `low`, `high`.
    xlabel, ylabel
    """
    return lines(frame, 1.9, xlabel, ylabel, _line)


def _line(axis: Axes, part: pd.DataFrame, i: int, label: str) -> None:
    """One series."""
    colour = COLOURS[i % len(COLOURS)]
    look: dict[str, Any] = {
        "color": colour,
        "ls": LINES[i % len(LINES)],
        "marker": MARKERS[i % len(MARKERS)],
        "label": label,
    }
    axis.fill_between(part["x"], part["low"], part["high"], color=colour, alpha=0.25, lw=0)
    axis.plot(part["x"], part["value"], ms=3.2, lw=1.2, **look)
