"""The schema of an experiment file: what to play, in TOML, checked before anything is played.

What can be checked without knowing the game is checked here; `simkit.plan` checks the rest.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from simkit.errors import UserError, in_words
from simkit.names import DEVICES, printable, quoted, shown, unknown
from simkit.planning.strategy_spec import StrategySpec
from simkit.planning.sweep import MAX_VALUES, ListedCell, Sweep, flat
from simkit.planning.values import PLAIN, is_plain, refused

__all__ = ["Experiment", "ListedCell", "Stop", "StrategySpec", "Sweep", "Verdicts", "load", "parse"]

MAX_GAMES = 10**12
MAX_LABEL = 80
MAX_BYTES = 10_000_000
_NAME = re.compile(r"(?!.*\.$)[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
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


class Stop(BaseModel):
    """When a cell has been played enough, before all its `games`.

    Attributes
    ----------
    precision
        Half the width of the 95 % interval of the share in question.
    """

    model_config = _FROZEN

    precision: Annotated[Number, Field(gt=0, lt=0.5)]


_TABLES: dict[str, type[BaseModel]] = {"verdicts": Verdicts, "stop": Stop}
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
        A grid, a sampled design, or the alternatives of all that the rulebook does not give.
    cells
        In place of a sweep: each setting by itself.
    """

    model_config = _FROZEN

    game: Annotated[str, Field(strict=True, min_length=1, max_length=100)]
    games: Annotated[Strict, Field(ge=1, le=MAX_GAMES)]
    players: Annotated[tuple[Annotated[Strict, Field(ge=1, le=100)], ...], Field(min_length=1)] | None = None
    seed: Annotated[Strict, Field(ge=-(2**63), lt=2**64)] = 1
    line_ups: Annotated[tuple[tuple[StrategySpec, ...], ...], Field(min_length=1)] | LineUps = "mirror"
    strategies: tuple[StrategySpec, ...] = ()
    rules: dict[str, Any] = {}
    sweep: Sweep = Sweep()
    cells: Annotated[tuple[ListedCell, ...], Field(min_length=1, max_length=MAX_VALUES)] | None = None
    stop: Stop | None = None
    verdicts: Verdicts = Verdicts()
    measures: tuple[Annotated[str, Field(strict=True)], ...] = ()
    question: Text = ""
    title: Text = ""
    name: Text = "run"

    @field_validator("players", mode="before")
    @classmethod
    def _one_or_more(cls, players: Any) -> Any:
        """A single player count is a list of one."""
        players = [players] if isinstance(players, int) and not isinstance(players, bool) else players
        if not isinstance(players, list | tuple | None):
            raise PydanticCustomError("players", "must be a whole number or a list of them")
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

    @field_validator("cells", mode="before")
    @classmethod
    def _under_double_brackets(cls, cells: Any) -> Any:
        """Say plainly how a list of tables is written."""
        if isinstance(cells, Mapping):
            raise PydanticCustomError("cells", "must be a list of tables, each under [[cells]]")
        return cells

    @field_validator("measures")
    @classmethod
    def _built_so_far(cls, measures: tuple[str, ...]) -> tuple[str, ...]:
        """Games record all their measures."""
        if measures:
            raise PydanticCustomError("measures", "must be left out: a choice of measures is not built yet")
        return measures

    @field_validator("name")
    @classmethod
    def _safe(cls, name: str) -> str:
        """A run's name is a folder's name, on every system."""
        if not _NAME.fullmatch(name):
            raise PydanticCustomError("name", "must be 1 to 100 of A-Z a-z 0-9 . _ - and not start or end with a dot")
        if name.partition(".")[0].lower() in DEVICES:
            raise PydanticCustomError("name", "must not be what some systems call a device; choose another")
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
                raise refused(where, problem)
        labels = [spec.default_label for spec in self.strategies]
        for place, label in enumerate(labels):
            if label in labels[:place]:
                raise refused(f"strategies[{place}]", f"labels must differ; found {shown(label)} twice; set `as`")
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
            raise refused("strategies", f"`line_ups = {self.line_ups}` needs at least one strategy; found none")
        for name, value in self.rules.items():
            if not is_plain(value):
                raise refused(f"rules.{name}", f"must be {PLAIN}; found {shown(value)}")
        if self.cells is not None and not self.sweep.is_empty:
            raise refused("cells", "must be left out where there is a [sweep]; found both")
        seen = {f"rules.{name}" for name in self.rules}
        for key in self.sweep.keys:
            if key in seen:
                raise refused(f"sweep.{key}", f"must be set once; found `{key}` in [rules] or in the sweep before")
            seen.add(key)
        for place, cell in enumerate(self.cells or ()):
            for key in seen & cell.settings.keys():
                raise refused(f"cells[{place}].{key}", f"must be set once; found `{key}` in [rules] as well")
        return self

    @property
    def varied(self) -> dict[str, str]:
        """Every key that a sweep or a listed cell sets, and where it first does."""
        found = {key: f"sweep.{key}" for key in self.sweep.keys}
        for place, cell in enumerate(self.cells or ()):
            for key in cell.settings:
                found.setdefault(key, f"cells[{place}].{key}")
        return found


