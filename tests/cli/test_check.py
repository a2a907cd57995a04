"""`simkit check` as it is typed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from simkit.cli import app
from simkit.errors import UserError
from simkit.probe.subject import find_subject
from tests.probe.bad import BAD, HEAD
from tests.toy.planned import TOY

QUICK = ("--seconds", "3", "--patience", "60")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with the toy, as the current one."""
    for part in ("games", "strategies", "experiments"):
        shutil.copytree(TOY / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*words: str) -> Result:
    """The command."""
    return CliRunner().invoke(app, ["check", *words])


def write_bad(path: Path, name: str) -> Path:
    """A file with a bad strategy."""
    path.write_text(HEAD + BAD[name][0])
    return path


# ----------------------------------------------------------------------------------------------------------- strategies


@pytest.mark.slow
def test_a_strategy_passes(here: Path) -> None:
    result = check("thrifty", *QUICK)
    assert result.exit_code == 0, result.output
    for said in ("Strategy thrifty, beacon", "memory", "columns", "hidden", "thrifty: passed"):
        assert said in result.stdout
    assert f"strategy thrifty: {here / 'strategies' / 'beacon' / 'thrifty.py'}" in result.stderr
    assert f"game beacon: {here / 'games' / 'beacon.py'}" in result.stderr
    assert "checking thrifty" in result.stderr


def test_a_failure_says_what_to_do(here: Path) -> None:
    write_bad(here / "strategies" / "beacon" / "bad.py", "wrong shape")
    result = check("bad", *QUICK, "--quiet")
    assert result.exit_code == 2
    for said in ("FAILED", "found (2, 40)", "answers: return a numpy array", "bad: FAILED: answers"):
        assert said in result.stdout
    assert "checking" not in result.stderr
    assert "Traceback" not in result.output


def test_json_is_all_there_is(here: Path) -> None:
    """Whatever the strategy prints."""
    path = here / "mine.py"
    path.write_text(HEAD + "print('hello')\nclass Mine(Strategy):\n    def work(self, view):\n        print('hello')\n")
    result = check("mine.py", "--game", "beacon", "--json", *QUICK)
    assert result.exit_code == 2
    document = json.loads(result.stdout)
    assert (document["kind"], document["game"], document["passed"]) == ("strategy", "beacon", False)
    checks = {each["name"]: each for each in document["strategies"][0]["checks"]}
    assert checks["answers"]["status"] == "FAILED"
    assert checks["prints"]["status"] == "note"
    assert document["strategies"][0]["source"] == str(path)


@pytest.mark.slow
def test_all_strategies_of_a_file_are_checked(here: Path) -> None:
    path = here / "strategies" / "beacon" / "two.py"
    path.write_text(
        HEAD + "class One(Strategy):\n    pass\nclass Other(One):\n    def work(self, view):\n        1 / 0\n"
    )
    result = check("strategies/beacon/two.py", "--json", *QUICK)
    assert result.exit_code == 2
    told = json.loads(result.stdout)["strategies"]
    assert [(each["name"], each["passed"]) for each in told] == [("one", True), ("other", False)]
    assert json.loads(check("strategies/beacon/two.py:one", "--json", *QUICK).stdout)["passed"]


# ---------------------------------------------------------------------------------------------------------- experiments


@pytest.mark.slow
def test_an_experiment_is_validated(here: Path) -> None:
    """Its cells are listed; with --quick no strategy is asked anything."""
    write_bad(here / "strategies" / "beacon" / "watchful.py", "raises").write_text(
        HEAD + BAD["raises"][0].replace("Bad", "Watchful")
    )
    words = ("experiments/beacon.toml", "--set", 'strategies=["watchful"]', "--games", "30")
    result = check(*words, "--quick")
    assert result.exit_code == 0, result.output
    assert "watchful - watchful" in result.stdout
    assert "valid: 120 games in 4 cells of beacon" in result.stdout
    result = check(*words, *QUICK)
    assert result.exit_code == 2
    assert "AttributeError" in result.stdout


@pytest.mark.slow
def test_an_experiments_strategies_are_probed_where_they_play(here: Path) -> None:
    words = ("experiments/beacon.toml", "--set", "players=3", "--set", 'strategies=["plain"]', "--json", *QUICK)
    result = check(*words)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["kind"] == "experiment"
    assert {cell["players"] for cell in document["cells"]} == {3}
    assert document["games_total"] == sum(cell["games"] for cell in document["cells"])
    assert [each["name"] for each in document["strategies"]] == ["plain"]


def test_a_mistake_in_an_experiment_is_one_message(here: Path) -> None:
    result = check("experiments/beacon.toml", "--set", "rules.wreck=3")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "wrecks" in result.stderr


# ---------------------------------------------------------------------------------------------------------------- games


@pytest.mark.slow
def test_a_game_passes(here: Path) -> None:
    result = check("beacon", *QUICK)
    assert result.exit_code == 0, result.output
    for said in ("Game beacon", "neighbours", "legal", "beacon: passed"):
        assert said in result.stdout


