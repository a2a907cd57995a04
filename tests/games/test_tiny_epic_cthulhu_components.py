"""Witness 1: what an experiment may change in the box of Tiny Epic Cthulhu, and how it is told what it may not."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from simkit.errors import UserError
from simkit.experiment import parse
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.plan import make_plan
from simkit.planning.settings import rules_with
from tests.games.tiny_epic_cthulhu_position import Arkamoore

PRINTED = {name: GAME.components[name].value for name in GAME.components}
NAMES = [side["name"] for card in PRINTED["town_cards"] for side in (card["front"], card["back"])]
FOUR = ["historian", "priest", "sailor", "medium"]


def refused(**changes: Any) -> str:
    """What an experiment is told that sets these rules."""
    with pytest.raises(UserError) as told:
        rules_with(GAME, changes)
    message = str(told.value)
    assert "\n" not in message
    assert "experiment" in message
    return message


def cards(**changes: Any) -> list[dict[str, Any]]:
    """The printed town cards, the first front changed."""
    changed = deepcopy(PRINTED["town_cards"])
    changed[0]["front"].update(changes)
    return changed


def custom(**changes: Any) -> dict[str, Any]:
    """A Great Old One of one's own."""
    return deepcopy(PRINTED["custom"]) | changes


def powers(*effects: dict[str, Any]) -> dict[str, Any]:
    """One whose green power does this."""
    return custom(powers={"fear": [], "rage": [], "greed": [*effects]})


def move(what: str, source: str, target: str) -> dict[str, Any]:
    """A tentacle changes places."""
    return {"do": "move", "what": what, "from": source, "to": target}


# Town cards


@pytest.mark.parametrize(
    ("wrong", "wanted"),
    [
        (PRINTED["town_cards"][:4], "at least 5"),
        ([*PRINTED["town_cards"], PRINTED["town_cards"][0]], "at most 5"),
        (cards(effects=[move("madness", "here", "here")]), "madness must move from here, discard, mat, you to another"),
        (cards(effects=[move("madness", "bag", "you")]), "found from bag to you"),
        (cards(effects=[move("madness", "energy", "you")]), "found from energy to you"),
        (cards(effects=[move("madness", "attic", "you")]), "must be 'bag', 'discard', 'mat'"),
        (cards(effects=[move("chaos", "supply", "here")]), "chaos must move from supply, discard to another of you"),
        (cards(effects=[move("eldritch", "energy", "you")]), "eldritch must move from energy, discard, supply"),
        (cards(effects=[move("colour", "mat", "discard")]), "must not move `colour`"),
        (cards(effects=[{"do": "draw", "who": "all"}]), 'must draw for "you"'),
        (cards(effects=[{"do": "draw", "n": 0}]), "at least 1"),
        (cards(effects=[{"do": "draw", "n": 10}]), "at most 9"),
        (cards(colours=["blue", "red"]), "must be 'fear', 'rage' or 'greed'"),
        (cards(name=""), "must not be empty"),
        (cards(name="x" * 31), "at most 30 characters"),
        (cards(cost=1), "no known key"),
    ],
)
def test_wrong_town_cards(wrong: Any, wanted: str) -> None:
    """Five of them; sides with a name, two colours, and effects that a seat may have."""
    message = refused(town_cards=wrong)
    assert "`rules.town_cards" in message
    assert wanted in message


@pytest.mark.parametrize("effect", ["fly", "spawn", "feed", "fill", "hide"])
def test_effects_that_a_town_cannot_have(effect: str) -> None:
    """The message lists those that it can."""
    message = refused(town_cards=cards(effects=[{"do": effect}]))
    assert "`rules.town_cards" in message
    assert all(f"'{name}'" in message for name in ("move", "draw", "reveal", "swap", "travel", "lure", "banish"))


# Great Old Ones


@pytest.mark.parametrize(
    ("wrong", "wanted"),
    [
        (custom(front=[3]), "at least 2"),
        (custom(back=[3, 99]), "at most 12"),
        (custom(back=[3, -1]), "at least 0"),
        (custom(portals={"fear": [1, 2, 3], "rage": [1, 2], "greed": [1, 2]}), "at most 2"),
        (custom(portals={"fear": [1, 10], "rage": [1, 2], "greed": [1, 2]}), "at most 9"),
        (custom(name="x" * 31), "at most 30"),
        (custom(middle=[3, 3]), "no known key"),
        (powers(move("madness", "mat", "discard")), "powers must move `colour`, `chaos` or `eldritch`"),
        (powers(move("chaos", "supply", "you")), "must not move tentacles to or from `you`"),
        (
            powers(move("colour", "mat", "you")),
            "colour must move from discard, mat, players to another of mat, discard",
        ),
        (powers({"do": "fill", "n": 6}), "at most 5"),
        (powers({"do": "spawn", "where": "tail"}), "must be 'pointer' or 'great-old-one'"),
        (powers({"do": "draw", "who": "left"}), "must be 'you' or 'all'"),
    ],
)
def test_wrong_great_old_ones(wrong: Any, wanted: str) -> None:
    """Two tracks, six portals, three powers that leave nobody a choice."""
    message = refused(custom=wrong)
    assert "`rules.custom" in message
    assert wanted in message


