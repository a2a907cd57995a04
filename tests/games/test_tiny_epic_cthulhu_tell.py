"""Tiny Epic Cthulhu in words: every event is told as the rulebook would, and the words alone follow the rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from simkit.batch import play
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.tell import tell
from simkit.replaying.course import Course, plain_row
from simkit.replaying.telling import lines
from simkit.replaying.telling import told as in_words
from simkit.results import games_columns, seats_columns
from simkit.strategy import Random
from simkit.trace import Scene, Trace
from tests.golden.cthulhu_mats import ANYWHERE, LEAN, mat
from tests.golden.hasty import Hasty
from tests.golden.tiny_epic_cthulhu_reader import read

NAMES = ("ann (seat 1)", "bob (seat 2)")
TOWNS = ["chapel", "library", "station", "police station", "market"]
STATE: dict[str, Any] = {
    "goo": 2,
    "side": 0,
    "strength": 0,
    "energy": 0,
    "bag": [9, 9, 9, 0, 3],
    "discard": [3, 3, 3, 0, 0],
    "mat": [3, 3, 3],
    "mat_shamblers": [5, 4, 4],
    "chaos_supply": 7,
    "eldritch_supply": 15,
    "lines": 10,
    "madness": [[0, 0, 0] for _ in range(5)],
    "shamblers": [[0, 0, 0], [0, 1, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    "town_eldritch": [1] * 5,
    "sides": [0, 2, 4, 6, 8],
    "pages": [0, 12, 13, 14, 15],
    "face_up": [False] * 5,
    "rows": [0] * 5,
    "portals": [-1] * 6,
    "at": [0, 1],
    "temper": [[0, 0, 0], [0, 0, 0]],
    "chaos": [0, 0],
    "brain": [0, 0],
    "runes": [[0, 0, 0], [0, 0, 0]],
    "characters": [0, 4],
}
"""Two seats, the scientist and the sailor, at the chapel and the library."""


@cache
def rules_with(**changes: str) -> Any:
    """Rules with a Great Old One of their own; some of them changed."""
    values: dict[str, Any] = {"great_old_one": "custom", "custom": mat([3, 3, 4], [2, 3], (2, 4), LEAN)}
    return GAME.rules(**GAME.components.values_with(values | changes))


def changed(state: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A state with some values set; "madness.3.1" is the rage of the fourth town."""
    state = deepcopy(state)
    for path, value in changes.items():
        *way, last = path.split(".")
        inner: Any = state
        for step in way:
            inner = inner[int(step) if isinstance(inner, list) else step]
        inner[int(last) if isinstance(inner, list) else last] = value
    return state


def said(
    event: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    *,
    seat: int | None = 0,
    decided: tuple[dict[str, Any], ...] = (),
    rules: dict[str, str] | None = None,
    **fields: Any,
) -> list[str]:
    """The sentences of an event in the turn of the first seat."""
    then = changed(STATE, before or {})
    noted = {"event": event, "turn": 4, "seat": seat, "state": changed(then, after or {}), **fields}
    if decided:
        noted |= {"earlier": list(decided[:-1]), "decision": decided[-1]}
    return tell(noted, Scene(NAMES, rules_with(**(rules or {})), then))


def choice(decision: str, option: int, legal: tuple[int, ...], **offer: Any) -> dict[str, Any]:
    """A choice among some options."""
    return {"decision": decision, "seat": 0, "legal": [o in legal for o in range(16)], "choice": option, **offer}


# -------------------------------------------------------------------------------------------------- worded by hand


