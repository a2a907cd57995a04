"""Real processes: a run is started, disturbed, and watched until the last of its workers is gone."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from .trials import SLOW_CHUNK, Said

PATIENCE = 60.0
"""What takes longer never happens [s]."""
_IN_SMALL_CHUNKS = """
import simkit.plan, simkit.runner
simkit.plan.MIN_CHUNK = simkit.plan.MAX_CHUNK = {chunk}
simkit.runner.SHORT = 0
from simkit.cli import main
main()
"""
"""The command, in chunks that an experiment of a few seconds has many of, on workers however short the work is."""


def command(*words: str, chunk: int | None = SLOW_CHUNK) -> list[str]:
    """`simkit WORDS`; in chunks of the usual size if `chunk` is None."""
    program = ["-m", "simkit"] if chunk is None else ["-c", _IN_SMALL_CHUNKS.format(chunk=chunk)]
    return [sys.executable, *program, *words]


class Started:
    """A command in a process group of its own; what it says goes to files, which no orphan can hold up.

    Parameters
    ----------
    where
        Its current folder.
    words
        As typed after `simkit`.
    chunk
        Deals in a chunk.
    prepare
        Is called in the new process first.
    """

    def __init__(
        self, where: Path, *words: str, chunk: int | None = SLOW_CHUNK, prepare: Callable[[], None] | None = None
    ) -> None:
        self._files: list[IO[bytes]] = [tempfile.TemporaryFile() for _ in range(2)]  # noqa: SIM115 (gone with this)
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            command(*words, chunk=chunk),
            cwd=where,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=self._files[0],
            stderr=self._files[1],
            start_new_session=True,
            preexec_fn=prepare,
        )

    @property
    def pid(self) -> int:
        """Of the coordinator, and of its group."""
        return self.process.pid

    def ended(self, patience: float = PATIENCE) -> Said:
        """What it came to, when it has ended by itself."""
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        return Said(code, *(self._text(file) for file in self._files))

    @property
    def has_ended(self) -> bool:
        """Whether it is over."""
        return self.process.poll() is not None

    def lives(self, seconds: float) -> bool:
        """Wait for so long, or for its end; whether it is still there."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        return False

    def kill(self) -> None:
        """End the whole group."""
        _send(os.killpg, self.pid, signal.SIGKILL)
        self.process.wait()

    def send(self, number: int, group: bool = False) -> None:
        """A signal to the coordinator, or to the whole group as a terminal's Ctrl-C is."""
        _send(os.killpg if group else os.kill, self.pid, number)

    def workers(self) -> list[int]:
        """Its loky workers."""
        return [pid for pid in _children(self.pid) if "LokyProcess" in _command_line(pid)]

    def group_is_gone(self, patience: float = 20.0) -> bool:
        """Whether no process of the group is left, soon."""
        return soon(lambda: not _members(self.pid), patience)

    def _text(self, file: IO[bytes]) -> str:
        """What was written so far."""
        file.seek(0)
        return file.read().decode()


def played(where: Path, *words: str, chunk: int | None = SLOW_CHUNK, jobs: int = 2) -> dict[str, Any]:
    """The document of a run of `experiments/trial.toml` that nothing disturbs."""
    said = Started(where, "run", "experiments/trial.toml", "--json", "--jobs", str(jobs), *words, chunk=chunk).ended()
    assert said.code == 0, said.stderr
    return json.loads(said.stdout)


def command_that_resumes(stderr: str) -> list[str]:
    """The words after `simkit` of the command that a message names."""
    found = re.search(r"simkit (run [^\n`]+)", stderr)
    assert found, stderr
    return shlex.split(found[1])


def soon(holds: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Whether something comes to hold."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return bool(holds())


def _send(how: Callable[[int, int], None], target: int, number: int) -> None:
    """A signal, if there still is someone to take it."""
    with contextlib.suppress(ProcessLookupError):
        how(target, number)


def _stat(pid: int) -> list[str]:
    """State, parent, group ... of a process; nothing if there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _processes() -> list[int]:
    """Every process, those that only wait to be buried left out."""
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [pid for pid in pids if _stat(pid)[:1] not in ([], ["Z"])]


def _children(parent: int) -> list[int]:
    """Processes that it has started."""
    return [pid for pid in _processes() if _stat(pid)[1:2] == [str(parent)]]


def _members(group: int) -> list[int]:
    """Processes of a group."""
    return [pid for pid in _processes() if _stat(pid)[2:3] == [str(group)]]


def _command_line(pid: int) -> str:
    """How it was started."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
