"""Witness 1: the rulebook's sentences and examples on tasks, each as a position worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tentacle_town_position import DISTRICTS, GOODS, Town


def changes(town: Town) -> dict[str, int]:
    """What whoever was to play has gained and paid in the turn."""
    return {good: town.change(good) for good in GOODS if town.change(good)}


# Task Cards


@pytest.mark.parametrize("district", DISTRICTS)
def test_cards_are_done_from_anywhere(district: str) -> None:
    """A card's task can be done in every district, a task on the board in its own only."""
    town = Town(cards=["declaw_crabs"]).turn(district=district, work="declaw_crabs")
    assert changes(town) == {"food": 2}


def test_cards_not_in_play_cannot_be_done() -> None:
    """Only the cards that were dealt."""
    town = Town(gold=9, cards=["declaw_crabs", "plant_flowers"]).turn(district="docks")
    assert town.legal("work") == ["pass", "build", "hunt_tentacles", "butcher_catch", "declaw_crabs", "plant_flowers"]


def test_cards_count_the_buildings_where_one_works() -> None:
    """Plant Flowers counts buildings in the district of the new resident, not those elsewhere."""
    town = Town(buildings=[{"docks": 3, "market": 1}], gold=9, cards=["plant_flowers"])
    town.turn(district="market", work="plant_flowers", times=1)
    assert town.legal("times") == [0, 1]


def test_the_same_card_once_a_turn() -> None:
    """Like all tasks, those on cards are done once a turn, by work or overtime."""
    town = Town(gold=9, cards=["fancy_shindig", "declaw_crabs"])
    town.turn(district="docks", work="fancy_shindig", overtime="declaw_crabs")
    assert "fancy_shindig" not in town.legal("overtime")
    assert "fancy_shindig" not in town.legal("overtime", 1)


# Tasks


def test_sally_plants_flowers() -> None:
    """Example: with three buildings, three gold become three fame."""
    town = Town(buildings=[{"market": 3}], gold=5, cards=["plant_flowers"])
    town.turn(district="market", work="plant_flowers", times=3)
    assert town.legal("times") == [0, 1, 2, 3]
    assert changes(town) == {"gold": -3, "fame": 3}


def test_a_trade_needs_what_it_costs() -> None:
    """One cannot trade what one has not: one gold, one flower."""
    town = Town(buildings=[{"market": 3}], gold=1, cards=["plant_flowers"])
    assert town.turn(district="market", work="plant_flowers", times=1).legal("times") == [0, 1]


def test_research_steel_is_traded_once() -> None:
    """A trade task without buildings or residents is one trade: an iron for a fame."""
    town = Town(iron=5, cards=["research_steel"]).turn(district="market", work="research_steel")
    assert changes(town) == {"iron": -1, "fame": 1}


# Market


def test_four_residents_sell_up_to_four_food() -> None:
    """Example: with four residents in the market, up to four food are sold; for gold each."""
    town = Town(residents={"market": 3, "docks": 5}, food=6).turn(district="market", work="sell_sushi", times=4)
    assert town.legal("times") == [0, 1, 2, 3, 4]
    assert changes(town) == {"food": -4, "gold": 4}


def test_fewer_food_may_be_sold() -> None:
    """May, up to: two of four."""
    town = Town(residents={"market": 3}, food=6).turn(district="market", work="sell_sushi", times=2)
    assert changes(town) == {"food": -2, "gold": 2}


def test_john_builds_and_sends_a_caravan_by_overtime() -> None:
    """Example: the new building is his third in the market; the load is one of each and brings three fame."""
    town = Town(buildings=[{"market": 2}, {"market": 2}], gold=2, food=1, iron=1)
    town.turn(district="market", work="build", overtime="calamari_caravan")
    assert changes(town) == {"gold": -2, "food": -1, "iron": -1, "fame": 3}


@pytest.mark.parametrize("short", ["gold", "food", "iron"])
def test_a_caravan_needs_one_of_each(short: str) -> None:
    """An iron, a food and a gold."""
    goods = {"gold": 1, "food": 1, "iron": 1} | {short: 0}
    town = Town(buildings=[{"market": 2}], **goods).turn(district="market")
    assert "calamari_caravan" not in town.legal("work")


