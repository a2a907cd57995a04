"""Strategies judged against a margin, and changes between cells and runs, on wins whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from simkit.components import Component
from simkit.errors import UserError
from simkit.report import changes, contest
from simkit.report.contest import Comparison
from simkit.stats.comparisons import Difference
from tests.fake_run import FakeRun, fake_game, mirror, of_wins, seats_of
from tests.stats.made import win_column

SPACE = "\N{NO-BREAK SPACE}"


def meeting(p: float, n: int, labels: tuple[str, str] = ("a", "b"), seed: int = 0) -> np.ndarray:
    """`win` of two seats: the first label wins each game with probability p, whichever seat it has."""
    won = np.random.default_rng(seed).random((2, n)) < p
    seat = np.array([[0], [1]])
    assert labels == tuple(sorted(labels))
    return win_column(np.where(won, seat, 1 - seat), 2)


def two(p: float, n: int, margin: float = 0.01, labels: tuple[str, str] = ("a", "b")) -> contest.Judged:
    """The verdict on two strategies."""
    comparison = Comparison.of(of_wins({(2, labels, ()): meeting(p, n)}), margin)
    (judged,) = comparison.judged
    return judged


def said(comparison: Comparison) -> str:
    return " ".join(contest.sentences(comparison)).replace(SPACE, " ")


# ----------------------------------------------------------------------------------------------------------- strategies


def test_a_planted_better_strategy_is_found() -> None:
    """55 % of games are a lead of 10 points; a deal's lead is the mean of two games of +-1, so its error is known."""
    n = 20_000
    judged = two(0.55, n)
    error = np.sqrt((1 - 0.1**2) / 2 / n)
    assert (judged.word, judged.ahead) == ("better", "a")
    assert judged.contest.difference.estimate.value == pytest.approx(0.1, abs=5 * error)
    assert two(0.45, n).word == "worse"


def test_swapping_the_two_flips_the_sign() -> None:
    """The same games with the names exchanged."""
    win = meeting(0.55, 5000)
    as_is = Comparison.of(of_wins({(2, ("a", "b"), ()): win})).judged[0]
    swapped = Comparison.of(of_wins({(2, ("b", "a"), ()): win})).judged[0]
    mine, theirs = as_is.contest.difference.estimate, swapped.contest.difference.estimate
    assert (theirs.value, theirs.low, theirs.high) == pytest.approx((-mine.value, -mine.high, -mine.low))
    assert (as_is.word, swapped.word) == ("better", "worse")
    assert (as_is.ahead, swapped.ahead) == ("a", "b")


def test_a_contest_turned_round_is_the_others_view() -> None:
    """An interval that is not symmetric keeps its ends in order."""
    seen = two(0.55, 5000).contest
    uneven = replace(seen, difference=Difference(replace(seen.difference.estimate, value=0.1, low=0.02, high=0.3), 2.0))
    turned = uneven.turned()
    found = turned.difference.estimate
    assert (turned.label, turned.other, turned.difference.gain) == ("b", "a", 2.0)
    assert (found.value, found.low, found.high) == (-0.1, -0.3, -0.02)


def test_equal_strategies_are_alike_or_undecided_by_n_alone() -> None:
    """200,000 deals: half an interval is 1.96 sqrt(1 / 2 / n) = 0.31 points; 200 deals: 9.8 points."""
    assert two(0.5, 200_000).word == "alike"
    few = two(0.5, 200)
    assert (few.word, few.ahead) == ("undecided", None)
    assert few.verdict.deals_needed is not None


def test_the_margin_decides_where_its_edge_lies() -> None:
    """A lead that is beyond doubt is better by less than it, undecided at its ends, and no odds above it."""
    found = two(0.55, 20_000).contest.difference.estimate
    words = [two(0.55, 20_000, margin).word for margin in (found.low - 1e-9, found.low, found.high - 1e-9, found.high)]
    assert words == ["better", "undecided", "undecided", "alike"]
    between = two(0.55, 20_000, found.value)
    assert between.ahead == "a"
    assert between.verdict.at_edge


