"""A damaged run is found out when it is read or continued, by the name of the file; numbers are right or refused."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from simkit.errors import UserError
from simkit.experiment import load
from simkit.plan import make_plan
from simkit.runner import run
from simkit.store import Run

from .folders import about, everything, manifest, place, result_files, rows, same_rows, snapshot
from .trials import TENTACOLOR, base_with, in_chunks_of, simkit_run

RUN = Path("runs") / "trial"
SEED = 7


@dataclass(frozen=True)
class Played:
    """A run, undamaged, and another one of the same cells."""

    base: Path
    digest: str
    grown_digest: str

    @property
    def folder(self) -> Path:
        return self.base / RUN

    @property
    def other(self) -> Path:
        """Played with another seed."""
        return self.base / "other" / "trial"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Twelve parts a table: a cell of one rotation and one of three, in chunks of 15 deals."""
    base = base_with(tmp_path_factory.mktemp("damage") / "base", TENTACOLOR)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(base)
        in_chunks_of(15, patched)
        digest = simkit_run().document["results_digest"]
        simkit_run("--seed", "12", "--runs", "other")
        grown = simkit_run("--games", "120", "--runs", "grown").document["results_digest"]
    return Played(base, digest, grown)


@pytest.fixture
def here(played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy to be damaged, in a user's folder that is the current one."""
    base = base_with(tmp_path / "base", TENTACOLOR)
    shutil.copytree(played.folder, base / RUN)
    monkeypatch.chdir(base)
    in_chunks_of(15, monkeypatch)
    return base


# -------------------------------------------------------------------------------------------------------------- damages


def part(table: str, number: int = 3, folder: Path = RUN) -> Path:
    """One of a table's parts: 0 to 5 of the cell with one rotation, 6 to 11 two of each rotation of the other cell."""
    paths = list((folder / table).iterdir())
    of_three = {place(path.name)[0] for path in paths if place(path.name)[1]}
    return sorted(paths, key=lambda path: (path.name[:12] in of_three, path.name))[number]


def read_all(folder: Path = RUN) -> dict[str, pd.DataFrame]:
    """Everything that can be read of a run, in each way that there is; both ways say the same."""
    run = Run.open(folder)
    found = {"games": run.games(), "seats": run.seats(), "tallies": run.tallies("progress")}
    for cell in run.cells:
        own = found["games"][found["games"]["cell"] == cell.id]
        turns = run.column("games", "n_turns", cell.id)
        assert (turns[own["rotation"], own["deal"]] == own["n_turns"]).all()
        run.column("seats", "win", cell.id)
    return found


def flip(path: Path, byte: int, bit: int = 3) -> None:
    """Turn one bit over."""
    data = bytearray(path.read_bytes())
    data[byte] ^= 1 << bit
    path.write_bytes(data)


def page_of(path: Path, column: str) -> tuple[int, int]:
    """Where a column's pages lie in a part."""
    group = pq.read_metadata(path).row_group(0)
    (chunk,) = (group.column(i) for i in range(group.num_columns) if group.column(i).path_in_schema == column)
    starts = [chunk.data_page_offset, *([chunk.dictionary_page_offset] if chunk.has_dictionary_page else [])]
    return min(starts), min(starts) + chunk.total_compressed_size


def footer_of(path: Path) -> tuple[int, int]:
    """Where the footer lies."""
    data = path.read_bytes()
    return len(data) - 8 - int.from_bytes(data[-8:-4], "little"), len(data)


def cut(path: Path, keep: float) -> Path:
    """Keep the first bytes only."""
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * keep)])
    return path


def garbage(path: Path) -> Path:
    """The footer, of the same length, says nothing."""
    start, end = footer_of(path)
    data = bytearray(path.read_bytes())
    data[start : end - 8] = random.Random(SEED).randbytes(end - 8 - start)
    path.write_bytes(data)
    return path


def foreign(path: Path, other: Path) -> Path:
    """A part of the same name, of another run."""
    assert other.name == path.name
    shutil.copy(other, path)
    return path


def in_place_of(path: Path, other: Path) -> Path:
    """Another part of this run under the name of this one."""
    shutil.copy(other, path)
    return path


