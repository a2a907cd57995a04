"""A full or locked disk is one message; what was published stays, and with room the run ends with the same bits."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from simkit.errors import UserError
from simkit.experiment import load
from simkit.plan import make_plan
from simkit.runner import run
from simkit.store import Run

from .folders import everything, in_writing, is_complete, published, result_files, rows, same_rows
from .processes import Started, soon
from .test_damage import Stops
from .trials import TENTACOLOR, base_with

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="disks are mounted and limited otherwise there"),
]

BIG = TENTACOLOR.replace("games = 90", "games = 24_000")
CHUNK = 2000
WORDS = ("run", "experiments/trial.toml", "--json", "--quiet", "--jobs", "2")


def of_root(*words: object) -> bool:
    """Whether a command that only root may give went well."""
    done = subprocess.run([str(word) for word in words], capture_output=True, check=False)
    return done.returncode == 0


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that has all the room it needs."""
    base = base_with(tmp_path_factory.mktemp("room") / "base", BIG)
    path = base / "experiments" / "trial.toml"
    run(make_plan(load(path), path, chunk_deals=CHUNK), base / "runs" / "trial", jobs=1)
    return base / "runs" / "trial"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A user's folder."""
    return base_with(tmp_path / "base", BIG)


@pytest.fixture
def small_disk(base: Path) -> Iterator[Path]:
    """The folder of the runs on a disk of its own that has room for some of the parts."""
    runs = base / "runs"
    runs.mkdir()
    if not of_root("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", runs):
        pytest.skip("a small disk needs root and the right to mount")
    yield runs
    of_root("umount", "-l", runs)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_full_disk(whole: Path, base: Path, small_disk: Path, jobs: str) -> None:
    words, folder = (*WORDS[:-1], jobs), small_disk / "trial"
    before = 0
    pages = sum(-(-path.stat().st_size // 4096) for path in result_files(whole).values())
    for share in (0.4, 0.7):
        assert of_root("mount", "-o", f"remount,size={int(pages * share) * 4}k", small_disk)
        process = Started(base, *words, chunk=CHUNK)
        assert process.ended().is_refusal("runs/trial", "room")
        assert process.group_is_gone()
        assert not is_complete(folder)
        assert soon(lambda: not in_writing(folder), 10)
        now = published(folder)
        assert now > before or jobs == "2", "nothing was published that there was room for"  # workers may run ahead
        assert now >= before
        before = now
    with pytest.raises(UserError, match="simkit run"):
        Run.open(folder)
    assert of_root("mount", "-o", "remount,size=100m", small_disk)
    document = Started(base, *words, chunk=CHUNK).ended().document
    assert document["played"] == document["games"] - before
    assert document["results_digest"] == Run.open(whole).results_digest
    same_rows(rows(folder), rows(whole))


@pytest.mark.slow
def test_full_disk_while_a_run_grows(whole: Path, base: Path, small_disk: Path) -> None:
    """The disk is full before anything new is published: the run is complete as it was."""
    first = Started(base, *WORDS, "--games", "6000", chunk=CHUNK).ended().document
    folder = small_disk / "trial"
    held = rows(folder)
    filler = small_disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)
    assert Started(base, *WORDS, chunk=CHUNK).ended().is_refusal("runs/trial", "room")
    assert Run.open(folder).results_digest == first["results_digest"]
    same_rows(rows(folder), held)
    filler.unlink()
    assert of_root("mount", "-o", "remount,size=100m", small_disk)
    document = Started(base, *WORDS, chunk=CHUNK).ended().document
    assert document["played"] == document["games"] - first["games"]
    assert document["results_digest"] == Run.open(whole).results_digest


def biggest(folder: Path) -> list[int]:
    """The size of each cell's largest part, in the order of the cells [bytes]."""
    files = result_files(folder).values()
    return [max(p.stat().st_size for p in files if p.name.startswith(cell.id)) for cell in Run.open(folder).cells]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_limited_files(whole: Path, base: Path, jobs: str) -> None:
    """Files must not be larger than the parts of the first cell: the first part of the next one cannot be written."""
    first, second = biggest(whole)
    limit = (first + second) // 2
    assert first < limit < second
    words, folder = (*WORDS[:-1], jobs), base / "runs" / "trial"

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    process = Started(base, *words, chunk=CHUNK, prepare=limited)
    assert process.ended().is_refusal("runs/trial")
    assert process.group_is_gone()
    assert published(folder) == 24_000, "the whole first cell, and nothing else"
    assert not in_writing(folder)
    document = Started(base, *words, chunk=CHUNK).ended().document
    assert document["played"] == document["games"] - 24_000
    assert document["results_digest"] == Run.open(whole).results_digest
    same_rows(rows(folder), rows(whole))


# ------------------------------------------------------------------------------------------------------------ read-only


@contextlib.contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing can be written there; skips the test where that cannot be had."""
    if os.geteuid():
        folder.chmod(0o555)
        try:
            yield
        finally:
            folder.chmod(0o755)
    elif of_root("mount", "--bind", folder, folder):
        try:
            assert of_root("mount", "-o", "remount,ro,bind", folder)
            yield
        finally:
            of_root("umount", "-l", folder)
    else:
        pytest.skip("permissions do not bind root, and it may not mount")


@pytest.fixture
def unfinished(base: Path) -> Path:
    """A run that was interrupted, in chunks of 2000 deals."""
    path, folder = base / "experiments" / "trial.toml", base / "runs" / "trial"
    plan = make_plan(load(path), path, chunk_deals=CHUNK)
    with pytest.raises(KeyboardInterrupt):
        run(plan, folder, jobs=1, progress=Stops(3), command="simkit run experiments/trial.toml")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_read_only_run(whole: Path, base: Path, unfinished: Path, jobs: str) -> None:
    before = everything(unfinished)
    words = (*WORDS[:-1], jobs)
    with read_only(unfinished):
        assert Started(base, *words, chunk=CHUNK).ended().is_refusal("runs/trial", "writable")
        assert everything(unfinished) == before
        with pytest.raises(UserError, match="simkit run"):
            Run.open(unfinished)
    assert everything(unfinished) == before
    assert Started(base, *words, chunk=CHUNK).ended().document["results_digest"] == Run.open(whole).results_digest


@pytest.mark.slow
def test_read_only_folder_of_runs(base: Path) -> None:
    """There is no room for a new run."""
    (base / "runs").mkdir()
    with read_only(base / "runs"):
        assert Started(base, *WORDS, chunk=CHUNK).ended().is_refusal("runs", "writable")
    assert not list((base / "runs").iterdir())


def test_read_only_run_is_read(base: Path) -> None:
    """Reading writes nothing, not even a lock."""
    path, folder = base / "experiments" / "trial.toml", base / "runs" / "trial"
    run(make_plan(load(path, {"games": 60}), path), folder, jobs=1)
    games = Run.open(folder).games()
    before = everything(folder)
    with read_only(folder):
        assert Run.open(folder).games().equals(games)
        assert Run.open(folder).column("games", "n_turns", Run.open(folder).cells[0].id).size
    assert everything(folder) == before
