"""Tentacle Town's report: every number is that of the games, the exact ones those of the dice."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from simkit.games.tentacle_town import GAME
from simkit.games.tentacle_town.rules import CARDS
from simkit.report import write_report
from simkit.strategy import Never, Random
from tests.fake_run import FakeRun, played

ROUGH = ("random", Random())
MILD = ("mild", Never(Random(), {"defend_building": ("fire",), "defend_resident": ("fire",)}))
ARROWLESS = [1, 1, 2, 1, 1]
SETS = (("bake_pie", "squid_bake", "declaw_crabs"), ("bake_pie", "hire_movers", "declaw_crabs"),
        ("hire_movers", "squid_bake", "declaw_crabs"))  # fmt: skip
N = 600


pytestmark = pytest.mark.xdist_group("town_report")  # the games are played and told once


def report_of(run: FakeRun, folder: Path) -> tuple[dict[str, pd.DataFrame], dict, str]:
    """Tables, document and page."""
    files = {path.name: path for path in write_report(run, folder)}
    tables = {name.removesuffix(".csv"): pd.read_csv(path) for name, path in files.items() if name.endswith(".csv")}
    return tables, json.loads(files["report.json"].read_text()), files["report.html"].read_text()


@pytest.fixture(scope="module")
def fought() -> FakeRun:
    """All alike, with and without defence."""
    return played(GAME, {"aa" * 6: ({}, [ROUGH] * 3), "bb" * 6: ({}, [MILD] * 3)}, N)


@pytest.fixture(scope="module")
def attack(fought: FakeRun, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, pd.DataFrame], dict, str]:
    return report_of(fought, tmp_path_factory.mktemp("attack"))


def test_dice_do_what_can_be_computed_unless_harpoons_are_fired(attack) -> None:
    tables, _, page = attack
    means = tables["attack_means"].set_index(["defence", "dice", "effect"])
    faces = {"killed": 1, "fled": 2, "destroyed": 2, "added": 1}
    for (_, dice, effect), row in means.iterrows():
        assert row["exact"] == pytest.approx(dice * faces[effect] / 6)
    sure = means[~means["few_cases"]]
    without = sure.loc["nobody fires in defence"]
    wide = 2.5 * (without["high"] - without["value"])  # far more than all of them at once need
    assert ((without["value"] - without["exact"]).abs() <= wide).all()
    fired = sure.loc["harpoons are fired in defence"].loc[1]
    assert (fired.loc[["killed", "destroyed"], "high"] < fired.loc[["killed", "destroyed"], "exact"]).all()
    assert re.search(r"of \d+ intervals \d+ hold the exact value", page)


def test_shares_are_exact_binomials(attack) -> None:
    shares = attack[0]["attack_outcomes"]
    killed = shares[(shares["effect"] == "killed") & (shares["dice"] == 3)]
    assert killed["exact"].tolist() == pytest.approx([*stats.binom.pmf(range(4), 3, 1 / 6)] * 2)
    assert (shares["number"] <= shares["dice"]).all()
    totals = shares.groupby(["defence", "dice", "effect"])[["exact", "value"]].sum()
    assert totals.to_numpy() == pytest.approx(1)


def test_the_question_of_the_attack_is_answered_first(attack) -> None:
    answer = attack[1]["answer"]
    assert answer[0].startswith("With plenty of targets and without defence each die kills 0.167 residents")
    assert answer[1].startswith("With 3 players")


def test_fame_is_the_sum_of_its_sources(fought: FakeRun, attack) -> None:
    table = attack[0]["sources"]
    for cell, label in (("aa" * 6, "random"), ("bb" * 6, "mild")):
        mine = table[table["label"] == label].set_index("source")
        assert mine.loc["in all", "value"] == pytest.approx(fought.column("seats", "fame", cell).mean())
        assert mine.loc["majorities", "value"] == pytest.approx(fought.column("seats", "from_majority", cell).mean())
        parts = mine.drop("in all")
        assert (parts["value"] * parts["sign"]).sum() == pytest.approx(mine.loc["in all", "value"])
    deals = fought.column("seats", "fame", "aa" * 6)[0].mean(axis=0)
    wanted = stats.ttest_1samp(deals, 0).confidence_interval(0.95)
    row = table[(table["label"] == "random") & (table["source"] == "in all")].iloc[0]
    assert row["high"] - row["low"] == pytest.approx(wanted.high - wanted.low, rel=0.35)


def test_harpoons_hit_as_often_as_the_rules_say(fought: FakeRun, attack) -> None:
    table = attack[0]["harpoons"].set_index(["label", "measure"])
    fired, hit, saved = (
        fought.column(*name, "aa" * 6) for name in (("seats", "n_fired"), ("seats", "n_hit"), ("games", "n_saved"))
    )
    hits = table.loc[("random", "hits")]
    assert hits["value"] == pytest.approx(hit.sum() / fired.sum())
    assert hits["low"] < 0.5 < hits["high"]
    rescued = [table.loc[("random", f"{what} saved per game"), "value"] for what in ("buildings", "residents")]
    assert sum(rescued) == pytest.approx(saved.mean() / 3)
    assert table.loc[("mild", "buildings saved per game"), "value"] == 0


def test_every_turn_has_one_work(attack) -> None:
    table = attack[0]["tasks"]
    work = table[table["how"] == "work"]
    assert work.groupby("label")["value"].sum().tolist() == pytest.approx([1, 1])
    assert work["n_events"].sum() == work.drop_duplicates("label")["n"].sum()


def test_danger_adds_up_to_the_games_columns(fought: FakeRun, attack) -> None:
    table = attack[0]["events_by_district"]
    mine = table[(table["cell"] == "aa" * 6) & (table["per"] == "game")].groupby("event")["value"].sum()
    for event, column in (
        ("killed", "n_killed"),
        ("fled", "n_fled"),
        ("destroyed", "n_destroyed"),
        ("attacks", "n_turns"),
    ):
        assert mine[event] == pytest.approx(fought.column("games", column, "aa" * 6).mean())
    when = attack[0]["events"]
    there = when[(when["cell"] == "aa" * 6) & (when["per"] == "attack there") & (when["event"] == "killed")]
    assert there["n_events"].sum() == fought.column("games", "n_killed", "aa" * 6).sum()


def test_sections_that_do_not_apply_are_not_there(attack) -> None:
    assert "What task cards are worth" not in attack[2]
    assert "Other faces on the die" not in attack[2]


@pytest.mark.slow
def test_what_a_card_is_worth_is_a_difference_on_the_same_deals_and_not_its_use(tmp_path: Path) -> None:
    cells = {f"{i:012x}": ({"cards": list(cards)}, [ROUGH] * 3) for i, cards in enumerate(SETS)}
    run = played(GAME, cells, N)
    tables, document, page = report_of(run, tmp_path)
    table = tables["effects"].set_index(["feature", "measure"])
    fame = [run.column("seats", "fame", cell).sum(axis=1)[0].astype(float) for cell in cells]
    wanted = stats.ttest_rel((fame[0] + fame[1]) / 2, fame[2])
    pie = table.loc[("bake pie", "fame of all seats")]
    assert pie["value"] == pytest.approx(((fame[0] + fame[1]) / 2 - fame[2]).mean())
    interval = wanted.confidence_interval(0.95)
    assert (pie["low"], pie["high"]) == pytest.approx((interval.low, interval.high))
    best = [run.column("seats", "fame", cell).max(axis=1)[0].astype(float) for cell in cells]
    assert table.loc[("bake pie", "winning fame"), "value"] == pytest.approx(((best[0] + best[1]) / 2 - best[2]).mean())
    used, win = (
        np.concatenate([run.column("seats", name, cell)[0] for cell in list(cells)[:2]])
        for name in ("cards_used", "win")
    )
    bit = (used >> CARDS.index("bake_pie") & 1).astype(bool)
    assert table.loc[("bake pie", "wins of users"), "value"] == pytest.approx((win[bit].mean() - win[~bit].mean()) / 60)
    assert "declaw crabs" not in set(tables["effects"]["feature"])  # never out of play: nothing to compare with
    assert document["answer"][0].startswith("The card that adds most to a game is ")
    assert "Use misleads" in document["answer"][0]
    assert "What task cards are worth" in page


@pytest.mark.slow
def test_a_card_put_in_and_left_out_is_worth_the_difference(tmp_path: Path) -> None:
    """`card_in`, `card_out` and all other luck as it was."""
    cells = {"aa" * 6: ({"card_in": "bake_pie"}, [ROUGH] * 3), "bb" * 6: ({"card_out": "bake_pie"}, [ROUGH] * 3)}
    run = played(GAME, cells, N)
    table = report_of(run, tmp_path)[0]["effects"].set_index(["feature", "measure"])
    fame = [run.column("seats", "fame", cell).sum(axis=1)[0].astype(float) for cell in cells]
    assert table.loc[("bake pie", "fame of all seats"), "value"] == pytest.approx((fame[0] - fame[1]).mean())
    assert set(table.index.get_level_values(0)) == {"bake pie"}


@pytest.mark.slow
def test_other_faces_are_compared_on_the_same_deals(tmp_path: Path) -> None:
    cells = {"aa" * 6: ({}, [ROUGH] * 3), "bb" * 6: ({"die": ARROWLESS}, [ROUGH] * 3)}
    run = played(GAME, cells, N)
    tables, document, page = report_of(run, tmp_path)
    changes = tables["what_if_changes"].set_index("measure")
    for measure, column in (("turns", "n_turns"), ("residents fled", "n_fled"), ("buildings destroyed", "n_destroyed")):
        before, after = (run.column("games", column, cell)[0].astype(float) for cell in cells)
        wanted = stats.ttest_rel(after, before).confidence_interval(0.95)
        row = changes.loc[measure]
        assert row["setting"] == "a blank instead of an arrow"
        assert (row["low"], row["high"]) == pytest.approx((wanted.low, wanted.high))
    assert document["answer"][0].startswith("What moves fame of all seats most")
    assert "the assumed die" in page
    means = tables["attack_means"].set_index(["die", "dice", "effect"])["exact"]
    assert means["a blank instead of an arrow", 1, "fled"] == pytest.approx(1 / 6)
    assert means["the assumed die", 1, "fled"] == pytest.approx(2 / 6)


@pytest.mark.slow
def test_line_ups_of_several_strategies_are_told_by_strategy(tmp_path: Path) -> None:
    run = played(GAME, {"aa" * 6: ({}, [ROUGH, MILD])}, 300)
    tables, document, _ = report_of(run, tmp_path)
    fame = run.column("seats", "fame", "aa" * 6)
    table = tables["sources"].set_index(["label", "source"])["value"]
    assert table["random", "in all"] == pytest.approx((fame[0, 0].mean() + fame[1, 1].mean()) / 2)
    assert table["mild", "in all"] == pytest.approx((fame[0, 1].mean() + fame[1, 0].mean()) / 2)
    assert set(tables["tasks"]["label"]) == {"random", "mild"}
    assert "beats" in document["answer"][0]
