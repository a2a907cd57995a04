"""A table that asks every question twice: as it is, and with all that the seat cannot know changed."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.table import Table


class LeakTable(Table):
    """Collects the decisions in which a strategy's choice, or its luck, depended on something hidden."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.leaks: list[tuple[str, int]] = []
        self.n_compared = self.n_changed = 0
        self.shuffler = np.random.default_rng(5)

    def ask(
        self, decision: str, seat: int | npt.NDArray[Any], *, games: Any = None, legal: Any = None, **offer: Any
    ) -> npt.NDArray[np.uint8]:
        """The real answer; the answer of a shadow is compared with it."""
        if not isinstance(seat, int):
            return super().ask(decision, seat, games=games, legal=legal, **offer)
        shadow = copy.deepcopy(
            self, {id(self.strategies): self.strategies, id(self.game): self.game, id(self.rules): self.rules}
        )
        shadow.game.hidden(shadow, seat, self.shuffler)
        self.n_changed += sum(
            not np.array_equal(getattr(shadow.state, f.name), getattr(self.state, f.name)) for f in self.state.fields
        )
        offered = {name: value.copy() for name, value in offer.items()}
        view = self.game.view(shadow, decision, seat, games, None if legal is None else legal.copy(), **offered)
        guess = self.strategies[seat].choose(view)
        choice = super().ask(decision, seat, games=games, legal=legal, **offer)
        asked = self.live if games is None else np.ones(len(games), bool)
        self.n_compared += int(np.count_nonzero(asked))
        self.leaks += [(decision, int(column)) for column in ((guess != choice) & asked).nonzero()[0]]
        return choice
