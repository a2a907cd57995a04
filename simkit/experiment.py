"""The schema of an experiment file: what to play, in TOML, checked before anything is played.

What can be checked without knowing the game is checked here; `simkit.plan` checks the rest.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from simkit.errors import UserError
from simkit.names import printable, shown, unknown
from simkit.strategy_spec import StrategySpec
from simkit.values import PLAIN, is_plain

__all__ = ["Experiment", "StrategySpec", "Verdicts", "load", "parse"]

MAX_GAMES = 10**12
MAX_LABEL = 80
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
_NOT_BUILT = {
    "measures": "a choice of measures",
    "stop": "stopping early",
    "cells": "an explicit list of cells",
    "sweep.assumptions": "a sweep over assumptions",
    "sweep.design": "a sampled design",
    "sweep.n": "a sampled design",
}
_KINDS_IN_WORDS = {
    "a valid integer": "a whole number",
    "a valid tuple": "a list",
    "a valid list": "a list",
    "a valid string": "a text",
    "a valid dictionary": "a table",
    "a valid number": "a number",
}
_FROZEN = ConfigDict(frozen=True, extra="forbid")

Strict = Annotated[int, Field(strict=True)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Text = Annotated[str, Field(strict=True, max_length=2000)]


class Verdicts(BaseModel):
    """What this designer calls balanced."""

    model_config = _FROZEN

    seat_band: Annotated[Number, Field(gt=0, lt=1)] = 0.02
    win_rate: tuple[Annotated[Number, Field(ge=0, le=1)], Annotated[Number, Field(ge=0, le=1)]] = (0.4, 0.6)

    @field_validator("win_rate")
    @classmethod
    def _rising(cls, band: tuple[float, float]) -> tuple[float, float]:
        """A band has a lower and an upper end."""
        if not band[0] < band[1]:
            raise PydanticCustomError("band", "must be [lower, upper] with lower below upper")
        return band


Axis = tuple[tuple[str, ...], list[tuple[Any, ...]]]
LineUps = Literal["mirror", "round-robin", "free-for-all"]
_KINDS = get_args(LineUps)


class Experiment(BaseModel):
    """What to play, as the file says it.

    Attributes
    ----------
    players
        Player counts; None for all that the game allows.
    games
        Per cell.
    sweep
        The grid: `rules.X` or `strategies.LABEL.PARAM`, or several of them joined by commas and set together, with
        the list of values (rows of values where several are joined).
    """

    model_config = _FROZEN

    game: Annotated[str, Field(strict=True, min_length=1, max_length=100)]
    games: Annotated[Strict, Field(ge=1, le=MAX_GAMES)]
    players: Annotated[tuple[Annotated[Strict, Field(ge=1, le=100)], ...], Field(min_length=1)] | None = None
    seed: Annotated[Strict, Field(ge=-(2**63), lt=2**64)] = 1
    line_ups: Annotated[tuple[tuple[StrategySpec, ...], ...], Field(min_length=1)] | LineUps = "mirror"
    strategies: tuple[StrategySpec, ...] = ()
    rules: dict[str, Any] = {}
    sweep: dict[str, Annotated[list[Any], Field(min_length=1, max_length=10_000)]] = {}
    verdicts: Verdicts = Verdicts()
    stop: Any = None
    measures: tuple[str, ...] = ()
    question: Text = ""
    title: Text = ""
    name: Text = "run"

    @model_validator(mode="before")
    @classmethod
    def _built_so_far(cls, given: Any) -> Any:
        """Refuse what the schema knows but nothing plays yet."""
        if not isinstance(given, dict):
            return given
        sweep = given.get("sweep")
        swept = sweep if isinstance(sweep, dict) else {}
        flat = given | {f"sweep.{key}": value for key, value in swept.items()}
        for key, what in _NOT_BUILT.items():
            if flat.get(key):
                raise _refused(key, f"must be left out; {what} is not built yet")
        return {key: value for key, value in given.items() if key not in _NOT_BUILT or key == "measures"}

    @field_validator("players", mode="before")
    @classmethod
    def _one_or_more(cls, players: Any) -> Any:
        """A single player count is a list of one."""
        players = [players] if isinstance(players, int) and not isinstance(players, bool) else players
        if isinstance(players, list) and len({repr(p) for p in players}) < len(players):
            raise PydanticCustomError("players", "must not repeat a player count")
        return players

    @field_validator("line_ups", mode="before")
    @classmethod
    def _named_or_listed(cls, line_ups: Any) -> Any:
        """Say plainly which forms there are."""
        forms = "must be mirror, round-robin, free-for-all, or a list of line-ups (each a list of strategies)"
        if isinstance(line_ups, str) and line_ups in _KINDS:
            return line_ups
        if not isinstance(line_ups, list | tuple) or not all(isinstance(seats, list | tuple) for seats in line_ups):
            raise PydanticCustomError("line_ups", forms)
        return line_ups

    @field_validator("name")
    @classmethod
    def _safe(cls, name: str) -> str:
        """A run's name is a folder's name."""
        if not _NAME.fullmatch(name):
            raise PydanticCustomError("name", "must be 1 to 100 of A-Z a-z 0-9 . _ - and not start with a dot")
        return name

    @field_validator("question", "title")
    @classmethod
    def _readable(cls, text: str) -> str:
        """Text on one line, without control characters."""
        text = " ".join(text.split())
        if not text.isprintable():
            raise PydanticCustomError("text", "must hold printable characters only")
        return text

    @model_validator(mode="after")
    def _labelled(self) -> Experiment:
        """Labels stand in tables and figures: short, printable, and one for each strategy."""
        for where, spec in self._named():
            label = spec.default_label
            if not label.isprintable() or len(label) > MAX_LABEL:
                problem = f"labels must be at most {MAX_LABEL} printable characters; found {shown(label)}; set `as`"
                raise _refused(where, problem)
        labels = [spec.default_label for spec in self.strategies]
        for place, label in enumerate(labels):
            if label in labels[:place]:
                raise _refused(f"strategies[{place}]", f"labels must differ; found {shown(label)} twice; set `as`")
        return self

    def _named(self) -> Iterator[tuple[str, StrategySpec]]:
        """Every strategy and where it stands."""
        yield from ((f"strategies[{place}]", spec) for place, spec in enumerate(self.strategies))
        if not isinstance(self.line_ups, str):
            for i, line_up in enumerate(self.line_ups):
                yield from ((f"line_ups[{i}][{j}]", spec) for j, spec in enumerate(line_up))

    @model_validator(mode="after")
    def _set_or_swept(self) -> Experiment:
        """Each key of the sweep is known, and nothing is set twice."""
        if isinstance(self.line_ups, str) and not self.strategies:
            raise _refused("strategies", f"`line_ups = {self.line_ups}` needs at least one strategy; found none")
        for name, value in self.rules.items():
            if not is_plain(value):
                raise _refused(f"rules.{name}", f"must be {PLAIN}; found {shown(value)}")
        seen = {f"rules.{name}" for name in self.rules}
        for keys, _ in self.axes():
            for key in keys:
                if key in seen:
                    raise _refused(f"sweep.{key}", f"must be set once; found `{key}` in [rules] or in the sweep before")
                seen.add(key)
        return self

    def axes(self) -> list[Axis]:
        """The grid's axes: the keys that are set together, and their values."""
        return [_axis(joined, values) for joined, values in self.sweep.items()]


