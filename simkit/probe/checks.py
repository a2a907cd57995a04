"""The checks by name, what each means and what to do where it fails; a report of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from simkit.probe.findings import FAILED, NOTE, OK, UNCHECKED


@dataclass(frozen=True)
class Kind:
    """A check.

    Parameters
    ----------
    name
    holds
        What holds where it is passed; `{n}` is how much was looked at.
    remedy
        What to do where it failed.
    counter
        What counts how much was looked at; the check's own name if left out.
    is_rare
        Whether it is shown only where something was found.
    is_advice
        Whether the remedy is for notes too.
    """

    name: str
    holds: str
    remedy: str = ""
    counter: str = ""
    is_rare: bool = False
    is_advice: bool = False


STRATEGY_CHECKS = (
    Kind("loads", "its file can be run and its parameters fit", "mend the file, or set the parameters"),
    Kind("runs", "it answered {n} times without an error", "mend the line that is named"),
    Kind("time", "no answer took long", "look for a loop that does not end, or a loop over games", "loads"),
    Kind(
        "answers",
        "scores have the right shape and type, and are numbers",
        "return a numpy array of integers or floats, a row for each of view.options and a column for each game",
        "runs",
    ),
    Kind("view", "it only looks at what it is shown", "copy an array before changing it: `view.cards.copy()`"),
    Kind(
        "memory",
        "asked again, or in another order, it answers the same ({n} answers)",
        "keep nothing between calls (attributes, class or module variables); no luck but view.coin, and no clock",
    ),
    Kind(
        "columns",
        "a game's answer does not depend on the games beside it ({n} answers)",
        "score each game by its own column: no mean, max, sort or choice over the last axis, and no view.n in a score",
    ),
    Kind(
        "repeats",
        "in another process and a larger batch the same deals end the same ({n} games)",
        "see `memory` and `columns`; if they are ok, do not rely on the order of a set, id() or hash()",
    ),
    Kind(
        "hidden",
        "it sees nothing that it must not know ({n} answers)",
        "use what the view offers; its underscored names, the table and other strategies are out of bounds",
    ),
    Kind(
        "machine",
        "nothing in its source differs between machines",
        "use integers, or + - x on floats; fold other functions into a table of integers worked out by hand",
        is_advice=True,
    ),
    Kind("decisions", "every decision was asked, and has a method of its own"),
    Kind("game", "", "the game broke off, not the strategy: see `simkit check GAME`", is_rare=True),
    Kind("prints", "", "print nothing: a run asks it millions of times", is_rare=True, is_advice=True),
    Kind("warnings", "", "mend what Python or numpy warns of", is_rare=True, is_advice=True),
    Kind(
        "speed",
        "as fast as a strategy should be",
        "see docs/performance.md: small integers, few gathers",
        is_advice=True,
    ),
)

GAME_CHECKS = (
    Kind("loads", "its files can be run and its declarations hold", "mend the file"),
    Kind("components", "all {n} components say their sources and meanings", "complete components.toml"),
    Kind(
        "rules", "they are made from the defaults and from all {n} alternatives", "widen the rules, or drop the value"
    ),
    Kind("runs", "{n} games were played at random without an error", "mend the line that is named"),
    Kind("time", "no turn took long", "look for a loop that does not end", "loads"),
    Kind("ends", "every end cause was reached, and every game came to an end"),
    Kind(
        "neighbours",
        "a game does not depend on those beside it ({n} games)",
        "compute each column on its own; write only into the games given; mind the games that are over",
    ),
    Kind(
        "repeats",
        "the same deals end the same, in another process too ({n} games)",
        "use no luck but table.deck and table.draw, keep nothing outside the state, and rely on no order of a set",
    ),
    Kind(
        "results", "every declared column is told and fits its type ({n} rows)", "see `outcome` and the columns' types"
    ),
    Kind("state", "the arrays stay what they are declared to be", "assign into the arrays: `state.x[:] = ...`"),
    Kind(
        "hidden",
        "what seats are told does not depend on what they cannot know ({n} questions)",
        "either `hidden` changes what the seat knows, or the view, the offer or the legal options tell a secret",
    ),
    Kind("legal", "legal options and offers do not depend on hidden things ({n} questions)"),
    Kind("decisions", "every decision was asked, and every option taken"),
    Kind("tallies", "every tally counted something"),
    Kind("describe", "{n} events were told in plain values", "give one dict of Python numbers, texts and lists a game"),
    Kind("prints", "", "print nothing", is_rare=True),
    Kind("warnings", "", "mend what Python or numpy warns of", is_rare=True, is_advice=True),
    Kind("speed", "a turn takes about as long as `turn_seconds` says", "set `turn_seconds`"),
)


@dataclass(frozen=True)
class Check:
    """What one check came to.

    Attributes
    ----------
    status
        "ok", "note", "FAILED" or "not checked".
    found
        What was found, or what holds.
    remedy
        What to do about it.
    """

    name: str
    status: str
    found: tuple[str, ...]
    remedy: str = ""


@dataclass(frozen=True)
class Report:
    """All checks of a strategy or a game, and what its answers cost."""

    checks: tuple[Check, ...]
    speed: tuple[Mapping[str, Any], ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not any(check.status == FAILED for check in self.checks)

    def __getitem__(self, name: str) -> Check:
        """The check of that name."""
        return next(check for check in self.checks if check.name == name)

    def told(self) -> dict[str, Any]:
        """Plain data."""
        return {"passed": self.passed, "checks": [asdict(c) for c in self.checks], "speed": [*map(dict, self.speed)]}


def made_report(
    kinds: Sequence[Kind],
    found: Sequence[tuple[str, str, str]],
    compared: Mapping[str, int],
    speed: Sequence[Mapping[str, Any]] = (),
) -> Report:
    """Every check, in order."""
    failed = {check for check, status, _ in found if status == FAILED}
    checks = [_check(kind, found, compared, failed) for kind in kinds]
    return Report(tuple(check for check in checks if check is not None), tuple(speed))


def _check(
    kind: Kind, found: Sequence[tuple[str, str, str]], compared: Mapping[str, int], failed: set[str]
) -> Check | None:
    """One check; nothing for a rare one that found nothing."""
    if kind.name in ("columns", "hidden") and "memory" in failed:
        return Check(kind.name, UNCHECKED, ("its answers change by themselves; mend `memory` first",))
    bad = tuple(text for check, status, text in found if check == kind.name and status == FAILED)
    notes = tuple(text for check, status, text in found if check == kind.name and status == NOTE)
    if bad or notes:
        return Check(kind.name, FAILED if bad else NOTE, bad + notes, kind.remedy if bad or kind.is_advice else "")
    if kind.is_rare:
        return None
    n = compared.get(kind.counter or kind.name, 0)
    if not n:
        return Check(kind.name, UNCHECKED, ("the probes did not get so far",))
    return Check(kind.name, OK, (kind.holds.format(n=f"{n:,}"),))
