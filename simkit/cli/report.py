"""`simkit report RUN`: write a run's report again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from simkit.cli.options import AsJson, RunFolder
from simkit.cli.tables import show_json


def report_command(
    run: RunFolder,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the report; RUN/report if left out.")
    ] = None,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
) -> None:
    """Write a run's report: one HTML page, a CSV file for each table, and JSON."""
    from simkit.report import write_report
    from simkit.store import Run

    files = write_report(Run.open(run), out or run / "report")
    page, document, verdicts = files[:3]
    answer = json.loads(document.read_text(encoding="utf-8"))["answer"]
    if as_json:
        found = json.loads(verdicts.read_text(encoding="utf-8"))
        listed = {"report": str(page), "answer": answer, "verdicts": found, "files": [str(file) for file in files]}
        show_json(listed, ensure_ascii=False)
    elif not quiet:
        typer.echo(f"{answer[0]}\n{page}")
