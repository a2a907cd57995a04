"""Tentacolor against a compiled program that plays the same game one at a time.

    python benchmarks/yardstick.py PROGRAM [--games 10_000_000] [--rounds 3]

PROGRAM is called as `PROGRAM GAMES PLAYERS` and plays `spiteful` in every seat. Everything runs on one core, in
turns, so that what else the machine does hits all alike; the figures in docs/performance.md are medians of the
rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLAYERS = 3
PLAY = """
import sys, time
from pathlib import Path
from simkit.batch import play
from simkit.catalog import find_game, load_strategy
from simkit.experiment import StrategySpec
game = find_game("tentacolor")
rules = game.rules(**game.components.values_with({}))
spiteful = load_strategy(StrategySpec.model_validate({"name": "spiteful"}), game.id, Path("."))
games, chunk = int(sys.argv[1]), 1 << 18
play(game, rules, [spiteful] * 3, 1, 10**9, chunk)
start = time.perf_counter()
for first in range(0, games, chunk):
    play(game, rules, [spiteful] * 3, 1, first, min(chunk, games - first))
print(time.perf_counter() - start)
"""
EXPERIMENT = """
game = "tentacolor"
players = {players}
games = {games}
seed = 1
line_ups = "mirror"
strategies = ["spiteful"]
"""


def on_cores(n: int, command: list[str]) -> tuple[float, str]:
    """Wall-clock seconds of a command on the first n cores, and what it printed."""
    start = time.perf_counter()
    done = subprocess.run(["taskset", "-c", f"0-{n - 1}", *command], check=True, capture_output=True, text=True)
    return time.perf_counter() - start, done.stdout


def simkit_run(folder: Path, games: int, jobs: int) -> float:
    """Wall-clock seconds of the whole `simkit run`."""
    experiment = folder / "yardstick.toml"
    experiment.write_text(EXPERIMENT.format(players=PLAYERS, games=games))
    with tempfile.TemporaryDirectory(dir=folder) as runs:  # a new one each time: what is held is not played again
        command = [sys.executable, "-m", "simkit", "run", str(experiment), "--runs", runs, "--jobs", str(jobs)]
        return on_cores(jobs, [*command, "--quiet"])[0]


def main() -> None:
    """Measure and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--games", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(asked.rounds):
            compiled, _ = on_cores(1, [asked.program, str(asked.games), str(PLAYERS)])
            _, played = on_cores(1, [sys.executable, "-c", PLAY, str(asked.games)])
            one = simkit_run(Path(folder), asked.games, 1)
            row = {"compiled": compiled, "play": float(played), "run, 1 job": one}
            if (os.cpu_count() or 1) > 1:
                row["run, 2 jobs"] = simkit_run(Path(folder), asked.games, 2)
            rows.append(row)
    medians = {name: statistics.median(row[name] for row in rows) for name in rows[0]}
    compiled = medians["compiled"]
    report = {
        "games": asked.games,
        "seconds": {name: round(value, 2) for name, value in medians.items()},
        "play / compiled": round(statistics.median(row["play"] / row["compiled"] for row in rows), 2),
        "run / compiled": round(statistics.median(row["run, 1 job"] / row["compiled"] for row in rows), 2),
        "speed of 2 jobs / 1 job": round(
            statistics.median(row["run, 1 job"] / row.get("run, 2 jobs", row["run, 1 job"]) for row in rows), 2
        ),
        "largest process [MiB]": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
