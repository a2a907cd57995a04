"""Tables on a terminal, and as plain columns where the output goes to a file or another program."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import typer

from simkit.names import printable

Row = Sequence[Any]


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
    """A table that fits the terminal's width; one paragraph a row where that would be all narrow columns."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    if max(map(len, _plain_lines(columns, texts))) <= 2 * console.width or len(columns) <= 3:
        console.print(_rich_table(title, columns, texts), "")
        return
    console.print(Text(title, style="italic"), "")
    for row in texts:
        console.print(Text(row[0], style="bold"))
        told = [f"{column}: {text}" for column, text in zip(columns[1:], row[1:], strict=True) if text]
        console.print(Padding(Text("\n".join(told)), (0, 0, 1, 4)))


def _rich_table(title: str, columns: Sequence[str], texts: Sequence[Sequence[str]]) -> Any:
    """Columns side by side, long texts folded."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(title) if title else None, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False
    )
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column == columns[0])
    for row in texts:
        table.add_row(*(Text(text) for text in row))
    return table


def _plain_lines(columns: Sequence[str], texts: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns, nothing cut."""
    rows = [list(columns), *texts]
    widths = [max(len(row[i]) for row in rows) for i in range(len(columns))]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def show_json(document: Any) -> None:
    """Print one JSON document."""
    typer.echo(json.dumps(document, indent=1, default=str))
