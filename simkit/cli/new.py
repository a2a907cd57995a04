"""`simkit new`: a strategy, an experiment or a game to start from."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from simkit.cli.options import AsJson
from simkit.cli.tables import show_json
from simkit.names import printable

new_app = typer.Typer(
    help="Write a strategy, an experiment or a game to start from; it plays as it is.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, - and _.")]
ForGame = Annotated[str, typer.Option("--game", metavar="GAME", help="The game it is for.")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="The file; strategies/GAME/NAME.py if left out.")
]


@new_app.command("strategy")
def new_strategy_command(name: Name, game: ForGame, out: Out = None, as_json: AsJson = False) -> None:
    """Write a strategy with a method for each of the game's decisions."""
    from simkit.catalog import canonical
    from simkit.scaffold import checked_name, new_strategy

    wrote = new_strategy(name, game, Path.cwd(), out)
    game, name = canonical(game), checked_name("strategy", name)
    called = name if out is None else f"{out}:{name}"
    _tell(wrote, [["check", str(_short(wrote[0]))], ["compare", game, called, "random"]], as_json)


@new_app.command("experiment")
def new_experiment_command(name: Name, game: ForGame, as_json: AsJson = False) -> None:
    """Write an experiment; its keys are explained."""
    from simkit.scaffold import new_experiment

    wrote = new_experiment(name, game, Path.cwd())
    _tell(wrote, _experiment_next(wrote[0]), as_json)


@new_app.command("game")
def new_game_command(name: Name, as_json: AsJson = False) -> None:
    """Write a small game that plays, with a strategy, a report and an experiment."""
    from simkit.scaffold import checked_name, new_game

    wrote = new_game(name, Path.cwd())
    name = checked_name("game", name)
    _tell(wrote, [["games", name], ["check", name], *_experiment_next(wrote[-1])], as_json)


def _experiment_next(file: Path) -> list[list[str]]:
    """What to do with an experiment."""
    return [["plan", str(_short(file))], ["run", str(_short(file)), "--report"]]


def _short(path: Path) -> Path:
    """A path as one would type it here."""
    return Path(os.path.relpath(path)) if path.is_relative_to(Path.cwd()) else path


def _tell(wrote: Sequence[Path], commands: Sequence[Sequence[str]], as_json: bool) -> None:
    """What was written, and what to do next."""
    files, following = [str(_short(path)) for path in wrote], [shlex.join(["simkit", *words]) for words in commands]
    if as_json:
        show_json({"wrote": files, "next": following})
        return
    for file in files:
        typer.echo(f"wrote {printable(file)}")
    for place, command in enumerate(following):
        typer.echo(f"{'next:' if place == 0 else '     '} {printable(command)}")
