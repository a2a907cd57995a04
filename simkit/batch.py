"""Lockstep play: many games in step, the finished ones dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simkit.errors import UserError, foreign_fault
from simkit.game import UNFINISHED, Game
from simkit.results import Results
from simkit.strategy import Strategy
from simkit.table import Observer, Table
from simkit.tape import Tape, check_deals

KEEP = 0.75
"""A batch is thinned to its live games when fewer than this share are alive [share]: the optimum is flat."""


def play(
    game: Game,
    rules: Any,
    strategies: Sequence[Strategy],
    seed: int,
    first_deal: int,
    n_deals: int,
    observer: Observer | None = None,
    width: int | None = None,
) -> Results:
    """Play deals first_deal .. first_deal + n_deals - 1, one game each.

    Parameters
    ----------
    game, rules
        What is played; the rules include the player count's consequences.
    strategies
        One per seat, seat 0 first.
    seed
        Of the tape.
    first_deal, n_deals
        Which deals.
    observer
        Watches play (a trace), or None.
    width
        Games in step; the game's own choice if left out. Results do not depend on it.

    Returns
    -------
    Results
        Rows in deal order, and counts.

    Raises
    ------
    UserError
        If a strategy breaks its contract, or code fails that is not simkit's; the message names its line.
    """
    check_deals(first_deal, n_deals)
    tape, width = Tape(seed), width or game.width
    try:
        results = Results(game, rules, len(strategies), n_deals)
        for start in range(0, n_deals, width):
            deals = np.arange(first_deal + start, first_deal + min(start + width, n_deals), dtype=np.uint64)
            play_batch(Table(game, rules, strategies, tape, deals, results, start, observer))
            results.settle()
    except UserError:
        raise
    except BaseException as error:
        fault = foreign_fault(error)
        if fault is None:
            raise
        raise fault from error
    return results


def play_batch(table: Table) -> None:
    """Play a table's games to their ends."""
    table.game.setup(table)
    for turn in range(table.rules.max_rounds * table.seats):
        table.turn = turn
        table.game.turn(table, turn % table.seats)
        if table.n_live == 0:
            return
        if table.n_live < KEEP * table.n:
            table.take(table.live.nonzero()[0])
    table.finish(table.live.nonzero()[0], UNFINISHED)
