"""What a strategy is, and wrappers that compose strategies.

A strategy is a small class with one method per decision it cares about. Each method takes a view and returns scores
(options, n): the engine takes the best legal option of every game, so that a strategy can never make an illegal move.
Scores of a game depend on that game's column alone, and nothing is kept between calls. Small integers are by far the
fastest scores; floats may be used with + - x only, so that every machine gives the same bits.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class FirstCard(Strategy):
...     '''Always plays the card it has held longest.'''
...     def place(self, view):
...         return np.zeros((len(view.options), view.n), np.uint8)
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from simkit.errors import StrategyError, UserError, foreign_place, raised
from simkit.view import View, any_of

Choice = npt.NDArray[np.uint8]
Scores = npt.NDArray[Any]


class Strategy:
    """Base of every strategy.

    Attributes
    ----------
    ties
        "first": the lowest of equally good options; "coin": any of them, by the seat's own luck.
    """

    ties: ClassVar[Literal["first", "coin"]] = "first"

    @cached_property
    def name(self) -> str:
        """The class's name in kebab case, as configs spell it."""
        return kebab(type(self).__name__)

    def choose(self, view: View) -> Choice:
        """The option taken in each of the view's games; wrappers replace this.

        Returns
        -------
        uint8 (n,)
            Anything in games that are not asked.
        """
        method = self._method(view)
        if method is None:
            return view.legal.argmax(axis=0).astype(np.uint8)
        scores = self._checked(self._answered(method, view), view)
        return best_with_coin(scores, view) if self.ties == "coin" else best(scores, view)

    def _method(self, view: View) -> Callable[[View], Any] | None:
        """The method that answers this decision, by the game's chain of defaults."""
        name = view.decision
        while name != "first":
            method = getattr(self, name, None)
            if method is not None:
                return method
            name = view.default_of(name)
        return None

    def _answered(self, method: Callable[[View], Any], view: View) -> Any:
        """What the method says; whatever it raises is the strategy's fault, and says where."""
        view.seal()
        try:
            return method(view)
        except StrategyError:
            raise
        except (Exception, SystemExit) as error:
            file = _file_of(type(self))
            lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
            place = foreign_place(error) or (f"{file}, line {lines[-1]}" if lines else file)
            raise StrategyError(
                f"strategy `{self.name}`, decision `{view.decision}`: it must answer; found {raised(error)} ({place})"
            ) from error

    def _checked(self, scores: Any, view: View) -> Scores:
        """The scores, if they have the type and shape that the engine needs."""
        where, wanted = f"strategy `{self.name}`, decision `{view.decision}`", (len(view.options), view.n)
        if not isinstance(scores, np.ndarray) or scores.dtype.kind not in "biuf":
            found = f"an array of {scores.dtype}" if isinstance(scores, np.ndarray) else type(scores).__name__
            raise StrategyError(f"{where}: scores must be a numpy array of integers or floats; found {found}")
        if scores.shape != wanted:
            raise StrategyError(
                f"{where}: scores must have one row per option and one column per game, {wanted}; found {scores.shape}"
            )
        if scores.dtype.kind == "f" and bool((np.isnan(scores) & view.legal).any()):
            raise StrategyError(f"{where}: scores must be numbers; found NaN for a legal option")
        return scores


def _file_of(cls: type) -> str:
    """The source file of a class."""
    return getattr(sys.modules.get(cls.__module__), "__file__", None) or ""


def kebab(name: str) -> str:
    """
    >>> kebab("LongestRun")
    'longest-run'
    """
    return "".join("-" + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate(name)).replace("_", "-")


def best(scores: Scores, view: View) -> Choice:
    """The best legal option of each game; the lowest of equals."""
    if view.every_option_is_legal:
        return _best_of_all(scores)
    raised = _above_zero(scores)
    return _best_of_legal(scores, view.legal)[0] if raised is None else _best_of_all(raised * view.legal)


