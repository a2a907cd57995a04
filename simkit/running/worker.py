"""Plays one chunk, in whatever process: names are resolved here, so that nothing of the user's is pickled."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa

from simkit import catalog
from simkit.batch import play
from simkit.errors import UserError
from simkit.game import Game
from simkit.names import printable
from simkit.plan import Cell, Chunk
from simkit.planning.ingredients import game_files, strategy_files
from simkit.results import Results
from simkit.running.parcel import Parcel, unpacked
from simkit.running.parts import Stamp, datasets, stamp_of, write_parts
from simkit.strategy import Strategy


@dataclass(frozen=True)
class Task:
    """A chunk with all that is needed to play it anywhere: plain data only.

    Attributes
    ----------
    base
        The user's folder, or its files for workers on other machines.
    drafts
        The folder for part files under their temporary names; None if they are to be sent back.
    parent
        The process that a worker may not outlive; None for any.
    """

    game_id: str
    base: Path | Parcel
    cell: Cell
    chunk: Chunk
    seed: int
    drafts: Path | None
    parent: int | None = None


@dataclass(frozen=True)
class Played:
    """What a worker says of a chunk; its part files by dataset, unless they are in the folder for drafts."""

    stamp: Stamp
    parts: dict[str, bytes]


def play_chunk(task: Task) -> Played:
    """Play one chunk and write its part files."""
    if task.parent is not None:
        _live_no_longer_than(task.parent)
    pa.set_cpu_count(1)
    cell, chunk = task.cell, task.chunk
    with redirect_stdout(sys.stderr):  # what a strategy prints must not get among a document
        results = play_deals(task, chunk.n_deals)
    stamp = stamp_of(results, cell.id, cell.digest, chunk.rotation, chunk.first_deal)
    labels = [entry.label for entry in cell.seating(chunk.rotation)]
    if task.drafts is None:
        buffers = {dataset: BytesIO() for dataset in datasets(results.game)}
        write_parts(results, {**buffers}, stamp, labels)
        return Played(stamp, {dataset: buffer.getvalue() for dataset, buffer in buffers.items()})
    drafts = {dataset: draft_path(task.drafts, dataset, stamp) for dataset in datasets(results.game)}
    write_parts(results, {**drafts}, stamp, labels)
    for draft in drafts.values():
        flush(draft)
    return Played(stamp, {})


def tried_chunk(task: Task) -> Played | UserError | OSError:
    """Play one chunk, or say why it cannot be: a failure waits for its turn, as what was played before is published."""
    try:
        return play_chunk(task)
    except (UserError, OSError) as error:
        return error


def draft_path(drafts: Path, dataset: str, stamp: Stamp) -> Path:
    """Where a part file lies until it is published."""
    return drafts / f"{dataset.replace('/', '-')}-{stamp.name}"


def flush(path: Path) -> None:
    """Let a file (or the names in a folder) reach the disk before anything that follows does."""
    if os.name == "nt" and path.is_dir():
        return  # folders cannot be opened there
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_WATCHED: set[int] = set()


def _live_no_longer_than(parent: int) -> None:
    """End this process soon after its parent has been killed: nobody wants its work any more."""
    if os.getpid() in _WATCHED or os.getppid() != parent:
        return
    _WATCHED.add(os.getpid())

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


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
            _check_files(game_id, base, cell)
            game = catalog.find_game(game_id, base)
            rules = game.rules(**game.components.values_with(cell.rules))
            line_up = (catalog.load_strategy(entry.spec, game.id, base) for entry in cell.line_up)
            setting = Setting(game, rules, tuple(line_up))
            _SETTINGS.clear()
            _SETTINGS[key] = setting
    return setting


def _check_files(game_id: str, base: Path, cell: Cell) -> None:
    """Refuse files that are not those the cell was planned with: somebody may edit them while a long run goes on."""
    found = game_files(game_id, base)
    for entry in cell.line_up:
        found |= strategy_files(entry.label, entry.spec, game_id, base)
    changed = [name for name, mark in found.items() if cell.made_of.get(name) != mark]
    if changed:
        raise UserError(
            f"files must stay as they are while they are played; found {printable(changed[0])} changed: put it back "
            "and run again, or run again with `--fresh`"
        )


def play_deals(task: Task, n_deals: int) -> Results:
    """The first deals of a chunk."""
    base = unpacked(task.base) if isinstance(task.base, Parcel) else task.base
    setting, chunk = setting_of(task.game_id, base, task.cell), task.chunk
    seats = task.cell.seats
    strategies = [setting.strategies[(seat + chunk.rotation) % seats] for seat in range(seats)]
    return play(setting.game, setting.rules, strategies, task.seed, chunk.first_deal, n_deals)
