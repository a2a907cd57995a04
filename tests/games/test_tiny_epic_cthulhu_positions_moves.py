"""Witness 1: Move in Tiny Epic Cthulhu: how far, pages, Shamblers, leaving the Great Old One, each sentence."""

from __future__ import annotations

import pytest

from tests.games.tiny_epic_cthulhu_position import Arkamoore

PAGES = {0: "1 ff r", 1: "2 rr f", 2: "3 gg f", 3: "4 fr g", 4: "5 rg g"}
NEXT_DOOR = ["1 clockwise", "1 back"]

# Move

MOVES = {  # the Great Old One so many towns clockwise: steps clockwise, steps back, with three towns' reach
    0: (3, 3),
    1: (0, 3),
    2: (1, 2),
    3: (2, 1),
    4: (3, 0),
}


@pytest.mark.parametrize("at", [0, 3])
@pytest.mark.parametrize("fear", [0, 1, 2])
@pytest.mark.parametrize("goo", MOVES)
def test_moves_in_phase_one(goo: int, fear: int, at: int) -> None:
    """1, 2 or 3 Town Cards with 0, 1, 2 Fear, in either direction, not through or onto the Great Old One's town."""
    town = Arkamoore(goo=(at + goo) % 5, at=at, temper="f" * fear).actions(**({"action": "1 back"} if goo == 0 else {}))
    reach, (clockwise, back) = fear + 1, MOVES[goo]
    wanted = [f"{steps} clockwise" for steps in range(1, min(reach, clockwise) + 1)]
    wanted += [f"{steps} back" for steps in range(1, min(reach, back) + 1)]
    assert town.legal() == wanted + ["stop"] * (goo != 0)


@pytest.mark.parametrize("goo", range(5))
@pytest.mark.parametrize("fear", [0, 1, 2])
def test_moves_in_phase_two(goo: int, fear: int) -> None:
    """Through the Great Old One's town and onto it."""
    town = Arkamoore(phase=2, goo=goo, temper="f" * fear).actions()
    steps = range(1, fear + 2)
    assert town.legal() == [*[f"{n} clockwise" for n in steps], *[f"{n} back" for n in steps], "stop"]
    town = Arkamoore(phase=2, goo=1, temper="ff").actions(action=["1 clockwise", "2 back", "stop"])
    assert [event["town"] for event in town.told("move")] == [1, 4]


@pytest.mark.parametrize(
    ("action", "at", "steps"),
    [("1 clockwise", 0, 1), ("2 clockwise", 1, 2), ("3 clockwise", 2, 3), ("1 back", 3, -1), ("2 back", 2, -2)],
)
def test_where_a_move_ends(action: str, at: int, steps: int) -> None:
    """The token moves that many Town Cards; Fear stays on the mat."""
    town = Arkamoore(goo=3 if steps > 0 else 0, at=4, temper="ff").actions(action=action)
    assert (town.at[0], town.temper[0]) == (at, "ff")
    assert {"steps": steps, "town": at, "chaos": False}.items() <= town.told("move")[0].items()


def test_fear_counts_as_it_is_when_the_move_starts() -> None:
    """A tentacle drawn at the end of a move counts for the next one."""
    town = Arkamoore(phase=2, goo=4, shamblers={1: "g"}, bag="f").actions(action=["1 clockwise", "stop"])
    assert town.legal(time=0) == [*NEXT_DOOR, "stop"]
    assert town.legal(time=1) == ["1 clockwise", "2 clockwise", "1 back", "2 back", "banish", "stop"]


# The player may then flip and reveal one Page Card


@pytest.mark.parametrize(("flip", "town_of_it"), [("1", 1), ("2", 2), ("3", 3)])
def test_flip_a_page_passed_or_stopped_at(flip: str, town_of_it: int) -> None:
    """One of those moved past or stopped next to during this action, not that of the town one left."""
    town = Arkamoore(goo=4, temper="ff", pages=PAGES, down=range(5)).actions(action="3 clockwise", flip=flip)
    assert town.legal("flip") == ["1", "2", "3", "none"]
    assert [place for place in range(5) if town.face_up[place]] == [town_of_it]
    assert town.known == town.face_up
    assert {"town": town_of_it, "card": town_of_it}.items() <= town.told("flip")[0].items()


def test_flip_back() -> None:
    """The way back: the first town is the next one that way; face-up pages are not flipped."""
    town = Arkamoore(goo=1, temper="ff", pages=PAGES, down=[0, 1, 4, 2]).actions(action="3 back", flip="3")
    assert town.legal("flip") == ["1", "3", "none"]
    assert town.face_up == [False, False, True, True, False]


