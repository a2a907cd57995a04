"""`simkit compare` as it is typed."""

from __future__ import annotations

import json
import shutil
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from typer.testing import CliRunner, Result

from simkit.cli import app
from simkit.compare import Match, plan_match, usual_games
from simkit.runner import run as play
from simkit.store import Run

TOY = Path(__file__).parent.parent / "toy"
SWEPT = """
game = "tentacolor"
players = 2
games = 400
seed = 4
line_ups = "mirror"
strategies = ["longest-run"]
[sweep]
"rules.sharks" = [4, 8]
"""
TWINS = """
import numpy as np
from simkit.strategy import Strategy

class Left(Strategy):
    '''Takes whatever comes first.'''

    def place(self, view):
        return np.zeros((len(view.options), view.n), np.uint8)

class Right(Left):
    '''The same by another name.'''
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("simkit.cli.progress.PATIENCE", 60)
    return tmp_path


@pytest.fixture
def toy(here: Path) -> Path:
    """The cooperative toy's folder as the current one."""
    for part in ("games", "strategies", "experiments"):
        shutil.copytree(TOY / part, here / part, ignore=shutil.ignore_patterns("__pycache__"))
    return here


def call(*words: str) -> Result:
    """The command."""
    return CliRunner().invoke(app, list(words))


