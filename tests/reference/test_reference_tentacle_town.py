"""The Tentacle Town reference against traces written by hand, games it tells itself, and spoilt traces."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest

from .tentacle_town import CASES, Mismatch, Reference, replay
from .tentacle_town_table import BOARD_TASKS, CARDS, GOODS, rows_in_use
from .tentacle_town_traces import (
    ARROW,
    BOX,
    BUILD,
    BUTCHER,
    CARAVAN,
    DESTROY,
    DOCKS,
    FORGE,
    FOUNDRY,
    HUNT,
    MARKET,
    NEW,
    NOTHING,
    PASS,
    QUIET,
    SKULL,
    SMELT,
    SUSHI,
    Trace,
    end,
    option,
    told,
)


def short_game() -> Trace:
    """One resident only. Seat 0 works in the docks: butchers one food, then hunts nothing by overtime."""
    trace = Trace(rules=QUIET | {"residents": 1})
    trace.recruit(DOCKS).decide("work", [PASS, BUILD, HUNT, BUTCHER], BUTCHER)
    trace.tell("task", {"food": [1, 0], "done": [BUTCHER]}, task=1, times=1)
    trace.decide("overtime", [PASS, HUNT], HUNT).tell("hunt", {"gold": [2, 3], "done": [HUNT, BUTCHER]}, area=-1)
    trace.attack(0, 0, 0, 0)
    seats = {"gold": [2, 3], "n_overtime": [1, 0]}
    return end(trace, {"majority_lost": 1}, seats, winners=[1], ranks=[2, 1])


# A whole game


def test_a_short_game_is_followed_to_its_end() -> None:
    trace = short_game()
    reference = replay(2, trace.rules, trace.events)
    assert reference.finished
    assert reference.coverage["cause", "no-resident"] == 1
    assert reference.coverage["option", "overtime", HUNT] == 1
    assert reference.coverage["rule", "bake_pie", "{'cost': {'food': 2}, 'gain': {'fame': 2}}"] == 1
    for case in ("tie on fame decided by gold", "majority tie loses fame", "hunt without a target", "blank face"):
        assert reference.coverage["case", case] == 1


def test_the_end_may_tell_the_last_turn_that_was_begun() -> None:
    trace = short_game()
    trace.events[-1] |= {"turn": 0, "seat": 0}
    assert replay(2, trace.rules, trace.events).finished


def test_a_game_that_stops_short_or_goes_on_is_refused() -> None:
    trace = short_game()
    with pytest.raises(Mismatch, match="must go on to its end"):
        replay(2, trace.rules, trace.events[:-1])
    with pytest.raises(Mismatch, match="nothing after the end"):
        replay(2, trace.rules, [*trace.events, trace.events[-1]])
    with pytest.raises(Mismatch, match="event 'tentacle'; found 'roll'"):
        replay(2, trace.rules, trace.events[:-3] + trace.events[-2:])


@pytest.mark.parametrize(
    ("at", "change", "match"),
    [
        (1, {"seat": 1}, r"event 1 \(decision, turn 0, seat 0\): expected district of seat 0; found 1"),
        (1, {"decision": "work"}, "event 'decision district'; found 'decision work'"),
        (1, {"legal": [True, True, False]}, r"district between \[0, 1, 2\]; found \[0, 1\]"),
        (1, {"choice": 3}, r"a choice of district among \[0, 1, 2\]; found 3"),
        (2, {"turn": 1, "seat": 1}, "turn 0 of seat 0"),
        (2, {"event": "pass"}, "event 'recruit'"),
        (3, {"choice": SUSHI}, "a choice of work"),
        (4, {"times": 2}, "times 1; found 2"),
        (4, {"task": 0}, "task 1"),
        (4, {"state": {}}, "agreed form"),
        (6, {"area": 0}, "area -1"),
        (7, {"source": 1}, "source -1"),
        (8, {"dice": [1, 0, 0, 0]}, "a roll of 1 dice"),
        (9, {"cause": "unfinished"}, "cause 'no-resident'"),
        (9, {"n_turns": 2}, "n_turns 1"),
        (9, {"winners": [0, 1]}, r"winners \[1\]"),
        (9, {"ranks": [1, 1]}, r"ranks \[2, 1\]"),
        (9, {"turn": 2, "seat": 0}, "turn 1 of seat 1"),
    ],
)
def test_a_changed_field_is_refused(at: int, change: dict, match: str) -> None:
    trace = short_game()
    trace.events = trace.events[: at + 1]
    trace.events[-1] |= change
    trace.refused(match)


@pytest.mark.parametrize("column", [*NOTHING["games"], *NOTHING["seats"]])
def test_a_wrong_column_is_refused(column: str) -> None:
    trace = short_game()
    for table in ("games", "seats"):
        value = trace.events[-1][table].get(column)
        if value is not None:
            trace.events[-1][table][column] = [value[0], value[1] + 1] if table == "seats" else value + 1
    trace.refused(column)


@pytest.mark.parametrize("name", Trace().state)
def test_a_wrong_part_of_the_state_is_refused(name: str) -> None:
    trace = short_game()
    trace.events = trace.events[:3]
    trace.events[-1]["state"][name] = [9]
    trace.refused(f"state {name}")


# Setup


@pytest.mark.parametrize(("players", "rows"), [(2, [4, 3]), (3, [6, 4]), (4, [6, 4, 3])])
def test_starting_buildings_stand_in_the_outermost_row_in_use(players: int, rows: list[int]) -> None:
    assert rows_in_use(players, BOX) == rows
    Trace(players).follow()
    Trace(players).tell("setup").refused("event 'decision district'")


def test_the_cards_dealt_must_be_possible() -> None:
    def dealt(*cards: str, **rules: Any) -> Trace:
        return Trace(rules={"task_cards": 2, "cards": []} | rules, cards=cards)

    dealt("bake_pie", "hire_movers").follow()
    dealt("bake_pie", "hire_movers", card_in="bake_pie", card_out="squid_bake").follow()
    dealt("bake_pie", cards=["bake_pie"]).follow()
    dealt("bake_pie").refused("2 task cards")
    dealt("hire_movers", "bake_pie").refused("in rising order")
    dealt("bake_pie", "bake_pie").refused("different task cards")
    dealt("bake_pie", "smelt_iron").refused("different task cards")
    dealt("bake_pie", "hire_movers", card_in="squid_bake").refused("squid_bake among the cards")
    dealt("bake_pie", "hire_movers", card_out="bake_pie").refused("no bake_pie among the cards")
    dealt("hire_movers", cards=["bake_pie"]).refused(r"\['bake_pie'\]; found \['hire_movers'\]")


def test_rules_that_cannot_be_played_are_refused() -> None:
    bad: list[dict] = [{"pass_work": "never"}, {"hit": 2}, {"start_buildings": 4}, {"rows": [6]}, {"die": [1, 1, 1, 1]}]
    for change in (*bad, {"hire_movers": {"per": "buildings"}}):
        with pytest.raises(ValueError, match=r"must be given|must fit|must keep"):
            Reference(2, BOX | change)
    with pytest.raises(ValueError, match="max_rounds"):
        Reference(2, {key: value for key, value in BOX.items() if key != "max_rounds"})


# Recruit a new resident, pay overtime


def test_pete_builds_then_holds_a_shindig_and_erects_a_statue() -> None:
    """The book's example: one iron and five gold for four fame; the statue cannot be paid before the overtime."""
    shindig, statue = option("fancy_shindig"), option("erect_a_statue")
    trace = Trace(cards=("fancy_shindig", "erect_a_statue"), gold=[5, 0], iron=[1, 0])
    trace.recruit(MARKET).decide("work", [PASS, BUILD, SUSHI, shindig, statue], BUILD).decide("row", [0, 1], 1)
    trace.tell("build", {"left": [6, 7], "buildings 0 1": [1, 1], "done": [BUILD]}, row=1)
    trace.decide("overtime", [PASS, SUSHI, shindig, statue], shindig)
    trace.tell("task", {"gold": [2, 0], "fame": [2, 0], "done": [BUILD, shindig]}, task=10, times=1)
    trace.decide("overtime", [PASS, SUSHI, statue], statue)
    trace.tell("task", {"gold": [0, 0], "iron": [0, 0], "fame": [4, 0], "done": [1, shindig, statue]}, task=11, times=1)
    trace.case("overtime after building")
    trace.fork().tell("tentacle", {"tentacles": [0, 1, 0]}, source=-1).follow()
    trace.decide("overtime", [PASS, SUSHI], SUSHI).refused("event 'tentacle'; found 'decision overtime'")


