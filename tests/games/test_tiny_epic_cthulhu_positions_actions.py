"""Witness 1: Step 2 of Tiny Epic Cthulhu: actions, Collect Tentacles, Town Actions, abilities, each sentence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tiny_epic_cthulhu_position import Arkamoore

CALM: dict[str, Any] = {"do": "move", "what": "chaos", "from": "supply", "to": "discard"}
PAGES = {0: "1 ff r", 1: "2 rr f", 2: "3 gg f", 3: "4 fr g", 4: "5 rg g"}
NEXT_DOOR = ["1 clockwise", "1 back"]

# Take Player Actions


def test_three_actions_the_same_more_than_once() -> None:
    """Up to three actions; with none left and no Chaos the turn ends unasked."""
    town = Arkamoore(madness={0: "frg"}).actions(action=["collect"] * 3, collect=["fear", "rage"])
    assert (town.temper[0], town.asked("action")) == ("frg", 3)
    assert town.course == ["collect", "collect", "collect", "stop"]
    assert [event["state"]["left"] for event in town.told("collect")] == [2, 1, 0]


def test_fewer_actions() -> None:
    """Players may take up to three: they may stop before, also without any."""
    town = Arkamoore().actions(action="stop")
    assert town.legal() == [*NEXT_DOOR, "stop"]
    assert town.course == ["stop"]
    assert (town.state["left"], town.state["ability_used"], town.state["must_leave"]) == (0, False, False)


@pytest.mark.parametrize(("chaos", "extra"), [(0, 0), (1, 1), (2, 2)])
def test_chaos_for_further_actions(chaos: int, extra: int) -> None:
    """One more action for each Chaos Tentacle spent, which goes to the general supply."""
    told: dict[str, Any] = {"chaos_action": ["1 clockwise"] * extra} if extra else {}
    town = Arkamoore(goo=4, phase=2, chaos=chaos).actions(action=["1 clockwise"] * 3, **told)
    assert (town.at[0], town.chaos[0], town.chaos_supply) == ((3 + extra) % 5, 0, 7 + extra)
    assert [event["chaos"] for event in town.told("move")] == [False] * 3 + [True] * extra
    assert town.asked("chaos_action") == extra


def test_chaos_is_paid_once_for_all_that_is_collected() -> None:
    """The action is paid, not each tentacle."""
    town = Arkamoore(temper="g", madness={0: "ffrr"}, chaos=2, rules={"actions": 1})
    town.actions(action="collect", collect=["fear", "fear", "rage", "rage"], chaos_action=["collect", "stop"])
    assert [event["chaos"] for event in town.told("collect")] == [False, False, True, False]
    assert (town.chaos[0], town.temper[0]) == (1, "ffrrg")


def test_a_further_action_need_not_be_taken() -> None:
    """Chaos may be kept."""
    town = Arkamoore(goo=4, phase=2, chaos=2).actions(action=["1 clockwise"] * 3, chaos_action="stop")
    assert (town.chaos[0], town.legal("chaos_action")) == (2, [*NEXT_DOOR, "stop"])


def test_chaos_spent_on_the_action_is_not_there_for_it() -> None:
    """A Chaos is spent once: the only one cannot pay for the action and for a page as a wild one."""
    position: dict[str, Any] = {"pages": {0: "1 rr g"}, "temper": "r", "madness": {0: "gg"}}
    town = Arkamoore(chaos=1, rules={"actions": 1}, **position).actions(action="collect", chaos_action="stop")
    assert town.legal("action") == [*NEXT_DOOR, "collect", "translate", "stop"]
    assert town.legal("chaos_action") == [*NEXT_DOOR, "collect", "stop"]
    town = Arkamoore(chaos=2, rules={"actions": 1}, **position).actions(action="collect", chaos_action="stop")
    assert town.legal("chaos_action") == [*NEXT_DOOR, "collect", "translate", "stop"]
    town = Arkamoore(chaos=2, rules={"actions": 1}, **position).actions(action="collect", chaos_action="translate")
    assert (town.chaos[0], town.rows, town.chaos_supply) == (0, [1, 0, 0, 0, 0], 9)


def test_chaos_spent_on_the_action_makes_room() -> None:
    """Legality is as if it were paid: a full Chaos Track has a space again, an empty supply a tentacle."""
    gain = {"do": "move", "what": "chaos", "from": "supply", "to": "you"}
    town = Arkamoore(chaos=2, chaos_supply=0, effects=[gain], rules={"actions": 1})
    town.actions(action="1 clockwise", chaos_action=["town action", "stop"])
    assert town.legal("action") == [*NEXT_DOOR, "stop"]
    assert town.legal("chaos_action") == [*NEXT_DOOR, "town action", "stop"]
    assert (town.chaos[0], town.chaos_supply, town.told("town")[0]["chaos"]) == (2, 0, True)


# Collect Tentacles


@pytest.mark.parametrize("greed", [0, 1, 2])
def test_as_many_as_greed_allows(greed: int) -> None:
    """1, 2 or 3 of any color; one asks for each whether to go on."""
    town = Arkamoore(temper="g" * greed, madness={0: "ffrr", 1: "fff"})
    more = ["rage", "fear"][:greed]
    town.actions(action=["collect", "stop"], collect=["fear", *more])
    assert town.temper[0] == ["f", "frg", "ffrgg"][greed]
    assert town.legal("collect", 0) == ["fear", "rage"]
    assert town.asked("collect") == greed + 1
    assert [town.legal("collect", time) for time in range(1, greed + 1)] == [["fear", "rage", "stop"]] * greed
    assert town.madness[1] == "fff"


def test_fewer_may_be_collected() -> None:
    """At least one, and then one may stop; greed collected counts for the next action only."""
    town = Arkamoore(temper="g", madness={0: "fgg"}).actions(action=["collect", "stop"], collect=["fear", "stop"])
    assert town.temper[0] == "fg"
    town = Arkamoore(madness={0: "fg"}).actions(action=["collect", "collect"], collect=["greed"])
    assert [event["colour"] for event in town.told("collect")] == [2, 0]


def test_no_more_than_two_of_a_colour() -> None:
    """A player cannot collect more than they have spaces for."""
    town = Arkamoore(temper="ffr", madness={0: "ffrr"}).actions(action=["collect", "stop"])
    assert town.temper[0] == "ffrr"
    assert "collect" not in town.legal(time=1)
    town = Arkamoore(temper="ffgg", madness={0: "frrr"}).actions(action=["collect", "stop"], collect=["rage", "rage"])
    assert (town.temper[0], town.legal("collect", 0), town.legal("collect", 1)) == (
        "ffrrgg",
        ["rage"],
        ["rage", "stop"],
    )
    assert "collect" not in town.legal(time=1)


@pytest.mark.parametrize(("temper", "madness", "legal"), [("", "", False), ("ff", "fff", False), ("ff", "fr", True)])
def test_when_one_can_collect(temper: str, madness: str, legal: bool) -> None:
    """Where there is Madness with room for it on the mat; other towns do not matter."""
    town = Arkamoore(temper=temper, madness={0: madness, 1: "frg"}).actions()
    assert ("collect" in town.legal()) is legal


# Use a Town Action


def test_a_town_action_is_an_action() -> None:
    """Each Town Card has an action; it may be taken more than once; it is that of the town one is in."""
    town = Arkamoore(effects=[CALM]).actions(action=["town action", "town action", "1 clockwise"])
    assert (town.discard, town.legal()) == ("cc", [*NEXT_DOOR, "town action", "stop"])
    assert town.told("town")[0]["side"] == 0
    town = Arkamoore(towns=["library", "station", "chapel", "market", "police station"], temper="f")
    town.actions(action=["1 clockwise", "town action", "stop"], town=4)
    assert town.legal("town") == ["town 0", "town 2", "town 4"]
    assert (town.at[0], town.told("town")[0]["side"]) == (4, 4)


def test_a_town_action_that_can_do_nothing_is_not_offered() -> None:
    """One of its effects must be possible."""
    assert "town action" not in Arkamoore(effects=[CALM], chaos_supply=0).actions().legal()
    assert "town action" not in Arkamoore().actions().legal()
    swap: dict[str, Any] = {"do": "swap"}
    assert "town action" in Arkamoore(effects=[swap, CALM]).actions().legal()


def test_only_the_town_one_is_in_counts() -> None:
    """At the chapel with nothing to give up there is no action, whatever other towns and the chapel's back could do."""
    towns = ["chapel", "station", "library", "police station", "market"]
    assert "town action" not in Arkamoore(towns=towns, discard="f").actions().legal()
    assert "town action" in Arkamoore(towns=towns, discard="f", at=1).actions().legal()
    assert "town action" in Arkamoore(towns=towns, temper="f").actions().legal()


