"""Plays a plan into its run folder: what is held stays, what is missing is played and published in order."""

from __future__ import annotations

import errno
import itertools
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from simkit import catalog
from simkit.errors import UserError
from simkit.game import LIKELY_ROUNDS
from simkit.names import printable
from simkit.plan import Plan, Span, count_chunks, make_chunks
from simkit.planning.digests import canonical_json
from simkit.running import manifest, pool
from simkit.running.backends import check_backend
from simkit.running.continuation import Continuation, continuation, is_already_played, refuse_foreign
from simkit.running.holdings import results_digest
from simkit.running.ledger import Ledger
from simkit.running.parcel import Parcel, packed
from simkit.running.parts import datasets
from simkit.running.rundescription import describe_plan
from simkit.running.stopping import Stopping
from simkit.running.worker import Played, Task, play_deals
from simkit.stats.sequential import PRECISE

SHORT = 1.0
"""Work that takes less than this is not worth starting other processes for [s]."""
PILOT = 4096
"""Deals that are played to see how long the work will take."""


class Progress(Protocol):
    """Is told how far play has come."""

    def start(self, n_games: int) -> None:
        """Play begins; so many games are to be played, at most."""

    def advance(self, n_games: int) -> None:
        """So many more games have been published."""

    def stop(self) -> None:
        """Play is over, or was broken off."""


@dataclass(frozen=True)
class RunSummary:
    """What a run came to.

    Attributes
    ----------
    n_games
        Held of the plan's cells.
    n_played
        Of these, played just now.
    n_asked
        What the plan asks for, at most; fewer than are held if it asked for more before.
    n_precise
        Cells that `[stop]` found precise enough.
    seconds
        Wall-clock time of play and writing [s].
    """

    folder: Path
    n_cells: int
    n_games: int
    n_played: int
    n_asked: int
    n_precise: int
    seconds: float
    results_digest: str

    @property
    def held(self) -> bool:
        """It was there already: nothing was played."""
        return self.n_played == 0

    @property
    def games_per_second(self) -> float:
        """Games played per second of wall-clock time."""
        return self.n_played / max(self.seconds, 1e-9)


@dataclass(frozen=True)
class Workers:
    """Who plays: so many processes (or threads) here, or a Dask cluster."""

    jobs: int
    backend: str
    scheduler: str | None


def run(
    plan: Plan,
    folder: Path,
    *,
    jobs: int,
    backend: str = "loky",
    scheduler: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    command: str = "",
) -> RunSummary:
    """Play a plan into a run folder.

    Cells that the folder holds are not played again; of cells that it holds in part only the missing deals are. Killed
    at any moment, the same call goes on and ends with the same results.

    Parameters
    ----------
    plan
        What to play.
    folder
        New, empty, or a run of the same game.
    jobs
        Worker processes; results do not depend on it.
    backend
        joblib's: loky, threading or dask.
    scheduler
        Address of the Dask cluster.
    fresh
        Replace held cells that would come out otherwise now, or are damaged.
    progress
        Is told how far play has come.
    command
        What reproduces the run, for the manifest.

    Raises
    ------
    UserError
        If the folder holds something else or is damaged, or a strategy breaks its contract.
    """
    if jobs < 1:
        raise UserError(f"`jobs` must be at least 1; found {jobs}")
    check_backend(backend, scheduler)
    with _room_on_disk(folder):
        described = describe_plan(plan, folder, command)
        if not manifest.is_vacant(folder):
            held = _already_played(plan, folder, described, fresh)
            if held is not None:
                return held
        with _folder(folder):
            return _Session(plan, folder, described, fresh).play(Workers(jobs, backend, scheduler), progress)


def _already_played(plan: Plan, folder: Path, described: dict[str, Any], fresh: bool) -> RunSummary | None:
    """The same run, finished before; its question, verdicts and title become the newest."""
    if fresh:
        refuse_foreign(folder)
        return None  # whatever is damaged is to be found
    found = manifest.read_manifest(folder)
    if not is_already_played(plan, found):
        return None
    manifest.check_files(folder, found)
    told = found | _newest(described, found["cells"], found) | {name: found[name] for name in ("simkit", "libraries")}
    if canonical_json(told) != canonical_json(found):
        manifest.write_manifest(folder, told)
        _keep_text(plan, folder)
    return _summary(plan, folder, found, n_played=0)


def _summary(plan: Plan, folder: Path, found: Mapping[str, Any], n_played: int) -> RunSummary:
    """What a finished run came to, by its manifest."""
    cells = found["cells"].values()
    return RunSummary(
        folder=folder,
        n_cells=len(plan.cells),
        n_games=sum(entry["games"] for entry in cells),
        n_played=n_played,
        n_asked=plan.games_total,
        n_precise=sum(entry.get("stopped", {}).get("why") == PRECISE for entry in cells),
        seconds=float(found["timing"].get("seconds", 0)),
        results_digest=found["results_digest"],
    )


