"""Tentacle Town's strategies: what they do where the right answer is plain, and that each beats random play."""

from __future__ import annotations

import doctest
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.catalog import list_strategies, load_strategy
from simkit.errors import UserError
from simkit.experiment import StrategySpec
from simkit.games.tentacle_town import GAME
from simkit.results import WIN
from simkit.strategy import Random, Strategy
from simkit.view import View
from tests.games.tentacle_town_position import Town

SCRIPTED = ("greedy", "builder", "hunter", "caravan", "gardener", "wrecker", "tycoon")
SEED = 20261130


def rules_with(**changes: Any) -> Any:
    """Tentacle Town's rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))


def made(name: str, **parameters: Any) -> Strategy:
    """A library strategy."""
    return load_strategy(StrategySpec.model_validate({"name": name, **parameters}), GAME.id, Path(__file__).parent)


class Decided:
    """Notes the options that a seat takes, by decision."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.taken: dict[str, list[str]] = {}

    def noted(self, *event: Any) -> None:
        """Nothing to do."""

    def decided(self, table: Any, view: View, choice: np.ndarray) -> None:
        """The name of the option."""
        if view.seat == self.seat and view.asked.any():
            self.taken.setdefault(view.decision, []).append(view.options[choice[0]])


def turn(strategy: Strategy, players: int = 2, seat: int = 0, **position: Any) -> dict[str, list[str]]:
    """The options that a seat takes, by decision, in a turn that a position begins with; all seats play alike."""
    town = Town(players, **position)
    town._lay_out(0)
    table: Any = town.table
    table.strategies, table.observer = (strategy,) * players, Decided(seat)
    GAME.turn(table, town.seat)
    return table.observer.taken


# ------------------------------------------------------------------------------------------------- where it is plain


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_builds_as_far_inland_as_it_can(name: str) -> None:
    taken = turn(made(name), 4, buildings=[{}, {"docks": 1}], residents={"docks": 5, "market": 5, "foundry": 5})
    assert taken["work"] == ["build"]
    assert taken["row"] == ["third row"]


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_lets_the_building_of_another_fall(name: str) -> None:
    everywhere = dict.fromkeys(("docks", "market", "foundry"), (1, 0))
    for players in (2, 3):
        taken = turn(made(name), players, buildings=[everywhere] * players, roll=["destroy"])
        assert taken["victim"] == ["left neighbour"]


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_defends_its_buildings_and_residents(name: str) -> None:
    everywhere = dict.fromkeys(("docks", "market", "foundry"), (1, 0))
    position = {"buildings": [everywhere, {}], "supply": 1, "residents": {"docks": 6, "market": 6, "foundry": 6}}
    for roll, decision in (("destroy", "defend_building"), ("skull", "defend_resident")):
        assert turn(made(name), **position, harpoons=1, roll=[roll])[decision] == ["fire"]


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_takes_fame_that_costs_nothing_in_the_last_turn(name: str) -> None:
    """Where it cannot build, in the last turn all iron, gold and food are best spent."""
    taken = turn(
        made(name),
        cards=["research_steel", "erect_a_statue", "bake_pie"],
        rules={"buildings": 1, "residents": 1},
        whose=30,
        buildings=[{"docks": 1}, {"docks": 1}],
        iron=2,
        gold=3,
        food=2,
    )
    done = {*taken["work"], *taken["overtime"]}
    assert {"research steel", "erect a statue", "bake pie"} <= done


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_does_not_pay_for_what_is_worth_less(name: str) -> None:
    """An iron is not worth a gold of overtime and two for the trade."""
    iron = {"recycle_anchors": {"cost": {"gold": 2}, "gain": {"iron": 1}}}
    taken = turn(made(name), cards=["recycle_anchors"], rules=iron, gold=3, residents={"docks": 2})
    assert "recycle anchors" not in [*taken["work"], *taken.get("overtime", [])]


HARBOUR: dict[str, Any] = {
    "buildings": [{"docks": 1, "market": 2, "foundry": 1}, {"docks": 1, "market": 1, "foundry": 1}],
    "residents": {"docks": 4, "market": 3},
    "tentacles": {"docks": 4, "foundry": 3},
    "harpoons": 5,
}


def test_hunter_hunts_where_builder_builds() -> None:
    assert turn(made("hunter"), **HARBOUR)["work"] == ["hunt tentacles"]
    assert turn(made("builder"), **HARBOUR)["work"] == ["build"]


def test_hunter_hunts_where_most_tentacles_are_and_throws_all() -> None:
    taken = turn(made("hunter"), **HARBOUR)
    assert taken["hunt_area"] == ["docks"]
    assert len(taken["fire"]) >= 4
    assert set(taken["fire"]) == {"fire"}


def test_hunter_forges_where_many_live() -> None:
    taken = turn(made("hunter"), residents={"foundry": 4, "market": 4}, iron=2, food=1)
    assert (taken["district"], taken["work"]) == (["foundry"], ["forge harpoons"])


