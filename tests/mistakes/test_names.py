"""Names with markup, control characters or parts of paths: refused, or shown as they are and never obeyed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .mistake import EXPERIMENT, RUN, Mistake, call, check, each, written

NAMES = {
    "above": "../../x",
    "from the root": "/etc/x",
    "of two parts": "a/b",
    "of two parts, elsewhere": "a\\b",
    "the folder above": "..",
    "the folder itself": ".",
    "hidden": ".ssh",
    "empty": "",
    "of 200 characters": "x" * 200,
    "markup": "<script>",
    "rich markup": "[red]",
    "two lines": "a\nb",
    "what a terminal obeys": "\x1b[31m",
    "a null byte": "a\0b",
    "other letters": "\u0440un",
    "turned round": "\u202egnp",
    "a dot at its end": "x.",
    "a device": "CON",
    "a device with an ending": "nul.txt",
    "a port": "com1",
}
RUNS = {
    f"run, {name}": Mistake(["run", "experiments/trial.toml", "--set", f"name={json.dumps(text)}"], ("`name`", "must "))
    for name, text in NAMES.items()
}
KINDS = {"strategy": ("--game", "tentacolor"), "experiment": ("--game", "tentacolor"), "game": ()}
UNFIT = (
    "../x",
    "/etc/x",
    "a/b",
    "..",
    "",
    "CON",
    "lpt9",
    "class",
    "1x",
    "x" * 50,
    "\u00e9",
    "a b",
    "<b>",
    "\x1b[31m",
    "a\0b",
)
NEW = {
    f"new {kind}, {name[:10]!r}": Mistake(["new", kind, name, *words], (f"{kind}'s name must", "found '"))
    for kind, words in KINDS.items()
    for name in UNFIT
}
TAKEN = {
    "a strategy of the library": Mistake("new strategy blocker --game tentacolor", ("`blocker`", "choose another")),
    "a strategy of every game": Mistake("new strategy random --game tentacolor", ("`random`", "choose another")),
    "a word of simkit's": Mistake("new strategy strategy --game tentacolor", ("simkit's word: choose another",)),
    "a strategy for no game": Mistake("new strategy x --game tentacolour", ("did you mean `tentacolor`",)),
    "a strategy's file that is there": Mistake(
        "new strategy mine --game tentacolor --out mine.py",
        ("nothing is overwritten", "mine.py"),
        written("", "mine.py"),
    ),
    "a strategy's file of another kind": Mistake(
        "new strategy mine --game tentacolor --out experiments/trial.toml", ("ends in .py", "experiments/trial.toml")
    ),
    "a strategy below a file": Mistake(
        "new strategy mine --game tentacolor --out experiments/trial.toml/x.py", ("choose another", "trial.toml")
    ),
    "a strategy where none can be": Mistake("new strategy mine --game tentacolor --out /proc/x.py", ("/proc/",)),
    "a strategy of 300 characters": Mistake(
        f"new strategy mine --game tentacolor --out {'x' * 300}.py", ("too long", "choose another")
    ),
    "an experiment that is there": Mistake(
        "new experiment trial --game tentacolor", ("nothing is overwritten", "trial.toml")
    ),
    "an experiment of the library": Mistake("new experiment quickstart --game tentacolor", ("choose another",)),
    "an experiment for no game": Mistake("new experiment mine --game nonsense", ("unknown game `nonsense`",)),
    "a game of the library": Mistake("new game tentacolor", ("`tentacolor`", "choose another")),
    "another name of a game": Mistake("new game cthulhu", ("another name of tiny-epic-cthulhu",)),
    "a game one of whose files is there": Mistake("new game trial", ("nothing is overwritten", "trial.toml")),
    "a game for a game": Mistake("new game mine --game tentacolor", ("no such option: --game",)),
}


@each(RUNS | NEW | TAKEN)
def test_mistake(here: Path, mistake: Mistake) -> None:
    check(here, mistake)


@pytest.mark.parametrize("name", ["a", "A-b_c.d", "x" * 100, "console", "com", "0"])
def test_names_that_every_system_takes(here: Path, name: str) -> None:
    """The control."""
    assert call(*RUN.split(), "--set", f'name="{name}"').exit_code == 0
    assert (here / "runs" / name / "manifest.json").is_file()


EVIL = '<script>alert(1)</script> [bold]& "q"'


def test_markup_reaches_the_report_as_text(here: Path) -> None:
    """In the question, the title, and labels; the file's own name has markup as well."""
    text = EXPERIMENT.replace('"Who wins?"', json.dumps(EVIL)) + f"title = {json.dumps(EVIL)}\n"
    file = "experiments/[red]<i>x.toml"
    written(text.replace('["random"]', f"[{{ name = 'random', as = {json.dumps(EVIL)} }}]"), file)(here)
    for words in (["plan", file], ["run", file, "--jobs", "1"]):
        assert call(*words).exit_code == 0
    (run,) = (here / "runs").iterdir()
    assert run.name == "-red-i-x"
    assert call("report", str(run)).exit_code == 0
    page = (run / "report" / "report.html").read_text()
    assert "<script>" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt; [bold]") >= 3
    assert json.loads((run / "report" / "report.json").read_text())["question"] == EVIL


def test_labels_are_printed_as_they_are(here: Path) -> None:
    label = "[red]<b>x"
    written(EXPERIMENT.replace('["random"]', f"[{{ name = 'random', as = '{label}' }}]"))(here)
    assert f"{label}, {label}" in call("plan", "experiments/trial.toml").stdout
    assert call(*RUN.split()).exit_code == 0
    assert f"{label} (seat 1)" in call("replay", "runs/trial").stdout
