"""What the word after `simkit check` names: an experiment, a game, or strategies and the game they are for."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simkit import catalog
from simkit.errors import UserError
from simkit.experiment import StrategySpec
from simkit.names import printable, unknown
from simkit.sources import Listing


@dataclass(frozen=True)
class Subject:
    """What is to be checked.

    Attributes
    ----------
    kind
        "experiment", "game" or "strategy".
    name
        The experiment's or game's name.
    game_id, base
        Where names are looked up; not for experiments.
    strategies
        The name to load each by, and its listing.
    """

    kind: str
    name: str
    game_id: str = ""
    base: Path = Path()
    strategies: tuple[tuple[str, Listing], ...] = ()


def find_subject(word: str, game: str | None, here: Path) -> Subject:
    """What a word names.

    Parameters
    ----------
    word
        An experiment's, a game's or a strategy's name, or a file.
    game
        The game, if it was said; then the word is a strategy.
    here
        The user's folder.

    Raises
    ------
    UserError
        If it names nothing, or more than one thing.
    """
    if game is None and (word.endswith(".toml") or (Path(word).is_file() and not word.endswith(".py"))):
        return Subject("experiment", word)
    file, name = catalog.file_and_name(word)
    if game is None and _is_game_path(Path(word)):
        return _game_at(Path(word))
    if file:
        return _strategies_in(here / file, name, game, here)
    if game is not None:
        return _strategy(word, [_known_game(game, here)], here)
    return _by_name(word, here)


def _is_game_path(path: Path) -> bool:
    """Whether a path is a game's: its folder, or a file that sets GAME."""
    if path.is_dir():
        return (path / "__init__.py").is_file()
    try:
        tree = ast.parse(path.read_bytes()) if path.suffix == ".py" and path.is_file() else ast.Module([], [])
    except (SyntaxError, ValueError):
        return path.resolve().parent.name == "games"
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return any(isinstance(target, ast.Name) and target.id == "GAME" for target in targets)


def _game_at(path: Path) -> Subject:
    """The game of a file or folder of the user's."""
    path = path.resolve()
    path = path.parent if path.name == "__init__.py" else path
    if path.parent.name != "games":
        raise UserError(f"a game must lie in a folder called `games`; found {printable(str(path))}; move it there")
    game_id = catalog.canonical(path.stem)
    return Subject("game", game_id, game_id, path.parent.parent)


def _known_game(name: str, here: Path) -> str:
    """The id of a game that there is."""
    known = {listing.name for listing in catalog.list_games(here)}
    if catalog.canonical(name) not in known:
        raise UserError(unknown("game", name, known))
    return catalog.canonical(name)


def _strategies_in(path: Path, name: str, game: str | None, here: Path) -> Subject:
    """One or all of the strategies in a file."""
    path = path.resolve()
    is_placed = path.parent.parent.name == "strategies"
    base = path.parent.parent.parent if is_placed else here
    held = catalog.listed_in(path)
    if not held:
        raise UserError(f"{printable(str(path))} must hold a class derived from simkit.strategy.Strategy; found none")
    listed = [entry for entry in held if not name or name == entry.cls or catalog.spelled(name) == entry.name]
    if not listed:
        raise UserError(unknown("strategy", name, [entry.name for entry in held]))
    found = game or (path.parent.name if is_placed else None)
    games = [_known_game(found, base)] if found else sorted({listing.name for listing in catalog.list_games(base)})
    return Subject("strategy", str(path), _only(games, path.name), base, tuple((f"{path}:{e.cls}", e) for e in listed))


def _only(games: Sequence[str], name: str) -> str:
    """The game, if there is no choice."""
    if len(games) != 1:
        many = ", ".join(games)
        raise UserError(f"strategy `{printable(name)}` must be for one game; found {many}; say which with `--game`")
    return games[0]


def _by_name(word: str, here: Path) -> Subject:
    """What a plain name stands for."""
    games = sorted({listing.name for listing in catalog.list_games(here)})
    shipped = {file.stem for file in catalog.library("experiments").glob("*.toml")}
    found = [f"an experiment (`simkit check {word}.toml`)"] if word in shipped else []
    found += ["a game (by its path, `games/...`)"] if catalog.canonical(word) in games else []
    having = [game for game in games if _listed(word, game, here)]
    found += [f"a strategy (`--game {having[0]}`)"] if having else []
    if len(found) > 1:
        raise UserError(f"`{printable(word)}` must name one thing; found {' and '.join(found)}; say which")
    own = {file.stem for file in (here / "experiments").glob("*.toml")}
    if word in shipped or (word in own and not found):  # of a game and its first experiment the game is meant
        return Subject("experiment", word)
    if catalog.canonical(word) in games:
        return Subject("game", catalog.canonical(word), catalog.canonical(word), here)
    return _strategy(word, having, here, games)


def _listed(word: str, game: str, here: Path) -> list[Listing]:
    """The strategies of that name for a game."""
    return [e for e in catalog.list_strategies(game, here) if word == e.cls or catalog.spelled(word) == e.name]


def _strategy(word: str, games: Sequence[str], here: Path, known: Sequence[str] = ()) -> Subject:
    """The strategy of that name."""
    if not games:
        names = {e.name for game in known for e in catalog.list_strategies(game, here)}
        raise UserError(unknown("experiment, game or strategy", word, names | set(known)))
    game = _only(games, word)
    entry = catalog.find_strategy(StrategySpec(name=word), game, here)
    return Subject("strategy", word, game, here, ((word, entry),))