def _axis(joined: str, values: list[Any]) -> Axis:
    """One axis; a single key's values stand alone, joined keys have rows of values."""
    keys = tuple(re.split(r"\s*,\s*(?=rules\.|strategies\.)", joined.strip()))
    where = f"sweep.{joined}"
    for key in keys:
        if not re.fullmatch(r"rules\.[^.]+|strategies\..+\.[^.]+", key):
            raise _refused(where, f"must be `rules.NAME` or `strategies.LABEL.PARAMETER`; found `{printable(key)}`")
    if len(keys) > 1 and not all(isinstance(row, list) and len(row) == len(keys) for row in values):
        raise _refused(where, f"needs rows of {len(keys)} values, one for each key; found {shown(values)}")
    if not is_plain(values):
        raise _refused(where, f"must be {PLAIN}; found {shown(values)}")
    rows = [tuple(row) if len(keys) > 1 else (row,) for row in values]
    if any(row == other for i, row in enumerate(rows) for other in rows[:i]):
        raise _refused(where, f"must not repeat a value; found {shown(values)}")
    return keys, rows


def sweep_target(key: str) -> tuple[str, str]:
    """The strategy's label and the parameter that a key `strategies.LABEL.PARAM` names."""
    label, _, parameter = key.removeprefix("strategies.").rpartition(".")
    return label, parameter


