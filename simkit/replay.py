"""Plays one game of a run again, alone and at once, and holds it to the rows that the run has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simkit.errors import UserError
from simkit.names import printable, shown
from simkit.plan import Cell, make_plan
from simkit.replaying.blocks import Block, block_of, blocks
from simkit.replaying.course import Course, plain_row, play_course
from simkit.replaying.where import Condition, parse, seats_needed
from simkit.results import games_columns, seats_columns
from simkit.running.parts import Array
from simkit.running.rundescription import differences
from simkit.running.worker import setting_of
from simkit.store import CellInfo, Run


@dataclass(frozen=True)
class Place:
    """Where a game lies in its run."""

    cell: CellInfo
    rotation: int
    deal: int

    def __str__(self) -> str:
        """In words."""
        return f"cell {self.cell.id}, rotation {self.rotation}, deal {self.deal}"


def replay(run: Run, place: Place) -> Course:
    """Play one game of a run again.

    Parameters
    ----------
    run
        A finished run, which may have been moved; its experiment's file is not needed.
    place
        Which game.

    Raises
    ------
    UserError
        If the game, the rules or a strategy is not what the run was played with (the message names what has changed),
        or if the game does not come to the rows that the run holds.
    """
    cell = _planned(run, place.cell)
    setting = setting_of(run.manifest["game"], run.base, cell)
    strategies = [setting.strategies[(seat + place.rotation) % cell.seats] for seat in range(cell.seats)]
    labels = [entry.label for entry in cell.seating(place.rotation)]
    course = play_course(setting.game, setting.rules, strategies, labels, run.experiment.seed, place.deal)
    _check_rows(run, place, course)
    return course


# ----------------------------------------------------------------------------------------------------- finding a game


def find_cell(run: Run, wanted: str | None) -> CellInfo:
    """The cell whose id begins like that; the first one if none is asked for."""
    found = [cell for cell in run.cells if cell.id.startswith(wanted or "")]
    if wanted is not None and len(found) != 1:
        known = ", ".join(cell.id for cell in (found or run.cells)[:20])
        problem = f"the begin of one cell's id; found `{printable(wanted)}`, which fits {len(found)}"
        raise UserError(f"`--cell` must be {problem}. {'They are' if found else 'Cells'}: {known}")
    return found[0]


def find_place(run: Run, cell: str | None = None, rotation: int = 0, deal: int = 0) -> Place:
    """A game that was played, by its keys.

    Raises
    ------
    UserError
        If there is no such game in the run.
    """
    info = find_cell(run, cell)
    for name, value, n in (("rotation", rotation, info.rotations), ("deal", deal, info.n_deals)):
        if not 0 <= value < n:
            raise UserError(f"cell {info.id}: the {name} must be 0 to {n - 1:,}, as played; found {shown(value)}")
    return Place(info, rotation, deal)


def condition_of(run: Run, text: str) -> Condition:
    """A condition on the columns of a run: see `simkit.replaying.where`."""
    return parse(text, run.game, run.labels)


def matches(
    run: Run, condition: Condition, cell: str | None = None, rotation: int | None = None
) -> Iterator[tuple[Block, Array]]:
    """The games for which a condition holds, by cell, rotation and deal.

    Parameters
    ----------
    run, condition
        Cells with fewer seats than the condition speaks of are passed over.
    cell, rotation
        Only these; all if left out.

    Yields
    ------
    block
        Games that lie together; one after the other is read, so that a run may be larger than memory.
    found : intp (k,)
        Which of them match.
    """
    cells = run.cells if cell is None else [find_cell(run, cell)]
    seats, most = seats_needed(condition), max(info.seats for info in cells)
    if seats > most:
        raise UserError(f"`--where`: a seat must be 1 to {most}, as in this run's games; found {seats}")
    if rotation is not None and not 0 <= rotation < (n := max(info.rotations for info in cells)):
        raise UserError(f"the rotation must be 0 to {n - 1}, as played; found {rotation}")
    for info in (info for info in cells if info.seats >= seats):
        for block in blocks(run, info, rotation):
            yield block, condition.mask(block.column).nonzero()[0]


def first_match(run: Run, text: str, cell: str | None = None, rotation: int | None = None) -> Place:
    """The first game for which a condition holds.

    Raises
    ------
    UserError
        If there is none.
    """
    for block, found in matches(run, condition_of(run, text), cell, rotation):
        if len(found):
            return Place(block.cell, block.rotation, block.first_deal + int(found[0]))
    raise UserError(f"`--where` must hold for a game of {printable(str(run.path))}; found none with {printable(text)}")


# ----------------------------------------------------------------------------------------------- the same as in the run


def _planned(run: Run, info: CellInfo) -> Cell:
    """The cell as it would be played now; refused if that is not what was played."""
    found, refusals = list[Cell](), list[UserError]()
    for folder in (run.base / "experiments", run.base):  # strategies' files are named from the experiment's folder
        try:
            cells = make_plan(run.experiment, folder / f"{run.experiment.name}.toml").cells
        except UserError as error:
            refusals.append(error)
            continue
        found += [cell for cell in cells if cell.id == info.id]
        if found and found[-1].digest == _entry(run, info)["digest"]:
            return found[-1]
    if found:
        problem = f"changed since: {', '.join(_changes(run, info, found[-1]))}"
    else:
        is_unknown = len(refusals) < 2
        problem = f"cell {info.id} is none of the run's newest experiment" if is_unknown else str(refusals[0])
    raise UserError(
        f"a replay needs all that the run was played with; {printable(str(run.path))}: {problem}; "
        "put it back as it was, or play the run again with `--fresh`"
    )


def _entry(run: Run, info: CellInfo) -> Mapping[str, Any]:
    """What the manifest says of a cell."""
    return run.manifest["cells"][info.id]


def _changes(run: Run, info: CellInfo, now: Cell) -> list[str]:
    """What the cell's digest is made of and is not as it was."""
    files = [file for file, text in run.manifest["source_texts"].items() if _text(file) != text]
    return [*differences(now, _entry(run, info)), *files]


def _text(file: str) -> str | None:
    """A source file as it is now."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _check_rows(run: Run, place: Place, course: Course) -> None:
    """Refuse a game that is not the run's."""
    block = block_of(run, place.cell, place.rotation, place.deal)
    at, game = place.deal - block.first_deal, course.game
    games = {column.name: block.column("games", column.name) for column in games_columns(game)}
    seats = {column.name: block.column("seats", column.name) for column in seats_columns(game)}
    held = [plain_row(games_columns(game), games, (at,))]
    held += [plain_row(seats_columns(game), seats, (seat, at)) for seat in range(len(course.seats))]
    for then, now in zip(held, (course.games, *course.seats), strict=True):
        for name, value in then.items():
            if now[name] != value:
                raise UserError(
                    f"a game played again must come to the rows that the run holds; {place}: found {name} {now[name]}, "
                    f"the run holds {value}. The game's code has changed without a new rules version, or a strategy "
                    "looks at other games of its batch; mend it, and play the run again with `--fresh`"
                )
