"""Tentacle Town in words: every event is told as the rulebook would, and the words alone follow the rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from simkit.batch import play
from simkit.games.tentacle_town import GAME
from simkit.games.tentacle_town.tell import task_title
from simkit.replaying.course import Course, plain_row, play_course
from simkit.replaying.telling import lines
from simkit.replaying.telling import told as in_words
from simkit.results import games_columns, seats_columns
from simkit.strategy import Random
from simkit.trace import Trace
from tests.games.tentacle_town_position import Town
from tests.golden.tentacle_town_reader import read

CALLED = ("john", "liz", "pete", "sally")
SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "all cards": {"task_cards": 12},
    "no cards": {"task_cards": 0},
    "few tokens": {"token_limit": True, "tokens": 14},
    "volley": {"hunt_firing": "volley", "start_harpoons": 9},
    "twice": {"harpoons_per_result": 2, "start_harpoons": 9},
    "for good": {"destroyed_returns": False},
    "blank": {"die": [1, 1, 2, 1, 1], "dice_order": "skulls-first"},
    "few tentacles": {"die": [1, 1, 1, 3, 0], "start_gold": 12},
}
N = 5
pytestmark = pytest.mark.xdist_group("town_told")  # the games are told once


@pytest.fixture(scope="module")
def told() -> dict[str, list[str]]:
    """Games of all settings, as they are read."""
    texts: dict[str, list[str]] = {}
    for number, (name, changes) in enumerate(SETTINGS.items()):
        labels = ("random",) * (2 + number % 3)
        rules = GAME.rules(**GAME.components.values_with(changes))
        texts[name] = ["\n".join(lines(course)) for course in courses(rules, labels)]
    return texts


def courses(rules: Any, labels: tuple[str, ...]) -> Iterator[Course]:
    """The first games of these seats, in step, which is far quicker than one by one."""
    trace, games, seats = Trace(), games_columns(GAME), seats_columns(GAME)
    results = play(GAME, rules, [Random()] * len(labels), 7, 0, N, observer=trace)
    for deal in range(N):
        rows = (plain_row(seats, results.seats, (seat, deal)) for seat in range(len(labels)))
        events = tuple(in_words(GAME, rules, labels, trace.games[deal]))
        yield Course(GAME, rules, labels, 7, deal, events, plain_row(games, results.games, (deal,)), tuple(rows))


@pytest.mark.parametrize("name", SETTINGS)
def test_words_follow_the_rulebook(told: dict[str, list[str]], name: str) -> None:
    assert all(read(text) >= 100 for text in told[name])


def test_every_kind_of_sentence_occurs(told: dict[str, list[str]]) -> None:
    """What can happen has been told at least twice."""
    text = "\n".join(text for texts in told.values() for text in texts)
    kinds = Counter[str]()
    for words in (
        "no task cards are in play",
        "the last one of the supply",
        "has the new resident do nothing",
        "pays 1 gold of overtime and completes",
        "pays 1 gold of overtime and hunts",
        "pays for no more overtime",
        "completes Housing Project: pays 1 gold and 1 fame and builds in",
        "completes Hire Movers: moves a building from",
        "for nothing",
        "no food is left of the 14 tokens",
        "but has no harpoon",
        "but there is none in the water",
        "throws one harpoon",
        "a hit, but no tentacle is left there",
        "fires no more harpoons",
        "a hit, 1 food and 1 fame, and a tentacle is removed from the",
        "one blank",
        "another one appears next to",
        ": all are in play",
        "already: none comes",
        "the resident is saved",
        "the building is saved",
        "killed and goes back to the supply, undefended",
        "is destroyed, undefended",
        "is destroyed for good",
        "applies a skull: there is no resident",
        "applies an arrow: there is no resident",
        "applies a destroy: there is no building",
        "nobody has a building",
        "has the most buildings and takes",
        "have the most buildings and take",
        "discarded",
        "is elected mayor with",
        "for the most gold",
    ):
        kinds[words] = text.count(words)
    assert {words: n for words, n in kinds.items() if n < 2} == {}


def test_johns_turn() -> None:
    """The rulebook's example of a caravan, and an attack on two buildings, one of them defended."""
    town = Town(
        buildings=[{"market": 2}, {"market": (1, 1)}],
        tentacles={"market": 2},
        gold=(2, 0),
        food=(1, 0),
        iron=(1, 0),
        harpoons=(1, 1),
        roll=["destroy", "skull", "destroy"],
        hits=["hit", "miss"],
    )
    town.turn(
        district="market",
        work="build",
        overtime="calamari_caravan",
        die=["skull"],
        victim="left",
        defend_resident="fire",
        defend_building="fire",
    )
    assert town.words(*CALLED[:2]) == [
        "john (seat 1) recruits a resident to the market",
        "john (seat 1) builds in the market's outermost row",
        "john (seat 1) pays 1 gold of overtime and completes Calamari Caravan: 1 gold, 1 food and 1 iron for 3 fame",
        "a tentacle appears next to the market",
        "john (seat 1) rolls three dice: one skull, two destroys",
        "john (seat 1) applies a skull to a resident of the market",
        "john (seat 1) fires a harpoon: a hit, 1 food and 1 fame, and a tentacle is removed from the market's waters",
        "the resident is saved",
        "john (seat 1) applies a destroy to liz (seat 2)'s building in the market's outermost row",
        "liz (seat 2) fires a harpoon: a miss",
        "liz (seat 2)'s building in the market's outermost row is destroyed",
        "john (seat 1) applies a destroy: john (seat 1)'s building in the market's outermost row is destroyed",
    ]


