"""Tentacolor in words: every event of every kind of game is told, and the words alone follow the rulebook."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from simkit.games.tentacolor import GAME
from simkit.games.tentacolor.tell import card_name
from simkit.replaying.course import play_course
from simkit.replaying.telling import lines
from tests.games.tentacolor_replay import rules_with, scripted
from tests.golden.reader import read

SMALL = {"cards": 20, "sharks": 4, "schools": 4, "rares": 4}
SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "expert": {"expert": True, "sharks": 10},
    "six colours": {"colours": 6, "carriers": "random"},
    "forced match": {"forced_match": True},
    "reshuffle": SMALL | {"deck_out": "reshuffle", "max_rounds": 30},
    "reshuffle, expert": SMALL | {"deck_out": "reshuffle", "expert": True, "max_rounds": 30},
    "play one": SMALL | {"rares": 8, "rare_at_deck_out": "play-one"},
    "no effect": SMALL | {"rares": 8, "schools": 6},
}
N = 12


@pytest.fixture(scope="module")
def told() -> dict[str, list[str]]:
    """Games of all settings, as they are read."""
    texts: dict[str, list[str]] = {}
    for number, (name, changes) in enumerate(SETTINGS.items()):
        names = ("random", "spiteful", "shark-hunter", "random")[: 2 + number % 3]
        line_up = [scripted(strategy) for strategy in names]
        courses = [play_course(GAME, rules_with(**changes), line_up, names, 7, deal) for deal in range(N)]
        texts[name] = ["\n".join(lines(course)) for course in courses]
    return texts


@pytest.mark.parametrize("name", SETTINGS)
def test_words_follow_the_rulebook(told: dict[str, list[str]], name: str) -> None:
    assert all(read(text) >= 4 for text in told[name])


def test_every_kind_of_sentence_occurs(told: dict[str, list[str]]) -> None:
    """What can happen has been told at least twice."""
    everything = Counter[str]()
    text = "\n".join(text for texts in told.values() for text in texts)
    for words in (
        "is dealt the Extremity card",
        "receives the Expedition Leader card",
        "the last card of the draw pile",
        "the first card of its tentacle",
        "which shares no colour with the last card",
        "which completes its tentacle",
        "if it lasts until its next turn",
        "is not on its Extremity card",
        "sends the shark to",
        "its tentacle is now empty",
        "the shark has no effect",
        "for the school of fish",
        "the school of fish has no effect",
        "for the rare specimen",
        "the rare specimen has no effect",
        "no card to draw for the rare specimen, but two left",
        "has no card left",
        "are shuffled as a new one",
        "reveals its Extremity card",
        "wins the game",
        "the longest run wins",
        "purple",
    ):
        everything[words] = text.count(words)
    assert {words: n for words, n in everything.items() if n < 2} == {}


def test_cards_are_named_as_in_the_rulebook() -> None:
    """Green, yellow, orange, blue, red, as the components number them; by hand."""
    assert card_name(((2, 3), None)) == "orange-blue"
    assert card_name(((0, 4), "school")) == "green-red with a school of fish"
    assert card_name(((1, 2), "rare")) == "yellow-orange with a rare specimen"
    meaning = GAME.components["extremities"].meaning
    assert all(f"{number} {colour}" in meaning for number, colour in enumerate(("green", "yellow", "orange", "blue")))
