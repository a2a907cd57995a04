"""What reports say: verdicts, differences and ladders in sentences, cells in order, rival or cooperative."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from simkit.components import Component
from simkit.games.tentacolor import GAME
from simkit.report import Study, write_report
from simkit.report.answer import answer
from simkit.report.cells import arrange
from simkit.report.verdict_words import effect
from simkit.strategy import Random, Strategy
from tests.fake_run import FakeRun, fake_game, mirror, of_wins, played, seats_of
from tests.stats.made import win_column


class First(Strategy):
    """Takes the first option."""


def first_sentence(run: FakeRun) -> str:
    return answer(Study.of(run))[0].replace("\N{NO-BREAK SPACE}", " ")


def test_a_gap_of_five_points_is_the_answer() -> None:
    run = of_wins({mirror(3): seats_of((0.3833, 0.3333, 0.2834), 200_000)})
    assert first_sentence(run) == (
        "With 3 players the first seat wins too often and the last seat too seldom: with 3 players seat 1 wins 38.3 % "
        "(38.1 to 38.6) of games where 33.3 % would be fair, band 31.3 to 35.3 %."
    )


def test_a_fair_game_is_balanced_and_a_short_run_undecided() -> None:
    assert first_sentence(of_wins({mirror(2): seats_of((0.501, 0.499), 200_000)})).startswith(
        "With 2 players every seat wins its fair share"
    )
    assert first_sentence(of_wins({mirror(2): seats_of((0.51, 0.49), 200)})).startswith(
        "With 2 players it is undecided whether every seat wins its fair share"
    )


def test_player_counts_that_agree_are_told_together() -> None:
    shares = {2: (0.6, 0.4), 3: (0.4, 1 / 3, 0.8 / 3), 4: (0.25, 0.25, 0.25, 0.25)}
    run = of_wins({mirror(players): seats_of(s, 100_000) for players, s in shares.items()})
    assert first_sentence(run).startswith(
        "With 2 and 3 players the first seat wins too often and the last seat too seldom; with 4 players every seat"
    )


@pytest.mark.parametrize(
    ("base", "other", "said"),
    [
        (0.56, 0.50, "mends it"),
        (0.60, 0.55, "lessens it but does not mend it"),
        (0.56, 0.60, "does not mend it but makes it worse"),
        (0.56, 0.56, "does not mend it"),
        (0.56, 0.52, "lessens it (enough or not: undecided)"),
        (0.50, 0.505, "keeps it so"),
        (0.50, 0.60, "makes it unbalanced"),
        (0.50, 0.52, "makes it undecided"),
        (0.52, 0.50, "is balanced"),
        (0.52, 0.52, "leaves it undecided"),
    ],
)
def test_what_a_setting_does_to_a_verdict(base: float, other: float, said: str) -> None:
    game = fake_game(cooperative=False, odd=Component(value=1, tag="rulebook", source="", meaning=""))
    shares = ((mirror(2), base), (mirror(2, odd=2), other))
    study = Study.of(of_wins({key: seats_of((s, 1 - s), 50_000) for key, s in shares}, game))
    assert effect(study, *study.cells) == said
    assert f"odd = 2 {said}" in answer(study)[0]


def test_many_settings_are_counted_and_the_largest_change_is_named() -> None:
    game = fake_game(cooperative=False, odd=Component(value=1, tag="rulebook", source="", meaning=""))
    shares = {1: 0.5, 2: 0.51, 3: 0.5, 4: 0.49, 5: 0.6}
    wins = {mirror(2, odd=odd): seats_of((s, 1 - s), 50_000) for odd, s in shares.items()}
    said = first_sentence(of_wins(wins, game))
    assert "of 4 cells with other settings 3 are balanced and 1 is unbalanced" in said
    assert "odd = 5 changes that most, by +10.0 points" in said


def three_strategies(beats: dict[frozenset[str], str]) -> FakeRun:
    """Two seats: the winner of each pair has 70 % of its games."""
    rng, wins = np.random.default_rng(8), {}
    for pair, winner in beats.items():
        labels = tuple(sorted(pair))
        ours = labels.index(winner)
        won = rng.random((2, 4000)) < 0.7
        seat = np.array([[ours], [1 - ours]])
        wins[2, labels, ()] = win_column(np.where(won, seat, 1 - seat), 2)
    return of_wins(wins)


def test_the_strategy_that_beats_all_others_is_the_answer(tmp_path: Path) -> None:
    run = three_strategies({frozenset("ab"): "b", frozenset("ac"): "c", frozenset("bc"): "b"})
    assert first_sentence(run).startswith("Strategy b beats every other one: with 2 players its narrowest lead is +")
    written = {path.name: path for path in write_report(run, tmp_path)}
    shares = pd.read_csv(written["strategy_shares.csv"])
    assert shares.groupby("line_up")["value"].sum().tolist() == pytest.approx([1, 1, 1])
    leads = pd.read_csv(written["strategy_differences.csv"])
    assert leads["value"].abs().tolist() == pytest.approx([0.4] * 3, abs=0.03)
    assert "Win matrix" in written["report.html"].read_text()


def test_a_cycle_is_named() -> None:
    run = three_strategies({frozenset("ab"): "a", frozenset("bc"): "b", frozenset("ac"): "c"})
    assert "No strategy beats every other one" in first_sentence(run)
    assert "a beats b, b beats c and c beats a" in first_sentence(run)


def test_the_strongest_line_up_speaks_and_weaker_ones_may_dissent() -> None:
    rng = np.random.default_rng(9)
    mixed = np.where(rng.random((2, 20_000)) < 0.7, [[0], [1]], [[1], [0]])
    wins = {
        (2, ("weak", "weak"), ()): seats_of((0.5, 0.5), 20_000),
        (2, ("strong", "strong"), ()): seats_of((0.6, 0.4), 20_000),
        (2, ("strong", "weak"), ()): win_column(mixed, 2),
    }
    study = Study.of(of_wins(wins))
    assert [cell.line_up_name for cell in study.headlines] == ["strong in every seat"]
    said = " ".join(answer(study))
    assert "Of 2 weaker line-ups 2 are balanced (weak in every seat and strong – weak)." in said


def test_where_strategies_never_met_the_line_up_named_first_speaks() -> None:
    wins = {
        (2, ("a", "a"), ()): seats_of((0.5, 0.5), 20_000),
        (2, ("b", "b"), ()): seats_of((0.6, 0.4), 20_000),
    }
    study = Study.of(of_wins(wins))
    said = " ".join(answer(study))
    assert [cell.line_up_name for cell in study.headlines] == ["a in every seat"]
    assert "a in every seat (the line-up named first)" in said
    assert "Of 1 other line-up 1 is unbalanced (b in every seat)." in said
    assert "strong" not in said
    assert "weak" not in said


def test_one_among_others_is_compared_in_both_line_ups(tmp_path: Path) -> None:
    """Three seats: a among bs, b among as, and the mean of both leads."""
    cells = {f"{i}" * 12: ({}, [(x, {"a": First(), "b": Random()}[x]) for x in ["abb", "aab"][i]]) for i in (0, 1)}
    table = pd.read_csv(
        next(p for p in write_report(played(GAME, cells, 800), tmp_path) if p.stem == "strategy_differences")
    )
    assert table["line_up"].tolist() == ["one a among b", "one b among a", "mean of 2 line-ups"]
    assert table["value"].iloc[2] == pytest.approx(table["value"].iloc[:2].mean())
    assert table["gain"].notna().all()


# ---------------------------------------------------------------------------------------------------- cooperative games


def test_a_cooperative_game_has_a_table_win_rate_and_no_seat_shares(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    game = fake_game(cooperative=True, causes=("saved", "lost"))
    wins = {(2, (x, x), ()): rng.random((1, 2000)) < p for x, p in (("bold", 0.5), ("shy", 0.2))}
    run = of_wins(wins, game, question="Is it too hard?")
    names = {path.name: path for path in write_report(run, tmp_path)}
    assert "seat_shares.csv" not in names
    rates = pd.read_csv(names["table_wins.csv"])
    assert rates["value"].tolist() == [w.mean() for w in wins.values()]
    leads = pd.read_csv(names["strategy_differences.csv"])
    bold, shy = (w[0].astype(float) for w in wins.values())
    wanted = stats.ttest_rel(bold, shy).confidence_interval(0.95)
    assert leads[["low", "high"]].iloc[0].tolist() == pytest.approx([wanted.low, wanted.high])
    verdicts = json.loads(names["verdicts.json"].read_text())
    assert {v["line_up"]: v["verdict"] for v in verdicts} == {
        "bold in every seat": "balanced",
        "shy in every seat": "unbalanced",
    }
    said = " ".join(json.loads(names["report.json"].read_text())["answer"])
    assert "Strategy bold beats shy" in said
    assert "the table wins as often as wanted" in said
    assert "1 is unbalanced, the table wins too seldom (shy in every seat)" in said


# ------------------------------------------------------------------------------------------------------------ the cells


def info(players: int = 2, labels: tuple[str, ...] = ("a", "a"), **rules: object) -> SimpleNamespace:
    about = {"players": players, "seats": len(labels), "labels": labels, "rules": rules, "key": {"swept": {}}}
    return SimpleNamespace(id=f"{players}{labels}{rules}", rotations=1, n_deals=10, **about)


def test_cells_are_sorted_by_players_then_settings_and_named_by_what_varies() -> None:
    infos = [info(3, sharks=10), info(3, sharks=2), info(2, sharks=10), info(2), info(3)]
    cells = arrange(infos, {"sharks": 4, "rares": 1})
    named = [(cell.info.players, cell.setting_name) for cell in cells]
    assert named == [(2, "sharks = 4"), (2, "sharks = 10"), (3, "sharks = 2"), (3, "sharks = 4"), (3, "sharks = 10")]
    assert [cell.is_base for cell in cells] == [True, False, False, True, False]


def test_what_no_cell_varies_is_not_named() -> None:
    assert [
        cell.setting_name for cell in arrange([info(sharks=3), info(labels=("b", "b"), sharks=3)], {"sharks": 4})
    ] == ["", ""]


def test_one_change_at_a_time_comes_before_several() -> None:
    settings = [(2, 2), (2, 4), (4, 2), (4, 4), (6, 4)]
    cells = arrange([info(a=a, b=b) for a, b in settings], {"a": 4, "b": 4})
    assert [cell.setting_name for cell in cells] == ["a = 4, b = 4", "a = 2", "a = 6", "b = 2", "a = 2, b = 2"]


def test_swept_parameters_of_strategies_are_settings_too() -> None:
    infos = [info(), info()]
    for one, spite in zip(infos, (0.5, 0.25), strict=True):
        one.key = {"swept": {"strategies.a.spite": spite}}
    assert [cell.setting_name for cell in arrange(infos, {})] == ["a.spite = 0.25", "a.spite = 0.5"]


def test_a_base_of_many_defaults_is_called_so() -> None:
    defaults = {"a": 4, "b": 4, "c": 4, "d": False}
    tried = [info(), info(a=2), info(b=2), info(c=2), info(d=True)]  # as a sweep over assumptions does
    found = arrange(tried, defaults)
    assert [cell.setting_name for cell in found] == ["default rules", "a = 2", "b = 2", "c = 2", "d = true"]
    assert [(cell.spoken, cell.is_base) for cell in found[:2]] == [("the default rules", True), ("a = 2", False)]
    without = arrange(tried[1:], defaults)  # the nearest to the defaults is not the defaults
    assert without[0].is_base
    assert without[0].setting_name == "a = 2, b = 4, c = 4, d = false"
    assert arrange(tried[:4], defaults)[0].setting_name == "a = 4, b = 4, c = 4"