# Foundry


def test_five_residents_forge_five_harpoons() -> None:
    """Example: two iron and one food, paid once, make five harpoons."""
    town = Town(residents={"foundry": 4, "market": 3}, iron=2, food=1).turn(district="foundry", work="forge_harpoons")
    assert changes(town) == {"iron": -2, "food": -1, "harpoons": 5}


@pytest.mark.parametrize("goods", [{"iron": 1, "food": 1}, {"iron": 2}])
def test_forging_needs_two_iron_and_a_food(goods: dict[str, int]) -> None:
    """Less will not do."""
    assert "forge_harpoons" not in Town(**goods).turn(district="foundry").legal("work")


def test_liz_smelts_two_iron() -> None:
    """Example: two buildings, two iron."""
    town = Town(buildings=[{"foundry": 2, "docks": 3}]).turn(district="foundry", work="smelt_iron")
    assert changes(town) == {"iron": 2}


# Docks


def test_four_residents_hunt_with_up_to_four_harpoons() -> None:
    """Example: four harpoons, all hits: four food and four fame."""
    town = Town(residents={"docks": 3}, tentacles={"market": 6}, harpoons=5, hits=["hit"] * 4)
    town.turn(district="docks", work="hunt_tentacles", fire=["fire"] * 4)
    assert changes(town) == {"food": 4, "fame": 4, "harpoons": -4}
    assert town.tentacles == {"docks": 1, "market": 2}


def test_fewer_harpoons_may_be_fired() -> None:
    """May fire: one stops after two."""
    town = Town(residents={"docks": 3}, tentacles={"docks": 6}, harpoons=5, hits=["hit"] * 2)
    town.turn(district="docks", work="hunt_tentacles", fire=["fire", "fire", "stop"])
    assert changes(town) == {"food": 2, "fame": 2, "harpoons": -2}


def test_one_hunts_in_one_area_of_ones_choice() -> None:
    """Any ocean area with tentacles, and no other after that."""
    town = Town(residents={"docks": 3}, tentacles={"docks": 1, "foundry": 2}, harpoons=5, hits=["hit"] * 2)
    town.turn(district="docks", work="hunt_tentacles", hunt_area="foundry", fire=["fire"] * 2)
    assert town.legal("hunt_area") == ["docks", "foundry"]
    assert town.tentacles == {"docks": 2}  # one was there, one is new
    assert len(town.asked("fire")) == 2  # the area is empty: the hunt is over


def test_a_miss_gives_nothing_and_the_harpoon_is_gone() -> None:
    """Used harpoons are discarded, hit or miss."""
    town = Town(residents={"docks": 1}, tentacles={"docks": 2}, harpoons=2, hits=["miss", "hit"])
    town.turn(district="docks", work="hunt_tentacles", fire=["fire", "fire"])
    assert changes(town) == {"food": 1, "fame": 1, "harpoons": -2}
    assert town.tentacles == {"docks": 2}


def test_more_harpoons_than_tentacles_may_be_thrown() -> None:
    """No more tentacles are killed than there are, but three harpoons may be thrown at one."""
    town = Town(residents={"docks": 2}, tentacles={"market": 1}, harpoons=3, hits=["miss", "miss", "hit"])
    town.turn(district="docks", work="hunt_tentacles", fire=["fire"] * 3)
    assert changes(town) == {"food": 1, "fame": 1, "harpoons": -3}
    assert town.tentacles == {"docks": 1}


def test_a_hunt_is_no_longer_than_the_harpoons_last() -> None:
    """Four residents, one harpoon: one shot."""
    town = Town(residents={"docks": 3}, tentacles={"docks": 6}, harpoons=1, hits=["hit"])
    town.turn(district="docks", work="hunt_tentacles", fire="fire")
    assert len(town.told("shot")) == 1


def test_residents_elsewhere_do_not_hunt() -> None:
    """As many harpoons as residents in the docks."""
    town = Town(residents={"market": 7}, tentacles={"docks": 6}, harpoons=5, hits=["hit"])
    town.turn(district="docks", work="hunt_tentacles", fire="fire")
    assert len(town.told("shot")) == 1


