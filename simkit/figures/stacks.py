"""What a total is made of, row by row: stacked bars, what is taken away to the left of zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.figures.style import (
    COLOURS,
    GREY,
    HATCHES,
    INK,
    in_order,
    legend_above,
    name_rows,
    panels,
    percent_axis,
    row_height,
    styled,
)


@styled
def stacks(
    frame: pd.DataFrame,
    totals: pd.DataFrame | None,
    xlabel: str,
    edges: pd.DataFrame | None = None,
    percent: bool = False,
) -> Figure:
    """Stacked bars.

    Parameters
    ----------
    frame
        Columns `panel`, `row`, `part`, `value`; values below 0 are taken away.
    totals
        Columns `panel`, `row`, `value`, `low`, `high`: drawn as a dot with its interval; optional.
    xlabel
    edges
        Columns `panel`, `row`, `value`, `low`, `high`: the intervals of where parts end, drawn as whiskers.
    percent
        Values are shares.
    """
    names, parts = in_order(frame["panel"]), in_order(frame["part"])
    rows = {name: in_order(frame.loc[frame["panel"] == name, "row"]) for name in names}
    figure, axes = panels(names, [0.45 + row_height(own, 0.26) * len(own) for own in rows.values()])
    for axis, name in zip(axes, names, strict=True):
        _bars(axis, frame[frame["panel"] == name], rows[name], parts)
        if totals is not None:
            _dots(axis, totals[totals["panel"] == name], rows[name])
        if edges is not None:
            _whiskers(axis, edges[edges["panel"] == name], rows[name])
        axis.sharex(axes[0])
        if percent:
            percent_axis(axis.xaxis)
            axis.margins(x=0)
    axes[-1].set_xlabel(xlabel)
    legend_above(figure, *axes[0].get_legend_handles_labels())
    return figure


def _bars(axis: Axes, mine: pd.DataFrame, rows: list[str], parts: list[str]) -> None:
    """One panel's bars."""
    values = mine.pivot(index="row", columns="part", values="value").reindex(index=rows, columns=parts).fillna(0)
    ahead, behind = [0.0] * len(rows), [0.0] * len(rows)
    for i, part in enumerate(parts):
        own = values[part].tolist()
        left = [a if value >= 0 else b for a, b, value in zip(ahead, behind, own, strict=True)]
        look: dict[str, Any] = {
            "color": COLOURS[i % len(COLOURS)],
            "hatch": HATCHES[i % len(HATCHES)],
            "ec": "white",
            "lw": 0.5,
        }
        axis.barh(range(len(rows)), own, left=left, height=0.72, label=part, **look)
        ahead = [a + max(value, 0) for a, value in zip(ahead, own, strict=True)]
        behind = [b + min(value, 0) for b, value in zip(behind, own, strict=True)]
    axis.axvline(0, color=GREY, lw=0.8)
    name_rows(axis, rows)
    axis.grid(axis="x")


def _dots(axis: Axes, totals: pd.DataFrame, rows: list[str]) -> None:
    """What the bars come to."""
    y = [rows.index(row) for row in totals["row"]]
    ends = [totals["value"] - totals["low"], totals["high"] - totals["value"]]
    look: dict[str, Any] = {"fmt": "D", "color": INK, "mfc": "white", "ms": 4.5, "capsize": 2.5, "elinewidth": 1.2}
    axis.errorbar(totals["value"], y, xerr=ends, label="in all", **look)


def _whiskers(axis: Axes, edges: pd.DataFrame, rows: list[str]) -> None:
    """How sure it is where parts end."""
    y = [rows.index(row) for row in edges["row"]]
    ends = np.maximum([edges["value"] - edges["low"], edges["high"] - edges["value"]], 0)
    axis.errorbar(edges["value"], y, xerr=ends, fmt="none", ecolor=INK, elinewidth=1.1, capsize=2.2, capthick=0.9)
