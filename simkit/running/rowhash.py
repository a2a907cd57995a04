"""Hashes of results that add up: the sum of the chunks' hashes is the hash of them all, however play was cut.

Each game's rows (its line of `games` and its seats' lines) make one word: its deal and every value, each times an odd
constant of its own. The word is mixed by one call of the tape's generator, and the mixed words are summed modulo 2**64.
Each place of a tally has a word of its own, which its count is multiplied by, so that tallies may be summed before or
after.

They find any damage or change; they are not meant to withstand an adversary.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.results import Results
from simkit.tape import derive_key, squares

MODULUS = 1 << 64
BLOCK = 1 << 14
"""Games hashed at a time: their words stay in the processor's nearest memory."""

_KEY = np.array(derive_key(0), np.uint64)


@cache
def constant(column: str) -> np.ndarray:
    """The odd word that a column's values are multiplied by, uint64 ()."""
    digest = hashlib.sha256(f"simkit row hash {column}".encode()).digest()
    return np.array(int.from_bytes(digest[:8], "little") | 1, np.uint64)


def row_hash(results: Results, first_deal: int) -> int:
    """The hash of a chunk's rows.

    Parameters
    ----------
    results
        Rows in deal order.
    first_deal
        The deal of the first row.

    Returns
    -------
    int
        0 to 2**64 - 1; add those of other chunks modulo 2**64.
    """
    columns = _columns(results)
    blocks = (slice(start, min(start + BLOCK, results.n)) for start in range(0, results.n, BLOCK))
    return sum(_block_hash(columns, first_deal, block) for block in blocks) % MODULUS


def _columns(results: Results) -> list[tuple[np.ndarray, npt.NDArray[Any]]]:
    """Every column's constant and values; each seat's values are a column of their own."""
    pairs = [(constant(f"games {name}"), values) for name, values in results.games.items()]
    for name, by_seat in results.seats.items():
        pairs += [(constant(f"seats {name} {seat}"), values) for seat, values in enumerate(by_seat)]
    return pairs


def _block_hash(columns: list[tuple[np.ndarray, npt.NDArray[Any]]], first_deal: int, block: slice) -> int:
    """The summed hash of some consecutive rows."""
    words = np.arange(first_deal + block.start, first_deal + block.stop, dtype=np.uint64)
    words *= constant("deal")
    wide = np.empty_like(words)
    for factor, values in columns:
        wide[...] = values[block]
        wide *= factor
        words += wide
    return int(squares(words, _KEY).sum(dtype=np.uint64))


def tally_hash(tallies: Mapping[str, npt.NDArray[np.int64]]) -> int:
    """The hash of counts, int64 (*key sizes, 64) by name; add those of other chunks modulo 2**64."""
    return sum(_count_hash(name, counts) for name, counts in tallies.items()) % MODULUS


def _count_hash(name: str, counts: npt.NDArray[np.int64]) -> int:
    """One tally's counts, each times the word of its place; in uint64, whose arithmetic is modulo 2**64."""
    return int((counts.astype(np.uint64).reshape(-1) * _words(name, counts.shape)).sum(dtype=np.uint64))


@lru_cache(maxsize=8)
def _words(name: str, shape: tuple[int, ...]) -> npt.NDArray[np.uint64]:
    """The odd word of every place of a tally."""
    places = np.arange(math.prod(shape), dtype=np.uint64) * constant("place") + constant(f"tally {name} {shape}")
    return squares(places, _KEY) | np.uint64(1)
