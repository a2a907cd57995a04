"""Shuffled piles cannot be told from fair ones, and every test that says so fails a careless shuffle.

The checks, ERROR_RATE and the meaning of a p-value are those of `test_tape_statistics`.
"""

from __future__ import annotations

from itertools import permutations
from math import factorial

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from simkit.deck import Deck
from simkit.tape import Tape

from .sources import counters, tape
from .test_tape_statistics import ERROR_RATE, chi_square, slow, two_sided

Piles = npt.NDArray[np.uint8]
N = 100_000


# ----------------------------------------------------------------------------------------- a fair shuffle, and careless


def dealt(size: int, n: int, n_bottom: int = 0, *, seed: int = 21, first_deal: int = 0, stream: int = 16) -> Piles:
    """What is under test: n piles of the cards 0..size-1, place by place, (size, n)."""
    deals = np.arange(first_deal, first_deal + n, dtype=np.uint64)
    deck = Deck(Tape(seed), stream, deals, np.arange(size, dtype=np.uint8), n_bottom)
    return np.array([deck.top(place).copy() for place in range(size)])


def exchanged(size: int, n: int, bounds: list[int], word_of_place: list[int]) -> Piles:
    """Fisher-Yates by exchanges: place i with i + a draw, modulo the size, with the given bounds and words."""
    piles, games = np.tile(np.arange(size, dtype=np.uint8)[:, None], n), np.arange(n)
    for place, (bound, word) in enumerate(zip(bounds, word_of_place, strict=True)):
        draws = (tape(22, counters(games, 16, word)) >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32)
        other = (place + draws.astype(np.intp)) % size
        piles[place], piles[other, games] = piles[other, games], piles[place].copy()
    return piles


def any_with_any(size: int, n: int) -> Piles:
    """The well-known mistake: every card is exchanged with any other, also with those already in place."""
    return exchanged(size, n, [size] * size, list(range(size)))


def careful(size: int, n: int) -> Piles:
    """No mistake: shows that the careless ones fail for theirs."""
    return exchanged(size, n, list(range(size, 0, -1)), list(range(size)))


def never_stays(size: int, n: int) -> Piles:
    """A bound that is too small by one: only cyclic permutations occur."""
    piles, games = np.tile(np.arange(size, dtype=np.uint8)[:, None], n), np.arange(n)
    for place in range(size - 1):
        draws = (tape(23, counters(games, 16, place)) >> np.uint64(32)) * np.uint64(size - 1 - place) >> np.uint64(32)
        other = place + 1 + draws.astype(np.intp)
        piles[place], piles[other, games] = piles[other, games], piles[place].copy()
    return piles


def one_word_for_all(size: int, n: int) -> Piles:
    """Right bounds, but every draw looks at the same bits of the same word."""
    return exchanged(size, n, list(range(size, 0, -1)), [0] * size)


def only_cut(size: int, n: int) -> Piles:
    """The pile is cut once: every card is equally often at every place, and always follows the same one."""
    at = tape(24, counters(np.arange(n), 16)) % np.uint64(size)
    return ((np.arange(size)[:, None] + at.astype(np.intp)) % size).astype(np.uint8)


# ------------------------------------------------------------------------------------------- one p-value for many piles


def places(piles: Piles) -> float:
    """Each card is equally often at each place.

    The counts are n permutation matrices added up: their chi-square, times (size - 1) / size, has (size - 1)**2 degrees
    of freedom.
    """
    size, n = piles.shape
    counts = np.array([np.bincount(row, minlength=size) for row in piles])
    statistic = float(((counts - n / size) ** 2).sum() / (n / size)) * (size - 1) / size
    return two_sided(statistic, stats.chi2((size - 1) ** 2))


