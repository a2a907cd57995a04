"""Runs that cannot be read: unfinished, damaged, of another format, or with a part missing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .mistake import RUN, Mistake, call, check, each, snapshot, written

TRIAL = "runs/trial"
READERS = {
    "report": f"report {TRIAL}",
    "replay": f"replay {TRIAL} 3",
    "compare": f"compare {TRIAL} {TRIAL}",
    "replay where": f"replay {TRIAL} --where n_turns>3",
}
Change = Callable[[Path], object]


def part_of(table: str, change: Callable[[Path], object]) -> Change:
    """A change of the run's only part of a table."""

    def apply(folder: Path) -> None:
        (part,) = sorted((folder / TRIAL / table).glob("*.parquet"))
        change(part)

    return apply


def manifest(change: Callable[[dict[str, Any]], object]) -> Change:
    """A change of what the run says of itself."""

    def apply(folder: Path) -> None:
        file = folder / TRIAL / "manifest.json"
        document = json.loads(file.read_text())
        change(document)
        file.write_text(json.dumps(document))

    return apply


def cells(**values: Any) -> Change:
    """Another value in every cell's entry."""
    return manifest(lambda document: [entry.update(values) for entry in document["cells"].values()])


def replaced(make: Callable[[Path], object], file: str = "manifest.json") -> Change:
    """Something else in place of a file."""

    def apply(folder: Path) -> None:
        (folder / TRIAL / file).unlink()
        make(folder / TRIAL / file)

    return apply


def garbage(part: Path) -> None:
    """As many bytes as before, none of them right."""
    part.write_bytes(b"x" * part.stat().st_size)


def flipped(part: Path) -> None:
    """One byte of a hundred is another."""
    data = bytearray(part.read_bytes())
    for place in range(100, len(data) - 1000, 100):
        data[place] ^= 255
    part.write_bytes(bytes(data))


def in_place(make: Callable[[Path], object]) -> Callable[[Path], None]:
    """Something else in place of a part."""

    def apply(part: Path) -> None:
        part.unlink()
        make(part)

    return apply


