"""README.md: its commands and files exist, its Python runs, and CI finds its two commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

from simkit.cli import app

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_command_is_in_its_table_and_no_other() -> None:
    top: Any = typer.main.get_command(app)
    assert set(re.findall(r"^\| `simkit (\w+)", TEXT, re.MULTILINE)) == set(top.commands)
    assert set(re.findall(r"^\$ simkit (\w+)", TEXT, re.MULTILINE)) <= set(top.commands)


def test_every_file_that_it_names_exists() -> None:
    named = re.findall(r"\]\(([\w./-]+)\)", TEXT)
    assert len(named) > 15
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_page_of_the_docs_is_named() -> None:
    assert [page.name for page in (ROOT / "docs").glob("*.md") if f"(docs/{page.name})" not in TEXT] == []


def test_ci_finds_its_two_commands() -> None:
    lines = TEXT.splitlines()
    assert sum(line.startswith("$ python3 -m venv ") for line in lines) == 1
    assert sum(line.startswith("$ .venv/bin/pip install ") and "pytest" in line for line in lines) == 1


@pytest.mark.slow
def test_its_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
        exec(compile(block.replace("20_000", "20"), "README.md", "exec"), {"__name__": "readme"})
    assert (tmp_path / "runs" / "quickstart" / "manifest.json").is_file()