def test_identical_strategies_are_alike_with_a_difference_of_exactly_nothing() -> None:
    """The same seat wins whoever sits there, so over both rotations each has its half of every deal."""
    dealt = np.random.default_rng(3).integers(0, 2, 1000)
    comparison = Comparison.of(of_wins({(2, ("a", "b"), ()): win_column(np.array([dealt, dealt]), 2)}))
    (judged,) = comparison.judged
    found = judged.contest.difference.estimate
    off = 1 - 0.025 ** (1 / 1000)
    assert (found.value, found.low, found.high) == (0, pytest.approx(-off), pytest.approx(off))
    assert (judged.word, judged.ahead) == ("alike", None)
    assert "a and b are alike within 1 point" in said(comparison)


def three(leads: dict[tuple[str, str], float], n: int = 4000) -> FakeRun:
    """Every pair of three or more strategies at two seats, by the first one's chance."""
    return of_wins({(2, pair, ()): meeting(p, n, pair, seed) for seed, (pair, p) in enumerate(leads.items())})


def test_the_level_is_divided_by_the_number_of_verdicts() -> None:
    """Three pairs: each at 98.33 %, as scipy works it out; of two strategies it is 95 %."""
    run = three({("a", "b"): 0.6, ("a", "c"): 0.6, ("b", "c"): 0.5})
    comparison = Comparison.of(run)
    assert len(comparison.judged) == 3
    assert comparison.level == pytest.approx(1 - 0.05 / 3)
    win = meeting(0.6, 4000, ("a", "b"), 0) / 60
    leads = (win[0, 0] - win[0, 1] + win[1, 1] - win[1, 0]) / 2
    wanted = stats.ttest_1samp(leads, 0).confidence_interval(1 - 0.05 / 3)
    found = comparison.judged[0].contest.difference.estimate
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))
    assert Comparison.of(three({("a", "b"): 0.6})).level == pytest.approx(0.95)


def test_the_ladder_its_top_and_the_win_matrix() -> None:
    run = three({("a", "b"): 0.4, ("a", "c"): 0.4, ("b", "c"): 0.7})
    comparison = Comparison.of(run)
    (ladder,) = contest.ladders(comparison)
    assert ladder["top"] == "b"
    assert [step["label"] for step in ladder["order"]] == ["b", "c", "a"]
    assert ladder["cycles"] == []
    (matrix,) = contest.shown_matrices(comparison).values()
    assert matrix[""].tolist() == list(matrix.columns[1:]) == ["b", "c", "a"]
    shares = contest.matrix_table(comparison).set_index(["label", "among"])["value"]
    assert shares["a", "b"] == pytest.approx(run.columns["seats", "win", "0" * 12][[0, 1], [0, 1]].mean() / 60)
    assert shares["a", "b"] + shares["b", "a"] == pytest.approx(1)


def test_a_cycle_is_named() -> None:
    comparison = Comparison.of(three({("a", "b"): 0.7, ("a", "c"): 0.3, ("b", "c"): 0.7}))
    assert contest.ladders(comparison)[0]["cycles"] == [["a", "b", "c"]]
    assert "a beats b, b beats c and c beats a" in contest.standings(comparison)[0]


def test_of_two_there_is_no_ladder() -> None:
    comparison = Comparison.of(three({("a", "b"): 0.7}))
    assert contest.standings(comparison) == []
    assert contest.shown_matrices(comparison) == {}


def test_an_undecided_pair_says_who_is_ahead_and_what_would_decide() -> None:
    run = of_wins({(2, ("a", "b"), ()): meeting(0.52, 10_000)})
    words = said(Comparison.of(run, 0.035))
    assert "undecided whether a is better than b by 3.5 points; a leads by +" in words
    assert "a is ahead, by however little; about " in words


