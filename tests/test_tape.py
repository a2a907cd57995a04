"""The tape agrees with its scalar twin bit for bit, its bits are pinned, overflow is refused, and its bias is known."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.tape import (
    CUT_LIMIT,
    MAX_DEALS,
    MAX_ORDINALS,
    MAX_STREAMS,
    Tape,
    below,
    check_deals,
    cuts,
    derive_key,
    squares,
)
from tests.reference import tape as twin

seeds = st.integers(-(2**70), 2**70)
deals = st.integers(0, 2**40 - 1)
streams = st.integers(0, 2**6 - 1)
ordinals = st.integers(0, 2**18 - 1)
words = st.integers(0, 2**64 - 1)


def uint64(values) -> np.ndarray:
    return np.array(values, np.uint64)


# -------------------------------------------------------------------------------------------- the same bits as the twin


@given(st.lists(words, min_size=1, max_size=20), words)
def test_squares_agrees_with_the_twin(counters, key):
    assert squares(uint64(counters), uint64(key)).tolist() == [twin.squares(c, key) for c in counters]


@given(seeds)
def test_key_agrees_with_the_twin(seed):
    assert derive_key(seed) == twin.derive_key(seed)


@given(seeds, st.lists(deals, min_size=1, max_size=8), streams, ordinals)
def test_words_agree_with_the_twin(seed, some_deals, stream, ordinal):
    expected = [twin.word(seed, deal, stream, ordinal) for deal in some_deals]
    assert Tape(seed).words(uint64(some_deals), stream, ordinal).tolist() == expected


@given(seeds, streams, st.lists(st.tuples(deals, ordinals), min_size=1, max_size=8))
@pytest.mark.parametrize("dtype", ["uint32", "int64", "uint64"])
def test_words_with_an_ordinal_a_game_agree_with_the_twin(dtype, seed, stream, places):
    some_deals, some_ordinals = zip(*places, strict=True)
    expected = [twin.word(seed, deal, stream, ordinal) for deal, ordinal in places]
    assert Tape(seed).words(uint64(some_deals), stream, np.array(some_ordinals, dtype)).tolist() == expected


@given(st.lists(st.tuples(words, st.integers(1, 2**31)), min_size=1, max_size=8))
def test_bounded_draws_agree_with_the_twin(pairs):
    drawn, bounds = zip(*pairs, strict=True)
    expected = [twin.below(word, bound) for word, bound in pairs]
    assert below(uint64(drawn), np.array(bounds)).tolist() == expected
    assert below(uint64(drawn[:1]), bounds[0]).tolist() == expected[:1]
    assert all(0 <= value < bound for value, bound in zip(expected, bounds, strict=True))


def test_bounded_draws_leave_the_words_alone():
    drawn = uint64([2**63, 5])
    below(drawn, 60)
    assert drawn.tolist() == [2**63, 5]


@given(st.integers(0, 120), st.integers(0, 120))
def test_bounds_share_words_as_in_the_twin(most, dealt):
    bounds = range(most, max(0, most - dealt), -1)
    runs = list(cuts(bounds))
    assert runs == twin.runs_of_bounds(bounds)
    assert [bound for run in runs for bound in run] == list(bounds)
    assert all(prod(run) <= CUT_LIMIT for run in runs)


# ---------------------------------------------------------------------------------------------------------- pinned bits


def test_squares_gives_the_published_values():
    """From the documentation of another implementation of Squares, for its key."""
    expected = [0x36D88366CEE633A5, 0x944716E00E60DFAA, 0xC8A8F4E0678654BF]
    assert squares(uint64([0, 1, 2]), uint64(0x548C9DECBCE65297)).tolist() == expected


@pytest.mark.parametrize(
    ("seed", "key"),
    [(0, 0x326A89BD4C26F59B), (1, 0xD314965EC854A2E7), (20261130, 0x79E162DFDBFA46E9), (-7, 0x8C4B21ED6B981C7D)],
)
def test_keys_are_pinned(seed, key):
    """Worked out by the twin: a change of these bits is a change of TAPE_VERSION."""
    assert derive_key(seed) == key


@pytest.mark.parametrize(
    ("seed", "deal", "stream", "ordinal", "word"),
    [
        (0, 0, 0, 0, 0x4C1ACBBD91F9CB13),
        (1, 2, 3, 4, 0xDA5333F0A415444C),
        (20261130, 10**9, 16, 17, 0x710F87BC198BDA95),
        (20261130, 2**40 - 1, 63, 2**18 - 1, 0x8DD8704580359C3A),
    ],
)
def test_words_are_pinned(seed, deal, stream, ordinal, word):
    """Worked out by the twin: a change of these bits is a change of TAPE_VERSION."""
    assert Tape(seed).words(uint64([deal]), stream, ordinal).tolist() == [word]


# ------------------------------------------------------------------------------------------- keys, overflow, neighbours


@given(seeds)
def test_key_is_well_formed(seed):
    """As Widynski asks: odd, eight different digits in each half, no zero, and the halves do not meet in equal ones."""
    digits = f"{derive_key(seed):016x}"
    high, low = digits[:8], digits[8:]
    assert "0" not in digits
    assert len(set(high)) == len(set(low)) == 8
    assert high[-1] != low[0]
    assert int(low[-1], 16) % 2 == 1


def test_different_seeds_have_different_keys():
    assert len({derive_key(seed) for seed in range(-5_000, 5_000)}) == 10_000


@pytest.mark.parametrize("stream", [-1, 64, 2**20])
def test_stream_beyond_the_counter_is_an_error(stream):
    with pytest.raises(OverflowError, match=str(stream)):
        Tape(1).words(uint64([0]), stream)


@pytest.mark.parametrize("ordinal", [-1, 2**18, 2**40])
def test_ordinal_beyond_the_counter_is_an_error(ordinal):
    with pytest.raises(OverflowError, match=str(ordinal)):
        Tape(1).words(uint64([0]), 0, ordinal)


def test_one_games_ordinal_beyond_the_counter_is_an_error():
    with pytest.raises(OverflowError):
        Tape(1).words(uint64([0, 1]), 0, np.array([3, 2**18]))


@pytest.mark.parametrize(("first", "n_deals"), [(-1, 5), (0, -1), (2**40, 1), (2**40 - 4, 5), (0, 2**40 + 1)])
def test_deals_beyond_the_counter_are_an_error(first, n_deals):
    with pytest.raises(OverflowError):
        check_deals(first, n_deals)


@pytest.mark.parametrize(("first", "n_deals"), [(0, 0), (0, 2**40), (2**40 - 5, 5), (2**40, 0)])
def test_deals_that_fit_are_accepted(first, n_deals):
    check_deals(first, n_deals)


@given(st.sets(st.tuples(deals, streams, ordinals), min_size=2, max_size=6))
def test_different_coordinates_have_different_counters(places):
    assert len({twin.counter(*place) for place in places}) == len(places)
    assert (MAX_DEALS, MAX_STREAMS, MAX_ORDINALS) == (2**40, 2**6, 2**18)


def test_neighbouring_coordinates_share_no_words():
    """Blocks are not copies of each other: 4 seeds x 50 deals x 64 streams x 40 ordinals, all words different.

    A repeat among half a million random words has a chance of 1 in 140 million.
    """
    near, ordinal = np.arange(50, dtype=np.uint64), np.arange(40).repeat(50)
    some_deals = np.tile(near, 40)
    drawn = [Tape(seed).words(some_deals, stream, ordinal) for seed in (7, 8, 9, 10) for stream in range(64)]
    assert len(np.unique(np.concatenate(drawn))) == 4 * 50 * 64 * 40