def test_setup() -> None:
    assert said("setup", after={"face_up.4": True}, seat=None) == [
        "the towns, clockwise from the first one: the chapel (fear/rage), the library (greed/fear), "
        "the station (rage/greed), the police station (fear/greed) and the market (rage/fear)",
        "the Great Old One is Your own, in the station: strength 0 of 3, three tentacles to draw",
        "the portals need fear 2 and 4, rage 2 and 4 and greed 2 and 4",
        "the bag holds 9 fear, 9 rage, 9 greed and 3 Eldritch",
        "the Discard Mat holds 3 fear, 3 rage and 3 greed",
        "the Shambler Mat holds 3 fear, 3 rage and 3 greed, and 5 fear, 4 rage and 4 greed Shamblers",
        "the supply holds 7 Chaos and 15 Eldritch; 10 Chaos lie on the Necronomicon, an Eldritch on each town",
        "the library has 1 rage and 1 greed Shamblers",
        "the page at the market lies face up: number 3 for 1 fear and 1 rage, 1 fear rune",
        "ann (seat 1) is the scientist, in the chapel",
        "bob (seat 2) is the sailor, in the library",
    ]


def test_setup_with_an_accursed_track() -> None:
    sentences = said("setup", after={"discard.4": 1}, seat=None)
    assert "a Shambler Track was accursed already: its Eldritch lies on the Discard Mat" in sentences


def test_spin() -> None:
    spin = said("spin", segment=6, town=3, tail=0, colour=1)
    assert spin == ["ann (seat 1) spins: the pointer at the police station, the tentacle end at the chapel, rage"]


@pytest.mark.parametrize(
    ("icon", "colour", "before", "rules", "words"),
    [
        ("madness", 2, {}, {}, "1 greed goes from the Shambler Mat to the Discard Mat"),
        ("madness", -1, {}, {}, "no Madness is on the Shambler Mat"),
        ("chaos", -1, {}, {}, "1 Chaos goes from the supply to the Discard Mat"),
        ("chaos", -1, {"chaos_supply": 0}, {}, "no Chaos is in the supply"),
        ("draw", -1, {}, {}, "one tentacle more is drawn"),
        ("shambler", -1, {}, {}, "a Shambler spawns"),
        ("rage power", -1, {}, {}, "the rage power"),
        ("rage power", -1, {}, {"powers": "none"}, "the rage power; there are no powers"),
        ("rage power", -1, {"portals": [-1, -1, 1, 3, -1, -1]}, {}, "the rage power"),
        (
            *("rage power", -1, {"portals": [-1, -1, 1, 3, -1, -1]}, {"colour_sealed": "power-stops"}),
            "the rage power; sealed portals stop its power",
        ),
    ],
)
def test_pointer_actions(icon: str, colour: int, before: dict, rules: dict, words: str) -> None:
    told = said("pointer", before, icon=icon, colour=colour, rules=rules)
    assert told == [f"ann (seat 1) resolves the pointer: {words}"]


@pytest.mark.parametrize(
    ("kind", "source", "is_accursed", "before", "after", "words"),
    [
        (0, "wheel", False, {}, {"madness.3.0": 1}, " draws fear: the police station has 1 of 3"),
        (
            *(1, "wheel", True, {"madness.3.1": 3}, {"madness.3.1": 0}),
            " draws rage: at the police station the rage track is accursed, and 4 rage go to the Shambler Mat",
        ),
        (3, "wheel", False, {}, {"chaos.0": 1}, " draws Chaos and has 1 of 2"),
        (3, "stop", False, {"chaos.0": 2}, {}, " draws Chaos for a Shambler, which is lost to the supply"),
        (2, "stop", False, {}, {"temper.0.2": 1}, " draws greed for a Shambler and has 1 of 2"),
        (2, "power", False, {}, {"temper.0.2": 1}, " draws greed and has 1 of 2"),
        (
            *(2, "effect", True, {"temper.0.2": 2}, {"temper.0.2": 0}),
            " draws greed: the greed track is accursed, and 3 greed go to the Shambler Mat",
        ),
        (4, "stop", False, {}, {"energy": 1}, " draws Eldritch for a Shambler: the Energy Track has 1 of 2"),
        (
            *(4, "wheel", True, {"energy": 2, "discard": [0, 2, 0, 1, 1]}, {"energy": 0, "discard": [0, 0, 0, 0, 1]}),
            " draws Eldritch: the Energy Track is accursed, and 3 Eldritch go to the bag, "
            "with 2 rage and 1 Chaos from the Discard Mat",
        ),
        (
            *(4, "wheel", True, {"energy": 2, "discard": [0, 0, 0, 0, 1]}, {"energy": 0}),
            " draws Eldritch: the Energy Track is accursed, and 3 Eldritch go to the bag",
        ),
    ],
)
def test_draws(kind: int, source: str, is_accursed: bool, before: dict, after: dict, words: str) -> None:
    told = said("draw", before, after, kind=kind, source=source, accursed=is_accursed)
    assert told == [f"ann (seat 1){words}"]


