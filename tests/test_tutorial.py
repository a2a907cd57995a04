"""The tutorial runs, block after block, and prints what it says.

`python -m tests.test_tutorial` writes anew what the blocks print, for a change that is meant.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "tutorial.md"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(?:\n```text\n(?P<told>.*?)```\n)?", re.DOTALL)


def printed(code: str, number: int, names: dict[str, Any]) -> str:
    """What a block prints; its source can be read, as a notebook's."""
    file = f"<tutorial, block {number}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, file, "exec"), names)
    return out.getvalue()


def replayed(text: str) -> str:
    """The page with what its blocks print here and now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    blocks = iter(range(1, 100))

    def with_output(block: re.Match[str]) -> str:
        found = printed(block["code"], next(blocks), names)
        told = f"\n```text\n{found}```\n" if found else ""
        return f"```python\n{block['code']}```\n{told}"

    return BLOCK.sub(with_output, text)


@pytest.mark.slow
def test_every_block_runs_and_prints_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    assert replayed(text) == text, "if this is meant, write it anew: python -m tests.test_tutorial"
    assert {path.name for path in tmp_path.iterdir()} == {"runs", "seats.png", "endings.svg"}
    assert "<svg" in (tmp_path / "endings.svg").read_text(encoding="utf-8")


def test_the_page_has_blocks_and_tells_what_they_print() -> None:
    blocks = list(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))
    assert len(blocks) > 5
    for block in blocks:
        assert bool(block["told"]) == ("print(" in block["code"]), block["code"]


def test_a_block_that_prints_otherwise_is_seen() -> None:
    """Negative control."""
    page = "A\n\n```python\nx = 1\n```\n\nB\n\n```python\nprint(x + 1)\n```\n\n```text\n{}\n```\n"
    assert replayed(page.format(2)) == page.format(2)
    assert replayed(page.format(3)) == page.format(2)
    with pytest.raises(NameError):
        replayed("```python\nprint(y)\n```\n")


if __name__ == "__main__":
    page = PAGE.resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        page.write_text(replayed(page.read_text(encoding="utf-8")), encoding="utf-8")
        os.chdir(page.parent)
