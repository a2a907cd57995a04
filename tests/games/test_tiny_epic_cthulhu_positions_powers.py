"""Witness 1: powers of the Great Old One in Tiny Epic Cthulhu: every effect that one can have, and the printed ones."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.games.tiny_epic_cthulhu import GAME
from tests.games.tiny_epic_cthulhu_position import Arkamoore

COLOURS = ("fear", "rage", "greed")
PAGES = {0: "1 ff r", 1: "2 rr f", 2: "3 gg f", 3: "4 fr g", 4: "5 rg g"}


def move(what: str, source: str, target: str, n: int = 1) -> dict[str, Any]:
    """Tentacles change places."""
    return {"do": "move", "what": what, "from": source, "to": target, "n": n}


def routes(sources: list[str], targets: list[str]) -> list[tuple[str, str]]:
    """From each place to each other."""
    return [(source, target) for source in sources for target in targets if source != target]


def unleashed(*effects: dict[str, Any], colour: str = "rage", segment: int = 0, **position: Any) -> Arkamoore:
    """A power by the wheel's icon; the bag is empty but for what the power draws, and no Shambler comes after."""
    draws = position.pop("draws", "")
    town = Arkamoore(icon=f"{colour} power", powers={colour: effects}, front=[0, 0, 0], back=[0, 0], **position)
    return town.wheel(segment, draws=draws)


def test_a_power_is_unleashed_even_if_it_does_nothing() -> None:
    """It is told of, with its color and what set it off."""
    town = unleashed()
    assert {"colour": 1, "cause": "wheel", "seat": 0}.items() <= town.told("power")[0].items()


# move: of the power's color


@pytest.mark.parametrize(("source", "target"), routes(["mat", "discard"], ["mat", "discard", "bag"]))
@pytest.mark.parametrize(("there", "n"), [(3, 2), (1, 2), (0, 2)])
def test_move_of_its_colour(source: str, target: str, there: int, n: int) -> None:
    """As many as there are, up to n, of that color; nobody is asked."""
    town = unleashed(move("colour", source, target, n), **{source: "f" + "r" * there})
    moved = min(there, n)
    assert getattr(town, source) == "f" + "r" * (there - moved)
    assert getattr(town, target) == "r" * moved
    told = {"what": "rage", "source": source, "target": target, "number": moved, "seat": None}
    assert [told.items() <= event.items() for event in town.told("moved")] == [True] * bool(moved)


@pytest.mark.parametrize("target", ["mat", "discard", "bag"])
def test_move_from_players(target: str) -> None:
    """From every seat up to n, of that color."""
    town = unleashed(move("colour", "players", target, 1), colour="greed", players=3, temper=["ggf", "", "gr"])
    assert (town.temper, getattr(town, target)) == (["fg", "", "r"], "gg")
    assert town.told("moved")[0]["number"] == 2
    town = unleashed(move("colour", "players", target, 3), colour="greed", players=3, temper=["ggf", "", "gr"])
    assert (town.temper, getattr(town, target)) == (["f", "", "r"], "ggg")
    assert not unleashed(move("colour", "players", target), temper=["ff", "g"]).told("moved")


# move: chaos and Eldritch


@pytest.mark.parametrize(("source", "target"), routes(["supply", "discard"], ["discard", "bag", "supply"]))
@pytest.mark.parametrize(("there", "n"), [(3, 2), (1, 2), (0, 1)])
def test_move_chaos(source: str, target: str, there: int, n: int) -> None:
    """As many as there are, up to n."""
    pile = {"chaos_supply": there} if source == "supply" else {"discard": "f" + "c" * there, "chaos_supply": 0}
    town = unleashed(move("chaos", source, target, n), **pile)
    moved = min(there, n)
    at = {"supply": town.chaos_supply, "discard": town.discard.count("c"), "bag": town.bag.count("c")}
    assert (at[source], at[target]) == (there - moved, moved)
    assert len(town.told("moved")) == bool(moved)


@pytest.mark.parametrize(("source", "target"), routes(["energy", "discard", "supply"], ["bag", "discard", "supply"]))
@pytest.mark.parametrize(("there", "n"), [(2, 1), (1, 3), (0, 1)])
def test_move_eldritch(source: str, target: str, there: int, n: int) -> None:
    """As many as there are, up to n; nothing is accursed by it."""
    piles: dict[str, Any] = {"eldritch_supply": 0}
    piles |= {"energy": {"energy": there}, "discard": {"discard": "e" * there}, "supply": {"eldritch_supply": there}}[
        source
    ]
    town = unleashed(move("eldritch", source, target, n), **piles)
    moved = min(there, n)
    at = {"energy": town.energy, "discard": len(town.discard), "supply": town.eldritch_supply, "bag": len(town.bag)}
    assert (at[source], at[target]) == (there - moved, moved)
    assert town.strength == 0


