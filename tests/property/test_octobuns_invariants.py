"""Witness 2: whatever the rules and strategies, cards are conserved, events do what they say, rows are what was seen.

The checks themselves are in `octobuns_ledger.py`; controls here take things away, forge rows, and must be noticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simkit.batch import play
from simkit.games.octobuns import GAME
from simkit.games.octobuns.state import ACTS
from simkit.results import Results
from simkit.strategy import Epsilon, Random, Strategy
from simkit.table import Table
from tests.oracles.octobuns_box import rules_with
from tests.property.octobuns_ledger import Ledger

# ----------------------------------------------------------------------------------------------------------- players


@dataclass(frozen=True)
class Eager(Strategy):
    """Likes some acts, at random for the rest.

    Parameters
    ----------
    liked, disliked
        Acts that it takes before others, and after others.
    """

    liked: tuple[str, ...] = ("complete",)
    disliked: tuple[str, ...] = ("end turn",)

    ties = "coin"

    def act(self, view: Any) -> Any:
        worth = np.array([1 + (act in self.liked) - (act in self.disliked) for act in ACTS], np.uint8)
        return np.repeat(worth[:, None], view.n, axis=1)

    def cell(self, view: Any) -> Any:
        return np.zeros((len(view.options), view.n), np.uint8)

    ingredient = stack = reserve = bun = discarded = clean_up = clean_second = clean_to = shift = order = path = cell


class Baker(Eager):
    """Puts cards where they bring an open order nearer, and moves or discards none."""

    def cell(self, view: Any) -> Any:
        scores = np.zeros((9, view.n), np.uint8)
        for ids in view.open_orders:
            scores += view.steps(ids, view.card)[0]
        return scores


EAGER, BAKER = Eager(), Baker(disliked=("clean up", "exchange", "end turn"))
CLEANER = Eager(liked=("complete", "clean up", "exchange"), disliked=("end turn", "rope in"))
HOARDER = Eager(liked=("rope in", "extra rope in", "exchange"), disliked=("complete",))
PLAYERS: tuple[Strategy, ...] = (Random(), BAKER, EAGER, CLEANER, HOARDER, Epsilon(EAGER, 0.3))
line_ups = st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=4)

# -------------------------------------------------------------------------------------------------------------- rules


@st.composite
def any_order(draw: st.DrawFn, name: str, items: list[str], most: int) -> dict[str, Any]:
    """An order of any items of the box, none of them oftener than it holds any."""
    chosen = draw(st.lists(st.sampled_from(items), min_size=2, max_size=5))
    chosen = [item for place, item in enumerate(chosen) if chosen[:place].count(item) < most]
    chosen += [item for item in items if item not in chosen][: 2 - len(chosen)] if len(chosen) < 2 else []
    icon = draw(st.sampled_from(["", "rope-in", "tentacle", "supply"]))
    return {"name": name, "items": chosen, "coins": draw(st.integers(0, 7)), "icon": icon}


@st.composite
def any_rules(draw: st.DrawFn) -> Any:
    """Boxes of all sizes with any of the rules' alternatives."""
    changes: dict[str, Any] = {
        name: draw(st.sampled_from([entry.value, *entry.alternatives]))
        for name, entry in GAME.components.items()
        if entry.alternatives
    }
    ingredients = [f"i{k}" for k in range(draw(st.integers(2, 5)))]
    pairs = [(a, b) for place, a in enumerate(ingredients) for b in ingredients[place:]]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=4, unique=True))
    buns = [{"name": f"b{k}", "of": list(pair)} for k, pair in enumerate(chosen)]
    is_doubled = any(a == b for a, b in chosen)
    copies, bun_copies = draw(st.integers(1 + is_doubled, 8)), draw(st.integers(1, 4))
    items = [*ingredients, *(str(bun["name"]) for bun in buns)]
    orders = {
        kind: [draw(any_order(f"{kind} {k}", items, min(copies, bun_copies))) for k in range(draw(st.integers(1, 8)))]
        for kind in ("small", "large")
    }
    reserve_limit = draw(st.integers(0, 3))
    names = [order["name"] for kind in orders.values() for order in kind]
    changes |= {
        "ingredients": ingredients,
        "copies": copies,
        "buns": buns,
        "bun_copies": bun_copies,
        "small_orders": orders["small"],
        "large_orders": orders["large"],
        "reserve_limit": reserve_limit,
        "blind_rope_in": draw(st.booleans()),
        "starting_cards": draw(st.integers(0, 3)),
        "orders_to_end": draw(st.integers(1, 4)),
        "orders_per_turn": draw(st.integers(1, 3)),
        "clean_up_cards": draw(st.integers(0, 2)),
        "coins_per_bun": draw(st.integers(0, 2)),
        "finish_round": draw(st.booleans()),
        "given_order": draw(st.sampled_from(["", *names])) if reserve_limit else "",
        "given_icon": draw(st.sampled_from(["", "rope-in", "tentacle", "supply"])),
        "max_rounds": draw(st.integers(1, 25)),
    }
    return rules_with(**changes)


