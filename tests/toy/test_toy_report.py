"""The toy's run becomes a report on the table's wins, and one command does it all from the user's folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from simkit.cli import app
from simkit.report import write_report
from simkit.store import Run

from .planned import TOY

# --------------------------------------------------------------------------------------------------------------- report


def test_a_report_is_about_the_tables_wins(kept: Run, tmp_path):
    files = {path.name: path for path in write_report(kept, tmp_path)}
    page = files["report.html"].read_text()
    for said in ("Do thrifty keepers lose the coast?", "Beacon: is the coast kept?", "How often the table wins",
                 "What fog meets", "two wrecks lose", "squall_cards"):  # fmt: skip
        assert said in page
    assert "<script src" not in page
    rates = pd.read_csv(files["table_wins.csv"])
    for row in rates.itertuples():
        won = kept.column("games", "won", row.cell)
        assert row.value == pytest.approx(won.mean())
        assert row.low <= row.value <= row.high
    verdicts = json.loads(files["verdicts.json"].read_text())
    assert {verdict["cell"] for verdict in verdicts} == {cell.id for cell in kept.cells}
    assert {verdict["verdict"] for verdict in verdicts} <= {"balanced", "unbalanced", "undecided"}


def test_a_report_offers_no_seat_shares_and_no_tiebreaks(kept: Run, tmp_path):
    names = {path.name for path in write_report(kept, tmp_path)}
    assert not names & {"seat_shares.csv", "win_matrix.csv"}


def test_a_report_of_keepers_of_several_kinds(mixed: Run, tmp_path):
    page = write_report(mixed, tmp_path)[0].read_text()
    assert "miser" in page
    assert "plain" in page


# --------------------------------------------------------------------------------------------------------- command line


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder that is nobody's checkout, as the current one."""
    for part in ("games", "strategies", "experiments", "reports"):
        shutil.copytree(TOY / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("simkit.cli.progress.PATIENCE", 60)
    return tmp_path


def simkit(*words: str):
    return CliRunner().invoke(app, list(words))


def test_one_command_plays_and_reports(own_folder: Path, kept: Run):
    result = simkit("run", "experiments/beacon.toml", "--report", "--jobs", "1")
    assert result.exit_code == 0, result.output
    for said in ("game beacon", "strategy thrifty", "played 1,280 games in 16 cells", kept.results_digest):
        assert said in result.stdout
    assert "Beacon: is the coast kept?" in (own_folder / "runs" / "beacon" / "report" / "report.html").read_text()


@pytest.mark.slow
def test_a_run_can_be_reported_again(own_folder: Path):
    assert simkit("run", "experiments/beacon.toml", "--games", "30", "--jobs", "1", "--json").exit_code == 0
    result = simkit("report", "runs/beacon", "--out", "again")
    assert result.exit_code == 0, result.output
    assert (own_folder / "again" / "report.html").is_file()


def test_listings_show_the_toy(own_folder: Path):
    games, strategies = simkit("games"), simkit("strategies", "beacon")
    assert "beacon" in games.output
    assert "thrifty" in strategies.output
    told = simkit("games", "beacon")
    assert told.exit_code == 0, told.output
    for said in ("defend", "spend an oil", "squall_cards", "n_held"):
        assert said in told.output