# feed, draw


@pytest.mark.parametrize(("energy", "n", "strength", "left"), [(0, 2, 0, 2), (1, 2, 1, 0), (2, 1, 1, 0), (2, 2, 1, 1)])
def test_feed(energy: int, n: int, strength: int, left: int) -> None:
    """Eldritch from the supply to the Energy Track, one by one: it may become accursed, as by a draw."""
    town = unleashed({"do": "feed", "n": n}, energy=energy, discard="frc", eldritch_supply=5)
    assert (town.energy, town.strength, town.eldritch_supply) == (left, strength, 5 - n)
    assert (town.discard, town.bag) == (("", "frceee") if strength else ("frc", ""))
    assert [event["accursed"] for event in town.told("fed")] == [energy + i == 2 for i in range(n)]


def test_feed_from_an_empty_supply() -> None:
    """Only what there is."""
    town = unleashed({"do": "feed", "n": 3}, eldritch_supply=1)
    assert (town.energy, town.eldritch_supply, len(town.told("fed"))) == (1, 0, 1)
    assert not unleashed({"do": "feed"}, eldritch_supply=0).told("fed")


def test_draw_you() -> None:
    """The seat whose turn it is draws onto its player mat, not onto the town."""
    town = unleashed({"do": "draw", "n": 3}, whose=1, bag="frc", draws="rcf")
    assert (town.temper, town.chaos, town.madness[0]) == (["", "fr"], [0, 1], "")
    assert {event["source"] for event in town.told("draw")} == {"power"}


def test_draw_all() -> None:
    """Every seat draws n, the active one first, then clockwise; tracks may become accursed."""
    town = unleashed(
        {"do": "draw", "who": "all", "n": 2}, players=3, whose=1, bag="ffrrge", draws="ffrrge", temper=["g"]
    )
    assert (town.temper, town.energy) == (["g" * 2, "ff", "rr"], 1)
    assert [event["seat"] for event in town.told("draw")] == [1, 1, 2, 2, 0, 0]
    town = unleashed({"do": "draw", "who": "all"}, bag="ff", draws="ff", temper=["ff", "ff"])
    assert (town.temper, town.brain, town.mat) == (["", ""], [1, 1], "ffffff")


def test_draw_from_an_empty_bag() -> None:
    """As many as possible."""
    town = unleashed({"do": "draw", "who": "all"}, players=4, bag="ff", draws="ff")
    assert town.temper == ["f", "f", "", ""]


def test_draw_ends_with_the_game() -> None:
    """The first seat goes mad: the second draws nothing."""
    town = unleashed({"do": "draw", "who": "all"}, bag="ff", temper=["ff"], brain=3, draws="f")
    assert (town.over, town.bag) == ("delirium", "f")


# fill, spawn, hide


@pytest.mark.parametrize(
    ("n", "discard", "madness"),
    [
        (1, "rr", ["", "rrr", "rf", "r", "r"]),
        (2, "rr", ["r", "rrr", "rf", "r", "r"]),
        (5, "rrrrrr", ["r", "rrr", "frr", "rr", "r"]),
        (3, "", ["", "rrr", "fr", "r", ""]),
    ],
)
def test_fill(n: int, discard: str, madness: list[str]) -> None:
    """The first n towns with room, clockwise from the pointer's (here 4), get one each from the Discard Mat."""
    there = {1: "rrr", 2: "fr", 3: "r"}
    town = unleashed({"do": "fill", "n": n}, segment=8, madness=there, discard="g" + discard)
    assert town.madness == ["".join(sorted(track, key="frg".index)) for track in madness]
    n_filled = sum(map(len, madness)) - 6
    assert town.discard == "r" * (len(discard) - n_filled) + "g"
    assert [sum(event["towns"]) for event in town.told("fill")] == [n_filled] * bool(n_filled)


def test_fill_with_no_room() -> None:
    """Nothing is accursed, nothing told."""
    town = unleashed({"do": "fill", "n": 2}, madness=dict.fromkeys(range(5), "rrr"), discard="rrr")
    assert (town.discard, town.told("fill")) == ("rrr", [])


@pytest.mark.parametrize(("where", "at"), [("pointer", 1), ("great-old-one", 4)])
def test_spawn(where: str, at: int) -> None:
    """Shamblers of the power's color to the pointer's town or the Great Old One's, which does not move for them."""
    town = unleashed({"do": "spawn", "where": where, "n": 2}, segment=2, goo=4, colour="rage")
    assert town.shamblers[at] == "rr"
    told = {"town": at, "colour": 1, "source": "power", "accursed": False}
    assert told.items() <= town.told("spawn")[0].items()
    assert town.told("spawn")[1]["state"]["goo"] == 4
    assert town.goo == 3  # the wheel's own Shambler draws it there


