"""A game whose turns are heard of, and whose outcomes are checked against what it declares."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.game import Column, Game, Outcome
from simkit.probe.findings import Findings
from simkit.probe.guard import OutOfTime
from simkit.probe.secrets import SecretsTable
from simkit.table import Table
from simkit.view import View


def watched(game: Game, findings: Findings, deadline: float) -> Game:
    """The same game; the watching process hears of every turn, and outcomes are checked."""

    def setup(table: Table) -> None:
        findings.begin("setup")
        game.setup(table)
        findings.done()

    def turn(table: Table, seat: int) -> None:
        if monotonic() > deadline:
            raise OutOfTime
        if isinstance(table, SecretsTable):
            table.begin_turn()
        findings.begin(f"turn {table.turn}")
        game.turn(table, seat)
        findings.done()
        check_state(table, findings)

    def outcome(table: Table, games: npt.NDArray[np.intp]) -> Outcome:
        found = game.outcome(table, games)
        check_outcome(game, found, table.seats, len(games), findings)
        return found

    return dataclasses.replace(game, setup=setup, turn=turn, outcome=outcome)


def check_state(table: Table, findings: Findings) -> None:
    """The declared arrays are what they were declared to be, and there is a standing for every seat."""
    findings.compared["state"] += 1
    for field in table.state.fields:
        found, wanted = getattr(table.state, field.name), (*field.shape, table.n)
        if not isinstance(found, np.ndarray) or found.dtype != field.dtype or found.shape != wanted:
            shape = f"{found.dtype} {found.shape}" if isinstance(found, np.ndarray) else type(found).__name__
            findings.fail("state", f"`state.{field.name}` must stay {field.dtype} {wanted}; found {shape}")
    if table.game.standing is not None:
        standing = np.asarray(table.game.standing(table))
        if standing.shape != (table.seats, table.n) or standing.dtype.kind not in "biuf":
            problem = f"must be numbers, {(table.seats, table.n)}; found {standing.dtype} {standing.shape}"
            findings.fail("state", f"`standing` {problem}")


def check_outcome(game: Game, outcome: Outcome, seats: int, n_games: int, findings: Findings) -> None:
    """Everything declared is told, nothing else, and every value fits."""
    findings.compared["results"] += n_games
    seat_columns: tuple[Column, ...] = game.seat_columns
    told: dict[str, Any] = dict(outcome.seats)
    if game.score is not None:
        seat_columns, told = (game.score, *seat_columns), told | {game.score.name: outcome.score}
    _check_columns("games", game.columns, outcome.games, (n_games,), findings)
    _check_columns("seats", seat_columns, told, (seats, n_games), findings)


def _check_columns(
    table: str, columns: tuple[Column, ...], told: Mapping[str, Any], shape: tuple[int, ...], findings: Findings
) -> None:
    """The columns of one table."""
    for name in told.keys() - {column.name for column in columns}:
        findings.fail("results", f"outcome: `{table}.{name}` must be declared; found no such column")
    for column in columns:
        if told.get(column.name) is None:
            findings.fail("results", f"outcome: `{table}.{column.name}` is declared and must be told; found nothing")
            continue
        values = np.asarray(told[column.name])
        if values.shape not in ((), shape):
            findings.fail("results", f"outcome: `{table}.{column.name}` must be {shape}; found {values.shape}")
        elif values.size and (problem := _misfit(column, values)):
            findings.fail("results", f"outcome: `{table}.{column.name}` {problem}")


def _misfit(column: Column, values: npt.NDArray[Any]) -> str:
    """Why values are not what the column is declared to hold; nothing if they are."""
    if values.dtype.kind not in "biu":
        return f"must be whole numbers; found {values.dtype}"
    low, high = (0, 1) if column.dtype == "bool" else _limits(column.dtype)
    if column.labels:
        low, high = 0, len(column.labels) - 1
    if int(values.min()) < low or int(values.max()) > high:
        return f"must lie in {low}..{high}; found {values.min()}..{values.max()}"
    return ""


def _limits(dtype: str) -> tuple[int, int]:
    """The least and the greatest whole number of a type."""
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


class Choices:
    """An observer that counts which options were open and which were taken.

    Attributes
    ----------
    taken : Counter of (decision, option)
    options : dict of set
        By decision.
    """

    def __init__(self) -> None:
        self.taken: Counter[tuple[str, str]] = Counter()
        self.options: dict[str, set[str]] = {}

    def decided(self, table: Table, view: View, choice: npt.NDArray[np.uint8]) -> None:
        """A seat has chosen."""
        self.options.setdefault(view.decision, set()).update(view.options)
        for option, n in enumerate(np.bincount(choice[view.asked], minlength=len(view.options)).tolist()):
            self.taken[view.decision, view.options[option]] += n

    def noted(self, table: Table, event: str, seat: int | None, games: Any, fields: Mapping[str, Any]) -> None:
        """Events are of no matter."""
