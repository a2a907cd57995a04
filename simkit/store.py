"""A run on disk, read as tables and as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from simkit import catalog
from simkit.errors import UserError
from simkit.experiment import Experiment
from simkit.game import Game
from simkit.manifest import MANIFEST, check_files, read_manifest
from simkit.names import printable, unknown
from simkit.parts import TABLES, Array, columns_of, part_place

if TYPE_CHECKING:
    import pandas as pd

KEYS = {"games": ("cell", "rotation", "deal"), "seats": ("cell", "rotation", "deal", "seat", "label")}

TableName = Literal["games", "seats"]


@dataclass(frozen=True)
class CellInfo:
    """A cell of a run: what its experiment says of it, and how much was played.

    Attributes
    ----------
    rules
        Changes to the components' values.
    labels
        Of the line-up, one per seat in cyclic order, smallest shift first.
    """

    id: str
    key: Mapping[str, Any]
    players: int
    seats: int
    rules: Mapping[str, Any]
    labels: tuple[str, ...]
    rotations: int
    n_deals: int

    @property
    def n_games(self) -> int:
        """Games played: every rotation of every deal."""
        return self.rotations * self.n_deals


class Run:
    """A finished run.

    Attributes
    ----------
    path : Path
        Its folder.
    manifest : dict
        The experiment, the command, seed, versions, cells, results digest, files and timing.
    experiment : Experiment
        What was played, with all that the command line set.
    cells : list of CellInfo
        In the order of the plan.
    """

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path, self.manifest = path, manifest
        try:
            self.experiment = Experiment.model_validate(manifest["experiment"])
            self.cells = [
                CellInfo(id=cell, **{name: entry[name] for name in _CELL_FIELDS}, labels=tuple(entry["labels"]))
                for cell, entry in manifest["cells"].items()
            ]
            self.results_digest: str = manifest["results_digest"]
            self._parts = _sorted_parts(manifest["files"])
            self._base = path / manifest["base"]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise self._damaged(MANIFEST, error) from None

    @classmethod
    def open(cls, path: Path | str) -> Run:
        """Open the folder of a finished run.

        Raises
        ------
        UserError
            If there is no such folder, it is none of ours, unfinished, or damaged.
        """
        folder = Path(path)
        manifest = read_manifest(folder)
        check_files(folder, manifest)
        return cls(folder, manifest)

    @cached_property
    def game(self) -> Game:
        """The game that was played."""
        return catalog.find_game(self.manifest["game"], self._base)

    def games(self, columns: Sequence[str] | None = None, cells: Sequence[str] | None = None) -> pd.DataFrame:
        """A row per game: cell, rotation, deal and the game's measures.

        Parameters
        ----------
        columns
            Those to read; all if left out.
        cells
            Ids of the cells to read; all if left out.
        """
        return self._frame("games", columns, cells)

    def seats(self, columns: Sequence[str] | None = None, cells: Sequence[str] | None = None) -> pd.DataFrame:
        """A row per game and seat: cell, rotation, deal, seat, label, measures; parameters as in `games`."""
        return self._frame("seats", columns, cells)

    def tallies(self, name: str, cells: Sequence[str] | None = None) -> pd.DataFrame:
        """The non-zero counts of one tally: cell, rotation, group, its keys, count (int64)."""
        tally = next((tally for tally in self.game.tallies if tally.name == name), None)
        if tally is None:
            raise UserError(f"{self.game.id}: {unknown('tally', name, [t.name for t in self.game.tallies])}")
        labels = {key.name: key.labels for key in tally.keys if key.labels}
        names = [f"tallies/{name}/{cell.id}.parquet" for cell in self._chosen(cells)]
        return self._joined(names, None, labels)

    def column(self, table: TableName, name: str, cell: str) -> Array:
        """One column of one cell in deal order; reads that column only.

        Parameters
        ----------
        table, name
            `games` or `seats`, and a column of it; enums come as integer codes.
        cell
            The cell's id.

        Returns
        -------
        (rotations, n_deals) or (rotations, seats, n_deals)
        """
        (info,) = self._chosen([cell])
        self._check_columns(table, [name])
        lines = (info.rotations,) if table == "games" else (info.rotations, info.seats)
        column: Array | None = None
        n_read = 0
        for part, rotation, first in self._parts[table, cell]:
            values = self._values(part, name, lines[1:])
            n_read += values.shape[-1]
            if column is None:
                column = np.empty((*lines, info.n_deals), values.dtype)
            column[rotation, ..., first : first + values.shape[-1]] = values
        if column is None or n_read != info.n_games:
            raise self._damaged(table, f"{info.n_games:,} games expected, {n_read:,} found")
        return column

    def _values(self, part: str, name: str, lines: tuple[int, ...]) -> Array:
        """A part's column, (n,) or (seats, n)."""
        array = self._read(part, [name]).column(0).combine_chunks()
        codes = array.indices if pa.types.is_dictionary(array.type) else array
        return codes.to_numpy(zero_copy_only=False).reshape(*lines, -1)

    def _frame(self, table: TableName, columns: Sequence[str] | None, cells: Sequence[str] | None) -> pd.DataFrame:
        """Some columns of some cells."""
        if columns is not None:
            self._check_columns(table, columns)
        labels = {column.name: column.labels for column in columns_of(self.game, table) if column.labels}
        parts = [part for cell in self._chosen(cells) for part, _, _ in self._parts[table, cell.id]]
        return self._joined(parts, columns, labels)

    def _joined(
        self, parts: Sequence[str], columns: Sequence[str] | None, labels: Mapping[str, Sequence[str]]
    ) -> pd.DataFrame:
        """Part files one after the other; enums hold every value they might."""
        tables = [_plain_codes(self._read(part, columns)) for part in parts]
        frame = pa.concat_tables(tables).unify_dictionaries().to_pandas()
        every = dict(labels) | {"cell": [cell.id for cell in self.cells], "label": self._labels}
        for name in frame.columns.intersection(list(every)):
            frame[name] = frame[name].cat.set_categories(every[name])
        return frame

    @cached_property
    def _labels(self) -> list[str]:
        """Every label of the run, in the order of the cells."""
        return list(dict.fromkeys(label for cell in self.cells for label in cell.labels))

    def _chosen(self, cells: Sequence[str] | None) -> list[CellInfo]:
        """The cells asked for."""
        known = {cell.id: cell for cell in self.cells}
        for cell in cells or ():
            if cell not in known:
                raise UserError(f"{printable(str(self.path))}: {unknown('cell', cell, known)}")
        if cells is not None and not cells:
            raise UserError(f"at least one cell must be asked for; found none. Known: {', '.join(known)}")
        return self.cells if cells is None else [known[cell] for cell in cells]

    def _check_columns(self, table: TableName, columns: Sequence[str]) -> None:
        """Refuse columns that the table does not have."""
        known = [*KEYS[table], *(column.name for column in columns_of(self.game, table))]
        for column in columns:
            if column not in known:
                raise UserError(f"{self.game.id}, {table}: {unknown('column', column, known)}")

    def _read(self, part: str, columns: Sequence[str] | None) -> pa.Table:
        """Some columns of a part file."""
        try:
            return pq.ParquetFile(self.path / part).read(columns=None if columns is None else list(columns))
        except (OSError, pa.ArrowException) as error:
            raise self._damaged(part, error) from None

    def _damaged(self, what: str, why: object) -> UserError:
        """The complaint about a file that cannot be used."""
        where = printable(str(self.path))
        reason = printable(str(why).partition("\n")[0])
        return UserError(f"a run must be whole; {where} is damaged: {what}: {reason}; play it again with `--fresh`")


def _sorted_parts(files: Iterable[str]) -> dict[tuple[str, str], list[tuple[str, int, int]]]:
    """By table and cell: part file, rotation and first deal, in order."""
    parts: dict[tuple[str, str], list[tuple[str, int, int]]] = {}
    for file in sorted(files):
        table, _, name = file.partition("/")
        if table in TABLES:
            cell, rotation, first = part_place(name)
            parts.setdefault((table, cell), []).append((file, rotation, first))
    return parts


_CELL_FIELDS = ("key", "players", "seats", "rules", "rotations", "n_deals")


def _plain_codes(table: pa.Table) -> pa.Table:
    """The same with int32 codes in every dictionary, so that parts can be joined."""
    fields = [
        pa.field(f.name, pa.dictionary(pa.int32(), f.type.value_type)) if pa.types.is_dictionary(f.type) else f
        for f in table.schema
    ]
    return table.cast(pa.schema([field.with_nullable(True) for field in fields]))
