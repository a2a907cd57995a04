"""Workers that die, outlive their coordinator or meet a strategy's mistake; and two commands at one folder."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simkit.errors import UserError
from simkit.store import Run

from .folders import everything, in_writing, is_complete, is_under_way, manifest, published, rows, same_rows, snapshot
from .processes import Started, command, played, soon
from .trials import SLOW_CHUNK, base_with, in_chunks_of, simkit_run, slow_base

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")

WORDS = ("run", "experiments/trial.toml", "--json", "--quiet", "--jobs", "2")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder with the slow experiment, and what it comes to, in `whole/`."""
    folder = slow_base(tmp_path_factory.mktemp("workers") / "base")
    played(folder, "--runs", "whole")
    return folder


@pytest.fixture
def started() -> Iterator[Any]:
    """Starts commands; none outlives its test."""
    processes: list[Started] = []

    def start(where: Path, *words: str, chunk: int | None = SLOW_CHUNK) -> Started:
        processes.append(Started(where, *WORDS, *words, chunk=chunk))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()


def check_whole(base: Path, folder: Path) -> None:
    """The run is what the undisturbed one is."""
    assert Run.open(folder).results_digest == Run.open(base / "whole" / "trial").results_digest
    assert not in_writing(folder)
    same_rows(rows(folder), rows(base / "whole" / "trial"))


# ---------------------------------------------------------------------------------------------------------------- death


@pytest.mark.slow
def test_killed_worker_is_replaced(base: Path, started: Any) -> None:
    """The run goes on by starting new workers."""
    process, folder = started(base, "--runs", "bereaved"), base / "bereaved" / "trial"
    assert soon(lambda: is_under_way(folder))
    workers = process.workers()
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)
    assert soon(lambda: process.has_ended or set(process.workers()) - set(workers)), "no new worker"
    said = process.ended()
    assert said.document["results_digest"] == Run.open(base / "whole" / "trial").results_digest
    assert process.group_is_gone()
    check_whole(base, folder)


LETHAL = '''
"""Players who may be the end of their process."""

import os
from pathlib import Path

import numpy as np
from simkit.strategy import Strategy

HERE = Path({here!r})


class Lethal(Strategy):
    """Ends its process, and with `once` only the first that comes along; or breaks the contract."""

    def place(self, view):
        if (HERE / "always").exists() and os.getppid() == int((HERE / "always").read_text() or 0):
            os.kill(os.getpid(), 9)
        if (HERE / "wrong").exists():
            return np.zeros((1, 1))
        for token in sorted(HERE.glob("once-*")):
            try:
                token.unlink()
            except FileNotFoundError:
                continue
            os.kill(os.getpid(), 9)
        return np.zeros((len(view.options), view.n), np.uint8)
'''

LETHAL_EXPERIMENT = """
game = "tentacolor"
players = 2
games = 400
seed = 3
line_ups = [["random", "random"], ["lethal", "random"], ["lethal", "lethal"]]
strategies = ["random", "lethal"]
"""
"""The first cell is played by random players only: 400 games, eight chunks of fifty."""


@pytest.fixture
def lethal(tmp_path: Path) -> Path:
    """A user's folder with players who do as files tell them."""
    folder = base_with(tmp_path / "base", LETHAL_EXPERIMENT)
    (folder / "strategies" / "tentacolor").mkdir(parents=True)
    (folder / "strategies" / "tentacolor" / "lethal.py").write_text(LETHAL.format(here=str(folder)))
    return folder


def harmless_digest(base: Path) -> str:
    """The digest when nobody dies and nothing is wrong."""
    return played(base, "--runs", "harmless", chunk=50)["results_digest"]


