"""The course of a game in words: event by event, for games with a `tell` of their own and for those without."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from simkit.game import Column, Game
from simkit.names import printable
from simkit.results import games_columns, seats_columns
from simkit.trace import Event, Scene

if TYPE_CHECKING:
    from simkit.replaying.course import Course

LINE = 120
"""Longer lines of measures go on in the next one [characters]."""

_ENGINES = ("event", "turn", "seat", "state", "decision", "earlier", "words")
"""Entries of an event that are not fields noted by the game."""


def seat_names(labels: Sequence[str]) -> tuple[str, ...]:
    """What sentences call each seat; seats are counted from 1, as in reports.

    >>> seat_names(["bold", "random"])
    ('bold (seat 1)', 'random (seat 2)')
    """
    return tuple(f"{printable(label)} (seat {seat})" for seat, label in enumerate(labels, start=1))


def told(game: Game, rules: Any, labels: Sequence[str], events: Sequence[Event]) -> list[Event]:
    """The events with `words`: sentences without a stop, each beginning with the name of whoever acts."""
    names, words = seat_names(labels), []
    before: dict[str, Any] = {}
    for event in events:
        scene = Scene(names, rules, before)
        words.append(list(game.tell(event, scene) if game.tell else plainly(game, event, scene)))
        before = event["state"]
    return [event | {"words": sentences} for event, sentences in zip(events, words, strict=True)]


# ---------------------------------------------------------------------------------------- games without a `tell`


def plainly(game: Game, event: Event, scene: Scene) -> Iterator[str]:
    """An event as the game's declarations have it: choices, noted fields, and what has changed in the state."""
    for decided in (*event.get("earlier", ()), *([event["decision"]] if "decision" in event else [])):
        decision = game.decision(decided["decision"])
        option = decision.options_for(scene.rules, len(scene.names))[decided["choice"]]
        yield f"{scene.names[decided['seat']]} decides {decision.meaning}: {option}"
    fields = [f"{name} {value}" for name, value in event.items() if name not in _ENGINES]
    changed = list(changes(scene.before, event["state"])) if scene.before else []
    who = "" if event["seat"] is None else f"{scene.names[event['seat']]} "
    yield f"{who}{event['event']}{_listed(': ', fields)}{_listed('; changed: ', changed)}"


def _listed(begin: str, items: Sequence[str]) -> str:
    """The items after some words; nothing if there are none."""
    return begin + ", ".join(items) if items else ""


