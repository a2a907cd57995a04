"""The win matrix: how a strategy does as the one among others."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from simkit.figures.style import LINE, WIDTH, Drawing, in_order, row_height, styled

COLOURS = "PuOr_r"
"""Orange above fair, purple below, white at fair; the numbers say it in print."""

MOST_LETTERS = 22
"""On a line of a strategy's name."""


@styled
def matrix(frame: pd.DataFrame, fair: float) -> Figure:
    """Win shares of row strategies among column strategies.

    Parameters
    ----------
    frame
        Columns `label`, `among`, `value` [share] and `text`, what is written in the cell.
    fair
        The share that is white.
    """
    labels = in_order(pd.concat([frame["label"], frame["among"]]))
    table = frame.pivot(index="label", columns="among", values="value").reindex(index=labels, columns=labels)
    values = table.to_numpy(float)
    texts = frame.pivot(index="label", columns="among", values="text").reindex(index=labels, columns=labels)
    names = [textwrap.fill(label, MOST_LETTERS) for label in labels]
    more_lines = max(name.count("\n") for name in names)
    height = row_height(labels, 0.42, MOST_LETTERS) * len(labels) + 1.2 + LINE * more_lines
    figure = Drawing(figsize=(WIDTH, height), layout="constrained")
    axis = figure.subplots()
    reach = max(float(np.nanmax(np.abs(values - fair))), 1e-9)
    image = axis.imshow(values, cmap=COLOURS, vmin=fair - reach, vmax=fair + reach, aspect="auto")
    for (row, column), text in np.ndenumerate(texts.to_numpy(object)):
        if isinstance(text, str):
            strong = abs(values[row, column] - fair) > 0.6 * reach
            axis.text(column, row, text, ha="center", va="center", color="white" if strong else "black", size=7.5)
    tilt = {"rotation": 90, "va": "center"} if more_lines else {"rotation": 30}
    axis.set_xticks(range(len(labels)), names, ha="right", rotation_mode="anchor", **tilt)
    axis.set_yticks(range(len(labels)), names)
    axis.set_xlabel("in all other seats")
    axis.set_ylabel("in one seat")
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    colours = figure.colorbar(image, ax=axis, shrink=0.8, pad=0.02)
    colours.outline.set_visible(False)
    colours.ax.set_ylim(max(fair - reach, 0), min(fair + reach, 1))
    colours.ax.yaxis.set_major_formatter(lambda x, _: f"{100 * x:.0f} %")
    return figure
