"""`simkit compare`: which strategy is better, what a rule changes, and what differs between two runs."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.compared import tell_changes, tell_strategies
from simkit.cli.errors import INTERRUPTED
from simkit.cli.options import (
    RUNS,
    AsJson,
    Jobs,
    Quiet,
    Runs,
    StrategyFile,
    cores,
    say_what_is_foreign,
    setting,
)
from simkit.cli.progress import PlayProgress
from simkit.errors import UserError
from simkit.names import printable, unknown

if TYPE_CHECKING:
    from simkit.compare import Match
    from simkit.store import Run

USUAL_MARGIN = 0.01


def compare_command(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN | RUN RUN | GAME STRATEGY STRATEGY...",
            help="A run's folder, two of them, or a game and two or more strategies (a name, or FILE.py:NAME).",
        ),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="KEY", help="RUN: compare what differs in `rules.X` only; repeatable."),
    ] = None,
    margin: Annotated[
        float, typer.Option("--margin", help="A difference of win shares within which two are alike; 0.01 is a point.")
    ] = USUAL_MARGIN,
    players: Annotated[
        list[int] | None,
        typer.Option("--players", help="GAME: how many play, the smallest number if left out; repeatable."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", help="GAME: games per line-up; 100,000, or fewer if the game is slow, if left out."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="GAME: the seed, 1 if left out.")] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="GAME: set a rule: `rules.X=4`; repeatable."),
    ] = None,
    strategies: StrategyFile = None,
    runs: Runs = RUNS,
    jobs: Jobs = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="GAME: play again what the run's folder holds.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare strategies, settings or runs on the same deals."""
    if not 0 < margin < 1:
        raise UserError(f"`--margin` must lie between 0 and 1, such as 0.01 for a point of win share; found {margin:g}")
    own = {"--players": players, "--games": games, "--seed": seed, "--set": changes, "--strategies": strategies}
    own |= {"--runs": None if runs == RUNS else runs}
    command = _command(what, own | {"--by": by, "--margin": None if margin == USUAL_MARGIN else f"{margin:g}"})
    if _is_run(what):
        named = f"the run {printable(what[0])} was named"
        _refuse(own | {"--jobs": jobs, "--fresh": fresh or None}, "is for strategies that are yet to play", named)
        _of_runs(what, by or [], margin, command, as_json)
        return
    _refuse({"--by": by}, "compares cells of a run", f"the game {printable(what[0])} was named")
    from simkit.compare import Match

    rules = dict(map(setting, changes or ()))
    match = Match(what[0], what[1:], players or (), games, seed, rules, strategies)
    how = {"jobs": jobs or cores(), "fresh": fresh, "progress": None if quiet else PlayProgress(sys.stderr)}
    tell_strategies(_played(match, runs, command, as_json, how), margin, command, as_json)


def _is_run(what: Sequence[str]) -> bool:
    """Whether runs were named, and not a game: by the folder, else by what is known."""
    from simkit.catalog import canonical, list_games
    from simkit.running.manifest import MANIFEST

    if (Path(what[0]) / MANIFEST).is_file():
        return True
    known = [listing.name for listing in list_games(Path.cwd())]
    if canonical(what[0]) in known:
        return False
    if len(what) == 1 or Path(what[0]).exists() or len(Path(what[0]).parts) > 1:
        return True
    problem = unknown("game", what[0], known)
    raise UserError(f"what is compared must begin with a game or the folder of a run; {problem}")


def _refuse(options: Mapping[str, Any], purpose: str, found: str) -> None:
    """Options that do nothing here are mistakes."""
    for option, value in options.items():
        if value is not None:
            raise UserError(f"`{option}` {purpose}; {found}: leave it out")


# ---------------------------------------------------------------------------------------------------------- strategies


def _played(match: Match, runs: Path, command: str, as_json: bool, how: Mapping[str, Any]) -> Run:
    """The strategies' games, played now or before."""
    from simkit.compare import plan_match
    from simkit.runner import run
    from simkit.store import Run

    plan = plan_match(match)
    say_what_is_foreign(plan, as_json)
    if not (match.players or as_json):
        typer.echo(f"players: {plan.cells[0].players}, the fewest; `--players` asks for others")
    folder = runs / plan.experiment.name
    try:
        run(plan, folder, command=command, **how)
    except KeyboardInterrupt:
        typer.echo(f"\nstopped; to go on: {command}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    return Run.open(folder)


def _command(what: Sequence[str], given: Mapping[str, Any]) -> str:
    """The command as it would be typed."""
    words = ["simkit", "compare", *what]
    for option, value in given.items():
        values = value if isinstance(value, list) else [] if value is None else [value]
        words += [word for one in values for word in (option, str(one))]
    return shlex.join(words)


# ----------------------------------------------------------------------------------------------------------------- runs


def _of_runs(what: Sequence[str], by: Sequence[str], margin: float, command: str, as_json: bool) -> None:
    """One run's strategies or settings, or two runs."""
    from simkit.report.changes import between, by_keys
    from simkit.store import Run

    if len(what) > 2:
        raise UserError(f"one run or two can be compared; found {len(what)}")
    if len(what) == 2:
        _refuse({"--by": list(by) or None}, "compares cells of one run", "two were named")
    runs = [Run.open(path) for path in what]
    if len(runs) == 1 and not by:
        tell_strategies(runs[0], margin, command, as_json)
        return
    found = between(runs[0], runs[1], margin) if len(runs) == 2 else by_keys(runs[0], by, margin)
    tell_changes(found, runs, by, command, as_json)