def test_a_task_that_the_overtime_would_leave_unpaid_is_not_offered() -> None:
    shindig = option("fancy_shindig")
    trace = Trace(cards=("fancy_shindig",), gold=[2, 0])
    trace.recruit(DOCKS).decide("work", [PASS, BUILD, HUNT, BUTCHER, shindig], BUTCHER)
    trace.tell("task", {"food": [1, 0], "done": [BUTCHER]}, task=1, times=1)
    trace.fork().decide("overtime", [PASS, HUNT], PASS).case("overtime leaves too little for the task")
    trace.decide("overtime", [PASS, HUNT, shindig], shindig).refused(r"overtime between \[0, 2\]")


def test_sushi_pays_the_overtime_of_the_same_turn_unless_the_rules_say_no() -> None:
    trace = Trace(cards=("whittle_sticks",), gold=[0, 0], food=[2, 0], residents=[0, 1, 0], supply=19)
    sticks = option("whittle_sticks")
    trace.recruit(MARKET).decide("work", [PASS, BUILD, SUSHI, sticks], SUSHI).decide("times", [0, 1, 2], 2)
    trace.tell("task", {"food": [0, 0], "gold": [2, 0], "done": [SUSHI]}, task=2, times=2)
    trace.case("sushi sold to every resident")
    other = trace.fork()
    trace.decide("overtime", [PASS, sticks], sticks)
    trace.tell("task", {"gold": [1, 0], "harpoons": [4, 3], "done": [SUSHI, sticks]}, task=8, times=1)
    trace.case("overtime paid by earnings of the same turn")
    other.rules["overtime_from_earnings"] = False
    other.fork().decide("overtime", [PASS, sticks], sticks).refused("event 'tentacle'")
    other.attack(0, 1, 0, 0).case("overtime limited to the gold of the turn's beginning")


