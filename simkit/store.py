"""A run on disk, read as tables and as arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
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
from simkit.names import first_line, printable, unknown
from simkit.running.manifest import MANIFEST, check_files, damaged, read_manifest
from simkit.running.parts import Array, columns_of, footer_mark, part_place, stamp_in

if TYPE_CHECKING:
    import pandas as pd

KEYS = {"games": ("cell", "rotation", "deal"), "seats": ("cell", "rotation", "deal", "seat", "label")}

TableName = Literal["games", "seats"]
Part = tuple[str, int, int]
"""A part file by its path in the run folder, its rotation and its first deal."""


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
    base : Path
        The user's folder, as seen from the run's.
    digests, files : dict
        Of all that can change a cell's rows, by cell; size and footer's checksum, by part file.
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
            self._parts = _sorted_parts(manifest["files"], {cell.id for cell in self.cells})
            self.base = Path(os.path.abspath(path / manifest["base"]))
            self.files: dict[str, dict[str, Any]] = manifest["files"]
            self.digests = {cell: str(entry["digest"]) for cell, entry in manifest["cells"].items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise damaged(path, f"{MANIFEST}: {first_line(error)}") from None

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
        game = catalog.find_game(self.manifest["game"], self.base)
        gone = {rule for cell in self.cells for rule in cell.rules} - game.components.keys()
        if gone:
            raise _other_game(self.path, f"it sets the rule `{printable(min(gone))}`, which {game.id} has no more")
        for table in KEYS:
            self._check_enums(game, table)
        return game

    def _check_enums(self, game: Game, table: str) -> None:
        """Refuse a game whose enums have other values than the run's: codes would be taken for others."""
        part = next((parts[0][0] for (dataset, _), parts in self._parts.items() if dataset == table), None)
        enums = {column.name: list(column.labels) for column in columns_of(game, table) if column.labels}
        if part is None or not enums:
            return
        held = self.read(part, list(enums))
        for name, labels in enums.items():
            if any(chunk.dictionary.to_pylist() != labels for chunk in held.column(name).chunks):
                raise _other_game(self.path, f"the values of `{name}` are not those that {game.id} declares")

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
        frame = self._joined(self._files(f"tallies/{name}", cells), None, labels)
        keys = [column for column in frame.columns if column != "count"]
        return frame.groupby(keys, observed=True, sort=True)["count"].sum().reset_index()

    def by_part(
        self, table: TableName, columns: Sequence[str] | None = None, cells: Sequence[str] | None = None
    ) -> Iterator[pd.DataFrame]:
        """The rows of `games` or `seats`, a part file at a time: for runs that are larger than memory.

        Parameters
        ----------
        table
            `games` or `seats`.
        columns, cells
            As in `games`.

        Yields
        ------
        DataFrame
            At most some hundred thousand games: cell by cell, rotation by rotation, deals in order.
        """
        if columns is not None:
            self._check_columns(table, columns)
        labels = self._enums(table)
        for part in self._files(table, cells):
            yield self._joined([part], columns, labels)

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
        seats = () if table == "games" else (info.seats,)
        shape = (info.rotations, *seats, info.n_deals)
        return read_column(self.path, self.parts(table, cell), shape, lambda part: self.read(part, [name]))

    def parts(self, dataset: str, cell: str) -> Sequence[Part]:
        """A cell's part files in order: by rotation, then by deal."""
        return self._parts.get((dataset, cell), ())

    def _files(self, dataset: str, cells: Sequence[str] | None) -> list[str]:
        """The part files of some cells, in order."""
        return [part for cell in self._chosen(cells) for part, _, _ in self.parts(dataset, cell.id)]

    def _frame(self, table: TableName, columns: Sequence[str] | None, cells: Sequence[str] | None) -> pd.DataFrame:
        """Some columns of some cells."""
        if columns is not None:
            self._check_columns(table, columns)
        return self._joined(self._files(table, cells), columns, self._enums(table))

    def _enums(self, table: TableName) -> dict[str, Sequence[str]]:
        """The values that each enum column may take."""
        return {column.name: column.labels for column in columns_of(self.game, table) if column.labels}

    def _joined(
        self, parts: Sequence[str], columns: Sequence[str] | None, labels: Mapping[str, Sequence[str]]
    ) -> pd.DataFrame:
        """Part files one after the other; enums hold every value they might."""
        tables = [_plain_codes(self.read(part, columns)) for part in parts]
        frame = pa.concat_tables(tables).unify_dictionaries().to_pandas()
        every = dict(labels) | {"cell": [cell.id for cell in self.cells], "label": self.labels}
        for name in frame.columns.intersection(list(every)):
            frame[name] = frame[name].cat.set_categories(every[name])
        return frame

    def read(self, part: str, columns: Sequence[str] | None) -> pa.Table:
        """Some columns of a part file, by its path in the run folder."""
        cell, _, _ = part_place(Path(part).name)
        return read_part(self.path, part, columns, self.digests[cell], self.files[part]["footer"])

    @cached_property
    def labels(self) -> list[str]:
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


