"""The Tiny Epic Cthulhu reference against traces written by hand, games it tells itself, and spoilt traces."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest

from .tiny_epic_cthulhu import CASES, CAUSES, Mismatch, Reference, replay
from .tiny_epic_cthulhu_table import spins
from .tiny_epic_cthulhu_traces import (
    BOX,
    COLLECT,
    ONE,
    ONE_BACK,
    STOP,
    TOWN,
    TWO,
    Trace,
    told,
)

BANISH_OPTION = 9
NO_COLUMNS = dict.fromkeys(
    ("n_moves", "n_collects", "n_collected", "n_banishes", "n_banished", "n_towns", "n_translated", "n_seals",
     "n_sealed", "n_abilities", "n_extra", "n_stop_draws", "brain", "held", "runes", "sides_used"), (0, 0),
)  # fmt: skip


def short_game() -> Trace:
    """One round. Seat 0 walks to town 1, turns its page up and draws for a Shambler; seat 1 does nothing."""
    trace = Trace(rules={"max_rounds": 1}, draws=1)
    trace.spin(4).draw(1, {"madness 2 1": "+1"}).spawn(4, 0)
    trace.state |= {"left": 3}
    trace.act([ONE, STOP], ONE).walk(1)
    trace.decide("flip", [0, 4], 0, way=[1, 255, 255, 255])
    trace.tell("flip", {"face_up 1": True, "known 1": True}, town=1, card=6)
    trace.draw(0, {"temper 0 0": 1}, "stop")
    trace.stop(ONE, TWO, ONE_BACK, BANISH_OPTION, TOWN)
    trace.spin(1).tell("power", colour=0, cause="wheel")
    trace.tell("hide", {"face_up 1": False}, towns=[False, True, False, False, False])
    trace.draw(4, {"energy": 1}).spawn(3, 0)
    trace.state |= {"left": 3}
    trace.stop(ONE, ONE_BACK)
    seats = NO_COLUMNS | {"n_moves": [1, 0], "n_stop_draws": [1, 0], "held": [1, 0], "character": [6, 7]}
    games = {
        "won": False, "end_cause": 4, "phase": 1, "strength": 0, "strength_left": 6, "brain": 0, "shamblers_left": 11,
        "pages": 0, "portals": 0, "trigger": 0, "track": 0, "power": 0, "n_draws": 2, "n_strength": 0, "n_accursed": 0,
    }  # fmt: skip
    columns = {"games": games, "seats": {name: list(values) for name, values in seats.items()}}
    return trace.tell("end", cause="unfinished", won=False, n_turns=2, **columns)


# A whole game


def test_a_short_game_is_followed_to_its_end() -> None:
    trace = short_game()
    reference = replay(2, trace.rules, trace.events)
    assert reference.finished
    assert reference.coverage["cause", "unfinished"] == 1
    assert reference.coverage["option", "action", ONE] == 1
    assert reference.coverage["offer", "flip", "way"] == 1
    assert reference.coverage["rule", "die", "[2, 2, 2]"] == 1
    assert reference.tallies == {
        ("actions", "one", 0, "move", False): 1, ("actions", "one", 0, "stop", False): 1,
        ("actions", "one", 1, "stop", False): 1, ("draws", "one", "wheel draw", "rage"): 1,
        ("draws", "one", "wheel draw", "eldritch"): 1, ("draws", "one", "stop", "fear"): 1,
    }  # fmt: skip


def test_decisions_may_be_told_with_the_event_they_led_to() -> None:
    trace = short_game()
    folded: list[dict[str, Any]] = []
    chosen: list[dict[str, Any]] = []
    for event in trace.events:
        if event["event"] == "decision":
            chosen.append({name: value for name, value in event.items() if name != "event"})
        else:
            told = {"decision": chosen[-1], "earlier": chosen[:-1]} if chosen else {}
            folded.append(event | told)
            chosen = []
    assert replay(2, trace.rules, folded).finished


def test_a_game_that_stops_short_or_goes_on_is_refused() -> None:
    trace = short_game()
    with pytest.raises(Mismatch, match="must go on to its end"):
        replay(2, trace.rules, trace.events[:-1])
    with pytest.raises(Mismatch, match="nothing after the end"):
        replay(2, trace.rules, [*trace.events, trace.events[-1]])
    with pytest.raises(Mismatch, match="event 'pointer'; found 'draw'"):
        replay(2, trace.rules, [event for event in trace.events if event["event"] != "pointer"])


SPOILT = [
    ("spin", {"segment": 5}, "a spin that the wheel allows"),
    ("spin", {"tail": 2}, "a spin that the wheel allows"),
    ("spin", {"colour": 1}, "a spin that the wheel allows"),
    ("spin", {"town": 1}, "town 2; found 1"),
    ("spin", {"turn": 1, "seat": 1}, r"turn 0 of seat 0; found \(1, 1\)"),
    ("pointer", {"icon": "draw"}, "icon 'chaos'"),
    ("pointer", {"colour": 0}, "colour -1; found 0"),
    ("draw", {"kind": 3}, "a tentacle out of the bag"),
    ("draw", {"kind": 5}, "a tentacle out of the bag"),
    ("draw", {"kind": 0}, "state bag"),
    ("draw", {"accursed": True}, "accursed False"),
    ("draw", {"source": "stop"}, "source 'wheel'"),
    ("spawn", {"town": 3}, "town 4"),
    ("spawn", {"colour": 1}, "colour 0"),
    ("spawn", {"accursed": True}, "accursed False"),
    ("spawn", {"source": "pointer"}, "source 'spin'"),
    ("great_old_one", {"town": 2}, "town 4"),
    ("great_old_one", {"event": "stop"}, "event 'great_old_one'; found 'stop'"),
    ("decision", {"seat": 1}, "action of seat 0; found 1"),
    ("decision", {"decision": "chaos_action"}, "event 'decision action'"),
    ("decision", {"legal": [True] * 15}, r"action between \[0, 14\]"),
    ("decision", {"choice": COLLECT}, r"a choice of action among \[0, 14\]"),
    ("move", {"steps": -1}, "steps 1"),
    ("move", {"town": 2}, "town 1"),
    ("move", {"chaos": True}, "chaos False"),
    ("flip", {"card": 5}, "card 6"),
    ("flip", {"state": {}}, "agreed form"),
    ("power", {"cause": "madness"}, "cause 'wheel'"),
    ("hide", {"towns": [False] * 5}, "towns"),
    ("end", {"cause": "strength"}, "cause 'unfinished'"),
    ("end", {"won": True}, "won False"),
    ("end", {"n_turns": 1}, "n_turns 2"),
]


@pytest.mark.parametrize(("kind", "change", "match"), SPOILT)
def test_a_changed_field_is_refused(kind: str, change: dict, match: str) -> None:
    trace = short_game()
    at = [event["event"] for event in trace.events].index(kind)
    trace.events = trace.events[: at + 1]
    trace.events[-1] |= change
    trace.refused(match)


def test_an_offer_that_is_told_must_be_right() -> None:
    trace = short_game()
    at = next(i for i, event in enumerate(trace.events) if event.get("decision") == "flip")
    trace.events = trace.events[: at + 1]
    trace.events[-1]["way"] = [2, 255, 255, 255]
    trace.refused("flip offering way")


@pytest.mark.parametrize("column", [*short_game().events[-1]["games"], *NO_COLUMNS, "character"])
def test_a_wrong_column_is_refused(column: str) -> None:
    trace = short_game()
    for table in ("games", "seats"):
        value = trace.events[-1][table].get(column)
        if value is not None:
            trace.events[-1][table][column] = [value[0], value[1] + 1] if table == "seats" else value + 1
    trace.refused(column)


@pytest.mark.parametrize("name", Trace().state)
def test_a_wrong_part_of_the_state_is_refused(name: str) -> None:
    trace = short_game()
    trace.events = trace.events[:8]
    trace.events[-1]["state"][name] = [9]
    trace.refused(f"state {name}")


# Setup


def test_what_is_dealt_at_the_set_up_must_be_possible() -> None:
    def dealt(rules: dict[str, Any] | None = None, **state: Any) -> Trace:
        trace = Trace(rules=rules)
        trace.events[0]["state"] |= state
        return trace

    dealt().follow()
    dealt(sides=[0, 1, 4, 6, 8]).refused("one side of each town card")
    dealt(characters=[6, 6]).refused("2 different characters")
    dealt(characters=[6]).refused("2 different characters")
    dealt(pages=[0, 6, 12, 18, 18]).refused("a page that is still in the deck")
    dealt(goo=5).refused("in the five towns")
    dealt(at=[0]).refused("2 player tokens")
    dealt(face_up=[False] * 4 + [True]).refused("state face_up")
    dealt(bag=[9, 9, 9, 0, 4]).refused("state bag")
    dealt({"mode": "madness"}, bag=[9, 9, 9, 0, 5], eldritch_supply=13).follow()
    dealt({"mode": "hard"}, eldritch_supply=14).refused("state bag")
    names = ["chapel", "library", "station", "police station", "market"]
    dealt({"towns": names}).follow()
    dealt({"towns": ["infirmary", *names[1:]]}).refused("towns")
    dealt({"town_up": "library"}).follow()
    dealt({"town_up": "museum"}).refused("museum among the towns")
    dealt({"table_characters": ["clerk", "guard", "sailor", "medium"]}).follow()
    dealt({"table_characters": ["guard", "clerk", "sailor", "medium"]}).refused("characters")
    dealt({"character_in": "clerk", "character_out": "sailor"}).follow()
    dealt({"character_in": "guard"}).refused("first seat's character")
    dealt({"character_out": "guard"}).refused("no guard at the table")


def test_shamblers_of_the_set_up_must_be_where_the_wheel_can_put_them() -> None:
    def shamblers(*towns: tuple[int, int], mat: list[int]) -> Trace:
        trace = Trace()
        lying = [[0, 0, 0] for _ in range(5)]
        for town, colour in towns:
            lying[town][colour] += 1
        trace.events[0]["state"] |= {"shamblers": lying, "mat_shamblers": mat}
        return trace

    shamblers((1, 1), (3, 2), mat=[5, 4, 4]).follow()
    shamblers((1, 1), (1, 2), mat=[5, 4, 4]).case("two Shamblers of the set-up in one town")
    shamblers((1, 0), (3, 2), mat=[4, 5, 4]).refused("a Shambler per player")  # no tail of town 1 shows fear
    shamblers((1, 1), mat=[5, 4, 5]).refused("a Shambler per player")
    shamblers((1, 1), (3, 2), mat=[5, 5, 4]).refused("a Shambler per player")


def test_a_full_track_is_accursed_at_the_set_up_too() -> None:
    trace = Trace(rules={"shambler_track": 1})
    trace.events[0]["state"] |= {"shamblers": [[0] * 3] * 5, "mat_shamblers": [5, 5, 5], "eldritch_supply": 14}
    trace.events[0]["state"]["discard"] = [3, 3, 3, 0, 1]
    trace.case("Shambler of the set-up on a full track")


def test_as_published_the_page_where_the_great_old_one_is_lies_face_up() -> None:
    trace = Trace(rules={"edition": "published"})
    trace.fork().refused("state face_up")
    up = [False, False, True, False, False]
    trace.events[0]["state"] |= {"face_up": up, "known": up}
    trace.follow()


def test_the_ways_in_which_the_spinner_stops() -> None:
    ten = {(spin.segment, spin.town, spin.tail, spin.half) for spin in spins(BOX)}
    assert len(ten) == 10
    assert {(0, 0, 2, 1), (1, 0, 3, 0), (9, 4, 2, 0)} <= ten
    assert len(spins(BOX | {"wheel_tail": "independent"})) == 40
    fifteen = spins(BOX | {"wheel": ["draw"] * 15})  # the tail of a town's middle segment is at either of two towns
    assert len(fifteen) == 20
    assert {(spin.tail - spin.town) % 5 for spin in fifteen} == {2, 3}


def test_rules_that_cannot_be_played_are_refused() -> None:
    bad: list[dict] = [{"edition": "second"}, {"wheel": ["draw"] * 6}, {"die": [1, 1]}, {"n_dice": 4}]
    for change in bad:
        with pytest.raises(ValueError, match="must"):
            Reference(2, BOX | change)
    with pytest.raises(ValueError, match="2 to 4 seats"):
        Reference(1, BOX)
    with pytest.raises(ValueError, match="max_rounds"):
        Reference(2, {name: value for name, value in BOX.items() if name != "max_rounds"})


def test_an_edition_sets_six_rules_unless_they_are_set_by_themselves() -> None:
    published = copy.deepcopy(BOX) | {"edition": "published", "flip": "passed"}
    reference = Reference(2, published)
    assert reference._ruling("flip") == "passed"
    assert reference._ruling("must_leave") == "first-action"
    assert Reference(2, BOX)._ruling("colour_sealed") == "nothing"


# Games that the reference tells itself


def test_told_games_keep_what_is_in_the_box_and_are_followed() -> None:
    coverage: Counter[Any] = Counter()
    for seed in range(40):
        seats, rules, events = told(seed)
        coverage += replay(seats, rules, events).coverage
        boxes = [in_the_box(event["state"]) for event in events]
        assert all(box == boxes[0] for box in boxes)
        assert boxes[0][:3] == [15, 15, 15]
    reached = sum(coverage["case", case] > 0 for case in CASES)
    assert reached > 0.8 * len(CASES)
    assert min(coverage["cause", cause] for cause in CAUSES) > 0


def in_the_box(state: dict[str, Any]) -> list[int]:
    """How many there are of the five kinds of tentacle and of the three colours of Shamblers."""
    on_portals = [sum(portal == kind for portal in state["portals"]) for kind in range(4)]
    loose = [
        state["bag"][c] + state["discard"][c] + state["mat"][c] + on_portals[c]
        + sum(town[c] for town in state["madness"]) + sum(own[c] for own in state["temper"])
        for c in range(3)
    ]  # fmt: skip
    chaos = state["chaos_supply"] + state["lines"] + state["bag"][3] + state["discard"][3] + sum(state["chaos"])
    eldritch = state["eldritch_supply"] + state["energy"] + state["bag"][4] + state["discard"][4]
    shamblers = [state["mat_shamblers"][c] + sum(town[c] for town in state["shamblers"]) for c in range(3)]
    return [*loose, chaos + on_portals[3], eldritch + sum(state["town_eldritch"]), *shamblers]


@pytest.mark.parametrize("seed", range(6))
def test_one_wrong_number_anywhere_in_a_told_game_is_refused(seed: int) -> None:
    """Negative control."""
    rng = random.Random(seed)
    seats, rules, events = told(100 + seed)
    event = rng.choice(events)
    name = rng.choice(["energy", "chaos_supply", "n_dealt", "left", "goo", "strength"])
    event["state"][name] += 1
    with pytest.raises(Mismatch, match=f"state {name}|Shambler per player|five towns"):
        replay(seats, rules, events)


@pytest.mark.parametrize("seed", range(6))
def test_one_wrong_option_in_a_told_game_is_refused(seed: int) -> None:
    """Negative control."""
    rng = random.Random(seed)
    games = (told(200 + 10 * seed + i) for i in range(10))  # some are over at once
    seats, rules, events = next(game for game in games if any("decision" in event for event in game[2]))
    legal = rng.choice([event["decision"] for event in events if "decision" in event])["legal"]
    option = rng.randrange(len(legal))
    legal[option] = not legal[option]
    with pytest.raises(Mismatch, match="between"):
        replay(seats, rules, events)