def test_up_to_trades_are_limited_by_goods_and_residents() -> None:
    trace = Trace(food=[1, 0], residents=[0, 1, 0], supply=19).recruit(MARKET)
    trace.decide("work", [PASS, BUILD, SUSHI], SUSHI)
    trace.fork().decide("times", [0, 1, 2], 1).refused(r"times between \[0, 1\]")
    trace.rules["trades"] = "all"
    trace.fork().tell("task", {"food": [0, 0], "gold": [4, 3], "done": [SUSHI]}, task=2, times=1).follow()
    trace.decide("times", [0, 1], 1).refused("event 'task'")


def test_only_one_task_a_resident_may_be_paid_where_the_rules_limit_overtime() -> None:
    trace = Trace(cards=("declaw_crabs", "whittle_sticks"), rules={"overtime_limit": "residents"})
    crabs, sticks = option("declaw_crabs"), option("whittle_sticks")
    trace.recruit(DOCKS).decide("work", [PASS, BUILD, HUNT, BUTCHER, crabs, sticks], BUTCHER)
    trace.tell("task", {"food": [1, 0], "done": [BUTCHER]}, task=1, times=1)
    trace.decide("overtime", [PASS, HUNT, crabs, sticks], crabs)
    trace.tell("task", {"gold": [2, 3], "food": [3, 0], "done": [BUTCHER, crabs]}, task=6, times=1)
    trace.fork().decide("overtime", [PASS, HUNT, sticks], PASS).refused("event 'tentacle'")
    trace.attack(1, 0, 0, 0).case("overtime limited by residents")


def test_passing_ends_the_work_unless_the_rules_let_overtime_follow() -> None:
    trace = Trace().recruit(DOCKS).decide("work", [PASS, BUILD, HUNT, BUTCHER], PASS).tell("pass")
    trace.fork().decide("overtime", [PASS, HUNT, BUTCHER], BUTCHER).refused("event 'tentacle'")
    trace.fork().attack(0, 1, 0, 0).case("overtime not after pass")
    trace.rules["overtime_after_pass"] = True
    trace.decide("overtime", [PASS, HUNT, BUTCHER], BUTCHER).follow()


def test_pass_only_when_stuck() -> None:
    trace = Trace(rules={"pass_work": "stuck", "zero_tasks": False}, left=[0, 7]).recruit(MARKET)
    trace.fork().tell("pass").case("pass because nothing else is legal")
    trace.fork().tell("pass").case("seat out of buildings, no build")
    trace.rules["zero_tasks"] = True
    trace.fork().tell("pass").refused("event 'task'")
    trace.tell("task", {"done": [SUSHI]}, task=2, times=0).case("task done for zero")


def test_a_building_by_overtime_only_where_the_rules_allow_it_and_only_one() -> None:
    trace = Trace(gold=[1, 0]).recruit(DOCKS).decide("work", [PASS, BUILD, HUNT, BUTCHER], BUTCHER)
    trace.tell("task", {"food": [1, 0], "done": [BUTCHER]}, task=1, times=1)
    trace.fork().decide("overtime", [PASS, BUILD, HUNT], BUILD).refused(r"overtime between \[0, 2\]")
    trace.rules["build_by_overtime"] = True
    trace.decide("overtime", [PASS, BUILD, HUNT], BUILD).decide("row", [0, 1], 0)
    changes = {"gold": [0, 0], "left": [6, 7], "buildings 0 0": [2, 0], "done": [BUILD, BUTCHER]}
    trace.tell("build", changes, row=0).case("building by overtime")


# Tasks


def test_john_builds_and_sends_a_caravan_with_his_new_building() -> None:
    trace = Trace(iron=[1, 0], food=[1, 0]).recruit(MARKET).decide("work", [PASS, BUILD, SUSHI, CARAVAN], BUILD)
    trace.decide("row", [0, 1], 0)
    trace.tell("build", {"left": [6, 7], "buildings 0 1": [2, 0], "done": [BUILD]}, row=0)
    trace.decide("overtime", [PASS, SUSHI, CARAVAN], CARAVAN)
    paid = {"gold": [1, 3], "food": [0, 0], "iron": [0, 0], "done": [BUILD, CARAVAN]}
    trace.fork().tell("task", paid | {"gold": [4, 3]}, task=3, times=2).refused(r"state gold \[1, 3\]")
    trace.tell("task", paid | {"fame": [2, 0]}, task=3, times=2).case("caravan counts the building just built")


