"""Asks a strategy the same question in many ways: again, afresh, beside other games, with hidden things changed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from simkit.errors import StrategyError
from simkit.probe.findings import Findings
from simkit.probe.guard import Slip
from simkit.probe.leaks import redealt, with_other_luck
from simkit.probe.questions import Answer, Question, answer, twin, unlike, with_games
from simkit.strategy import Choice, Strategy
from simkit.table import Table

Games = npt.NDArray[np.intp]

FIRST, MOST, ANSWERS, SHARE = 2, 6, 40, 0.08
"""How many questions of a decision are looked into in each setting: the first ones, up to a most as long as they have
come to few answers, and of the later ones a share."""
REDEALS = 4
"""How often hidden things are changed at a question that few games ask."""
FEW = 6
"""Games that are few."""

_CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns")
_A_DAY = 90_061
"""A day, an hour, a minute and a second [s]."""


class Interview:
    """An examiner that looks into what a strategy says.

    Parameters
    ----------
    make
        Makes the strategy anew.
    findings
        Where everything that is wrong is told.
    where
        What is played, for messages.
    """

    def __init__(self, make: Callable[[], Strategy], findings: Findings, where: str) -> None:
        self.make, self.findings, self.where = make, findings, where
        self.used, self.fresh = make(), make()
        self.asked: Counter[str] = Counter()
        self._looked_into: Counter[str] = Counter()
        self._luck = np.random.default_rng(5)
        self._kept: list[tuple[Table, Question, Answer]] = []

    def put(self, table: Table, question: Question) -> Choice:
        """The answer, looked into now and then."""
        if not self._is_due(question.decision, int(np.count_nonzero(question.asked(table)))):
            return answer(table, question).choice
        before, question = twin(table), question.copied()
        given = answer(table, question)
        self._left_alone(before, table, question)
        if self._is_steady(before, question, given):
            self._is_alone(before, question, given)
            self._is_blind(before, question, given)
        self._kept.append((before, question, given))
        return given.choice

    def _is_due(self, decision: str, n_asked: int) -> bool:
        """Whether a question is looked into; one that no game asks is none: the last games have just ended."""
        self.asked[decision] += n_asked > 0
        is_due = self.asked[decision] <= FIRST or (
            self.asked[decision] <= MOST and self._looked_into[decision] < ANSWERS
        )
        is_due = n_asked > 0 and (is_due or self._luck.random() < SHARE)
        self._looked_into[decision] += n_asked * is_due
        return bool(is_due)

    def in_another_order(self, make: Callable[[], Strategy]) -> None:
        """Ask everything that was looked into once more, the last question first, by a clock of another day.

        Parameters
        ----------
        make
            Makes the strategy anew from its file.
        """
        with _another_day():
            strategy = make()
            for table, question, given in reversed(self._kept):
                how = "asked again later, in another order"
                self._compare("memory", table, question, given, strategy, how)
        self._kept = []

    def _left_alone(self, before: Table, after: Table, question: Question) -> None:
        """An answer changes nothing at the table."""
        self.findings.compared["view"] += 1
        if set(vars(after)) - set(vars(before)) - {"examiner", "examined"} or unlike(
            vars(before.state), vars(after.state)
        ):
            raise Slip("view", f"decision `{question.decision}`: the answer changed the position of the game itself")

    def _is_steady(self, before: Table, question: Question, given: Answer) -> bool:
        """The same question, put again and to a new instance, gets the same answer."""
        again = self._compare("memory", twin(before), question, given, self.used, "asked the same thing twice in a row")
        return self._compare("memory", twin(before), question, given, self.fresh, "asked a new instance") and again

    def _is_alone(self, before: Table, question: Question, given: Answer) -> None:
        """The same games, otherwise placed and beside other games, get the same answers."""
        n = before.n
        some = self._luck.permutation(n)
        batches = {
            "the games in another order": some,
            "half of the games left out": np.sort(some[: -(-n // 2)]),
            "one game alone": self._one_asked(before, question),
            "three times as many games": np.concatenate([np.arange(n), some, some]),
        }
        for how, kept in batches.items():
            table, same, shown = with_games(before, question, kept)
            self._compare("columns", table, same, given.take(shown), self.used, f"asked with {how}")
        if question.games is None:
            games = before.live.nonzero()[0]
            how = "shown only the games that are asked"
            self._compare("columns", twin(before), question.of(games, games), given.take(games), self.used, how)

    def _one_asked(self, table: Table, question: Question) -> Games:
        """Any one of the games that are asked."""
        games = table.live.nonzero()[0] if question.games is None else question.games
        return self._luck.choice(games, 1)

    def _is_blind(self, before: Table, question: Question, given: Answer) -> None:
        """The same answer where all that the seat cannot know is different."""
        few = np.count_nonzero(question.asked(before)) <= FEW
        for _ in range(REDEALS if few else 1):
            other = with_other_luck(redealt(before, question.seat, self._luck))
            how = "with all that the seat cannot know changed"
            if not self._compare("hidden", other, question, given, self.used, how):
                return

    def _compare(
        self, check: str, table: Table, question: Question, given: Answer, strategy: Strategy, how: str
    ) -> bool:
        """Whether the answer is still the same, at a table that is then used up; if not, it is told."""
        asked = question.asked(table)
        try:
            found = answer(table, question.copied(), strategy)
        except (Slip, StrategyError) as error:
            self.findings.fail(check, f"{error}; {how} ({self.where})")
            return False
        wrong = found.unlike(given) & asked
        self.findings.compared[check] += int(np.count_nonzero(asked))
        if wrong.any():
            change = _change(given, found, wrong, table.options[question.decision])
            self.findings.fail(check, f"decision `{question.decision}`: {how}, {change} ({self.where})")
        return not wrong.any()


def _change(given: Answer, found: Answer, wrong: npt.NDArray[np.bool_], options: Sequence[str]) -> str:
    """What became of the first answer that changed."""
    column = int(wrong.argmax())
    was, now = (options[int(each.choice[column])] for each in (given, found))
    return "it draws more or fewer coins" if was == now else f"it answers `{now}` instead of `{was}`"


@contextmanager
def _another_day() -> Iterator[None]:
    """The clocks of module `time` show another day, to those who look at them from now on."""
    real = {name: getattr(time, name) for name in _CLOCKS}
    for name, clock in real.items():
        setattr(time, name, _shifted(clock, _A_DAY * 10**9 if name.endswith("_ns") else _A_DAY))
    try:
        yield
    finally:
        for name, clock in real.items():
            setattr(time, name, clock)


def _shifted(clock: Callable[[], float], by: int) -> Callable[[], float]:
    """A clock that goes wrong by so much."""
    return lambda: clock() + by
