"""How long games take: histograms of few cells, ranges of many."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.figures.style import (
    COLOURS,
    LINES,
    in_order,
    legend_above,
    name_rows,
    panels,
    percent_axis,
    row_height,
    styled,
)


@styled
def histogram(frame: pd.DataFrame) -> Figure:
    """The share of games of each length.

    Parameters
    ----------
    frame
        Columns `panel`, `series`, `turns`, `value` [share].
    """
    names, series = in_order(frame["panel"]), in_order(frame["series"])
    figure, axes = panels(names, [1.6] * len(names))
    for axis, name in zip(axes, names, strict=True):
        for i, cell in enumerate(series):
            part = frame[(frame["panel"] == name) & (frame["series"] == cell)]
            look = {"color": COLOURS[i % len(COLOURS)], "ls": LINES[i % len(LINES)], "label": cell}
            axis.plot(part["turns"], part["value"], drawstyle="steps-mid", **look)
        axis.set_ylim(bottom=0)
        axis.grid(axis="y")
        percent_axis(axis.yaxis)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.sharex(axes[0])
    axes[len(axes) // 2].set_ylabel("share of games [%]")
    axes[-1].set_xlabel("turns, all seats together")
    legend_above(figure, *axes[0].get_legend_handles_labels())
    return figure


@styled
def ranges(frame: pd.DataFrame) -> Figure:
    """The middle half and the middle nine tenths of games, row by row.

    Parameters
    ----------
    frame
        Columns `panel`, `row`, `q05`, `q25`, `q50`, `q75`, `q95` [turns].
    """
    names = in_order(frame["panel"])
    parts = {name: frame[frame["panel"] == name] for name in names}
    figure, axes = panels(names, [0.45 + row_height(part["row"], 0.26) * len(part) for part in parts.values()])
    for axis, part in zip(axes, parts.values(), strict=True):
        y = range(len(part))
        axis.hlines(y, part["q05"], part["q95"], color=COLOURS[0], lw=1.2, label="middle nine tenths")
        axis.hlines(y, part["q25"], part["q75"], color=COLOURS[0], lw=5, label="middle half")
        axis.plot(part["q50"], y, "o", color="white", mec=COLOURS[0], ms=5.5, label="median")
        name_rows(axis, list(part["row"]))
        axis.grid(axis="x")
        axis.sharex(axes[0])
    axes[-1].set_xlabel("turns, all seats together")
    legend_above(figure, *axes[0].get_legend_handles_labels())
    return figure
