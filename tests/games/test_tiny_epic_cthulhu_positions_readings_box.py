"""Witness 1: readings of Tiny Epic Cthulhu's box: tracks, pages, Great Old Ones, towns, the default and the others."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.games.tiny_epic_cthulhu import GAME
from tests.games.test_tiny_epic_cthulhu_positions_setup import set_up
from tests.games.tiny_epic_cthulhu_position import MINE, Arkamoore, card, made, mat

NEXT_DOOR = ["1 clockwise", "1 back"]
DRAW: dict[str, Any] = {"do": "draw"}
CALM: dict[str, Any] = {"do": "move", "what": "chaos", "from": "supply", "to": "discard"}

# Tracks and counts


def test_shorter_and_longer_tracks() -> None:
    """Lengths are data: Madness 2, Shamblers 2, energy 2 and 3, temperament 3, Chaos 3."""
    town = Arkamoore(bag="f", madness={0: "ff"}, rules={"madness_track": 2}).wheel()
    assert (town.mat, town.madness[0]) == ("fff", "")
    town = Arkamoore(shamblers={2: "ff"}, rules={"shambler_track": 2}).wheel(0)
    assert town.shamblers[2] == ""
    longer = {"rules": {"energy_track": [2, 3]}, "energy": 2, "bag": "e", "front": [1, 1], "back": [1, 1]}
    assert Arkamoore(**longer).wheel().strength == 1
    assert Arkamoore(**longer, phase=2).wheel().energy == 3
    assert Arkamoore(**longer | {"rules": {"energy_track": [3, 3]}}).wheel().energy == 3
    town = Arkamoore(shamblers={1: "f"}, bag="f", temper="ff", rules={"temperament_track": 3})
    assert town.actions(action="1 clockwise").temper[0] == "fff"
    assert Arkamoore(bag="c", chaos=2, rules={"chaos_track": 3}).wheel().chaos[0] == 3


@pytest.mark.parametrize(
    ("rules", "start", "first", "lost_at"),
    [({}, 0, 1, 4), ({"delirium": 3}, 0, 1, 3), ({"brain_at_start": True}, 1, 1, 4)],
)
def test_delirium(rules: dict[str, Any], start: int, first: int, lost_at: int) -> None:
    """The first accursed places the token; if it lies there from the start, the first leaves it there."""
    position: dict[str, Any] = {"temper": "ff", "shamblers": {1: "g"}, "bag": "f", "rules": rules}
    assert Arkamoore(**position, brain=start).actions(action="1 clockwise").brain[0] == first
    last: dict[str, Any] = position | {"brain": lost_at - 1, "delirious": [True, False]}
    assert Arkamoore(**last).actions(action="1 clockwise").over == "delirium"
    before: dict[str, Any] = position | {"brain": lost_at - 2, "delirious": [True, False]}
    assert Arkamoore(**before).actions(action="1 clockwise").over is None


def test_the_second_accursed_track_moves_a_brain_that_lay_there() -> None:
    """On the bottom space from the start: the first leaves it, the second moves it, in one action or in two turns."""
    position: dict[str, Any] = {"brain": 1, "temper": "ffgg", "rules": {"brain_at_start": True}}
    town = Arkamoore(**position, shamblers={1: "fr"}, bag="fg").actions(action="1 clockwise", draws="fg")
    assert [event["state"]["brain"][0] for event in town.told("delirium")] == [1, 2]
    town = Arkamoore(**position, shamblers={1: "r"}, bag="fg").actions(action="1 clockwise", draws="f")
    town.actions(action=["1 back", "1 clockwise"], draws="g")
    assert town.brain[0] == 2


def test_a_brain_on_the_bottom_space_from_the_start_rerolls() -> None:
    """It lies on a space that allows one die."""
    (state,) = set_up(brain_at_start=True)
    assert state["brain"] == [1, 1]
    town = Arkamoore(brain=1, rules={"brain_at_start": True}, shamblers={0: "f"})
    assert town.actions(action=["banish", "stop"], dice=[1], reroll_banish="keep").asked("reroll_banish") == 1


@pytest.mark.parametrize("per_line", [0, 1, 2])
def test_chaos_of_a_line(per_line: int) -> None:
    """So many for each line; the rest of the Chaos is the supply."""
    more = {"chaos_per_line": per_line, "chaos": 30}
    assert set_up(**more)[0]["chaos_supply"] == 30 - 10 * per_line
    town = Arkamoore(pages={0: "1 ff r"}, rows=[4, 1, 1, 1, 1], temper="ff", rules=more)
    assert town.actions(action=["translate", "stop"]).discard == "ff" + "c" * per_line
    town = Arkamoore(pages={0: "1 ff r"}, rows=[4, 5, 5, 5, 4], temper="ff", rules=more)
    assert town.actions(action=["translate", "stop"]).told("translate")[0]["lines"] == 1


def test_other_numbers_of_actions() -> None:
    """Actions a turn."""
    town = Arkamoore(rules={"actions": 5}).actions(action=["1 clockwise", "1 back"] * 2 + ["1 clockwise"])
    assert town.asked("action") == 5


def test_a_turn_does_not_go_on_for_ever() -> None:
    """A guard: cards that give back the Chaos that pays for them end after so many actions and abilities."""
    gain = {"do": "move", "what": "chaos", "from": "supply", "to": "you"}
    town = Arkamoore(chaos=2, effects=[gain], rules={"actions": 1, "max_actions": 10})
    town.actions(action="1 clockwise", chaos_action=["town action"] * 9)
    assert town.course == ["move", *["town", "moved"] * 9, "stop"]
    assert (town.chaos[0], town.state["left"]) == (2, 0)


# Pages


@pytest.mark.parametrize("per_card", ["1", "1-2", "2"])
@pytest.mark.parametrize("place", [0, 1])
def test_pages_per_card(per_card: str, place: int) -> None:
    """One number; also the next on cards of odd place; on all. After 5 comes 1."""
    cards = [card("5 ff r", 2)] * 30
    town = Arkamoore(rules={"pages": cards, "pages_per_card": per_card}, pages={0: "5 ff r", 1: "5 ff r"}, at=place)
    town.table.state.temper[0, 0, MINE] = 2
    town.actions(action=["translate", "stop"])
    two = per_card == "2" or (per_card == "1-2" and place == 1)
    assert town.rows == [int(two), 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("rows", "legal", "after"),
    [
        ([5, 4, 0, 0, 0], True, [5, 5, 0, 0, 0]),
        ([4, 5, 0, 0, 0], True, [5, 5, 0, 0, 0]),
        ([5, 5, 0, 0, 0], False, None),
    ],
)
def test_21_a_number_without_a_space(rows: list[int], legal: bool, after: list[int] | None) -> None:
    """A card of two numbers is translated if one has a free space; only that token is placed, the price is the same."""
    town = Arkamoore(pages={0: "1 ff rg"}, temper="ff", rows=rows, rules={"pages_per_card": "2"})
    town.actions(action=["translate", "stop"] if legal else "stop")
    assert ("translate" in town.legal()) is legal
    if legal:
        assert (town.rows, town.runes[0], town.discard.count("f")) == (after, "rg", 2)


@pytest.mark.parametrize("page_cost", [1, 2, 3])
def test_page_cost(page_cost: int) -> None:
    """The first so many of a card's three colors are paid."""
    costs = made({"page_cost": page_cost}).page_costs
    assert costs.sum(axis=1).tolist() == [page_cost] * 30
    colours = ["fear", "rage", "greed"]
    for page, cost in zip(GAME.components["pages"].value, costs.tolist(), strict=True):
        assert cost == [page["cost"][:page_cost].count(colour) for colour in colours]