def compared(*words: str) -> dict:
    """What the command says to programs."""
    result = call("compare", *words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


PLAYED = ("compare", "tentacolor", "spiteful", "random", "--games", "1500", "--players", "3", "--jobs", "1")

# ----------------------------------------------------------------------------------------------------------- strategies


def test_two_strategies_in_words(here: Path) -> None:
    result = call(*PLAYED)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    (folder,) = (here / "runs").iterdir()
    for said in (
        "Tentacolor: 3,000 games in 2 cells, seed 1, runs/compare-tentacolor-",
        "With 3 players: spiteful is better than random by at least 1 point; spiteful leads by +",
        "on 500 deals, the mean of 2 line-ups",
        "one spiteful among random",
        "one random among spiteful",
        "mean of 2 line-ups",
        "Intervals at 95 %; margin 1 point.",
        folder.name,
    ):
        assert said in result.stdout
    assert "\\x" not in result.stdout


def share_by_hand(run: Run, label: str, other: str) -> pd.DataFrame:
    """Per line-up and deal: win share per seat of one label, less that of the other, over all rotations."""
    seats = run.seats()
    by_label = seats.groupby(["cell", "deal", "label"], observed=True)["win"].mean().unstack("label") / 60
    return by_label.assign(lead=by_label[label] - by_label[other])


def test_shares_and_leads_are_those_of_the_rows(here: Path) -> None:
    document = compared("tentacolor", "spiteful", "longest-run", "--games", "600", "--players", "3", "--jobs", "1")
    by_deal = share_by_hand(Run.open(document["run"]), "spiteful", "longest-run")
    rows = {row["line_up"]: row for row in document["line_ups"]}
    leads = {}
    for cell in Run.open(document["run"]).cells:
        name = (
            "one spiteful among longest-run" if cell.labels.count("spiteful") == 1 else "one longest-run among spiteful"
        )
        own = by_deal.loc[cell.id]
        leads[name] = own["lead"].to_numpy()
        assert rows[name]["label_share"] == pytest.approx(own["spiteful"].mean())
        assert rows[name]["other_share"] == pytest.approx(own["longest-run"].mean())
        wanted = stats.ttest_1samp(own["lead"], 0).confidence_interval(0.95)
        assert (rows[name]["low"], rows[name]["high"]) == pytest.approx((wanted.low, wanted.high))
    wanted = stats.ttest_1samp(np.mean(list(leads.values()), axis=0), 0).confidence_interval(0.95)
    (verdict,) = document["verdicts"]
    assert (verdict["low"], verdict["high"], verdict["n_deals"]) == (
        pytest.approx(wanted.low), pytest.approx(wanted.high), 200,
    )  # fmt: skip
    assert (verdict["label"], verdict["other"], verdict["n_line_ups"]) == ("spiteful", "longest-run", 2)


def test_the_one_named_first_is_the_one_whose_lead_is_told(here: Path) -> None:
    there, back = (
        compared("tentacolor", *names, "--games", "2000", "--jobs", "1")["verdicts"][0]
        for names in (("spiteful", "longest-run"), ("longest-run", "spiteful"))
    )
    assert (there["label"], back["label"]) == ("spiteful", "longest-run")
    assert (back["value"], back["low"], back["high"]) == pytest.approx((-there["value"], -there["high"], -there["low"]))
    assert (there["verdict"], back["verdict"]) == ("better", "worse")
    assert there["ahead"] == back["ahead"] == "spiteful"
    assert len(list((here / "runs").iterdir())) == 1


def test_identical_strategies_differ_by_exactly_nothing(here: Path) -> None:
    """On every deal the same seat wins, whichever of the two sits there: 400 deals, and the exact bound 0.92 points."""
    (here / "twins.py").write_text(TWINS)
    names = ("twins.py:left", "twins.py:right")
    result = call("compare", "tentacolor", *names, "--games", "800", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert "strategy left: " in result.stdout
    assert "twins.py" in result.stdout
    (verdict,) = compared("tentacolor", *names, "--games", "800", "--jobs", "1")["verdicts"]
    assert (verdict["value"], verdict["verdict"], verdict["gain"]) == (0, "alike", None)
    assert verdict["high"] == pytest.approx(1 - 0.025 ** (1 / 400))


def test_three_strategies_have_a_ladder_and_divide_the_level(here: Path) -> None:
    names = ["random", "spiteful", "longest-run"]
    document = compared("tentacolor", *names, "--games", "200", "--players", "2", "--players", "3", "--jobs", "1")
    assert document["n_verdicts"] == len(document["verdicts"]) == 2 * len(list(combinations(names, 2)))
    assert document["level"] == pytest.approx(1 - 0.05 / 6)
    assert {row["level"] for row in document["verdicts"] + document["win_matrix"]} == {document["level"]}
    assert len(document["win_matrix"]) == 2 * 6
    assert [ladder["players"] for ladder in document["ladders"]] == [2, 3]
    assert {ladder["order"][-1]["label"] for ladder in document["ladders"]} == {"random"}
    told = call("compare", document["run"]).stdout
    assert "Intervals at 99.17 %, so that all 6 verdicts hold together at 95 %" in told
    assert "Win share, in %, of the row’s strategy in one seat among the column’s, with 2 players" in told


def test_cooperative_tables_play_the_same_deals(toy: Path) -> None:
    words = ("beacon", "watchful", "random", "--games", "600", "--players", "2", "--jobs", "1")
    document = compared(*words)
    run = Run.open(document["run"])
    assert [set(cell.labels) for cell in run.cells] == [{"watchful"}, {"random"}]
    ours, theirs = (run.column("games", "won", cell.id)[0].astype(float) for cell in run.cells)
    wanted = stats.ttest_rel(ours, theirs).confidence_interval(0.95)
    (row,) = document["line_ups"]
    assert (row["low"], row["high"]) == pytest.approx((wanted.low, wanted.high))
    gain = (ours.var(ddof=1) + theirs.var(ddof=1)) / (ours - theirs).var(ddof=1)
    assert row["gain"] == pytest.approx(gain)
    assert (row["label_share"], row["other_share"]) == pytest.approx((ours.mean(), theirs.mean()))
    assert document["verdicts"][0]["verdict"] == "better"
    assert document["win_matrix"] == []


def test_asking_again_plays_nothing(here: Path) -> None:
    first = compared(*PLAYED[1:])
    files = {path: path.stat().st_mtime_ns for path in (here / "runs").rglob("*.parquet")}
    again = compared(*PLAYED[1:], "--margin", "0.3")
    assert files == {path: path.stat().st_mtime_ns for path in (here / "runs").rglob("*.parquet")}
    assert again["verdicts"][0]["value"] == first["verdicts"][0]["value"]
    assert (first["margin"], again["margin"]) == (0.01, 0.3)


def test_the_folder_is_named_by_all_that_could_change_a_row(here: Path) -> None:
    """Not by how many games there are, nor by the order of names, so that more games extend the same run."""
    name = plan_match(Match("tentacolor", ["spiteful", "random"], games=100)).experiment.name
    same = (
        Match("tentacolor", ["spiteful", "random"], games=900),
        Match("Tentacolor", ["random", "spiteful"], players=[2], games=100, seed=1),
    )
    others = (
        Match("tentacolor", ["spiteful", "longest-run"], games=100),
        Match("tentacolor", ["spiteful", "random"], games=100, seed=2),
        Match("tentacolor", ["spiteful", "random"], games=100, players=[3]),
        Match("tentacolor", ["spiteful", "random"], games=100, rules={"rules.sharks": 2}),
    )
    assert {plan_match(match).experiment.name for match in same} == {name}
    assert len({plan_match(match).experiment.name for match in others} | {name}) == 5


def test_only_line_ups_in_which_strategies_meet_are_played(here: Path) -> None:
    plan = plan_match(Match("tentacolor", ["random", "spiteful", "blocker"], players=[2, 4]))
    assert {cell.seats for cell in plan.cells} == {2, 4}
    assert len(plan.cells) == 3 + 6
    assert all(len({entry.label for entry in cell.line_up}) == 2 for cell in plan.cells)
    assert all(1 in (labels.count(x) for x in labels) for labels in ([e.label for e in c.line_up] for c in plan.cells))


def test_slow_games_are_played_less_often() -> None:
    """Two line-ups of three seats at 8 rounds a game: 4 s at 100 us a turn are 4 / (1e-4 x 3 x 8 x 2) = 833 games."""
    assert usual_games(1e-8, 3, 2) == 100_000
    assert usual_games(1e-5, 3, 2) == 5_000
    assert usual_games(1e-4, 3, 2) == 1_000


def test_names_that_are_alike_in_two_files_are_told_apart(here: Path) -> None:
    (here / "old.py").write_text(TWINS)
    (here / "new.py").write_text(TWINS)
    plan = plan_match(Match("tentacolor", ["old.py:left", "new.py:left"], games=100))
    assert {entry.label for cell in plan.cells for entry in cell.line_up} == {"old.py:left", "new.py:left"}


def test_a_file_of_strategies_comes_first(here: Path) -> None:
    (here / "twins.py").write_text(TWINS)
    words = ("tentacolor", "left", "random", "--strategies", "twins.py", "--games", "100", "--jobs", "1")
    document = compared(*words)
    assert document["command"] == "simkit compare tentacolor left random --games 100 --strategies twins.py"
    assert document["verdicts"][0]["label"] == "left"


def test_the_fewest_players_play_if_nothing_is_said(here: Path) -> None:
    result = call("compare", "tentacolor", "spiteful", "random", "--games", "100", "--jobs", "1")
    assert "players: 2, the fewest" in result.stdout
    assert "With 2 players" in result.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("tentacolor",), "at least two strategies; found none"),
        (("tentacolor", "spiteful"), "at least two strategies; found spiteful"),
        (("tentacolor", "spiteful", "random", "spiteful"), "named once; found `spiteful` twice"),
        (("tentacolor", "spitefull", "random"), "did you mean `spiteful`?"),
        (("tentacolr", "spiteful", "random"), "unknown game `tentacolr`; did you mean `tentacolor`?"),
        (("tentacolor", "spiteful", "random", "--players", "7"), "`--players` must be one of 2, 3, 4"),
        (("tentacolor", "spiteful", "random", "--margin", "0"), "`--margin` must lie between 0 and 1"),
        (("tentacolor", "spiteful", "random", "--margin", "1"), "`--margin` must lie between 0 and 1"),
        (("tentacolor", "spiteful", "random", "--margin", "nan"), "`--margin` must lie between 0 and 1"),
        (("tentacolor", "spiteful", "random", "--games", "0"), "`games`"),
        (("tentacolor", "spiteful", "random", "--set", "rules.shark=2"), "did you mean `sharks`?"),
        (("tentacolor", "spiteful", "random", "--set", "games=2"), "must have the form rules.NAME=VALUE"),
        (("tentacolor", "spiteful", "random", "--by", "rules.sharks"), "`--by` compares cells of a run"),
        (("tentacolor", "nowhere.py:bold", "random"), "found no"),
        (("runs/nowhere",), "found no folder runs/nowhere"),
        (("nowhere",), "found no folder nowhere"),
    ],
)
def test_mistakes_are_one_message(here: Path, words: tuple[str, ...], problem: str) -> None:
    result = call("compare", *words)
    assert result.exit_code == 2, result.output
    assert problem in result.stderr
    assert result.stdout == ""
    assert not (here / "runs").exists()


