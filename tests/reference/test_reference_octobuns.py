"""The Octobuns reference against positions worked out by hand, games it tells itself, and spoilt traces."""

from __future__ import annotations

import copy
import random
from collections import Counter
from itertools import pairwise, permutations
from typing import Any

import pytest

from .octobuns import (
    CLEAN_UP,
    COMPLETE,
    END_TURN,
    EXCHANGE,
    EXTRA_ROPE_IN,
    EXTRA_TENTACLE,
    FROM_SUPPLY,
    ROPE_IN,
    STARTING_CARD,
    Mismatch,
    Reference,
    replay,
)
from .octobuns_bakery import CELLS, NEIGHBOURS, path_sets, sets_that_fit, slid, slid_bakery, walks
from .octobuns_table import check_rules, kind_of, read_orders
from .octobuns_traces import BOX, Teller, bakery, order, position, random_rules, told

TAKES = [0, 1, 2]
A, B, C, AB, CC = range(1, 6)


# Paths


def test_the_grid_has_the_paths_that_the_facts_tell() -> None:
    """12 of two cells, 22 of three (6 of them straight), 40 of four, 52 of five."""
    all_walks = {n: [walk for cell in CELLS for walk in walks(cell, n)] for n in range(2, 6)}
    assert {n: len(found) // 2 for n, found in all_walks.items()} == {2: 12, 3: 22, 4: 40, 5: 52}
    assert sum(walk[1] - walk[0] == walk[2] - walk[1] for walk in all_walks[3]) // 2 == 6


def test_the_sets_of_cells_are_those_of_some_order_of_neighbours() -> None:
    for n in (2, 3, 4):
        wanted = {
            tuple(sorted(cells))
            for cells in permutations(CELLS, n)
            if all(cell in NEIGHBOURS[before] for before, cell in pairwise(cells))
        }
        assert {cells for cells in path_sets(4) if len(cells) == n} == wanted
    assert path_sets(3)[:2] == ((0, 1), (0, 3))
    assert path_sets(5)[: len(path_sets(3))] == path_sets(3)
    assert list(path_sets(5)) == sorted(path_sets(5), key=lambda cells: (len(cells), cells))


@pytest.mark.parametrize(
    ("told", "items", "bends", "reversal", "fitting"),
    [
        ("ab. ... ...", (A, B), True, True, {(0, 1)}),
        ("ba. ... ...", (A, B), True, True, {(0, 1)}),
        ("ba. ... ...", (A, B), True, False, set()),
        ("b.. a.. ...", (A, B), True, False, set()),
        ("a.. b.. ...", (A, B), False, False, {(0, 3)}),
        ("a.. .b. ...", (A, B), True, True, set()),  # no diagonals
        ("ab. .c. ...", (A, B, C), True, True, {(0, 1, 4)}),
        ("ab. .c. ...", (A, B, C), False, True, set()),
        ("ab. .c. ...", (A, B, C), True, False, {(0, 1, 4)}),
        (".ba .c. ...", (A, B, C), True, False, set()),
        ("abc ... ...", (C, B, A), False, True, {(0, 1, 2)}),
        ("aba ... ...", (A, B, A), True, False, {(0, 1, 2)}),  # a palindrome has no direction
        ("ab. ... ...", (A, B, A), True, True, set()),  # each cell once
        ("aa. aa. ...", (A, A, A, A), True, True, {(0, 1, 3, 4)}),  # four ways round, one set
        ("aa. a.. ...", (A, A), True, True, {(0, 1), (0, 3)}),
        ("A.. ... ...", (A, B), True, True, set()),  # a bun is a bun
        ("Ac. ... ...", (AB, C), True, True, {(0, 1)}),
        ("ab. c.. ...", (A, B), True, True, {(0, 1)}),  # others may surround it
        ("abc cba ...", (A, B, C, A, B), True, True, {(0, 1, 2, 4, 5), (0, 1, 3, 4, 5)}),
        ("aba b.b a..", (A, B, A, B, A), True, True, {(0, 1, 2, 3, 6)}),
    ],
)
def test_an_order_fits_where_its_items_lie_in_sequence(
    told: str, items: tuple[int, ...], bends: bool, reversal: bool, fitting: set[tuple[int, ...]]
) -> None:
    assert sets_that_fit(tuple(bakery(told)), items, bends, reversal) == fitting


# Placing


@pytest.mark.parametrize(
    ("told", "rules", "cells"),
    [
        ("... ... ...", {}, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("a.. ... ...", {}, [1, 3]),
        ("... .a. ...", {}, [1, 3, 5, 7]),
        ("ab. ... ..c", {}, [2, 3, 4, 5, 7]),
        ("ab. ... ..c", {"isolated_neighbours": False}, [2, 3, 4]),
        ("a.. ... ..c", {"isolated_neighbours": False}, [1, 3, 5, 7]),
        ("a.. ... ...", {"isolated_neighbours": False}, [1, 3]),
        ("abc abc abc", {}, []),
    ],
)
def test_a_card_is_placed_next_to_one_that_is_there(told: str, rules: dict[str, Any], cells: list[int]) -> None:
    assert position(told, rules).recipes.free_cells(bakery(told)) == cells


@pytest.mark.parametrize(
    ("told", "item", "rules", "stock", "cells"),
    [
        ("ab. ... ..a", B, {}, [1, 1], [0, 8]),
        ("ab. ... ..a", B, {"stacking_next_to": True}, [1, 1], [0]),
        ("a.. ... ...", B, {"stacking_next_to": True}, [1, 1], [0]),  # the only card
        ("a.. ... ..a", B, {"stacking_next_to": True}, [1, 1], []),
        ("ab. ... .ac", B, {"stacking_next_to": True, "isolated_neighbours": False}, [1, 1], [0, 7]),
        ("c.. ... ...", C, {}, [1, 1], [0]),  # a doubled type
        ("a.. ... ...", A, {}, [1, 1], []),
        ("a.. ... ...", C, {}, [1, 1], []),
        ("AC. ... ...", B, {}, [1, 1], []),  # never on a bun
        ("ab. ... ...", AB, {}, [1, 1], []),  # nor a bun
        ("a.c ... ...", B, {}, [0, 1], []),  # out of stock
        ("a.c ... ...", B, {"bun_out_of_stock": "lost"}, [0, 1], [0]),
    ],
)
def test_only_what_makes_a_bun_is_stacked(
    told: str, item: int, rules: dict[str, Any], stock: list[int], cells: list[int]
) -> None:
    assert position(told, rules).recipes.stacking_cells(bakery(told), item, stock) == cells


def test_a_lifted_card_does_not_go_back() -> None:
    recipes = position("... ... ...").recipes
    assert recipes.cells_to_move(bakery(".b. ... ..."), A, [1, 1], 0) == [1, 2, 4]
    assert recipes.cells_to_move(bakery(".b. ... ..."), A, [0, 1], 0) == [2, 4]
    bare = position("... ... ...", {"clean_up_stacks": False}).recipes
    assert bare.cells_to_move(bakery(".b. ... ..."), A, [1, 1], None) == [0, 2, 4]


def test_a_bakery_is_slid_within_the_frame() -> None:
    assert slid_bakery(bakery("ab. ... ..."), (1, 1)) == bakery("... .ab ...")
    assert slid_bakery(bakery("ab. ... ..."), (0, 2)) is None
    assert (slid(8, (-2, -2)), slid(0, (0, -1)), slid(4, (0, 0))) == (0, None, 4)


# Orders


def test_icons_and_coins_are_as_the_rules_say() -> None:
    codes = position("... ... ...").recipes.codes
    assert [card.icon for card in read_orders(BOX, codes)] == [0, None, 1, 2, None, None, None, None]
    assert [card.icon for card in read_orders(BOX | {"icons": "all"}, codes)] == [0, 0, 1, 2, 1, 2, 0, 1]
    assert {card.icon for card in read_orders(BOX | {"icons": "none"}, codes)} == {None}
    assert [card.coins for card in read_orders(BOX | {"coins": "flat"}, codes)] == [3] * 5 + [6] * 3
    assert read_orders(BOX, codes)[7].items == (A, AB, A, B)


# What may be done


@pytest.mark.parametrize(
    ("told", "rules", "seat", "acts"),
    [
        ("... ... ...", {}, {}, [*TAKES, ROPE_IN, STARTING_CARD]),
        ("... ... ...", {}, {"open": [0, 1, 0], "starting": 0}, [1, ROPE_IN]),
        ("... ... ...", {"reserve_limit": 0}, {"open": [0, 0, 0]}, [STARTING_CARD, END_TURN]),
        ("a.. ... ...", {}, {}, [*TAKES, ROPE_IN, CLEAN_UP, STARTING_CARD]),
        ("a.. ... ...", {"clean_up_cards": 0}, {"starting": 0}, [*TAKES, ROPE_IN]),
        ("A.. ... ...", {}, {"starting": 0}, [*TAKES, ROPE_IN, CLEAN_UP]),  # no discards
        ("A.. ... ...", {}, {"starting": 0, "discards": [0, 1, 0]}, [*TAKES, ROPE_IN, EXCHANGE, CLEAN_UP]),
        ("... ... ...", {}, {"reserved": [3, 4], "starting": 0}, [*TAKES, CLEAN_UP]),
        ("... ... ...", {"clean_up_orders_alone": False}, {"reserved": [3, 4], "starting": 0}, TAKES),
        ("... ... ...", {"blind_rope_in": False}, {"open_orders": [None] * 4, "starting": 0}, TAKES),
        ("ccc ccc ccc", {}, {"bun_stock": [3, 0], "starting": 0}, [ROPE_IN, CLEAN_UP]),  # full, nothing to stack
        ("ccc ccc ccc", {}, {"starting": 0}, [2, ROPE_IN, CLEAN_UP]),
        ("AAA AAA AAA", {"full_bakery": "discard"}, {}, [*TAKES, ROPE_IN, CLEAN_UP, STARTING_CARD]),
        ("a.. ... ...", {}, {"action": 0}, [STARTING_CARD, END_TURN]),
        ("ab. ... ...", {}, {"action": 0, "starting": 0}, [COMPLETE, END_TURN]),
        ("ab. ... ...", {}, {"starting": 0}, [*TAKES, ROPE_IN, CLEAN_UP]),  # an order only after the action
        ("ab. ... ...", {}, {"action": 0, "n_orders": 1, "starting": 0}, [END_TURN]),
        ("ab. ... ...", {"orders_per_turn": 2}, {"action": 0, "n_orders": 1, "starting": 0}, [COMPLETE, END_TURN]),
        ("ab. ... ...", {}, {"action": 0, "open_orders": [1, None, 6, 5], "starting": 0}, [END_TURN]),
        ("ac. ... ...", {}, {"action": 0, "reserved": [None, 3], "starting": 0}, [COMPLETE, END_TURN]),
        ("cc. ... ...", {}, {"action": 0, "icons": [1, 1, 1]},
         [EXTRA_ROPE_IN, EXTRA_TENTACLE, FROM_SUPPLY, STARTING_CARD, END_TURN]),
        ("cc. ... ...", {}, {"action": 0, "icons": [1, 0, 1], "reserved": [3, 4], "stacks": [[], [], []]}, [END_TURN]),
        ("cc. ... ...", {"extra_rope_in": "beyond"},
         {"action": 0, "icons": [1, 0, 0], "reserved": [3, 4, None, None], "starting": 0}, [EXTRA_ROPE_IN, END_TURN]),
        ("... ... ...", {"extra_rope_in": "beyond"}, {"reserved": [None, None, 3, 4], "starting": 0},
         [*TAKES, CLEAN_UP]),  # two orders are two orders
        ("cc. ... ...", {"new_bonus": "next-turn"},
         {"action": 0, "icons": [0, 1, 0], "fresh": [0, 1, 0], "starting": 0}, [END_TURN]),
        ("cc. ... ...", {"bonus_after_order": False}, {"action": 0, "icons": [0, 1, 0], "n_orders": 1}, [END_TURN]),
    ],
)  # fmt: skip
def test_what_may_be_done(told: str, rules: dict[str, Any], seat: dict[str, Any], acts: list[int]) -> None:
    assert sorted(position(told, rules, **seat)._legal_acts()) == acts


@pytest.mark.parametrize(
    ("told", "rules", "seat", "steps"),
    [
        ("a.b ... ...", {}, {"reserved": [None, 4]}, [0, 2, 10]),
        ("a.b ... ...", {}, {"reserved": [None, 4], "n_cleaned": 1, "cleaned_how": "move"}, [0, 2, 10]),
        ("a.b ... ...", {}, {"reserved": [None, 4], "n_cleaned": 2, "cleaned_how": "move"}, [10]),
        ("a.b ... ...", {"clean_up_cards": 1}, {"n_cleaned": 1}, []),
        ("a.b ... ...", {"clean_up_orders_alone": False}, {"reserved": [3, 4]}, [0, 2]),
        ("a.b ... ...", {"clean_up_orders_alone": False}, {"reserved": [3, 4], "n_cleaned": 1}, [0, 2, 9, 10]),
        ("a.b ... ...", {"clean_up_sequence": "together"}, {"reserved": [3, None], "n_cleaned": 1}, [9]),
        ("abc abc abc", {"clean_up_mixed": False}, {"n_cleaned": 1, "cleaned_how": "discard"}, list(CELLS)),
        ("aaa aaa aa.", {"clean_up_mixed": False}, {"n_cleaned": 1, "cleaned_how": "move"}, [0, 1, 2, 3, 4, 5, 6, 7]),
        ("AAA AAA AAA", {"clean_up_mixed": False}, {"n_cleaned": 1, "cleaned_how": "move"}, []),  # none can be moved
    ],
)
def test_what_may_be_cleaned_up(told: str, rules: dict[str, Any], seat: dict[str, Any], steps: list[int]) -> None:
    assert position(told, rules, **seat)._clean_up_steps() == steps


def test_a_clean_up_ends_with_an_order() -> None:
    game = position("ab. c.. ...", action=CLEAN_UP, n_cleaned=1, cleaned_how="move", starting=0)
    assert sorted(game._legal_acts()) == [CLEAN_UP, COMPLETE, END_TURN]
    game.n_orders = 1
    assert game._legal_acts() == [END_TURN]


def test_the_cell_freed_by_an_exchange_is_legal_even_alone() -> None:
    assert position("..a ... ...")._cells(C, freed=6) == [1, 5, 6]
    assert position("..a ... ...", {"freed_cell": False})._cells(C, freed=6) == [1, 5]


def test_cards_that_make_a_bun_are_discarded() -> None:
    game = position("a.. ... ...", bun_stock=[1, 1])
    assert game._put(0, B) == AB
    assert (game.me.bakery[0], game.discards, game.bun_stock) == (AB, [1, 1, 0], [0, 1])
    game = position("a.. ... ...", {"bun_out_of_stock": "lost"}, bun_stock=[0, 1])
    assert game._put(0, B) == 0
    assert (game.me.bakery[0], game.discards, game.bun_stock) == (0, [1, 1, 0], [0, 1])


@pytest.mark.parametrize(("used", "left"), [("leave", "... ..b ..."), ("stay", "aA. ..b ...")])
def test_the_cards_of_an_order_leave_or_stay(used: str, left: str) -> None:
    game = position("aA. ..b ...", {"used_cards": used})
    game._hand_over((0, 1))
    assert game.me.bakery == bakery(left)
    assert (game.discards, game.bun_stock) == (([1, 0, 0], [4, 3]) if used == "leave" else ([0, 0, 0], [3, 3]))


@pytest.mark.parametrize(
    ("rebuild", "stacks", "sizes"),
    [
        ("level", [[1, 1], [], [1]], [3, 2, 2]),
        ("spread", [[1, 1], [], [1]], [4, 1, 2]),
        ("level", [[], [], []], [2, 1, 1]),
    ],
)
def test_discards_are_dealt_under_the_stacks(rebuild: str, stacks: list[list[int]], sizes: list[int]) -> None:
    game = Teller(2, BOX | {"rebuild": rebuild}, random.Random(1))
    game.stacks, game.discards = copy.deepcopy(stacks), [1, 2, 1]
    list(game._rebuild())
    assert [len(stack) for stack in game.stacks] == sizes
    assert [stack[: len(top)] for stack, top in zip(game.stacks, stacks, strict=True)] == stacks
    assert game.discards == [0, 0, 0]


@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [("A.. ... ...", "... ... ...", [0]), ("ab. ... ...", "c.. ... ...", [0, 1]), ("... ... ...", "C.. ... ...", [1])],
)
def test_coins_then_buns_decide(first: str, second: str, winners: list[int]) -> None:
    """Without coins for buns they are but the tie-break."""
    for coins_per_bun in (0, 1):
        game = Teller(2, BOX | {"coins_per_bun": coins_per_bun}, random.Random(1))
        game.seats[0].bakery, game.seats[1].bakery = bakery(first), bakery(second)
        game.seats[0].coins = game.seats[1].coins = 4
        next(game._end("orders"))
        end = game.events[-1]
        assert end["winners"] == winners
        assert end["ranks"] == [1 if seat in winners else 2 for seat in range(2)]
        assert end["seats"]["coins"] == [
            4 + coins_per_bun * sum(card > C for card in seat.bakery) for seat in game.seats
        ]


# Whole games


@pytest.mark.parametrize("seed", range(60))
def test_a_game_told_by_the_rules_is_followed(seed: int) -> None:
    players, rules, events = told(seed)
    assert replay(players, rules, events).finished


def test_a_game_that_stops_short_or_goes_on_is_refused() -> None:
    players, rules, events = told(3)
    with pytest.raises(Mismatch, match="must go on to its end"):
        replay(players, rules, events[:-1])
    with pytest.raises(Mismatch, match="nothing after the end"):
        replay(players, rules, [*events, events[-1]])
    with pytest.raises(Mismatch):
        replay(players, rules, [*events[:5], *events[6:]])


def spoilt(value: Any) -> Any:
    """Another value of the same form."""
    if isinstance(value, list) and value:
        return [*value[:-1], spoilt(value[-1])]
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    return f"not {value}" if isinstance(value, str) else [0]


def every_kind_of_event() -> list[tuple[int, dict[str, Any], list[dict[str, Any]], int]]:
    """A game and the place in it for each kind of event and decision."""
    found: dict[str, tuple[int, dict[str, Any], list[dict[str, Any]], int]] = {}
    for seed in range(150):
        players, rules, events = told(seed)
        for place, event in enumerate(events):
            found.setdefault(kind_of(event), (players, rules, events, place))
    return list(found.values())


def test_every_fact_of_an_event_is_checked() -> None:
    """Negative control: spoil each field of an event of each kind, each part of its state, each column."""
    n_kinds = Counter[bool]()
    for players, rules, events, place in every_kind_of_event():
        event = events[place]
        n_kinds["decision" in event] += 1
        for name in (*event.get("state", ()), *event):
            changed = copy.deepcopy(event)
            holder = changed["state"] if name in event.get("state", ()) else changed
            if name == "state":
                continue
            if name in ("games", "seats"):
                spoil_columns(players, rules, [*events[:place], event], name)
                continue
            holder[name] = spoilt(holder[name]) if name != "choice" else event["legal"].index(False)
            with pytest.raises(Mismatch):
                replay(players, rules, [*events[:place], changed, *events[place + 1 :]])
    assert n_kinds == {True: 13, False: 16}


def spoil_columns(players: int, rules: dict[str, Any], events: list[dict[str, Any]], table: str) -> None:
    """Each column of the rows at the end is checked."""
    for column in events[-1][table]:
        changed = copy.deepcopy(events[-1])
        changed[table][column] = spoilt(changed[table][column])
        with pytest.raises(Mismatch, match=column):
            replay(players, rules, [*events[:-1], changed])


@pytest.mark.parametrize("part", ["stacks", "open", "piles", "open_orders"])
def test_a_deal_that_the_box_cannot_give_is_refused(part: str) -> None:
    for seed in range(5):
        players, rules, events = told(seed)
        setup = copy.deepcopy(events[0])
        state = setup["state"]
        cards = state[part] if part in ("open", "open_orders") else max(state[part], key=len)
        places = [place for place, card in enumerate(cards) if card is not None]
        cards[places[0]] = cards[places[0]] % 3 + 1 if part in ("stacks", "open") else 99
        with pytest.raises(Mismatch):
            replay(players, rules, [setup, *events[1:]])


def test_rules_that_cannot_be_played_are_refused() -> None:
    check_rules(2, BOX)
    for players, changes in (
        (5, {}),
        (2, {"grid": "round"}),
        (2, {"small_orders": [order("odd", "a+x")]}),
        (2, {"small_orders": [order("long", "a+a+a+a+a+a")]}),
    ):
        with pytest.raises(ValueError, match="must"):
            check_rules(players, BOX | changes)
    with pytest.raises(ValueError, match="must be given"):
        Reference(2, {name: value for name, value in BOX.items() if name != "bends"})


def test_rules_at_random_reach_every_alternative() -> None:
    rng = random.Random(0)
    found = {(name, repr(value)) for _ in range(60) for name, value in random_rules(rng).items()}
    assert {("grid", "'floating'"), ("refill", "'at-once'"), ("used_cards", "'stay'")} <= found