@pytest.mark.slow
@pytest.mark.parametrize("n_deaths", [1, 3])
def test_workers_that_die_now_and_then(lethal: Path, started: Any, n_deaths: int) -> None:
    """One dies, at its first game with a lethal player; then perhaps the next."""
    for number in range(n_deaths):
        (lethal / f"once-{number}").touch()
    said, folder = started(lethal, chunk=50).ended(), lethal / "runs" / "trial"
    assert not list(lethal.glob("once-*")), "nobody died"
    if said.code != 0 and n_deaths > 1:
        assert said.is_refusal("worker")
        said = started(lethal, chunk=50).ended()
    assert said.document["results_digest"] == harmless_digest(lethal)
    assert published(folder) == 1200
    assert not in_writing(folder)


@pytest.mark.slow
def test_workers_that_keep_dying(lethal: Path, started: Any) -> None:
    """One message, what was published stays, and the same command goes on when the cause is gone."""
    process = started(lethal, chunk=50)
    (lethal / "always").write_text(str(process.pid))
    said, folder = process.ended(), lethal / "runs" / "trial"
    assert said.is_refusal("worker")
    assert process.group_is_gone()
    assert published(folder) > 0
    assert not in_writing(folder)
    (lethal / "always").unlink()
    document = started(lethal, chunk=50).ended().document
    assert document["results_digest"] == harmless_digest(lethal)
    assert published(folder) == document["games"] == 1200


@pytest.mark.slow
def test_orphans_end_by_themselves(base: Path, started: Any) -> None:
    """And a run that is resumed at once, while they may still write, is not disturbed."""
    process, folder = started(base, "--runs", "orphans"), base / "orphans" / "trial"
    assert soon(lambda: is_under_way(folder))
    orphans = process.workers()
    assert len(orphans) == 2
    process.send(signal.SIGKILL)
    resumed = started(base, "--runs", "orphans")
    assert process.group_is_gone(), "an orphan is left"
    assert resumed.ended().code == 0
    check_whole(base, folder)


@pytest.mark.slow
def test_stopped_orphans_wake_too_late(base: Path, started: Any) -> None:
    """Workers that slept through the end of their run, and through the next one, write to no place that matters."""
    process, folder = started(base, "--runs", "sleepers"), base / "sleepers" / "trial"
    assert soon(lambda: is_under_way(folder))
    sleepers = process.workers()
    for pid in sleepers:
        os.kill(pid, signal.SIGSTOP)
    process.send(signal.SIGKILL)
    process.process.wait()
    assert started(base, "--runs", "sleepers").ended().code == 0
    held = snapshot(folder)
    for pid in sleepers:
        os.kill(pid, signal.SIGCONT)
    assert process.group_is_gone(), "an orphan is left"
    assert snapshot(folder) == held
    check_whole(base, folder)


# ----------------------------------------------------------------------------------------------------------------- lock


@pytest.mark.slow
def test_two_commands_at_one_folder(base: Path, started: Any) -> None:
    """The second says so, whatever it asks for, and harms nothing; nor does a lock outlive its owner."""
    first, folder = started(base, "--runs", "shared"), base / "shared" / "trial"
    assert soon(lambda: is_under_way(folder))
    first.send(signal.SIGSTOP, group=True)  # so that it is not over before the others begin
    before = everything(folder)
    for words in ((), ("--fresh",), ("--games", "10"), ("--seed", "5", "--fresh")):
        assert started(base, "--runs", "shared", *words).ended().is_refusal(str(Path("shared") / "trial"))
    assert everything(folder) == before
    first.send(signal.SIGCONT, group=True)
    document = first.ended().document
    assert document["played"] == document["games"]
    check_whole(base, folder)
    assert started(base, "--runs", "shared").ended().document["already_played"] is True


@pytest.mark.slow
def test_lock_of_a_killed_run_is_no_lock(base: Path, started: Any) -> None:
    first, folder = started(base, "--runs", "stale"), base / "stale" / "trial"
    assert soon(lambda: is_under_way(folder))
    first.send(signal.SIGKILL, group=True)
    first.process.wait()
    assert started(base, "--runs", "stale").ended().code == 0
    check_whole(base, folder)


