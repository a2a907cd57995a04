"""Plays a plan: chunks in parallel, published in order, counted, hashed and described in the run's manifest."""

from __future__ import annotations

import errno
import signal
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from simkit import catalog, manifest
from simkit.digests import canonical_json
from simkit.errors import UserError
from simkit.ledger import Ledger
from simkit.names import printable
from simkit.parts import TABLES
from simkit.plan import Plan
from simkit.rundescription import describe_plan, same_results, what_is_held
from simkit.worker import Played, Task, play_chunk, play_deals

SHORT = 1.0
"""Work that takes less than this is not worth starting other processes for [s]."""
PILOT = 4096
"""Deals that are played to see how long the work will take."""
LIKELY_ROUNDS = 8


class Progress(Protocol):
    """Is told how far play has come."""

    def start(self, n_games: int) -> None:
        """Play begins; so many games are to be played."""

    def advance(self, n_games: int) -> None:
        """So many more games have been published."""

    def stop(self) -> None:
        """Play is over, or was broken off."""


@dataclass(frozen=True)
class RunSummary:
    """What a run came to.

    Attributes
    ----------
    held
        It was there already: nothing was played.
    seconds
        Wall-clock time of play and writing [s].
    """

    folder: Path
    n_cells: int
    n_games: int
    seconds: float
    results_digest: str
    held: bool = False

    @property
    def games_per_second(self) -> float:
        """Games per second of wall-clock time."""
        return self.n_games / max(self.seconds, 1e-9)


def run(
    plan: Plan,
    folder: Path,
    *,
    jobs: int,
    backend: str = "loky",
    fresh: bool = False,
    progress: Progress | None = None,
    command: str = "",
) -> RunSummary:
    """Play a plan into a run folder.

    Parameters
    ----------
    plan
        What to play.
    folder
        New, or empty, or a run of the same experiment (which is then not played again).
    jobs
        Worker processes; results do not depend on it.
    backend
        joblib's.
    fresh
        Replace the run that the folder holds.
    progress
        Is told how far play has come.
    command
        What reproduces the run, for the manifest.

    Raises
    ------
    UserError
        If the folder holds something else, or a strategy breaks its contract.
    """
    if jobs < 1:
        raise UserError(f"`jobs` must be at least 1; found {jobs}")
    with _room_on_disk(folder):
        described = describe_plan(plan, folder, command)
        if not manifest.is_vacant(folder):
            if not fresh:
                return _held(plan, folder, described)
            _make_room(folder)
        return _play(plan, folder, described, jobs, backend, progress)


def _make_room(folder: Path) -> None:
    """Delete the run that the folder holds."""
    if not manifest.is_ours(folder):
        raise UserError(
            f"`--fresh` replaces a run of simkit's; {printable(str(folder))} holds other files, which it leaves "
            "alone: choose another folder with `--runs`"
        )
    manifest.clear(folder)


def _held(plan: Plan, folder: Path, described: dict[str, Any]) -> RunSummary:
    """The same run, finished before; its question, verdicts and title become the newest."""
    found = manifest.read_manifest(folder)
    if not same_results(plan, found):
        raise UserError(
            f"a run folder holds one experiment; {printable(str(folder))} holds {what_is_held(plan, found)}. "
            "Replace it with `--fresh`, or choose another folder with `--runs`"
        )
    manifest.check_files(folder, found)
    if canonical_json(found | described) != canonical_json(found):
        manifest.write_manifest(folder, found | described)
        _keep_text(plan, folder)
    seconds, digest = float(found["timing"].get("seconds", 0)), found["results_digest"]
    return RunSummary(folder, len(plan.cells), plan.games_total, seconds, digest, held=True)


def _keep_text(plan: Plan, folder: Path) -> None:
    """Keep the experiment as it was written."""
    if plan.path is not None:
        (folder / manifest.EXPERIMENT).write_bytes(plan.path.read_bytes())


