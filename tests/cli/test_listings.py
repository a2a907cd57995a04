"""`simkit games` and `simkit strategies`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from typer.testing import CliRunner

import simkit
from simkit.catalog import find_game, list_games
from simkit.cli import app
from simkit.cli.tables import cell
from simkit.results import games_columns, seats_columns


def call(*words):
    """A command's outcome, without a terminal."""
    return CliRunner().invoke(app, words)


def test_games_in_plain_text():
    outcome = call("games")
    assert outcome.exit_code == 0
    lines = outcome.stdout.splitlines()
    assert lines[0].split() == ["id", "title", "players", "summary", "source"]
    assert "Grow your tentacle card by card: five in a row that share a colour win" in outcome.stdout  # not cut
    assert outcome.stdout.isascii()


def test_games_as_json():
    listed = json.loads(call("games", "--json").stdout)
    assert {entry["id"] for entry in listed} == {entry.name for entry in list_games()}
    assert listed[0].keys() == {"id", "title", "players", "summary", "source"}


@pytest.mark.parametrize("name", [entry.name for entry in list_games()])
def test_everything_a_game_declares_is_told(name):
    game, text, told = find_game(name), call("games", name).stdout, json.loads(call("games", name, "--json").stdout)
    assert told["rules"].keys() == game.components.keys()
    for key, component in game.components.items():
        assert {"value", "tag", "source", "alternatives", "meaning"} == told["rules"][key].keys()
        assert cell(component.source) in text
        assert cell(component.meaning) in text
    rules = game.rules(**game.components.values_with({}))
    for decision in game.decisions:
        options = next(d["options"] for d in told["decisions"] if d["name"] == decision.name)
        for players in game.players:
            wanted = decision.options_for(rules, game.seats_for(players))
            assert options[str(players)] == list(wanted)
            assert cell(wanted) in text
    for table, columns in (("games", games_columns(game)), ("seats", seats_columns(game))):
        assert [c["name"] for c in told[table]] == [c.name for c in columns]
        assert all(cell(column.meaning) in text for column in columns)
    assert [tally["name"] for tally in told["tallies"]] == [tally.name for tally in game.tallies]
    assert told["end_causes"] == list(game.all_end_causes)
    assert "unfinished" in text


def test_long_values_are_cut_and_the_document_has_them_whole():
    """A whole box of cards is no column of a table."""
    lines = call("games", "tiny-epic-cthulhu").stdout.splitlines()
    rules = lines[lines.index("Rules, each set with `rules.NAME`:") + 1 :]
    value, tag = (rules[0].index(f" {column} ") + 1 for column in ("value", "tag"))
    values = {row.split()[0]: row[value:tag].strip() for row in rules[1 : rules.index("")]}
    assert max(map(len, values.values())) <= 60
    assert values["pages"].startswith('{"number": 1, "cost": ["fear", "fear", "rage"]')
    assert values["pages"].endswith("...")
    assert values["die"] == "2, 2, 2"
    assert sum("`simkit games tiny-epic-cthulhu --json` has them whole" in line for line in lines) == 1
    whole = json.loads(call("games", "tiny-epic-cthulhu", "--json").stdout)["rules"]["pages"]["value"]
    assert len(whole) == 30
    assert "has them whole" not in call("games", "tentacolor").stdout


def test_a_game_by_another_spelling():
    assert call("games", "Tentacolor").stdout == call("games", "tentacolor").stdout


@pytest.mark.parametrize("command", ["games", "strategies"])
@pytest.mark.parametrize("name", ["tentacolour", "../tentacolor", "", "\x1b[2Jx"])
def test_unknown_names(command, name):
    outcome = call(command, name)
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("Error: unknown game")
    assert "Allowed:" in outcome.stderr
    assert "tentacolor" in outcome.stderr
    assert "\x1b" not in outcome.stderr
    assert len(outcome.stderr.splitlines()) == 1


def test_strategies():
    listed = json.loads(call("strategies", "tentacolor", "--json").stdout)
    assert {"random", "mixture", "epsilon", "never"} <= {entry["name"] for entry in listed}
    assert listed[0].keys() == {"game", "name", "parameters", "summary", "source"}
    epsilon = next(entry for entry in listed if entry["name"] == "epsilon")
    assert epsilon["parameters"] == {"of": "required", "p": 0.1}
    text = call("strategies").stdout
    for entry in listed:
        assert entry["summary"] in text
    assert "of, p=0.1" in text


def test_strategies_of_ones_own_are_listed_and_not_run(tmp_path, monkeypatch):
    folder = tmp_path / "strategies" / "tentacolor"
    folder.mkdir(parents=True)
    text = "raise SystemExit\nclass MyOwn(Strategy):\n"
    text += '    """Is [bold]mine[/bold] and\x07 rings."""\n    nerve: float = 0.5\n'
    (folder / "mine.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    row = next(line for line in call("strategies", "tentacolor").stdout.splitlines() if "my-own" in line)
    assert "Is [bold]mine[/bold] and\\x07 rings." in row
    assert "nerve=0.5" in row
    assert str(tmp_path / "strategies") in row


def on_terminal(columns, *words):
    """What a command prints on a terminal of that width."""
    pty = pytest.importorskip("pty")
    read, write = pty.openpty()
    command, text = [sys.executable, "-m", "simkit", *words], b""
    with subprocess.Popen(command, stdout=write, env={"COLUMNS": str(columns), "TERM": "dumb", "PATH": ""}):
        os.close(write)
        with suppress(OSError):  # the terminal is gone once the command has ended
            while more := os.read(read, 1 << 16):
                text += more
    os.close(read)
    return text.decode()


def test_a_terminal_gets_tables_of_its_width():
    text = on_terminal(80, "strategies", "tentacolor")
    assert "─" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("columns", [100, 200])
def test_a_game_whose_rules_are_tables_fits_a_terminal(columns):
    text = on_terminal(columns, "games", "tiny-epic-cthulhu")
    assert "pages" in text
    assert "has them whole" in text
    tables = text[text.index("Rules, each") : text.index("Values that end")]
    assert max(map(len, tables.splitlines())) <= columns


@pytest.mark.parametrize(("words", "code"), [(["--help"], 0), (["nothing"], 2), (["games", "a", "b"], 2), ([], 2)])
def test_exit_codes_of_the_command_itself(words, code):
    started = time.perf_counter()
    outcome = subprocess.run([sys.executable, "-m", "simkit", *words], capture_output=True, text=True, check=False)
    assert outcome.returncode == code
    assert "Traceback" not in outcome.stderr
    assert time.perf_counter() - started < 10


def test_help_imports_nothing_heavy():
    heavy = {"numpy", "pandas", "pydantic", "matplotlib", "pyarrow", "scipy"}
    check = f"import sys; from simkit.cli import app; print(sorted({heavy} & set(sys.modules)))"
    outcome = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert outcome.stdout.strip() == "[]"


def test_the_version_is_told():
    done = subprocess.run([sys.executable, "-m", "simkit", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"simkit {simkit.__version__}\n"
