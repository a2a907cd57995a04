"""What happens where, and when: tallied events per tallied occasion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from simkit.figures.progress import progress as lines
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Section
from simkit.report.cells import Cell
from simkit.report.measures import most_turns
from simkit.report.pooled import counts_of, declared_values, in_own_order
from simkit.report.sections.shown import (
    HALF,
    by_measure,
    cell_name,
    drawn_cells,
    estimates_of,
    keys_of,
    strongest,
    table_of,
    wide_texts,
)
from simkit.report.study import Study
from simkit.report.words import SPACE, Unit, whole
from simkit.stats.grouped import GROUPS, deals_in_groups
from simkit.stats.intervals import FEW_OFF
from simkit.stats.rates import rates

MOST_CELLS = 4
"""That are shown whatever their line-ups."""


@dataclass(frozen=True)
class Happenings:
    """Two tallies: what happened, and how often it might have.

    Parameters
    ----------
    events, of
        The tally of events and its key that names them.
    occasions, occasion
        The tally of occasions, and what one is called.
    place, along
        The keys that both have: where, and when (counted from 0).
    most
        Events of one kind that an occasion may have.
    """

    events: str
    of: str
    occasions: str
    occasion: str
    place: str
    along: str
    most: int


def happenings(what: Happenings, heading: str, drawn: Sequence[str]) -> Section:
    """Events per occasion, by place and time.

    Parameters
    ----------
    what
    heading
    drawn
        The events that the figure shows.
    """

    def section(study: Study) -> Part:
        cells = _told(study)
        counted = [(cell, *_counts(study, cell, what)) for cell in cells]
        told = pd.concat([_by_place(study, *one, what) for one in counted], ignore_index=True)
        when = pd.concat([_over_time(*one, what) for one in counted], ignore_index=True)
        blocks: list[Block] = [
            _picture(study, when, what, drawn),
            _overall(study, told, what),
            _long(study, when, what),
        ]
        return Part(heading, blocks)

    return section


def _told(study: Study) -> list[Cell]:
    """All cells, if they are few; else the strongest line-ups."""
    return list(study.cells) if len(study.cells) <= MOST_CELLS else drawn_cells(study)


def _note(study: Study) -> str:
    """What captions say where not all line-ups are shown."""
    return "" if len(study.cells) <= MOST_CELLS else strongest(study)


def _counts(study: Study, cell: Cell, what: Happenings) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Events and occasions of a cell."""
    return counts_of(study, what.events, [cell]), counts_of(study, what.occasions, [cell])


def _by_place(
    study: Study, cell: Cell, events: pd.DataFrame, occasions: pd.DataFrame, what: Happenings
) -> pd.DataFrame:
    """By place, all times together: occasions per game, events per occasion there and per game."""
    n_deals, by = cell.info.n_deals, [what.place, what.of]
    games = pd.DataFrame({"group": range(GROUPS), "count": deals_in_groups(n_deals) * cell.info.rotations})
    often = rates(occasions, games, [what.place], n_deals, (0, most_turns(study.run, cell))).assign(
        **{what.of: f"{what.occasion}s"}, per="game"
    )
    each = rates(events, occasions, by, n_deals, (0, what.most)).assign(per=what.occasion)
    most = what.most * most_turns(study.run, cell)
    game = rates(events, games, by, n_deals, (0, most)).assign(per="game")
    return pd.concat([often, each, game], ignore_index=True).assign(**tables.keys(cell))


def _over_time(cell: Cell, events: pd.DataFrame, occasions: pd.DataFrame, what: Happenings) -> pd.DataFrame:
    """By place and time: events per occasion there, and per occasion anywhere at that time."""
    anywhere = occasions.drop(columns=what.place)
    by, most = [what.along, what.place, what.of], (0, what.most)
    here = rates(events, occasions, by, cell.info.n_deals, most).assign(per=f"{what.occasion} there")
    every = rates(events, anywhere, by, cell.info.n_deals, most).assign(per=f"{what.occasion} anywhere")
    found = pd.concat([here, every], ignore_index=True).assign(**tables.keys(cell))
    return found.assign(**{what.along: found[what.along].astype(int) + 1})


def _picture(study: Study, when: pd.DataFrame, what: Happenings, drawn: Sequence[str]) -> Picture:
    """A panel for each cell and event, a line for each place."""
    names = {cell.id: cell_name(cell) for cell in study.cells}
    shown = when[when["per"].str.endswith("there") & when[what.of].isin(drawn)]
    shown = shown[~shown["few_cases"] & (shown["n"] >= FEW_OFF)]
    several = shown["line_up"].nunique() > 1
    if several and shown["players"].nunique() == 1:
        names = {cell.id: cell.setting_name for cell in study.cells}
    parts = zip(shown["cell"], shown["line_up"], shown[what.of], strict=True)
    wheres = [(", ".join(filter(None, (names[cell], line_up * several))), event) for cell, line_up, event in parts]
    panels = [": ".join(filter(None, where)) for where in wheres]
    frame = shown.assign(panel=panels, series=shown[what.place].astype(str), x=shown[what.along])
    frame = in_own_order(
        in_own_order(frame, "series", declared_values(study, what.occasions, what.place)), what.of, drawn
    )
    frame = in_own_order(frame, "cell", [cell.id for cell in study.cells])
    caption = (
        f"Events per {what.occasion} by {what.along} and {what.place}{_note(study)}; the shades are 95{SPACE}% "
        f"intervals. Points that rest on fewer than {FEW_OFF} cases are left out."
    )
    figure = lines(frame, what.along, f"per {what.occasion} there")
    return Picture(figure, caption, f"{caption} The numbers are in the tables below.")


def _overall(study: Study, told: pd.DataFrame, what: Happenings) -> Any:
    """A row per place, a column per event."""
    each = told[(told["per"] == what.occasion) | (told[what.of] == f"{what.occasion}s")]
    first = each.drop_duplicates(["cell", what.place])
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    shown[what.place] = list(first[what.place].astype(str))
    for name, part in by_measure(each, ["cell", what.place], what.of):
        heading = f"{name} per game" if name == f"{what.occasion}s" else f"{name} per {what.occasion}"
        shown[heading] = wide_texts(part)
    caption = (
        f"By {what.place}, the whole game{_note(study)}: how many {what.occasion}s it sees, and what an "
        f"{what.occasion} there does; {HALF}, by the spread of 64 groups of deals."
    )
    return table_of(
        f"{what.events}_by_{what.place}", caption, shown | {"games": list(first["n_games"].map(whole))}, told
    )


def _long(study: Study, when: pd.DataFrame, what: Happenings) -> Any:
    """Every round."""
    shown = keys_of(when) | {what.along: when[what.along].astype(str), what.place: when[what.place].astype(str)}
    shown |= {"event": when[what.of].astype(str), "per": when["per"]} | estimates_of(when, "events", Unit(1, ""))
    caption = (
        f"Events by {what.along} and {what.place}, per {what.occasion} there and per {what.occasion} anywhere (how "
        f"dangerous, and how often it comes to it){_note(study)}. Intervals from the spread of 64 groups of deals."
    )
    return table_of(what.events, caption, shown | {f"{what.occasion}s": when["n"].map(whole)}, when, folded=True)
