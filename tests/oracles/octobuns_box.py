"""Octobuns' rules with some of them changed, for the oracles."""

from typing import Any

from simkit.games.octobuns import GAME


def rules_with(**changes: Any) -> Any:
    """Octobuns' rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))
