"""The command line: one command per file, each thin. What a command needs is imported when it runs."""

from __future__ import annotations

import contextlib
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from simkit import __version__
from simkit.cli.bench import bench_command
from simkit.cli.check import check_command
from simkit.cli.compare import compare_command
from simkit.cli.errors import Commands
from simkit.cli.exact import SETTINGS, exact_command
from simkit.cli.games import games_command
from simkit.cli.new import new_app
from simkit.cli.plan import plan_command
from simkit.cli.replay import replay_command
from simkit.cli.report import report_command
from simkit.cli.run import run_command
from simkit.cli.strategies import strategies_command

app = typer.Typer(
    cls=Commands,
    help="Play millions of tabletop games with scripted strategies, and learn whether the game is balanced.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("games")(games_command)
app.command("strategies")(strategies_command)
app.add_typer(new_app, name="new")
app.command("check")(check_command)
app.command("plan")(plan_command)
app.command("run")(run_command)
app.command("report")(report_command)
app.command("compare")(compare_command)
app.command("replay")(replay_command)
app.command("exact", context_settings=SETTINGS)(exact_command)
app.command("bench")(bench_command)


def _tell_version(asked: bool) -> None:
    """Print the version and nothing else."""
    if asked:
        typer.echo(f"simkit {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options of simkit itself."""


def main() -> None:
    """Entry point of the `simkit` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            with contextlib.suppress(ValueError):  # a stream already in use keeps its ways
                stream.reconfigure(errors="backslashreplace")
    app()