# Player Abilities


def test_an_ability_uses_no_action() -> None:
    """Once a turn, at any point: three actions besides; then it is used."""
    town = Arkamoore(who={"effects": [CALM]}).actions(action=["1 clockwise", "ability", "1 back", "1 clockwise"])
    assert (town.discard, town.at[0], town.asked("action")) == ("c", 1, 4)
    assert ["ability" in town.legal(time=time) for time in range(4)] == [True, True, False, False]
    assert town.told("ability")[0]["character"] == town.characters[0]


def test_an_ability_after_the_last_action() -> None:
    """With no action left and no Chaos it may still be used."""
    town = Arkamoore(who={"effects": [CALM]}, rules={"actions": 1}).actions(
        action="1 clockwise", chaos_action="ability"
    )
    assert (town.discard, town.legal("chaos_action")) == ("c", ["ability", "stop"])
    town = Arkamoore(who={"effects": [CALM]}, rules={"actions": 1}, chaos=1)
    town.actions(action="1 clockwise", chaos_action=["ability", "stop"])
    assert (town.chaos[0], town.legal("chaos_action", 1)) == (1, [*NEXT_DOOR, "stop"])


def test_an_ability_again_next_turn() -> None:
    """Once a turn."""
    town = Arkamoore(who={"effects": [CALM]}).actions(action=["ability", "stop"]).actions(action=["ability", "stop"])
    assert town.discard == "cc"


