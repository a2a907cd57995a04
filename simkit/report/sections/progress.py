"""How far do seats come, round by round?"""

from __future__ import annotations

from collections.abc import Sequence

from simkit.figures.progress import progress as draw
from simkit.report import tables
from simkit.report.blocks import Part, Picture, Section, Table
from simkit.report.sections.shown import cell_name, drawn_cells, estimates_of, keys_of, strongest, table_of
from simkit.report.study import Study
from simkit.report.words import SPACE, Unit, capital, seat_name, whole
from simkit.stats.intervals import FEW_OFF


def progress(
    tally: str, of: str, heading: str, xlabel: str, ylabel: str, by: Sequence[str] = ("round", "seat")
) -> Section:
    """The mean of a tally's key, along another one.

    Parameters
    ----------
    tally, of
        The tally's name, and the key whose mean is taken.
    heading, xlabel, ylabel
        Of the section and its figure.
    by
        The key on the horizontal axis, counted from 1 here, and the one that makes the lines: the seat.
    """

    def section(study: Study) -> Part:
        table = tables.progress_table(study, tally, by, of)
        along, seat = by
        table[along] = table[along].astype(int) + 1
        table[seat] = [seat_name(int(number)) for number in table[seat]]
        names = {cell.id: cell_name(cell) for cell in drawn_cells(study)}
        frame = table.assign(panel=table["cell"].map(names), series=table[seat], x=table[along])
        frame = frame[frame["panel"].notna() & ~frame["few_cases"] & (frame["n"] >= FEW_OFF)]
        caption = (
            f"{capital(ylabel)} by {along} and seat{strongest(study)}; the shades are 95{SPACE}% intervals. Points "
            f"that rest on fewer than {FEW_OFF} cases are left out."
        )
        alt = f"{caption} The numbers are in the table below."
        pictures = [] if frame.empty else [Picture(draw(frame, xlabel, ylabel), caption, alt)]
        shown = keys_of(table) | {along: table[along].astype(str), seat: table[seat]}
        shown |= estimates_of(table, "mean", Unit(1, "")) | {"n": table["n"].map(whole)}
        (meaning,) = (declared.meaning for declared in study.run.game.tallies if declared.name == tally)
        caption = f"{capital(meaning)}. Intervals from the spread of 64 groups of deals."
        found = table_of(tally, caption, shown, table)
        return Part(heading, [*pictures, Table(tally, caption, found.shown, table, folded=True)])

    return section
