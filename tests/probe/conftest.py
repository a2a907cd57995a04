"""A user's folder with the toy game, where strategies are written to be probed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from simkit.experiment import StrategySpec
from simkit.probe import Report, check_strategy

from .bad import HEAD

TOY = Path(__file__).parent.parent / "toy"

Probe = Callable[..., Report]


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    """A user's folder with a game and no strategies."""
    shutil.copytree(TOY / "games", tmp_path / "games", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "strategies" / "beacon").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def probe(own_folder: Path) -> Probe:
    """Write a strategy called Bad, and probe it."""

    def probed(source: str, **more: float) -> Report:
        file = own_folder / "strategies" / "beacon" / "bad.py"
        file.write_text(HEAD + source)
        return check_strategy(StrategySpec(name="bad"), "beacon", own_folder, **more)

    return probed
