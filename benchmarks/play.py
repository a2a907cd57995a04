"""What a game's play costs: games and turns a second, against the plain-Python reference engine, and where time goes.

    python benchmarks/play.py tentacle-town greedy                # the speed, and the ratio to the reference engine
    python benchmarks/play.py tentacle-town greedy --sections     # nanoseconds a turn, by section of the rulebook

Everything is measured in one process, in rounds; process time, the median of the rounds. The reference engine replays
traces of the same games; only its own time counts, not that of tracing.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from simkit.batch import play  # noqa: E402
from simkit.catalog import find_game, load_strategy  # noqa: E402
from simkit.experiment import StrategySpec  # noqa: E402
from simkit.table import Table  # noqa: E402

N_TRACED = 100


def main() -> None:
    """Measure one game with one strategy in every seat."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("strategy")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=1 << 18)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sections", action="store_true")
    asked = parser.parse_args()

    game = find_game(asked.game)
    rules = game.rules(**game.components.values_with({}))
    strategy = load_strategy(StrategySpec.model_validate({"name": asked.strategy}), game.id, ROOT)
    strategies = [strategy] * game.seats_for(asked.players)
    play(game, rules, strategies, 1, 0, 1 << 12)
    costs = _sections(game) if asked.sections else {}

    seconds, n_turns = [], 0
    for number in range(asked.rounds):
        start = time.process_time()
        results = play(game, rules, strategies, 1, number * asked.games, asked.games)
        seconds.append(time.process_time() - start)
        n_turns += int(results.games["n_turns"].sum())
    a_game = statistics.median(seconds) / asked.games
    turns = n_turns / asked.rounds / asked.games
    print(f"{1 / a_game:,.0f} games/s, {turns:.1f} turns a game, {a_game / turns * 1e9:.0f} ns a turn")
    for name, spent in costs.items():
        print(f"{name:<40}{spent / n_turns * 1e9:>8.0f} ns a turn")
    if not asked.sections:
        reference = _reference_seconds(game.id, rules, strategies)
        print(f"the reference engine takes {reference * 1e3:.1f} ms a game: {reference / a_game:,.0f} times as long")


def _sections(game: Any) -> dict[str, float]:
    """Let the functions of the game's play modules, and of the table, keep their process time, inner ones included."""
    spent: dict[str, float] = defaultdict(float)
    package = f"simkit.games.{game.id.replace('-', '_')}"
    found = pkgutil.iter_modules(importlib.import_module(package).__path__)
    for module in (importlib.import_module(f"{package}.{m.name}") for m in found if m.name.startswith("play")):
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if name not in ("turn", "setup"):
                setattr(module, name, _kept(function, name, spent))
    for name in ("ask", "draw", "tally", "finish"):
        setattr(Table, name, _kept(getattr(Table, name), f"table.{name}", spent))
    return spent


def _kept(function: Callable[..., Any], name: str, spent: dict[str, float]) -> Callable[..., Any]:
    """The function, its process time added up."""
    if hasattr(function, "kept"):
        return function
    depth = 0

    def timed(*args: Any, **named: Any) -> Any:
        nonlocal depth
        depth += 1
        start = time.process_time()
        try:
            return function(*args, **named)
        finally:
            depth -= 1
            if not depth:
                spent[name] += time.process_time() - start

    timed.kept = True  # type: ignore[attr-defined]
    return timed


def _reference_seconds(game: str, rules: Any, strategies: list[Any]) -> float:
    """What the reference engine takes to replay a game [s]."""
    name = game.replace("-", "_")
    told = importlib.import_module(f"tests.games.{name}_replay")
    replay = importlib.import_module(f"tests.reference.{name}").replay
    games = list(told.traced_games(rules, strategies, 1, N_TRACED))
    start = time.process_time()
    for events in games:
        replay(len(strategies), told.reference_rules(rules), events)
    return (time.process_time() - start) / N_TRACED


if __name__ == "__main__":
    main()
