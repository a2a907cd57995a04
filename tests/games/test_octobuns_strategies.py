"""Octobuns' strategies: what they do where the right answer is plain, and that each beats random play."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.batch import play
from simkit.catalog import list_strategies, load_strategy
from simkit.experiment import StrategySpec
from simkit.games.octobuns import GAME
from simkit.results import WIN
from simkit.strategy import Random, Strategy
from simkit.view import View
from tests.games.octobuns_position import MINE, Harbour

ONE_ORDER = ("nearest-order", "small-orders", "large-orders", "bun-maker")
SCRIPTED = (*ONE_ORDER, "planner")
EAGER = tuple(name for name in SCRIPTED if name != "bun-maker")
"""Those that do not put a bun before an order."""
SEED = 20261130
FS = ("ffff", "ffff", "ffff")
"""Stacks of what nobody wants."""


@cache
def rules_with(**changes: Any) -> Any:
    """Octobuns' rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))


def made(name: str, **parameters: Any) -> Strategy:
    """A library strategy."""
    return load_strategy(StrategySpec.model_validate({"name": name, **parameters}), GAME.id, Path(__file__).parent)


class Decided:
    """Notes the options taken in the position, by decision; or, in order, as "act: take left"."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    def noted(self, *event: Any) -> None:
        """Nothing to do."""

    def decided(self, table: Any, view: View, choice: np.ndarray) -> None:
        """The name of the option, if there was a choice."""
        for column in np.flatnonzero(view.columns == MINE):
            if view.legal[:, column].sum() > 1:
                option = view.options[choice[column]]
                self.taken.append(option if view.decision == "act" else f"{view.decision} {option}")


def turn(strategy: Strategy, bakery: str | list[str] = "", **position: Any) -> list[str]:
    """The options that a seat takes in a turn that a position begins with; all seats play alike."""
    harbour = Harbour(bakery, **position)
    table: Any = harbour.table
    table.turn += 1
    table.strategies, table.observer = (strategy,) * table.seats, Decided()
    GAME.turn(table, table.turn % table.seats)
    return table.observer.taken


# ------------------------------------------------------------------------------------------------- where it is plain


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_takes_the_missing_card_and_puts_it_where_it_fits(name: str) -> None:
    taken = turn(made(name), "ac. ... ...", open="ffe", stacks=FS, small=["ace 3"])
    assert taken == ["take right", "cell 3", "complete"]


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_makes_the_bun_that_is_missing(name: str) -> None:
    taken = turn(made(name), "ac. ... ...", open="ebe", stacks=FS, small=["Xc 3"])
    assert taken == ["take middle", "cell 1", "complete"]


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_completes_the_order_that_pays_more(name: str) -> None:
    taken = turn(made(name), "a.e ... ...", open="cdd", stacks=FS, small=["ac 2", "ce 4"])
    assert taken == ["take left", "cell 2", "complete", "order small 2"]


@pytest.mark.parametrize("name", EAGER)
def test_it_uses_its_starting_card_to_complete_an_order_at_once(name: str) -> None:
    taken = turn(made(name), "a.. ... ...", open="cff", stacks=("bb", "dd", "ff"), small=["acd 4"], starting=1)
    assert {"starting card", "stack middle", "take left", "complete"} <= set(taken)


@pytest.mark.parametrize("name", EAGER)
def test_it_uses_its_tentacle_to_complete_an_order_at_once(name: str) -> None:
    taken = turn(made(name), "a.. ... ...", open="fcd", stacks=FS, small=["acd 4"], icons="t")
    assert {"extra tentacle", "complete"} <= set(taken)


def test_small_and_large_orders() -> None:
    position: dict[str, Any] = {"open": "cdf", "small": ["ac 2"], "large": ["adef 5"]}
    assert turn(made("small-orders"), "a.. ... ...", **position)[0] == "take left"
    assert turn(made("large-orders"), "a.. ... ...", **position)[0] == "take middle"
    assert turn(made("large-orders", detour=0), "a.. ... ...", **position)[0] == "take left"
    farther: dict[str, Any] = {"open": "cdf", "small": ["acee 2"], "large": ["ad 5"]}
    assert turn(made("small-orders"), "a.. ... ...", **farther)[0] == "take left"
    assert turn(made("small-orders", detour=0), "a.. ... ...", **farther)[0] == "take middle"


def test_bun_maker_stacks_and_others_do_not() -> None:
    position: dict[str, Any] = {"open": "bfc", "small": ["ace 3"]}
    assert turn(made("bun-maker"), "a.. ... ...", **position)[:2] == ["take left", "cell 1"]
    assert turn(made("nearest-order"), "a.. ... ...", **position)[0] == "take right"
    assert turn(made("planner"), "a.. ... ...", **position)[0] == "take right"


def test_bun_maker_likes_orders_with_buns() -> None:
    position: dict[str, Any] = {"open": "fce", "small": ["ac 2", "eX 3"]}
    assert turn(made("bun-maker"), "aX. ... ...", **position)[:2] == ["take right", "cell 3"]


def test_bun_maker_throws_an_ingredient_away_and_not_a_bun() -> None:
    """All cells are full, and no order fits as the bakery is; but with all the buns it wants, one of them goes."""
    position: dict[str, Any] = {"open": "fff", "stacks": FS, "stock": [0, 0, 0], "small": ["dX 3"]}
    assert turn(made("bun-maker", most=9), "XYX YXX XYe", **position)[:2] == ["clean up", "clean_up 9"]
    assert turn(made("bun-maker"), "XYX YXX XYe", **position)[:2] == ["clean up", "clean_up 2"]


def test_bun_maker_stacks_no_more_than_it_wants_to_keep() -> None:
    position: dict[str, Any] = {"open": "bfc", "stacks": FS, "small": ["ace 3"]}
    assert turn(made("bun-maker", most=2), "a.. .X. ...", **position)[0] == "take left"
    assert turn(made("bun-maker", most=1), "a.. .X. ...", **position)[0] == "take right"


# ------------------------------------------------------------------------------------------------------------ planner


def test_planner_takes_the_card_that_serves_two_orders() -> None:
    position: dict[str, Any] = {"open": "efc", "stacks": ("bb", "bb", "bb"), "small": ["cae 3", "caf 3"]}
    assert turn(made("planner"), "a.. ... ...", **position)[0] == "take right"
    assert turn(made("nearest-order"), "a.. ... ...", **position)[0] == "take left"


def test_planner_keeps_the_cards_that_other_orders_want() -> None:
    """Either a may go with the c; one of them lies where the next order wants it."""
    for bakery, path in (("aca d.. ...", "path 2-3"), ("aca ..d ...", "path 1-2")):
        taken = turn(made("planner"), bakery, open="fff", stacks=FS, small=["ac 2", "eda 3"])
        assert path in taken


def test_planner_does_not_end_the_game_while_another_is_ahead() -> None:
    position: dict[str, Any] = {"open": "cff", "small": ["ac 2"], "players": 3, "done": [4, 3, 3]}
    behind = turn(made("planner"), "a.. ... ...", **position, coins=[9, 20, 9])
    ahead = turn(made("planner"), "a.. ... ...", **position, coins=[19, 20, 9])
    assert "complete" not in behind
    assert "complete" in ahead


def test_planner_makes_buns_in_the_last_turn() -> None:
    """The first seat has all its orders; nothing else pays any more."""
    position: dict[str, Any] = {"open": "bce", "small": ["ace 9"], "whose": 1, "done": [5, 2], "coins": [9, 9]}
    assert turn(made("planner"), ["", "a.. ... ..."], **position)[:2] == ["take left", "cell 1"]
    early = turn(made("planner"), ["", "a.. ... ..."], **(position | {"done": [2, 2]}))
    assert early[0] != "take left"


def test_planner_cleans_up_what_is_in_the_way() -> None:
    """No card on offer is of use; moved next to the a, the c completes an order."""
    taken = turn(made("planner"), "a.c ... ...", open="fff", stacks=FS, small=["ac 4"])
    assert taken[:2] == ["clean up", "clean_up 3"] or taken[:2] == ["clean up", "clean_up 1"]
    assert "complete" in taken


@pytest.mark.parametrize("name", ["small-orders", "large-orders", "bun-maker", "planner"])
def test_a_floating_bakery_slides_where_an_order_needs_room(name: str) -> None:
    """The column wants a third card, and has room for it only once it has slid up."""
    position: dict[str, Any] = {"small": ["ace 3"], "open": "eff", "stacks": FS, "grid": "floating", "bends": False}
    taken = turn(made(name), "... .a. .c.", **position)
    assert taken[0] == "take left"
    assert taken[1].startswith("shift up 1")
    assert taken[-1] == "complete"


# --------------------------------------------------------------------------------------------------------- odd rules


ODD: list[dict[str, Any]] = [
    {"grid": "floating", "isolated_neighbours": False, "stacking_next_to": True},
    {"clean_up_sequence": "together", "clean_up_mixed": False, "clean_up_orders_alone": False},
    {"used_cards": "stay", "full_bakery": "discard", "bun_out_of_stock": "lost", "bun_copies": 2, "max_rounds": 30},
    {"bends": False, "max_rounds": 20},
    {"reversal": False, "reserve_limit": 0, "blind_rope_in": False, "starting_cards": 0},
    {"reserve_limit": 4, "extra_rope_in": "beyond", "icons": "all", "orders_per_turn": 3, "coins": "flat"},
    {"clean_up_cards": 0, "freed_cell": False, "max_rounds": 20},
    {"buns": [], "small_orders": [{"name": "s", "items": ["kelp", "plum"], "coins": 2, "icon": ""}],
     "large_orders": [{"name": "l", "items": ["kelp"] * 5, "coins": 20, "icon": ""}], "max_rounds": 20},
]  # fmt: skip


SHORT: dict[str, Any] = {"grid": "floating", "clean_up_sequence": "together", "max_rounds": 3}


@pytest.mark.parametrize("name", SCRIPTED)
@pytest.mark.parametrize("changes", [SHORT, *(pytest.param(odd, marks=pytest.mark.slow) for odd in ODD)])
@pytest.mark.filterwarnings("error")
def test_odd_rules_are_played_to_the_end(name: str, changes: dict[str, Any]) -> None:
    rules = GAME.rules(**GAME.components.values_with(changes))
    for players in (2, 4) if changes is not SHORT else (2,):
        results = play(GAME, rules, [made(name)] * players, 3, 0, 8)
        assert results.games["n_turns"].min() >= 1


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", SCRIPTED)
def test_games_come_to_an_end(name: str, players: int) -> None:
    """Fewer than one in a hundred is given up, with 99.9 % confidence if none in 700 or so."""
    results = play(GAME, rules_with(), [made(name)] * players, SEED, 0, 2000)
    given_up = results.games["end_cause"] != GAME.all_end_causes.index("orders")
    assert given_up.sum() <= 8  # of 2000 at 1 %, eight or fewer come about once in 500


# ------------------------------------------------------------------------------------------------- against random


def shares(strategy: Strategy, others: Strategy, players: int, n: int) -> np.ndarray:
    """The win share in each deal of one such strategy among others, mean of its seats; deals are independent."""
    share = np.zeros(n)
    for seat in range(players):
        line_up = [others] * players
        line_up[seat] = strategy
        share += play(GAME, rules_with(), line_up, SEED, 0, n).seats["win"][seat] / WIN / players
    return share


def lead(strategy: Strategy, others: Strategy, players: int, n: int) -> tuple[float, float]:
    """Points of win share above fair, and the 95 % half-width."""
    share = shares(strategy, others, players, n)
    return 100 * (share.mean() - 1 / players), 196 * share.std(ddof=1) / math.sqrt(n)


FEW = 100
"""Deals of the quick tests."""
SURELY = 100 * math.sqrt(math.log(1e6) / (2 * FEW))
"""By Hoeffding's bound, the mean of so many shares exceeds what is expected by less, but once in a million [points]."""