def test_a_caravan_without_buildings_pays_for_nothing_or_is_illegal() -> None:
    buildings = [[[1, 0], [0, 0], [1, 0]], [[1, 0]] * 3]
    trace = Trace(iron=[1, 0], food=[1, 0], buildings=buildings).recruit(MARKET)
    other = trace.fork()
    trace.decide("work", [PASS, BUILD, SUSHI, CARAVAN], CARAVAN)
    changes = {"gold": [2, 3], "food": [0, 0], "iron": [0, 0], "done": [CARAVAN]}
    trace.tell("task", changes, task=3, times=0).case("caravan with zero buildings")
    other.rules["zero_tasks"] = False
    other.decide("work", [PASS, BUILD, SUSHI, CARAVAN], CARAVAN).refused(r"work between \[0, 1, 4\]")


def test_forging_makes_a_harpoon_per_resident() -> None:
    trace = Trace(iron=[2, 0], food=[1, 0], residents=[0, 0, 4], supply=16).recruit(FOUNDRY)
    trace.decide("work", [PASS, BUILD, FORGE, SMELT], FORGE)
    changes = {"iron": [0, 0], "food": [0, 0], "harpoons": [8, 3], "done": [FORGE]}
    trace.tell("task", changes, task=4, times=5).case("forge makes several harpoons")
    trace.events[-1]["state"]["harpoons"] = [7, 3]
    trace.refused(r"state harpoons \[8, 3\]")


def hunting(**rules: Any) -> Trace:
    trace = Trace(tentacles=[0, 1, 2], residents=[2, 0, 0], supply=18, rules=rules).recruit(DOCKS)
    trace.decide("work", [PASS, BUILD, HUNT, BUTCHER], HUNT)
    return trace.decide("hunt_area", [MARKET, FOUNDRY], MARKET).tell("hunt", {"done": [HUNT]}, area=MARKET)


def test_a_hunt_goes_on_until_the_area_is_empty() -> None:
    wrong = hunting()
    wrong.events[-1]["state"]["done"] = []
    wrong.refused(r"state done \[2\]")
    trace = hunting().decide("fire", [0, 1], 1).tell("shot", {"harpoons": [2, 3]}, purpose=0, hit=False, by=0)
    trace.fork().decide("fire", [0, 1], 0).decide("overtime", [PASS, BUTCHER], PASS).case("hunt stops by choice")
    hit = {"harpoons": [1, 3], "food": [1, 0], "fame": [1, 0], "tentacles": [0, 0, 2]}
    trace.decide("fire", [0, 1], 1).tell("shot", hit, purpose=0, hit=True, by=0).case("hunt empties the area")
    trace.fork().decide("overtime", [PASS, BUTCHER], PASS).case("hunt in another district's waters")
    trace.decide("fire", [0, 1], 1).refused("event 'decision overtime'; found 'decision fire'")


def test_a_hunt_ends_with_the_residents_or_the_harpoons() -> None:
    trace = hunting()
    for n_left in (2, 1, 0):
        trace.decide("fire", [0, 1], 1).tell("shot", {"harpoons": [n_left, 3]}, purpose=0, hit=False, by=0)
    trace.case("hunt reaches the number of residents")
    trace.case("hunt runs out of harpoons")
    trace.decide("fire", [0, 1], 1).refused("decision overtime")


def test_without_zero_tasks_the_first_harpoon_must_be_fired() -> None:
    trace = hunting(zero_tasks=False)
    trace.fork().decide("fire", [0, 1], 0).refused("event 'shot'; found 'decision fire'")
    trace.tell("shot", {"harpoons": [2, 3]}, purpose=0, hit=False, by=0).decide("fire", [0, 1], 0).follow()


def test_a_volley_may_be_of_more_harpoons_than_tentacles_but_kills_no_more() -> None:
    trace = hunting(hunt_firing="volley").decide("times", [0, 1, 2, 3], 2)
    hit = {"harpoons": [2, 3], "food": [1, 0], "fame": [1, 0], "tentacles": [0, 0, 2]}
    trace.tell("shot", hit, purpose=0, hit=True, by=0).tell("shot", {"harpoons": [1, 3]}, purpose=0, hit=True, by=0)
    trace.case("volley of more than there are tentacles")
    trace.case("volley hits with no tentacle left")
    trace.events[-1]["state"]["fame"] = [2, 0]
    trace.refused(r"state fame \[1, 0\]")


def test_a_shot_must_be_possible_and_told_of_the_right_seat() -> None:
    trace = hunting().decide("fire", [0, 1], 1)
    trace.fork().tell("shot", purpose=0, hit=False, by=1).refused("by 0")
    trace.fork().tell("shot", purpose=1, hit=False, by=0).refused("purpose 0")
    for chance, is_hit in ((1, False), ("0/1", True)):
        trace.rules["hit"] = chance
        trace.fork().tell("shot", purpose=0, hit=is_hit, by=0).refused("a shot possible")


