"""How long a strategy thinks, against random play at the same game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import process_time
from typing import Any

from simkit.batch import play
from simkit.game import Game
from simkit.probe.findings import Findings
from simkit.probe.guard import Guarded
from simkit.strategy import Random

GAMES = (256, 1024, 4096, 16384)
"""Games in step: as many as a trial can take, so that the figure holds in a run."""
ENOUGH = 0.2
"""A trial that takes less is made once more with more games [s]."""
SLOW = 20
"""Times slower than random play that are worth a note."""


def by_decision(game: Game, make: Callable[[], Guarded]) -> list[dict[str, Any]]:
    """What an answer costs in each decision, the strategy in every seat.

    Parameters
    ----------
    game
    make
        Makes the strategy.

    Returns
    -------
    list of dict
        `decision` ("all" last), `ns` and `ns_random` per answer [ns], `answers`, `games`: games in step.
    """
    seats = game.seats_for(max(game.players))
    for n_games in GAMES:
        begun = process_time()
        mine = _timed(game, make(), seats, n_games)
        if process_time() - begun > ENOUGH:
            break
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


def slow_decisions(rows: list[dict[str, Any]]) -> list[str]:
    """What to say of the decisions in which a strategy takes many times as long as random play."""
    compared = [(row["decision"], row["ns"] / row["ns_random"]) for row in rows if row["ns"] and row["ns_random"]]
    return [
        f"decision `{decision}`: {times:,.0f} times as slow as random play (more than {SLOW})"
        for decision, times in compared
        if times > SLOW and decision != "all"
    ]
