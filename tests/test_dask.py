"""The same chunks on a Dask cluster of two worker processes: the same bits, also when one of them is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simkit.errors import UserError
from simkit.experiment import parse
from simkit.plan import Plan, make_plan
from simkit.runner import run
from simkit.store import Run

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

TEXT = """
game = "tentacolor"
players = 3
games = 6_000
seed = 3
strategies = ["../mine/own.py:own", "random"]
line_ups = "round-robin"
"""
OWN = """
import numpy as np
from simkit.strategy import Strategy
from .taste import FAVOURITE

class Own(Strategy):
    '''Places the card drawn.'''

    def place(self, view):
        scores = np.zeros((len(view.options), view.n), np.uint8)
        scores[FAVOURITE] = 1
        return scores
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two worker processes, each in a folder of its own."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as started:
        yield started


def planned(folder: Path, chunk_deals: int = 500) -> Plan:
    """A plan with a strategy of the user's that imports another file."""
    for name, text in {"experiments/trial.toml": TEXT, "mine/own.py": OWN, "mine/taste.py": "FAVOURITE = 2\n"}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    path = folder / "experiments" / "trial.toml"
    return make_plan(parse(TEXT, path), path, chunk_deals)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the same run in one process."""
    folder = tmp_path_factory.mktemp("here")
    return run(planned(folder), folder / "run", jobs=1).results_digest


def test_a_cluster_gives_the_same(cluster: Any, tmp_path: Path, here: str) -> None:
    summary = run(planned(tmp_path), tmp_path / "run", jobs=1, backend="dask", scheduler=cluster.scheduler_address)
    assert summary.results_digest == here
    assert summary.n_played == summary.n_games == len(Run.open(tmp_path / "run").games(["deal"]))


class Kills:
    """Progress that kills one of the workers when some chunks have been published."""

    def __init__(self, pids: list[int], after: int) -> None:
        self.pids, self.left = pids, after

    def start(self, n_games: int) -> None:
        pass

    def advance(self, n_games: int) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(self.pids[0], signal.SIGKILL)

    def stop(self) -> None:
        pass


def pids(cluster: Any) -> list[int]:
    """Process numbers of the cluster's workers."""
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        client.wait_for_workers(2)
        return list(client.run(os.getpid).values())


def test_a_worker_may_be_killed(cluster: Any, tmp_path: Path, here: str) -> None:
    before = pids(cluster)
    progress = Kills(before, after=3)
    summary = run(
        planned(tmp_path),
        tmp_path / "run",
        jobs=1,
        backend="dask",
        scheduler=cluster.scheduler_address,
        progress=progress,
    )
    assert progress.left < 0, "it was over before the kill"
    assert set(pids(cluster)) != set(before)
    assert summary.results_digest == here


def test_what_was_begun_here_ends_on_a_cluster(cluster: Any, tmp_path: Path, here: str) -> None:
    class Stops(Kills):
        def advance(self, n_games: int) -> None:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(planned(tmp_path), tmp_path / "run", jobs=1, progress=Stops([], after=4))
    summary = run(planned(tmp_path), tmp_path / "run", jobs=1, backend="dask", scheduler=cluster.scheduler_address)
    assert 0 < summary.n_played < summary.n_games
    assert summary.results_digest == here


def test_an_edited_file_never_travels(cluster: Any, tmp_path: Path) -> None:
    plan = planned(tmp_path)
    (tmp_path / "mine" / "taste.py").write_text("FAVOURITE = 0\n")
    with pytest.raises(UserError, match=r"file taste\.py of strategy own changed"):
        run(plan, tmp_path / "run", jobs=1, backend="dask", scheduler=cluster.scheduler_address)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x", "127.0.0.1"])
def test_no_cluster_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr("simkit.running.pool.PATIENCE", 1)
    with pytest.raises(UserError, match="`--scheduler` must be the address of a Dask scheduler"):
        run(planned(tmp_path), tmp_path / "run", jobs=1, backend="dask", scheduler=address)
    assert not (tmp_path / "run").exists()
