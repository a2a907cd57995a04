"""`simkit run` as it is typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from simkit.cli import app
from simkit.store import Run
from tests.processes import is_gone

EXPERIMENT = """
question = "Who wins?"
game = "tentacolor"
players = 2
games = 200
seed = 4
strategies = ["random"]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an experiment, as the current one."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "trial.toml").write_text(EXPERIMENT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("simkit.cli.progress.PATIENCE", 60)  # a busy machine may make short work long
    return tmp_path


def simkit(*words: str) -> Result:
    """The command."""
    return CliRunner().invoke(app, ["run", *words])


def test_plays_and_says_what_is_next(here: Path) -> None:
    result = simkit("experiments/trial.toml")
    assert result.exit_code == 0, result.output
    digest = Run.open(here / "runs" / "trial").results_digest
    for said in ("played 200 games in 1 cell", "games/s", digest, "runs/trial", "next: simkit report runs/trial"):
        assert said in result.stdout
    assert result.stderr == ""


def test_second_time_is_already_played(here: Path) -> None:
    first, again = simkit("experiments/trial.toml", "--json"), simkit("experiments/trial.toml", "--json")
    documents = [json.loads(result.stdout) for result in (first, again)]
    assert [document["already_played"] for document in documents] == [False, True]
    assert documents[0]["results_digest"] == documents[1]["results_digest"]
    assert "already played" in simkit("experiments/trial.toml").stdout


def test_a_report_of_fewer_games_is_not_passed_off(here: Path) -> None:
    """It stays, but whoever plays more is told."""
    simkit("experiments/trial.toml", "--report")
    assert "of other results" not in simkit("experiments/trial.toml").stdout
    assert (
        "simkit report runs/trial  (the report there is of other results)"
        in simkit("experiments/trial.toml", "--games", "400").stdout
    )


def test_it_says_how_many_cells_are_precise_enough(here: Path) -> None:
    """By those who were asked for much, and by those asked for more than there are games."""
    for precision, n_precise in (("0.2", 1), ("0.001", 0)):
        words = ("experiments/trial.toml", "--set", f"stop.precision={precision}")
        assert json.loads(simkit(*words, "--json").stdout)["precise_cells"] == n_precise
        assert ("[stop] found 1 of 1 cells precise enough" in simkit(*words).stdout) == bool(n_precise)


def test_json_is_all_there_is(here: Path) -> None:
    result = simkit("experiments/trial.toml", "--json", "--games", "100", "--seed", "9", "--runs", "elsewhere")
    assert result.stderr == ""
    document = json.loads(result.stdout)
    assert document["games"] == 100
    assert document["cells"] == 1
    assert document["run"] == "elsewhere/trial"
    assert document["command"] == "simkit run experiments/trial.toml --games 100 --seed 9 --runs elsewhere"
    run = Run.open(here / "elsewhere" / "trial")
    assert run.results_digest == document["results_digest"]
    assert (run.experiment.games, run.experiment.seed, run.manifest["command"]) == (100, 9, document["command"])


def test_set_changes_any_key(here: Path) -> None:
    words = ("--set", "rules.sharks=2", "--set", "rules.carriers=random", "--set", "name = odd one")
    result = simkit("experiments/trial.toml", *words)
    assert result.exit_code == 2
    assert "`name`" in result.stderr
    result = simkit("experiments/trial.toml", *words[:4], "--set", 'name="odd"')
    assert result.exit_code == 0, result.output
    run = Run.open(here / "runs" / "odd")
    assert dict(run.cells[0].rules) == {"sharks": 2, "carriers": "random"}
    assert "--set rules.sharks=2 --set rules.carriers=random" in run.manifest["command"]


def test_the_command_kept_gives_the_same(here: Path) -> None:
    simkit("experiments/trial.toml", "--set", "rules.deck_out=reshuffle", "--games", "150")
    run = Run.open(here / "runs" / "trial")
    words = run.manifest["command"].split()
    assert words[:2] == ["simkit", "run"]
    again = json.loads(simkit(*words[2:], "--runs", "again", "--jobs", "1", "--json").stdout)
    assert again["already_played"] is False
    assert again["results_digest"] == run.results_digest


