"""All that a report draws on: the run's cells, their measures, verdicts, changes and contests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from simkit.report.cells import Cell, Names, arrange
from simkit.report.measures import CellMeasures, Change, Contest, contests, measure, table_contests
from simkit.stats import comparisons
from simkit.stats.shares import fair_share
from simkit.stats.verdicts import Verdict, family_level, rate_verdict, seat_verdict

UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Study:
    """A run, measured and judged.

    Attributes
    ----------
    cells
        In the report's order.
    measures
        By cell id.
    changes
        What settings change, cell by cell.
    contests
        Who beats whom.
    level
        Of each cell's verdict, so that all of the report's hold at once.
    """

    run: Any
    names: Names
    cells: tuple[Cell, ...]
    measures: dict[str, CellMeasures]
    changes: tuple[Change, ...]
    contests: tuple[Contest, ...]
    level: float

    @classmethod
    def of(cls, run: Any, names: Names | None = None) -> Study:
        """Measure a run.

        Parameters
        ----------
        run
            A `simkit.store.Run`.
        names
            What the report calls values of rules.
        """
        defaults = {name: component.value for name, component in run.game.components.items()}
        cells = arrange(run.cells, defaults, names)
        measures, changes = measure(run, cells)
        met = table_contests(run, cells) if run.game.cooperative else contests(run, cells)
        return cls(run, names or {}, tuple(cells), measures, tuple(changes), tuple(met), family_level(len(cells)))

    @property
    def cooperative(self) -> bool:
        """The table wins or loses together."""
        return bool(self.run.game.cooperative)

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """By cell id."""
        return {cell.id: self._verdict(cell) for cell in self.cells}

    def _verdict(self, cell: Cell) -> Verdict:
        """One cell's verdict."""
        wanted, measures = self.run.experiment.verdicts, self.measures[cell.id]
        if self.cooperative:
            low, high = wanted.win_rate
            return rate_verdict(measures.per_deal["table", "won"], (float(low), float(high)), self.level)
        seats = list(measures.of("seat").values())
        return seat_verdict(seats, self.fair(cell), float(wanted.seat_band), self.level)

    def fair(self, cell: Cell) -> float:
        """A seat's fair share of the win."""
        unfinished = self.measures[cell.id].per_deal["cause", UNFINISHED].mean
        return fair_share(1 - unfinished, cell.info.seats)

    @cached_property
    def groups(self) -> dict[tuple[int, str], list[Cell]]:
        """Cells that differ in their line-up only, by players and setting."""
        found: dict[tuple[int, str], list[Cell]] = {}
        for cell in self.cells:
            found.setdefault((cell.info.players, cell.setting_name), []).append(cell)
        return found

    @cached_property
    def headlines(self) -> tuple[Cell, ...]:
        """The line-up that speaks for its group: the strongest, or the first where strategies never met."""
        return tuple(max(group, key=self._strength) for group in self.groups.values())

    @property
    def headline_name(self) -> str:
        """What the headlines' line-ups are among those of their groups."""
        return "the strongest line-up" if self.are_compared else "the line-up named first"

    @property
    def are_compared(self) -> bool:
        """Whether line-ups can be told strong from weak: the table's win rate does, and strategies that met."""
        return self.cooperative or bool(self.contests)

    def _strength(self, cell: Cell) -> float:
        """How strong a line-up's strategies are, on average; 0 where strategies never met."""
        if self.cooperative:
            return self.measures[cell.id].per_deal["table", "won"].mean
        strengths = self.strengths(cell.info.players, cell.setting_name)
        return sum(strengths.get(label, 0.0) for label in cell.labels) / len(cell.labels)

    def strengths(self, players: int, setting_name: str) -> dict[str, float]:
        """Each label's mean lead over those it met [win share per seat]."""
        leads: dict[str, list[float]] = {}
        for contest in self.decisive(players, setting_name):
            lead = contest.difference.estimate.value
            leads.setdefault(contest.label, []).append(lead)
            leads.setdefault(contest.other, []).append(-lead)
        return {label: sum(values) / len(values) for label, values in leads.items()}

    def decisive(self, players: int, setting_name: str) -> list[Contest]:
        """One contest for each pair: the mean over line-ups where there are several."""
        last: dict[tuple[str, str], Contest] = {}
        for contest in self.contests:
            if (contest.players, contest.setting_name) == (players, setting_name):
                last[contest.label, contest.other] = contest
        return list(last.values())

    def ladder(self, players: int, setting_name: str) -> tuple[str | None, list[tuple[str, str, str]]]:
        """The label that beats every other, if there is one, and the cycles of three."""
        met = self.decisive(players, setting_name)
        if not met:
            return None, []
        rows = [{"label": c.label, "other": c.other} | c.difference.row() for c in met]
        pairs = pd.DataFrame(rows)
        return comparisons.top(pairs), comparisons.cycles(pairs)

    def changes_of(self, cell: Cell) -> list[Change]:
        """What this cell's setting changes."""
        return [change for change in self.changes if change.cell is cell]

    @property
    def varied(self) -> set[str]:
        """The rules and parameters in which cells differ."""
        return {key for cell in self.cells for key, _ in cell.setting}

    def rules_of(self, cell: Cell) -> Any:
        """The game's rules in a cell."""
        game = self.run.game
        return game.rules(**game.components.values_with(cell.info.rules))

    def kin_of(self, cell: Cell) -> list[Cell]:
        """The same line-up under other settings."""
        return [other for other in self.cells if other.kin == cell.kin and other is not cell]


def players_of(cells: Sequence[Cell]) -> list[int]:
    """The player counts, in order."""
    return list(dict.fromkeys(cell.info.players for cell in cells))
