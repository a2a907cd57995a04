"""A deck deals exactly the pile of its scalar twin, from both ends, whatever games it is dealt beside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.deck import BLOCK, Deck
from simkit.tape import Tape
from tests.reference import tape as twin

SEED = 20261130

sizes = st.integers(1, 120)
deal_lists = st.lists(st.integers(0, 2**40 - 1), min_size=1, max_size=6)


def deck_of(box, deals, n_bottom=0, *, seed=SEED, stream=16) -> Deck:
    return Deck(Tape(seed), stream, np.array(deals, np.uint64), np.array(box, np.uint8), n_bottom)


def dealt_from_top(deck: Deck) -> list[list[int]]:
    """Each game's pile, its top card first."""
    return np.array([deck.top(place).copy() for place in range(deck.size)]).T.tolist()


def dealt_from_bottom(deck: Deck, n_games: int) -> list[list[int]]:
    """Each game's lowest cards, the lowest first."""
    games = np.arange(n_games)
    depths = [np.full(n_games, depth, np.uint8) for depth in range(deck.n_bottom)]
    return np.array([deck.from_bottom(depth, games) for depth in depths], np.uint8).T.reshape(n_games, -1).tolist()


# ------------------------------------------------------------------------------------------------- the same as the twin


@given(sizes, st.integers(0, 130), deal_lists, st.integers(-5, 5), st.integers(0, 63))
def test_deals_the_twins_pile_from_the_top(size, n_bottom, deals, seed, stream):
    box = [(7 * card) % 256 for card in range(size)]
    deck = deck_of(box, deals, n_bottom, seed=seed, stream=stream)
    assert dealt_from_top(deck) == [twin.pile(seed, deal, stream, box, n_bottom) for deal in deals]


@given(sizes, st.integers(1, 130), deal_lists)
def test_deals_the_twins_pile_from_the_bottom(size, n_bottom, deals):
    deck = deck_of(range(size), deals, n_bottom)
    lowest = [twin.pile(SEED, deal, 16, range(size), n_bottom)[::-1][: deck.n_bottom] for deal in deals]
    assert deck.n_bottom == min(size, n_bottom)
    assert dealt_from_bottom(deck, len(deals)) == lowest


@given(sizes, st.integers(0, 20), deal_lists, st.data())
def test_each_game_may_have_a_box_of_its_own(size, n_bottom, deals, data):
    boxes = data.draw(st.lists(st.binary(min_size=size, max_size=size), min_size=len(deals), max_size=len(deals)))
    deck = deck_of([list(box) for box in boxes], deals, n_bottom)
    expected = [twin.pile(SEED, deal, 16, box, n_bottom) for deal, box in zip(deals, boxes, strict=True)]
    assert dealt_from_top(deck) == expected


@given(sizes, st.integers(0, 20), deal_lists, st.data())
def test_games_dropped_on_the_way_leave_the_others_piles_alone(size, n_bottom, deals, data):
    """Between any two cards some games are dropped, and the others may change places."""
    deck, left = deck_of(range(size), deals, n_bottom), list(range(len(deals)))
    piles = [twin.pile(SEED, deal, 16, range(size), n_bottom) for deal in deals]
    for place in range(size):
        if left and data.draw(st.booleans()):
            kept = data.draw(st.lists(st.sampled_from(range(len(left))), unique=True))
            deck.take(np.array(kept, np.intp))
            left = [left[column] for column in kept]
        assert deck.top(place).tolist() == [piles[game][place] for game in left]
    depth = st.integers(0, max(0, deck.n_bottom - 1))
    depths = data.draw(st.lists(depth, min_size=len(left), max_size=len(left))) if n_bottom else []
    games = np.arange(len(depths))
    at_depths = [piles[left[column]][size - 1 - depth] for column, depth in enumerate(depths)]
    assert deck.from_bottom(np.array(depths, np.uint8), games).tolist() == at_depths