def _play(
    plan: Plan, folder: Path, described: dict[str, Any], jobs: int, backend: str, progress: Progress | None
) -> RunSummary:
    """Play every chunk, then say what came of it; a folder that is broken off stays marked as unfinished."""
    started, clock, existed = datetime.now(UTC), time.perf_counter(), folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    manifest.write_manifest(folder, described | {"complete": False})
    try:
        ledger = _played_through(plan, folder, jobs, backend, progress)
    except Exception:
        manifest.clear(folder)
        if not existed:
            folder.rmdir()
        raise
    seconds = time.perf_counter() - clock
    timing = {"started": started.isoformat(timespec="seconds"), "seconds": round(seconds, 3), "jobs": jobs}
    digest, files = ledger.digest(), manifest.list_files(folder)
    outcome = {"complete": True, "results_digest": digest, "files": files, "timing": timing}
    manifest.write_manifest(folder, described | outcome)
    return RunSummary(folder, len(plan.cells), plan.games_total, seconds, digest)


def _played_through(plan: Plan, folder: Path, jobs: int, backend: str, progress: Progress | None) -> Ledger:
    """Publish chunk after chunk; nothing unpublished is left behind, however it ends."""
    _keep_text(plan, folder)
    for name in (*TABLES, manifest.WRITING):
        (folder / name).mkdir(exist_ok=True)
    ledger = Ledger(plan, folder)
    try:
        if progress:
            progress.start(plan.games_total)
        for played in _played(plan, folder, jobs, backend):
            ledger.publish(played.chunk, played.row_hash, played.tallies)
            if progress:
                progress.advance(played.chunk.n_deals)
    finally:
        if progress:
            progress.stop()
        manifest.remove_tree(folder / manifest.WRITING)
    return ledger


@contextmanager
def _room_on_disk(folder: Path) -> Iterator[None]:
    """A full or locked disk is the user's to mend."""
    try:
        yield
    except OSError as error:
        if error.errno not in _DISK:
            raise
        where = printable(str(folder))
        raise UserError(f"the run folder must be writable and have room; {where}: {error}") from error


_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENAMETOOLONG)


# ------------------------------------------------------------------------------------------------------------- workers


def _played(plan: Plan, folder: Path, jobs: int, backend: str) -> Iterator[Played]:
    """Every chunk's outcome in order."""
    jobs = min(jobs, len(plan.chunks))
    if jobs == 1 or is_short(plan, folder):
        return map(play_chunk, _tasks(plan, folder))
    return _in_parallel(_tasks(plan, folder), jobs, backend)


def _tasks(plan: Plan, folder: Path) -> Iterator[Task]:
    """The chunks with all that is needed to play them."""
    for chunk in plan.chunks:
        yield Task(plan.game_id, plan.base, plan.cells[chunk.cell], chunk, plan.experiment.seed, folder.resolve())


def is_short(plan: Plan, folder: Path) -> bool:
    """Whether the whole work takes less than a second in one process; plays a few games if that is not clear."""
    game = catalog.find_game(plan.game_id, plan.base)
    turns = sum(cell.rotations * cell.n_deals * cell.seats * LIKELY_ROUNDS for cell in plan.cells)
    if turns * game.turn_seconds > 2 * SHORT:
        return False
    n_deals, clock = min(PILOT, plan.chunks[0].n_deals), time.perf_counter()
    play_deals(next(_tasks(plan, folder)), n_deals)
    return (time.perf_counter() - clock) / n_deals * plan.games_total < SHORT


def _in_parallel(tasks: Iterator[Task], jobs: int, backend: str) -> Iterator[Played]:
    """Play on several workers; they end at once when play is broken off."""
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    threads = {"inner_max_num_threads": 1} if backend == "loky" else {}
    outcomes: Any = iter(())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "[0-9]+ tasks", UserWarning)  # joblib's advice when play is broken off
        try:
            with parallel_config(backend=backend, **threads), _deaf_children():
                outcomes = Parallel(n_jobs=jobs, batch_size=1, return_as="generator")(map(delayed(play_chunk), tasks))
            yield from outcomes
        except TerminatedWorkerError as error:
            raise UserError(
                "workers must live until they have played; one was ended from outside, perhaps for want of memory: "
                "try again with fewer `--jobs`"
            ) from error
        finally:
            if hasattr(outcomes, "close"):
                outcomes.close()


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Processes started meanwhile never see Ctrl-C: this one does, and ends them."""
    import multiprocessing.resource_tracker

    from joblib.externals.loky.backend import resource_tracker

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    for tracker in (multiprocessing.resource_tracker, resource_tracker):
        tracker.ensure_running()  # else started with the first worker, and it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
