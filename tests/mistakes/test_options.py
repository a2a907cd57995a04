"""Mistakes in a command line: commands, options and their values, and names of games."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simkit.cli.tables import show

from .mistake import EXPERIMENT, RUN, Mistake, call, check, check_message, each, written

LINE = {
    "a command": Mistake("rnu", ("no such command 'rnu'", "'run'", "`simkit --help`")),
    "a command with markup": Mistake(["[red]x"], ("no such command '[red]x'",)),
    "an option before the command": Mistake("--nonsense", ("no such option: --nonsense", "`simkit --help`")),
    "an option": Mistake(f"{RUN} --nonsense", ("no such option: --nonsense", "`simkit run --help`")),
    "an option of another command": Mistake(f"{RUN} --format xml", ("no such option: --format",)),
    "a word too many": Mistake(f"{RUN} more", ("(more)", "`simkit run --help`")),
    "nothing to run": Mistake("run", ("`EXPERIMENT` must be given; found nothing",)),
    "nothing to plan": Mistake("plan", ("`EXPERIMENT` must be given; found nothing",)),
    "nothing to report": Mistake("report", ("`RUN` must be given; found nothing",)),
    "nothing to replay": Mistake("replay", ("`RUN` must be given; found nothing",)),
    "nothing to compare": Mistake("compare", ("GAME STRATEGY STRATEGY", "must be given; found nothing")),
    "nothing to check": Mistake("check", ("must be given; found nothing",)),
    "a strategy for no game": Mistake("new strategy mine", ("`--game` must be given", "`simkit new strategy --help`")),
    "a new thing of no kind": Mistake("new x", ("no such command 'x'", "`simkit new --help`")),
    "check, an option": Mistake("check tentacolor --nonsense", ("no such option: --nonsense",)),
    "check, a name": Mistake("check nonsense", ("nonsense",)),
    "check, a device": Mistake("check /dev/zero", ("/dev/zero",)),
}
JOBS = {
    f"jobs {value}": Mistake(f"{RUN} --jobs {value}", (f"`--jobs` {said}; found `{value}`",))
    for value, said in {"0": "must be at least 1", "-1": "must be at least 1", "abc": "must be a whole number"}.items()
}
VALUES = {
    "jobs that a terminal obeys": Mistake([*RUN.split(), "--jobs", "[red]\x1b[31m"], (r"found `[red]\x1b[31m`",)),
    "jobs by =": Mistake(f"{RUN} --jobs=many", ("`--jobs` must be a whole number; found `many`",)),
    "backend": Mistake(f"{RUN} --backend cloud", ("loky, threading or dask; found `cloud`",)),
    "backend with markup": Mistake(f"{RUN} --backend [red]x", ("found `[red]x`",)),
    "dask without a scheduler": Mistake(f"{RUN} --backend dask", ("`--scheduler ADDRESS`", "only one")),
    "a scheduler without dask": Mistake(f"{RUN} --scheduler tcp://x:1", ("`--backend dask`", "only one")),
    "set nothing": Mistake([*RUN.split(), "--set", ""], ("KEY=VALUE, as in rules.sharks=4; found ``",)),
    "set without =": Mistake(f"{RUN} --set rules.sharks", ("KEY=VALUE", "found `rules.sharks`")),
    "set without a key": Mistake(f"{RUN} --set =3", ("KEY=VALUE", "found `=3`")),
    "set an unknown key": Mistake(f"{RUN} --set seeed=3", ("unknown key `seeed`", "`seed`")),
    "set an unknown rule": Mistake(f"{RUN} --set rules.shark=3", ("unknown rule `shark`", "`sharks`")),
    "set what is no table": Mistake(f"{RUN} --set games.x=3", ("`games.x`", "is not a table")),
    "set a rule to a text": Mistake(f"{RUN} --set rules.sharks=[red]4", ("a whole number; found '[red]4'",)),
    "set on two lines": Mistake([*RUN.split(), "--set", "a\nb=3"], (r"unknown key `a\nb`",)),
    "plan, set": Mistake("plan experiments/trial.toml --set x", ("KEY=VALUE", "found `x`")),
    "games": Mistake(f"{RUN} --games 0", ("`games`", "at least 1; found 0")),
    "games in words": Mistake(f"{RUN} --games many", ("`--games` must be a whole number; found `many`",)),
    "games of 401 digits": Mistake(f"{RUN} --games {10**400}", ("`games`", "found a very large integer")),
    "games of 5,001 digits": Mistake(f"{RUN} --games 1{'0' * 5000}", ("`--games`", "fewer digits", "000...`")),
    "seed": Mistake(f"{RUN} --seed 1.5", ("`--seed` must be a whole number; found `1.5`",)),
    "seed of 65 bits": Mistake(f"{RUN} --seed {2**64}", ("`seed`", "less than 18,446,744,073,709,551,616")),
    "plan, jobs": Mistake("plan experiments/trial.toml --jobs 0", ("`--jobs` must be at least 1; found `0`",)),
}
GAMES = {
    "games, unknown": Mistake("games tentacolour", ("unknown game `tentacolour`", "did you mean `tentacolor`")),
    "games, empty": Mistake(
        ["games", ""], ("unknown game ``", "Allowed: octobuns, tentacle-town, tentacolor, tiny-epic-cthulhu")
    ),
    "games, a path": Mistake("games ../tentacolor", ("unknown game `../tentacolor`",)),
    "games, a null byte": Mistake(["games", "a\0b"], (r"unknown game `a\x00b`",)),
    "games, two": Mistake("games tentacolor other", ("(other)", "`simkit games --help`")),
    "strategies, unknown": Mistake("strategies tentacolour", ("did you mean `tentacolor`",)),
    "strategies, what a terminal obeys": Mistake(["strategies", "\x1b[31m"], (r"unknown game `\x1b[31m`",)),
    "bench, unknown": Mistake("bench tentacolour", ("unknown game `tentacolour`", "did you mean `tentacolor`")),
    "bench, players": Mistake("bench tentacolor --players 9", ("2, 3, 4 players; found 9",)),
    "bench, players in words": Mistake("bench tentacolor --players two", ("a whole number; found `two`",)),
    "bench, a file": Mistake("bench tentacolor --strategies none.py", ("found no none.py",)),
}
SECONDS = {
    f"bench, {value} seconds": Mistake(f"bench --seconds {value}", (f"`--seconds` {said}; found `{value}`",))
    for value, said in {
        "0": "must be at least 0.001",
        "-1": "must be at least 0.001",
        "nan": "must be at most 3,600",
        "1e9": "must be at most 3,600",
        "long": "must be a number",
    }.items()
}
COMPARE = {
    "one strategy": Mistake("compare tentacolor random", ("at least two strategies; found random",)),
    "no strategy": Mistake("compare tentacolor", ("at least two strategies; found none",)),
    "the same twice": Mistake("compare tentacolor random random", ("named once; found `random` twice",)),
    "an unknown one": Mistake("compare tentacolor random rando", ("unknown strategy `rando`", "`random`")),
    "an unknown game": Mistake("compare tentacolour random blocker", ("unknown game `tentacolour`", "`tentacolor`")),
    "a file that is none": Mistake("compare tentacolor random none.py:x", ("found no ", "none.py")),
    "nine players": Mistake("compare tentacolor random blocker --players 9", ("2, 3, 4 for Tentacolor; found 9",)),
    "no games": Mistake("compare tentacolor random blocker --games 0", ("`games`", "at least 1; found 0")),
    "a key that is no rule": Mistake("compare tentacolor random blocker --set games=3", ("rules.NAME", "`games`")),
    "an unknown rule": Mistake("compare tentacolor random blocker --set rules.shark=3", ("did you mean `sharks`",)),
    "a key to compare by": Mistake("compare tentacolor random blocker --by rules.run", ("`--by`", "leave it out")),
    "runs in a file": Mistake(
        "compare tentacolor random blocker --runs experiments/trial.toml",
        ("experiments/trial.toml is a file", "--runs"),
    ),
}
MARGINS = {
    f"a margin of {value}": Mistake(
        f"compare tentacolor random blocker --margin {value}", ("`--margin`", f"found {value}")
    )
    for value in ("0", "1", "-1", "nan", "inf")
}


@each(LINE | JOBS | VALUES | GAMES | SECONDS | COMPARE | MARGINS)
def test_mistake(here: Path, mistake: Mistake) -> None:
    check(here, mistake)


def test_no_words_at_all_are_a_question(here: Path) -> None:
    """Help is shown: whoever says nothing has made no mistake yet."""
    for words in ([], ["new"]):
        shown = call(*words)
        assert "Usage: simkit" in shown.output
        assert "Error" not in shown.output


def test_as_many_jobs_as_one_likes(here: Path) -> None:
    """More than there is work for are not started."""
    outcome = call(*RUN.split()[:2], "--jobs", str(10**9))
    assert outcome.exit_code == 0, outcome.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "experiments/trial.toml"], "unknown key `\\u65e5`"),
        (["run", "/dev/zero"], "/dev/zero is a device"),
        (["run", "experiments/trial.toml", "--jobs", "0"], "`--jobs` must be at least 1; found `0`"),
        (["games", "tentacolour"], "did you mean `tentacolor`"),
    ],
)
def test_as_a_process_without_unicode(here: Path, words: list[str], said: str) -> None:
    """The same on a terminal that knows few letters, with all that Python does on its own."""
    written(EXPERIMENT + '"\u65e5" = 2\n')(here)
    environment = os.environ | {"PYTHONIOENCODING": "latin-1", "PYTHONWARNINGS": "default"}
    command = [sys.executable, "-m", "simkit", *words]
    ended = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 2
    check_message(ended.stdout, ended.stderr, (said,))
    assert ended.stdout == ""


def test_tables_on_a_terminal_show_markup_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    show("[bold]title", ("name", "summary"), [("[red]x[/red]", "a \x1b[31m [link=x]y")])
    shown = capsys.readouterr().out
    for text in ("[bold]title", "[red]x[/red]", r"\x1b[31m [link=x]y"):
        assert text in shown
