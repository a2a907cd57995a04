"""A run folder looked at from outside, with pyarrow alone: what is published, whether it is whole, and its rows."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

RESULTS = ("games", "seats", "tallies")
_ORDER = {"games": ["cell", "rotation", "deal"], "seats": ["cell", "rotation", "deal", "seat"]}


def result_files(folder: Path) -> dict[str, Path]:
    """Every file below games/, seats/ and tallies/, by its path in the run folder."""
    files = (path for name in RESULTS for path in (folder / name).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path for path in sorted(files)}


def snapshot(folder: Path, only: str = "") -> dict[str, tuple[int, str]]:
    """Time of change and content's hash of every result file whose path holds a text."""
    return {
        name: (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
        for name, path in result_files(folder).items()
        if only in name
    }


def everything(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Time of change and content of all files but the lock, whatever they are."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def manifest(folder: Path) -> dict[str, Any]:
    """As it is written."""
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def is_complete(folder: Path) -> bool:
    """Whether the manifest says that the run is finished."""
    return (folder / "manifest.json").exists() and manifest(folder)["complete"] is True


def n_parts(folder: Path) -> int:
    """Parts of `games` that are published."""
    return len(list((folder / "games").glob("*.parquet")))


def is_under_way(folder: Path) -> bool:
    """Whether something is published, and not all."""
    return n_parts(folder) > 2 and not is_complete(folder)


def in_writing(folder: Path) -> list[Path]:
    """Files that lie under temporary names."""
    return [path for path in (folder / ".writing").rglob("*") if path.is_file()]


def place(name: str) -> tuple[str, int, int]:
    """Cell, rotation and first deal from a part's name."""
    cell, rotation, first = Path(name).stem.split("-")
    assert len(cell) == 12, name
    assert rotation[0] == "r", name
    assert len(first) == 12, name
    return cell, int(rotation[1:]), int(first)


def about(path: Path) -> dict[str, Any]:
    """What a part says of itself."""
    return json.loads(pq.read_metadata(path).metadata[b"simkit"])


def published(folder: Path) -> int:
    """Games published so far; whatever is there must be whole and in order.

    Each rotation of each cell holds its first deals without gaps; every part is readable, says what its name says, and
    lies beside its seats and tallies; at most one chunk has those and no games yet; nothing refers to drafts.
    """
    if not (folder / "manifest.json").exists():
        assert not result_files(folder), "parts without a manifest"
        return 0
    assert ".writing" not in (folder / "manifest.json").read_text()
    cells = manifest(folder)["cells"]
    others = _other_tables(folder)
    ends: dict[tuple[str, int], int] = {}
    for path in sorted((folder / "games").glob("*")):
        cell, rotation, first = place(path.name)
        n = _checked_part(path, cells)
        assert ends.get((cell, rotation), 0) == first, f"{path.name} is not the next one"
        ends[cell, rotation] = first + n
        for other in others:
            assert _checked_part(other / path.name, cells) == n, f"{other.name}/{path.name}"
    _check_unpublished(folder, others)
    return sum(ends.values())


def _other_tables(folder: Path) -> list[Path]:
    """Folders of parts beside games/."""
    tallies = folder / "tallies"
    return [path for path in [folder / "seats", *(tallies.iterdir() if tallies.exists() else ())] if path.exists()]


def _check_unpublished(folder: Path, others: list[Path]) -> None:
    """Seats and tallies come before games: of one chunk at most."""
    games = {path.name for path in (folder / "games").glob("*")}
    early = {path.name for other in others for path in other.iterdir()} - games
    assert len(early) <= 1, early
    for other in others:
        for name in early:
            if (other / name).exists():
                pq.read_table(other / name)


def _checked_part(path: Path, cells: dict[str, Any]) -> int:
    """Deals in a part, which must be readable and say of itself what its name says."""
    assert path.is_file(), path
    assert not path.is_symlink(), path
    cell, rotation, first = place(path.name)
    rows, said = pq.read_table(path), about(path)
    assert {"cell_digest", "rotation", "first_deal", "n_deals", "rows", "tallies"} <= set(said), said
    assert (said["rotation"], said["first_deal"]) == (rotation, first), path
    assert said["cell_digest"] == cells[cell]["digest"], f"{path} is of another cell"
    assert set(rows["cell"].to_pylist()) <= {cell}, path
    assert set(rows["rotation"].to_pylist()) <= {rotation}, path
    if "deal" in rows.column_names:
        lines = 1 if path.parent.name == "games" else cells[cell]["seats"]
        wanted = np.tile(np.arange(first, first + said["n_deals"]), lines)
        assert np.array_equal(rows["deal"].to_numpy(), wanted), path
    return int(said["n_deals"])


def rows(folder: Path, cells: list[str] | None = None) -> dict[str, pd.DataFrame]:
    """Everything a run holds, whatever the parts: `games`, `seats` and each tally, in the order of their keys."""
    tables: dict[str, list[pd.DataFrame]] = {}
    for name, path in result_files(folder).items():
        if cells is None or place(name)[0] in cells:
            tables.setdefault(Path(name).parent.as_posix(), []).append(_plain(pq.read_table(path)))
    return {name: _in_order(name, pd.concat(frames, ignore_index=True)) for name, frames in sorted(tables.items())}


def _plain(table: pa.Table) -> pd.DataFrame:
    """Labels in place of codes."""
    return table.to_pandas().apply(lambda column: column.astype(object) if column.dtype == "category" else column)


def _in_order(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows by their keys; counts of a tally added up."""
    if name in _ORDER:
        return frame.sort_values(_ORDER[name], ignore_index=True)
    keys = [column for column in frame.columns if column != "count"]
    return frame.groupby(keys, as_index=False, sort=True)["count"].sum()


def same_rows(one: dict[str, pd.DataFrame], other: dict[str, pd.DataFrame]) -> None:
    """Two runs hold the same, to the bit."""
    assert one.keys() == other.keys()
    assert {"games", "seats"} < one.keys(), "nothing to compare"
    for name in one:
        pd.testing.assert_frame_equal(one[name], other[name], obj=name)
