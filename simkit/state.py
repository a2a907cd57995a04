"""The state of many games in step: declared arrays with the game axis last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

Games = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Field:
    """One declared array of a state.

    Parameters
    ----------
    name, dtype
        Attribute of the state; the smallest type that holds it.
    shape
        What comes before the game axis: () for one value a game, (seats,), (seats, 2) ...
    unit, meaning
        For readers: the unit, and how values are encoded.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    unit: str
    meaning: str


class Gathered(Protocol):
    """Anything beside arrays that a state may hold: it knows how to keep a subset of the games."""

    def take(self, games: Games) -> Any:
        """Keep only these games."""


class State:
    """Arrays of zeros as declared, and other parts (a deck, a history), all by attribute.

    What is the same in all games of a batch (whose hand is up) may be kept as a plain attribute beside them.

    Parameters
    ----------
    fields
        The declaration.
    n
        Games in step.
    """

    def __init__(self, fields: Sequence[Field], n: int) -> None:
        self.fields = tuple(fields)
        self.parts: list[Gathered] = []
        for field in self.fields:
            setattr(self, field.name, np.zeros((*field.shape, n), field.dtype))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def add(self, name: str, part: Gathered) -> None:
        """Let a part belong to the games."""
        self.parts.append(part)
        setattr(self, name, part)

    def take(self, games: Games) -> None:
        """Keep only these games, in this order."""
        for field in self.fields:
            setattr(self, field.name, getattr(self, field.name).take(games, axis=-1))
        for part in self.parts:
            part.take(games)


def add(array: npt.NDArray[Any], places: Games, amount: Any = 1, how: np.ufunc = np.add) -> None:
    """Add to (or subtract from) a few places, all different, of the flat memory of a state's array."""
    flat = array.reshape(-1)
    values = flat.take(places)
    how(values, amount, out=values)
    flat[places] = values
