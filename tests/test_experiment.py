"""The schema of experiments: every mistake is one message with file, key, what must hold and what was found."""

from __future__ import annotations

import pickle

import pytest

from simkit.errors import UserError
from simkit.experiment import Experiment, StrategySpec, load, parse
from simkit.plan import make_plan

BASE = 'game = "tentacolor"\nplayers = 3\ngames = 10\nstrategies = ["random"]\n'
NO_GAMES = 'game = "tentacolor"\nplayers = 3\nstrategies = ["random"]\n'
NO_PLAYERS = 'game = "tentacolor"\ngames = 10\nstrategies = ["random"]\n'
NO_STRATEGIES = 'game = "tentacolor"\nplayers = 3\ngames = 10\n'

MISTAKES = {
    # how many games
    "no games": (NO_GAMES, "`games`", "must be set"),
    "zero games": (NO_GAMES + "games = 0", "`games`", "at least 1; found 0"),
    "negative games": (NO_GAMES + "games = -5", "`games`", "found -5"),
    "float games": (NO_GAMES + "games = 1e6", "`games`", "whole number; found 1000000.0"),
    "huge float games": (NO_GAMES + "games = 1e30", "`games`", "found 1e+30"),
    "huge games": (NO_GAMES + f"games = {10**30}", "`games`", "at most 1,000,000,000,000"),
    "nan games": (NO_GAMES + "games = nan", "`games`", "found nan"),
    "infinite games": (NO_GAMES + "games = inf", "`games`", "found inf"),
    "true games": (NO_GAMES + "games = true", "`games`", "found true"),
    "text games": (NO_GAMES + 'games = "many"', "`games`", "found 'many'"),
    "games beyond all cells": (
        NO_GAMES + f"games = {10**12}\n[sweep]\n'rules.sharks' = [2, 4]",
        "`games`",
        "all cells",
    ),
    # seed, name, texts
    "seed of 65 bits": (BASE + f"seed = {2**64}", "`seed`", "less than 18,446,744,073,709,551,616"),
    "float seed": (BASE + "seed = 1.5", "`seed`", "found 1.5"),
    "true seed": (BASE + "seed = true", "`seed`", "found true"),
    "name up": (BASE + 'name = "../../etc"', "`name`", "not start or end with a dot"),
    "name with a slash": (BASE + 'name = "a/b"', "`name`", "found 'a/b'"),
    "hidden name": (BASE + 'name = ".git"', "`name`", "found '.git'"),
    "empty name": (BASE + 'name = ""', "`name`", "1 to 100"),
    "escape in the title": (BASE + 'title = "a\\u001b[2Jb"', "`title`", "printable"),
    "question of a megabyte": (BASE + f'question = "{"x" * 10**6}"', "`question`", "at most 2,000"),
    # keys
    "unknown key": (BASE + "gmaes = 3", "`gmaes`", "did you mean `games`? Allowed: cells, game, games"),
    "unknown table": (BASE + "[verdict]\nseat_band = 0.1", "`verdict`", "did you mean `verdicts`?"),
    "unknown verdict": (BASE + "[verdicts]\nseat_bnad = 0.1", "`verdicts.seat_bnad`", "did you mean `seat_band`?"),
    "unknown rule": (BASE + "[rules]\nshark = 2", "`rules.shark`", "did you mean `sharks`? Allowed: cards, carriers"),
    "unknown swept rule": (BASE + "[sweep]\n'rules.exprt' = [true]", "`sweep.rules.exprt`", "did you mean `expert`?"),
    "key that cannot be swept": (
        BASE + "[sweep]\nplayers = [2, 3]",
        "`sweep.players`",
        "rules.NAME, strategies.LABEL",
    ),
    "unknown swept label": (BASE + "[sweep]\n'strategies.rnadom.x' = [1]", "`sweep.strategies.rnadom.x`", "`random`?"),
    # not built yet
    "measures": (BASE + 'measures = ["pacing"]', "`measures`", "not built yet; found ['pacing']"),
    "measures that are no list": (BASE + 'measures = "pacing"', "`measures`", "a list; found 'pacing'"),
    "measures that are no texts": (BASE + "measures = [3]", "`measures[0]`", "a text; found 3"),
    # stopping early
    "stop without precision": (BASE + "[stop]", "`stop.precision`", "must be set"),
    "stop that is no table": (BASE + "stop = true", "`stop`", "must be a table; found true"),
    "unknown stop": (BASE + "[stop]\nprecison = 0.1", "`stop.precison`", "did you mean `precision`?"),
    "precision of zero": (BASE + "[stop]\nprecision = 0", "`stop.precision`", "greater than 0"),
    "precision of a half": (BASE + "[stop]\nprecision = 0.5", "`stop.precision`", "less than 0.5; found 0.5"),
    "precision of nan": (BASE + "[stop]\nprecision = nan", "`stop.precision`", "finite number"),
    "true precision": (BASE + "[stop]\nprecision = true", "`stop.precision`", "found true"),
    # game and players
    "no game": ("games = 10\nstrategies = ['random']", "`game`", "must be set"),
    "unknown game": (BASE.replace("color", "colour"), "`game`", "did you mean `tentacolor`?"),
    "path for a game": (BASE.replace("tentacolor", "../../tmp/x"), "`game`", "unknown game"),
    "too many players": (NO_PLAYERS + "players = 5", "`players`", "2, 3, 4 players; found 5"),
    "no players": (NO_PLAYERS + "players = 0", "`players[0]`", "found 0"),
    "empty players": (NO_PLAYERS + "players = []", "`players`", "must not be empty"),
    "players twice": (NO_PLAYERS + "players = [3, 3]", "`players`", "must not repeat"),
    "true players": (NO_PLAYERS + "players = true", "`players`", "found true"),
    "float players": (NO_PLAYERS + "players = [2.0]", "`players[0]`", "found 2.0"),
    # values of rules
    "rule out of range": (BASE + "[rules]\nsharks = 1000", "`rules.sharks`", "at most 40; found 1000"),
    "negative rule": (BASE + "[rules]\nsharks = -1", "`rules.sharks`", "alternatives 2, 6, 8, 10"),
    "true for a number": (BASE + "[rules]\nsharks = true", "`rules.sharks`", "a whole number; found true"),
    "float for a number": (BASE + "[rules]\nsharks = 4.0", "`rules.sharks`", "found 4.0"),
    "nan for a number": (BASE + "[rules]\nsharks = nan", "`rules.sharks`", "found nan"),
    "text for a truth value": (BASE + '[rules]\nexpert = "yes"', "`rules.expert`", "true or false; found 'yes'"),
    "number for a truth value": (BASE + "[rules]\nexpert = 1", "`rules.expert`", "true or false; found 1"),
    "unknown choice": (BASE + '[rules]\ncarriers = "near"', "`rules.carriers`", "'spread' or 'random'; found 'near'"),
    "rules that do not fit": (BASE + "[rules]\ncards = 61", "`rules`", "found 61 cards"),
    "date for a rule": (BASE + "[rules]\nsharks = 2020-01-01", "`rules.sharks`", "must be"),
    "swept value refused": (BASE + "[sweep]\n'rules.sharks' = [4, 99]", "`sweep.rules.sharks`", "found 99"),
    # sweeps
    "empty sweep": (BASE + "[sweep]\n'rules.expert' = []", "`sweep.rules.expert`", "at least 1"),
    "sweep of one value": (
        BASE + "[sweep]\n'rules.expert' = true",
        "`sweep.rules.expert`",
        "must be a list; found true",
    ),
    "value twice": (BASE + "[sweep]\n'rules.sharks' = [2, 2]", "`sweep.rules.sharks`", "must not repeat"),
    "set and swept": (BASE + "[rules]\nsharks = 4\n[sweep]\n'rules.sharks' = [2]", "`sweep.rules.sharks`", "set once"),
    "short row": (BASE + "[sweep]\n'rules.sharks, rules.rares' = [[2]]", "rules.rares`", "rows of 2 values"),
    "nan in a sweep": (BASE + "[sweep]\n'rules.sharks' = [nan]", "`sweep.rules.sharks`", "finite"),
    "too many cells": (
        BASE + f"[sweep]\n'rules.sharks' = {list(range(200))}\n'rules.rares' = {list(range(200))}",
        "`sweep`",
        "at most 10,000 cells; found 40,000",
    ),
    # strategies and line-ups
    "no strategies": (NO_STRATEGIES, "`strategies`", "at least one strategy"),
    "unknown strategy": (BASE.replace("random", "randmo"), "`strategies[0]`", "did you mean `random`? Allowed:"),
    "path for a strategy": (BASE.replace("random", "../no/file.py:x"), "`strategies[0]`", "found no"),
    "number for a strategy": (NO_STRATEGIES + "strategies = [3]", "`strategies[0]`", "a strategy's name"),
    "strategy without a name": (NO_STRATEGIES + "strategies = [{spite = 1}]", "`strategies[0].name`", "must be set"),
    "escape in a strategy's name": (BASE.replace("random", "\\u001b[2J"), "`strategies[0]`", "printable"),
    "escape in a label": (
        NO_STRATEGIES + 'strategies = [{name="random", as="\\u0007"}]',
        "`strategies[0]`",
        "printable",
    ),
    "long label": (
        NO_STRATEGIES + f'strategies = [{{name="random", as="{"x" * 81}"}}]',
        "`strategies[0]`",
        "at most 80",
    ),
    "label twice": (BASE.replace('"random"', '"random", "random"'), "`strategies[1]`", "twice; set `as`"),
    "parameter that is not there": (
        NO_STRATEGIES + 'strategies = [{name="random", luck=1}]',
        "`strategies[0]`",
        "unknown parameter `luck`",
    ),
    "wrapper's parameter misspelt": (
        NO_STRATEGIES + 'strategies = [{name="mixture", of=["random"], weigths=[1]}]',
        "`strategies[0]`",
        "did you mean `weights`?",
    ),
    "text for a number in a parameter": (
        NO_STRATEGIES + 'strategies = [{name="epsilon", of="random", p="often"}]',
        "`strategies[0]`",
        "`p` must be a finite number; found 'often'",
    ),
    "true for a number in a parameter": (
        NO_STRATEGIES + 'strategies = [{name="epsilon", of="random", p=true}]',
        "`strategies[0]`",
        "found true",
    ),
    "nan in a parameter": (
        NO_STRATEGIES + 'strategies = [{name="epsilon", of="random", p=nan}]',
        "`strategies[0].p`",
        "finite number",
    ),
    "probability above one": (
        NO_STRATEGIES + 'strategies = [{name="epsilon", of="random", p=2}]',
        "`strategies[0]`",
        "from 0 to 1",
    ),
    "wrapper of nothing": (NO_STRATEGIES + 'strategies = [{name="epsilon"}]', "`strategies[0]`", "`of` must be one"),
    "wrapper of unknown": (
        NO_STRATEGIES + 'strategies = [{name="epsilon", of="randmo"}]',
        "`strategies[0]`",
        "did you mean `random`?",
    ),
    "forbidden option unknown": (
        NO_STRATEGIES + 'strategies = [{name="never", of="random", as="n", options={give=["third card"]}}]',
        "`strategies.n.options.give`",
        "unknown option `third card`",
    ),
    "unknown line-ups": (BASE + 'line_ups = "robin"', "`line_ups`", "mirror, round-robin, free-for-all"),
    "no line-ups": (BASE + "line_ups = []", "`line_ups`", "must not be empty"),
    "line-up too short": (BASE + 'line_ups = [["random", "random"]]', "`line_ups[0]`", "3 seats; found 2"),
    "line-up of unknown": (BASE + 'line_ups = [["random", "random", "x"]]', "`line_ups[0][2]`", "unknown strategy `x`"),
    # verdicts
    "band of zero": (BASE + "[verdicts]\nseat_band = 0", "`verdicts.seat_band`", "greater than 0"),
    "band of nan": (BASE + "[verdicts]\nseat_band = nan", "`verdicts.seat_band`", "finite number"),
    "true band": (BASE + "[verdicts]\nseat_band = true", "`verdicts.seat_band`", "found true"),
    "falling win rate": (BASE + "[verdicts]\nwin_rate = [0.6, 0.4]", "`verdicts.win_rate`", "lower below upper"),
    # TOML itself
    "broken TOML": (BASE + "[rules\nsharks = 4", "line 5, column 7", "valid TOML"),
    "unclosed text": (BASE + 'title = "', "line 5", "valid TOML"),
    "key twice": (BASE + "games = 11", "line 5", "valid TOML"),
    "deep nesting": (BASE + "rules = " + "[" * 5000, "valid TOML", "nested"),
    "number with 5,000 digits": (NO_GAMES + "games = " + "9" * 5000, "valid TOML", "digits"),
}


