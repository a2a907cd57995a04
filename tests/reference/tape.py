"""The tape once more in plain Python integers, one number at a time, from its written definition.

Squares is Widynski's five-round version with 64 bits of output (arXiv:2004.06278); the rest (counter, key, bounded
draws, how a pile is dealt) is simkit's own and is defined in the docstrings of `simkit.tape` and `simkit.deck`.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

WORD = (1 << 64) - 1
HALF = (1 << 32) - 1
CUT_LIMIT = 2**36


def squares(counter: int, key: int) -> int:
    """One 64-bit word."""
    y = counter * key & WORD
    z = (y + key) & WORD
    x = _half_turn((y * y + y) & WORD)
    x = _half_turn((x * x + z) & WORD)
    x = _half_turn((x * x + y) & WORD)
    fourth = (x * x + z) & WORD
    x = _half_turn(fourth)
    return fourth ^ ((x * x + y) & WORD) >> 32


def _half_turn(x: int) -> int:
    """A word with its halves exchanged."""
    return (x & HALF) << 32 | x >> 32


def counter(deal: int, stream: int, ordinal: int) -> int:
    """Forty bits of deal, six of stream, eighteen of ordinal."""
    for value, bits in ((deal, 40), (stream, 6), (ordinal, 18)):
        if not 0 <= value < 2**bits:
            raise OverflowError(value)
    return deal * 2**24 + stream * 2**18 + ordinal


def derive_key(seed: int) -> int:
    """Sixteen hexadecimal digits, lowest first, each picked by the next byte of the seed's hash from those allowed."""
    picks = iter(sha256(b"simkit tape 1 seed " + str(seed).encode()).digest())
    low: list[int] = []
    high: list[int] = []
    for place in range(8):
        allowed = [d for d in range(1, 16) if d not in low and (place > 0 or d % 2 == 1)]
        low.append(allowed[next(picks) % len(allowed)])
    for place in range(8):
        allowed = [d for d in range(1, 16) if d not in high and d != low[7]]
        if place > 0 and low[7] not in high:
            allowed.append(low[7])  # only the first digit of the upper half must differ from it; it is listed last
        high.append(allowed[next(picks) % len(allowed)])
    return int("".join(f"{digit:x}" for digit in reversed(low + high)), 16)


def word(seed: int, deal: int, stream: int, ordinal: int) -> int:
    """The word at these coordinates."""
    return squares(counter(deal, stream, ordinal), derive_key(seed))


def below(drawn: int, bound: int) -> int:
    """An integer below `bound` from a word's upper half."""
    return (drawn >> 32) * bound >> 32


def cut_word(drawn: int, bounds: Iterable[int]) -> list[int]:
    """Several bounded integers from one word: what is left after a draw is the word times its bound, modulo 2**64."""
    values = []
    for bound in bounds:
        values.append(below(drawn, bound))
        drawn = drawn * bound & WORD
    return values


def runs_of_bounds(bounds: Iterable[int]) -> list[list[int]]:
    """Which bounds share a word: as many as keep the product at most 2**36, and at least one."""
    runs: list[list[int]] = []
    product = CUT_LIMIT + 1
    for bound in bounds:
        product *= bound
        if product > CUT_LIMIT:
            runs.append([])
            product = bound
        runs[-1].append(bound)
    return runs


def pile(seed: int, deal: int, stream: int, box: Iterable[int], n_bottom: int = 0) -> list[int]:
    """A shuffled pile, its top card first.

    The lowest `n_bottom` cards are fixed first, from the bottom up: the hole that a card leaves takes the last card not
    yet dealt. Then the others, from the top down: the hole takes the first card not yet dealt. Each of the two goes
    through the words of the stream in turn, every new group of bounds with a word of its own.
    """
    key, left = derive_key(seed), list(box)
    n_bottom = min(n_bottom, len(left))
    sizes = list(range(len(left), 0, -1))
    bottom: list[int] = []
    top: list[int] = []
    groups = [(run, False) for run in runs_of_bounds(sizes[:n_bottom])]
    groups += [(run, True) for run in runs_of_bounds(sizes[n_bottom:])]
    for ordinal, (run, from_top) in enumerate(groups):
        for at in cut_word(squares(counter(deal, stream, ordinal), key), run):
            end = 0 if from_top else len(left) - 1
            (top if from_top else bottom).append(left[at])
            left[at] = left[end]
            del left[end]
    return top + bottom[::-1]
