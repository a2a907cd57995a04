"""Witness 1: Step 1 of Tiny Epic Cthulhu, Spin the Wheel of Madness, each sentence as a position worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.games.tiny_epic_cthulhu_position import COLOURS, Arkamoore, made, side

# Segments of a wheel of ten, two to a town, and what a straight spinner's tail points at: (town, half of its edge).
OPPOSITE = [(2, 1), (3, 0), (3, 1), (4, 0), (4, 1), (0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]


@pytest.mark.parametrize("segment", range(10))
def test_the_pointer_and_the_tail(segment: int) -> None:
    """The pointer is at a town, the tail opposite at one of the two across; the halves of an edge have colours."""
    tail, half = OPPOSITE[segment]
    cards = [{"front": side(f"{n}", "fear"), "back": side(f"{n} back", "fear")} for n in range(5)]
    cards[tail]["front"]["colours"] = ["greed", "rage"]
    rules = {"town_cards": cards, "towns": ["0", "1", "2", "3", "4"]}
    town = Arkamoore(rules=rules, bag="fff").wheel(segment, draws="fff")
    told = {"segment": segment, "town": segment // 2, "tail": tail, "colour": 1 if half else 2}
    assert told.items() <= town.told("spin")[0].items()
    assert town.madness[segment // 2] == "fff"
    assert town.shamblers[tail] == "gr"[half]
    assert town.goo == tail


def test_every_segment_is_as_likely() -> None:
    """The spinner may stop anywhere; of fifteen segments the tail lies at either of the two that are opposite."""
    rules = made({"wheel": ["draw"] * 15})
    assert np.bincount(rules.spins["segment"]).tolist() == [2] * 15
    assert np.bincount(rules.spins["tail"]).tolist() == [6] * 5
    tails = {(town, tail) for town, tail in zip(rules.spins["town"], rules.spins["tail"], strict=True)}
    assert {(int(tail) - int(town)) % 5 for town, tail in tails} == {2, 3}


@pytest.mark.parametrize(
    ("segments", "segment", "ends"),
    [
        (5, 0, [(2, 1), (3, 0)]),
        (5, 4, [(1, 1), (2, 0)]),
        (15, 0, [(2, 1), (2, 1)]),
        (15, 1, [(2, 1), (3, 0)]),
        (15, 2, [(3, 0), (3, 0)]),
        (15, 14, [(2, 0), (2, 0)]),
    ],
)
def test_tails_of_other_wheels(segments: int, segment: int, ends: list[tuple[int, int]]) -> None:
    """An odd number of segments: opposite the middle of one lies a border, so the tail stops at either side of it."""
    spins = made({"wheel": ["draw"] * segments}).spins
    ways = (spins["segment"] == segment).nonzero()[0]
    assert list(zip(spins["tail"][ways].tolist(), spins["half"][ways].tolist(), strict=True)) == ends
    assert set(spins["town"][ways].tolist()) == {segment * 5 // segments}


def test_the_order_of_step_one() -> None:
    """Pointer action, tentacles, a Shambler, the Great Old One."""
    course = Arkamoore(bag="f", powers={"rage": []}, icon="rage power").wheel().course
    assert course == ["spin", "pointer", "power", "draw", "spawn", "great_old_one"]


# Pointer Actions


@pytest.mark.parametrize("colour", COLOURS)
def test_madness_of_ones_choice(colour: str) -> None:
    """Move one Madness Tentacle of your choice from the Shambler Mat to the Discard Mat."""
    town = Arkamoore(icon="madness", mat="ffrg", discard="g").wheel(wheel_madness=COLOURS[colour])
    assert town.legal("wheel_madness") == ["fear", "rage", "greed"]
    assert town.mat == "ffrg".replace(colour, "", 1)
    assert town.discard == "".join(sorted("g" + colour, key="frg".index))
    assert town.told("pointer")[0]["colour"] == "frg".index(colour)


@pytest.mark.parametrize(("mat", "legal"), [("fg", ["fear", "greed"]), ("r", ["rage"]), ("", [])])
def test_madness_that_is_there(mat: str, legal: list[str]) -> None:
    """Only what lies on the Shambler Mat can be moved."""
    town = Arkamoore(icon="madness", mat=mat).wheel(**({"wheel_madness": legal[0]} if len(legal) > 1 else {}))
    assert town.legal("wheel_madness") == legal
    assert town.discard == mat[:1]
    assert town.told("pointer")[0]["colour"] == ("frg".index(mat[0]) if mat else -1)


@pytest.mark.parametrize("colour", COLOURS)
def test_shambler_icon(colour: str) -> None:
    """A Shambler of the tail's colour comes to the town indicated; the Great Old One does not follow there."""
    town = Arkamoore(icon="shambler", colour=COLOURS[colour]).wheel(0)
    assert town.shamblers == [colour, "", colour, "", ""]
    assert town.goo == 2
    assert [event["source"] for event in town.told("spawn")] == ["pointer", "spin"]


