"""Sampled designs: as even as they promise, the same for the same seed, and refused where they cannot be."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.errors import UserError
from simkit.experiment import Experiment, load
from simkit.plan import make_plan
from simkit.planning.design_points import design_points
from simkit.planning.sweep import Axis, Range

BASE = 'game = "tentacolor"\nplayers = 3\ngames = 10\nstrategies = ["random"]\n[sweep]\n'
LHS = BASE + 'design = "lhs"\nn = 4\n'

MISTAKES = {
    "unknown design": (
        BASE + "design = 'grid'\nn = 4\nrules.run = [4]",
        "`sweep.design`",
        "'lhs' or 'sobol'; found",
    ),
    "nothing to sample": (LHS, "`sweep.design`", "something to sample"),
    "design without n": (BASE + "design = 'lhs'\nrules.run = [4]", "`sweep.n`", "must be set beside `design`"),
    "n without a design": (BASE + "n = 3\nrules.run = [4]", "`sweep.n`", "found 3 and no design"),
    "no points": (BASE + "design = 'lhs'\nn = 0\nrules.run = [4]", "`sweep.n`", "found 0"),
    "too many points": (
        BASE + "design = 'lhs'\nn = 10_001\nrules.run = [4]",
        "`sweep.n`",
        "at most 10,000; found 10001",
    ),
    "huge n": (BASE + f"design = 'lhs'\nn = {10**60}\nrules.run = [4]", "`sweep.n`", "a very large integer"),
    "n that is no number": (BASE + "design = 'lhs'\nn = true\nrules.run = [4]", "`sweep.n`", "found true"),
    "n that is a float": (BASE + "design = 'lhs'\nn = 4.0\nrules.run = [4]", "`sweep.n`", "found 4.0"),
    "no power of two": (BASE + "design = 'sobol'\nn = 100\nrules.run = [4]", "`sweep.n`", "64 or 128; found 100"),
    "design and assumptions": (LHS + "assumptions = true\nrules.run = [4]", "`sweep.assumptions`", "found both"),
    "points and player counts": (
        BASE.replace("= 3", "= [2, 3]") + "design = 'lhs'\nn = 6000\nrules.run = {from = 2, to = 9}",
        "`sweep`",
        "at most 10,000 cells; found 12,000",
    ),
    "range without a design": (BASE + "rules.run = {from = 2, to = 9}", "`sweep.rules.run`", "needs a `design`"),
    "range with a third key": (LHS + "rules.run = {from = 2, too = 9}", "`sweep.rules.run`", "did you mean `to`?"),
    "range without an end": (LHS + "rules.run = {from = 2}", "`sweep.rules.run`", "`to` another"),
    "range of nothing": (LHS + "rules.run = {}", "`sweep.rules.run`", "`from` one finite number"),
    "range to infinity": (LHS + "rules.run = {from = 2, to = inf}", "`sweep.rules.run`", "finite"),
    "range from nan": (LHS + "rules.run = {from = nan, to = 3.0}", "`sweep.rules.run`", "finite"),
    "range of truth": (LHS + "rules.run = {from = false, to = true}", "`sweep.rules.run`", "finite number"),
    "range of texts": (LHS + "rules.run = {from = '2', to = '9'}", "`sweep.rules.run`", "finite number"),
    "range of 60 digits": (LHS + f"rules.run = {{from = 2, to = {10**60}}}", "`sweep.rules.run`", "within 2^53"),
    "range that falls": (
        LHS + "rules.run = {from = 9, to = 2}",
        "`sweep.rules.run`",
        "the lower number `to`",
    ),
    "range of one": (LHS + "rules.run = {from = 9, to = 9}", "`sweep.rules.run`", "the lower number `to`"),
    "range for two rules": (LHS + "'rules.run, rules.rares' = {from = 2, to = 9}", "rules.rares`", "must be a list"),
    "range for a truth value": (LHS + "rules.expert = {from = 0, to = 1}", "`sweep.rules.expert`", "true or false"),
    "floats for a whole number": (LHS + "rules.run = {from = 2.0, to = 9}", "`sweep.rules.run`", "a whole number"),
    "range beyond the rule's": (
        LHS + "rules.run = {from = 100, to = 900}",
        "`sweep.rules.run`",
        "must be at most 20; found",
    ),
    "empty axis": (LHS + "rules.run = []", "`sweep.rules.run`", "at least 1"),
    "value for an axis": (LHS + "rules.run = 3", "`sweep.rules.run`", "must be a list; found 3"),
}


def planned(tmp_path, text):
    """The plan of an experiment's text."""
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return make_plan(load(path), path)


