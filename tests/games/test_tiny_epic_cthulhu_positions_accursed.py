"""Witness 1: Accursed in Tiny Epic Cthulhu, each kind of track, and chains of them, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tiny_epic_cthulhu_position import COLOURS, Arkamoore

DRAW: dict[str, Any] = {"do": "draw"}
FEED: dict[str, Any] = {"do": "feed"}
SPAWN: dict[str, Any] = {"do": "spawn"}

# A track becomes accursed when it is already full and another one needs to be placed.


@pytest.mark.parametrize("letter", "frg")
@pytest.mark.parametrize(("there", "is_accursed"), [(1, False), (2, False), (3, True)])
def test_madness_tracks(letter: str, there: int, is_accursed: bool) -> None:
    """Madness Tracks have three spaces: the third fills it, the fourth is one too many."""
    town = Arkamoore(icon="chaos", chaos_supply=0, bag=letter, madness={0: letter * there}).wheel()
    assert town.told("draw")[0]["accursed"] is is_accursed
    assert town.madness[0] == ("" if is_accursed else letter * (there + 1))
    assert town.mat == (letter * 4 if is_accursed else "")
    assert len(town.told("power")) == is_accursed


@pytest.mark.parametrize(("there", "is_accursed"), [("", False), ("rg", False), ("fgr", True), ("ggg", True)])
def test_shambler_tracks(there: str, is_accursed: bool) -> None:
    """Shambler Tracks have three spaces for Shamblers of any color."""
    town = Arkamoore(colour="rage", shamblers={2: there}).wheel(0)
    assert town.told("spawn")[0]["accursed"] is is_accursed
    assert len(town.shamblers[2]) == (0 if is_accursed else len(there) + 1)
    assert town.discard == ("e" if is_accursed else "")


@pytest.mark.parametrize("letter", "frg")
@pytest.mark.parametrize(("there", "is_accursed"), [(0, False), (1, False), (2, True)])
def test_temperament_tracks(letter: str, there: int, is_accursed: bool) -> None:
    """Temperament Tracks have two spaces: all of it and the one drawn to the Shambler Mat; the Brain Token rises."""
    others = "frg".replace(letter, "")
    town = Arkamoore(temper=letter * there + others, shamblers={1: "g"}, bag=letter)
    town.actions(action="1 clockwise")
    assert town.told("draw")[0]["accursed"] is is_accursed
    assert sorted(town.temper[0]) == sorted(others + ("" if is_accursed else letter * (there + 1)))
    assert town.mat == (letter * 3 if is_accursed else "")
    assert town.brain == [int(is_accursed), 0]


@pytest.mark.parametrize(("there", "is_accursed"), [(0, False), (1, False), (2, True)])
@pytest.mark.parametrize("phase", [1, 2])
def test_the_energy_track(there: int, is_accursed: bool, phase: int) -> None:
    """The Energy Track has two spaces, on either side."""
    town = Arkamoore(phase=phase, goo=4, energy=there, shamblers={1: "g"}, bag="e").actions(action="1 clockwise")
    assert town.told("draw")[0]["accursed"] is is_accursed
    assert (town.energy, town.strength) == ((0, 1) if is_accursed else (there + 1, 0))
    assert town.bag == ("eee" if is_accursed else "")


# Consequences of temperament


def test_brain_token_goes_up_a_space_each_time() -> None:
    """The first time onto the bottom space, then up; on the fourth space one has gone mad."""
    town = Arkamoore(temper="ff", shamblers={1: "fff"}, bag="fff").actions(action="1 clockwise")
    assert town.brain == [1, 0]
    assert town.temper[0] == "ff"
    town = Arkamoore(brain=2, temper="rr", shamblers={1: "f"}, bag="r").actions(action="1 clockwise")
    assert (town.brain, town.over) == ([3, 0], None)
    town = Arkamoore(brain=3, temper="gg", shamblers={1: "f"}, bag="g").actions(action="1 clockwise")
    assert (town.brain, town.over, town.result("track")) == ([4, 0], "delirium", "greed")


def test_only_the_one_who_draws_goes_delirious() -> None:
    """Your Brain Token: other players' tracks and tokens stay."""
    town = Arkamoore(3, whose=2, temper=["ff", "ff", "ff"], shamblers={1: "f"}, bag="f").actions(action="1 clockwise")
    assert (town.brain, town.temper) == ([0, 0, 1], ["ff", "ff", ""])


