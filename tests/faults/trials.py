"""What these tests play: small experiments of a user's own, and the command as it is typed."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from simkit.cli import app
from tests.toy.planned import TOY

SLOW_STRATEGY = '''
"""A player who is in no hurry, so that there is time to disturb the run."""

import time
from pathlib import Path

import numpy as np
from simkit.strategy import Strategy


class Patient(Strategy):
    """Takes its time, and then whatever lies first."""

    def place(self, view):
        time.sleep({seconds})
        return np.zeros((len(view.options), view.n), np.uint8)
'''

SLOW = """
question = "Does patience pay?"
game = "tentacolor"
players = [2, 3]
games = 120
seed = 17
line_ups = "round-robin"
strategies = ["random", "patient", "longest-run"]
"""
SLOW_CHUNK = 60
"""Deals in a chunk of the slow experiment."""

TENTACOLOR = """
question = "Who wins?"
game = "tentacolor"
players = [2, 3]
games = 90
seed = 11
line_ups = [["random", "random"], ["careful", "random", "random"]]
strategies = ["random", { name = "never", of = "random", options = { place = ["card drawn"] }, as = "careful" }]
rules = { max_rounds = 6 }
"""
"""Two cells, of one rotation and of three; games are broken off early, since only their rows matter here."""

BEACON = """
question = "Who keeps the coast?"
game = "beacon"
players = [2, 3]
games = 60
seed = 31
strategies = ["watchful", "thrifty", "plain"]
rules = { max_rounds = 4 }
"""
"""Six cells: three mirrors at two and at three players; `thrifty` imports the file of `watchful`."""


def base_with(folder: Path, experiment: str) -> Path:
    """A user's folder with one experiment, `experiments/trial.toml`."""
    (folder / "experiments").mkdir(parents=True)
    (folder / "experiments" / "trial.toml").write_text(experiment)
    return folder


def slow_base(folder: Path, seconds: float = 0.001, experiment: str = SLOW) -> Path:
    """A user's folder whose experiment takes a few seconds on any machine."""
    base_with(folder, experiment)
    (folder / "strategies" / "tentacolor").mkdir(parents=True)
    (folder / "strategies" / "tentacolor" / "patient.py").write_text(SLOW_STRATEGY.format(seconds=seconds))
    return folder


def beacon_base(folder: Path) -> Path:
    """A user's folder with a game and strategies of its own, all of which may be edited."""
    base_with(folder, BEACON)
    shutil.copytree(TOY / "strategies", folder / "strategies", ignore=shutil.ignore_patterns("__pycache__"))
    game = folder / "games" / "beacon"
    game.mkdir(parents=True)
    shutil.copy(TOY / "games" / "beacon.py", game / "__init__.py")
    shutil.copy(TOY / "games" / "beacon.toml", game / "beacon.toml")
    return folder


def edit(path: Path, old: str, new: str) -> None:
    """Change a text that must be there."""
    text = path.read_text()
    assert old in text, f"{path} does not say {old!r}"
    path.write_text(text.replace(old, new, 1))


@dataclass(frozen=True)
class Said:
    """What a command came to."""

    code: int
    stdout: str
    stderr: str

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document of a command that went well."""
        assert self.code == 0, self.stderr
        return json.loads(self.stdout)

    def is_refusal(self, *named: str) -> bool:
        """Whether it is one message for the user that names all of these; tells which it does not name."""
        assert self.code == 2, (self.code, self.stdout, self.stderr)
        assert "Traceback" not in self.stderr
        _, *messages = self.stderr.split("Error: ")
        assert len(messages) == 1, self.stderr
        assert self.stdout == ""
        for name in named:
            assert name in messages[0], messages[0]
        return True


def simkit_run(*words: str, name: str = "trial") -> Said:
    """`simkit run experiments/NAME.toml` in this process and the current folder, with one job."""
    result = CliRunner().invoke(app, ["run", f"experiments/{name}.toml", "--json", "--quiet", "--jobs", "1", *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Said(result.exit_code, result.stdout, result.stderr)


def in_chunks_of(deals: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks in this process are as small as this."""
    monkeypatch.setattr("simkit.plan.MIN_CHUNK", deals)
    monkeypatch.setattr("simkit.plan.MAX_CHUNK", deals)
