"""The walls of docs/design.md: which part may import which, and where games may be named."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import simkit

ROOT = Path(simkit.__file__).parent
ENGINE = {
    "tape",
    "deck",
    "history",
    "state",
    "components",
    "view",
    "strategy",
    "results",
    "table",
    "batch",
    "game",
    "exact",
    "trace",
}
OUTSIDE = {"pandas", "matplotlib", "pyarrow", "joblib", "typer", "jinja2", "rich", "scipy", "statsmodels"}


def imported(path: Path) -> set[str]:
    """Modules that a file imports: `numpy`, `simkit.tape` ..., imports inside functions included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names |= {f"{module}.{alias.name}" for alias in node.names} if module == "simkit" else {module}
    return names


def parts(path: Path) -> set[str]:
    """The parts of simkit that a file imports: `tape`, `stats` ..."""
    return {name.split(".")[1] for name in imported(path) if name.startswith("simkit.")}


def outside(path: Path) -> set[str]:
    """The libraries, of those with a place of their own, that a file imports."""
    return {name.split(".")[0] for name in imported(path)} & OUTSIDE


def files(pattern: str) -> list[Path]:
    """Source files below simkit/."""
    found = sorted(ROOT.glob(pattern))
    assert found
    return found


@pytest.mark.parametrize("path", [ROOT / f"{name}.py" for name in sorted(ENGINE)], ids=lambda p: p.stem)
def test_the_engine_stands_alone(path: Path) -> None:
    assert parts(path) <= ENGINE | {"errors"}
    assert not outside(path)


@pytest.mark.parametrize("path", files("games/*/**/*.py"), ids=lambda p: f"{p.parent.name}/{p.name}")
def test_a_game_knows_the_engine_only(path: Path) -> None:
    assert parts(path) <= (ENGINE - {"batch"}) | {"games", "errors"}
    assert not outside(path)


def test_probes_stand_on_the_engine_and_on_what_finds_names() -> None:
    """A check needs no run, no report, and none of the libraries that these need."""
    for path in files("probe/*.py"):
        found = parts(path)
        assert found <= ENGINE | {"probe", "catalog", "experiment", "planning", "sources", "names", "errors"}, path
        assert not outside(path), path


@pytest.mark.parametrize("folder", ["stats", "figures"])
def test_statistics_and_figures_know_nothing_of_the_rest(folder: str) -> None:
    for path in files(f"{folder}/**/*.py"):
        assert parts(path) <= {folder}, path
        assert "matplotlib" not in outside(path) or folder == "figures", path


def test_matplotlib_is_for_figures_only() -> None:
    for path in files("**/*.py"):
        assert "matplotlib" not in outside(path) or path.parent.name == "figures", path


def test_no_game_is_named_outside_its_own_folder() -> None:
    games = [folder.name for folder in (ROOT / "games").iterdir() if (folder / "__init__.py").exists()]
    assert games
    for path in files("**/*.py"):
        if "games" not in path.relative_to(ROOT).parts[:-1]:
            text = path.read_text(encoding="utf-8").lower()
            assert not [game for game in games if game in text or game.replace("_", "-") in text], path


def test_a_breach_is_seen(tmp_path: Path) -> None:
    """Negative control."""
    breach = tmp_path / "breach.py"
    breach.write_text(
        "def f():\n    import pandas as pd\n    from simkit import store\n    from simkit.runner import run\n"
    )
    assert parts(breach) == {"store", "runner"}
    assert outside(breach) == {"pandas"}


def test_planning_knows_nothing_of_runs() -> None:
    """What to play is said before anything is played, and without the libraries that keep it."""
    for path in files("planning/*.py"):
        if path.stem != "pilot":  # which plays a little
            assert not parts(path) & {"running", "runner", "store", "report", "replaying", "cli"}, path
            assert not outside(path) - {"scipy"}, path
