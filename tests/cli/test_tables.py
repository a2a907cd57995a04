"""Tables on a narrow terminal: words stay whole, and nothing is lost."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import pytest

from simkit.cli import tables


def shown(monkeypatch: pytest.MonkeyPatch, width: int, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """What a terminal of that width shows."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", str(width))
    tables.show("", columns, rows)
    return re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())


COLUMNS = ("cell", "players", "rules", "line-up", "deals")
ROWS = [
    ("eca9665e421a", "2", "", "spiteful, spiteful", "100,000"),
    ("7c7d26934459", "4", "", "longest-run, random, longest-run, random", "25,000"),
]


@pytest.mark.parametrize("width", [200, 80, 60, 53])
def test_words_are_whole_and_lines_fit(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    text = shown(monkeypatch, width, COLUMNS, ROWS)
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width
    words = text.split()
    for row in ROWS:
        for word in " ".join(row).split():
            assert words.count(word) >= 1, word
    assert "cell" in words
    assert "rules" not in words, "a column that says nothing"


def test_where_no_table_fits_a_row_is_a_paragraph(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, 40, COLUMNS, ROWS)
    assert "eca9665e421a\n" in text
    assert "    players: 2" in text
    assert "    line-up: longest-run, random," in text


def test_a_paragraph_is_headed_by_what_tells_it_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("2", "bold", "x" * 20, "y" * 20), ("2", "random", "x" * 20, "y" * 20)]
    text = shown(monkeypatch, 30, ("players", "strategy", "first", "second"), rows)
    assert "players: 2, bold\n" in text
    assert "players: 2, random\n" in text


def test_very_long_words_are_broken_and_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, 40, ("name", "path"), [("own", "/" + "a" * 70)])
    assert sum(line.count("a") for line in text.splitlines()) == 70 + "name path".count("a")
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 40
