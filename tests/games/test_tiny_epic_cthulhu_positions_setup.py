"""Witness 1: the rulebook of Tiny Epic Cthulhu on components, difficulty, setup, the overview and the end."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.results import Results
from simkit.strategy import Random
from simkit.table import Table
from simkit.tape import Tape
from simkit.trace import Trace
from tests.games.tiny_epic_cthulhu_position import Arkamoore, made, side

TOWNS = [{"front": side(f"{n}", "greed"), "back": side(f"{n} back", "fear")} for n in range(5)]
FIXED = {"town_cards": TOWNS, "towns": ["0", "1", "2", "3", "4"], "wheel": ["draw"] * 10}
GREAT_OLD_ONES = ("nyarlathotep", "yog_sothoth", "yig", "cthulhu")


def set_up(seats: int = 2, spins: list[int] | None = None, n: int = 1, **changes: Any) -> list[dict[str, Any]]:
    """The states after the set-up of n games; the wheel stops at these segments, or anywhere."""
    rules = made((FIXED if spins else {}) | changes)
    table = Table(
        GAME, rules, [Random()] * seats, Tape(1), np.arange(n, dtype=np.uint64), Results(GAME, rules, seats, n)
    )
    waiting, luck = list(spins or []), table.draw

    def draw(stream: str, *bounds: Any) -> Any:
        if stream != "spins" or not spins:
            return luck(stream, *bounds)
        return (rules.spins["segment"] == waiting.pop(0)).nonzero()[0][:1]

    table.draw = draw  # type: ignore[method-assign]
    GAME.setup(table)
    assert not waiting
    return GAME.describe(table, np.arange(n))


# Components


def test_the_box() -> None:
    """25 Page Tokens, 30 Page Cards, 3 dice, 5 double-sided town cards, 15 Shamblers, 45 Madness, 17 Chaos, ..."""
    rules = made({})
    assert (3 * rules.madness_each, rules.chaos, rules.eldritch, 3 * rules.shamblers_each) == (45, 17, 23, 15)
    assert (len(rules.pages), rules.n_dice, len(rules.town_cards), len(rules.sides)) == (30, 3, 5, 10)
    assert len(rules.characters) == 6
    mats = [getattr(rules, name) for name in GREAT_OLD_ONES]
    assert all(len(mat.front) > 1 and len(mat.back) > 1 for mat in mats)


def test_a_symbol_is_zero_one_or_two() -> None:
    """Cthulhu Dice: three symbols; here a face for each is rolled."""
    for number in range(3):
        town = Arkamoore(shamblers={0: "f"}, temper="ff").actions(action="banish", dice=[number], banish="fear")
        assert town.told("roll")[0]["dice"] == [number, -1, -1]
        assert len(town.temper[0]) == 2 - number


# Game Difficulty


@pytest.mark.parametrize(("mode", "in_bag"), [("normal", 3), ("hard", 4), ("madness", 5)])
def test_difficulty(mode: str, in_bag: int) -> None:
    """Hard adds one Eldritch to the bag, Madness two; they come from the supply."""
    (state,) = set_up(mode=mode)
    assert state["bag"] == [9, 9, 9, 0, in_bag]
    assert state["eldritch_supply"] == 23 - 5 - in_bag


def test_order_of_great_old_ones() -> None:
    """Nyarlathotep, Yog-Sothoth, Yig, Cthulhu; the first is recommended for a first game."""
    component = GAME.components["great_old_one"]
    assert (component.value, *component.alternatives) == (*GREAT_OLD_ONES, "custom")
    assert [made({"great_old_one": name}).mat.name for name in GREAT_OLD_ONES] == [
        "Nyarlathotep",
        "Yog-Sothoth",
        "Yig",
        "Cthulhu",
    ]


# Setup


def test_2_five_town_cards_at_random_with_either_side_up() -> None:
    """Every card lies somewhere, in any place, on either side."""
    states = set_up(n=300)
    cards = [[up // 2 for up in state["sides"]] for state in states]
    assert all(sorted(dealt) == [0, 1, 2, 3, 4] for dealt in cards)
    assert {dealt[0] for dealt in cards} == {dealt[4] for dealt in cards} == set(range(5))
    assert {up for state in states for up in state["sides"]} == set(range(10))


def test_3a_strength_starts_at_the_start() -> None:
    """The Strength Token is on the starting box of the front."""
    (state,) = set_up()
    assert (state["side"], state["strength"], state["energy"]) == (0, 0, 0)


def test_4_every_player_has_a_mat_of_their_own() -> None:
    """Different characters, everyone of them now and then."""
    states = set_up(4, n=200)
    assert all(len(set(state["characters"])) == 4 for state in states)
    assert {who for state in states for who in state["characters"]} == set(range(6))


def test_4a_the_brain_token_is_at_the_bottom() -> None:
    """Off the track, as the note of Step 2 has it (the alternative: on its bottom space); the mat is empty."""
    (state,) = set_up()
    assert state["brain"] == [0, 0]
    assert state["temper"] == [[0, 0, 0]] * 2
    assert state["chaos"] == [0, 0]
    assert set_up(brain_at_start=True)[0]["brain"] == [1, 1]


def test_5_nothing_is_translated() -> None:
    """All page tokens lie beside the Necronomicon, ten Chaos at its lines, and no portal is sealed."""
    (state,) = set_up()
    assert (state["rows"], state["lines"], state["portals"]) == ([0] * 5, 10, [-1] * 6)
    assert state["chaos_supply"] == 7
    assert state["runes"] == [[0, 0, 0]] * 2


def test_6_a_page_lies_face_down_at_each_town() -> None:
    """Five of thirty cards, shuffled, nobody having seen them."""
    states = set_up(n=200)
    for state in states:
        assert len(set(state["pages"])) == state["n_dealt"] == 5
        assert not any(state["face_up"])
        assert not any(state["known"])
    assert {page for state in states for page in state["pages"]} == set(range(30))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_10_the_wheel_places_the_tokens(seats: int) -> None:
    """A spin for the Great Old One, for each Shambler, for each player, in this order; all go to the pointer's town."""
    spins = [4, *[0, 2, 3, 8][:seats], *[9, 1, 6, 0][:seats]]
    (state,) = set_up(seats, spins)
    assert state["goo"] == 2
    assert [sum(there) for there in state["shamblers"]] == [[1, 1, 0, 0, 0], [1, 2, 0, 0, 0], [1, 2, 0, 0, 1]][
        seats - 2
    ]
    assert state["at"] == [4, 0, 3, 0][:seats]


