"""Witness 1: the rulebook of Octobuns on components, the goal, setup, the overview, and the course of a turn.

Sections of the rulebook and where their sentences are proved, each `test_octobuns_positions_*.py`:
Components, Game Setup, Quick Gameplay Overview, Taking a Turn: setup (this one). Option A and Making Buns: take.
Options B and C: reserve. Option D: clean_up. Completing Orders: orders. Ending Your Turn: turn_end. Bonus Actions:
bonuses. Goal and End of the Game: end. What is hidden: view. Other readings of all these: readings, readings_clean_up,
readings_supply, readings_orders. Rows and tallies: rows.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

import pytest

from simkit.batch import play
from simkit.games.octobuns import GAME
from simkit.strategy import Random
from simkit.trace import Trace
from tests.games.octobuns_position import ACTIONS, BONUSES, Harbour, box, set_up

RULES = GAME.rules(**GAME.components.values_with({}))


# Components


def test_ingredient_cards() -> None:
    """Sixty, ten of each of six types, all on the table at the start."""
    (state,) = set_up(RULES)
    cards = Counter(chain(state["open"], *state["stacks"]))
    assert cards == dict.fromkeys(range(1, 7), 10)
    assert state["discards"] == [0] * 6


def test_bun_cards() -> None:
    """Eighteen, six of each of three types, in three piles."""
    assert set_up(RULES)[0]["bun_stock"] == [6, 6, 6]


def test_each_bun_has_its_own_two_ingredients() -> None:
    """A specific combination of two for each bun; by default no ingredient is in two of them."""
    assert [sorted(bun.of) for bun in box().buns] == [["a", "b"], ["c", "d"], ["e", "f"]]
    used = [name for bun in RULES.buns for name in bun.of]
    assert sorted(used) == sorted(RULES.ingredients)


def test_order_cards() -> None:
    """14 small and 14 large ones."""
    assert (len(RULES.small_orders), len(RULES.large_orders)) == (14, 14)


def decks() -> dict[str, list[dict[str, Any]]]:
    """The default orders and the second deck, by kind."""
    found: dict[str, list[dict[str, Any]]] = {}
    for kind in ("small", "large"):
        component = GAME.components[f"{kind}_orders"]
        found |= {f"{kind} {n}": orders for n, orders in enumerate((component.value, *component.alternatives))}
    return found


DECKS = decks()


def test_icons_of_the_deck() -> None:
    """24: some orders have a bonus, some have none: 7 small, 5 large, 4 of each icon (ours)."""
    small, large = ([order.icon for order in orders] for orders in (RULES.small_orders, RULES.large_orders))
    assert (small.count(""), large.count("")) == (7, 9)
    assert Counter(icon for icon in small + large if icon) == {"rope-in": 4, "tentacle": 4, "supply": 4}


@pytest.mark.parametrize("deck", DECKS)
def test_orders_of_the_decks(deck: str) -> None:
    """Ours: 2 or 3 items of weight 2 to 4, or 3 to 5 of 4 to 6, a bun weighing 2; at most two buns; coins by weight."""
    orders, kind = DECKS[deck], deck[:5]
    low, high, items, more = (
        (2, 4, (2, 3), 0) if kind == "small" else (4, 6, (3, 4, 5) if deck == "large 1" else (3, 4), 1)
    )
    assert len(orders) == 14
    for order in orders:
        n_buns = sum(name not in RULES.ingredients for name in order["items"])
        weight = len(order["items"]) + n_buns
        assert len(order["items"]) in items
        assert low <= weight <= high
        assert n_buns <= 2
        assert order["coins"] == weight + more - bool(order.get("icon"))


def test_the_deck_is_balanced() -> None:
    """Ours: each ingredient, and each bun, stands on as many orders as the others, give or take one."""
    names = Counter(name for order in RULES.orders for name in order.items)
    for kind in (RULES.ingredients, [bun.name for bun in RULES.buns]):
        assert max(names[name] for name in kind) - min(names[name] for name in kind) <= 1


# Game Setup


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_player_gets_a_starting_card(seats: int) -> None:
    """Two to four players, one card each, nothing else."""
    (state,) = set_up(RULES, seats)
    assert state["starting"] == [1] * seats
    assert state["bakeries"] == [[0] * 9] * seats
    assert state["reserved"] == [[None, None]] * seats
    assert state["icons"] == [[0, 0, 0]] * seats
    assert (state["coins"], state["n_done"]) == ([0] * seats, [[0, 0]] * seats)
    assert state["hand"] == [0, 0]


def test_nobody_has_acted_at_the_start() -> None:
    """No action, no clean-up, no order, no new icon."""
    (state,) = set_up(RULES)
    names = ("action", "n_cleaned", "cleaned_how", "n_orders", "fresh")
    assert [state[name] for name in names] == [None, 0, None, 0, [0, 0, 0]]


def test_two_to_four_players() -> None:
    """Four starting cards."""
    assert GAME.players == (2, 3, 4)


def test_three_stacks_with_an_open_card_each() -> None:
    """The top card of each is turned up: of three times twenty, nineteen are left."""
    (state,) = set_up(RULES)
    assert [len(stack) for stack in state["stacks"]] == [19, 19, 19]
    assert all(state["open"])


def test_two_open_orders_of_each_kind() -> None:
    """Two small, two large, twelve left in either pile; small ones have the numbers 0 to 13."""
    (state,) = set_up(RULES)
    small, large = state["open_orders"][:2] + state["piles"][0], state["open_orders"][2:] + state["piles"][1]
    assert (sorted(small), sorted(large)) == (list(range(14)), list(range(14, 28)))
    assert [len(pile) for pile in state["piles"]] == [12, 12]


def test_all_is_shuffled() -> None:
    """Any card may come up anywhere; the three shuffles have nothing to do with each other."""
    states = set_up(RULES, n=300)
    for place in range(3):
        assert {state["open"][place] for state in states} == set(range(1, 7))
    for place in range(4):
        first = 14 * (place // 2)
        assert {state["open_orders"][place] for state in states} == set(range(first, first + 14))
    assert len({(state["open_orders"][0], state["open_orders"][2]) for state in states}) > 100


def test_a_small_box() -> None:
    """Two ingredients once each: the third place stays empty, as do those of orders that there are not."""
    (state,) = set_up(box(["ab"], ["ba"], ingredients=["a", "b"], buns=[], copies=1))
    assert (sorted(state["open"][:2]), state["open"][2], state["stacks"]) == ([1, 2], 0, [[], [], []])
    assert (state["open_orders"], state["piles"]) == ([0, None, 1, None], [[], []])


@pytest.mark.parametrize(("copies", "sizes"), [(1, [1, 1, 1]), (2, [3, 3, 3])])
def test_stacks_of_a_small_box(copies: int, sizes: list[int]) -> None:
    """Six or twelve cards: two or four each, one of them open."""
    (state,) = set_up(box(["ab"], ["ba"], copies=copies))
    assert [len(stack) for stack in state["stacks"]] == sizes


def test_uneven_stacks() -> None:
    """Eight cards: 3, 3, 2, one of each open."""
    (state,) = set_up(box(["ab"], ["ba"], ingredients=["a", "b"], buns=[], copies=4))
    assert [len(stack) for stack in state["stacks"]] == [2, 2, 1]


# Quick Gameplay Overview


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_go_round_clockwise(seats: int) -> None:
    """The starting player is seat 0 (18: chance, so no more is needed); then seat 1, 2, ..."""
    trace = Trace()
    rules = GAME.rules(**GAME.components.values_with({"max_rounds": 3}))
    results = play(GAME, rules, [Random()] * seats, 1, 0, 1, observer=trace)
    acting = {event["turn"]: event["seat"] for event in trace.games[0] if event["seat"] is not None}
    assert acting == {turn: turn % seats for turn in range(3 * seats)}
    assert results.games["n_turns"].tolist() == [3 * seats]


# Taking a Turn


def everything(**changes: Any) -> Harbour:
    """A seat that may do all that there is."""
    position: dict[str, Any] = {"discards": "f", "small": ["ca", "dd", "ff"], "large": ["eee"], "icons": "rts"}
    return Harbour("ca. .X. ...", **position | {"starting": 1} | changes)


def test_four_actions_and_any_bonus() -> None:
    """Before the action: A with each open card, B, C, D, and all bonuses; no order yet, and the turn may not end."""
    assert everything().acts() == [*ACTIONS, *BONUSES]


@pytest.mark.parametrize(
    "action",
    [
        "take left, cell 4",
        "take middle, cell 4",
        "take right, cell 4",
        "rope in, reserve small pile",
        "exchange, discarded f, cell 3",
    ],
)
def test_one_action_a_turn(action: str) -> None:
    """After one of the four there are bonuses, the order and the end, but no other action."""
    assert everything(discards="ff").turn(action).legal("act", 1) == [*BONUSES, "complete", "end turn"]


def test_a_clean_up_is_one_action_too() -> None:
    """It may go on, but nothing else may follow."""
    harbour = everything().turn("clean up, clean_up 5, clean_to discard")
    assert harbour.legal("act", 1) == ["clean up", *BONUSES, "complete", "end turn"]


@pytest.mark.parametrize(
    "bonus",
    ["extra rope in, reserve small 2", "take from supply, stack left, cell 3", "starting card, stack left, cell 3"],
)
def test_a_bonus_is_no_action(bonus: str) -> None:
    """An action must be performed: after a bonus alone the turn may not end, and no order can be completed."""
    harbour = everything().turn(f"{bonus}, rope in, reserve large 1")
    assert set(ACTIONS) <= {*harbour.legal("act", 1)}
    assert not {"end turn", "complete"} & {*harbour.legal("act", 1)}


def test_action_then_order_then_refill() -> None:
    """After the action one may complete an order; then all places are filled again."""
    harbour = everything().turn("take left, cell 4, complete, order small 1, path 1-2")
    assert harbour.course == "take, place, complete, refill, orders"


def test_then_the_next_player_to_the_left() -> None:
    """Seat 1 finds what seat 0 left."""
    harbour = Harbour(players=3, small=["aa"]).turns("take left, cell 5", "take left, cell 5", "take right, cell 1")
    assert [harbour.bakery(seat) for seat in range(3)] == ["... .a. ...", "... .b. ...", "e.. ... ..."]


def test_a_turn_without_any_action() -> None:
    """15: with an empty bakery and nothing to take or to rope in (a box far too small) the turn ends of itself."""
    harbour = Harbour(open="", stacks=("", "", ""), icons="rts", starting=1).turn()
    assert (harbour.course, harbour.asked("act")) == ("", 0)


@pytest.mark.parametrize(
    ("position", "action"),
    [
        ({"bakery": "a.. ... ...", "open": ""}, "clean up"),
        ({"bakery": "", "open": ".a."}, "take middle"),
        ({"bakery": "", "open": "", "small": ["aa"]}, "rope in"),
        ({"bakery": "aaa aaa aaa", "open": "ccc"}, "clean up"),
    ],
)
def test_never_stuck(position: dict[str, Any], action: str) -> None:
    """15: clean up with a card, take without, rope in: one action is left, and the turn cannot end before it."""
    harbour = Harbour(**position).tried()
    assert not harbour.legal("act") or harbour.legal("act") == [action]
    taken = {0: "take middle", 3: "rope in", 5: "clean up"}[harbour.state["action"]]
    assert taken == action


def test_a_bonus_where_no_action_is_possible() -> None:
    """15: a box far too small: the turn may end; but once a bonus has brought a card, there is one to clean up."""
    position: dict[str, Any] = {"open": "", "stacks": ("b", "", ""), "icons": "s"}
    assert Harbour(**position).turn("end turn").legal("act") == ["take from supply", "end turn"]
    harbour = Harbour(**position).turn("take from supply, cell 5, clean up, clean_to discard")
    assert "end turn" not in harbour.legal("act", 1)
