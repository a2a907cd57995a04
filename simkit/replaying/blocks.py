"""The rows of a run piece by piece: for looking through millions of games, or at one of them, without reading all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from simkit.errors import UserError
from simkit.names import printable
from simkit.running.parts import Array
from simkit.store import CellInfo, Run, TableName, column_of


@dataclass(frozen=True)
class Block:
    """Deals of one rotation of a cell that lie in one part file; columns are read when they are asked for."""

    run: Run
    cell: CellInfo
    rotation: int
    first_deal: int
    part: str

    def column(self, table: TableName, name: str) -> Array:
        """A column in deal order, enums as codes: (n,) of `games`, (seats, n) of `seats`.

        A strategy's label is a number in the order of the run's labels.
        """
        if name == "label":
            return self._labels()
        lines = () if table == "games" else (self.cell.seats,)
        return column_of(self._read(table, name), lines)

    def _read(self, table: TableName, name: str) -> pa.Table:
        """A column of the part file."""
        return self.run.read(f"{table}/{self.part}", [name])

    @cached_property
    def n_deals(self) -> int:
        """Deals in this block."""
        return len(self.column("games", "deal"))

    def _labels(self) -> Array:
        """Who sits where; the same in every deal."""
        labels, seats = self.run.labels, range(self.cell.seats)
        seated = [labels.index(self.cell.labels[(seat + self.rotation) % self.cell.seats]) for seat in seats]
        return np.broadcast_to(np.array(seated)[:, None], (len(seated), self.n_deals))


def blocks(run: Run, cell: CellInfo, rotation: int | None = None) -> Iterator[Block]:
    """A cell's blocks by rotation and deal, of all rotations or of one; nothing is read yet."""
    for file, of_rotation, first in run.parts("games", cell.id):
        if rotation in (None, of_rotation):
            yield Block(run, cell, of_rotation, first, file.removeprefix("games/"))


def block_of(run: Run, cell: CellInfo, rotation: int, deal: int) -> Block:
    """The block that holds a deal that was played."""
    found = [block for block in blocks(run, cell, rotation) if block.first_deal <= deal]
    if not found or deal >= found[-1].first_deal + found[-1].n_deals:
        raise UserError(
            f"a run must be whole; {printable(str(run.path))} is damaged: deal {deal} of {cell.id} is missing"
        )
    return found[-1]
