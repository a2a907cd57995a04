"""The cells of a run, named by what tells them apart and put in order: players, then settings, then line-ups."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simkit.report.words import players_name, spelled

Names = Mapping[str, Mapping[Any, str] | Callable[[Any], str]]
"""What a report calls a value of a rule: {"rules.expert": {True: "the Expert variant"}}, or a function that gives each
value a name of its own; tables drop the article."""

Setting = tuple[tuple[str, Any], ...]

MOST_VALUES = 3
"""That a sentence can bear: a setting of more defaults than these is called so."""
THE_DEFAULTS = "the default rules"


@dataclass(frozen=True)
class Cell:
    """A cell of a run and what the report calls it.

    Parameters
    ----------
    info
        The run's own description (`CellInfo`).
    setting
        The rules and swept parameters in which the run's cells differ, and this cell's values.
    setting_name, line_up_name
        In words; an empty setting name where all cells are played alike.
    spoken
        The setting's name in a sentence, with its article if it has one.
    is_base
        Its setting is the one that others are compared with.
    """

    info: Any
    setting: Setting
    setting_name: str
    line_up_name: str
    spoken: str
    is_base: bool

    @property
    def id(self) -> str:
        """The run's id of the cell."""
        return str(self.info.id)

    @property
    def players_name(self) -> str:
        """How many play."""
        return players_name(self.info.players)

    @property
    def labels(self) -> tuple[str, ...]:
        """Of the line-up, in cyclic order."""
        return tuple(self.info.labels)

    @property
    def is_mirror(self) -> bool:
        """One strategy in every seat."""
        return len(set(self.labels)) == 1

    @property
    def n_games(self) -> int:
        """Games played."""
        return int(self.info.rotations * self.info.n_deals)

    @property
    def kin(self) -> tuple[int, tuple[str, ...]]:
        """Cells that share this differ in their setting only: the same deals under other rules."""
        return self.info.players, self.labels


def arrange(infos: Sequence[Any], defaults: Mapping[str, Any], names: Names | None = None) -> list[Cell]:
    """Name and sort a run's cells.

    Parameters
    ----------
    infos
        The run's cells.
    defaults
        The components' values.
    names
        What to call values of rules.
    """
    varying = _varying(infos, defaults)
    settings = [_setting(info, varying, defaults) for info in infos]
    kin: dict[Any, list[Setting]] = {}
    for info, setting in zip(infos, settings, strict=True):
        kin.setdefault((info.players, tuple(info.labels)), []).append(setting)
    cells = []
    for info, setting in zip(infos, settings, strict=True):
        base = nearest(kin[info.players, tuple(info.labels)], defaults)
        told = value_names(setting, base, names or {})
        told = [THE_DEFAULTS] if len(told) > MOST_VALUES and is_default(setting, defaults) else told
        name = ", ".join(value.removeprefix("the ") for value in told)
        cells.append(Cell(info, setting, name, line_up_name(info.labels), ", ".join(told), setting == base))
    line_ups = list(dict.fromkeys(cell.labels for cell in cells))
    ranks = _ranks(settings, nearest(settings, defaults))
    return sorted(cells, key=lambda c: (c.info.players, ranks[spelled(c.setting)], line_ups.index(c.labels)))


def _swept(info: Any) -> dict[str, Any]:
    """The swept strategy parameters of a cell."""
    return {key: value for key, value in info.key.get("swept", {}).items() if key.startswith("strategies.")}


def _varying(infos: Sequence[Any], defaults: Mapping[str, Any]) -> list[str]:
    """The rules and swept parameters in which cells differ."""
    rules = dict.fromkeys(name for info in infos for name in info.rules)
    differ = [r for r in rules if len({spelled(info.rules.get(r, defaults.get(r))) for info in infos}) > 1]
    swept = dict.fromkeys(key for info in infos for key in _swept(info))
    return [f"rules.{name}" for name in differ] + list(swept)


