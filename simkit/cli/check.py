"""`simkit check`: validate an experiment, and put strategies and games to the test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.errors import MISTAKE
from simkit.cli.options import AsJson, Changes, Games, Quiet, Seed, StrategyFile, planned
from simkit.errors import UserError

if TYPE_CHECKING:
    from simkit.experiment import StrategySpec
    from simkit.plan import Plan
    from simkit.probe import Report
    from simkit.probe.subject import Subject
    from simkit.probe.variants import Setting

MAX_CELLS, MAX_SETTINGS = 12, 6
"""Cells that are listed, and settings in which a strategy of an experiment is probed."""


def check_command(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="EXPERIMENT|STRATEGY|GAME",
            help="An experiment, a game, or a strategy: by name or by file (`mine.py`, `mine.py:bold`).",
        ),
    ],
    game: Annotated[str | None, typer.Option("--game", help="The game; then SUBJECT is a strategy.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Experiments: validate, and probe nothing.")] = False,
    games: Games = None,
    seed: Seed = None,
    changes: Changes = None,
    strategies: StrategyFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    patience: Annotated[float, typer.Option("--patience", hidden=True)] = 10.0,
    seconds: Annotated[float, typer.Option("--seconds", hidden=True)] = 60.0,
) -> None:
    """Validate an experiment; put a strategy or a game to the test."""
    from simkit.cli.tables import show_json
    from simkit.probe.subject import find_subject

    limits = patience, seconds
    found = find_subject(subject, game, Path.cwd())
    if found.kind == "experiment":
        plan = planned(found.name, games, seed, changes, strategies)
        document = _experiment(plan, quick, as_json, quiet, limits)
    else:
        _refuse_experiment_options(quick, games, seed, changes, strategies)
        document = _game(found, as_json, limits) if found.kind == "game" else _strategies(found, as_json, quiet, limits)
    if as_json:
        show_json(document)
    if not document["passed"]:
        raise typer.Exit(MISTAKE)


def _refuse_experiment_options(quick: bool, *given: Any) -> None:
    """Options that only experiments have are not silently left aside."""
    if quick or any(value for value in given):
        raise UserError(
            "`--quick`, `--games`, `--seed`, `--set` and `--strategies` must be used with an experiment; leave them out"
        )


# ---------------------------------------------------------------------------------------------------------- experiments


def _experiment(plan: Plan, quick: bool, as_json: bool, quiet: bool, limits: tuple[float, float]) -> dict[str, Any]:
    """An experiment that is valid, and what its strategies came to."""
    from simkit.probe import check_strategy

    for name, source in plan.sources.items():
        typer.echo(f"{name}: {source}", err=True)
    if not as_json:
        _show_cells(plan)
    told = []
    for label, spec, settings in () if quick else _entries(plan):
        _say(f"checking {label} at {plan.game_id}", quiet)
        report = check_strategy(spec, plan.game_id, plan.base, settings, *limits)
        told.append({"name": label, **report.told()})
        if not as_json:
            _show(f"Strategy {label}, {plan.game_id}", label, report)
    return {
        "kind": "experiment",
        "game": plan.game_id,
        "cells": [cell.key | {"cell": cell.id, "games": cell.n_deals * cell.rotations} for cell in plan.cells],
        "games_total": plan.games_total,
        "passed": all(each["passed"] for each in told),
        "strategies": told,
    }


def _show_cells(plan: Plan) -> None:
    """What the experiment asks for."""
    from simkit.cli.tables import show

    rows = [
        (
            cell.id,
            cell.players,
            _spelled(cell.rules),
            " - ".join(e.label for e in cell.line_up),
            cell.n_deals * cell.rotations,
        )
        for cell in plan.cells[:MAX_CELLS]
    ]
    more = f" (the first {MAX_CELLS})" if len(plan.cells) > MAX_CELLS else ""
    show(f"Cells{more}", ("cell", "players", "rules", "line-up", "games"), rows)
    n_cells = len(plan.cells)
    typer.echo(f"valid: {plan.games_total:,} games in {n_cells:,} cell{'s' * (n_cells != 1)} of {plan.game_id}\n")


def _spelled(rules: dict[str, Any]) -> str:
    """Changed rules on one line."""
    from simkit.cli.tables import brief

    return ", ".join(f"{name} = {brief(value)}" for name, value in rules.items())


def _entries(plan: Plan) -> Iterator[tuple[str, StrategySpec, list[Setting]]]:
    """Every strategy that takes part, and where it is probed; of swept parameters the first and the last values."""
    from simkit.probe.variants import Setting

    specs: dict[str, dict[str, tuple[StrategySpec, list[Setting]]]] = {}
    for cell in plan.cells:
        for entry in cell.line_up:
            _, settings = specs.setdefault(entry.label, {}).setdefault(entry.spec.model_dump_json(), (entry.spec, []))
            setting = Setting(cell.players, cell.rules)
            if setting not in settings:
                settings.append(setting)
    for label, variants in specs.items():
        ends = list(variants.values())
        for spec, settings in ends[:1] + ends[1:][-1:]:
            yield label, spec, _spread(settings)


def _spread(settings: list[Setting]) -> list[Setting]:
    """A few of the settings, the first and the last among them."""
    if len(settings) <= MAX_SETTINGS:
        return settings
    step = (len(settings) - 1) / (MAX_SETTINGS - 1)
    return [settings[round(number * step)] for number in range(MAX_SETTINGS)]


# ------------------------------------------------------------------------------------------------- strategies and games


def _strategies(found: Subject, as_json: bool, quiet: bool, limits: tuple[float, float]) -> dict[str, Any]:
    """One or several strategies for one game."""
    from simkit.experiment import StrategySpec
    from simkit.probe import check_strategy

    _say_sources(found)
    told = []
    for name, listing in found.strategies:
        _say(f"checking {listing.name} at {found.game_id}", quiet)
        report = check_strategy(StrategySpec(name=name), found.game_id, found.base, (), *limits)
        told.append({"name": listing.name, "source": listing.source, **report.told()})
        if not as_json:
            _show(f"Strategy {listing.name}, {found.game_id}", listing.name, report)
    passed = all(each["passed"] for each in told)
    return {"kind": "strategy", "game": found.game_id, "passed": passed, "strategies": told}


def _game(found: Subject, as_json: bool, limits: tuple[float, float]) -> dict[str, Any]:
    """A game."""
    from simkit.probe import check_game

    _say_sources(found)
    report = check_game(found.game_id, found.base, (), *limits)
    if not as_json:
        _show(f"Game {found.game_id}", found.game_id, report)
    return {"kind": "game", "game": found.game_id, **report.told()}


def _say_sources(found: Subject) -> None:
    """Name the code that runs and is not simkit's."""
    from simkit.catalog import LIBRARY, game_source

    sources = {f"game {found.game_id}": game_source(found.game_id, found.base).source}
    sources |= {f"strategy {listing.name}": listing.source for _, listing in found.strategies}
    for name, source in sources.items():
        if source != LIBRARY:
            typer.echo(f"{name}: {source}", err=True)


