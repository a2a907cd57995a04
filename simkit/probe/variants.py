"""What a game is probed with: every player count, with the rules as they are and with every switch turned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simkit.errors import UserError
from simkit.game import Game
from simkit.names import shown
from simkit.planning.settings import rules_with


@dataclass(frozen=True)
class Setting:
    """A number of players and the rules that are changed."""

    players: int
    changes: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """In words."""
        changed = ", ".join(f"{name} = {shown(value)}" for name, value in self.changes.items())
        return f"{self.players} player{'s' * (self.players != 1)}, {changed or 'rules as they are'}"

    def rules(self, game: Game) -> Any:
        """The rules."""
        return rules_with(game, self.changes)


def settings_of(game: Game) -> list[Setting]:
    """Every player count by every variant."""
    return [Setting(players, changes) for changes in variants(game) for players in game.players]


def variants(game: Game) -> list[dict[str, Any]]:
    """The rules as they are; every boolean turned over; every rule with a name for a value at its first alternative."""
    turned = {name: not part.value for name, part in game.components.items() if isinstance(part.value, bool)}
    others = {n: p.alternatives[0] for n, p in game.components.items() if isinstance(p.value, str) and p.alternatives}
    found: list[dict[str, Any]] = [{}]
    for changes in (turned, turned | others):
        fitting = _fitting(game, changes)
        if fitting not in found:
            found.append(fitting)
    return found


def _fitting(game: Game, changes: dict[str, Any]) -> dict[str, Any]:
    """Those of the changes that the rules take together, the first ones first."""
    kept: dict[str, Any] = {}
    for name, value in changes.items():
        try:
            rules_with(game, kept | {name: value})
        except UserError:
            continue
        kept[name] = value
    return kept
