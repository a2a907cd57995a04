"""A game's strategies against each other: the figures of docs/strategies-*.md, as Markdown.

    python benchmarks/ladder.py table [--game tentacle-town] [--expert] [--deals 100_000] [--players 2 3 4]
    python benchmarks/ladder.py ideas [--expert] ...      what the best play loses without each of its ideas
    python benchmarks/ladder.py mirrors ...               what the game is like when all play alike
    python benchmarks/ladder.py cost [--players 3]        time a turn, all strategies in turns

A lead is what a strategy's win share exceeds the fair share by, in points, when one such player sits among others that
all play another strategy: the mean over its seats on the same deals. Its 95 % interval takes deals as independent.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simkit.batch import play
from simkit.catalog import find_game, load_strategy
from simkit.experiment import StrategySpec
from simkit.game import Game
from simkit.results import WIN
from simkit.strategy import Strategy

NAMES = {
    "tentacolor": ("random", "longest-run", "spiteful", "shark-hunter", "blocker", "flexible", "objective"),
    "tentacle-town": ("random", "hunter", "caravan", "gardener", "wrecker", "greedy", "builder", "tycoon"),
    "octobuns": ("random", "bun-maker", "small-orders", "nearest-order", "large-orders", "planner"),
}
MEASURE = {"tentacolor": "spiteful", "tentacle-town": "greedy", "octobuns": "nearest-order"}
"""The play by which a game's speed is measured."""
SEED, ROUNDS = 20261130, 11
Lead = tuple[float, float]


def made(game: Game, name: str, **parameters: Any) -> Strategy:
    """A strategy of the library."""
    return load_strategy(StrategySpec.model_validate({"name": name, **parameters}), game.id, Path(__file__).parent)


def lead(game: Game, one: Strategy, others: Strategy, players: int, rules: Any, n_deals: int) -> Lead:
    """Points that one such player among others gets above fair, and the half-width of the 95 % interval."""
    share = np.zeros(n_deals)
    for seat in range(players):
        line_up = [others] * players
        line_up[seat] = one
        share += play(game, rules, line_up, SEED, 0, n_deals).seats["win"][seat] / (WIN * players)
    return 100 * (share.mean() - 1 / players), 196 * share.std(ddof=1) / math.sqrt(n_deals)


def table(game: Game, players: int, rules: Any, n_deals: int) -> Iterator[str]:
    """Every strategy (row) as the only one among every other (column), best row first."""
    strategies = {name: made(game, name) for name in NAMES[game.id]}
    leads: dict[tuple[str, str], Lead] = {}
    for a in strategies:
        for b in strategies:
            if (b, a) in leads and players == 2:
                leads[a, b] = -leads[b, a][0], leads[b, a][1]
            elif a != b:
                leads[a, b] = lead(game, strategies[a], strategies[b], players, rules, n_deals)
    order = sorted(strategies, key=lambda name: -sum(gained for (a, _), (gained, _) in leads.items() if a == name))
    yield f"| one, among | {' | '.join(order)} |"
    yield f"|:--|{'--:|' * len(order)}"
    for a in order:
        cells = ["" if a == b else "{:+.2f} ± {:.2f}".format(*leads[a, b]) for b in order]
        yield f"| **{a}** | {' | '.join(cells)} |"
    yield from ("", "; ".join(verdict(a, b, leads) for a, b in itertools.pairwise(order)) + ".")


def verdict(a: str, b: str, leads: dict[tuple[str, str], Lead]) -> str:
    """Whether a beats b: it gains among b's, and b loses among a's."""
    (gained, width), (lost, lost_width) = leads[a, b], leads[b, a]
    return f"{a} {'beats' if gained > width and lost < -lost_width else 'does not beat'} {b}"


def tycoon_without(game: Game) -> dict[str, Strategy]:
    """Tentacle Town's tycoon that plays as greedy in one respect each."""
    tycoon, greedy = (type(made(game, name)) for name in ("tycoon", "greedy"))
    ideas = {
        "what the attack does to residents and buildings": "attacked",
        "stacking buildings where it leads": "built",
        "where residents flee": "retreat",
        "whose building falls": "victim",
        "what goods are worth in the last two turns": "prices",
    }
    return {idea: type("Tycoon", (tycoon,), {method: getattr(greedy, method)})() for idea, method in ideas.items()}


def flexible_without(game: Game) -> dict[str, Strategy]:
    """Tentacolor's flexible play that lacks one idea each."""
    flexible: Any = type(made(game, "flexible"))
    prospects: Any = sys.modules[flexible.__module__.replace("flexible", "prospects")]
    nothing = np.zeros((1, 1), np.uint8)

    def lacking(**methods: Any) -> Strategy:
        return type("Flexible", (flexible,), methods)()

    def only_cost(self: Any, view: Any, cards: Any) -> Any:
        passed = self._cost_of_passing(view)
        return np.array(72, np.uint8) - np.minimum(np.minimum(passed[[1, 0, 0]], passed[[2, 2, 1]]), 72)

    def no_cost(self: Any, view: Any) -> Any:
        return np.zeros(view.cards.shape, np.uint8)

    def only_the_run(self: Any, view: Any) -> Any:
        return prospects.steps(view.after(left=1)[0], view.need, prospects.THREAT)

    return {
        "looking ahead to the card kept": lacking(_best_hand_left=only_cost),
        "what a passed card does for the neighbour": lacking(_cost_of_passing=no_cost),
        "keeping sharks for a rival who is about to win": lacking(
            _shark=lambda self, view: nothing, _cost_of_passing=only_the_run
        ),
        "a rare specimen counts twice": lacking(_rare=lambda self, view, extended: nothing),
        "the shorter run": lacking(_other_run=lambda self, view, runs: nothing),
        "unseen colours": made(game, "flexible", unseen=False),
    }


