"""docs/commands.md names every command, every option, and every key of every JSON document, and no others."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from simkit.cli import app

DOCS = Path(__file__).parent.parent / "docs"
TEXT = (DOCS / "commands.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## simkit (\w+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
COMMON = set(re.findall(r"`(--[\w-]+)", TEXT.partition("## Options of several commands")[2].partition("\n## ")[0]))
TOY = Path(__file__).parent / "toy"
KINDS = {bool: "boolean", int: "integer", float: "number", str: "text", type(None): "null"}
Rows = dict[str, str]
Found = dict[str, set[str]]


def commands() -> dict[str, list[Any]]:
    """The parameters of every command; of a group those of all its commands."""
    top: Any = typer.main.get_command(app)
    return {
        name: [param for each in getattr(command, "commands", {"": command}).values() for param in each.params]
        for name, command in top.commands.items()
    }


def shown(params: list[Any]) -> set[str]:
    """Spellings of the options that users are told of."""
    return {opt for p in params if p.param_type_name == "option" and not p.hidden for opt in p.opts} - {"--help"}


def rows(section: str) -> Rows:
    """Type by key, as the page has them."""
    return dict(re.findall(r"^\| `([^`]+)` \| ((?:list of )?[a-z]+(?: or null)?) \| .+ \|$", section, re.MULTILINE))


# ------------------------------------------------------------------------------------------------------------- options


def test_every_command_has_a_section_and_is_in_the_table() -> None:
    assert sorted(SECTIONS) == sorted(commands())
    for name in SECTIONS:
        assert f"](#simkit-{name})" in TEXT


@pytest.mark.parametrize("name", list(commands()))
def test_every_option_is_named(name: str) -> None:
    named = set(re.findall(r"`(--?[a-z][\w-]*)", SECTIONS[name]))
    assert shown(commands()[name]) - named == set()


@pytest.mark.parametrize("name", list(commands()))
def test_no_option_is_made_up(name: str) -> None:
    lines = [line for line in SECTIONS[name].splitlines() if line.startswith(("| `-", "Options:"))]
    named = set(re.findall(r"`(--?[a-z][\w-]*)", "\n".join(lines)))
    assert named - shown(commands()[name]) == set()


def test_options_of_several_commands_are_those() -> None:
    several = set().union(*(shown(params) for params in commands().values())) | {"--version", "--help"}
    assert several >= COMMON
    assert "--version" in CliRunner().invoke(app, ["--help"], env={"TERM": "dumb", "NO_COLOR": "1"}).stdout


def test_arguments_are_named() -> None:
    for name, params in commands().items():
        for param in params:
            if param.param_type_name == "argument":
                words = re.findall(r"[A-Z]{3,}", param.metavar or param.name.upper())
                assert all(word in SECTIONS[name] for word in words), (name, words)


def test_pages_that_it_names_exist() -> None:
    for page in re.findall(r"\]\(([\w.]+\.md)\)", TEXT):
        assert (DOCS / page).is_file(), page


# ---------------------------------------------------------------------------------------------------------------- JSON


def found_in(value: Any, told: Rows, path: str = "") -> Iterator[tuple[str, str]]:
    """Documented key and kind of every value of a document; `.*` stands for keys that only the page's reader knows."""
    if told.get(path) == "any":
        yield path, "any"
    elif isinstance(value, dict):
        named = {key: f"{path}.{key}".lstrip(".") for key in value}
        for key, own in named.items():
            known = any(row == own or row.startswith((f"{own}.", f"{own}[")) for row in told)
            yield from found_in(value[key], told, own if known or not has(told, f"{path}.*") else f"{path}.*")
        if not value:
            yield f"{path}.*", "nothing"
    elif isinstance(value, list) and (not value or isinstance(value[0], dict | list)):
        if not value:
            yield f"{path}[]" if has(told, f"{path}[]") else path, "nothing"
        for item in value:
            yield from found_in(item, told, f"{path}[]")
    elif isinstance(value, list):
        for item in value:
            kind = KINDS[type(item)]
            yield path, f"list of {kind if kind == 'text' else f'{kind}s'}"
    else:
        yield path, KINDS[type(value)]


def has(told: Rows, path: str) -> bool:
    """Whether the page has that key or something below it."""
    return any(row == path or row.startswith((f"{path}.", f"{path}[")) for row in told)


def faults(documents: list[Any], told: Rows) -> list[str]:
    """Keys that are not documented, documented keys that do not occur, and values of another type."""
    kinds: Found = {}
    for document in documents:
        for path, kind in found_in(document, told):
            kinds.setdefault(path, set()).add(kind)
    wrong = [f"{path} is not documented" for path in kinds if not has(told, path)]
    wrong += [f"{path} does not occur" for path in told if path not in kinds]
    return wrong + [
        f"{path} is {kind}, not {told[path]}"
        for path, found in kinds.items()
        for kind in sorted(found - {"nothing"})
        if path in told and not fits(kind, told[path])
    ]


