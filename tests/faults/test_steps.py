"""Stopped before any single step on the file system, a run loses nothing that was published, and resumes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from simkit.experiment import load
from simkit.plan import make_plan
from simkit.runner import run
from simkit.store import Run

from .folders import in_writing, is_complete, manifest, published, rows, same_rows, snapshot
from .steps import INTERRUPTED, MISTAKE, OK, Work
from .trials import TENTACOLOR, base_with, in_chunks_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="runs are played by forks of one process"),
]

CODES = {"kill": "killed", "full": MISTAKE, "interrupt": INTERRUPTED}
ENOUGH = 25
"""Steps that a run of six chunks takes at least: its folders, its parts, its manifest."""


@dataclass(frozen=True)
class Base:
    """A user's folder, and the runs that others begin with or must come to."""

    path: Path

    @property
    def experiment(self) -> Path:
        return self.path / "experiments" / "trial.toml"

    def played(self, name: str, **overrides: Any) -> Path:
        """The folder of an undisturbed run."""
        folder = self.path / name
        if not folder.exists():
            plan = make_plan(load(self.experiment, overrides), self.experiment, chunk_deals=30)
            run(plan, folder, jobs=1, command="simkit run trial")
        return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """With one small experiment."""
    return Base(base_with(tmp_path_factory.mktemp("steps") / "base", TENTACOLOR))


def each_step(tmp_path: Path, base: Base, how: str, **changes: Any) -> list[dict[str, Any]]:
    """What came of being stopped at every step, or at some."""
    work = Work(str(base.experiment), str(tmp_path), how, **({"overrides": {}} | changes))
    words = [sys.executable, "-m", "tests.faults.steps", work.text()]
    root = Path(__file__).parents[2]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=600, cwd=root, check=False)
    assert ended.returncode == 0, ended.stderr
    return [json.loads(line) for line in ended.stdout.splitlines()]


def check_stopped(outcome: dict[str, Any], how: str) -> None:
    """The run was stopped in the one way that is proper, or not at all."""
    assert {stopped["code"] for stopped in outcome["stopped"]} <= {CODES[how], OK}, outcome


def check_resumed(outcome: dict[str, Any], folder: Path, wanted: Path) -> None:
    """The same command, undisturbed, ends with the right rows and nothing else."""
    assert outcome["resumed"]["code"] == OK, outcome
    assert outcome["resumed"]["said"] == manifest(wanted)["results_digest"] == Run.open(folder).results_digest, outcome
    assert not in_writing(folder)


SLOWLY = [
    pytest.param("kill", 1, marks=pytest.mark.slow),
    pytest.param("full", 3, marks=pytest.mark.slow),
    pytest.param("interrupt", 3, marks=pytest.mark.slow),
]
"""How runs are stopped, and at which steps: 1, 1 + stride ..."""


@pytest.mark.parametrize(("how", "stride"), [("kill", 13), *SLOWLY])
def test_new_run(base: Base, tmp_path: Path, how: str, stride: int) -> None:
    """Stopped, and stopped again where it was resumed."""
    wanted = base.played("wanted")
    outcomes = each_step(tmp_path, base, how, stride=stride, twice=True)
    held = []
    for outcome in outcomes:
        folder = tmp_path / f"{outcome['step']:03}"
        left = folder.with_name(f"{folder.name}-stopped")
        check_stopped(outcome, how)
        held.append(published(left) if left.exists() else 0)
        assert held[-1] == 180 or not is_complete(left)
        check_resumed(outcome, folder, wanted)
    same_rows(rows(folder), rows(wanted))
    assert len(outcomes) * stride >= ENOUGH
    assert len(set(held)) > 1 + (stride == 1), "every stop found the same"


@pytest.mark.parametrize(("how", "stride"), SLOWLY)
def test_more_games(base: Base, tmp_path: Path, how: str, stride: int) -> None:
    """While new deals are played, those of before stay as they are; what is called complete is readable."""
    begun, wanted = base.played("wanted"), base.played("more", games=180)
    before = snapshot(begun)
    outcomes = each_step(tmp_path, base, how, stride=stride, begun=str(begun), overrides={"games": 180})
    digests = {manifest(folder)["results_digest"] for folder in (begun, wanted)}
    for outcome in outcomes:
        folder = tmp_path / f"{outcome['step']:03}"
        check_stopped(outcome, how)
        left = folder.with_name(f"{folder.name}-stopped")
        assert published(left) >= 180
        if is_complete(left):
            assert Run.open(left).results_digest in digests
            assert len(Run.open(left).games(["deal"])) == manifest(left)["games"]
        check_resumed(outcome, folder, wanted)
        assert {name: said[1] for name, said in snapshot(folder).items() if name in before} == {
            name: said[1] for name, said in before.items()
        }
    same_rows(rows(folder), rows(wanted))
    assert len(outcomes) * stride >= ENOUGH


@pytest.mark.parametrize(("how", "stride"), SLOWLY)
def test_fresh(base: Base, tmp_path: Path, how: str, stride: int) -> None:
    """While cells are replaced, old rows and new ones are never taken for one run."""
    begun, wanted = base.played("wanted"), base.played("seed", seed=12)
    outcomes = each_step(tmp_path, base, how, stride=stride, begun=str(begun), overrides={"seed": 12}, fresh=True)
    for outcome in outcomes:
        folder = tmp_path / f"{outcome['step']:03}"
        check_stopped(outcome, how)
        left = folder.with_name(f"{folder.name}-stopped")
        if is_complete(left):
            assert Run.open(left).results_digest in {manifest(f)["results_digest"] for f in (begun, wanted)}
            same_rows(rows(left), rows(begun if Run.open(left).manifest["seed"] == 11 else wanted))
        check_resumed(outcome, folder, wanted)
    same_rows(rows(folder), rows(wanted))
    assert len(outcomes) * stride >= ENOUGH


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        "kill",
        "interrupt",
        "full",
    ],
)
def test_fresh_of_a_cell_that_is_not_asked_for(base: Base, tmp_path: Path, how: str) -> None:
    """A cell that is damaged, and kept from before, goes; what the experiment asks for stays as it is."""
    asked = {"players": [3], "line_ups": [["careful", "random", "random"]]}
    begun, wanted = tmp_path / "begun", base.played("narrow", **asked)
    shutil.copytree(base.played("wanted"), begun)
    other = next(
        path for path in sorted((begun / "seats").iterdir()) if path.name[:12] not in manifest(wanted)["cells"]
    )
    other.write_bytes(other.read_bytes()[:100])
    for outcome in each_step(tmp_path, base, how, begun=str(begun), overrides=asked, fresh=True):
        check_stopped(outcome, how)
        check_resumed(outcome, tmp_path / f"{outcome['step']:03}", wanted)


def test_every_step_is_heard(base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: an undisturbed run takes as many steps as are tried, and publishes each part by one of them."""
    in_chunks_of(30, monkeypatch)
    (outcome,) = each_step(tmp_path, base, "kill", first=100_000)
    n_parts = len(list((tmp_path / "100000" / "games").iterdir()))
    assert n_parts == 3 + 3 * 1
    assert outcome["stopped"][0]["steps"] > n_parts
