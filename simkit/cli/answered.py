"""What `simkit exact` tells: sentences and tables, a JSON document, a CSV file, a figure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import typer

from simkit.cli.tables import cell, show, show_json
from simkit.errors import UserError
from simkit.names import printable, quoted

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

    from simkit.exact import Answer, Topic
    from simkit.game import Game

MOST_ROWS = 30
"""Of a table; the rest is for programs."""
MOST_DIGITS = 40
"""Of a fraction in a table."""
STDOUT = "-"


@dataclass(frozen=True)
class Asked:
    """A question that can be answered: its options, the rules that differ from the box, and the command as typed."""

    game: Game
    topic: Topic
    options: BaseModel
    rules: dict[str, Any]
    command: str


@dataclass(frozen=True)
class Outputs:
    """Where an answer goes."""

    csv: str | None
    figure: Path | None
    as_json: bool
    quiet: bool

    @property
    def named(self) -> list[str]:
        """Options of which nothing comes where there is no answer."""
        given = {"--csv": self.csv is not None, "--figure": self.figure is not None, "--quiet": self.quiet}
        return [option for option, is_given in given.items() if is_given]

    @property
    def files(self) -> dict[str, tuple[Path, tuple[str, ...]]]:
        """Files by option, and how they may end."""
        found: dict[str, tuple[Path, tuple[str, ...]]] = {}
        if self.csv is not None and self.csv != STDOUT:
            found["--csv"] = Path(self.csv), (".csv",)
        if self.figure is not None:
            found["--figure"] = self.figure, (".png", ".svg")
        return found

    def check(self) -> None:
        """Refuse what cannot be written, before anything is computed."""
        if self.as_json and self.csv == STDOUT:
            raise UserError("one document can go to stdout; found `--json` and `--csv -`: leave one out")
        if self.named == ["--quiet"] and not self.as_json:
            raise UserError("`--quiet` must go with `--csv` or `--figure`; found neither: leave it out")
        for option, (path, endings) in self.files.items():
            if path.suffix.lower() not in endings:
                raise UserError(
                    f"`{option}` must name a file ending in {' or '.join(endings)}; found {quoted(str(path))}"
                )


# -------------------------------------------------------------------------------------------------------------- topics


def topics_told(game: Game) -> list[dict[str, Any]]:
    """The topics of a game and their options, as plain data."""
    return [
        {
            "name": topic.name,
            "meaning": topic.meaning,
            "options": [_option(name, field) for name, field in topic.options.model_fields.items()],
        }
        for topic in game.exact
    ]


def _option(name: str, field: FieldInfo) -> dict[str, Any]:
    """An option of a topic."""
    from simkit.exact import spelled

    default = None if field.is_required() else field.default
    choices = [value for value in get_args(field.annotation) if isinstance(value, str)]
    return {
        "name": spelled(name),
        "default": default if isinstance(default, bool | int | str | tuple | None) else str(default),
        "required": field.is_required(),
        "values": choices,
        "example": str((field.examples or [""])[0]),
        "meaning": field.description,
    }


def show_topics(told: list[dict[str, Any]]) -> None:
    """Topics and their options as tables."""
    for topic in told:
        rows = [
            (
                option["name"],
                option["values"] or option["example"],
                "required" if option["required"] else option["default"],
                option["meaning"],
            )
            for option in topic["options"]
        ]
        title = f"Exact topic `{topic['name']}`, {topic['meaning']}"
        if rows:
            show(title, ("option", "values", "default", "meaning"), rows)
        else:
            typer.echo(cell(f"{title}; no options") + "\n")


def list_topics(game: Game, as_json: bool) -> None:
    """What a game can be asked."""
    told = topics_told(game)
    if as_json:
        show_json({"game": game.id, "topics": told})
    elif told:
        show_topics(told)
        typer.echo(f"`simkit exact {game.id} TOPIC` answers one.")
    else:
        typer.echo(f"{game.title} has no exact topics.")


# -------------------------------------------------------------------------------------------------------------- answer


def tell(asked: Asked, answer: Answer, outputs: Outputs) -> None:
    """Write the files, and tell the answer where it is wanted."""
    if not answer.distribution and (outputs.csv is not None or outputs.figure is not None):
        raise UserError(
            f"`{outputs.named[0]}` must have a distribution; found none in {asked.topic.name}: leave it out"
        )
    files = _write(asked, answer, outputs)
    if outputs.as_json:
        show_json(_document(asked, answer) | {"files": files, "command": asked.command})
        return
    if outputs.csv == STDOUT:
        typer.echo(_csv(answer), nl=False)
    elif not outputs.quiet:
        _show(asked, answer)
    for file in [] if outputs.quiet else files:
        typer.echo(f"wrote {printable(file)}", err=outputs.csv == STDOUT)


def _write(asked: Asked, answer: Answer, outputs: Outputs) -> list[str]:
    """The files asked for, all or none; those of the same names are replaced."""
    from simkit.files import replace_all

    contents: dict[Path, str | bytes] = {
        path: _csv(answer) if option == "--csv" else _drawn(asked, answer, path.suffix.lower())
        for option, (path, _) in outputs.files.items()
    }
    try:
        return [str(path) for path in replace_all(contents)]
    except (OSError, ValueError) as error:
        option = " and ".join(f"`{option}`" for option in outputs.files)
        problem = f"{printable(str(error))}: name another file"
        raise UserError(f"{option} must name a file that can be written, where there is room; {problem}") from None


def _csv(answer: Answer) -> str:
    """The joint distribution as CSV."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*(measure.name for measure in answer.measures), "p", "fraction"])
    writer.writerows([*outcome, float(p), p] for outcome, p in answer.outcomes())
    return buffer.getvalue()


