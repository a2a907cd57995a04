"""What notebooks and scripts call: play an experiment, open a run, and have its report's tables and figures at hand."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.catalog import find_experiment
from simkit.errors import UserError
from simkit.experiment import Experiment, from_document, load
from simkit.plan import Plan, make_plan, named_from
from simkit.session import in_session, named
from simkit.store import Run

if TYPE_CHECKING:
    import pandas as pd

    from simkit.figures.style import Drawing
    from simkit.report.blocks import Part
    from simkit.runner import Progress

__all__ = ["open_run", "pictures", "run", "tables"]


def run(
    experiment: str | Path | Mapping[str, Any] | Experiment,
    *,
    games: int | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    strategies: str | Path | None = None,
    runs: str | Path = "runs",
    jobs: int | None = None,
    fresh: bool = False,
    backend: str = "loky",
    scheduler: str | None = None,
    progress: bool = False,
) -> Run:
    """Play an experiment and open its results.

    Parameters
    ----------
    experiment
        A TOML file, the name of one of simkit's experiments, or a mapping with the keys of such a file. Among its
        strategies may be classes and instances of `simkit.Strategy`, a notebook's own: they play in this process only,
        and their line-ups are played with one job.
    games, seed
        In place of the experiment's.
    set
        Any of its keys: `{"rules.sharks": 6}`.
    strategies
        A file with strategies of your own.
    runs
        The folder that holds the runs; this one is called by the experiment's `name`.
    jobs
        Worker processes; all cores if left out.
    fresh
        Replace what the run's folder holds and would now come out otherwise; messages call it `--fresh`.
    backend
        How workers run: joblib's loky, threading or dask.
    scheduler
        Address of the Dask cluster, as in tcp://host:8786.
    progress
        Tell on the error stream how far play has come.

    Returns
    -------
    simkit.store.Run
        Its `games`, `seats` and `tallies` are DataFrames.

    Raises
    ------
    UserError
        If something in the experiment cannot be played as asked.
    """
    from simkit.runner import run as play

    plan = _planned(experiment, {"games": games, "seed": seed}, set or {}, strategies)
    folder = Path(runs) / plan.experiment.name
    shown = _progress() if progress else None
    command = _command(experiment, games=games, seed=seed, set=set, strategies=strategies)
    play(
        plan,
        folder,
        jobs=_jobs(plan, jobs, backend),
        backend=backend,
        scheduler=scheduler,
        fresh=fresh,
        progress=shown,
        command=command,
    )
    return Run.open(folder)


def open_run(path: str | Path) -> Run:
    """Open the folder of a finished run, as in `runs/NAME`.

    Raises
    ------
    UserError
        If there is no such folder, it is none of simkit's, unfinished, or damaged.
    """
    return Run.open(path)


def tables(run: Run) -> dict[str, pd.DataFrame]:
    """The tables of a run's report in full precision, by the names of their CSV files."""
    from simkit.report.blocks import Table

    blocks = (block for part in _report(run) for block in part.blocks)
    return {block.name: block.data for block in blocks if isinstance(block, Table)}


def pictures(run: Run) -> dict[str, Drawing]:
    """The figures of a run's report, by the headings they stand under: "win-shares-by-seat", "strategies-2" ...

    Each is a matplotlib Figure: it shows itself where it is the last value of a notebook's cell, and `savefig` writes
    it to a file.
    """
    from simkit.report.blocks import Picture

    found: dict[str, Drawing] = {}
    for part in _report(run):
        drawn = [block.figure for block in part.blocks if isinstance(block, Picture)]
        found |= {f"{part.anchor}-{n}" if n > 1 else part.anchor: figure for n, figure in enumerate(drawn, start=1)}
    return found


def _report(run: Run) -> list[Part]:
    """What the run's report is made of."""
    from simkit.report.build import find_definition, parts_of
    from simkit.report.study import Study

    definition = find_definition(run)
    return parts_of(Study.of(run, definition.names), definition)


def _planned(
    experiment: str | Path | Mapping[str, Any] | Experiment,
    given: Mapping[str, Any],
    changes: Mapping[str, Any],
    strategies: str | Path | None,
) -> Plan:
    """The plan of an experiment with all that is set beside it."""
    overrides = {key: value for key, value in given.items() if value is not None} | named(changes)
    if isinstance(experiment, str | Path):
        path: Path | None = find_experiment(experiment)
        loaded = load(find_experiment(experiment), overrides)
    else:
        path, loaded = None, from_document(_document(experiment), None, overrides)
    return make_plan(loaded if strategies is None else named_from(loaded, Path(strategies), path), path)


def _document(experiment: Mapping[str, Any] | Experiment) -> dict[str, Any]:
    """An experiment's keys, strategies named."""
    if isinstance(experiment, Experiment):
        return experiment.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if not isinstance(experiment, Mapping):
        raise UserError(
            "an experiment must be a file, a name, a mapping of its keys or a simkit.Experiment; found "
            f"{type(experiment).__name__}"
        )
    return dict(named(experiment))


def _jobs(plan: Plan, jobs: int | None, backend: str) -> int:
    """How many jobs play a plan; what this session defines exists in this process only."""
    own = [entry.label for cell in plan.cells for entry in cell.line_up if in_session(entry.spec)]
    found = "backend=dask" if backend == "dask" else f"jobs={jobs}"
    if own and found not in ("jobs=None", "jobs=1"):
        raise UserError(
            f"a strategy that a notebook or script defines plays with one job, since workers load strategies from "
            f"files; found {found} and `{own[0]}`: leave `jobs` out, or save the class as a file and name it "
            '"FILE.py:NAME"'
        )
    if own:
        return 1
    from joblib import cpu_count

    return int(cpu_count()) if jobs is None else jobs


def _progress() -> Progress:
    """A bar on a terminal, plain lines elsewhere."""
    from simkit.cli.progress import PlayProgress

    return PlayProgress(sys.stderr)


def _command(experiment: Any, **given: Any) -> str:
    """The call that plays the same, for the manifest; an experiment that is no file is told there anyway."""
    first = repr(str(experiment)) if isinstance(experiment, str | Path) else "experiment"
    options = [f"{key}={_spelled(value)}" for key, value in given.items() if value is not None]
    return f"simkit.run({', '.join([first, *options])})"


def _spelled(value: Any) -> str:
    """A value as a call spells it; a strategy by its class."""
    return repr(named(value) if isinstance(value, Mapping) else str(value) if isinstance(value, Path) else value)