def refusal(source: str | Path | None, key: str, problem: str) -> UserError:
    """The one form of every complaint about an experiment: file, key, problem."""
    return UserError(f"{printable(str(source or 'experiment'))}: {quoted(key)}: {problem}")


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
        text = _content(Path(path)).decode("utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"an experiment must be a file; found no {printable(str(path))}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{printable(str(path))}: must be UTF-8 text; byte {error.start} is not") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{printable(str(path))} cannot be read: {error}") from None
    return parse(text, path, overrides)


def _content(path: Path) -> bytes:
    """A file's bytes; a device or a pipe may never end."""
    size = path.stat().st_size
    if not path.is_file():
        what = "a folder: name a file in it" if path.is_dir() else "a device or a pipe: write it to a file"
        raise UserError(f"an experiment must be a file; {printable(str(path))} is {what}")
    if size > MAX_BYTES:
        raise UserError(
            f"an experiment must be a file of at most {MAX_BYTES:,} bytes; {printable(str(path))} has {size:,}: "
            "name another"
        )
    return path.read_bytes()


def parse(text: str, source: Path, overrides: Mapping[str, Any] | None = None) -> Experiment:
    """An experiment from its text; `source` stands in messages and gives the default name."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{printable(str(source))}: must be valid TOML; {_broken(text, error)}") from None
    document.setdefault(
        "name", re.sub(r"[^A-Za-z0-9._-]+", "-", Path(source).stem).lstrip(".")[:100].rstrip(".") or "run"
    )
    return from_document(document, source, overrides)


def _broken(text: str, error: Exception) -> str:
    """What is wrong with a TOML text, and the line that it was noticed in."""
    if isinstance(error, RecursionError):
        return "too deeply nested"
    problem = str(error).replace("Cannot overwrite a value", "Found a key that was set before")
    problem = problem.replace("at end of document", f"at line {text.count(chr(10)) + 1}, end of file")
    place = re.search(r"at line (\d+), column", problem)
    line = text.split("\n")[int(place[1]) - 1].strip() if place else ""
    return printable(problem) + (f": {shown(line)}" if line else "")


def from_document(
    document: dict[str, Any], source: Path | None = None, overrides: Mapping[str, Any] | None = None
) -> Experiment:
    """An experiment from what its text says; overrides are set in the document itself."""
    for key, value in (overrides or {}).items():
        _override(document, key, value, source)
    try:
        return Experiment.model_validate(document)
    except RecursionError:
        raise UserError(f"{printable(str(source or 'experiment'))}: tables must not be nested hundreds deep") from None
    except ValidationError as error:
        problems = [_explained(e) for e in error.errors()]
        key, problem = min(problems, key=lambda p: "unknown" not in p[1])
        raise refusal(source, key, problem) from None


def _override(document: dict[str, Any], key: str, value: Any, source: Path | None) -> None:
    """Set one key of the document: `games`, `rules.X`, `sweep."rules.X"`."""
    table, *rest = _path_of(key)
    if not rest:
        document[table] = value
        return
    held = document.get(table, {})
    if not isinstance(held, dict):
        raise refusal(source, key, f"`{table}` is not a table, so that nothing in it can be set")
    if table == "sweep":
        with suppress(PydanticCustomError):  # a key that stands there twice; the model says so
            held = flat(held)
    document[table] = held | {".".join(rest): value}


def _path_of(key: str) -> list[str]:
    """A dotted key's parts, quoted as in TOML or not.

    >>> _path_of('sweep."rules.expert"'), _path_of("sweep.strategies.a (0.5).p")
    (['sweep', 'rules.expert'], ['sweep', 'strategies.a (0.5).p'])
    """
    parts: list[str] = []
    try:
        node: Any = tomllib.loads(f"{key} = 0")
        while isinstance(node, dict):
            ((part, node),) = node.items()
            parts.append(part)
    except ValueError:
        return key.split(".", 1)
    return parts


def _is_pydantics(part: Any) -> bool:
    """Whether a part of a place is no key of the file, but what pydantic calls one of several kinds."""
    return isinstance(part, str) and ("[" in part or part == "StrategySpec")


def _explained(error: Any) -> tuple[str, str]:
    """The key path, and what must hold and was found."""
    *outer, last = error["loc"] or ("",)
    is_key = error["type"] == "extra_forbidden"  # whatever it looks like; elsewhere a `[` is in pydantic's own words
    place = [p for p in outer if not _is_pydantics(p)] + ([last] if is_key or not _is_pydantics(last) else [])
    key = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in place).lstrip(".")
    context = error.get("ctx", {})
    if "problem" in context:
        return f"{key}.{context['key']}".lstrip("."), context["problem"]
    if error["type"] == "extra_forbidden":
        model = _TABLES.get(str(place[0]), Experiment)
        return key, unknown("key", str(place[-1]), model.model_fields)
    if error["type"] == "missing":
        return key, "must be set; found nothing"
    found = error["input"]
    is_whole = error["type"] == "int_type" and isinstance(found, float) and found.is_integer() and abs(found) < 2**63
    remedy = f": write {int(found):_}" if is_whole else ""
    return key, f"{in_words(error['msg'])}; found {shown(found)}{remedy}"
