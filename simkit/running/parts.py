"""Part files: what one chunk adds to `games`, `seats` and the tallies, as Parquet; each says what it is a part of.

The encodings were chosen by measurement (docs/performance.md): split byte streams and lz4 cost least time, and columns
that have no missing values save a pass over every value. Pages carry checksums, which are verified on reading.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from simkit.game import Column, Game, Tally
from simkit.results import Results, games_columns, seats_columns
from simkit.running.rowhash import row_hash, tally_hash

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Stamp:
    """What a part file says of itself, in its metadata.

    Attributes
    ----------
    cell_digest
        Of all that can change the cell's rows.
    rows, tallies
        Hashes of what the chunk holds; those of a cell's chunks add up modulo 2**64.
    """

    cell: str
    cell_digest: str
    rotation: int
    first_deal: int
    n_deals: int
    rows: int
    tallies: int

    @property
    def name(self) -> str:
        """Of the part files that bear it."""
        return part_name(self.cell, self.rotation, self.first_deal)

    @property
    def end(self) -> int:
        """The deal after the last one."""
        return self.first_deal + self.n_deals


def stamp_of(results: Results, cell: str, cell_digest: str, rotation: int, first_deal: int) -> Stamp:
    """The stamp of a chunk that was played."""
    rows, tallies = row_hash(results, first_deal), tally_hash(results.tallies())
    return Stamp(cell, cell_digest, rotation, first_deal, results.n, rows, tallies)


def read_stamp(path: Path) -> Stamp:
    """What a part file says of itself.

    Raises
    ------
    ValueError
        If the file is not one of simkit's parts, or is damaged.
    """
    if not path.is_file():
        raise ValueError("it is not a file")  # nothing ever comes out of a pipe
    return stamp_in(pq.read_metadata(path).metadata)


def footer_mark(path: Path) -> str:
    """A checksum of a part's footer, which unlike its pages has none of its own; 8 hex digits.

    Raises
    ------
    ValueError
        If there is no footer.
    """
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little")
        if length + 8 > size:
            raise ValueError("it has no footer")
        file.seek(size - 8 - length)
        return f"{zlib.crc32(file.read()):08x}"


def stamp_in(metadata: Mapping[bytes, bytes] | None) -> Stamp:
    """The stamp in a Parquet file's metadata."""
    try:
        return Stamp(**json.loads((metadata or {})[_KEY]))
    except (KeyError, TypeError, ValueError):
        raise ValueError("it does not say what it is a part of") from None


_KEY = b"simkit"


def datasets(game: Game) -> tuple[str, ...]:
    """The folders of a run that hold parts, as they are published: `games` last, which makes a chunk count."""
    return (*(f"tallies/{tally.name}" for tally in game.tallies), "seats", "games")


def part_name(cell: str, rotation: int, first_deal: int) -> str:
    """The name of a part file; names sort by cell, rotation and deal.

    >>> part_name("0123456789ab", 2, 262144)
    '0123456789ab-r02-000000262144.parquet'
    """
    return f"{cell}-r{rotation:02}-{first_deal:012}.parquet"


def part_place(name: str) -> tuple[str, int, int]:
    """Cell, rotation and first deal of a part file.

    >>> part_place("0123456789ab-r02-000000262144.parquet")
    ('0123456789ab', 2, 262144)

    Raises
    ------
    ValueError
        If no part is called so.
    """
    place = _PART.fullmatch(name)
    if place is None:
        raise ValueError(f"`{name}` is not the name of a part")
    return place[1], int(place[2]), int(place[3])


_PART = re.compile(r"([0-9a-f]{12})-r(\d{2,})-(\d{12,})\.parquet")


def columns_of(game: Game, table: str) -> tuple[Column, ...]:
    """The columns of `games` or `seats` after the keys (and after seat and label)."""
    return games_columns(game) if table == "games" else seats_columns(game)


