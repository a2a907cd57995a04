"""Why do tables lose: a cooperative game's causes of loss, cell by cell, and the answer in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from simkit.figures.stacks import stacks
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Section
from simkit.report.cells import Cell
from simkit.report.fates import WON, Fates, causes_of, fate_name, fates
from simkit.report.sections.shown import HALF, MOST_ROWS, chosen, few_cells, keys_of, row_names, table_of, wide_texts
from simkit.report.study import Study, players_of
from simkit.report.words import PERCENT, POINTS, SPACE, capital, listed, told, whole
from simkit.stats.among import share_among
from simkit.stats.comparisons import paired
from simkit.stats.frequencies import share_of_rotations
from simkit.stats.intervals import Estimate, share

LEAST_TOLD = 0.1
"""Of the losses by a cause, that sentences name what was under way."""


@dataclass(frozen=True)
class Mark:
    """Lost games of a kind, counted among all that were lost.

    Parameters
    ----------
    name
        In a sentence, after "were".
    columns
        Of `games`.
    holds
        (those columns) -> which games are of the kind.
    short
        In a heading; the name if left out.
    """

    name: str
    columns: Sequence[str]
    holds: Callable[..., Any]
    short: str = ""


@dataclass(frozen=True)
class Losses:
    """How a game's losses are told.

    Parameters
    ----------
    by
        The rule whose values the answer compares: `rules.NAME`.
    against
        What comes before such a value in a sentence.
    marks
        Kinds of losses.
    trigger
        An enum column of `games` that says what was under way when the game ended; optional.
    words
        Of the trigger's values, in a sentence.
    """

    by: str
    against: str = "with"
    marks: Sequence[Mark] = ()
    trigger: str = ""
    words: Mapping[str, str] = field(default_factory=dict)


def losses(what: Losses, heading: str) -> Section:
    """Shares of games won and lost by each cause, kinds of losses, and why."""

    def section(study: Study) -> Part | None:
        if not study.cooperative:
            return None
        cells = few_cells(study, MOST_ROWS)
        table = pd.DataFrame([row for cell in study.cells for row in _rows(study, cell, what)])
        blocks: list[Block] = [_picture(study, cells), _wide(study, table, cells)]
        return Part(heading, blocks, answer=answer(study, what))

    return section


# --------------------------------------------------------------------------------------------------- figure and table


def _rows(study: Study, cell: Cell, what: Losses) -> Iterator[dict[str, Any]]:
    """A row per fate, among all games, and per kind of loss, among the lost ones."""
    found = fates(study, cell)
    for fate, games in ({WON: found.won} | found.lost).items():
        of_all = share(share_of_rotations(games).frequencies())
        yield tables.keys(cell) | {"measure": fate_name(fate), "of": "all games"} | of_all.row()
    for mark in what.marks:
        yield (
            tables.keys(cell)
            | {"measure": mark.short or mark.name, "of": "lost games"}
            | _marked(study, cell, found, mark).row()
        )


def _marked(study: Study, cell: Cell, found: Fates, mark: Mark) -> Estimate:
    """A kind of loss among all losses."""
    values = [study.run.column("games", column, cell.id) for column in mark.columns]
    return share_among(np.asarray(mark.holds(*values), bool), ~found.won)


def _picture(study: Study, cells: Sequence[Cell]) -> Picture:
    """A stacked bar for each cell; the whiskers are intervals of where parts end."""
    parts = [WON, *causes_of(study, cells)]
    rows, edges = [], []
    names = row_names(cells)
    for cell in cells:
        every, so_far = fates(study, cell).every, None
        where = {"panel": cell.players_name, "row": names[cell.id]}
        for fate in parts:
            games = every.get(fate, np.zeros_like(every[WON]))
            so_far = games if so_far is None else so_far | games
            rows.append(where | {"part": fate_name(fate), "value": float(games.mean())})
            if fate != parts[-1]:
                edges.append(where | share(share_of_rotations(so_far).frequencies()).row())
    caption = (
        f"How games end: won, or lost by which cause{chosen(study, cells)}. Whiskers are 95{SPACE}% intervals of "
        "where a part ends; they may be too narrow to see."
    )
    figure = stacks(pd.DataFrame(rows), None, "share of games [%]", pd.DataFrame(edges), percent=True)
    return Picture(figure, caption, f"{caption} The numbers are in the table below.")


def _wide(study: Study, table: pd.DataFrame, cells: Sequence[Cell]) -> Any:
    """A row per cell, a column per fate that occurs and per kind of loss."""
    told_causes = {fate_name(fate) for fate in (WON, *causes_of(study, study.cells))}
    first = table.drop_duplicates("cell")
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    for (measure, of), mine in table.groupby(["measure", "of"], sort=False):
        if of == "lost games" or measure in told_causes:
            heading = f"{measure} [%]" if of == "all games" else f"of losses: {measure} [%]"
            shown[heading] = wide_texts(mine, PERCENT)
    caption = (
        f"Share of all games won and lost by each cause, and of the lost games those of some kinds: {HALF}. Causes "
        "that never occur are left out here and are in the file."
    )
    return table_of("losses", caption, shown | {"games": list(first["n_games"].map(whole))}, table)


# ---------------------------------------------------------------------------------------------------------- sentences


def answer(study: Study, what: Losses) -> list[str]:
    """Why tables lose, and how that changes with the rule in question; for runs that vary nothing else."""
    if study.varied - {what.by} or len({cell.labels for cell in study.cells}) > len({c.kin[0] for c in study.cells}):
        return []
    bases = [cell for cell in study.cells if cell.is_base]
    return [sentence for base in bases for sentence in _sentences(study, base, what)]


def _sentences(study: Study, base: Cell, what: Losses) -> Iterator[str]:
    """One player count: the base and its opposite, every other value, triggers and kinds."""
    others = study.kin_of(base)
    several = len(players_of(study.cells)) > 1
    names = {cell.id: _where(cell, what, several) for cell in (base, *others)}
    lead = f"{_where(base, what, has_players=True)} {_fate_words(study, base, 'tables')}"
    if others:
        farthest = max(others, key=lambda cell: abs(_rate(study, cell) - _rate(study, base)))
        lead += f"; {_where(farthest, what)} {_fate_words(study, farthest, 'they')}"
    yield f"{capital(lead)}."
    for other in others:
        yield f"{capital(names[other.id])} {_changed(study, base, other)}."
    for cell in (base, *others):
        yield from _triggers(study, cell, what, names[cell.id])
    for mark in what.marks:
        each = [
            f"{told(_marked(study, cell, fates(study, cell), mark), PERCENT)} {names[cell.id]}".strip()
            for cell in (base, *others)
        ]
        yield f"Of the games lost, so many were {mark.name}: {listed(each)}."


def _where(cell: Cell, what: Losses, has_players: bool = False) -> str:
    """The value of the rule in question; players too where that is all there is to say."""
    setting = f"{what.against} {cell.spoken}" if cell.spoken else ""
    return f"with {cell.players_name} {setting}".strip() if has_players or not setting else setting


def _rate(study: Study, cell: Cell) -> float:
    """How often the table wins."""
    return study.measures[cell.id].per_deal["table", "won"].mean


def _fate_words(study: Study, cell: Cell, who: str) -> str:
    """How often tables win and by what they lose."""
    every = fates(study, cell).every
    texts = {fate: told(share(share_of_rotations(games).frequencies()), PERCENT) for fate, games in every.items()}
    won = texts.pop(WON)
    lost = listed([f"{text} {_by(cause)}" for cause, text in texts.items()]) if texts else "none"
    return f"{who} win {won} of games and lose {lost}"


def _by(cause: str) -> str:
    """By a cause, in words."""
    return "unfinished" if cause == "unfinished" else f"by {cause}"


def _changed(study: Study, base: Cell, other: Cell) -> str:
    """The paired differences of every fate."""
    before, after = fates(study, base), fates(study, other)
    texts = [f"wins change by {_moved(before.won, after.won)}"]
    for cause, games in after.lost.items():
        if games.any() or before.lost[cause].any():
            texts.append(f"losses {_by(cause)} by {_moved(before.lost[cause], games)}")
    return f"{listed(texts)}, compared with {base.spoken} on the same deals"


def _moved(before: Any, after: Any) -> str:
    """One paired difference."""
    return told(paired(share_of_rotations(before), share_of_rotations(after)).estimate, POINTS)


def _triggers(study: Study, cell: Cell, what: Losses, where: str) -> Iterator[str]:
    """What was under way most often, cause by cause."""
    if not what.trigger:
        return
    (column,) = (c for c in study.run.game.columns if c.name == what.trigger)
    values = study.run.column("games", what.trigger, cell.id)
    clauses = []
    for cause, games in fates(study, cell).lost.items():
        if games.any() and cause != "unfinished":
            shares = [(label, share_among(values == code, games)) for code, label in enumerate(column.labels)]
            ranked = sorted(shares, key=lambda pair: -pair[1].value)
            often = [(told(e, PERCENT), what.words.get(n, f"of {n}")) for n, e in ranked if e.value >= LEAST_TOLD]
            most = [f"{text}{' come' if rank == 0 else ''} {words}" for rank, (text, words) in enumerate(often)]
            clauses.append(f"of the losses by {cause} {listed(most)}")
    if clauses:
        yield f"{capital(where)}, {'; '.join(clauses)}."
