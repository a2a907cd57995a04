"""Witness 1: the rulebook's sentences and examples on attacks and defence, each as a position worked out by hand."""

from __future__ import annotations

import pytest

from tests.games.tentacle_town_position import DISTRICTS, Town

# Tentacle Attacks!


@pytest.mark.parametrize("district", DISTRICTS)
def test_a_tentacle_appears_where_the_resident_was_placed(district: str) -> None:
    """At the end of every turn, next to the district where one worked; even when the resident did nothing."""
    assert Town().turn(district=district, work="pass").tentacles == {district: 1}


def test_a_die_for_each_tentacle_of_the_area() -> None:
    """The new one counts, those elsewhere do not."""
    town = Town(tentacles={"docks": 2, "market": 5}, roll=["arrow"] * 3).turn(district="docks")
    assert town.n_dice == 3


def test_sally_builds_works_overtime_and_rolls_two_dice() -> None:
    """Example: one tentacle lies next to the docks; with the new one there are two, and two dice."""
    town = Town(tentacles={"docks": 1}, gold=1, roll=["arrow", "destroy"])
    town.turn(district="docks", work="build", row="second", overtime="butcher_catch")
    assert town.change("food") == 1
    assert town.n_dice == 2


def test_tentacles_hunted_before_do_not_attack() -> None:
    """The attack comes last: whoever clears the waters faces the new tentacle alone."""
    town = Town(residents={"docks": 1}, tentacles={"docks": 2}, harpoons=2, hits=["hit"] * 2, roll=["arrow"])
    town.turn(district="docks", work="hunt_tentacles", fire=["fire"] * 2)
    assert town.n_dice == 1


def test_a_skull_kills_a_resident() -> None:
    """One resident for each skull, back to the supply."""
    town = Town(residents={"docks": 3, "market": 2}, tentacles={"docks": 1}, roll=["skull"] * 2).turn(district="docks")
    assert town.residents == {"docks": 2, "market": 2}
    assert town.state["supply"] == 16
    assert town.tentacles == {"docks": 2}


def test_an_arrow_moves_a_resident() -> None:
    """One resident for each arrow, from the district under attack to adjacent ones."""
    town = Town(residents={"docks": 3}, tentacles={"docks": 1}, roll=["arrow"] * 2)
    town.turn(district="docks", retreat=["market", "foundry"])
    assert town.legal("retreat") == ["market", "foundry"]
    assert town.residents == {"docks": 2, "market": 1, "foundry": 1}
    assert town.state["supply"] == 16


def test_a_destroy_removes_a_building() -> None:
    """One building for each."""
    town = Town(buildings=[{"docks": 3, "market": 2}], tentacles={"docks": 1}, roll=["destroy"] * 2)
    town.turn(district="docks")
    assert sum(town.rows(0, "docks")) == 1
    assert sum(town.rows(0, "market")) == 2


def test_a_new_tentacle_is_placed_and_rolls_no_die() -> None:
    """It comes to the area of the attack, and no die is rolled for it."""
    town = Town(tentacles={"docks": 1}, roll=["new"] * 2).turn(district="docks")
    assert town.tentacles == {"docks": 4}
    assert [sum(event["dice"]) for event in town.told("roll")] == [2]


def test_results_are_applied_in_any_order() -> None:
    """The lone resident retreats before the skull, which then finds nobody; or is killed first."""
    laid_out = {"tentacles": {"docks": 1}, "roll": ["skull", "arrow"]}
    town = Town(**laid_out).turn(district="docks", die="arrow", retreat="market")  # type: ignore[arg-type]
    assert town.legal("die") == ["skull", "arrow"]
    assert town.residents == {"market": 1}
    town = Town(**laid_out).turn(district="docks", die="skull")  # type: ignore[arg-type]
    assert town.residents == {}
    assert town.state["supply"] == 20


def test_all_four_results_may_come_first() -> None:
    """Whoever's turn it is chooses among all that are left."""
    town = Town(tentacles={"docks": 3}, roll=["skull", "arrow", "destroy", "new"])
    town.turn(district="docks", die=["new", "destroy", "arrow"])
    assert town.legal("die") == ["skull", "arrow", "destroy", "new"]
    assert town.legal("die", 1) == ["skull", "arrow", "destroy"]
    assert town.legal("die", 2) == ["skull", "arrow"]