def test_a_page_need_not_be_flipped() -> None:
    """The player may; and is not asked where no page lies face down."""
    town = Arkamoore(pages=PAGES, down=[1]).actions(action="1 clockwise", flip="none")
    assert (town.legal("flip"), town.told("flip"), town.face_up[1]) == (["1", "none"], [], False)
    assert not Arkamoore(pages=PAGES).actions(action="1 clockwise").legal("flip")
    assert not Arkamoore().actions(action="1 clockwise").legal("flip")


# When a player stops on a Town Card with Shamblers


@pytest.mark.parametrize(("shamblers", "drawn"), [("", ""), ("g", "f"), ("rg", "fr"), ("frg", "frc")])
def test_a_tentacle_for_each_shambler(shamblers: str, drawn: str) -> None:
    """Madness and Chaos are added to the Player Mat."""
    town = Arkamoore(shamblers={1: shamblers}, bag="frcgge").actions(action="1 clockwise", draws=drawn)
    assert (town.temper[0], town.chaos[0]) == (drawn.replace("c", ""), drawn.count("c"))
    assert [event["source"] for event in town.told("draw")] == ["stop"] * len(drawn)
    assert town.madness == [""] * 5


def test_eldritch_beside_shamblers() -> None:
    """Eldritch go on the Energy Track of the Great Old One."""
    town = Arkamoore(shamblers={1: "rg"}, bag="ee").actions(action="1 clockwise")
    assert (town.energy, town.temper[0]) == (2, "")


def test_only_where_one_stops() -> None:
    """Passing Shamblers costs nothing; staying beside them neither."""
    town = Arkamoore(temper="f", shamblers={0: "g", 1: "rrr"}, bag="fff", madness={0: "r"})
    town.actions(action=["collect", "2 clockwise", "stop"])
    assert (town.at[0], town.bag) == (2, "fff")


def test_a_page_is_flipped_before_the_draws() -> None:
    """Flip, then draw: the text's order."""
    town = Arkamoore(pages=PAGES, down=[1], shamblers={1: "rg"}, bag="ff").actions(action="1 clockwise", flip="1")
    assert town.course == ["move", "flip", "draw", "draw", "stop"]


def test_not_enough_in_the_bag_beside_shamblers() -> None:
    """As many as possible."""
    town = Arkamoore(shamblers={1: "frg"}, bag="f").actions(action="1 clockwise")
    assert (town.temper[0], len(town.told("draw"))) == ("f", 1)


# If the Great Old One is on your location


def test_one_must_leave_the_great_old_one() -> None:
    """One must use an action to move away: no stop; with one action left only moves. Whoever leaves may stop."""
    town = Arkamoore(goo=0, madness={0: "rrg"}).actions(
        action=["collect", "collect", "1 back"], collect=["rage", "greed"]
    )
    assert town.legal(time=0) == town.legal(time=1) == [*NEXT_DOOR, "collect"]
    assert town.legal(time=2) == NEXT_DOOR
    town = Arkamoore(goo=0, madness={1: "frg"}).actions(action=["1 clockwise", "stop"])
    assert town.legal(time=1) == ["1 clockwise", "collect", "stop"]
    assert town.told("move")[0]["state"]["must_leave"] is False


def test_leaving_is_a_move_like_any_other() -> None:
    """Shamblers where one stops are drawn for, a page may be flipped."""
    town = Arkamoore(goo=0, shamblers={1: "g"}, bag="f", pages=PAGES, down=[1])
    town.actions(action="1 clockwise", flip="1")
    assert (town.temper[0], town.face_up[1]) == ("f", True)


def test_nobody_must_leave_in_phase_two() -> None:
    """Players may now occupy the same location as the Great Old One."""
    town = Arkamoore(phase=2, goo=0).actions()
    assert town.legal() == [*NEXT_DOOR, "stop"]


def test_it_is_the_great_old_ones_place_after_the_spin_that_counts() -> None:
    """It may arrive on a player's town by the wheel: that player must leave."""
    town = Arkamoore(goo=4, at=2).turn(0, action=["1 clockwise", "stop"])
    assert (town.goo, town.legal()) == (2, [*NEXT_DOOR, "banish"])
    town = Arkamoore(goo=0, at=0).turn(0, action="stop")
    assert (town.goo, "stop" in town.legal()) == (2, True)
