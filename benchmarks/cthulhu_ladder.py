"""How the strategies of Tiny Epic Cthulhu do: the tables of docs/strategies-cthulhu.md and docs/calibration-cthulhu.md.

python benchmarks/cthulhu_ladder.py mirrors --deals 10000
python benchmarks/cthulhu_ladder.py mats --deals 3000
python benchmarks/cthulhu_ladder.py neighbours --deals 3000
python benchmarks/cthulhu_ladder.py mixed --deals 3000
python benchmarks/cthulhu_ladder.py ideas --deals 3000

Every figure is the win rate of the table in per cent with its 95 % interval (Wilson); all line-ups play the same deals.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from simkit.batch import play
from simkit.catalog import load_strategy
from simkit.experiment import StrategySpec
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.strategy import Strategy

BEST = "scholar"
NAMES = (BEST, "cautious", "balanced", "shambler-cleaner", "page-rusher", "random")
MATS = ("nyarlathotep", "yog_sothoth", "yig", "cthulhu")
MODES = ("normal", "hard", "madness")
SEED = 20261130
IDEAS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "dividing towns among the seats": {"shared": 0},
    "a second plan beside the best": {"second": 0},
    "keeping the bag rich": {"returned": 0, "taken": 0, "crowded": (0, 0, 0)},
    "slowing the Great Old One": {"slowed": 0},
    "hands for pages not yet seen": {"unseen": 0, "greed": (0, 0), "rage": (0, 0), "fear": (0, 0)},
    "dread of Eldritch beside Shamblers": {"eldritch": 0},
    "dread of delirium": {"mad": (0, 0, 0, 0)},
    "Shamblers in the way": {"banished": 0},
    "who needs which rune": {"runes": (0, 0, 0, 0)},
}


def made(name: str, **parameters: Any) -> Strategy:
    """A library strategy."""
    return load_strategy(StrategySpec.model_validate({"name": name, **parameters}), GAME.id, Path())


def told(won: float, deals: int) -> str:
    """A share in per cent with Wilson's interval."""
    z = 1.959964
    half = z * (won * (1 - won) / deals + z * z / (4 * deals * deals)) ** 0.5 / (1 + z * z / deals)
    return f"{100 * won:.1f} ± {100 * half:.1f}"


def row(label: str, players: int, seated: list[Strategy], deals: int, **rules: Any) -> None:
    """A line of a table: how often the table wins, how long it plays, and why it loses."""
    made_rules = GAME.rules(**GAME.components.values_with(rules))
    games = play(GAME, made_rules, seated, SEED, 0, deals, width=4096).games
    causes = np.bincount(games["end_cause"], minlength=5)[1:3] / deals
    told_causes = f"{100 * causes[0]:.1f} | {100 * causes[1]:.1f} | {100 * (games['phase'] == 2).mean():.1f}"
    means = f"{games['n_turns'].mean():.1f} | {games['pages'].mean():.1f} | {games['portals'].mean():.1f}"
    print(f"| {label} | {players} | {told(float(games['won'].mean()), deals)} | {told_causes} | {means} |", flush=True)


def mirrors(deals: int, players: list[int]) -> None:
    """The same strategy in every seat."""
    for name in NAMES:
        for number in players:
            row(name, number, [made(name)] * GAME.seats_for(number), deals)


def mats(deals: int, players: list[int]) -> None:
    """The best strategy against every Great Old One in every mode."""
    for number in players:
        for mat in MATS:
            for mode in MODES:
                seated = [made(BEST)] * GAME.seats_for(number)
                row(f"{mat} | {mode}", number, seated, deals, great_old_one=mat, mode=mode)


def neighbours(deals: int, players: list[int]) -> None:
    """What other tracks and portals would do, against Nyarlathotep."""
    for rule in ("extra_strength", "portals_harder"):
        for number in players:
            for value in (-1, 0, 1):
                row(f"{rule} | {value}", number, [made(BEST)] * GAME.seats_for(number), deals, **{rule: value})


def mixed(deals: int, players: list[int]) -> None:
    """One of the best among others, and one of the others among the best."""
    for name in NAMES[1:]:
        for number in players:
            others = GAME.seats_for(number) - 1
            row(f"one {BEST} among {name}", number, [made(BEST), *[made(name)] * others], deals)
            row(f"one {name} among {BEST}", number, [made(name), *[made(BEST)] * others], deals)


def ideas(deals: int, players: list[int]) -> None:
    """The best without each of its ideas."""
    for label, off in IDEAS.items():
        for number in players:
            row(label, number, [made(BEST, **off)] * GAME.seats_for(number), deals)


TABLES = {function.__name__: function for function in (mirrors, mats, neighbours, mixed, ideas)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    asked = parser.parse_args()
    TABLES[asked.table](asked.deals, asked.players)
