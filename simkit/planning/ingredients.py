"""What a cell's rows are made of, ingredient by ingredient: two cells with equal ingredients have equal rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from simkit import catalog
from simkit.experiment import Experiment
from simkit.game import Game
from simkit.planning.digests import canonical_json, digest, file_digest
from simkit.planning.strategy_spec import StrategySpec
from simkit.tape import TAPE_VERSION

SHORT = 15
"""Values of at most so many characters stand as they are, longer ones by 16 hex digits of their digest."""

Parts = dict[str, str | int]


class Ingredients:
    """The ingredients of an experiment's cells; what cells share is looked up once."""

    def __init__(self, experiment: Experiment, game: Game, base: Path) -> None:
        self._game_id, self._base = game.id, base
        self._values: dict[tuple[str, str], str] = {}
        self._files: dict[str, Parts] = {}
        self._always: Parts = {
            "tape version": TAPE_VERSION,
            "game": game.id,
            "rules version": game.rules_version,
            "seed": experiment.seed,
            "measures": brief(list(experiment.measures)),
        }
        self._always |= game_files(game.id, base)

    def of(self, players: int, rules: Parts, line_up: Sequence[str], strategies: Iterable[Parts]) -> Parts:
        """All ingredients of a cell by name.

        Parameters
        ----------
        players
            People.
        rules, strategies
            What `of_rules` and `of_strategy` say.
        line_up
            Labels in the order in which they sit.
        """
        parts = self._always | {"players": players, "line-up": brief(list(line_up))} | rules
        for strategy in strategies:
            parts |= strategy
        return parts

    def of_rules(self, rules: Any) -> Parts:
        """Each rule's value."""
        values = rules.model_dump(mode="json") if hasattr(rules, "model_dump") else vars(rules)
        return {f"rules.{name}": self._value(name, value) for name, value in values.items()}

    def _value(self, name: str, value: Any) -> str:
        """A rule's value in brief."""
        mark = name, repr(value)
        if mark not in self._values:
            self._values[mark] = brief(value)
        return self._values[mark]

    def of_strategy(self, label: str, spec: StrategySpec) -> Parts:
        """A strategy as it is told, and the files that it consists of."""
        names = f"{label} {_names(spec)}"
        if names not in self._files:
            self._files[names] = strategy_files(label, spec, self._game_id, self._base)
        return {f"strategy {label}": brief(spec.told())} | self._files[names]


def game_files(game_id: str, base: Path) -> Parts:
    """The digests of a game's files; for a game of the library its version stands."""
    place = catalog.game_source(game_id, base)
    return {} if place.source == catalog.LIBRARY else _files(catalog.with_imports(place.path), "the game")


def strategy_files(label: str, spec: StrategySpec, game_id: str, base: Path) -> Parts:
    """The digests of the files that a strategy consists of."""
    return _files(catalog.strategy_sources(spec, game_id, base), f"strategy {label}")


def brief(value: Any) -> str:
    """A value as JSON if that is short, else 16 hex digits.

    >>> brief(4), brief("spread"), len(brief([[0, 2, 4], [1, 3, 4]]))
    ('4', '"spread"', 16)
    """
    text = canonical_json(value)
    return text if len(text) <= SHORT else digest(value)[:16]


def _names(spec: StrategySpec) -> list[Any]:
    """The names of a strategy and of all that it wraps."""
    return [spec.name, *map(_names, spec.of)]


def _files(files: Iterable[Path], owner: str) -> Parts:
    """The digest of each file by name, the same on every machine; files of one name count together."""
    by_name: dict[str, list[str]] = {}
    for file in files:
        by_name.setdefault(file.name, []).append(file_digest(file))
    return {
        f"file {name} of {owner}": (found[0] if len(found) == 1 else digest(sorted(found)))[:16]
        for name, found in sorted(by_name.items())
    }