def test_an_ability_that_can_do_nothing_is_not_offered() -> None:
    """One of its effects must be possible; those without an ability have none to use."""
    assert "ability" not in Arkamoore(who={"effects": [CALM]}, chaos_supply=0).actions().legal()
    assert "ability" not in Arkamoore(who={"passive": {"steps": 1}}).actions().legal()


def test_an_ability_before_leaving() -> None:
    """Whoever must leave may use it first, also with one action left."""
    town = Arkamoore(goo=0, who={"effects": [CALM]}, rules={"actions": 1}).actions(action=["ability", "1 back"])
    assert town.legal() == [*NEXT_DOOR, "ability"]
    assert town.legal(time=1) == NEXT_DOOR


# Next Turn


def test_everything_an_action_needs() -> None:
    """What is open to somebody with everything, in Phase One and in Phase Two."""
    position: dict[str, Any] = {"pages": PAGES, "temper": "ffrrg", "shamblers": {0: "f"}, "madness": {0: "g"}}
    position |= {"effects": [CALM], "who": {"effects": [CALM]}, "runes": "r"}
    rest = ["collect", "banish", "town action", "translate", "ability", "stop"]
    moves = [f"{steps} {way}" for way in ("clockwise", "back") for steps in (1, 2, 3)]
    assert Arkamoore(goo=1, **position).actions().legal() == [*moves[3:], *rest]
    assert Arkamoore(goo=0, phase=2, **position).actions().legal() == [*moves, *rest[:4], "seal", *rest[4:]]
    assert Arkamoore(goo=1, phase=2, **position).actions().legal() == [*moves, *rest]
