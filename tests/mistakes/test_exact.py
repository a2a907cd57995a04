"""Mistakes in questions that are answered exactly."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from .conftest import TOY
from .mistake import Mistake, call, check, each

WEATHER = "exact beacon weather --cards 3"
NUMBERS = ",".join(["1"] * 10**6)


def asked(words: str | list[str], *said: str, before: Callable[[Path], object] | None = None) -> Mistake:
    """A question put to the toy."""

    def prepare(folder: Path) -> None:
        shutil.copytree(TOY / "games", folder / "games", ignore=shutil.ignore_patterns("__pycache__"))
        if before is not None:
            before(folder)

    return Mistake(words, said, prepare)


def valued(option: str, value: str, *said: str) -> Mistake:
    """An option with a value that it does not take."""
    words = [*("exact beacon weather" if option == "--cards" else WEATHER).split(), f"{option}={value}"]
    return asked(words, f"`{option}` must ", *said, "`simkit exact beacon` lists the options")


NAMES = {
    "nothing": Mistake("exact", ("GAME", "must be given; found nothing")),
    "a game": Mistake("exact tentacolour attack", ("unknown game `tentacolour`", "did you mean `tentacolor`")),
    "a game without topics": Mistake("exact tentacolor attack", ("Tentacolor must have exact topics", "found none")),
    "a topic": asked("exact beacon wether", "unknown topic `wether`", "did you mean `weather`"),
    "a topic too many": asked("exact beacon weather lines", "one topic", "found `lines`"),
    "options for no topic": asked("exact beacon --cards 3", "`--cards` must follow a topic"),
    "files for no topic": asked("exact beacon --csv x.csv", "`--csv` must follow a topic"),
    "rules for no topic": asked("exact beacon --set rules.oil=3", "`--set` must follow a topic"),
    "an option": asked(f"{WEATHER} --sen 1,1", "unknown option of weather `--sen`", "did you mean `--seen`"),
    "an option of another topic": asked("exact beacon lines --cards 3", "unknown option of lines `--cards`"),
    "a short option": asked(f"{WEATHER} -s 1", "unknown option of weather `-s`"),
    "what a terminal obeys": asked([*WEATHER.split(), "--\x1b[31m", "1"], r"`--\x1b[31m`"),
    "an option without a value": asked(f"{WEATHER} --seen", "`--seen` must be an option with a value", "found none"),
    "an option before another": asked("exact beacon weather --cards --seen 1,1", "`--cards` must be an option with"),
    "an option twice": asked(f"{WEATHER} --cards 4", "`--cards` must be given once; found it twice"),
    "a required option": asked("exact beacon weather", "`--cards` must be given; found nothing"),
}
VALUES = {
    "a word": valued("--cards", "three", "a whole number; found `three`"),
    "too many": valued("--cards", "1000000000", "at most 90; found `1000000000`"),
    "of 5,001 digits": valued("--cards", "1" + "0" * 5000, "fewer digits"),
    "too few": valued("--cards", "-1", "at least 0; found `-1`"),
    "a list, of words": valued("--seen", "1,x", "a whole number; found `1,x`"),
    "a list, too short": valued("--seen", "1", "at least 2 items; found `1`"),
    "a list of a million": valued("--seen", NUMBERS, "at most 100 numbers", "...`"),
    "a list of nothing": valued("--seen", "", "a whole number; found ``"),
    "a kind": valued("--kind", "rain", "'fog' or 'squall'; found `rain`"),
} | {
    f"a probability, {value[:20]}": valued("--wet", value, said)
    for value, said in {
        "1/0": "not be divided by zero",
        "nan": "a probability like 0.45 or 1/3",
        "inf": "a probability like 0.45 or 1/3",
        "1e-999999999": "a probability like 0.45 or 1/3",
        "0." + "3" * 10**6: "of at most 12 digits",
        "1/" + "9" * 10**6: "of at most 12 digits",
        "\u0661/\u0662": "a probability like 0.45 or 1/3",
        "3/2": "between 0 and 1; found `3/2`",
        "-0.5": "a probability like 0.45 or 1/3",
    }.items()
}
RULES = {
    "an unknown rule": asked(f"{WEATHER} --set rules.squals=3", "unknown rule `squals`", "did you mean `squalls`"),
    "a key that is no rule": asked(f"{WEATHER} --set games=3", "rules.NAME=VALUE; found `games`"),
    "a rule out of bounds": asked(f"{WEATHER} --set rules.copies=0", "`rules.copies`", "at least 1; found 0"),
    "options that do not fit the rules": asked("exact beacon weather --cards 90", "`--cards` must be at most"),
}
OUTPUTS = {
    "a csv of another kind": asked(f"{WEATHER} --csv x.txt", "`--csv`", "ending in .csv; found `x.txt`"),
    "a figure of another kind": asked(f"{WEATHER} --figure x.pdf", "ending in .png or .svg; found `x.pdf`"),
    "a figure that is a folder": asked(
        f"{WEATHER} --csv x.csv --figure f.png",
        "`--csv` and `--figure` must name a file",
        "f.png",
        before=lambda folder: (folder / "f.png").mkdir(),
    ),
    "a csv that is a pipe": asked(
        f"{WEATHER} --csv p.csv", "p.csv is a device or a pipe", before=lambda folder: os.mkfifo(folder / "p.csv")
    ),
    "a csv nowhere": asked(f"{WEATHER} --csv no/x.csv", "`--csv` must name a file", "no/x.csv"),
    "a csv of 300 characters": asked(f"{WEATHER} --csv {'x' * 300}.csv", "too long"),
    "a csv with a null byte": asked([*WEATHER.split(), "--csv", "a\0.csv"], "`--csv` must name a file"),
    "a csv of no distribution": asked("exact beacon lines --csv x.csv", "must have a distribution; found none"),
    "a figure of no distribution": asked("exact beacon lines --figure x.png", "must have a distribution"),
}


@each(NAMES | {f"value, {name}": mistake for name, mistake in VALUES.items()} | RULES | OUTPUTS)
def test_mistake(here: Path, mistake: Mistake) -> None:
    started = time.perf_counter()
    check(here, mistake)
    assert time.perf_counter() - started < 10


def test_too_little_or_too_much_on_one_stream(here: Path) -> None:
    check(here, asked(f"{WEATHER} --quiet", "`--quiet` must go with `--csv` or `--figure`"))
    shutil.rmtree(here / "games")
    check(here, asked(f"{WEATHER} --csv - --json", "one document can go to stdout", "leave one out"))


def test_a_topic_that_fails_is_its_authors_to_mend(here: Path) -> None:
    def fail(folder: Path) -> None:
        file = folder / "games" / "beacon.py"
        file.write_text(file.read_text().replace("Fraction(comb(these, k)", "Fraction(1 + comb(these, k)"))

    check(here, asked(WEATHER, "beacon.py, line", "ValueError: probabilities must add up to 1", before=fail))


def test_the_control(here: Path) -> None:
    shutil.copytree(TOY / "games", here / "games", ignore=shutil.ignore_patterns("__pycache__"))
    outcome = call(*WEATHER.split(), "--seen", "2,1", "--wet", "1/3", "--kind", "fog", "--set", "rules.copies=2")
    assert outcome.exit_code == 0, outcome.output
