"""`simkit run`: play an experiment and keep its results."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.errors import INTERRUPTED
from simkit.cli.options import (
    RUNS,
    AsJson,
    Changes,
    ExperimentName,
    Games,
    Jobs,
    Quiet,
    Runs,
    Seed,
    StrategyFile,
    cores,
    planned,
    reproduce,
    say_what_is_foreign,
)
from simkit.cli.progress import PlayProgress
from simkit.cli.tables import show_json
from simkit.running.backends import BACKENDS, check_backend

if TYPE_CHECKING:
    from simkit.plan import Plan
    from simkit.runner import RunSummary


def run_command(
    experiment: ExperimentName,
    games: Games = None,
    runs: Runs = RUNS,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Replace held cells that would come out otherwise now, or are damaged.")
    ] = False,
    report: Annotated[bool, typer.Option("--report", help="Write the report as well.")] = False,
    jobs: Jobs = None,
    seed: Seed = None,
    changes: Changes = None,
    strategies: StrategyFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    backend: Annotated[str, typer.Option(help=f"How workers run: {', '.join(BACKENDS)}.")] = "loky",
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Of the Dask cluster, as in tcp://host:8786.")
    ] = None,
) -> None:
    """Play an experiment and keep its results in a run folder.

    What the folder holds of it already is not played again; a run that was broken off goes on.
    """
    check_backend(backend, scheduler)
    plan = planned(experiment, games, seed, changes, strategies)
    command = reproduce("run", experiment, games, seed, changes, strategies, runs)
    say_what_is_foreign(plan, as_json)
    folder = runs / plan.experiment.name
    how = {"jobs": jobs or cores(), "backend": backend, "scheduler": scheduler, "fresh": fresh}
    summary = _played(plan, folder, command, quiet=quiet, **how)
    files = _write_report(folder) if report else []
    if as_json:
        show_json(_document(summary, command, files))
    else:
        _tell(summary, files)


def _played(plan: Plan, folder: Path, command: str, *, quiet: bool, **how: Any) -> RunSummary:
    """Play; after Ctrl-C say how to go on."""
    from simkit.runner import run

    try:
        return run(plan, folder, command=command, progress=None if quiet else PlayProgress(sys.stderr), **how)
    except KeyboardInterrupt:
        again = f"{command} --fresh" if how["fresh"] else command
        kept = f"what was published stays in {folder}" if (folder / "games").is_dir() else "nothing was published yet"
        typer.echo(f"\nstopped; {kept}. To go on: {again}", err=True)
        raise typer.Exit(INTERRUPTED) from None


def _write_report(folder: Path) -> list[Path]:
    """The run's report."""
    from simkit.report import write_report
    from simkit.store import Run

    return list(write_report(Run.open(folder), folder / "report"))


def _document(summary: RunSummary, command: str, report: Sequence[Path]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "run": str(summary.folder),
        "cells": summary.n_cells,
        "games": summary.n_games,
        "played": summary.n_played,
        "precise_cells": summary.n_precise,
        "seconds": round(summary.seconds, 3),
        "games_per_second": round(summary.games_per_second),
        "already_played": summary.held,
        "results_digest": summary.results_digest,
        "command": command,
        "report": [str(path) for path in report],
    }


def _tell(summary: RunSummary, report: Sequence[Path]) -> None:
    """What the run came to, and what to do next."""
    typer.echo(_came_to(summary))
    if summary.n_games > summary.n_asked:
        typer.echo(f"these are more than the {summary.n_asked:,} asked for: what is held is kept")
    if summary.n_precise:
        typer.echo(f"[stop] found {summary.n_precise:,} of {summary.n_cells:,} cells precise enough")
    typer.echo(f"results digest {summary.results_digest}")
    typer.echo(f"results in {summary.folder}")
    if report:
        typer.echo(f"report in {report[0]}")
    else:
        earlier = "  (the report there is of other results)" if _has_another_report(summary) else ""
        typer.echo(f"next: {shlex.join(['simkit', 'report', str(summary.folder)])}{earlier}")


def _has_another_report(summary: RunSummary) -> bool:
    """Whether the folder holds the report of what it held before: a report names its results digest."""
    page = summary.folder / "report" / "report.html"
    return page.is_file() and summary.results_digest not in page.read_text(encoding="utf-8", errors="replace")


def _came_to(summary: RunSummary) -> str:
    """Games, cells and speed in one line."""
    cells = f"{summary.n_cells} cell{'s' * (summary.n_cells != 1)}"
    if summary.held:
        return f"already played: {summary.n_games:,} games in {cells}"
    speed = f"in {summary.seconds:,.1f} s ({summary.games_per_second:,.0f} games/s)"
    if summary.n_played == summary.n_games:
        return f"played {summary.n_games:,} games in {cells}, {speed}"
    return f"played {summary.n_played:,} games {speed}; with those held before {summary.n_games:,} games in {cells}"
