"""What `Table.shuffle` puts in order cannot be told from a fair shuffle, and depends on nothing but the deal.

The checks are those of `test_shuffle_statistics`, which also shows that each of them fails careless shuffles.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from simkit.results import Results
from simkit.strategy import Strategy
from simkit.table import Table
from simkit.tape import Tape
from tests.engine.tiny import RULES, tiny_game

from .test_shuffle_statistics import next_pile, orders, pairs_of_places, places
from .test_tape_statistics import ERROR_RATE

N = 100_000
GAME = tiny_game()


def table_of(deals: npt.NDArray[np.uint64]) -> Table:
    """Games of these deals."""
    return Table(GAME, RULES, [Strategy()], Tape(31), deals, Results(GAME, RULES, 1, len(deals)))


def shuffled(size: int, n: int, times: int = 1) -> list[npt.NDArray[np.uint8]]:
    """Piles of the numbers below `size`, shuffled one after another; (size, n) each."""
    table = table_of(np.arange(n, dtype=np.uint64))
    sizes, games = np.full(n, size), np.arange(n)
    return [table.shuffle("dice", sizes, games).T.astype(np.uint8) for _ in range(times)]


@pytest.mark.parametrize("size", [7, 40])
def test_each_card_is_equally_often_at_each_place(size):
    assert places(shuffled(size, N)[0]) > ERROR_RATE


@pytest.mark.parametrize("size", [7, 40])
def test_each_pair_of_cards_is_equally_often_at_two_places(size):
    assert pairs_of_places(shuffled(size, N)[0]) > ERROR_RATE


def test_each_order_of_a_small_pile_is_equally_often():
    assert orders(shuffled(5, N)[0]) > ERROR_RATE


def test_a_second_shuffle_of_the_same_game_is_another():
    first, second = shuffled(40, N, times=2)
    assert next_pile(first, second) > ERROR_RATE


def test_piles_of_any_size_keep_to_their_numbers():
    """Each game's own numbers come first, each once."""
    sizes = np.array([3, 0, 5, 1, 4])
    found = table_of(np.arange(5, dtype=np.uint64)).shuffle("dice", sizes, np.arange(5))
    assert [sorted(row[:size].tolist()) for row, size in zip(found, sizes, strict=True)] == [
        list(range(size)) for size in sizes
    ]


def test_neighbours_in_the_batch_change_nothing():
    """A game alone, and in its second shuffle, is shuffled as among others that shuffle more and other sizes."""
    deals = np.arange(7, 12, dtype=np.uint64)
    many, alone = table_of(deals), table_of(deals[2:3])
    for sizes in ([4, 9, 6, 2, 8], [1, 3, 5, 7, 2]):
        among = many.shuffle("dice", np.array(sizes), np.arange(5))
        single = alone.shuffle("dice", np.array(sizes[2:3]), np.arange(1))
        assert among[2, : sizes[2]].tolist() == single[0].tolist()
    assert many.draw("dice", 1000, np.array([2])).tolist() == alone.draw("dice", 1000).tolist()
