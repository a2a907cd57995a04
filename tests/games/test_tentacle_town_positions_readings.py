"""Witness 1: every other reading of an ambiguous or unstated rule, each as a position worked out by hand."""

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
from tests.games.tentacle_town_position import CARDS, RESULTS, Town

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
    rules = GAME.rules(**GAME.components.values_with(changes | {"start_buildings": 2, "buildings": 8}))
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
    assert Town(rules=stuck).turn(district="docks", work="build").legal("work") == []  # nothing but to build
    town = Town(buildings=[{}, {"docks": 7}], rules=stuck, gold=1).turn(district="docks")
    assert len(town.told("pass")) == 1
    town = Town(buildings=[{"docks": 1}], rules=stuck).turn(district="docks", work="butcher_catch")
    assert town.legal("work") == ["build", "butcher_catch"]


def test_no_tasks_for_nothing() -> None:
    """zero_tasks false: a task has to give or trade something."""
    strict = {"zero_tasks": False}
    nothing = Town(rules=strict, cards=["plant_flowers", "can_calamari", "squid_bake"], food=2, iron=1, harpoons=2)
    assert nothing.turn(district="docks").legal("work") == ["pass", "build"]
    town = Town(rules=strict, iron=1, food=1, gold=1).turn(district="market", work="sell_sushi", times=1)
    assert town.legal("work") == ["pass", "build", "sell_sushi"]
    assert town.legal("times") == []  # one food, one resident: at least one is sold, and no more than one
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
    town = Town(rules=rules, gold=2).turn(
        district="foundry", work="smelt_iron", overtime=["build", "stop"], row="second"
    )
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


# Tentacle Attacks


@pytest.mark.parametrize("die", [[1, 2, 2, 1, 0], [1, 1, 2, 1, 1], [1, 2, 1, 1, 1], [1, 1, 3, 1, 0], [1, 1, 2, 2, 0]])
def test_faces_of_the_die(die: list[int]) -> None:
    """Each face as often as it is on the die; within five standard errors of 3000 rolls."""
    n, trace = 3000, Trace()
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
    shots = [event["hit"] for events in trace.games.values() for event in events if event["event"] == "shot"]
    assert len(shots) >= 4 * n
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
    from simkit.batch import play

    rules = GAME.rules(**GAME.components.values_with({"max_rounds": 2, "die": [0, 0, 0, 0, 1], "hit": 0}))
    results = play(GAME, rules, [Random()] * 3, 1, 0, 5)
    assert set(results.games["n_turns"].tolist()) == {6}
    assert {GAME.all_end_causes[cause] for cause in results.games["end_cause"]} == {"unfinished"}
    assert not results.seats["win"].any()
    assert results.seats["from_majority"].sum() > 0
