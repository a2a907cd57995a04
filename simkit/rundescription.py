"""What a run's manifest says of its plan, and whether two runs are of the same results."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import simkit
from simkit import catalog
from simkit.plan import Cell, Plan
from simkit.session import texts
from simkit.tape import TAPE_VERSION


def describe_plan(plan: Plan, folder: Path, command: str) -> dict[str, Any]:
    """All that can be said before play."""
    text = "" if plan.path is None else plan.path.read_text(encoding="utf-8-sig")
    return describe_numbers(plan) | {
        "simkit": simkit.__version__,
        "command": command,
        "experiment": plan.experiment.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        "experiment_text": text,
        "experiment_digest": hashlib.sha256(text.encode()).hexdigest(),
        "base": os.path.relpath(plan.base, folder),
        "cells": {cell.id: _describe_cell(cell) for cell in plan.cells},
        "sources": plan.sources,
        "source_texts": {str(path): path.read_text(encoding="utf-8") for path in foreign_sources(plan)}
        | {name: text for cell in plan.cells for entry in cell.line_up for name, text in texts(entry.spec).items()},
    }


def describe_numbers(plan: Plan) -> dict[str, Any]:
    """The values in which runs differ most often."""
    return {
        "game": plan.game_id,
        "rules_version": catalog.find_game(plan.game_id, plan.base).rules_version,
        "tape_version": TAPE_VERSION,
        "seed": plan.experiment.seed,
        "games": plan.games_total,
    }


def _describe_cell(cell: Cell) -> dict[str, Any]:
    """One cell's entry."""
    return {
        "key": cell.key,
        "digest": cell.digest,
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
    game = catalog.with_imports(catalog.game_source(plan.game_id, plan.base).path)
    ours = (catalog.library("strategies").resolve(), Path(simkit.__file__).resolve().parent)
    specs = {entry.spec.model_dump_json(): entry.spec for cell in plan.cells for entry in cell.line_up}
    used = (file for spec in specs.values() for file in catalog.strategy_sources(spec, plan.game_id, plan.base))
    files = dict.fromkeys([*sorted(game), *used])
    return [file for file in files if not any(file.resolve().is_relative_to(folder) for folder in ours)]


def same_results(plan: Plan, held: dict[str, Any]) -> bool:
    """Whether a run holds exactly the results that a plan would give."""
    wanted = {cell.id: (cell.digest, cell.n_deals) for cell in plan.cells}
    found = {cell: (entry.get("digest"), entry.get("n_deals")) for cell, entry in held["cells"].items()}
    return bool(held["complete"]) and wanted == found


def what_is_held(plan: Plan, held: dict[str, Any]) -> str:
    """What a run holds, in words, and where it differs from a plan."""
    if not held["complete"]:
        return f"a run of {held['game']} that was interrupted, or is still being played"
    differences = "; ".join(_differences(plan, held)) or "the line-ups or the strategies' code"
    size = f"{held['games']:,} games of {held['game']} in {len(held['cells'])} cells"
    return f"another run, {size}; it differs in {differences}"


def _differences(plan: Plan, held: dict[str, Any]) -> Iterator[str]:
    """What differs, the most telling first."""
    now = describe_numbers(plan)
    for name in ("game", "seed", "games", "rules_version", "tape_version"):
        if now[name] != held.get(name):
            yield f"{name.replace('_', ' ')} ({held.get(name)} there, {now[name]} now)"
    missing = [cell.id for cell in plan.cells if cell.id not in held["cells"]]
    if missing:
        yield f"{len(missing)} of {len(plan.cells)} cells that it does not have"
