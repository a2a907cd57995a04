"""Finds games, strategies, reports and experiments by name.

There are three places to look: the library that comes with simkit, the user's own folder (`games/`, `strategies/`,
`reports/`), and installed packages with entry points `simkit.games`, `simkit.strategies`, `simkit.reports`. Listings
read source text and run none of it; code is run only when something names it.
"""

from __future__ import annotations

import importlib
import tomllib
import types
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from simkit.errors import UserError, foreign_place, raised
from simkit.names import canonical as spelled
from simkit.names import printable, shown, unknown
from simkit.planning.values import fits
from simkit.sources import Listing, game_listing, imported, module_file, problem_of, strategy_listings, with_imports

if TYPE_CHECKING:  # listings need neither numpy nor pydantic, and are shown a third sooner without
    from simkit.experiment import StrategySpec
    from simkit.game import Game
    from simkit.strategy import Strategy

LIBRARY = "library"
_GAMES = Path(__file__).resolve().with_name("games")
_BUILT_IN = {"random": "Random", "mixture": "Mixture", "epsilon": "Epsilon", "never": "Never"}
_BUILT_IN_FILE = Path(__file__).resolve().with_name("strategy.py")

IN_SESSION: dict[str, type[Strategy] | Strategy] = {}
"""Strategies that this Python session defines, by the names that `simkit.session` gives them in specs."""


@dataclass(frozen=True)
class Place:
    """A file or folder, and whose it is: "library", "package NAME", or nothing for the user's own."""

    path: Path
    source: str = ""


def canonical(name: str) -> str:
    """A game's id from any spelling of its name, aliases included.

    >>> canonical("My_Game")
    'my-game'
    """
    name = spelled(name)
    aliases = tomllib.loads((_GAMES / "aliases.toml").read_text(encoding="utf-8"))
    return str(aliases.get(name, name))


def library(kind: str) -> Path:
    """The library's `strategies`, `experiments` or `reports`: in an installed package, else a checkout's folder."""
    inside = Path(__file__).resolve().parent / "library" / kind
    return inside if inside.is_dir() else Path(__file__).resolve().parent.parent / kind


def find_experiment(name: str | Path) -> Path:
    """The file of that path, or else the experiment of that name: the user's (in `experiments/`) or the library's.

    Raises
    ------
    UserError
        If there is neither, or a bare name is that of two.
    """
    path = Path(name)
    with suppress(OSError):  # a name too long for a file
        if path.exists():
            return path
    shipped = {file.stem: file for file in library("experiments").glob("*.toml")}
    own = {file.stem: file for file in Path("experiments").glob("*.toml")}
    stem = path.name.removesuffix(".toml")
    found = [known[stem] for known in (own, shipped) if stem in known]
    if not found or path.parent not in (Path(), Path("experiments")):
        problem = unknown("experiment", str(name), own | shipped)
        raise UserError(f"an experiment must be a file, or one of experiments/ or of simkit's by name; {problem}")
    if path.parent == Path() and len(found) > 1 and not found[0].samefile(found[1]):
        raise UserError(_not_one("experiment", stem, [printable(str(file)) for file in found], []))
    return found[0]


def list_games(base: Path | None = None) -> list[Listing]:
    """All games that can be found, by name; nothing is imported."""
    listed = [game_listing(name, place.path, place.source) for name, place in _games(base)]
    return sorted(listed, key=lambda listing: listing.name)


def find_game(name: str, base: Path | None = None) -> Game:
    """The game of that name; its code is run.

    Raises
    ------
    UserError
        If there is no such game (the nearest known one is named), or two.
    """
    wanted, known = canonical(name), list(_games(base))
    found = [place for game, place in known if game == wanted]
    if len(found) != 1:
        raise UserError(_not_one("game", name, [place.source for place in found], [game for game, _ in known]))
    from simkit.game import Game

    path = found[0].path
    is_shipped = path.is_relative_to(_GAMES)
    if not path.is_file():
        raise UserError(f"game `{wanted}` must be in a file; found no module {path} ({found[0].source}): reinstall it")
    module = importlib.import_module(f"simkit.games.{path.parent.name}") if is_shipped else imported(path)
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game) or game.id != wanted:
        found_id = f"id `{game.id}`" if isinstance(game, Game) else shown(game)
        raise UserError(f"{path}: must set GAME to a simkit.game.Game whose id is `{wanted}`; found {found_id}")
    if not is_shipped:
        _check_rules(game, path)
    return game


