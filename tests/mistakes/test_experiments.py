"""Mistakes in an experiment's file: broken text, and keys of the wrong name, type or size."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .mistake import EXPERIMENT, RUN, Mistake, call, check, check_message, each, snapshot, written

FILE = "experiments/trial.toml"


def text(content: str | bytes, *said: str) -> Mistake:
    """A file that holds this."""
    return Mistake(RUN, (FILE, *said), written(content))


def added(lines: str, *said: str) -> Mistake:
    """The experiment with these lines at its end."""
    return text(f"{EXPERIMENT}{lines}\n", *said)


def put(key: str, value: str, *said: str) -> Mistake:
    """The experiment with another value for a key."""
    others = [line for line in EXPERIMENT.splitlines() if not line.startswith(f"{key} ")]
    return text("\n".join([f"{key} = {value}", *others]), f"`{key}", *said)


BROKEN = {
    "broken at the start": text("= 3\n" + EXPERIMENT, "valid TOML", "line 1", "'= 3'"),
    "broken in the middle": text(EXPERIMENT.replace("seed = 4", "seed = = 4"), "line 5", "'seed = = 4'"),
    "broken at the end": text(EXPERIMENT + "rules = {", "valid TOML", "line 7"),
    "a key twice": text(EXPERIMENT + "seed = 5\n", "a key that was set before", "line 7"),
    "another format": text('{"game": "tentacolor"}', "valid TOML", "line 1"),
    "empty": text("", "`game`", "must be set; found nothing"),
    "a mark before it all": text(b"\xef\xbb\xbfgams = 1\n", "unknown key `gams`", "did you mean `game"),
    "not UTF-8": text(EXPERIMENT.encode() + b'title = "\xe9"\n', "UTF-8", "byte"),
    "UTF-16": text(EXPERIMENT.encode("utf-16"), "UTF-8", "byte 0"),
    "a null byte": text(EXPERIMENT + 'title = "a\0b"\n', r"\x00", "line 7"),
    "ten megabytes": text("#" * 10_000_001, "at most 10,000,000 bytes", "10,000,001"),
    "lists in lists": text("a = " + "[" * 100_000, "too deeply nested"),
    "tables in tables": text("a = " + "{a=" * 3000 + "1" + "}" * 3000, "too deeply nested"),
    "a rule of lists in lists": added("[rules]\nsharks = " + "[" * 300 + "]" * 300, "`rules.sharks`", "a whole number"),
}
UNKNOWN = {
    "key": added("playrs = 2", "unknown key `playrs`", "did you mean `players`", "Allowed: "),
    "key with markup": added("'[red]<b>' = 2", "unknown key `[red]<b>`"),
    "key that a terminal obeys": added('"\\u001b[31m" = 2', r"unknown key `\x1b[31m`"),
    "key of two lines": added('"a\\nError: b" = 2', r"unknown key `a\nError: b`"),
    "key of a table": added("[verdicts]\nseatband = 1", "`verdicts.seatband`", "did you mean `seat_band`"),
    "game": put("game", '"tentacolour"', "unknown game `tentacolour`", "did you mean `tentacolor`"),
    "game by a path": put("game", '"../../x"', "unknown game `../../x`"),
    "strategy": put("strategies", '["rando"]', "[0]`", "unknown strategy `rando`", "did you mean `random`"),
    "strategy's file": put("strategies", '["mine.py"]', "found no ", "mine.py"),
    "strategy's device": put("strategies", '["/dev/zero:x"]', "/dev/zero is a device"),
    "parameter": put("strategies", '[{name = "blocker", spte = 1}]', "`spte`", "did you mean `spite`"),
    "rule": added("[rules]\nshark = 1", "unknown rule `shark`", "did you mean `sharks`"),
    "swept rule": added("[sweep]\n'rules.shark' = [1]", "`sweep.rules.shark`", "did you mean `sharks`"),
    "swept key": added("[sweep]\nx = [1]", "`sweep.x`", "rules.NAME"),
    "swept label": added("[sweep]\n'strategies.rando.p' = [1]", "unknown label `rando`", "did you mean `random`"),
    "listed key": added("[[cells]]\n'rules.shark' = 1", "`cells[0].rules.shark`", "did you mean `sharks`"),
    "line-ups": put("line_ups", '"miror"', "mirror, round-robin, free-for-all", "found 'miror'"),
    "option": put(
        "strategies", '[{name="never", of="random", options={place=["x"]}, as="n"}]', "unknown option `x`", "Allowed: "
    ),
    "design": added("[sweep]\ndesign = 'lh'", "'lhs' or 'sobol'", "found 'lh'"),
}
KINDS = {
    "game": ("3", "a text; found 3"),
    "games": ('"many"', "a whole number; found 'many'"),
    "seed": ("1.5", "a whole number; found 1.5"),
    "players": ('"two"', "a whole number or a list of them; found 'two'"),
    "strategies": ('"random"', "a list; found 'random'"),
    "line_ups": ("3", "found 3"),
    "rules": ("3", "a table; found 3"),
    "sweep": ("3", "a table; found 3"),
    "cells": ("{}", "each under [[cells]]"),
    "verdicts": ("3", "a table; found 3"),
    "stop": ("3", "a table; found 3"),
    "measures": ('"x"', "a list; found 'x'"),
    "question": ("3", "a text; found 3"),
    "title": ("3", "a text; found 3"),
    "name": ("3", "a text; found 3"),
}
WRONG_KIND = {f"{key} of another kind": put(key, value, said) for key, (value, said) in KINDS.items()}
SIZES = {
    "no games": put("games", "0", "at least 1; found 0"),
    "fewer games than none": put("games", "-1", "at least 1; found -1"),
    "games without number": put("games", "nan", "a whole number; found nan"),
    "games without end": put("games", "inf", "a whole number; found inf"),
    "games with an exponent": put("games", "1e6", "found 1000000.0: write 1_000_000"),
    "true games": put("games", "true", "a whole number; found true"),
    "a day's games": put("games", "1979-01-01", "a whole number"),
    "too many games": put("games", str(10**13), "at most 1,000,000,000,000; found 10000000000000"),
    "games of 401 digits": put("games", str(10**400), "found a very large integer"),
    "seed of 65 bits": put("seed", str(2**64), "less than 18,446,744,073,709,551,616"),
    "seed far below": put("seed", str(-(2**63) - 1), "at least -9,223,372,036,854,775,808"),
    "no players": put("players", "[]", "must not be empty"),
    "nine players": put("players", "9", "2, 3, 4 players; found 9"),
    "players twice": put("players", "[2, 2]", "must not repeat"),
    "no strategies": put("strategies", "[]", "at least one strategy; found none"),
    "a strategy twice": put("strategies", '["random", "random"]', "labels must differ", "set `as`"),
    "a label of 10,000 characters": put(
        "strategies",
        f'[{{name = "random", as = "{"x" * 10_000}"}}]',
        "at most 80 printable characters",
        "...; set `as`",
    ),
    "an empty label": put("strategies", '[{name = "random", as = ""}]', "must not be empty; found ''"),
    "a label that a terminal obeys": put(
        "strategies", '[{name = "random", as = "\\u001b[31m"}]', r"found '\x1b[31m'", "printable"
    ),
    "a probability of two": put("strategies", '[{name="epsilon", of="random", p=2}]', "from 0 to 1; found 2.0"),
    "a probability of nothing": put("strategies", '[{name="epsilon", of="random", p=nan}]', "finite", "found nan"),
    "a text for a number": put("strategies", '[{name="blocker", spite="x"}]', "`spite` must be a finite number"),
    "nothing to wrap": put("strategies", '["epsilon"]', "`of` must be one strategy; found 0"),
    "too few at the table": put("line_ups", '[["random"]]', "2 seats; found 1"),
    "a rule below its bounds": added("[rules]\nsharks = -1", "`rules.sharks`", "at least 0; found -1", "default 4"),
    "a rule far above": added("[rules]\nsharks = 1000000", "at most 40; found 1000000"),
    "a rule of 401 digits": added(f"[rules]\nsharks = {10**400}", "found a very large integer"),
    "a true rule": added("[rules]\nsharks = true", "a whole number; found true"),
    "a rule that is no choice": added("[rules]\ncarriers = 'x'", "'spread' or 'random'; found 'x'"),
    "a million cells": added(
        f"[sweep]\n'rules.sharks' = {list(range(1000))}\n'rules.max_rounds' = {list(range(1, 1001))}",
        "at most 10,000 cells; found 1,000,000; leave some out",
    ),
    "an axis of nothing": added("[sweep]\n'rules.sharks' = []", "at least 1 and at most 10,000 values; found 0"),
    "an axis of one value twice": added("[sweep]\n'rules.sharks' = [1, 1]", "must not repeat a value; found [1, 1]"),
    "a design without number": added("[sweep]\ndesign = 'lhs'\n'rules.sharks' = [1, 2]", "`sweep.n`", "found nothing"),
    "a range of no number": added(
        "[sweep]\ndesign = 'lhs'\nn = 4\n'rules.sharks' = {from = 1, to = nan}", "finite", "'to': nan"
    ),
    "no precision": added("[stop]\nprecision = 0", "`stop.precision`", "greater than 0; found 0"),
    "a band as wide as all": added("[verdicts]\nseat_band = 2", "less than 1; found 2"),
    "a band turned round": added("[verdicts]\nwin_rate = [0.6, 0.4]", "lower below upper; found [0.6, 0.4]"),
    "a question of 3,000 characters": put("question", f'"{"x" * 3000}"', "at most 2,000 characters"),
    "a title that a terminal obeys": put("title", '"\\u001b[31m"', r"printable characters only; found '\x1b[31m'"),
    "measures": put("measures", '["pacing"]', "not built yet"),
}


def fifo(folder: Path) -> None:
    """A pipe that nothing ever comes out of."""
    os.mkfifo(folder / "experiments" / "pipe.toml")


def loop(folder: Path) -> None:
    """A link to itself."""
    (folder / "experiments" / "loop.toml").symlink_to("loop.toml")


def dangling(folder: Path) -> None:
    """A link to nothing."""
    (folder / "experiments" / "lost.toml").symlink_to("nothing.toml")


FILES = {
    "name that is none": Mistake("run quickstar", ("unknown experiment `quickstar`", "did you mean `quickstart`")),
    "file that is none": Mistake("run none/x.toml", ("none/x.toml", "must be a file")),
    "name that is empty": Mistake(["run", ""], ("an experiment must be a file", "a folder")),
    "folder": Mistake("run experiments", ("experiments is a folder: name a file in it",)),
    "name of 300 characters": Mistake(f"run {'x' * 300}", ("unknown experiment", "xxx...`")),
    "name with a null byte": Mistake(["run", "a\0b"], (r"unknown experiment `a\x00b`",)),
    "name with markup": Mistake(["run", "[red]<b>"], ("unknown experiment `[red]<b>`",)),
    "name that a terminal obeys": Mistake(["run", "\x1b[31m.toml"], (r"unknown experiment `\x1b[31m.toml`",)),
    "address": Mistake("run https://example.org/x.toml", ("unknown experiment `https://example.org/x.toml`",)),
    "zeros without end": Mistake("run /dev/zero", ("/dev/zero is a device", "write it to a file")),
    "a device that is full": Mistake("plan /dev/full", ("/dev/full is a device",)),
    "a device that is empty": Mistake("plan /dev/null", ("/dev/null is a device",)),
    "pipe": Mistake("run experiments/pipe.toml", ("experiments/pipe.toml is a device or a pipe",), fifo),
    "link to itself": Mistake("run experiments/loop.toml", ("experiments/loop.toml cannot be read", "symbolic"), loop),
    "link to nothing": Mistake("plan experiments/lost.toml", ("found no experiments/lost.toml",), dangling),
    "checked: name that is none": Mistake("check quickstar", ("quickstar",)),
    "checked: broken": Mistake(f"check {FILE}", (FILE, "valid TOML", "line 1"), written("= 3")),
    "checked: unknown key": Mistake(
        f"check {FILE}", ("unknown key `playrs`", "did you mean `players`"), written(EXPERIMENT + "playrs = 2\n")
    ),
    "planned: broken": Mistake(f"plan {FILE}", (FILE, "valid TOML", "line 1"), written("= 3")),
    "planned: unknown rule": Mistake(
        f"plan {FILE}", ("unknown rule `shark`", "`sharks`"), written(EXPERIMENT + "[rules]\nshark = 1\n")
    ),
}


@each(BROKEN | UNKNOWN | WRONG_KIND | SIZES | FILES)
def test_mistake(here: Path, mistake: Mistake) -> None:
    check(here, mistake)


def test_what_is_no_mistake_is_played(here: Path) -> None:
    """The control: the same experiment, as it is, with a mark before it all, and with values at their bounds."""
    assert call(*RUN.split()).exit_code == 0
    for content in (
        "\ufeff" + EXPERIMENT,
        EXPERIMENT.replace("games = 64", "games = 1").replace("= 4", f"= {2**64 - 1}"),
    ):
        written(content)(here)
        assert call(*RUN.split(), "--fresh").exit_code == 0


def test_a_message_that_lacks_something_is_noticed() -> None:
    """The control of what holds for every mistake."""
    for stderr in (
        "",
        "Error: a\nError: b\n",
        "Traceback\nError: a\n",
        "Oh no: a\n",
        "Error: \x1b[31m a\n",
        "Error: b\n",
    ):
        with pytest.raises((AssertionError, ValueError)):
            check_message("", stderr, ("a",))
    with pytest.raises(AssertionError):
        check_message("a word\n", "Error: a\n", ("a",))
    check_message("strategy mine: /x/mine.py\n", "Error: a\n", ("a",))


def test_a_file_that_is_written_is_noticed(here: Path) -> None:
    """The control of that nothing is written."""
    before = snapshot(here)
    (here / "new").mkdir()
    assert snapshot(here) != before


def test_a_file_without_permission(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refuse)
        outcome = call(*RUN.split())
    assert outcome.exit_code == 2
    check_message(outcome.stdout, outcome.stderr, (FILE, "cannot be read", "Permission denied"))
