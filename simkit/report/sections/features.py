"""What a game may have or not, and how its worth is measured: a card, a character, the side of a board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simkit.report.words import POINTS, Unit

WINS = "table wins"
"""The measure of cooperative games."""


@dataclass(frozen=True)
class Features:
    """Things that a game may have or not.

    Parameters
    ----------
    names
        Of the features.
    has
        (a cell's rules) -> for each feature whether its games have it; None where luck decides.
    rules
        The rules that say so.
    used
        The column of `seats` with a bit for each feature that a seat made use of; cooperative games: a function
        (run, cell) -> for each feature the games that made use of it, bool (features, rotations, n).
    score, unit
        Rival games: the column of `seats` that is the score, and what it counts.
    one
        What a feature is called: a card.
    use
        Cooperative games: what making use of one is, after "it".
    is_dealt
        Use is told of cells where luck decides on the feature, not of those that have it.
    table
        The name of the table.
    note
        How to read what use seems to say; optional.
    """

    names: Sequence[str]
    has: Callable[[Mapping[str, Any]], Sequence[bool | None]]
    rules: Sequence[str]
    used: Any
    score: str = ""
    unit: str = ""
    one: str = "card"
    use: str = "was used"
    is_dealt: bool = False
    table: str = "effects"
    note: str = ""

    @property
    def lead(self) -> str:
        """The measure of a feature's worth."""
        return f"{self.unit} of all seats" if self.score else WINS

    @property
    def of_use(self) -> str:
        """The same measure, of those that used it less those that did not."""
        return f"{self.unit} of users" if self.score else f"{WINS} where it {self.use}"

    @property
    def lead_unit(self) -> Unit:
        """Of differences in it."""
        return Unit(1, self.unit, signed=True) if self.score else POINTS