@pytest.mark.parametrize("result", ["skull", "arrow"])
def test_without_residents_nobody_is_killed_or_flees(result: str) -> None:
    """The second result finds no resident."""
    town = Town(residents={"market": 4}, tentacles={"docks": 1}, roll=[result] * 2).turn(district="docks")
    assert town.residents.get("docks", 0) == 0
    assert sum(town.residents.values()) + town.state["supply"] == 20


def test_without_buildings_nothing_is_destroyed() -> None:
    """Buildings elsewhere are safe."""
    town = Town(buildings=[{"market": 2}, {"foundry": 1}], roll=["destroy"]).turn(district="docks")
    assert town.state["left"] == [8, 9]


# TENTACLES! They're Everywhere!


@pytest.mark.parametrize(("source", "left"), [("docks", (3, 6)), ("market", (4, 5))])
def test_pete_moves_a_tentacle_when_all_are_in_play(source: str, left: tuple[int, int]) -> None:
    """Example: all ten are out; one comes to the foundry from the docks' or the market's waters."""
    town = Town(tentacles={"docks": 4, "market": 6}).turn(district="foundry", tentacle_from=source)
    assert town.legal("tentacle_from") == ["docks", "market"]
    assert town.tentacles == {"docks": left[0], "market": left[1], "foundry": 1}


def test_a_tentacle_is_moved_from_another_area() -> None:
    """Those next to the foundry already stay: of its three none is moved."""
    town = Town(tentacles={"docks": 4, "market": 3, "foundry": 3}).turn(district="foundry", tentacle_from="market")
    assert town.legal("tentacle_from") == ["docks", "market"]
    assert town.tentacles == {"docks": 4, "market": 2, "foundry": 4}


def test_the_new_tentacle_of_a_die_is_moved_too() -> None:
    """Nine in play: the tenth is the turn's, the die's comes from elsewhere."""
    town = Town(tentacles={"docks": 9}, roll=["new"]).turn(district="foundry")
    assert town.tentacles == {"docks": 8, "foundry": 2}


def test_all_tentacles_in_the_area_already() -> None:
    """None is left to move: ten stay ten, four dice are rolled."""
    town = Town(tentacles={"foundry": 10}, roll=["new"] * 4).turn(district="foundry")
    assert town.tentacles == {"foundry": 10}
    assert town.n_dice == 4
    assert [event["source"] for event in (*town.told("tentacle"), *town.told("new"))] == [-2] * 5


def test_a_tentacle_killed_may_come_again() -> None:
    """All ten are out; one is hunted down, and comes back at the end of the turn: none has to be moved."""
    town = Town(tentacles={"docks": 4, "market": 6}, harpoons=1, hits=["hit"])
    town.turn(district="docks", work="hunt_tentacles", hunt_area="market", fire="fire")
    assert town.tentacles == {"docks": 5, "market": 5}
    assert town.told("tentacle")[0]["source"] == -1


# Destroying Tentacle Town


def test_buildings_closest_to_the_water_go_first() -> None:
    """The row closest to the water that has buildings, here the second; whoever built there."""
    town = Town(4, buildings=[{"docks": (0, 1, 1)}, {"docks": (0, 1)}, {"docks": (0, 0, 2)}], roll=["destroy"])
    town.turn(district="docks", victim="left")
    assert town.legal("victim") == ["own", "left"]
    assert town.rows(0, "docks") == (0, 1, 1)
    assert town.rows(1, "docks") == (0, 0, 0)
    assert town.rows(2, "docks") == (0, 0, 2)


def test_one_chooses_the_building_of_that_row() -> None:
    """Any of them, one's own included."""
    town = Town(3, buildings=[{"docks": (1,)}, {"docks": (1,)}, {"docks": (2,)}], roll=["destroy"])
    town.turn(district="docks", victim="own")
    assert town.legal("victim") == ["own", "left", "second left"]
    assert town.rows(0, "docks") == (0, 0)


def test_the_neighbours_are_counted_from_whose_turn_it_is() -> None:
    """Seat 2 of three plays: its left neighbour is seat 0."""
    town = Town(3, buildings=[{"docks": (1,)}, {"docks": (1,)}], whose=2, roll=["destroy"])
    town.turn(district="docks", victim="left")
    assert town.legal("victim") == ["left", "second left"]
    assert town.rows(0, "docks") == (0, 0)
    assert town.rows(1, "docks") == (1, 0)


def test_a_destroyed_building_can_be_built_again() -> None:
    """It goes back to its owner."""
    town = Town(buildings=[{"docks": 1}], roll=["destroy"]).turn(district="docks")
    assert town.state["left"][0] == 10


