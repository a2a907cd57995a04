"""A game played alone is the game that a batch plays, event by event; and how games without words are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.batch import play
from simkit.catalog import find_game, load_strategy
from simkit.experiment import StrategySpec
from simkit.replaying.course import play_course
from simkit.replaying.telling import changes, lines, plainly, seat_names
from simkit.trace import Scene, Trace
from tests.toy.planned import TOY

N = 12


@pytest.mark.parametrize(
    ("game_id", "base", "names"),
    [("tentacolor", Path(), ("random", "spiteful", "random")), ("beacon", TOY, ("random", "plain", "watchful"))],
)
def test_alone_as_in_a_batch(game_id: str, base: Path, names: tuple[str, ...]) -> None:
    """Games end at different times, so that the batch is thinned on the way."""
    game = find_game(game_id, base)
    rules = game.rules(**game.components.values_with({}))
    line_up = [load_strategy(StrategySpec.model_validate({"name": name}), game.id, base) for name in names]
    trace = Trace()
    results = play(game, rules, line_up, 5, 100, N, observer=trace)
    assert len(set(results.games["n_turns"].tolist())) > 1
    for deal in range(100, 100 + N):
        course = play_course(game, rules, line_up, names, 5, deal)
        assert [{k: v for k, v in event.items() if k != "words"} for event in course.events] == trace.games[deal]
        assert course.games["n_turns"] == results.games["n_turns"][deal - 100]


def test_every_choice_is_in_the_trace() -> None:
    """A turn of the toy may ask twice before anything is noted."""
    game = find_game("beacon", TOY)
    rules = game.rules(**game.components.values_with({}))
    line_up = [load_strategy(StrategySpec.model_validate({"name": "watchful"}), game.id, TOY)] * 2
    course = play_course(game, rules, line_up, ("a", "b"), 5, 0)
    worked = [event for event in course.events if event["event"] == "work"]
    assert worked
    for event in worked:
        asked = [choice["decision"] for choice in (*event.get("earlier", ()), event["decision"])]
        assert asked == {0: ["work"], 1: ["work", "clear"], 2: ["work", "build"]}[event["work"]]


def test_told_from_its_declarations() -> None:
    """By hand: choices of two seats, a field, and what has changed."""
    game = find_game("beacon", TOY)
    rules = game.rules(**game.components.values_with({}))
    scene = Scene(("a (seat 1)", "b (seat 2)"), rules, {"oil": [1, 0], "pile": 4})
    event = {
        "event": "fog",
        "turn": 3,
        "seat": None,
        "met": 2,
        "state": {"oil": [0, 0], "pile": 4},
        "earlier": [{"decision": "clear", "seat": 1, "legal": [True], "choice": 8}],
        "decision": {"decision": "defend", "seat": 0, "legal": [True, True], "choice": 1, "cell": 4},
    }
    assert list(plainly(game, event, scene)) == [
        "b (seat 2) decides which cell to clear of fog: south east",
        "a (seat 1) decides whether to hold one's beacon, in anyone's turn: spend an oil",
        "fog: met 2; changed: oil[0] 1 -> 0",
    ]


def test_changes_of_states() -> None:
    before = {"a": {"b": [1, (2, 3)]}, "tip": None, "list": [1]}
    after = {"a": {"b": [1, (2, 4)]}, "tip": [5], "list": [1, 2], "new": 0}
    assert list(changes(before, after)) == [
        "a.b[1][1] 3 -> 4",
        "tip None -> [5]",
        "list [1] -> [1, 2]",
        "new None -> 0",
    ]
    assert list(changes(before, before)) == []


def test_foreign_labels_cannot_reach_the_terminal() -> None:
    assert seat_names(["a\x1b[31m"]) == (r"a\x1b[31m (seat 1)",)
    game = find_game("tentacolor")
    rules = game.rules(**game.components.values_with({}))
    line_up = [load_strategy(StrategySpec.model_validate({"name": "random"}), game.id)] * 2
    course = play_course(game, rules, line_up, ("a\x1b[31m", "b\x1b[0m"), 5, 0)
    assert all(line.isprintable() for line in lines(course))
