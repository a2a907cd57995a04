"""Witness 1: the printed town cards and characters of Tiny Epic Cthulhu, and what characters always have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tiny_epic_cthulhu_position import Arkamoore

PAGES = {0: "1 ff r", 1: "2 rr f", 2: "3 gg f", 3: "4 fr g", 4: "5 rg g"}

# What characters always have


@pytest.mark.parametrize("fear", [0, 1, 2])
def test_steps(fear: int) -> None:
    """One town further; never more than four."""
    town = Arkamoore(phase=2, temper="f" * fear, who={"passive": {"steps": 1}}).actions()
    assert sum("clockwise" in option for option in town.legal()) == fear + 2
    assert sum("back" in option for option in Arkamoore(phase=2, who={"passive": {"steps": 9}}).actions().legal()) == 4


def test_collects() -> None:
    """One tentacle more."""
    town = Arkamoore(madness={0: "fff"}, who={"passive": {"collects": 1}})
    town.actions(action=["collect", "stop"], collect=["fear", "fear"])
    assert town.temper[0] == "ff"


def test_rerolls() -> None:
    """One die, without being delirious; one more with it."""
    who: dict[str, Any] = {"who": {"passive": {"rerolls": 1}}, "shamblers": {0: "ff"}}
    town = Arkamoore(**who).actions(action=["banish", "stop"], dice=[2, 2], reroll_banish="keep")
    assert town.legal("reroll_banish") == ["keep", "die 1", "die 2"]
    town = Arkamoore(**who, brain=1).actions(action=["banish", "stop"], dice=[2, 2], reroll_banish="keep")
    assert town.legal("reroll_banish") == ["keep", "die 1", "die 2", "die 1 and die 2"]


@pytest.mark.parametrize(("shamblers", "dice"), [("frg", 2), ("fr", 1), ("f", 1)])
def test_banish_dice(shamblers: str, dice: int) -> None:
    """One die fewer, one at least; together with an effect's."""
    who: dict[str, Any] = {"who": {"passive": {"banish_dice": 1}}, "shamblers": {0: shamblers}}
    town = Arkamoore(**who).actions(action=["banish", "stop"], dice=[2] * dice)
    assert town.told("roll")[0]["dice"].count(2) == dice
    town = Arkamoore(**who, effects=[{"do": "banish"}]).actions(action=["town action", "stop"], dice=[2])
    assert town.told("roll")[0]["dice"] == [2, -1, -1]


@pytest.mark.parametrize(("shamblers", "n"), [("frg", 2), ("f", 0)])
def test_stop_draws(shamblers: str, n: int) -> None:
    """One tentacle fewer beside Shamblers."""
    town = Arkamoore(shamblers={1: shamblers}, bag="ff", who={"passive": {"stop_draws": 1}})
    assert len(town.actions(action="1 clockwise").told("draw")) == n


# The printed cards (assumed: they are pictured)

ORDER = ["chapel", "library", "station", "police station", "market"]
BACKS = ["infirmary", "museum", "harbour", "hunting lodge", "observatory"]
THERE: dict[str, Any] = {"temper": "ffr", "mat": "ffrg", "discard": "ggc", "pages": PAGES, "down": [2, 3], "energy": 1}


@pytest.mark.parametrize(
    ("name", "told", "changed"),
    [
        ("chapel", {"tentacle": ["fear", "rage"]}, {"temper": ["f", ""], "discard": "frggc"}),
        ("infirmary", {"tentacle": "fear"}, {"temper": ["fr", ""], "discard": "fgg", "chaos": [1, 0]}),
        ("library", {"page": [3, 2]}, {"face_up": [True] * 5}),
        ("museum", {"page": [2, 2]}, {"face_up": [True, True, True, False, True], "pages": [2, 1, 0, 3, 4]}),
        ("station", {"town": 4}, {"at": [4, 1]}),
        ("harbour", {"town": 4}, {"goo": 4}),
        ("police station", {"dice": [1, 1], "banish": "fear"}, {"temper": ["fr", ""], "discard": "fffggc"}),
        ("hunting lodge", {"tentacle": ["fear", "rage", "stop"]}, {"mat": "fg", "discard": "frggc"}),
        ("market", {"tentacle": ["greed", "greed"]}, {"temper": ["ffrgg", ""], "discard": "c"}),
        ("observatory", {}, {"energy": 0, "bag": "e"}),
    ],
)
def test_printed_town_actions(name: str, told: dict[str, Any], changed: dict[str, Any]) -> None:
    """The ten sides as the components have them; the side here lies up at town 0."""
    card = (ORDER if name in ORDER else BACKS).index(name)
    up = [name, *(ORDER[:card] + ORDER[card + 1 :])]
    shamblers = {"shamblers": {0: "ffr"}} if name == "police station" else {}
    town = Arkamoore(towns=up, **THERE, **shamblers).actions(action=["town action", "stop"], **told)
    assert {name: getattr(town, name) for name in changed} == changed
    assert town.told("town")[0]["side"] == 2 * card + (name in BACKS)


@pytest.mark.parametrize(
    ("name", "told", "changed"),
    [
        ("scientist", {"tentacle": "greed"}, {"madness": ["", "", "", "", ""], "discard": "gggc"}),
        ("priest", {"tentacle": "rage"}, {"temper": ["ff", ""], "discard": "rggc"}),
        ("historian", {"page": 2}, {"face_up": [True, True, True, False, True]}),
    ],
)
def test_printed_abilities(name: str, told: dict[str, Any], changed: dict[str, Any]) -> None:
    """Three characters act."""
    town = Arkamoore(who=[name], madness={0: "g"}, **THERE).actions(action=["ability", "stop"], **told)
    assert {name: getattr(town, name) for name in changed} == changed


def test_printed_passives() -> None:
    """Three characters have something: a step more, a die to reroll, a tentacle fewer beside Shamblers."""
    assert Arkamoore(who=["investigator"], phase=2).actions().legal().count("2 clockwise") == 1
    town = Arkamoore(who=["sailor"], shamblers={0: "f"}).actions(
        action=["banish", "stop"], dice=[1], reroll_banish="keep"
    )
    assert town.legal("reroll_banish") == ["keep", "die 1"]
    assert not Arkamoore(who=["medium"], shamblers={1: "f"}, bag="f").actions(action="1 clockwise").told("draw")
