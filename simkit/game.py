"""What a game must provide: a `Game`, made of declarations and of the functions that play it.

Everything that users see of a game (its listing, its Parquet columns, its report) is generated from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from pathlib import Path

    from simkit.components import Components
    from simkit.exact import Topic
    from simkit.state import Field
    from simkit.table import Table
    from simkit.trace import Event, Scene
    from simkit.view import View

MAX_SEATS = 6
UNFINISHED = "unfinished"
"""The end cause that every game has: its `max_rounds` were played and it was not over."""

LIKELY_ROUNDS = 8
"""Rounds of a game, for a guess of how long play takes before anything has been played."""

RESERVED = ("first", "choose", "name", "ties")
"""No decision may be called so: defaults and strategies use these names."""

ROW_COLUMNS = (
    *("cell", "rotation", "deal", "seat", "label"),
    *("won", "winners", "decided_by_tiebreak", "n_turns", "end_cause", "rank", "win"),
)
TALLY_COLUMNS = ("cell", "rotation", "group", "count")
"""Columns that the engine writes beside a game's own."""

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Decision:
    """A named question put to a seat.

    Parameters
    ----------
    name
        In snake case: the name of the strategies' method.
    options
        The fixed options, or a function of (rules, seats) that gives them.
    meaning
        One line for listings.
    default
        What a strategy without such a method does: another decision's name (that decision's method answers, the
        options being alike), or "first" for the first legal option.
    """

    name: str
    options: tuple[str, ...] | Callable[[Any, int], tuple[str, ...]]
    meaning: str
    default: str = "first"

    def options_for(self, rules: Any, seats: int) -> tuple[str, ...]:
        """The options under these rules."""
        return self.options(rules, seats) if callable(self.options) else self.options


@dataclass(frozen=True)
class Column:
    """A measure in the rows of `games` or `seats`: an integer, a bool, or an index into `labels` (an enum)."""

    name: str
    dtype: str
    unit: str
    meaning: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Key:
    """One declared key of a tally: values 0..size-1, or an index into `labels`."""

    name: str
    size: int | Callable[[Any, int], int]
    unit: str = ""
    labels: tuple[str, ...] = ()

    def size_for(self, rules: Any, seats: int) -> int:
        """The number of values under these rules."""
        return self.size(rules, seats) if callable(self.size) else self.size


@dataclass(frozen=True)
class Tally:
    """A table of counts, constant in size however many games are played."""

    name: str
    keys: tuple[Key, ...]
    meaning: str


@dataclass(frozen=True)
class Outcome:
    """What a game's `outcome` function says of games that have just ended.

    Parameters
    ----------
    score : int (seats, k) or None
        Rival games: the seats' scores; the engine ranks by it.
    tiebreak : int (seats, k) or None
        Rival games: what decides between equal scores.
    games, seats
        The game's own measures by column name, (k,) and (seats, k).
    """

    score: Array | None = None
    tiebreak: Array | None = None
    games: Mapping[str, Array | int] = field(default_factory=dict)
    seats: Mapping[str, Array | int] = field(default_factory=dict)