@pytest.mark.parametrize(("text", "key", "problem"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_refused_with_file_key_and_problem(tmp_path, text, key, problem):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as refusal:
        make_plan(load(path), path)
    message = str(refusal.value)
    assert "mine.toml" in message
    assert key in message
    assert problem in message
    assert "Traceback" not in message
    assert "pydantic" not in message
    assert len(message) < 1500


def test_missing_file(tmp_path):
    with pytest.raises(UserError, match=r"must be a file; found no .*none.toml"):
        load(tmp_path / "none.toml")


def test_folder_in_place_of_a_file(tmp_path):
    with pytest.raises(UserError, match="is a folder"):
        load(tmp_path)


def test_not_utf8(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b'title = "\xff"')
    with pytest.raises(UserError, match="must be UTF-8 text; byte 9 is not"):
        load(path)


def test_all_that_may_be_left_out_has_a_default(tmp_path):
    path = tmp_path / "my first.toml"
    path.write_text('game = "tentacolor"\ngames = 1\nstrategies = ["random"]', encoding="utf-8")
    experiment = load(path)
    assert (experiment.name, experiment.seed, experiment.line_ups) == ("my-first", 1, "mirror")
    assert experiment.verdicts.seat_band == 0.02
    assert experiment.verdicts.win_rate == (0.4, 0.6)
    assert [cell.players for cell in make_plan(experiment, path).cells] == [2, 3, 4]


def test_what_is_asked_on_the_command_line_replaces_the_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(BASE + "[rules]\nsharks = 4", encoding="utf-8")
    experiment = load(path, {"games": 77, "rules.sharks": 6, "rules.rares": 2})
    assert (experiment.games, experiment.rules) == (77, {"sharks": 6, "rares": 2})
    with pytest.raises(UserError, match=r"`rules.shraks`.*did you mean `sharks`"):
        make_plan(load(path, {"rules.shraks": 6}), path)


@pytest.mark.parametrize(
    ("key", "value", "varied"),
    [
        ("sweep.rules.sharks", [2], {"rules.sharks": [2]}),
        ('sweep."rules.sharks"', [2], {"rules.sharks": [2]}),
        ("sweep.'rules.expert'", [True], {"rules.sharks": [4, 6], "rules.expert": [True]}),
        ("sweep.strategies.a (0.5).x.p", [1], {"rules.sharks": [4, 6], "strategies.a (0.5).x.p": [1]}),
        ('sweep.strategies."a (0.5).x".p', [1], {"rules.sharks": [4, 6], "strategies.a (0.5).x.p": [1]}),
        ("sweep", {"rules": {"rares": [1]}}, {"rules.rares": [1]}),
    ],
)
@pytest.mark.parametrize("axis", ['"rules.sharks"', "rules.sharks"])
def test_sweeps_are_set_from_the_command_line(tmp_path, key, value, varied, axis):
    experiment = parse(BASE + f"[sweep]\n{axis} = [4, 6]", tmp_path / "mine.toml", {key: value})
    assert {axis.keys[0]: [row[0] for row in axis.rows] for axis in experiment.sweep.axes} == varied


def test_tables_are_begun_from_the_command_line(tmp_path):
    overrides = {"sweep.assumptions": True, "stop.precision": 0.01, "verdicts.seat_band": 0.1}
    experiment = parse(BASE, tmp_path / "mine.toml", overrides)
    assert experiment.sweep.assumptions
    assert (experiment.stop.precision, experiment.verdicts.seat_band) == (0.01, 0.1)
    with pytest.raises(UserError, match=r"`stop.precision`.*`stop` is not a table"):
        parse(BASE + "stop = 3", tmp_path / "mine.toml", overrides)


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ("blocker", "blocker"),
        ({"name": "blocker", "spite": 0.25}, "blocker(spite=0.25)"),
        ({"name": "blocker", "spite": 0.25, "as": "gentle"}, "gentle"),
        ({"name": "folder/mine.py:bold"}, "bold"),
        ({"name": "/home/me/folder/mine.py"}, "mine"),
        ({"name": "C:\\Users\\me\\mine.py:bold"}, "bold"),
        ({"name": "C:/Users/me/mine.py"}, "mine"),
        ({"name": "epsilon", "of": {"name": "a", "x": True}, "p": 0.1}, "epsilon(a(x=true), p=0.1)"),
        ({"name": "mixture", "of": ["a", "b"]}, "mixture(a, b)"),
    ],
)
def test_labels(given, label):
    spec = StrategySpec.model_validate(given)
    assert spec.default_label == label
    assert pickle.loads(pickle.dumps(spec)) == spec


@pytest.mark.parametrize(
    "varied",
    [
        {"sweep": {"rules.sharks, rules.rares": [[2, 2], [4, 4]]}},
        {"sweep": {"rules": {"sharks": [2]}, "assumptions": True}},
        {"sweep": {"rules.sharks": {"from": 2, "to": 4}, "design": "lhs", "n": 3}, "stop": {"precision": 0.1}},
        {"cells": [{}, {"players": 2, "rules": {"sharks": 3}}, {"strategies.wild.p": 0.5}]},
    ],
)
@pytest.mark.parametrize("without_defaults", [True, False])
def test_an_experiment_survives_being_written_down(varied, without_defaults):
    experiment = Experiment.model_validate(
        {
            "game": "tentacolor",
            "games": 10,
            "players": [2, 3],
            "strategies": [{"name": "epsilon", "of": "random", "as": "wild"}],
            "line_ups": [["wild", "random"], ["wild", "wild", {"name": "random", "as": "other"}]],
        }
        | varied
    )
    told = experiment.model_dump(mode="json", by_alias=True, exclude_defaults=without_defaults)
    assert Experiment.model_validate(told) == experiment
    assert Experiment.model_validate({**told, "cells": None, "sweep": {}}) != experiment
