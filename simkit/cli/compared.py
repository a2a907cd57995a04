"""What `simkit compare` found: sentences and tables, or one JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from simkit.cli.tables import cell, show, show_json

if TYPE_CHECKING:
    import pandas as pd

    from simkit.report.changes import Changes
    from simkit.report.contest import Comparison
    from simkit.store import Run


def tell_strategies(run: Run, margin: float, command: str, as_json: bool) -> None:
    """Compare a run's strategies and say so."""
    from simkit.report.contest import Comparison

    comparison = Comparison.of(run, margin)
    if as_json:
        show_json(_strategies_document(comparison, command))
    else:
        _tell_strategies(comparison)


def _tell_strategies(comparison: Comparison) -> None:
    """Sentences, then tables."""
    from simkit.report import contest

    run = comparison.study.run
    games = sum(cell.n_games for cell in comparison.study.cells)
    n_cells = len(comparison.study.cells)
    played = f"{games:,} games in {n_cells} cell{'s' * (n_cells != 1)}"
    _say(f"{run.game.title}: {played}, seed {run.manifest['seed']}, {run.path}")
    typer.echo()
    for sentence in [*contest.standings(comparison), *contest.sentences(comparison)]:
        _say(sentence)
    typer.echo()
    for title, table in contest.shown_matrices(comparison).items():
        _show(title, table)
    measure = "the table’s win rate" if comparison.study.cooperative else "the win per seat"
    _show(f"Shares of {measure}, line-up by line-up", contest.shown_line_ups(comparison))
    _say(_intervals(len(comparison.judged), comparison.level, comparison.margin))


def _strategies_document(comparison: Comparison, command: str) -> dict[str, Any]:
    """The same for programs."""
    from simkit.report import contest
    from simkit.report.build import records

    return _head(comparison.study.run, "strategies", command) | {
        "margin": comparison.margin,
        "level": comparison.level,
        "n_verdicts": len(comparison.judged),
        "standings": contest.standings(comparison),
        "verdicts": records(contest.verdict_table(comparison)),
        "line_ups": records(contest.line_up_table(comparison)),
        "win_matrix": records(contest.matrix_table(comparison)),
        "ladders": contest.ladders(comparison),
    }


def _head(run: Run, kind: str, command: str) -> dict[str, Any]:
    """What every document begins with."""
    return {
        "comparison": kind,
        "game": run.game.id,
        "run": str(run.path),
        "games": sum(cell.n_games for cell in run.cells),
        "seed": run.manifest["seed"],
        "results_digest": run.results_digest,
        "command": command,
    }


# --------------------------------------------------------------------------------------------------- settings and runs


def tell_changes(found: Changes, runs: Sequence[Run], by: Sequence[str], command: str, as_json: bool) -> None:
    """Say what is compared, what is the same, and the differences."""
    if as_json:
        show_json(_changes_document(found, runs, by, command))
    else:
        _tell_changes(found, runs, by)


def _tell_changes(found: Changes, runs: Sequence[Run], by: Sequence[str]) -> None:
    """The same in sentences and a table."""
    from simkit.report.changes import shown

    what = f"what {' and '.join(by)} changes" if by else f"{runs[1].path} less {runs[0].path}"
    _say(f"{runs[0].game.title}, {what}, {_luck(found, runs)}")
    for name, n_deals in found.identical.items():
        _say(f"identical on {n_deals:,} deals: {name}")
    for run, names in zip(runs, (found.only_first, found.only_second), strict=False):
        for name in names:
            _say(f"only in {run.path}: {name}")
    typer.echo()
    if not found.table.empty:
        _show("Differences", shown(found))
        _say(_intervals(found.n_verdicts, found.level, found.margin))


def _luck(found: Changes, runs: Sequence[Run]) -> str:
    """Which deals the two sides were played on."""
    if found.is_paired:
        return f"on the same deals (seed {runs[0].manifest['seed']})"
    seeds = " and ".join(str(run.manifest["seed"]) for run in runs)
    return f"unpaired: other seeds ({seeds}) or another tape give other deals, so that intervals are wider"


def _changes_document(found: Changes, runs: Sequence[Run], by: Sequence[str], command: str) -> dict[str, Any]:
    """The same for programs."""
    from simkit.report.build import records

    document = _head(runs[0], "settings" if by else "runs", command) | {
        "by": list(by),
        "margin": found.margin,
        "level": found.level,
        "n_verdicts": found.n_verdicts,
        "paired": found.is_paired,
        "differences": records(found.table),
    }
    if by:
        return document
    second = {"second_run": str(runs[1].path), "second_results_digest": runs[1].results_digest}
    same = {"identical": [{"cell": name, "n_deals": n} for name, n in found.identical.items()]}
    return document | second | same | {"only_first": list(found.only_first), "only_second": list(found.only_second)}


# -------------------------------------------------------------------------------------------------------------- shown


def _say(text: str) -> None:
    """One line of foreign words."""
    typer.echo(cell(text))


def _show(title: str, table: pd.DataFrame) -> None:
    """A table of texts."""
    show(title, [str(name) for name in table.columns], table.to_numpy().tolist())


def _intervals(n_verdicts: int, level: float, margin: float) -> str:
    """How to read the intervals."""
    from simkit.report.contest import points
    from simkit.report.words import level as spelled

    together = f", so that all {n_verdicts} verdicts hold together at {spelled(0.95)}" if n_verdicts > 1 else ""
    gain = "Pairing gain: how many times as many games unpaired play would need for an interval of the same width."
    return f"Intervals at {spelled(level)}{together}; margin {points(margin)}. {gain}"