def test_sally_butchers_four_food() -> None:
    """Example: four buildings in the docks, four food."""
    town = Town(3, buildings=[{"docks": 4, "market": 1}]).turn(district="docks", work="butcher_catch")
    assert changes(town) == {"food": 4}


# Tasks in Detail


@pytest.mark.parametrize(
    ("card", "gain"),
    [("declaw_crabs", {"food": 2}), ("recycle_anchors", {"iron": 2}), ("whittle_sticks", {"harpoons": 1})],
)
def test_simple_tasks(card: str, gain: dict[str, int]) -> None:
    """Take what is pictured; of Declaw Crabs the text says two food (the other two are inferred)."""
    assert changes(Town(cards=[card]).turn(district="market", work=card)) == gain


@pytest.mark.parametrize(
    ("card", "change"),
    [
        ("research_steel", {"iron": -1, "fame": 1}),
        ("bake_pie", {"food": -2, "fame": 2}),
        ("fancy_shindig", {"gold": -2, "fame": 2}),
        ("erect_a_statue", {"iron": -1, "gold": -1, "fame": 2}),
    ],
)
def test_basic_trade_tasks(card: str, change: dict[str, int]) -> None:
    """Four cards trade goods for fame, once; each needs what it costs."""
    cost = {good: -n for good, n in change.items() if n < 0}
    assert changes(Town(cards=[card], **cost).turn(district="docks", work=card)) == change
    for good in cost:
        town = Town(cards=[card], **(cost | {good: cost[good] - 1})).turn(district="docks")
        assert card not in town.legal("work")


def test_pete_builds_and_does_two_trade_tasks_by_overtime() -> None:
    """Example: building, Fancy Shindig, Erect a Statue: one iron and five gold for four fame."""
    town = Town(gold=5, iron=1, cards=["fancy_shindig", "erect_a_statue"])
    town.turn(district="docks", work="build", row="second", overtime=["fancy_shindig", "erect_a_statue"])
    assert changes(town) == {"iron": -1, "gold": -5, "fame": 4}
    assert sum(town.rows(0, "docks")) == 1


def test_sally_bakes_squid() -> None:
    """Example: three buildings in the market: up to three times two food for one fame."""
    town = Town(buildings=[{"market": 3}], food=7, cards=["squid_bake"])
    town.turn(district="market", work="squid_bake", times=3)
    assert town.legal("times") == [0, 1, 2, 3]
    assert changes(town) == {"food": -6, "fame": 3}


def test_five_food_bake_squid_twice() -> None:
    """Two food for each fame."""
    town = Town(buildings=[{"market": 3}], food=5, cards=["squid_bake"])
    assert town.turn(district="market", work="squid_bake", times=2).legal("times") == [0, 1, 2]


def test_sally_cans_calamari() -> None:
    """Example: with four buildings in the docks, two food and one iron become four gold."""
    town = Town(3, buildings=[{"docks": 4}], food=9, iron=9, cards=["can_calamari"])
    town.turn(district="docks", work="can_calamari")
    assert changes(town) == {"food": -2, "iron": -1, "gold": 4}


def test_housing_project_builds_for_a_gold_and_a_fame() -> None:
    """One more building, in the district where one works."""
    town = Town(gold=1, fame=1, cards=["housing_project"])
    town.turn(district="market", work="housing_project", row="second")
    assert town.legal("row") == ["outermost", "second"]
    assert changes(town) == {"gold": -1, "fame": -1}
    assert town.rows(0, "market") == (0, 1)
    assert town.state["left"][0] == 9


@pytest.mark.parametrize("goods", [{"gold": 1}, {"fame": 1}])
def test_housing_project_needs_both(goods: dict[str, int]) -> None:
    """A gold and a fame."""
    assert "housing_project" not in Town(cards=["housing_project"], **goods).turn(district="market").legal("work")


def test_housing_project_needs_a_building_and_a_space() -> None:
    """Nothing to build with, or nowhere to build."""
    rich: dict[str, Any] = {"gold": 1, "fame": 1, "cards": ["housing_project"]}
    town = Town(4, buildings=[{"docks": 6, "foundry": 4}], **rich).turn(district="market")
    assert "housing_project" not in town.legal("work")
    town = Town(2, buildings=[{"market": 4}, {"market": 3}], **rich).turn(district="market")
    assert "housing_project" not in town.legal("work")


