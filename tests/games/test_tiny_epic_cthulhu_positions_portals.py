"""Witness 1: Seal the Portals in Tiny Epic Cthulhu, each sentence and example worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tiny_epic_cthulhu_position import Arkamoore

MASKS = ["keep", "die 1", "die 2", "die 1 and die 2", "die 3", "die 1 and die 3", "die 2 and die 3"]
ALL_THREE = "die 1 and die 2 and die 3"
BACK = {"phase": 2, "goo": 0}

# Seal the Portals


@pytest.mark.parametrize(
    ("position", "legal"),
    [
        ({"phase": 2, "goo": 0, "temper": "r", "runes": "r"}, True),
        ({"phase": 2, "goo": 0, "chaos": 1, "runes": "r"}, True),
        ({"phase": 2, "goo": 1, "temper": "r", "runes": "r"}, False),
        ({"phase": 1, "goo": 1, "temper": "r", "runes": "r"}, False),
        ({"phase": 2, "goo": 0, "temper": "fg", "runes": "r"}, False),
        ({"phase": 2, "goo": 0, "temper": "r", "runes": ["fg", "rrr"]}, False),
        ({"phase": 2, "goo": 0, "temper": "r", "runes": "r", "portals": "..rr.."}, False),
        ({"phase": 2, "goo": 0, "temper": "r", "runes": "r", "portals": "..r..."}, True),
    ],
)
def test_when_one_may_try(position: dict[str, Any], legal: bool) -> None:
    """In Phase Two, in the Great Old One's town, with a rune of one's own and a tentacle of the color or Chaos."""
    assert ("seal" in Arkamoore(**position).actions().legal()) is legal


def test_which_portals_one_may_try() -> None:
    """Those not sealed, of the colors that one has a rune and a tentacle of."""
    town = Arkamoore(**BACK, temper="fg", runes="frg", portals=".g....").actions(
        action=["seal", "stop"], portal="greed first", dice=[0]
    )
    assert town.legal("portal") == ["fear first", "greed first", "greed second"]
    town = Arkamoore(**BACK, chaos=1, runes="frgg", portals="c....f").actions(
        action=["seal", "stop"], portal="greed first", dice=[0, 0]
    )
    assert town.legal("portal") == ["fear second", "rage first", "rage second", "greed first"]


@pytest.mark.parametrize(("runes", "n"), [(["r"], 1), (["rr", "r"], 2), (["rrr"], 3), (["frrrr"], 3)])
def test_a_die_for_each_rune_up_to_three(runes: list[str], n: int) -> None:
    """Of the portal's color, on the player's own cards: Casey with three red runes rolls three."""
    town = Arkamoore(**BACK, temper="r", runes=runes).actions(
        action=["seal", "stop"], portal="rage first", dice=[0] * n
    )
    assert town.told("roll")[0]["dice"] == [0] * n + [-1] * (3 - n)
    assert town.told("roll")[0]["purpose"] == "seal"


def test_no_more_dice_than_there_are() -> None:
    """With two dice in the box three runes roll two."""
    town = Arkamoore(**BACK, temper="r", runes="rrr", rules={"n_dice": 2})
    town.actions(action=["seal", "stop"], portal="rage first", dice=[1, 2])
    assert (town.told("roll")[0]["dice"], town.portals) == ([1, 2], "..r...")


@pytest.mark.parametrize(
    ("portal", "dice", "sealed"),
    [
        ("rage second", [1, 2, 2], True),
        ("rage second", [2, 2, 0], True),
        ("rage second", [1, 1, 1], False),
        ("rage first", [1, 1, 1], True),
        ("rage first", [1, 1, 0], False),
    ],
)
def test_the_sum_must_reach_the_number(portal: str, dice: list[int], sealed: bool) -> None:
    """Casey rolls 1, 2, 2: five, which exceeds 3 and 4, and covers the 4 with a Rage Tentacle. Equal is enough."""
    town = Arkamoore(**BACK, temper="rrf", runes="rrr").actions(action=["seal", "stop"], portal=portal, dice=dice)
    covered = "...r.." if portal == "rage second" else "..r..."
    assert town.portals == (covered if sealed else "......")
    assert town.temper[0] == ("fr" if sealed else "frr")
    assert (town.discard, town.chaos_supply) == ("", 7)
    told = {"portal": 3 if portal == "rage second" else 2, "sealed": sealed, "paid": 0}
    assert told.items() <= town.told("seal")[0].items()


@pytest.mark.parametrize(
    ("portal", "number"),
    [
        ("fear first", 2),
        ("fear second", 3),
        ("rage first", 3),
        ("rage second", 4),
        ("greed first", 2),
        ("greed second", 3),
    ],
)
@pytest.mark.parametrize("short", [0, 1])
def test_every_portal_has_its_number(portal: str, number: int, short: int) -> None:
    """Two portals of each color."""
    shown = number - short
    dice = [min(2, shown), min(2, max(0, shown - 2)), 0]
    town = Arkamoore(**BACK, temper="frg", runes="fffrrrggg").actions(action=["seal", "stop"], portal=portal, dice=dice)
    assert town.told("seal")[0]["sealed"] is (not short)


@pytest.mark.parametrize(("answer", "portals"), [("0", "r....."), ("1", "c.....")])
def test_chaos_in_place_of_madness(answer: str, portals: str) -> None:
    """A Chaos Tentacle as a wild one; it stays on the portal."""
    town = Arkamoore(**BACK, temper="f", chaos=2, runes="fff").actions(
        action=["seal", "stop"], portal="fear first", dice=[1, 1, 0], chaos_paid=answer
    )
    assert town.legal("chaos_paid") == ["0", "1"]
    assert town.portals == portals.replace("r", "f")
    assert (town.chaos[0], town.chaos_supply) == (2 - int(answer), 7)
    town = Arkamoore(**BACK, chaos=1, runes="fff").actions(action=["seal", "stop"], portal="fear first", dice=[1, 1, 0])
    assert (town.portals, town.chaos[0]) == ("c.....", 0)


def test_a_seal_paid_with_chaos() -> None:
    """The Chaos that pays for the action does not cover the portal."""
    position: dict[str, Any] = BACK | {"runes": "ggg", "rules": {"actions": 1}, "madness": {0: "f"}}
    town = Arkamoore(**position, chaos=1).actions(action="collect", chaos_action="stop")
    assert "seal" in town.legal("action")
    assert "seal" not in town.legal("chaos_action")
    town = Arkamoore(**position, chaos=2).actions(
        action="collect", chaos_action="seal", portal="greed first", dice=[2, 0, 0]
    )
    assert (town.portals, town.chaos_supply) == ("....c.", 8)


def test_one_portal_an_action() -> None:
    """Another one with another action; the token on a portal stays there."""
    town = Arkamoore(**BACK, temper="ff", runes="ff").actions(
        action=["seal", "seal"], portal=["fear second", "fear first"], dice=[2, 1, 2, 0]
    )
    assert (town.portals, town.temper[0], town.over) == ("ff....", "", None)
    assert town.legal("portal", 1) == ["fear first"]


@pytest.mark.parametrize("brain", [0, 1, 2, 3])
def test_rerolls_when_sealing(brain: int) -> None:
    """Also these dice may be rerolled: one, two or three."""
    told = {"reroll_seal": "die 1"} if brain else {}
    dice = [0, 1, 1] + [2] * bool(brain)
    town = Arkamoore(**BACK, temper="r", runes="rrr", brain=brain).actions(
        action=["seal", "stop"], portal="rage second", dice=dice, **told
    )
    wanted = [mask for mask in [*MASKS, ALL_THREE] if mask == "keep" or mask.count("die") <= brain]
    assert town.legal("reroll_seal") == (wanted if brain else [])
    assert town.told("seal")[0]["sealed"] is bool(brain)


def test_six_portals_win() -> None:
    """If players close all six, whoever sealed which and with what; with five the game goes on."""
    town = Arkamoore(**BACK, temper="g", runes="gg", portals="cfrr.g").actions(action="seal", dice=[2, 0])
    assert (town.over, town.result("won"), town.result("n_sealed")) == ("sealed", True, [1, 0])
    assert (town.result("trigger"), town.result("track"), town.result("phase")) == ("seal", "none", 2)
    town = Arkamoore(**BACK, temper="g", runes="gg", portals="cfr..g").actions(action=["seal", "stop"], dice=[2, 0])
    assert (town.over, town.portals) == (None, "cfr.gg")