def test_housing_needs_fame_gold_and_a_free_space() -> None:
    housing = option("housing_project")
    trace = Trace(cards=("housing_project",), fame=[1, 0]).recruit(DOCKS)
    trace.decide("work", [PASS, BUILD, HUNT, BUTCHER, housing], housing).decide("row", [0, 1], 1)
    changes = {"gold": [2, 3], "fame": [0, 0], "left": [6, 7], "buildings 0 0": [1, 1], "done": [housing]}
    trace.tell("task", changes, task=16, times=1, row=1).follow()
    trace.decide("overtime", [PASS, HUNT, BUTCHER, BUILD], BUTCHER).refused(r"between \[0, 2, 3\]")
    full = [[[2, 2], [1, 0], [1, 0]], [[2, 1], [1, 0], [1, 0]]]
    trace = Trace(cards=("housing_project",), fame=[1, 0], buildings=full, left=[4, 5]).recruit(DOCKS)
    trace.fork().decide("work", [PASS, HUNT, BUTCHER], BUTCHER).case("housing illegal in a full district")
    trace.decide("work", [PASS, BUILD, HUNT, BUTCHER], BUTCHER).refused(r"work between \[0, 2, 3\]")


def test_movers_take_a_building_to_a_space_free_before_the_move() -> None:
    """Places are 2 x district + row. The docks' outermost row is full; foundry's buildings are the other seat's."""
    buildings = [[[3, 0], [1, 0], [0, 0]], [[1, 0], [1, 0], [1, 0]]]
    movers = option("hire_movers")
    trace = Trace(cards=("hire_movers",), buildings=buildings, left=[6, 7]).recruit(DOCKS)
    trace.decide("work", [PASS, BUILD, HUNT, BUTCHER, movers], movers).decide("movers_from", [0, 2], 0)
    within = trace.fork().decide("movers_to", [1, 2, 3, 4, 5], 1)
    changes = {"buildings 0 0": [2, 1], "done": [movers]}
    within.tell("task", changes, task=17, times=1, source=0, target=1).case("movers within a district")
    trace.fork().decide("movers_to", [0, 1, 2, 3, 4, 5], 0).refused("movers_to between")
    trace.rules["movers_same_district"] = False
    trace.decide("movers_to", [2, 3, 4, 5], 5)
    changes = {"buildings 0 0": [2, 0], "buildings 0 2": [0, 1], "done": [movers]}
    trace.tell("task", changes, task=17, times=1, source=0, target=5).case("movers across")


def test_a_gain_takes_what_is_left_under_a_token_limit() -> None:
    trace = Trace(cards=("declaw_crabs",), food=[1, 3], rules={"token_limit": True, "tokens": 5}).recruit(MARKET)
    crabs = option("declaw_crabs")
    trace.decide("work", [PASS, BUILD, SUSHI, crabs], crabs)
    trace.fork().tell("task", {"food": [3, 3], "done": [crabs]}, task=6, times=1).refused(r"state food \[2, 3\]")
    trace.tell("task", {"food": [2, 3], "done": [crabs]}, task=6, times=1).case("token limit binds")


# Tentacle attacks, destroying and defending the town


def attacked(*roll: int, district: int = FOUNDRY, **position: Any) -> Trace:
    """Seat 0 passes in the district, with as many tentacles already there as make one die fewer."""
    rules = position.pop("rules", {})
    tentacles = [0, 0, 0]
    tentacles[district] = position.pop("n_tentacles", sum(roll) - 1)
    trace = Trace(tentacles=tentacles, rules=rules | {"zero_tasks": True}, gold=[0, 0], **position).recruit(district)
    tasks = {DOCKS: [HUNT, BUTCHER], MARKET: [SUSHI], FOUNDRY: [SMELT]}[district]
    return trace.decide("work", [PASS, BUILD, *tasks], PASS).tell("pass").attack(*roll)


def test_john_is_attacked_by_four_tentacles() -> None:
    """The book's example: the outer row has one building, so the second destroy moves inland; he saves nobody."""
    buildings = [[[1, 0], [1, 0], [0, 1]], [[1, 0], [1, 0], [1, 1]]]
    trace = attacked(1, 0, 2, 1, buildings=buildings, left=[7, 6], harpoons=[1, 0])
    trace.decide("die", [SKULL, DESTROY, NEW], DESTROY)
    changes = {"dice": [1, 0, 1, 1], "buildings 1 2": [0, 1], "left": [7, 7]}
    trace.tell("destroy", changes, owner=1, row=0, result="destroyed").case("owner without harpoons not asked")
    trace.decide("die", [SKULL, DESTROY, NEW], DESTROY).decide("victim", [0, 1], 1)
    changes = {"dice": [1, 0, 0, 1], "buildings 1 2": [0, 0], "left": [7, 8]}
    trace.tell("destroy", changes, owner=1, row=1, result="destroyed").case("second destroy moves inland")
    trace.decide("die", [SKULL, NEW], SKULL).decide("defend_resident", [0, 1], 1)
    trace.tell("shot", {"dice": [0, 0, 0, 1], "harpoons": [0, 0]}, purpose=2, hit=False, by=0)
    trace.tell("skull", {"residents": [0, 0, 0], "supply": 20}, result="killed")
    trace.tell("new", {"dice": [0, 0, 0, 0], "tentacles": [0, 0, 5]}, source=-1)
    trace.case("resident killed despite a harpoon")
    trace.turn = 1
    trace.recruit(DOCKS).follow()