# Great Old Ones


@pytest.mark.parametrize(("extra", "front"), [(-1, [3, 4, 5]), (0, [2, 3, 4, 5]), (1, [2, 2, 3, 4, 5])])
def test_extra_strength(extra: int, front: list[int]) -> None:
    """A space more or less at the start of both tracks."""
    rules = made({"great_old_one": "custom", "custom": mat(front=[2, 3, 4, 5], back=[4, 6]), "extra_strength": extra})
    assert list(rules.draws(0)) == front
    assert rules.last_space == (4 + extra, 2 + extra)
    position: dict[str, Any] = {"front": [1, 1, 1, 1], "bag": "e", "energy": 2, "rules": {"extra_strength": extra}}
    assert Arkamoore(**position, icon="chaos", strength=3 + extra).turn().over == "strength"
    assert Arkamoore(**position, icon="chaos", strength=2 + extra).turn(draws="e").over is None


@pytest.mark.parametrize(("powers", "times"), [("printed", 1), ("none", 0), ("twice", 2)])
def test_powers_none_and_twice(powers: str, times: int) -> None:
    """Twice: the list of effects is carried out twice, the power is told of once; none: it is not told of."""
    swing = [CALM, {"do": "move", "what": "chaos", "from": "discard", "to": "bag"}]
    town = Arkamoore(icon="fear power", powers={"fear": swing}, rules={"powers": powers}).wheel(draws="c" * times)
    assert [event["target"] for event in town.told("moved")] == ["discard", "bag"] * times
    assert len(town.told("power")) == bool(times)
    town = Arkamoore(powers={"fear": [CALM]}, bag="f", madness={0: "fff"}, rules={"powers": powers}).wheel()
    assert (town.discard, town.mat) == ("c" * times, "ffff")


# Towns and characters


def test_town_actions_and_abilities_can_be_left_out() -> None:
    """No town actions; no abilities, nor what characters always have."""
    who: dict[str, Any] = {"who": {"effects": [CALM], "passive": {"steps": 1}}, "effects": [CALM]}
    assert Arkamoore(**who, rules={"town_actions": "none"}).actions().legal() == [
        *("1 clockwise", "2 clockwise", "1 back", "ability", "stop"),
    ]
    assert Arkamoore(**who, rules={"abilities": "none"}).actions().legal() == [*NEXT_DOOR, "town action", "stop"]


def test_22_towns_and_characters_can_be_fixed() -> None:
    """By name, in the order of places and of seats; or changed a little, all other luck being the same."""
    names = made({}).side_names
    towns = ["market", "museum", "chapel", "harbour", "police station"]
    assert [names[up] for up in set_up(towns=towns)[0]["sides"]] == towns
    assert set_up(3, table_characters=["medium", "priest", "sailor", "scientist"])[0]["characters"] == [5, 1, 4]
    for dealt, changed in zip(set_up(n=30), set_up(n=30, town_up="harbour"), strict=True):
        assert changed["sides"] == [names.index("harbour") if up // 2 == 2 else up for up in dealt["sides"]]
        assert (changed["goo"], changed["at"], changed["pages"]) == (dealt["goo"], dealt["at"], dealt["pages"])
    for dealt, first, last in zip(
        set_up(4, n=30), set_up(4, n=30, character_in="priest"), set_up(4, n=30, character_out="priest"), strict=True
    ):
        others = [who for who in dealt["characters"] if who != 1]
        assert first["characters"] == [1, *others][:4]
        assert last["characters"][: len(others)] == others
        assert 1 not in last["characters"]
        assert first["sides"] == last["sides"] == dealt["sides"]
