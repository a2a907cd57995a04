"""Which settings an experiment plays: listed cells, and a sweep over all that the rulebook does not give."""

from __future__ import annotations

import shutil
import tomllib
from itertools import product
from pathlib import Path

import pytest

import simkit
from simkit.errors import UserError
from simkit.experiment import Experiment, load
from simkit.plan import make_plan

TOY = Path(__file__).parent / "toy"
BASE = 'game = "tentacolor"\nplayers = 3\ngames = 10\nstrategies = ["random"]\n'
WILD = 'game = "tentacolor"\ngames = 10\nstrategies = ["random", {name="epsilon", of="random", as="wild (1.5)"}]\n'

MISTAKES = {
    # listed cells
    "no cells": (BASE + "cells = []", "`cells`", "must not be empty"),
    "cells that are no list": (BASE + "cells = 3", "`cells`", "must be a list; found 3"),
    "single brackets": (BASE + "[cells]\n'rules.sharks' = 4", "`cells`", "each under [[cells]]"),
    "cell that is no table": (BASE + "cells = [3]", "`cells[0]`", "must be a table; found 3"),
    "cells and a sweep": (BASE + "[sweep]\n'rules.sharks' = [4]\n[[cells]]", "`cells`", "found both"),
    "cells and assumptions": (BASE + "[sweep]\nassumptions = true\n[[cells]]", "`cells`", "found both"),
    "unknown key of a cell": (BASE + "[[cells]]\nplayer = 3", "`cells[0].player`", "did you mean `players`?"),
    "list of players": (BASE + "[[cells]]\nplayers = [3]", "`cells[0].players`", "a whole number; found [3]"),
    "players of a cell": (BASE + "[[cells]]\n[[cells]]\nplayers = 7", "`cells[1].players`", "2, 3, 4 players; found 7"),
    "rule of a cell": (BASE + "[[cells]]\nrules.shark = 3", "`cells[0].rules.shark`", "did you mean `sharks`?"),
    "label of a cell": (
        BASE + "[[cells]]\nstrategies.rnadom.p = 3",
        "`cells[0].strategies.rnadom.p`",
        "did you mean `random`?",
    ),
    "parameter of a cell": (
        BASE + "[[cells]]\nstrategies.random.p = 3",
        "`cells[0].strategies.random.p`",
        "unknown parameter `p`",
    ),
    "label without a parameter": (BASE + "[[cells]]\nstrategies.random = 3", "`cells[0].strategies.random`", "LABEL"),
    "rule and cell": (
        BASE + "[rules]\nsharks = 4\n[[cells]]\n[[cells]]\nrules.sharks = 3",
        "`cells[1].rules.sharks`",
        "must be set once",
    ),
    "key twice in a cell": (
        BASE + "[[cells]]\n'rules.sharks' = 3\nrules.sharks = 4",
        "`cells[0].rules.sharks`",
        "must be set once; found it twice",
    ),
    "key twice in a sweep": (
        BASE + "[sweep]\n'rules.sharks' = [3]\nrules.sharks = [4]",
        "`sweep.rules.sharks`",
        "must be set once; found it twice",
    ),
    "nan in a cell": (BASE + "[[cells]]\nrules.sharks = nan", "`cells[0].rules.sharks`", "finite number"),
    "value in a cell": (BASE + "[[cells]]\nrules.sharks = 99", "`cells[0].rules.sharks`", "found 99"),
    "rules of a cell that do not fit": (BASE + "[[cells]]\nrules.cards = 61", "`cells`", "found 61 cards"),
    "list in a cell": (BASE + "[[cells]]\nrules.sharks = [3]", "`cells[0].rules.sharks`", "a whole number; found [3]"),
    "10,001 cells": (BASE + "[[cells]]\n" * 10_001, "`cells`", "at most 10,000"),
    "cells and line-ups": (
        BASE.replace("players = 3", "players = [2, 3]") + "[[cells]]\n" * 5001,
        "`cells`",
        "at most 10,000 cells; found 10,002",
    ),
    # assumptions
    "assumptions that are no truth": (BASE + "[sweep]\nassumptions = 1", "`sweep.assumptions`", "true or false"),
    "unknown key of the sweep": (
        BASE + "[sweep]\nasumptions = true",
        "`sweep.asumptions`",
        "did you mean `assumptions`?",
    ),
    "assumption that clashes": (
        BASE + "[rules]\ncards = 40\n[sweep]\nassumptions = true",
        "`sweep.assumptions`",
        "`colours = 6` must go with `cards = 40`",
    ),
    "assumption that clashes with an axis": (
        BASE + "[sweep]\nassumptions = true\n'rules.cards' = [60, 50]\n'rules.run' = [4, 5]",
        "`sweep.assumptions`",
        "`colours = 6` must go with `cards = 50`; ",
    ),
    "no assumptions left": (
        'game = "beacon"\nplayers = 2\ngames = 9\nstrategies = ["random"]\n'
        "[rules]\nsquall_cards = 1\n[sweep]\nassumptions = true\n'rules.wrecks' = [2]\n'rules.dawn_beacons' = [1]",
        "`sweep.assumptions`",
        "found none",
    ),
}


