"""Publishes what was played, chunk after chunk, and keeps account of it: of a run only sums are held in memory."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from simkit.running import manifest
from simkit.running.holdings import Holding
from simkit.running.worker import Played, draft_path, flush


class Ledger:
    """The account of one run folder while it is played into.

    Parameters
    ----------
    folder
        The run's.
    datasets
        Its folders of part files, `games` last.
    holdings
        What is held at the start, by cell.

    Attributes
    ----------
    drafts : Path
        Where this session's files lie until they are published: workers of another session that are still alive know
        another folder.
    n_published : int
        Chunks published in this session.
    """

    def __init__(self, folder: Path, datasets: Sequence[str], holdings: Mapping[str, Holding]) -> None:
        self._folder, self._datasets = folder, tuple(datasets)
        self._holdings = dict(holdings)
        self.drafts = folder.resolve() / manifest.WRITING / secrets.token_hex(4)
        self.n_published = 0

    def holding(self, cell: str) -> Holding:
        """What is held of a cell."""
        return self._holdings.setdefault(cell, Holding())

    def publish(self, played: Played) -> None:
        """Give a chunk's files their names, those of `games` last; chunks of a rotation come in order.

        Names reach the disk before the one that makes the chunk count.
        """
        stamp = played.stamp
        for dataset, part in played.parts.items():
            draft = draft_path(self.drafts, dataset, stamp)
            draft.write_bytes(part)
            flush(draft)
        for dataset in self._datasets:
            if dataset == "games":
                self._flush_names()
            draft_path(self.drafts, dataset, stamp).replace(self._folder / dataset / stamp.name)
        self.holding(stamp.cell).of(stamp.rotation).add(stamp)
        self.n_published += 1

    def _flush_names(self) -> None:
        """Let the names of all parts but those of `games` reach the disk."""
        for dataset in self._datasets[:-1]:
            flush(self._folder / dataset)
