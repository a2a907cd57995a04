"""Reports: what they say follows from the run, whatever the game; nothing of the user's is taken for markup."""

from __future__ import annotations

import base64
import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from typer.testing import CliRunner

from simkit import catalog
from simkit.components import Component
from simkit.errors import UserError
from simkit.games.tentacolor import GAME
from simkit.report import write_report
from simkit.strategy import Random
from tests.fake_run import FakeRun, fake_game, mirror, of_wins, played, seats_of
from tests.stats.made import win_column


class Listing(HTMLParser):
    """Every element of a page with its attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture(scope="module")
def tentacolor() -> FakeRun:
    """Three players, with and without the variant, at random."""
    cells = {
        name * 6: ({"expert": expert}, [("random", Random())] * 3) for name, expert in (("ab", True), ("cd", False))
    }
    return played(GAME, cells, 3000, question="Does the first seat win too often, and does the Expert variant mend it?")


@pytest.fixture(scope="module")
def files(tentacolor: FakeRun, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {path.name: path for path in write_report(tentacolor, tmp_path_factory.mktemp("report"))}


# ------------------------------------------------------------------------------------------------------------ the files


def test_the_same_run_gives_the_same_bytes(tentacolor: FakeRun, files: dict[str, Path], tmp_path: Path) -> None:
    again = write_report(tentacolor, tmp_path)
    assert {path.name for path in again} == set(files)
    for path in again:
        assert path.read_bytes() == files[path.name].read_bytes(), path.name


def test_the_page_stands_alone(files: dict[str, Path]) -> None:
    page = Listing(files["report.html"].read_text())
    assert not page.of("script")
    assert not page.of("link")
    assert all(image["src"].startswith("data:image/svg+xml;base64,") for image in page.of("img"))
    assert all(link["href"].startswith("#") for link in page.of("a"))
    assert "url(" not in files["report.html"].read_text()


def test_the_page_can_be_read_without_seeing_it(files: dict[str, Path]) -> None:
    page = Listing(files["report.html"].read_text())
    assert len(page.of("img")) >= 4
    assert all(len(image["alt"]) > 20 for image in page.of("img"))
    assert page.of("th")
    assert all(head["scope"] in ("col", "row") for head in page.of("th"))
    assert all(table["aria-label"] for table in page.of("table"))
    assert page.of("html")[0]["lang"] == "en"
    anchors = {heading.get("id") for heading in page.of("h2")}
    assert {link["href"][1:] for link in page.of("a")} == anchors
    assert len(page.of("h1")) == 1


def test_what_was_asked_and_answered_comes_first(files: dict[str, Path]) -> None:
    page = files["report.html"].read_text()
    document = json.loads(files["report.json"].read_text())
    assert document["title"] == "Tentacolor: who wins, how fast, and what decides it"
    assert page.index(document["question"]) < page.index(document["answer"][0]) < page.index("<h2")


def test_tables_hold_full_precision(tentacolor: FakeRun, files: dict[str, Path]) -> None:
    with files["seat_shares.csv"].open(newline="") as file:
        rows = list(csv.DictReader(file))
    document = json.loads(files["report.json"].read_text())
    for row, record in zip(rows, document["tables"]["seat_shares"], strict=True):
        win = tentacolor.column("seats", "win", row["cell"])[0, int(row["seat"].split()[1]) - 1] / 60
        assert float(row["value"]) == record["value"] == pytest.approx(win.mean(), rel=1e-14)
        assert float(row["low"]) == record["low"] < record["value"] < record["high"] == float(row["high"])
        assert (row["players"], row["n_games"]) == ("3", "3000")


def test_every_rate_stands_with_interval_and_n(files: dict[str, Path]) -> None:
    for name in ("seat_shares", "endings", "length", "length_histogram", "rule_differences", "progress", "headlines"):
        table = pd.read_csv(files[f"{name}.csv"])
        assert {"value", "low", "high", "level", "method", "n_deals", "n_games", "few_cases"} <= set(table.columns), (
            name
        )
        assert (table["low"] <= table["value"] + 1e-12).all(), name
        assert (table["value"] <= table["high"] + 1e-12).all(), name


def test_a_difference_is_paired_on_the_same_deals(tentacolor: FakeRun, files: dict[str, Path]) -> None:
    table = pd.read_csv(files["rule_differences.csv"]).set_index("measure")
    expert, basic = (tentacolor.column("seats", "win", name * 6)[0, 0] / 60 for name in ("ab", "cd"))
    wanted = stats.ttest_rel(expert, basic).confidence_interval(0.95)
    row = table.loc["win share of seat 1"]
    assert (row["cell"], row["base"]) == ("ab" * 6, "basic game")
    assert (row["low"], row["high"]) == pytest.approx((wanted.low, wanted.high))
    assert row["gain"] == pytest.approx((expert.var() + basic.var()) / (expert - basic).var())
    turns = [tentacolor.column("games", "n_turns", name * 6)[0].astype(float) for name in ("ab", "cd")]
    assert table.loc["mean turns", "value"] == pytest.approx((turns[0] - turns[1]).mean())


def test_progress_is_the_mean_of_the_tally(tentacolor: FakeRun, files: dict[str, Path]) -> None:
    table = pd.read_csv(files["progress.csv"]).set_index(["cell", "round", "seat"])
    counts = tentacolor.tallies("progress")
    part = counts[(counts["cell"] == "cd" * 6) & (counts["round"] == 3) & (counts["seat"] == 1)]
    assert table.loc["cd" * 6, 4, "seat 2"]["value"] == pytest.approx(np.average(part["run"], weights=part["count"]))
    assert table.loc["cd" * 6, 4, "seat 2"]["n"] == part["count"].sum()


def test_all_that_is_assumed_is_told(files: dict[str, Path]) -> None:
    table = pd.read_csv(files["components.csv"]).set_index("component")
    unsure = {name for name, component in GAME.components.items() if component.tag != "rulebook"}
    assert set(table.index) == unsure | {"expert"}
    assert table.loc["expert", "value"] == "false | true"
    assert table["changed"].tolist() == [name == "expert" for name in table.index]
    sharks = GAME.components["sharks"]
    told = table.loc["sharks", ["value", "tag", "source", "alternatives"]].tolist()
    assert told == [str(sharks.value), sharks.tag, sharks.source, "2 | 6 | 8 | 10"]


def test_how_to_reproduce_it_is_told(files: dict[str, Path]) -> None:
    facts = pd.read_csv(files["reproduction.csv"]).set_index("what")["value"]
    assert facts[["command", "seed", "results digest"]].tolist() == ["simkit run it.toml", "3", "d1ce"]


def test_the_level_is_divided_by_the_cells_and_printed(tentacolor: FakeRun, files: dict[str, Path]) -> None:
    assert json.loads(files["report.json"].read_text())["level_of_verdicts"] == pytest.approx(0.975)
    assert "number of cells, 2" in files["report.html"].read_text()
    assert "97.5\N{NO-BREAK SPACE}%" in files["report.html"].read_text()


# ---------------------------------------------------------------------------------------------------- nothing is markup


def test_labels_names_and_questions_are_text(tmp_path: Path) -> None:
    evil = "<script>alert('&amp;')</script>"
    source = Component(value=f"{evil}1", tag="assumed", source=evil, meaning=f'" onload="{evil}')
    game = fake_game(cooperative=False, causes=(f"{evil}end",), odd=source)
    winners = np.random.default_rng(3).integers(0, 2, (2, 2, 400))
    wins = {(2, (evil, "b"), rules): win_column(w, 2) for rules, w in zip(((), (("odd", evil),)), winners, strict=True)}
    run = of_wins(wins, game, question=f"Is {evil} fair?", title=f"About {evil}")
    run.manifest |= {"command": f"simkit run {evil}", "sources": {f"strategy {evil}": evil}}
    text = write_report(run, tmp_path)[0].read_text()
    assert not Listing(text).of("script")
    assert not any("onload" in attributes for _, attributes in Listing(text).found)
    assert evil in "".join(Listing(text).words)
    pictures = [base64.b64decode(image["src"].split(",")[1]).decode() for image in Listing(text).of("img")]
    assert any("&lt;script&gt;" in picture for picture in pictures)
    assert not any("<script" in picture for picture in pictures)


# ------------------------------------------------------------------------------------------------------------- mistakes


def test_a_folder_that_cannot_be_written_is_the_users_to_mend(tentacolor: FakeRun, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(UserError, match="folder that can be written"):
        write_report(tentacolor, tmp_path / "taken")


def test_a_definition_without_a_report_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    empty = SimpleNamespace(__file__="reports/fake.py")
    monkeypatch.setattr(catalog, "find_report", lambda *_: empty)
    with pytest.raises(UserError, match=r"must hold `REPORT`.*reports/fake\.py"):
        write_report(of_wins({mirror(2): seats_of((0.5, 0.5), 100)}), tmp_path)


# --------------------------------------------------------------------------------------------------------- command line


def test_the_command_prints_one_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from simkit.cli import app

    run = of_wins({mirror(2): seats_of((0.6, 0.4), 200)})
    monkeypatch.setattr("simkit.store.Run.open", lambda _: run)
    result = CliRunner().invoke(app, ["report", str(tmp_path), "--json"])
    document = json.loads(result.stdout)
    assert document["report"] == str(tmp_path / "report" / "report.html")
    assert all(Path(file).is_file() for file in document["files"])
    assert {verdict["cell"] for verdict in document["verdicts"]} == {"0" * 12}
    quiet = CliRunner().invoke(app, ["report", str(tmp_path), "--quiet", "--out", str(tmp_path / "else")])
    assert (quiet.exit_code, quiet.stdout) == (0, "")
    told = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert told.stdout.splitlines()[0] == document["answer"][0]


def test_no_run_no_report(tmp_path: Path) -> None:
    from simkit.cli import app

    result = CliRunner().invoke(app, ["report", str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert re.search("found no folder", result.stderr)
