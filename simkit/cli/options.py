"""Options that several commands have, and what they do to an experiment."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.errors import UserError
from simkit.names import printable

if TYPE_CHECKING:
    from simkit.plan import Plan

RUNS = Path("runs")
_KEY_AND_VALUE = re.compile(r"""((?:"[^"]*"|'[^']*'|[^="'])*)=(.*)""", re.DOTALL)

ExperimentName = Annotated[
    str, typer.Argument(metavar="EXPERIMENT", help="A file, or the name of one of simkit's experiments.")
]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, as in `runs/NAME`.")]
Games = Annotated[int | None, typer.Option("--games", help="Games per cell, in place of the file's.")]
Seed = Annotated[int | None, typer.Option("--seed", help="The seed, in place of the file's.")]
Runs = Annotated[Path, typer.Option("--runs", metavar="DIR", help="The folder that holds the runs.")]
Jobs = Annotated[int | None, typer.Option("--jobs", min=1, help="Worker processes; all cores if left out.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set any key: `rules.sharks=4`; repeatable.")
]
StrategyFile = Annotated[
    Path | None, typer.Option("--strategies", metavar="FILE", help="A file with strategies of your own.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]


def planned(
    experiment: str, games: int | None, seed: int | None, changes: Sequence[str] | None, strategies: Path | None
) -> Plan:
    """The plan of an experiment file with what the command line sets."""
    from simkit.catalog import find_experiment
    from simkit.experiment import load
    from simkit.plan import make_plan, named_from

    path = find_experiment(experiment)
    loaded = load(path, overrides(games, seed, changes))
    return make_plan(loaded if strategies is None else named_from(loaded, strategies, path), path)


def overrides(games: int | None, seed: int | None, changes: Sequence[str] | None) -> dict[str, Any]:
    """What the command line sets, by the experiment's keys."""
    given = {key: value for key, value in {"games": games, "seed": seed}.items() if value is not None}
    return given | dict(map(setting, changes or ()))


def setting(change: str) -> tuple[str, Any]:
    """Key and value of a `--set`, parted by the first `=` outside quotes; a value that is not TOML is a text.

    >>> setting("rules.sharks=4"), setting("line_ups = mirror"), setting('sweep."strategies.a(p=1).q"=[2]')
    (('rules.sharks', 4), ('line_ups', 'mirror'), ('sweep."strategies.a(p=1).q"', [2]))
    """
    parted = _KEY_AND_VALUE.fullmatch(change)
    key, value = (part.strip() for part in parted.groups()) if parted else ("", "")
    if not key:
        raise UserError(f"`--set` must have the form KEY=VALUE, as in rules.sharks=4; found `{printable(change)}`")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return key, value


def reproduce(
    command: str,
    experiment: str,
    games: int | None,
    seed: int | None,
    changes: Sequence[str] | None,
    strategies: Path | None,
    runs: Path = RUNS,
) -> str:
    """The command that gives the same results."""
    words = ["simkit", command, experiment]
    words += [] if games is None else ["--games", str(games)]
    words += [] if seed is None else ["--seed", str(seed)]
    words += [word for change in changes or () for word in ("--set", change)]
    words += [] if strategies is None else ["--strategies", str(strategies)]
    words += [] if runs == RUNS else ["--runs", str(runs)]
    return shlex.join(words)


def cores() -> int:
    """Cores that this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


def say_what_is_foreign(plan: Plan, as_json: bool) -> None:
    """Name the code that runs and is not simkit's."""
    for name, source in plan.sources.items():
        typer.echo(f"{name}: {source}", err=as_json)
