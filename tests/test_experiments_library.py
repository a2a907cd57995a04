"""The experiments that come with simkit can be planned; nothing is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit import catalog
from simkit.experiment import load
from simkit.games.octobuns import GAME as OCTOBUNS
from simkit.games.tentacle_town.rules import CARDS
from simkit.games.tiny_epic_cthulhu import GAME as CTHULHU
from simkit.plan import make_plan

FILES = sorted(catalog.library("experiments").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_experiment_can_be_planned_and_says_what_it_asks(path: Path) -> None:
    experiment = load(path)
    assert make_plan(experiment, path).cells
    assert experiment.title
    assert experiment.question.endswith("?")
    assert path.read_text(encoding="utf-8").startswith("# ")


def test_all_sets_of_three_cards_are_played_once() -> None:
    path = catalog.find_experiment("tentacle-town-cards")
    sets = [frozenset(cell.rules["cards"]) for cell in make_plan(load(path), path).cells]
    assert len(set(sets)) == len(sets) == 220
    assert set().union(*sets) == set(CARDS)
    assert all(len(cards) == 3 for cards in sets)


def _rules_of(name: str) -> list[dict[str, object]]:
    path = catalog.find_experiment(name)
    return [dict(cell.rules) for cell in make_plan(load(path), path).cells]


def test_every_character_and_every_side_of_a_town_card_is_put_in() -> None:
    rules = _rules_of("cthulhu-cards")
    characters = {character["name"] for character in CTHULHU.components["characters"].value}
    sides = {side["name"] for card in CTHULHU.components["town_cards"].value for side in card.values()}
    for rule, names in (("character_in", characters), ("character_out", characters), ("town_up", sides)):
        assert {own[rule] for own in rules if own.get(rule)} == names


def test_each_difference_of_the_editions_is_played_by_itself() -> None:
    rules = _rules_of("cthulhu-editions")
    changed = [{name for name, value in own.items() if value != CTHULHU.components[name].value} for own in rules]
    six = [name for name, component in CTHULHU.components.items() if component.value == "edition"]
    assert len(six) == 6
    assert sorted(map(sorted, changed)) == sorted([[], ["edition"], *([name] for name in six)])


def test_the_order_of_difficulty_is_asked_of_every_assumption() -> None:
    rules, alone = _rules_of("cthulhu-order"), _rules_of("cthulhu-assumptions")
    assert len(rules) == 4 * len(alone)
    assert len({own["great_old_one"] for own in rules}) == 4
    assert len(_rules_of("cthulhu-difficulty")) == 4 * 3 * 3


def test_every_order_and_every_icon_is_given_once_and_once_nothing() -> None:
    given = [(own["given_order"], own["given_icon"]) for own in _rules_of("octobuns-orders")]
    orders = [order["name"] for kind in ("small", "large") for order in OCTOBUNS.components[f"{kind}_orders"].value]
    icons = [("", icon) for icon in ("rope-in", "tentacle", "supply")]
    assert sorted(given) == sorted([("", ""), *((order, "") for order in orders), *icons])


def test_every_open_question_of_octobuns_is_asked_of_two_ways_to_play() -> None:
    entries = OCTOBUNS.components.values()
    alternatives = sum(len(entry.alternatives) for entry in entries if entry.swept and entry.tag != "rulebook")
    assert len(_rules_of("octobuns-assumptions")) == 2 * (1 + alternatives)
