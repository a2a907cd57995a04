"""Writes the first version of a strategy, an experiment or a game: complete, playable, and meant to be changed.

The texts are in `simkit/templates/`. All files of one thing are written, or none; nothing is ever overwritten.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import json
import keyword
import os
import re
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from simkit import catalog
from simkit.errors import UserError
from simkit.game import Decision, Game
from simkit.names import DEVICES, canonical, printable, shown
from simkit.sources import REQUIRED, Listing, is_base
from simkit.view import View

MAX_NAME = 40
WIDTH = 120


def new_strategy(name: str, game: str, base: Path, out: Path | None = None) -> list[Path]:
    """Write a strategy with a method for each decision of a game.

    Parameters
    ----------
    name
        Of the strategy: letters, digits, - and _.
    game
        What it plays.
    base
        The user's folder.
    out
        The file; `strategies/<game>/<name>.py` if left out.

    Returns
    -------
    list of Path
        The file written.

    Raises
    ------
    UserError
        If the name cannot be used or is taken, or the file cannot be written.
    """
    name, played = checked_name("strategy", name), catalog.find_game(game, base)
    _refuse_taken("strategy", name, catalog.list_strategies(played.id, base))
    cls = name.title().replace("-", "")
    path = out or base / "strategies" / stem_of(played.id) / f"{stem_of(name)}.py"
    if path.suffix != ".py":
        raise UserError(f"a strategy must be in a file that ends in .py; found {printable(str(path))}")
    text = _rendered("strategy.py.jinja", cls=cls, **_told_of(played))
    if is_base(cls) or cls in _bound_names(text, cls):
        raise UserError(f"a strategy must have a name of its own; `{name}` is simkit's word: choose another")
    return _write_all({path: text})


def new_experiment(name: str, game: str, base: Path) -> list[Path]:
    """Write an experiment for a game, `experiments/<name>.toml`; its keys are explained.

    Parameters and errors are those of `new_strategy`.
    """
    name, played = checked_name("experiment", name), catalog.find_game(game, base)
    _refuse_experiment(name)
    return _write_all({base / "experiments" / f"{name}.toml": _experiment(name, played, base)})


def new_game(name: str, base: Path) -> list[Path]:
    """Write a small game to start from, with a strategy, a report and an experiment.

    Parameters and errors are those of `new_strategy`.
    """
    name = checked_name("game", name)
    if catalog.canonical(name) != name:
        raise UserError(f"a game must have a name of its own; `{name}` is another name of {catalog.canonical(name)}")
    _refuse_taken("game", name, catalog.list_games(base))
    _refuse_experiment(name)
    stem, context = stem_of(name), {"id": name, "title": _title(name), "cls": name.title().replace("-", "")}
    parts = ("__init__.py", "play.py", "components.toml", "rules.py", "state.py", "view.py", "trace.py")
    places = {f"games/{stem}/{part}": part for part in parts} | {
        f"strategies/{stem}/first.py": "first.py",
        f"reports/{stem}.py": "report.py",
        f"experiments/{name}.toml": "experiment.toml",
    }
    return _write_all({base / place: _rendered(f"game/{part}.jinja", **context) for place, part in places.items()})


# --------------------------------------------------------------------------------------------------------------- names


def checked_name(kind: str, name: str) -> str:
    """The name in kebab case, if it can be that of a file, a module and a class.

    >>> checked_name("strategy", "LongShot"), checked_name("game", "my_game2")
    ('long-shot', 'my-game2')
    """
    words = canonical(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name))
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*", words) or len(words) > MAX_NAME:
        raise UserError(
            f"{_article(kind)} {kind}'s name must be letters and digits, words joined by - or _ and each beginning "
            f"with a letter, {MAX_NAME} characters at most; found {shown(name)}"
        )
    if keyword.iskeyword(stem_of(words)) or keyword.issoftkeyword(words) or words in DEVICES:
        raise UserError(
            f"{_article(kind)} {kind}'s name must not be a word of Python's or a device; found {shown(name)}"
        )
    return words


def stem_of(name: str) -> str:
    """A name as files and folders spell it.

    >>> stem_of("my-game")
    'my_game'
    """
    return name.replace("-", "_")


def _title(name: str) -> str:
    """A name as titles spell it."""
    return name.replace("-", " ").title()


def _article(kind: str) -> str:
    """The word before a kind of thing."""
    return "an" if kind == "experiment" else "a"


def _refuse_taken(kind: str, name: str, known: Iterable[Listing]) -> None:
    """A name that exists twice could not be told apart."""
    for listing in known:
        if listing.name == name:
            where = "in simkit's library" if listing.source == catalog.LIBRARY else f"in {listing.source}"
            raise UserError(f"a {kind} must have a name of its own; found `{name}` {printable(where)}: choose another")


def _refuse_experiment(name: str) -> None:
    """The same for an experiment of the library."""
    if (catalog.library("experiments") / f"{name}.toml").exists():
        problem = f"found `{name}` in simkit's library: choose another"
        raise UserError(f"an experiment must have a name of its own; {problem}")


def _bound_names(text: str, cls: str) -> set[str]:
    """The names that a module imports or sets, its class aside; refuses what is not Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise UserError(f"decisions must be fit for methods; {cls} has line {error.lineno}: {error.text}") from None
    imported = {alias.asname or alias.name for node in ast.walk(tree) for alias in getattr(node, "names", ())}
    return imported | {"Scores"}


