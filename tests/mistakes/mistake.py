"""A mistake, and what holds for every one of them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from simkit.cli import app

EXPERIMENT = """\
question = "Who wins?"
game = "tentacolor"
players = 2
games = 64
seed = 4
strategies = ["random"]
"""
RUN = "run experiments/trial.toml --jobs 1"
FOREIGN = re.compile(r"(strategy|game) .+: .+\.py|players: \d, the fewest; .*")
"""What may be said before the message: whose code runs, and with how many players."""


@dataclass(frozen=True)
class Mistake:
    """A command line that cannot be obeyed.

    Parameters
    ----------
    words
        After `simkit`, as typed.
    said
        All that the message must say: the thing, what was found, what to do.
    before
        Changes the folder before.
    more
        Words that must make no difference: `--json`.
    """

    words: str | list[str]
    said: tuple[str, ...]
    before: Callable[[Path], object] | None = None
    more: tuple[str, ...] = ()

    @property
    def line(self) -> list[str]:
        """The command line, word by word."""
        return shlex.split(self.words) if isinstance(self.words, str) else self.words


def each(mistakes: Mapping[str, Mistake]) -> pytest.MarkDecorator:
    """One test for each, and another one, which takes its time in CI, with `--json`."""
    plain = [pytest.param(mistake, id=name) for name, mistake in mistakes.items()]
    as_json = [
        pytest.param(replace(mistake, more=("--json",)), id=f"{name}, json", marks=pytest.mark.slow)
        for name, mistake in mistakes.items()
    ]
    return pytest.mark.parametrize("mistake", plain + as_json)


def written(text: str | bytes, file: str = "experiments/trial.toml") -> Callable[[Path], object]:
    """A file with other contents."""

    def write(folder: Path) -> None:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())

    return write


def call(*words: str) -> Result:
    """The command."""
    return CliRunner().invoke(app, list(words), prog_name="simkit")


def snapshot(folder: Path) -> dict[str, bytes | str]:
    """Everything in a folder by its path: a file's bytes, or what else it is; locks aside."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path)] = os.readlink(path)
        elif path.is_file() and path.name != ".lock":
            found[str(path)] = path.read_bytes()
        elif not path.is_file():
            found[str(path)] = "a folder" if path.is_dir() else "something else"
    return found


def check(folder: Path, mistake: Mistake) -> None:
    """It is refused in one message, for programs as well, and nothing is written."""
    if mistake.before is not None:
        mistake.before(folder)
    before = snapshot(folder)
    end = mistake.line.index("--") if "--" in mistake.line else len(mistake.line)
    outcome = call(*mistake.line[:end], *mistake.more, *mistake.line[end:])
    assert outcome.exit_code == 2, (outcome.output, outcome.exception)
    check_message("" if mistake.more else outcome.stdout, outcome.stderr, mistake.said)
    if mistake.more:
        assert outcome.stdout == ""
    assert snapshot(folder) == before


def check_message(stdout: str, stderr: str, said: tuple[str, ...]) -> None:
    """One message at the end, which says all that it must, and which no terminal would obey."""
    *others, message = stderr.splitlines()
    assert message.startswith("Error: "), stderr
    assert [line for line in [*stdout.splitlines(), *others] if not FOREIGN.fullmatch(line)] == []
    assert "Traceback" not in stderr
    assert "pydantic" not in stderr.lower()
    assert "Input should" not in stderr
    assert all(line.isprintable() for line in stderr.splitlines())
    for words in said:
        assert words in message