def test_a_victim_must_stand_in_the_outermost_occupied_row() -> None:
    trace = attacked(0, 0, 1, 0, buildings=[[[1, 0], [1, 0], [0, 2]], [[1, 0]] * 3], left=[6, 7], harpoons=[0, 0])
    trace.decide("victim", [0, 1], 0).refused("event 'destroy'; found 'decision victim'")


def test_victims_are_counted_to_the_left() -> None:
    """Three seats; seat 1 has nothing in the foundry: own building or the second to the left, seat 2's."""
    buildings = [[[1, 0]] * 3, [[1, 0], [1, 0], [0, 0]], [[1, 0]] * 3]
    trace = Trace(3, buildings=buildings, left=[7, 8, 7], gold=[0] * 3, harpoons=[0] * 3).recruit(FOUNDRY)
    trace.decide("work", [PASS, BUILD, FORGE, SMELT], PASS).refused(r"work between \[0, 1, 7\]")
    trace.decide("work", [PASS, BUILD, SMELT], PASS).tell("pass").attack(0, 0, 1, 0)
    trace.fork().decide("victim", [0, 1], 1).refused(r"victim between \[0, 2\]")
    trace.decide("victim", [0, 2], 2)
    changes = {"dice": [0, 0, 0, 0], "buildings 2 2": [0, 0], "left": [7, 8, 8]}
    trace.tell("destroy", changes, owner=2, row=0, result="destroyed").follow()


def test_an_owner_defends_a_building_on_anothers_turn() -> None:
    buildings = [[[1, 0], [1, 0], [0, 0]], [[1, 0]] * 3]
    trace = attacked(0, 0, 1, 0, buildings=buildings, left=[8, 7])
    trace.fork().decide("defend_building", [0, 1], 1, seat=0).refused("defend_building of seat 1; found 0")
    trace.decide("defend_building", [0, 1], 1, seat=1)
    missed = trace.fork().tell("shot", {"dice": [0, 0, 0, 0], "harpoons": [3, 2]}, purpose=1, hit=False, by=1)
    missed.fork().tell("destroy", owner=1, row=0, result="saved").refused("result 'destroyed'")
    missed.tell("destroy", {"buildings 1 2": [0, 0], "left": [8, 8]}, owner=1, row=0, result="destroyed")
    missed.case("another's building missed")
    hit = {"dice": [0, 0, 0, 0], "harpoons": [3, 2], "food": [0, 1], "fame": [0, 1], "tentacles": [0, 0, 0]}
    trace.tell("shot", hit, purpose=1, hit=True, by=1).tell("destroy", owner=1, row=0, result="saved")
    trace.case("another's building saved")


def test_one_harpoon_a_result_unless_the_rules_give_more() -> None:
    trace = attacked(1, 0, 0, 0).decide("defend_resident", [0, 1], 1)
    trace.tell("shot", {"dice": [0, 0, 0, 0], "harpoons": [2, 3]}, purpose=2, hit=False, by=0)
    trace.fork().decide("defend_resident", [0, 1], 1).refused("event 'skull'")
    trace.rules["harpoons_per_result"] = 2
    trace.decide("defend_resident", [0, 1], 1)
    hit = {"harpoons": [1, 3], "food": [1, 0], "fame": [1, 0], "tentacles": [0, 0, 0]}
    trace.tell("shot", hit, purpose=2, hit=True, by=0).tell("skull", result="saved")
    trace.case("second harpoon at one result")
    trace.case("resident saved")


def test_a_destroyed_building_returns_unless_the_rules_say_no() -> None:
    buildings = [[[1, 0]] * 3, [[1, 0], [1, 0], [0, 0]]]
    trace = attacked(0, 0, 1, 0, buildings=buildings, left=[7, 8]).decide("defend_building", [0, 1], 0)
    gone = {"dice": [0, 0, 0, 0], "buildings 0 2": [0, 0]}
    trace.fork().tell("destroy", gone, owner=0, row=0, result="destroyed").refused(r"state left \[8, 8\]")
    trace.rules["destroyed_returns"] = False
    trace.tell("destroy", gone, owner=0, row=0, result="destroyed").case("destroyed building not returned")


def test_results_without_a_target_do_nothing() -> None:
    """The arrow takes the last resident away before the skull can."""
    empty = [[[1, 0], [1, 0], [0, 0]]] * 2
    trace = attacked(1, 1, 1, 0, buildings=empty, left=[8, 8]).decide("die", [SKULL, ARROW, DESTROY], ARROW)
    trace.decide("retreat", [DOCKS, MARKET], MARKET)
    trace.tell("arrow", {"dice": [1, 0, 1, 0], "residents": [0, 1, 0]}, to=MARKET)
    trace.case("arrow before a skull empties the district")
    trace.decide("die", [SKULL, DESTROY], SKULL)
    trace.fork().decide("defend_resident", [0, 1], 1).refused("event 'skull'")
    trace.tell("skull", {"dice": [0, 0, 1, 0]}, result="nothing").case("skull without resident")
    trace.tell("destroy", {"dice": [0, 0, 0, 0]}, owner=-1, result="nothing").case("destroy without building")


