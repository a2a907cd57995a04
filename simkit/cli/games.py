"""`simkit games`: which games there are, and what is in one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from simkit.game import Column, Decision, Game


def games_command(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A game; all are listed if left out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List the games, or one game's rules, decisions and results."""
    from simkit.cli.tables import show_json

    document: Any = _listed() if game is None else _described(game)
    if as_json:
        show_json(document)
    elif game is None:
        _show_list(document)
    else:
        _show_game(document)


def _listed() -> list[dict[str, Any]]:
    """All games."""
    from simkit.catalog import list_games

    return [
        {"id": g.name, "title": g.title, "players": g.players, "summary": g.summary, "source": g.source}
        for g in list_games(Path.cwd())
    ]


def _described(name: str) -> dict[str, Any]:
    """All that a game declares."""
    from simkit.catalog import find_game, game_source
    from simkit.cli.answered import topics_told
    from simkit.results import games_columns, seats_columns

    game = find_game(name, Path.cwd())
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "players": game.players,
        "cooperative": game.cooperative,
        "rules_version": game.rules_version,
        "source": game_source(game.id, Path.cwd()).source,
        "rules": {name: component.model_dump(exclude={"swept"}) for name, component in game.components.items()},
        "decisions": [_decision(game, decision) for decision in game.decisions],
        "games": [_column(column) for column in games_columns(game)],
        "seats": [_column(column) for column in seats_columns(game)],
        "tallies": [_tally(game, name) for name in range(len(game.tallies))],
        "end_causes": game.all_end_causes,
        "exact": topics_told(game),
    }


def _default_rules(game: Game) -> Any:
    """The rules with nothing changed."""
    return game.rules(**game.components.values_with({}))


def _decision(game: Game, decision: Decision) -> dict[str, Any]:
    """A decision, its options by player count."""
    rules = _default_rules(game)
    options = {str(players): decision.options_for(rules, game.seats_for(players)) for players in game.players}
    return {"name": decision.name, "meaning": decision.meaning, "default": decision.default, "options": options}


def _column(column: Column) -> dict[str, Any]:
    """A measure; an enum's values are listed."""
    kind = "enum" if column.labels else column.dtype
    told = {"name": column.name, "type": kind, "unit": column.unit, "meaning": column.meaning}
    return told | ({"values": column.labels} if column.labels else {})


def _tally(game: Game, number: int) -> dict[str, Any]:
    """A tally, its keys' sizes by player count."""
    tally, rules = game.tallies[number], _default_rules(game)
    keys = [
        {
            "name": key.name,
            "unit": key.unit,
            "values": {str(players): key.size_for(rules, game.seats_for(players)) for players in game.players},
        }
        | ({"labels": key.labels} if key.labels else {})
        for key in tally.keys
    ]
    return {"name": tally.name, "type": "int64", "unit": "counts", "meaning": tally.meaning, "keys": keys}


def _show_list(games: list[dict[str, Any]]) -> None:
    """All games as a table."""
    from simkit.cli.tables import show

    show("", ("id", "title", "players", "summary", "source"), [tuple(game.values()) for game in games])
    typer.echo("`simkit games GAME` describes one.")


def _show_game(game: dict[str, Any]) -> None:
    """One game as text and tables."""
    from simkit.cli.answered import show_topics
    from simkit.cli.tables import brief, cell, show

    kind = "cooperative" if game["cooperative"] else "rivals"
    typer.echo(f"{game['title']} ({game['id']}), {cell(game['players'])} players, {kind}, from {game['source']}")
    typer.echo(f"{game['summary']}\n")
    rules = [
        (name, brief(c["value"]), c["tag"], brief(c["alternatives"]), c["meaning"], c["source"])
        for name, c in game["rules"].items()
    ]
    show("Rules, each set with `rules.NAME`", ("name", "value", "tag", "alternatives", "meaning", "source"), rules)
    if any(text.endswith("...") for row in rules for text in (row[1], row[3])):
        typer.echo(f"Values that end in ... are cut here; `simkit games {game['id']} --json` has them whole.\n")
    decisions = [row for decision in game["decisions"] for row in _option_rows(decision)]
    show("Decisions", ("name", "players", "options", "meaning"), decisions)
    for table in ("games", "seats"):
        columns = [
            (c["name"], c["type"], c["unit"], c["meaning"] + (f" ({cell(c['values'])})" if "values" in c else ""))
            for c in game[table]
        ]
        show(f"Columns of `{table}`", ("name", "type", "unit", "meaning"), columns)
    tallies = [
        (t["name"], t["meaning"], ", ".join(map(_key, t["keys"])), t["type"], t["unit"]) for t in game["tallies"]
    ]
    if tallies:
        show("Tallies", ("name", "meaning", "by", "type", "unit"), tallies)
    show_topics(game["exact"])
    typer.echo(f"A game ends by: {cell(game['end_causes'])}")


def _option_rows(decision: dict[str, Any]) -> list[tuple[Any, ...]]:
    """A row for each set of options, with the player counts that have it."""
    by_options: dict[tuple[str, ...], list[str]] = {}
    for players, options in decision["options"].items():
        by_options.setdefault(tuple(options), []).append(players)
    return [(decision["name"], players, options, decision["meaning"]) for options, players in by_options.items()]


def _key(key: dict[str, Any]) -> str:
    """A tally's key as tables spell it."""
    return key["name"] + (f" [{key['unit']}]" if key["unit"] else "")
