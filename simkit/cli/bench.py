"""`simkit bench`: how fast this machine plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import AsJson, StrategyFile
from simkit.cli.plan import in_bytes
from simkit.cli.tables import show, show_json

if TYPE_CHECKING:
    from simkit.game import Game
    from simkit.sources import Listing

GameName = Annotated[str | None, typer.Argument(metavar="GAME", help="A game; all of simkit's own if left out.")]
Seconds = Annotated[float, typer.Option("--seconds", min=0.001, max=3600, help="For each strategy, about.")]
Players = Annotated[int | None, typer.Option("--players", help="How many; the most that the game allows if left out.")]


def bench_command(
    game: GameName = None,
    seconds: Seconds = 1.0,
    players: Players = None,
    strategies: StrategyFile = None,
    as_json: AsJson = False,
) -> None:
    """Play each strategy against itself on one core, and tell games and turns a second; nothing is written."""
    from simkit.planning.pilot import tape_speed

    rows = [row for name in _game_names(game) for row in _measured(name, seconds, players, strategies)]
    words = round(tape_speed(seconds))
    if as_json:
        show_json({"seconds": seconds, "tape_words_per_second": words, "strategies": rows})
        return
    columns = ("game", "strategy", "players", "games/s", "turns/s", "ns a turn", "games in step", "memory")
    show("", columns, [_row(row) for row in rows])
    typer.echo(f"processor time of one core; files are not written here; the tape gives {words:,} words/s")


def _game_names(game: str | None) -> list[str]:
    """The game asked for, or all of the library's."""
    from simkit.catalog import LIBRARY, list_games

    return [game] if game else [entry.name for entry in list_games(Path.cwd()) if entry.source == LIBRARY]


def _measured(name: str, seconds: float, players: int | None, own: Path | None) -> Iterator[dict[str, Any]]:
    """Each strategy's speed."""
    from simkit.catalog import find_game
    from simkit.errors import UserError
    from simkit.planning.pilot import plain_strategies

    game = find_game(name, Path.cwd())
    players = max(game.players) if players is None else players
    if players not in game.players:
        allowed = ", ".join(map(str, game.players))
        raise UserError(f"{game.title} must have {allowed} players; found {players}")
    for listing in plain_strategies(game.id, Path.cwd(), own):
        yield _speed_of(game, listing, players, seconds)


def _speed_of(game: Game, listing: Listing, players: int, seconds: float) -> dict[str, Any]:
    """One strategy's speed as plain data."""
    from simkit.catalog import LIBRARY, load_strategy
    from simkit.planning.pilot import default_line_up, speed
    from simkit.planning.strategy_spec import StrategySpec

    name = listing.name if listing.source == LIBRARY else f"{listing.path}:{listing.name}"
    strategy = load_strategy(StrategySpec(name=name), game.id, Path.cwd())
    found = speed(game, *default_line_up(game, strategy, players), seconds)
    return {
        "game": game.id,
        "strategy": listing.name,
        "source": listing.source,
        "players": players,
        "games": found.n_games,
        "turns": found.n_turns,
        "seconds": found.seconds,
        "games_per_second": found.n_games / found.seconds,
        "turns_per_second": found.n_turns / found.seconds,
        "ns_per_turn": found.seconds / found.n_turns * 1e9,
        "batch": found.width,
        "memory_bytes": found.memory,
    }


def _row(row: dict[str, Any]) -> tuple[Any, ...]:
    """The same as tables show it."""
    return (
        row["game"],
        row["strategy"],
        row["players"],
        f"{row['games_per_second']:,.0f}",
        f"{row['turns_per_second']:,.0f}",
        f"{row['ns_per_turn']:,.1f}",
        f"{row['batch']:,}",
        in_bytes(row["memory_bytes"]),
    )
