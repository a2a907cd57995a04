"""The row hash adds up over any split, and any change of a value, a row or a column changes it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from simkit.games.tentacolor import GAME
from simkit.results import Results
from simkit.running.rowhash import _KEY, MODULUS, constant, row_hash
from tests.reference.tape import squares

N, SEATS = 40_000, 3
RULES = GAME.rules(**GAME.components.values_with({}))


@pytest.fixture
def rows() -> Results:
    """Rows of arbitrary values: the hash does not care what they mean."""
    luck, results = np.random.default_rng(8), Results(GAME, RULES, SEATS, N)
    for values in (*results.games.values(), *results.seats.values()):
        values[...] = luck.integers(0, 2 if values.dtype == bool else 100, values.shape)
    return results


def part(rows: Results, start: int, stop: int) -> Results:
    """Some consecutive rows."""
    results = Results(GAME, RULES, SEATS, stop - start)
    results.games = {name: values[start:stop] for name, values in rows.games.items()}
    results.seats = {name: values[:, start:stop] for name, values in rows.seats.items()}
    return results


@pytest.mark.parametrize("size", [777, 5000, 16_384, 39_999])
def test_chunks_add_up(rows: Results, size: int) -> None:
    starts = range(0, N, size)
    hashes = [row_hash(part(rows, start, min(start + size, N)), 1000 + start) for start in starts]
    assert sum(hashes) % MODULUS == row_hash(rows, 1000)


def test_agrees_with_plain_integers(rows: Results) -> None:
    """The sum of the mixed words, worked out with Python's integers by the written recipe."""
    n, first = 50, 123_456_789
    some = part(rows, 0, n)
    total = 0
    for row in range(n):
        word = (first + row) * int(constant("deal"))
        for name, values in some.games.items():
            word += int(values[row]) * int(constant(f"games {name}"))
        for name, values in some.seats.items():
            for seat in range(SEATS):
                word += int(values[seat, row]) * int(constant(f"seats {name} {seat}"))
        total += squares(word % MODULUS, int(_KEY))
    assert row_hash(some, first) == total % MODULUS


def swap_rows(rows: Results) -> None:
    """Two games change places."""
    for values in (*rows.games.values(), *rows.seats.values()):
        values[..., [5, 6]] = values[..., [6, 5]]


def swap_one_value(rows: Results) -> None:
    """Two games change one value, all sums staying the same."""
    rows.games["n_turns"][:2] = 7, 8
    rows.games["n_turns"][:2] = rows.games["n_turns"][1::-1]


def swap_seats(rows: Results) -> None:
    """Two seats of one game change places."""
    for values in rows.seats.values():
        values[:2, 9] = values[1::-1, 9]


def swap_columns(rows: Results) -> None:
    """Two columns of one game change places."""
    games = rows.games
    games["n_rare"][3], games["n_bitten"][3] = games["n_bitten"][3].copy(), games["n_rare"][3].copy()


def change_one_bit(rows: Results) -> None:
    """The smallest change there is."""
    rows.seats["score"][2, N - 1] ^= 1


@pytest.mark.parametrize("change", [swap_rows, swap_one_value, swap_seats, swap_columns, change_one_bit])
def test_any_change_shows(rows: Results, change: Callable[[Results], None]) -> None:
    rows.games["n_turns"][:2] = 7, 8
    rows.games["n_rare"][3], rows.games["n_bitten"][3] = 1, 2
    before = row_hash(rows, 0)
    change(rows)
    assert row_hash(rows, 0) != before


def test_deals_count(rows: Results) -> None:
    assert row_hash(rows, 0) != row_hash(rows, 1)


def test_same_rows_same_hash(rows: Results) -> None:
    """The control: what has not changed does not show."""
    assert row_hash(rows, 0) == row_hash(part(rows, 0, N), 0)