def _above_zero(scores: Scores) -> npt.NDArray[np.uint16] | None:
    """Small integers as unsigned ones in the same order, none of them 0: that is for illegal options. None: too large.

    >>> _above_zero(np.array([-3, 0, 5], np.int8)), _above_zero(np.array([-3, 0, 5], np.int16))
    (array([126, 129, 134], dtype=uint16), array([32765, 32768, 32773], dtype=uint16))
    """
    if scores.dtype == np.uint8:
        return scores.astype(np.uint16) + np.uint16(1)
    if scores.dtype == np.int8:
        return (scores.astype(np.int16) + np.int16(129)).view(np.uint16)
    if scores.dtype == np.int16 and scores.size and scores.min() > np.iinfo(np.int16).min:
        return scores.view(np.uint16) ^ np.uint16(1 << 15)
    return None


def best_with_coin(scores: Scores, view: View) -> Choice:
    """The best legal option of each game; of equals any, by the seat's own luck."""
    _, top = _best_of_legal(scores, view.legal)
    return uniform(view, (scores == top) & view.legal)


def _best_of_all(scores: Scores) -> Choice:
    """The best option of each game, all of them being open."""
    if len(scores) == 1:
        return np.zeros(scores.shape[1], np.uint8)
    choice = (scores[1] > scores[0]).view(np.uint8)
    top = scores[0]
    for option in range(2, len(scores)):
        top = np.maximum(top, scores[option - 1])
        better = (scores[option] > top).view(np.uint8)
        better *= np.uint8(option)
        np.maximum(choice, better, out=choice)  # options rise, so a maximum keeps the latest that was better
    return choice


def _best_of_legal(scores: Scores, legal: npt.NDArray[np.bool_]) -> tuple[Choice, Scores]:
    """The best legal option of each game, and its score, for scores of any type and size."""
    choice, top, some = np.zeros(scores.shape[1], np.uint8), scores[0], legal[0]
    for option in range(1, len(scores)):
        better = legal[option] & (~some | (scores[option] > top))
        choice = np.where(better, np.uint8(option), choice)
        top = np.where(better, scores[option], top)
        some = some | legal[option]
    return choice, top


def uniform(view: View, among: npt.NDArray[np.bool_]) -> Choice:
    """One of the marked options of each game, each equally likely; a single one uses up no luck.

    Parameters
    ----------
    view
    among : bool (options, n)

    Returns
    -------
    uint8 (n,)
    """
    count = among[0].astype(np.uint8)
    for mask in among[1:]:
        count += mask
    to_skip = view.coin(count, among=count > 1).astype(np.uint8)
    choice = np.zeros(view.n, np.uint8)
    for option, mask in enumerate(among):
        taken = (mask & (to_skip == 0)).view(np.uint8)
        np.maximum(choice, taken * np.uint8(option), out=choice)
        to_skip -= mask  # below zero it is 255: nothing more is taken
    return choice


@dataclass(frozen=True)
class Random(Strategy):
    """Plays any legal option, each equally likely."""

    def choose(self, view: View) -> Choice:
        """A coin with as many sides as there are legal options."""
        return uniform(view, view.legal)


LEGAL_BY_MAKING = (Strategy.choose, Random.choose)
"""Ways to choose that can take legal options only; what others choose is looked at."""