def test_tables_of_a_cooperative_game_are_compared_on_the_same_deals() -> None:
    """Paired: b wins what a wins and a tenth of the rest; the gain is the ratio of numpy's variances."""
    rng = np.random.default_rng(5)
    a = rng.random((1, 5000)) < 0.5
    b = a | (rng.random((1, 5000)) < 0.1)
    game = fake_game(cooperative=True)
    comparison = Comparison.of(of_wins({(2, (x, x), ()): won for x, won in (("a", a), ("b", b))}, game))
    (judged,) = comparison.judged
    apart = a[0].astype(float) - b[0]
    wanted = stats.ttest_1samp(apart, 0).confidence_interval(0.95)
    found = judged.contest.difference
    assert (found.estimate.low, found.estimate.high) == pytest.approx((wanted.low, wanted.high))
    assert found.gain == pytest.approx((a.var(ddof=1) + b.var(ddof=1)) / apart.var(ddof=1))
    assert (judged.word, judged.ahead) == ("worse", "b")
    row = contest.line_up_table(comparison).iloc[0]
    assert (row["label_share"], row["other_share"]) == pytest.approx((a.mean(), b.mean()))
    assert "times as many games would" in said(comparison)


def test_the_same_tables_under_two_names_differ_by_exactly_nothing() -> None:
    won = np.random.default_rng(6).random((1, 1000)) < 0.3
    run = of_wins({(2, (x, x), ()): won for x in "ab"}, fake_game(cooperative=True))
    (judged,) = Comparison.of(run).judged
    assert (judged.contest.difference.estimate.value, judged.word) == (0, "alike")


@pytest.mark.parametrize("cooperative", [False, True])
def test_strategies_that_never_met_are_not_compared(cooperative: bool) -> None:
    won = np.ones((1, 100), bool)
    wins = {mirror(2): won} if cooperative else {(2, (x, x), ()): seats_of((0.5, 0.5), 100) for x in "ab"}
    with pytest.raises(UserError, match="to compare strategies a run must hold"):
        Comparison.of(of_wins(wins, fake_game(cooperative=cooperative)))


# ------------------------------------------------------------------------------------------------------------- settings


def swept(shares: dict[tuple[tuple[str, Any], ...], float], n: int = 3000, **defaults: Any) -> FakeRun:
    """Mirrors of two seats by rules: the first seat's share."""
    entries = {name: Component(value=v, tag="rulebook", source="", meaning="") for name, v in defaults.items()}
    game = fake_game(cooperative=False, causes=("done", "spent"), **entries)
    rng = np.random.default_rng(7)
    luck = rng.random((1, n))
    return of_wins(
        {(2, ("a", "a"), rules): win_column((luck >= p).astype(int), 2) for rules, p in shares.items()}, game
    )


def row_of(found: changes.Changes, measure: str, **where: Any) -> Any:
    table = found.table[found.table["measure"] == measure]
    for name, value in where.items():
        table = table[table[name] == value]
    (row,) = table.to_dict("records")
    return row


def test_a_rules_change_is_the_paired_difference() -> None:
    """The same luck, another threshold: value, interval and gain as scipy and numpy have them."""
    run = swept({(("odd", 2),): 0.6, (("odd", 1),): 0.5}, odd=1)
    found = changes.by_keys(run, ["rules.odd"])
    row = row_of(found, "win share of seat 1")
    after, before = (run.columns["seats", "win", f"{i:012x}"][0, 0] / 60 for i in (0, 1))
    wanted = stats.ttest_1samp(after - before, 0).confidence_interval(found.level)
    assert found.level == pytest.approx(1 - 0.05 / 2)
    assert (row["low"], row["high"]) == pytest.approx((wanted.low, wanted.high))
    assert row["value"] == pytest.approx((after - before).mean())
    assert row["gain"] == pytest.approx((after.var(ddof=1) + before.var(ddof=1)) / (after - before).var(ddof=1))
    assert (row["here"], row["base"], row["verdict"]) == ("odd = 2", "odd = 1", "rises")
    assert (row["before"], row["after"]) == pytest.approx((before.mean(), after.mean()))
    assert row_of(found, "win share of seat 2")["verdict"] == "falls"