def test_the_order_of_the_dice_may_be_fixed() -> None:
    trace = attacked(1, 1, 0, 0, harpoons=[0, 0], rules={"dice_order": "skulls-first"})
    trace.fork().decide("die", [SKULL, ARROW], ARROW).refused("event 'skull'")
    trace.tell("skull", {"dice": [0, 1, 0, 0], "residents": [0, 0, 0], "supply": 20}, result="killed")
    trace.tell("arrow", {"dice": [0, 0, 0, 0]}, to=-1).case("arrow without resident")


def test_in_a_line_of_districts_only_neighbours_take_residents_in() -> None:
    trace = attacked(0, 1, 0, 0, rules={"adjacency": "line"})
    fled = {"dice": [0, 0, 0, 0]}
    trace.fork().tell("arrow", fled | {"residents": [1, 0, 0]}, to=DOCKS).refused("to 1; found 0")
    trace.fork().tell("arrow", fled | {"residents": [0, 1, 0]}, to=MARKET).follow()
    trace = attacked(0, 1, 0, 0, district=MARKET, rules={"adjacency": "line"})
    trace.decide("retreat", [DOCKS, FOUNDRY], DOCKS).tell("arrow", fled | {"residents": [1, 0, 0]}, to=DOCKS).follow()


def test_dice_are_rolled_for_the_tentacles_up_to_four_and_show_faces_of_the_die() -> None:
    attacked(0, 4, 0, 0, n_tentacles=5).case("more tentacles than dice")
    attacked(0, 0, 0, 5, n_tentacles=5).refused("a roll of 4 dice")
    attacked(0, 1, 0, 0, n_tentacles=1).refused("a roll of 2 dice")  # this die has no blank face
    attacked(0, 1, 0, 0, n_tentacles=1, rules={"die": [1, 2, 1, 1, 1]}).case("blank face")
    attacked(1, 0, 0, 0, rules={"die": [0, 2, 2, 1, 1]}).refused("a roll of 1 dice")
    attacked(0, -1, 2, 0, n_tentacles=0).refused("a roll of 1 dice")


def test_with_all_tentacles_on_the_board_one_is_moved_or_nothing_happens() -> None:
    trace = Trace(tentacles=[1, 1, 1], rules={"tentacles": 3}, gold=[0, 0]).recruit(FOUNDRY)
    trace.decide("work", [PASS, BUILD, SMELT], PASS).tell("pass")
    trace.fork().tell("tentacle", {"tentacles": [1, 1, 2]}, source=-1).refused("decision tentacle_from")
    trace.decide("tentacle_from", [DOCKS, MARKET], DOCKS).tell("tentacle", {"tentacles": [0, 1, 2]}, source=DOCKS)
    trace.case("tentacle moved from another area")
    trace.tell("roll", {"dice": [0, 0, 0, 2]}, dice=[0, 0, 0, 2])
    trace.tell("new", {"dice": [0, 0, 0, 1], "tentacles": [0, 0, 3]}, source=MARKET)
    trace.case("die moves a tentacle from another area")
    trace.tell("new", {"dice": [0, 0, 0, 0]}, source=-2).case("all tentacles here, so nothing")


# Ending the game, winning the game


def test_a_killed_resident_keeps_the_game_going() -> None:
    trace = Trace(rules={"residents": 1}, gold=[0, 0], harpoons=[0, 0]).recruit(FOUNDRY)
    trace.decide("work", [PASS, BUILD, SMELT], PASS).tell("pass").attack(1, 0, 0, 0)
    killed = {"dice": [0, 0, 0, 0], "residents": [0, 0, 0], "supply": 1}
    trace.tell("skull", killed, result="killed").case("killed resident keeps the game going")
    trace.turn = 1
    trace.fork().recruit(FOUNDRY).follow()
    end(trace, {}, {}, winners=[0], ranks=[1, 1]).refused("event 'decision district'")


def test_the_most_buildings_earn_the_residents_of_the_district() -> None:
    """Docks: seat 0 alone for 4; market: a tie for 5, one lost; foundry: nobody's 3."""
    buildings = [[[2, 0], [1, 0], [0, 0]], [[1, 0], [1, 0], [0, 0]]]
    trace = Trace(residents=[4, 4, 3], supply=1, buildings=buildings, left=[7, 8], rules=QUIET | {"start_fame": 1})
    trace.recruit(MARKET).decide("work", [PASS, BUILD, SUSHI], PASS).tell("pass").attack(0, 0, 0, 0)
    seats = {"fame": [7, 3], "from_majority": [6, 2], "n_buildings": [3, 2]}
    games = {"majority_lost": 1, "majority_unheld": 3}
    end(trace, games, seats, winners=[0], ranks=[1, 2])
    for case in ("majority tie loses fame", "district held by nobody"):
        trace.case(case)
    trace.events[-1]["seats"]["from_majority"] = [7, 2]
    trace.refused(r"seats from_majority \[6, 2\]")