def _drawn(asked: Asked, answer: Answer, ending: str) -> str | bytes:
    """The marginal distributions as a figure; of what never happens nothing is drawn."""
    import pandas as pd

    from simkit.exact import decimal
    from simkit.figures.bars import bars
    from simkit.figures.style import png, svg

    chosen = [m for m in answer.measures if m.name in (answer.shown or [each.name for each in answer.measures])]
    happening = [measure for measure in chosen if answer.mean(measure.name)] or chosen
    frame = pd.DataFrame(
        [
            (f"{m.name}, mean {decimal(answer.mean(m.name))}", m.unit, value, float(p), f"{float(100 * p):.3g}")
            for m in happening
            for value, p in answer.marginal(m.name).items()
        ],
        columns=["panel", "unit", "value", "share", "text"],
    )
    figure = bars(frame, f"{asked.game.title}, {asked.topic.name}: {answer.sentences[0]}", "probability [%]")
    return svg(figure) if ending == ".svg" else png(figure)


def _document(asked: Asked, answer: Answer) -> dict[str, Any]:
    """The answer for programs."""
    return {
        "game": asked.game.id,
        "topic": asked.topic.name,
        "options": asked.options.model_dump(),
        "rules": asked.rules,
        "sentences": answer.sentences,
        "measures": [
            {
                "name": measure.name,
                "unit": measure.unit,
                "meaning": measure.meaning,
                "mean": _number(answer.mean(measure.name), "value"),
                "marginal": [{"value": v} | _number(p, "p") for v, p in answer.marginal(measure.name).items()],
            }
            for measure in answer.measures
        ],
        "values": [
            {"name": each.name, "unit": each.unit, "meaning": each.meaning} | _number(each.value, "value")
            for each in answer.values
        ],
        "distribution": [
            dict(zip((m.name for m in answer.measures), outcome, strict=True)) | _number(p, "p")
            for outcome, p in answer.outcomes()
        ],
    }


def _number(value: Any, name: str) -> dict[str, Any]:
    """A number, roughly and exactly."""
    return {name: float(value), "fraction": str(value)}


def _show(asked: Asked, answer: Answer) -> None:
    """Sentences, then tables."""
    from simkit.exact import percent

    typer.echo(cell(f"{asked.game.title}, {asked.topic.name}"))
    for sentence in answer.sentences:
        typer.echo(cell(sentence))
    typer.echo()
    show("Numbers", ("number", "value", "exact", "meaning"), list(_numbers(answer)))
    if answer.distribution:
        marginals = [
            (measure.name, value, percent(p), _exact(p))
            for measure in answer.measures
            for value, p in answer.marginal(measure.name).items()
        ]
        _show_some("Each by itself", ("what", "how many", "probability", "exact"), marginals)
        columns = (*(measure.name for measure in answer.measures), "probability", "exact")
        joint = [(*outcome, percent(p), _exact(p)) for outcome, p in answer.outcomes()]
        _show_some("All together, the most likely first", columns, joint)
    typer.echo(f"again: {printable(asked.command)}")


def _numbers(answer: Answer) -> Iterator[tuple[str, ...]]:
    """Means and other numbers."""
    from simkit.exact import decimal, percent

    for measure in answer.measures:
        mean = answer.mean(measure.name)
        yield f"mean {measure.name}", decimal(mean), _exact(mean), f"{measure.unit} {measure.meaning}"
    for each in answer.values:
        if each.unit == "probability":
            yield each.name, percent(each.value), _exact(each.value), each.meaning
        else:
            yield each.name, decimal(each.value), _exact(each.value), f"{each.meaning} [{each.unit}]"


def _exact(value: Any) -> str:
    """A fraction as tables have room for it.

    >>> _exact(10**50)
    '51 digits: --json'
    """
    text = str(value)
    return text if len(text) <= MOST_DIGITS else f"{sum(map(str.isdigit, text))} digits: --json"


def _show_some(title: str, columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    """A table, not too long."""
    show(title, columns, rows[:MOST_ROWS])
    if len(rows) > MOST_ROWS:
        typer.echo(f"... and {len(rows) - MOST_ROWS:,} more: all of them with --json\n")