def gone(path: Path) -> Path:
    path.unlink()
    return path


def moved(path: Path) -> Path:
    """The part claims other deals than it holds."""
    cell, rotation, first = place(path.name)
    return path.rename(path.with_name(f"{cell}-r{rotation:02}-{first + 1000:012}.parquet"))


def added(path: Path, data: bytes = b"") -> Path:
    path.write_bytes(data)
    return path


def rewritten(path: Path) -> Path:
    """Another program has changed a number, and all that it wrote is in order."""
    table = pq.read_table(path)
    values = table["n_turns"].to_numpy().copy()
    values[3] += 1
    changed = table.set_column(table.column_names.index("n_turns"), table.field("n_turns"), [values])
    pq.write_table(changed, path, write_page_checksum=True)
    return path


TABLES = ("games", "seats", "tallies/progress")
DAMAGES: dict[str, Callable[[Played], Path]] = {
    **{f"{table} cut to a half": lambda _, t=table: cut(part(t), 0.5) for table in TABLES},
    **{f"{table} short of a byte": lambda _, t=table: cut(part(t), 0.9999) for table in TABLES},
    **{f"{table} empty": lambda _, t=table: cut(part(t), 0) for table in TABLES},
    **{f"{table} with another footer": lambda _, t=table: garbage(part(t)) for table in TABLES},
    **{f"{table} of another run": lambda p, t=table: foreign(part(t), part(t, folder=p.other)) for table in TABLES},
    **{f"{table} of another cell": lambda _, t=table: in_place_of(part(t, 3), part(t, 6)) for table in TABLES},
    **{f"{table} of other deals": lambda _, t=table: in_place_of(part(t, 1), part(t, 0)) for table in TABLES},
    **{f"{table} of another rotation": lambda _, t=table: in_place_of(part(t, 8), part(t, 6)) for table in TABLES},
    **{f"{table} missing in the middle": lambda _, t=table: gone(part(t, 3)) for table in TABLES},
    **{f"{table} missing at the end": lambda _, t=table: gone(part(t, 5)) for table in TABLES},
    **{f"{table} missing at the start": lambda _, t=table: gone(part(t, 0)) for table in TABLES},
    **{f"{table} renamed": lambda _, t=table: moved(part(t, 3)) for table in TABLES},
    **{
        f"{table} without its last rotation": lambda _, t=table: [gone(part(t, 10)), gone(part(t, -1))][0]
        for table in TABLES
    },
    "a file that is no part": lambda _: added(RUN / "games" / "notes.txt", b"mine"),
    "a part with a name of its own": lambda _: added(RUN / "seats" / "more.parquet", part("seats").read_bytes()),
    "numbers changed": lambda _: rewritten(part("games")),
}
NO_REPLACEMENT = ("a file that is no part", "a part with a name of its own")


QUICK = ("games cut to a half", "games of another cell", "seats missing in the middle", "numbers changed")
"""One of each kind for the default suite."""


def slow_but_for_some(names: Iterable[str]) -> list[Any]:
    """Damages, all of them in CI."""
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in names]


@pytest.fixture(params=slow_but_for_some(DAMAGES))
def damaged(request: pytest.FixtureRequest, played: Played, here: Path) -> Path:
    """The file that is damaged now."""
    return DAMAGES[request.param](played)


def names(path: Path, message: str) -> bool:
    """Whether a message names a file; for a renamed part its old name will do."""
    return path.name in message or path.name.replace("-000000001", "-000000000") in message


# ---------------------------------------------------------------------------------------------------------------- tests


def test_undamaged_copy_is_fine(played: Played, here: Path) -> None:
    """The control."""
    for name, frame in read_all().items():
        pd.testing.assert_frame_equal(frame, read_all(played.folder)[name])
    again = simkit_run().document
    assert (again["played"], again["results_digest"]) == (0, played.digest)
    assert simkit_run("--games", "120").document["results_digest"] == played.grown_digest


def test_damage_is_found_when_read(damaged: Path) -> None:
    with pytest.raises(UserError) as error:
        read_all()
    assert names(damaged, str(error.value)), error.value
    assert "\n" not in str(error.value)