def test_refuses_what_it_would_have_to_replace(here: Path) -> None:
    simkit("experiments/trial.toml")
    result = simkit("experiments/trial.toml", "--seed", "5")
    assert result.exit_code == 2
    assert "seed" in result.stderr
    assert "--fresh" in result.stderr
    assert result.stdout == ""
    assert simkit("experiments/trial.toml", "--seed", "5", "--fresh").exit_code == 0
    assert Run.open(here / "runs" / "trial").experiment.seed == 5


OWN = """
import numpy as np
from simkit.strategy import Strategy

class Own(Strategy):
    '''Keeps the card it holds longest.'''

    def place(self, view):
        return np.{scores}
"""


def test_own_strategies_are_named(here: Path) -> None:
    (here / "mine.py").write_text(OWN.format(scores="zeros((len(view.options), view.n), np.uint8)"))
    result = simkit("experiments/trial.toml", "--strategies", "mine.py", "--set", 'strategies=["own"]')
    assert result.exit_code == 0, result.output
    assert "strategy own" in result.stdout
    assert "mine.py" in result.stdout
    run = Run.open(here / "runs" / "trial")
    assert run.cells[0].labels == ("own", "own")
    assert any("Keeps the card it holds longest" in text for text in run.manifest["source_texts"].values())


def test_broken_strategy_is_one_message(here: Path) -> None:
    (here / "mine.py").write_text(OWN.format(scores="zeros((2, 2))"))
    result = simkit("experiments/trial.toml", "--strategies", "mine.py", "--set", 'strategies=["own"]')
    assert result.exit_code == 2
    assert "strategy `own`, decision `place`: scores must have" in result.stderr
    assert not (here / "runs" / "trial").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.toml",), "nothing.toml"),
        (("experiments",), "folder"),
        (("experiments/trial.toml", "--games", "0"), "games"),
        (("experiments/trial.toml", "--jobs", "0"), "jobs"),
        (("experiments/trial.toml", "--set", "rules.sharks"), "KEY=VALUE"),
        (("experiments/trial.toml", "--set", "rules.shark=1"), "sharks"),
        (("experiments/trial.toml", "--set", "players=9"), "players"),
        (("experiments/trial.toml", "--set", "game=tentacolour"), "tentacolor"),
        (("experiments/trial.toml", "--set", 'strategies=["rando"]'), "random"),
        (("experiments/trial.toml", "--strategies", "none.py"), "none.py"),
        (("experiments/trial.toml", "--backend", "cloud"), "loky, threading or dask"),
        (("experiments/trial.toml", "--runs", "experiments/trial.toml"), "folder"),
        ((), "EXPERIMENT"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_mistakes_are_told(here: Path, words: tuple[str, ...], said: str) -> None:
    result = simkit(*words)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert not (here / "runs").exists()


def started(here: Path, *words: str) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    command = [sys.executable, "-m", "simkit", "run", "experiments/trial.toml", *words]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        command,
        cwd=here,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_ends_workers_and_says_how_to_go_on(here: Path) -> None:
    process = started(here, "--games", "50000000", "--jobs", "2")
    assert process.stderr is not None
    assert "playing 50,000,000 games" in process.stderr.readline()
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert stdout == ""
    assert "To go on: simkit run experiments/trial.toml --games 50000000\n" in stderr
    assert "Traceback" not in stderr
    assert is_gone(process.pid), "a worker is left"
    assert not (here / "runs" / "trial" / ".writing").exists()
    assert simkit("experiments/trial.toml").exit_code == 0


def test_long_work_shows_plain_lines_and_quiet_none(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.cli.progress.PATIENCE", 0)
    monkeypatch.setattr("simkit.cli.progress.LINE_EVERY", 0)
    monkeypatch.setattr("simkit.plan.MIN_CHUNK", 50)
    shown = simkit("experiments/trial.toml", "--jobs", "1").stderr
    assert "playing 200 games" in shown
    assert "150 of 200 games, about" in shown
    assert simkit("experiments/trial.toml", "--jobs", "1", "--seed", "9", "--fresh", "--quiet").stderr == ""


def test_report_of_what_is_already_played(here: Path) -> None:
    simkit("experiments/trial.toml")
    result = simkit("experiments/trial.toml", "--report", "--json")
    assert result.exit_code == 0, (result.output, result.exception)
    document = json.loads(result.stdout)
    assert document["already_played"] is True
    assert document["report"]
    assert all((here / path).is_file() for path in document["report"])
