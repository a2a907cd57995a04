"""Luck as a pure function: every random number is addressed by (seed, deal, stream, ordinal).

The generator is Widynski's *Squares* with 64-bit output (five rounds), a counter-based generator evaluated over whole
arrays. No generator object is carried, so a game's luck does not depend on its neighbours, on the order of play, on the
number of workers or on where a run was resumed.

The counter holds the three coordinates side by side::

    bits 63..24   deal      below 2**40
    bits 23..18   stream    below 2**6
    bits 17..0    ordinal   below 2**18

References
----------
B. Widynski, "Squares: a fast counter-based RNG", arXiv:2004.06278 (2020).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

TAPE_VERSION = 1
"""Changes whenever the same coordinates would give other bits."""

ORDINAL_BITS, STREAM_BITS, DEAL_BITS = 18, 6, 40
MAX_DEALS, MAX_STREAMS, MAX_ORDINALS = 1 << DEAL_BITS, 1 << STREAM_BITS, 1 << ORDINAL_BITS
STREAM_SHIFT, DEAL_SHIFT = ORDINAL_BITS, ORDINAL_BITS + STREAM_BITS

CUT_LIMIT = 1 << 36
"""Bounded draws cut from one word in a shuffle have a product of bounds of at most this.

Each draw by itself is as even as one with a word of its own. For any event on all draws of a word the probability is
off by less than the sum of (bound - 1) x 2**-32: below 2**-23 for six of sixty cards, below 2**-21 for a whole
shuffle of sixty, a tenth of the standard error that 10**10 games leave a share.
"""

BLOCK = 1 << 13
"""Words made at a time: what is in between stays in the cache, which halves the time of a long array."""

Words = npt.NDArray[np.uint64]
_S32 = np.array(32, np.uint64)


def derive_key(seed: int) -> int:
    """A well-formed Squares key for a seed.

    Widynski asks for irregular bits: here each half has eight different non-zero hexadecimal digits, the halves do not
    meet in equal digits, and the key is odd. The digits are picked by SHA-256 of the seed, so that neighbouring seeds
    share nothing.

    Parameters
    ----------
    seed
        Any integer.

    Returns
    -------
    int
        An odd 64-bit key.
    """
    picks = iter(hashlib.sha256(f"simkit tape {TAPE_VERSION} seed {seed}".encode()).digest())

    def pick(digits: list[int]) -> int:
        return digits.pop(next(picks) % len(digits))

    low_left, low = list(range(1, 16)), []
    low.append(pick([d for d in low_left if d % 2]))
    low_left.remove(low[0])
    low += [pick(low_left) for _ in range(7)]
    high_left = [d for d in range(1, 16) if d != low[-1]]
    first = pick(high_left)
    high_left.append(low[-1])
    high = [first] + [pick(high_left) for _ in range(7)]
    return sum(digit << (4 * place) for place, digit in enumerate(low + high))


def squares(counters: Words, key: np.ndarray) -> Words:
    """Squares, 64-bit output, of an array of counters.

    Parameters
    ----------
    counters : uint64 (n,)
        Packed coordinates.
    key : uint64 ()
        A well-formed key.

    Returns
    -------
    uint64 (n,)
        Uniform words.
    """
    words = np.empty_like(counters)
    for start in range(0, len(counters), BLOCK):
        words[start : start + BLOCK] = _squares(counters[start : start + BLOCK], key)
    return words


def _squares(counters: Words, key: np.ndarray) -> Words:
    """The words of one block."""
    y = counters * key
    z = y + key
    x = y * y
    x += y
    t = np.empty_like(x)
    for w in (z, y, z):
        np.right_shift(x, _S32, out=t)
        np.left_shift(x, _S32, out=x)
        np.bitwise_or(x, t, out=x)
        np.multiply(x, x, out=x)
        np.add(x, w, out=x)
    np.right_shift(x, _S32, out=t)  # the last round's square is also xor-ed in: 64 good bits instead of 32
    np.left_shift(x, _S32, out=z)
    np.bitwise_or(z, t, out=z)
    np.multiply(z, z, out=z)
    np.add(z, y, out=z)
    np.right_shift(z, _S32, out=z)
    np.bitwise_xor(x, z, out=x)
    return x


def below(words: Words, bound: int | npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Uniform integers in 0..bound-1 by multiply-shift on a word's upper half.

    Each value's probability is within 2**-32 of 1/bound: a share is off by at most 2.4e-10, a hundredth of the
    standard error that 10**10 games leave.

    Parameters
    ----------
    words : uint64 (n,)
    bound : int or int (n,)
        1 to 2**31.

    Returns
    -------
    int64 (n,)
    """
    drawn = np.empty_like(words)
    for start in range(0, len(words), BLOCK):
        block = slice(start, start + BLOCK)
        part = words[block] >> _S32
        part *= bound[block].astype(np.uint64) if isinstance(bound, np.ndarray) and bound.ndim else np.uint64(bound)
        np.right_shift(part, _S32, out=drawn[block])
    return drawn.view(np.int64)


def cuts(bounds: Sequence[int]) -> Iterator[list[int]]:
    """Split the bounds of a shuffle's draws into runs that are cut from one word each.

    >>> [len(run) for run in cuts(range(60, 1, -1))]
    [6, 6, 6, 6, 7, 7, 8, 12, 1]
    """
    run: list[int] = []
    product = 1
    for bound in bounds:
        if run and product * bound > CUT_LIMIT:
            yield run
            run, product = [], 1
        run.append(bound)
        product *= bound
    if run:
        yield run


class Tape:
    """All the luck of one seed.

    Parameters
    ----------
    seed
        Any integer; it is hashed, so seeds 1 and 2 have nothing in common.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.key = np.array(derive_key(seed), np.uint64)

    def words(self, deals: Words, stream: int, ordinals: int | npt.NDArray[np.integer] = 0) -> Words:
        """The words at (deal, stream, ordinal) for an array of deals.

        Parameters
        ----------
        deals : uint64 (n,)
            Below 2**40; checked once, by `check_deals`, where a batch starts.
        stream
            0 to 63.
        ordinals : int or int (n,)
            Below 2**18, counted per game and stream.

        Returns
        -------
        uint64 (n,)
        """
        if not 0 <= stream < MAX_STREAMS:
            raise OverflowError(f"a stream must be below {MAX_STREAMS}; found {stream}")
        low, high = (ordinals, ordinals) if isinstance(ordinals, int) else _range(ordinals)
        if not 0 <= low <= high < MAX_ORDINALS:
            raise OverflowError(f"an ordinal must be below {MAX_ORDINALS}; found {low}..{high}")
        words, stream_bits = np.empty_like(deals), np.uint64(stream << STREAM_SHIFT)
        for start in range(0, len(deals), BLOCK):
            block = slice(start, start + BLOCK)
            counters = deals[block] << np.uint64(DEAL_SHIFT)
            counters += stream_bits
            counters += np.uint64(ordinals) if isinstance(ordinals, int) else ordinals[block].astype(np.uint64)
            words[block] = _squares(counters, self.key)
        return words


def _range(ordinals: npt.NDArray[np.integer]) -> tuple[int, int]:
    """The lowest and the highest of some ordinals."""
    return (int(ordinals.min()), int(ordinals.max())) if ordinals.size else (0, 0)


def check_deals(first: int, n_deals: int) -> None:
    """Refuse deals that do not fit the counter."""
    if first < 0 or n_deals < 0 or first + n_deals > MAX_DEALS:
        raise OverflowError(f"deals must lie in 0..{MAX_DEALS - 1}; found {first}..{first + n_deals - 1}")