def test_equal_fame_and_gold_share_the_win() -> None:
    trace = Trace(rules=QUIET | {"residents": 1}).quiet_turn(DOCKS, [PASS, BUILD, HUNT, BUTCHER])
    end(trace, {"majority_lost": 1}, {}, winners=[0, 1], ranks=[1, 1]).case("shared win")
    trace.events[-1]["winners"] = [0]
    trace.refused(r"winners \[0, 1\]")


def test_the_guard_ends_the_game_without_winners_but_with_the_majority_counted() -> None:
    buildings = [[[2, 0], [1, 0], [1, 0]], [[1, 0]] * 3]
    trace = Trace(rules=QUIET | {"max_rounds": 1}, buildings=buildings, left=[6, 7])
    trace.quiet_turn(DOCKS, [PASS, BUILD, HUNT, BUTCHER]).quiet_turn(FOUNDRY, [PASS, BUILD, SMELT])
    seats = {"fame": [1, 0], "from_majority": [1, 0], "n_buildings": [4, 3]}
    figures: dict[str, Any] = {"cause": "unfinished", "n_turns": 2, "ranks": [1, 2]}
    end(trace.fork(), {"majority_lost": 1}, seats, winners=[0], **figures).refused(r"winners \[\]")
    end(trace, {"majority_lost": 1}, seats, winners=[], **figures)
    assert trace.follow().coverage["cause", "unfinished"] == 1


def test_more_tokens_than_the_box_holds_are_told() -> None:
    trace = Trace(rules=QUIET | {"residents": 1, "tokens": 5}).quiet_turn(DOCKS, [PASS, BUILD, HUNT, BUTCHER])
    end(trace.fork(), {"majority_lost": 1}, {}, winners=[0, 1], ranks=[1, 1]).refused("games over_tokens True")
    end(trace, {"majority_lost": 1, "over_tokens": True}, {}, winners=[0, 1], ranks=[1, 1]).follow()


# Games that the reference tells itself: every case can be reached, and spoilt games are refused


def test_told_games_keep_the_identities_and_reach_every_case() -> None:
    coverage: Counter = Counter()
    for seed in range(150):
        players, rules, events = told(seed)
        coverage += replay(players, rules, events).coverage
        games, seats, last = events[-1]["games"], events[-1]["seats"], events[-1]
        if last["cause"] == "no-resident":
            assert last["n_turns"] == rules["residents"] + games["n_killed"]
            awarded = sum(seats["from_majority"]) + games["majority_lost"] + games["majority_unheld"]
            assert awarded == rules["residents"]
        assert last["state"]["fame"] == [a - b for a, b in zip(seats["fame"], seats["from_majority"], strict=True)]
    wanted: set = {("case", case) for case in CASES} | {("cause", cause) for cause in ("no-resident", "unfinished")}
    kinds = (
        "setup",
        "recruit",
        "pass",
        "build",
        "task",
        "hunt",
        "shot",
        "tentacle",
        "roll",
        "skull",
        "arrow",
        "destroy",
    )
    wanted |= {("event", kind) for kind in (*kinds, "new", "end")}
    n_options = {
        "district": 3, "work": 20, "row": 3, "times": 2, "hunt_area": 3, "fire": 2, "die": 4, "victim": 4,
        "retreat": 3, "defend_building": 2, "defend_resident": 2, "tentacle_from": 3, "movers_from": 6, "movers_to": 9,
    }  # fmt: skip
    wanted |= {("option", what, i) for what, n in n_options.items() for i in range(n)}
    wanted |= {("option", "overtime", i) for i in (0, 1, *range(2, 2 + len(BOARD_TASKS) + len(CARDS)))}
    assert wanted - set(coverage) == set()


def test_spoilt_games_are_refused() -> None:
    for seed in range(40):
        players, rules, events = told(seed)
        rng = random.Random(seed)
        at = rng.randrange(len(events))
        traces = {"lack": events[:at] + events[at + 1 :], "repetition": events[: at + 1] + events[at:]}
        for name, places in {
            "state": [i for i, e in enumerate(events) if "state" in e],
            "legal": [i for i, e in enumerate(events) if "legal" in e],
            "seat": range(len(events)),
        }.items():
            at = rng.choice(places)
            traces[name] = copy.deepcopy(events)
            event = traces[name][at]
            if name == "state":
                part = event["state"][rng.choice(("residents", "tentacles", "left", *GOODS, "dice"))]
                part[rng.randrange(len(part))] += 1
            elif name == "legal":
                i = rng.randrange(20)
                event["legal"][i] = not event["legal"][i]
            else:
                event["seat"] = (event["seat"] + 1) % players
        for name, trace in traces.items():
            try:
                replay(players, rules, trace)
            except Mismatch:
                continue
            pytest.fail(f"seed {seed}: a trace with a wrong {name} was accepted")
