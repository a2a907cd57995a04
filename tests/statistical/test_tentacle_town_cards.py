"""The deal of task cards: every set equally likely, and a card put in or left out changes nothing else."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simkit.games.tentacle_town.rules import CARDS
from tests.statistical.bounds import chance, far_off
from tests.statistical.tentacle_town_deals import Told, rules_with, table_of

N = 100_000
IN, OUT = "bake_pie", "hire_movers"


def dealt(n: int, **changes: Any) -> npt.NDArray[np.uint16]:
    """The cards in play as bits, (n,)."""
    return table_of(rules_with(**changes), Told(), 2, n, 17).state.cards


def shuffled(n: int) -> npt.NDArray[np.intp]:
    """The order of the cards in each deal, found by dealing more and more of them; (12, n)."""
    masks = np.stack([dealt(n, task_cards=n_cards) for n_cards in range(13)])
    return np.log2(np.diff(masks.astype(int), axis=0)).astype(np.intp)


@pytest.mark.parametrize("changes", [{}, {"card_in": IN}, {"card_out": OUT}, {"card_in": IN, "card_out": OUT}])
def test_every_set_of_cards_is_equally_likely(changes: dict[str, str]) -> None:
    free = [bit for bit, name in enumerate(CARDS) if name not in changes.values()]
    given = [CARDS.index(IN)] if "card_in" in changes else []
    sets = [sum(1 << bit for bit in (*given, *others)) for others in combinations(free, 3 - len(given))]
    exact = dict.fromkeys(sets, Fraction(1, comb(len(free), 3 - len(given))))
    assert far_off(Counter(dealt(N, **changes).tolist()), exact, chance(4)) == []


def test_a_card_in_or_out_leaves_the_others_in_their_order() -> None:
    order = shuffled(500)
    first, last = CARDS.index(IN), CARDS.index(OUT)
    for n_cards in (1, 2, 3, 7, 11):
        with_in, without = dealt(500, task_cards=n_cards, card_in=IN), dealt(500, task_cards=n_cards, card_out=OUT)
        for deal, cards in enumerate(order.T.tolist()):
            others = [card for card in cards if card != first]
            assert with_in[deal] == 1 << first | sum(1 << card for card in others[: n_cards - 1])
            assert without[deal] == sum(1 << card for card in [card for card in cards if card != last][:n_cards])


def test_a_list_is_dealt_as_it_is() -> None:
    assert set(dealt(10, cards=[OUT, IN]).tolist()) == {1 << CARDS.index(IN) | 1 << CARDS.index(OUT)}
    assert set(dealt(10, task_cards=0).tolist()) == {0}
    assert set(dealt(10, task_cards=12).tolist()) == {(1 << 12) - 1}


def test_an_uneven_deal_is_noticed() -> None:
    """Negative control: one deal in fifty has a card put in."""
    cards = dealt(N)
    cards[: N // 50] = dealt(N // 50, card_in=IN)
    is_in = Counter((cards & 1 << CARDS.index(IN) != 0).tolist())
    assert far_off(is_in, {True: Fraction(1, 4), False: Fraction(3, 4)}, chance(4)) != []
