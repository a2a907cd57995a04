"""How long a strategy thinks, against random play at the same game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any

from simkit.batch import play
from simkit.game import Game
from simkit.probe.findings import Findings
from simkit.probe.guard import Guarded
from simkit.strategy import Random, Strategy

FEW, MANY = 128, 1 << 14
"""Games in step at first, and at most: large enough for a figure that holds in a run."""
TRIAL = 1.0
"""What the trial may take [s], about."""
SLOW = 20
"""Times slower than random play that are worth a note."""


def by_decision(game: Game, make: Callable[[], Guarded], deadline: float) -> list[dict[str, Any]]:
    """What an answer costs in each decision, the strategy in every seat.

    Parameters
    ----------
    game
    make
        Makes the strategy.
    deadline
        On the monotonic clock [s].

    Returns
    -------
    list of dict
        `decision` ("all" last), `ns` and `ns_random` per answer [ns], `answers`, `games`: games in step.
    """
    seats = game.seats_for(max(game.players))
    n_games = FEW
    begun = monotonic()
    mine = _timed(game, make(), seats, n_games)
    larger = min(MANY, game.width, int(n_games * min(TRIAL, deadline - begun) / max(monotonic() - begun, 1e-6)))
    if larger >= 2 * FEW:
        n_games = larger
        mine = _timed(game, make(), seats, n_games)
    other = _timed(game, Guarded(Random(), (), Findings()), seats, n_games)
    names = [d.name for d in game.decisions if mine.n_answers[d.name]]
    rows = [_row(name, [name], mine, other) for name in names]
    return [row | {"games": n_games} for row in [*rows, _row("all", names, mine, other)]]


def _timed(game: Game, guarded: Guarded, seats: int, n_games: int) -> Guarded:
    """The strategy after a batch of games."""
    play(game, game.rules(**game.components.values_with({})), [guarded] * seats, 1, 0, n_games, width=n_games)
    return guarded


def _row(name: str, decisions: list[str], mine: Guarded, other: Guarded) -> dict[str, Any]:
    """The cost of an answer in some decisions."""
    return {
        "decision": name,
        "ns": _cost(mine.seconds, mine.n_answers, decisions),
        "ns_random": _cost(other.seconds, other.n_answers, decisions),
        "answers": sum(mine.n_answers[decision] for decision in decisions),
    }


def _cost(seconds: Counter[str], n_answers: Counter[str], decisions: list[str]) -> float | None:
    """Time per answer [ns]; None where nobody was asked."""
    n = sum(n_answers[decision] for decision in decisions)
    spent: float = sum(seconds[decision] for decision in decisions)
    return round(spent * 1e9 / n, 1) if n else None


def is_slow(rows: list[dict[str, Any]]) -> bool:
    """Whether a strategy takes many times as long as random play."""
    return bool(rows) and bool(rows[-1]["ns_random"]) and rows[-1]["ns"] > SLOW * rows[-1]["ns_random"]