def _check_rules(game: Game, path: Path) -> None:
    """Refuse a game whose rules do not take its own components."""
    from simkit.planning.settings import RulesError, made_rules

    try:
        made_rules(game, {})
    except RulesError as refused:
        key = f"`{refused.name}` " if refused.name else ""
        raise UserError(f"{path}: the rules must take the components' values; {key}{refused.problem}") from None


def game_source(name: str, base: Path | None = None) -> Place:
    """The file of a game, and whose it is."""
    known = dict(_games(base))
    if canonical(name) not in known:
        raise UserError(unknown("game", name, known))
    return known[canonical(name)]


def _games(base: Path | None) -> Iterator[tuple[str, Place]]:
    """Every game's name and file."""
    for place in _places("games", base, _GAMES):
        for path in sorted([*place.path.glob("*/__init__.py"), *place.path.glob("[!_]*.py")]):
            stem = path.parent.name if path.name == "__init__.py" else path.stem
            yield spelled(stem), Place(path, place.source or str(path))
    for point in _installed("simkit.games"):
        yield from ((canonical(point.name), place) for place in _packaged(point))


def list_strategies(game_id: str, base: Path | None = None) -> list[Listing]:
    """The strategies for a game and those that every game has, by name; nothing is imported."""
    listed = [entry for entry in strategy_listings([_BUILT_IN_FILE], LIBRARY) if entry.name in _BUILT_IN]
    for place in _strategy_places(game_id, base):
        files = [place.path] if place.path.suffix == ".py" else sorted(place.path.glob("*.py"))
        related = sorted(with_imports(place.path)) if place.path.suffix == ".py" else files
        listed += [entry for entry in strategy_listings(related, place.source) if entry.path in files]
    return sorted(listed, key=lambda entry: entry.name)


def listed_in(file: Path) -> list[Listing]:
    """The strategies in one file."""
    if not file.is_file():
        problem = f"found no {printable(str(file))}"
        if file.exists():
            problem = f"{printable(str(file))} is {'a folder' if file.is_dir() else 'a device or a pipe'}"
        raise UserError(f"strategies must be in a file; {problem}")
    found = [entry for entry in strategy_listings(with_imports(file)) if entry.path == file]
    for entry in found:
        if not entry.cls:
            raise UserError(f"{printable(str(file))}: must be Python that can be read; found {problem_of(entry)}")
    return found


def file_and_name(name: str) -> tuple[str, str]:
    """A strategy's file and its name in there, either of which may be left out.

    >>> file_and_name("mine.py:bold"), file_and_name("mine.py"), file_and_name("bold")
    (('mine.py', 'bold'), ('mine.py', ''), ('', 'bold'))
    """
    if name.endswith(".py"):
        return name, ""
    file, _, short = name.rpartition(":")
    return file, short


def find_strategy(spec: StrategySpec, game_id: str, base: Path | None = None) -> Listing:
    """Where a strategy is; nothing is imported.

    Raises
    ------
    UserError
        If there is no strategy of that name (the nearest known one is named), or two.
    """
    if spec.name in IN_SESSION:
        return Listing(spec.name, "", "this Python session")
    file, name = file_and_name(spec.name)
    known = listed_in(((base or Path()) / file).resolve()) if file else list_strategies(game_id, base)
    found = [entry for entry in known if not name or name == entry.cls or spelled(name) == entry.name]
    if len(found) != 1:
        raise UserError(_not_one("strategy", name or file, [str(e.path) for e in found], [e.name for e in known]))
    if not found[0].cls:
        raise UserError(f"{found[0].path}: must be Python that can be read; found {problem_of(found[0])}")
    return found[0]