def test_turns_and_endings_are_told_without_a_verdict() -> None:
    run = swept({(): 0.5, (("odd", 2),): 0.5}, odd=1)
    causes = np.random.default_rng(1).integers(0, 2, (1, 3000)).astype(np.uint8)
    run.columns["games", "end_cause", f"{1:012x}"] = causes
    found = changes.by_keys(run, ["rules.odd"])
    before, after = (run.columns["games", "n_turns", f"{i:012x}"][0].astype(float) for i in (0, 1))
    row = row_of(found, "mean turns")
    wanted = stats.ttest_rel(after, before).confidence_interval(found.level)
    assert (row["low"], row["high"], row["verdict"]) == (pytest.approx(wanted.low), pytest.approx(wanted.high), "")
    assert row_of(found, "ends by spent")["value"] == pytest.approx(causes.mean())
    texts = changes.shown(found)
    assert "ends by spent" in set(texts["measure"])
    assert "ends by unfinished" not in set(texts["measure"])
    assert row_of(found, "win share of seat 1")["verdict"] == "same"


def test_only_cells_that_differ_in_nothing_else_are_compared() -> None:
    shares = {(("odd", o), ("even", e)): 0.5 for o in (1, 2, 3) for e in (1, 2)}
    found = changes.by_keys(swept(shares, odd=2, even=1), ["rules.odd"])
    seats = found.table[found.table["measure"] == "win share of seat 1"]
    steps = set(zip(seats["setting"], seats["base"], seats["here"], strict=True))
    assert steps == {(f"even = {e}", "odd = 2", f"odd = {o}") for e in (1, 2) for o in (1, 3)}


def test_without_the_default_the_first_is_the_base() -> None:
    found = changes.by_keys(swept({(("odd", 5),): 0.5, (("odd", 4),): 0.6}, odd=1), ["rules.odd"])
    assert set(zip(found.table["base"], found.table["here"], strict=True)) == {("odd = 4", "odd = 5")}


def test_rules_that_are_set_together_are_named_together() -> None:
    shares = {(("odd", o), ("even", o)): 0.5 for o in (1, 2, 3)}
    run = swept(shares, odd=1, even=1)
    with pytest.raises(UserError, match=r"differ in nothing but `rules.odd`.*rules.odd, rules.even"):
        changes.by_keys(run, ["rules.odd"])
    found = changes.by_keys(run, ["rules.odd", "rules.even"])
    assert set(found.table["here"]) == {"odd = 2, even = 2", "odd = 3, even = 3"}


def test_a_strategys_parameter_is_a_key_too() -> None:
    run = swept({(("n", 1),): 0.5, (("n", 2),): 0.6}, n=1)
    for cell, spite in zip(run.cells, (0.5, 0.25), strict=True):
        cell.rules.clear()
        cell.key["swept"] = {"strategies.a.spite": spite}
    found = changes.by_keys(run, ["strategies.a.spite"])
    assert set(zip(found.table["base"], found.table["here"], strict=True)) == {("a.spite = 0.25", "a.spite = 0.5")}


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("rules.ood", "unknown key `rules.ood`; did you mean `rules.odd`"),
        ("odd", "unknown key `odd`; did you mean `rules.odd`"),
        ("rules.even", "`rules.even` has one value in nowhere. Keys that vary there: rules.odd"),
        ("players", "which tables of different numbers of players do not share"),
    ],
)
def test_keys_that_nothing_can_differ_in_are_refused(key: str, problem: str) -> None:
    run = swept({(): 0.5, (("odd", 2),): 0.5}, odd=1, even=1)
    with pytest.raises(UserError) as refused:
        changes.by_keys(run, [key])
    assert problem in str(refused.value)


