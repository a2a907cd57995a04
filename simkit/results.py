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
        self.games: dict[str, Array] = {c.name: np.zeros(n, c.dtype) for c in games_columns(game)}
        self.seats: dict[str, Array] = {c.name: np.zeros((seats, n), c.dtype) for c in seats_columns(game)}
        self.counts: dict[str, npt.NDArray[np.int64]] = {
            tally.name: np.zeros((*(key.size_for(rules, seats) for key in tally.keys), GROUPS + 1), np.int64)
            for tally in game.tallies
        }

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
        """Write the rows of games that have ended: (k,) places in deal order, and what there is to say of them."""
        self.games["n_turns"][rows] = n_turns
        self.games["end_cause"][rows] = self.game.all_end_causes.index(cause)
        for name, values in outcome.games.items():
            self.games[name][rows] = values
        for name, values in outcome.seats.items():
            for seat in range(self.n_seats):
                self.seats[name][seat][rows] = values[seat] if isinstance(values, np.ndarray) else values
        if self.game.cooperative:
            self.games["won"][rows] = won
        else:
            self._record_rivals(rows, cause, outcome, winners)

    def _record_rivals(
        self, rows: npt.NDArray[np.intp], cause: str, outcome: Outcome, winners: int | npt.NDArray[np.bool_] | None
    ) -> None:
        """Scores, winners, shares and ranks."""
        score = outcome.score
        if score is None or self.game.score is None:
            raise RuntimeError(f"{self.game.id}: the outcome of a rival game needs scores")
        if winners is None:
            winners, decided = _best(score, outcome.tiebreak)
            self.games["decided_by_tiebreak"][rows] = decided
        elif isinstance(winners, int):
            winners = np.broadcast_to((np.arange(self.n_seats) == winners)[:, None], score.shape)
        if cause == UNFINISHED:
            winners = np.zeros(score.shape, bool)
        bits = winners.view(np.uint8) * (1 << np.arange(self.n_seats, dtype=np.uint8))[:, None]
        self.games["winners"][rows] = np.bitwise_or.reduce(bits, axis=0)
        share = _SHARES.take(np.count_nonzero(winners, axis=0))
        rank = _ranks(score, winners, outcome.tiebreak)
        for seat in range(self.n_seats):
            self.seats[self.game.score.name][seat][rows] = score[seat]
            self.seats["rank"][seat][rows] = rank[seat]
            self.seats["win"][seat][rows] = share * winners[seat]


_SHARES = np.array([0, *(WIN // k for k in range(1, 7))], np.uint8)


def _best(score: Array, tiebreak: Array | None) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """The seats with the best score (then tie-break), and whether the tie-break told some apart."""
    best = score == score.max(axis=0)
    if tiebreak is None:
        return best, np.zeros(score.shape[1], bool)
    wide = tiebreak.astype(np.int64)
    top = np.where(best, wide, np.iinfo(np.int64).min)
    winners = best & (top == top.max(axis=0))
    return winners, np.count_nonzero(winners, axis=0) < np.count_nonzero(best, axis=0)


def _ranks(score: Array, winners: npt.NDArray[np.bool_], tiebreak: Array | None) -> npt.NDArray[np.uint8]:
    """1 + the number of seats that did better: winners first, then score, then tie-break; uint8 (seats, k)."""
    merit = score.astype(np.int64)
    if tiebreak is not None:
        merit = (merit << 20) + tiebreak
    merit += winners * np.int64(1 << 60)
    rank = np.ones(score.shape, np.uint8)
    for seat, mine in enumerate(merit):
        for other in range(len(merit)):
            if other != seat:
                rank[seat] += merit[other] > mine
    return rank