Known: TypeAlias = "dict[str, tuple[Listing, type[Strategy] | None]]"
"""Strategies that were found before, by the name that a spec gives; no class for those that every game has."""


def load_strategy(spec: StrategySpec, game_id: str, base: Path | None = None, known: Known | None = None) -> Strategy:
    """Make the strategy that a spec describes; its code is run.

    Parameters
    ----------
    known
        Filled and used when many are made of the same names: each is then looked up once.

    Raises
    ------
    UserError
        If there is no such strategy, or its parameters are not what it takes.
    """
    if spec.name in IN_SESSION:
        return _from_session(spec)
    known = {} if known is None else known
    if spec.name not in known:
        known[spec.name] = _found(find_strategy(spec, game_id, base))
    listing, cls = known[spec.name]
    if cls is None:
        return _wrapper(listing.name, spec, tuple(load_strategy(inner, game_id, base, known) for inner in spec.of))
    if spec.of:
        raise UserError(f"strategy `{spec.name}`: only mixture, epsilon and never take `of`; leave it out")
    return _made(cls, spec, spec.parameters)


def _found(listing: Listing) -> tuple[Listing, type[Strategy] | None]:
    """A listing and its class, which is imported."""
    path = listing.path or Path()
    if path == _BUILT_IN_FILE:
        return listing, None
    from simkit.strategy import Strategy

    cls = getattr(imported(path), listing.cls, None)
    if not isinstance(cls, type) or not issubclass(cls, Strategy):
        found = {type: "a class of another kind", type(None): "no such name"}.get(type(cls), shown(cls))
        raise UserError(f"{path}: `{listing.cls}` must be a class derived from simkit.strategy.Strategy; found {found}")
    if cls.ties not in ("first", "coin"):
        raise UserError(f'{path}: `{listing.cls}.ties` must be "first" or "coin"; found {shown(cls.ties)}')
    return listing, cls


def strategy_sources(spec: StrategySpec, game_id: str, base: Path | None = None) -> list[Path]:
    """The file that holds a strategy's class and the local files that it imports, those of wrapped strategies too."""
    path = find_strategy(spec, game_id, base).path
    found = set() if path is None else with_imports(path)
    for wrapped in spec.of:
        found |= set(strategy_sources(wrapped, game_id, base))
    return sorted(found)


def _from_session(spec: StrategySpec) -> Strategy:
    """A strategy that this session defines: made of a class, or the instance itself."""
    held = IN_SESSION[spec.name]
    if spec.of or (spec.parameters and not isinstance(held, type)):
        problem = "takes no `of`, and no parameters where it is an instance: give its class, or leave them out"
        raise UserError(f"strategy `{spec.name}` {problem}")
    return _made(held, spec, spec.parameters) if isinstance(held, type) else held


def _wrapper(name: str, spec: StrategySpec, inner: tuple[Strategy, ...]) -> Strategy:
    """One of the strategies that every game has."""
    least, most = {"random": (0, 0), "mixture": (1, 1000)}.get(name, (1, 1))
    if not least <= len(inner) <= most:
        wanted = {"random": "left out", "mixture": "a list of strategies"}.get(name, "one strategy")
        raise UserError(f"strategy `{spec.name}`: `of` must be {wanted}; found {len(inner)} strategies")
    parameters = spec.parameters
    _require(spec, "weights", parameters.get("weights", []), (1.0,))
    for decision, options in _require(spec, "options", parameters.get("options", {}), {}).items():
        _require(spec, f"options.{decision}", options, ("",))
    cls: type[Strategy] = getattr(importlib.import_module("simkit.strategy"), _BUILT_IN[name])
    return _made(cls, spec, parameters, {"of": inner if name == "mixture" else inner[0]} if inner else {})


