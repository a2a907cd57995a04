"""Ctrl-C ends whatever is being played, though a strategy never answers, and leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import is_gone

from .mistake import EXPERIMENT, snapshot, written

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")]

ENDLESS = """\
import os
from pathlib import Path
from simkit.strategy import Strategy

class Own(Strategy):
    '''Ponders for ever.'''

    def place(self, view):
        Path(os.environ["PONDERS"]).touch()
        {body}
"""
BODIES = {"busy": "while True: pass", "asleep": "import time; time.sleep(10**6)"}
LONG = "--games 50000000"
COMMANDS = {
    "run, one job": "run experiments/trial.toml --jobs 1",
    "run, two jobs": f"run experiments/trial.toml --jobs 2 {LONG}",
    "run, threads": f"run experiments/trial.toml --jobs 2 --backend threading {LONG}",
    "plan": "plan experiments/trial.toml",
    "compare": "compare tentacolor mine.py:own random --jobs 1",
}


def is_there(path: Path) -> bool:
    """Whether a file appears."""
    deadline = time.monotonic() + 120
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return path.exists()


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_ctrl_c_ends_a_strategy_that_never_answers(here: Path, tmp_path_factory, words: str, body: str) -> None:
    written(ENDLESS.format(body=body), "mine.py")(here)
    written(EXPERIMENT.replace('"random"', '"../mine.py:own"'))(here)
    before, ponders = snapshot(here), tmp_path_factory.mktemp("ponders") / "it"
    process = subprocess.Popen(
        [sys.executable, "-m", "simkit", *words.split()],
        cwd=here,
        env=os.environ | {"PONDERS": str(ponders)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert is_there(ponders)
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        assert is_gone(process.pid), "a process is left"
    finally:
        if not is_gone_at_once(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert "stopped" in stderr
    assert "Traceback" not in stderr
    assert snapshot(here) == before


def is_gone_at_once(group: int) -> bool:
    """Whether no process of the group is left now."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False
