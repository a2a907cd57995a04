"""Octobuns in words: every event is told as the rulebook would, and the words alone follow the rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from simkit.batch import play
from simkit.games.octobuns import GAME
from simkit.replaying.course import Course, plain_row
from simkit.replaying.telling import lines
from simkit.replaying.telling import told as in_words
from simkit.results import games_columns, seats_columns
from simkit.strategy import Random
from simkit.trace import Trace
from tests.golden.octobuns_reader import read

SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "floating": {"grid": "floating", "used_cards": "stay"},
    "together": {"clean_up_sequence": "together", "bun_out_of_stock": "lost", "bun_copies": 2, "copies": 6},
    "at once": {"refill": "at-once", "rebuild_when": "at-once", "copies": 4, "dropped_orders": "bottom"},
    "full": {"full_bakery": "discard", "clean_up_cards": 0, "copies": 9},
    "quick": {"orders_to_end": 1, "finish_round": False, "icons": "all"},
}
N = 5
pytestmark = pytest.mark.xdist_group("octobuns_told")  # the games are told once


@pytest.fixture(scope="module")
def told() -> dict[str, list[str]]:
    """Games of all settings, as they are read."""
    texts: dict[str, list[str]] = {}
    for number, (name, changes) in enumerate(SETTINGS.items()):
        labels = ("random",) * (2 + number % 3)
        rules = GAME.rules(**GAME.components.values_with(changes | {"max_rounds": 40}))
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
    assert all(read(text) >= 40 for text in told[name])


def test_every_kind_of_sentence_occurs(told: dict[str, list[str]]) -> None:
    """What can happen has been told at least twice."""
    text = "\n".join(text for texts in told.values() for text in texts)
    kinds = Counter[str]()
    for words in (
        "takes the open kelp in the middle",
        "from the left stack",
        "from the discard pile",
        "and makes a crab bun",
        "but no bun is left: both are discarded",
        "has no place for",
        "slides all cards up 1",
        "from the small pile",
        "gives back the",
        "lifts",
        "discards shrimp",
        "returns plum bun",
        "gives up the",
        "which goes under its pile",
        "uses Extra Rope In",
        "uses Extra Tentacle",
        "uses Take From the Supply",
        "uses the starting card",
        "reserved order with cells",
        "which stay",
        "has completed one order: the game ends",
        "is turned up on the right",
        "go under the stacks, shuffled",
        "new among the open orders",
        "the game is given up after 40 rounds",
        "the most coins: ",
    ):
        kinds[words] = text.count(words)
    assert {words: n for words, n in kinds.items() if n < 2} == {}
