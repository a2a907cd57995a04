"""Sections for cooperative games: every number is that of the rows, and what does not apply is not there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from simkit.components import Component
from simkit.game import Column, Key, Tally
from simkit.report import Report, Study, sections
from simkit.report.blocks import Part, Picture, Table, Text
from simkit.report.build import page
from simkit.report.sections import Circumstance, Clock, Features, Losses, Mark, Mix, Scale
from simkit.report.sections.over_time import told_turns
from simkit.report.words import SPACE
from tests.cooperative import made_up
from tests.fake_run import FakeRun, fake_game

N = 400
FOE = Component(value="imp", tag="rulebook", source="", meaning="who is met", alternatives=["ogre", "dragon"])
FOG = Component(value=1, tag="assumed", source="", meaning="how thick", alternatives=[2])
SPELL = Component(value="", tag="rulebook", source="", meaning="that is in", alternatives=[])
WAYS = ("nothing", "dice", "cards")
NAMES = {"rules.foe": {"imp": "the imp", "ogre": "the ogre", "dragon": "the dragon"}}


def coast() -> SimpleNamespace:
    """A game whose tables win, burn out or are wrecked."""
    game = fake_game(cooperative=True, causes=("saved", "burnt", "wrecked"), foe=FOE, fog=FOG, spell=SPELL)
    game.columns = (
        Column("way", "uint8", "", "what was under way", labels=WAYS),
        Column("oil", "uint8", "oil", "left"),
    )
    game.seat_columns = (Column("spells", "uint8", "bit mask", "used"),)
    part = Key("part", 2, labels=("day", "night"))
    kind = Key("kind", 3, labels=("row", "sail", "rest"))
    game.tallies = (Tally("deeds", (part, kind, Key("how", 2, labels=("free", "paid"))), "deeds"),)
    return game


def met(foe: str, **rules: object) -> tuple[dict[str, object], tuple[str, ...]]:
    return {"foe": foe} | rules, ("a", "a")


@pytest.fixture(scope="module")
def run() -> FakeRun:
    cells = {foe * 3: met(foe) for foe in ("imp", "ogre", "dragon")}
    return made_up(coast(), cells, N, {"imp" * 3: 0.7, "ogre" * 3: 0.5, "dragon" * 3: 0.2})


@pytest.fixture(scope="module")
def study(run: FakeRun) -> Study:
    return Study.of(run, NAMES)


def table_of(part: Part | None, name: str) -> pd.DataFrame:
    assert part is not None
    (found,) = (block.data for block in part.blocks if isinstance(block, Table) and block.name == name)
    return found


def plain(sentences: object) -> list[str]:
    return [str(sentence).replace(SPACE, " ") for sentence in sentences]


LOSSES = Losses(
    by="rules.foe",
    against="against",
    marks=(Mark("lost with oil to spare", ["oil"], lambda oil: oil >= 3),),
    trigger="way",
    words={"dice": "of the dice"},
)

# -------------------------------------------------------------------------------------------------------------- losses


def test_shares_of_all_games_and_of_the_lost_ones(run: FakeRun, study: Study) -> None:
    table = table_of(sections.losses(LOSSES, "Why")(study), "losses").set_index(["cell", "measure"])
    for cell in ("impimpimp", "dragondragondragon"):
        won, cause, oil = (run.column("games", name, cell)[0] for name in ("won", "end_cause", "oil"))
        row = table.loc[(cell, "lost by wrecked")]
        count = int((cause == 2).sum())
        assert (row["low"], row["high"]) == pytest.approx(proportion_confint(count, N, method="wilson"))
        spare = table.loc[(cell, "lost with oil to spare")]
        assert spare["value"] == pytest.approx((oil[~won] >= 3).mean())
        assert spare["of"] == "lost games"
        shares = table.loc[cell].query("of == 'all games'")["value"]
        assert shares.sum() == pytest.approx(1)
        assert shares["unfinished"] == 0


def test_the_first_sentence_says_why_tables_lose_and_how_the_foe_changes_that(run: FakeRun, study: Study) -> None:
    part = sections.losses(LOSSES, "Why")(study)
    assert part is not None
    lead, ogre, dragon, *others = plain(part.answer)
    rates = {foe: run.column("games", "won", foe * 3).mean() for foe in ("imp", "dragon")}
    assert lead.startswith(f"With 2 players against the imp tables win {100 * rates['imp']:.0f}.")
    assert "; against the dragon they win" in lead
    assert "by burnt" in lead
    assert "by wrecked" in lead
    assert ogre.startswith("Against the ogre wins change by")
    gap = stats.ttest_rel(*(run.column("games", "won", c * 3)[0].astype(float) for c in ("dragon", "imp")))
    low, high = (f"{100 * end:.1f}".replace("-", "−") for end in gap.confidence_interval(0.95))
    assert dragon.startswith("Against the dragon wins change by")
    assert f"({low} to {high})" in dragon
    assert "of the losses by burnt" in others[0]
    assert "come of the dice" in " ".join(others)
    assert others[-1].startswith("Of the games lost, so many were lost with oil to spare:")


@pytest.mark.parametrize(
    "cells",
    [
        {"aa": met("imp"), "bb": met("imp", fog=2)},
        {"aa": ({"foe": "imp"}, ("a", "a")), "bb": ({"foe": "imp"}, ("b", "b"))},
    ],
)
def test_other_questions_are_not_answered_so(cells: dict[str, tuple]) -> None:
    study = Study.of(made_up(coast(), cells, 50, {"aa": 0.5, "bb": 0.5}), NAMES)
    part = sections.losses(LOSSES, "Why")(study)
    assert part is not None
    assert not part.answer


def test_rival_games_have_none_of_it(study: Study) -> None:
    rival = SimpleNamespace(cooperative=False, cells=study.cells, headlines=study.cells, run=study.run, varied=set())
    for section in (sections.losses(LOSSES, ""), sections.over_time, sections.clocks([], ""),
                    sections.difficulty(FOES, FOGS, "")):  # fmt: skip
        assert section(rival) is None


# ----------------------------------------------------------------------------------------------------------- over time


def test_causes_over_turns_come_to_the_shares_of_all_games(run: FakeRun, study: Study) -> None:
    table = table_of(sections.over_time(study), "incidence")
    mine = table[table["cell"] == "ogreogreogre"]
    won, turns = (run.column("games", name, "ogreogreogre") for name in ("won", "n_turns"))
    by_ten = mine[(mine["cause"] == "won") & (mine["turn"] == 10)]["value"].item()
    assert by_ten == pytest.approx((won & (turns <= 10)).mean())
    assert mine[mine["turn"] == mine["turn"].max()]["value"].sum() == pytest.approx(1)
    assert mine.groupby("cause")["value"].is_monotonic_increasing.all()


@pytest.mark.parametrize(("last", "wanted"), [(6, [1, 2, 3, 4, 5, 6]), (47, [10, 20, 30, 40, 47]), (1, [1])])
def test_turns_that_are_told(last: int, wanted: list[int]) -> None:
    assert told_turns(1, last) == wanted


# ------------------------------------------------------------------------------------------------ circumstances, clocks


def test_what_was_under_way_is_told_of_lost_games_alone(run: FakeRun, study: Study) -> None:
    part = sections.circumstances((Circumstance("way", "what was under way"),), "Under way")(study)
    table = table_of(part, "circumstances").set_index(["cell", "cause", "way"])
    cause, way = (run.column("games", name, "impimpimp")[0] for name in ("end_cause", "way"))
    row = table.loc[("impimpimp", "burnt", "cards")]
    assert row["value"] == pytest.approx((way[cause == 1] == 2).mean())
    assert row["n_lost"] == (cause == 1).sum()
    assert table.groupby(["cell", "cause"])["value"].sum().tolist() == pytest.approx([1] * 6)
    assert sum(isinstance(block, Picture) for block in part.blocks) == 1


def test_what_is_always_the_same_is_said_and_not_drawn(run: FakeRun) -> None:
    cell = run.cells[0]
    columns = dict(run.columns)
    cause = columns["games", "end_cause", cell.id]
    columns["games", "way", cell.id] = np.where(cause == 1, 1, columns["games", "way", cell.id])
    study = Study.of(FakeRun(run.game, columns, [cell], run.counts), NAMES)
    part = sections.circumstances((Circumstance("way", "what was under way"),), "Under way")(study)
    assert part is not None
    (picture,) = (block for block in part.blocks if isinstance(block, Picture))
    assert "not drawn: lost by burnt: dice" in picture.caption
    assert [axis.get_title(loc="left") for axis in picture.figure.axes] == ["lost by wrecked"]


def test_no_loss_no_circumstances(run: FakeRun) -> None:
    won = made_up(coast(), {"aa": met("imp")}, 50, {"aa": 1.1})
    study = Study.of(won, NAMES)
    assert sections.circumstances((Circumstance("way", ""),), "")(study) is None
    table = table_of(sections.clocks((Clock("oil", "oil"),), "Clocks")(study), "clocks")
    assert table["games"].tolist() == ["won"]


def test_clocks_are_apart_for_games_won_and_lost(run: FakeRun, study: Study) -> None:
    part = sections.clocks((Clock("oil", "oil left"),), "Clocks")(study)
    won, oil = (run.column("games", name, "ogreogreogre")[0] for name in ("won", "oil"))
    means = table_of(part, "clocks").set_index(["cell", "games"])
    assert means.loc[("ogreogreogre", "lost"), "value"] == pytest.approx(oil[~won].mean())
    shares = table_of(part, "clock_shares").set_index(["cell", "games", "number"])
    assert shares.loc[("ogreogreogre", "won", 2), "value"] == pytest.approx((oil[won] == 2).mean())
    assert shares.groupby(["cell", "games"])["value"].sum().tolist() == pytest.approx([1] * 6)


# --------------------------------------------------------------------------------------------------------------- mixes


def test_deeds_per_game_and_as_shares(run: FakeRun, study: Study) -> None:
    mix = Mix("deeds", "deeds", "part", "kind", "how", leave_out={"kind": ["rest"]})
    table = table_of(sections.mixes((mix,), "Deeds")(study), "deeds")
    counts = run.tallies("deeds", ["impimpimp"])
    mine = table[table["cell"] == "impimpimp"].set_index(["per", "part", "kind", "how"])["value"]
    sums = counts.groupby(["part", "kind", "how"])["count"].sum()
    assert mine["game", "night", "sail", "paid"] == pytest.approx(sums[1, 1, 1] / N)
    assert mine["part", "day", "row", "free"] == pytest.approx(sums[0, 0, 0] / sums[0].drop(2).sum())
    assert "rest" not in set(table["kind"])


# ---------------------------------------------------------------------------------------------------------- difficulty

FOES = Scale("rules.foe", ("imp", "ogre", "dragon"), "foe")
FOGS = Scale("rules.fog", (1, 2), "fog")


def difficulty_of(cells: dict[str, tuple], rates: dict[str, float], n: int = 3000) -> Part | None:
    study = Study.of(made_up(coast(), cells, n, rates), NAMES)
    return sections.difficulty(FOES, FOGS, "How hard", notes=("By calibration.",))(study)


def test_each_step_is_a_difference_on_the_same_deals(run: FakeRun, study: Study) -> None:
    part = sections.difficulty(FOES, FOGS, "How hard", notes=("By calibration.",))(study)
    table = table_of(part, "difficulty_steps")
    assert table[["easier", "harder", "is"]].to_numpy().tolist() == [
        ["the imp", "the ogre", "harder"],
        ["the ogre", "the dragon", "harder"],
    ]
    pair = (run.column("games", "won", cell)[0].astype(float) for cell in ("ogreogreogre", "impimpimp"))
    wanted = stats.ttest_rel(*pair).confidence_interval(0.95)
    assert (table["low"][0], table["high"][0]) == pytest.approx((wanted.low, wanted.high))
    assert part is not None
    assert not part.answer  # one line: that is for the losses to tell
    (text,) = (block for block in part.blocks if isinstance(block, Text))
    assert text.sentences[0] == "By calibration."
    assert "the win rate falls at every step. Each" in text.sentences[1]
    assert not any(isinstance(block, Picture) for block in part.blocks)


def test_a_broken_order_is_called_so() -> None:
    part = difficulty_of({foe: met(foe) for foe in FOES.values}, {"imp": 0.4, "ogre": 0.6, "dragon": 0.2})
    assert part is not None
    said = plain(part.blocks[0].sentences)[1]
    assert "should fall at every step, but does not: the ogre after the imp +" in said
    assert "dragon after" not in said


def test_an_undecided_order_is_called_so() -> None:
    part = difficulty_of({foe: met(foe) for foe in FOES.values}, {"imp": 0.5, "ogre": 0.5, "dragon": 0.2}, 300)
    assert part is not None
    assert "should fall at every step; undecided are the ogre after the imp" in plain(part.blocks[0].sentences)[1]


def test_two_scales_make_a_shaded_table_and_other_settings_are_counted() -> None:
    cells = {f"{foe}{fog}": met(foe, fog=fog) for foe in FOES.values for fog in (1, 2)}
    base = {"imp": 0.8, "ogre": 0.6, "dragon": 0.4}
    part = difficulty_of(cells, {f"{foe}{fog}": base[foe] - 0.1 * fog for foe in base for fog in (1, 2)})
    assert part is not None
    (picture,) = (block for block in part.blocks if isinstance(block, Picture))
    assert len(picture.figure.axes[0].texts) == 6
    rates, *said = plain(part.answer)
    assert rates.startswith("Tables win 7")
    assert "of games with 2 players, the imp, fog = 1, and 2" in rates or "and 19." in rates
    assert rates.endswith("with 2 players, the dragon, fog = 2: the most and the least of 6 settings.")
    assert "By foe (the imp, the ogre, the dragon) the win rate falls at every step in 2 of 2 comparisons." in said[0]
    assert "By fog (fog = 1, fog = 2) the win rate falls at every step in 3 of 3 comparisons." in said[1]
    assert said[2].startswith("2 players, fog = 1, step by step: the ogre after the imp −")


def test_whether_an_order_survives_what_is_assumed() -> None:
    cells = {f"{foe}{fog}": met(foe, fog=fog) for foe in FOES.values for fog in (1, 2)}
    rates = {"imp1": 0.8, "ogre1": 0.6, "dragon1": 0.4, "imp2": 0.5, "ogre2": 0.6, "dragon2": 0.3}
    study = Study.of(made_up(coast(), cells, 3000, rates), NAMES)
    part = sections.difficulty(FOES, Scale("rules.spell", ("", "x"), "spell"), "How hard")(study)
    assert part is not None
    said = plain(part.answer)
    assert "in 1 of 2 comparisons; a step goes the other way in 1 (2 players, fog = 2)." in said[0]
    assert said[-1] == "Of the other settings with the imp, judged against a win rate of 40 to 60 %, 1 is balanced."


def test_one_foe_is_no_scale() -> None:
    assert difficulty_of({"aa": met("imp"), "bb": met("imp", spell="x")}, {"aa": 0.5, "bb": 0.5}, 50) is None


# ------------------------------------------------------------------------------------------------------------- effects


SPELLS = ("light", "calm")


def spells_in(rules: dict[str, object]) -> list[bool | None]:
    return [True if rules["spell"] == s else False if rules["spell"] == f"no {s}" else None for s in SPELLS]


def spells_used(run: FakeRun, cell: object) -> np.ndarray:
    used = np.bitwise_or.reduce(run.column("seats", "spells", cell.id), axis=1)
    return np.stack([(used >> bit & 1).astype(bool) for bit in range(2)])


def feature(**fields: object) -> Features:
    return Features(SPELLS, spells_in, ("spell",), spells_used, one="spell", **fields)


@pytest.fixture(scope="module")
def spelled() -> FakeRun:
    spells = {"base": "", "lit": "light", "dark": "no light", "calm": "calm", "rough": "no calm"}
    cells = {name: met("imp", spell=spell) for name, spell in spells.items()}
    return made_up(coast(), cells, N, {"base": 0.5, "lit": 0.8, "dark": 0.4, "calm": 0.5, "rough": 0.6})


def test_a_spell_is_worth_the_difference_of_the_tables_win_rate(spelled: FakeRun) -> None:
    part = sections.effects(feature(), "Spells")(Study.of(spelled))
    table = table_of(part, "effects").set_index(["feature", "measure"])
    won = {cell.id: spelled.column("games", "won", cell.id)[0].astype(float) for cell in spelled.cells}
    wanted = stats.ttest_rel(won["lit"], won["dark"]).confidence_interval(0.95)
    row = table.loc[("light", "table wins")]
    assert (row["low"], row["high"]) == pytest.approx((wanted.low, wanted.high))
    used = spells_used(spelled, SimpleNamespace(id="lit"))[0, 0]
    seeming = table.loc[("light", "table wins where it was used")]
    assert seeming["value"] == pytest.approx(won["lit"][used].mean() - won["lit"][~used].mean())
    assert part is not None
    assert plain(part.answer)[0].startswith("The spell that adds most to a game is light: with it the table’s win rate")
    assert "at the other end is calm" in plain(part.answer)[0]
    assert "Use misleads: the win rate of games where" in plain(part.answer)[0]


def test_where_luck_deals_it_chance_compares_too(spelled: FakeRun) -> None:
    part = sections.effects(feature(is_dealt=True, use="was dealt", table="spells", note="Luck."), "Spells")(
        Study.of(spelled)
    )
    table = table_of(part, "spells").set_index(["feature", "measure"])
    tops = {True: 0, False: 0}
    n = dict(tops)
    for name in ("base", "lit", "dark"):  # whether calm is in is left to luck there
        used, won = spells_used(spelled, SimpleNamespace(id=name))[1, 0], spelled.column("games", "won", name)[0]
        for kind in (True, False):
            n[kind] += int((used == kind).sum())
            tops[kind] += int(won[used == kind].sum())
    row = table.loc[("calm", "table wins where it was dealt")]
    assert row["value"] == pytest.approx(tops[True] / n[True] - tops[False] / n[False])
    assert part is not None
    assert "Use misleads" not in part.answer[0]
    assert part.blocks[0].sentences[0].endswith("Luck.")


# ------------------------------------------------------------------------------------------------------------- the page


def test_a_strategy_called_balanced_is_no_verdict(tmp_path: Path) -> None:
    cells = {"aa": ({"foe": "imp"}, ("balanced",) * 2)}
    study = Study.of(made_up(coast(), cells, 50, {"aa": 0.5}), NAMES)
    shown = pd.DataFrame({"players": ["2"], "strategy": ["balanced"], "verdict": ["balanced"]})
    html = page(study, Report("Coast", ()), ["So it is."], [Part("Heading", [Table("t", "A table.", shown, shown)])])
    assert "<td>balanced</td>" in html
    assert html.count('class="badge balanced"') == 1


def test_steps_that_only_other_settings_have_are_told_too() -> None:
    cells = {"aa": met("imp"), "bb": met("imp", spell="x"), "cc": met("dragon", spell="x")}
    part = difficulty_of(cells, {"aa": 0.5, "bb": 0.5, "cc": 0.1})
    table = table_of(part, "difficulty_steps")
    assert table[["setting", "harder", "usual"]].to_numpy().tolist() == [["spell = x", "the dragon", False]]
    assert part is not None
    assert "step by step" not in " ".join(part.answer)
