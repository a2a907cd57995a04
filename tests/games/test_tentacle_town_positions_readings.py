"""Witness 1: every other reading of an ambiguous or unstated rule, each as a position worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.games.tentacle_town import GAME
from simkit.results import Results
from simkit.strategy import Random
from simkit.table import Table
from simkit.tape import Tape
from tests.games.tentacle_town_position import CARDS, Town

# The town


@pytest.mark.parametrize(("players", "rows"), [(2, (4, 3)), (3, (4, 6)), (4, (4, 6, 3))])
def test_row_of_four_outermost(players: int, rows: tuple[int, ...]) -> None:
    """rows [4, 6, 3]: the row that is left out is the one of that size, wherever it lies."""
    town = Town(players, rules={"rows": [4, 6, 3]})
    assert town.rules.rows_for(players) == rows
    full = {"docks": tuple(4 if row == 0 else 0 for row in range(len(rows)))}
    town = Town(players, buildings=[full], rules={"rows": [4, 6, 3]})
    row = "second" if players > 2 else None
    answers = {"row": row} if row and players == 4 else {}
    town.turn(district="docks", work="build", **answers)
    assert town.rows(0, "docks")[:2] == (4, 1)


def test_all_rows_with_two_players() -> None:
    """row_left_out_two_players 0: thirteen spaces."""
    town = Town(2, rules={"row_left_out_two_players": 0}).turn(district="docks", work="build", row="third")
    assert town.legal("row") == ["outermost", "second", "third"]


def test_a_town_on_a_line() -> None:
    """adjacency line: from the docks and the foundry one flees to the market alone, from there to both."""
    rules = {"adjacency": "line"}
    for district in ("docks", "foundry"):
        town = Town(rules=rules, roll=["arrow"]).turn(district=district)
        assert town.residents == {"market": 1}
    town = Town(rules=rules, roll=["arrow"]).turn(district="market", retreat="foundry")
    assert town.legal("retreat") == ["docks", "foundry"]
    assert town.residents == {"foundry": 1}


def test_other_numbers_in_the_box() -> None:
    """residents, tentacles, buildings and what one starts with are taken from the rules."""
    changes = {"residents": 15, "start_gold": 1, "start_food": 2, "start_iron": 3, "start_fame": 4, "start_harpoons": 5}
    rows = {"rows": [8, 4, 3], "row_left_out_two_players": 0, "start_buildings": 2, "buildings": 8}
    rules = GAME.rules(**GAME.components.values_with(changes | rows))
    table = Table(GAME, rules, [Random()] * 3, Tape(1), np.zeros(1, np.uint64), Results(GAME, rules, 3, 1))
    GAME.setup(table)
    state = GAME.describe(table, np.array([0]))[0]
    assert [state[good] for good in ("gold", "food", "iron", "fame", "harpoons")] == [[n] * 3 for n in range(1, 6)]
    assert state["supply"] == 15
    assert state["buildings"] == [[[2, 0]] * 3] * 3
    assert state["left"] == [2, 2, 2]
    town = Town(tentacles={"docks": 5}, rules={"tentacles": 6}).turn(district="docks").turn(district="docks")
    assert town.tentacles == {"docks": 6}


# Recruit a New Resident, Pay Overtime


def test_pass_only_if_stuck() -> None:
    """pass_work stuck: a resident who can do something does; one who cannot may rest."""
    stuck = {"pass_work": "stuck", "zero_tasks": False}
    assert Town(rules=stuck).turn(district="docks").told("build")  # nothing else can be done
    town = Town(buildings=[{}, {"docks": 7}], rules=stuck, gold=1).turn(district="docks")
    assert len(town.told("pass")) == 1
    town = Town(buildings=[{"docks": 1}], rules=stuck).turn(district="docks", work="butcher_catch")
    assert town.legal("work") == ["build", "butcher_catch"]


def test_no_tasks_for_nothing() -> None:
    """zero_tasks false: a task has to give or trade something."""
    strict = {"zero_tasks": False}
    nothing = Town(rules=strict, cards=["plant_flowers", "can_calamari", "squid_bake"], food=2, iron=1, harpoons=2)
    assert nothing.turn(district="docks").legal("work") == ["pass", "build"]
    town = Town(rules=strict, iron=1, food=1, gold=1).turn(district="market", work="sell_sushi")
    assert town.legal("work") == ["pass", "build", "sell_sushi"]
    assert town.change("gold") == 1  # one food, one resident: at least one is sold, and no more than one
    town = Town(rules=strict, buildings=[{"docks": 1}], harpoons=2, tentacles={"market": 1}, hits=["miss"])
    town.turn(district="docks", work="hunt_tentacles")
    assert town.legal("work") == ["pass", "build", "hunt_tentacles", "butcher_catch"]
    assert len(town.told("shot")) == 1  # the first harpoon has to be fired


def test_tasks_for_nothing() -> None:
    """zero_tasks true: no building, no food, no harpoon: each may be done all the same."""
    assert Town().turn(district="docks").legal("work") == ["pass", "build", "hunt_tentacles", "butcher_catch"]
    town = Town(cards=["plant_flowers"]).turn(district="market", work="sell_sushi")
    assert town.legal("work") == ["pass", "build", "sell_sushi", "plant_flowers"]
    assert len(town.told("task")) == 1


def test_all_trades() -> None:
    """trades all: as often as can be."""
    town = Town(rules={"trades": "all"}, residents={"market": 3}, food=3).turn(district="market", work="sell_sushi")
    assert (town.change("food"), town.change("gold")) == (-3, 3)
    assert town.legal("times") == []


def test_overtime_at_another_price() -> None:
    """overtime_cost 2: three gold are enough for one task more, not for two."""
    town = Town(rules={"overtime_cost": 2}, gold=3, cards=["declaw_crabs", "whittle_sticks"])
    town.turn(district="docks", work="butcher_catch", overtime="declaw_crabs")
    assert town.change("gold") == -2
    assert len(town.asked("overtime")) == 1


def test_building_by_overtime() -> None:
    """build_by_overtime true: after a task, and once a turn."""
    rules = {"build_by_overtime": True}
    town = Town(rules=rules, gold=2).turn(district="foundry", work="smelt_iron", overtime="build", row="second")
    assert town.rows(0, "foundry") == (0, 1)
    assert town.change("gold") == -1
    town = Town(rules=rules, gold=2).turn(district="foundry", work="build", row="second")
    assert town.legal("overtime") == ["stop", "smelt_iron"]


def test_overtime_for_each_resident() -> None:
    """overtime_limit residents: two residents in the district, two tasks by overtime."""
    cards = ["declaw_crabs", "recycle_anchors", "whittle_sticks"]
    for limit, times in (("residents", 2), ("none", 3)):
        town = Town(rules={"overtime_limit": limit}, residents={"market": 1, "docks": 5}, gold=9, cards=cards)
        town.turn(district="market", work="build", row="second", overtime=cards[:times])
        assert town.change("gold") == -times
        assert len(town.asked("overtime")) == (2 if limit == "residents" else 4)  # the last: sell sushi, or stop


def test_overtime_after_passing() -> None:
    """overtime_after_pass: whoever has the resident do nothing may still pay for tasks, or not."""
    for allowed in (True, False):
        town = Town(rules={"overtime_after_pass": allowed}, gold=1, cards=["declaw_crabs"]).turn(district="docks")
        assert bool(town.asked("overtime")) == allowed


@pytest.mark.parametrize(("allowed", "times"), [(True, 2), (False, 1)])
def test_overtime_from_earnings(allowed: bool, times: int) -> None:
    """overtime_from_earnings false: with one gold at the start of the turn, what is earned pays for no more."""
    cards = ["declaw_crabs", "whittle_sticks"]
    town = Town(rules={"overtime_from_earnings": allowed}, residents={"market": 3}, gold=1, food=4, cards=cards)
    town.turn(district="market", work="sell_sushi", times=4, overtime=cards[:times])
    assert town.change("gold") == 4 - times
    assert town.change("harpoons") == times - 1


def test_earnings_may_buy_what_a_task_costs() -> None:
    """overtime_from_earnings false limits overtime, not what the tasks themselves cost."""
    town = Town(
        rules={"overtime_from_earnings": False}, residents={"market": 3}, gold=1, food=4, cards=["fancy_shindig"]
    )
    town.turn(district="market", work="sell_sushi", times=4, overtime="fancy_shindig")
    assert (town.change("gold"), town.change("fame")) == (1, 2)


# Tasks


@pytest.mark.parametrize(
    ("card", "task", "change"),
    [
        ("recycle_anchors", {"gain": {"iron": 1}}, {"iron": 1}),
        ("whittle_sticks", {"gain": {"harpoons": 2}}, {"harpoons": 2}),
        ("bake_pie", {"cost": {"food": 1}, "gain": {"fame": 1}}, {"food": -1, "fame": 1}),
        ("bake_pie", {"cost": {"food": 3}, "gain": {"fame": 2}}, {"food": -3, "fame": 2}),
    ],
)
def test_other_numbers_on_cards(card: str, task: dict[str, Any], change: dict[str, int]) -> None:
    """What the pictures may show instead."""
    assert task in GAME.components[card].alternatives
    cost = {good: -n for good, n in change.items() if n < 0}
    town = Town(cards=[card], rules={card: task}, **cost).turn(district="docks", work=card)
    assert {
        good: town.change(good) for good in ("gold", "food", "iron", "fame", "harpoons") if town.change(good)
    } == change


def test_movers_for_a_gold() -> None:
    """hire_movers {cost = {gold = 1}}."""
    rules = {"hire_movers": {"cost": {"gold": 1}}}
    assert rules["hire_movers"] in GAME.components["hire_movers"].alternatives
    laid_out: dict[str, Any] = {"rules": rules, "buildings": [{"docks": 1}], "cards": ["hire_movers"]}
    town = Town(gold=1, **laid_out).turn(district="docks", work="hire_movers", movers_to="foundry second")
    assert town.change("gold") == -1
    assert "hire_movers" not in Town(**laid_out).turn(district="docks").legal("work")


def test_movers_to_another_district() -> None:
    """movers_same_district false: not within the district."""
    town = Town(rules={"movers_same_district": False}, buildings=[{"docks": 1}, {"market": 7}], cards=["hire_movers"])
    town.turn(district="docks", work="hire_movers", movers_to="foundry second")
    assert town.legal("movers_to") == ["foundry outermost", "foundry second"]


def test_a_volley() -> None:
    """hunt_firing volley: three are thrown, all hit, one tentacle was there; all three are gone."""
    town = Town(
        rules={"hunt_firing": "volley"}, residents={"docks": 3}, tentacles={"docks": 1}, harpoons=3, hits=["hit"] * 3
    )
    town.turn(district="docks", work="hunt_tentacles", times=3)
    assert town.legal("times") == [0, 1, 2, 3]
    assert (town.change("food"), town.change("fame"), town.change("harpoons")) == (1, 1, -3)
    assert town.tentacles == {"docks": 1}


def test_a_volley_of_one_at_least() -> None:
    """hunt_firing volley without tasks for nothing: 1 to the most."""
    rules = {"hunt_firing": "volley", "zero_tasks": False}
    town = Town(rules=rules, residents={"docks": 3}, tentacles={"docks": 5}, harpoons=2)
    assert town.turn(district="docks", work="hunt_tentacles", times=2).legal("times") == [1, 2]


# Task cards


def dealt(**rules: Any) -> list[list[str]]:
    """The cards in play of 300 games."""
    made = GAME.rules(**GAME.components.values_with(rules))
    table = Table(GAME, made, [Random()] * 2, Tape(1), np.arange(300, dtype=np.uint64), Results(GAME, made, 2, 300))
    GAME.setup(table)
    return [[CARDS[card - 6] for card in state["cards"]] for state in GAME.describe(table, np.arange(300))]


def test_no_task_cards() -> None:
    """task_cards 0."""
    assert dealt(task_cards=0) == [[]] * 300


def test_fixed_task_cards() -> None:
    """cards: those and no others, in every game."""
    assert dealt(cards=["bake_pie", "declaw_crabs"]) == [["declaw_crabs", "bake_pie"]] * 300


def test_a_card_in_and_a_card_out() -> None:
    """card_in is dealt, card_out is not; all other luck is the same."""
    usual = [set(cards) for cards in dealt()]
    with_pie = [set(cards) for cards in dealt(card_in="bake_pie")]
    without = [set(cards) for cards in dealt(card_out="bake_pie")]
    assert all("bake_pie" in cards and len(cards) == 3 for cards in with_pie)
    assert all("bake_pie" not in cards and len(cards) == 3 for cards in without)
    for cards, more, fewer in zip(usual, with_pie, without, strict=True):
        if "bake_pie" in cards:
            assert more == cards
            assert fewer > cards - {"bake_pie"}
        else:
            assert fewer == cards
            assert more - {"bake_pie"} < cards