def _say(text: str, quiet: bool) -> None:
    """What is going on: a check takes several seconds."""
    if not quiet:
        typer.echo(text, err=True)


def _show(title: str, name: str, report: Report) -> None:
    """A report as tables, and the verdict."""
    from simkit.cli.tables import show

    rows = [(check.name, check.status, text) for check in report.checks for text in check.found]
    show(title, ("check", "result", "found"), rows)
    if report.speed:
        columns = ("decision", "ns an answer", "random play", "times")
        show(f"Time, {report.speed[0]['games']:,} games in step", columns, [_cost(row) for row in report.speed])
    _show_verdict(name, report)


def _cost(row: Any) -> Sequence[Any]:
    """What answers cost, one line."""
    ns, random = row["ns"], row["ns_random"]
    return row["decision"], f"{ns:,.0f}", f"{random:,.0f}" if random else "", f"{ns / random:,.1f}" if random else ""


def _show_verdict(name: str, report: Report) -> None:
    """Whether all checks were passed; if not, what to do."""
    from simkit.probe.findings import FAILED

    for check in report.checks:
        if check.remedy:
            typer.echo(f"{check.name}: {check.remedy}")
    failed = [check.name for check in report.checks if check.status == FAILED]
    verdict = f"FAILED: {', '.join(failed)} (docs/check.md says what each means)" if failed else "passed"
    typer.echo(f"{name}: {verdict}\n")