def test_the_last_tentacle_of_the_bag() -> None:
    told = said("draw", after={"madness.0.0": 1, "bag": [0] * 5}, kind=0, source="wheel", accursed=False)
    assert told == ["ann (seat 1) draws fear: the chapel has 1 of 3", "the bag is empty"]


def test_strength() -> None:
    grows = "the Great Old One grows stronger: strength"
    assert said("strength", after={"strength": 2}) == [f"{grows} 2 of 3, four tentacles to draw"]
    assert said("strength", after={"strength": 3}) == [f"{grows} 3 of 3, its full strength"]
    assert said("strength", {"side": 1}, {"strength": 1}) == [f"{grows} 1 of 2, three tentacles to draw"]


def test_spawn() -> None:
    spawn = {"town": 1, "source": "spin"}
    spawns = "ann (seat 1) spawns"
    placed = said("spawn", after={"shamblers.1.0": 1}, colour=0, accursed=False, **spawn)
    assert placed == [f"{spawns} a fear Shambler in the library: 3 of 3"]
    none = said("spawn", colour=-1, accursed=False, **spawn)
    assert none == [f"{spawns} no Shambler in the library: none is on the Shambler Mat"]
    full, cleared = {"shamblers.1": [1, 1, 1]}, {"shamblers.1": [0, 0, 0], "discard.4": 1, "eldritch_supply": 14}
    assert said("spawn", full, cleared, colour=0, accursed=True, **spawn) == [
        f"{spawns} a fear Shambler in the library: the Shambler Track is accursed, and 4 Shamblers go to the "
        "Shambler Mat",
        "1 Eldritch goes from the library to the Discard Mat",
        "1 Eldritch goes from the supply to the library",
    ]
    last = said("spawn", full | {"eldritch_supply": 0}, {"discard.4": 1}, colour=0, accursed=True, **spawn)
    assert last[1:] == [
        "1 Eldritch goes from the library to the Discard Mat",
        "no Eldritch is in the supply for the library",
    ]


def test_the_great_old_one_moves() -> None:
    assert said("great_old_one", after={"goo": 4}, town=4) == ["the Great Old One moves to the market"]
    assert said("great_old_one", town=2) == ["the Great Old One stays in the station"]
    moved = said("great_old_one", after={"goo": 0}, town=0)
    assert moved == ["the Great Old One moves to the chapel, where ann (seat 1) is"]


def test_powers() -> None:
    uses = "the Great Old One uses its"
    assert said("power", colour=0, cause="wheel") == [f"{uses} fear power (draw one tentacle)"]
    assert said("power", colour=1, cause="madness", rules={"powers": "twice"}) == [
        f"{uses} rage power twice (one rage Shambler at the pointer)"
    ]
    assert said("fed", after={"energy": 1}, accursed=False) == [
        "1 Eldritch comes from the supply: the Energy Track has 1 of 2"
    ]
    filled = {"discard.2": 1, "madness.3.2": 3, "madness.4.2": 1}
    assert said("fill", after=filled, seat=None, towns=[False, False, False, True, True]) == [
        "1 greed goes from the Discard Mat to the police station: 3 of 3",
        "1 greed goes from the Discard Mat to the market: 1 of 3",
    ]
    hidden = said("hide", seat=None, towns=[False, True, False, False, False])
    assert hidden == ["the page at the library is turned face down"]


