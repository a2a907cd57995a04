"""What the replays of all games share: rules, traced games, the rows of a game that has ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from simkit.batch import play
from simkit.catalog import load_strategy
from simkit.experiment import StrategySpec
from simkit.game import Game
from simkit.results import WIN, Results
from simkit.strategy import Strategy
from simkit.trace import Trace

Event = dict[str, Any]


def traced(
    game: Game,
    rules: Any,
    strategies: Sequence[Strategy],
    seed: int,
    n: int,
    translated: Callable[[Event], Iterable[Event]],
    width: int = 500,
) -> Iterator[list[Event]]:
    """Play n games under observation; the events of each, translated, the last with the rows of the game."""
    trace = Trace()
    results = play(game, rules, strategies, seed, 0, n, observer=trace, width=width)
    for deal in range(n):
        events = [told for event in trace.games[deal] for told in translated(event)]
        yield [*events[:-1], events[-1] | ending(game, results, deal)]


def ending(game: Game, results: Results, deal: int) -> Event:
    """The rows that the production engine wrote for a game of rivals."""
    games = {name: column[deal].item() for name, column in results.games.items()}
    seats = {name: column[:, deal].tolist() for name, column in results.seats.items()}
    winners = [seat for seat in range(len(seats["win"])) if games["winners"] >> seat & 1]
    assert seats["win"] == [WIN // len(winners) if seat in winners else 0 for seat in range(len(seats["win"]))]
    return {
        "cause": game.all_end_causes[games["end_cause"]],
        "winners": winners,
        "n_turns": games["n_turns"],
        "ranks": seats["rank"],
        "games": games,
        "seats": seats,
    }


def scripted(game: Game, name: str) -> Strategy:
    """A strategy of the library, by name."""
    return load_strategy(StrategySpec.model_validate({"name": name}), game.id, Path())
