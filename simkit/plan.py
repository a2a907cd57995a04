"""What an experiment asks for: its cells, and chunks of their deals for parallel work."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simkit import catalog
from simkit.errors import UserError
from simkit.experiment import MAX_GAMES, Experiment, StrategySpec, refusal
from simkit.names import printable
from simkit.planning.layout import Cell, Entry, Layout, relative
from simkit.planning.settings import with_wrapped

__all__ = ["Cell", "Chunk", "Entry", "Plan", "Span", "base_of", "make_chunks", "make_plan", "named_from"]

MAX_CHUNK, MIN_CHUNK = 1 << 18, 1 << 16
"""Deals in a chunk, unless told otherwise: an eighth of the work, within these bounds."""


@dataclass(frozen=True, slots=True)
class Span:
    """Deals `first_deal` .. `end` - 1 of one rotation of the plan's cell number `cell`, to be played."""

    cell: int
    rotation: int
    first_deal: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A unit of parallel work: some deals of one rotation of the plan's cell number `cell`."""

    cell: int
    rotation: int
    first_deal: int
    n_deals: int


@dataclass(frozen=True)
class Plan:
    """All that an experiment asks for.

    Attributes
    ----------
    path
        The experiment's file.
    base
        The user's folder: names are looked up in its `games/`, `strategies/` and `reports/`.
    chunk_deals
        Deals in a chunk; chosen by the amount of work if None.
    games_total
        Games in all cells and rotations.
    sources
        Where names come from that are not the library's: "strategy mine" -> path.
    """

    experiment: Experiment
    path: Path | None
    base: Path
    game_id: str
    cells: tuple[Cell, ...]
    chunk_deals: int | None
    games_total: int
    sources: dict[str, str]

    def spans(self) -> list[Span]:
        """All that there is to play: cell by cell, rotation by rotation."""
        return [
            Span(number, rotation, 0, cell.n_deals)
            for number, cell in enumerate(self.cells)
            for rotation in range(cell.rotations)
        ]


def make_plan(experiment: Experiment, path: Path | None = None, chunk_deals: int | None = None) -> Plan:
    """Lay out an experiment; nothing is played.

    Parameters
    ----------
    experiment
        As it was read.
    path
        Its file.
    chunk_deals
        Deals in a chunk. Results do not depend on it.

    Raises
    ------
    UserError
        If the game, a rule, a player count, a strategy or a parameter cannot be played as asked.
    """
    layout = Layout(experiment, path, base_of(path))
    cells = layout.cells()
    games_total = sum(cell.n_deals * cell.rotations for cell in cells)
    if games_total > MAX_GAMES:
        raise refusal(path, "games", f"all cells together must have at most {MAX_GAMES:,} games; found {games_total:,}")
    return Plan(experiment, path, layout.base, layout.game.id, cells, chunk_deals, games_total, layout.sources())


def chunk_size(spans: Sequence[Span], chunk_deals: int | None = None) -> int:
    """Deals in a chunk: as told, or an eighth of the work within bounds."""
    work = sum(span.end - span.first_deal for span in spans)
    return chunk_deals or max(MIN_CHUNK, min(MAX_CHUNK, math.ceil(work / 8 / MIN_CHUNK) * MIN_CHUNK))


def count_chunks(spans: Sequence[Span], chunk_deals: int | None = None) -> int:
    """How many chunks spans are cut into."""
    size = chunk_size(spans, chunk_deals)
    return sum(-(-(span.end - span.first_deal) // size) for span in spans)


def make_chunks(spans: Sequence[Span], chunk_deals: int | None = None) -> Iterator[Chunk]:
    """Cut spans into chunks, in their order.

    Parameters
    ----------
    spans
        What is to be played.
    chunk_deals
        Deals in a chunk; chosen by the amount of work if left out.
    """
    size = chunk_size(spans, chunk_deals)
    for span in spans:
        for deal in range(span.first_deal, span.end, size):
            yield Chunk(span.cell, span.rotation, deal, min(size, span.end - deal))


def base_of(path: Path | None) -> Path:
    """The user's folder for an experiment file: above `experiments/`, or else the file's own folder."""
    if path is None:
        return Path.cwd()
    folder = path.resolve().parent
    return folder.parent if folder.name == "experiments" else folder


def named_from(experiment: Experiment, file: Path, path: Path | None = None) -> Experiment:
    """The experiment, its strategies taken from a file wherever the file has one of that name.

    Parameters
    ----------
    file
        With strategies.
    path
        The experiment's file, if the strategies are to be named relative to it: a run can then be moved with them.
    """
    names = {entry.name for entry in catalog.listed_in(file.resolve())}
    _check_named(experiment, file, names)
    known = {spec.default_label for spec in experiment.strategies}
    place = file.resolve() if path is None else relative(file.resolve(), path.resolve().parent)

    def renamed(spec: StrategySpec) -> StrategySpec:
        own = {"name": f"{place}:{spec.name}"} if catalog.spelled(spec.name) in names else {}
        return spec.model_copy(update={**own, "of": tuple(map(renamed, spec.of))})

    changes: dict[str, Any] = {"strategies": tuple(map(renamed, experiment.strategies))}
    if not isinstance(experiment.line_ups, str):
        changes["line_ups"] = tuple(
            tuple(seat if seat.is_label(known) else renamed(seat) for seat in line_up)
            for line_up in experiment.line_ups
        )
    return experiment.model_copy(update=changes)


def _check_named(experiment: Experiment, file: Path, names: Collection[str]) -> None:
    """Refuse a file with strategies none of which takes part."""
    listed = () if isinstance(experiment.line_ups, str) else experiment.line_ups
    specs = itertools.chain(experiment.strategies, *listed)
    asked = {inner.name for spec in specs for inner in with_wrapped(spec)}
    if not any(catalog.spelled(name) in names for name in asked):
        raise UserError(
            f"`--strategies` must be a file with strategies that take part; {printable(str(file))} has "
            f"{', '.join(sorted(names)) or 'none'}, and those that take part are {printable(', '.join(sorted(asked)))}"
        )
