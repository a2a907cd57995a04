"""`--set`: any key of an experiment from the command line, as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.cli.options import overrides, planned
from simkit.errors import UserError

EXPERIMENT = 'game = "tentacolor"\nplayers = 2\ngames = 20\nstrategies = ["random"]\n'


def cells(folder: Path, *changes: str, text: str = EXPERIMENT) -> list[dict]:
    """The rules of each cell."""
    path = folder / "trial.toml"
    path.write_text(text)
    return [cell.rules for cell in planned(str(path), None, None, changes, None).cells]


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        (['sweep."rules.expert"=[false, true]'], [{"expert": False}, {"expert": True}]),
        (["sweep.rules.expert=[true]"], [{"expert": True}]),
        (["sweep.'rules.sharks, rules.rares' = [[2, 4]]"], [{"sharks": 2, "rares": 4}]),
        (["sweep={rules.sharks=[2, 6]}"], [{"sharks": 2}, {"sharks": 6}]),
        (["sweep.design=sobol", "sweep.n=4", "sweep.rules.run=[4, 5]"], [{"run": 4}, {"run": 5}]),
        (['cells=[{}, {"rules.sharks" = 2}]'], [{}, {"sharks": 2}]),
        (["rules.sharks=2", "sweep.rules.rares=[1]"], [{"sharks": 2, "rares": 1}]),
    ],
)
def test_what_is_played(tmp_path: Path, changes: list[str], rules: list[dict]) -> None:
    assert sorted(map(str, cells(tmp_path, *changes))) == sorted(map(str, rules))


def test_assumptions(tmp_path: Path) -> None:
    found = cells(tmp_path, "sweep.assumptions=true", "stop.precision=0.01")
    assert found[0] == {}
    assert {"deck_out": "reshuffle"} in found
    assert cells(tmp_path, "sweep.assumptions=false") == [{}]


@pytest.mark.parametrize("spelled", ['"rules.sharks" = [4]', "rules.sharks = [4]"])
def test_a_key_of_the_file_is_replaced_however_either_is_written(tmp_path: Path, spelled: str) -> None:
    for change in ('sweep."rules.sharks"=[2]', "sweep.rules.sharks=[2]"):
        assert cells(tmp_path, change, text=EXPERIMENT + f"[sweep]\n{spelled}") == [{"sharks": 2}]


def test_a_label_may_hold_an_equals_sign() -> None:
    given = overrides(None, None, ['sweep."strategies.epsilon(random, p=0.5).x"=[1]', "title = a = b"])
    assert given == {'sweep."strategies.epsilon(random, p=0.5).x"': [1], "title": "a = b"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("sweep", "must have the form KEY=VALUE"),
        ('"sweep', "must have the form KEY=VALUE"),
        ("=3", "must have the form KEY=VALUE"),
        ("sweep.assumptions=yes", "`sweep.assumptions`: must be true or false; found 'yes'"),
        ("stop.precision=small", "`stop.precision`: must be a number; found 'small'"),
        ("stop.precison=0.1", "did you mean `precision`?"),
        ("sweep.rules.exprt=[true]", "did you mean `expert`?"),
        ("games.x=3", "`games` is not a table"),
        ("cells.players=3", "each under [[cells]]"),
    ],
)
def test_mistakes(tmp_path: Path, change: str, problem: str) -> None:
    with pytest.raises(UserError) as refusal:
        cells(tmp_path, change)
    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("rules.pages=3", "`rules.pages`: must be a list of tables; found 3 (the default: {games})"),
        ("rules.custom=3", "`rules.custom`: must be a table; found 3 (the default: {games})"),
        (
            "rules.wheel=3",
            "`rules.wheel`: must be a list like ['madness', 'fear power', 'draw', ...]; found 3 "
            "(the default and its alternatives: {games})",
        ),
        (
            "rules.energy_track=2",
            "`rules.energy_track`: must be a list like [2, 2]; found 2 (default [2, 2], alternatives [2, 3], [3, 3])",
        ),
    ],
)
def test_a_rule_that_is_a_table_is_refused_in_one_readable_line(tmp_path: Path, change: str, problem: str) -> None:
    with pytest.raises(UserError) as refused:
        cells(tmp_path, change, text=EXPERIMENT.replace("tentacolor", "cthulhu"))
    said = str(refused.value)
    assert problem.format(games="`simkit games tiny-epic-cthulhu --json`") in said
    assert "\n" not in said