def fits(kind: str, told: str) -> bool:
    """Whether a value's kind is one of those told; whole numbers are numbers."""
    allowed = told.split(" or ")
    return kind in allowed or (kind == "integer" and "number" in allowed)


RIVALS = """
question = "Who wins?"
game = "tentacolor"
players = [2, 3]
games = 300
strategies = [{ name = "epsilon", of = "random", as = "gentle" }, "random"]
line_ups = "round-robin"
[sweep]
"rules.expert" = [false, true]
"strategies.gentle.p" = [0.1, 0.5]
"""
TOGETHER = """
game = "beacon"
games = 60
strategies = ["plain", "random"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder with a cooperative game and two experiments, both played."""
    here = tmp_path_factory.mktemp("commands")
    shutil.copytree(TOY, here, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.pyc", "*_*.py", "experiments"))
    (here / "experiments").mkdir()
    (here / "experiments" / "rivals.toml").write_text(RIVALS)
    (here / "experiments" / "together.toml").write_text(TOGETHER)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        patch.setattr("simkit.cli.progress.PATIENCE", 60)
        for name in ("rivals", "together"):
            assert CliRunner().invoke(app, ["run", name, "--quiet"]).exit_code == 0
    return here


def documents(folder: Path, *lines: str) -> list[Any]:
    """What commands print with `--json`: one document each, and nothing else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        results = [CliRunner().invoke(app, [*shlex.split(line), "--json"]) for line in lines]
    assert [result.exit_code for result in results] == [0] * len(lines), [result.output for result in results]
    return [json.loads(result.stdout) for result in results]


WANTED = {
    "games": ["games", "games tentacolor", "games beacon"],
    "strategies": ["strategies"],
    "new": ["new strategy own --game tentacolor", "new experiment own --game beacon", "new game pearl-dive"],
    "plan": ["plan rivals", "plan rivals --seed 5", "plan together"],
    "run": ["run rivals", "run together --report", "run rivals --games 10 --runs others"],
    "report": ["report runs/rivals --out r", "report runs/together --out t"],
    "bench": ["bench beacon --seconds 0.001", "bench tentacolor --seconds 0.001 --players 3"],
    "exact": [
        "exact beacon",
        "exact beacon weather --cards 3 --seen 1,0 --set rules.copies=2 --csv weather.csv",
        "exact beacon lines",
    ],
    "replay": [
        "replay runs/rivals",
        "replay runs/rivals 7 --cell {expert}",
        "replay runs/together 3",
        "replay runs/rivals --where 'n_turns > 1 and label[1] = gentle' --list 2",
    ],
}
SLOW = {
    "check": [
        "check rivals --quick",
        "check together",
        "check random --game beacon",
        "check beacon",
    ]
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*WANTED, *SLOW])
def test_documents_are_as_the_page_says(folder: Path, name: str) -> None:
    if name not in commands():
        pytest.skip(f"there is no {name} yet")
    cells = json.loads((folder / "runs" / "rivals" / "manifest.json").read_text())["cells"]
    expert = next(cell for cell, entry in cells.items() if entry["rules"] == {"expert": True})
    lines = [line.format(expert=expert) for line in (WANTED | SLOW)[name]]
    assert faults(documents(folder, *lines), rows(SECTIONS[name])) == []


def test_every_command_with_json_is_covered() -> None:
    elsewhere = {"compare"}
    assert {name for name, params in commands().items() if "--json" in shown(params)} == {*WANTED, *SLOW, *elsewhere}


def keys_of(value: Any) -> set[str]:
    """All keys, at any depth."""
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


@pytest.mark.slow
def test_compare_names_its_keys_on_its_own_page(folder: Path) -> None:
    told = set(re.findall(r"`(\w+)`", (DOCS / "compare.md").read_text(encoding="utf-8")))
    lines = ("compare runs/rivals", "compare runs/rivals --by rules.expert", "compare runs/rivals runs/rivals")
    found = documents(folder, *lines, "compare tentacolor random spiteful --games 100")
    assert keys_of(found) - told - {"mean_lead"} == set()


def test_a_wrong_page_is_seen() -> None:
    """Negative controls: a key too many, one too few, a wrong type, a missing section."""
    page = {"a": "integer", "b[].c": "text or null", "d.*": "any"}
    whole = [{"a": 1, "b": [{"c": "x"}, {"c": None}], "d": {"e": 1}}]
    assert faults(whole, page) == []
    assert faults(whole, {**page, "f": "text"}) == ["f does not occur"]
    assert faults([whole[0] | {"g": 1}], page) == ["g is not documented"]
    assert faults([whole[0] | {"a": "1"}], page) == ["a is text, not integer"]
    assert faults([whole[0] | {"b": [{"c": "x", "h": 1}]}], page) == ["b[].h is not documented"]
    assert shown(commands()["run"]) - set(re.findall(r"`(--[\w-]+)", SECTIONS["games"])) != set()
