"""How far bounded draws are from fair: exactly counted for small words, by arithmetic for those of the tape."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, prod, sqrt

import numpy as np
import pytest

from tests.reference import tape as twin


@pytest.mark.parametrize("half", [8, 10])
def test_multiply_shift_is_off_by_less_than_one_in_two_to_the_half(half):
    """Exactly counted for words whose upper half has few bits: the docstring's bound with 8 or 10 in place of 32."""
    for bound in range(1, 2**half + 1):
        counts = np.bincount(np.arange(2**half) * bound >> half, minlength=bound)
        shares = [Fraction(int(count), 2**half) for count in (counts.min(), counts.max())]
        assert all(abs(share - Fraction(1, bound)) < Fraction(1, 2**half) for share in shares)


def share_of(value: int, bound: int) -> Fraction:
    """The probability of a value of `below`: upper halves h with value * 2**32 <= h * bound < (value + 1) * 2**32."""
    first, beyond = (ceil(Fraction(v * 2**32, bound)) for v in (value, value + 1))
    return Fraction(beyond - first, 2**32)


@pytest.mark.parametrize("bound", [2, 3, 7, 60, 61, 120, 1000, 65_537, 2**31 - 1, 2**31])
def test_multiply_shift_is_off_by_less_than_stated(bound):
    values = range(bound) if bound <= 1000 else (0, 1, 2, bound // 3, bound // 2, bound - 2, bound - 1)
    for value in values:
        assert abs(share_of(value, bound) - Fraction(1, bound)) < Fraction(1, 2**32)
    if bound <= 1000:
        assert sum(share_of(value, bound) for value in range(bound)) == 1


@pytest.mark.parametrize("bound", [2, 6, 60, 120, 1000])
def test_multiply_shift_bias_hides_in_ten_billion_games(bound):
    """A hundredth of the standard error of a share of 1 / bound, as the docstring says."""
    assert sqrt(1 / bound * (1 - 1 / bound) / 1e10) / 100 > 2**-32


def counts_of_cut_words(half: int, bounds: list[int]) -> np.ndarray:
    """How many of all words of 2 x half bits give each combination of draws."""
    left = np.arange(4**half)
    index = np.zeros(4**half, np.int64)
    for bound in bounds:
        index = index * bound + ((left >> half) * bound >> half)
        left = left * bound & (4**half - 1)
    return np.bincount(index, minlength=prod(bounds))


@pytest.mark.parametrize("half", [8, 9, 10])
@pytest.mark.parametrize("bounds", [[5], [6, 5], [7, 6, 5], [12, 11], [5, 4, 3, 2], [10, 9, 8]], ids=str)
def test_draws_cut_from_one_word_are_nearly_independent(half, bounds):
    """No combination's probability is off by 2**-half; no event's is off by the sum of the (bounds - 1) in 2**half.

    The largest bias of any event is half the sum of all absolute deviations.
    """
    counts, fair = counts_of_cut_words(half, bounds), Fraction(4**half, prod(bounds))
    off = [abs(Fraction(int(count)) - fair) / 4**half for count in counts]
    assert max(off) < Fraction(1, 2**half)
    assert sum(off) / 2 <= Fraction(sum(bound - 1 for bound in bounds), 2**half)


@pytest.mark.parametrize("half", [8, 9, 10])
@pytest.mark.parametrize("bounds", [[6, 5], [7, 6, 5], [12, 11], [8, 6, 4], [10, 9, 8]], ids=str)
def test_each_draw_cut_from_a_word_is_as_good_as_one_with_a_word_of_its_own(half, bounds):
    """What a draw leaves of a word is the word times its bound: all multiples of a power of two, equally often."""
    joint = counts_of_cut_words(half, bounds).reshape(bounds)
    for i, bound in enumerate(bounds):
        alone = np.bincount(np.arange(2**half) * bound >> half, minlength=bound) * 2**half
        assert joint.sum(axis=tuple(set(range(len(bounds))) - {i})).tolist() == alone.tolist()


def test_no_shuffle_uses_up_the_bits_that_a_draw_looks_at():
    """The argument above holds while the power of two in a run's product leaves the upper half whole."""
    for size in range(1, 121):
        assert all((prod(run) & -prod(run)) <= 2**32 for run in twin.runs_of_bounds(range(size, 0, -1)))


@pytest.mark.parametrize("size", [52, 60, 120])
def test_a_whole_shuffles_bias_hides_in_ten_billion_games(size):
    """Biases of events add up over a shuffle's words; an even chance has a standard error of 0.5 / sqrt(games)."""
    bias = sum(bound - 1 for bound in range(size, 0, -1)) * 2**-32
    assert bias < 0.5 / sqrt(1e10) / (10 if size <= 60 else 2)
