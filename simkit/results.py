"""Rows and counts of one chunk, in memory: columns in deal order, filled in as games end."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.game import UNFINISHED, Column, Game, Outcome

GROUPS = 64
"""Tallies are kept by deal mod 64: the spread of these groups gives every ratio its interval."""

WIN = 60
"""A whole win in `seats.win`: a share of 1/k is an integer for up to six winners."""

Array = npt.NDArray[Any]


def games_columns(game: Game) -> tuple[Column, ...]:
    """The columns of `games` after the keys."""
    verdict = (
        (Column("won", "bool", "", "the table won"),)
        if game.cooperative
        else (
            Column("winners", "uint8", "bit mask of seats", "who won; several share the win"),
            Column("decided_by_tiebreak", "bool", "", "equal best scores were told apart by the tie-break"),
        )
    )
    return (
        *verdict,
        Column("n_turns", "uint16", "turns", "turns played, all seats together"),
        Column("end_cause", "uint8", "", "why the game ended", labels=game.all_end_causes),
        *game.columns,
    )


def seats_columns(game: Game) -> tuple[Column, ...]:
    """The columns of `seats` after the keys, `seat` and `label`."""
    if game.cooperative or game.score is None:
        return game.seat_columns
    return (
        game.score,
        Column("rank", "uint8", "", "1 + the number of seats that did better"),
        Column("win", "uint8", "sixtieths", "the seat's share of the win"),
        *game.seat_columns,
    )


class Results:
    """Rows and counts of `n` games of one cell and rotation.

    Attributes
    ----------
    games : dict of (n,)
        By column of `games_columns`.
    seats : dict of (seats, n)
        By column of `seats_columns`.
    counts : dict of int64 (*key sizes, 65)
        By tally; the last axis is deal mod 64, and one more place for games that are over.
    """

    def __init__(self, game: Game, rules: Any, seats: int, n: int) -> None:
        self.game, self.n_seats, self.n = game, seats, n
        self._ended: list[tuple[npt.NDArray[np.intp], dict[str, Any], dict[str, Any]]] = []
        self.games: dict[str, Array] = {c.name: np.zeros(n, c.dtype) for c in games_columns(game)}
        self.seats: dict[str, Array] = {c.name: np.zeros((seats, n), c.dtype) for c in seats_columns(game)}
        self.counts: dict[str, npt.NDArray[np.int64]] = {
            tally.name: np.zeros((*(key.size_for(rules, seats) for key in tally.keys), GROUPS + 1), np.int64)
            for tally in game.tallies
        }
        self.keys = {tally.name: tuple(key.name for key in tally.keys) for tally in game.tallies}

    def tallies(self) -> dict[str, npt.NDArray[np.int64]]:
        """The counts of games in play, int64 (*key sizes, 64)."""
        return {name: counts[..., :GROUPS] for name, counts in self.counts.items()}

    def record(
        self,
        rows: npt.NDArray[np.intp],
        n_turns: int,
        cause: str,
        outcome: Outcome,
        winners: int | npt.NDArray[np.bool_] | None,
        won: bool | Array,
    ) -> None:
        """Keep what there is to say of games that have ended, (k,) places in deal order, until `settle` writes it."""
        games: dict[str, Array | int] = {
            "n_turns": n_turns,
            "end_cause": self.game.all_end_causes.index(cause),
            **outcome.games,
        }
        seats = dict(outcome.seats)
        if self.game.cooperative:
            games["won"] = won
        elif outcome.score is None or self.game.score is None:
            raise RuntimeError(f"{self.game.id}: the outcome of a rival game needs scores")
        else:
            is_winner, games["decided_by_tiebreak"] = _winners(outcome.score, outcome.tiebreak, winners)
            if cause == UNFINISHED:
                is_winner, games["decided_by_tiebreak"] = np.zeros(outcome.score.shape, bool), False
            ranks = _ranks(outcome.score, outcome.tiebreak, is_winner)
            seats |= {self.game.score.name: outcome.score, "win": is_winner, "rank": ranks}
        self._ended.append((rows, games, seats))

    def settle(self) -> None:
        """Write the rows of all games that have ended since the last time: few large writes, not many small ones."""
        if not self._ended:
            return
        rows = np.concatenate([rows for rows, _, _ in self._ended])
        span, order = _in_order(rows)
        for name, column in self.games.items():
            if name != "winners":
                column[span] = self._joined([games[name] for _, games, _ in self._ended]).take(order)
        for name, column in self.seats.items():
            values = self._joined([seats[name] for _, _, seats in self._ended])
            if name == "win" and not self.game.cooperative:
                self.games["winners"][span] = _bits(values).take(order)
                values = values * _SHARES.take(_count(values))
            for seat in range(self.n_seats):
                column[seat, span] = values[..., seat, :].take(order) if values.ndim == 2 else values.take(order)
        self._ended = []

    def _joined(self, values: list[Array | int]) -> Array:
        """One array of a measure of all ended games, (n,) or (seats, n), from arrays or one number for each group."""
        if any(isinstance(value, np.ndarray) for value in values):
            sizes = [len(rows) for rows, _, _ in self._ended]
            shape = next(value.shape[:-1] for value in values if isinstance(value, np.ndarray))
            pairs = zip(values, sizes, strict=True)
            return np.concatenate(
                [v if isinstance(v, np.ndarray) else np.full((*shape, n), v) for v, n in pairs], axis=-1
            )
        return np.repeat(np.array(values), [len(rows) for rows, _, _ in self._ended])


def _count(masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """How many of the masks (seats, n) hold, (n,)."""
    total = masks[0].astype(np.uint8)
    for mask in masks[1:]:
        total += mask
    return total


def _bits(masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Masks (seats, n) as bits, seat 0 lowest, (n,)."""
    bits = masks[0].astype(np.uint8)
    for seat, mask in enumerate(masks[1:], start=1):
        bits += mask * np.uint8(1 << seat)
    return bits


