"""Killed at any moment, a run resumes and ends with the same bits as one that nothing disturbed."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from simkit.errors import UserError
from simkit.store import Run

from .folders import in_writing, is_complete, is_under_way, manifest, n_parts, published, rows, same_rows
from .processes import Started, command_that_resumes, played, soon
from .trials import slow_base

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")

MOMENTS = 20
MOST_MORE = 10
"""Parts that a run may publish before it is killed."""
SEED = 20261130
WAYS = ("the coordinator", "the whole group", "Ctrl-C")


@dataclass(frozen=True)
class Undisturbed:
    """The run that the others are compared with."""

    base: Path
    document: dict[str, Any]

    @property
    def digest(self) -> str:
        return self.document["results_digest"]

    @property
    def games(self) -> int:
        return self.document["games"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Two jobs, small chunks, nobody interferes."""
    base = slow_base(tmp_path_factory.mktemp("slow") / "base")
    return Undisturbed(base, played(base, "--runs", "whole"))


@pytest.fixture
def started(whole: Undisturbed) -> Iterator[Any]:
    """Starts commands; none outlives its test."""
    processes: list[Started] = []

    def start(*words: str, chunk: int | None = 60) -> Started:
        processes.append(Started(whole.base, *words, chunk=chunk))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()


def trial(runs: str) -> list[str]:
    """The command whose run lies in a folder of runs."""
    return ["run", "experiments/trial.toml", "--runs", runs, "--jobs", "2", "--json", "--quiet"]


def stop(process: Started, way: str) -> None:
    """Kill or interrupt it."""
    if way == "Ctrl-C":
        process.send(signal.SIGINT, group=True)
    else:
        process.send(signal.SIGKILL, group=way == "the whole group")
    process.process.wait(60)


def check_ended(whole: Undisturbed, folder: Path, document: dict[str, Any]) -> None:
    """The run is complete and holds what the undisturbed one holds."""
    assert document["results_digest"] == whole.digest == manifest(folder)["results_digest"]
    assert document["games"] == whole.games == published(folder)
    assert soon(lambda: not in_writing(folder), 20), in_writing(folder)
    same_rows(rows(folder), rows(whole.base / "whole" / "trial"))
    assert len(Run.open(folder).games(["deal"])) == whole.games


@dataclass
class Tally:
    """What the kills found."""

    incomplete: int = 0
    with_parts: int = 0
    ended: int = 0
    played: list[int] = field(default_factory=list)


@pytest.mark.slow
def test_killed_at_twenty_moments(whole: Undisturbed, started: Any) -> None:
    """Each run is killed again and again until it gets to its end.

    Moments are drawn from a fixed seed, and counted from what the run has published, so that a busy machine makes no
    difference: before the first part, or some time after another few.
    """
    luck, tally = random.Random(SEED), Tally()
    folder, runs = whole.base, ""
    for number in range(MOMENTS):
        if not runs:
            runs = f"killed-{number}"
            folder, before = whole.base / runs / "trial", 0
        process = started(*trial(runs))
        await_parts(process, folder, n_parts(folder) + luck.randint(0, MOST_MORE))
        if process.lives(luck.uniform(0, 1)):
            stop(process, WAYS[number % len(WAYS)])
        now = published(folder)
        assert now >= before, "published games were lost"
        tally.with_parts += before < now < whole.games
        before = now
        if is_complete(folder):
            tally.ended += 1
            check_ended(whole, folder, started(*trial(runs)).ended().document)
            runs = ""
        else:
            tally.incomplete += 1
            check_refused(folder)
    if runs:
        document = started(*trial(runs)).ended().document
        assert document["played"] == whole.games - before
        check_ended(whole, folder, document)
    assert tally.incomplete >= MOMENTS // 2, f"too few kills met a run under way: {tally}"
    assert tally.with_parts >= MOMENTS // 4, f"too few kills met a run that had published something new: {tally}"


def check_refused(folder: Path) -> None:
    """An unfinished run is not read; the message names the command that finishes it."""
    if (folder / "manifest.json").exists():
        with pytest.raises(UserError) as error:
            Run.open(folder)
        assert "simkit run experiments/trial.toml --runs" in str(error.value)
        assert "--fresh" not in str(error.value)


def await_parts(process: Started, folder: Path, n: int) -> None:
    """Until so many parts are published, or it is over."""
    assert soon(lambda: n_parts(folder) >= n or process.has_ended)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda n: n.name)
def test_stopped_once(whole: Undisturbed, started: Any, number: signal.Signals) -> None:
    """What was published stays; the same command plays the rest, in other chunks and with one job."""
    runs = f"stopped-{number.name}"
    folder = whole.base / runs / "trial"
    process = started(*trial(runs))
    assert soon(lambda: is_under_way(folder))
    process.send(number, group=number == signal.SIGINT)
    said = process.ended()
    before = published(folder)
    assert 0 < before < whole.games
    check_refused(folder)
    words = trial(runs)
    if number == signal.SIGINT:
        assert said.code == 130
        assert "Traceback" not in said.stderr
        assert not in_writing(folder)
        assert process.group_is_gone(), "a worker is left"
        words = [*command_that_resumes(said.stderr), "--json"]
        assert "--fresh" not in words
    else:
        assert said.code != 0
        words[words.index("--jobs") + 1] = "1"
    document = started(*words, chunk=None).ended().document
    assert document["played"] == whole.games - before
    assert document["already_played"] is False
    check_ended(whole, folder, document)


@pytest.mark.slow
def test_ctrl_c_and_more_games(whole: Undisturbed, started: Any) -> None:
    """A run that was interrupted may be finished with more games than it was begun with."""
    folder = whole.base / "grown" / "trial"
    process = started(*trial("grown"))
    assert soon(lambda: is_under_way(folder))
    stop(process, "Ctrl-C")
    before = published(folder)
    grown = started(*trial("grown"), "--games", "160").ended().document
    fresh = started(*trial("grown-fresh"), "--games", "160").ended().document
    assert grown["results_digest"] == fresh["results_digest"] != whole.digest
    assert (grown["games"], grown["played"]) == (fresh["games"], fresh["games"] - before)
    same_rows(rows(folder), rows(whole.base / "grown-fresh" / "trial"))


@pytest.mark.slow
def test_another_seed_is_another_digest(whole: Undisturbed, started: Any) -> None:
    """The control: digests and rows of runs that differ, differ."""
    other = started(*trial("other"), "--seed", "18").ended().document
    assert other["games"] == whole.games
    assert other["results_digest"] != whole.digest
    with pytest.raises(AssertionError):
        same_rows(rows(whole.base / "other" / "trial"), rows(whole.base / "whole" / "trial"))