def test_caravan_sends_one_when_it_has_what_it_takes() -> None:
    position: dict[str, Any] = {"buildings": [{"market": 3, "foundry": 1}, {"market": 1}], "gold": 2, "food": 1}
    taken = turn(made("caravan"), **position, iron=1, rules={"buildings": 4})
    assert (taken["district"], taken["work"]) == (["market"], ["calamari caravan"])


def test_caravan_gathers_what_the_next_one_lacks() -> None:
    three = {"docks": 3, "market": 3, "foundry": 3}
    for lacking, district, work in (("iron", "foundry", "smelt iron"), ("food", "docks", "butcher catch")):
        goods = {good: 0 if good == lacking else 2 for good in ("gold", "food", "iron")}
        taken = turn(made("caravan"), buildings=[three, {}], rules={"buildings": 9}, **goods)
        assert (taken["district"], taken["work"]) == ([district], [work])


def test_gardener_does_a_deed_where_greedy_builds() -> None:
    position: dict[str, Any] = {
        "cards": ["erect_a_statue", "declaw_crabs", "hire_movers"],
        "residents": {"docks": 2, "market": 1, "foundry": 1},
        "iron": 1,
        "gold": 1,
    }
    assert turn(made("gardener"), **position)["work"] == ["erect a statue"]
    assert turn(made("greedy"), **position)["work"] == ["build"]


def test_gardener_without_cards_plays_as_greedy() -> None:
    rules, prices = rules_with(task_cards=0), {"gold": 7, "food": 4, "iron": 4, "harpoons": 8, "building": 12}
    gardener, greedy = (
        play(GAME, rules, [made(name, **prices)] * 3, SEED, 0, 60).seats for name in ("gardener", "greedy")
    )
    assert all(np.array_equal(values, greedy[column]) for column, values in gardener.items())


def test_wrecker_works_where_others_stand_in_front() -> None:
    exposed = [{"docks": 1, "market": (1, 0), "foundry": 1}, {"docks": (1, 0), "market": 1, "foundry": 1}]
    position: dict[str, Any] = {"tentacles": {"docks": 3, "market": 3}, "buildings": exposed}
    assert turn(made("wrecker"), **position)["district"] == ["docks"]
    assert turn(made("wrecker"), **position | {"buildings": exposed[::-1]})["district"] == ["market"]


@pytest.mark.parametrize("name", ["builder", "tycoon", "greedy"])
def test_it_builds_where_that_wins_most_residents(name: str) -> None:
    position: dict[str, Any] = {
        "buildings": [{"docks": 1, "market": 1, "foundry": 1}, {"docks": 1, "market": 1, "foundry": 1}],
        "supply": 2,
        "whose": 20,
    }
    for most in ("docks", "market", "foundry"):
        residents = {district: 12 if district == most else 3 for district in ("docks", "market", "foundry")}
        taken = turn(made(name), **position, residents=residents)
        assert (taken["district"], taken["work"]) == ([most], ["build"])


@pytest.mark.parametrize("name", ["greedy", "builder", "tycoon"])
def test_residents_flee_to_where_it_has_more_buildings(name: str) -> None:
    """It works where the card may be done best; of the two other districts one is its own, the other a rival's."""
    card = {"declaw_crabs": {"gain": {"fame": 9}, "per": "residents"}}
    for work, own, others in (("docks", "market", "foundry"), ("market", "docks", "foundry")):
        taken = turn(
            made(name),
            buildings=[{own: 3}, {others: 3}],
            residents={work: 5, own: 1, others: 1},
            cards=["declaw_crabs"],
            rules=card,
            roll=["arrow"],
        )
        assert taken["district"] == [work]
        assert taken["retreat"] == [own]


@pytest.mark.parametrize("name", SCRIPTED)
@pytest.mark.parametrize("price", [-1, 121])
def test_prices_that_would_not_fit_are_refused(name: str, price: int) -> None:
    with pytest.raises(UserError, match="iron"):
        made(name, iron=price)


# --------------------------------------------------------------------------------------------------------- odd rules


ODD: list[dict[str, Any]] = [
    {"task_cards": 12, "start_gold": 20, "start_iron": 20, "start_food": 20, "build_by_overtime": True},
    {"task_cards": 0, "zero_tasks": False, "pass_work": "stuck", "die": [0, 0, 0, 0, 1], "residents": 6},
    {"hunt_firing": "volley", "trades": "all", "adjacency": "line", "hit": "1/7", "dice": 8, "start_harpoons": 30},
    {"rows": [12, 12, 12], "row_left_out_two_players": 0, "row_left_out_three_players": 0, "buildings": 36},
    {"hit": "0", "overtime_after_pass": True, "overtime_cost": 0, "tentacles": 2, "destroyed_returns": False},
    {
        "plant_flowers": {
            "cost": {"gold": 9},
            "gain": {"gold": 9, "food": 9, "iron": 9, "fame": 9},
            "per": "residents",
        },
        "sell_sushi": {"cost": {"food": 9, "iron": 9}, "gain": {"fame": 9, "harpoons": 9}, "up_to": "buildings"},
        "hunt_tentacles": {"gain": {"food": 9, "fame": 9, "gold": 9, "iron": 9}, "up_to": "residents"},
        "housing_project": {"cost": {"fame": 9}},
        "cards": ["plant_flowers", "housing_project", "hire_movers"],
        "max_rounds": 9,
    },
]


