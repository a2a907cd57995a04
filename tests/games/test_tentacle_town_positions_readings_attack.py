"""Witness 1: other readings of attacks, harpoons and tokens, each as a position worked out by hand."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.games.tentacle_town import GAME
from simkit.results import Results
from simkit.strategy import Random
from simkit.table import Table
from simkit.tape import Tape
from simkit.trace import Trace
from tests.games.tentacle_town_position import RESULTS, Town

# Tentacle Attacks


@pytest.mark.parametrize("die", [[1, 2, 2, 1, 0], [1, 1, 2, 1, 1], [1, 2, 1, 1, 1], [1, 1, 3, 1, 0], [1, 1, 2, 2, 0]])
def test_faces_of_the_die(die: list[int]) -> None:
    """Each face as often as it is on the die; within five standard errors of 1000 rolls."""
    n, trace = 1000, Trace()
    rules = GAME.rules(**GAME.components.values_with({"die": die}))
    seats = [Random()] * 2
    table = Table(
        GAME, rules, seats, Tape(1), np.arange(n, dtype=np.uint64), Results(GAME, rules, 2, n), observer=trace
    )
    GAME.setup(table)
    GAME.turn(table, 0)
    rolls = [event["dice"] for events in trace.games.values() for event in events if event["event"] == "roll"]
    shown = Counter(dice.index(1) if sum(dice) else 4 for dice in rolls)
    assert len(rolls) == n
    for face, faces in enumerate(die):
        p = faces / 6
        assert abs(shown[face] / n - p) <= 5 * sqrt(p * (1 - p) / n)


@pytest.mark.parametrize(("hit", "p"), [("1/2", 0.5), ("2/5", 0.4), ("3/5", 0.6), ("2/3", 2 / 3), (1, 1.0), (0.0, 0.0)])
def test_chance_of_a_hit(hit: str | float, p: float) -> None:
    """As often as the rules say; within five standard errors of 2000 shots at ten tentacles."""
    n, trace = 500, Trace()
    rules = GAME.rules(**GAME.components.values_with({"hit": hit, "hunt_firing": "volley", "task_cards": 0}))

    class Hunter(Random):
        """Hunts with all it has."""

        def choose(self, view: Any) -> np.ndarray:
            option = {"district": 0, "work": 2, "hunt_area": 1, "times": 4}.get(view.decision)
            return super().choose(view) if option is None else np.full(view.n, option, np.uint8)

    table = Table(
        GAME, rules, [Hunter()] * 2, Tape(1), np.arange(n, dtype=np.uint64), Results(GAME, rules, 2, n), observer=trace
    )
    GAME.setup(table)
    table.state.residents[0], table.state.tentacles[1], table.state.harpoons[0] = 3, 10, 4
    GAME.turn(table, 0)
    hunted = [
        event["hit"]
        for events in trace.games.values()
        for event in events
        if event["event"] == "shot" and event["purpose"] == 0
    ]
    assert len(hunted) == 4 * n
    assert abs(sum(hunted) / (4 * n) - p) <= 5 * sqrt(p * (1 - p) / (4 * n))


@pytest.mark.parametrize(("order", "died", "fled"), [("skulls-first", 1, 0), ("arrows-first", 0, 1)])
def test_fixed_orders(order: str, died: int, fled: int) -> None:
    """dice_order: the lone resident meets the skull first, or the arrow; nobody chooses."""
    town = Town(rules={"dice_order": order}, tentacles={"docks": 3}, roll=["destroy", "arrow", "new", "skull"])
    town.turn(district="docks")
    assert not town.asked("die")
    assert 20 - town.state["supply"] == 1 - died
    assert sum(town.residents.values()) == fled
    applied = [event["event"] for event in town.trace.games[next(iter(town.trace.games))] if event["event"] in RESULTS]
    first = ["skull", "arrow"] if order == "skulls-first" else ["arrow", "skull"]
    assert applied == [*first, "destroy", "new"]


def test_fewer_dice() -> None:
    """dice 2: never more than two."""
    town = Town(rules={"dice": 2}, tentacles={"docks": 5}, roll=["arrow"] * 2).turn(district="docks")
    assert town.n_dice == 2


def test_other_pay_for_defence() -> None:
    """defence_pays: what a hit gives."""
    town = Town(rules={"defence_pays": {"gold": 2}}, harpoons=1, roll=["skull"], hits=["hit"])
    town.turn(district="docks", defend_resident="fire")
    assert [town.change(good) for good in ("gold", "food", "fame")] == [2, 0, 0]


def test_two_harpoons_for_a_result() -> None:
    """harpoons_per_result 2: a miss may be followed by another shot, a second miss not."""
    two = {"harpoons_per_result": 2}
    town = Town(rules=two, harpoons=3, roll=["skull"], hits=["miss", "hit"])
    town.turn(district="docks", defend_resident=["fire", "fire"])
    assert town.residents == {"docks": 1}
    assert town.change("harpoons") == -2
    town = Town(rules=two, buildings=[{"docks": 1}], harpoons=3, roll=["destroy"], hits=["miss", "miss"])
    town.turn(district="docks", defend_building=["fire", "fire"])
    assert sum(town.rows(0, "docks")) == 0
    assert town.change("harpoons") == -2
    town = Town(rules=two, harpoons=1, roll=["skull"], hits=["miss"]).turn(district="docks", defend_resident="fire")
    assert town.residents == {}


def test_destroyed_for_good() -> None:
    """destroyed_returns false: out of the game."""
    town = Town(rules={"destroyed_returns": False}, buildings=[{"docks": 1}], roll=["destroy"]).turn(district="docks")
    assert town.state["left"][0] == 9
    assert sum(map(sum, town.state["buildings"][0])) == 0


# Tokens

LIMIT = {"token_limit": True}


def test_a_gain_takes_what_is_left_of_the_tokens() -> None:
    """token_limit: 28 food in the box, 26 held: four buildings give two."""
    for rules, food in ((LIMIT, 2), ({}, 4)):
        town = Town(3, rules=rules, buildings=[{"docks": 4}], food=(6, 10, 10)).turn(
            district="docks", work="butcher_catch"
        )
        assert town.change("food") == food
        assert town.state["food"] == [6 + food, 10, 10]


def test_costs_are_paid_before_gains_are_taken() -> None:
    """token_limit: all 28 gold are held; the gold of overtime is there to be earned."""
    town = Town(rules=LIMIT, residents={"market": 3}, gold=(1, 27), food=4)
    town.turn(district="market", work="build", row="second", overtime="sell_sushi", times=4)
    assert (town.change("gold"), town.change("food")) == (0, -4)


def test_harpoons_and_the_award_have_no_limit() -> None:
    """token_limit: harpoons are not among the tokens, and the last award is counted, not paid."""
    town = Town(rules=LIMIT, residents={"foundry": 4}, iron=2, food=1, harpoons=(20, 20))
    assert town.turn(district="foundry", work="forge_harpoons").change("harpoons") == 5
    town = Town(rules=LIMIT, buildings=[{"docks": 1}], residents={"docks": 20}, supply=0, fame=(20, 8)).turn()
    assert town.result("fame") == [40, 8]


def test_defence_and_hunting_take_what_is_left() -> None:
    """token_limit: with all fame held a hit gives its food alone."""
    town = Town(rules=LIMIT, harpoons=1, fame=(8, 20), roll=["skull"], hits=["hit"])
    town.turn(district="docks", defend_resident="fire")
    assert (town.change("fame"), town.change("food")) == (0, 1)
    town = Town(rules=LIMIT, harpoons=1, fame=(8, 20), tentacles={"market": 1}, hits=["hit"])
    town.turn(district="docks", work="hunt_tentacles", fire="fire")
    assert (town.change("fame"), town.change("food")) == (0, 1)
    assert town.tentacles == {"docks": 1}


def test_more_than_the_tokens_is_noted() -> None:
    """Without a limit, games that would have needed more tokens are counted."""
    for gold, noted in ((28, False), (29, True)):
        town = Town(residents={"docks": 19}, gold=(gold, 0)).turn(district="docks").turn()
        assert town.result("over_tokens") == noted


# Guard


def test_a_game_is_given_up_after_the_last_round() -> None:
    """max_rounds: nobody wins, and the award is counted as the board stands."""

    rules = GAME.rules(**GAME.components.values_with({"max_rounds": 2, "die": [0, 0, 0, 0, 1], "hit": 0}))
    results = play(GAME, rules, [Random()] * 3, 1, 0, 5)
    assert set(results.games["n_turns"].tolist()) == {6}
    assert {GAME.all_end_causes[cause] for cause in results.games["end_cause"]} == {"unfinished"}
    assert not results.seats["win"].any()
    assert results.seats["from_majority"].sum() > 0