def test_spawn_onto_a_full_track() -> None:
    """As by the wheel: all go back, the Eldritch to the Discard Mat, a fresh one comes."""
    town = unleashed({"do": "spawn"}, shamblers={0: "fgg"})
    assert (town.shamblers[0], town.discard, town.eldritch_supply) == ("", "e", 9)


@pytest.mark.parametrize(
    ("n", "up"), [(1, [True, False, False, True, True]), (2, [True, False, False, False, True]), (5, [False] * 5)]
)
def test_hide(n: int, up: list[bool]) -> None:
    """The first n face-up pages, clockwise from the pointer's town (here 1, whose page lies face down already)."""
    town = unleashed({"do": "hide", "n": n}, segment=2, pages=PAGES, down=[1])
    assert town.face_up == up
    assert town.known == [True, False, True, True, True]
    assert sum(town.told("hide")[0]["towns"]) == min(n, 4)


def test_hide_where_nothing_lies_face_up() -> None:
    """Nothing is told."""
    assert not unleashed({"do": "hide"}, pages=PAGES, down=range(5)).told("hide")
    assert not unleashed({"do": "hide"}).told("hide")


# Lists of effects, sides of the mat, accursed Madness


def test_effects_are_carried_out_in_order() -> None:
    """What the first moves, the second may use."""
    effects = [move("colour", "mat", "discard", 2), {"do": "fill", "n": 5}]
    assert unleashed(*effects, mat="rrr").madness == ["r", "r", "", "", ""]


@pytest.mark.parametrize("phase", [1, 2])
def test_the_back_may_have_powers_of_its_own(phase: int) -> None:
    """`back_powers` count in Phase Two, if given; without them the front's do."""
    front, back = {"fear": [move("chaos", "supply", "discard")]}, {"fear": [move("chaos", "supply", "discard", 2)]}
    town = Arkamoore(icon="fear power", phase=phase, powers=front, back_powers=back).wheel()
    assert town.discard == "c" * phase
    assert Arkamoore(icon="fear power", phase=phase, powers=front).wheel().discard == "c"


@pytest.mark.parametrize("colour", COLOURS)
def test_accursed_madness_unleashes_its_own_colour(colour: str) -> None:
    """And no other; the color of what is moved is the power's."""
    powers = {name: [move("colour", "mat", "bag", 1 + place)] for place, name in enumerate(COLOURS)}
    letter = colour[0]
    town = Arkamoore(icon="chaos", powers=powers, bag=letter, madness={0: letter * 3}, front=[1, 1]).wheel()
    assert (town.bag, town.mat) == (letter * (1 + COLOURS.index(colour)), letter * (3 - COLOURS.index(colour)))


# What the four Great Old Ones have here (assumed: the mats are pictured)

PRINTED = {
    ("nyarlathotep", "fear"): {"face_up": [False, True, True, True, True]},
    ("nyarlathotep", "rage"): {"mat": "frrg", "discard": "fffrrggg"},
    ("nyarlathotep", "greed"): {"madness": ["g", "", "", "", ""], "discard": "fffrrrgg"},
    ("yog_sothoth", "fear"): {"face_up": [False, False, False, True, True]},
    ("yog_sothoth", "rage"): {"shamblers": ["r", "", "", "", ""]},
    ("yog_sothoth", "greed"): {"discard": "fffrrrggge", "eldritch_supply": 9},
    ("yig", "fear"): {"temper": ["f", ""]},
    ("yig", "rage"): {"shamblers": ["r", "", "", "", ""]},
    ("yig", "greed"): {"madness": ["g", "g", "g", "", ""], "discard": "fffrrr"},
    ("cthulhu", "fear"): {"temper": ["f", ""], "face_up": [False, False, True, True, True]},
    ("cthulhu", "rage"): {"shamblers": ["", "", "", "", "r"]},
    ("cthulhu", "greed"): {"energy": 1, "eldritch_supply": 9},
}


@pytest.mark.parametrize(("who", "colour"), PRINTED)
def test_printed_powers(who: str, colour: str) -> None:
    """The twelve powers as the components have them."""
    there = {"goo": 4, "pages": PAGES, "mat": "frg", "discard": "fffrrrggg", "mat_shamblers": "r"}
    effects = GAME.components[who].value["powers"][colour]
    draws = "".join(PRINTED[who, colour].get("temper", ""))
    town = unleashed(*effects, colour=colour, bag="ffff", draws=draws, **there)
    for name, value in PRINTED[who, colour].items():
        assert getattr(town, name) == value