def write_parts(results: Results, targets: dict[str, Path | IO[bytes]], stamp: Stamp, labels: Sequence[str]) -> None:
    """Write what a chunk adds to each dataset.

    Parameters
    ----------
    results
        Rows in deal order, and counts.
    targets
        A file for each of `datasets`.
    stamp
        Of the chunk.
    labels
        Of the strategy in each seat.
    """
    deals = arrow(np.arange(stamp.first_deal, stamp.end, dtype=np.int64))
    games, seats = _constants(stamp.cell, stamp.rotation, tuple(labels), results.n)
    rows = {name: values.reshape(-1) for name, values in results.seats.items()}
    all_deals = pa.concat_arrays([deals] * results.n_seats)
    tables = {
        "games": games | {"deal": deals} | _arrays(games_columns(results.game), results.games),
        "seats": seats | {"deal": all_deals} | _arrays(seats_columns(results.game), rows),
    }
    counts = results.tallies()
    for tally in results.game.tallies:
        tables[f"tallies/{tally.name}"] = tally_columns(tally, stamp.cell, stamp.rotation, counts[tally.name])
    for dataset, columns in tables.items():
        write_table(targets[dataset], columns, stamp)


def tally_columns(tally: Tally, cell: str, rotation: int, counts: npt.NDArray[np.int64]) -> dict[str, Any]:
    """The non-zero counts of one rotation as columns; counts is int64 (*key sizes, 64)."""
    *keys, group = counts.nonzero()
    columns = _keys(cell, rotation, len(group))
    columns.pop("deal")
    columns["group"] = arrow(group.astype(np.uint8))
    for key, values in zip(tally.keys, keys, strict=True):
        codes = values.astype(np.uint8 if key.labels else np.uint16)
        columns[key.name] = enum(codes, key.labels) if key.labels else arrow(codes)
    return columns | {"count": arrow(counts[counts.nonzero()])}


def write_table(target: Path | IO[bytes], columns: dict[str, pa.Array], stamp: Stamp) -> None:
    """Write columns without empty values as one row group."""
    schema = pa.schema([pa.field(name, array.type, nullable=False) for name, array in columns.items()])
    settings, told = _settings(schema), {_KEY: json.dumps(asdict(stamp)).encode()}
    table = pa.Table.from_arrays(list(columns.values()), schema=schema.with_metadata(told))
    pq.write_table(table, target, row_group_size=max(1, table.num_rows), **settings)


@lru_cache
def _settings(schema: pa.Schema) -> dict[str, Any]:
    """How columns are laid out: by their type."""
    dictionaries = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    others = [field for field in schema if field.name not in dictionaries]
    return {
        "compression": "lz4",
        "use_dictionary": dictionaries,
        "column_encoding": {
            field.name: "PLAIN" if pa.types.is_boolean(field.type) else "BYTE_STREAM_SPLIT" for field in others
        },
        "write_statistics": ["deal"],
        "write_page_checksum": True,
        "write_batch_size": 1 << 16,
    }


@lru_cache(maxsize=4)
def _constants(cell: str, rotation: int, labels: tuple[str, ...], n: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns of `games` and `seats` that depend on the line-up only, `deal` as a gap to be filled."""
    seats, names = len(labels), list(dict.fromkeys(labels))
    places = np.repeat(np.arange(seats, dtype=np.uint8), n)
    seat_labels = np.repeat(np.array([names.index(label) for label in labels], np.int8), n)
    return _keys(cell, rotation, n), _keys(cell, rotation, n * seats) | {
        "seat": arrow(places),
        "label": enum(seat_labels, names),
    }


def _keys(cell: str, rotation: int, n: int) -> dict[str, Any]:
    """The first columns of either table."""
    cells = enum(np.zeros(n, np.int8), (cell,))
    return {"cell": cells, "rotation": arrow(np.full(n, rotation, np.uint8)), "deal": None}


def _arrays(columns: Iterable[Column], values: dict[str, Array]) -> dict[str, pa.Array]:
    """Arrow columns as declared."""
    return {c.name: enum(values[c.name], c.labels) if c.labels else arrow(values[c.name]) for c in columns}


def enum(codes: Array, labels: Sequence[str]) -> pa.Array:
    """An Arrow dictionary that holds all labels, whatever occurs."""
    signed = codes.view(np.int8) if codes.dtype == np.uint8 else codes.astype(np.int16, copy=False)
    return pa.DictionaryArray.from_arrays(arrow(signed), _texts(labels))


def arrow(values: Array) -> pa.Array:
    """The values as an Arrow array; Arrow's own function loads pandas first, 0.3 s in every worker."""
    data = np.packbits(values, bitorder="little") if values.dtype == bool else np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), values.size, [None, pa.py_buffer(data)])


def _texts(texts: Sequence[str]) -> pa.Array:
    """The texts as an Arrow array, made likewise."""
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)))
