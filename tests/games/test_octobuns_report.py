"""Octobuns' report: every number is that of the games, worked out again from the rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from simkit import catalog
from simkit.experiment import StrategySpec
from simkit.games.octobuns import GAME
from simkit.games.octobuns.rules import Rules
from simkit.report import Part, Table, write_report
from simkit.report.cells import value_name
from simkit.report.study import Study
from simkit.strategy import Epsilon
from tests.fake_run import FakeRun, played

OCTOBUNS: Any = catalog.find_report("octobuns")
NEAREST = ("nearest-order", catalog.load_strategy(StrategySpec(name="nearest-order"), "octobuns"))
SMALL, LARGE = (str(GAME.components[f"{size}_orders"].value[0]["name"]) for size in ("small", "large"))
BRIEF = {"orders_to_end": 1}
"""Games that are soon over."""
BASE, WITH_SMALL, WITH_LARGE, WITH_ICON = "aa" * 6, "bb" * 6, "cc" * 6, "dd" * 6
GIFTS = {
    BASE: {},
    WITH_SMALL: {"given_order": SMALL},
    WITH_LARGE: {"given_order": LARGE},
    WITH_ICON: {"given_icon": "supply"},
}
N = 128

pytestmark = pytest.mark.xdist_group("octobuns_report")  # the games are played once


@pytest.fixture(scope="module")
def run() -> FakeRun:
    """Two players, with and without a gift."""
    return played(GAME, {cell: (BRIEF | rules, [NEAREST] * 2) for cell, rules in GIFTS.items()}, N)


@pytest.fixture(scope="module")
def study(run: FakeRun) -> Study:
    return Study.of(run, OCTOBUNS.REPORT.names)


def tables_of(part: Part | None) -> dict[str, pd.DataFrame]:
    """A section's tables, in full."""
    assert part is not None
    return {block.name: block.data for block in part.blocks if isinstance(block, Table)}


def seats(run: FakeRun, cell: str = BASE) -> pd.DataFrame:
    """A row per seat and game."""
    columns = {name: run.column("seats", name, cell) for table, name, c in run.columns if (table, c) == ("seats", cell)}
    rotations, n_seats, n = next(iter(columns.values())).shape
    keys = np.indices((rotations, n_seats, n)).reshape(3, -1)
    rows = dict(zip(("rotation", "seat", "deal"), keys, strict=True))
    return pd.DataFrame(rows | {name: values.reshape(-1).astype(float) for name, values in columns.items()})


# ------------------------------------------------------------------------------------------------------------- quick


def test_a_gift_is_worth_the_difference_on_the_same_deals(run: FakeRun, study: Study) -> None:
    part = OCTOBUNS.GIFTS(study)
    table = tables_of(part)["head_starts"].set_index(["gift", "measure"])
    first = {cell: seats(run, cell).query("seat == 0").set_index("deal") for cell in GIFTS}
    for cell, gift in ((WITH_SMALL, SMALL), (WITH_LARGE, LARGE), (WITH_ICON, "an icon (supply)")):
        for measure, column, unit in (("win share of seat 1", "win", 60), ("coins of seat 1", "coins", 1)):
            after, before = (first[name][column] / unit for name in (cell, BASE))
            wanted = stats.ttest_rel(after, before).confidence_interval(0.95)
            row = table.loc[gift, measure]
            assert row["value"] == pytest.approx((after - before).mean())
            assert (row["low"], row["high"]) == pytest.approx((wanted.low, wanted.high))
    kinds = tables_of(part)["head_start_kinds"].set_index(["kind", "measure"])["value"]
    apart = first[WITH_LARGE]["coins"].mean() - first[WITH_SMALL]["coins"].mean()
    assert kinds["large orders less small orders", "coins of seat 1"] == pytest.approx(apart)
    assert kinds["small orders", "coins of seat 1"] == pytest.approx(table.loc[(SMALL, "coins of seat 1"), "value"])
    assert any("The gift that adds most is " in sentence for sentence in part.answer)


def test_seats_are_told_apart_by_the_orders_that_they_completed(run: FakeRun, study: Study) -> None:
    table = tables_of(OCTOBUNS.BY_MIX(study))["orders_mix"]
    mine = table[table["setting"] == table["setting"].iloc[0]].set_index(["kind", "measure"])
    rows = seats(run).assign(done=lambda f: f["n_small"] + f["n_large"])
    for kind, own in (
        ("1 small, 0 large", rows[(rows["done"] >= 1) & (rows["n_large"] == 0)]),
        ("fewer than 1, none large", rows[(rows["done"] < 1) & (rows["n_large"] == 0)]),
    ):
        assert mine.loc[(kind, "share of seats"), "value"] == pytest.approx(len(own) / len(rows))
        assert mine.loc[(kind, "win share"), "value"] == pytest.approx(own["win"].mean() / 60)
        assert mine.loc[(kind, "score"), "value"] == pytest.approx(own["coins"].mean())
    assert mine.xs("share of seats", level="measure")["value"].sum() == pytest.approx(1)