def watched(rules: Any, players: list[Strategy], seed: int, n: int, kind: type[Ledger] = Ledger) -> Ledger:
    """Play with everything looked at, and close."""
    ledger = kind(rules, len(players))
    ledger.close(play(GAME, rules, players, seed, 0, n, observer=ledger))
    assert ledger.n_events.total() > n
    return ledger


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_rules(), line_ups, st.integers(0, 2**32))
def test_the_books_balance(rules: Any, players: list[Strategy], seed: int) -> None:
    watched(rules, players, seed, 1)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_rules(), line_ups, st.integers(0, 2**32))
def test_the_books_balance_over_and_over(rules: Any, players: list[Strategy], seed: int) -> None:
    watched(rules, players, seed, 5)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_books_balance_by_the_rulebook(seats: int) -> None:
    ledger = watched(rules_with(max_rounds=10), [BAKER, BAKER, CLEANER, Random()][:seats], 5, 1)
    assert ledger.n_events["place"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_books_balance_by_the_rulebook_to_the_end(seats: int) -> None:
    ledger = watched(rules_with(), [BAKER, BAKER, CLEANER, Random()][:seats], 5, 8)
    assert ledger.n_events["complete"] > 20


ALTERNATIVES = [
    (name, value)
    for name, entry in sorted(GAME.components.items())
    for value in entry.alternatives
    if not isinstance(value, list)
]
"""Each alone, the others as they are; decks of orders go with their ingredients."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), ALTERNATIVES)
def test_the_books_balance_by_each_alternative(name: str, value: Any) -> None:
    events = Counter[str]()
    for box in (SCARCE, {"max_rounds": 25}):
        events += watched(rules_with(**{**box, name: value}), [EAGER, CLEANER, HOARDER], 8, 8).n_events
    wanted = {"take", "place", "use", "rope in", "lift", "discard", "complete", "refill", "rebuild", "orders"}
    assert not wanted - set(events)


SCARCE: dict[str, Any] = {
    "ingredients": ["a", "b", "c"],
    "copies": 6,
    "buns": [{"name": "ab", "of": ["a", "b"]}, {"name": "cc", "of": ["c", "c"]}],
    "bun_copies": 2,
    "small_orders": [
        {"name": f"s{k}", "items": items, "coins": 2, "icon": icon}
        for k, (items, icon) in enumerate(
            [(["a", "b"], "supply"), (["c", "c"], "tentacle"), (["ab", "c"], "rope-in"), (["b", "c", "b"], "")]
        )
    ],
    "large_orders": [
        {"name": f"l{k}", "items": items, "coins": 4, "icon": icon}
        for k, (items, icon) in enumerate([(["a", "cc", "b"], "supply"), (["ab", "ab"], "tentacle"), (["cc", "a"], "")])
    ],
    "orders_to_end": 2,
    "max_rounds": 16,
}
"""Buns and cards run out, stacks are rebuilt again and again, piles of orders end."""


@pytest.mark.parametrize("changes", [{}, {"rebuild_when": "at-once", "refill": "at-once"}], ids=["", "at once"])
def test_the_books_balance_where_cards_are_scarce(changes: dict[str, Any]) -> None:
    ledger = watched(rules_with(**SCARCE, **changes), [EAGER, CLEANER, HOARDER], 1, 2)
    assert min(ledger.n_events[event] for event in ("rebuild", "return", "drop", "complete", "lift")) > 0


# --------------------------------------------------------------------------------------------------- negative controls


class Thief(Ledger):
    """Adds to a number of the state behind the game's back, in the third round, once."""

    array, place, change = "bakery", 0, 1
    is_done = False

    def noted(self, table: Table, event: str, seat: int | None, games: Any, fields: Mapping[str, Any]) -> None:
        columns = table.live.nonzero()[0] if games is None else games
        if table.round >= 2 and not self.is_done and event == "place":
            numbers = getattr(table.state, self.array).reshape(-1, table.n)
            numbers[self.place, columns[0]] += np.array(self.change).astype(numbers.dtype)
            self.is_done = True
        super().noted(table, event, seat, games, fields)


PLACES = [
    *(("bakery", cell) for cell in (0, 4, 9, 17)),
    *(("open", 0), ("discards", 0), ("discards", 2), ("bun_stock", 0), ("bun_stock", 1)),
    *(("orders", 0), ("orders", 3), ("icons", 1), ("icons", 5), ("starting", 0), ("starting", 1)),
    *(("n_done", 0), ("n_done", 3), ("size", 0), ("pile_size", 1), ("hand", 0)),
]


@pytest.mark.parametrize("change", [1, -1])
@pytest.mark.parametrize(("array", "place"), PLACES)
def test_one_too_many_or_too_few_is_noticed(array: str, place: int, change: int) -> None:
    thief = type("Thief", (Thief,), {"array": array, "place": place, "change": change})
    with pytest.raises((AssertionError, IndexError)):
        watched(rules_with(**SCARCE), [EAGER, Random()], 1, 1, thief)


class Swapper(Ledger):
    """Lets two seats change bakeries, which no count can tell, or a seat turn its own."""

    way = "seats"
    is_done = False

    def noted(self, table: Table, event: str, seat: int | None, games: Any, fields: Mapping[str, Any]) -> None:
        if table.round >= 2 and not self.is_done and event == "place":
            bakery = table.state.bakery
            bakery[:] = bakery[::-1].copy() if self.way == "seats" else bakery[:, ::-1].copy()
            self.is_done = True
        super().noted(table, event, seat, games, fields)


@pytest.mark.parametrize("way", ["seats", "cells"])
def test_cards_that_move_of_themselves_are_noticed(way: str) -> None:
    with pytest.raises(AssertionError):
        watched(rules_with(**SCARCE), [EAGER, Random()], 1, 1, type("Swapper", (Swapper,), {"way": way}))


LATE: list[dict[str, Any]] = [{"starting_cards": 2}, {"orders_to_end": 4}]
"""Noticed only when a game is over."""


@pytest.mark.parametrize(
    "rules",
    [
        {"coins": "flat", "flat_coins": [1, 1]},
        {"bends": False},
        {"reversal": False},
        {"used_cards": "stay"},
        {"icons": "none"},
        *(pytest.param(late, marks=pytest.mark.slow) for late in LATE),
        {"coins_per_bun": 2},
        {"clean_up_cards": 1},
    ],
    ids=str,
)
def test_other_rules_are_noticed(rules: dict[str, Any]) -> None:
    """Games by the box's rules, watched by somebody who believes in others."""
    played = {**SCARCE, "orders_per_turn": 3}
    ledger = Ledger(rules_with(**{**played, **rules}), 2)
    with pytest.raises(AssertionError):
        ledger.close(play(GAME, rules_with(**played), [EAGER, EAGER], 2, 0, 5, observer=ledger))


ROWS = ("coins", "buns_left", "cards_left", "n_small", "n_large", "reserved_left", "icons_left", "n_starting_used")
SUMS = ("n_taken", "n_exchanges", "n_dropped", "n_rope_ins", "n_extra_tentacles", "n_supply_takes", "n_buns_made")


@pytest.fixture(scope="module")
def books() -> tuple[Ledger, Results]:
    rules = rules_with(**SCARCE)
    ledger = Ledger(rules, 2)
    return ledger, play(GAME, rules, [EAGER, EAGER], 4, 0, 2, observer=ledger)


@pytest.mark.parametrize("name", [*ROWS, *SUMS, "end_cause", "n_turns", "winners", "n_rebuilds"])
def test_a_wrong_row_is_noticed(books: tuple[Ledger, Results], name: str) -> None:
    ledger, results = books
    ledger.close(results)
    column = results.games[name] if name in results.games else results.seats[name][1]
    before, ended = column.copy(), GAME.all_end_causes.index("orders")
    column[results.games["end_cause"].tolist().index(ended)] ^= 1
    with pytest.raises(AssertionError):
        ledger.close(results)
    column[:] = before


# ----------------------------------------------------------------------------------------------------- reproducibility

VARIED: dict[str, dict[str, Any]] = {
    "rulebook": {"max_rounds": 6},
    "scarce": {**SCARCE, "max_rounds": 6, "refill": "at-once", "rebuild_when": "at-once", "finish_round": False},
    "loose": {
        **SCARCE,
        "max_rounds": 6,
        "grid": "floating",
        "full_bakery": "discard",
        "clean_up_sequence": "together",
    },
}


def assert_alike(whole: Results, parts: list[Results]) -> None:
    """The same rows one after another, and the same counts in all."""
    for table in ("games", "seats"):
        for column, values in getattr(whole, table).items():
            found = np.concatenate([getattr(part, table)[column] for part in parts], axis=-1)
            assert np.array_equal(values, found), column
    for tally, counts in whole.tallies().items():
        assert np.array_equal(counts, sum(part.tallies()[tally] for part in parts)), tally


@pytest.mark.parametrize(
    "name", ["loose", pytest.param("rulebook", marks=pytest.mark.slow), pytest.param("scarce", marks=pytest.mark.slow)]
)
def test_rows_do_not_depend_on_the_batch(name: str) -> None:
    """Narrow or wide, parts of a run, or a deal all by itself: the same rows, and the same counts."""
    rules, players = rules_with(**VARIED[name]), [EAGER, Random(), Epsilon(CLEANER, 0.2)]
    whole = play(GAME, rules, players, 11, 0, 24, width=4096)
    for parts in ([(0, 24, 16)], [(0, 1, 1), (1, 23, 4096)]):
        assert_alike(whole, [play(GAME, rules, players, 11, first, n, width=width) for first, n, width in parts])


def test_another_seed_is_noticed() -> None:
    """Negative control."""
    rules, players = rules_with(max_rounds=6), [EAGER, Random()]
    with pytest.raises(AssertionError):
        assert_alike(play(GAME, rules, players, 1, 0, 20), [play(GAME, rules, players, 2, 0, 20)])


def test_watching_changes_nothing() -> None:
    rules, players = rules_with(**SCARCE), [EAGER, HOARDER]
    ledger = Ledger(rules, 2)
    assert_alike(play(GAME, rules, players, 3, 0, 2), [play(GAME, rules, players, 3, 0, 2, observer=ledger)])
