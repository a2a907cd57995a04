"""Rows of games and seats say of every game what an obvious scalar version says."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.batch import play
from simkit.game import UNFINISHED, Column, Game, Outcome
from simkit.results import Results, games_columns, seats_columns
from simkit.strategy import Strategy

from .tiny import SEED, no_score, table_of, tiny_game

N = 12
MAX_ROUNDS = 3


def told_outcome(table, games) -> Outcome:
    """What the rules say of each deal."""
    rules, deals = table.rules, table.deals.take(games).astype(int)
    tiebreak = None if rules.tiebreak is None else rules.tiebreak[:, deals]
    return Outcome(score=rules.score[:, deals], tiebreak=tiebreak, games={"size": deals % 7}, seats={"luck": 5})


def told_turn(table, seat) -> None:
    """Each game ends in the turn that the rules say, by the rules' winners or else by score."""
    rules = table.rules
    ends = ((rules.last_turn[table.deals.astype(int)] == table.turn) & table.live).nonzero()[0]
    for cause in (0, 1):
        games = ends[rules.cause[table.deals[ends].astype(int)] == cause]
        winners = rules.winners[:, table.deals[games].astype(int)] if cause else None
        table.finish(games, ("done", "over")[cause], winners=winners)


TOLD = tiny_game(
    turn=told_turn,
    outcome=told_outcome,
    columns=(Column("size", "uint8", "", "deal modulo seven"),),
    seat_columns=(Column("luck", "int16", "", "always five"),),
)


FEW, FEWER = st.integers(0, 3), st.integers(0, 2)


@st.composite
def told_rules(draw, scores=FEW, tiebreaks=FEWER, dtypes=("uint8", "int64")):
    """Rules for 1 to 6 seats that say how each of N games ends."""
    seats = draw(st.integers(1, 6))

    def table_of_values(values, dtype):
        line = st.lists(values, min_size=N, max_size=N)
        return np.array(draw(st.lists(line, min_size=seats, max_size=seats)), dtype)

    some = st.lists(st.booleans(), min_size=seats, max_size=seats).filter(any)
    return SimpleNamespace(
        max_rounds=MAX_ROUNDS,
        seats=seats,
        score=table_of_values(scores, draw(st.sampled_from(dtypes))),
        tiebreak=table_of_values(tiebreaks, "int64") if draw(st.booleans()) else None,
        winners=np.array(draw(st.lists(some, min_size=N, max_size=N)), bool).T.copy(),
        cause=np.array(draw(st.lists(st.integers(0, 1), min_size=N, max_size=N))),
        last_turn=np.array(draw(st.lists(st.integers(0, MAX_ROUNDS * seats + 2), min_size=N, max_size=N))),
    )


def expected_rows(rules, deal: int) -> tuple[dict, list[dict]]:
    """The row of one game, and those of its seats, in plain Python."""
    seats = range(rules.seats)
    score = [int(rules.score[seat, deal]) for seat in seats]
    tiebreak = [0 if rules.tiebreak is None else int(rules.tiebreak[seat, deal]) for seat in seats]
    n_turns, cause = int(rules.last_turn[deal]) + 1, ("done", "over")[rules.cause[deal]]
    best = [seat for seat in seats if score[seat] == max(score)]
    winners = [seat for seat in best if tiebreak[seat] == max(tiebreak[other] for other in best)]
    decided = len(winners) < len(best)
    if cause == "over":
        winners, decided = [seat for seat in seats if rules.winners[seat, deal]], False
    if n_turns > MAX_ROUNDS * rules.seats:
        n_turns, cause, winners, decided = MAX_ROUNDS * rules.seats, UNFINISHED, [], False
    merit = [(seat in winners, score[seat], tiebreak[seat]) for seat in seats]
    game_row = {
        "winners": sum(2**seat for seat in winners),
        "decided_by_tiebreak": decided,
        "n_turns": n_turns,
        "end_cause": ("done", "over", UNFINISHED).index(cause),
        "size": deal % 7,
    }
    share = {1: 60, 2: 30, 3: 20, 4: 15, 5: 12, 6: 10}
    seat_rows = [
        {
            "score": score[seat],
            "rank": 1 + sum(other > merit[seat] for other in merit),
            "win": share[len(winners)] if seat in winners else 0,
            "luck": 5,
        }
        for seat in seats
    ]
    return game_row, seat_rows