def pairs_of_places(piles: Piles) -> float:
    """At two places, neighbours or both ends, each ordered pair of cards is equally often."""
    size, n = piles.shape
    looked_at = [(0, 1), (0, size - 1), (size - 2, size - 1), *((i, i + 1) for i in range(2, size - 2, 3))]
    p = 1.0
    for a, b in looked_at:
        cells = np.bincount(piles[a].astype(np.intp) * size + piles[b], minlength=size * size)
        possible = ~np.eye(size, dtype=bool).reshape(-1)
        assert not cells[~possible].any()
        p = min(p, chi_square(cells[possible], n / (size * (size - 1))))
    return len(looked_at) * p


def orders(piles: Piles) -> float:
    """Each order of a small pile is equally often."""
    size, n = piles.shape
    number = np.zeros(size**size, np.intp)
    for i, order in enumerate(permutations(range(size))):
        number[sum(card * size**place for place, card in enumerate(order))] = i
    codes = (piles.astype(np.intp) * size ** np.arange(size)[:, None]).sum(axis=0)
    return chi_square(np.bincount(number[codes], minlength=factorial(size)), n / factorial(size))


def next_pile(first: Piles, second: Piles) -> float:
    """The card at a place says nothing of the card at the same place of another pile: all pairs equally often."""
    size, n = first.shape
    looked_at = range(0, size, max(1, size // 6))
    cells = [np.bincount(first[a].astype(np.intp) * size + second[a], minlength=size * size) for a in looked_at]
    return len(cells) * min(chi_square(counts, n / size**2) for counts in cells)


boxes = pytest.mark.parametrize(("size", "n_bottom"), [(60, 0), (60, 8), (52, 0), (20, 5), (20, 20), (7, 2)])
scales = pytest.mark.parametrize("n", [N, pytest.param(20 * N, marks=slow)])


@scales
@boxes
def test_each_card_is_equally_often_at_each_place(size, n_bottom, n):
    assert places(dealt(size, n, n_bottom)) > ERROR_RATE


@scales
@boxes
def test_each_pair_of_cards_is_equally_often_at_two_places(size, n_bottom, n):
    assert pairs_of_places(dealt(size, n, n_bottom)) > ERROR_RATE


@scales
@pytest.mark.parametrize(("size", "n_bottom"), [(3, 0), (5, 0), (5, 2), (6, 0), (6, 6), (7, 3)])
def test_each_order_of_a_small_pile_is_equally_often(size, n_bottom, n):
    assert orders(dealt(size, n, n_bottom)) > ERROR_RATE


@scales
@pytest.mark.parametrize("other", [{"seed": 22}, {"stream": 17}, {"first_deal": 1}], ids=str)
def test_piles_of_neighbouring_seeds_streams_and_deals_are_independent(other, n):
    assert next_pile(dealt(60, n), dealt(60, n, **other)) > ERROR_RATE


@pytest.mark.parametrize(
    ("check", "size", "careless"),
    [
        (places, 20, any_with_any),
        (places, 60, any_with_any),
        (places, 20, never_stays),
        (pairs_of_places, 20, any_with_any),
        (pairs_of_places, 20, one_word_for_all),
        (pairs_of_places, 60, only_cut),
        (orders, 5, any_with_any),
        (orders, 5, never_stays),
        (orders, 6, one_word_for_all),
        (orders, 6, only_cut),
    ],
    ids=lambda part: getattr(part, "__name__", str(part)),
)
def test_check_fails_a_careless_shuffle(check, size, careless):
    assert check(careless(size, N)) < ERROR_RATE


@pytest.mark.parametrize(("check", "size"), [(places, 20), (pairs_of_places, 20), (orders, 5)])
def test_check_passes_a_careful_shuffle(check, size):
    assert check(careful(size, N)) > ERROR_RATE


def test_a_cut_alone_passes_for_places_and_is_left_to_the_pairs():
    """Why pairs are looked at: places alone are fooled."""
    assert places(only_cut(20, N)) > ERROR_RATE


def test_independence_fails_piles_that_are_copies_now_and_then():
    first, second = dealt(60, N), dealt(60, N, seed=22)
    second[:, ::25] = first[:, ::25]
    assert next_pile(first, second) < ERROR_RATE
