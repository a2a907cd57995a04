"""A folder to make mistakes in, and runs to make them with."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .mistake import EXPERIMENT, call

TOY = Path(__file__).parent.parent / "toy"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an experiment, as the current one."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "trial.toml").write_text(EXPERIMENT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("simkit.cli.progress.PATIENCE", 60)  # a busy machine may make short work long
    return tmp_path


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with runs: one cell (trial), three players (other), two sharks or four (swept), another game (toy)."""
    folder = tmp_path_factory.mktemp("played")
    shutil.copytree(TOY / "games", folder / "games", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "experiments").mkdir()
    (folder / "experiments" / "trial.toml").write_text(EXPERIMENT)
    changes = {
        "trial": (),
        "other": ("players=3",),
        "swept": ("sweep={'rules.sharks'=[2,4]}",),
        "toy": ("game=beacon",),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, values in changes.items():
            words = [word for value in (f"name={name}", *values) for word in ("--set", value)]
            outcome = call("run", "experiments/trial.toml", "--jobs", "1", "--quiet", *words)
            assert outcome.exit_code == 0, outcome.output
    return folder


@pytest.fixture
def runs(here: Path, played: Path) -> Path:
    """The folder with copies of the runs, and with the game of the last."""
    shutil.copytree(played / "runs", here / "runs")
    shutil.copytree(played / "games", here / "games", ignore=shutil.ignore_patterns("__pycache__"))
    return here
