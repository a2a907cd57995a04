"""Win shares: points split among winners, labels per seat they hold, over all rotations."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.stats import shares
from simkit.stats.endings import cause_shares
from simkit.stats.intervals import share
from tests.stats.made import win_column


def test_a_win_shared_by_three_is_twenty_sixtieths_each() -> None:
    win = np.array([[[20, 60], [20, 0], [20, 0]]], np.uint8)
    first, second, third = (seat.frequencies() for seat in shares.seat_shares(win))
    assert first.mean == pytest.approx((1 / 3 + 1) / 2)
    assert second.mean == third.mean == pytest.approx(1 / 6)
    assert not first.is_plain


def test_the_unit_is_the_deal_with_all_its_rotations() -> None:
    """One label wins all three rotations of each of 40 deals: 40 cases, not 120, and no variance."""
    line_up = ("a", "b", "b")
    winners = np.array([[next(s for s in range(3) if line_up[(s + r) % 3] == "a")] * 40 for r in range(3)])
    win = win_column(winners, 3)
    ours = shares.label_share(win, line_up, "a").frequencies()
    theirs = shares.label_share(win, line_up, "b").frequencies()
    assert (ours.mean, theirs.mean) == (1, 0)
    assert share(ours).n_deals == 40
    by_seat = [seat.frequencies() for seat in shares.seat_shares(win)]
    assert [seat.mean for seat in by_seat] == pytest.approx([1 / 3] * 3)
    assert all(seat.variance == 0 for seat in by_seat)


def test_a_labels_share_is_per_seat_it_holds() -> None:
    """Games won by a coin: each label has a third, though b holds twice as many seats."""
    winners = np.random.default_rng(7).integers(0, 3, (3, 20_000))
    win = win_column(winners, 3)
    for label in ("a", "b"):
        estimate = share(shares.label_share(win, ("a", "b", "b"), label).frequencies())
        assert estimate.low < 1 / 3 < estimate.high
    total = sum(n * shares.label_share(win, ("a", "b", "b"), x).frequencies().mean for x, n in (("a", 1), ("b", 2)))
    assert total == pytest.approx(1)


def test_labels_sit_where_the_line_up_says() -> None:
    """Against the definition: seat s of rotation r holds labels[(s + r) % seats]."""
    line_up = ("a", "c", "b", "c")
    for label in "abc":
        wanted = [(r, s) for r in range(4) for s in range(4) if line_up[(s + r) % 4] == label]
        assert shares.places(line_up, label, 4) == wanted
        assert len(wanted) == 4 * line_up.count(label)


def test_unfinished_games_count_for_nobody_and_lower_what_is_fair() -> None:
    win = win_column(np.array([[0, 1, -1, -1]]), 2)
    assert [seat.frequencies().mean for seat in shares.seat_shares(win)] == [0.25, 0.25]
    assert shares.fair_share(0.5, 2) == 0.25


def test_the_table_wins_or_loses_as_one() -> None:
    rate = shares.table_rate(np.array([[1, 0, 1, 1]], np.uint8)).frequencies()
    assert rate.mean == 0.75
    assert rate.is_plain


def test_every_declared_cause_is_reported_even_if_it_never_occurs() -> None:
    causes = cause_shares(np.array([[0, 0, 2], [0, 2, 2]], np.uint8), ("done", "broken", "unfinished"))
    assert {name: deals.frequencies().mean for name, deals in causes.items()} == {
        "done": 0.5,
        "broken": 0,
        "unfinished": 0.5,
    }
    never = share(causes["broken"].frequencies())
    assert (never.low, never.method) == (0, "Clopper-Pearson")
    assert never.high == pytest.approx(1 - 0.025 ** (1 / 3))