def test_madness_collected_or_moved_by_choice_never_makes_a_track_accursed() -> None:
    """A player cannot collect more than they have spaces for; neither can effects put more there."""
    moves = {"do": "move", "what": "madness", "from": "discard", "to": "you", "n": 5}
    town = Arkamoore(temper="ffr", madness={0: "ff"}, discard="ffrr", effects=[moves])
    town.actions(action="town action", tentacle="rage")
    assert town.legal("tentacle") == ["rage", "stop"]
    assert (town.temper[0], town.brain) == ("ffrr", [0, 0])
    assert "collect" not in town.legal("action")


# Chains


def test_energy_in_mid_draw_refills_the_bag() -> None:
    """The bag runs out with the third Eldritch; it is refilled at once, and the draws go on from it."""
    town = Arkamoore(icon="draw", bag="e", energy=2, discard="g").wheel(draws="eege")
    assert (town.bag, town.energy, town.strength) == ("e", 2, 1)
    assert town.madness[0] == "g"


def test_energy_twice_in_one_step() -> None:
    """Two steps of strength in one turn, if the Eldritch come back that soon."""
    town = Arkamoore(icon="draw", bag="e", energy=2).wheel(draws="eeee")
    assert [event["accursed"] for event in town.told("draw")] == [True, False, False, True]
    assert (town.strength, town.energy, town.bag) == (2, 0, "eee")


def test_madness_then_power_then_draw_then_temperament_then_lost() -> None:
    """The fourth fear: the power makes the seat draw, rage is one too many, the fourth time: mad."""
    town = Arkamoore(icon="draw", powers={"fear": [DRAW]}, bag="ffr", madness={0: "fff"}, temper="rr", brain=3)
    town.turn(draws="fr")
    assert town.course == ["spin", "pointer", "draw", "power", "draw", "delirium", "end"]
    assert (town.over, town.result("trigger"), town.result("track")) == ("delirium", "power by madness", "rage")
    assert (town.result("power"), town.result("n_accursed"), town.result("n_draws")) == ("fear", 1, 1)
    assert town.bag == "f"


def test_madness_then_power_then_energy_then_lost() -> None:
    """A power that feeds the Energy Track can end the game."""
    town = Arkamoore(icon="draw", powers={"rage": [FEED]}, bag="rf", madness={0: "rrr"}, energy=2, strength=4)
    town.turn(draws="r")
    assert town.course == ["spin", "pointer", "draw", "power", "fed", "strength", "end"]
    assert (town.over, town.result("trigger"), town.result("track")) == ("strength", "power by madness", "energy")
    assert (town.result("power"), town.result("strength"), town.result("strength_left")) == ("rage", 5, 0)


def test_power_of_the_wheel_that_ends_the_game() -> None:
    """Nothing follows: no draws, no Shambler, no move of the Great Old One, no actions."""
    town = Arkamoore(icon="greed power", powers={"greed": [FEED]}, bag="ff", energy=2, strength=4).turn()
    assert town.course == ["spin", "pointer", "power", "fed", "strength", "end"]
    assert (town.result("trigger"), town.result("power"), town.goo) == ("power by wheel", "greed", 3)


def test_a_power_changes_the_track_that_is_being_drawn_onto() -> None:
    """The power comes at once: it fills the emptied track, and the next tentacle of the draw is one too many again."""
    fill = {"do": "move", "what": "colour", "from": "mat", "to": "discard", "n": 4}
    powers = {"greed": [fill, {"do": "fill"}]}
    town = Arkamoore(icon="draw", powers=powers, bag="gggg", madness={0: "ggg"}).wheel(draws="gggg")
    # the first: accursed, 4 on the mat, to the discard, 1 back on the track; then 2, 3, and the fourth is accursed
    assert [event["accursed"] for event in town.told("draw")] == [True, False, False, True]
    assert (town.madness[0], town.mat, town.discard) == ("g", "", "g" * 6)


def test_two_madness_tracks_in_one_step() -> None:
    """Each has its own power, in the order drawn."""
    town = Arkamoore(icon="draw", bag="frff", madness={0: "fffrrr"}).wheel(draws="rfff")
    assert [event["colour"] for event in town.told("power")] == [1, 0]
    assert (town.madness[0], town.mat) == ("ff", "ffffrrrr")


def test_spawn_with_no_eldritch_in_the_supply() -> None:
    """The town's Eldritch goes to the Discard Mat; no fresh one comes."""
    town = Arkamoore(shamblers={2: "frg"}, eldritch_supply=0).wheel(0)
    assert (town.discard, town.town_eldritch, town.eldritch_supply) == ("e", [1, 1, 0, 1, 1], 0)


