"""What the probes raise themselves is nobody else's to catch, be the game ours or the user's."""

from __future__ import annotations

from pathlib import Path

from simkit.experiment import StrategySpec
from simkit.probe.findings import Findings
from simkit.probe.strategy import ASTRAY, BESIDE_RANDOM, MIRROR, Probes

from .bad import BAD, HEAD


def probes(folder: Path, source: str, seconds: float) -> tuple[Probes, dict[str, str]]:
    """Probes of a strategy at the user's game, and a digest for each setting, which no play comes to."""
    (folder / "strategies" / "beacon" / "bad.py").write_text(HEAD + source)
    made = Probes("beacon", folder, StrategySpec(name="bad"), None, seconds, Findings())
    line_ups = (BESIDE_RANDOM, MIRROR, ASTRAY)
    return made, {f"{setting}, {line_up}": "-" for setting in made.settings for line_up in line_ups}


def test_the_end_of_the_time_is_no_fault_of_the_game(own_folder: Path) -> None:
    made, digests = probes(own_folder, "class Bad(Strategy):\n    pass\n", seconds=-1)
    assert made.again(digests) == []
    assert [found[0] for found in made.findings.found] == ["time"]


def test_a_strategy_that_raises_is_no_fault_of_the_game(own_folder: Path) -> None:
    made, digests = probes(own_folder, BAD["raises"][0], seconds=60)
    made.again(digests)
    texts = [text for check, _, text in made.findings.found if check == "runs"]
    assert texts
    assert all("AttributeError" in text and "beacon.py" not in text for text in texts)
