"""`simkit strategies`: which strategies there are, and their parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer


def strategies_command(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Only the strategies for this game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List the strategies, with their parameters and defaults."""
    from simkit.cli.tables import show, show_json

    listed = {name: _rows(name) for name in _game_names(game)}
    if as_json:
        show_json([row for rows in listed.values() for row in rows])
        return
    for name, rows in listed.items():
        told = [(s["name"], _parameters(s["parameters"]), s["summary"], s["source"]) for s in rows]
        show(name, ("name", "parameters", "summary", "source"), told)


def _game_names(game: str | None) -> list[str]:
    """The game asked for, or all."""
    from simkit.catalog import canonical, list_games
    from simkit.errors import UserError
    from simkit.names import unknown

    known = [listing.name for listing in list_games(Path.cwd())]
    if game is None:
        return sorted(set(known))
    if canonical(game) not in known:
        raise UserError(unknown("game", game, known))
    return [canonical(game)]


def _rows(game: str) -> list[dict[str, Any]]:
    """A game's strategies."""
    from simkit.catalog import list_strategies

    return [
        {"game": game, "name": s.name, "parameters": s.parameters, "summary": s.summary, "source": s.source}
        for s in list_strategies(game, Path.cwd())
    ]


def _parameters(parameters: dict[str, Any]) -> str:
    """Names and defaults; a parameter without a default must be set."""
    from simkit.cli.tables import cell
    from simkit.sources import REQUIRED

    return ", ".join(
        name if value == REQUIRED else f"{name}={cell(value) or json.dumps(value)}"
        for name, value in parameters.items()
    )
