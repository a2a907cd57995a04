"""Line-ups: which strategies sit at a table, as cyclic orders of labels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

Labels = tuple[str, ...]


def smallest_shift(labels: Sequence[str]) -> Labels:
    """The cyclic shift that comes first in the alphabet.

    >>> smallest_shift(["b", "a", "b"])
    ('a', 'b', 'b')
    """
    return min((*labels[shift:], *labels[:shift]) for shift in range(len(labels)))


def n_rotations(labels: Sequence[str]) -> int:
    """The number of distinct cyclic shifts.

    >>> n_rotations(["a", "b", "a", "b"]), n_rotations(["a", "a"])
    (2, 1)
    """
    return len({(*labels[shift:], *labels[:shift]) for shift in range(len(labels))})


def mirrors(labels: Sequence[str], seats: int) -> Iterator[Labels]:
    """One strategy in every seat."""
    return ((label,) * seats for label in labels)


def round_robin(labels: Sequence[str], seats: int) -> Iterator[Labels]:
    """Mirrors, and of every pair one among the others, both ways round; an order may come twice.

    >>> list(round_robin("ab", 3))
    [('a', 'a', 'a'), ('b', 'b', 'b'), ('a', 'b', 'b'), ('b', 'a', 'a')]
    """
    yield from mirrors(labels, seats)
    for one, other in itertools.combinations(labels, 2):
        yield (one, *(other,) * (seats - 1))
        yield (other, *(one,) * (seats - 1))


def count_round_robin(n_labels: int, seats: int) -> int:
    """How many distinct ones there are.

    >>> count_round_robin(2, 2), count_round_robin(2, 3)
    (3, 4)
    """
    return n_labels + math.comb(n_labels, 2) * min(seats - 1, 2)


def necklaces(labels: Sequence[str], seats: int) -> Iterator[Labels]:
    """Every distinct cyclic order of labels over the seats, by its smallest shift.

    >>> ["".join(order) for order in necklaces("ab", 3)]
    ['aaa', 'aab', 'abb', 'bbb']
    """
    return (order for order in itertools.product(sorted(labels), repeat=seats) if order == smallest_shift(order))


def count_necklaces(n_labels: int, seats: int) -> int:
    """How many there are (Burnside's lemma).

    >>> count_necklaces(2, 3), count_necklaces(7, 4)
    (4, 616)
    """
    return sum(n_labels ** math.gcd(shift, seats) for shift in range(seats)) // seats
