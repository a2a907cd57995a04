"""Witness 1: the six places in which the published Tiny Epic Cthulhu differs from the text, by edition and alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simkit.games.tiny_epic_cthulhu import GAME
from simkit.results import Results
from simkit.strategy import Random
from simkit.table import Table
from simkit.tape import Tape
from tests.games.tiny_epic_cthulhu_position import Arkamoore, made

PAGES = {0: "1 ff r", 1: "2 rr f", 2: "3 gg f", 3: "4 fr g", 4: "5 rg g"}


def either(rule: str, rulebook: str, published: str) -> Callable[[Any], Any]:
    """The rules in force and whether the published rule holds: by the edition, and set by itself in either edition."""
    cases: list[tuple[dict[str, str], bool]] = [
        ({}, False),
        ({"edition": "published"}, True),
        ({rule: published}, True),
        ({"edition": "published", rule: rulebook}, False),
        ({"edition": "rulebook", rule: "edition"}, False),
    ]
    ids = ["rulebook", "published", "set", "unset", "as the rulebook"]
    return pytest.mark.parametrize(("rules", "is_published"), cases, ids=ids)


# shamblers_lose


@either("shamblers_lose", "no", "yes")
def test_no_shambler_left(rules: dict[str, str], is_published: bool) -> None:
    """Published: the table loses when the last Shambler leaves the Shambler Mat."""
    town = Arkamoore(colour="fear", mat_shamblers="g", rules=rules).turn()
    assert town.shamblers[2] == "g"
    assert town.over == ("shamblers" if is_published else None)
    if is_published:
        assert (town.result("trigger"), town.result("track"), town.result("won")) == ("spin", "shambler", False)
        assert town.course == ["spin", "pointer", "spawn", "end"]
        assert town.result("shamblers_left") == 0


@either("shamblers_lose", "no", "yes")
def test_no_shambler_left_by_the_pointer(rules: dict[str, str], is_published: bool) -> None:
    """Wherever the last one goes: by the pointer, by a power."""
    town = Arkamoore(icon="shambler", mat_shamblers="g", rules=rules, bag="f").turn(draws="" if is_published else "f")
    assert town.over == ("shamblers" if is_published else None)
    assert not is_published or town.result("trigger") == "pointer"
    spawn = {"greed": [{"do": "spawn"}]}
    town = Arkamoore(icon="greed power", mat_shamblers="g", rules=rules, powers=spawn).turn()
    assert town.over == ("shamblers" if is_published else None)
    if is_published:
        assert (town.result("trigger"), town.result("power")) == ("power by wheel", "greed")


def test_an_accursed_track_gives_them_back_in_time() -> None:
    """The last one is one too many: all return, and nothing is lost."""
    town = Arkamoore(mat_shamblers="g", shamblers={2: "frg"}, rules={"edition": "published"}).turn()
    assert (town.over, town.mat_shamblers) == (None, "frgg")


def test_one_left_is_enough() -> None:
    """Of any color."""
    assert Arkamoore(mat_shamblers="gf", rules={"edition": "published"}).turn().over is None


# flip


@either("flip", "passed", "stopped")
def test_which_page_a_move_flips(rules: dict[str, str], is_published: bool) -> None:
    """Published: only that of the town one stops on."""
    town = Arkamoore(goo=4, temper="ff", pages=PAGES, down=range(5), rules=rules)
    town.actions(action="3 clockwise", flip="3")
    assert town.legal("flip") == (["3", "none"] if is_published else ["1", "2", "3", "none"])
    town = Arkamoore(goo=4, temper="f", pages=PAGES, down=[1], rules=rules)
    town.actions(action="2 clockwise", **({} if is_published else {"flip": "1"}))
    assert town.face_up[1] is (not is_published)


# must_leave


@either("must_leave", "an-action", "first-action")
def test_how_to_leave_the_great_old_one(rules: dict[str, str], is_published: bool) -> None:
    """Published: with the first action; the ability may come before it."""
    calm = {"do": "move", "what": "chaos", "from": "supply", "to": "discard"}
    town = Arkamoore(goo=0, madness={0: "f", 4: "f"}, rules=rules, who={"effects": [calm]})
    town.actions(action=["ability", "1 back", "collect", "stop"])
    others = [] if is_published else ["collect"]
    assert town.legal(time=0) == ["1 clockwise", "1 back", *others, "ability"]
    assert town.legal(time=1) == ["1 clockwise", "1 back", *others]
    assert town.legal(time=2) == ["1 back", "collect", "stop"]


@either("must_leave", "an-action", "first-action")
def test_nobody_must_leave_in_phase_two(rules: dict[str, str], is_published: bool) -> None:
    """Phase One only, in both editions."""
    assert Arkamoore(goo=0, phase=2, rules=rules).actions().legal() == ["1 clockwise", "1 back", "stop"]


# page_at_great_old_one


@either("page_at_great_old_one", "face-down", "face-up")
def test_the_first_page_of_the_great_old_one(rules: dict[str, str], is_published: bool) -> None:
    """Published: it is turned face up at the set-up; the others lie face down."""
    table_rules = made(rules)
    results = Results(GAME, table_rules, 2, 20)
    table = Table(GAME, table_rules, [Random()] * 2, Tape(1), np.arange(20, dtype=np.uint64), results)
    GAME.setup(table)
    for state in GAME.describe(table, np.arange(20)):
        up = [town == state["goo"] and is_published for town in range(5)]
        assert state["face_up"] == state["known"] == up


# eldritch_returns


@either("eldritch_returns", "no", "yes")
def test_eldritch_on_the_discard_mat(rules: dict[str, str], is_published: bool) -> None:
    """Published: with accursed energy all tokens of the Discard Mat go to the bag, Eldritch too."""
    town = Arkamoore(icon="chaos", chaos_supply=0, bag="e", energy=2, discard="feec", rules=rules, front=[1, 1])
    town.wheel()
    assert (town.discard, town.bag) == (("", "fceeeee") if is_published else ("ee", "fceee"))
    feed = {"greed": [{"do": "feed"}]}
    town = Arkamoore(icon="greed power", powers=feed, energy=2, discard="e", rules=rules, front=[0, 0]).wheel()
    assert town.discard == ("" if is_published else "e")


# colour_sealed


@either("colour_sealed", "nothing", "power-stops")
@pytest.mark.parametrize(("portals", "is_sealed"), [("..rc..", True), ("ffr.gg", False), ("......", False)])
def test_a_sealed_colour(rules: dict[str, str], is_published: bool, portals: str, is_sealed: bool) -> None:
    """Published (a guess): the power of a color stops when both its portals are sealed, whatever set it off."""
    calm = {"rage": [{"do": "move", "what": "chaos", "from": "supply", "to": "discard"}]}
    stops = is_published and is_sealed
    town = Arkamoore(icon="rage power", phase=2, powers=calm, portals=portals, rules=rules).wheel()
    assert (town.discard, len(town.told("power"))) == (("", 0) if stops else ("c", 1))
    town = Arkamoore(phase=2, powers=calm, portals=portals, rules=rules, bag="r", madness={0: "rrr"}).wheel()
    assert (town.discard, town.mat, len(town.told("power"))) == (("", "rrrr", 0) if stops else ("c", "rrrr", 1))