@pytest.mark.parametrize(("text", "key", "problem"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_refused_with_file_key_and_problem(tmp_path, text, key, problem):
    with pytest.raises(UserError) as refusal:
        planned(tmp_path, text)
    message = str(refusal.value)
    for said in ("mine.toml: ", key, problem):
        assert said in message
    assert "ydantic" not in message
    assert len(message) < 1500


UNIT = [Axis((name,), Range(0.0, 1.0)) for name in "xyz"]


def columns(design, n, seed=1, axes=UNIT):
    """The values of each axis."""
    points = design_points(axes, design, n, seed)
    return [[point[axis.keys[0]] for point in points] for axis in axes]


@pytest.mark.parametrize(("design", "n"), [("lhs", 7), ("lhs", 100), ("sobol", 1), ("sobol", 64)])
def test_every_slice_of_every_axis_has_one_point(design, n):
    for values in columns(design, n):
        assert sorted(int(value * n) for value in values) == list(range(n))


def test_independent_points_would_not_be_so_even():
    first, second, _ = columns("lhs", 100)
    boxes = Counter((int(x * 10), int(y * 10)) for x, y in zip(first, second, strict=True))
    assert sorted(boxes.values()) != [1] * 100  # what holds for an axis alone does not hold by accident for two


def test_a_sobol_design_is_even_in_two_axes_at_once():
    for place in ((0, 1), (0, 2), (1, 2)):
        first, second = (columns("sobol", 64)[axis] for axis in place)
        boxes = Counter((int(x * 4), int(y * 4)) for x, y in zip(first, second, strict=True))
        assert set(boxes.values()) == {4}
        assert len(boxes) == 16


def test_a_larger_sobol_design_keeps_the_points_of_the_smaller():
    large, small = design_points(UNIT, "sobol", 128, 1), design_points(UNIT, "sobol", 64, 1)
    assert large[:64] == small
    assert design_points(UNIT, "lhs", 128, 1)[:64] != design_points(UNIT, "lhs", 64, 1)


@pytest.mark.parametrize("design", ["lhs", "sobol"])
def test_points_follow_from_the_seed(design):
    assert columns(design, 8, seed=5) == columns(design, 8, seed=5)
    for other in (6, -5, 2**63, -(2**63)):
        assert columns(design, 8, seed=5) != columns(design, 8, seed=other)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["lhs", "sobol"])
def test_points_are_the_same_in_another_process(tmp_path, design):
    path = tmp_path / "mine.toml"
    path.write_text(BASE + f"design = '{design}'\nn = 8\nrules.run = {{from = 2, to = 9}}\nrules.rares = [2, 4, 6]")
    code = (
        "import sys; from pathlib import Path; from simkit.experiment import load; from simkit.plan import make_plan\n"
        "path = Path(sys.argv[1]); print(*[cell.id for cell in make_plan(load(path), path).cells])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [cell.id for cell in make_plan(load(path), path).cells]


@pytest.mark.parametrize("design", ["lhs", "sobol"])
def test_listed_values_and_whole_numbers_come_equally_often(design):
    axes = [
        Axis(("a", "b"), ((1, "x"), (2, "y"), (3, "x"), (4, "z"))),
        Axis(("c",), Range(-2, 5)),
        Axis(("d",), ((True,), (False,))),
    ]
    points = design_points(axes, design, 64, 3)
    assert Counter((point["a"], point["b"]) for point in points) == dict.fromkeys(axes[0].rows, 16)
    assert Counter(point["c"] for point in points) == dict.fromkeys(range(-2, 6), 8)
    assert Counter(point["d"] for point in points) == {True: 32, False: 32}
    assert {type(point["c"]) for point in points} == {int}


@given(
    low=st.floats(-1e9, 1e9),
    width=st.floats(1e-6, 1e9),
    u=st.one_of(st.floats(0, 1, exclude_max=True), st.just(1 - 2**-53)),
)
def test_values_stay_within_their_range_in_six_digits(low, width, u):
    if low < low + width:
        value = Range(low, low + width).at(u)
        assert low <= value <= low + width
        assert value in (low, low + width) or float(f"{value:.6g}") == value


@given(low=st.integers(-(2**52), 2**52), width=st.integers(1, 2**52), u=st.floats(0, 1, exclude_max=True))
def test_whole_numbers_stay_within_their_range(low, width, u):
    assert low <= Range(low, low + width).at(u) <= low + width
    assert Range(low, low + width).at(1 - 2**-53) == low + width
    assert Range(low, low + width).at(0.0) == low


def test_a_design_is_played(tmp_path):
    text = LHS.replace("n = 4", "n = 32") + "rules.run = {from = 2, to = 9}\nrules.expert = [false, true]\n"
    cells = planned(tmp_path, text).cells
    found = [(cell.rules["run"], cell.rules["expert"]) for cell in cells]
    assert len(set(found)) == len(found) <= 16  # equal points are played once
    assert {run for run, _ in found} == set(range(2, 10))
    again = planned(tmp_path, text.replace("games = 10", "games = 999")).cells
    assert [cell.id for cell in again] == [cell.id for cell in cells]


def test_a_design_may_vary_strategies_too():
    experiment = Experiment.model_validate(
        {
            "game": "tentacolor",
            "players": 2,
            "games": 10,
            "strategies": [{"name": "epsilon", "of": "random", "as": "wild"}],
            "sweep": {"design": "sobol", "n": 8, "strategies": {"wild": {"p": {"from": 0.0, "to": 0.5}}}},
        }
    )
    cells = make_plan(experiment).cells
    nerves = [cell.line_up[0].spec.parameters["p"] for cell in cells]
    assert sorted(int(p * 16) for p in nerves) == list(range(8))


def test_scipy_is_imported_only_for_a_design():
    code = (
        "import sys; from simkit.experiment import Experiment; from simkit.plan import make_plan\n"
        "given = {'game': 'tentacolor', 'games': 9, 'strategies': ['random'], 'sweep': {'rules.run': [4, 5]}}\n"
        "make_plan(Experiment.model_validate(given)); print('scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
