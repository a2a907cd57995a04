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
from simkit.errors import UserError
from simkit.experiment import Experiment, StrategySpec, refusal
from simkit.game import Game
from simkit.names import shown, unknown
from simkit.planning.assumptions import ASSUMPTIONS, clash, open_alternatives
from simkit.planning.design_points import design_points
from simkit.planning.digests import canonical_json, digest
from simkit.planning.ingredients import Ingredients, Parts
from simkit.planning.line_ups import (
    Labels,
    count_necklaces,
    count_round_robin,
    mirrors,
    n_rotations,
    necklaces,
    round_robin,
    smallest_shift,
)
from simkit.planning.settings import check_options, check_rule_name, rules_with, with_wrapped
from simkit.planning.sweep import sweep_target

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
    made_of
        All that can change the cell's rows, by name; long values and files by 16 hex digits of their digest.
    digest
        Of `made_of`.
    """

    id: str
    key: dict[str, Any]
    players: int
    seats: int
    rules: dict[str, Any]
    line_up: tuple[Entry, ...]
    rotations: int
    n_deals: int
    made_of: Parts
    digest: str

    def seating(self, rotation: int) -> tuple[Entry, ...]:
        """Who sits where, seat 0 first."""
        return tuple(self.line_up[(seat + rotation) % self.seats] for seat in range(self.seats))


@dataclass(frozen=True)
class Setting:
    """What some cells have in common: the values that a sweep or a listed cell sets.

    Attributes
    ----------
    values
        By key, `rules.X` or `strategies.LABEL.PARAM`.
    where
        The table of the experiment's file that sets them.
    players
        In place of the experiment's player counts.
    assumption
        The rule whose alternative is tried, in a sweep over assumptions.
    """

    values: Mapping[str, Any]
    where: str = "sweep"
    players: int | None = None
    assumption: str = ""


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
        self.ingredients = Ingredients(experiment, self.game, base)
        self.varied = experiment.varied
        self.targets = {key: sweep_target(key) for key in self.varied if key.startswith("strategies.")}
        self.entries: dict[str, Entry] = {}
        self._known: catalog.Known = {}
        for place, spec in enumerate(experiment.strategies):
            self._enter(spec, f"strategies[{place}]")
        self.listed = self._listed_line_ups()
        self._check_varied()
        self._rules: dict[str, tuple[Any, Parts]] = {}
        self._seated: dict[str, tuple[Entry, Parts]] = {}

    def cells(self) -> tuple[Cell, ...]:
        """Every cell, each once: players, then settings, then line-ups."""
        alternatives = self._alternatives()
        counts = self._player_counts()
        line_ups = {players: self._line_ups(self.game.seats_for(players)) for players in counts}
        n_cells = sum(line_ups[players][0] * self._count_settings(players, alternatives) for players in counts)
        if n_cells > MAX_CELLS:
            problem = f"players x settings x line-ups must make at most {MAX_CELLS:,} cells; found {n_cells:,}"
            raise refusal(self.path, self._table or "line_ups", f"{problem}; leave some out")
        found: dict[tuple[Labels, str], Cell] = {}
        settings = list(self._settings(alternatives))
        for players in counts:
            orders = list(dict.fromkeys(map(smallest_shift, line_ups[players][1])))
            fitting = [setting for setting in settings if players in self._players_of(setting.players)]
            for setting, labels in itertools.product(fitting, orders):
                cell = self._cell(players, setting, labels)
                found.setdefault((labels, cell.digest), cell)
        return tuple(found.values())

    def sources(self) -> dict[str, str]:
        """Names that are not the library's, and where they come from."""
        found = {f"game {self.game.id}": catalog.game_source(self.game.id, self.base).source}
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
        if entry.label not in {label for label, _ in self.targets.values()}:  # a parameter may be missing as yet
            self._load(entry.spec, where)
        return entry.label

    def _from_base(self, spec: StrategySpec) -> StrategySpec:
        """The same, its path relative to the base: what is played does not depend on where the folder lies."""
        file, name = catalog.file_and_name(spec.name)
        changes: dict[str, Any] = {"of": tuple(map(self._from_base, spec.of))}
        if file:
            folder = self.path.resolve().parent if self.path else self.base
            changes["name"] = relative(folder / file, self.base) + (f":{name}" if name else "")
        return spec.model_copy(update=changes)

    def _load(self, spec: StrategySpec, where: str) -> None:
        """Make the strategy once, so that what cannot be played is refused now."""
        try:
            catalog.load_strategy(spec, self.game.id, self.base, self._known)
        except UserError as error:
            raise refusal(self.path, where, str(error)) from None

    @property
    def _table(self) -> str:
        """The table that varies something, if there is one."""
        return "cells" if self.experiment.cells else "" if self.experiment.sweep.is_empty else "sweep"

    def _check_varied(self) -> None:
        """Every key of [rules], of the sweep and of listed cells names a rule, or a strategy of the experiment."""
        for name in self.experiment.rules:
            check_rule_name(self.game, name, f"rules.{name}", self.path)
        for key, where in self.varied.items():
            if key.startswith("rules."):
                check_rule_name(self.game, key.removeprefix("rules."), where, self.path)
                continue
            label, parameter = self.targets[key]
            if label not in self.entries:
                raise refusal(self.path, where, unknown("label", label, self.entries))
            if parameter in ("name", "as", "of") or parameter in self.entries[label].spec.parameters:
                raise refusal(
                    self.path, where, f"must be a parameter that {shown(label)} does not set; found `{parameter}`"
                )

    def _players_of(self, own: int | None) -> tuple[int, ...]:
        """The player counts of a setting: its own, or the experiment's."""
        return (own,) if own is not None else self.experiment.players or self.game.players

    def _player_counts(self) -> tuple[int, ...]:
        """All player counts asked for."""
        asked = [(f"cells[{i}].players", cell.players) for i, cell in enumerate(self.experiment.cells or ())]
        for where, own in asked or [("players", None)]:
            for players in self._players_of(own):
                if players not in self.game.players:
                    allowed, where = ", ".join(map(str, self.game.players)), "players" if own is None else where
                    raise refusal(self.path, where, f"{self.game.title} must have {allowed} players; found {players}")
        every = {players for _, own in asked or [("", None)] for players in self._players_of(own)}
        order = dict.fromkeys((*self._players_of(None), *sorted(every)))
        return tuple(players for players in order if players in every)

    def _alternatives(self) -> list[tuple[str, Any]]:
        """The alternatives that a sweep over assumptions tries."""
        if not self.experiment.sweep.assumptions:
            return []
        taken = {*self.experiment.rules, *(key.removeprefix("rules.") for key in self.varied)}
        found = open_alternatives(self.game.components, taken)
        if not found:
            problem = f"{self.game.title} must have a component with alternatives that is not set here; found none"
            raise refusal(self.path, ASSUMPTIONS, f"{problem}; leave it out")
        return found

    def _count_settings(self, players: int, alternatives: Sequence[Any]) -> int:
        """How many settings are played by so many."""
        listed, sweep = self.experiment.cells, self.experiment.sweep
        if listed is not None:
            return sum(players in self._players_of(cell.players) for cell in listed)
        return sweep.n or math.prod(len(axis.rows) for axis in sweep.axes) * (1 + len(alternatives))

    def _settings(self, alternatives: Sequence[tuple[str, Any]]) -> Iterator[Setting]:
        """Every listed cell, point of the design, or point of the grid, there with each alternative beside it."""
        sweep = self.experiment.sweep
        if self.experiment.cells is not None:
            for place, cell in enumerate(self.experiment.cells):
                yield Setting(cell.settings, f"cells[{place}]", cell.players)
        elif sweep.design:
            points = design_points(sweep.axes, sweep.design, sweep.n or 1, self.experiment.seed)
            yield from map(Setting, points)
        else:
            for rows in itertools.product(*(axis.rows for axis in sweep.axes)):
                values = dict(zip(sweep.keys, itertools.chain(*rows), strict=True))
                yield Setting(values)
                for name, value in alternatives:
                    yield Setting(values | {f"rules.{name}": value}, assumption=name)

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

    def _cell(self, players: int, setting: Setting, labels: Labels) -> Cell:
        """One cell; values swept for strategies that do not take part are left out."""
        seats, rotations = self.game.seats_for(players), n_rotations(labels)
        swept = {k: v for k, v in setting.values.items() if k in self.targets and self.targets[k][0] in labels}
        set_here = {key.removeprefix("rules."): v for key, v in setting.values.items() if key.startswith("rules.")}
        changes = dict(self.experiment.rules) | set_here
        rules, rule_parts = self._rules_with(changes, setting)
        found = {label: self._entry(label, swept, setting.where) for label in labels}
        for entry, _ in found.values():
            check_options(self.game, entry.spec, entry.label, rules, seats, self.path)
        key = {"players": players, "rules": changes, "line_up": list(labels), "swept": swept}
        made_of = self.ingredients.of(players, rule_parts, labels, (parts for _, parts in found.values()))
        return Cell(
            id=digest(key)[:12],
            key=key,
            players=players,
            seats=seats,
            rules=changes,
            line_up=tuple(found[label][0] for label in labels),
            rotations=rotations,
            n_deals=-(-self.experiment.games // rotations),
            made_of=made_of,
            digest=digest(made_of),
        )

    def _entry(self, label: str, swept: Mapping[str, Any], where: str) -> tuple[Entry, Parts]:
        """A strategy with its parameters in a cell, and what it is made of; each set of parameters once."""
        own = {self.targets[key][1]: value for key, value in swept.items() if self.targets[key][0] == label}
        mark = f"{label} {own}"
        if mark not in self._seated:
            spec = self.entries[label].spec
            for parameter, value in own.items():
                spec = spec.with_parameter(parameter, value)
            self._load(spec, f"{where}.strategies.{label}.{next(reversed(own))}" if own else "strategies")
            self._seated[mark] = Entry(label, spec), self.ingredients.of_strategy(label, spec)
        return self._seated[mark]

    def _rules_with(self, changes: Mapping[str, Any], setting: Setting) -> tuple[Any, Parts]:
        """The validated rules of a cell and their ingredients, each built once."""
        mark = canonical_json(changes)
        if mark not in self._rules:
            places = {key.removeprefix("rules."): f"{setting.where}.{key}" for key in setting.values}
            try:
                rules = rules_with(self.game, changes, self.path, places | {"": self._table or "rules"})
            except UserError:
                if setting.assumption:
                    raise clash(self.game, setting.assumption, changes, self.path) from None
                raise
            self._rules[mark] = rules, self.ingredients.of_rules(rules)
        return self._rules[mark]


def relative(file: Path, folder: Path) -> str:
    """A file as it is found from a folder; on another drive than the folder, as it is."""
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:
        return file.as_posix()
