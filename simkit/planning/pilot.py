"""Plays a little to say what playing a lot will take: time, disk, memory. Always by the path that runs take.

Times are this process's own on the processor, so that what else the machine does matters little.
"""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simkit import catalog
from simkit.batch import play
from simkit.game import Game
from simkit.plan import Chunk, Plan, chunk_size
from simkit.results import Results
from simkit.running.worker import Task, play_chunk
from simkit.sources import REQUIRED
from simkit.strategy import Strategy
from simkit.tape import Tape

BUDGET = 1.5
"""Time that a forecast may take, code that is loaded aside [s]."""
MOST_CELLS = 5
START = 1.0
"""Time until workers play, measured (docs/performance.md) [s]."""
FEWEST_GAMES, GROWTH = 16, 8
"""A pilot begins with so many games, and then plays so many times more, while there is time."""
SEED = 20261130


@dataclass(frozen=True)
class Line:
    """What something costs: so much at once, and so much for each game."""

    at_once: float
    a_game: float

    def at(self, n_games: float, n_times: int = 1) -> float:
        """The cost of so many games, cut into so many pieces.

        >>> Line(2.0, 0.5).at(10, 3)
        11.0
        """
        return self.at_once * n_times + self.a_game * n_games


def line_through(points: Sequence[tuple[int, float]]) -> Line:
    """The line through the first and the last of some (games, cost); one that does not rise is proportional instead.

    >>> line_through([(10, 7.0), (20, 9.0)]), line_through([(10, 5.0)]), line_through([(10, 7.0), (20, 6.0)])
    (Line(at_once=5.0, a_game=0.2), Line(at_once=0.0, a_game=0.5), Line(at_once=0.0, a_game=0.3))
    """
    (few, little), (many, much) = points[0], points[-1]
    if many > few and 0 < (much - little) * few <= little * (many - few):
        a_game = (much - little) / (many - few)
        return Line(little - a_game * few, a_game)
    return Line(0.0, much / many)


@dataclass(frozen=True)
class Power:
    """What grows more slowly than the games do: tallies fill up."""

    n_games: int
    size: float
    exponent: float

    def at(self, n_games: float, n_times: int = 1) -> float:
        """The size for so many games, cut into so many pieces.

        >>> Power(100, 8.0, 0.5).at(400)
        16.0
        """
        return n_times * self.size * (n_games / n_times / self.n_games) ** self.exponent


def power_through(points: Sequence[tuple[int, float]]) -> Power:
    """The power law through the first and the last of some (games, size), between constant and proportional.

    >>> power_through([(100, 8.0), (400, 16.0)]), power_through([(10, 5.0)])
    (Power(n_games=400, size=16.0, exponent=0.5), Power(n_games=10, size=5.0, exponent=1.0))
    """
    (few, small), (many, large) = points[0], points[-1]
    exponent = math.log(large / small) / math.log(many / few) if many > few else 1.0
    return Power(many, large, min(max(exponent, 0.0), 1.0))


def timed(play_some: Callable[[int], Any], most: int, budget: float) -> list[tuple[int, float]]:
    """Play ever more games while there is time: how many, and how long that took [s].

    Two sizes at least are played, since a few games in step take about as long as a hundred.
    """
    points: list[tuple[int, float]] = []
    n_games = min(FEWEST_GAMES, most)
    while len(points) < 2 or min(line_through(points[-2:]).at(n_games), points[-1][1] * GROWTH) <= budget:
        clock = time.process_time()
        play_some(n_games)
        points.append((n_games, time.process_time() - clock))
        if n_games == most:
            break
        n_games = min(n_games * GROWTH, most)
    return points


@dataclass(frozen=True)
class Forecast:
    """What playing a plan will take, roughly: extrapolated from a few cells, without an interval.

    Attributes
    ----------
    seconds
        Of one core [s].
    size
        On disk [bytes].
    n_games
        Games that the pilot played.
    """

    seconds: float
    size: int
    n_games: int

    def wall(self, jobs: int, n_chunks: int) -> float:
        """Time with so many worker processes, which take a while to start [s]."""
        jobs = max(1, min(jobs, n_chunks))
        return self.seconds / jobs + (START if jobs > 1 and self.seconds > 1 else 0)


