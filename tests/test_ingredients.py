"""What cells are made of: every ingredient of their rows by name, the same wherever the files lie."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from simkit.catalog import find_game
from simkit.experiment import Experiment, load
from simkit.plan import make_plan, named_from
from simkit.planning import ingredients
from simkit.planning.digests import digest
from simkit.planning.ingredients import Ingredients
from tests.test_plan import MINE

TOY = Path(__file__).parent / "toy"
TELLER = '{name = "epsilon", of = "teller.py:mine", as = "teller", p = %s}'
EXTREMITIES = "[rules]\nextremities = [[0, 2, 4], [1, 3, 4], [0, 1, 3], [1, 2, 4]]"
STOP = "[stop]\nprecision = 0.1"
TEXT = 'game = "tentacolor"\nplayers = 2\ngames = 9\nseed = 3\nstrategies = ["random", %s]\nline_ups = "round-robin"\n'


def cell_of(folder, text=TEXT % TELLER % 0.5, strategy=MINE, name="experiments/mine.toml"):
    """The last cell of an experiment in a folder."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    (path.parent / "teller.py").write_text(strategy, encoding="utf-8")
    return make_plan(load(path), path).cells[-1]


def changed(before, after):
    """The ingredients in which two cells differ."""
    names = before.made_of.keys() | after.made_of.keys()
    return {name for name in names if before.made_of.get(name) != after.made_of.get(name)}


def test_every_ingredient_has_a_name_and_a_short_value(tmp_path):
    made_of = cell_of(tmp_path).made_of
    rules = {f"rules.{name}" for name in find_game("tentacolor").components}
    assert made_of.keys() == rules | {
        *("tape version", "game", "rules version", "players", "seed", "measures", "line-up"),
        *("strategy random", "file strategy.py of strategy random"),
        *("strategy teller", "file strategy.py of strategy teller", "file teller.py of strategy teller"),
    }
    said = {"game": "tentacolor", "players": 2, "seed": 3, "rules.sharks": "4", "rules.deck_out": '"longest-run"'}
    assert {name: made_of[name] for name in said} == said
    assert all(isinstance(value, int) or len(value) <= 16 for value in made_of.values())


def test_the_digest_is_that_of_the_ingredients(tmp_path):
    cell = cell_of(tmp_path)
    assert cell.digest == digest(cell.made_of)
    assert json.loads(json.dumps(cell.made_of)) == cell.made_of


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"text": TEXT.replace("seed = 3", "seed = 4") % TELLER % 0.5}, {"seed"}),
        ({"text": TEXT % TELLER % 0.25}, {"strategy teller"}),
        ({"text": TEXT % TELLER % 0.5 + "[rules]\nsharks = 6\nexpert = true"}, {"rules.sharks", "rules.expert"}),
        (
            {"text": TEXT % TELLER % 0.5 + EXTREMITIES},
            {"rules.extremities"},
        ),
        ({"text": TEXT % TELLER % 0.5 + "[rules]\nsharks = 4"}, set()),  # the value it has anyway
        (
            {"text": TEXT.replace("games = 9", "games = 10\ntitle = 'x'") % TELLER % 0.5 + STOP},
            set(),
        ),
        ({"strategy": MINE + "# changed"}, {"file teller.py of strategy teller"}),
        ({"strategy": MINE.replace("\n", "\r\n")}, set()),
        ({"name": "elsewhere/deep/mine.toml"}, set()),
    ],
)
def test_what_changes_is_named(tmp_path, change, names):
    before, after = cell_of(tmp_path), cell_of(tmp_path, **change)
    assert changed(before, after) == names
    assert (before.digest == after.digest) == (not names)


def test_versions_are_ingredients(tmp_path, monkeypatch):
    before = cell_of(tmp_path)
    monkeypatch.setattr(ingredients, "TAPE_VERSION", 99)
    assert changed(before, cell_of(tmp_path)) == {"tape version"}
    monkeypatch.undo()
    game = find_game("tentacolor")
    monkeypatch.setattr("simkit.catalog.find_game", lambda *_: replace(game, rules_version=99))
    assert changed(before, cell_of(tmp_path)) == {"rules version"}