def _setting(info: Any, varying: Sequence[str], defaults: Mapping[str, Any]) -> Setting:
    """A cell's values of what varies; a parameter of a strategy that does not take part is left out."""
    swept, found = _swept(info), []
    for key in varying:
        rule = key.removeprefix("rules.")
        if key != rule:
            found.append((key, info.rules.get(rule, defaults.get(rule))))
        elif key in swept:
            found.append((key, swept[key]))
    return tuple(found)


def is_default(setting: Setting, defaults: Mapping[str, Any]) -> bool:
    """Whether these are the components' own values, and no strategy's parameter is swept."""
    return all(key.startswith("rules.") for key, _ in setting) and _n_changed(setting, defaults) == 0


def _n_changed(setting: Setting, defaults: Mapping[str, Any]) -> int:
    """How many rules differ from the components' own values."""
    rules = [(key.removeprefix("rules."), value) for key, value in setting if key.startswith("rules.")]
    return sum(spelled(value) != spelled(defaults.get(rule)) for rule, value in rules)


def nearest(settings: Sequence[Setting], defaults: Mapping[str, Any]) -> Setting:
    """The setting nearest to the game's defaults; the first of equals."""
    return min(settings, key=lambda setting: _n_changed(setting, defaults))


def _ranks(settings: Sequence[Setting], base: Setting) -> dict[str, int]:
    """The order of settings: numbers by size, all else as it first occurs; where it is no grid, few changes first."""
    seen: dict[str, list[Any]] = {}
    for setting in settings:
        for key, value in setting:
            if value not in seen.setdefault(key, []):
                seen[key].append(value)
    for values in seen.values():
        if all(isinstance(value, int | float) for value in values):
            values.sort()
    distinct = {spelled(setting): setting for setting in settings}
    is_grid = len(distinct) == math.prod(len(values) for values in seen.values())
    usual = dict(base)

    def place(name: str) -> tuple[Any, ...]:
        setting = distinct[name]
        values = [seen[key].index(value) for key, value in setting]
        changed = [i for i, (key, value) in enumerate(setting) if usual.get(key) != value]
        return (0, [], values) if is_grid else (len(changed), changed, values)

    return {name: rank for rank, name in enumerate(sorted(distinct, key=place))}


def value_names(setting: Setting, base: Setting, names: Names) -> list[str]:
    """The base in full, any other setting by what it changes.

    Examples
    --------
    >>> base = (("rules.sharks", 4), ("rules.rares", 4))
    >>> value_names(base, base, {}), value_names((("rules.sharks", 2), ("rules.rares", 4)), base, {})
    (['sharks = 4', 'rares = 4'], ['sharks = 2'])
    """
    usual = dict(base)
    told = [(key, value) for key, value in setting if setting == base or usual.get(key) != value]
    return [value_name(key, value, names) for key, value in told or setting]


def value_name(key: str, value: Any, names: Names) -> str:
    """One value of a rule or parameter, by the report's own name for it or as a config spells it."""
    known = names.get(key, {})
    if callable(known):
        return known(value)
    if isinstance(value, str | int | float | bool) and value in known:
        return known[value]
    return f"{key.removeprefix('rules.').removeprefix('strategies.')} = {spelled(value)}"


def line_up_name(labels: Sequence[str]) -> str:
    """
    >>> line_up_name(["a", "a"]), line_up_name(["a", "b", "b"]), line_up_name(["a", "b"])
    ('a in every seat', 'one a among b', 'a – b')
    """
    kinds = list(dict.fromkeys(labels))
    if len(kinds) == 1:
        return f"{kinds[0]} in every seat" if len(labels) > 1 else kinds[0]
    alone = [label for label in kinds if list(labels).count(label) == 1]
    if len(kinds) == 2 and len(alone) == 1:
        return f"one {alone[0]} among {next(k for k in kinds if k not in alone)}"
    return " – ".join(labels)
