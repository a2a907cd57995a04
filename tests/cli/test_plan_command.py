"""`simkit plan`: what an experiment comes to, before anything is played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from simkit.batch import play
from simkit.catalog import find_game
from simkit.cli import app
from simkit.cli.options import planned
from simkit.planning import pilot
from simkit.strategy import Random

EXPERIMENT = """
game = "tentacolor"
players = [2, 3]
games = 100
seed = 4
strategies = ["random", { name = "epsilon", of = "random", as = "[bold]slip[/bold]" }]
line_ups = "round-robin"

[sweep]
"rules.sharks" = [4, 6]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an experiment, as the current one; pilots are short."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "trial.toml").write_text(EXPERIMENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pilot, "BUDGET", 0.01)
    monkeypatch.setattr("simkit.cli.progress.PATIENCE", 600)
    return tmp_path


def simkit(*words: str) -> Result:
    """A command's outcome."""
    return CliRunner().invoke(app, words)


def document(*words: str) -> dict[str, Any]:
    """The plan as JSON."""
    outcome = simkit("plan", *words, "--json")
    assert outcome.exit_code == 0, outcome.output
    told: dict[str, Any] = json.loads(outcome.stdout)
    return told


def files(folder: Path) -> set[str]:
    """Every file and folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_every_cell_is_told_and_nothing_is_kept(here: Path) -> None:
    """By hand: at two seats A-A, B-B, A-B; at three A-A-A, B-B-B, A-B-B, A-A-B; each with two numbers of sharks."""
    before = files(here)
    told = document("experiments/trial.toml")
    assert files(here) == before
    cells = told["cells"]
    assert len(cells) == 2 * (3 + 4)
    assert sorted(cell["rotations"] for cell in cells if cell["players"] == 2) == [1] * 4 + [2] * 2
    assert sorted(cell["rotations"] for cell in cells if cell["players"] == 3) == [1] * 4 + [3] * 4
    assert {cell["deals"] for cell in cells if cell["rotations"] == 3} == {34}
    assert told["games"] == told["games_to_play"] == 4 * 100 + 2 * 100 + 4 * 100 + 4 * 102
    assert {cell["rules"]["sharks"] for cell in cells} == {4, 6}
    assert {cell["held"] for cell in cells} == {0}
    assert told["about_seconds"] > 0
    assert told["about_bytes"] > 0


def test_the_table_shows_names_as_they_are(here: Path) -> None:
    outcome = simkit("plan", "trial", "--games", "10", "--jobs", "3")
    assert outcome.exit_code == 0, outcome.output
    assert "[bold]slip[/bold]" in outcome.stdout
    assert "sharks=6" in outcome.stdout
    assert "about" in outcome.stdout
    assert "3 jobs" in outcome.stdout
    assert "more cells" not in outcome.stdout
    assert outcome.stdout.splitlines()[-1] == "next: simkit run trial --games 10"


def test_of_many_cells_the_first_are_shown(here: Path) -> None:
    words = ("trial", "--games", "2", "--set", "sweep={'rules.max_rounds'=[10,11,12,13,14,15,16]}")
    lines = simkit("plan", *words).stdout.splitlines()
    told = document(*words)
    assert len(told["cells"]) == 7 * (3 + 4)
    assert f"... and {7 * 7 - 20} more cells: all of them with --json" in lines
    assert sum(line.startswith(tuple(cell["id"] for cell in told["cells"])) for line in lines) == 20


def test_what_a_run_holds_is_told(here: Path) -> None:
    assert simkit("run", "trial", "--games", "60", "--jobs", "1", "--set", "players=2").exit_code == 0
    told = document("trial")
    held = {cell["id"]: cell["held"] for cell in told["cells"]}
    for cell in told["cells"]:
        assert held[cell["id"]] == (60 if cell["players"] == 2 else 0)
        assert not cell["differs"]
    assert told["games_held"] == 6 * 60
    assert told["games_to_play"] == told["games"] - 6 * 60
    assert f"{6 * 60} of them held by runs/trial" in simkit("plan", "trial").stdout
    same = document("trial", "--games", "60", "--set", "players=2")
    assert (same["games_to_play"], same["about_seconds"], same["about_bytes"]) == (0, 0, 0)
    assert "nothing is left to play" in simkit("plan", "trial", "--games", "60", "--set", "players=2").stdout
    other = document("trial", "--seed", "5")
    assert {cell["differs"] for cell in other["cells"] if cell["players"] == 2} == {True}
    assert other["games_held"] == 0
    assert "made of something else" in simkit("plan", "trial", "--seed", "5").stdout


def test_the_size_told_is_that_of_the_files(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a quarter, of files large enough that what is written once matters little."""
    monkeypatch.setattr(pilot, "BUDGET", 60)  # as long as it takes to play a chunk
    words = ("--games", "20000", "--set", "players=2", "--set", "line_ups=mirror", "--set", "sweep={}")
    told = document("trial", *words)
    assert simkit("run", "trial", *words, "--jobs", "1").exit_code == 0
    size = sum(path.stat().st_size for path in (here / "runs" / "trial").rglob("*-r*.parquet"))
    assert 0.75 < told["about_bytes"] / size < 1.25


def test_time_is_added_up_over_cells_and_shared_by_jobs(here: Path) -> None:
    plan = planned("trial", None, None, None, None)
    to_play = {cell.id: 10 for cell in plan.cells}
    told = pilot.forecast(plan, to_play, 0.01)
    assert told.seconds > 0
    assert told.n_games > 0
    assert told.wall(4, 2) == told.seconds / 2
    assert pilot.forecast(plan, dict.fromkeys(to_play, 0), 0.01) == pilot.Forecast(0.0, 0, 0)


def test_a_pilot_plays_more_while_there_is_time() -> None:
    """A cost of 1 at once and nothing a game: all are played; one that rises with each game is stopped at two."""
    played: list[int] = []
    assert [n for n, _ in pilot.timed(played.append, 5000, 10.0)] == [16, 128, 1024, 5000]
    assert played == [16, 128, 1024, 5000]
    game = find_game("tentacolor")
    rules = game.rules(**game.components.values_with({}))
    slow = pilot.timed(lambda n: play(game, rules, [Random()] * 2, 1, 0, n), 5000, 0.0)
    assert [n for n, _ in slow] == [16, 128]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), "unknown experiment"),
        (("trial", "--set", "rules.shark=1"), "sharks"),
        (("trial", "--games", "0"), "games"),
        (("trial", "--jobs", "0"), "jobs"),
        ((), "EXPERIMENT"),
    ],
)
def test_mistakes_are_told(here: Path, words: tuple[str, ...], said: str) -> None:
    outcome = simkit("plan", *words)
    assert outcome.exit_code == 2
    assert said in outcome.stderr
    assert outcome.stdout == ""


def test_a_strategy_that_breaks_its_contract_is_told(here: Path) -> None:
    text = "from simkit.strategy import Strategy\nclass Own(Strategy):\n    def place(self, view):\n        return 1\n"
    (here / "mine.py").write_text(text, encoding="utf-8")
    outcome = simkit("plan", "trial", "--strategies", "mine.py", "--set", 'strategies=["own"]')
    assert outcome.exit_code == 2
    assert "strategy `own`, decision `place`" in outcome.stderr
    assert not (here / "runs").exists()