def rows_of(results: Results, deal: int) -> tuple[dict, list[dict]]:
    game_row = {name: column[deal].item() for name, column in results.games.items()}
    seats = range(results.n_seats)
    return game_row, [{name: column[seat, deal].item() for name, column in results.seats.items()} for seat in seats]


def play_told(rules, width: int = N) -> Results:
    return play(TOLD, rules, [Strategy()] * rules.seats, SEED, 0, N, width=width)


@given(told_rules(), st.integers(1, N))
def test_rows_are_those_of_the_scalar_version(rules, width):
    results = play_told(rules, width)
    for deal in range(N):
        assert rows_of(results, deal) == expected_rows(rules, deal)


LARGE, TWENTY_BITS = st.integers(-(10**6), 10**6), st.integers(0, 2**20 - 1)


@given(told_rules(FEW | LARGE, FEWER | TWENTY_BITS, ["int64"]))
def test_scores_and_tiebreaks_may_be_large(rules):
    results = play_told(rules)
    for deal in range(N):
        assert rows_of(results, deal) == expected_rows(rules, deal)


def all_alike(score, tiebreak, cause=0, last_turn=0):
    """Rules under which all games end alike; by the rules' winners, everyone wins."""
    return SimpleNamespace(
        max_rounds=MAX_ROUNDS,
        seats=len(score),
        score=np.tile(np.array(score)[:, None], N),
        tiebreak=np.tile(np.array(tiebreak)[:, None], N),
        winners=np.ones((len(score), N), bool),
        cause=np.full(N, cause),
        last_turn=np.full(N, last_turn),
    )


@pytest.mark.parametrize(("score", "tiebreak"), [([5, 4], [-(2**21), 0]), ([5, 4], [0, 2**21])])
def test_ranks_go_by_score_before_any_tiebreak(score, tiebreak):
    """Also a tie-break that counts down, such as fewest cards left."""
    rules = all_alike(score, tiebreak, cause=1)
    assert rows_of(play_told(rules), 0) == expected_rows(rules, 0)


def test_an_unfinished_game_is_nobodys_and_was_not_decided_by_the_tiebreak():
    results = play_told(all_alike([5, 5], [1, 2], last_turn=99))
    game_row, seat_rows = rows_of(results, 3)
    assert game_row["winners"] == 0
    assert not game_row["decided_by_tiebreak"]
    assert [row["win"] for row in seat_rows] == [0, 0]
    assert TOLD.all_end_causes[game_row["end_cause"]] == UNFINISHED


@pytest.mark.parametrize("seats", range(1, 7))
def test_wins_of_a_game_add_up_to_sixty_sixtieths(seats):
    assert play_told(all_alike([1] * seats, [0] * seats)).seats["win"].sum(axis=0).tolist() == [60] * N


# ---------------------------------------------------------------------------------------------------- cooperative games


def shared_turn(table, seat) -> None:
    """Even deals are won in the first turn, odd ones lost in the second, deals from 8 on never end."""
    mine = (table.deals % 2 == table.turn) & (table.deals < 8) & table.live
    table.finish(mine.nonzero()[0], ("done", "over")[table.turn % 2], won=table.turn == 0)


def shared_outcome(table, games) -> Outcome:
    seat_and_deal = np.arange(table.seats)[:, None] * 10 + table.deals.take(games).astype(int)
    return Outcome(games={"size": table.deals.take(games) + 1}, seats={"luck": seat_and_deal})