@pytest.mark.parametrize("effect", ["reveal", "swap", "travel", "lure", "banish"])
def test_effects_that_a_power_cannot_have(effect: str) -> None:
    """The message lists those that it can."""
    message = refused(custom=powers({"do": effect}))
    assert "`rules.custom" in message
    assert all(f"'{name}'" in message for name in ("move", "feed", "draw", "fill", "spawn", "hide"))


def test_an_unknown_great_old_one() -> None:
    """The message lists them."""
    message = refused(great_old_one="hastur")
    assert "must be 'nyarlathotep', 'yog_sothoth', 'yig', 'cthulhu' or 'custom'; found 'hastur'" in message


# Pages, the wheel, dice


@pytest.mark.parametrize(
    ("rule", "wrong", "wanted"),
    [
        ("pages", PRINTED["pages"][:4], "at least 5"),
        ("pages", [{"number": 6, "cost": ["fear"] * 3, "runes": []}] * 30, "at most 5"),
        ("pages", [{"number": 0, "cost": ["fear"] * 3, "runes": []}] * 30, "at least 1"),
        ("pages", [{"number": 1, "cost": ["chaos"] * 3, "runes": []}] * 30, "must be 'fear', 'rage' or 'greed'"),
        ("pages", [{"number": 1, "cost": ["fear"] * 3, "runes": ["rage"] * 4}] * 30, "at most 3"),
        ("page_cost", 4, "at most 3"),
        ("pages_per_card", "3", "must be '1', '1-2' or '2'"),
        ("wheel", ["draw"] * 7, "wheel must have a multiple of 5 segments; found 7"),
        ("wheel", ["draw"] * 4, "at least 5"),
        ("wheel", ["draw"] * 9 + ["spawn"], "must be 'madness', 'shambler', 'chaos', 'fear power'"),
        ("wheel_tail", "loose", "must be 'opposite' or 'independent'"),
        ("die", [0, 0, 0], "die must have a face; found none"),
        ("die", [1, 1], "at least 3"),
        ("die", [1, 1, 10], "at most 9"),
        ("n_dice", 4, "at most 3"),
        ("n_dice", 0, "at least 1"),
        ("banish_cost", "lowest", "must be 'highest' or 'sum'"),
        ("mode", "easy", "must be 'normal', 'hard' or 'madness'; found 'easy'"),
        ("edition", "second", "must be 'rulebook' or 'published'"),
        ("flip", "never", "must be 'edition', 'passed' or 'stopped'"),
        ("brain_at_start", 1, "must be true or false"),
        ("extra_strength", 4, "at most 3"),
        ("portals_harder", -4, "at least -3"),
        ("madnes_track", 3, "did you mean `madness_track`?"),
    ],
)
def test_wrong_values(rule: str, wrong: Any, wanted: str) -> None:
    """The message names the rule, and what is wanted."""
    message = refused(**{rule: wrong})
    assert rule in message
    assert wanted in message


# Counts and tracks


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"bag_each": 8}, "bag_each + mat_each + discard_each must be madness_each (15); found 14"),
        ({"madness_each": 16}, "must be madness_each (16); found 15"),
        ({"chaos": 9}, "chaos must be enough for ten lines of 1; found 9"),
        ({"chaos_per_line": 2}, "chaos must be enough for ten lines of 2; found 17"),
        ({"eldritch": 7}, "eldritch must be at least 8 for set-up; found 7"),
        ({"eldritch": 9, "mode": "madness"}, "eldritch must be at least 10 for set-up; found 9"),
        ({"madness_each": 60, "bag_each": 54, "chaos": 60}, "at most 250 tentacles can be counted; found 263"),
        ({"madness_track": 0}, "at least 1"),
        ({"shambler_track": 10}, "at most 9"),
        ({"energy_track": [0, 2]}, "at least 1"),
        ({"delirium": 0}, "at least 1"),
        ({"actions": 0}, "at least 1"),
        ({"shamblers_each": 0}, "at least 1"),
        ({"extra_strength": -3, "nyarlathotep": custom(front=[3, 3])}, "extra_strength must leave the strength track"),
    ],
)
def test_wrong_counts(changes: dict[str, Any], wanted: str) -> None:
    """Enough for the set-up, and no more than can be counted."""
    message = refused(**changes)
    assert wanted in message
    assert any(name in message for name in changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"eldritch": 8},
        {"eldritch": 10, "mode": "madness"},
        {"chaos": 10},
        {"chaos_per_line": 0, "chaos": 0},
        {"madness_each": 60, "bag_each": 54, "chaos": 47},
        {"extra_strength": -2},
        {"bag_each": 15, "mat_each": 0, "discard_each": 0},
    ],
)
def test_just_enough_is_enough(changes: dict[str, Any]) -> None:
    """The least that the set-up takes, and the most that can be counted: 3 x 60 + 47 + 23 = 250."""
    assert rules_with(GAME, changes)


