"""Numbers in rows and columns, told and shaded."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from simkit.figures.style import WIDTH, Drawing, in_order, styled

SHADES = "Blues"
MOST_LETTERS = 14
FEW_COLUMNS = 4
"""That are wide enough for a text on one line; with more it breaks at its blanks."""


@styled
def grid(frame: pd.DataFrame) -> Figure:
    """A shaded table; the darker, the more.

    Parameters
    ----------
    frame
        Columns `row`, `column`, `value` and `text`, what is written in the cell.
    """
    rows, columns = in_order(frame["row"]), in_order(frame["column"])
    values = frame.pivot(index="row", columns="column", values="value").reindex(index=rows, columns=columns)
    texts = frame.pivot(index="row", columns="column", values="text").reindex(index=rows, columns=columns)
    names = [textwrap.fill(name, MOST_LETTERS) for name in columns]
    if len(columns) > FEW_COLUMNS:
        texts = texts.map(lambda text: text.replace(" ", "\n") if isinstance(text, str) else text)
    row = 0.24 if len(columns) <= FEW_COLUMNS else 0.33
    height = row * len(rows) + 0.75 + 0.08 * max(map(len, textwrap.wrap(" ".join(columns), MOST_LETTERS)), default=0)
    figure = Drawing(figsize=(WIDTH, height), layout="constrained")
    axis = figure.subplots()
    numbers = values.to_numpy(float)
    most = max(float(np.nanmax(numbers)), 1e-9)
    axis.imshow(np.sqrt(np.maximum(numbers, 0)), cmap=SHADES, vmin=0, vmax=1.25 * most**0.5, aspect="auto")
    for (line, column), text in np.ndenumerate(texts.to_numpy(object)):
        if isinstance(text, str):
            strong = numbers[line, column] > 0.55 * most
            axis.text(column, line, text, ha="center", va="center", color="white" if strong else "black", size=7)
    axis.xaxis.tick_top()
    tilt: dict[str, Any] = (
        {"rotation": 30, "ha": "left", "rotation_mode": "anchor"} if len(columns) > FEW_COLUMNS else {}
    )
    axis.set_xticks(range(len(columns)), names, **tilt)
    axis.set_yticks(range(len(rows)), rows)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    return figure