def test_10b_the_colour_is_the_tails() -> None:
    """Segment 0 of ten: the tail is opposite, in the second half of town 2; segment 1: the first half of town 3."""
    cards = [dict(card) for card in TOWNS]
    cards[2] = {"front": side("2", "fear") | {"colours": ["fear", "rage"]}, "back": side("2 back", "fear")}
    cards[3] = {"front": side("3", "fear") | {"colours": ["fear", "rage"]}, "back": side("3 back", "fear")}
    (state,) = set_up(2, [0, 0, 1, 0, 0], town_cards=cards)
    assert state["shamblers"][0] == [1, 1, 0]


def test_10b_the_next_colour_if_there_is_none() -> None:
    """Blue, red, green, blue: with one Shambler of each colour, three times greed gives greed, fear, rage."""
    (state,) = set_up(3, [8, 0, 2, 4, 8, 8, 8], shamblers_each=1)
    assert state["shamblers"][:3] == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert state["mat_shamblers"] == [0, 0, 0]


def test_10b_a_full_track_is_accursed_as_always() -> None:
    """The fourth Shambler of one town: all go back, its Eldritch to the Discard Mat, a fresh one comes."""
    (state,) = set_up(4, [8, 0, 0, 0, 1, 8, 8, 8, 8])
    assert state["shamblers"] == [[0, 0, 0]] * 5
    assert state["mat_shamblers"] == [5, 5, 5]
    assert state["discard"] == [3, 3, 3, 0, 1]
    assert (state["town_eldritch"], state["eldritch_supply"]) == ([1] * 5, 14)


def test_10c_nobody_draws_beside_a_shambler() -> None:
    """Players set down at a Shambler or the Great Old One draw nothing."""
    (state,) = set_up(2, [0, 0, 0, 0, 0])
    assert state["at"] == [0, 0]
    assert state["temper"] == [[0, 0, 0]] * 2
    assert state["bag"] == [9, 9, 9, 0, 3]