def test_the_space_of_a_destroyed_building_is_free() -> None:
    """The last of a full district's buildings falls, and the next player builds there."""
    town = Town(buildings=[{"docks": 4}, {"docks": 3}], roll=["destroy"]).turn(district="docks", work="butcher_catch")
    assert "build" not in town.legal("work")
    town.turn(district="docks", work="build")
    assert town.told("build")


# Defending Tentacle Town


@pytest.mark.parametrize("owner", [0, 1])
def test_a_building_is_defended_by_its_owner_in_anyones_turn(owner: int) -> None:
    """A hit takes one fame and one food, removes a tentacle of the area and saves the building."""
    buildings: list[dict] = [{}, {}]
    buildings[owner] = {"docks": 1}
    town = Town(buildings=buildings, harpoons=(2, 2), tentacles={"market": 3}, roll=["destroy"], hits=["hit"])
    town.turn(district="docks", defend_building="fire")
    assert town.asked("defend_building") == [owner]
    assert [town.change(good, owner) for good in ("fame", "food", "harpoons")] == [1, 1, -1]
    assert [town.change(good, 1 - owner) for good in ("fame", "food", "harpoons")] == [0, 0, 0]
    assert sum(town.rows(owner, "docks")) == 1
    assert town.tentacles == {"market": 3}


def test_a_miss_loses_harpoon_and_building() -> None:
    """The result of the die stands; there is no second shot."""
    town = Town(buildings=[{}, {"docks": 1}], harpoons=(0, 3), roll=["destroy"], hits=["miss"])
    town.turn(district="docks", defend_building="fire")
    assert town.asked("defend_building") == [1]
    assert [town.change(good, 1) for good in ("fame", "food", "harpoons")] == [0, 0, -1]
    assert sum(town.rows(1, "docks")) == 0
    assert town.tentacles == {"docks": 1}


def test_nobody_has_to_defend() -> None:
    """You may fire."""
    town = Town(buildings=[{}, {"docks": 1}], harpoons=(0, 3), roll=["destroy"], hits=[])
    town.turn(district="docks", defend_building="let go")
    assert town.state["harpoons"] == [0, 3]
    assert sum(town.rows(1, "docks")) == 0


def test_one_needs_a_harpoon() -> None:
    """Others' harpoons do not help."""
    town = Town(buildings=[{}, {"docks": 1}], harpoons=(3, 0), roll=["destroy"]).turn(district="docks")
    assert not town.asked("defend_building")
    assert sum(town.rows(1, "docks")) == 0


def test_a_resident_is_defended_by_whose_turn_it_is() -> None:
    """A hit saves the resident, as it saves a building; the others cannot fire."""
    town = Town(harpoons=(1, 3), tentacles={"docks": 1, "foundry": 2}, roll=["skull", "new"], hits=["hit"])
    town.turn(district="docks", die="skull", defend_resident="fire")
    assert town.asked("defend_resident") == [0]
    assert [town.change(good) for good in ("fame", "food", "harpoons")] == [1, 1, -1]
    assert town.residents == {"docks": 1}
    assert town.tentacles == {"docks": 2, "foundry": 2}


def test_a_resident_is_not_defended_in_others_turns() -> None:
    """Only if it is your turn."""
    town = Town(harpoons=(0, 3), roll=["skull"]).turn(district="docks")
    assert not town.asked("defend_resident")
    assert town.residents == {}


def test_a_missed_defence_of_a_resident() -> None:
    """The skull stands."""
    town = Town(harpoons=2, roll=["skull"], hits=["miss"]).turn(district="docks", defend_resident="fire")
    assert town.asked("defend_resident") == [0]
    assert town.residents == {}
    assert town.state["harpoons"][0] == 1


@pytest.mark.parametrize("result", ["arrow", "new"])
def test_flight_and_new_tentacles_cannot_be_repelled(result: str) -> None:
    """Harpoons save buildings that would be destroyed and residents who would be killed."""
    town = Town(buildings=[{"docks": 1}], harpoons=(3, 3), roll=[result]).turn(district="docks")
    assert town.state["harpoons"] == [3, 3]
    assert not town.asked("defend_building") + town.asked("defend_resident")


def test_a_hit_leaves_the_other_dice_as_they_are() -> None:
    """A removed tentacle's die is not taken back: the second skull kills."""
    town = Town(residents={"docks": 2}, tentacles={"docks": 1}, harpoons=1, roll=["skull"] * 2, hits=["hit"])
    town.turn(district="docks", defend_resident="fire")
    assert town.residents == {"docks": 2}
    assert town.tentacles == {"docks": 1}