def test_ctrl_c_says_how_to_go_on(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("simkit.runner.run", broken_off)
    result = call(*PLAYED, "--set", "rules.sharks=2")
    assert result.exit_code == 130
    command = "simkit compare tentacolor spiteful random --players 3 --games 1500 --set rules.sharks=2"
    assert f"to go on: {command}\n" in result.stderr


# ---------------------------------------------------------------------------------------------------- settings and runs


def swept(here: Path, folder: str = "runs", text: str = SWEPT) -> str:
    """A run with two settings."""
    (here / "sharks.toml").write_text(text)
    result = call("run", "sharks.toml", "--runs", folder, "--jobs", "1", "--quiet")
    assert result.exit_code == 0, result.output
    return f"{folder}/sharks"


def test_what_a_rule_changes(here: Path) -> None:
    """From the rows alone: the first seat's wins and the turns, deal by deal, at the level of two verdicts."""
    path = swept(here)
    document = compared(path, "--by", "rules.sharks")
    assert (document["comparison"], document["paired"], document["n_verdicts"]) == ("settings", True, 2)
    run = Run.open(path)
    base, other = run.cells
    assert (base.rules["sharks"], other.rules["sharks"]) == (4, 8)
    rows = {row["measure"]: row for row in document["differences"]}
    before, after = (run.column("seats", "win", cell.id)[0, 0] / 60 for cell in (base, other))
    turns = [run.column("games", "n_turns", cell.id)[0].astype(float) for cell in (base, other)]
    for measure, a, b in (("win share of seat 1", before, after), ("mean turns", *turns)):
        wanted = stats.ttest_rel(b, a).confidence_interval(1 - 0.05 / 2)
        assert (rows[measure]["low"], rows[measure]["high"]) == pytest.approx((wanted.low, wanted.high))
        assert rows[measure]["gain"] == pytest.approx((a.var(ddof=1) + b.var(ddof=1)) / (b - a).var(ddof=1))
    told = call("compare", path, "--by", "rules.sharks").stdout
    for said in ("what rules.sharks changes, on the same deals (seed 4)", "sharks = 8", "win share of seat 2"):
        assert said in told


def test_before_and_after_a_strategys_file_is_changed(here: Path) -> None:
    """The changed file makes another run; line-ups that it does not sit in are identical."""
    (here / "mine.py").write_text(TWINS)
    words = ("tentacolor", "mine.py:left", "random", "longest-run", "--games", "400", "--jobs", "1")
    before = compared(*words)
    changed = TWINS.replace("np.zeros((len(view.options), view.n), np.uint8)", "view.after()[0]")
    assert changed != TWINS
    (here / "mine.py").write_text(changed)
    after = compared(*words)
    assert before["run"] != after["run"]
    document = compared(before["run"], after["run"])
    assert document["identical"] == [{"cell": "2 players, longest-run – random", "n_deals": 200}]
    shares = {row["measure"]: row for row in document["differences"] if row["line_up"] == "left – random"}
    assert shares["win share of left"]["value"] > 0
    assert shares["win share of left"]["verdict"] in ("rises", "undecided")
    assert shares["win share of left"]["value"] == pytest.approx(-shares["win share of random"]["value"])
    told = call("compare", before["run"], after["run"]).stdout
    assert "identical on 200 deals: 2 players, longest-run – random" in told


def test_a_run_is_identical_to_itself_played_again(here: Path) -> None:
    first, second = swept(here), swept(here, "again")
    document = compared(first, second)
    assert [entry["n_deals"] for entry in document["identical"]] == [400, 400]
    assert document["differences"] == []
    assert document["only_first"] == document["only_second"] == []
    assert call("compare", first, second).exit_code == 0


def test_another_seed_is_another_sample(here: Path) -> None:
    """Negative control: nothing is identical, and the interval is Welch's."""
    first, second = swept(here), swept(here, "again", SWEPT.replace("seed = 4", "seed = 5"))
    document = compared(first, second)
    assert (document["paired"], document["identical"]) == (False, [])
    a, b = (Run.open(path).column("seats", "win", Run.open(path).cells[0].id)[0, 0] / 60 for path in (first, second))
    wanted = stats.ttest_ind(b, a, equal_var=False).confidence_interval(document["level"])
    row = next(row for row in document["differences"] if row["measure"] == "win share of seat 1")
    assert (row["low"], row["high"], row["gain"]) == (pytest.approx(wanted.low), pytest.approx(wanted.high), None)
    assert "unpaired: other seeds (4 and 5)" in call("compare", first, second).stdout


def test_cells_that_only_one_has_are_listed(here: Path) -> None:
    first, second = swept(here), swept(here, "again", SWEPT.replace("[4, 8]", "[4, 6]"))
    document = compared(first, second)
    assert len(document["identical"]) == len(document["only_first"]) == len(document["only_second"]) == 1
    told = call("compare", first, second).stdout
    assert f"only in {first}: 2 players, sharks = 8" in told
    assert f"only in {second}: 2 players, sharks = 6" in told


def test_mistakes_about_runs_are_one_message(here: Path) -> None:
    path = swept(here)
    unfinished = here / "runs" / "unfinished"
    shutil.copytree(here / path, unfinished)
    manifest = json.loads((unfinished / "manifest.json").read_text())
    (unfinished / "manifest.json").write_text(json.dumps(manifest | {"complete": False}))
    for words, problem in {
        (path,): "to compare strategies a run must hold a line-up in which two strategies meet",
        (path, "--by", "rules.shark"): "did you mean `rules.sharks`",
        (path, "--by", "players"): "do not share; found `players`",
        (path, path, "--by", "rules.sharks"): "`--by` compares cells of one run",
        (path, path, path): "one run or two can be compared; found 3",
        (path, "--games", "5"): "`--games` is for strategies that are yet to play",
        (path, "--players", "2"): "`--players` is for strategies that are yet to play",
        (path, "elsewhere"): "found no folder elsewhere",
        ("runs/unfinished",): "must be finished",
        (path, "runs/unfinished"): "must be finished",
    }.items():
        result = call("compare", *words)
        assert result.exit_code == 2, (words, result.output)
        assert problem in result.stderr
        assert result.stdout == ""


def test_games_of_two_kinds_are_not_compared(toy: Path) -> None:
    path = swept(toy)
    play(plan_match(Match("beacon", ["watchful", "random"], games=20)), toy / "runs" / "other", jobs=1)
    result = call("compare", path, "runs/other")
    assert result.exit_code == 2
    assert (
        "must be of one game to be compared; found tentacolor in runs/sharks and beacon in runs/other" in result.stderr
    )


# -------------------------------------------------------------------------------------------------------- documentation


def keys_of(value: object) -> set[str]:
    """Every key of a document, however deep."""
    if isinstance(value, dict):
        return set(value) | {key for inner in value.values() for key in keys_of(inner)}
    return {key for inner in value for key in keys_of(inner)} if isinstance(value, list) else set()


def test_every_key_of_the_documents_is_told(here: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "compare.md").read_text(encoding="utf-8")
    first, second = swept(here), swept(here, "again", SWEPT.replace("seed = 4", "seed = 5"))
    documents = [compared(*PLAYED[1:]), compared(first, "--by", "rules.sharks"), compared(first, second)]
    documents.append(compared(first, swept(here, "third")))
    keys = keys_of(documents)
    assert len(keys) > 50
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []
