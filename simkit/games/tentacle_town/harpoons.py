"""Tentacle Town: what tasks, hunts and defence have in common: goods change hands, harpoons are fired."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tentacle_town.rules import Goods
from simkit.games.tentacle_town.state import REMOVED
from simkit.state import add
from simkit.table import Table

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

PURPOSES = ("hunt", "defend a building", "defend a resident")
HUNTING, FOR_BUILDING, FOR_RESIDENT = range(3)


def fire(table: Table, seat: int, by: int | Games, games: Games, purpose: int, area: npt.NDArray[Any]) -> Mask:
    """Firing Harpoons: a hit kills a tentacle of the area, which pays the shooter; a tentacle less to attack.

    Parameters
    ----------
    seat
        Whose turn it is.
    by : int or intp (k,)
        Who fires.
    games : intp (k,)
    purpose
        One of `PURPOSES`.
    area : (k,)
        Where. In a volley there may be no tentacle left: such a hit has no effect.

    Returns
    -------
    bool (k,)
        Hits.
    """
    state, rules = table.state, table.rules
    shooter = by * table.n + games
    add(state.harpoons, shooter, how=np.subtract)
    add(state.n_fired, shooter)
    hit = table.draw("harpoons", rules.hit_chance.denominator, games) < rules.hit_chance.numerator
    table.tally("harpoons", games, seat=by, purpose=purpose, hit=hit.view(np.uint8))
    pay = rules.hunt_tentacles.gain if purpose == HUNTING else rules.defence_pays
    place = area.astype(np.intp) * table.n + games
    add(state.n_hit, shooter, hit)
    killed = (hit & (state.tentacles.reshape(-1).take(place) != 0)).nonzero()[0]
    if len(killed):
        shooter, victims = shooter.take(killed), games.take(killed)
        add(state.tentacles, place.take(killed), how=np.subtract)
        add(state.tentacles_left, victims)
        source = state.from_hunting if purpose == HUNTING else state.from_defence
        add(source, shooter, gain(table, shooter, victims, pay))
        if purpose != HUNTING:
            add(state.effects[REMOVED], victims)
    table.note("shot", seat, games, purpose=purpose, hit=hit, by=np.broadcast_to(by, games.shape))
    return hit


def gain(table: Table, places: Games, games: Games, goods: Goods) -> npt.NDArray[np.uint16] | np.uint16:
    """Give goods to seats, at flat places seat * n + game; how much fame it was, (k,) or the same for all."""
    fame: npt.NDArray[np.uint16] | np.uint16 = np.uint16(0)
    for good, amount in goods.some:
        array = getattr(table.state, good)
        given: Any = np.uint16(amount)
        if table.rules.token_limit and good != "harpoons":
            given = np.minimum(given, tokens_left(table, array.take(games, axis=1)))
        add(array, places, given)
        fame = given if good == "fame" else fame
    return fame


def tokens_left(table: Table, held: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    """Tokens of a good that nobody holds, from what the seats hold (seats, k), uint16 (k,)."""
    return np.maximum(table.rules.tokens - held.sum(axis=0, dtype=np.int32), 0).astype(np.uint16)
