"""Measures of a game that can be compared deal by deal: a value for each deal, over its rotations."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.report.cells import Cell
from simkit.report.words import PERCENT, POINTS, Unit
from simkit.stats import shares
from simkit.stats.frequencies import PerDeal, share_of_rotations
from simkit.stats.intervals import SHARE, Bounds


@dataclass(frozen=True)
class Measure:
    """What is measured of a game.

    Parameters
    ----------
    name
        As tables and figures call it.
    unit, change
        Of its values, and of differences of them.
    read
        (run, cell) -> its value for each deal, a mean over rotations.
    bounds
        What a deal's value must lie between.
    """

    name: str
    unit: Unit
    change: Unit
    read: Callable[[Any, Cell], PerDeal]
    bounds: Bounds = (0, math.inf)

    @property
    def difference_bounds(self) -> Bounds:
        """What a difference of two values must lie between."""
        width = self.bounds[1] - self.bounds[0]
        return (-width, width)


def _counted(name: str, unit: str, read: Callable[[Any, Cell], PerDeal], most: float = math.inf) -> Measure:
    """A measure that counts something."""
    return Measure(name, Unit(1, unit), Unit(1, unit, signed=True), read, (0, most))


def game_mean(column: str, name: str, unit: str, most: float = math.inf) -> Measure:
    """The mean of a column of `games`, whose values are at most so high."""

    def read(run: Any, cell: Cell) -> PerDeal:
        values = run.column("games", column, cell.id)
        return PerDeal(values.sum(axis=0, dtype=np.int64), len(values))

    return _counted(name, unit, read, most)


def seats_total(column: str, name: str, unit: str, most: float = math.inf) -> Measure:
    """The sum over the seats of a column of `seats`."""

    def read(run: Any, cell: Cell) -> PerDeal:
        values = run.column("seats", column, cell.id)
        return PerDeal(values.sum(axis=(0, 1), dtype=np.int64), len(values))

    return _counted(name, unit, read, most)


def seats_best(column: str, name: str, unit: str, most: float = math.inf) -> Measure:
    """The highest of the seats in a column of `seats`: of the score, that which wins."""

    def read(run: Any, cell: Cell) -> PerDeal:
        values = run.column("seats", column, cell.id)
        return PerDeal(values.max(axis=1).sum(axis=0, dtype=np.int64), len(values))

    return _counted(name, unit, read, most)


def seat_mean(column: str, seat: int, name: str, unit: str, most: float = math.inf) -> Measure:
    """The mean of one seat's values in a column of `seats`."""

    def read(run: Any, cell: Cell) -> PerDeal:
        values = run.column("seats", column, cell.id)
        return PerDeal(values[:, seat].sum(axis=0, dtype=np.int64), len(values))

    return _counted(name, unit, read, most)


def a_seat(column: str, name: str, unit: str, most: float = math.inf) -> Measure:
    """The mean over all seats of a column of `seats`."""

    def read(run: Any, cell: Cell) -> PerDeal:
        values = run.column("seats", column, cell.id)
        return PerDeal(values.sum(axis=(0, 1), dtype=np.int64), values.shape[0] * values.shape[1])

    return _counted(name, unit, read, most)


def seats_margin(column: str, name: str, unit: str, most: float = math.inf) -> Measure:
    """How far the best seat is ahead of the second in a column of `seats`: of the score, the winner's margin."""

    def read(run: Any, cell: Cell) -> PerDeal:
        values = np.sort(run.column("seats", column, cell.id).astype(np.int64), axis=1)
        return PerDeal((values[:, -1] - values[:, -2]).sum(axis=0), len(values))

    return _counted(name, unit, read, most)


def rounds(most: float = math.inf) -> Measure:
    """How many rounds a game takes, one that is broken off before its end too; at most so many."""

    def read(run: Any, cell: Cell) -> PerDeal:
        turns = run.column("games", "n_turns", cell.id).astype(np.int64)
        return PerDeal((-(-turns // cell.info.seats)).sum(axis=0), len(turns))

    return _counted("rounds", "rounds", read, most)


def game_share(column: str, name: str) -> Measure:
    """The share of games in which a column of `games` that is true or false is true."""

    def read(run: Any, cell: Cell) -> PerDeal:
        return share_of_rotations(run.column("games", column, cell.id).astype(bool))

    return Measure(name, PERCENT, POINTS, read, SHARE)


def seat_share(seat: int) -> Measure:
    """A seat's share of the win."""

    def read(run: Any, cell: Cell) -> PerDeal:
        return shares.seat_shares(run.column("seats", "win", cell.id))[seat]

    return Measure(f"win share of seat {seat + 1}", PERCENT, POINTS, read, SHARE)


def label_share(label: str) -> Measure:
    """A strategy's share of the win per seat that it holds."""

    def read(run: Any, cell: Cell) -> PerDeal:
        return shares.label_share(run.column("seats", "win", cell.id), cell.labels, label)

    return Measure(f"win share of {label}", PERCENT, POINTS, read, SHARE)


def table_rate() -> Measure:
    """How often a cooperative table wins."""

    def read(run: Any, cell: Cell) -> PerDeal:
        return shares.table_rate(run.column("games", "won", cell.id))

    return Measure("table wins", PERCENT, POINTS, read, SHARE)