def _newest(
    described: dict[str, Any], entries: Mapping[str, dict[str, Any]], before: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What a finished run says of its plan: how much it holds of each cell, and what would give as much again."""
    told = described | {"cells": dict(entries), "games": sum(entry["games"] for entry in entries.values())}
    if before is not None and told["games"] > described["games"]:
        told["command"] = before["command"]
        told["experiment"] = described["experiment"] | {"games": before["experiment"]["games"]}
    return told


def _keep_text(plan: Plan, folder: Path) -> None:
    """Keep the experiment as it was written."""
    if plan.path is not None:
        manifest.replace_file(folder / manifest.EXPERIMENT, plan.path.read_bytes())


@contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """A folder to play into, alone; if nothing came of it, it is as it was, and so are those above it."""
    made = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
    try:
        manifest.make_folder(folder)
        with manifest.alone_in(folder):
            try:
                yield
            finally:
                manifest.remove_tree(folder / manifest.WRITING)
                if manifest.is_vacant(folder):
                    (folder / manifest.LOCK).unlink(missing_ok=True)
    finally:
        for place in made:
            with suppress(OSError):  # it holds something by now, or was never made
                place.rmdir()


class _Session:
    """One process's play into one folder.

    The folder is left as it was until the first chunk has been played: a strategy that fails at once harms nothing.
    """

    def __init__(self, plan: Plan, folder: Path, described: dict[str, Any], fresh: bool) -> None:
        self._plan, self._folder, self._described = plan, folder, described
        self._game = catalog.find_game(plan.game_id, plan.base)
        self._datasets = datasets(self._game)
        self._before: Continuation = continuation(plan, folder, self._datasets, fresh)
        self._found = None if self._before.start_anew else manifest.read_manifest(folder)
        self._ledger = Ledger(folder, self._datasets, self._before.holdings)
        self._stopping = Stopping(plan, folder, self._game.cooperative)
        self._begun = False
        self._n_played = 0

    def play(self, workers: Workers, progress: Progress | None) -> RunSummary:
        """Play what is missing, stage by stage."""
        started, clock = datetime.now(UTC), time.perf_counter()
        self._ledger.drafts.mkdir(parents=True)
        if progress:
            progress.start(self._n_missing())
        try:
            for spans in self._stages():
                for played in self._played(spans, workers):
                    self._publish(played)
                    if progress:
                        progress.advance(played.stamp.n_deals)
        finally:
            if progress:
                progress.stop()
        seconds = time.perf_counter() - clock
        timing = {"started": started.isoformat(timespec="seconds"), "seconds": round(seconds, 3), "jobs": workers.jobs}
        return self._finish(timing)

    def _goal(self, number: int) -> int:
        """Deals that a cell is to have without an early stop: as many as asked, in every rotation the same."""
        cell = self._plan.cells[number]
        return max(cell.n_deals, self._ledger.holding(cell.id).furthest)

    def _n_missing(self) -> int:
        """Games to be played, at most."""
        spans = self._spans({number: self._goal(number) for number in range(len(self._plan.cells))})
        return sum(span.end - span.first_deal for span in spans)

    def _spans(self, goals: Mapping[int, int]) -> list[Span]:
        """What is missing for cells to have so many deals, by the cells' numbers in the plan."""
        cells = self._plan.cells
        spans = (
            Span(number, rotation, self._ledger.holding(cells[number].id).of(rotation).n_deals, goal)
            for number, goal in goals.items()
            for rotation in range(cells[number].rotations)
        )
        return [span for span in spans if span.first_deal < span.end]

    def _stages(self) -> Iterator[list[Span]]:
        """What is to be played: at once, or from look to look."""
        if self._plan.experiment.stop is None:
            yield self._spans({number: self._goal(number) for number in range(len(self._plan.cells))})
            return
        stopping = self._stopping
        goals = {
            number: max(stopping.first_look(number), self._ledger.holding(cell.id).furthest)
            for number, cell in enumerate(self._plan.cells)
        }
        while goals:
            yield self._spans(goals)
            goals = {
                number: stopping.next_look(number, n_deals)
                for number, n_deals in goals.items()
                if not stopping.is_enough(number, n_deals)
            }

    def _played(self, spans: Sequence[Span], workers: Workers) -> Iterator[Played]:
        """The outcome of every chunk, in order."""
        jobs = min(count_chunks(spans, self._plan.chunk_deals), workers.jobs)
        if workers.scheduler is not None and jobs:
            parcel = packed(self._plan)
            return pool.play_on_cluster(lambda skipped: self._tasks(spans, skipped, parcel), workers.scheduler)
        if jobs <= 1 or self._is_short(spans):
            return pool.play_here(lambda skipped: self._tasks(spans, skipped))
        return pool.play_on_workers(lambda skipped: self._tasks(spans, skipped), jobs, workers.backend)

    def _tasks(self, spans: Sequence[Span], skipped: int = 0, parcel: Parcel | None = None) -> Iterator[Task]:
        """The chunks after the first so many, with all that is needed to play them here, or with a parcel elsewhere."""
        plan, here = self._plan, parcel is None
        for chunk in itertools.islice(make_chunks(spans, plan.chunk_deals), skipped, None):
            yield Task(
                plan.game_id,
                parcel or plan.base,
                plan.cells[chunk.cell],
                chunk,
                plan.experiment.seed,
                drafts=self._ledger.drafts if here else None,
                parent=os.getpid() if here else None,
            )

    def _is_short(self, spans: Sequence[Span]) -> bool:
        """Whether it all takes less than a second in one process; plays a few games if that is not clear."""
        seats = {span: self._plan.cells[span.cell].seats for span in spans}
        turns = sum((span.end - span.first_deal) * n * LIKELY_ROUNDS for span, n in seats.items())
        if turns * self._game.turn_seconds > 2 * SHORT:
            return False
        task = next(self._tasks(spans))
        n_deals, n_games = min(PILOT, task.chunk.n_deals), sum(span.end - span.first_deal for span in spans)
        _, fixed, pilot = (_seconds(task, n) for n in (1, 1, n_deals))  # the first loads what is to be played
        return fixed * len(spans) + max(pilot - fixed, 0) / n_deals * n_games < SHORT

    def _publish(self, played: Played) -> None:
        """Take in the next chunk."""
        if not self._begun:
            self._begin()
        self._ledger.publish(played)
        self._n_played += played.stamp.n_deals

    def _begin(self) -> None:
        """Change the folder from what it was to what the plan says; broken off, the next session does it again."""
        before, drafts = self._before, self._ledger.drafts.parent
        if before.start_anew and manifest.is_ours(self._folder):
            manifest.clear(self._folder)
        for stale in drafts.iterdir():
            if stale != self._ledger.drafts:
                manifest.remove_tree(stale)
        told = self._described | {"complete": False, "kept": before.kept(self._plan), "files": before.files}
        going = {"replacing": list(before.replaced), "kept": before.kept(self._plan, replaced_too=True)}
        manifest.write_manifest(self._folder, told | going)
        for dataset in self._datasets:
            (self._folder / dataset).mkdir(parents=True, exist_ok=True)
        before.make_room(self._folder, self._datasets)
        manifest.write_manifest(self._folder, told | {"replacing": []})
        _keep_text(self._plan, self._folder)
        self._begun = True

    def _finish(self, timing: dict[str, Any]) -> RunSummary:
        """Say what came of it."""
        if not self._begun:
            self._begin()
        entries = {cell.id: self._entry(number) for number, cell in enumerate(self._plan.cells)}
        digest = results_digest({cell: entry["results_digest"] for cell, entry in entries.items()})
        told = _newest(self._described, entries, self._found)
        outcome: dict[str, Any] = {"complete": True, "results_digest": digest, "timing": timing}
        outcome |= {
            "kept": self._before.kept(self._plan),
            "replacing": [],
            "files": manifest.list_files(self._folder, self._before.files),
        }
        manifest.write_manifest(self._folder, told | outcome)
        return _summary(self._plan, self._folder, told | outcome, self._n_played)

    def _entry(self, number: int) -> dict[str, Any]:
        """What the manifest says of a finished cell."""
        cell = self._plan.cells[number]
        holding, looks = self._ledger.holding(cell.id), self._stopping.looks.get(number)
        entry = self._described["cells"][cell.id] | {
            "n_deals": holding.furthest,
            "games": holding.furthest * cell.rotations,
            "results_digest": holding.digest(),
        }
        return entry if looks is None else entry | {"stopped": looks.told()}


def _seconds(task: Task, n_deals: int) -> float:
    """How long some deals take [s]."""
    clock = time.perf_counter()
    play_deals(task, n_deals)
    return time.perf_counter() - clock


@contextmanager
def _room_on_disk(folder: Path) -> Iterator[None]:
    """A full or locked disk is the user's to mend."""
    try:
        yield
    except OSError as error:
        if error.errno not in _DISK:
            raise
        where = printable(str(folder))
        raise UserError(
            f"the run folder must be writable and have room; {where}: {error}. What was published stays: mend it, and "
            "the same command goes on; or choose another folder with `--runs`"
        ) from error


_DISK = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOTDIR,
    errno.ENAMETOOLONG,
    errno.ELOOP,
)
