"""Pages of hundreds of cells: they stay readable and small, and what is cut off is in the CSV files."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from simkit.components import Component
from simkit.report import Study, write_report
from simkit.report.pooled import MOST_SETTINGS, pooled_words, pools
from simkit.report.sections.shown import HALF, MOST_PICKED, MOST_SHOWN, by_measure, wide_texts
from simkit.report.words import PERCENT
from simkit.stats.intervals import Estimate
from tests.fake_run import FakeRun, fake_game, mirror, of_wins, seats_of

N_CELLS = 104
FAR = 77
"""The setting that is far from fair."""


def many(default: int = -1) -> FakeRun:
    """Three players; one setting of many is unbalanced; the default is none of them unless asked for."""
    source = Component(value=default, tag="assumed", source="", meaning="something odd")
    game = fake_game(cooperative=False, odd=source)
    shares = {odd: (0.5, 0.3, 0.2) if odd == FAR else (0.34, 0.33, 0.33) for odd in range(N_CELLS)}
    return of_wins({mirror(3, odd=odd): seats_of(share, 1000) for odd, share in shares.items()}, game)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {path.name: path for path in write_report(many(), tmp_path_factory.mktemp("report"))}


def test_long_tables_are_folded_and_cut_and_their_files_are_whole(files: dict[str, Path]) -> None:
    page = files["report.html"].read_text()
    open_rows = re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL).count("<tr>")
    assert open_rows < 100
    assert len(pd.read_csv(files["seat_shares.csv"])) == 3 * N_CELLS > MOST_SHOWN
    assert f"The first {MOST_SHOWN} of {3 * N_CELLS} rows; tables/seat_shares.csv has them all." in page
    assert len(page) < 1_500_000


def test_a_figure_of_many_rows_shows_those_that_stand_out(files: dict[str, Path]) -> None:
    page = files["report.html"].read_text()
    assert f"Of {N_CELLS} rows are drawn the {MOST_PICKED} with a dot farthest from the dashed line." in page
    assert "There is no figure" not in page


def test_verdicts_of_many_cells_are_counted(files: dict[str, Path]) -> None:
    assert re.search(rf"Of {N_CELLS} settings .*1 is unbalanced", files["report.html"].read_text())


def test_strategies_are_told_of_the_base_or_of_all_settings_together() -> None:
    study = Study.of(many())
    (pool,) = pools(study)
    assert (len(pool.cells), pool.setting_name) == (N_CELLS, f"{N_CELLS} settings together")
    assert pooled_words(study) == f"{N_CELLS} settings together"
    study = Study.of(many(default=5))
    (pool,) = pools(study)
    assert [dict(cell.setting) for cell in pool.cells] == [{"rules.odd": 5}]
    assert pooled_words(study) == "with the default rules only"


def test_few_settings_are_told_apart() -> None:
    game = fake_game(cooperative=False, odd=Component(value=0, tag="assumed", source="", meaning=""))
    wins = {mirror(2, odd=odd): seats_of((0.5, 0.5), 200) for odd in range(MOST_SETTINGS)}
    study = Study.of(of_wins(wins, game))
    assert [len(pool.cells) for pool in pools(study)] == [1] * MOST_SETTINGS
    assert pooled_words(study) == ""


def rows(*estimates: Estimate) -> pd.DataFrame:
    return pd.DataFrame([estimate.row() for estimate in estimates])


def test_wide_tables_tell_half_an_interval_and_lopsided_ones_in_full() -> None:
    even, lopsided = Estimate(0.5, 0.4, 0.6, 9, 0.95, "t"), Estimate(0.0, 0.0, 0.2, 9, 0.95, "t")
    few = Estimate(0.5, 0.4, 0.6, 9, 0.95, "t", few_cases=True)
    assert wide_texts(rows(even, lopsided, few)) == ["0.5 ±0.1", "0.0 (0.0 to 0.2)", "0.5 (0.4 to 0.6, few cases)"]
    assert wide_texts(rows(even), PERCENT) == ["50.0 ±10.0"]
    assert "half" in HALF


def test_measures_that_are_missing_somewhere_leave_an_empty_cell() -> None:
    table = pd.DataFrame({"who": ["a", "b", "a"], "what": ["x", "x", "y"]})
    table = pd.concat([table, rows(*[Estimate(0.5, 0.4, 0.6, 9, 0.95, "t")] * 3)], axis=1)
    found = {name: wide_texts(part) for name, part in by_measure(table, ["who"], "what")}
    assert found == {"x": ["0.5 ±0.1", "0.5 ±0.1"], "y": ["0.5 ±0.1", ""]}
