"""`simkit run`: play an experiment and keep its results."""

from __future__ import annotations

import shlex
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.errors import INTERRUPTED
from simkit.cli.progress import PlayProgress
from simkit.cli.tables import show_json
from simkit.errors import UserError
from simkit.names import printable

if TYPE_CHECKING:
    from simkit.plan import Plan
    from simkit.runner import RunSummary

RUNS = Path("runs")
BACKENDS = ("loky", "threading")


def run_command(
    experiment: Annotated[
        str, typer.Argument(metavar="EXPERIMENT", help="A file, or the name of one of simkit's experiments.")
    ],
    games: Annotated[int | None, typer.Option(help="Games per cell, in place of the file's.")] = None,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="The folder that holds the runs.")] = RUNS,
    fresh: Annotated[bool, typer.Option("--fresh", help="Replace what the run's folder holds.")] = False,
    report: Annotated[bool, typer.Option("--report", help="Write the report as well.")] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes; all cores if left out.")] = None,
    seed: Annotated[int | None, typer.Option(help="The seed, in place of the file's.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set any key: `rules.sharks=4`; repeatable.")
    ] = None,
    strategies: Annotated[Path | None, typer.Option(metavar="FILE", help="A file with strategies of your own.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    backend: Annotated[str, typer.Option(help="How workers run: loky or threading.")] = "loky",
) -> None:
    """Play an experiment and keep its results in a run folder."""
    overrides = {key: value for key, value in {"games": games, "seed": seed}.items() if value is not None}
    plan = _plan(experiment, overrides | dict(map(_setting, changes or ())), strategies)
    command = _reproduce(experiment, games, seed, changes or (), strategies, runs)
    _say_what_is_foreign(plan, as_json)
    folder = runs / plan.experiment.name
    summary = _played(plan, folder, command, jobs=jobs or _cores(), backend=_backend(backend), fresh=fresh, quiet=quiet)
    files = _write_report(folder) if report else []
    if as_json:
        show_json(_document(summary, command, files))
    else:
        _tell(summary, files)


def _played(plan: Plan, folder: Path, command: str, *, quiet: bool, **how: Any) -> RunSummary:
    """Play; after Ctrl-C say how to begin again."""
    from simkit.runner import run

    try:
        return run(plan, folder, command=command, progress=None if quiet else PlayProgress(sys.stderr), **how)
    except KeyboardInterrupt:
        typer.echo(f"\nstopped; {folder} is not complete. To play it again: {command} --fresh", err=True)
        raise typer.Exit(INTERRUPTED) from None


def _plan(experiment: str, overrides: dict[str, Any], strategies: Path | None) -> Plan:
    """The plan of an experiment file with what the command line sets."""
    from simkit.catalog import find_experiment
    from simkit.experiment import load
    from simkit.plan import make_plan, named_from

    path = find_experiment(experiment)
    loaded = load(path, overrides)
    return make_plan(loaded if strategies is None else named_from(loaded, strategies), path)


def _setting(change: str) -> tuple[str, Any]:
    """Key and value of a `--set`; a value that is not TOML is a text.

    >>> _setting("rules.sharks=4"), _setting("line_ups = mirror")
    (('rules.sharks', 4), ('line_ups', 'mirror'))
    """
    key, equals, value = (part.strip() for part in change.partition("="))
    if not equals or not key:
        raise UserError(f"`--set` must have the form KEY=VALUE, as in rules.sharks=4; found `{printable(change)}`")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return key, value


def _reproduce(
    experiment: str, games: int | None, seed: int | None, changes: Sequence[str], strategies: Path | None, runs: Path
) -> str:
    """The command that gives the same results."""
    words = ["simkit", "run", experiment]
    words += [] if games is None else ["--games", str(games)]
    words += [] if seed is None else ["--seed", str(seed)]
    words += [word for change in changes for word in ("--set", change)]
    words += [] if strategies is None else ["--strategies", str(strategies)]
    words += [] if runs == RUNS else ["--runs", str(runs)]
    return shlex.join(words)


def _cores() -> int:
    """Cores that this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


def _backend(name: str) -> str:
    """A backend that is known to give the same results."""
    if name not in BACKENDS:
        raise UserError(f"`--backend` must be {' or '.join(BACKENDS)}; found `{printable(name)}`")
    return name


def _say_what_is_foreign(plan: Plan, as_json: bool) -> None:
    """Name the code that runs and is not simkit's."""
    for name, source in plan.sources.items():
        typer.echo(f"{name}: {source}", err=as_json)


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
        "seconds": round(summary.seconds, 3),
        "games_per_second": round(summary.games_per_second),
        "already_played": summary.held,
        "results_digest": summary.results_digest,
        "command": command,
        "report": [str(path) for path in report],
    }


def _tell(summary: RunSummary, report: Sequence[Path]) -> None:
    """What the run came to, and what to do next."""
    verb, when = ("already played:", "earlier, ") if summary.held else ("played", "")
    cells = f"{summary.n_cells} cell{'s' * (summary.n_cells != 1)}"
    speed = f"{when}in {summary.seconds:,.1f} s ({summary.games_per_second:,.0f} games/s)"
    typer.echo(f"{verb} {summary.n_games:,} games in {cells}, {speed}")
    typer.echo(f"results digest {summary.results_digest}")
    typer.echo(f"results in {summary.folder}")
    if report:
        typer.echo(f"report in {report[0]}")
    else:
        typer.echo(f"next: {shlex.join(['simkit', 'report', str(summary.folder)])}")
