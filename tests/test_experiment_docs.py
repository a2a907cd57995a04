"""The reference of the experiment file: no key is missing, no key is made up, and its examples are valid."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simkit.experiment import Experiment, Stop, Verdicts, parse
from simkit.plan import make_plan
from simkit.planning.strategy_spec import StrategySpec
from simkit.planning.sweep import ListedCell, Sweep

PAGE = Path(__file__).parent.parent / "docs" / "experiments.md"
TEXT = PAGE.read_text(encoding="utf-8")
DOCUMENTED = set(re.findall(r"^\| `([a-z_]+)` \|", TEXT, re.MULTILINE))
MODELS = [Experiment, Sweep, ListedCell, Stop, Verdicts, StrategySpec]
RANGE = {"from", "to"}

WRAPPED = {"name": "epsilon", "of": "spiteful", "as": "careless"}
BASE = {
    "game": "tentacolor",
    "games": 10,
    "strategies": ["spiteful", WRAPPED, {"name": "random", "as": "bold"}],
}
EXAMPLES = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)


def keys(model):
    """A model's keys as they stand in a file."""
    return {field.alias or name for name, field in model.model_fields.items()}


@pytest.mark.parametrize("model", MODELS)
def test_every_key_has_a_row(model):
    assert keys(model) <= DOCUMENTED


def test_every_row_is_a_key():
    assert set().union(*map(keys, MODELS)) | RANGE == DOCUMENTED


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_can_be_played(example, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from dataclasses import dataclass\nfrom simkit.strategy import Strategy\n"
        "@dataclass(frozen=True)\nclass Bold(Strategy):\n    'Bold.'\n"
    )
    tops = set(re.findall(r"^(\w+)\s*=", example, re.MULTILINE))
    overrides = {key: value for key, value in BASE.items() if key not in tops}
    if "line_ups = [" in example:
        overrides["players"] = 3
    path = tmp_path / "mine.toml"
    assert make_plan(parse(example, path, overrides), path).cells


def test_there_is_an_example_of_each_table():
    for table in ("[rules]", "[sweep]", "[[cells]]", "[stop]", "[verdicts]", "strategies = [", "line_ups = ["):
        assert any(table in example for example in EXAMPLES), table


@pytest.mark.parametrize(("model", "key"), [(Verdicts, "seat_band"), (Experiment, "seed"), (Verdicts, "win_rate")])
def test_defaults_are_those_of_the_schema(model, key):
    default = model.model_fields[key].default
    told = re.search(rf"^\| `{key}` \|[^|]*\|([^|]*)\|", TEXT, re.MULTILINE)[1].strip(" `")
    assert told == str(list(default) if isinstance(default, tuple) else default)
