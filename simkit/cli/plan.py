"""`simkit plan`: what an experiment comes to, before anything is played."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from simkit.cli.options import (
    RUNS,
    AsJson,
    Changes,
    ExperimentName,
    Games,
    Jobs,
    Runs,
    Seed,
    StrategyFile,
    cores,
    planned,
    reproduce,
    say_what_is_foreign,
)
from simkit.cli.tables import show, show_json
from simkit.names import printable

if TYPE_CHECKING:
    from simkit.plan import Cell, Plan
    from simkit.planning.pilot import Forecast

MOST_ROWS = 20


def plan_command(
    experiment: ExperimentName,
    games: Games = None,
    runs: Runs = RUNS,
    jobs: Jobs = None,
    seed: Seed = None,
    changes: Changes = None,
    strategies: StrategyFile = None,
    as_json: AsJson = False,
) -> None:
    """Show the cells, games, disk and time of an experiment; nothing is kept."""
    from simkit.planning import pilot

    plan = planned(experiment, games, seed, changes, strategies)
    say_what_is_foreign(plan, as_json)
    jobs, folder = jobs or cores(), runs / plan.experiment.name
    held = held_games(plan, folder)
    to_play = {cell.id: max(0, cell.n_deals * cell.rotations - (held[cell.id] or 0)) for cell in plan.cells}
    told = pilot.forecast(plan, to_play, pilot.BUDGET)
    document = _document(plan, folder, held, to_play, told, jobs)
    document["command"] = reproduce("run", experiment, games, seed, changes, strategies, runs)
    if as_json:
        show_json(document)
    else:
        _tell(document)


def held_games(plan: Plan, folder: Path) -> dict[str, int | None]:
    """Games of each cell that a run folder holds already; None where what it holds would have to be replaced."""
    from simkit.catalog import find_game
    from simkit.running.continuation import continuation
    from simkit.running.parts import datasets

    found = continuation(plan, folder, datasets(find_game(plan.game_id, plan.base)), fresh=True)
    held = {cell: sum(deals.n_deals for deals in h.rotations.values()) for cell, h in found.holdings.items()}
    return {cell.id: None if cell.id in found.replaced else held.get(cell.id, 0) for cell in plan.cells}


def _document(
    plan: Plan,
    folder: Path,
    held: Mapping[str, int | None],
    to_play: Mapping[str, int],
    told: Forecast,
    jobs: int,
) -> dict[str, Any]:
    """The plan as plain data."""
    from simkit.plan import count_chunks

    n_left, n_chunks = sum(to_play.values()), count_chunks(plan.spans(), plan.chunk_deals)
    return {
        "run": str(folder),
        "game": plan.game_id,
        "cells": [_cell(cell, held[cell.id]) for cell in plan.cells],
        "games": plan.games_total,
        "games_held": sum(games or 0 for games in held.values()),
        "games_to_play": n_left,
        "may_stop_early": plan.experiment.stop is not None,
        "chunks": n_chunks,
        "jobs": jobs,
        "about_seconds": round(told.wall(jobs, n_chunks), 3),
        "about_bytes": told.size,
        "pilot_games": told.n_games,
    }


def _cell(cell: Cell, held: int | None) -> dict[str, Any]:
    """One cell."""
    return {
        "id": cell.id,
        "players": cell.players,
        "rules": cell.rules,
        "swept": cell.key["swept"],
        "line_up": [entry.label for entry in cell.line_up],
        "rotations": cell.rotations,
        "deals": cell.n_deals,
        "games": cell.rotations * cell.n_deals,
        "held": held or 0,
        "differs": held is None,
    }


def _tell(plan: Mapping[str, Any]) -> None:
    """The plan as a table and sentences."""
    columns = ("cell", "players", "rules and parameters", "line-up", "rotations", "deals", "games", "held")
    show("", columns, [_row(cell) for cell in plan["cells"][:MOST_ROWS]])
    n_more = len(plan["cells"]) - MOST_ROWS
    if n_more > 0:
        typer.echo(f"... and {n_more:,} more cells: all of them with --json")
    cells = f"{len(plan['cells']):,} cell{'s' * (len(plan['cells']) != 1)}"
    held = f", {plan['games_held']:,} of them held by {printable(plan['run'])}" if plan["games_held"] else ""
    typer.echo(f"{plan['games']:,} games in {cells}{held}")
    if any(cell["differs"] for cell in plan["cells"]):
        typer.echo("cells that the run folder holds and that are made of something else now: `simkit run` refuses them")
    if plan["games_to_play"]:
        jobs = f"{plan['jobs']} job{'s' * (plan['jobs'] != 1)}"
        disk, wall = in_bytes(plan["about_bytes"]), in_time(plan["about_seconds"])
        most = "at most " if plan["may_stop_early"] else ""
        typer.echo(f"to play: {most}{plan['games_to_play']:,} games; about {wall} with {jobs}, about {disk} on disk")
        typer.echo(f"(from a pilot of {plan['pilot_games']:,} games; nothing of it is kept)")
    else:
        typer.echo("nothing is left to play")
    typer.echo(f"next: {printable(plan['command'])}")


def _row(cell: Mapping[str, Any]) -> tuple[Any, ...]:
    """A cell as tables show it."""
    changed = {**cell["rules"], **{key.removeprefix("strategies."): value for key, value in cell["swept"].items()}}
    held = "differs" if cell["differs"] else f"{cell['held']:,}" if cell["held"] else ""
    return (
        cell["id"],
        cell["players"],
        ", ".join(f"{name}={_value(value)}" for name, value in changed.items()),
        cell["line_up"],
        cell["rotations"],
        f"{cell['deals']:,}",
        f"{cell['games']:,}",
        held,
    )


def _value(value: Any) -> str:
    """A rule's value, short."""
    from simkit.cli.tables import cell

    text = cell(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def in_time(seconds: float) -> str:
    """A rough time in words.

    >>> in_time(0.02), in_time(75), in_time(600), in_time(20_000)
    ('1 s', '75 s', '10 min', '5.6 h')
    """
    if seconds < 100:
        return f"{max(1, seconds):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def in_bytes(size: float) -> str:
    """A rough size in words.

    >>> in_bytes(900), in_bytes(1_234_567), in_bytes(5e12)
    ('0.9 kB', '1.2 MB', '5.0 TB')
    """
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 1000:
            return f"{size:.1f} {unit}"
    return f"{size / 1000:.1f} TB"
