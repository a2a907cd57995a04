"""Mistakes in games of one's own: their code and their components."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from .conftest import TOY
from .mistake import Mistake, call, check, each, written

RUN_TOY = "run experiments/trial.toml --jobs 1 --set game=beacon"


def game(
    change: Callable[[str], str], *said: str, components: Callable[[str], str] = str, words: str = RUN_TOY
) -> Mistake:
    """The toy game with a change in its code or its components."""

    def change_it(folder: Path) -> None:
        shutil.copytree(TOY / "games", folder / "games", ignore=shutil.ignore_patterns("__pycache__"))
        for name, edit in (("beacon.py", change), ("beacon.toml", components)):
            file = folder / "games" / name
            file.write_text(edit(file.read_text()))

    return Mistake(words, said, change_it)


def failing(function: str) -> Mistake:
    """The toy game with a function that fails at once."""

    def fail(text: str) -> str:
        found = re.search(rf"^def {function}\(.*?\).*?:\n", text, re.MULTILINE)
        return f"{text[: found.end()]}    raise ValueError('broken')\n{text[found.end() :]}"

    line = next(
        n
        for n, text in enumerate((TOY / "games" / "beacon.py").read_text().splitlines(), 1)
        if text.startswith(f"def {function}(")
    )
    return game(fail, f"beacon.py, line {line + 1}: the code must run", "ValueError: broken")


GAMES = {f"fails in {name}": failing(name) for name in ("fields", "setup", "turn", "work", "defend", "outcome")} | {
    "no game": game(lambda text: text.replace("GAME = ", "GAMES = "), "must set GAME", "found None"),
    "another id": game(lambda text: text.replace('id="beacon"', 'id="bacon"'), "`beacon`; found id `bacon`"),
    "something else": game(lambda text: text + "\nGAME = 3\n", "must set GAME", "found 3"),
    "broken": game(lambda text: text + "\nx = = 3", "beacon.py: must run when imported", "SyntaxError"),
    "ends the program": game(lambda text: text + "\nraise SystemExit\n", "must run when imported; found SystemExit"),
    "contradicts itself": game(lambda text: text.replace("cooperative=True", "cooperative=False"), "declares `score`"),
    "no legal option": game(
        lambda text: text.replace('"work", seat, legal=', '"work", seat, legal=False & '),
        "beacon.py, line",
        "no legal option",
    ),
    "an end that is not declared": game(lambda text: text.replace('"wrecks"),\n', '"wreck"),\n'), "beacon.py, line"),
    "components broken": game(str, "beacon.toml: must be valid TOML", components=lambda text: "= 3\n" + text),
    "components lack a tag": game(
        str, "component `copies`, `tag`: must be set", components=lambda text: re.sub("tag = .*\n", "", text, count=1)
    ),
    "components of another tag": game(
        str, "`tag`: must be 'rulebook'", components=lambda text: re.sub('tag = ".*"', 'tag = "x"', text, count=1)
    ),
    "components the rules refuse": game(
        str,
        "`copies` must be a whole number",
        components=lambda text: re.sub("value = .*", 'value = "x"', text, count=1),
    ),
    "listed, components the rules refuse": game(
        str, "`copies` must be", components=lambda text: re.sub("value = .*", 'value = "x"', text, count=1),
        words="games beacon",
    ),
    "listed, no game": game(lambda text: text.replace("GAME = ", "GAMES = "), "must set GAME", words="games beacon"),
    "two of one name": Mistake(
        "games tentacolor", ("game `tentacolor` must be one; found 2", "rename one"), written("", "games/tentacolor.py")
    ),
    "a pipe": Mistake(
        "games mine", ("game `mine` must be in a file",),
        lambda folder: [(folder / "games").mkdir(), os.mkfifo(folder / "games" / "mine.py")],
    ),
}  # fmt: skip


@each(GAMES)
def test_mistake_of_a_game(here: Path, mistake: Mistake) -> None:
    check(here, mistake)


def test_a_broken_game_or_strategy_spoils_only_itself(here: Path) -> None:
    """Lists name what cannot be read, and all else plays: pipes and broken files among them."""
    for folder in ("games", "strategies/tentacolor"):
        (here / folder).mkdir(parents=True)
        (here / folder / "broken.py").write_text("x = = 3")
        os.mkfifo(here / folder / "pipe.py")
    for words in (["games"], ["strategies", "tentacolor"], ["run", "experiments/trial.toml", "--jobs", "1"]):
        outcome = call(*words)
        assert outcome.exit_code == 0, outcome.output
        assert words[0] == "run" or "cannot be read: SyntaxError" in outcome.stdout
