"""`simkit replay RUN`: the course of one game, in the rulebook's words."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli.options import AsJson, RunFolder
from simkit.errors import UserError

if TYPE_CHECKING:
    from simkit.replay import Place
    from simkit.replaying.blocks import Block
    from simkit.replaying.course import Course
    from simkit.replaying.where import Condition, Field
    from simkit.store import Run

WHERE = (
    "The first game for which a condition holds, as in `n_turns > 40 and score[1] >= 3`. It compares columns of the "
    "run (`simkit games GAME` lists them; `rotation`, `deal` and `label` as well) with numbers, true, false or names "
    "by = != < <= > >=, joined by and, or, not and parentheses. A column of seats needs its seat in brackets: 1, who "
    "starts, to the last, or the word any. Names with blanks go in quotes."
)


def replay_command(
    run: RunFolder,
    deal: Annotated[int | None, typer.Argument(metavar="DEAL", help="Which deal; 0 if left out.")] = None,
    cell: Annotated[str | None, typer.Option(help="A cell's id or its begin; the first cell if left out.")] = None,
    rotation: Annotated[int | None, typer.Option(help="Which rotation of the line-up; 0 if left out.")] = None,
    where: Annotated[str | None, typer.Option(metavar="CONDITION", help=WHERE)] = None,
    listed: Annotated[
        int | None,
        typer.Option(
            "--list", metavar="N", min=0, help="With --where: count the games, list the first N, replay none."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play one game of a run again and tell its course, in the rulebook's words."""
    from simkit.replay import find_place, first_match, replay
    from simkit.store import Run

    if where is None and listed is not None:
        raise UserError("`--list` lists games by a condition; found no `--where`")
    if where is not None and deal is not None:
        raise UserError(f"a game is named by its deal or by `--where`; found both, deal {deal}: leave one out")
    opened = Run.open(run)
    if where is not None and listed is not None:
        _list(opened, where, cell, rotation, listed, as_json)
        return
    if where is not None:
        place = first_match(opened, where, cell, rotation)
    else:
        place = find_place(opened, cell, rotation or 0, deal or 0)
    course = replay(opened, place)
    if as_json:
        _show_json(_document(course, place))
    else:
        _tell(course, place)


def _tell(course: Course, place: Place) -> None:
    """The course for reading."""
    from simkit.replaying.telling import lines

    on_terminal = sys.stdout.isatty()
    for line in lines(course, f"cell {place.cell.id}, rotation {place.rotation}, ", place.cell.key["swept"]):
        typer.echo(typer.style(line, bold=True) if on_terminal and line[:1].strip() else line)


def _document(course: Course, place: Place) -> dict[str, Any]:
    """The course for programs; seats are counted from 0, as in tables."""
    from simkit.replaying.telling import changed_rules

    return {
        "game": course.game.id,
        "cell": place.cell.id,
        "key": place.cell.key,
        "rotation": place.rotation,
        "deal": course.deal,
        "seed": course.seed,
        "rules": changed_rules(course.game, course.rules),
        "seats": course.labels,
        "events": course.events,
        "result": {"games": course.games, "seats": course.seats},
    }


def _show_json(document: Any) -> None:
    """One JSON document."""
    from simkit.cli.tables import show_json

    show_json(_jsonable(document))


def _jsonable(value: Any) -> Any:
    """The same with text for every key.

    >>> _jsonable({(0, 2): (1, None)})
    {'0-2': [1, None]}
    """
    if isinstance(value, Mapping):
        return {"-".join(map(str, k)) if isinstance(k, tuple) else str(k): _jsonable(v) for k, v in value.items()}
    return [_jsonable(item) for item in value] if isinstance(value, list | tuple) else value


# ---------------------------------------------------------------------------------------------------------- listings


def _list(run: Run, where: str, cell: str | None, rotation: int | None, most: int, as_json: bool) -> None:
    """How many games match, and the first of them."""
    from simkit.cli.tables import show
    from simkit.replay import condition_of, matches

    condition, n_found, n_games = condition_of(run, where), 0, 0
    rows: list[dict[str, Any]] = []
    for block, found in matches(run, condition, cell, rotation):
        n_found, n_games = n_found + len(found), n_games + block.n_deals
        if len(rows) < most:
            rows += list(_rows(block, found[: most - len(rows)].tolist(), _shown(condition)))
    if as_json:
        _show_json({"where": where, "games": n_games, "matches": n_found, "listed": rows})
        return
    typer.echo(f"{n_found:,} of {n_games:,} games match")
    if rows:
        show("", tuple(rows[0]), [tuple(row.values()) for row in rows])


def _shown(condition: Condition) -> dict[str, Field]:
    """The columns that are listed: those of the condition."""
    return {str(field): field for field in condition.fields() if field.name not in ("rotation", "deal")}


def _rows(block: Block, found: Sequence[int], fields: Mapping[str, Field]) -> Iterator[dict[str, Any]]:
    """Where games lie, and the values that are listed."""
    values = {name: field.values(block.column) for name, field in fields.items()}
    for at in found:
        told = {name: _value(fields[name], column[..., at].tolist()) for name, column in values.items()}
        yield {"cell": block.cell.id, "rotation": block.rotation, "deal": block.first_deal + at} | told


def _value(field: Field, value: Any) -> Any:
    """A value or, of any seat, a list of them; enums by name."""
    if isinstance(value, list):
        return [_value(field, item) for item in value]
    return field.names[value] if field.names else value