def test_each_result_has_a_defence_of_its_own() -> None:
    """Two destroys, two harpoons, two hits: both tentacles go, all buildings stand."""
    town = Town(buildings=[{"docks": 2}], tentacles={"docks": 1}, harpoons=2, roll=["destroy"] * 2, hits=["hit"] * 2)
    town.turn(district="docks", defend_building=["fire", "fire"])
    assert sum(town.rows(0, "docks")) == 2
    assert town.tentacles == {}
    assert (town.change("fame"), town.change("food")) == (2, 2)


def test_a_repelled_attack_falls_on_no_other_building() -> None:
    """Saved is saved: the other owner's building in the row stands too."""
    town = Town(buildings=[{"docks": (1,)}, {"docks": (1,)}], harpoons=(0, 1), roll=["destroy"], hits=["hit"])
    town.turn(district="docks", victim="left", defend_building="fire")
    assert town.rows(0, "docks") == town.rows(1, "docks") == (1, 0)


# Tentacle Attack Example


def john(*hits: str, supply: int | None = None) -> Town:
    """John in the foundry: the fourth tentacle comes, and the dice show a new one, a skull and two destroys.

    One building stands in the outer row (seat 1's), three in the next (John's, seat 1's, seat 2's), one in the last.
    """
    return Town(
        4,
        buildings=[{"foundry": (0, 1)}, {"foundry": (1, 1)}, {"foundry": (0, 1)}, {"foundry": (0, 0, 1)}],
        residents={"foundry": 2},
        tentacles={"foundry": 3},
        harpoons=2,
        roll=["new", "skull", "destroy", "destroy"],
        hits=hits,
        supply=supply,
    )


def test_attack_example() -> None:
    """Four tentacles, four dice: one tentacle more, one resident killed, two buildings destroyed, none defended."""
    town = john()
    town.turn(district="foundry", die=["new", "skull"], victim="second left")
    assert town.n_dice == 4
    assert town.tentacles == {"foundry": 5}
    assert town.residents == {"foundry": 2}
    assert sum(sum(town.rows(seat, "foundry")) for seat in range(4)) == 3


def test_attack_example_continued() -> None:
    """The only building of the outer row has to go, any of the next row may be chosen; a hit saves the resident."""
    town = john("hit").turn(
        district="foundry", die=["destroy", "destroy", "skull"], victim="second left", defend_resident="fire"
    )
    assert town.legal("victim") == ["own", "left", "second left"]  # asked once: the first had no choice
    assert len(town.asked("victim")) == 1
    assert town.rows(1, "foundry") == (0, 1, 0)
    assert town.rows(2, "foundry") == (0, 0, 0)
    assert town.residents == {"foundry": 3}
    assert (town.change("fame"), town.change("food"), town.change("harpoons")) == (1, 1, -1)
    assert town.tentacles == {"foundry": 4}  # four, less the one hit, and the new one


def test_attack_example_when_the_harpoon_misses() -> None:
    """The resident goes back to the supply."""
    town = john("miss")
    town.turn(district="foundry", die=["skull", "new"], defend_resident="fire")
    assert town.residents == {"foundry": 2}
    assert town.state["supply"] == 18
    assert (town.change("fame"), town.change("food"), town.change("harpoons")) == (0, 0, -1)
    assert town.tentacles == {"foundry": 5}


def test_what_is_written_of_johns_turn() -> None:
    """The rows of a game that ends with the example: what fell, what was saved, who fired and what it brought."""
    town = john("hit", supply=1)
    town.turn(district="foundry", die=["destroy", "destroy", "skull"], victim="second left", defend_resident="fire")
    town.turn()
    assert town.over == "no-resident"
    columns = ("n_turns", "n_killed", "n_fled", "n_destroyed", "n_saved")
    assert [town.result(column) for column in columns] == [1, 0, 0, 2, 1]
    assert town.result("n_lost") == [0, 1, 1, 0]
    assert town.result("n_fired") == town.result("n_hit") == town.result("from_defence") == [1, 0, 0, 0]
    assert town.result("n_buildings") == [1, 1, 0, 1]
    assert town.result("from_majority") == [1, 1, 0, 1]  # three residents, three seats with a building each
    assert town.result("fame") == [2, 1, 0, 1]
    assert town.result("win") == [60, 0, 0, 0]