def test_who_sits_next_to_whom_is_an_ingredient():
    given = {"game": "tentacolor", "players": 3, "games": 9, "line_ups": "free-for-all"}
    given |= {"strategies": [{"name": "random", "as": label} for label in "abc"]}
    cells = {"".join(entry.label for entry in c.line_up): c for c in make_plan(Experiment.model_validate(given)).cells}
    assert changed(cells["abc"], cells["acb"]) == {"line-up"}


def test_files_of_a_users_game_are_ingredients(tmp_path):
    for folder in ("games", "strategies"):
        shutil.copytree(TOY / folder, tmp_path / folder)
    text = 'game = "beacon"\nplayers = 2\ngames = 9\nstrategies = ["watchful"]\n'
    before = cell_of(tmp_path, text)
    assert "file beacon.py of the game" in before.made_of
    code = tmp_path / "games" / "beacon.py"
    code.write_text(code.read_text() + "# changed")
    assert changed(before, cell_of(tmp_path, text)) == {"file beacon.py of the game"}
    values = tmp_path / "games" / "beacon.toml"
    values.write_text(values.read_text().replace("value = 5", "value = 6"))
    assert changed(before, cell_of(tmp_path, text)) == {"file beacon.py of the game", "rules.squalls"}


def test_files_of_one_name_count_together(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / "experiments" / folder).mkdir(parents=True)
        (tmp_path / "experiments" / folder / "own.py").write_text(MINE + f"# {folder}")
    both = '{name = "mixture", of = ["a/own.py:mine", "b/own.py:mine"], as = "both"}'
    text = TEXT.replace('"random", %s', both)
    before = cell_of(tmp_path, text)
    for folder in ("a", "b"):
        (tmp_path / "experiments" / folder / "own.py").write_text(MINE + "# changed")
        after = cell_of(tmp_path, text)
        assert changed(before, after) == {"file own.py of strategy both"}
        before = after


def test_a_run_does_not_depend_on_where_its_folder_lies(tmp_path):
    cells = []
    for folder in (tmp_path / "here", tmp_path / "there" / "deeper"):
        (folder / "experiments").mkdir(parents=True)
        path, file = folder / "experiments" / "mine.toml", folder / "own.py"
        path.write_text('game="tentacolor"\nplayers=2\ngames=9\nstrategies=["mine", {name="epsilon", of="mine"}]')
        file.write_text(MINE)
        plan = make_plan(named_from(load(path), file, path), path)
        assert plan.experiment.strategies[0].name == "../own.py:mine"
        absolute = make_plan(named_from(load(path), file), path)
        assert absolute.experiment.strategies[0].name == f"{file}:mine"
        assert absolute.cells == plan.cells
        assert plan.cells[0].line_up[0].spec.name == "own.py:mine"
        assert plan.sources["strategy mine"] == str(file)
        cells.append(plan.cells)
    assert cells[0] == cells[1]


@pytest.mark.parametrize("name", ["teller.py", "teller.py:mine", "{folder}/teller.py:mine"])
def test_a_strategy_is_the_same_however_its_file_is_named(tmp_path, name):
    only = MINE[: MINE.index("@dataclass(frozen=True)\nclass Random")]
    given = f'{{name = "{name.format(folder=tmp_path / "experiments")}", as = "teller"}}'
    cell = cell_of(tmp_path, TEXT % given, only)
    assert cell.line_up[1].spec.name.startswith("experiments/teller.py")
    told = {"teller.py": "teller"}.get(name, "mine")
    assert cell.made_of["strategy teller"] == digest({"name": told, "of": [], "set": {}})[:16]


def test_a_game_of_sixty_rules_stays_small():
    values = {f"some_rule_{i:02}": [i, True, "spread", [[0, 2, 4], [1, 3, 4]], 0.25][i % 5] for i in range(60)}
    experiment = Experiment.model_validate({"game": "tentacolor", "games": 1, "strategies": ["random"]})
    parts = Ingredients(experiment, find_game("tentacolor"), Path()).of_rules(SimpleNamespace(**values))
    assert len(parts) == 60
    assert len(json.dumps(parts, separators=(",", ":"))) < 2048


def test_values_that_differ_in_kind_differ():
    experiment = Experiment.model_validate({"game": "tentacolor", "games": 1, "strategies": ["random"]})
    made = Ingredients(experiment, find_game("tentacolor"), Path())
    found = [made.of_rules(SimpleNamespace(x=value))["rules.x"] for value in (1, True, 1.0, "1", [1], [True], [1.0])]
    assert len(set(found)) == len(found)
