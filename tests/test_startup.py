"""What the command line and `import simkit` load: nothing that takes a tenth of a second and is not asked for.

Times are measured where the machine is quiet (docs/performance.md); here it is listed what is loaded, which decides.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"pandas", "scipy", "matplotlib", "joblib", "pyarrow", "statsmodels", "jinja2", "numpy", "pydantic"}
TYPERS = {"pydantic"}
"""Typer loads it as soon as a command has a parameter."""
RUN = "import sys; sys.argv[0] = 'simkit'; from simkit.cli import main; main()"


def loaded_by(code: str, *words: str) -> set[str]:
    """Top-level packages that a fresh Python has loaded when the code is through."""
    told = f"import atexit, sys; atexit.register(lambda: print('LOADED', *sys.modules, file=sys.stderr)); {code}"
    done = subprocess.run([sys.executable, "-c", told, *words], capture_output=True, text=True, check=True)
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("LOADED"))
    return {name.partition(".")[0] for name in line.split()[1:]}


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_loads_nothing_heavy(word: str) -> None:
    loaded = loaded_by(RUN, word)
    assert "typer" in loaded
    assert not loaded & HEAVY


def test_help_of_a_command_loads_nothing_heavy() -> None:
    assert not loaded_by(RUN, "run", "--help") & (HEAVY - TYPERS)


def test_version_does_without_what_draws_help() -> None:
    assert "rich" not in loaded_by(RUN, "--version")


def test_the_list_of_games_is_read_from_source_text() -> None:
    assert not loaded_by(RUN, "games") & (HEAVY - TYPERS)


def test_the_list_of_strategies_needs_no_tables() -> None:
    assert not loaded_by(RUN, "strategies") & (HEAVY - TYPERS - {"numpy"})


def test_play_without_looks_needs_no_intervals(tmp_path: Path) -> None:
    """They take a second to load."""
    experiment = tmp_path / "trial.toml"
    experiment.write_text('game = "tentacolor"\nplayers = 2\ngames = 20\nseed = 1\nstrategies = ["random"]\n')
    words = ("run", str(experiment), "--runs", str(tmp_path), "--jobs", "1", "--games")
    assert not loaded_by(RUN, *words, "20") & {"scipy", "statsmodels", "matplotlib", "pandas"}
    assert "scipy" in loaded_by(RUN, *words, "21", "--set", "stop.precision=0.4")


def test_importing_simkit_loads_nothing_heavy() -> None:
    loaded = loaded_by("import simkit; simkit.__version__; dir(simkit)")
    assert not loaded & (HEAVY | {"typer", "rich"})


def test_what_is_loaded_is_seen() -> None:
    """Negative control: what describes a game needs numpy and pydantic, and a run's tables need pyarrow."""
    assert {"numpy", "pydantic"} <= loaded_by(RUN, "games", "tentacolor")
    assert {"numpy", "pyarrow"} <= loaded_by("import simkit; simkit.Run")
