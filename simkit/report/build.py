"""Builds a report: one self-contained HTML page, a CSV file for each table, and JSON."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import pandas as pd
from jinja2 import Environment, PackageLoader

from simkit import catalog
from simkit.errors import UserError
from simkit.files import replace_all
from simkit.names import shown
from simkit.report import tables
from simkit.report.answer import answer
from simkit.report.blocks import Part, Report, Table
from simkit.report.sections import ALWAYS, DEFAULT
from simkit.report.study import Study
from simkit.report.verdict_words import verdict_sentence
from simkit.report.words import SPACE, whole
from simkit.stats.verdicts import Word


def write_report(run: Any, out: Path) -> list[Path]:
    """Write a run's report.

    Parameters
    ----------
    run
        A `simkit.store.Run`.
    out
        A folder; made if there is none. Files of the same names are replaced.

    Returns
    -------
    list of Path
        report.html, report.json, verdicts.json and tables/*.csv. The same run gives the same bytes.
    """
    definition = find_definition(run)
    with _folder(out / "tables"):
        study = Study.of(run, definition.names)
        parts = parts_of(study, definition)
        sentences = [sentence for part in parts for sentence in part.answer] + answer(study)
        found = [block for part in parts for block in part.blocks if isinstance(block, Table)]
        texts = {
            "report.html": page(study, definition, sentences, parts),
            "report.json": _json(_document(study, definition, sentences, found)),
            "verdicts.json": _json(verdict_records(study)),
        }
        texts |= {f"tables/{table.name}.csv": table.data.to_csv(index=False, lineterminator="\n") for table in found}
        return _write_all({out / name: text for name, text in texts.items()})


def parts_of(study: Study, definition: Report) -> list[Part]:
    """The sections that have something to say."""
    parts = []
    for section in (*definition.sections, *ALWAYS):
        part = section(study)
        if not isinstance(part, Part | None):
            name = getattr(section, "__name__", shown(section))
            raise UserError(f"a section of a report must give a simkit.report.Part; `{name}` gave {shown(part)}")
        parts += [] if part is None else [part]
    return parts


def find_definition(run: Any) -> Report:
    """The game's report definition, or the one for any game."""
    base = Path(run.path) / run.manifest.get("base", ".")
    module = catalog.find_report(run.game.id, base)
    if module is None:
        return Report(run.game.title, DEFAULT)
    found = getattr(module, "REPORT", None)
    if not isinstance(found, Report):
        raise UserError(
            f"a report definition must hold `REPORT`, a simkit.report.Report; {module.__file__} does not: see reports/"
        )
    if not isinstance(found.sections, Sequence) or not all(map(callable, found.sections)):
        raise UserError(
            f"{module.__file__}: `REPORT.sections` must be a list of sections; found {shown(found.sections)}"
        )
    return found


def page(study: Study, definition: Report, sentences: Sequence[str], parts: Sequence[Part]) -> str:
    """The HTML page."""
    environment = Environment(
        loader=PackageLoader("simkit.report", ""), autoescape=True, trim_blocks=True, keep_trailing_newline=True
    )
    environment.filters |= {"data_uri": _data_uri, "unbroken": _unbroken}
    run, experiment = study.run, study.run.experiment
    games = sum(cell.n_games for cell in study.cells)
    n_cells = len(study.cells)
    return environment.get_template("page.html.jinja").render(
        css=resources.files("simkit.report").joinpath("page.css").read_text(encoding="utf-8"),
        title=experiment.title or definition.title,
        kicker=f"{run.game.title} · {whole(games)} simulated games in {n_cells} cell{'' if n_cells == 1 else 's'}",
        question=experiment.question,
        answer=sentences,
        note=_note(study),
        parts=parts,
        words=get_args(Word),
    )


def _note(study: Study) -> str:
    """How to read the numbers of the answer."""
    seats = "" if study.cooperative else "Seats are counted in turn order: seat 1 starts. "
    return (
        f"{seats}Numbers in brackets are intervals: those of verdicts hold for all cells of this report at once "
        "(95 %), those of differences each by itself (95 %). Shares are of all games played."
    )


def _unbroken(text: str) -> str:
    """No line ends between a number and its percent sign."""
    return text.replace(" %", f"{SPACE}%")


def _data_uri(svg: str) -> str:
    """An image within the page."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def verdict_records(study: Study) -> list[dict[str, Any]]:
    """Every cell's verdict as plain data."""
    records = []
    for row in tables.verdict_table(study, study.cells).to_dict("records"):
        cell = next(cell for cell in study.cells if cell.id == row["cell"])
        own = {"headline": cell in study.headlines, "sentence": verdict_sentence(study, cell)}
        records.append(_plain({str(name): value for name, value in row.items()} | own))
    return records


def _document(study: Study, definition: Report, sentences: Sequence[str], found: Sequence[Table]) -> dict[str, Any]:
    """The report as one JSON document."""
    manifest, experiment = study.run.manifest, study.run.experiment
    return {
        "title": experiment.title or definition.title,
        "game": study.run.game.id,
        "question": experiment.question,
        "answer": list(sentences),
        "level_of_verdicts": study.level,
        "verdicts": verdict_records(study),
        "tables": {table.name: records(table.data) for table in found},
        "command": manifest.get("command", ""),
        "seed": manifest.get("seed"),
        "results_digest": manifest.get("results_digest", ""),
    }


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """A table's rows as plain data."""
    return [_plain({str(name): value for name, value in row.items()}) for row in table.to_dict("records")]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Values that JSON knows: null where there is no number."""
    values = {name: value.item() if hasattr(value, "item") else value for name, value in row.items()}
    return {name: None if value is pd.NA or _is_no_number(value) else value for name, value in values.items()}


def _is_no_number(value: Any) -> bool:
    """NaN or infinite."""
    return isinstance(value, float) and not math.isfinite(value)


def _json(document: Any) -> str:
    """A JSON text that ends with a line end."""
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


@contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """Make the folder before any work is done; if nothing comes of it, it goes again."""
    made: list[Path] = []
    try:
        made = [place for place in (folder, *folder.parents) if not place.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(error) from None
    try:
        yield
    finally:
        for place in made:
            with suppress(OSError):  # it holds something by now
                place.rmdir()


def _write_all(texts: Mapping[Path, str]) -> list[Path]:
    """Write every file, or replace none."""
    try:
        return replace_all(texts)
    except OSError as error:
        raise _unwritable(error) from None


def _unwritable(error: OSError) -> UserError:
    """The complaint about a folder that takes no files."""
    return UserError(f"a report needs a folder that can be written and has room; {error}; choose another with `--out`")