def _in_order(rows: npt.NDArray[np.intp]) -> tuple[slice | npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Where rows go, in rising order, and which of them goes there: columns are then read and written in order."""
    first, last = int(rows.min()), int(rows.max())
    if last - first + 1 > len(rows):
        order = rows.argsort()
        return rows.take(order), order
    order = np.empty(len(rows), np.intp)  # a whole batch: no sorting needed
    order[rows - first] = np.arange(len(rows))
    return slice(first, last + 1), order


_SHARES = np.array([0, *(WIN // k for k in range(1, 7))], np.uint8)


def _winners(
    score: Array, tiebreak: Array | None, winners: int | npt.NDArray[np.bool_] | None
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_] | bool]:
    """Who won, bool (seats, k): as told, or the best score (then tie-break); and where the tie-break decided it."""
    if isinstance(winners, int):
        alone = np.zeros(score.shape, bool)
        alone[winners] = True
        return alone, False
    if winners is not None:
        return winners, False
    best = score == score.max(axis=0)
    if tiebreak is None:
        return best, False
    top = np.where(best, tiebreak.astype(np.int64), np.iinfo(np.int64).min)
    ahead = best & (top == top.max(axis=0))
    return ahead, np.count_nonzero(ahead, axis=0) < np.count_nonzero(best, axis=0)


def _ranks(score: Array, tiebreak: Array | None, winners: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """1 + the number of seats that did better: winners first, then score, then tie-break; uint8 (seats, k)."""
    if tiebreak is None and score.dtype == np.uint8:
        merit = score + winners.astype(np.uint16) * np.uint16(256)
        return np.stack([_count(merit > mine) for mine in merit]) + np.uint8(1)
    better = score[:, None] > score
    if tiebreak is not None:
        better |= (score[:, None] == score) & (tiebreak[:, None] > tiebreak)
    better = (winners[:, None] > winners) | ((winners[:, None] == winners) & better)
    return np.count_nonzero(better, axis=0).astype(np.uint8) + np.uint8(1)
