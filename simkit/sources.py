"""Reads what source files declare without running them, and runs those that were named."""

from __future__ import annotations

import ast
import hashlib
import importlib
import sys
import traceback
import types
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simkit.errors import UserError

REQUIRED = "required"
"""Stands for the default of a parameter that has none."""

_EMPTY: dict[str, Any] = {"dict": {}, "list": [], "tuple": ()}
_ROOTS = {"Strategy", "PerGame", "Random", "Mixture", "Epsilon", "Never"}


@dataclass(frozen=True)
class Listing:
    """What a listing says of a game or strategy, read from its source text.

    Attributes
    ----------
    source
        "library", a path, or "package NAME".
    parameters
        Strategies: name -> default.
    title, players
        Games.
    path, cls
        The file, and a strategy's class; no class if the file cannot be read.
    """

    name: str
    summary: str
    source: str
    parameters: dict[str, Any] = field(default_factory=dict)
    title: str = ""
    players: tuple[int, ...] = ()
    path: Path | None = None
    cls: str = ""


def game_listing(name: str, path: Path, source: str) -> Listing:
    """What a file says of its game in `GAME = Game(...)`."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError) as error:
        return Listing(name, f"(cannot be read: {error})", source, path=path)
    told: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.targets[0]) == "GAME":
            told = {keyword.arg: _literal(keyword.value) for keyword in node.value.keywords if keyword.arg}
    players = told.get("players")
    return Listing(
        name,
        str(told.get("summary", "")),
        source,
        title=str(told.get("title", name)),
        players=players if isinstance(players, tuple) else (),
        path=path,
    )


def strategy_listings(files: Iterable[Path], source: str = "") -> list[Listing]:
    """The strategies in files that may import each other, and files that cannot be read; no source: the file's path."""
    from simkit.strategy import kebab  # numpy, which listings of games do without

    classes: dict[tuple[Path, str], ast.ClassDef] = {}
    listed = []
    for path in files:
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError) as error:
            listed.append(Listing(kebab(path.stem), f"(cannot be read: {error})", source or str(path), path=path))
            continue
        classes |= {(path, node.name): node for node in tree.body if isinstance(node, ast.ClassDef)}
    for path, name in classes:
        lineage = _lineage(path, name, classes)
        if lineage and not name.startswith("_"):
            summary = (ast.get_docstring(lineage[-1]) or "").partition("\n")[0]
            parameters = {key: value for node in lineage for key, value in _annotated(node).items()}
            listed.append(Listing(kebab(name), summary, source or str(path), parameters, path=path, cls=name))
    return listed


def _lineage(
    path: Path, name: str, classes: dict[tuple[Path, str], ast.ClassDef], below: tuple[str, ...] = ()
) -> list[ast.ClassDef]:
    """A class and those that it derives from, the oldest first; none if it is no strategy."""
    same_name = [place for place in classes if place[1] == name]
    if name in below or not same_name:
        return []
    path = path if (path, name) in classes else same_name[0][0]
    node = classes[path, name]
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    older = [ancestor for base in bases for ancestor in _lineage(path, base, classes, (*below, name))]
    return [*older, node] if older or _ROOTS & set(bases) else []


def _annotated(node: ast.ClassDef) -> dict[str, Any]:
    """The parameters that a class's body declares."""
    return {
        line.target.id: _literal(line.value) if line.value else REQUIRED
        for line in node.body
        if isinstance(line, ast.AnnAssign)
        and isinstance(line.target, ast.Name)
        and not line.target.id.startswith("_")
        and "ClassVar" not in ast.unparse(line.annotation)
        and "Callable" not in ast.unparse(line.annotation)
    }


def _literal(node: ast.expr) -> Any:
    """A constant's value, or the expression's text."""
    if isinstance(node, ast.Call) and node.keywords and ast.unparse(node.func).rpartition(".")[2] == "field":
        node = node.keywords[0].value  # a dataclass field's default, or what makes it
    if isinstance(node, ast.Name) and node.id in _EMPTY:
        return _EMPTY[node.id]
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)


def with_imports(path: Path, seen: set[Path] | None = None) -> set[Path]:
    """A file and the local files that it imports (`from .other import ...`), theirs included."""
    seen = set() if seen is None else seen
    seen.add(path)
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return seen
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            module = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for place in (module, *(module / alias.name for alias in node.names)):
                for file in (place.with_name(place.name + ".py"), place / "__init__.py"):
                    if file.is_file() and file not in seen:
                        with_imports(file, seen)
    return seen


def imported(path: Path) -> types.ModuleType:
    """Run a file as a module of a package of its own, so that `from .other import ...` works.

    The package is named by the files' contents: a file that has changed is another module, and a long-lived process
    never plays what it read before.
    """
    is_package = path.name == "__init__.py"
    root, stem = (path.parent.parent, path.parent.name) if is_package else (path.parent, path.stem)
    watched = with_imports(path) | (set(path.parent.glob("*.toml")) if is_package else set())
    package = _package(root, sorted(watched))
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # a .pyc's time stamp is too coarse to notice an edit
    try:
        return importlib.import_module(f"{package}.{stem}")
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        line = f", line {frame.lineno}" if frame.filename == str(path) else ""
        raise UserError(f"{path}{line}: must run when imported; found {type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = kept


def _package(root: Path, files: list[Path]) -> str:
    """The name of a package whose modules are the folder's files."""
    mark = hashlib.sha256(str(root).encode())
    for file in files:
        mark.update(str(file).encode() + hashlib.sha256(file.read_bytes()).digest())
    name = f"simkit_local_{mark.hexdigest()[:16]}"
    if name not in sys.modules:
        package = types.ModuleType(name)
        package.__path__ = [str(root)]
        sys.modules[name] = package
    return name
