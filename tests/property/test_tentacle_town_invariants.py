"""Witness 2: whatever the rules and the strategies, the books balance, and games do not see their neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.batch import play
from simkit.games.tentacle_town import GAME
from simkit.games.tentacle_town.rules import CARDS, TASKS
from simkit.results import Results
from simkit.strategy import Epsilon, Random, Strategy
from tests.games.tentacle_town_plans import Planned
from tests.oracles.tentacle_town_settings import CARTER, HUNTER, SMITH
from tests.property.tentacle_town_ledger import Ledger

PLANS = (HUNTER, CARTER, SMITH, {"": "any", "work": (1,), "overtime": tuple(range(19, 0, -1)), "defend_building": (1,)})


def rules_with(**changes: Any) -> Any:
    """Tentacle Town's rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))


goods = st.dictionaries(st.sampled_from(["gold", "food", "iron", "fame", "harpoons"]), st.integers(1, 3), max_size=2)


@st.composite
def any_task(draw: st.DrawFn) -> dict[str, Any]:
    """A task of any shape."""
    shape = draw(st.sampled_from(["", "per", "up_to"]))
    task = {"cost": draw(goods), "gain": draw(goods)}
    return task | ({shape: draw(st.sampled_from(["buildings", "residents"]))} if shape else {})


@st.composite
def any_cards(draw: st.DrawFn) -> dict[str, Any]:
    """A deal, a deal with a card in or out, or a list."""
    if draw(st.booleans()):
        return {"cards": draw(st.lists(st.sampled_from(CARDS), unique=True, max_size=12)), "task_cards": 3}
    card_in, card_out = draw(st.permutations(["", *CARDS]))[:2]
    n_cards = draw(st.integers(1 if card_in else 0, 11))
    return {"task_cards": n_cards, "card_in": card_in, "card_out": card_out}


@st.composite
def any_rules(draw: st.DrawFn) -> Any:
    """Boxes of many sizes with any of the rules' alternatives, and tasks of any shape."""
    die = draw(st.lists(st.integers(0, 3), min_size=5, max_size=5))
    tasks = {name: draw(any_task()) for name in TASKS if draw(st.integers(0, 3)) == 0}
    movers, housing, hunt = draw(goods), draw(goods), draw(goods)
    tasks |= {"hire_movers": {"cost": movers}, "housing_project": {"cost": housing}}
    tasks |= {"hunt_tentacles": {"gain": hunt, "up_to": "residents"}}
    either = {name: GAME.components[name] for name in READINGS}
    return rules_with(
        **{name: draw(st.sampled_from([entry.value, *entry.alternatives])) for name, entry in either.items()},
        **{f"start_{good}": draw(st.integers(0, 4)) for good in ("gold", "food", "iron", "fame", "harpoons")},
        **draw(any_cards()),
        **tasks,
        rows=draw(st.sampled_from([[6, 4, 3], [4, 6, 3], [6, 3, 4]])),
        residents=draw(st.integers(1, 12)),
        tentacles=draw(st.integers(1, 10)),
        buildings=draw(st.integers(3, 10)),
        start_buildings=draw(st.integers(0, 1)),
        tokens=draw(st.integers(1, 28)),
        dice=draw(st.integers(0, 5)),
        die=die if any(die) else [0, 0, 0, 0, 1],
        dice_order=draw(st.sampled_from(["chosen", "skulls-first", "arrows-first"])),
        overtime_cost=draw(st.integers(0, 2)),
        harpoons_per_result=draw(st.integers(1, 3)),
        defence_pays=draw(goods),
        max_rounds=draw(st.integers(1, 7)),
    )


READINGS = (
    *("adjacency", "token_limit", "pass_work", "zero_tasks", "trades", "overtime_limit", "overtime_from_earnings"),
    *("build_by_overtime", "overtime_after_pass", "movers_same_district", "hit", "hunt_firing", "destroyed_returns"),
)
seatings = st.lists(
    st.one_of(st.just(Random()), st.builds(Epsilon, st.sampled_from(PLANS).map(Planned), st.sampled_from([0.0, 0.3]))),
    min_size=2,
    max_size=4,
)


def booked(rules: Any, strategies: list[Strategy], seed: int, n: int, books: type[Ledger] = Ledger) -> Results:
    """Play with the books kept, and close them."""
    ledger = books(rules, len(strategies), n)
    results = play(GAME, rules, strategies, seed, 0, n, observer=ledger)
    assert ledger.n_events > n
    ledger.close(results)
    return results


