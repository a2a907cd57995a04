"""Lays an experiment out as cells: rules x players x line-up.

Everything that needs the game is checked here, before anything is played.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simkit import catalog
from simkit.digests import canonical_json, digest, file_digest
from simkit.errors import UserError
from simkit.experiment import Axis, Experiment, StrategySpec, refusal, sweep_target
from simkit.game import Game
from simkit.line_ups import (
    Labels,
    count_necklaces,
    count_round_robin,
    mirrors,
    n_rotations,
    necklaces,
    round_robin,
    smallest_shift,
)
from simkit.names import shown, unknown
from simkit.settings import check_options, check_rule_name, rules_with, with_wrapped
from simkit.tape import TAPE_VERSION

MAX_CELLS = 10_000


@dataclass(frozen=True)
class Entry:
    """A strategy at the table, and what tables and figures call it."""

    label: str
    spec: StrategySpec


@dataclass(frozen=True)
class Cell:
    """One combination of rules, players and line-up.

    Attributes
    ----------
    id
        12 hex digits: a hash of `key`.
    key
        What the experiment says of the cell: `players`, `rules` (set or swept), `line_up` (labels), `swept` (the
        values of swept strategy parameters, by sweep key, of strategies that take part).
    players, seats
        People, and places at the table.
    rules
        Changed component values.
    line_up
        One entry a seat in cyclic order, the smallest shift by label first.
    rotations
        Distinct cyclic shifts of the line-up.
    n_deals
        Played in every rotation.
    digest
        Of all that can change the cell's rows.
    """

    id: str
    key: dict[str, Any]
    players: int
    seats: int
    rules: dict[str, Any]
    line_up: tuple[Entry, ...]
    rotations: int
    n_deals: int
    made_of: dict[str, Any]
    digest: str

    def seating(self, rotation: int) -> tuple[Entry, ...]:
        """Who sits where, seat 0 first."""
        return tuple(self.line_up[(seat + rotation) % self.seats] for seat in range(self.seats))


class Layout:
    """What an experiment and its game say together.

    Parameters
    ----------
    experiment
    path
        The experiment's file, for messages and for strategies named by file.
    base
        Where the user's games and strategies are.
    """

    def __init__(self, experiment: Experiment, path: Path | None, base: Path) -> None:
        self.experiment, self.path, self.base = experiment, path, base
        try:
            self.game: Game = catalog.find_game(experiment.game, base)
        except UserError as error:
            raise refusal(path, "game", str(error)) from None
        self.game_file = catalog.game_source(self.game.id, base)
        self.swept = {
            sweep_target(key)[0] for keys, _ in experiment.axes() for key in keys if key.startswith("strategies.")
        }
        self.entries: dict[str, Entry] = {}
        for place, spec in enumerate(experiment.strategies):
            self._enter(spec, f"strategies[{place}]")
        self.listed = self._listed_line_ups()
        self._rules: dict[str, Any] = {}
        self._told: dict[str, Any] = {}

    def cells(self) -> tuple[Cell, ...]:
        """Every cell, each once: players, then rules, then line-ups."""
        counts, axes = self._player_counts(), self._axes()
        line_ups = {players: self._line_ups(self.game.seats_for(players)) for players in counts}
        n_cells = math.prod(len(rows) for _, rows in axes) * sum(n for n, _ in line_ups.values())
        if n_cells > MAX_CELLS:
            problem = (
                f"players x sweep x line-ups must make at most {MAX_CELLS:,} cells; found {n_cells:,}; leave some out"
            )
            raise refusal(self.path, "sweep" if axes else "line_ups", problem)
        found: dict[str, Cell] = {}
        for players in counts:
            orders = list(dict.fromkeys(map(smallest_shift, line_ups[players][1])))
            for setting, labels in itertools.product(_settings(axes), orders):
                cell = self._cell(players, setting, labels)
                found.setdefault(cell.id, cell)
        return tuple(found.values())

    def sources(self) -> dict[str, str]:
        """Names that are not the library's, and where they come from."""
        found = {f"game {self.game.id}": self.game_file.source}
        for entry in self.entries.values():
            for spec in with_wrapped(entry.spec):
                listing = catalog.find_strategy(spec, self.game.id, self.base)
                found[f"strategy {listing.name}"] = listing.source
        return {name: source for name, source in found.items() if source != catalog.LIBRARY}

    def _enter(self, spec: StrategySpec, where: str) -> str:
        """Let a strategy take part; its label."""
        entry = Entry(spec.default_label, self._from_base(spec))
        if self.entries.setdefault(entry.label, entry) != entry:
            raise refusal(self.path, where, f"labels must differ; found {shown(entry.label)} twice; set `as`")
        if entry.label not in self.swept:
            self._load(entry.spec, where)
        return entry.label

    def _from_base(self, spec: StrategySpec) -> StrategySpec:
        """The same; a path that was relative to the experiment's file is now relative to the base."""
        file, name = catalog.file_and_name(spec.name)
        changes: dict[str, Any] = {"of": tuple(map(self._from_base, spec.of))}
        if file and self.path and not Path(file).is_absolute():
            moved = os.path.relpath(self.path.resolve().parent / file, self.base)
            changes["name"] = Path(moved).as_posix() + (f":{name}" if name else "")
        return spec.model_copy(update=changes)

    def _load(self, spec: StrategySpec, where: str) -> None:
        """Make the strategy once, so that what cannot be played is refused now."""
        try:
            catalog.load_strategy(spec, self.game.id, self.base)
        except UserError as error:
            raise refusal(self.path, where, str(error)) from None

    def _player_counts(self) -> tuple[int, ...]:
        """The player counts asked for."""
        counts = self.experiment.players or self.game.players
        for players in counts:
            if players not in self.game.players:
                allowed = ", ".join(map(str, self.game.players))
                raise refusal(self.path, "players", f"{self.game.title} must have {allowed} players; found {players}")
        return counts

    def _axes(self) -> list[Axis]:
        """The sweep's axes; every key names a rule or a strategy of the experiment."""
        for name in self.experiment.rules:
            check_rule_name(self.game, name, f"rules.{name}", self.path)
        axes = self.experiment.axes()
        for key in (key for keys, _ in axes for key in keys):
            where = f"sweep.{key}"
            if key.startswith("rules."):
                check_rule_name(self.game, key.removeprefix("rules."), where, self.path)
                continue
            label, parameter = sweep_target(key)
            if label not in self.entries:
                raise refusal(self.path, where, unknown("label", label, self.entries))
            if parameter in ("name", "as", "of") or parameter in self.entries[label].spec.parameters:
                raise refusal(
                    self.path, where, f"must be a parameter that {shown(label)} does not set; found `{parameter}`"
                )
        return axes

    def _listed_line_ups(self) -> list[Labels]:
        """The labels of explicitly listed line-ups."""
        line_ups, known = self.experiment.line_ups, set(self.entries)
        if isinstance(line_ups, str):
            return []
        return [
            tuple(
                seat.name if seat.is_label(known) else self._enter(seat, f"line_ups[{i}][{j}]")
                for j, seat in enumerate(line_up)
            )
            for i, line_up in enumerate(line_ups)
        ]

    def _line_ups(self, seats: int) -> tuple[int, Iterable[Labels]]:
        """The line-ups for so many seats: how many, and each."""
        kind, labels = self.experiment.line_ups, list(self.entries)
        if not isinstance(kind, str):
            return self._fitting(seats)
        if kind != "mirror" and self.game.cooperative:
            problem = f"must be mirror or a list of line-ups, since the game is cooperative; found {kind}"
            raise refusal(self.path, "line_ups", problem)
        if kind == "mirror":
            return len(labels), mirrors(labels, seats)
        if kind == "round-robin":
            return count_round_robin(len(labels), seats), round_robin(labels, seats)
        return count_necklaces(len(labels), seats), necklaces(labels, seats)

    def _fitting(self, seats: int) -> tuple[int, Iterable[Labels]]:
        """The listed line-ups with as many strategies as there are seats."""
        every = sorted({self.game.seats_for(players) for players in self._player_counts()})
        wanted = " or ".join(map(str, every))
        for place, line_up in enumerate(self.listed):
            if len(line_up) not in every:
                problem = f"must have a strategy for each of {wanted} seats; found {len(line_up)}"
                raise refusal(self.path, f"line_ups[{place}]", problem)
        fitting = [line_up for line_up in self.listed if len(line_up) == seats]
        if not fitting:
            raise refusal(self.path, "line_ups", f"must list a line-up for {wanted} seats each; found none for {seats}")
        return len(fitting), fitting

    def _cell(self, players: int, setting: Mapping[str, Any], labels: Labels) -> Cell:
        """One cell; values swept for strategies that do not take part are left out."""
        seats, rotations = self.game.seats_for(players), n_rotations(labels)
        swept = {
            key: v for key, v in setting.items() if key.startswith("strategies.") and sweep_target(key)[0] in labels
        }
        changes = {key.removeprefix("rules."): v for key, v in setting.items() if key.startswith("rules.")}
        changes = dict(self.experiment.rules) | changes
        rules = self._rules_with(changes)
        line_up = tuple(self._entry(label, swept) for label in labels)
        for entry in {entry.label: entry for entry in line_up}.values():
            check_options(self.game, entry.spec, entry.label, rules, seats, self.path)
        key = {"players": players, "rules": changes, "line_up": list(labels), "swept": swept}
        return Cell(
            id=digest(key)[:12],
            key=key,
            players=players,
            seats=seats,
            rules=changes,
            line_up=line_up,
            rotations=rotations,
            n_deals=-(-self.experiment.games // rotations),
            made_of=(made_of := self._made_of(players, rules, line_up)),
            digest=digest(made_of),
        )

    def _entry(self, label: str, swept: Mapping[str, Any]) -> Entry:
        """A strategy with this cell's parameters."""
        spec, where = self.entries[label].spec, "strategies"
        for key, value in swept.items():
            name, parameter = sweep_target(key)
            if name == label:
                spec, where = spec.with_parameter(parameter, value), f"sweep.{key}"
        mark = _mark(spec)
        if mark not in self._told:
            self._load(spec, where)
            self._told[mark] = [spec.told(), _file_digests(catalog.strategy_sources(spec, self.game.id, self.base))]
        return Entry(label, spec)

    def _rules_with(self, changes: Mapping[str, Any]) -> Any:
        """The validated rules of a cell, each built once."""
        mark = canonical_json(changes)
        if mark not in self._rules:
            self._rules[mark] = rules_with(self.game, changes, self.path)
        return self._rules[mark]

    def _made_of(self, players: int, rules: Any, line_up: Sequence[Entry]) -> dict[str, Any]:
        """STUB."""
        is_library = self.game_file.source == catalog.LIBRARY
        made = {
            "tape version": TAPE_VERSION,
            "game": self.game.id,
            "rules version": self.game.rules_version,
            "players": players,
            "seed": self.experiment.seed,
            "measures": digest(list(self.experiment.measures))[:16],
        }
        dump = rules.model_dump(mode="json") if hasattr(rules, "model_dump") else vars(rules)
        made |= {f"rules.{k}": digest(v)[:16] for k, v in dump.items()}
        for entry in line_up:
            told, files = self._told[_mark(entry.spec)]
            made[f"strategy {entry.label}"] = digest(told)[:16]
            made |= {f"file {f} of strategy {entry.label}": d[:16] for f, d in files}
        if not is_library:
            made |= {
                f"file {f} of the game": d[:16] for f, d in _file_digests(catalog.with_imports(self.game_file.path))
            }
        return made | {"line-up": digest([entry.label for entry in line_up])[:16]}


def _mark(spec: StrategySpec) -> str:
    """The spec as text."""
    return canonical_json(spec.model_dump(mode="json"))


def _file_digests(files: Iterable[Path]) -> list[list[str]]:
    """Names and hashes, the same on every machine."""
    return sorted([file.name, file_digest(file)] for file in files)


def _settings(axes: Sequence[Axis]) -> Iterator[dict[str, Any]]:
    """Every point of the grid: key -> value."""
    joined = [keys for keys, _ in axes]
    for rows in itertools.product(*(rows for _, rows in axes)):
        yield {key: value for keys, row in zip(joined, rows, strict=True) for key, value in zip(keys, row, strict=True)}