@pytest.mark.parametrize(
    ("wanted", "there", "comes"),
    [("f", "rg", "r"), ("f", "g", "g"), ("r", "fg", "g"), ("r", "f", "f"), ("g", "fr", "f"), ("g", "r", "r")],
)
@pytest.mark.parametrize("icon", ["shambler", "draw"])
def test_the_next_colour_to_the_right(icon: str, wanted: str, there: str, comes: str) -> None:
    """If ever a Shambler of a color is unavailable, take one of the next color: Blue, Red, Green, Blue."""
    town = Arkamoore(icon=icon, colour=COLOURS[wanted], mat_shamblers=there * 2).wheel(0)
    assert town.shamblers == [comes if icon == "shambler" else "", "", comes, "", ""]


def test_no_shambler_at_all() -> None:
    """Nothing is placed; the Great Old One moves all the same, and no track is accursed."""
    town = Arkamoore(icon="shambler", shamblers={0: "fff", 1: "rrr", 2: "ggg"}, mat_shamblers="").wheel(0)
    assert town.shamblers == ["fff", "rrr", "ggg", "", ""]
    assert [event["colour"] for event in town.told("spawn")] == [-1, -1]
    assert (town.goo, town.discard, town.over) == (2, "", None)


def test_a_pointers_shambler_may_be_one_too_many() -> None:
    """The pointer's Shambler on a full track: it is accursed as by a spawn."""
    town = Arkamoore(icon="shambler", colour="rage", shamblers={0: "frg"}).wheel(0)
    assert town.shamblers == ["", "", "r", "", ""]
    assert (town.discard, town.eldritch_supply, town.town_eldritch) == ("e", 9, [1] * 5)
    assert [event["accursed"] for event in town.told("spawn")] == [True, False]


@pytest.mark.parametrize(("supply", "comes"), [(7, 1), (1, 1), (0, 0)])
def test_chaos_icon(supply: int, comes: int) -> None:
    """Add a Chaos Tentacle from the general supply to the Discard Mat; nothing if there is none."""
    town = Arkamoore(icon="chaos", chaos_supply=supply).wheel()
    assert (town.discard, town.chaos_supply) == ("c" * comes, supply - comes)


@pytest.mark.parametrize("colour", ["fear", "rage", "greed"])
def test_power_icon(colour: str) -> None:
    """Trigger the matching-colored power of the Great Old One."""
    move = {"do": "move", "what": "chaos", "from": "supply", "to": "discard", "n": 2}
    town = Arkamoore(icon=f"{colour} power", powers={colour: [move]}).wheel()
    assert town.discard == "cc"
    told = {"colour": ["fear", "rage", "greed"].index(colour), "cause": "wheel"}
    assert told.items() <= town.told("power")[0].items()
    assert Arkamoore(icon=f"{colour} power").wheel().told("power")


def test_draw_icon() -> None:
    """When drawing tentacles this turn, pull one additional tentacle: this turn, not the next."""
    town = Arkamoore(icon="draw", bag="ffffrrrr").wheel(draws="frrf")
    assert town.madness[0] == "ffrr"
    assert len(Arkamoore(icon="chaos", bag="ffffrrrr").wheel(draws="frr").told("draw")) == 3


# Draw Tentacles


@pytest.mark.parametrize(("strength", "n"), [(0, 3), (2, 3), (3, 4), (4, 5)])
def test_as_many_as_right_of_the_token(strength: int, n: int) -> None:
    """On the final number 3 space (three steps along 3, 3, 3, 4, 5) one draws four: the number to the right."""
    town = Arkamoore(icon="chaos", front=[3, 3, 3, 4, 5], strength=strength, bag="frg" * 4).wheel(draws="frgfr"[:n])
    assert len(town.told("draw")) == n


def test_the_back_has_a_track_of_its_own() -> None:
    """In Phase Two the numbers of the back count."""
    town = Arkamoore(icon="chaos", phase=2, front=[1, 1], back=[5, 6], bag="frg" * 4).wheel(draws="frgfr")
    assert len(town.told("draw")) == 5


@pytest.mark.parametrize(("bag", "drawn"), [("fr", "fr"), ("", "")])
def test_not_enough_in_the_bag(bag: str, drawn: str) -> None:
    """Draw as many as possible and continue the turn: the Shambler and the Great Old One come all the same."""
    town = Arkamoore(icon="chaos", bag=bag).wheel(draws=drawn)
    assert town.course == ["spin", "pointer", *["draw"] * len(drawn), "spawn", "great_old_one"]
    assert (town.bag, town.madness[0]) == ("", drawn)


def test_eldritch_fill_the_energy_track() -> None:
    """Eldritch Tentacles are placed on the Energy Track, two spaces, from the bottom to the top."""
    town = Arkamoore(icon="chaos", bag="eef").wheel(draws="eef")
    assert (town.energy, town.strength) == (2, 0)
    assert [event["accursed"] for event in town.told("draw")] == [False] * 3


