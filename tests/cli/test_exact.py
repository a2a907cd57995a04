"""`simkit exact`: topics and options from a game's declarations, and one answer in every form."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from simkit.catalog import find_game
from simkit.cli import app

TOY = Path(__file__).parent.parent / "toy" / "games"
COMPONENT = '[{}]\nvalue = {}\ntag = "assumed"\nsource = "this test"\nmeaning = "a component"\n'
TOWN = '''
"""The toy with the exact topics of another game, and such of its rules as these need."""
import dataclasses
from fractions import Fraction
from pathlib import Path

from pydantic import BaseModel

from simkit.components import Components
from simkit.games.tentacle_town.exact import TOPICS

from .beacon import GAME as BEACON


class Rules(BaseModel):
    die: tuple[int, ...]
    dice: int
    hit: str
    harpoons_per_result: int = 1

    @property
    def hit_chance(self):
        return Fraction(self.hit)


GAME = dataclasses.replace(
    BEACON, id="town", title="Town", decisions=(), tallies=(), rules=Rules, exact=TOPICS,
    components=Components.read(Path(__file__).with_name("town.toml")),
)
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two games, as the current one."""
    shutil.copytree(TOY, tmp_path / "games", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "games" / "town.py").write_text(TOWN)
    values = {"die": "[1, 2, 2, 1, 0]", "dice": "4", "hit": '"1/2"'}
    (tmp_path / "games" / "town.toml").write_text("".join(COMPONENT.format(*pair) for pair in values.items()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(line: str) -> Result:
    """A command's outcome, without a terminal."""
    outcome = CliRunner().invoke(app, shlex.split(line))
    assert outcome.exit_code == 0, outcome.output
    return outcome


def document(line: str) -> Any:
    """What it prints for programs."""
    return json.loads(call(f"{line} --json").stdout)


def test_topics_are_listed_with_their_options(here: Path) -> None:
    text, told = call("exact town").stdout, document("exact town")
    assert told["game"] == "town"
    assert [topic["name"] for topic in told["topics"]] == ["attack", "harpoons"]
    options = {option["name"]: option for topic in told["topics"] for option in topic["options"]}
    assert {"--dice", "--residents", "--rows", "--harpoons", "--order", "--defend", "--hit", "--faces"} <= {*options}
    assert options["--order"]["values"] == ["kill-first", "retreat-first"]
    assert options["--rows"] == {
        "name": "--rows",
        "default": None,
        "required": False,
        "values": [],
        "example": "2,1,0",
        "meaning": "buildings in each row, from the water inland, all of one seat; plenty if left out",
    }
    assert options["--harpoons"]["required"] is True
    for option in options.values():
        assert option["name"] in text
        assert option["meaning"] in text
    assert document("games town")["exact"] == told["topics"]
    assert "Exact topic `attack`" in call("games town").stdout


def test_a_game_without_topics(here: Path) -> None:
    assert call("exact tentacolor").stdout == "Tentacolor has no exact topics.\n"
    assert document("exact tentacolor") == {"game": "tentacolor", "topics": []}
    assert document("games tentacolor")["exact"] == []


def test_an_answer_in_tables(here: Path) -> None:
    outcome = call("exact town attack --dice 1 --rows 1,0 --residents 0 --set rules.die=[1,1,1,3,0]")
    lines = outcome.stdout.splitlines()
    assert lines[0] == "Town, attack"
    assert "1 die (faces: 1 skull, 1 arrow, 1 destroy, 3 new) against 0 residents" in lines[1]
    assert "0.167 buildings are destroyed, 0.5 tentacles are added" in lines[2]
    joint = lines.index("All together, the most likely first:")
    assert lines[joint + 2].split() == ["0", "0", "0", "1", "0", "50", "%", "1/2"]
    assert lines[joint + 3].split() == ["0", "0", "0", "0", "0", "33.33", "%", "1/3"]
    assert "destroyed  1         16.67 %      1/6" in lines
    again = lines[-1].removeprefix("again: ").removeprefix("simkit ")
    assert call(again).stdout == outcome.stdout
    assert outcome.stderr.startswith("game town: ")


def test_an_answer_as_json(here: Path) -> None:
    line = "exact town attack --hit=0.45 --harpoons 1 --defend buildings --dice 2 --rows 2,1,0 --faces 0,0,1,0"
    told = document(f"{line} --set rules.dice=3")
    assert told["options"]["hit"] == "9/20"
    assert told["options"]["rows"] == [2, 1, 0]
    assert told["rules"] == {"dice": 3}
    measures = {measure["name"]: measure for measure in told["measures"]}
    assert measures["removed"]["mean"] == {"value": 0.45, "fraction": "9/20"}
    assert measures["destroyed"]["marginal"] == [
        {"value": 1, "p": 0.45, "fraction": "9/20"},
        {"value": 2, "p": 0.55, "fraction": "11/20"},
    ]
    nothing = {"killed": 0, "fled": 0, "added": 0}
    assert told["distribution"] == [
        nothing | {"destroyed": 2, "removed": 0, "p": 0.55, "fraction": "11/20"},
        nothing | {"destroyed": 1, "removed": 1, "p": 0.45, "fraction": "9/20"},
    ]
    assert {value["name"]: value["fraction"] for value in told["values"]} == {
        "unharmed": "0",
        "row_1_emptied": "11/20",
        "row_2_emptied": "0",
    }
    assert document(told["command"].removeprefix("simkit ")) == told


def test_an_answer_as_csv(here: Path) -> None:
    text = call("exact town harpoons --harpoons 3 --tentacles 2 --csv -").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0] == {"hits": "1", "fired": "3", "p": "0.375", "fraction": "3/8"}
    assert sum(Fraction(row["fraction"]) for row in rows) == 1
    outcome = call("exact town harpoons --harpoons 3 --tentacles 2 --csv all.csv --quiet")
    assert outcome.stdout == ""
    assert (here / "all.csv").read_text() == text


def test_an_answer_as_a_figure(here: Path) -> None:
    outcome = call("exact town attack --figure attack.svg --csv attack.csv")
    assert outcome.stdout.splitlines()[-2:] == ["wrote attack.csv", "wrote attack.svg"]
    drawn = (here / "attack.svg").read_text()
    ElementTree.fromstring(drawn)
    for word in ("killed, mean 0.667", "destroyed, mean 1.333", "tentacles", "48.2"):
        assert word in drawn
    assert "removed" not in drawn  # nothing is, without defence
    told = document("exact town attack --figure attack.png")
    assert told["files"] == ["attack.png"]
    assert (here / "attack.png").read_bytes().startswith(b"\x89PNG")


def test_files_of_the_same_names_are_replaced(here: Path) -> None:
    (here / "x.csv").write_text("old")
    call("exact beacon weather --cards 3 --csv x.csv -q")
    assert (here / "x.csv").read_text().startswith("drawn,p,fraction\n0,")
    assert sorted(os.listdir(here)) == ["games", "x.csv"]


def test_numbers_without_a_distribution(here: Path) -> None:
    assert "lines   8      8      of three cells [lines]" in call("exact beacon lines").stdout.splitlines()
    told = document("exact beacon lines")
    assert told["distribution"] == told["measures"] == []
    assert told["values"][0]["fraction"] == "8"


def test_what_is_long_is_told_in_part(here: Path) -> None:
    text = call("exact town harpoons --harpoons 60 --hit 0.123456789").stdout
    assert "... and 31 more: all of them with --json" in text
    assert "digits: --json" in text
    assert max(map(len, text.splitlines())) < 200
    assert len(document("exact town harpoons --harpoons 60 --hit 0.123456789")["distribution"]) == 61


@pytest.mark.parametrize("line", ["exact --json Beacon Weather --cards=3", "exact beacon --cards 3 weather --json"])
def test_words_in_any_order(here: Path, line: str) -> None:
    assert json.loads(call(line).stdout)["options"]["cards"] == 3


def test_python_asks_the_same(here: Path) -> None:
    game = find_game("beacon", here)
    (topic,) = (topic for topic in game.exact if topic.name == "weather")
    rules = game.rules(**game.components.values_with({}))
    answer = topic.answer(rules, topic.options(cards=3, seen=(1, 0)))
    assert (
        str(answer.mean("drawn"))
        == document("exact beacon weather --cards 3 --seen 1,0")["measures"][0]["mean"]["fraction"]
    )