def read_part(
    folder: Path, part: str, columns: Sequence[str] | None, cell_digest: str, footer: str | None = None
) -> pa.Table:
    """Some columns of a part file, which must be whole, what its name says, and of the cell with that digest.

    The footer's checksum is given where the run's manifest holds it.

    Raises
    ------
    UserError
        If it is damaged or belongs elsewhere.
    """
    try:
        if footer is not None and footer_mark(folder / part) != footer:
            raise ValueError("its footer is not that which was written")
        file = pq.ParquetFile(folder / part, page_checksum_verification=True)
        stamp = stamp_in(file.metadata.metadata)
        if (stamp.name, stamp.cell_digest) != (Path(part).name, cell_digest):
            raise ValueError("it belongs to another run, cell or deal")
        table = file.read(columns=None if columns is None else list(columns))
    except (OSError, ValueError, pa.ArrowException) as error:
        raise damaged(folder, f"{part}: {first_line(error)}") from None
    missing = set(columns or ()).difference(table.column_names)
    if missing:
        raise _other_game(folder, f"{part} has no column `{printable(min(missing))}`")
    return table


def _other_game(folder: Path, found: str) -> UserError:
    """The complaint about a run whose game has changed since."""
    return UserError(
        f"a run must be read with the game that it was played with; {printable(str(folder))}: {found}: put the game "
        "back as it was, or play the run again with `--fresh`"
    )


def read_column(folder: Path, parts: Iterable[Part], shape: tuple[int, ...], read: Callable[[str], pa.Table]) -> Array:
    """One column of one cell, (rotations, n_deals) or (rotations, seats, n_deals); enums as codes.

    Parameters
    ----------
    folder
        For messages.
    parts
        Of the cell.
    shape
        What they must come to.
    read
        Gives a part's table with that column alone.

    Raises
    ------
    UserError
        If a part is damaged, or the parts hold more or fewer deals than that.
    """
    column, n_read = np.empty(0), 0
    for part, rotation, first in parts:
        values = column_of(read(part), shape[1:-1])
        n = values.shape[-1]
        if n_read == 0:
            column = np.empty(shape, values.dtype)
        if rotation >= shape[0] or first + n > shape[-1]:
            raise damaged(folder, f"{part}: it holds deals that are not the run's")
        column[rotation, ..., first : first + n] = values
        n_read += n
    if n_read != shape[0] * shape[-1]:
        raise damaged(folder, f"{shape[0] * shape[-1]:,} games of a cell expected, {n_read:,} found")
    return column


def column_of(table: pa.Table, lines: tuple[int, ...] = ()) -> Array:
    """A part's only column, (n,) or (seats, n); enums as codes."""
    array = table.column(0).combine_chunks()
    codes = array.indices if pa.types.is_dictionary(array.type) else array
    return codes.to_numpy(zero_copy_only=False).reshape(*lines, -1)


def published_parts(folder: Path, dataset: str, cell: str) -> list[Part]:
    """The parts of a cell that a folder holds, in order."""
    names = sorted(path.name for path in (folder / dataset).glob(f"{cell}-*.parquet"))
    return [(f"{dataset}/{name}", *part_place(name)[1:]) for name in names]


def _sorted_parts(files: Iterable[str], cells: Container[str]) -> dict[tuple[str, str], list[Part]]:
    """By dataset and cell: part file, rotation and first deal, in order."""
    parts: dict[tuple[str, str], list[Part]] = {}
    for file in sorted(files):
        dataset, _, name = file.rpartition("/")
        cell, rotation, first = part_place(name)
        if cell in cells:
            parts.setdefault((dataset, cell), []).append((file, rotation, first))
    return parts


_CELL_FIELDS = ("key", "players", "seats", "rules", "rotations", "n_deals")


def _plain_codes(table: pa.Table) -> pa.Table:
    """The same with int32 codes in every dictionary, so that parts can be joined."""
    fields = [
        pa.field(f.name, pa.dictionary(pa.int32(), f.type.value_type)) if pa.types.is_dictionary(f.type) else f
        for f in table.schema
    ]
    return table.cast(pa.schema([field.with_nullable(True) for field in fields]))
