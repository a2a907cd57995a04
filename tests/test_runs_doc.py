"""docs/runs.md: its commands run and print what it says, killed runs included; what it says of files is so."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simkit.running.parts import Stamp, read_stamp
from simkit.store import Run

pytestmark = pytest.mark.xdist_group("runs.md")  # whose commands take their time: once is enough

PAGE = Path(__file__).parent.parent / "docs" / "runs.md"
TEXT = PAGE.read_text(encoding="utf-8")
PLAIN = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "200"}


@dataclass(frozen=True)
class Example:
    """A command of a page, and the lines that it shows of what is printed; `...` stands for anything."""

    command: str
    shown: tuple[str, ...]

    @property
    def fails(self) -> bool:
        """Whether the page shows an error."""
        return any(line.startswith("Error:") for line in self.shown)


def examples(text: str) -> list[Example]:
    """The commands of a page's console blocks."""
    lines = [line for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
    return [
        Example(lines[start][2:], tuple(lines[start + 1 : end]))
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]


def missing(shown: tuple[str, ...], printed: str) -> list[str]:
    """Lines that were not printed so."""
    patterns = {line: ".*".join(map(re.escape, line.split("..."))) for line in shown}
    return [line for line, pattern in patterns.items() if not re.search(pattern, printed)]


def simkit(words: list[str], folder: Path) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    python = [sys.executable, "-m", "simkit", *words]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(python, cwd=folder, env=os.environ | PLAIN, start_new_session=True, **pipes)


def parts(folder: Path) -> set[str]:
    """What is published."""
    return {path.name for path in (folder / "runs" / "long" / "games").glob("*.parquet")}


def broken_off(words: list[str], folder: Path, sign: str) -> tuple[int, str]:
    """Exit code and output of a command that is sent a signal as soon as it has published something."""
    before, process = parts(folder), simkit(words, folder)
    while parts(folder) <= before:
        assert process.poll() is None, "it was over before the signal"
        time.sleep(0.005)
    process.send_signal(signal.Signals[f"SIG{sign}"])
    output = process.communicate(timeout=60)[0]
    return process.returncode, output


def tried(example: Example, folder: Path) -> tuple[int, str]:
    """Exit code and output of an example; time limits are replaced by the first thing published."""
    timed = re.fullmatch(r"timeout --signal=(\w+) \d+ simkit (.*)", example.command)
    if timed:
        return broken_off(shlex.split(timed[2]), folder, timed[1])
    process = simkit(shlex.split(example.command.removeprefix("simkit ")), folder)
    output = process.communicate(timeout=300)[0]
    return process.returncode, output


def wanted(example: Example) -> int:
    """The exit code that the page speaks of."""
    broken = {"KILL": -signal.SIGKILL, "INT": 130}
    sign = re.match(r"timeout --signal=(\w+)", example.command)
    return broken[sign[1]] if sign else 2 if example.fails else 0


ALL = examples(TEXT)
CLUSTER = [example for example in ALL if "8786" in example.command]
HERE = [example for example in ALL if example not in CLUSTER]


def documented(heading: str) -> set[str]:
    """The keys of the table with that first column."""
    table = TEXT.partition(f"| {heading} | meaning |\n|---|---|\n")[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, tuple[int, str]], list[dict[str, Any]]]:
    """The page's commands here, one after the other: their folder, what came of them, and manifests on the way."""
    folder = tmp_path_factory.mktemp("runs")
    came_of: dict[str, tuple[int, str]] = {}
    manifests = []
    for example in HERE:
        assert example.command not in came_of or not example.command.startswith("timeout")
        came_of[f"{len(came_of)} {example.command}"] = tried(example, folder)
        if (folder / "runs" / "long" / "manifest.json").is_file():
            manifests.append(json.loads((folder / "runs" / "long" / "manifest.json").read_text()))
    return folder, came_of, manifests


@pytest.mark.slow
def test_commands_print_what_the_page_says(played: Any) -> None:
    _, came_of, _ = played
    assert len(came_of) == len(HERE) > 12
    for example, (code, printed) in zip(HERE, came_of.values(), strict=True):
        assert code == wanted(example), f"{example.command}: {printed}"
        assert missing(example.shown, printed) == [], f"{example.command}: {printed}"


@pytest.mark.slow
def test_killed_and_extended_runs_end_the_same(played: Any, tmp_path: Path) -> None:
    """The same number of games, played at once by one worker."""
    folder, _, manifests = played
    whole = next(manifest for manifest in manifests if manifest["complete"] and manifest["games"] == 216_000)
    assert len([manifest for manifest in manifests if not manifest["complete"]]) >= 2, "nothing was broken off"
    experiment = str(folder / "experiments" / "long.toml")
    process = simkit(["run", experiment, "--games", "9000", "--jobs", "1"], tmp_path)
    printed = process.communicate(timeout=300)[0]
    assert f"results digest {whole['results_digest']}" in printed