@settings(max_examples=15, deadline=None)
@given(any_rules(), seatings, st.integers(0, 2**32))
def test_the_books_balance(rules: Any, strategies: list[Strategy], seed: int) -> None:
    booked(rules, strategies, seed, 12)


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(any_rules(), seatings, st.integers(0, 2**32))
def test_the_books_balance_over_and_over(rules: Any, strategies: list[Strategy], seed: int) -> None:
    booked(rules, strategies, seed, 40)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_books_balance_by_the_rulebook(players: int) -> None:
    booked(rules_with(), [*map(Planned, PLANS[: players - 1]), Random()], 5, 80)


def test_the_books_balance_when_tokens_are_scarce() -> None:
    """What is paid is back in the box before the gain is taken, also by overtime."""
    there_and_back = {"cost": {"gold": 2, "fame": 1}, "gain": {"gold": 3, "fame": 2}}
    cards = {name: there_and_back | {"up_to": "buildings"} for name in ("bake_pie", "squid_bake", "plant_flowers")}
    cards |= dict.fromkeys(("erect_a_statue", "fancy_shindig"), there_and_back)
    rules = rules_with(
        token_limit=True, tokens=14, start_gold=6, start_fame=4, overtime_cost=0, cards=[*cards], **cards
    )
    booked(rules, [Random(), Planned(PLANS[3])], 4, 40)


@pytest.mark.slow
def test_the_books_balance_in_long_games() -> None:
    """A building built and destroyed in nearly every turn, residents killed as they come: no count wraps."""
    rules = rules_with(die=[3, 0, 3, 0, 0], max_rounds=300, task_cards=0, start_harpoons=0)
    booked(rules, [Planned({"work": (1,)})] * 2, 1, 2)


class Missing(Ledger):
    """Takes something away behind the game's back, at the fifth roll of the dice."""

    good: str = "iron"
    n_rolls = 0

    def noted(self, table: Any, event: str, seat: Any, games: Any, fields: Any) -> None:
        self.n_rolls += event == "roll"
        if event == "roll" and self.n_rolls == 5:
            array = getattr(table.state, self.good)
            array[...] = np.where(array > 0, array - 1, 1)
        super().noted(table, event, seat, games, fields)


@pytest.mark.parametrize("what", ["gold", "fame", "harpoons", "residents", "supply", "tentacles", "buildings", "free"])
def test_what_goes_missing_is_noticed(what: str) -> None:
    """Negative control."""
    with pytest.raises(AssertionError):
        booked(rules_with(), [Random()] * 3, 1, 5, type("Thief", (Missing,), {"good": what}))


@pytest.mark.parametrize(
    "name", ["n_killed", "n_fled", "n_saved", "n_overtime", "spent", "majority_lost", "from_cards"]
)
def test_a_wrong_row_is_noticed(name: str) -> None:
    """Negative control: one number of one game is wrong."""
    rules = rules_with()
    ledger = Ledger(rules, 3, 20)
    results = play(GAME, rules, [Random()] * 3, 1, 0, 20, observer=ledger)
    ledger.close(results)
    column = results.games[name] if name in results.games else results.seats[name][1]
    column[7] += 1
    with pytest.raises(AssertionError):
        ledger.close(results)


VARIED = {
    "rulebook": {},
    "readings": {"hunt_firing": "volley", "token_limit": True, "tokens": 9, "harpoons_per_result": 2, "task_cards": 12},
    "few tentacles": {"tentacles": 3, "dice": 3, "adjacency": "line", "zero_tasks": False, "card_in": "hire_movers"},
}


@pytest.mark.parametrize("name", VARIED)
def test_rows_do_not_depend_on_the_batch(name: str) -> None:
    """Width 64 or 4096, parts of a run, or a deal all by itself: the same rows, and the same counts."""
    rules, line_up = rules_with(**VARIED[name]), [Epsilon(Planned(SMITH), 0.2), Random(), Planned(HUNTER)]
    whole = play(GAME, rules, line_up, 11, 0, 100, width=4096)
    for parts in ([(0, 100, 64)], [(0, 1, 1), (1, 99, 4096)]):
        played = [play(GAME, rules, line_up, 11, first, n, width=width) for first, n, width in parts]
        for table in ("games", "seats"):
            for column, values in getattr(whole, table).items():
                found = np.concatenate([getattr(part, table)[column] for part in played], axis=-1)
                assert np.array_equal(values, found), column
        for tally, counts in whole.tallies().items():
            assert np.array_equal(counts, sum(part.tallies()[tally] for part in played))


def test_watching_changes_nothing() -> None:
    rules, line_up = rules_with(), [Random(), Planned(HUNTER), Epsilon(Planned(CARTER), 0.2)]
    watched, alone = booked(rules, line_up, 3, 30), play(GAME, rules, line_up, 3, 0, 30)
    for table in ("games", "seats"):
        for column, values in getattr(watched, table).items():
            assert np.array_equal(values, getattr(alone, table)[column]), column
