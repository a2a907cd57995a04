"""Witness 1: readings of Tiny Epic Cthulhu's rulebook on dice, the wheel and moves, the default and the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.games.tiny_epic_cthulhu import GAME
from tests.games.tiny_epic_cthulhu_position import Arkamoore, made

NEXT_DOOR = ["1 clockwise", "1 back"]
DRAW: dict[str, Any] = {"do": "draw"}
CALM: dict[str, Any] = {"do": "move", "what": "chaos", "from": "supply", "to": "discard"}

# 1, 2, 17: the dice


def test_1_jordan_pays_the_sum() -> None:
    """Two dice with a tentacle each: two Rage, or one and a Chaos, or two Chaos, as the example has it."""
    sums: dict[str, Any] = {"shamblers": {0: "rr"}, "rules": {"banish_cost": "sum"}}
    for temper, chaos, legal in (("rr", 0, []), ("r", 1, []), ("", 2, []), ("rr", 2, ["0", "1", "2"])):
        told = {"chaos_paid": "1"} if legal else {}
        town = Arkamoore(**sums, temper=temper, chaos=chaos)
        town.actions(action=["banish", "stop"], dice=[1, 1], banish="rage", **told)
        assert town.legal("chaos_paid") == legal
        assert (town.told("banish")[0]["paid"] + len(town.discard), town.shamblers[0]) == (2, "r")
    town = Arkamoore(**sums, temper="r").actions(action=["banish", "stop"], dice=[1, 1])
    assert town.legal("banish") == ["none"]
    town = Arkamoore(**sums, temper="rr").actions(action=["banish", "stop"], dice=[2, 1])
    assert town.legal("banish") == ["none"]


def test_2_the_target_is_chosen_after_the_roll_or_before() -> None:
    """Before: the color is said, then only that Shambler can be banished."""
    position: dict[str, Any] = {"shamblers": {0: "fg"}, "temper": "fg"}
    town = Arkamoore(**position).actions(action=["banish", "stop"], dice=[1, 1], banish="greed")
    assert (town.legal("target"), town.legal("banish")) == ([], ["fear", "greed", "none"])
    before = position | {"rules": {"banish_target": "before-roll"}}
    town = Arkamoore(**before).actions(action=["banish", "stop"], target="greed", dice=[1, 1], banish="greed")
    assert (town.legal("target"), town.legal("banish")) == (["fear", "greed"], ["greed", "none"])
    town = Arkamoore(**before | {"temper": "f"}).actions(action=["banish", "stop"], target="greed", dice=[1, 1])
    assert (town.legal("banish"), town.temper[0]) == (["none"], "f")


@pytest.mark.parametrize(("free", "cost"), [(True, 0), (False, 1)])
def test_a_roll_of_zeros(free: bool, cost: int) -> None:
    """It banishes for nothing, or for one."""
    town = Arkamoore(shamblers={0: "f"}, temper="ff", rules={"free_banish": free})
    town.actions(action=["banish", "stop"], dice=[0], banish="fear")
    assert len(town.temper[0]) == 2 - cost
    town = Arkamoore(shamblers={0: "f"}, rules={"free_banish": free})
    town.actions(action=["banish", "stop"], dice=[0], **({"banish": "fear"} if free else {}))
    assert town.legal("banish") == (["fear", "none"] if free else ["none"])


@pytest.mark.parametrize("kind", ["banish", "seal"])
def test_17_rerolls_one_after_another(kind: str) -> None:
    """Total: while rerolls are left, a die each; one may keep at any time."""
    position: dict[str, Any] = {"brain": 2, "rules": {"rerolls": "total"}}
    position |= {"shamblers": {0: "fff"}} if kind == "banish" else {"phase": 2, "goo": 0, "runes": "rrr", "temper": "r"}
    told: dict[str, Any] = {} if kind == "banish" else {"portal": "rage second"}
    town = Arkamoore(**position)
    town.actions(action=[kind, "stop"], dice=[2, 1, 0, 1, 2], **{f"reroll_{kind}": ["die 1", "die 1"]}, **told)
    assert town.legal(f"reroll_{kind}", 0) == [
        *("keep", "die 1", "die 2", "die 1 and die 2", "die 3", "die 1 and die 3", "die 2 and die 3"),
    ]
    assert town.legal(f"reroll_{kind}", 1) == ["keep", "die 1", "die 2", "die 3"]
    assert [event["dice"] for event in town.told("reroll")] == [[1, 1, 0], [2, 1, 0]]
    assert town.asked(f"reroll_{kind}") == 2


def test_17_rerolls_one_after_another_end() -> None:
    """Keeping ends them; two at once use two up."""
    position: dict[str, Any] = {"brain": 2, "rules": {"rerolls": "total"}, "shamblers": {0: "fff"}}
    town = Arkamoore(**position).actions(action=["banish", "stop"], dice=[2, 1, 0, 2], reroll_banish=["die 1", "keep"])
    assert len(town.told("reroll")) == 1
    told = {"dice": [2, 1, 0, 2, 2], "reroll_banish": "die 1 and die 2"}
    assert Arkamoore(**position).actions(action=["banish", "stop"], **told).asked("reroll_banish") == 1


def test_17_more_rerolls_than_dice() -> None:
    """Total: one die and three rerolls may be rolled three times more."""
    town = Arkamoore(brain=3, rules={"rerolls": "total"}, shamblers={0: "f"}, temper="f")
    town.actions(action=["banish", "stop"], dice=[2, 2, 2, 1], reroll_banish=["die 1"] * 3, banish="fear")
    assert town.asked("reroll_banish") == 3


def test_dice_of_other_faces() -> None:
    """The faces of a die, and the number of dice, are data."""
    for faces in ([1, 3, 2], [3, 2, 1], [1, 2, 3]):
        town = Arkamoore(shamblers={0: "fff"}, rules={"die": faces, "n_dice": 2}, temper="ff")
        town.actions(action=["banish", "stop"], dice=[0, 2], banish="none")
        assert town.told("roll")[0]["dice"] == [0, 2]
    assert Arkamoore().rules.die == (2, 2, 2)


# 5, 6: sealing, and the change of phases


@pytest.mark.parametrize(
    ("temper", "chaos", "answer", "discard", "supply"),
    [("rr", 0, None, "r", 7), ("", 2, None, "", 8), ("r", 1, "0", "r", 7), ("r", 1, "1", "", 8)],
)
def test_5_a_failed_attempt(temper: str, chaos: int, answer: str | None, discard: str, supply: int) -> None:
    """It costs nothing, or the tentacle: Madness to the Discard Mat, Chaos to the supply; the portal stays open."""
    position: dict[str, Any] = {"phase": 2, "goo": 0, "runes": "r", "temper": temper, "chaos": chaos}
    told: dict[str, Any] = {"action": ["seal", "stop"], "portal": "rage first", "dice": [2]}
    town = Arkamoore(**position).actions(**told)
    assert (town.temper[0], town.chaos[0], town.discard) == (temper, chaos, "")
    paid = {"chaos_paid": answer} if answer else {}
    town = Arkamoore(**position, rules={"failed_seal": "tentacle"}).actions(**told, **paid)
    assert (town.discard, town.chaos_supply, town.portals) == (discard, supply, "......")
    assert len(town.temper[0]) + town.chaos[0] == len(temper) + chaos - 1


@pytest.mark.parametrize(("energy_at_flip", "energy", "bag"), [("kept", 2, ""), ("bag", 0, "ee")])
def test_6_energy_when_the_mat_is_flipped(energy_at_flip: str, energy: int, bag: str) -> None:
    """Eldritch on the Energy Track stay there, or go to the bag."""
    town = Arkamoore(
        pages={0: "1 ff r"}, rows=[4, 5, 5, 5, 5], temper="ff", energy=2, rules={"energy_at_flip": energy_at_flip}
    ).actions(action=["translate", "stop"])
    assert (town.energy, town.bag.replace("f", "").replace("c", "")) == (energy, bag)


@pytest.mark.parametrize("harder", [-1, 0, 1])
def test_harder_portals(harder: int) -> None:
    """Added to every number: 4 becomes 3 or 5."""
    position: dict[str, Any] = {
        "phase": 2,
        "goo": 0,
        "runes": "rrr",
        "temper": "r",
        "rules": {"portals_harder": harder},
    }
    for total in range(3, 6):
        town = Arkamoore(**position)
        town.actions(action=["seal", "stop"], portal="rage second", dice=[2, 1, total - 3])
        assert town.told("seal")[0]["sealed"] is (total >= 4 + harder)


# 8, 16, 23, 24: the wheel


@pytest.mark.parametrize(("follows", "goo"), [(True, 2), (False, 3)])
def test_8_an_accursed_spawn(follows: bool, goo: int) -> None:
    """The Great Old One follows all the same, or stays."""
    town = Arkamoore(shamblers={2: "fff"}, rules={"follows_accursed": follows}).wheel(0)
    assert (town.goo, town.told("great_old_one")[0]["town"]) == (goo, goo)
    assert Arkamoore(rules={"follows_accursed": follows}).wheel(0).goo == 2


def test_16_powers_at_once_or_after_the_draws() -> None:
    """After the draws: fear, rage, greed, each as often as its track was accursed."""
    powers = {"fear": [CALM], "rage": [CALM]}
    position: dict[str, Any] = {"bag": "rfffff", "madness": {0: "rrrff"}, "powers": powers, "front": [5, 5]}
    town = Arkamoore(**position).wheel(draws="rfffff")
    assert town.course[2:] == [
        *("draw", "power", "moved", "draw", "draw", "power", "moved", "draw", "draw", "draw"),
        *("spawn", "great_old_one"),
    ]
    town = Arkamoore(**position, rules={"powers_resolve": "after-draws"}).wheel(draws="rfffff")
    assert town.course[2:] == [*["draw"] * 6, *["power", "moved"] * 2, "spawn", "great_old_one"]
    assert [event["colour"] for event in town.told("power")] == [0, 1]
    twice = {"bag": "f" * 6, "madness": {0: "fff"}, "powers": powers, "front": [5, 5]}
    town = Arkamoore(**twice, rules={"powers_resolve": "after-draws"}).wheel()
    assert town.course[2:] == [*["draw"] * 6, *["power", "moved"] * 2, "spawn", "great_old_one"]
    assert [event["cause"] for event in town.told("power")] == ["madness"] * 2


def test_16_a_power_of_the_wheel_does_not_wait() -> None:
    """Pointer actions come before the draws in either reading."""
    town = Arkamoore(icon="fear power", bag="r", rules={"powers_resolve": "after-draws"}).wheel()
    assert town.course == ["spin", "pointer", "power", "draw", "spawn", "great_old_one"]


@pytest.mark.parametrize(("where", "town_of_it"), [("pointer", 0), ("tail", 2)])
def test_23_the_pointers_shambler(where: str, town_of_it: int) -> None:
    """To the pointer's town, or to the tail's."""
    town = Arkamoore(icon="shambler", rules={"pointer_shambler": where}).wheel(0)
    assert town.told("spawn")[0]["town"] == town_of_it
    assert town.shamblers == (["g", "", "g", "", ""] if where == "pointer" else ["", "", "gg", "", ""])


@pytest.mark.parametrize("tail", [2, 3])
def test_an_independent_tail(tail: int) -> None:
    """At one of the two towns across and in either half of its edge, whatever the segment."""
    rules = made({"wheel": ["draw"] * 10, "wheel_tail": "independent"})
    ways = {name: array[rules.spins["segment"] == 0].tolist() for name, array in rules.spins.items()}
    assert sorted(zip(ways["tail"], ways["half"], strict=True)) == [(2, 0), (2, 1), (3, 0), (3, 1)]
    assert np.bincount(rules.spins["segment"]).tolist() == [4] * 10
    town = Arkamoore(rules={"wheel_tail": "independent"}).wheel(0, tail=tail)
    assert town.goo == tail


def test_other_wheels() -> None:
    """The printed alternatives can be played: multiples of five segments with icons that exist."""
    for wheel in (GAME.components["wheel"].value, *GAME.components["wheel"].alternatives):
        rules = made({"wheel": wheel})
        towns = np.bincount(rules.spins["town"])
        assert set(towns) == {2 * len(wheel) // 5}


# 18, 19: moves


def test_18_must_leave_checked() -> None:
    """When the actions begin, or whether it was there at the turn's start and still is."""
    start = {"must_leave_checked": "turn-start"}
    arrives: dict[str, Any] = {"goo": 4, "at": 2}
    town = Arkamoore(**arrives).turn(0, action="1 back")
    assert "stop" not in town.legal()
    assert "stop" in Arkamoore(**arrives, rules=start).turn(0).legal()
    town = Arkamoore(goo=2, at=2, rules=start).turn(0, action="1 back")
    assert "stop" not in town.legal()
    assert "stop" in Arkamoore(goo=4, at=4, rules=start).turn(0).legal()


@pytest.mark.parametrize(
    ("goo", "fear", "moves"),
    [
        (3, 0, NEXT_DOOR),
        (3, 1, ["2 clockwise"]),
        (2, 1, ["2 back"]),
        (3, 2, ["1 clockwise", "2 clockwise", "1 back"]),
        (4, 2, ["3 clockwise"]),
        (0, 2, ["3 clockwise", "3 back"]),
        (0, 1, ["2 clockwise", "2 back"]),
    ],
)
def test_19_exactly_as_far_as_fear_allows(goo: int, fear: int, moves: list[str]) -> None:
    """Exact: only moves of that distance, if one is open; else up to it."""
    told: dict[str, Any] = {"action": moves[0]}
    town = Arkamoore(goo=goo, temper="f" * fear, rules={"move_distance": "exact", "actions": 1}).actions(**told)
    assert [option for option in town.legal() if option != "stop"] == moves
