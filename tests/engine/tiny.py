"""Tiny games, tables and strategies to put the engine to the test with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit.components import Components
from simkit.game import Column, Decision, Game, Outcome
from simkit.results import Results
from simkit.state import Field
from simkit.strategy import Strategy
from simkit.table import Table
from simkit.tape import Tape
from simkit.view import View

SEED = 4711
OPTIONS = ("north", "east", "south", "west")
MANY = tuple(f"option {i}" for i in range(100))


class TinyView(View):
    """Nothing but what is offered and the number of each game's deal."""

    def numbers(self) -> Any:
        """The state array `number`, (n,)."""
        return self.look(self._table.state.number)


def no_turn(table: Table, seat: int) -> None:
    """Nothing happens."""


def number_games(table: Table) -> None:
    """The state remembers the deal."""
    table.state.number[:] = table.deals


def no_score(table: Table, games: np.ndarray) -> Outcome:
    """Everyone has nothing."""
    return Outcome(score=np.zeros((table.seats, len(games)), np.uint8))


def tiny_game(**changes: Any) -> Game:
    """A rival game of up to six seats in which nothing happens, unless changed."""
    declared: dict[str, Any] = {
        "id": "tiny",
        "title": "Tiny",
        "summary": "A game for tests.",
        "rules_version": 1,
        "players": (1, 2, 3, 4, 5, 6),
        "cooperative": False,
        "components": Components({}),
        "rules": SimpleNamespace,
        "decisions": (
            Decision("pick", OPTIONS, "one of four"),
            Decision("pick_again", OPTIONS, "one of four", default="pick"),
            Decision("pick_last", OPTIONS, "one of four", default="pick_again"),
            Decision("pay", ("yes", "no"), "whether to pay"),
            Decision("many", MANY, "one of a hundred"),
            Decision("few", lambda rules, seats: OPTIONS[: seats - 1], "as many as there are others"),
        ),
        "streams": ("dice", "deck"),
        "end_causes": ("done", "over"),
        "fields": lambda rules, seats: (Field("number", "int64", (), "deal", "the deal of each game"),),
        "setup": number_games,
        "turn": no_turn,
        "outcome": no_score,
        "view": TinyView,
        "hidden": lambda table, seat, luck: None,
        "describe": lambda table, columns: [{"number": int(table.state.number[column])} for column in columns],
        "score": Column("score", "int64", "points", "what the outcome says"),
    }
    return Game(**(declared | changes))


TINY = tiny_game()
RULES = SimpleNamespace(max_rounds=3)


def table_of(
    *strategies: Strategy,
    n: int = 5,
    first_deal: int = 0,
    over: Any = (),
    game: Game = TINY,
    rules: Any = RULES,
    **more: Any,
) -> Table:
    """A table of n games, those in `over` ended, to be asked by the test itself."""
    deals = np.arange(first_deal, first_deal + n, dtype=np.uint64)
    results = Results(game, rules, len(strategies), n)
    table = Table(game, rules, strategies, Tape(SEED), deals, results, **more)
    game.setup(table)
    if len(over):
        table.finish(np.array(over, np.intp), "done")
    return table


class Offered(Strategy):
    """Scores exactly as the question offers them, whatever it is: `scores`, (options, n)."""

    def pick(self, view: View) -> Any:
        return view.scores

    many = pay = few = pick


class OfferedByCoin(Offered):
    """The same; of equals any."""

    ties = "coin"


@dataclass
class Watcher(Strategy):
    """Takes what `answer` says of the view, and remembers every view it was shown."""

    answer: Callable[[View], Any]

    def __post_init__(self) -> None:
        self.views: list[View] = []

    def pick(self, view: View) -> Any:
        self.views.append(view)
        return self.answer(view)


def always(option: int) -> Watcher:
    """Likes one option best."""

    def scores(view: View) -> np.ndarray:
        liked = np.zeros((len(view.options), view.n), np.uint8)
        liked[option] = 1
        return liked

    return Watcher(scores)


def best_by_hand(scores: Any, legal: Any) -> list[int]:
    """For each game the first of its best legal options, one Python number at a time; -1 where none is legal."""
    chosen = []
    for column in range(len(scores[0])):
        best = -1
        for option in range(len(scores)):
            better = best < 0 or scores[option][column] > scores[best][column]
            if legal[option][column] and better:
                best = option
        chosen.append(best)
    return chosen
