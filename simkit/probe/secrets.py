"""Whether a game keeps its secrets: what a seat sees, what it is offered and what it may do must not tell them."""

from __future__ import annotations

import contextlib
import inspect
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.probe.findings import Findings
from simkit.probe.leaks import redealt
from simkit.probe.questions import ExaminedTable, Question, answer, twin, unlike
from simkit.results import Results
from simkit.strategy import Choice
from simkit.table import Table
from simkit.view import View

FIRST, SHARE = 3, 0.05
"""How many questions of a decision are looked into in each setting, and how many of the later ones [share]."""

Array = npt.NDArray[Any]


class SecretsTable(ExaminedTable):
    """A table that remembers how the turn began and what was answered since, so that the turn can be played again."""

    examiner: Secrets

    def begin_turn(self) -> None:
        """A turn is about to be played."""
        self.examiner.begin(twin(self))

    def ask(self, decision: str, seat: Any, **asked: Any) -> Choice:
        """Remember the answers to the game's own questions, not those to their parts."""
        examiner, is_part = self.examiner, self.examiner.is_within
        examiner.is_within = True
        try:
            choice = super().ask(decision, seat, **asked)
        finally:
            examiner.is_within = is_part
        if not is_part:
            examiner.answers.append(choice)
        return choice


class Secrets:
    """An examiner that looks for hidden things in what a seat is told.

    Parameters
    ----------
    findings
    where
        What is played, for messages.

    Attributes
    ----------
    n_changed
        Questions at which `hidden` changed something.
    """

    def __init__(self, findings: Findings, where: str) -> None:
        self.findings, self.where = findings, where
        self.asked: Counter[str] = Counter()
        self.answers: list[Choice] = []
        self.is_within = False
        self.n_changed = 0
        self._start: Table | None = None
        self._luck = np.random.default_rng(7)

    def begin(self, start: Table) -> None:
        """A turn begins."""
        self._start, self.answers = start, []

    def put(self, table: Table, question: Question) -> Choice:
        """The answer; now and then the question is looked into before."""
        if question.asked(table).any():
            self.asked[question.decision] += 1
            if self.asked[question.decision] <= FIRST or self._luck.random() < SHARE:
                self._look_into(table, question.copied())
        return answer(table, question).choice

    def _look_into(self, table: Table, question: Question) -> None:
        """Compare what the seat is told with what it would be told if all that is hidden were different."""
        other = redealt(table, question.seat, self._luck)
        self.n_changed += unlike(vars(table.state), vars(other.state))
        self.findings.compared["hidden"] += 1
        self._check_types(table, other)
        for name in _differing(_view(twin(table), question), _view(twin(other), question), question.asked(table)):
            self._fail(question, f"`view.{name}` tells something that `hidden` says the seat cannot know")
        again = None if self._start is None else self._asked_again(table, other)
        again = None if again is None else _part(again, question)
        if again is not None:
            self.findings.compared["legal"] += 1
            self._compare(question, again, question.asked(table))

    def _check_types(self, table: Table, other: Table) -> None:
        """`hidden` changes values, not arrays."""
        for field in table.state.fields:
            mine, theirs = getattr(table.state, field.name), getattr(other.state, field.name)
            if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
                text = (
                    f"`hidden` must leave `{field.name}` {mine.dtype} {mine.shape}; found {theirs.dtype} {theirs.shape}"
                )
                self.findings.fail("hidden", text)

    def _compare(self, question: Question, again: Question, asked: npt.NDArray[np.bool_]) -> None:
        """The same options are legal, and the same is offered."""
        if not _alike(question.legal, again.legal, asked):
            self._fail(question, "which options are legal depends on what the seat cannot know")
        for name, value in question.offer.items():
            if not _alike(value, again.offer.get(name), asked):
                self._fail(question, f"`{name}` is offered, and depends on what `hidden` says the seat cannot know")

    def _fail(self, question: Question, text: str) -> None:
        """A secret is out."""
        self.findings.fail("hidden", f"decision `{question.decision}`: {text} ({self.where})")

    def _asked_again(self, table: Table, other: Table) -> Question | None:
        """The question as it is put where the hidden things were different from the turn's beginning on.

        None where that cannot be played, as when the turn itself has brought hidden things about.
        """
        start = None if self._start is None else twin(self._start)
        if start is None or not _changed_alike(start.state, table.state, other.state):
            return None
        again = Again.__new__(Again)
        vars(again).update(vars(start))
        again.results = Results(table.game, table.rules, table.seats, table.results.n)
        again.given = list(self.answers)
        with contextlib.suppress(Exception):
            table.game.turn(again, table.turn % table.seats)
        if again.reached is None or unlike(vars(again.state), vars(other.state)):
            return None
        return again.reached