def forecast(plan: Plan, to_play: Mapping[str, int], budget: float) -> Forecast:
    """Time and disk that a plan will take.

    Parameters
    ----------
    plan
        Nothing of it is kept.
    to_play
        Games that are left to play, by cell id.
    budget
        Time for the pilot, such as `BUDGET` [s].

    Raises
    ------
    UserError
        If a strategy breaks its contract.
    """
    numbers = [number for number, cell in enumerate(plan.cells) if to_play[cell.id]]
    chosen, costs = _spread(numbers, MOST_CELLS), dict[int, _Cost]()
    deadline = time.process_time() + budget
    for number in chosen:
        if costs and time.process_time() > deadline:
            break
        costs[number] = _cost(plan, number, budget / len(chosen))
    seconds = size = 0.0
    size_of_chunk = chunk_size(plan.spans(), plan.chunk_deals)
    for number in numbers:
        cost = costs[min(costs, key=lambda known: abs(known - number))]
        cell = plan.cells[number]
        n_chunks = cell.rotations * -(-cell.n_deals // size_of_chunk)
        seconds += cost.time.at(to_play[cell.id], n_chunks)
        size += cost.size.at(to_play[cell.id], n_chunks)
    return Forecast(seconds, math.ceil(size), sum(cost.n_games for cost in costs.values()))


def _spread(numbers: Sequence[int], most: int) -> list[int]:
    """Some of the numbers, evenly spread, the first and the last among them.

    >>> _spread([3, 4, 5, 6, 7], 3), _spread([1, 2], 3)
    ([3, 5, 7], [1, 2])
    """
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[round(place * (len(numbers) - 1) / (most - 1))] for place in range(most)]


@dataclass(frozen=True)
class _Cost:
    """What a cell costs, play and writing, by the games of a chunk [s], [bytes]; and how many games told so."""

    time: Line
    size: Power
    n_games: int


def _cost(plan: Plan, number: int, budget: float) -> _Cost:
    """Play a cell for so long."""
    most = min(plan.cells[number].n_deals, chunk_size(plan.spans(), plan.chunk_deals))
    sizes: list[tuple[int, float]] = []
    _played_and_written(plan, number, 1)  # loads the code
    points = timed(lambda n_deals: sizes.append((n_deals, _played_and_written(plan, number, n_deals))), most, budget)
    return _Cost(line_through(points), power_through(sizes[-2:]), sum(n_games for n_games, _ in points))


def _played_and_written(plan: Plan, number: int, n_deals: int) -> int:
    """Play the first deals of a cell as a worker does; the size of their files, which are kept nowhere [bytes]."""
    cell, chunk = plan.cells[number], Chunk(number, 0, 0, n_deals)
    played = play_chunk(Task(plan.game_id, plan.base, cell, chunk, plan.experiment.seed, drafts=None))
    return sum(map(len, played.parts.values()))


# --------------------------------------------------------------------------------------------------------------- speed


@dataclass(frozen=True)
class Speed:
    """How fast games were played on one core.

    Attributes
    ----------
    n_games, n_turns, seconds
        Played within the time measured; the batch of `width` games was played again and again.
    memory
        Peak of what one batch allocates [bytes].
    """

    n_games: int
    n_turns: int
    seconds: float
    width: int
    memory: int


def speed(game: Game, rules: Any, strategies: Sequence[Strategy], seconds: float) -> Speed:
    """Play for about so long, and say how much that was; then once more for the memory.

    Parameters
    ----------
    game, rules, strategies
        What is played, one strategy a seat.
    seconds
        About how long [s].
    """
    width = _width(game, rules, strategies, seconds / 2)
    n_batches = n_turns = 0
    clock = time.process_time()
    while n_batches == 0 or time.process_time() - clock < seconds:
        n_turns += _turns(play(game, rules, strategies, SEED, n_batches * width, width))
        n_batches += 1
    spent = time.process_time() - clock
    return Speed(n_batches * width, n_turns, spent, width, _memory(game, rules, strategies, width))


def _width(game: Game, rules: Any, strategies: Sequence[Strategy], seconds: float) -> int:
    """Games in a batch that takes no longer than so, up to the game's own choice."""
    play(game, rules, strategies, SEED, 0, 1)  # loads the code
    return timed(lambda width: play(game, rules, strategies, SEED, 0, width), game.width, seconds)[-1][0]


def _turns(results: Results) -> int:
    """Turns played, all seats together."""
    return int(results.games["n_turns"].sum(dtype=np.int64))


def _memory(game: Game, rules: Any, strategies: Sequence[Strategy], width: int) -> int:
    """Peak of what playing one batch allocates [bytes]."""
    tracemalloc.start()
    try:
        play(game, rules, strategies, SEED, 0, width)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def tape_speed(seconds: float) -> float:
    """Words of luck a second, on one core."""
    tape, deals, n_calls = Tape(SEED), np.arange(1 << 13, dtype=np.uint64), 0
    clock = time.process_time()
    while n_calls == 0 or time.process_time() - clock < seconds:
        tape.words(deals, 0, n_calls % (1 << 10))
        n_calls += 1
    return n_calls * len(deals) / (time.process_time() - clock)


def default_line_up(game: Game, strategy: Strategy, players: int) -> tuple[Any, list[Strategy]]:
    """The rules with nothing changed, and the same strategy in every seat."""
    rules = game.rules(**game.components.values_with({}))
    return rules, [strategy] * game.seats_for(players)


def plain_strategies(game_id: str, base: Path | None, own: Path | None) -> list[catalog.Listing]:
    """The library's strategies for a game that need no parameters, and those of a file."""
    listed = [entry for entry in catalog.list_strategies(game_id, base) if entry.source == catalog.LIBRARY]
    listed += catalog.listed_in(own) if own else []
    return [entry for entry in listed if entry.cls and REQUIRED not in entry.parameters.values()]