def quick_lead(strategy: Strategy) -> float:
    """Points above fair of the second of two players, the other playing at random, in games of one order."""
    results = play(GAME, rules_with(orders_to_end=1), [Random(), strategy], SEED, 0, FEW)
    return float(100 * (results.seats["win"][1].mean() / WIN - 1 / 2))


@pytest.mark.parametrize("name", SCRIPTED)
def test_it_beats_random_play_by_five_points(name: str) -> None:
    """The slow tests see to other seats and tables."""
    assert quick_lead(made(name)) - SURELY > 5


@pytest.mark.slow
def test_random_play_does_not_beat_itself() -> None:
    """Negative control; most of its games are given up."""
    assert quick_lead(Random()) < SURELY


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", SCRIPTED)
def test_it_beats_random_play_by_five_points_at_every_table(name: str, players: int) -> None:
    gained, half_width = lead(made(name), Random(), players, 500)
    assert gained - half_width > 5


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ONE_ORDER)
def test_planner_is_at_the_top(name: str, players: int) -> None:
    """It gains among each of the others, and one of them loses among planners."""
    planner, other = made("planner"), made(name)
    for one, many, sign in ((planner, other, 1), (other, planner, -1)):
        gained, half_width = lead(one, many, players, 1500)
        assert sign * gained > half_width


def test_the_document_names_every_strategy_in_every_table() -> None:
    text = (Path(__file__).parents[2] / "docs" / "strategies-octobuns.md").read_text(encoding="utf-8")
    names = {s.name for s in list_strategies(GAME.id, Path(__file__).parent)} - {"mixture", "epsilon", "never"}
    assert names == {"random", *SCRIPTED}
    ladders = text.split("| one, among |")[1:]
    assert len(ladders) == 3
    for ladder in ladders:
        columns, *rows = ladder.split("\n\n")[0].splitlines()
        assert {name.strip() for name in columns.strip(" |").split("|")} == names
        assert {row.split("**")[1] for row in rows[1:]} == names
