"""Keeps account of a run while it is played: publishes files in order, adds up tallies, and digests the results."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simkit import catalog, manifest
from simkit.game import Tally
from simkit.parts import TABLES, enum, part_name, write_table
from simkit.plan import Cell, Chunk, Plan
from simkit.rowhash import MODULUS

Counts = npt.NDArray[np.int64]


class Ledger:
    """The account of one run; the sums of the cell under way are held in memory, and nothing else.

    Parameters
    ----------
    plan, folder
        What is played, and where its results go.
    """

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan, self._folder = plan, folder
        self._tallies = catalog.find_game(plan.game_id, plan.base).tallies
        self._digests: dict[str, str] = {}
        self._open_cell()

    def _open_cell(self) -> None:
        """Nothing is counted yet."""
        self._n_games = 0
        self._hashes: dict[int, int] = {}
        self._counts: dict[int, dict[str, Counts]] = {}

    def publish(self, chunk: Chunk, row_hash: int, tallies: dict[str, Counts]) -> None:
        """Take in the next chunk; chunks come in the plan's order, cell by cell.

        Parameters
        ----------
        chunk
            Its rows lie under their temporary names.
        row_hash
            Of its rows.
        tallies : dict of int64 (*key sizes, 64)
            Its counts.
        """
        cell = self._plan.cells[chunk.cell]
        name = part_name(cell.id, chunk.rotation, chunk.first_deal)
        for table in TABLES:
            draft_path(self._folder, table, name).replace(self._folder / table / name)
        self._hashes[chunk.rotation] = (self._hashes.get(chunk.rotation, 0) + row_hash) % MODULUS
        sums = self._counts.setdefault(chunk.rotation, {})
        for tally, counts in tallies.items():
            sums[tally] = sums[tally] + counts if tally in sums else counts
        self._n_games += chunk.n_deals
        if self._n_games == cell.rotations * cell.n_deals:
            self._close_cell(cell)

    def _close_cell(self, cell: Cell) -> None:
        """Write the cell's tallies and digest its results."""
        for tally in self._tallies:
            path = self._folder / "tallies" / tally.name / f"{cell.id}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            by_rotation = np.stack([self._counts[rotation][tally.name] for rotation in range(cell.rotations)])
            draft = self._folder / manifest.WRITING / path.name
            write_table(draft, tally_columns(tally, cell.id, by_rotation))
            draft.replace(path)
        self._digests[cell.id] = self._cell_digest(cell)
        self._open_cell()

    def _cell_digest(self, cell: Cell) -> str:
        """SHA-256 of the rows' hashes and the tallies' bytes."""
        digest = hashlib.sha256()
        for rotation in range(cell.rotations):
            digest.update(f"rotation {rotation}, {cell.n_deals} deals, rows {self._hashes[rotation]}\n".encode())
            for tally in self._tallies:
                counts = self._counts[rotation][tally.name]
                digest.update(f"tally {tally.name} {counts.shape}\n".encode())
                digest.update(np.ascontiguousarray(counts, "<i8").tobytes())
        return digest.hexdigest()

    def digest(self) -> str:
        """The results digest: of every cell's digest in the order of their ids."""
        lines = "".join(f"{cell} {self._digests[cell]}\n" for cell in sorted(self._digests))
        return hashlib.sha256(lines.encode()).hexdigest()


def draft_path(folder: Path, table: str, name: str) -> Path:
    """Where a part file lies until it is published."""
    return folder / manifest.WRITING / f"{table}-{name}"


def tally_columns(tally: Tally, cell: str, counts: Counts) -> dict[str, Any]:
    """The non-zero counts as columns.

    Parameters
    ----------
    tally
        Its declaration.
    cell
        The cell's id.
    counts : int64 (rotations, *key sizes, 64)
    """
    rotation, *keys, group = counts.nonzero()
    columns = {
        "cell": enum(np.zeros(len(group), np.int8), (cell,)),
        "rotation": pa.array(rotation.astype(np.uint8)),
        "group": pa.array(group.astype(np.uint8)),
    }
    for key, values in zip(tally.keys, keys, strict=True):
        codes = values.astype(np.uint8 if key.labels else np.uint16)
        columns[key.name] = enum(codes, key.labels) if key.labels else pa.array(codes)
    return columns | {"count": pa.array(counts[counts.nonzero()])}