@dataclass(frozen=True)
class Mixture(Strategy):
    """Is one of several strategies in each game, picked anew for every game and seat.

    Parameters
    ----------
    of
        The strategies.
    weights
        How often each is picked, in proportion; equal if left out.
    """

    of: tuple[Strategy, ...]
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse weights that do not fit."""
        weights = self.weights or (1.0,) * len(self.of)
        if not self.of or len(weights) != len(self.of) or min(weights) < 0 or not 0 < sum(weights) < float("inf"):
            raise UserError(
                f"mixture: `weights` must be as many non-negative numbers as `of` has strategies; found {self.weights}"
            )
        object.__setattr__(self, "weights", tuple(weights))

    def choose(self, view: View) -> Choice:
        """What the strategy picked for each game chooses."""
        edges = (np.cumsum(self.weights) / sum(self.weights) * 2**32).astype(np.int64)
        picked = np.searchsorted(edges[:-1], view.mixture_draw(), side="right")
        choice = np.zeros(view.n, np.uint8)
        asked = view.asked
        for i, strategy in enumerate(self.of):
            columns = (asked & (picked == i)).nonzero()[0]
            if len(columns):
                part = view.only(columns)
                part.level += 1
                choice[columns] = strategy.choose(part)
        return choice


@dataclass(frozen=True)
class Epsilon(Strategy):
    """Plays another strategy, but now and then, decision by decision, any legal option.

    Parameters
    ----------
    of
        The strategy.
    p
        How often it slips [probability].
    """

    of: Strategy
    p: float = 0.1

    def __post_init__(self) -> None:
        """Refuse what is no probability."""
        if not 0 <= self.p <= 1:
            raise UserError(f"epsilon: `p` must be a probability from 0 to 1; found {self.p}")

    def choose(self, view: View) -> Choice:
        """The other strategy's choice, replaced where this game slips."""
        choice = self.of.choose(view).copy()
        open_choice = np.count_nonzero(view.legal, axis=0) > 1
        slips = (view.coin(1 << 31, among=open_choice) < round(self.p * 2**31)) & open_choice
        columns = slips.nonzero()[0]
        if len(columns):
            part = view.only(columns)
            choice[columns] = uniform(part, part.legal)
        return choice


@dataclass(frozen=True)
class Never(Strategy):
    """Plays another strategy that may not choose certain options, unless nothing else is legal.

    Parameters
    ----------
    of
        The strategy.
    options
        Decision name -> option names that may not be chosen.
    mask
        From Python only: view -> bool (options, n), what may not be chosen there.
    """

    of: Strategy
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mask: Callable[[View], npt.NDArray[np.bool_]] | None = None

    def choose(self, view: View) -> Choice:
        """The other strategy's choice among what is left."""
        barred = np.zeros((len(view.options), view.n), bool)
        for name in self.options.get(view.decision, ()):
            if name not in view.options:
                raise StrategyError(
                    f"never: decision `{view.decision}` has the options {', '.join(view.options)}; found `{name}`"
                )
            barred[view.options.index(name)] = True
        if self.mask is not None:
            barred |= self.mask(view)
        left = view.legal & ~barred
        left |= view.legal & ~any_of(left)
        return self.of.choose(view.restricted(left))


class PerGame(Strategy):
    """Base for strategies written for one game at a time: slow, for trying an idea.

    Methods get a view without the game axis (numbers and short lists) and return a list of scores, one per option.
    """

    def _method(self, view: View) -> Callable[[View], Any] | None:
        """The per-game method, called once for every game asked."""
        method = super()._method(view)
        where = f"strategy `{self.name}`, decision `{view.decision}`"
        return None if method is None else lambda whole: _game_by_game(method, whole, where)


def _game_by_game(method: Callable[[Any], Any], view: View, where: str) -> Scores:
    """Scores (options, n) from a method that scores one game."""
    columns, answers = np.flatnonzero(view.asked), []
    for column in columns:
        answer = np.asarray(method(OneGame(view.only(np.array([column])))))
        if answer.shape != (len(view.options),) or answer.dtype.kind not in "biuf":
            raise StrategyError(
                f"{where}: a game's scores must be {len(view.options)} numbers; found {answer.tolist()!r}"
            )
        answers.append(answer)
    found = np.array(answers).T
    scores = np.zeros((len(view.options), view.n), found.dtype)
    scores[:, columns] = found
    return scores


class OneGame:
    """A view of a single game without its game axis."""

    def __init__(self, view: View) -> None:
        self._view = view

    def __getattr__(self, name: str) -> Any:
        """The view's attribute or method, its last axis dropped."""
        return _without_game_axis(getattr(self._view, name))


def _without_game_axis(value: Any) -> Any:
    """Plain Python values instead of arrays with one column."""
    if isinstance(value, np.ndarray):
        return value[..., 0].tolist()
    if isinstance(value, tuple) and any(isinstance(item, np.ndarray) for item in value):
        return tuple(_without_game_axis(item) for item in value)
    if callable(value):
        return lambda *args, **kwargs: _without_game_axis(value(*args, **kwargs))
    return value