def test_11_the_tentacles() -> None:
    """3 Eldritch and 9 of each Madness in the bag, 3 of each on either mat, an Eldritch on each town."""
    (state,) = set_up(2, [8, 0, 2, 8, 8])
    assert state["bag"] == [9, 9, 9, 0, 3]
    assert state["mat"] == [3, 3, 3]
    assert state["discard"] == [3, 3, 3, 0, 0]
    assert state["town_eldritch"] == [1] * 5
    assert state["eldritch_supply"] == 15
    assert state["madness"] == [[0, 0, 0]] * 5


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_solo_controls_two_characters(players: int) -> None:
    """Solo Game Mode: the set-up of a 2-player game; otherwise a character each, and a Shambler each."""
    seats = GAME.seats_for(players)
    assert seats == max(2, players)
    (state,) = set_up(seats, [8, *range(0, 2 * seats, 2), *[8] * seats])
    assert sum(map(sum, state["shamblers"])) == len(state["at"]) == len(state["characters"]) == seats


def test_the_set_up_is_told_of_as_a_whole() -> None:
    """One event, whatever the wheel did."""
    assert [event["event"] for event in Arkamoore(4, rules={"shambler_track": 1}).events] == ["setup"]


# Gameplay Overview, End Game


def test_a_turn_is_the_wheel_and_then_actions() -> None:
    """Spin the Wheel of Madness and resolve; take Player Actions."""
    course = Arkamoore(bag="fff").turn(action=["collect", "stop"], draws="fff").course
    assert course == ["spin", "pointer", "draw", "draw", "draw", "spawn", "great_old_one", "collect", "stop"]


def test_players_take_turns_clockwise() -> None:
    """Seat 0 begins, then the next one, and so on."""
    trace = Trace()
    play(GAME, made({"max_rounds": 2}), [Random()] * 3, 1, 0, 1, observer=trace)
    spun = [event["seat"] for event in trace.games[0] if event["event"] == "spin"]
    assert spun == ([0, 1, 2] * 2)[: len(spun)]
    assert len(spun) >= 3


def test_a_game_that_lasts_too_long_is_lost() -> None:
    """The guard: after max_rounds rounds a game is unfinished, which is lost."""
    rules = made({"max_rounds": 1, "start_eldritch": 0, "powers": "none"})
    results = play(GAME, rules, [Random()] * 2, 1, 0, 5)
    causes = Counter(GAME.all_end_causes[cause] for cause in results.games["end_cause"])
    assert causes["unfinished"] == 5
    assert results.games["n_turns"].tolist() == [2] * 5
    assert not results.games["won"].any()


def test_the_game_is_won_with_six_portals_at_once() -> None:
    """The game ends immediately when all six portals are sealed: actions that were left are not taken."""
    town = Arkamoore(phase=2, goo=0, portals="frrrg.", temper="g", runes="ggg", madness={0: "fff"})
    town.actions(action="seal", dice=[1, 1, 1])
    assert (town.over, town.result("won"), town.result("portals")) == ("sealed", True, 6)
    assert town.course == ["roll", "seal", "end"]


def test_the_game_is_lost_by_strength_at_once() -> None:
    """Either side: the last space of the Strength Track. Tentacles that were still to be drawn are not."""
    for phase, strength in ((1, 4), (2, 2)):
        town = Arkamoore(phase=phase, bag="eff", energy=2, strength=strength).turn(draws="e")
        assert (town.over, town.result("won"), town.result("phase")) == ("strength", False, phase)
        assert (town.result("strength_left"), town.result("trigger"), town.result("track")) == (
            0,
            "wheel draw",
            "energy",
        )
        assert (town.result("n_strength"), town.result("n_draws"), town.result("n_accursed")) == (1, 1, 0)
        assert town.course == ["spin", "pointer", "draw", "strength", "end"]


def test_the_game_is_lost_by_delirium_at_once() -> None:
    """Any player at the top of the Delirium Track loses the game for all."""
    town = Arkamoore(3, whose=1, brain=[0, 3, 0], temper=["", "rr"], shamblers={1: "ff"}, bag="rf")
    town.actions(action="1 clockwise", draws="r")
    assert (town.over, town.result("won")) == ("delirium", False)
    assert (town.result("trigger"), town.result("track"), town.brain) == ("stop", "rage", [0, 4, 0])
    assert town.course == ["move", "draw", "delirium", "end"]