def _made(
    cls: type[Strategy], spec: StrategySpec, parameters: dict[str, Any], inner: dict[str, Any] | None = None
) -> Strategy:
    """An instance, its parameters checked against the class's fields."""
    given = dict(inner or {})
    declared: dict[str, Field[Any]] = {}
    if is_dataclass(cls):
        declared = {f.name: f for f in fields(cls) if f.init and f.name != "mask"}
    for name, value in parameters.items():
        if name not in declared:
            raise UserError(f"strategy `{spec.name}`: {unknown('parameter', name, set(declared) - {'of'})}")
        kind = _kind(declared[name])
        _require(spec, name, value, kind)
        given[name] = float(value) if isinstance(kind, float) else value
    missing = [f.name for f in declared.values() if f.default is f.default_factory is MISSING and f.name not in given]
    if missing:
        raise UserError(f"strategy `{spec.name}`: `{missing[0]}` must be set; found nothing")
    try:
        return cls(**given)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        told = str(error) if isinstance(error, ValueError | TypeError) else raised(error)
        place = foreign_place(error)
        raise UserError(
            f"strategy `{spec.name}` refuses its parameters: {told}" + (f" ({place})" if place else "")
        ) from error


def _kind(declared: Field[Any]) -> Any:
    """A value of the kind that a parameter takes."""
    annotated = {"int": 0, "float": 0.0, "bool": False, "str": ""}
    name = declared.type if isinstance(declared.type, str) else getattr(declared.type, "__name__", "")
    if name in annotated:
        return annotated[name]
    if declared.default_factory is not MISSING:
        return declared.default_factory()
    return None if declared.default is MISSING else declared.default


def _require(spec: StrategySpec, name: str, value: Any, kind: Any) -> Any:
    """The value, if it is of the kind wanted."""
    wanted = fits(value, kind)
    if wanted:
        raise UserError(f"strategy `{spec.name}`: `{name}` must be {wanted}; found {shown(value)}")
    return value


def _strategy_places(game_id: str, base: Path | None) -> Iterator[Place]:
    """The folders with a game's strategies, and single files of installed packages."""
    stem = game_id.replace("-", "_")
    for place in _places("strategies", base, library("strategies")):
        yield Place(place.path / stem, place.source)
    for point in _installed("simkit.strategies"):
        if canonical(point.name) == game_id:
            for place in _packaged(point):
                is_folder = place.path.name == "__init__.py"
                yield Place(place.path.parent, place.source) if is_folder else place


def find_report(game_id: str, base: Path | None = None) -> types.ModuleType | None:
    """The report definition of a game, or None; its code is run."""
    stem = game_id.replace("-", "_")
    found = [place.path / f"{stem}.py" for place in _places("reports", base, library("reports"))]
    for point in _installed("simkit.reports"):
        if canonical(point.name) == game_id:
            found += [place.path for place in _packaged(point)]
    found = [path for path in found if path.is_file()]
    if len(found) > 1:
        raise UserError(_not_one("report", game_id, [str(path) for path in found], []))
    return imported(found[0]) if found else None


@lru_cache
def _installed(group: str) -> tuple[EntryPoint, ...]:
    """What installed packages bring; looked up once, since it reads every package's metadata."""
    return tuple(entry_points(group=group))


def _places(kind: str, base: Path | None, shipped: Path) -> list[Place]:
    """The library's folder and the user's, unless they are the same."""
    places = [Place(shipped, LIBRARY)]
    own = (base or Path()).resolve() / kind
    if own.is_dir() and own != shipped:
        places.append(Place(own))
    return places


def _packaged(point: EntryPoint) -> Iterator[Place]:
    """The file that an installed package's entry point names; if there is none, the module's name as a path."""
    file = module_file(point.module) or Path(point.module)
    yield Place(file, f"package {point.dist.name if point.dist else point.value}")


def _not_one(kind: str, name: str, sources: list[str], known: list[str]) -> str:
    """What to say when a name is not that of exactly one thing."""
    if not sources:
        return unknown(kind, name, known)
    remedy = "rename one" + (", or name it by its path" if kind in ("strategy", "experiment") else "")
    return f"{kind} `{printable(name)}` must be one; found {len(sources)}: {', '.join(sources)}; {remedy}"
