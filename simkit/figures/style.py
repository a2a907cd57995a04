"""How every figure looks, and how it becomes SVG: the same figure gives the same bytes."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, ParamSpec

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

P = ParamSpec("P")

WIDTH = 5.0
"""Of every figure [inches]: text keeps its size from one figure to the next, and can be read on a phone."""

MOST_LETTERS = 42
"""On a line of a row's name."""
LINE = 0.145
"""Of text, from one to the next [inches]."""

LEGEND_LETTERS, HANDLE = 72, 6
"""On a line of a legend, and those that a handle takes the place of."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8A6D00", "#56B4E9")
"""After Okabe and Ito: told apart by colour-blind readers."""
MARKERS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("", "////", "", "....", "", "xxxx")
"""Neighbours differ in print too."""
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)))
INK, GREY, BAND = "#222222", "#767676", "#E9EDF0"

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "simkit",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial", "sans-serif"],
    "font.size": 8.5,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "hatch.linewidth": 0.6,
}


def styled(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """A function that draws a figure, in this style."""

    @wraps(draw)
    def in_style(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with mpl.rc_context(STYLE):
            return draw(*args, **kwargs)

    return in_style


class Drawing(Figure):
    """A figure that notebooks show without pyplot or any magic command."""

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return svg(self)


def panels(names: Sequence[str], heights: Sequence[float], columns: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure with a titled panel for each name, in rows of `columns`.

    Parameters
    ----------
    names
        Titles; an empty one stays away.
    heights
        Of each row of panels [inches].
    columns
    """
    figure = Drawing(figsize=(WIDTH, sum(heights) + 0.7), layout="constrained")
    grid = figure.subplots(len(heights), columns, squeeze=False, height_ratios=list(heights))
    axes = list(grid.flat)
    for axis, name in zip(axes, names, strict=False):
        axis.set_title(name)
    for axis in axes[len(names) :]:
        axis.remove()
    return figure, axes[: len(names)]


def in_order(column: pd.Series[Any]) -> list[Any]:
    """The values of a column in the order of their first appearance."""
    return list(dict.fromkeys(column))


def name_rows(axis: Axes, names: Sequence[str]) -> None:
    """Rows from the top with their names, long ones on several lines: the panel keeps its width."""
    axis.set_yticks(range(len(names)), [textwrap.fill(name, MOST_LETTERS) for name in names])
    axis.set_ylim(len(names) - 0.5, -0.5)
    axis.tick_params(axis="y", length=0)


def row_height(names: Sequence[str], least: float, letters: int = MOST_LETTERS) -> float:
    """Of the rows of a panel: all as high as that with the longest name, in lines of so many letters [inches]."""
    lines = max((len(textwrap.wrap(name, letters)) for name in names), default=1)
    return max(least, LINE * lines + 0.06)


def percent_axis(axis: Axis, signed: bool = False) -> None:
    """Tick labels of shares in percent, of changes of shares in points with their sign."""
    axis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda share, _: _in_percent(share, signed)))


def _in_percent(share: float, signed: bool) -> str:
    """
    >>> _in_percent(-0.015, signed=True), _in_percent(0.3, signed=False)
    ('−1.5', '30')
    """
    percent = round(100 * share, 9) + 0.0
    return f"{percent:{'+' if signed and percent else ''}g}".replace("-", "−")


def legend_above(figure: Figure, handles: Iterable[Any], labels: Sequence[str]) -> None:
    """One legend for all panels, above them."""
    if len(labels) > 1:
        on_one_line = sum(map(len, labels)) + HANDLE * len(labels) <= LEGEND_LETTERS
        columns = len(labels) if on_one_line else min(len(labels), 4)
        figure.legend(handles, labels, loc="outside upper left", ncols=columns, handletextpad=0.4)


def _settle(figure: Figure) -> None:
    """Round the layout and keep it: the last digits of the solver differ from one process to the next."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axis in figure.axes:
        left, bottom, width, height = (round(x, 4) for x in axis.get_position(original=True).bounds)
        axis.set_position((left, bottom, width, height))
    for text in figure.texts:
        x, y = text.get_position()
        text.set_position((round(x, 4), round(y, 4)))


def svg(figure: Figure) -> str:
    """The figure as an SVG document, without date; ids are salted hashes, so that equal figures are equal bytes."""
    buffer = io.StringIO()
    with mpl.rc_context(STYLE):
        _settle(figure)
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": "simkit"})
    return buffer.getvalue()


def png(figure: Figure) -> bytes:
    """The figure as a PNG image, in twice the points of a screen."""
    buffer = io.BytesIO()
    with mpl.rc_context(STYLE):
        figure.savefig(buffer, format="png", dpi=200, metadata={"Software": "simkit"})
    return buffer.getvalue()