def test_two_buildings_in_a_turn() -> None:
    """A building, and Housing Project by overtime: two gold, one fame, two buildings."""
    town = Town(gold=2, fame=1, cards=["housing_project"])
    town.turn(district="market", work="build", row=["outermost", "second"], overtime="housing_project")
    assert town.rows(0, "market") == (1, 1)
    assert changes(town) == {"gold": -2, "fame": -1}


def test_pete_butchers_and_hires_movers() -> None:
    """Example: food from the docks, then a building moves from the market to the foundry."""
    town = Town(buildings=[{"docks": 1, "market": 2}], gold=1, cards=["hire_movers"])
    town.turn(
        district="docks",
        work="butcher_catch",
        overtime="hire_movers",
        movers_from="market second",
        movers_to="foundry second",
    )
    assert changes(town) == {"food": 1, "gold": -1}
    assert [sum(town.rows(0, district)) for district in DISTRICTS] == [1, 1, 1]
    assert town.rows(0, "foundry") == (0, 1)


def test_movers_go_from_any_district_to_any() -> None:
    """From each of one's buildings, to each free space, wherever one works; the new resident may do it for nothing."""
    town = Town(buildings=[{"docks": (1, 0), "foundry": (0, 1)}, {"market": 7}], cards=["hire_movers"])
    town.turn(district="market", work="hire_movers", movers_from="docks outermost", movers_to="docks second")
    assert town.legal("movers_from") == ["docks outermost", "foundry second"]
    assert set(town.legal("movers_to")) - {"docks outermost"} == {"docks second", "foundry outermost", "foundry second"}
    assert town.rows(0, "docks") == (0, 1)


def test_movers_move_ones_own_buildings() -> None:
    """Without a building of one's own there is nothing to move."""
    town = Town(buildings=[{}, {"docks": 2}], cards=["hire_movers"]).turn(district="docks")
    assert "hire_movers" not in town.legal("work")


def test_movers_need_no_building_left() -> None:
    """With all ten on the board one can still move."""
    town = Town(4, buildings=[{"docks": 6, "foundry": 4}], cards=["hire_movers"])
    town.turn(district="market", work="hire_movers", movers_from="docks second", movers_to="market third")
    assert town.rows(0, "market") == (0, 0, 1)
    assert town.state["left"][0] == 0


def test_a_building_moved_here_counts_at_once() -> None:
    """Movers first, then overtime: two buildings smelt two iron; moved away, none does."""
    town = Town(buildings=[{"docks": 1, "foundry": (1, 0)}], gold=1, cards=["hire_movers"])
    town.turn(
        district="foundry",
        work="hire_movers",
        movers_from="docks second",
        movers_to="foundry second",
        overtime="smelt_iron",
    )
    assert town.change("iron") == 2
    town = Town(buildings=[{"foundry": 1}], gold=1, cards=["hire_movers"])
    town.turn(district="foundry", work="hire_movers", movers_to="market second", overtime="smelt_iron")
    assert town.change("iron") == 0


def test_a_building_of_the_housing_project_counts_at_once() -> None:
    """A house in the market, and its third building sends the caravan."""
    town = Town(3, buildings=[{"market": 2}], gold=3, fame=1, food=1, iron=1, cards=["housing_project"])
    town.turn(district="market", work="housing_project", row="second", overtime="calamari_caravan")
    assert changes(town) == {"gold": -3, "food": -1, "iron": -1, "fame": 2}


def test_a_hunt_by_overtime() -> None:
    """Every task can be done by overtime, the hunt too."""
    town = Town(
        buildings=[{"docks": 1}], residents={"docks": 1}, tentacles={"docks": 2}, gold=1, harpoons=2, hits=["hit"]
    )
    town.turn(district="docks", work="butcher_catch", overtime="hunt_tentacles", fire=["fire", "stop"])
    assert changes(town) == {"gold": -1, "food": 2, "fame": 1, "harpoons": -1}
