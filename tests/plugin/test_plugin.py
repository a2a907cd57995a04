"""A package with a game, strategies and a report, built and installed: found, told apart, played, never run unasked."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import simkit

PACKAGE = Path(__file__).parent / "package"
SOURCE = "package pebble-box"
EXPERIMENT = """
game = "pebbles"
games = 2000
seed = 5
strategies = ["counting", "random"]
line_ups = "round-robin"
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the package as pip installs it."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(PACKAGE, folder / "source")
    isolation = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    words = ["-m", "pip", "install", "-q", "--no-deps", *isolation, "--target", str(folder / "site")]
    done = subprocess.run([sys.executable, *words, str(folder / "source")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "site"


class Place:
    """A user's folder, the package being installed."""

    def __init__(self, installed: Path, folder: Path) -> None:
        self.folder, self.mark = folder, folder / "mark"
        root = Path(simkit.__file__).parent.parent
        paths = os.pathsep.join(map(str, (installed, root)))
        self.environment = os.environ | {"PYTHONPATH": paths, "PEBBLE_MARK": str(self.mark)}

    def simkit(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command's outcome, in a process of its own."""
        command = [sys.executable, "-m", "simkit", *words]
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def document(self, *words: str) -> Any:
        """What a command prints as JSON."""
        done = self.simkit(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def place(installed: Path, tmp_path: Path) -> Place:
    """A folder with an experiment."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "trial.toml").write_text(EXPERIMENT, encoding="utf-8")
    return Place(installed, tmp_path)


def test_listings_show_the_package_and_do_not_run_it(place: Place) -> None:
    games = {entry["id"]: entry for entry in place.document("games")}
    assert games["pebbles"]["source"] == SOURCE
    assert games["pebbles"]["players"] == [2]
    strategies = {(entry["game"], entry["name"]): entry["source"] for entry in place.document("strategies")}
    assert strategies["pebbles", "counting"] == strategies["tentacolor", "plugged"] == SOURCE
    assert ("tentacolor", "counting") not in strategies
    assert strategies["pebbles", "random"] == "library"
    assert not place.mark.exists()


def test_its_game_is_played_by_its_strategies_and_shown_by_its_report(place: Place) -> None:
    done = place.simkit("run", "trial", "--jobs", "1", "--report")
    assert done.returncode == 0, done.stderr
    assert f"game pebbles: {SOURCE}" in done.stdout
    assert f"strategy counting: {SOURCE}" in done.stdout
    run = place.folder / "runs" / "trial"
    assert "Pebbles, from a package" in (run / "report" / "report.html").read_text(encoding="utf-8")
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["sources"] == {"game pebbles": SOURCE, "strategy counting": SOURCE}
    assert {Path(name).name for name in manifest["source_texts"]} >= {"game.py", "counting.py", "box.py"}
    assert place.mark.exists()  # the mark is made where code is run: without it the test of listings would be void


def test_who_counts_wins(place: Place) -> None:
    """Whoever meets a heap that is no multiple of four wins it: seat 0 in 8 of the ten heaps, 10 to 19."""
    assert place.simkit("run", "trial", "--jobs", "1").returncode == 0
    run = place.folder / "runs" / "trial"
    cells = json.loads((run / "manifest.json").read_text(encoding="utf-8"))["cells"]
    games = pd.read_parquet(run / "games")
    shares = {
        entry["labels"][0]: float((games.winners[games.cell == cell] == 1).mean())
        for cell, entry in cells.items()
        if len(set(entry["labels"])) == 1
    }
    bound = 4.5 * (0.8 * 0.2 / 2000) ** 0.5
    assert abs(shares["counting"] - 0.8) < bound
    assert abs(shares["random"] - 0.8) > bound


def test_its_strategy_plays_the_librarys_game(place: Place) -> None:
    words = ("--set", 'strategies=["plugged"]', "--games", "100", "--jobs", "1")
    text = EXPERIMENT.replace("pebbles", "tentacolor")
    (place.folder / "experiments" / "other.toml").write_text(text, encoding="utf-8")
    done = place.simkit("run", "other", *words)
    assert done.returncode == 0, done.stderr
    assert f"strategy plugged: {SOURCE}" in done.stdout


def test_a_game_of_ones_own_of_the_same_name_is_refused(place: Place) -> None:
    (place.folder / "games").mkdir()
    (place.folder / "games" / "pebbles.py").write_text('raise SystemExit("ran")', encoding="utf-8")
    for words in (("run", "trial"), ("plan", "trial"), ("games", "pebbles")):
        done = place.simkit(*words)
        assert done.returncode == 2
        assert "game `pebbles` must be one; found 2" in done.stderr
        assert SOURCE in done.stderr
        assert "games/pebbles.py" in done.stderr
    assert not place.mark.exists()


def test_a_strategy_of_ones_own_of_the_same_name_is_refused_unless_by_its_path(place: Place) -> None:
    own = place.folder / "strategies" / "pebbles" / "own.py"
    own.parent.mkdir(parents=True)
    own.write_text('from simkit.strategy import Strategy\nclass Counting(Strategy):\n    "Mine."\n', encoding="utf-8")
    done = place.simkit("run", "trial", "--jobs", "1")
    assert done.returncode == 2
    assert "`counting` must be one; found 2" in done.stderr
    assert "name it by its path" in done.stderr
    named = 'strategies=["../strategies/pebbles/own.py:counting"]'
    done = place.simkit("run", "trial", "--jobs", "1", "--set", named)
    assert done.returncode == 0, done.stderr
    assert "own.py" in done.stdout


def test_a_report_of_ones_own_beside_the_packages_is_refused(place: Place) -> None:
    (place.folder / "reports").mkdir()
    (place.folder / "reports" / "pebbles.py").write_text("REPORT = 1", encoding="utf-8")
    done = place.simkit("run", "trial", "--jobs", "1", "--report")
    assert done.returncode == 2
    assert "report `pebbles` must be one; found 2" in done.stderr
