"""Plans a comparison of strategies: every two at one table, both ways round, on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from simkit import catalog
from simkit.errors import UserError
from simkit.experiment import Experiment, parse
from simkit.game import LIKELY_ROUNDS, Game
from simkit.names import canonical, printable
from simkit.plan import Plan, make_plan, named_from
from simkit.planning.digests import digest

__all__ = ["Match", "plan_match", "usual_games"]

GAMES = 100_000
"""Games per cell, unless the game is slow."""
LEAST_GAMES = 1_000
BUDGET = 4.0
"""What a comparison should cost at most if nothing is said [s on one core]."""


@dataclass(frozen=True)
class Match:
    """What is to be compared.

    Parameters
    ----------
    game
    strategies
        Two or more names, or FILE.py:NAME.
    players
        Player counts; the game's smallest if there are none.
    games
        Per line-up; by the game's cost if left out.
    seed
    rules
        Values of rules by `rules.NAME`.
    file
        Where strategies are looked up first.
    """

    game: str
    strategies: Sequence[str]
    players: Sequence[int] = ()
    games: int | None = None
    seed: int | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None


def plan_match(match: Match) -> Plan:
    """The plan of a comparison; its name tells apart whatever could change a row, but not how many games.

    Raises
    ------
    UserError
        If there are fewer than two strategies, one twice, or any of this cannot be played.
    """
    _check(match)
    game = catalog.find_game(match.game, Path.cwd())
    players = _players(game, match.players)
    labels = _labels(match.strategies)
    line_ups = (
        "mirror" if game.cooperative else [list(order) for order in _meetings(game, players, list(labels.values()))]
    )
    n_cells = len(line_ups) if isinstance(line_ups, list) else len(labels) * len(players)
    seats = max(game.seats_for(count) for count in players)
    given: dict[str, Any] = {
        "game": game.id,
        "players": players,
        "games": usual_games(game.turn_seconds, seats, n_cells) if match.games is None else match.games,
        "strategies": [{"name": name, "as": label} for name, label in labels.items()],
        "line_ups": line_ups,
        "question": f"Which is the better strategy: {', '.join(labels.values())}?",
    }
    given |= {} if match.seed is None else {"seed": match.seed}
    experiment = parse("", Path("compare"), given | dict(match.rules))
    return _named(experiment if match.file is None else named_from(experiment, match.file))


def _check(match: Match) -> None:
    """Two strategies or more, each once; nothing set but rules."""
    if len(match.strategies) < 2:
        found = ", ".join(match.strategies) or "none"
        raise UserError(
            f"a comparison needs at least two strategies; found {printable(found)}: "
            "`simkit compare GAME STRATEGY STRATEGY`"
        )
    spelled = [canonical(name) if name.isidentifier() else name for name in match.strategies]
    for place, name in enumerate(spelled):
        if name in spelled[:place]:
            raise UserError(f"each strategy must be named once; found `{printable(name)}` twice")
    for key in match.rules:
        if not key.startswith("rules."):
            raise UserError(f"`--set` of a comparison must have the form rules.NAME=VALUE; found `{printable(key)}`")


def _players(game: Game, asked: Sequence[int]) -> list[int]:
    """The player counts: those asked for, each once, or the game's smallest at which two strategies can meet."""
    for count in asked:
        if count not in game.players:
            allowed = ", ".join(map(str, game.players))
            raise UserError(f"`--players` must be one of {allowed} for {game.title}; found {count}")
        if not game.cooperative and game.seats_for(count) < 2:
            raise UserError(f"`--players` must seat two strategies at one table; found {count}")
    able = [count for count in game.players if game.cooperative or game.seats_for(count) > 1]
    if not able:
        raise UserError(f"strategies are compared at one table; {game.title} has one seat")
    return list(dict.fromkeys(asked)) or [min(able)]


def _labels(names: Sequence[str]) -> dict[str, str]:
    """A label for each strategy: its short name, or all of it where two short names are the same."""
    short = [name.rpartition(":")[2] for name in names]
    return {name: own if short.count(own) == 1 else name for name, own in zip(names, short, strict=True)}


def _meetings(game: Game, players: Sequence[int], labels: Sequence[str]) -> list[tuple[str, ...]]:
    """Of every two one among the others, both ways round, for each number of seats; at two seats they are the same."""
    found = []
    for seats in sorted({game.seats_for(count) for count in players}):
        for one, other in combinations(labels, 2):
            found.append((one, *(other,) * (seats - 1)))
            if seats > 2:
                found.append((other, *(one,) * (seats - 1)))
    return found


def usual_games(turn_seconds: float, seats: int, n_cells: int) -> int:
    """How many games a line-up gets if nothing is said: 100,000, or what a few seconds allow, in round numbers.

    Examples
    --------
    >>> usual_games(1e-7, 3, 2), usual_games(1e-5, 4, 6)
    (100000, 2000)
    """
    affordable = BUDGET / (turn_seconds * seats * LIKELY_ROUNDS * n_cells)
    steps = [step * 10**power for power in range(3, 6) for step in (1, 2, 5)]
    return max([step for step in steps if step <= min(affordable, GAMES)], default=LEAST_GAMES)


def _named(experiment: Experiment) -> Plan:
    """The plan, its run named by the game and a digest of its cells."""
    plan = make_plan(experiment)
    mark = digest(sorted([cell.id, cell.digest] for cell in plan.cells))[:8]
    return replace(plan, experiment=experiment.model_copy(update={"name": f"compare-{plan.game_id}-{mark}"}))