@given(st.integers(4, 60), deal_lists, st.data())
def test_depths_may_differ_from_game_to_game(size, deals, data):
    deck = deck_of(range(size), deals, 4)
    games = data.draw(st.lists(st.sampled_from(range(len(deals))), min_size=1, max_size=9))
    depths = data.draw(st.lists(st.integers(0, 3), min_size=len(games), max_size=len(games)))
    piles = [twin.pile(SEED, deal, 16, range(size), 4) for deal in deals]
    expected = [piles[game][size - 1 - depth] for game, depth in zip(games, depths, strict=True)]
    assert deck.from_bottom(np.array(depths, np.uint8), np.array(games)).tolist() == expected


@settings(max_examples=5)
@given(st.integers(50, 60), st.integers(0, 8), st.integers(0, 2**30))
def test_games_beyond_a_block_are_dealt_alike(size, n_bottom, first):
    n_games = BLOCK + 3
    deck = deck_of(range(size), np.arange(first, first + n_games), n_bottom)
    rows = [deck.top(place).copy() for place in range(size)]
    for game in (0, BLOCK - 1, BLOCK, n_games - 1):
        pile = twin.pile(SEED, first + game, 16, range(size), n_bottom)
        assert [int(row[game]) for row in rows] == pile


def test_piles_are_pinned():
    """Worked out by the twin: a change is a change of TAPE_VERSION."""
    assert dealt_from_top(deck_of(range(10), [5])) == [[4, 5, 0, 3, 8, 9, 6, 7, 2, 1]]
    assert dealt_from_top(deck_of(range(10), [5], 4)) == [[1, 5, 3, 6, 8, 7, 0, 2, 9, 4]]
    sixty = dealt_from_top(deck_of(range(60), [2**40 - 1], 8, seed=1, stream=63))[0]
    assert sixty[:6] == [20, 38, 52, 29, 58, 43]
    assert sixty[-6:] == [10, 54, 21, 28, 2, 17]


# ---------------------------------------------------------------------------------------------------- a pile is the box


@given(sizes, st.integers(0, 130), deal_lists)
def test_a_pile_holds_the_box(size, n_bottom, deals):
    for pile in dealt_from_top(deck_of(range(size), deals, n_bottom)):
        assert sorted(pile) == list(range(size))


@given(st.integers(2, 60), st.data())
def test_undrawn_slots_hold_exactly_what_is_not_drawn(size, data):
    """What `hidden` deals anew: changing it changes no card that was drawn, and nothing undrawn is left out."""
    n_bottom = data.draw(st.integers(0, size))
    n_top = data.draw(st.integers(0, size))
    n_low = data.draw(st.integers(0, min(n_bottom, size - n_top)))
    deck = deck_of(range(size), [3, 4, 5], n_bottom)
    for place in range(n_top):
        deck.top(place)
    for game, deal in enumerate((3, 4, 5)):
        pile = twin.pile(SEED, deal, 16, range(size), n_bottom)
        slots = deck.undrawn(game, n_top, n_low)
        assert sorted(int(array[at]) for array, at in slots) == sorted(pile[n_top : size - n_low])


@given(st.integers(2, 40), st.integers(0, 10), st.data())
def test_what_lies_in_undrawn_slots_is_what_comes_next(size, n_bottom, data):
    n_top = data.draw(st.integers(0, size - 1))
    deck = deck_of(range(size), [7, 8, 9], n_bottom)
    for place in range(n_top):
        deck.top(place)
    deck.take(np.array([2, 0]))
    for game in range(2):
        for array, at in deck.undrawn(game, n_top, 0):
            array[at] = 200 + game
    for place in range(n_top, size):
        assert deck.top(place).tolist() == [200, 201]


# ------------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize("n_bottom", [0, 3])
def test_a_place_beyond_the_pile_is_an_error(n_bottom):
    deck = deck_of(range(10), [5, 6], n_bottom)
    dealt_from_top(deck)
    with pytest.raises(IndexError):
        deck.top(10)


def test_a_depth_beyond_the_bottom_is_an_error():
    with pytest.raises(IndexError):
        deck_of(range(10), [5, 6], 3).from_bottom(np.array([3, 3]), np.array([0, 1]))
