"""Mistakes with folders: runs of another experiment, somebody else's folders, and places without permission."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from .mistake import RUN, Mistake, call, check, check_message, each, snapshot, written

TRIAL = "runs/trial"


def somebodys(folder: Path) -> None:
    """A folder that no run has ever been in."""
    shutil.rmtree(folder / TRIAL)
    written("x", f"{TRIAL}/thesis.txt")(folder)


OTHERS = {
    "another game": Mistake(f"{RUN} --set name=toy", ("holds beacon, and this is tentacolor", "--runs")),
    "another seed": Mistake(f"{RUN} --seed 5", ("051524c5e8cd", "seed (4 there, 5 now)", "`--fresh`")),
    "a folder of somebody's": Mistake(RUN, ("must hold manifest.json", "name another"), somebodys),
    "a file": Mistake(f"{RUN} --set name=notes", ("runs/notes is a file", "--runs"), written("x", "runs/notes")),
    "runs in a file": Mistake(f"{RUN} --runs experiments/trial.toml", ("experiments/trial.toml is a file", "--runs")),
    "runs below a file": Mistake(f"{RUN} --runs experiments/trial.toml/x/y", ("experiments/trial.toml is a file",)),
    "runs in a device": Mistake(f"{RUN} --runs /dev/null", ("/dev/null is a file", "--runs")),
    "runs where none can be": Mistake(f"{RUN} --runs /proc/x", ("writable", "/proc/x", "--runs")),
    "runs with a null byte": Mistake([*RUN.split(), "--runs", "a\0b"], ("`--runs` must not hold a null byte",)),
    "runs of 300 characters": Mistake(f"{RUN} --runs {'x' * 300}", ("too long",)),
    "planned, runs in a file": Mistake(
        "plan experiments/trial.toml --runs experiments/trial.toml", ("experiments/trial.toml is a file",)
    ),
    "planned, runs of 300 characters": Mistake(f"plan experiments/trial.toml --runs {'x' * 300}", ("too long",)),
    "runs in a pipe": Mistake(f"{RUN} --runs pipe", ("pipe is a file",), lambda folder: os.mkfifo(folder / "pipe")),
    "runs in a link to itself": Mistake(
        f"{RUN} --runs loop", ("loop is a link that leads",), lambda folder: (folder / "loop").symlink_to("loop")
    ),
    "runs in a link to nothing": Mistake(
        f"{RUN} --runs lost", ("lost is a link that leads nowhere",), lambda folder: (folder / "lost").symlink_to("a/b")
    ),
    "report of nothing": Mistake("report runs/none", ("found no folder runs/none",)),
    "report of a file": Mistake("report experiments/trial.toml", ("found no folder experiments/trial.toml",)),
    "report of a folder of somebody's": Mistake("report experiments", ("must hold manifest.json", "name another")),
    "report of a device": Mistake("report /dev/zero", ("found no folder /dev/zero",)),
    "report of 300 characters": Mistake(f"report {'x' * 300}", ("found no folder xxx",)),
    "report into a file": Mistake(f"report {TRIAL} --out experiments/trial.toml", ("experiments/trial.toml", "--out")),
    "report where none can be": Mistake(f"report {TRIAL} --out /proc/x", ("/proc/x", "--out")),
    "report beside a file": Mistake(f"report {TRIAL}", (f"{TRIAL}/report", "--out"), written("x", f"{TRIAL}/report")),
    "report over a folder": Mistake(
        f"report {TRIAL}",
        ("report.json", "--out"),
        lambda folder: (folder / TRIAL / "report/report.json").mkdir(parents=True),
    ),
    "report whose game is gone": Mistake(
        "report runs/toy", ("unknown game `beacon`",), lambda folder: shutil.rmtree(folder / "games")
    ),
    "replay whose game is gone": Mistake(
        "replay runs/toy 3", ("unknown game `beacon`",), lambda folder: shutil.rmtree(folder / "games")
    ),
}  # fmt: skip
REPLAYS = {
    "deal beyond the last": Mistake(f"replay {TRIAL} 64", ("the deal must be 0 to 63", "found 64")),
    "deal before the first": Mistake(f"replay {TRIAL} -- -1", ("the deal must be 0 to 63", "found -1")),
    "deal in words": Mistake(f"replay {TRIAL} first", ("`DEAL` must be a whole number",)),
    "deal of 400 digits": Mistake(f"replay {TRIAL} {'9' * 400}", ("found a very large integer",)),
    "rotation": Mistake(f"replay {TRIAL} --rotation 5", ("the rotation must be 0 to 0", "found 5")),
    "rotation in words": Mistake(f"replay {TRIAL} --rotation x", ("`--rotation` must be a whole number; found `x`",)),
    "cell": Mistake(f"replay {TRIAL} --cell zz", ("`--cell`", "found `zz`", "051524c5e8cd")),
    "cell of two": Mistake(["replay", "runs/swept", "--cell", ""], ("found ``, which fits 2",)),
    "list of nothing": Mistake(f"replay {TRIAL} --list 3", ("found no `--where`",)),
    "list of fewer than none": Mistake(f"replay {TRIAL} --where n_turns>3 --list -1", ("at least 0; found `-1`",)),
    "deal and condition": Mistake(f"replay {TRIAL} 3 --where n_turns>3", ("found both", "leave one out")),
    "run": Mistake("replay runs/none", ("found no folder runs/none",)),
}
CONDITIONS = {
    "n_turn>3": ("unknown column `n_turn`", "did you mean `n_turns`"),
    "": ("wanted a column",),
    "(": ("wanted a column",),
    "n_turns>": ("wanted a number",),
    "n_turns>'x'": ("found `'x'`",),
    "n_turns>nan": ("unknown column `nan`",),
    "n_turns>" + "9" * 30: ("at most 18 digits; found 30",),
    "__import__('os').system('touch x')": ("found `.system('touch x')`",),
    "n_turns>3; import os": ("found `; import os`",),
    "score>3": ("`score[1]`",),
    "score[9]>3": ("1 to 2", "found 9"),
    "score[0]>3": ("from 1", "found `[0]`"),
    "winners[1]": ("leave out the seat",),
    "end_cause=x": ("unknown value of `end_cause` `x`", "Allowed: deck-out"),
    "end_cause>x": ("no order",),
    "label[1]=x": ("unknown value of `label[1]` `x`", "Allowed: random"),
    "n_turns>9999": ("found none with n_turns>9999",),
    "(" * 100: ("at most 40 deep",),
    "n_turns>3 " * 1000: ("at most 2,000 characters",),
    "\x1b[31m": (r"found `\x1b[31m`",),
    "[red]": ("found `[`",),
}
WHERE = {
    f"where {name[:20]!r}": Mistake(["replay", TRIAL, "--where", name], ("`--where`", *said))
    for name, said in CONDITIONS.items()
}
COMPARED = {
    "runs without a cell in common": Mistake(f"compare {TRIAL} runs/other", ("none in common",)),
    "runs of two games": Mistake(f"compare {TRIAL} runs/toy", ("tentacolor in runs/trial and beacon in runs/toy",)),
    "three runs": Mistake(f"compare {TRIAL} {TRIAL} {TRIAL}", ("one run or two can be compared; found 3",)),
    "a run of one strategy": Mistake(f"compare {TRIAL}", ("two strategies meet", "strategies: random")),
    "a run and nothing": Mistake(f"compare {TRIAL} runs/none", ("found no folder runs/none",)),
    "a game and a run": Mistake(f"compare tentacolor {TRIAL}", ("at least two strategies; found runs/trial",)),
    "by what does not vary": Mistake(f"compare {TRIAL} --by rules.sharks", ("`rules.sharks` has one value",)),
    "by what is not known": Mistake("compare runs/swept --by rules.shark", ("did you mean `rules.sharks`",)),
    "by players": Mistake(f"compare {TRIAL} --by players", ("found `players`", "`simkit report RUN`")),
    "by nothing": Mistake(["compare", TRIAL, "--by", ""], ("unknown key ``",)),
    "two runs by a key": Mistake(f"compare {TRIAL} {TRIAL} --by rules.sharks", ("`--by`", "leave it out")),
    "runs and games to play": Mistake(f"compare {TRIAL} {TRIAL} --games 3", ("`--games`", "leave it out")),
}


@each(OTHERS | REPLAYS | WHERE | COMPARED)
def test_mistake_with_a_run(runs: Path, mistake: Mistake) -> None:
    check(runs, mistake)


def test_fresh_leaves_alone_what_is_not_simkits(here: Path) -> None:
    check(here, Mistake(f"{RUN} --fresh", ("`--fresh`", "leaves alone", "--runs"), written("x", f"{TRIAL}/thesis.txt")))


def test_an_empty_folder_is_a_place_like_any(here: Path) -> None:
    (here / TRIAL).mkdir(parents=True)
    assert call(*RUN.split()).exit_code == 0


# ----------------------------------------------------------------------------------------------- the game has changed


CHANGED = {
    "other ends": ("report runs/toy", '"dawn", "wrecks"),', '"wrecks", "dawn"),', "`end_cause`"),
    "a new column": ("compare runs/toy runs/toy", "Column(", 'Column("n_new", "uint8", "", ""), Column(', "`n_new`"),
}


@pytest.mark.parametrize("name", ["other ends", "a new column"])
def test_a_run_is_read_with_the_game_that_it_was_played_with(runs: Path, name: str) -> None:
    """Codes of another list of ends would be taken for others, and the report would be wrong."""
    words, before, after, said = CHANGED[name]
    file = runs / "games" / "beacon.py"
    assert before in file.read_text()
    file.write_text(file.read_text().replace(before, after, 1))
    check(runs, Mistake(words, ("the game that it was played with", "runs/toy", said, "`--fresh`")))


# --------------------------------------------------------------------------------------------------------- permission


def denied(path: Path, *_: Any, **__: Any) -> None:
    """What a system says to whoever may not write."""
    raise PermissionError(13, "Permission denied", str(path))


@pytest.mark.parametrize("words", [RUN + " --set name=new", f"report {TRIAL}", "new strategy mine --game tentacolor"])
def test_no_permission_to_make_a_folder(runs: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """Tests may run as root, whom no permission stops."""
    before = snapshot(runs)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "mkdir", denied)
        outcome = call(*words.split())
    assert outcome.exit_code == 2, (outcome.output, outcome.exception)
    check_message(outcome.stdout, outcome.stderr, ("Permission denied",))
    assert snapshot(runs) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission_at_all(runs: Path) -> None:
    (runs / "locked").mkdir(mode=0o500)
    check(runs, Mistake(f"{RUN} --runs locked", ("locked", "Permission denied", "--runs")))
    check(runs, Mistake(f"report {TRIAL} --out locked/report", ("locked", "Permission denied", "--out")))