@pytest.mark.slow
def test_pandas_reads_it_as_the_page_says(played: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, _, _ = played
    monkeypatch.chdir(folder)
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, "<runs.md>", "exec"), names)
    run = Run.open(folder / "runs" / "long")
    by_cell = names["games"].groupby("cell", observed=True).size()
    assert by_cell.to_dict() == {cell.id: cell.n_games for cell in run.cells}
    order = ["cell", "rotation", "deal"]
    for table, mine in {"games": names["games"], "seats": pd.read_parquet("runs/long/seats")}.items():
        own = getattr(run, table)()
        assert {name: str(kind) for name, kind in mine.dtypes.items()} == {
            name: str(kind) for name, kind in own.dtypes.items()
        }
        keys = [*order, *(["seat"] if table == "seats" else [])]
        ours, theirs = (frame.astype({"cell": str}).sort_values(keys, ignore_index=True) for frame in (own, mine))
        for column in own:
            assert ours[column].tolist() == theirs[column].tolist(), column
    keys = ["cell", "rotation", "group", "round", "seat", "run"]
    ours, theirs = (
        frame.astype({"cell": str}).sort_values(keys, ignore_index=True)
        for frame in (run.tallies("progress"), names["counts"])
    )
    pd.testing.assert_frame_equal(ours, theirs)
    assert names["wins"].between(0, 1).all()
    assert names["turns"].between(5, 60).all()


@pytest.mark.slow
def test_the_manifest_says_what_the_page_says(played: Any, tmp_path: Path) -> None:
    folder, _, manifests = played
    process = simkit(
        ["run", str(folder / "experiments" / "long.toml"), "--games", "9", "--set", "stop.precision=0.2"], tmp_path
    )
    assert process.wait(timeout=300) == 0
    stopped = json.loads((tmp_path / "runs" / "long" / "manifest.json").read_text())
    found = [*manifests, stopped]
    assert set().union(*found) == documented("key")
    assert set(manifests[-1]) == documented("key")
    cells = [cell for manifest in found for cell in (manifest["cells"] | manifest["kept"]).values()]
    assert set().union(*cells) == documented("key of a cell")
    assert any(manifest["kept"] for manifest in manifests), "no cell was left out of a run"
    for cell in stopped["cells"].values():
        assert cell["stopped"].keys() == {"look", "half_width", "why"}
    assert all(entry.keys() == {"bytes", "footer"} for entry in stopped["files"].values())
    assert stopped["timing"].keys() == {"started", "seconds", "jobs"}


@pytest.mark.slow
def test_parts_are_called_and_stamped_as_the_page_says(played: Any) -> None:
    folder, _, _ = played
    assert {field.name for field in fields(Stamp)} == documented("key of the stamp")
    files = sorted((folder / "runs" / "long").rglob("*.parquet"))
    assert {path.parent.name for path in files} == {"games", "seats", "progress"}
    for path in files:
        cell, rotation, first = re.fullmatch(r"([0-9a-f]{12})-r(\d\d)-(\d{12})\.parquet", path.name).groups()
        stamp = read_stamp(path)
        assert (stamp.cell, stamp.rotation, stamp.first_deal) == (cell, int(rotation), int(first))
    assert {path.name for path in (folder / "runs" / "long").iterdir()} - {".lock", ".writing"} == {
        "manifest.json",
        "experiment.toml",
        "games",
        "seats",
        "tallies",
    }


# ------------------------------------------------------------------------------------------------------------- cluster


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def started(commands: list[str], folder: Path) -> Iterator[None]:
    """Background commands, ended at last, each with its own children."""
    python = Path(sys.executable).parent
    processes = [
        subprocess.Popen([python / words[0], *words[1:]], cwd=folder, stderr=subprocess.DEVNULL, start_new_session=True)
        for words in map(shlex.split, commands)
    ]
    try:
        yield
    finally:
        for process in reversed(processes):
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=60)


@pytest.mark.slow
def test_the_cluster_of_the_page_plays(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    if not (Path(sys.executable).parent / "dask").exists():
        pytest.skip("there is no `dask` beside python")
    port = str(free_port())
    background = [example.command.removesuffix(" &").replace("8786", port) for example in CLUSTER[:-1]]
    assert all(example.command.endswith(" &") for example in CLUSTER[:-1])
    last = CLUSTER[-1]
    assert simkit(shlex.split("new experiment long --game tentacolor"), tmp_path).wait(timeout=60) == 0
    with started([f"{command} --no-dashboard" for command in background], tmp_path):
        words = shlex.split(last.command.replace("8786", port).replace("12000", "600").removeprefix("simkit "))
        process = simkit(words, tmp_path)
        printed = process.communicate(timeout=300)[0]
    assert process.returncode == 0, printed
    assert missing(last.shown, printed) == []
    digest = Run.open(tmp_path / "runs" / "long").results_digest
    here = simkit(["run", "long", "--games", "600", "--seed", "2", "--runs", "here", "--jobs", "1"], tmp_path)
    assert f"results digest {digest}" in here.communicate(timeout=300)[0]


# ---------------------------------------------------------------------------------------------------------- the checks


def test_an_example_that_is_wrong_is_seen() -> None:
    """Negative controls."""
    (one, two) = examples("x\n```console\n$ simkit a\nplayed 5 games, in ...\n$ simkit b\nError: no\n```\n")
    assert missing(one.shown, "played 5 games, in 3 s") == []
    assert missing(one.shown, "played 6 games, in 3 s") == ["played 5 games, in ..."]
    assert (wanted(one), wanted(two)) == (0, 2)
    assert wanted(Example("timeout --signal=INT 5 simkit run x", ())) == 130
    assert documented("no such table") == set()


def test_the_page_has_what_is_tested() -> None:
    assert len(CLUSTER) == 3
    assert {"KILL", "INT"} <= set(re.findall(r"timeout --signal=(\w+)", TEXT))
    for page in re.findall(r"\]\((\w+\.md)\)", TEXT):
        assert (PAGE.parent / page).is_file(), page
    for code in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
        ast.parse(code)
