"""Another table that is equally possible for what a seat knows: all that is hidden from it is changed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.probe.questions import Question, answer, twin, unlike
from simkit.strategy import Choice, Strategy
from simkit.table import GAME_STREAMS, Table
from simkit.tape import Tape, Words

FAR = np.uint64((1 << 33) + 17)
"""How far the deals of the other table are from the real ones; a prime, so that no remainder stays the same."""


class OtherLuck(Tape):
    """The table's luck to come is another; a seat's own coins fall as they would have."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape.seed + 1)
        self._real = tape

    def words(self, deals: Words, stream: int, ordinals: int | npt.NDArray[np.integer] = 0) -> Words:
        """Real words for the seats' own streams."""
        if stream < GAME_STREAMS:
            return self._real.words(deals - FAR, stream, ordinals)
        return super().words(deals, stream, ordinals)


def redealt(table: Table, seat: int, luck: np.random.Generator) -> Table:
    """A copy of the table in a position that is equally possible for what the seat knows: the game's `hidden`."""
    new = twin(table)
    new.game.hidden(new, seat, luck)
    return new


def with_other_luck(table: Table) -> Table:
    """The table; the luck to come, the number of the deal and who sits there are changed too: nobody knows them."""
    table.strategies = (Strategy(),) * table.seats
    table.tape, table.deals, table.rows = OtherLuck(table.tape), table.deals + FAR, table.rows + 1
    for part in table.state.parts:
        if hasattr(part, "tape") and hasattr(part, "deals"):
            part.tape, part.deals = table.tape, part.deals + FAR
    return table


class Leaks:
    """An examiner that collects the answers which depended on something hidden.

    Attributes
    ----------
    found : list of (decision, column of the batch)
    n_compared, n_changed
        Answers compared, and questions at which `hidden` changed the state.
    """

    def __init__(self) -> None:
        self.found: list[tuple[str, int]] = []
        self.n_compared = self.n_changed = 0
        self._luck = np.random.default_rng(5)

    def put(self, table: Table, question: Question) -> Choice:
        """The real answer; that of a table elsewhere is compared with it."""
        strategy = table.strategies[question.seat]
        other = redealt(table, question.seat, self._luck)
        self.n_changed += unlike(vars(table.state), vars(other.state))
        guess = answer(with_other_luck(other), question.copied(), strategy)
        columns = np.arange(table.n) if question.games is None else question.games
        asked = question.asked(table)
        real = answer(table, question)
        self.n_compared += int(np.count_nonzero(asked))
        self.found += [(question.decision, int(column)) for column in columns[real.unlike(guess) & asked]]
        return real.choice
