"""What a run's manifest says of its plan, and in what a held cell differs from the same cell of a plan."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import simkit
from simkit import catalog
from simkit.plan import Cell, Plan
from simkit.planning.ingredients import SHORT
from simkit.session import texts
from simkit.tape import TAPE_VERSION

_LIBRARIES = ("numpy", "scipy", "pandas", "pyarrow", "statsmodels")


def describe_plan(plan: Plan, folder: Path, command: str) -> dict[str, Any]:
    """All that can be said before play."""
    text = "" if plan.path is None else plan.path.read_text(encoding="utf-8-sig")
    return {
        "simkit": simkit.__version__,
        "libraries": {name: version(name) for name in _LIBRARIES},
        "game": plan.game_id,
        "rules_version": catalog.find_game(plan.game_id, plan.base).rules_version,
        "tape_version": TAPE_VERSION,
        "seed": plan.experiment.seed,
        "games": plan.games_total,
        "command": command,
        "experiment": plan.experiment.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        "experiment_text": text,
        "experiment_digest": hashlib.sha256(text.encode()).hexdigest(),
        "base": os.path.relpath(plan.base, folder),
        "cells": {cell.id: describe_cell(cell) for cell in plan.cells},
        "sources": plan.sources,
        "source_texts": {str(path): path.read_text(encoding="utf-8") for path in foreign_sources(plan)}
        | {name: text for cell in plan.cells for entry in cell.line_up for name, text in texts(entry.spec).items()},
    }


def describe_cell(cell: Cell) -> dict[str, Any]:
    """One cell's entry; `n_deals` and `games` are what is asked for until the run is finished."""
    return {
        "key": cell.key,
        "digest": cell.digest,
        "made_of": cell.made_of,
        "players": cell.players,
        "seats": cell.seats,
        "rules": cell.rules,
        "labels": [entry.label for entry in cell.line_up],
        "rotations": cell.rotations,
        "n_deals": cell.n_deals,
        "games": cell.rotations * cell.n_deals,
    }


def foreign_sources(plan: Plan) -> list[Path]:
    """The files that the run's game and strategies consist of and that do not come with simkit."""
    if not plan.sources:
        return []
    code = catalog.with_imports(catalog.game_source(plan.game_id, plan.base).path)
    game = code | {table for path in code for table in path.parent.glob("*.toml")}
    ours = (catalog.library("strategies").resolve(), Path(simkit.__file__).resolve().parent)
    specs = {entry.spec.model_dump_json(): entry.spec for cell in plan.cells for entry in cell.line_up}
    used = (file for spec in specs.values() for file in catalog.strategy_sources(spec, plan.game_id, plan.base))
    files = dict.fromkeys([*sorted(game), *used])
    return [file for file in files if not any(file.resolve().is_relative_to(folder) for folder in ours)]


def cell_in_words(cell: str, key: Mapping[str, Any]) -> str:
    """A cell's id and what its experiment says of it.

    >>> cell_in_words("0123456789ab", {"players": 2, "rules": {"sharks": 4}, "line_up": ["a", "b"], "swept": {}})
    '0123456789ab (2 players, a, b, rules.sharks = 4)'
    """
    settings = {f"rules.{name}": value for name, value in key["rules"].items()} | key["swept"]
    told = [f"{key['players']} players", *key["line_up"], *(f"{name} = {value}" for name, value in settings.items())]
    return f"{cell} ({', '.join(told)})"


def differences(cell: Cell, entry: Mapping[str, Any]) -> list[str]:
    """The fields in which a held cell differs from the same cell of a plan, short values with both."""
    there, now = entry["made_of"], cell.made_of
    fields = [name for name in {**there, **now} if there.get(name) != now.get(name)]
    return [_difference(name, there.get(name), now.get(name)) for name in fields] or ["digest"]


def _difference(name: str, there: Any, now: Any) -> str:
    """One field; values that are digests say nothing to anyone."""
    if there is None or now is None:
        return f"{name} ({'not there before' if there is None else 'not there any more'})"
    if any(isinstance(value, str) and len(value) > SHORT for value in (there, now)):
        return f"{name} (changed)"
    return f"{name} ({there} there, {now} now)"
