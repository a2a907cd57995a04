"""Figures: what they draw is what they were given, and the same figure is the same bytes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from simkit.figures.bars import bars
from simkit.figures.beside import beside
from simkit.figures.distributions import distributions
from simkit.figures.dots import dots
from simkit.figures.grid import grid
from simkit.figures.incidence import incidence
from simkit.figures.matrix import matrix
from simkit.figures.progress import progress
from simkit.figures.stacks import stacks
from simkit.figures.style import svg
from simkit.figures.turns import histogram, ranges

SHARES = pd.DataFrame(
    [
        (
            f"{players} players",
            setting,
            f"seat {seat}",
            1 / players,
            1 / players - 0.01,
            1 / players + 0.02,
            1 / players,
        )
        for players in (2, 3)
        for setting in ("basic", "sharks = 2")
        for seat in range(1, players + 1)
    ],
    columns=["panel", "row", "series", "value", "low", "high", "fair"],
)
SHARES = SHARES.assign(band_low=SHARES["fair"] - 0.02, band_high=SHARES["fair"] + 0.02)
WINS = pd.DataFrame(
    [("a", "b", 0.6, "60\n±1"), ("b", "a", 0.1, "10\n±1"), ("c", "a", 0.3, "30\n±1")],
    columns=["label", "among", "value", "text"],
)
TURNS = pd.DataFrame({"panel": "2 players", "series": "all", "turns": [5, 6, 7], "value": [0.5, 0.3, 0.2]})
RANGES = pd.DataFrame({"panel": "x", "row": ["a", "b"], "q05": 1, "q25": 2, "q50": 3, "q75": 4, "q95": 9})
RUNS = pd.DataFrame(
    {"panel": "x", "series": "seat 1", "x": [1, 2], "value": [1.0, 2], "low": [1, 1.9], "high": [1, 2.1]}
)
KILLED = pd.DataFrame(
    {"panel": ["killed", "killed", "fled"], "unit": "residents", "value": [0, 1, 0], "share": [0.75, 0.25, 1]}
).assign(text=["75", "25", "100"])

KNOWN = pd.DataFrame(
    [("killed", f"{n} dice", x, 0.5, 0.4 + 0.1 * x, 0.3, 0.6) for n in (1, 2) for x in (0, 1)],
    columns=["panel", "series", "x", "exact", "value", "low", "high"],
)
PARTS = pd.DataFrame(
    [
        ("2 players", row, part, value)
        for row in ("a", "b")
        for part, value in (("hunt", 3), ("cards", 2), ("spent", -1))
    ],
    columns=["panel", "row", "part", "value"],
)
TOTALS = pd.DataFrame({"panel": "2 players", "row": ["a", "b"], "value": 4.0, "low": 3.5, "high": 4.5})
ENDS = pd.DataFrame({"panel": "2 players", "row": ["a", "b"], "value": [3.0, 3], "low": [2.5, 2.8], "high": [3.6, 3.1]})
OVER = pd.DataFrame(
    [
        (panel, cause, turn, turn / 10, turn / 10 - 0.02, turn / 10 + 0.03)
        for panel in ("easy", "hard")
        for cause in ("won", "lost")
        for turn in (0, 2, 5)
    ],
    columns=["panel", "series", "x", "value", "low", "high"],
)
LEFT = pd.DataFrame(
    [
        ("pages", series, x, share, share - 0.1, share + 0.05)
        for series in ("won", "lost")
        for x, share in ((3, 0.3), (4, 0.7))
    ],
    columns=["panel", "series", "x", "value", "low", "high"],
)
SHADED = pd.DataFrame(
    [(row, column, value, f"{value} ±1") for row, value in (("pass", 5), ("build", 60)) for column in ("a", "b")],
    columns=["row", "column", "value", "text"],
)

DRAWN = {
    "beside": lambda: beside(KNOWN, "number", "share"),
    "stacks": lambda: stacks(PARTS, TOTALS, "fame"),
    "stacked shares": lambda: stacks(PARTS, None, "fame", ENDS, percent=True),
    "incidence": lambda: incidence(OVER, "turn", "share"),
    "distributions": lambda: distributions(LEFT, "share"),
    "grid": lambda: grid(SHADED),
    "bars": lambda: bars(KILLED, "What was asked.", "probability"),
    "dots": lambda: dots(SHARES, "share"),
    "matrix": lambda: matrix(WINS, 0.33),
    "histogram": lambda: histogram(TURNS),
    "ranges": lambda: ranges(RANGES),
    "progress": lambda: progress(RUNS, "round", "run"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_the_same_figure_is_the_same_bytes_of_valid_svg(name: str) -> None:
    first, second = (svg(DRAWN[name]()) for _ in range(2))
    assert first == second
    assert "dc:date" not in first
    ElementTree.fromstring(first)


def test_dots_are_drawn_where_the_values_are() -> None:
    figure = dots(SHARES, "share")
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["2 players", "3 players"]
    for axis, (_, part) in zip(figure.axes, SHARES.groupby("panel"), strict=True):
        lines = [c for c in axis.containers if len(c.lines[0].get_xdata())]
        drawn = np.sort(np.concatenate([c.lines[0].get_xdata() for c in lines]))
        assert drawn.tolist() == pytest.approx(sorted(part["value"]))
        ends = np.concatenate([s[:, 0] for c in lines for s in c.lines[2][0].get_segments()])
        assert np.sort(ends).tolist() == pytest.approx(sorted([*part["low"], *part["high"]]))
        assert [label.get_text() for label in axis.get_yticklabels()] == ["basic", "sharks = 2"]


def test_bars_share_their_scales_where_values_are_few() -> None:
    figure = bars(KILLED, "What was asked.", "probability")
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["killed", "fled"]
    assert [[bar.get_height() for bar in axis.patches] for axis in figure.axes] == [[0.75, 0.25], [1]]
    assert [[text.get_text() for text in axis.texts] for axis in figure.axes] == [["75", "25"], ["100"]]
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()
    many = KILLED.assign(value=[0, 30, 0])
    figure = bars(many, "What was asked.", "probability")
    assert not figure.axes[0].texts
    assert figure.axes[0].get_ylim() != figure.axes[1].get_ylim()


def test_an_estimate_without_interval_is_a_dot_alone() -> None:
    svg(dots(SHARES.assign(low=-np.inf, high=np.inf), "share"))


def test_changes_carry_their_sign() -> None:
    figure = dots(SHARES.assign(value=-0.02, low=-0.03, high=0.01, fair=0.0), "change", signed=True)
    axis = figure.axes[0].xaxis
    assert axis.get_major_formatter()(-0.02) == "−2"
    assert axis.get_major_formatter()(0.01) == "+1"
    assert axis.get_major_formatter()(0) == "0"


def test_the_matrix_says_its_numbers_in_words_too() -> None:
    figure = matrix(WINS, 0.33)
    assert {text.get_text() for text in figure.axes[0].texts} == set(WINS["text"])


def test_bars_are_exact_and_dots_simulated() -> None:
    (axis,) = beside(KNOWN, "number", "share").axes
    assert [bar.get_height() for bar in axis.patches] == KNOWN["exact"].tolist()
    dots_drawn = np.concatenate([c.lines[0].get_ydata() for c in axis.containers if hasattr(c, "lines")])
    assert dots_drawn.tolist() == KNOWN["value"].tolist()


def test_a_share_without_interval_is_a_bar_alone() -> None:
    (axis,) = beside(KNOWN.assign(low=np.nan, high=np.nan), "number", "share").axes
    assert len(axis.patches) == len(KNOWN)
    assert not any(len(c.lines[0].get_ydata()) for c in axis.containers if hasattr(c, "lines"))


def test_bars_end_where_the_parts_end_and_what_is_taken_away_is_left_of_zero() -> None:
    (axis,) = stacks(PARTS, TOTALS, "fame").axes
    ends = {(round(bar.get_x(), 9), round(bar.get_x() + bar.get_width(), 9)) for bar in axis.patches}
    assert ends == {(0, 3), (3, 5), (0, -1)}


def test_whiskers_stand_where_parts_end() -> None:
    (axis,) = stacks(PARTS, None, "fame", ENDS).axes
    (whiskers,) = (c for c in axis.containers if hasattr(c, "has_xerr"))
    ends = [segment[:, 0].tolist() for segment in whiskers.lines[2][0].get_segments()]
    assert ends == [pytest.approx(pair) for pair in zip(ENDS["low"], ENDS["high"], strict=True)]
    assert len(stacks(PARTS, None, "fame").axes[0].containers) == 3  # no dots, no whiskers


def test_what_is_over_stays_over_until_the_next_turn() -> None:
    figure = incidence(OVER, "turn", "share")
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["easy", "hard"]
    for axis in figure.axes:
        assert [line.get_label() for line in axis.lines] == ["won", "lost"]
        assert all(line.get_drawstyle() == "steps-post" for line in axis.lines)
        assert axis.lines[0].get_ydata().tolist() == pytest.approx([0, 0.2, 0.5])
        assert len(axis.collections) == 2


def test_no_line_leaves_its_panel() -> None:
    higher = OVER.assign(value=OVER["value"] * 2, high=OVER["high"] * 2)
    figure = incidence(pd.concat([OVER, higher.assign(panel="dreadful")]), "turn", "share")
    assert all(axis.get_ylim()[1] > higher["high"].max() for axis in figure.axes)


def test_bars_of_two_kinds_stand_side_by_side_with_their_intervals() -> None:
    (axis,) = distributions(LEFT, "share").axes
    bars_drawn = list(axis.patches)
    assert [bar.get_height() for bar in bars_drawn] == [0.3, 0.7, 0.3, 0.7]
    assert bars_drawn[0].get_x() + bars_drawn[0].get_width() == pytest.approx(bars_drawn[2].get_x())
    ends = [s[:, 1].tolist() for c in axis.containers if hasattr(c, "has_yerr") for s in c.lines[2][0].get_segments()]
    assert ends == [pytest.approx(pair) for pair in zip(LEFT["low"], LEFT["high"], strict=True)]


def test_lines_of_panels_that_share_an_axis_are_all_within_it() -> None:
    frame = pd.concat([RUNS, RUNS.assign(panel="y", value=RUNS["value"] + 50, low=50, high=53)])
    for axis in progress(frame, "round", "run").axes:
        assert axis.get_ylim()[1] > 52


def test_a_shaded_table_says_its_numbers() -> None:
    (axis,) = grid(SHADED).axes
    assert [text.get_text() for text in axis.texts] == ["5 ±1", "5 ±1", "60 ±1", "60 ±1"]
    assert [tick.get_text() for tick in axis.get_yticklabels()] == ["pass", "build"]


def test_labels_are_text_not_markup_nor_mathematics() -> None:
    drawn = svg(dots(SHARES.assign(row="<b>$x^2$ & y</b>"), "share"))
    texts = [element.text for element in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert "<b>$x^2$ & y</b>" in texts


def test_statistics_do_without_matplotlib_and_figures_without_pyplot() -> None:
    code = (
        "import sys, simkit.stats.comparisons, simkit.stats.verdicts, simkit.stats.progress, simkit.stats.pacing;"
        "assert 'matplotlib' not in sys.modules;"
        "import simkit.figures.dots, simkit.figures.matrix; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_the_bytes_are_those_of_any_other_process() -> None:
    """The layout's last digits, which the solver does not repeat, must not reach the ids."""
    code = (
        "import hashlib; from simkit.figures.style import svg; from tests.test_figures import DRAWN;"
        "print([hashlib.sha256(svg(draw()).encode()).hexdigest() for draw in DRAWN.values()])"
    )
    digests = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout for _ in range(3)]
    assert len(set(digests)) == 1


@pytest.mark.parametrize("draw", [dots, ranges])
def test_long_names_leave_room_for_the_panel(draw: Callable[..., Figure]) -> None:
    long = ", ".join(f"rule_number_{i} = {i / 7:.6g}" for i in range(6))
    frames = {dots: SHARES.assign(row=SHARES["row"] + long), ranges: RANGES.assign(row=RANGES["row"] + long)}
    figure = draw(frames[draw], "share") if draw is dots else draw(frames[draw])
    svg(figure)  # a layout that does not fit warns
    texts = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert {text.replace("\n", " ") for text in texts} <= set(frames[draw]["row"])
    assert all(len(line) <= 42 for text in texts for line in text.split("\n"))
    assert all(axis.get_position().width > 0.3 for axis in figure.axes)


def test_long_names_leave_room_for_the_matrix() -> None:
    """Nor do those of two columns meet."""
    more = " and a name that goes on, and on, and on"
    figure = matrix(WINS.assign(label=WINS["label"] + more, among=WINS["among"] + more), 0.33)
    figure.draw_without_rendering()
    axis = figure.axes[0]
    assert axis.get_position().width > 0.4
    boxes = [tick.get_window_extent() for tick in axis.get_xticklabels()]
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))