SHARED = tiny_game(
    cooperative=True,
    score=None,
    turn=shared_turn,
    outcome=shared_outcome,
    columns=(Column("size", "uint8", "", "deal and one"),),
    seat_columns=(Column("luck", "int16", "", "seat and deal"),),
)


def test_a_cooperative_game_is_won_or_lost_by_the_table():
    rules = SimpleNamespace(max_rounds=2)
    results = play(SHARED, rules, [Strategy()] * 2, SEED, 0, 10)
    assert list(results.games) == ["won", "n_turns", "end_cause", "size"]
    assert list(results.seats) == ["luck"]
    assert results.games["won"].tolist() == [True, False] * 4 + [False, False]
    assert results.games["n_turns"].tolist() == [1, 2] * 4 + [4, 4]
    assert results.games["end_cause"].tolist() == [0, 1] * 4 + [2, 2]
    assert results.games["size"].tolist() == list(range(1, 11))
    assert results.seats["luck"].tolist() == [list(range(10)), list(range(10, 20))]


def test_verdicts_and_measures_are_a_value_a_game_or_one_for_all():
    """Games that end together, in any order, some told by arrays and some by a number."""

    def turn(table, seat) -> None:
        if table.turn == 0:
            table.finish(np.array([3, 0, 2]), "done", won=np.array([True, False, True]), n_turns=9)
        elif table.turn == 2:
            table.finish(table.live.nonzero()[0], "over", won=True)

    def outcome(table, games) -> Outcome:
        if table.turn == 0:
            return Outcome(games={"size": 7}, seats={"luck": -3})
        return shared_outcome(table, games)

    game = tiny_game(
        cooperative=True,
        score=None,
        turn=turn,
        outcome=outcome,
        columns=SHARED.columns,
        seat_columns=SHARED.seat_columns,
    )
    results = play(game, SimpleNamespace(max_rounds=2), [Strategy()] * 2, SEED, 0, 5)
    assert results.games["won"].tolist() == [False, True, True, True, True]
    assert results.games["n_turns"].tolist() == [9, 3, 9, 9, 3]
    assert results.games["size"].tolist() == [7, 2, 7, 7, 5]
    assert results.seats["luck"].tolist() == [[-3, 1, -3, -3, 4], [-3, 11, -3, -3, 14]]


@pytest.mark.parametrize("game", [TOLD, SHARED], ids=["rival", "cooperative"])
def test_columns_are_those_declared(game: Game):
    results = Results(game, SimpleNamespace(), 3, 5)
    for columns, held, shape in (
        (games_columns(game), results.games, (5,)),
        (seats_columns(game), results.seats, (3, 5)),
    ):
        assert [column.name for column in columns] == list(held)
        assert [(column.dtype, shape) for column in columns] == [(str(a.dtype), a.shape) for a in held.values()]


# ------------------------------------------------------------------------------------------------------------- mistakes


def test_a_game_cannot_end_twice():
    table = table_of(Strategy(), over=[1])
    with pytest.raises(RuntimeError, match="over"):
        table.finish(np.array([0, 1]), "done")


def test_an_end_cause_must_be_declared():
    with pytest.raises(ValueError, match="tuple"):
        table_of(Strategy()).finish(np.array([0]), "no-such-cause")


def test_a_rival_game_needs_scores():
    game = tiny_game(outcome=lambda table, games: Outcome())
    with pytest.raises(RuntimeError, match="score"):
        table_of(Strategy(), game=game).finish(np.array([0]), "done")


@pytest.mark.parametrize(
    "wrong",
    [{"cooperative": True}, {"score": None}, {"players": (7,)}, {"players": ()}, {"seats_for": lambda players: 0}],
)
def test_a_game_that_could_not_be_stored_is_refused(wrong):
    with pytest.raises(ValueError, match="tiny"):
        tiny_game(outcome=no_score, **wrong)
