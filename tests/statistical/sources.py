"""The tape's words along each of its coordinates, and weak generators that a good test must tell from it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from simkit.tape import DEAL_SHIFT, STREAM_SHIFT, derive_key, squares

Words = npt.NDArray[np.uint64]
Source = Callable[[int, Words], Words]
"""(seed, counters) -> words."""

HALF = np.uint64(32)


def tape(seed: int, counters: Words) -> Words:
    """What is under test."""
    return squares(counters, np.array(derive_key(seed), np.uint64))


def no_rounds(seed: int, counters: Words) -> Words:
    """The counter times the key, without a single square: a Weyl sequence."""
    return counters * np.uint64(derive_key(seed))


def two_rounds(seed: int, counters: Words) -> Words:
    """Squares with two rounds instead of five."""
    key = np.uint64(derive_key(seed))
    y = counters * key
    x = y * y + y
    x = x >> HALF | x << HALF
    return x * x + y + key


def congruential(seed: int, counters: Words) -> Words:
    """A linear congruential generator's step: its low bits repeat after a few numbers."""
    return (counters + np.uint64(seed)) * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)


def seed_plus_counter(seed: int, counters: Words) -> Words:
    """Good words, but the seed is only added: the next seed's tape is this one's, shifted."""
    return tape(0, counters + np.uint64(seed))


def seed_plus_deal(seed: int, counters: Words) -> Words:
    """Good words, but the seed is added to the deal."""
    return tape(0, counters + (np.uint64(seed) << np.uint64(DEAL_SHIFT)))


def weak_middle_bit(seed: int, counters: Words) -> Words:
    """Good words but for one bit, which is 1 in 52 of 100."""
    words = tape(seed, counters)
    return words | np.uint64(1 << 37) * (tape(seed + 1, counters) % np.uint64(25) == 0)


def sticky(seed: int, counters: Words) -> Words:
    """Good words, one in fifty of which is the same as the one before."""
    words = tape(seed, counters)
    again = np.flatnonzero(tape(seed + 1, counters[1:]) % np.uint64(50) == 0)
    words[again + 1] = words[again]
    return words


def counters(deals: npt.ArrayLike, streams: npt.ArrayLike = 0, ordinals: npt.ArrayLike = 0) -> Words:
    """Packed coordinates of arrays that broadcast against each other, in their order."""
    deal, stream, ordinal = (np.asarray(part, np.uint64) for part in (deals, streams, ordinals))
    packed = (deal << np.uint64(DEAL_SHIFT)) + (stream << np.uint64(STREAM_SHIFT)) + ordinal
    return packed.reshape(-1)


def along_ordinals(source: Source, n: int) -> Words:
    """One deal after the other, 4,096 words of a stream each."""
    return source(11, counters(np.arange(n // 4096)[:, None], 17, np.arange(4096)))


def along_deals(source: Source, n: int) -> Words:
    """The first word of one stream, deal after deal."""
    return source(12, counters(np.arange(n), 16))


def along_streams(source: Source, n: int) -> Words:
    """Deal after deal, the first words of all 64 streams."""
    return source(13, counters(np.arange(n // 64)[:, None], np.arange(64)))


def along_seeds(source: Source, n: int) -> Words:
    """Deal after deal, the first word under 256 neighbouring seeds."""
    deals = np.arange(n // 256)
    return np.stack([source(seed, counters(deals, 16)) for seed in range(256)], axis=1).reshape(-1)


AXES = {"ordinals": along_ordinals, "deals": along_deals, "streams": along_streams, "seeds": along_seeds}
