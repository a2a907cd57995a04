"""`simkit exact GAME TOPIC`: what follows from a game's rules without playing it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.answered import Asked, Outputs, list_topics, tell
from simkit.cli.options import AsJson, setting
from simkit.errors import UserError, in_words
from simkit.names import canonical, quoted, unknown

if TYPE_CHECKING:
    from pydantic import BaseModel

    from simkit.exact import Topic
    from simkit.game import Game

SETTINGS = {"ignore_unknown_options": True}
"""Of the command: options that typer does not know are the topic's."""


def exact_command(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME [TOPIC [--OPTION VALUE]...]", help="A game, one of its topics, and options of that topic."
        ),
    ],
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set a rule: `rules.X=4`; repeatable.")
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write the distribution; `-` is stdout.")
    ] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE", help="Draw the distribution: a .png or .svg file.")
    ] = None,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; with --csv or --figure.")] = False,
) -> None:
    """Answer exactly what needs no play; GAME alone lists its topics and their options."""
    from simkit.catalog import find_game

    names, given = _names_and_options(words)
    game, outputs = find_game(names[0], Path.cwd()), Outputs(csv, figure, as_json, quiet)
    _say_source(game)
    if len(names) == 1:
        _refuse([*given, *(["--set"] if changes else []), *outputs.named])
        list_topics(game, as_json)
        return
    if len(names) > 2:
        raise UserError(f"one game and one topic must be named; found {quoted(names[2])} besides")
    outputs.check()
    topic = _topic(game, names[1])
    rules, changed = _rules(game, changes or ())
    asked = Asked(game, topic, _options(game, topic, given), changed, _command(game, topic, given, changes or ()))
    tell(asked, topic.answer(rules, asked.options), outputs)


def _names_and_options(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Game and topic, and the values of options by their spelling.

    >>> _names_and_options(["game", "topic", "--dice", "-4", "--rows=2,1"])
    (['game', 'topic'], {'--dice': '-4', '--rows': '2,1'})
    """
    names, given, rest = [], dict[str, str](), iter(words)
    for word in rest:
        if not word.startswith("-"):
            names.append(word)
            continue
        option, has_value, value = word.partition("=")
        value = value if has_value else next(rest, "--")
        if not has_value and value.startswith("--"):
            raise UserError(f"{quoted(option)} must be an option with a value; found none: `{option[:40]} VALUE`")
        if option in given:
            raise UserError(f"{quoted(option)} must be given once; found it twice")
        given[option] = value
    if not names:
        raise UserError("a game must be named; found options only: `simkit exact GAME`")
    return names, given


def _say_source(game: Game) -> None:
    """Name the code that runs and is not simkit's."""
    from simkit.catalog import LIBRARY, game_source

    source = game_source(game.id, Path.cwd()).source
    if source != LIBRARY:
        typer.echo(f"game {game.id}: {source}", err=True)


def _refuse(options: Sequence[str]) -> None:
    """Options that do nothing where topics are listed are mistakes."""
    if options:
        raise UserError(f"{quoted(options[0])} must follow a topic; found none: name one, or leave it out")


def _topic(game: Game, name: str) -> Topic:
    """The topic of that name."""
    found = {topic.name: topic for topic in game.exact}
    if not found:
        raise UserError(f"{game.title} must have exact topics to be asked; found none: play it, with `simkit run`")
    if canonical(name) not in found:
        raise UserError(unknown("topic", name, found))
    return found[canonical(name)]


def _rules(game: Game, changes: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """The rules, and those that are changed."""
    from simkit.experiment import parse
    from simkit.planning.settings import rules_with

    settings = dict(map(setting, changes))
    for key in settings:
        if not key.startswith("rules."):
            raise UserError(f"`--set` of an exact answer must have the form rules.NAME=VALUE; found {quoted(key)}")
    document = {"game": game.id, "games": 1, "strategies": ["random"]}
    changed = parse("", Path("exact"), document | settings).rules
    return rules_with(game, changed, Path("exact")), changed


def _options(game: Game, topic: Topic, given: Mapping[str, str]) -> BaseModel:
    """The topic's options, read and checked."""
    from pydantic import ValidationError

    from simkit.exact import COMMON_OPTIONS, spelled

    known = {spelled(name): name for name in topic.options.model_fields}
    help_ = f"`simkit exact {game.id}` lists the options"
    values, typed = dict[str, str](), dict[str, str]()
    for option, value in given.items():
        if canonical(option) not in known:
            allowed = [*known, *(f"--{name}" for name in COMMON_OPTIONS)]
            raise UserError(f"{unknown(f'option of {topic.name}', option, allowed)}; {help_}")
        name = known[canonical(option)]
        values[name], typed[name] = value, value
    try:
        return topic.options.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        if not first["loc"]:
            raise UserError(f"{topic.name}: {in_words(first['msg'])}; {help_}") from None
        name = str(first["loc"][0])
        if first["type"] == "missing":
            raise UserError(f"`{spelled(name)}` must be given; found nothing; {help_}") from None
        raise UserError(f"`{spelled(name)}` {in_words(first['msg'])}; found {quoted(typed[name])}; {help_}") from None


def _command(game: Game, topic: Topic, given: Mapping[str, str], changes: Sequence[str]) -> str:
    """The command that gives the same answer."""
    words = ["simkit", "exact", game.id, topic.name, *(word for pair in given.items() for word in pair)]
    return shlex.join([*words, *(word for change in changes for word in ("--set", change))])