MISSING: dict[str, tuple[Change, tuple[str, ...]]] = {
    "a part of games is missing": (part_of("games", Path.unlink), ("file missing, games/", "`--fresh`")),
    "a part of seats is missing": (part_of("seats", Path.unlink), ("file missing, seats/", "`--fresh`")),
    "a part of a tally is missing": (part_of("tallies/progress", Path.unlink), ("file missing, tallies/progress/",)),
    "a table is missing": (lambda folder: shutil.rmtree(folder / TRIAL / "games"), ("file missing, games/",)),
    "a part too many": (written("x", f"{TRIAL}/games/x.parquet"), ("not the run's, games/x.parquet",)),
    "a part is cut": (part_of("seats", lambda p: p.write_bytes(p.read_bytes()[:-9])), ("another size", "seats/")),
    "a part is empty": (part_of("games", lambda part: part.write_bytes(b"")), ("another size", "games/")),
    "a part is a folder": (part_of("games", in_place(Path.mkdir)), ("file missing, games/",)),
    "a part is a pipe": (part_of("games", in_place(os.mkfifo)), ("another size", "games/")),
    "a part is a link to itself": (part_of("games", in_place(lambda p: p.symlink_to(p.name))), ("games/",)),
    "no manifest": (
        lambda folder: (folder / TRIAL / "manifest.json").unlink(),
        ("must hold manifest.json", "name another"),
    ),
    "an empty manifest": (written(b"", f"{TRIAL}/manifest.json"), ("manifest.json cannot be read",)),
    "a manifest of noise": (written(b"\xff\0x", f"{TRIAL}/manifest.json"), ("manifest.json cannot be read", "0xff")),
    "a manifest of lists": (written(b"[" * 100_000, f"{TRIAL}/manifest.json"), ("manifest.json cannot be read",)),
    "another program's manifest": (written(b"{}", f"{TRIAL}/manifest.json"), ("another program's: name another",)),
    "a manifest that is a pipe": (replaced(os.mkfifo), ("manifest.json cannot be read: it is not a file",)),
    "a manifest that is a folder": (replaced(Path.mkdir), ("manifest.json cannot be read",)),
    "an older format": (manifest(lambda d: d.update(format_version=1)), ("must be in format ", "found 1: use the")),
    "a format that a terminal obeys": (manifest(lambda d: d.update(format_version="\x1b[31m")), (r"found '\x1b[31m'",)),
    "no seed": (manifest(lambda d: d.pop("seed")), ("does not say what it must (seed)",)),
    "no cells": (manifest(lambda d: d.update(cells=[])), ("does not say what it must (cells)",)),
    "cells that are none": (manifest(lambda d: d.update(cells={"x": 3})), ("(cells)",)),
    "no seats": (cells(seats=0, labels=[]), ("(cells)",)),
    "nine seats": (cells(seats=9), ("(cells)",)),
    "no rotations": (cells(rotations=0), ("(cells)",)),
    "no deals": (cells(n_deals=0), ("(cells)",)),
    "no key": (cells(key={}), ("(cells)",)),
    "files without size": (manifest(lambda d: d.update(files={"games/x": "x"})), ("(files)",)),
    "a time in words": (manifest(lambda d: d.update(timing={"seconds": "x"})), ("(timing)",)),
    "a base that is no path": (manifest(lambda d: d.update(base="a\0b")), ("(base)",)),
}
READ_ONLY: dict[str, tuple[Change, tuple[str, ...]]] = {
    "unfinished": (manifest(lambda d: d.update(complete=False)), ("must be finished", "go on with `simkit run")),
    "garbage for games": (part_of("games", garbage), ("is damaged: games/", "`--fresh`")),
    "garbage for seats": (part_of("seats", garbage), ("is damaged: seats/", "`--fresh`")),
    "flipped bits": (part_of("games", flipped), ("is damaged: games/", "`--fresh`")),
    "files of no run": (manifest(lambda d: d.update(files={"../../etc/passwd": {"bytes": 1, "footer": ""}})), (TRIAL,)),
    "an experiment that is none": (
        manifest(lambda d: d["experiment"].update(games=-1)),
        ("is damaged: manifest.json",),
    ),
    "more deals than there are": (cells(n_deals=10**9), ("",)),
    "another game's digest": (cells(digest="0" * 64), ("games/", "belongs to another")),
    "a game that is not there": (manifest(lambda d: d.update(game="bacon")), ("unknown game `bacon`", "`beacon`")),
}


def mistakes(found: dict[str, tuple[Change, tuple[str, ...]]], commands: dict[str, str]) -> dict[str, Mistake]:
    """Each with each command."""
    return {
        f"{name}: {command}": Mistake(words, said, before)
        for name, (before, said) in found.items()
        for command, words in commands.items()
    }


DAMAGED = mistakes(MISSING, {"run": RUN, "report": READERS["report"]})
UNREAD = mistakes(READ_ONLY, {"report": READERS["report"], "compare": READERS["compare"]})


@each(DAMAGED | UNREAD)
def test_damaged_run(runs: Path, mistake: Mistake) -> None:
    check(runs, mistake)


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_whole_runs_can_be_read(runs: Path, reader: str) -> None:
    """The control: as it was written, and beside a file that is none of its own."""
    written("x", f"{TRIAL}/notes.txt")(runs)
    outcome = call(*reader.split(), "--json")
    assert outcome.exit_code == 0, outcome.output
    assert outcome.stderr == ""


@pytest.mark.parametrize("name", [*MISSING, *READ_ONLY])
def test_plans_read_damaged_runs_without_a_traceback(runs: Path, name: str) -> None:
    """A plan says what would be played, whatever the folder holds, and changes nothing."""
    (MISSING | READ_ONLY)[name][0](runs)
    before = snapshot(runs)
    outcome = call("plan", "experiments/trial.toml")
    assert outcome.exit_code == 0 or outcome.stderr.startswith("Error: "), (outcome.output, outcome.exception)
    assert outcome.exit_code in (0, 2)
    assert snapshot(runs) == before


def test_an_unfinished_run_goes_on(runs: Path) -> None:
    READ_ONLY["unfinished"][0](runs)
    assert call(*READERS["report"].split()).exit_code == 2
    assert call(*RUN.split()).exit_code == 0
    assert call(*READERS["report"].split()).exit_code == 0