@pytest.mark.parametrize(
    ("seat", "what", "source", "target", "number", "words"),
    [
        (None, "rage", "discard", "mat", 2, "2 rage go from the Discard Mat to the Shambler Mat"),
        (None, "fear", "players", "bag", 1, "1 fear goes from the player mats to the bag"),
        (None, "chaos", "supply", "you", 1, "1 Chaos goes from the supply to ann (seat 1)'s player mat"),
        (None, "eldritch", "energy", "bag", 1, "1 Eldritch goes from the Energy Track to the bag"),
        (0, "greed", "here", "discard", 1, "ann (seat 1) moves 1 greed from the chapel to the Discard Mat"),
        (0, "greed", "you", "here", 1, "ann (seat 1) moves 1 greed from its player mat to the chapel"),
    ],
)
def test_tentacles_move(seat: int | None, what: str, source: str, target: str, number: int, words: str) -> None:
    assert said("moved", seat=seat, what=what, source=source, target=target, number=number) == [words]


def test_moves_and_pages() -> None:
    assert said("move", after={"at.0": 2}, steps=2, town=2, chaos=False) == [
        "ann (seat 1) moves two towns clockwise to the station"
    ]
    assert said("move", after={"at.0": 4}, steps=-1, town=4, chaos=True) == [
        "ann (seat 1) pays 1 Chaos and moves one town back to the market"
    ]
    page = "number 1 for 2 fear, 1 greed rune"
    assert said("flip", town=0, card=0) == [f"ann (seat 1) flips the page at the chapel: {page}"]
    assert said("reveal", town=3, card=0) == [f"ann (seat 1) reveals the page at the police station: {page}"]
    assert said("swap", town=0, other=3) == [
        "ann (seat 1) swaps the page at the chapel with that at the police station"
    ]
    assert said("travel", town=3) == ["ann (seat 1) travels to the police station"]
    assert said("lure", town=3) == ["ann (seat 1) lures the Great Old One to the police station"]


def test_collect() -> None:
    first = choice("action", 8, (8, 14)), choice("collect", 2, (0, 2))
    assert said("collect", after={"temper.0.2": 1}, colour=2, chaos=False, decided=first) == [
        "ann (seat 1) collects 1 greed in the chapel and has 1 of 2"
    ]
    again = said("collect", after={"temper.0.0": 2}, colour=0, chaos=False, decided=(choice("collect", 0, (0, 3)),))
    assert again == ["ann (seat 1) collects 1 fear more in the chapel and has 2 of 2"]


def test_delirium() -> None:
    assert said("delirium", {"brain.0": 2}, {"brain.0": 3}) == ["ann (seat 1) moves its Brain Token to space 3 of 4"]
    stays = said("delirium", {"brain.1": 1}, seat=1, rules={"brain_at_start": True})  # type: ignore[dict-item]
    assert stays == ["bob (seat 2) has its Brain Token at space 1 of 4"]


def test_dice_to_banish() -> None:
    roll = {"purpose": "banish", "chaos": False}
    assert said("roll", dice=[0, 2, -1], **roll) == ["ann (seat 1) rolls two dice to banish a Shambler: 0 and 2"]
    aimed = said("roll", dice=[1, -1, -1], **roll, decided=(choice("target", 1, (1, 2)),))
    assert aimed == ["ann (seat 1) rolls one die to banish a rage Shambler: 1"]
    again = choice("reroll_banish", 0b101, (0, 1, 4, 5))
    assert said("reroll", dice=[1, 2, 0], decided=(again,)) == [
        "ann (seat 1) rolls the first and third dice again: 1, 2 and 0"
    ]
    single = said("reroll", dice=[1, 2, -1], decided=(choice("reroll_banish", 0b10, (0, 2)),))
    assert single == ["ann (seat 1) rolls the second die again: 1 and 2"]