@pytest.fixture
def planned(tmp_path):
    """Plan an experiment in a folder of its own, with the toy beside it."""
    shutil.copytree(TOY / "games", tmp_path / "games")

    def plan(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return make_plan(load(path), path)

    return plan


@pytest.mark.parametrize(("text", "key", "problem"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_refused_with_file_key_and_problem(planned, text, key, problem):
    with pytest.raises(UserError) as refusal:
        planned(text)
    message = str(refusal.value)
    for said in ("mine.toml: ", f"{key}: ", problem):
        assert said in message
    assert "ydantic" not in message
    assert len(message) < 1500


def settings(plan):
    """Players, rules and swept parameters of each cell."""
    return [(cell.players, cell.rules, cell.key["swept"]) for cell in plan.cells]


# -------------------------------------------------------------------------------------------------------- listed cells


def test_listed_cells_are_played_in_their_order_beside_the_rules_of_all(planned):
    cells = "[rules]\nrares = 0\n[[cells]]\n[[cells]]\n'rules.sharks' = 8\n[[cells]]\nrules.sharks = 2\nrules.run = 4"
    rules = [{"rares": 0}, {"rares": 0, "sharks": 8}, {"rares": 0, "sharks": 2, "run": 4}]
    assert settings(planned(BASE + cells)) == [(3, changes, {}) for changes in rules]


def test_a_cell_has_its_own_players_or_those_of_the_experiment(planned):
    listed = "[[cells]]\nplayers = 2\n[[cells]]\nrules.sharks = 2\n[[cells]]\nplayers = 4\nrules.sharks = 2"
    plan = planned(BASE + listed)
    assert settings(plan) == [(3, {"sharks": 2}, {}), (2, {}, {}), (4, {"sharks": 2}, {})]
    every = planned(BASE.replace("players = 3\n", "") + "[[cells]]\n[[cells]]\nplayers = 2\nrules.sharks = 2")
    assert settings(every) == [(2, {}, {}), (2, {"sharks": 2}, {}), (3, {}, {}), (4, {}, {})]
    alone = planned(BASE.replace("players = 3\n", "line_ups = [['random', 'random']]\n") + "[[cells]]\nplayers = 2")
    assert settings(alone) == [(2, {}, {})]


@pytest.mark.parametrize(
    "key", ['"strategies.wild (1.5).p"', 'strategies."wild (1.5)".p'], ids=["one quoted key", "nested"]
)
def test_a_cell_sets_parameters_of_the_strategies_that_play(planned, key):
    plan = planned(WILD + f"players = 2\n[[cells]]\n{key} = 0.25\n[[cells]]\n{key} = 0.5")
    found = [(cell.line_up[0].label, cell.line_up[0].spec.parameters) for cell in plan.cells]
    assert found == [("random", {}), ("wild (1.5)", {"p": 0.25}), ("wild (1.5)", {"p": 0.5})]


def test_a_required_parameter_may_come_from_the_cells(planned, tmp_path):
    (tmp_path / "own.py").write_text(
        "from dataclasses import dataclass\nfrom simkit.strategy import Strategy\n"
        "@dataclass(frozen=True)\nclass Own(Strategy):\n    nerve: float\n"
    )
    own = BASE.replace("random", "own.py:own")
    assert planned(own + "[[cells]]\nstrategies.own.nerve = 1").cells[0].line_up[0].spec.parameters == {"nerve": 1}
    for without in ("", "[[cells]]\nstrategies.own.nerve = 1\n[[cells]]\nrules.sharks = 2"):
        with pytest.raises(UserError, match=r"`strategies.*`: .*`nerve` must be set; found nothing"):
            planned(own + without)


def test_a_parameter_may_be_a_table(planned):
    cells = "[[cells]]\nstrategies.none.options = {give = ['first card left']}\n"
    never = BASE.replace('"random"', '{name="never", of="random", as="none"}')
    found = planned(never + cells).cells[0].line_up[0].spec.parameters
    assert found == {"options": {"give": ["first card left"]}}


def test_equal_cells_are_played_once_however_they_are_written(planned):
    same = "[[cells]]\nrules.sharks = 2\n[[cells]]\n'rules.sharks' = 2\n[[cells]]\nplayers = 3\nrules.sharks = 2\n"
    assert len(planned(BASE + same).cells) == 1
    assert settings(planned(BASE + same + "[[cells]]\n[[cells]]\nrules.sharks = 4")) == [
        (3, {"sharks": 2}, {}),
        (3, {}, {}),  # four is the default
    ]
    assert len(planned(BASE + same + "[[cells]]\nrules.sharks = 3").cells) == 2


def test_a_listed_cell_is_the_cell_of_a_sweep(planned):
    listed = planned(BASE + "[[cells]]\nrules.sharks = 2\nrules.run = 4").cells
    swept = planned(BASE + "[sweep]\n'rules.run' = [4]\n'rules.sharks' = [2]").cells
    assert [cell.id for cell in listed] == [cell.id for cell in swept]


# --------------------------------------------------------------------------------------------------------- assumptions


def alternatives(game, but=()):
    """All that a sweep over assumptions must try, read from the game's components."""
    components = tomllib.loads((Path(simkit.__file__).parent / "games" / game / "components.toml").read_text("utf-8"))
    return [
        {name: value}
        for name, component in components.items()
        if component["tag"] != "rulebook" and component.get("swept", True) and name not in but
        for value in component.get("alternatives", ())
    ]


def test_every_alternative_is_tried_alone_beside_the_base(planned):
    found = [cell.rules for cell in planned(BASE + "[sweep]\nassumptions = true").cells]
    assert found == [{}, *alternatives("tentacolor")]
    assert {"sharks": 8} in found
    assert {"forced_match": True} in found
    assert not any("max_rounds" in rules or "expert" in rules for rules in found)


def test_false_is_the_same_as_nothing(planned):
    assert planned(BASE + "[sweep]\nassumptions = false").cells == planned(BASE).cells


def test_what_is_set_or_swept_is_left_out_and_axes_multiply(planned):
    plan = planned(BASE + "[rules]\ncolours = 5\n[sweep]\nassumptions = true\n'rules.sharks' = [2, 8]")
    tried = [{}, *alternatives("tentacolor", but=("colours", "sharks"))]
    assert [cell.rules for cell in plan.cells] == [
        {"colours": 5, "sharks": sharks} | changes for sharks, changes in product([2, 8], tried)
    ]


def test_assumptions_meet_every_line_up_and_player_count(planned):
    both = WILD + "line_ups = 'round-robin'\nplayers = [2, 4]\n[sweep]\nassumptions = true"
    assert len(planned(both).cells) == (1 + len(alternatives("tentacolor"))) * (3 + 4)


def test_alternatives_of_a_users_game(planned):
    text = 'game = "beacon"\nplayers = 2\ngames = 9\nstrategies = ["random"]\n[sweep]\nassumptions = true'
    tried = [{"squall_cards": 1}, {"squall_cards": 3}, {"wrecks": 2}, {"wrecks": 4}, {"dawn_beacons": 1}]
    assert [cell.rules for cell in planned(text).cells] == [{}, *tried]


def test_an_alternative_that_the_game_itself_refuses_is_the_games_fault(planned, tmp_path):
    components = tmp_path / "games" / "beacon.toml"
    components.write_text(components.read_text().replace("alternatives = [2, 4]", "alternatives = [2, 400]"))
    text = 'game = "beacon"\nplayers = 2\ngames = 9\nstrategies = ["random"]\n[sweep]\nassumptions = true\n'
    with pytest.raises(UserError, match=r"beacon: .*`wrecks = 400`.*beside the defaults.*found 400.*mend the game"):
        planned(text)
    assert len(planned(text + "'rules.wrecks' = [3]\n").cells) == 4


def test_assumptions_in_python():
    given = {"game": "tentacolor", "players": 2, "games": 10, "strategies": ["random"], "sweep": {"assumptions": True}}
    plan = make_plan(Experiment.model_validate(given))
    assert len(plan.cells) == 1 + len(alternatives("tentacolor"))
