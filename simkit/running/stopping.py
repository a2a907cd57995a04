"""Stops cells that are precise enough: what `[stop]` asks for, applied to what has been published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simkit.plan import Plan
from simkit.stats.frequencies import PerDeal
from simkit.stats.intervals import Estimate
from simkit.stats.sequential import PRECISE, half_width, is_precise, looks, widest
from simkit.stats.shares import seat_shares, table_rate
from simkit.store import published_parts, read_column, read_part


@dataclass(frozen=True)
class Look:
    """The look at which a cell was left alone."""

    n_deals: int
    estimate: Estimate
    is_precise: bool

    def told(self) -> dict[str, Any]:
        """For the manifest."""
        why = PRECISE if self.is_precise else "all games played"
        return {"look": self.n_deals, "half_width": half_width(self.estimate), "why": why}


class Stopping:
    """Looks at cells.

    Parameters
    ----------
    plan, folder
        What is played, and where it is published.
    cooperative
        Whether the table wins together.

    Attributes
    ----------
    looks : dict of Look
        The last look at each cell that has had enough, by its number in the plan.
    """

    def __init__(self, plan: Plan, folder: Path, cooperative: bool) -> None:
        self._plan, self._folder, self._cooperative = plan, folder, cooperative
        self.looks: dict[int, Look] = {}

    def first_look(self, number: int) -> int:
        """Deals before the first look at a cell."""
        return next(looks(self._plan.cells[number].n_deals))

    def next_look(self, number: int, n_deals: int) -> int:
        """The look after so many deals; not past the ceiling."""
        return next(look for look in looks(self._plan.cells[number].n_deals) if look > n_deals)

    def is_enough(self, number: int, n_held: int) -> bool:
        """Whether some look at the deals held finds a cell precise enough, or it has all that were asked for."""
        stop, ceiling = self._plan.experiment.stop, self._plan.cells[number].n_deals
        shares = self._shares(number, n_held)
        for n_deals in (n for n in looks(ceiling) if n <= n_held):
            estimate = widest(shares, n_deals)
            precise = stop is None or is_precise(estimate, stop.precision)
            if precise or n_deals == ceiling:
                self.looks[number] = Look(n_deals, estimate, precise)
                return True
        return False

    def _shares(self, number: int, n_held: int) -> Sequence[PerDeal]:
        """Every seat's share of the win by deal, or the table's."""
        cell, (table, name) = self._plan.cells[number], ("games", "won") if self._cooperative else ("seats", "win")
        parts = published_parts(self._folder, table, cell.id)
        seats = () if self._cooperative else (cell.seats,)
        column = read_column(
            self._folder,
            parts,
            (cell.rotations, *seats, n_held),
            lambda part: read_part(self._folder, part, [name], cell.digest),
        )
        return [table_rate(column)] if self._cooperative else seat_shares(column)