# ----------------------------------------------------------------------------------------------------------------- runs


@pytest.fixture
def few_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The columns that fake runs have."""
    from types import SimpleNamespace

    names = {"games": ("n_turns", "end_cause"), "seats": ("win",)}

    def columns_of(game: Any, table: str) -> list[Any]:
        return [SimpleNamespace(name=name) for name in names[table]]

    monkeypatch.setattr(changes, "columns_of", columns_of)


def runs_of(shares: Sequence[Sequence[float]], seeds: tuple[int, int] = (3, 3)) -> list[FakeRun]:
    """Two runs, each with cells of `odd` = 1, 2 ... by the first seat's share, and always the same luck."""
    found = []
    for own, seed in zip(shares, seeds, strict=True):
        run = swept({(("odd", number),): p for number, p in enumerate(own, 1)}, odd=1)
        for cell in run.cells:
            run.columns["games", "n_turns", cell.id] = np.full((1, cell.n_deals), 9, np.uint16)
        run.manifest = run.manifest | {"game": "fake", "seed": seed, "tape_version": 1}
        found.append(run)
    return found


@pytest.mark.usefixtures("few_columns")
def test_runs_are_compared_deal_by_deal_and_what_did_not_change_is_identical() -> None:
    found = changes.between(*runs_of([(0.5, 0.5, 0.4), (0.5, 0.6)]))
    assert found.is_paired
    assert found.identical == {"2 players, odd = 1, a in every seat": 3000}
    assert found.only_first == ["2 players, odd = 3, a in every seat"]
    assert found.only_second == []
    assert set(found.table["setting"]) == {"odd = 2"}
    assert found.n_verdicts == 2
    assert row_of(found, "win share of seat 1")["verdict"] == "rises"
    assert row_of(found, "win share of seat 1")["gain"] > 1


@pytest.mark.usefixtures("few_columns")
def test_the_other_way_round_the_sign_is_the_other() -> None:
    runs = runs_of([(0.5,), (0.6,)])
    there, back = changes.between(*runs), changes.between(*reversed(runs))
    ours, theirs = (row_of(found, "win share of seat 1") for found in (there, back))
    assert (theirs["value"], theirs["low"], theirs["high"]) == pytest.approx(
        (-ours["value"], -ours["high"], -ours["low"])
    )
    assert (ours["verdict"], theirs["verdict"]) == ("rises", "falls")


@pytest.mark.usefixtures("few_columns")
def test_runs_with_other_seeds_are_not_paired() -> None:
    """Even rows that happen to be the same are a comparison of two samples."""
    runs = runs_of([(0.5,), (0.5,)], seeds=(3, 4))
    found = changes.between(*runs)
    assert not found.is_paired
    assert found.identical == {}
    row = row_of(found, "win share of seat 1")
    share = runs[0].columns["seats", "win", "0" * 12][0, 0] / 60
    wanted = stats.ttest_ind(share, share, equal_var=False).confidence_interval(found.level)
    assert (row["value"], row["low"], row["high"]) == pytest.approx((0, wanted.low, wanted.high))
    assert np.isnan(row["gain"])


def test_runs_of_two_games_or_without_a_common_cell_are_refused() -> None:
    first, second = runs_of([(0.5,), (0.5,)])
    second.manifest = second.manifest | {"game": "other"}
    with pytest.raises(UserError, match="must be of one game"):
        changes.between(first, second)
    (third, fourth) = runs_of([(0.5,), (0.5,)])
    fourth.cells = [type(cell)(**{**vars(cell), "id": "f" * 12}) for cell in fourth.cells]
    with pytest.raises(UserError, match="none in common"):
        changes.between(third, fourth)
