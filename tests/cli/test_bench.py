"""`simkit bench`: numbers for everything that needs no parameters; how large they are is the machine's affair."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from simkit.catalog import LIBRARY, list_games, list_strategies
from simkit.cli import app
from simkit.planning import pilot
from simkit.planning.pilot import plain_strategies
from simkit.sources import Listing

pytestmark = pytest.mark.slow

NUMBERS = ("games", "turns", "games_per_second", "turns_per_second", "ns_per_turn", "batch", "memory_bytes")
OWN = "from simkit.strategy import Strategy\nclass Own(Strategy):\n    '''Takes the first.'''\n"


def bench(*words: str) -> Result:
    """The command."""
    return CliRunner().invoke(app, ["bench", *words])


def measured(*words: str) -> list[dict[str, Any]]:
    """A row for each strategy."""
    outcome = bench("--seconds", "0.001", "--json", *words)
    assert outcome.exit_code == 0, outcome.output
    document = json.loads(outcome.stdout)
    assert document["tape_words_per_second"] > 0
    rows: list[dict[str, Any]] = document["strategies"]
    assert all(row[number] > 0 for row in rows for number in NUMBERS)
    return rows


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a strategy of one's own, as the current one."""
    folder = tmp_path / "strategies" / "tentacolor"
    folder.mkdir(parents=True)
    (folder / "mine.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "trap.py").write_text("raise SystemExit('ran')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_strategy_of_the_library_that_needs_no_parameters(here: Path) -> None:
    """Code of one's own that was not named is not run."""
    rows = measured("tentacolor")
    assert {row["source"] for row in rows} == {"library"}
    listed = {entry.name for entry in list_strategies("tentacolor", here)} - {"own"}
    assert {row["strategy"] for row in rows} == listed - {"mixture", "epsilon", "never"}
    assert {row["players"] for row in rows} == {4}


def test_every_game_of_the_library(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of one's own that was not named is not run. One strategy each: slow ones take 15 s."""

    def only_random(*words: Any) -> list[Listing]:
        return [entry for entry in plain_strategies(*words) if entry.name == "random"]

    monkeypatch.setattr(pilot, "plain_strategies", only_random)
    games = {entry.name for entry in list_games(here) if entry.source == LIBRARY}
    assert [row["game"] for row in measured()] == sorted(games)


def test_a_file_of_ones_own(here: Path) -> None:
    rows = measured("tentacolor", "--strategies", "strategies/tentacolor/mine.py", "--players", "2")
    own = next(row for row in rows if row["strategy"] == "own")
    assert own["source"].endswith("mine.py")
    assert own["players"] == 2


def test_as_a_table(here: Path) -> None:
    outcome = bench("tentacolor", "--seconds", "0.001")
    assert outcome.stdout.split("\n")[0].split()[:3] == ["game", "strategy", "players"]
    assert "words/s" in outcome.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), "unknown game"),
        (("tentacolor", "--players", "7"), "2, 3, 4 players; found 7"),
        (("tentacolor", "--seconds", "0"), "seconds"),
        (("tentacolor", "--strategies", "none.py"), "none.py"),
    ],
)
def test_mistakes_are_told(here: Path, words: tuple[str, ...], said: str) -> None:
    outcome = bench(*words)
    assert outcome.exit_code == 2
    assert said in outcome.stderr
    assert outcome.stdout == ""