def test_games_go_as_their_rows_say(run: FakeRun, study: Study) -> None:
    table = tables_of(OCTOBUNS.HOW_GAMES_GO(study))["games"]
    mine = table[table["cell"] == BASE].set_index("measure")["value"]
    coins = seats(run).pivot(index="deal", columns="seat", values="coins")
    first, win = run.column("games", "first_done", BASE)[0], run.column("seats", "win", BASE)[0]
    assert mine["rounds"] == pytest.approx(np.ceil(run.column("games", "n_turns", BASE) / 2).mean())
    assert mine["coins of a seat"] == pytest.approx(coins.to_numpy().mean())
    assert mine["winning coins"] == pytest.approx(coins.max(axis=1).mean())
    assert mine["winner’s margin"] == pytest.approx((coins[0] - coins[1]).abs().mean())
    finished = first < 2
    assert mine["first to finish wins"] == pytest.approx(win[first[finished], finished.nonzero()[0]].sum() / 60 / N)
    assert mine["buns run out"] == pytest.approx(run.column("games", "stock_out", BASE).mean())
    assert mine["rebuilds"] == pytest.approx(run.column("games", "n_rebuilds", BASE).mean())


def test_completed_orders_add_up_to_the_rows(run: FakeRun, study: Study) -> None:
    table = tables_of(OCTOBUNS.COMPLETED(study))["orders"]
    mine, rows = table[(table["cell"] == BASE) & (table["per"] == "game")], seats(run)
    assert mine["n_events"].sum() == (rows["n_small"] + rows["n_large"]).sum()
    assert mine.groupby("how", observed=True)["n_events"].sum()["reserved"] == rows["n_from_reserve"].sum()
    of_small = mine["order"].astype(str).str.startswith(tuple(f"{o.name}: " for o in rules_of().small_orders))
    assert mine.loc[of_small, "n_events"].sum() == rows["n_small"].sum()


def rules_of(**changed: object) -> Rules:
    return GAME.rules(**GAME.components.values_with(changed))


def test_the_words_of_the_report_fit_the_rules() -> None:
    rules = rules_of(icons="none")
    assert OCTOBUNS.kind_of(rules, SMALL) == "small"
    assert OCTOBUNS.icon_name(rules, SMALL) == ""
    assert len(OCTOBUNS.mixes_of(rules)) == rules.orders_to_end + 5
    kinds = OCTOBUNS.mix_of(rules, np.array([5, 2, 0, 1]), np.array([0, 3, 6, 3]))
    assert [OCTOBUNS.mixes_of(rules)[kind] for kind in kinds] == [
        *("5 small, 0 large", "2 small, 3 large", "0 small, 5 large", "fewer than 5, three or more large"),
    ]
    waits, acts = GAME.tallies[4], GAME.tallies[0]
    assert len(OCTOBUNS.wait_names(rules)) == waits.keys[2].size
    assert len(OCTOBUNS.round_names(rules)) == acts.keys[0].size
    assert len(OCTOBUNS.act_names(rules)) == len(acts.keys[2].labels)


def test_every_reading_has_a_name_of_its_own() -> None:
    words: list[str] = []
    for name, entry in GAME.components.items():
        if entry.alternatives and entry.swept and entry.tag != "rulebook":
            for value in (entry.value, *entry.alternatives):
                words.append(value_name(f"rules.{name}", value, OCTOBUNS.REPORT.names))
                assert " = " not in words[-1]
    assert len(set(words)) == len(words)


# -------------------------------------------------------------------------------------------------------------- slow


@pytest.mark.slow
def test_cards_come_and_go_as_the_rows_say(run: FakeRun, study: Study) -> None:
    found, rows = tables_of(OCTOBUNS.FLOW(study)), seats(run)
    flow, leaving, waits = (
        table[(table["cell"] == BASE) & (table["per"] == "game")]
        for table in (found[n] for n in ("flow", "leaving", "waits"))
    )
    came = flow.groupby("way", observed=True)["n_events"].sum()
    columns = {
        "open": "n_taken",
        "tentacle": "n_extra_tentacles",
        "supply": "n_supply_takes",
        "exchange": "n_exchanges",
    }
    assert {way: came[way] for way in columns} == {way: rows[column].sum() for way, column in columns.items()}
    gone = leaving.groupby("how", observed=True)["n_events"].sum()
    assert gone["bun"] == 2 * rows["n_buns_made"].sum()
    assert gone["exchanged"] == rows["n_exchanges"].sum()
    assert came.sum() + rows["n_buns_made"].sum() - gone.sum() == (rows["cards_left"] + rows["buns_left"]).sum()
    taken = waits.groupby("how", observed=True)["n_events"].sum()
    assert taken["completed"] == (rows["n_small"] + rows["n_large"] - rows["n_from_reserve"]).sum()
    assert taken["roped in"] == (rows["n_rope_ins"] + rows["n_extra_rope_ins"] - rows["n_blind"]).sum()