@pytest.mark.parametrize("name", SCRIPTED)
@pytest.mark.parametrize("changes", [*(pytest.param(odd, marks=pytest.mark.slow) for odd in ODD[:-1]), ODD[-1]])
@pytest.mark.filterwarnings("error")
def test_odd_rules_are_played_to_the_end(name: str, changes: dict[str, Any]) -> None:
    for players in (2, 4):
        results = play(GAME, rules_with(**changes), [made(name)] * players, 3, 0, 8)
        assert results.games["n_turns"].min() >= 1


@pytest.mark.parametrize("name", SCRIPTED)
def test_no_price_is_too_high_to_add_up(name: str) -> None:
    """The dearest goods and the richest tasks still rank fame above nothing: scores do not wrap around."""
    rich = {"cost": {}, "gain": {"gold": 9, "food": 9, "iron": 9, "fame": 9, "harpoons": 9}, "per": "residents"}
    dear = made(name, gold=120, food=120, iron=120, harpoons=120, building=120)
    residents = {"docks": 13, "market": 13, "foundry": 13}
    taken = turn(dear, cards=["declaw_crabs"], rules={"declaw_crabs": rich}, residents=residents, supply=1)
    assert taken["work"] == ["declaw crabs"]


# ------------------------------------------------------------------------------------------------- against random


def shares(strategy: Strategy, others: Strategy, players: int, n: int) -> np.ndarray:
    """The win share in each deal of one such strategy among others, mean of its seats; deals are independent."""
    share = np.zeros(n)
    for seat in range(players):
        line_up = [others] * players
        line_up[seat] = strategy
        share += play(GAME, rules_with(), line_up, SEED, 0, n).seats["win"][seat] / WIN / players
    return share


def lead(strategy: Strategy, others: Strategy, players: int, n: int) -> tuple[float, float]:
    """Points of win share above fair, and the 95 % half-width."""
    share = shares(strategy, others, players, n)
    return 100 * (share.mean() - 1 / players), 196 * share.std(ddof=1) / math.sqrt(n)


FEW = 100
"""Deals of the quick tests."""
SURELY = 100 * math.sqrt(math.log(1e6) / (2 * FEW))
"""By Hoeffding's bound, the mean of so many shares exceeds what is expected by less, but once in a million [points]."""


def quick_lead(strategy: Strategy) -> float:
    """Points above fair of the second of three players, the others playing at random."""
    return 100 * (
        play(GAME, rules_with(), [Random(), strategy, Random()], SEED, 0, FEW).seats["win"][1].mean() / WIN - 1 / 3
    )


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_beats_random_play_by_five_points(name: str) -> None:
    """The slow tests see to other seats and tables."""
    assert quick_lead(made(name)) - SURELY > 5


def test_random_play_does_not_beat_itself() -> None:
    """Negative control."""
    gained = quick_lead(Random())
    assert abs(gained) < SURELY
    assert gained - SURELY < 5


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", SCRIPTED)
def test_it_beats_random_play_by_five_points_at_every_table(name: str, players: int) -> None:
    gained, half_width = lead(made(name), Random(), players, 1500)
    assert gained - half_width > 5


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_tycoon_beats_greedy_by_five_points(players: int) -> None:
    gained, half_width = lead(made("tycoon"), made("greedy"), players, 4000)
    assert gained - half_width > 5


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", SCRIPTED[:-1])
def test_tycoon_is_at_the_top(name: str, players: int) -> None:
    """It gains among each of the others, and one of them loses among tycoons."""
    tycoon, other = made("tycoon"), made(name)
    for one, many, sign in ((tycoon, other, 1), (other, tycoon, -1)):
        gained, half_width = lead(one, many, players, 4000)
        assert sign * gained > half_width


def test_the_document_names_every_strategy_in_every_table() -> None:
    text = (Path(__file__).parents[2] / "docs" / "strategies-tentacle-town.md").read_text(encoding="utf-8")
    names = {s.name for s in list_strategies(GAME.id, Path(__file__).parent)} - {"mixture", "epsilon", "never"}
    assert names == {"random", *SCRIPTED}
    ladders = text.split("| one, among |")[1:]
    assert len(ladders) == 3
    for ladder in ladders:
        columns, *rows = ladder.split("\n\n")[0].splitlines()
        assert {name.strip() for name in columns.strip(" |").split("|")} == names
        assert {row.split("**")[1] for row in rows[1:]} == names


def test_examples_in_docstrings_are_true() -> None:
    package = type(made("greedy")).__module__.rpartition(".")[0]
    result = doctest.testmod(sys.modules[f"{package}.prices"])
    assert result.attempted >= 4
    assert result.failed == 0