def test_banish() -> None:
    paid = choice("banish", 1, (1, 3), cost=2), choice("chaos_paid", 1, (0, 1))
    assert said("banish", after={"mat.1": 1}, colour=1, paid=1, source="action", decided=paid) == [
        "ann (seat 1) banishes a rage Shambler from the chapel for 1 rage and 1 Chaos",
        "2 rage go from the Shambler Mat to the Discard Mat",
    ]
    keeps = choice("reroll_banish", 0, (0, 1)), choice("banish", 0, (0, 3), cost=0)
    assert said("banish", colour=0, paid=0, source="effect", decided=keeps) == [
        "ann (seat 1) rolls no die again",
        "ann (seat 1) banishes a fear Shambler from the chapel for nothing",
    ]
    cannot = choice("banish", 3, (3,), cost=2) | {"legal": [False, False, False, True]}
    will_not = cannot | {"legal": [False, True, False, True]}
    fails = {"colour": -1, "paid": 0, "source": "action"}
    assert said("banish", **fails, decided=(cannot,)) == ["ann (seat 1) can pay for no Shambler: it would cost 2"]
    assert said("banish", **fails, decided=(will_not,)) == ["ann (seat 1) pays for no Shambler: it would cost 2"]


def test_what_is_printed() -> None:
    """Town actions and abilities, in the words of their cards."""
    uses = "uses the town action of the"
    assert said("town", side=3, chaos=False) == [f"ann (seat 1) {uses} museum (reveal one page; swap two pages)"]
    assert said("town", side=4, chaos=True) == [f"ann (seat 1) pays 1 Chaos and {uses} station (travel)"]
    assert said("town", side=5, chaos=False) == [f"ann (seat 1) {uses} harbour (lure the Great Old One)"]
    assert said("town", side=6, chaos=False) == [f"ann (seat 1) {uses} police station (banish with one die fewer)"]
    assert said("ability", character=1) == [
        "ann (seat 1) uses the ability of the priest (1 Madness from its player mat to the Discard Mat)"
    ]


def test_translate() -> None:
    before = {"at.0": 1, "rows": [5, 0, 4, 0, 0]}
    after = {"rows": [5, 0, 5, 0, 0], "runes.0": [2, 0, 0], "discard.3": 1, "lines": 8}
    assert said("translate", before, after, card=12, paid=[1, 0, 0], lines=1, chaos=False) == [
        "ann (seat 1) translates the page at the library for 1 fear and 1 Chaos: number 3 has 5 of 5, "
        "the Necronomicon 10 of 25",
        "ann (seat 1) completes one line of the Necronomicon: 1 Chaos goes to the Discard Mat",
        "ann (seat 1) takes 1 fear rune and has 2 fear runes",
    ]
    last = said("translate", before, after | {"pages.1": -1}, card=12, paid=[2, 0, 0], lines=0, chaos=True)
    assert last[0].startswith("ann (seat 1) pays 1 Chaos and translates the page at the library for 2 Chaos: ")
    assert last[-1] == "the deck has no page left for the library"


def test_phase_two() -> None:
    before = {"discard": [1, 0, 0, 2, 1], "energy": 1, "strength": 2}
    after = {"side": 1, "strength": 0, "energy": 0, "discard": [0] * 5}
    assert said("phase", before, after) == [
        "Phase Two begins, and the mat of Your own is flipped: strength 0 of 2, two tentacles to draw",
        "1 fear, 2 Chaos and 1 Eldritch go from the Discard Mat to the bag",
        "1 Eldritch goes from the Energy Track to the bag",
    ]


def test_seal() -> None:
    portal = choice("portal", 3, (1, 3))
    roll = said("roll", dice=[2, 1, -1], purpose="seal", chaos=True, decided=(portal,))
    assert roll == [
        "ann (seat 1) pays 1 Chaos and rolls two dice to seal the second rage portal, which needs 4: 2 and 1"
    ]
    sealed = {"portals": [0, -1, -1, 3, -1, -1]}
    assert said("seal", after=sealed, portal=3, sealed=True, paid=1) == [
        "ann (seat 1) seals the second rage portal with 1 Chaos: 2 of 6 portals are sealed"
    ]
    fails = "ann (seat 1) fails to seal the first greed portal"
    assert said("seal", portal=4, sealed=False, paid=0) == [fails]
    assert said("seal", portal=4, sealed=False, paid=0, rules={"failed_seal": "tentacle"}) == [
        f"{fails} and loses 1 greed"
    ]


