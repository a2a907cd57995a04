"""A run in memory with what reports ask of `simkit.store.Run`: from arrays, or from games played here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from simkit.batch import play
from simkit.components import Component, Components
from simkit.game import UNFINISHED
from simkit.strategy import Strategy
from tests.stats.made import win_column


@dataclass(frozen=True)
class FakeCell:
    id: str
    key: dict[str, Any]
    players: int
    seats: int
    rules: dict[str, Any]
    labels: tuple[str, ...]
    rotations: int
    n_deals: int


@dataclass
class FakeRun:
    game: Any
    columns: dict[tuple[str, str, str], np.ndarray]
    cells: list[FakeCell]
    counts: dict[str, list[pd.DataFrame]] = field(default_factory=dict)
    question: str = "Is it fair?"
    title: str = ""
    manifest: dict[str, Any] = field(
        default_factory=lambda: {"command": "simkit run it.toml", "seed": 3, "results_digest": "d1ce", "simkit": "0.1"}
    )
    path: Path = Path("nowhere")
    win_rate: tuple[float, float] = (0.4, 0.6)

    @property
    def experiment(self) -> Any:
        verdicts = SimpleNamespace(seat_band=0.02, win_rate=self.win_rate)
        return SimpleNamespace(question=self.question, title=self.title, verdicts=verdicts, strategies=())

    def column(self, table: str, name: str, cell: str) -> np.ndarray:
        return self.columns[table, name, cell]

    def tallies(self, name: str, cells: Sequence[str] | None = None) -> pd.DataFrame:
        every = pd.concat(self.counts[name], ignore_index=True)
        return every[every["cell"].isin(cells)] if cells else every


def components(**entries: Component) -> Components:
    guard = Component(value=10, tag="assumed", source="a guard", meaning="rounds", swept=False)
    return Components({**entries, "max_rounds": guard})


def fake_game(*, cooperative: bool, causes: Sequence[str] = ("done",), **entries: Component) -> Any:
    """What a report reads of a game's declarations."""
    return SimpleNamespace(
        id="fake",
        title="Fake game",
        rules_version=1,
        cooperative=cooperative,
        components=components(**entries),
        all_end_causes=(*causes, UNFINISHED),
        tallies=(),
    )


def of_wins(
    wins: Mapping[tuple[int, tuple[str, ...], tuple[tuple[str, Any], ...]], np.ndarray], game: Any = None, **fields: Any
) -> FakeRun:
    """A rival game's run from `win` (rotations, seats, n) by players, labels and rules; or of `won` (rotations, n)."""
    game = game or fake_game(cooperative=False)
    cells, columns = [], {}
    for number, ((players, labels, rules), win) in enumerate(wins.items()):
        name = f"{number:012x}"
        key = {"players": players, "rules": dict(rules), "line_up": list(labels), "swept": {}}
        rotations, n = len(win), win.shape[-1]
        cells.append(FakeCell(name, key, players, len(labels), dict(rules), labels, rotations, n))
        shape, rng = (rotations, n), np.random.default_rng(number)
        if game.cooperative:
            columns["games", "won", name] = win.astype(bool)
        else:
            columns["seats", "win", name] = win
            columns["games", "decided_by_tiebreak", name] = np.zeros(shape, bool)
        columns["games", "n_turns", name] = rng.integers(5, 15, shape).astype(np.uint16)
        columns["games", "end_cause", name] = np.zeros(shape, np.uint8)
    return FakeRun(game, columns, cells, **fields)


def seats_of(shares: tuple[float, ...], n: int) -> np.ndarray:
    """A mirror's `win` with exactly these shares."""
    counts = [round(share * n) for share in shares[:-1]]
    winners = np.repeat(np.arange(len(shares)), [*counts, n - sum(counts)])
    return win_column(np.random.default_rng(1).permutation(winners)[None], len(shares))


def mirror(players: int, **rules: object) -> tuple:
    """The key of a mirror line-up in `of_wins`."""
    return players, ("a",) * players, tuple(rules.items())


def played(
    game: Any, cells: Mapping[str, tuple[dict[str, Any], Sequence[tuple[str, Strategy]]]], n_deals: int, **fields: Any
) -> FakeRun:
    """Games played here: rules and (label, strategy) in cyclic order by cell id."""
    infos, columns, counts = [], {}, {}
    for name, (rules, line_up) in cells.items():
        labels, seats = tuple(label for label, _ in line_up), len(line_up)
        rotations = next(r for r in range(1, seats + 1) if labels[r:] + labels[:r] == labels)
        values = game.rules(**game.components.values_with(rules))
        results = [
            play(game, values, [line_up[(s + r) % seats][1] for s in range(seats)], 5, 0, n_deals)
            for r in range(rotations)
        ]
        key = {"players": seats, "rules": rules, "line_up": list(labels), "swept": {}}
        infos.append(FakeCell(name, key, seats, seats, rules, labels, rotations, n_deals))
        for table in ("games", "seats"):
            for column in getattr(results[0], table):
                columns[table, column, name] = np.stack([getattr(result, table)[column] for result in results])
        for tally in game.tallies:
            frames = [_counted(tally, r, result.tallies()[tally.name]) for r, result in enumerate(results)]
            counts.setdefault(tally.name, []).append(pd.concat(frames).assign(cell=name))
    return FakeRun(game, columns, infos, counts, **fields)


def _counted(tally: Any, rotation: int, counts: np.ndarray) -> pd.DataFrame:
    *keys, group = counts.nonzero()
    frame = pd.DataFrame({key.name: values for key, values in zip(tally.keys, keys, strict=True)})
    return frame.assign(rotation=rotation, group=group, count=counts[counts.nonzero()])
