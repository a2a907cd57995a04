"""Every breach of a strategy's contract is found, by the check that is there for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.experiment import StrategySpec
from simkit.probe import check_strategy

from .bad import BAD, HEAD, PEEKER
from .conftest import Probe

GOOD = """
class Bad(Strategy):
    def work(self, view):
        return np.stack([np.full(view.n, 2), view.fog.max(axis=0), np.full(view.n, 5)])
    def clear(self, view):
        return view.fog
    def defend(self, view):
        second = view.coin(2)
        return np.stack([1 - second, second])
"""


@pytest.mark.slow
def test_a_good_strategy_passes(probe: Probe) -> None:
    """Every check has looked at something, and the speed is told for every decision that its play leads to."""
    report = probe(GOOD, patience=60)
    assert report.passed
    assert {check.name: check.found for check in report.checks if check.status != "ok"} == {}
    decisions = [row["decision"] for row in report.speed]
    assert {"work", "build"} <= set(decisions)
    assert decisions[-1] == "all"
    assert all(row["ns"] > 0 and row["ns_random"] > 0 for row in report.speed)


def test_a_breach_is_found_at_once(probe: Probe) -> None:
    """The line of the user's file is named."""
    source = BAD["raises"][0]
    line = (HEAD + source).splitlines().index("        return view.fogs") + 1
    report = probe(source, patience=60)
    assert report["runs"].status == "FAILED"
    assert "BeaconView" in report["runs"].found[0]
    assert f"bad.py, line {line}" in report["runs"].found[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_a_breach_is_found(probe: Probe, name: str) -> None:
    source, check, said = BAD[name]
    report = probe(source, patience=2.0 if check == "time" else 60.0)
    assert not report.passed
    assert report[check].status == "FAILED", report.told()
    assert any(said in text for text in report[check].found), report.told()


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrapped",
    [
        {"name": "mixture", "of": ["bad", "random"]},
        {"name": "epsilon", "of": "bad", "p": 0.2},
        {"name": "never", "of": "bad", "options": {"work": ["fetch oil"]}},
        {"name": "mixture", "of": ["random", {"name": "epsilon", "of": "bad"}]},
    ],
    ids=lambda spec: spec["name"],
)
def test_a_look_at_hidden_things_is_found_inside_wrappers(own_folder: Path, wrapped: dict) -> None:
    (own_folder / "strategies" / "beacon" / "bad.py").write_text(HEAD + PEEKER)
    report = check_strategy(StrategySpec.model_validate(wrapped), "beacon", own_folder, patience=60)
    assert report["hidden"].status == "FAILED"
    assert {check.name for check in report.checks if check.status == "FAILED"} == {"hidden"}


@pytest.mark.slow
def test_what_is_no_breach_is_noted(probe: Probe) -> None:
    """Prints, warnings, functions that differ between machines, a misspelt method; none of it fails."""
    source = GOOD + (
        "    def biuld(self, view):\n        return view.fog\n"
        "    def build(self, view):\n"
        "        print('thinking\\n' * 1000)\n"
        "        np.array([1.0]) / np.array([0.0])\n"
        "        return np.exp(-view.fog) / 3 + view.fog ** 0.5\n"
    )
    report = probe(source, patience=60)
    assert report.passed
    notes = {check.name: check.found for check in report.checks if check.status == "note"}
    assert set(notes) == {"machine", "decisions", "prints", "warnings"}
    said = " ".join(notes["machine"])
    assert all(what in said for what in ("`/`", "`np.exp`", "`**`"))
    assert "did you mean `build`" in notes["decisions"][0]
    assert "RuntimeWarning" in notes["warnings"][0]
    assert "bad.py, line " in notes["warnings"][0]


@pytest.mark.slow
def test_a_strategy_that_takes_its_time_is_probed_as_far_as_time_allows(probe: Probe) -> None:
    sleepy = GOOD.replace("return view.fog", "time.sleep(0.1)\n        return view.fog")
    report = probe("import time\n" + sleepy, patience=60, seconds=3)
    assert report.passed
    assert "it is slow" in report["time"].found[0]


@pytest.mark.slow
def test_a_slow_strategy_is_told_so(probe: Probe) -> None:
    """Twenty times as slow as random play is worth a note, not a failure."""
    slow = GOOD.replace("return view.fog", "sum(range(40_000))\n        return view.fog").replace(
        "return np.stack([np.full", "sum(range(40_000 * view.n // 32))\n        return np.stack([np.full"
    )
    report = probe(slow, patience=60)
    assert report.passed
    assert report["speed"].status == "note"
    assert "times as slow as random play" in report["speed"].found[0]