# --------------------------------------------------------------------------------------------------------------- texts


def _rendered(template: str, **context: Any) -> str:
    """A template's text, filled in."""
    environment = Environment(
        loader=PackageLoader("simkit", "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Python and TOML; what comes from a game is made harmless in `_line`
    )
    return environment.get_template(template).render(**context)


def _told_of(game: Game) -> dict[str, Any]:
    """What a strategy's file tells of its game: its view and its decisions."""
    is_library = game.view.__module__.startswith("simkit.games.")
    view = game.view if is_library else View  # a local game's modules have no name that could be imported
    names = {decision.name for decision in game.decisions}
    return {
        "title": _quoted(game.title),
        "view": view.__name__,
        "view_module": view.__module__,
        "told": _comments(_view_told(game.view), ""),
        "parameter": next(name for name in ("lean", "bias", "taste_for_first") if name not in names),
        "decisions": [_decision_told(game, decision) for decision in game.decisions],
    }


def _view_told(view: type[View]) -> list[str]:
    """What a game's view gives, in its own words."""
    lines = ["What a view tells besides legal, n, seat, seats, rules, turn, round and coin(bound):"]
    members = {name: value for cls in view.__mro__[-3::-1] for name, value in vars(cls).items()}
    for name, value in members.items():
        if not name.startswith("_"):
            call = "(...)" if callable(value) else ""
            lines.append(f"  {name}{call}: {_line(inspect.getdoc(value) or '').partition('.')[0]}".rstrip(": "))
    return [*lines, "", *(inspect.getdoc(view) or "").splitlines()]


def _decision_told(game: Game, decision: Decision) -> dict[str, Any]:
    """A decision: its meaning as a docstring, its options as comments."""
    rules = game.rules(**game.components.values_with({}))
    options = decision.options_for(rules, max(game.seats_for(players) for players in game.players))
    rows = ", ".join(f"{row} {_line(option)}" for row, option in enumerate(options))
    some = " (with fewer seats the first of these)" if callable(decision.options) else ""
    meaning = _quoted(decision.meaning).rstrip(".")
    left_out = "the first legal option is taken" if decision.default == "first" else f"`{decision.default}` answers"
    docstring = textwrap.wrap(f'"""{meaning[:1].upper()}{meaning[1:]}; left out, {left_out}."""', WIDTH - 8)
    if len(docstring) > 1:  # the closing quotes of several lines stand alone
        docstring = [*docstring[:-1], docstring[-1].removesuffix('"""'), '"""']
    return {
        "name": decision.name,
        "meaning": docstring,
        "options": _comments([f"rows of scores{some}: {rows}"], " " * 8),
    }


def _comments(lines: Iterable[str], indent: str) -> list[str]:
    """Lines as comments, folded."""
    folded: list[str] = []
    for line in lines:
        text = printable(line.replace("\t", " ").rstrip())
        depth = " " * (len(text) - len(text.lstrip()) + 2 * bool(text.lstrip()))
        folded += textwrap.wrap(text, WIDTH - 2 - len(indent), subsequent_indent=depth) or [""]
    return [f"# {line}".rstrip() for line in folded]


def _line(text: str) -> str:
    """A text on one line, without what a terminal or a file would obey."""
    return printable(" ".join(text.split()))


def _quoted(text: str) -> str:
    """A text as it may stand in a docstring."""
    return _line(text).replace("\\", "\\\\").replace('"', "'")


def _experiment(name: str, game: Game, base: Path) -> str:
    """An experiment's text."""
    strategies = _some_strategies(game, base)
    varied = {key: c for key, c in game.components.items() if c.alternatives and c.swept} or game.components
    rule, component = next(iter(varied.items()))
    return _rendered(
        "experiment.toml.jinja",
        name=name,
        title=_toml(_line(f"{game.title}: {_title(name).lower()}")),
        game=game.id,
        players=_toml(game.players),
        example=_example(strategies),
        strategies=_toml([listing.name for listing in strategies]),
        line_ups="round-robin" if len(strategies) > 1 else "mirror",
        cooperative=game.cooperative,
        rule=rule,
        value=_toml(next(iter(component.alternatives), component.value)),
        values=_toml([component.value, *component.alternatives]),
    )


def _some_strategies(game: Game, base: Path) -> list[Listing]:
    """Two strategies that need no parameters, the user's own first, and random play."""
    listed = [s for s in catalog.list_strategies(game.id, base) if s.cls and REQUIRED not in s.parameters.values()]
    names = [listing.name for listing in listed]
    once = [listing for listing in listed if names.count(listing.name) == 1 and listing.name != "random"]
    chosen = sorted(once, key=lambda listing: listing.source == catalog.LIBRARY)[:2]
    return [*chosen, *(listing for listing in listed if listing.name == "random")]


def _example(strategies: Iterable[Listing]) -> str:
    """A strategy with a parameter set, as TOML."""
    for listing in strategies:
        for parameter, value in listing.parameters.items():
            if isinstance(value, bool | int | float | str):
                return f'{{ name = "{listing.name}", {parameter} = {_toml(value)}, as = "other" }}'
    return '{ name = "epsilon", of = "random", p = 0.1, as = "other" }'


def _toml(value: Any) -> str:
    """A plain value as TOML spells it."""
    return json.dumps(value, ensure_ascii=False)


# --------------------------------------------------------------------------------------------------------------- files


def _write_all(texts: Mapping[Path, str]) -> list[Path]:
    """Write every file, or none if one of them exists or cannot be written."""
    for path in texts:
        if os.path.lexists(path):
            raise UserError(f"nothing is overwritten; found {printable(str(path))}: choose another name, or move it")
    made: list[Path] = []
    try:
        drafts = {path: _draft(path, text, made) for path, text in texts.items()}
        for path, draft in drafts.items():
            draft.rename(path)
            made.append(path)
    except OSError as error:
        _undo(made)
        problem = f"{printable(str(error))}: choose another"
        raise UserError(f"new files need a folder that can be written and has room; {problem}") from None
    except BaseException:
        _undo(made)
        raise
    return list(texts)


def _draft(path: Path, text: str, made: list[Path]) -> Path:
    """Write a file under another name, its folders as well."""
    for folder in reversed(path.parents):
        if not os.path.lexists(folder):
            folder.mkdir()
            made.append(folder)
    draft = path.with_name(f".{path.name}.new")
    made.append(draft)
    draft.write_text(text, encoding="utf-8", newline="\n")
    return draft


def _undo(made: list[Path]) -> None:
    """Remove files and folders, the newest first."""
    for path in reversed(made):
        with contextlib.suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink()
