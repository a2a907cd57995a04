"""The engine's choice is an obvious scalar arg-max for every type of score; ties go to the first, or to a coin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from simkit.strategy import Random, Strategy
from tests.reference import tape as twin

from .test_ask import masks
from .tiny import MANY, SEED, Offered, OfferedByCoin, best_by_hand, table_of

INTEGERS = ("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64")
FLOATS = ("float16", "float32", "float64")


def extreme(dtype: str):
    """Values of a type, the smallest, the largest and their neighbours among them."""
    if dtype == "bool":
        return st.booleans()
    if dtype in FLOATS:
        limits = np.finfo(dtype)
        ends = [-np.inf, np.inf, float(limits.min), float(limits.max), float(limits.tiny), 0.0, -0.0, 1.0, -1.0]
        return st.sampled_from(ends) | st.floats(allow_nan=False, width=8 * np.dtype(dtype).itemsize)
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    ends = [low, low + 1, low + 2, high, high - 1, *({0, 1, -1, 2} if low else {0, 1, 2})]
    return st.sampled_from(ends) | st.integers(low, high)


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
@given(data=st.data())
def test_choice_is_the_obvious_one_where_every_option_is_legal(dtype, data):
    scores = data.draw(hnp.arrays(dtype, (4, 3), elements=extreme(dtype)))
    choice = table_of(Offered(), n=3).ask("pick", 0, scores=scores)
    assert choice.tolist() == best_by_hand(scores.tolist(), np.ones((4, 3), bool))


TWO_LOWEST = {
    **{dtype: (int(np.iinfo(dtype).min), int(np.iinfo(dtype).min) + 1) for dtype in INTEGERS[2:]},
    **{dtype: (-np.inf, float(np.finfo(dtype).min)) for dtype in FLOATS},
}


@pytest.mark.parametrize("dtype", TWO_LOWEST)
def test_the_two_lowest_values_of_a_type_are_told_apart(dtype):
    scores = np.array(TWO_LOWEST[dtype], dtype)[[0, 1, 0, 0], None]
    legal = np.array([1, 1, 1, 0], bool)[:, None]
    assert table_of(Offered(), n=1).ask("pick", 0, legal=legal, scores=scores).tolist() == [1]


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
@given(data=st.data())
def test_choice_is_the_obvious_one_among_legal_options(dtype, data):
    scores, legal = data.draw(hnp.arrays(dtype, (4, 3), elements=extreme(dtype))), data.draw(masks(3))
    choice = table_of(Offered(), n=3).ask("pick", 0, legal=legal, scores=scores)
    assert choice.tolist() == best_by_hand(scores.tolist(), legal)


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
@given(data=st.data())
def test_a_coin_decides_between_true_equals_only(dtype, data):
    scores, legal = data.draw(hnp.arrays(dtype, (4, 3), elements=extreme(dtype))), data.draw(masks(3))
    choice = table_of(OfferedByCoin(), n=3).ask("pick", 0, legal=legal, scores=scores)
    first = best_by_hand(scores.tolist(), legal)
    for game in range(3):
        assert legal[choice[game], game]
        assert scores[choice[game], game] == scores[first[game], game]


@given(hnp.arrays("int16", (100, 3), elements=st.integers(-3, 3)), masks(3, 100))
def test_choice_among_a_hundred_options(scores, legal):
    assert table_of(Offered(), n=3).ask("many", 0, legal=legal, scores=scores).tolist() == best_by_hand(scores, legal)


@given(hnp.arrays("uint8", (4, 6), elements=st.integers(0, 5)), masks(6), st.sampled_from(INTEGERS[1:] + FLOATS))
def test_choice_does_not_depend_on_the_type(scores, legal, dtype):
    table = table_of(Offered(), n=6)
    expected = table.ask("pick", 0, legal=legal, scores=scores).tolist()
    assert table.ask("pick", 0, legal=legal, scores=scores.astype(dtype)).tolist() == expected


@given(hnp.arrays("int32", (4, 5), elements=st.integers(-9, 9)), masks(5))
def test_scores_may_be_any_view_of_memory(scores, legal):
    table = table_of(Offered())
    expected = best_by_hand(scores, legal)
    turned = np.ascontiguousarray(scores.T).T
    reversed_ = scores[::-1].copy()[::-1]
    spread = np.broadcast_to(scores[:, :1], (4, 5))
    for same in (turned, reversed_):
        assert table.ask("pick", 0, legal=legal, scores=same).tolist() == expected
    assert table.ask("pick", 0, legal=legal, scores=spread).tolist() == best_by_hand(spread, legal)


# ------------------------------------------------------------------------------------------------------------ by a coin


def expected_by_coin(among: list[int], n_coins: int, deal: int, seat: int = 0) -> tuple[int, int]:
    """The option that the seat's next coin picks among equals, and how many coins the seat has then used."""
    if len(among) == 1:
        return among[0], n_coins
    return among[twin.below(twin.word(SEED, deal, seat, n_coins), len(among))], n_coins + 1


