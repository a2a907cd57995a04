"""Many tables of Tentacle Town laid out alike by hand, and seats that do as they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town import GAME, play_attack
from simkit.results import Results
from simkit.strategy import Strategy
from simkit.table import Table
from simkit.tape import Tape
from simkit.view import View

SKULL, ARROW = 0, 1


def rules_with(**changes: Any) -> Any:
    """Tentacle Town's rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))


@dataclass(frozen=True)
class Told(Strategy):
    """Orders results, defends, and otherwise takes the option named or the last one that is legal."""

    order: str = "kill-first"
    defend: str = "never"
    district: int = 0
    work: int = 2

    def choose(self, view: View) -> npt.NDArray[np.uint8]:
        """The same in every game."""
        liking = np.arange(len(view.options))
        if view.decision == "die":
            liking = np.array([9, 8, 7, 6] if self.order == "kill-first" else [8, 9, 7, 6])
        elif view.decision == "defend_building":
            liking = np.array([0, 1 if self.defend in ("buildings", "all") else -1])
        elif view.decision == "defend_resident":
            liking = np.array([0, 1 if self.defend == "all" else -1])
        elif view.decision in ("district", "work"):
            liking = np.arange(len(view.options)) == getattr(self, view.decision)
        elif view.decision == "overtime":
            liking = -liking
        return np.where(view.legal, liking[:, None] + 10, 0).argmax(axis=0).astype(np.uint8)


def table_of(rules: Any, strategy: Strategy, seats: int, n: int, seed: int) -> Table:
    """So many games after setup, all but the goods cleared from the board."""
    deals = np.arange(n, dtype=np.uint64)
    table = Table(GAME, rules, [strategy] * seats, Tape(seed), deals, Results(GAME, rules, seats, n))
    GAME.setup(table)
    table.state.buildings[:] = 0
    table.state.free[:] = np.array(rules.rows_for(seats), np.uint8)[:, None]
    return table


def tentacles_at(table: Table, area: int, number: int) -> None:
    """Tentacles in one area, the rest in the supply."""
    table.state.tentacles[area] = number
    table.state.tentacles_left[:] = table.rules.tentacles - number


def attacks(
    n: int,
    seed: int,
    dice: int,
    residents: int = 8,
    rows: Sequence[int] = (3, 3),
    harpoons: int = 0,
    order: str = "kill-first",
    defend: str = "never",
    owners: str = "other",
    seats: int = 3,
    district: int = 0,
    **changes: Any,
) -> npt.NDArray[np.int64]:
    """What attacks by the production code come to: killed, fled, destroyed, added, removed; (n, 5)."""
    rules = rules_with(**changes)
    table = table_of(rules, Told(order, defend), seats, n, seed)
    state, owner = table.state, 0 if owners == "same" else seats - 1
    state.district[:] = district
    state.residents[district] = residents
    state.supply[:] = rules.residents - residents
    for row, number in enumerate(rows):
        state.buildings[owner, district, row] = number
        state.free[district, row] -= np.uint8(number)
    state.harpoons[:] = harpoons
    tentacles_at(table, district, dice - 1)
    play_attack.tentacle_attack(table, 0)
    told = state.effects.astype(np.int64)
    _are_seen_on_the_board(table, told, dice, residents, sum(rows), district)
    return told.T


def _are_seen_on_the_board(
    table: Table, told: npt.NDArray[np.int64], dice: int, residents: int, buildings: int, district: int
) -> None:
    """The counters say what has become of residents, buildings, tentacles and harpoons."""
    state = table.state
    killed, fled, destroyed, added, removed = told
    assert (state.supply == table.rules.residents - residents + killed).all()
    assert (state.residents[district] == residents - killed - fled).all()
    assert (state.residents.sum(axis=0) == residents - killed).all()
    assert (state.buildings.sum(axis=(0, 1, 2)) == buildings - destroyed).all()
    assert (state.tentacles[district].astype(int) == dice + added - removed).all()
    assert (state.food.sum(axis=0) == removed).all()
    assert (state.fame.sum(axis=0) == removed).all()
    assert (state.n_saved == removed).all()
    assert (state.dice == 0).all()


def hunts(
    n: int, seed: int, harpoons: int, tentacles: int, residents: int, area: int = 2, **changes: Any
) -> npt.NDArray[np.int64]:
    """Hunts of turns by the production code: harpoons thrown, hits rolled, tentacles killed; (n, 3)."""
    rules = rules_with(die=[0, 0, 0, 0, 1], **changes)
    table = table_of(rules, Told(), 2, n, seed)
    state = table.state
    state.residents[0] = residents - 1  # another one is recruited
    state.supply[:] = rules.residents - residents + 1
    state.harpoons[:] = harpoons
    tentacles_at(table, area, tentacles)
    GAME.turn(table, 0)
    killed = tentacles - (state.tentacles[area].astype(np.int64) - (area == 0))  # one came to the docks
    assert (state.harpoons[0] == harpoons - state.n_fired[0]).all()
    assert (state.food[0] == killed).all()
    assert (state.from_hunting[0] == killed).all()
    return np.stack([state.n_fired[0], state.n_hit[0], killed], axis=1).astype(np.int64)