@pytest.mark.slow
def test_what_is_done_when_adds_up(run: FakeRun, study: Study) -> None:
    table = tables_of(OCTOBUNS.WHEN(study))["acts"]
    done = table[(table["cell"] == BASE) & (table["per"] == "game")].groupby("act", observed=True)["n_events"].sum()
    rows = seats(run)
    assert done["take"] == rows["n_taken"].sum()
    assert done["rope in"] == rows["n_rope_ins"].sum()
    assert done["complete an order"] == (rows["n_small"] + rows["n_large"]).sum()
    assert done["bonus"] == rows[["n_extra_rope_ins", "n_extra_tentacles", "n_supply_takes"]].sum().sum()


@pytest.mark.slow
def test_the_page_shows_every_section_and_names_as_they_are(tmp_path: Path) -> None:
    odd = '<i>"Guest" & Co'
    orders = [dict(order) for order in GAME.components["small_orders"].value]
    orders[0]["name"] = odd
    rules = BRIEF | {"small_orders": orders}
    cells = {BASE: (rules, [NEAREST] * 2), WITH_SMALL: (rules | {"given_order": odd}, [NEAREST] * 2)}
    files = {path.name: path for path in write_report(played(GAME, cells, N), tmp_path)}
    page = files["report.html"].read_text()
    assert odd not in page
    assert "&lt;i&gt;&#34;Guest&#34; &amp; Co" in page
    told = json.loads(files["report.json"].read_text())
    assert told["tables"]["head_starts"][0]["gift"] == odd
    for heading in (
        *("What an order card or an icon is worth", "Verdicts", "Win shares by seat", "Coins and orders, by strategy"),
        *("Where coins come from", "Small orders or large ones", "How games go", "Length of a game"),
        *("Which orders are completed", "The market: what comes, what goes, what waits", "What is done when"),
        *("Buns, and what is left at the end", "What seats do with their turns", "How games end"),
    ):
        assert f">{heading}<" in page
    assert "How much each open question matters" not in page


@pytest.mark.slow
def test_each_reading_is_set_against_the_default_on_the_same_deals(tmp_path: Path) -> None:
    settings = {BASE: {}, "bb" * 6: {"used_cards": "stay"}, "cc" * 6: {"bends": False}}
    careless = ("careless", Epsilon(NEAREST[1], p=0.5))
    cells = {cell: (BRIEF | rules, [NEAREST] * 2) for cell, rules in settings.items()}
    cells |= {cell[:6] + "00" * 3: (BRIEF | rules, [NEAREST, careless]) for cell, rules in settings.items()}
    run = played(GAME, cells, N)
    part = OCTOBUNS.READ_OTHERWISE(Study.of(run, OCTOBUNS.REPORT.names))
    table = tables_of(part)["sensitivity"].set_index(["setting", "measure"])
    coins = {cell: seats(run, cell).groupby("deal")["coins"].mean() for cell in settings}
    wanted = stats.ttest_rel(coins["bb" * 6], coins[BASE]).confidence_interval(1 - 0.05 / 2)
    row = table.loc["used cards stay", "coins of a seat"]
    assert (row["low"], row["high"]) == pytest.approx((wanted.low, wanted.high))
    lead = table.loc["used cards stay", "lead of nearest-order over careless"]
    win = seats(run, "bb" * 3 + "00" * 3).assign(ours=lambda f: (f["seat"] + f["rotation"]) % 2 == 0)
    means = win.groupby("ours")["win"].mean() / 60
    assert lead["value"] == pytest.approx(means[True] - means[False])
    assert any(
        "nearest-order over careless" in sentence
        for block in part.blocks
        if block.kind == "text"
        for sentence in block.sentences
    )


@pytest.mark.slow
def test_the_only_other_setting_is_told_by_name() -> None:
    cells = {BASE: (BRIEF, [NEAREST] * 2), "bb" * 6: (BRIEF | {"used_cards": "stay"}, [NEAREST] * 2)}
    part = OCTOBUNS.READ_OTHERWISE(Study.of(played(GAME, cells, 100), OCTOBUNS.REPORT.names))
    moved, verdicts = part.blocks[0].sentences[-2:]
    table = tables_of(part)["sensitivity"].set_index("measure")
    assert moved.startswith("Used cards stay changes: ")
    coins = table.loc["coins of a seat", "value"]
    assert coins > 0
    assert f"coins of a seat +{coins:.2f}" in moved
    assert "others" not in verdicts


@pytest.mark.slow
def test_coins_have_sources_while_a_bun_is_a_coin(run: FakeRun, study: Study) -> None:
    table = tables_of(OCTOBUNS.coins(study))["sources"]
    mine = table[table["setting"] == table["setting"].iloc[0]].set_index("source")["value"]
    assert mine.drop("in all").sum() == pytest.approx(mine["in all"])
    assert mine["in all"] == pytest.approx(seats(run)["coins"].mean())
    dear = played(GAME, {BASE: (BRIEF | {"coins_per_bun": 2}, [NEAREST] * 2)}, 64)
    assert OCTOBUNS.coins(Study.of(dear, OCTOBUNS.REPORT.names)) is None
