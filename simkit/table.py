"""The table: seats strategies at a batch of games, asks them, enforces legality, notes what happens.

A game's play functions are handed a table and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from simkit.deck import Cards, Deck
from simkit.errors import StrategyError
from simkit.game import Game
from simkit.results import GROUPS, Results
from simkit.state import Gathered, State
from simkit.strategy import LEGAL_BY_MAKING, Strategy
from simkit.tape import Tape, Words, below
from simkit.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping

Games = npt.NDArray[np.intp]
Array = npt.NDArray[Any]

SEAT_STREAMS, MIXTURE_STREAMS, GAME_STREAMS = 0, 8, 16
"""First stream of each kind: a seat's own coins, a seat's mixture, the game's declared streams."""


class Observer(Protocol):
    """Watches play; it sees everything and changes nothing."""

    def noted(self, table: Table, event: str, seat: int | None, games: Games | None, fields: Mapping[str, Any]) -> None:
        """An event has happened."""

    def decided(self, table: Table, view: View, choice: npt.NDArray[np.uint8]) -> None:
        """A seat has chosen."""


class Table:
    """A batch of games in step, with a strategy in every seat.

    Parameters
    ----------
    game, rules
        What is played.
    strategies
        One per seat, seat 0 first.
    tape
        The luck.
    deals : uint64 (n,)
        The deal of each game.
    results, first_row
        Where rows go when games end.
    observer
        Watches, or None.

    Attributes
    ----------
    state
        The declared state of the games.
    answers
        What a game has worked out from its state and keeps beside it, by name; no part of the position.
    n, n_live, live : int, int, bool (n,)
        Games in step, and which of them are not over.
    turn
        Turns started before this one; its seat is turn mod seats.
    """

    def __init__(
        self,
        game: Game,
        rules: Any,
        strategies: Sequence[Strategy],
        tape: Tape,
        deals: Words,
        results: Results,
        first_row: int = 0,
        observer: Observer | None = None,
    ) -> None:
        self.game, self.rules, self.strategies, self.tape = game, rules, tuple(strategies), tape
        self.seats, self.n, self.turn = len(strategies), len(deals), 0
        self.deals, self.rows = deals, np.arange(first_row, first_row + self.n)
        self.live, self.n_live = np.ones(self.n, bool), self.n
        self.results, self.observer = results, observer
        self.options = {d.name: d.options_for(rules, self.seats) for d in game.decisions}
        self.state = State(game.fields(rules, self.seats), self.n)
        self.answers: dict[str, Gathered] = {}
        self._group = (deals % np.uint64(GROUPS)).astype(np.uint16)
        self._ordinals: dict[int, npt.NDArray[np.uint32]] = {}
        self._dealt: set[str] = set()

    @property
    def round(self) -> int:
        """Rounds completed: turns of every seat."""
        return self.turn // self.seats

    # ------------------------------------------------------------------------------------------------------- luck

    def deck(self, stream: str, box: Cards, n_bottom: int = 0) -> Deck:
        """A shuffled pile per game from a declared stream: see `simkit.deck`."""
        if stream in self._dealt or self._stream(stream) in self._ordinals:
            raise RuntimeError(f"{self.game.id}: a deck needs a stream of its own; `{stream}` is in use")
        self._dealt.add(stream)
        return Deck(self.tape, self._stream(stream), self.deals, box, n_bottom)

    def draw(
        self, stream: str, bound: int | npt.NDArray[np.integer], games: Games | None = None
    ) -> npt.NDArray[np.int64]:
        """A uniform integer below `bound` in each of the games, from a declared stream; a word each.

        Returns
        -------
        int64 (n,) or (k,)
        """
        if stream in self._dealt:
            raise RuntimeError(f"{self.game.id}: a deck has a stream of its own; `{stream}` is a deck's")
        return below(self._next_words(self._stream(stream), games), bound)

    def shuffle(self, stream: str, sizes: npt.NDArray[np.integer], games: Games) -> npt.NDArray[np.intp]:
        """The numbers below `sizes` in random order, in each of the games; a word a number, and they are sorted by it.

        Words that are equal (once in 10**16 shuffles of 60) may come in any order.

        Returns
        -------
        intp (k, most)
            The largest size wide; what lies past a game's own size is of no meaning.
        """
        at = self._ordinals.setdefault(self._stream(stream), np.zeros(self.n, np.uint32))
        first, of_game = at.take(games), np.repeat(np.arange(len(games)), sizes)
        at[games] = first + sizes
        is_card = np.arange(int(sizes.max(initial=0))) < sizes[:, None]
        numbers = is_card.nonzero()[1]
        keys = np.full(is_card.shape, np.iinfo(np.uint64).max)
        ordinals = first.take(of_game) + numbers
        keys[is_card] = self.tape.words(self.deals.take(games.take(of_game)), self._stream(stream), ordinals)
        return keys.argsort(axis=1)

    def seat_coin(self, seat: int, bound: int | npt.NDArray[np.integer], games: Games | None) -> npt.NDArray[np.int64]:
        """A uniform integer below `bound` in each of the games, from the seat's own stream, (n,) or (k,)."""
        return below(self._next_words(SEAT_STREAMS + seat, games), bound)

    def mixture_draw(self, seat: int, level: int, games: Games | None) -> npt.NDArray[np.int64]:
        """The 32 bits that pick a mixture's member, the same throughout a game; a mixture within one has its own."""
        deals = self.deals if games is None else self.deals.take(games)
        return below(self.tape.words(deals, MIXTURE_STREAMS + seat, level), 1 << 32)

    def _stream(self, name: str) -> int:
        """The number of a declared stream."""
        return GAME_STREAMS + self.game.streams.index(name)

    def _next_words(self, stream: int, games: Games | None) -> Words:
        """The next word of the stream in each of the games."""
        ordinals = self._ordinals.setdefault(stream, np.zeros(self.n, np.uint32))
        if games is None:
            words = self.tape.words(self.deals, stream, ordinals)
            ordinals += 1
            return words
        at = ordinals.take(games)
        ordinals[games] = at + np.uint32(1)
        return self.tape.words(self.deals.take(games), stream, at)

    # -------------------------------------------------------------------------------------------------- decisions

    def ask(
        self, decision: str, seat: int | Array, *, games: Games | None = None, legal: Array | None = None, **offer: Any
    ) -> npt.NDArray[np.uint8]:
        """Put a decision to a seat, or to another seat in each game.

        Parameters
        ----------
        decision
            A declared decision.
        seat : int or int (n,) or (k,)
        games : intp (k,), optional
            The games that ask; all of the batch if left out (games that are over count as not asked).
        legal : bool (options, n) or (options, k), optional
            The legal options; all of them if left out.
        offer
            What the decision is about, for the view: arrays with the game axis last.

        Returns
        -------
        uint8 (n,) or (k,)
            The option taken.
        """
        if not isinstance(seat, int | np.integer):
            return self._ask_each(decision, seat, games, legal, offer)
        self._check_seat(0 <= seat < self.seats, decision)
        seat = int(seat)
        view = self.game.view(self, decision, seat, games, legal, **offer)
        view.seal()
        if legal is not None and np.count_nonzero(view.asked) < (self.n_live if games is None else len(games)):
            raise RuntimeError(f"{self.game.id}: decision `{decision}` has no legal option in some game")
        choice = self.strategies[seat].choose(view)
        if type(self.strategies[seat]).choose not in LEGAL_BY_MAKING:
            choice = self._checked(choice, view, self.strategies[seat])
        if self.observer is not None:
            self.observer.decided(self, view, choice)
        return choice

    def _checked(self, choice: npt.NDArray[np.uint8], view: View, strategy: Strategy) -> npt.NDArray[np.uint8]:
        """The choice, if it is one: strategies that replace `choose` are not kept to the legal options by scores."""
        where, options = f"strategy `{strategy.name}`, decision `{view.decision}`", len(view.options)
        if not isinstance(choice, np.ndarray) or choice.dtype != np.uint8 or choice.shape != (view.n,):
            raise StrategyError(f"{where}: `choose` must give uint8 numbers of options, one a game")
        if view.n and int(choice.max()) >= options:
            raise StrategyError(f"{where}: `choose` must give numbers below {options}; found {choice.max()}")
        if not view.every_option_is_legal and not bool((view.legal[choice, np.arange(view.n)] | ~view.asked).all()):
            raise StrategyError(f"{where}: `choose` must give legal options; found one that is not")
        return choice

    def _check_seat(self, is_at_the_table: bool, decision: str) -> None:
        """Nobody sits elsewhere."""
        if not is_at_the_table:
            raise RuntimeError(f"{self.game.id}: `{decision}` was put to a seat outside 0..{self.seats - 1}")

    def _ask_each(
        self, decision: str, seats: Array, games: Games | None, legal: Array | None, offer: dict[str, Any]
    ) -> npt.NDArray[np.uint8]:
        """Ask each seat once, with the games that ask that seat."""
        choice = np.zeros(len(seats), np.uint8)
        asked = self.live if games is None else np.ones(len(games), bool)
        self._check_seat(bool((((seats >= 0) & (seats < self.seats)) | ~asked).all()), decision)
        for seat in range(self.seats):
            columns = ((seats == seat) & asked).nonzero()[0]
            if len(columns):
                choice[columns] = self.ask(
                    decision,
                    seat,
                    games=columns if games is None else games.take(columns),
                    legal=None if legal is None else legal.take(columns, axis=1),
                    **{name: value.take(columns, axis=-1) for name, value in offer.items()},
                )
        return choice

    # ------------------------------------------------------------------------------------------------------ noting

    def note(self, event: str, seat: int | None = None, games: Games | None = None, **fields: Any) -> None:
        """Tell the observer of an event; the state must be as it is after it."""
        if self.observer is not None:
            self.observer.noted(self, event, seat, games, fields)

    def tally(self, name: str, games: Games | None = None, **keys: int | Array) -> None:
        """Count one in the cells that the keys name, in each live game (or in the games given).

        Parameters
        ----------
        name
            A declared tally.
        keys
            Its declared keys, in order: a number for all games or an array (n,) or (k,).
        """
        counts, declared = self.results.counts[name], self.results.keys[name]
        if set(keys) != set(declared):
            raise ValueError(
                f"{self.game.id}: tally `{name}` has the keys {', '.join(declared)}; found {', '.join(keys)}"
            )
        index: Array = self._group if games is None else self._group.take(games)
        size, block = GROUPS + 1, []
        small = counts.size <= 1 << 16  # two bytes an index instead of eight
        for key, length in zip(reversed(declared), reversed(counts.shape[:-1]), strict=True):
            value = keys[key]
            if isinstance(value, np.ndarray):
                index = self._within(value, length, games, name).astype(np.uint16 if small else np.intp) * size + index
                size *= length
            elif not 0 <= value < length:
                raise ValueError(f"{self.game.id}: tally `{name}` has no place for {key} = {value}")
            block.append(slice(None) if isinstance(value, np.ndarray) else value)
        cells = counts[tuple(reversed(block))]
        cells += np.bincount(index, minlength=size).reshape(cells.shape)

    def _within(self, values: Array, length: int, games: Games | None, name: str) -> Array:
        """The values of a tally's key, those of games that are over being of no matter."""
        if not len(values) or 0 <= int(values.min()) <= int(values.max()) < length:
            return values
        values = values * (self.live if games is None else self.live.take(games))
        if not 0 <= int(values.min()) <= int(values.max()) < length:
            raise ValueError(f"{self.game.id}: tally `{name}` has no place for a value outside 0..{length - 1}")
        return values

    def finish(
        self,
        games: Games,
        cause: str,
        *,
        winners: int | npt.NDArray[np.bool_] | None = None,
        won: bool | Array = False,
        n_turns: int | None = None,
    ) -> None:
        """End games: write their rows and take them out of play.

        Parameters
        ----------
        games : intp (k,)
            Columns of the batch, still alive.
        cause
            A declared end cause.
        winners : int or bool (seats, k), optional
            Rival games: who won; the best score (then tie-break) if left out.
        won : bool or bool (k,)
            Cooperative games: whether the table won.
        n_turns
            Turns played; the one under way counts if left out.
        """
        if not bool(self.live.take(games).all()):
            raise RuntimeError(f"{self.game.id}: a game that is over cannot end again ({cause})")
        outcome = self.game.outcome(self, games)
        n_turns = self.turn + 1 if n_turns is None else n_turns
        self.results.record(self.rows.take(games), n_turns, cause, outcome, winners=winners, won=won)
        self.live[games] = False
        self.n_live -= len(games)
        self._group[games] = GROUPS
        self.note("end", games=games, cause=cause)

    def take(self, games: Games) -> None:
        """Keep only these games in step."""
        self.deals, self.rows = self.deals.take(games), self.rows.take(games)
        self.live, self._group = self.live.take(games), self._group.take(games)
        self._ordinals = {stream: ordinals.take(games) for stream, ordinals in self._ordinals.items()}
        self.n = len(games)
        self.state.take(games)
        for answer in self.answers.values():
            answer.take(games)