class Again(Table):
    """A table that plays a turn again with the answers given, up to a question that has none."""

    given: list[Choice]
    reached: Question | None = None

    def ask(self, decision: str, seat: Any, *, games: Any = None, legal: Any = None, **offer: Any) -> Choice:
        """The answer that was given; the first question without one is the end."""
        if self.given:
            return self.given.pop(0)
        if self.reached is None:
            self.reached = Question(decision, seat, games, legal, offer).copied()
        raise InterruptedError


def _part(whole: Question, part: Question) -> Question | None:
    """What a question that may go to several seats says of the games in which it goes to one of them."""
    if isinstance(whole.seat, int | np.integer):
        return whole if unlike(whole.games, part.games) is False else None
    if part.games is None:
        return None
    games = np.arange(len(whole.seat)) if whole.games is None else whole.games
    if not np.isin(part.games, games).all():
        return None
    order = np.argsort(games, kind="stable")
    return whole.of(order[np.searchsorted(games, part.games, sorter=order)], part.games)


def _view(table: Table, question: Question) -> View:
    """What the seat is shown."""
    ask = question.copied()
    return table.game.view(table, ask.decision, ask.seat, ask.games, ask.legal, **ask.offer)


def _differing(mine: View, other: View, asked: npt.NDArray[np.bool_]) -> Iterator[str]:
    """The names under which two views tell different things."""
    for name in sorted(set(dir(type(mine))) - set(dir(View))):
        is_shown = not name.startswith("_") and _can_be_read(type(mine), name)
        if is_shown and not _alike(_read(mine, name), _read(other, name), asked):
            yield name


def _can_be_read(cls: type[View], name: str) -> bool:
    """Whether it is a property, or a method that needs no arguments."""
    held = inspect.getattr_static(cls, name)
    if not inspect.isfunction(held):
        return isinstance(held, property | cached_property)
    needed = list(inspect.signature(held).parameters.values())[1:]
    return all(parameter.default is not inspect.Parameter.empty for parameter in needed)


def _read(view: View, name: str) -> Any:
    """What a view tells under a name; None where it tells nothing in this decision."""
    with contextlib.suppress(Exception):
        value = getattr(view, name)
        return value() if callable(value) else value
    return None


def _alike(mine: Any, other: Any, asked: npt.NDArray[np.bool_]) -> bool:
    """Whether two values are the same in the games that are asked."""
    if isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        if mine.shape == other.shape and mine.shape[-1:] == asked.shape:
            return np.array_equal(mine[..., asked], other[..., asked])
        return np.array_equal(mine, other)
    if isinstance(mine, tuple) and isinstance(other, tuple) and len(mine) == len(other):
        return all(_alike(a, b, asked) for a, b in zip(mine, other, strict=True))
    return not unlike(mine, other)


def _changed_alike(start: Any, now: Any, other: Any) -> bool:
    """Change the start of a turn as another present differs from this one; whether that can be done."""
    for path, mine in _arrays(vars(now)):
        theirs, before = (_at(vars(state), path) for state in (other, start))
        changed = mine != theirs if mine.shape == theirs.shape else None
        if changed is None:
            return False
        if changed.any():
            if before.shape != mine.shape or not np.array_equal(before[changed], mine[changed]):
                return False
            before[changed] = theirs[changed]
    return True


def _arrays(held: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Array]]:
    """Every array of a state and of the parts that it holds, with the way there."""
    for name, value in held.items():
        if isinstance(value, np.ndarray):
            yield (*path, name), value
        elif hasattr(value, "__dict__") and name != "tape":
            yield from _arrays(vars(value), (*path, name))


def _at(held: Mapping[str, Any], path: tuple[str, ...]) -> Array:
    """The array at the end of a way; an empty one where there is none."""
    value: Any = held
    for name in path:
        value = (value if isinstance(value, Mapping) else vars(value)).get(name, np.empty(0))
    return value
