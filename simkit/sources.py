"""Reads what source files declare without running them, and runs those that were named."""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import sys
import traceback
import types
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from simkit.errors import LOCAL, UserError, raised

REQUIRED = "required"
"""Stands for the default of a parameter that has none."""

_EMPTY: dict[str, Any] = {"dict": {}, "list": [], "tuple": ()}
_SIMKIT = Path(__file__).resolve().parent
_BROKEN = "(cannot be read: "
_UNREADABLE = (OSError, SyntaxError, ValueError, RecursionError, MemoryError)
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


@lru_cache(maxsize=256)
def _parsed(source: bytes) -> ast.Module:
    """A file's syntax tree; every cell of a run looks at the same few files, which may be edited meanwhile."""
    return ast.parse(source)


@lru_cache(maxsize=256)
def _imports(source: bytes) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """A file's import statements."""
    return tuple(node for node in ast.walk(_parsed(source)) if isinstance(node, ast.Import | ast.ImportFrom))


def game_listing(name: str, path: Path, source: str) -> Listing:
    """What a file says of its game in `GAME = Game(...)`."""
    try:
        tree = _parsed(_source(path))
    except _UNREADABLE as error:
        return Listing(name, _unreadable(path, error), source, path=path)
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
    listed, twice = [], set()
    for path in files:
        try:
            tree = _parsed(_source(path))
        except _UNREADABLE as error:
            listed.append(Listing(kebab(path.stem), _unreadable(path, error), source or str(path), path=path))
            continue
        for node in (node for node in tree.body if isinstance(node, ast.ClassDef)):
            twice |= {(path, node.name)} & classes.keys()
            classes[path, node.name] = node
    for path, name in classes:
        lineage = _lineage(path, name, classes)
        if lineage and not name.startswith("_"):
            summary = (ast.get_docstring(lineage[-1]) or "").partition("\n")[0]
            parameters = {key: value for node in lineage for key, value in _annotated(node).items()}
            listing = Listing(kebab(name), summary, source or str(path), parameters, path=path, cls=name)
            listed += [listing] * (2 if (path, name) in twice else 1)
    return listed


def _source(path: Path) -> bytes:
    """A file's content; devices and pipes, which may never end, are not read."""
    if path.exists() and not path.is_file():
        raise OSError("it is not a file")
    return path.read_bytes()


def _unreadable(path: Path, error: BaseException) -> str:
    """What a listing says of a file that cannot be read."""
    return f"{_BROKEN}{raised(error).replace('<unknown>', path.name)})"


def problem_of(listing: Listing) -> str:
    """Why a listing's file cannot be read; nothing if it can.

    >>> problem_of(Listing("mine", "(cannot be read: SyntaxError: invalid syntax)", "mine.py"))
    'SyntaxError: invalid syntax'
    """
    return "" if listing.cls else listing.summary.removeprefix(_BROKEN).removesuffix(")")


def is_base(cls: str) -> bool:
    """Whether a class's name is one that strategies are known by."""
    return cls in _ROOTS


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
    """A file and the local files that it imports, theirs included.

    Local are `from .other import ...` and, in a package of one's own, `from package.other import ...`.
    """
    seen = set() if seen is None else seen
    seen.add(path)
    try:
        imports = _imports(_source(path))
    except _UNREADABLE:
        return seen
    package = _top_package(path)
    for node in imports:
        for place in _places_imported(path, node, None if package == _SIMKIT else package):
            for file in (place.with_name(place.name + ".py"), place / "__init__.py"):
                if file.is_file() and file not in seen:
                    with_imports(file, seen)
    return seen


def _places_imported(path: Path, node: ast.Import | ast.ImportFrom, package: Path | None) -> list[Path]:
    """Where the modules that an import statement names would lie, if they are local."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif node.level:
        module = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
        return [module, *(module / alias.name for alias in node.names)]
    else:
        names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
    if package is None:
        return []
    return [package.parent.joinpath(*name.split(".")) for name in names if name.split(".")[0] == package.name]


def _top_package(path: Path) -> Path | None:
    """The outermost package that a file belongs to, by the `__init__.py` in each folder; None for a lone file."""
    folders = [folder for folder in path.parents if (folder / "__init__.py").is_file()]
    inner = [folder for folder, parent in zip(folders, path.parents, strict=False) if folder == parent]
    return inner[-1] if inner else None


def module_file(name: str) -> Path | None:
    """The file of an installed module, found without running the packages it lies in; None if there is none."""
    top, *rest = name.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None or not rest:
        return Path(spec.origin) if spec is not None and spec.origin is not None else None
    for root in spec.submodule_search_locations or ():
        place = Path(root, *rest)
        for file in (place / "__init__.py", place.with_name(place.name + ".py")):
            if file.is_file():
                return file
    return None


def imported(path: Path) -> types.ModuleType:
    """Run a file as a module of a package of its own, so that `from .other import ...` works.

    The package is named by the files' contents: a file that has changed is another module, and a long-lived process
    never plays what it read before.
    """
    is_package = path.name == "__init__.py"
    inner = path.parent if is_package else path.with_suffix("")
    root = (_top_package(path) or inner).parent
    above = {folder / "__init__.py" for folder in inner.parents if folder.is_relative_to(root) and folder != root}
    watched = with_imports(path) | above | set(path.parent.glob("*.toml" if is_package else f"{path.stem}.toml"))
    package = _package(root, sorted(watched))
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # a .pyc's time stamp is too coarse to notice an edit
    try:
        module = ".".join((package, *inner.relative_to(root).parts))
        for file in () if module in sys.modules else watched:
            _check_imports(file)
        return importlib.import_module(module)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        line = f", line {frame.lineno}" if frame.filename == str(path) else ""
        raise UserError(f"{path}{line}: must run when imported; found {raised(error)}") from error
    finally:
        sys.dont_write_bytecode = kept


def _check_imports(file: Path) -> None:
    """Refuse `import other` of a file beside it: whether that is found, and which one, depends on where simkit runs."""
    if file.suffix != ".py":
        return
    for node in _imports(file.read_bytes()):
        if isinstance(node, ast.ImportFrom) and node.level:
            continue
        named = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        for name in (name.partition(".")[0] for name in named):
            if (file.parent / f"{name}.py").is_file() and name not in sys.stdlib_module_names:
                how = f"must import a file beside it as in `from .{name} import ...`"
                raise UserError(f"{file}, line {node.lineno}: {how}; found an import of `{name}`")


def _package(root: Path, files: list[Path]) -> str:
    """The name of a package whose modules are the folder's files."""
    mark = hashlib.sha256(str(root).encode())
    for file in files:
        mark.update(str(file).encode() + hashlib.sha256(file.read_bytes()).digest())
    name = f"{LOCAL}{mark.hexdigest()[:16]}"
    if name not in sys.modules:
        package = types.ModuleType(name)
        package.__path__ = [str(root)]
        sys.modules[name] = package
    return name
