"""Tables on a terminal, and as plain columns where the output goes to a file or another program."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any, TextIO

import typer

from simkit.names import printable

if TYPE_CHECKING:
    from rich.console import Console

Row = Sequence[Any]

GAP = "  "
"""Between columns."""
MOST_WHOLE = 24
"""Words up to this length are not broken."""
MOST_BRIEF = 60
"""A value that may be long is cut to this length."""


def cell(value: Any) -> str:
    """A value as tables spell it, on one line.

    >>> cell((2, 3)), cell(False), cell(None)
    ('2, 3', 'false', '')
    """
    if isinstance(value, str):
        return printable(" ".join(value.split()))
    if isinstance(value, list | tuple):
        return ", ".join(f"({cell(item)})" if isinstance(item, list | tuple) else cell(item) for item in value)
    return "" if value is None else json.dumps(value)


def brief(value: Any) -> str:
    """A value that may be a whole table of a game's box, as tables spell it, cut where it is long.

    >>> brief((2, 3)), brief(["madness", "fear power", "draw", "shambler", "chaos", "rage power", "madness", "draw"])
    ('2, 3', 'madness, fear power, draw, shambler, chaos, rage power,...')
    """
    text = cell(value)
    if len(text) <= MOST_BRIEF:
        return text
    begin = text[: MOST_BRIEF - 3]
    return (begin.rpartition(" ")[0] or begin) + "..."


def show(title: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Print a table."""
    texts = [[cell(value) for value in row] for row in rows]
    if sys.stdout.isatty():
        _show_on_terminal(title, columns, texts)
        return
    if title:
        typer.echo(f"{title}:")
    for line in _plain_lines(columns, texts):
        typer.echo(line)
    typer.echo()


def _show_on_terminal(title: str, columns: Sequence[str], texts: Sequence[Sequence[str]]) -> None:
    """A table that fits the terminal's width; one paragraph a row where words would have to be broken."""
    from rich.console import Console

    console = Console(highlight=False)
    columns, texts = _without_empty(columns, texts)
    widths = _widths([columns, *texts], console.width)
    if widths is not None and (len(columns) <= 3 or _width(columns, texts) <= 2 * console.width):
        console.print(_rich_table(title, columns, texts, widths), "")
    else:
        _show_paragraphs(console, title, columns, texts)


def _without_empty(
    columns: Sequence[str], texts: Sequence[Sequence[str]]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Columns that say something in some row."""
    kept = [i for i in range(len(columns)) if not texts or any(row[i] for row in texts)]
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in texts]


def _widths(lines: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """Widths of columns that fit without breaking words, the widest folded first; None if there are none.

    >>> _widths([("cell", "line-up"), ("0123", "random, random, random")], 20)
    [4, 14]
    """
    columns = list(zip(*lines, strict=True))
    least = [min(MOST_WHOLE, max(len(word) for text in column for word in text.split() or [""])) for column in columns]
    widths = [max(map(len, column)) for column in columns]
    while sum(widths) + len(GAP) * (len(widths) - 1) > room:
        foldable = [i for i, width in enumerate(widths) if width > least[i]]
        if not foldable:
            return None
        widths[max(foldable, key=widths.__getitem__)] -= 1
    return widths


def _show_paragraphs(console: Console, title: str, columns: Sequence[str], texts: Sequence[Sequence[str]]) -> None:
    """A row a paragraph, headed by the first columns that tell rows apart."""
    from rich.padding import Padding
    from rich.text import Text

    n = next((n for n in range(1, len(columns)) if len({tuple(row[:n]) for row in texts}) == len(texts)), 1)
    if title:
        console.print(Text(title, style="italic"), "")
    for row in texts:
        named = [f"{column}: {text}" for column, text in zip(columns, row, strict=True) if text]
        heading = [told if text.isdigit() else text for told, text in zip(named, row[:n], strict=False)]
        console.print(Text(", ".join(heading), style="bold"))
        console.print(Padding(Text("\n".join(named[n:])), (0, 0, 1, 4)))


def _rich_table(title: str, columns: Sequence[str], texts: Sequence[Sequence[str]], widths: Sequence[int]) -> Any:
    """Columns side by side, long texts folded."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(title) if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for column, width in zip(columns, widths, strict=True):
        table.add_column(column, overflow="fold", width=width)
    for row in texts:
        table.add_row(*(Text(text) for text in row))
    return table


def _width(columns: Sequence[str], texts: Sequence[Sequence[str]]) -> int:
    """Of the table with nothing folded."""
    return max(map(len, _plain_lines(columns, texts)))


def _plain_lines(columns: Sequence[str], texts: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns, nothing cut."""
    rows = [list(columns), *texts]
    widths = [max(len(row[i]) for row in rows) for i in range(len(columns))]
    return [GAP.join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]


_DOCUMENTS: list[TextIO] = []
"""Where a document goes while other output is kept out of its way."""


@contextmanager
def documents_alone(is_asked: bool) -> Iterator[None]:
    """Where a document is asked for, nothing else goes to stdout: a strategy's prints go to the error stream."""
    if not is_asked:
        yield
        return
    _DOCUMENTS.append(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _DOCUMENTS.pop()


def show_json(document: Any, ensure_ascii: bool = True) -> None:
    """Print one JSON document."""
    text = json.dumps(document, indent=1, default=str, ensure_ascii=ensure_ascii)
    typer.echo(text, file=_DOCUMENTS[-1] if _DOCUMENTS else None)
