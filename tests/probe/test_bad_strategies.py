"""Every breach of a strategy's contract is found, by the check that is there for it."""

from __future__ import annotations

import pytest

from .bad import BAD
from .conftest import Probe


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_a_breach_is_found(probe: Probe, name: str) -> None:
    source, check, said = BAD[name]
    patience = 2.0 if check == "time" else 60.0
    report = probe(source, patience=patience, seconds=6)
    assert not report.passed
    assert report[check].status == "FAILED", report.told()
    assert any(said in text for text in report[check].found), report.told()
