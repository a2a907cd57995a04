"""Witness 1: Banish Shamblers and rerolls in Tiny Epic Cthulhu, each sentence and example worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tiny_epic_cthulhu_position import Arkamoore

MASKS = ["keep", "die 1", "die 2", "die 1 and die 2", "die 3", "die 1 and die 3", "die 2 and die 3"]
ALL_THREE = "die 1 and die 2 and die 3"


def banished(dice: list[int], **position: Any) -> Arkamoore:
    """A Banish, and the end of the turn."""
    told = {name: position.pop(name) for name in ("banish", "chaos_paid", "reroll_banish") if name in position}
    return Arkamoore(**position).actions(action=["banish", "stop"], dice=dice, **told)


# Banish Shamblers


@pytest.mark.parametrize(("here", "elsewhere", "legal"), [("g", "", True), ("", "ggg", False)])
def test_one_must_be_where_a_shambler_is(here: str, elsewhere: str, legal: bool) -> None:
    """You must be on a Town Card with one or more Shamblers; nothing need be on the mat to try."""
    town = Arkamoore(shamblers={0: here, 1: elsewhere}).actions()
    assert ("banish" in town.legal()) is legal


@pytest.mark.parametrize("shamblers", ["f", "ff", "frg"])
def test_a_die_for_each_shambler(shamblers: str) -> None:
    """Roll one Cthulhu Die for each Shambler present."""
    n = len(shamblers)
    town = banished([2] * n, shamblers={0: shamblers})
    assert town.told("roll")[0]["dice"] == [2] * n + [-1] * (3 - n)
    assert {"purpose": "banish", "chaos": False}.items() <= town.told("roll")[0].items()


@pytest.mark.parametrize(
    ("dice", "cost"), [([1, 1], 1), ([0, 1], 1), ([2, 1], 2), ([2, 2], 2), ([1, 0], 1), ([0, 0], 0)]
)
def test_the_highest_die_is_the_cost(dice: list[int], cost: int) -> None:
    """The highest number on a single die; numbers are not added. (Jordan's example adds them: a reading of its own.)"""
    town = banished(dice, shamblers={0: "rr"}, temper="rr", banish="rage")
    assert town.temper[0] == "r" * (2 - cost)
    assert town.discard == "r" * cost
    assert town.shamblers[0] == "r"


@pytest.mark.parametrize(
    ("temper", "chaos", "cost", "legal"),
    [
        ("", 0, 1, []),
        ("", 0, 0, ["fear", "greed"]),
        ("f", 0, 1, ["fear"]),
        ("rr", 0, 1, []),
        ("fgg", 0, 2, ["greed"]),
        ("f", 1, 2, ["fear"]),
        ("f", 1, 1, ["fear", "greed"]),
        ("", 2, 2, ["fear", "greed"]),
        ("rr", 1, 2, []),
    ],
)
def test_which_shamblers_one_can_pay_for(temper: str, chaos: int, cost: int, legal: list[str]) -> None:
    """Any color that is there, paid with Madness of that color, Chaos being wild; without it none is banished."""
    answer = {"banish": "none"} if legal else {}
    town = banished([cost, 0], shamblers={0: "fg"}, temper=temper, chaos=chaos, **answer)
    assert town.legal("banish") == [*legal, "none"]
    assert (town.temper[0], town.chaos[0], town.shamblers[0]) == (temper, chaos, "fg")
    assert {"colour": -1, "paid": 0, "source": "action"}.items() <= town.told("banish")[0].items()


@pytest.mark.parametrize(
    ("temper", "chaos", "cost", "legal"),
    [
        ("rr", 2, 2, ["0", "1", "2"]),
        ("rr", 1, 2, ["0", "1"]),
        ("r", 2, 2, ["1", "2"]),
        ("rr", 2, 1, ["0", "1"]),
        ("", 2, 2, []),
        ("r", 1, 2, []),
        ("rr", 2, 0, []),
    ],
)
def test_chaos_is_wild(temper: str, chaos: int, cost: int, legal: list[str]) -> None:
    """Two tentacles may be two Rage, one Rage and one Chaos, or two Chaos; Chaos goes to the general supply."""
    for answer in legal or [None]:
        told = {"chaos_paid": answer} if answer else {}
        town = banished([cost], shamblers={0: "r"}, temper=temper, chaos=chaos, banish="rage", **told)
        assert town.legal("chaos_paid") == legal
        paid = int(answer) if answer else max(0, cost - len(temper))
        assert (town.chaos[0], town.chaos_supply) == (chaos - paid, 7 + paid)
        assert town.temper[0] == "r" * (len(temper) - cost + paid)
        assert town.discard == "r" * (cost - paid)
        assert town.told("banish")[0]["paid"] == paid


@pytest.mark.parametrize("letter", "frg")
def test_a_banished_shambler_goes_to_the_shambler_mat(letter: str) -> None:
    """In its color area; Madness of that color moves from the Shambler Mat to the Discard Mat."""
    names = dict(zip("frg", ["fear", "rage", "greed"], strict=True))
    town = banished([0, 0, 0], shamblers={0: "frg"}, mat="ffrrgg", banish=names[letter])
    assert town.shamblers[0] == "frg".replace(letter, "")
    assert town.mat_shamblers.count(letter) == 5
    assert (town.discard, town.mat) == (letter, "ffrrgg".replace(letter, "", 1))


@pytest.mark.parametrize(("rage", "moved"), [(0, 1), (1, 2), (2, 3)])
@pytest.mark.parametrize("letter", "frg")
def test_rage_moves_more(rage: int, moved: int, letter: str) -> None:
    """1, 2 or 3 Madness of the banished color with 0, 1, 2 Rage on the track when the banishment started."""
    names = dict(zip("frg", ["fear", "rage", "greed"], strict=True))
    town = banished([0, 0, 0], shamblers={0: "frg"}, mat="fffrrrggg", temper="r" * rage, banish=names[letter])
    assert town.discard == letter * moved
    assert town.temper[0] == "r" * rage


def test_rage_that_is_spent_counts() -> None:
    """Jordan has one Rage, spends it, and moves two Rage from the Shambler Mat to the Discard Mat."""
    town = banished([1, 1], shamblers={0: "rr"}, mat="rrr", temper="r", banish="rage")
    assert (town.mat, town.discard, town.temper[0]) == ("r", "rrr", "")


def test_only_what_lies_there_can_be_moved() -> None:
    """As far as it goes."""
    assert banished([0], shamblers={0: "f"}, mat="frr", temper="rr", banish="fear").discard == "f"
    assert banished([0], shamblers={0: "f"}, temper="rr", banish="fear").discard == ""


def test_a_banish_paid_with_chaos() -> None:
    """The Chaos that pays for the action is not there as a wild one."""
    position: dict[str, Any] = {"shamblers": {0: "f"}, "rules": {"actions": 1}, "temper": "g"}
    town = Arkamoore(chaos=1, **position).actions(action="1 clockwise")
    assert not town.legal("banish")
    town = Arkamoore(chaos=2, goo=4, phase=2, **position | {"madness": {0: "r"}})
    town.actions(action="collect", chaos_action=["banish"], dice=[1], banish="fear")
    assert (town.chaos[0], town.chaos_supply, town.shamblers[0]) == (0, 9, "")
    assert town.told("roll")[0]["chaos"] is True


# Rerolls: the spaces of the Delirium Track


@pytest.mark.parametrize("brain", [0, 1, 2, 3])
def test_rerolls_of_a_banish(brain: int) -> None:
    """One, two or three dice anytime they are rolled; off the track none."""
    position: dict[str, Any] = {"shamblers": {0: "fff"}, "brain": brain}
    town = banished([2, 2, 2], **position, **({"reroll_banish": "keep"} if brain else {}))
    masks = [*MASKS, ALL_THREE]
    wanted = [mask for mask in masks if mask == "keep" or mask.count("die") <= brain]
    assert town.legal("reroll_banish") == (wanted if brain else [])
    assert not town.told("reroll")


def test_only_dice_that_were_rolled() -> None:
    """Two dice: two can be rolled again, not a third."""
    town = banished([2, 1], shamblers={0: "ff"}, brain=3, reroll_banish="keep")
    assert town.legal("reroll_banish") == MASKS[:4]


def test_a_reroll_counts_whatever_it_shows() -> None:
    """The dice chosen are rolled again, once; the others stay."""
    town = banished(
        [0, 2, 2, 1, 0], shamblers={0: "fff"}, brain=2, reroll_banish="die 2 and die 3", temper="f", banish="fear"
    )
    assert town.told("reroll")[0]["dice"] == [0, 1, 0]
    assert town.asked("reroll_banish") == 1
    town = banished([1, 2], shamblers={0: "f"}, brain=3, reroll_banish="die 1", temper="f")
    assert town.legal("banish") == ["none"]