def test_spawn_where_no_eldritch_lies() -> None:
    """Accursed once more without one: the Shamblers go, there is nothing to move."""
    town = Arkamoore(shamblers={2: "frg"}, eldritch_supply=0, town_eldritch=[1, 1, 0, 1, 1]).wheel(0)
    assert (town.discard, town.town_eldritch, town.shamblers[2]) == ("", [1, 1, 0, 1, 1], "")


def test_a_fresh_eldritch_comes_from_the_supply() -> None:
    """Then place a fresh Eldritch Tentacle onto the Town Card from the general supply, whether one lay there or not."""
    town = Arkamoore(shamblers={2: "frg"}, eldritch_supply=3, town_eldritch=[1, 1, 0, 1, 1]).wheel(0)
    assert (town.discard, town.town_eldritch, town.eldritch_supply) == ("", [1] * 5, 2)


def test_accursed_shamblers_are_there_again_for_the_next() -> None:
    """A power that spawns two: the first is one too many, the second comes onto the emptied track."""
    powers = {"fear": [SPAWN | {"n": 2}]}
    town = Arkamoore(icon="fear power", colour="greed", powers=powers, shamblers={0: "ggg"}, mat_shamblers="f")
    town.wheel(0)
    assert [event["accursed"] for event in town.told("spawn")] == [True, False, False]
    assert (town.shamblers, town.mat_shamblers) == (["f", "", "g", "", ""], "gg")


def test_a_shambler_of_the_next_colour_can_be_the_one_too_many() -> None:
    """No blue one is left, a red one needs to be placed: the track is accursed, and the red one goes back too."""
    town = Arkamoore(colour="fear", shamblers={2: "fff", 1: "ff"}, mat_shamblers="rg").wheel(0)
    assert {"colour": 1, "accursed": True}.items() <= town.told("spawn")[0].items()
    assert (town.mat_shamblers, town.shamblers[2]) == ("fffrg", "")


def test_draws_go_on_after_an_accursed_track_of_a_seat() -> None:
    """Three Shamblers, three tentacles: temperament accursed, energy accursed, then Chaos."""
    town = Arkamoore(temper="ff", energy=2, shamblers={1: "frg"}, bag="fec", discard="f")
    town.actions(action="1 clockwise", draws="fec")
    assert town.course == ["move", "draw", "delirium", "draw", "strength", "draw", "stop"]
    assert (town.temper[0], town.chaos, town.brain) == ("", [1, 0], [1, 0])
    assert (town.strength, town.bag, town.mat) == (1, "feee", "fff")


def test_two_temperament_tracks_in_one_action() -> None:
    """One or more may become accursed: the Brain Token goes up for each."""
    town = Arkamoore(temper="ffgg", shamblers={1: "frg"}, bag="fgf").actions(action="1 clockwise", draws="fgf")
    assert (town.brain, town.temper[0], town.mat) == ([2, 0], "f", "fffggg")
    town = Arkamoore(temper="ffgg", brain=2, shamblers={1: "frg"}, bag="fgf").actions(action="1 clockwise", draws="fg")
    assert (town.over, town.bag, town.result("held")) == ("delirium", "f", [0, 0])


def test_chaos_beside_shamblers() -> None:
    """No Chaos Track is ever accursed: what does not fit is lost to the general supply."""
    town = Arkamoore(chaos=1, shamblers={1: "frg"}, bag="ccc").actions(action="1 clockwise")
    assert (town.chaos[0], town.chaos_supply, town.brain[0]) == (2, 7 + 2, 0)


def test_strength_can_be_lost_while_moving() -> None:
    """Eldritch drawn beside Shamblers fill the Energy Track like any other; the actions that are left are lost."""
    town = Arkamoore(energy=2, strength=4, shamblers={1: "fr"}, bag="ef").actions(action="1 clockwise", draws="e")
    assert (town.over, town.result("trigger"), town.result("track")) == ("strength", "stop", "energy")
    assert town.course == ["move", "draw", "strength", "end"]


@pytest.mark.parametrize("colour", COLOURS)
def test_nothing_happens_when_another_colour_is_full(colour: str) -> None:
    """Tracks are accursed by a tentacle of their own color only."""
    full = "".join(letter * 3 for letter in COLOURS if letter != colour)
    town = Arkamoore(bag=colour, madness={0: full}).wheel()
    assert sorted(town.madness[0]) == sorted(full + colour)
    assert not town.told("power")