def test_a_hunt() -> None:
    """By overtime, with a harpoon kept."""
    town = Town(gold=1, harpoons=3, residents={"docks": 2}, tentacles={"foundry": 1, "docks": 9}, hits=["miss"])
    town.turn(district="docks", work="build", overtime="hunt_tentacles", hunt_area="foundry", row="second", fire="fire")
    assert town.words(*CALLED[:2])[1:] == [
        "john (seat 1) builds in the docks' second row",
        "john (seat 1) pays 1 gold of overtime and hunts tentacles in the foundry's waters",
        "john (seat 1) fires a harpoon: a miss",
        "john (seat 1) fires no more harpoons",
        "john (seat 1) moves a tentacle from the foundry's waters to the docks' waters: all are in play",
        "john (seat 1) rolls four dice: four blanks",
    ]


def test_a_building_by_overtime() -> None:
    """Where the rules have it."""
    town = Town(gold=1, rules={"build_by_overtime": True})
    town.turn(district="foundry", work="smelt_iron", overtime="build", row="second")
    assert town.words(*CALLED[:2])[1:3] == [
        "john (seat 1) completes Smelt Iron for nothing",
        "john (seat 1) pays 1 gold of overtime and builds in the foundry's second row",
    ]


def test_the_end() -> None:
    """Ties in a district, and of fame."""
    town = Town(
        3,
        supply=0,
        buildings=[{"docks": 1, "market": 1}, {"docks": 1}, {}],
        residents={"docks": 7, "market": 2, "foundry": 11},
        fame=(0, 2, 5),
        gold=(1, 1, 0),
    ).turn()
    assert town.words(*CALLED[:3]) == [
        "there is no resident left to place: the game ends",
        "the docks, with seven residents: john (seat 1) and liz (seat 2) have the most buildings and take 3 fame each, "
        "1 discarded",
        "the market, with two residents: john (seat 1) has the most buildings and takes 2 fame",
        "the foundry, with 11 residents: nobody has a building",
        "with 5 fame john (seat 1), liz (seat 2) and pete (seat 3) are tied: "
        "john (seat 1) and liz (seat 2) share the win for the most gold, 1",
    ]


def test_a_game_given_up() -> None:
    """The guard is told as such."""
    rules = GAME.rules(**GAME.components.values_with({"max_rounds": 1}))
    course = play_course(GAME, rules, [Random()] * 2, ("random", "random"), 1, 0)
    sentences = course.events[-1]["words"]
    assert sentences[0] == "the game is given up after 1 rounds"
    assert not any("mayor" in sentence for sentence in sentences)


def test_tasks_are_named_as_in_the_rulebook() -> None:
    """By hand."""
    assert [task_title(task) for task in (0, 4, 11, 17)] == [
        "Hunt Tentacles",
        "Forge Harpoons",
        "Erect a Statue",
        "Hire Movers",
    ]
