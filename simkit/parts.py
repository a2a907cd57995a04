"""Part files: one chunk's rows of `games` and `seats` as Parquet.

The encodings were chosen by measurement (docs/performance.md): split byte streams and lz4 cost least time, and columns
that have no missing values save a pass over every value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from simkit.game import Column, Game
from simkit.results import Results, games_columns, seats_columns

TABLES = ("games", "seats")

Array = npt.NDArray[Any]


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
    """
    cell, rotation, deal = name.removesuffix(".parquet").split("-")
    return cell, int(rotation.removeprefix("r")), int(deal)


def columns_of(game: Game, table: str) -> tuple[Column, ...]:
    """The columns of `games` or `seats` after the keys (and after seat and label)."""
    return games_columns(game) if table == "games" else seats_columns(game)


def write_parts(
    results: Results, paths: Sequence[Path], cell: str, rotation: int, first_deal: int, labels: Sequence[str]
) -> None:
    """Write the rows of a chunk.

    Parameters
    ----------
    results
        Rows in deal order.
    paths
        Where the rows of `games` and of `seats` go.
    cell, rotation, first_deal
        The keys.
    labels
        Of the strategy in each seat.
    """
    deals = pa.array(np.arange(first_deal, first_deal + results.n, dtype=np.int64))
    games, seats = _constants(cell, rotation, tuple(labels), results.n)
    games = games | {"deal": deals} | _arrays(games_columns(results.game), results.games)
    rows = {name: values.reshape(-1) for name, values in results.seats.items()}
    all_deals = pa.concat_arrays([deals] * results.n_seats)
    seats = seats | {"deal": all_deals} | _arrays(seats_columns(results.game), rows)
    for path, columns in zip(paths, (games, seats), strict=True):
        write_table(path, columns)


def write_table(path: Path, columns: dict[str, pa.Array]) -> None:
    """Write columns without empty values as one row group."""
    schema = pa.schema([pa.field(name, array.type, nullable=False) for name, array in columns.items()])
    table = pa.Table.from_arrays(list(columns.values()), schema=schema)
    pq.write_table(table, path, row_group_size=max(1, table.num_rows), **_settings(schema))


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
        "write_batch_size": 1 << 16,
    }


@lru_cache(maxsize=4)
def _constants(cell: str, rotation: int, labels: tuple[str, ...], n: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns of `games` and `seats` that depend on the line-up only, `deal` as a gap to be filled."""
    seats, names = len(labels), list(dict.fromkeys(labels))
    places = np.repeat(np.arange(seats, dtype=np.uint8), n)
    seat_labels = np.repeat(np.array([names.index(label) for label in labels], np.int8), n)
    return _keys(cell, rotation, n), _keys(cell, rotation, n * seats) | {
        "seat": pa.array(places),
        "label": enum(seat_labels, names),
    }


def _keys(cell: str, rotation: int, n: int) -> dict[str, Any]:
    """The first columns of either table."""
    cells = enum(np.zeros(n, np.int8), (cell,))
    return {"cell": cells, "rotation": pa.array(np.full(n, rotation, np.uint8)), "deal": None}


def _arrays(columns: Iterable[Column], values: dict[str, Array]) -> dict[str, pa.Array]:
    """Arrow columns as declared."""
    return {c.name: enum(values[c.name], c.labels) if c.labels else pa.array(values[c.name]) for c in columns}


def enum(codes: Array, labels: Sequence[str]) -> pa.Array:
    """An Arrow dictionary that holds all labels, whatever occurs."""
    signed = codes.view(np.int8) if codes.dtype == np.uint8 else codes.astype(np.int16, copy=False)
    return pa.DictionaryArray.from_arrays(pa.array(signed), pa.array(list(labels), pa.string()))