def test_what_is_declined() -> None:
    """It has no event of its own."""
    moved = choice("tentacle", 3, (0, 3)), choice("page", 5, (1, 5))
    assert said("stop", decided=moved) == [
        "ann (seat 1) moves no more tentacles",
        "ann (seat 1) leaves the pages as they are",
        "ann (seat 1) ends its turn",
    ]


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        ("sealed", "all six portals are sealed: the Great Old One is banished, and the table wins"),
        ("strength", "the Great Old One has reached its full strength: the table loses"),
        ("delirium", "bob (seat 2) has gone completely mad: the table loses"),
        ("shamblers", "no Shambler is left on the Shambler Mat: the table loses"),
        ("unfinished", "the game is given up after 60 rounds"),
    ],
)
def test_the_end(cause: str, words: str) -> None:
    assert said("end", {"brain.1": 4}, seat=None, cause=cause) == [words]


# ------------------------------------------------------------------------------------------------------ games as played

EASY = {"page_cost": 0, "pages_per_card": "2", "actions": 5, "great_old_one": "custom"}
SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "yog-sothoth": {"great_old_one": "yog_sothoth", "banish_target": "before-roll", "rerolls": "total"},
    "yig": {"great_old_one": "yig", "edition": "published", "shamblers_each": 3, "powers_resolve": "after-draws"},
    "cthulhu": {"great_old_one": "cthulhu", "powers": "twice", "follows_accursed": False, "shambler_track": 2},
    "easy": EASY | {"custom": mat([1, 1, 2, 2, 3], [2, 2, 3], (1, 2), ANYWHERE)},
    "harder": EASY
    | {"custom": mat([1, 1, 2], [1, 2, 2], (2, 4), LEAN), "failed_seal": "tentacle", "edition": "published"}
    | {"energy_at_flip": "bag", "must_leave_checked": "turn-start"},
}
USUAL = ("plain", "cthulhu", "easy")
N = 6


@pytest.fixture(scope="module")
def courses() -> list[Course]:
    """Games of some settings, by seats that try everything and seats that get somewhere."""
    return [course for number, name in enumerate(USUAL) for course in played(name, 2 + number, 8)]


def played(name: str, seats: int, seed: int) -> Iterator[Course]:
    """The first games of a setting, in step, which is far quicker than one by one."""
    rules = GAME.rules(**GAME.components.values_with(SETTINGS[name]))
    games, columns = games_columns(GAME), seats_columns(GAME)
    strategies = [Hasty(), Random(), Hasty(), Random()][:seats]
    labels, trace = tuple(strategy.name for strategy in strategies), Trace()
    results = play(GAME, rules, strategies, seed, 0, N, observer=trace)
    for deal in range(N):
        rows = (plain_row(columns, results.seats, (seat, deal)) for seat in range(seats))
        events = tuple(in_words(GAME, rules, labels, trace.games[deal]))
        yield Course(GAME, rules, labels, seed, deal, events, plain_row(games, results.games, (deal,)), tuple(rows))


@pytest.mark.xdist_group("cthulhu_told")  # the games are told once
def test_no_event_is_left_untold(courses: list[Course]) -> None:
    """Every kind of event occurs, and each is told in sentences of bearable length without a stop."""
    kinds = Counter(event["event"] for course in courses for event in course.events)
    assert set(kinds) >= {"setup", "phase", "seal", "fed", "fill", "hide", "moved", "travel", "lure", "swap", "end"}
    assert len(kinds) == 30
    sentences = [event["words"] for course in courses for event in course.events]
    assert all(sentences)
    assert not any(words.endswith(".") or len(words) > 230 for told in sentences for words in told)


@pytest.mark.xdist_group("cthulhu_told")
def test_words_follow_the_rulebook(courses: list[Course]) -> None:
    assert sum(read("\n".join(lines(course))) for course in courses) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_words_of_many_games_follow_the_rulebook(name: str) -> None:
    for seed in range(9):
        assert all(read("\n".join(lines(course))) > 20 for course in played(name, 2 + seed % 3, seed))
