"""Mistakes in strategies of one's own: whatever their code does, its file and line are named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .mistake import RUN, Mistake, call, check, check_message, each, snapshot, written

HEAD = """\
import numpy as np
from dataclasses import dataclass
from simkit.strategy import PerGame, Strategy

"""
ZEROS = "np.zeros((len(view.options), view.n))"
LINE = len(HEAD.splitlines()) + 6


def answering(body: str, parameters: str = "") -> str:
    """A file with a strategy that answers one decision so."""
    head = f'{HEAD}@dataclass(frozen=True)\nclass Own(Strategy):\n    """Mine."""\n    {parameters}\n'
    return f"{head}    def place(self, view):\n        {body}\n"


def code(text: str | bytes, *said: str, words: str = "", strategies: str = '["own"]') -> Mistake:
    """A file of strategies, and an experiment that names one of them."""
    return Mistake([*line(strategies), *words.split()], said, written(text, "mine.py"))


def line(strategies: str = '["own"]') -> list[str]:
    """The command that plays strategies of that file."""
    return [*RUN.split(), "--strategies", "mine.py", "--set", f"strategies={strategies}"]


def faulty(body: str, *said: str) -> Mistake:
    """A strategy whose answer fails in its file."""
    return code(answering(body), "strategy `own`, decision `place`", *said, f"mine.py, line {LINE})")


def wrong(body: str, *said: str) -> Mistake:
    """A strategy whose answer is none."""
    return code(answering(body), "strategy `own`, decision `place`: scores must", *said)


RAISES = {
    "raises": faulty("raise ValueError('no idea')", "ValueError: no idea"),
    "raises what a terminal obeys": faulty("raise ValueError('\\x1b[31m[red]')", r"ValueError: \x1b[31m[red]"),
    "raises three lines": faulty("raise ValueError('a\\nError: b\\nc')", "ValueError: a Error: b c"),
    "raises a novel": faulty("raise ValueError('x' * 10**6)", "xxx..."),
    "raises our own error": faulty("from simkit.errors import UserError; raise UserError('mine')", "UserError: mine"),
    "asserts": faulty("assert False", "found AssertionError ("),
    "divides by zero": faulty("1 / 0", "ZeroDivisionError"),
    "asks for what there is not": faulty("view.nothing", "AttributeError", "nothing"),
    "looks past the end": faulty("view.legal[99]", "IndexError"),
    "calls itself for ever": faulty("return self.place(view)", "RecursionError"),
    "wants all memory": faulty("np.zeros((10**9, 10**9))", "MemoryError"),
    "ends the program": faulty("import sys; sys.exit(3)", "SystemExit: 3"),
    "ends it without a word": faulty("raise SystemExit", "found SystemExit ("),
    "has no permission": faulty("raise PermissionError(13, 'denied')", "PermissionError"),
    "remembers": faulty("self.n = 1", "FrozenInstanceError"),
    "writes to what is legal": faulty("view.legal[:] = True", "read-only"),
    "writes to the cards": faulty("view.cards[:] = 0", "read-only"),
    "writes to what is offered": faulty("view.offer['cards'][:] = 0", "read-only"),
    "writes to its columns": faulty("view.columns[:] = 0", "read-only"),
    "replaces what is legal": faulty("view.legal = None", "a view is read-only; `legal` was to be set"),
    "replaces the options": faulty("view.options = ('x',)", "a view is read-only; `options` was to be set"),
    "leaves by another door": code(answering("raise GeneratorExit"), f"mine.py, line {LINE}: ", "GeneratorExit"),
}
ANSWERS = {
    "nothing": wrong("pass", "numpy array of integers or floats; found NoneType"),
    "a list": wrong("return [[0]]", "found list"),
    "another shape": wrong(
        "return np.zeros((2, 2))", "one row per option and one column per game, (3, 64); found (2, 2)"
    ),
    "NaN": wrong(f"return np.full_like({ZEROS}, np.nan)", "numbers; found NaN for a legal option"),
    "complex": wrong(f"return {ZEROS} * 1j", "found an array of complex128"),
    "objects": wrong(f"return {ZEROS}.astype(object)", "found an array of object"),
    "text": wrong(f"return {ZEROS}.astype(str)", "found an array of <U32"),
    "dates": wrong(f"return {ZEROS}.astype('datetime64[s]')", "found an array of datetime64[s]"),
    "one game's, short": code(
        HEAD + "class Own(PerGame):\n    def place(self, view):\n        return [1]\n", "must be 3 numbers; found [1]"
    ),
    "one game's, failing": code(
        HEAD + "class Own(PerGame):\n    def place(self, view):\n        return 1 / 0\n", "mine.py, line 7)", "by zero"
    ),
    "a choice, none": code(
        HEAD + "class Own(Strategy):\n    def choose(self, view):\n        pass\n", "`choose` must give uint8"
    ),
    "a choice that is not there": code(
        HEAD + "class Own(Strategy):\n    def choose(self, view):\n        return np.full(view.n, 200, np.uint8)\n",
        "numbers below 3; found 200",
    ),
    "a choice, failing": code(
        HEAD + "class Own(Strategy):\n    def choose(self, view):\n        raise ValueError('no')\n",
        "mine.py, line 7: ",
        "ValueError: no",
    ),
    "no method": code(HEAD + "class Own(Strategy):\n    place = 3\n", "'int' object is not callable", "mine.py)"),
    "no view": code(HEAD + "class Own(Strategy):\n    def place(self):\n        pass\n", "1 positional", "mine.py)"),
    "a method that is none": code(
        HEAD + "class Own(Strategy):\n    place = property(lambda self: 1 / 0)\n", "mine.py, line 6: ", "by zero"
    ),
    "other ties": code(HEAD + "class Own(Strategy):\n    ties = 'last'\n", '"first" or "coin"; found \'last\''),
}
FILES = {
    "broken": code(HEAD + "class Own(Strategy:\n    pass", "mine.py: must be Python", "SyntaxError", "line 5"),
    "a null byte": code(b"\0", "mine.py: must be Python", "null byte"),
    "not UTF-8": code(b"x = '\xe9'", "mine.py: must be Python", "utf-8"),
    "nested for ever": code("x = " + "(" * 5000, "mine.py: must be Python", "parentheses"),
    "a long sum": code("x = " + "-" * 200_000 + "1\n", "mine.py: must be Python"),
    "another format": Mistake(
        "run experiments/trial.toml --strategies experiments/trial.toml", ("trial.toml has none",)
    ),
    "missing": Mistake("run experiments/trial.toml --strategies none.py", ("found no ", "none.py")),
    "a folder": Mistake("run experiments/trial.toml --strategies experiments", ("experiments is a folder",)),
    "a device": Mistake("run experiments/trial.toml --strategies /dev/zero", ("/dev/zero is a device",)),
    "a name with a null byte": Mistake(
        ["run", "experiments/trial.toml", "--strategies", "a\0.py"], ("`--strategies` must not hold a null byte",)
    ),
    "a pipe": Mistake(
        "run experiments/trial.toml --strategies mine.py",
        ("mine.py is a device or a pipe",),
        lambda folder: os.mkfifo(folder / "mine.py"),
    ),
    "empty": code("", "strategies that take part", "mine.py has none"),
    "no strategy": code("class Own:\n    pass\n", "mine.py has none"),
    "private": code(HEAD + "class _Own(Strategy):\n    pass\n", "mine.py has none"),
    "others": code(HEAD + "class Foo(Strategy):\n    pass\n", "mine.py has foo, and those that take part are own"),
    "two of one name": code(HEAD + "class Own(Strategy):\n    pass\n" * 2, "`own` must be one; found 2", "rename one"),
    "gone when read": code(HEAD + "class Own(Strategy):\n    pass\ndel Own\n", "`Own` must be a class", "no such name"),
    "replaced when read": code(HEAD + "class Own(Strategy):\n    pass\nOwn = 3\n", "`Own` must be a class", "found 3"),
    "a base of its own": code(
        "class Strategy:\n    pass\nclass Own(Strategy):\n    pass\n",
        "simkit.strategy.Strategy; found a class of another",
    ),
    "an import that fails": code(
        "import nothing_such\n" + answering("pass"), "mine.py, line 1: must run when imported"
    ),
    "a neighbour that is none": code(
        "from .other import x\n" + answering("pass"), "line 1", "No module named '.other'"
    ),
    "raises when imported": code(
        answering("pass") + "raise ValueError('x')\n", f"line {LINE + 1}: must run", "ValueError: x"
    ),
    "ends when imported": code(
        answering("pass") + "import sys; sys.exit()\n", f"line {LINE + 1}: must run", "SystemExit"
    ),
    "calls itself when imported": code(answering("pass") + "def f():\n    f()\nf()\n", "must run", "RecursionError"),
}
REFUSING = f"{HEAD}@dataclass\nclass Own(Strategy):\n    p: int = 1\n    def __post_init__(self):\n        "
PARAMETERS = {
    "missing": code(answering("pass", "p: float"), "`p` must be set; found nothing"),
    "unknown": code(
        answering("pass", "p: float = 1"), "parameter `q`", "Allowed: p", strategies='[{name="own",q=1}]'
    ),
    "of another kind": code(
        answering("pass", "p: float = 1"), "`p` must be a finite number; found 'x'", strategies='[{name="own",p="x"}]'
    ),
    "refused": code(
        REFUSING + "raise ValueError('p!')\n",
        "refuses its parameters: p!", "mine.py, line 9",
    ),
    "refused by a fault": code(
        REFUSING + "{}['x']\n",
        "refuses its parameters: KeyError: 'x'", "mine.py, line 9",
    ),
    "ends the program": code(
        HEAD + "class Own(Strategy):\n    def __init__(self):\n        raise SystemExit\n",
        "SystemExit", "mine.py, line 7",
    ),
    "not those of a dataclass": code(
        HEAD + "class Own(Strategy):\n    def __init__(self, x):\n        pass\n", "refuses its parameters", "'x'"
    ),
    "abstract": code(
        HEAD
        + "from abc import ABC, abstractmethod\n"
        + "class Own(Strategy, ABC):\n    @abstractmethod\n    def place(self, view): ...\n",
        "abstract", "place",
    ),
}  # fmt: skip
OTHER_COMMANDS = {
    "planned": Mistake(
        ["plan", "experiments/trial.toml", "--strategies", "mine.py", "--set", 'strategies=["own"]'],
        ("strategy `own`, decision `place`", "ZeroDivisionError"),
        written(answering("1 / 0"), "mine.py"),
    ),
    "compared": Mistake(
        "compare tentacolor mine.py:own random --games 200 --jobs 1",
        ("strategy `own`, decision `place`", "ZeroDivisionError"),
        written(answering("1 / 0"), "mine.py"),
    ),
}
ALL = {"answers": ANSWERS, "file": FILES, "parameters": PARAMETERS, "elsewhere": OTHER_COMMANDS}


@each(RAISES | {f"{kind}, {name}": mistake for kind, found in ALL.items() for name, mistake in found.items()})
def test_mistake_of_a_strategy(here: Path, mistake: Mistake) -> None:
    check(here, mistake)


SLOW = {
    "measured": Mistake(
        "bench tentacolor --seconds 0.001 --strategies mine.py",
        ("strategy `own`, decision `place`", "ZeroDivisionError"),
        written(answering("1 / 0"), "mine.py"),
    ),
    "on workers": code(answering("1 / 0"), "strategy `own`", "ZeroDivisionError", words="--jobs 2 --games 30000000"),
    "ends the program on workers": code(
        answering("raise SystemExit"), "strategy `own`", "found SystemExit", words="--jobs 2 --games 30000000"
    ),
    "on threads": code(answering("1 / 0"), "strategy `own`", words="--jobs 2 --games 30000000 --backend threading"),
}


@pytest.mark.slow
@each(SLOW)
def test_slow_mistake_of_a_strategy(here: Path, mistake: Mistake) -> None:
    check(here, mistake)


DECISIONS = ("place", "give", "school", "shark", "rare")


@pytest.mark.parametrize("decision", DECISIONS)
def test_every_decision_is_named(here: Path, decision: str) -> None:
    """Whichever fails, before or after others have answered."""
    written(answering("raise ValueError('no idea')").replace("def place", f"def {decision}"), "mine.py")(here)
    before = snapshot(here)
    line = ["run", "experiments/trial.toml", "--jobs", "1", "--strategies", "mine.py", "--set", 'strategies=["own"]']
    outcome = call(*line, "--json")
    assert outcome.exit_code == 2, outcome.output
    check_message(outcome.stdout, outcome.stderr, (f"strategy `own`, decision `{decision}`", "no idea"))
    assert snapshot(here) == before


def test_what_a_strategy_may_do(here: Path) -> None:
    """The control: infinities, truth values, and names of its own on a view that is not public."""
    for body in (f"return {ZEROS} + np.inf", f"return {ZEROS} > 0", f"view._mine = 1; return {ZEROS}"):
        written(answering(body), "mine.py")(here)
        outcome = call(*line(), "--fresh")
        assert outcome.exit_code == 0, outcome.output


def test_a_strategy_that_prints_does_not_spoil_json(here: Path) -> None:
    written(answering(f"print('hm'); return {ZEROS}"), "mine.py")(here)
    line = ["run", "experiments/trial.toml", "--jobs", "1", "--strategies", "mine.py", "--set", 'strategies=["own"]']
    json.loads(call(*line, "--json").stdout)
