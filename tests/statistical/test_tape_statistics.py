"""The tape's words cannot be told from fair coins, and every test that says so fails a weak generator.

Each check gives a p-value from the null distribution of fair, independent words, already multiplied by the number of
things it looks at. ERROR_RATE is the chance of a false alarm per check: below 1 in 10,000 for the whole file, for seeds
that were fixed before looking. Checks are two-sided: numbers that are too even fail as well.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from . import sources
from .sources import AXES, counters, tape

ERROR_RATE = 1e-6
N = 1 << 18
slow = pytest.mark.slow
sizes = pytest.mark.parametrize("n", [N, pytest.param(N << 5, marks=slow)])


def two_sided(statistic: float, null) -> float:
    """The p-value of a statistic that may be neither too large nor too small; whole numbers count on both sides."""
    at_least = null.sf(statistic - 1) if isinstance(statistic, int) else null.sf(statistic)
    return 2 * min(at_least, null.cdf(statistic))


def chi_square(counts: np.ndarray, expected: np.ndarray | float) -> float:
    """The p-value of counts whose total is fixed."""
    return two_sided(float(((counts - expected) ** 2 / expected).sum()), stats.chi2(counts.size - 1))


def byte_of(words: np.ndarray, place: int) -> np.ndarray:
    return (words >> np.uint64(8 * place) & np.uint64(255)).astype(np.intp)


def pairs(words: np.ndarray, lag: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of words that lie `lag` apart, no word twice."""
    blocks = words[: len(words) // (2 * lag) * 2 * lag].reshape(-1, 2, lag)
    return blocks[:, 0].reshape(-1), blocks[:, 1].reshape(-1)


# ------------------------------------------------------------------------------------------- one p-value for many words


def uniform_bytes(words: np.ndarray) -> float:
    """Every byte of a word takes its 256 values equally often."""
    return 8 * min(chi_square(np.bincount(byte_of(words, b), minlength=256), len(words) / 256) for b in range(8))


def even_bits(words: np.ndarray) -> float:
    """Every bit is set half of the time."""
    set_bits = [int(np.count_nonzero(words >> np.uint64(bit) & np.uint64(1))) for bit in range(64)]
    null = stats.binom(len(words), 0.5)
    return 64 * min(two_sided(count, null) for count in set_bits)


LAGS = (1, 2, 3, 8)


def independent_neighbours(words: np.ndarray) -> float:
    """The upper halves of two words' bytes are independent: all 256 pairs equally often, at several distances."""
    p = 1.0
    for lag in LAGS:
        first, second = pairs(words, lag)
        for b in range(8):
            cells = (byte_of(first, b) >> 4) * 16 + (byte_of(second, b) >> 4)
            p = min(p, chi_square(np.bincount(cells, minlength=256), len(first) / 256))
    return 8 * len(LAGS) * p


def uncorrelated_neighbours(words: np.ndarray) -> float:
    """Words as fractions have no serial correlation: centred products, of variance 1/144, add up to a normal sum."""
    p = 1.0
    for lag in LAGS:
        first, second = (part / 2.0**64 - 0.5 for part in pairs(words, lag))
        p = min(p, two_sided(12 * float((first * second).sum()) / np.sqrt(len(first)), stats.norm()))
    return len(LAGS) * p


def different_neighbours(words: np.ndarray) -> float:
    """The number of bits in which two words differ is binomial; its rare values are taken together."""
    first, second = pairs(words, 1)
    differing = np.bitwise_count(first ^ second)
    counts = np.bincount(np.clip(differing, 20, 44), minlength=45)[20:]
    null = stats.binom(64, 0.5)
    shares = np.array([null.cdf(20), *null.pmf(range(21, 44)), null.sf(43)])
    return chi_square(counts, shares * len(first))


CHECKS = (uniform_bytes, even_bits, independent_neighbours, uncorrelated_neighbours, different_neighbours)
names = {"ids": lambda part: getattr(part, "__name__", None)}


@sizes
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("check", CHECKS, **names)
def test_words_look_fair_along(check, axis, n):
    assert check(AXES[axis](tape, n)) > ERROR_RATE


@pytest.mark.parametrize(
    ("check", "axis", "weak"),
    [
        (uniform_bytes, "ordinals", sources.congruential),
        (uniform_bytes, "deals", sources.congruential),
        (uniform_bytes, "deals", sources.no_rounds),
        (uniform_bytes, "streams", sources.two_rounds),
        (even_bits, "deals", sources.weak_middle_bit),
        (independent_neighbours, "ordinals", sources.congruential),
        (independent_neighbours, "ordinals", sources.no_rounds),
        (independent_neighbours, "deals", sources.two_rounds),
        (independent_neighbours, "streams", sources.no_rounds),
        (uncorrelated_neighbours, "ordinals", sources.sticky),
        (uncorrelated_neighbours, "deals", sources.no_rounds),
        (different_neighbours, "ordinals", sources.sticky),
        (different_neighbours, "streams", sources.no_rounds),
        (different_neighbours, "seeds", sources.congruential),
    ],
    **names,
)
def test_check_fails_a_weak_generator(check, axis, weak):
    assert check(AXES[axis](weak, N)) < ERROR_RATE


# -------------------------------------------------------------------------------------- two tapes, or two places of one


def common_words(source, seeds: range, n_deals: int = 512) -> int:
    """How many words of several neighbouring seeds' tapes are not their own."""
    places = counters(np.arange(n_deals)[:, None], 16, np.arange(16))
    drawn = np.concatenate([source(seed, places) for seed in seeds])
    return len(drawn) - len(np.unique(drawn))


def test_neighbouring_seeds_tapes_are_not_shifted_copies():
    """64 tapes of 8,192 words: a repeat among fair words has a chance of 2**37 in 2**64."""
    assert common_words(tape, range(64)) == 0


@pytest.mark.parametrize("weak", [sources.seed_plus_counter, sources.seed_plus_deal], **names)
def test_copies_are_found(weak):
    assert common_words(weak, range(64)) > 0


def avalanche(source, n: int) -> float:
    """Each of the counter's 64 bits, flipped, flips each of the word's 64 bits half of the time."""
    places = np.random.default_rng(14).integers(0, 2**64, n, np.uint64)
    words, null, p = source(15, places), stats.binom(n, 0.5), 1.0
    for bit in range(64):
        changed = words ^ source(15, places ^ np.uint64(1 << bit))
        flips = np.unpackbits(changed.view(np.uint8).reshape(n, 8), axis=1).sum(axis=0, dtype=np.int64)
        p = min(p, two_sided(int(flips.min()), null), two_sided(int(flips.max()), null))
    return 64 * 64 * p


@pytest.mark.parametrize("n", [1 << 13, pytest.param(1 << 17, marks=slow)])
def test_every_bit_of_a_coordinate_changes_every_bit_of_the_word(n):
    assert avalanche(tape, n) > ERROR_RATE


@pytest.mark.parametrize("weak", [sources.no_rounds, sources.two_rounds, sources.congruential], **names)
def test_avalanche_fails_a_weak_generator(weak):
    assert avalanche(weak, 1 << 13) < ERROR_RATE


def birthday_spacings(words: np.ndarray) -> float:
    """Marsaglia's test: of 4,096 birthdays in a year of 2**32 days, equal gaps are Poisson with mean 4 a year."""
    days = np.sort((words[: len(words) // 4096 * 4096] >> np.uint64(32)).astype(np.int64).reshape(-1, 4096), axis=1)
    gaps = np.sort(np.diff(days, axis=1), axis=1)
    equal = int(np.count_nonzero(np.diff(gaps, axis=1) == 0))
    return two_sided(equal, stats.poisson(len(days) * 4096**3 / (4 * 2**32)))


@sizes
@pytest.mark.parametrize("axis", AXES)
def test_birthdays_are_spaced_at_random_along(axis, n):
    assert birthday_spacings(AXES[axis](tape, n)) > ERROR_RATE


@pytest.mark.parametrize("axis", AXES)
def test_birthday_spacings_fail_a_weak_generator(axis):
    assert birthday_spacings(AXES[axis](sources.congruential, N)) < ERROR_RATE
