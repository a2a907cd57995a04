"""Witness 1: the rows and tallies of Tiny Epic Cthulhu, counted by hand for single turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.games.tiny_epic_cthulhu import GAME
from tests.games.tiny_epic_cthulhu_position import MINE, Arkamoore


def counted(town: Arkamoore, tally: str) -> dict[tuple[str, ...], int]:
    """The cells of a tally that are not empty, by the names of their keys."""
    counts = town.results.counts[tally][..., MINE]  # deals belong to a group each
    keys = next(declared.keys for declared in GAME.tallies if declared.name == tally)
    names = [key.labels or tuple(map(str, range(size))) for key, size in zip(keys, counts.shape, strict=True)]
    cells = zip(*np.nonzero(counts), strict=True)
    return {tuple(name[k] for name, k in zip(names, cell, strict=True)): int(counts[cell]) for cell in cells}


def test_a_turn_that_wins() -> None:
    """Everything that can be done, once or more, by seat 1."""
    calm = {"do": "move", "what": "chaos", "from": "supply", "to": "discard"}
    town = Arkamoore(
        whose=1, phase=2, goo=1, portals="frrrg.", runes=["", "gg"], chaos=[0, 2], pages={1: "1 r f"}, strength=1,
        madness={0: "rrg"}, shamblers={1: "fg"}, bag="cg", temper=["ff", ""], effects=[calm], who={"effects": [calm]},
        rules={"actions": 5}, brain=[2, 1],
    )  # fmt: skip
    town.actions(
        action=["collect", "collect", "1 clockwise", "banish", "ability", "town action"],
        collect=["greed", "rage", "rage"], draws="cg", dice=[1, 1, 2, 1], reroll_banish="keep", banish="greed",
        chaos_paid=["0", "0"], chaos_action=["translate", "seal"], reroll_seal="keep",
    )  # fmt: skip
    games: dict[str, Any] = {"phase": 2, "strength": 1, "strength_left": 2, "brain": 2, "pages": 1, "portals": 6}
    games |= {"trigger": "seal", "track": "none", "power": "none", "n_draws": 0, "n_strength": 0, "n_accursed": 0}
    games |= {"shamblers_left": 14, "won": True}
    seats: dict[str, Any] = {
        "n_moves": 1, "n_collects": 2, "n_collected": 3, "n_banishes": 1, "n_banished": 1, "n_towns": 1,
        "n_translated": 1, "n_seals": 1, "n_sealed": 1, "n_abilities": 1, "n_extra": 2, "n_stop_draws": 2, "runes": 3,
        "held": 1, "sides_used": 4, "character": 1,
    }  # fmt: skip
    assert {name: town.result(name) for name in games} == games
    assert {name: town.result(name)[1] for name in seats} == seats
    assert [town.result(name)[0] for name in ("n_moves", "n_extra", "held", "sides_used")] == [0, 0, 2, 0]
    assert {column.name for column in GAME.columns} <= {*games}
    assert counted(town, "actions") == {
        ("1", "two", "collect", "regular"): 2,
        ("1", "two", "move", "regular"): 1,
        ("1", "two", "banish", "regular"): 1,
        ("1", "two", "ability", "regular"): 1,
        ("1", "two", "town action", "regular"): 1,
        ("1", "two", "translate", "paid with chaos"): 1,
        ("1", "two", "seal", "paid with chaos"): 1,
    }
    assert counted(town, "draws") == {("two", "stop", "chaos"): 1, ("two", "stop", "greed"): 1}
    assert counted(town, "accursed") == {}


def test_what_was_under_way() -> None:
    """Draws and accursed tracks by what they came from: pointer, wheel draw, powers, spin, stop, effects."""
    draw: dict[str, Any] = {"do": "draw"}
    town = Arkamoore(
        icon="rage power", powers={"rage": [draw], "fear": [draw, {"do": "spawn"}]}, who={"effects": [draw]},
        front=[2, 2], bag="rfgfcf", madness={0: "fff"}, temper="rr", shamblers={0: "fgg", 2: "frg", 1: "r"}, at=[0, 2],
    )  # fmt: skip
    town.turn(0, draws="rfgfcf", action=["ability", "1 clockwise", "stop"])
    # rage by the power; the fear drawn is one too many: greed by its power, and a Shambler too many; then fear
    assert counted(town, "draws") == {
        ("one", "power by wheel", "rage"): 1,
        ("one", "wheel draw", "fear"): 2,
        ("one", "power by madness", "greed"): 1,
        ("one", "ability", "chaos"): 1,
        ("one", "stop", "fear"): 1,
    }
    assert counted(town, "accursed") == {
        ("one", "power by wheel", "temper rage"): 1,
        ("one", "wheel draw", "madness fear"): 1,
        ("one", "power by madness", "shambler"): 1,
        ("one", "spin", "shambler"): 1,
    }
    assert counted(town, "actions") == {
        ("0", "one", "ability", "regular"): 1,
        ("0", "one", "move", "regular"): 1,
        ("0", "one", "stop", "regular"): 1,
    }


def test_a_stop_that_is_not_asked_counts() -> None:
    """Turns end with a stop, whether somebody says so or nothing else is open."""
    town = Arkamoore().actions(action=["1 clockwise", "1 back", "1 clockwise"])
    assert [deed for _, _, deed, _ in counted(town, "actions")] == ["move", "stop"]


def test_a_town_action_of_the_pointers_draw() -> None:
    """Energy by the wheel's draw; an accursed track by the pointer's Shambler; by a town action."""
    draw: dict[str, Any] = {"do": "draw"}
    town = Arkamoore(
        icon="shambler", shamblers={0: "frg"}, bag="eg", energy=2, front=[1, 1, 1], effects=[draw], temper="gg"
    )
    town.turn(0, draws="eg", action=["town action", "stop"])
    assert counted(town, "accursed") == {
        ("one", "pointer", "shambler"): 1,
        ("one", "wheel draw", "energy"): 1,
        ("one", "town action", "temper greed"): 1,
    }