MORE = pytest.param(("--games", "120"), marks=pytest.mark.slow, id="more")


@pytest.mark.parametrize("words", [pytest.param((), id="same"), MORE])
def test_damage_is_found_when_continued(played: Played, damaged: Path, words: tuple[str, ...]) -> None:
    before, said = everything(RUN), simkit_run(*words)
    if said.code == 0 and not words:
        assert said.document["already_played"], "it was noticed, and mended without a word"
        assert said.document["results_digest"] == played.digest
        assert damaged.stat().st_size == (played.base / damaged).stat().st_size
        with pytest.raises(UserError, match=damaged.name):
            read_all()
        return  # what is complete and of the right size is not looked into before it is read
    assert said.is_refusal()
    assert names(damaged, said.stderr), said.stderr
    assert everything(RUN) == before


@pytest.mark.parametrize("name", slow_but_for_some(name for name in DAMAGES if name not in NO_REPLACEMENT))
def test_fresh_replaces_damaged_cells(played: Played, here: Path, name: str) -> None:
    before = snapshot(RUN)
    damaged = DAMAGES[name](played)
    fresh = simkit_run("--fresh").document
    assert fresh["results_digest"] == played.digest
    same_rows(rows(RUN), rows(played.folder))
    same_rows_as_read(read_all(), read_all(played.folder))
    whole = {place(path)[0] for path in before} - {place(damaged.name)[0]}
    assert {path: said for path, said in snapshot(RUN).items() if place(path)[0] in whole} == {
        path: said for path, said in before.items() if place(path)[0] in whole
    }
    assert fresh["played"] == 90
    assert simkit_run("--games", "120").document["results_digest"] == played.grown_digest


def same_rows_as_read(one: dict[str, pd.DataFrame], other: dict[str, pd.DataFrame]) -> None:
    """As the store gives them, whatever the parts."""
    for name in one:
        keys = [column for column in one[name].columns if column != "count"]
        mine, theirs = (
            found[name].groupby(keys, as_index=False, observed=True)["count"].sum()
            if name == "tallies"
            else found[name].sort_values(keys, ignore_index=True)
            for found in (one, other)
        )
        pd.testing.assert_frame_equal(mine, theirs)


# ----------------------------------------------------------------------------------------------------------- unfinished


class Stops:
    """Progress that breaks play off after so many chunks, as Ctrl-C does."""

    def __init__(self, after: int) -> None:
        self.left = after

    def start(self, n_games: int) -> None:
        pass

    def stop(self) -> None:
        pass

    def advance(self, n_games: int) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run, stopped after ten of its twelve chunks."""
    base = base_with(tmp_path_factory.mktemp("unfinished") / "base", TENTACOLOR)
    path = base / "experiments" / "trial.toml"
    plan = make_plan(load(path), path, chunk_deals=15)
    with pytest.raises(KeyboardInterrupt):
        run(plan, base / RUN, jobs=1, progress=Stops(10), command="simkit run experiments/trial.toml")
    assert len(list((base / RUN / "games").iterdir())) == 10
    return base / RUN


AT_ITS_END = "numbers changed", *(name for name in DAMAGES if "last rotation" in name)


@pytest.mark.parametrize("name", slow_but_for_some(name for name in DAMAGES if name not in AT_ITS_END))
def test_damage_is_found_when_resumed(
    played: Played, unfinished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What was published before the interruption has been damaged since."""
    shutil.copytree(unfinished, base_with(tmp_path / "base", TENTACOLOR) / RUN)
    monkeypatch.chdir(tmp_path / "base")
    in_chunks_of(15, monkeypatch)
    damaged = DAMAGES[name](played)
    before, said = everything(RUN), simkit_run()
    if said.code == 0 and name == "games missing at the end":
        assert said.document["results_digest"] == played.digest
        return
    assert said.is_refusal()
    gap = f"{damaged.name[:16]}" in said.stderr and "missing" in said.stderr  # the one after it is named as well
    assert names(damaged, said.stderr) or gap, said.stderr
    assert everything(RUN) == before
    if name in NO_REPLACEMENT:
        return
    assert simkit_run("--fresh").document["results_digest"] == played.digest
    same_rows(rows(RUN), rows(played.folder))