# Who and where


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"towns": ["chapel"]}, "towns must name one side of each of the 5 cards; found chapel"),
        ({"towns": [NAMES[0], NAMES[1], *NAMES[4::2]]}, "towns must name one side of each of the 5 cards"),
        ({"town_up": "castle"}, f"town_up must name sides of town cards: {', '.join(NAMES)}; found castle"),
        ({"towns": NAMES[::2], "town_up": "chapel"}, "town_up changes the deal"),
        ({"town_cards": cards(name="library")}, "sides of town cards must have names of their own"),
        ({"characters": PRINTED["characters"][:3]}, "at least 4"),
        ({"characters": [{"name": "a"}] * 6}, "characters must have names of their own"),
        ({"characters": [{"name": f"c{n}", "passive": {"luck": 1}} for n in range(6)]}, "no known key"),
        ({"characters": [{"name": f"c{n}", "effects": [{"do": "hide"}]} for n in range(6)]}, "'travel'"),
        ({"table_characters": ["priest"]}, "table_characters must name one for each of 4 seats"),
        ({"table_characters": ["priest"] * 4}, "table_characters must be different"),
        ({"table_characters": ["nobody", *FOUR[1:]]}, "table_characters must name characters"),
        ({"character_in": "nobody"}, "character_in must name characters"),
        ({"character_in": "priest", "character_out": "priest"}, "character_in and character_out must differ"),
        ({"table_characters": FOUR, "character_in": "priest"}, "cannot go with table_characters"),
    ],
)
def test_wrong_names(changes: dict[str, Any], wanted: str) -> None:
    """Towns and characters exist, each once."""
    message = refused(**changes)
    assert wanted in message
    assert any(name in message for name in changes)


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"custom": custom(portals={"fear": [1, 2], "rage": [1, 2]})}, "custom.portals.greed"),
        ({"custom": custom(powers={"fear": [], "rage": []})}, "custom.powers.greed"),
        (
            {"town_cards": cards(effects=[{"do": "move", "what": "madness", "to": "you"}])},
            "town_cards[0].front.effects[0]",
        ),
        ({"pages": [{"number": 1, "cost": ["fear"] * 2, "runes": []}] * 30}, "pages[0].cost[2]"),
        ({"characters": [*PRINTED["characters"][:5], {"effects": []}]}, "characters[5].name"),
    ],
)
def test_what_is_missing_is_named(changes: dict[str, Any], missing: str) -> None:
    """The message names the place within a large table, not only the table."""
    assert f"`rules.{missing}" in refused(**changes)


# A designer's own, from an experiment's text

OWN = """
question = "Is the lighthouse worth a visit?"
game = "tiny-epic-cthulhu"
players = 2
games = 10
seed = 1
strategies = ["random"]

[rules]
great_old_one = "custom"
towns = ["lighthouse", "library", "station", "police station", "market"]
town_cards = [
    { front = { name = "lighthouse", colours = ["fear", "rage"], effects = [
        { do = "lure" },
        { do = "move", what = "madness", from = "mat", to = "bag", n = 2 },
    ] }, back = { name = "cellar", colours = ["greed", "greed"], effects = [] } },
    OTHERS
]

[rules.custom]
name = "Dagon"
front = [2, 4]
back = [5, 6]
portals = { fear = [1, 2], rage = [3, 4], greed = [5, 6] }
powers = { fear = [{ do = "feed", n = 2 }], rage = [], greed = [{ do = "hide" }, { do = "spawn", n = 2 }] }
back_powers = { fear = [], rage = [{ do = "fill", n = 3 }], greed = [] }
"""


def in_toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {in_toml(part)}" for key, part in value.items()) + " }"
    return "[" + ", ".join(map(in_toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


def test_a_designers_own_box() -> None:
    """A town card and a Great Old One written in an experiment's TOML are those that are played."""
    others = ",\n    ".join(map(in_toml, PRINTED["town_cards"][1:]))
    experiment = parse(OWN.replace("OTHERS", others), Path("own.toml"))
    (cell,) = make_plan(experiment, Path("own.toml")).cells
    rules = rules_with(GAME, cell.rules)
    assert (rules.mat.name, rules.draws(0), rules.draws(1)) == ("Dagon", (2, 4), (5, 6))
    assert rules.portal_numbers == (1, 2, 3, 4, 5, 6)
    assert rules.sides[0].name == "lighthouse"
    there: dict[str, Any] = {"rules": {name: cell.rules[name] for name in ("custom", "town_cards", "towns")}}
    town = Arkamoore(**there, mat="fr")
    town.actions(action=["town action", "stop"], town=4, tentacle=["rage", "stop"])
    assert (town.goo, town.bag, town.mat) == (4, "r", "f")
    town = Arkamoore(**there, icon="fear power", energy=1).wheel()  # fed: accursed; the three drawn: once more
    assert [event["event"] for event in town.events if event["event"] in ("fed", "draw")] == ["fed"] * 2 + ["draw"] * 3
    assert (town.strength, town.over) == (2, "strength")
    town = Arkamoore(**there, icon="rage power", phase=2, discard="rrr").wheel()
    assert town.madness == ["r", "r", "r", "", ""]
    assert Arkamoore(**there, icon="rage power", discard="rrr").wheel().discard == "rrr"
