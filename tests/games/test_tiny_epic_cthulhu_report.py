"""Tiny Epic Cthulhu's report: what it says of made-up rows is what they hold; and games that were played fit it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from simkit import catalog
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.state import DEEDS, TRIGGERS
from simkit.report import Part, Picture, Study, Table, sections
from simkit.report.build import parts_of
from simkit.report.words import SPACE
from simkit.strategy import Random
from tests.cooperative import made_up
from tests.fake_run import FakeRun, played

N = 320
OLD_ONES = ("nyarlathotep", "yog_sothoth", "yig", "cthulhu")
BOTH = ("balanced", "balanced")
PAIRS = (("chapel", "infirmary"), ("station", "harbour"))

pytestmark = pytest.mark.xdist_group("cthulhu_report")  # the rows are made and told once

REPORT = catalog.find_report(GAME.id, Path())
assert REPORT is not None


def study_of(run: FakeRun) -> Study:
    return Study.of(run, REPORT.REPORT.names)


def tables_of(part: Part | None) -> dict[str, pd.DataFrame]:
    assert part is not None
    return {block.name: block.data for block in part.blocks if isinstance(block, Table)}


def answer_of(part: Part | None) -> list[str]:
    assert part is not None
    return [text.replace(SPACE, " ") for text in part.answer]


def percent(value: float, digits: int) -> str:
    return f"{100 * value:.{digits}f}"


@pytest.fixture(scope="module")
def met() -> FakeRun:
    """Every Great Old One; the end causes are as good as the columns of the game: made up."""
    cells = {name: ({"great_old_one": name}, BOTH) for name in OLD_ONES}
    run = made_up(GAME, cells, N, dict(zip(OLD_ONES, (0.6, 0.5, 0.4, 0.2), strict=True)))
    for name in OLD_ONES:  # as in games: Phase Two has its number, portals are at most six
        run.columns["games", "phase", name] = (1 + run.column("games", "phase", name) % 2).astype(np.uint8)
        run.columns["games", "portals", name] = (run.column("games", "portals", name) + 2).astype(np.uint8)
    return run


@pytest.fixture(scope="module")
def study(met: FakeRun) -> Study:
    return study_of(met)


@pytest.fixture(scope="module")
def why(study: Study) -> Part:
    part = REPORT.WHY(study)
    assert part is not None
    return part


def test_the_first_sentence_says_why_tables_lose_and_how_cthulhu_differs(met: FakeRun, why: Part) -> None:
    lead = answer_of(why)[0]
    for name, start in (("nyarlathotep", "With 2 players against Nyarlathotep tables win "), ("cthulhu", "they win ")):
        won, cause = (met.column("games", column, name)[0] for column in ("won", "end_cause"))
        count, by_strength = int(won.sum()), int((cause == 1).sum())
        for n, before in ((count, start), (by_strength, "lose ")):
            low, high = proportion_confint(n, N, method="wilson")
            assert f"{before}{percent(n / N, 1)} % ({percent(low, 1)} to {percent(high, 1)})" in lead
    assert " by strength, " in lead
    assert lead.index("Nyarlathotep") < lead.index("; against Cthulhu they win")


def test_the_next_say_what_each_great_old_one_changes_on_the_same_deals(met: FakeRun, why: Part) -> None:
    for name, sentence in zip(("yog_sothoth", "yig", "cthulhu"), answer_of(why)[1:4], strict=True):
        assert sentence.endswith("compared with Nyarlathotep on the same deals.")
        lost = [met.column("games", "end_cause", cell)[0] == 2 for cell in (name, "nyarlathotep")]
        gap = stats.ttest_rel(*(games.astype(float) for games in lost)).confidence_interval(0.95)
        low, high = (f"{100 * end:+.1f}".replace("-", "−") for end in gap)
        assert f"losses by delirium by {signed(lost[0].mean() - lost[1].mean())} points ({low} to {high})" in sentence


def signed(change: float) -> str:
    return f"{100 * change:+.1f}".replace("-", "−")


def test_what_was_under_way_is_in_words(met: FakeRun, why: Part) -> None:
    sentence = answer_of(why)[4]
    assert sentence.startswith("Against Nyarlathotep, of the losses by strength ")
    cause, trigger = (met.column("games", name, "nyarlathotep")[0] for name in ("end_cause", "trigger"))
    counts = np.bincount(trigger[cause == 1], minlength=len(TRIGGERS))
    most = counts.max() / counts.sum()
    assert f"of the losses by strength {percent(most, 0)}" in sentence or percent(most, 1) in sentence
    assert " come of " in sentence


def test_near_wins_were_lost_in_phase_two_with_at_most_one_portal_open(met: FakeRun, why: Part) -> None:
    table = tables_of(why)["losses"].set_index(["cell", "measure"])
    for name in OLD_ONES:
        won, phase, portals = (met.column("games", column, name)[0] for column in ("won", "phase", "portals"))
        near = ((phase == 2) & (portals >= 5))[~won]
        row = table.loc[(name, "near-wins")]
        assert row["value"] == pytest.approx(near.mean())
        method = "wilson" if near.sum() >= 30 else "beta"
        assert (row["low"], row["high"]) == pytest.approx(proportion_confint(near.sum(), len(near), method=method))
    assert answer_of(why)[9].startswith(
        "Of the games lost, so many were near-wins (lost in Phase Two with at most one portal"
    )


def test_the_order_is_said_to_be_by_calibration(study: Study) -> None:
    part = REPORT.DIFFICULTY(study)
    steps = tables_of(part)["difficulty_steps"]
    assert part.blocks[0].sentences[0].startswith("This order is by calibration, not by finding")
    assert steps["harder"].tolist() == ["Yog-Sothoth", "Yig", "Cthulhu"]
    assert steps["is"].iloc[2] == "harder"
    assert not part.answer


def test_actions_are_told_by_phase_and_stops_are_none(met: FakeRun) -> None:
    one = FakeRun(met.game, met.columns, met.cells[2:3], met.counts)
    table = tables_of(REPORT.SPENT(study_of(one)))["actions"]
    counts = met.tallies("actions", ["yig"])
    mine = table[table["per"] == "game"].set_index(["phase", "action", "extra"])["value"]
    seal = counts[(counts["phase"] == 1) & (counts["action"] == DEEDS.index("seal")) & (counts["extra"] == 1)]
    assert mine["two", "seal", "paid with chaos"] == pytest.approx(seal["count"].sum() / N)
    assert "stop" not in set(table["action"])


def test_sections_that_do_not_apply_are_not_there(study: Study) -> None:
    for section in (REPORT.CHARACTERS_WORTH, REPORT.TOWNS_WORTH, REPORT.EDITIONS, sections.mixed_tables):
        assert section(study) is None


def test_difficulty_is_a_shaded_table_by_mode_and_players() -> None:
    cells, rates = {}, {}
    for players in (2, 3):
        for rank, name in enumerate(OLD_ONES[::3]):
            for step, mode in enumerate(("normal", "hard", "madness")):
                key = f"{name}{mode}{players}"
                cells[key] = ({"great_old_one": name, "mode": mode}, ("balanced",) * players)
                rates[key] = 0.85 - 0.2 * step - 0.3 * rank
    study = study_of(made_up(GAME, cells, N, rates))
    part = REPORT.DIFFICULTY(study)
    answer = answer_of(part)
    assert "with 2 players, Nyarlathotep, normal mode, and" in answer[0] or "with 3 players, Nyarlathotep" in answer[0]
    assert answer[1].startswith("With Nyarlathotep, normal mode tables win ")
    assert answer[2].startswith("By Great Old One (Nyarlathotep, Cthulhu) the win rate falls at every step in 6 of 6")
    assert answer[3].startswith("By mode (normal mode, hard mode, madness mode) the win rate falls at every step in ")
    assert len(tables_of(part)["difficulty_steps"]) == 6 + 8
    (picture,) = (block for block in part.blocks if isinstance(block, Picture))
    assert len(picture.figure.axes[0].texts) == 12
    assert not REPORT.WHY(study).answer  # another question


def test_characters_and_towns_are_worth_the_difference_on_the_same_deals() -> None:
    rules = {"dealt": {}, "with": {"character_in": "priest"}, "none": {"character_out": "priest"}}
    rules |= {side: {"town_up": side} for pair in PAIRS for side in pair}
    run = made_up(GAME, {name: (own, BOTH) for name, own in rules.items()}, N, dict.fromkeys(rules, 0.5))
    study = study_of(run)
    characters, towns_part = REPORT.CHARACTERS_WORTH(study), REPORT.TOWNS_WORTH(study)
    won = {name: run.column("games", "won", name)[0].astype(float) for name in rules}
    priest = tables_of(characters)["characters"].set_index(["feature", "measure"]).loc["priest"]
    wanted = stats.ttest_rel(won["with"], won["none"]).confidence_interval(0.95)
    assert priest.loc["table wins", ["low", "high"]].tolist() == pytest.approx([wanted.low, wanted.high])
    at_table = (run.column("seats", "character", "dealt")[0] == 1).any(axis=0)
    seeming = won["dealt"][at_table].mean() - won["dealt"][~at_table].mean()
    assert priest.loc["table wins where it was dealt", "value"] == pytest.approx(seeming)
    towns = tables_of(towns_part)["towns"].set_index(["feature", "measure"])
    gap = won["station"].mean() - won["harbour"].mean()
    assert towns.loc[("station (not harbour)", "table wins"), "value"] == pytest.approx(gap)
    used = (run.column("seats", "sides_used", "chapel")[0] & 1).any(axis=0)  # the first card's front
    row = towns.loc[("chapel (not infirmary)", "table wins where it was used")]
    assert row["value"] == pytest.approx(won["chapel"][used].mean() - won["chapel"][~used].mean())
    assert set(towns.index.get_level_values(0)) == {"chapel (not infirmary)", "station (not harbour)"}
    assert answer_of(characters)[0].startswith("The character that adds most to a game is priest")
    assert answer_of(towns_part)[0].startswith("The side that adds most to a game is ")


def test_each_difference_of_the_editions_is_told_by_itself() -> None:
    rules = {"book": {}, "all": {"edition": "published"}, "flip": {"flip": "stopped"}}
    run = made_up(GAME, {name: (own, BOTH) for name, own in rules.items()}, N, {"book": 0.6, "all": 0.3, "flip": 0.5})
    part = REPORT.EDITIONS(study_of(run))
    answer, changes = answer_of(part), tables_of(part)["what_if_changes"].set_index(["setting", "measure"])
    gap = run.column("games", "won", "flip").mean() - run.column("games", "won", "book").mean()
    assert changes.loc[("pages turned up only where one stops", "table wins"), "value"] == pytest.approx(gap)
    assert answer[0].startswith("What moves table wins most, with 2 players, against ")
    assert "published edition: −" in answer[0]


def test_what_may_be_luck_is_not_said_to_move_anything() -> None:
    rules = {"book": ({}, BOTH), "all": ({"edition": "published"}, BOTH), "flip": ({"flip": "stopped"}, BOTH)}
    one_falls = answer_of(REPORT.EDITIONS(study_of(made_up(GAME, rules, N, {"book": 0.6, "all": 0.3, "flip": 0.6}))))
    assert "where one stops" not in one_falls[0]
    none_moves = answer_of(REPORT.EDITIONS(study_of(made_up(GAME, rules, N, dict.fromkeys(rules, 0.6)))))
    assert none_moves[0].startswith("Nothing moves table wins, with 2 players, against ")


def test_mixed_tables_are_set_against_tables_that_play_alike() -> None:
    line_ups = {"aa": ("balanced",) * 2, "bb": ("cautious",) * 2, "ab": ("balanced", "cautious")}
    run = made_up(GAME, {name: ({}, labels) for name, labels in line_ups.items()}, N, {"aa": 0.6, "bb": 0.3, "ab": 0.4})
    part = sections.mixed_tables(study_of(run))
    answer, mixed = answer_of(part), tables_of(part)["mixed_tables"].set_index("other")
    won = {name: run.column("games", "won", name).mean(axis=0) for name in line_ups}
    for label, alone in (("balanced", "aa"), ("cautious", "bb")):
        wanted = stats.ttest_rel(won["ab"], won[alone]).confidence_interval(0.95)
        assert mixed.loc[label, ["low", "high"]].tolist() == pytest.approx([wanted.low, wanted.high])
    assert answer[0].startswith("Of 1 mixed tables none win more often")
    assert "and 1 wins less often" in answer[0]


def test_games_that_were_played_can_be_told() -> None:
    """Real columns and tallies: every section finds what it asks for, and counts are those of the rows."""
    quick = GAME.components["nyarlathotep"].value | {"front": [3, 3], "back": [3, 3]}
    run = played(GAME, {"aa" * 6: ({"nyarlathotep": quick}, [("random", Random())] * 2)}, 64)
    parts = parts_of(study_of(run), REPORT.REPORT)
    tables = {name: table for part in parts for name, table in tables_of(part).items()}
    cause = run.column("games", "end_cause", "aa" * 6)
    shares = tables["losses"].set_index("measure")["value"]
    assert shares["lost by strength"] == pytest.approx((cause == 1).mean())
    assert answer_of(parts[0])[0].startswith("With 2 players tables win 0.0 %")
    for name, key, value, column in (
        ("draws", "origin", "wheel draw", "n_draws"),
        ("accursed", "track", "energy", "n_strength"),
    ):
        table = tables[name]
        counted = table[(table["per"] == "game") & (table[key] == value)]["n_events"].sum()
        assert counted == run.column("games", column, "aa" * 6).sum()
