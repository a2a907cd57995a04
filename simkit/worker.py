"""Plays one chunk, in whatever process: names are resolved here, so that nothing of the user's is pickled."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from simkit import catalog
from simkit.batch import play
from simkit.game import Game
from simkit.ledger import draft_path
from simkit.parts import TABLES, part_name, write_parts
from simkit.plan import Cell, Chunk
from simkit.results import Results
from simkit.rowhash import row_hash
from simkit.strategy import Strategy


@dataclass(frozen=True)
class Task:
    """A chunk with all that is needed to play it anywhere: plain data only."""

    game_id: str
    base: Path
    cell: Cell
    chunk: Chunk
    seed: int
    folder: Path


@dataclass(frozen=True)
class Played:
    """What a worker says of a chunk; its rows are in the files."""

    chunk: Chunk
    row_hash: int
    tallies: dict[str, Any]


def play_chunk(task: Task) -> Played:
    """Play one chunk and write its rows under their temporary names."""
    pa.set_cpu_count(1)
    cell, chunk = task.cell, task.chunk
    results = play_deals(task, chunk.n_deals)
    name = part_name(cell.id, chunk.rotation, chunk.first_deal)
    paths = [draft_path(task.folder, table, name) for table in TABLES]
    labels = [entry.label for entry in cell.seating(chunk.rotation)]
    write_parts(results, paths, cell.id, chunk.rotation, chunk.first_deal, labels)
    return Played(chunk, row_hash(results, chunk.first_deal), results.tallies())


@dataclass(frozen=True)
class Setting:
    """What a cell is played with; the strategies as in its line-up."""

    game: Game
    rules: Any
    strategies: tuple[Strategy, ...]


_SETTINGS: dict[tuple[str, Path, str], Setting] = {}
"""The setting of the cell that this process played last: chunks of a cell come one after the other."""
_ONE_AT_A_TIME = threading.Lock()
"""Worker threads must not load code side by side: Python 3.11's parser fails (AST constructor recursion depth)."""


def setting_of(game_id: str, base: Path, cell: Cell) -> Setting:
    """The game, rules and strategies of a cell, made once for all its chunks."""
    key = (game_id, base, cell.digest)
    with _ONE_AT_A_TIME:
        setting = _SETTINGS.get(key)
        if setting is None:
            game = catalog.find_game(game_id, base)
            rules = game.rules(**game.components.values_with(cell.rules))
            line_up = (catalog.load_strategy(entry.spec, game.id, base) for entry in cell.line_up)
            setting = Setting(game, rules, tuple(line_up))
            _SETTINGS.clear()
            _SETTINGS[key] = setting
    return setting


def play_deals(task: Task, n_deals: int) -> Results:
    """The first deals of a chunk."""
    setting, chunk = setting_of(task.game_id, task.base, task.cell), task.chunk
    seats = task.cell.seats
    strategies = [setting.strategies[(seat + chunk.rotation) % seats] for seat in range(seats)]
    return play(setting.game, setting.rules, strategies, task.seed, chunk.first_deal, n_deals)