def test_undamaged_it_resumes(
    played: Played, unfinished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    shutil.copytree(unfinished, base_with(tmp_path / "base", TENTACOLOR) / RUN)
    monkeypatch.chdir(tmp_path / "base")
    assert simkit_run().document["results_digest"] == played.digest
    same_rows(rows(RUN), rows(played.folder))


# ----------------------------------------------------------------------------------------------------------------- bits


def columns() -> list[tuple[str, str]]:
    """Every column of every table."""
    games = ("cell", "rotation", "deal", "winners", "decided_by_tiebreak", "n_turns", "end_cause", "n_bitten")
    seats = ("cell", "rotation", "deal", "seat", "label", "score", "rank", "win")
    tallies = ("cell", "rotation", "group", "round", "seat", "run", "count")
    return [*(("games", c) for c in games), *(("seats", c) for c in seats), *(("tallies/progress", c) for c in tallies)]


@pytest.mark.parametrize(("table", "column"), columns())
def test_a_flipped_bit_is_found_when_its_column_is_read(here: Path, table: str, column: str) -> None:
    path = part(table)
    flip(path, page_of(path, column)[1] - 1)
    run = Run.open(RUN)
    ask = {"games": lambda: run.games([column]), "seats": lambda: run.seats([column])}
    with pytest.raises(UserError, match=path.name):
        ask.get(table, lambda: run.tallies("progress"))()
    if table != "tallies/progress" and column not in ("cell", "label"):
        with pytest.raises(UserError, match=path.name):
            run.column(table, column, place(path.name)[0])


def test_columns_beside_a_flipped_bit_are_right_or_refused(played: Played, here: Path) -> None:
    """A column that is not damaged may be read, if it says what it said."""
    path, others = part("games"), ["cell", "rotation", "deal", "end_cause"]
    flip(path, page_of(path, "n_turns")[1] - 1)
    with contextlib.suppress(UserError):
        pd.testing.assert_frame_equal(Run.open(RUN).games(others), Run.open(played.folder).games(others))


def test_fresh_replaces_a_cell_with_a_flipped_bit(played: Played, here: Path) -> None:
    path = part("games")
    flip(path, page_of(path, "n_turns")[1] - 1)
    assert simkit_run("--fresh").document["results_digest"] == played.digest
    same_rows_as_read(read_all(), read_all(played.folder))


@pytest.fixture(params=["many parts", "one part"])
def flipped(request: pytest.FixtureRequest, here: Path) -> int:
    """The run as it is, or one that has a single part a table; and how many bits are turned over in each."""
    if request.param == "many parts":
        return 120
    shutil.rmtree(RUN)
    in_one = ("--set", "players=2", "--set", 'line_ups=[["random", "random"]]', "--games", "15")
    assert simkit_run(*in_one).document["games"] == 15
    return 150


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_any_flipped_bit_gives_right_numbers_or_a_refusal(flipped: int, table: str) -> None:
    """Bits of headers and of the footer, drawn from a fixed seed."""
    luck, path, right = random.Random(SEED), part(table, -1), read_all()
    data, found = path.read_bytes(), {"right": 0, "refused": 0}
    start, end = footer_of(path)
    for number in range(flipped):
        flip(path, luck.randrange(start if number % 2 else 0, end), luck.randrange(8))
        said = _reading(right)
        found[said] = found.get(said, 0) + 1
        path.write_bytes(data)
    assert found["refused"] > flipped // 4
    assert set(found) == {"right", "refused"}, found


def _reading(right: dict[str, pd.DataFrame]) -> str:
    """What comes of reading everything: `right`, `refused`, or what is wrong."""
    try:
        found = read_all()
    except UserError as error:
        return "refused" if str(RUN) in str(error) else f"refused without a word of the run: {error}"
    except Exception as error:  # noqa: BLE001 (counted, so that all of them are known)
        return f"fault: {type(error).__name__}"
    return "right" if all(_same(found[name], right[name]) for name in right) else "wrong numbers"


def _same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Whether two tables are equal."""
    try:
        pd.testing.assert_frame_equal(one, other)
    except AssertionError:
        return False
    return True


# ------------------------------------------------------------------------------------------------------------- manifest


def rewrite(**changes: object) -> Path:
    """Change entries of the manifest."""
    path = RUN / "manifest.json"
    path.write_text(json.dumps(manifest(RUN) | changes))
    return path


def a_cell(**changes: object) -> Path:
    """Change entries of one cell in the manifest."""
    cells = manifest(RUN)["cells"]
    name = max(cells)
    return rewrite(cells=cells | {name: cells[name] | changes})


MANIFESTS: dict[str, Callable[[], Path]] = {
    "cut short": lambda: cut(RUN / "manifest.json", 0.7),
    "empty": lambda: cut(RUN / "manifest.json", 0),
    "binary": lambda: added(RUN / "manifest.json", b"\xff\xfe\x00\x01"),
    "a list": lambda: added(RUN / "manifest.json", b"[]"),
    "of the future": lambda: rewrite(format_version=99),
    "of the past": lambda: rewrite(format_version=0),
    "of another program": lambda: added(RUN / "manifest.json", b'{"name": "web app", "icons": []}'),
    "without cells": lambda: rewrite(cells=None),
    "with odd cells": lambda: rewrite(cells={"0123": 4}),
}
ODD_MANIFESTS: dict[str, Callable[[], Path]] = {
    "with a cell of fewer deals": lambda: a_cell(n_deals=7),
    "with a cell of more deals": lambda: a_cell(n_deals=70_000),
    "with another cell's digest": lambda: a_cell(digest="0" * 64),
}


@pytest.mark.parametrize("damage", MANIFESTS.values(), ids=MANIFESTS.keys())
def test_a_damaged_manifest_is_found(here: Path, damage: Callable[[], Path]) -> None:
    path = damage()
    with pytest.raises(UserError, match=str(RUN)):
        read_all()
    before = everything(RUN)
    for words in ((), ("--games", "120")):
        assert simkit_run(*words).is_refusal(str(path.parent))
    assert everything(RUN) == before


@pytest.mark.parametrize("damage", ODD_MANIFESTS.values(), ids=ODD_MANIFESTS.keys())
@pytest.mark.parametrize("words", [pytest.param((), id="same"), MORE])
def test_an_odd_manifest_is_found_or_mended(
    played: Played, here: Path, damage: Callable[[], Path], words: tuple[str, ...]
) -> None:
    """The parts know better: whatever is read or played is right."""
    damage()
    with pytest.raises(UserError, match=str(RUN)):
        read_all()
    said = simkit_run(*words)
    if said.code == 0:
        assert said.document["results_digest"] == (played.grown_digest if words else played.digest)
        with contextlib.suppress(UserError):
            assert len(read_all()["games"]) == said.document["games"]
    else:
        assert said.is_refusal(str(RUN))


@pytest.mark.parametrize("name", MANIFESTS)
def test_fresh_never_makes_things_worse(played: Played, here: Path, name: str) -> None:
    """A manifest that cannot be read: the run is played again, or, if it seems another's, left alone."""
    MANIFESTS[name]()
    before, said = everything(RUN), simkit_run("--fresh")
    if said.code == 0 and name != "of another program":
        assert said.document["results_digest"] == played.digest
        same_rows_as_read(read_all(), read_all(played.folder))
    else:
        assert said.is_refusal()
        assert everything(RUN) == before


def test_parts_say_what_they_are(played: Played) -> None:
    """What the tests above rely on."""
    digests = {cell: entry["digest"] for cell, entry in manifest(played.folder)["cells"].items()}
    other = {cell: entry["digest"] for cell, entry in manifest(played.other)["cells"].items()}
    assert digests.keys() == other.keys()
    assert not set(digests.values()) & set(other.values())
    for table in TABLES:
        assert len(list((played.folder / table).iterdir())) == 12
    for name, path in result_files(played.folder).items():
        cell, rotation, first = place(name)
        said = about(path)
        assert (said["cell_digest"], said["rotation"], said["first_deal"]) == (digests[cell], rotation, first)
        assert said["n_deals"] == 15
    assert np.unique([about(path)["rows"] for path in (played.folder / "games").iterdir()]).size == 12