def changes(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """What differs between two states in plain values.

    >>> list(changes({"oil": [1, 1], "pile": 9}, {"oil": [1, 3], "pile": 9}))
    ['oil[1] 1 -> 3']
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for name in after:
            yield from changes(before.get(name), after[name], f"{path}.{name}".lstrip("."))
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from changes(old, new, f"{path}[{place}]")
    elif before != after:
        yield f"{path} {before} -> {after}"


# --------------------------------------------------------------------------------------------------- laid out


def lines(course: Course, place: str = "", swept: Mapping[str, Any] | None = None) -> list[str]:
    """A game from its first to its last event, and its result, for reading.

    Parameters
    ----------
    course
        The game.
    place
        Where it lies in its run.
    swept
        The strategies' parameters that a sweep has set, by its keys.

    Returns
    -------
    list of str
        Lines; those that are not indented are headings.
    """
    return [*_heading(course, place, swept or {}), *_turns(course), "", *_result(course)]


def _heading(course: Course, place: str, swept: Mapping[str, Any]) -> Iterator[str]:
    """Which game it is, the rules that are not the default, and who sits where."""
    yield f"{course.game.title}: {place}deal {course.deal}, seed {course.seed}"
    for name, (default, value) in _changed(course.game, course.rules).items():
        yield from (f"  {part} = {json.dumps(now)}" for part, now in differing(f"rules.{name}", default, value))
    for name, value in swept.items():
        yield f"  {name} = {json.dumps(value)}"
    for seat, name in enumerate(seat_names(course.labels)):
        yield f"  {name}{', who starts' if seat == 0 else ''}"


def changed_rules(game: Game, rules: Any) -> dict[str, Any]:
    """The rules that are not as the box has them, in plain values."""
    return {name: now for name, (_, now) in _changed(game, rules).items()}


def _changed(game: Game, rules: Any) -> dict[str, tuple[Any, Any]]:
    """What the box has, and what is played, of the rules where these differ."""
    usual = game.rules(**game.components.values_with({}))
    values = {name: (_plain(getattr(usual, name)), _plain(getattr(rules, name))) for name in game.components}
    return {name: (default, now) for name, (default, now) in values.items() if now != default}


def _plain(value: Any) -> Any:
    """A rule in plain values: tables may be models."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def differing(name: str, default: Any, now: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a rule that are not the default.

    >>> list(differing("mat", {"front": [3, 3], "powers": [{"n": 1}]}, {"front": [3], "powers": [{"n": 2}]}))
    [('mat.front', [3]), ('mat.powers[0].n', 2)]
    """
    if isinstance(default, dict) and isinstance(now, dict) and list(default) == list(now):
        parts = [(f"{name}.{key}", default[key], now[key]) for key in now]
    elif _holds_tables(default) and _holds_tables(now) and len(default) == len(now):
        parts = [(f"{name}[{place}]", *both) for place, both in enumerate(zip(default, now, strict=True))]
    else:
        yield from [(name, now)] if default != now else []
        return
    for part in parts:
        yield from differing(*part)


def _holds_tables(value: Any) -> bool:
    """Whether it is a list of tables."""
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _turns(course: Course) -> Iterator[str]:
    """A heading for each round and turn, with a line for each sentence below; what comes before any turn is setup."""
    names, shown = seat_names(course.labels), -1
    for event in course.events:
        turn = event["turn"]
        if shown < 0 and turn == 0 and event["seat"] is None and event["event"] != "end":
            yield from ("", "Setup") if event is course.events[0] else ()
            yield from (f"  {sentence}" for sentence in event["words"])
            continue
        number, seat = divmod(turn, len(names))
        if turn != shown:
            yield from ("", f"Round {number + 1}") if shown < 0 or shown // len(names) != number else ()
            yield f"  {names[seat]}"
            shown = turn
        yield from (f"    {sentence.removeprefix(f'{names[seat]} ')}" for sentence in event["words"])


def _result(course: Course) -> Iterator[str]:
    """What the rows of `games` and `seats` say of the game."""
    games, names = course.games, seat_names(course.labels)
    yield f"Result after {games['n_turns']} turns: {games['end_cause']}"
    yield f"  {_verdict(course)}"
    for column in games_columns(course.game):
        if column in course.game.columns:
            yield f"  {_measure(column, games)}: {column.meaning}"
    for name, row in zip(names, course.seats, strict=True):
        measures = [_measure(column, row) for column in seats_columns(course.game)]
        yield from _wrapped(f"{name}: ", measures)


def _measure(column: Column, row: dict[str, Any]) -> str:
    """A column's value and unit."""
    value = {True: "yes", False: "no"}[row[column.name]] if column.dtype == "bool" else row[column.name]
    return f"{column.name} {value}" + (f" [{column.unit}]" if column.unit else "")


def _wrapped(begin: str, measures: Sequence[str]) -> Iterator[str]:
    """Measures in lines of bearable length, none of them broken in two."""
    text = begin + ", ".join(measure.replace(" ", "\0") for measure in measures)
    for line in wrap(text, LINE, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False):
        yield line.replace("\0", " ")


def _verdict(course: Course) -> str:
    """Who has won."""
    if course.game.cooperative:
        return "the table wins" if course.games["won"] else "the table does not win"
    winners = [name for name, row in zip(seat_names(course.labels), course.seats, strict=True) if row["win"]]
    how = ", by the tie-break" if course.games["decided_by_tiebreak"] else ""
    if not winners:
        return "nobody wins"
    *others, last = winners
    return f"{', '.join(others)} and {last} share the win{how}" if others else f"{last} wins{how}"