def _refused(key: str, problem: str) -> PydanticCustomError:
    """A refusal that names its own key."""
    return PydanticCustomError("refused", "{key}", {"key": key, "problem": problem})


def refusal(source: str | Path | None, key: str, problem: str) -> UserError:
    """The one form of every complaint about an experiment: file, key, problem."""
    return UserError(f"{printable(str(source or 'experiment'))}: `{printable(key)}`: {problem}")


def load(path: Path, overrides: Mapping[str, Any] | None = None) -> Experiment:
    """Read an experiment file.

    Parameters
    ----------
    path
        A TOML file.
    overrides
        Values that replace the file's, by key: `games`, `rules.sharks`.

    Raises
    ------
    UserError
        If the file cannot be read or is not a valid experiment; the message names file and key.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"an experiment must be a file; found no {printable(str(path))}") from None
    except IsADirectoryError:
        raise UserError(f"an experiment must be a file; {printable(str(path))} is a folder") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{printable(str(path))}: must be UTF-8 text; byte {error.start} is not") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{printable(str(path))} cannot be read: {error}") from None
    return parse(text, path, overrides)


def parse(text: str, source: Path, overrides: Mapping[str, Any] | None = None) -> Experiment:
    """An experiment from its text; `source` stands in messages and gives the default name."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        end = f"at line {text.count(chr(10)) + 1}, end of file"
        nested = isinstance(error, RecursionError)
        problem = "too deeply nested" if nested else str(error).replace("at end of document", end)
        raise UserError(f"{printable(str(source))}: must be valid TOML; {printable(problem)}") from None
    for key, value in (overrides or {}).items():
        _override(document, key, value, source)
    document.setdefault("name", re.sub(r"[^A-Za-z0-9._-]+", "-", Path(source).stem).lstrip(".")[:100] or "run")
    try:
        return Experiment.model_validate(document)
    except RecursionError:
        raise UserError(f"{printable(str(source))}: tables must not be nested hundreds deep") from None
    except ValidationError as error:
        problems = [_explained(e) for e in error.errors()]
        key, problem = min(problems, key=lambda p: "unknown" not in p[1])
        raise refusal(source, key, problem) from None


def _override(document: dict[str, Any], key: str, value: Any, source: Path) -> None:
    """Set one key of the document, `games` or `rules.X`."""
    table, _, rest = key.partition(".")
    if not rest:
        document[key] = value
    elif isinstance(document.setdefault(table, {}), dict):
        document[table][rest] = value
    else:
        raise refusal(source, key, f"`{table}` is not a table, so that nothing in it can be set")


def _explained(error: Any) -> tuple[str, str]:
    """The key path, and what must hold and was found."""
    place = [p for p in error["loc"] if not (isinstance(p, str) and ("[" in p or p == "StrategySpec"))]
    key = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in place).lstrip(".")
    context = error.get("ctx", {})
    if "problem" in context:
        return f"{key}.{context['key']}".lstrip("."), context["problem"]
    if error["type"] == "extra_forbidden":
        model = Verdicts if place[0] == "verdicts" else Experiment
        return key, unknown("key", str(place[-1]), model.model_fields)
    if error["type"] == "missing":
        return key, "must be set; found nothing"
    message = error["msg"].replace("Input should", "must")
    for theirs, ours in _KINDS_IN_WORDS.items():
        message = message.replace(theirs, ours)
    return key, f"{message}; found {shown(error['input'])}"
