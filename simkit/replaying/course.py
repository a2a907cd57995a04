"""One game, played alone under observation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simkit.batch import play
from simkit.game import Column, Game
from simkit.replaying.telling import told
from simkit.results import games_columns, seats_columns
from simkit.strategy import Strategy
from simkit.trace import Event, Trace


@dataclass(frozen=True)
class Course:
    """All that happened in one game.

    Attributes
    ----------
    labels
        Of the strategy in each seat, seat 0 first.
    events
        As a trace has them, with `words`: what happened, in sentences.
    games, seats
        Its rows, enums by name.
    """

    game: Game
    rules: Any
    labels: tuple[str, ...]
    seed: int
    deal: int
    events: tuple[Event, ...]
    games: dict[str, Any]
    seats: tuple[dict[str, Any], ...]


def play_course(
    game: Game, rules: Any, strategies: Sequence[Strategy], labels: Sequence[str], seed: int, deal: int
) -> Course:
    """Play one deal and tell it.

    Parameters
    ----------
    game, rules
        What is played.
    strategies, labels
        One per seat, seat 0 first.
    seed, deal
        The luck.
    """
    trace = Trace()
    results = play(game, rules, strategies, seed, deal, 1, observer=trace)
    seats = (plain_row(seats_columns(game), results.seats, (seat, 0)) for seat in range(len(strategies)))
    return Course(
        game,
        rules,
        tuple(labels),
        seed,
        deal,
        tuple(told(game, rules, labels, trace.games[deal])),
        plain_row(games_columns(game), results.games, (0,)),
        tuple(seats),
    )


def plain_row(columns: Iterable[Column], values: Mapping[str, Any], place: tuple[int, ...]) -> dict[str, Any]:
    """One row of a table in plain values, enums by name."""
    row = {column: values[column.name][place].item() for column in columns}
    return {column.name: column.labels[value] if column.labels else value for column, value in row.items()}