def test_accursed_energy() -> None:
    """A third Eldritch: all of them, and all Madness and Chaos of the Discard Mat, into the bag; strength rises.

    Eldritch on the Discard Mat are not named: they stay.
    """
    town = Arkamoore(icon="chaos", bag="eff", energy=2, discard="frrggge", chaos_supply=1).wheel(draws="eff")
    assert town.told("draw")[0]["accursed"]
    assert town.told("draw")[0]["state"]["bag"] == [1 + 2, 2, 3, 1, 3]
    assert town.told("draw")[0]["state"]["strength"] == 0
    assert town.told("strength")[0]["state"]["strength"] == 1
    assert (town.energy, town.strength, town.discard) == (0, 1, "e")
    assert (town.bag, town.madness[0]) == ("frrgggceee", "ff")


def test_strength_that_rises_in_mid_draw_counts_from_the_next_turn() -> None:
    """Four of three steps along 3, 3, 3, 4, 5: three more tentacles this turn, then five."""
    town = Arkamoore(icon="chaos", bag="eff" + "g" * 9, energy=2, strength=3, chaos_supply=0).wheel(draws="effg")
    assert (town.strength, len(town.told("draw"))) == (4, 4)
    assert len(town.wheel(2, draws="ggggg").told("draw")) == 5


def test_chaos_comes_to_the_one_who_draws() -> None:
    """Two Chaos Tentacles at a time; what cannot be placed is lost to the general supply. Nothing is accursed."""
    town = Arkamoore(icon="draw", whose=1, bag="ccccf").wheel(draws="cccc")
    assert town.chaos == [0, 2]
    assert town.chaos_supply == 7 + 2
    assert not any(event["accursed"] for event in town.told("draw"))
    assert town.brain == [0, 0]


def test_madness_comes_to_its_track_in_the_pointers_town() -> None:
    """Each color to its own track, three spaces from left to right; only at the pointer's town."""
    town = Arkamoore(icon="draw", bag="ffrg", madness={3: "f", 0: "g"}).wheel(6, draws="frgf")
    assert town.madness == ["g", "", "", "fffrg", ""]


def test_accursed_madness() -> None:
    """The fourth of a color: all of it to the Shambler Mat, then the power of that color; other colors stay."""
    move = {"do": "move", "what": "colour", "from": "mat", "to": "discard", "n": 9}
    town = Arkamoore(icon="chaos", chaos_supply=0, bag="r", madness={0: "rrrgg"}, mat="r", powers={"rage": [move]})
    town.wheel()
    (drawn,) = town.told("draw")
    assert drawn["accursed"]
    assert (drawn["state"]["mat"], drawn["state"]["madness"][0]) == ([0, 5, 0], [0, 0, 2])
    assert (town.discard, town.mat, town.madness[0]) == ("rrrrr", "", "gg")
    assert {"colour": 1, "cause": "madness"}.items() <= town.told("power")[0].items()
    assert town.course == ["spin", "pointer", "draw", "power", "moved", "spawn", "great_old_one"]


def test_what_is_drawn_after_that_goes_on_the_emptied_track() -> None:
    """Accursed: additional tentacles are placed onto the empty track after it has been cleared."""
    town = Arkamoore(icon="draw", bag="ffff", madness={0: "fff"}).wheel(draws="ffff")
    assert [event["accursed"] for event in town.told("draw")] == [True, False, False, False]
    assert (town.madness[0], town.mat) == ("fff", "ffff")


def test_the_wheel_in_phase_two() -> None:
    """Step 1 is the same in both phases."""
    town = Arkamoore(phase=2, icon="chaos", colour="rage", bag="eff", madness={0: "fff"}).wheel(draws="eff")
    assert (town.discard, town.energy, town.madness[0], town.mat) == ("c", 1, "f", "ffff")
    assert (town.shamblers[2], town.goo) == ("r", 2)


# Spawn Shambler


def test_spawn() -> None:
    """A Shambler of the color where the tail points, onto that town's track, bottom to top."""
    town = Arkamoore(colour="fear", shamblers={2: "rg"}).wheel(0)
    assert (town.shamblers[2], town.mat_shamblers) == ("frg", "ffffrrrrgggg")
    told: dict[str, Any] = {"town": 2, "colour": 0, "accursed": False, "source": "spin"}
    assert told.items() <= town.told("spawn")[0].items()


def test_accursed_shamblers() -> None:
    """A fourth: all to the Shambler Mat; the town's Eldritch to the Discard Mat, a fresh one from the supply."""
    town = Arkamoore(colour="fear", shamblers={2: "rrg", 1: "r"}).wheel(0)
    assert (town.shamblers, town.mat_shamblers) == (["", "r", "", "", ""], "fffffrrrrggggg")
    assert (town.discard, town.town_eldritch, town.eldritch_supply) == ("e", [1] * 5, 9)
    assert town.told("spawn")[0]["accursed"]


# Move the Great Old One


def test_the_great_old_one_moves_to_the_new_shambler() -> None:
    """To the Town Card where the Shambler was placed, also if its track was accursed; players there are not harmed."""
    town = Arkamoore(goo=4, at=[2, 2], temper="ff").wheel(0)
    assert (town.goo, town.at, town.temper[0], town.brain) == (2, [2, 2], "ff", [0, 0])
    assert Arkamoore(shamblers={2: "fff"}).wheel(0).goo == 2
    assert town.told("great_old_one")[0]["town"] == 2