@pytest.mark.slow
def test_two_at_the_same_moment(tmp_path: Path) -> None:
    """Commands that begin together: one plays, and the other is refused or finds it played."""
    base = base_with(tmp_path / "base", LETHAL_EXPERIMENT.replace("lethal", "longest-run"))
    pair = [Started(base, *WORDS, chunk=50) for _ in range(2)]
    said = [process.ended() for process in pair]
    assert 0 in {one.code for one in said}, said
    for one in said:
        assert one.code == 0 or one.is_refusal(str(Path("runs") / "trial"))
    assert len({one.document["results_digest"] for one in said if one.code == 0}) == 1
    assert published(base / "runs" / "trial") == 1200
    assert not in_writing(base / "runs" / "trial")


# ------------------------------------------------------------------------------------------------------ wrong strategy


@pytest.fixture
def wrong(lethal: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The strategy breaks its contract from the second cell on; this process plays."""
    (lethal / "wrong").touch()
    monkeypatch.chdir(lethal)
    in_chunks_of(50, monkeypatch)
    return lethal


@pytest.mark.slow
def test_wrong_strategy_leaves_what_was_published(wrong: Path) -> None:
    said, folder = simkit_run(), wrong / "runs" / "trial"
    assert said.is_refusal("strategy `lethal`, decision `place`")
    assert published(folder) == 400
    assert not in_writing(folder)
    assert not is_complete(folder)
    with pytest.raises(UserError, match=r"simkit run experiments/trial\.toml"):
        Run.open(folder)
    (wrong / "wrong").unlink()
    assert simkit_run().document["played"] == 800
    assert published(folder) == 1200


def test_wrong_strategy_leaves_no_new_folder(wrong: Path) -> None:
    assert simkit_run("--set", 'line_ups=[["lethal", "lethal"]]').is_refusal("strategy `lethal`")
    assert not (wrong / "runs" / "trial").exists()


def test_wrong_strategy_leaves_a_complete_run_complete(wrong: Path) -> None:
    """Its first new chunk fails."""
    words = ("--set", 'line_ups=[["lethal", "random"]]')
    (wrong / "wrong").unlink()
    first, folder = simkit_run(*words).document, wrong / "runs" / "trial"
    before, games = snapshot(folder), Run.open(folder).games()
    (wrong / "wrong").touch()
    assert simkit_run(*words, "--games", "500").is_refusal("strategy `lethal`")
    assert Run.open(folder).results_digest == first["results_digest"]
    assert Run.open(folder).games().equals(games)
    assert snapshot(folder) == before
    assert not in_writing(folder)
    assert simkit_run(*words).document["already_played"] is True
    (wrong / "wrong").unlink()
    grown = simkit_run(*words, "--games", "500").document
    assert grown["played"] == 100
    assert grown["results_digest"] == simkit_run(*words, "--games", "500", "--runs", "b").document["results_digest"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["new", "complete"])
def test_wrong_strategy_on_workers(lethal: Path, started: Any, kind: str) -> None:
    words, folder = ("--set", 'line_ups=[["lethal", "lethal"]]'), lethal / "runs" / "trial"
    if kind == "complete":
        started(lethal, *words, chunk=50).ended()
    before = everything(folder)
    (lethal / "wrong").touch()
    process = started(lethal, *words, "--games", "1000", chunk=50)
    assert process.ended().is_refusal("strategy `lethal`")
    assert process.group_is_gone()
    assert folder.exists() == (kind == "complete")
    assert snapshot(folder) == {name: said for name, said in snapshot(folder).items() if name in before}
    assert kind == "new" or manifest(folder)["complete"] is True


def test_a_command_is_what_is_typed() -> None:
    """The control: these tests run the command and nothing else."""
    words = command("run", "x", chunk=None)
    assert words[1:] == ["-m", "simkit", "run", "x"]
    assert json.dumps(command("run", "x", chunk=50)).count("= 50") == 1