@dataclass(frozen=True)
class Game:
    """A game: declarations first, then the functions that the engine calls.

    Parameters
    ----------
    id, title, summary
        `pearl-dive`, "Pearl Dive", one line.
    rules_version
        Raised by any change that alters results.
    players
        The player counts the game allows.
    cooperative
        The table wins or loses together.
    components
        Everything from the box, and every ambiguity of the rulebook, with tags (`components.toml`).
    rules
        Class of validated, frozen parameters made from the components' values.
    decisions, streams, end_causes
        Declared facts; `end_causes` without `unfinished`, which the engine adds.
    columns, seat_columns, tallies
        The game's own measures. Rival games have `score` (a `Column`) besides.
    fields
        (rules, seats) -> the declared state.
    setup, turn
        (table) before the first turn; (table, seat) for one seat's turn. They play all games of the batch.
    outcome
        (table, games) -> `Outcome` of games that end now.
    view
        The class of what a seat may know.
    hidden
        (table, seat, luck) -> changes the state to an equally possible one for what that seat knows.
    describe
        (table, columns) -> the state of each of these games in plain Python values, for traces.
    seats_for
        Seats for a player count (solo play of two characters: 1 -> 2).
    standing
        (table) -> (seats, n), each seat's current standing; optional.
    tell
        (event of a trace, scene) -> the event in the rulebook's words, for replays: sentences without a stop that begin
        with the name of whoever acts; optional.
    exact
        Questions that can be answered without playing (`exact.py`).
    turn_seconds
        A rough cost of one seat's turn in one game, for the choice between one process and several [s].
    width
        Games in step; a power of two. Results do not depend on it.
    """

    id: str
    title: str
    summary: str
    rules_version: int
    players: tuple[int, ...]
    cooperative: bool
    components: Components
    rules: Callable[..., Any]
    decisions: tuple[Decision, ...]
    streams: tuple[str, ...]
    end_causes: tuple[str, ...]
    fields: Callable[[Any, int], Sequence[Field]]
    setup: Callable[[Table], None]
    turn: Callable[[Table, int], None]
    outcome: Callable[[Table, npt.NDArray[np.intp]], Outcome]
    view: type[View]
    hidden: Callable[[Table, int, np.random.Generator], None]
    describe: Callable[[Table, npt.NDArray[np.intp]], list[dict[str, Any]]]
    score: Column | None = None
    columns: tuple[Column, ...] = ()
    seat_columns: tuple[Column, ...] = ()
    tallies: tuple[Tally, ...] = ()
    seats_for: Callable[[int], int] = int
    standing: Callable[[Table], Array] | None = None
    tell: Callable[[Event, Scene], Sequence[str]] | None = None
    exact: tuple[Topic, ...] = ()
    source: Path | None = None
    turn_seconds: float = 1e-7
    width: int = 1 << 16

    def __post_init__(self) -> None:
        """Refuse declarations that could not be played or stored."""
        seats = [self.seats_for(players) for players in self.players]
        if not seats or min(seats) < 1 or max(seats) > MAX_SEATS:
            raise ValueError(f"{self.id}: a game seats 1 to {MAX_SEATS}; found {seats} for players {self.players}")
        if self.cooperative == (self.score is not None):
            raise ValueError(f"{self.id}: a rival game declares `score`, a cooperative game does not")

        self._check_decisions()
        self._check_columns()
        topics = [topic.name for topic in self.exact]
        if len(set(topics)) < len(topics):
            raise ValueError(f"{self.id}: exact topics need names of their own; found {topics}")

    def _check_columns(self) -> None:
        """Columns that every table has are not a game's to name, and each name stands once."""
        score = (self.score,) if self.score else ()
        self._check_names("games", [column.name for column in self.columns], ROW_COLUMNS)
        self._check_names("seats", [column.name for column in (*score, *self.seat_columns)], ROW_COLUMNS)
        for tally in self.tallies:
            self._check_names(f"tally {tally.name}", [key.name for key in tally.keys], TALLY_COLUMNS)

    def _check_names(self, table: str, names: Sequence[str], taken: Sequence[str]) -> None:
        """Refuse a name that is taken."""
        for name in names:
            if name in taken or names.count(name) > 1:
                told = f"must have a name of its own, none of {', '.join(taken)}; found `{name}`"
                raise ValueError(f"{self.id}, {table}: a column {told}")

    def _check_decisions(self) -> None:
        """Decisions are methods of strategies, and each has an answer in the end."""
        names = [decision.name for decision in self.decisions]
        for decision in self.decisions:
            name, seen = decision.name, set[str]()
            if names.count(name) > 1 or not name.isidentifier() or name.startswith("_") or name in RESERVED:
                raise ValueError(f"{self.id}: a decision needs a name of its own, fit for a method; found `{name}`")
            while name != "first":
                if name in seen or name not in names:
                    raise ValueError(
                        f"{self.id}: the defaults of `{decision.name}` must end in `first`; found `{name}`"
                    )
                seen.add(name)
                name = self.decision(name).default

    @property
    def all_end_causes(self) -> tuple[str, ...]:
        """The declared end causes and `unfinished`."""
        return (*self.end_causes, UNFINISHED)

    def decision(self, name: str) -> Decision:
        """The decision of that name."""
        return next(decision for decision in self.decisions if decision.name == name)
