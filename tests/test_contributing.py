"""CONTRIBUTING.md: its commands run, its files exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simkit.cli import app

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LINES = [line[2:] for block in re.findall(r"```console\n(.*?)```", TEXT, re.S) for line in block.splitlines()]
COMMANDS = [line.removeprefix("simkit ") for line in LINES if line.startswith("simkit ")]
OTHERS = [line for line in LINES if not line.startswith("simkit ")]


def known() -> set[str]:
    """The commands that there are."""
    return {command.name or "" for command in app.registered_commands} | {g.name or "" for g in app.registered_groups}


def test_every_command_is_known() -> None:
    assert len(COMMANDS) > 10
    assert {command.split()[0] for command in COMMANDS} <= known()


@pytest.mark.slow
def test_its_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        outcome = CliRunner().invoke(app, shlex.split(command))
        assert outcome.exit_code == 0, f"{command}: {outcome.output}"
    assert (tmp_path / "runs" / "pearl-dive" / "report" / "report.html").stat().st_size > 0


def test_other_commands_are_the_makefiles_or_set_up() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for line in OTHERS:
        program, *words = line.split()
        assert program in ("make", "python3", "pip"), line
        assert program != "make" or all(f"\n{word}:" in makefile for word in words), line


def test_every_file_that_it_names_exists() -> None:
    """Those of the example's own aside."""
    named = set(re.findall(r"`((?:tests|simkit|reports|docs|experiments)/[\w./-]*)`|\]\(([\w./-]+)\)", TEXT))
    paths = {path for pair in named for path in pair if path and "pearl" not in path}
    assert len(paths) > 15
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