@given(st.data())
def test_a_coin_decides_between_equals_and_a_single_best_uses_none(data):
    """Game by game against the twin: the seat's n-th coin is the n-th word of its stream, counted in that game."""
    table, used = table_of(OfferedByCoin(), n=3, first_deal=70), [0, 0, 0]
    for _ in range(data.draw(st.integers(1, 5))):
        scores = data.draw(hnp.arrays("int8", (4, 3), elements=st.integers(-1, 1)))
        legal, games = data.draw(masks(3)), np.array(data.draw(st.permutations(range(3))))
        choice = table.ask("pick", 0, games=games, legal=legal, scores=scores)
        for column, game in enumerate(games):
            open_to = [o for o in range(4) if legal[o, column]]
            top = max(scores[o, column] for o in open_to)
            best = [o for o in open_to if scores[o, column] == top]
            expected, used[game] = expected_by_coin(best, used[game], 70 + int(game))
            assert choice[column] == expected


@given(st.lists(masks(2), min_size=1, max_size=5))
def test_random_play_uses_no_luck_on_a_single_legal_option(asked):
    table, used = table_of(Strategy(), Random(), n=2), [0, 0]
    for legal in asked:
        choice = table.ask("pick", 1, legal=legal)
        for game in range(2):
            among = [o for o in range(4) if legal[o, game]]
            expected, used[game] = expected_by_coin(among, used[game], game, seat=1)
            assert choice[game] == expected


@pytest.mark.parametrize("dtype", ["bool", "uint8", "uint16", "int32", "float64"])
def test_a_coin_takes_each_of_equals_equally_often(dtype):
    """Three of four options are best; bounds at an error rate of one in a million, Bonferroni over the three."""
    n, scores = 30_000, np.array([[1], [0], [1], [1]])
    choice = table_of(OfferedByCoin(), n=n).ask("pick", 0, scores=np.tile(scores, n).astype(dtype))
    counts = np.bincount(choice, minlength=4)
    low, high = stats.binom(n, 1 / 3).interval(1 - 1e-6 / 3)
    assert counts[1] == 0
    assert all(low <= counts[option] <= high for option in (0, 2, 3))


def test_random_play_takes_each_of_a_hundred_options_equally_often():
    n = 100_000
    counts = np.bincount(table_of(Random(), n=n).ask("many", 0), minlength=len(MANY))
    low, high = stats.binom(n, 0.01).interval(1 - 1e-6 / 100)
    assert low <= counts.min() <= counts.max() <= high


def test_first_takes_the_first_of_equals_and_no_luck():
    table = table_of(Offered(), OfferedByCoin(), n=4)
    equal = np.ones((4, 4), np.int8)
    assert table.ask("pick", 0, scores=equal).tolist() == [0, 0, 0, 0]
    coins = [expected_by_coin([0, 1, 2, 3], 0, deal, seat=1)[0] for deal in range(4)]
    assert table.ask("pick", 1, scores=equal).tolist() == coins


@given(hnp.arrays("float64", (4, 3), elements=st.sampled_from([-np.inf, 0.0, 1.0])), masks(3))
def test_minus_infinity_is_a_legal_score(scores, legal):
    """Where all legal options are equally hopeless, the first legal one is taken, not an illegal one."""
    assume(np.isneginf(scores).any())
    assert table_of(Offered(), n=3).ask("pick", 0, legal=legal, scores=scores).tolist() == best_by_hand(scores, legal)
