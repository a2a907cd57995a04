"""simkit plays millions of tabletop games with scripted strategies and tells a designer what the games say."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simkit.api import open_run, pictures, run, tables
    from simkit.errors import StrategyError, UserError
    from simkit.experiment import Experiment
    from simkit.store import Run
    from simkit.strategy import PerGame, Strategy

__version__ = "0.1.0"

__all__ = [
    "Experiment",
    "PerGame",
    "Run",
    "Strategy",
    "StrategyError",
    "UserError",
    "__version__",
    "open_run",
    "pictures",
    "run",
    "tables",
]

_PLACES = {
    "api": ("open_run", "pictures", "run", "tables"),
    "errors": ("StrategyError", "UserError"),
    "experiment": ("Experiment",),
    "store": ("Run",),
    "strategy": ("PerGame", "Strategy"),
}


def __getattr__(name: str) -> Any:
    """What the package offers, each loaded when it is first asked for: `import simkit` alone costs nothing."""
    for module, names in _PLACES.items():
        if name in names:
            return getattr(importlib.import_module(f"simkit.{module}"), name)
    raise AttributeError(f"module `simkit` has no attribute `{name}`")


def __dir__() -> list[str]:
    """What is offered, loaded or not."""
    return sorted({*globals(), *__all__})
