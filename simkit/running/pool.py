"""Plays chunks in this process or on workers, and gives their outcomes in order; a worker that dies is replaced."""

from __future__ import annotations

import logging
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from simkit.errors import UserError
from simkit.names import printable
from simkit.running.worker import Played, Task, play_chunk, tried_chunk

MOST_DEATHS = 3
"""Workers that may die at one chunk: more is no accident."""

PATIENCE = 10
"""A cluster that does not answer for so long is not there [s]."""

Tasks = Callable[[int], Iterator[Task]]
"""The tasks that are left after so many."""


def play_here(tasks: Tasks) -> Iterator[Played]:
    """Play in this process."""
    return map(play_chunk, tasks(0))


def play_on_workers(tasks: Tasks, jobs: int, backend: str) -> Iterator[Played]:
    """Play on several workers; what a dead one was about is played again, with the same outcome."""
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    n_played = n_deaths = 0
    while True:
        try:
            for played in _in_parallel(tasks(n_played), jobs, backend):
                n_played, n_deaths = n_played + 1, 0
                yield played
            return
        except TerminatedWorkerError as error:
            n_deaths += 1
            if n_deaths == MOST_DEATHS:
                raise UserError(
                    f"workers must live until they have played; {MOST_DEATHS} in a row were ended from outside, "
                    "perhaps for want of memory: go on with fewer `--jobs`"
                ) from error
            logging.getLogger("simkit").warning("a worker was ended from outside; another takes its place")


def play_on_cluster(tasks: Tasks, scheduler: str) -> Iterator[Played]:
    """Play on the workers of a Dask cluster; what a worker that dies was about goes to another."""
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise UserError('`--backend dask` needs Dask; found none: `pip install "simkit[dask]"`') from None
    try:
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise UserError(
            f"`--scheduler` must be the address of a Dask scheduler, as in tcp://host:8786; {printable(scheduler)} "
            f"does not answer: {printable(str(error))}"
        ) from error
    with client:
        try:
            yield from _in_parallel(tasks(0), -1, "dask", client=client)
        except KilledWorker as error:
            raise UserError(
                f"workers must live until they have played; several in a row were ended: {printable(str(error))}"
            ) from error


def _in_parallel(tasks: Iterator[Task], jobs: int, backend: str, **settings: Any) -> Iterator[Played]:
    """Play on workers that end at once when play is broken off."""
    from joblib import Parallel, delayed, parallel_config

    settings |= {"inner_max_num_threads": 1} if backend == "loky" else {}
    outcomes: Any = iter(())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "[0-9]+ tasks", UserWarning)  # joblib's advice when play is broken off
        try:
            with parallel_config(backend=backend, **settings), _deaf_children():
                outcomes = Parallel(n_jobs=jobs, batch_size=1, return_as="generator")(map(delayed(tried_chunk), tasks))
            for outcome in outcomes:
                if isinstance(outcome, Exception):
                    raise outcome
                yield outcome
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
