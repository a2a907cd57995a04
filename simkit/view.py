"""What a seat may know when it is asked: the base of every game's view."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from simkit.table import Table

Games = npt.NDArray[np.intp]


class View:
    """A decision put to one seat in n games, read-only.

    `n` is the last axis of everything a view gives. The columns may be the whole batch, with some games not asked, or
    only those asked: see `legal`.

    Parameters
    ----------
    table
        Where the games are; strategies leave it alone.
    decision
        The decision's name.
    seat
        Who is asked.
    games : intp (n,) or None
        The columns of the batch that are shown; None for all.
    legal : bool (options, n) or None
        Which options are legal; None where every option is, in every game still alive.
    offer
        What this decision is about, by name: arrays with the view's columns, kept as attributes.
    """

    def __init__(
        self,
        table: Table,
        decision: str,
        seat: int,
        games: Games | None,
        legal: npt.NDArray[np.bool_] | None,
        **offer: Any,
    ) -> None:
        self._table, self._games, self._legal = table, games, legal
        self.decision, self.seat = decision, seat
        self.n = table.n if games is None else len(games)
        self.options = table.options[decision]
        self.level = 0  # how many mixtures lie around the strategy that is asked
        self._offer = offer
        for name, value in offer.items():
            setattr(self, name, read_only(value))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def seal(self) -> None:
        """Nothing that it gives can be replaced from here on."""
        self._sealed = True

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse strategies that write to their view."""
        if "_sealed" in self.__dict__ and not name.startswith("_"):
            raise AttributeError(f"a view is read-only; `{name}` was to be set")
        super().__setattr__(name, value)

    @cached_property
    def legal(self) -> npt.NDArray[np.bool_]:
        """Legal options, (options, n); all False where a game is not asked."""
        if self._games is not None:
            if self._legal is None:
                return read_only(np.ones((len(self.options), self.n), bool))
            return read_only(self._legal)
        alive = self._table.live
        if self._legal is None:
            return read_only(np.broadcast_to(alive, (len(self.options), self.n)))
        return read_only(self._legal & alive)

    @property
    def columns(self) -> Games:
        """The batch's games that this view shows, intp (n,)."""
        return read_only(np.arange(self.n) if self._games is None else self._games)

    @property
    def offer(self) -> dict[str, npt.NDArray[Any]]:
        """What the decision is about, by name."""
        return {name: read_only(value) for name, value in self._offer.items()}

    @property
    def asked(self) -> npt.NDArray[np.bool_]:
        """Which of the columns ask something: some option is legal; bool (n,)."""
        return any_of(self.legal)

    @property
    def every_option_is_legal(self) -> bool:
        """Whether the rules leave all options open in every game asked (then `legal` need not be looked at)."""
        return self._legal is None

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return self._table.seats

    @property
    def rules(self) -> Any:
        """The rules in force."""
        return self._table.rules

    @property
    def turn(self) -> int:
        """Turns started before this one."""
        return self._table.turn

    @property
    def round(self) -> int:
        """Rounds completed: turns of every seat."""
        return self._table.round

    def look(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A state array (..., batch) as this view's columns (..., n)."""
        return read_only(array if self._games is None else array.take(self._games, axis=-1))

    def coin(
        self, bound: int | npt.NDArray[np.integer], among: npt.NDArray[np.bool_] | None = None
    ) -> npt.NDArray[Any]:
        """Uniform integers below `bound` from the seat's own stream, one for each game asked.

        Parameters
        ----------
        bound : int or int (n,)
        among : bool (n,), optional
            Draw only in these games; the others get 0 and no luck is used up.

        Returns
        -------
        int64 (n,)
        """
        among = self.asked if among is None else among
        if self._games is None and np.count_nonzero(among & self._table.live) == self._table.n_live:
            return self._table.seat_coin(self.seat, bound, None)  # games that are over may draw: nobody will know
        columns = np.flatnonzero(among)
        drawn = np.zeros(self.n, np.int64)
        if len(columns):
            games = columns if self._games is None else self._games.take(columns)
            some = bound.take(columns) if isinstance(bound, np.ndarray) else bound
            drawn[columns] = self._table.seat_coin(self.seat, some, games)
        return drawn

    def mixture_draw(self) -> npt.NDArray[np.int64]:
        """32 bits that stay the same for this seat throughout a game, (n,)."""
        return self._table.mixture_draw(self.seat, self.level, self._games)

    def default_of(self, decision: str) -> str:
        """What answers where a strategy has no method for a decision."""
        return self._table.game.decision(decision).default

    def restricted(self, legal: npt.NDArray[np.bool_]) -> View:
        """The same view with fewer legal options."""
        return self._alike(self._games, legal, self._offer)

    def only(self, columns: Games) -> View:
        """The same view of fewer games, given as columns of this one."""
        games = columns if self._games is None else self._games.take(columns)
        offer = {name: value.take(columns, axis=-1) for name, value in self._offer.items()}
        return self._alike(games, self.legal.take(columns, axis=1), offer)

    def _alike(self, games: Games | None, legal: npt.NDArray[np.bool_], offer: dict[str, npt.NDArray[Any]]) -> View:
        """The same question about other games or options."""
        view = type(self)(self._table, self.decision, self.seat, games, legal, **offer)
        view.level = self.level
        return view


def any_of(masks: Iterable[npt.NDArray[np.bool_]]) -> npt.NDArray[np.bool_]:
    """Where some of the masks (k, n) hold, (n,); for a few masks far faster than `any(axis=0)`."""
    return reduce(np.logical_or, masks)


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same memory, not to be written through."""
    seen = array.view()
    seen.flags.writeable = False
    return seen