def test_a_broken_game_does_not(here: Path) -> None:
    path = here / "games" / "beacon.py"
    path.write_text(path.read_text().replace("state.oil[:] = rules.oil", "state.oil[:] = rules.oill"))
    result = check("games/beacon.py", "--json", *QUICK)
    assert result.exit_code == 2
    checks = {each["name"]: each for each in json.loads(result.stdout)["checks"]}
    assert checks["runs"]["status"] == "FAILED"
    assert "'Rules' object has no attribute 'oill'" in checks["runs"]["found"][0]
    assert "beacon.py, line " in checks["runs"]["found"][0]


def test_a_game_that_cannot_be_loaded_is_told_so(here: Path) -> None:
    (here / "games" / "beacon.py").write_text("GAME = 1 / 0\n")
    result = check("games/beacon.py", *QUICK)
    assert result.exit_code == 2
    assert "ZeroDivisionError" in result.stdout
    assert "beacon: FAILED: loads" in result.stdout


# ---------------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("word", "game", "kind", "name"),
    [
        ("experiments/beacon.toml", None, "experiment", "experiments/beacon.toml"),
        ("quickstart", None, "experiment", "quickstart"),
        ("trial", None, "experiment", "trial"),
        ("beacon", None, "game", "beacon"),
        ("quickstart.toml", None, "experiment", "quickstart.toml"),
        ("tentacolor", None, "game", "tentacolor"),
        ("Beacon", None, "game", "beacon"),
        ("games/beacon.py", None, "game", "beacon"),
        ("blocker", None, "strategy", "tentacolor"),
        ("SharkHunter", None, "strategy", "tentacolor"),
        ("random", "beacon", "strategy", "beacon"),
        ("strategies/beacon/plain.py", None, "strategy", "beacon"),
        ("strategies/beacon/plain.py:Plain", None, "strategy", "beacon"),
    ],
)
def test_a_word_names_one_thing(here: Path, word: str, game: str | None, kind: str, name: str) -> None:
    (here / "experiments" / "trial.toml").touch()
    found = find_subject(word, game, Path.cwd())
    assert found.kind == kind
    assert (found.name if kind == "experiment" else found.game_id) == name


@pytest.mark.parametrize(
    ("word", "game", "said"),
    [
        ("random", None, "say which with `--game`"),
        ("blockr", None, "did you mean `blocker`"),
        ("blockr", "tentacolor", "did you mean `blocker`"),
        ("blocker", "tentacolour", "did you mean `tentacolor`"),
        ("strategies/beacon/plain.py:plane", None, "did you mean `plain`"),
        ("strategies/beacon/none.py", None, "found no"),
        ("empty.py", "beacon", "must hold a class"),
        ("loose.py", None, "say which with `--game`"),
        ("elsewhere/beacon.py", None, "folder called `games`"),
    ],
)
def test_a_word_that_names_nothing_is_refused(here: Path, word: str, game: str | None, said: str) -> None:
    shutil.copy(here / "strategies" / "beacon" / "plain.py", "loose.py")
    (here / "empty.py").write_text("")
    (here / "elsewhere").mkdir()
    shutil.copy(here / "games" / "beacon.py", "elsewhere")
    with pytest.raises(UserError, match=said):
        find_subject(word, game, Path.cwd())


def test_a_word_that_names_two_things_is_refused(here: Path) -> None:
    """A strategy called as a game; said which, it is found."""
    (here / "strategies" / "beacon" / "twin.py").write_text(HEAD + "class Beacon(Strategy):\n    pass\n")
    with pytest.raises(UserError, match=r"a game .* and a strategy \(`--game beacon`\); say which"):
        find_subject("beacon", None, Path.cwd())
    assert find_subject("beacon", "beacon", Path.cwd()).kind == "strategy"
    assert find_subject("games/beacon.py", None, Path.cwd()).kind == "game"


def test_options_of_experiments_are_not_left_aside(here: Path) -> None:
    result = check("plain", "--games", "9")
    assert result.exit_code == 2
    assert "with an experiment" in result.stderr


# ---------------------------------------------------------------------------------------------------------- interrupted


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left_behind(here: Path, how: signal.Signals) -> None:
    """Neither after Ctrl-C nor when the command itself is killed, even while the strategy hangs."""
    bad = write_bad(here / "strategies" / "beacon" / "bad.py", "never answers")
    bad.write_text(
        bad.read_text().replace(
            "while True:", "open('pid', 'w').write(str(__import__('os').getpid()))\n        while True:"
        )
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "simkit", "check", "bad", "--patience", "600"],
        cwd=here,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job would ignore it
    )
    deadline = time.monotonic() + 120
    while not (here / "pid").exists() or not (here / "pid").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(how)
    assert process.wait(60) == (130 if how == signal.SIGINT else -signal.SIGKILL)
    pid = int((here / "pid").read_text())
    while _is_alive(pid):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _is_alive(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