def planner_without(game: Game) -> dict[str, Strategy]:
    """Octobuns' planner that lacks one idea each."""
    planner: Any = type(made(game, "planner"))
    never = 9000  # 45 coins

    def lacking(**methods: Any) -> Strategy:
        return type("Planner", (planner,), methods)()

    return {
        "bonuses, but in the last turn": made(game, "planner", token=never),
        "cards that lie in the bakery are worth something": made(game, "planner", card=0, bun_lying=0),
        "cleaning up": made(game, "planner", clean_up_for=never),
        "exchanging buns": made(game, "planner", exchange_for=never),
        "what the market shows": made(game, "planner", shown=4, hidden=4),
        "haste when a rival lacks one order": made(game, "planner", hurry=42),
        "not ending the game while another is ahead": lacking(
            _would_lose=lambda self, view: np.zeros(view.n, bool),
        ),
        "which cards stay": lacking(path=lambda self, view: np.zeros((len(view.options), view.n), np.uint8)),
    }


def ideas(game: Game, players: Sequence[int], rules: Any, n_deals: int) -> Iterator[str]:
    """The best strategy's lead among players who are like it but for one idea, and theirs among players like it."""
    best, without = {
        "tentacolor": ("flexible", flexible_without),
        "tentacle-town": ("tycoon", tycoon_without),
        "octobuns": ("planner", planner_without),
    }[game.id]
    whole = made(game, best)
    yield f"| idea | {' | '.join(f'{p} players' for p in players)} |"
    yield f"|:--|{'--:|' * len(players)}"
    for idea, lacking in without(game).items():
        pairs = [
            (lead(game, whole, lacking, p, rules, n_deals), lead(game, lacking, whole, p, rules, n_deals))
            for p in players
        ]
        cells = [f"{gained:+.2f} / {lost:+.2f} ± {max(w, v):.2f}" for (gained, w), (lost, v) in pairs]
        yield f"| {idea} | {' | '.join(cells)} |"


def mirrors(game: Game, players: Sequence[int], rules: Any, n_deals: int) -> Iterator[str]:
    """The first seat's lead over fair, the length, how often each end comes about, and the score, by strategy."""
    ends = [cause for cause in game.all_end_causes[1:] if len(game.all_end_causes) > 2]
    score = [game.score.name] if game.score else []
    heads = ["all play", "players", "first seat above fair", "turns a player", *ends, *score]
    yield f"| {' | '.join(heads)} |"
    yield f"|:--|{'--:|' * (len(heads) - 1)}"
    for name in NAMES[game.id]:
        for p in players:
            results = play(game, rules, [made(game, name)] * p, SEED, 0, n_deals)
            first = results.seats["win"][0] / WIN
            width = 196 * first.std(ddof=1) / math.sqrt(n_deals)
            causes = results.games["end_cause"]
            ended = [f"{100 * (causes == game.all_end_causes.index(cause)).mean():.2f} %" for cause in ends]
            scored = [f"{results.seats[column].mean():.1f}" for column in score]
            length = results.games["n_turns"].mean() / p
            gained = 100 * (first.mean() - 1 / p)
            yield f"| {' | '.join([name, str(p), f'{gained:+.2f} ± {width:.2f}', f'{length:.1f}', *ended, *scored])} |"


def cost(game: Game, players: Sequence[int], rules: Any, n_deals: int) -> Iterator[str]:
    """Nanoseconds a turn at the largest table asked for, medians of rounds in which all strategies take turns."""
    strategies, measure = {name: made(game, name) for name in NAMES[game.id]}, MEASURE[game.id]
    if game.id == "tentacolor":
        strategies["flexible (unseen = false)"] = made(game, "flexible", unseen=False)
    spent: dict[str, list[float]] = {name: [] for name in strategies}
    for _ in range(ROUNDS):
        for name, strategy in strategies.items():
            start = time.perf_counter()
            results = play(game, rules, [strategy] * max(players), SEED, 0, n_deals)
            spent[name].append(1e9 * (time.perf_counter() - start) / results.games["n_turns"].sum(dtype=np.int64))
    yield f"| strategy | ns a turn | against {measure} |"
    yield "|:--|--:|--:|"
    for name, times in spent.items():
        ratio = statistics.median(a / b for a, b in zip(times, spent[measure], strict=True))
        yield f"| {name} | {statistics.median(times):.0f} | {ratio:.2f} |"


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["table", "ideas", "mirrors", "cost"])
    parser.add_argument("--game", choices=sorted(NAMES), default="tentacolor")
    parser.add_argument("--expert", action="store_true", help="Tentacolor's variant")
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    asked = parser.parse_args()
    game = find_game(asked.game)
    rules = game.rules(**game.components.values_with({"expert": True} if asked.expert else {}))
    print(f"`{' '.join(['python', 'benchmarks/ladder.py', *sys.argv[1:]])}`, {asked.deals} deals, seed {SEED}\n")
    if asked.what == "table":
        for players in asked.players:
            print(f"\n{players} players\n")
            for line in table(game, players, rules, asked.deals):
                print(line, flush=True)
    else:
        show = {"ideas": ideas, "mirrors": mirrors, "cost": cost}[asked.what]
        for line in show(game, asked.players, rules, asked.deals):
            print(line, flush=True)


if __name__ == "__main__":
    main()
