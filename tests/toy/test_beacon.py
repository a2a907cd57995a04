"""The toy in lockstep is the toy by hand, game by game; it reaches all it is there for, and keeps its secrets."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from simkit.batch import play, play_batch
from simkit.catalog import find_game, load_strategy
from simkit.planning.strategy_spec import StrategySpec
from simkit.results import GROUPS, Results
from simkit.strategy import Epsilon, Random, Strategy
from simkit.tape import Tape
from simkit.trace import Trace
from tests.contract.leaks import LeakTable

from . import beacon_by_hand as by_hand

TOY = Path(__file__).parent
BEACON = find_game("beacon", TOY)
SEED, FIRST, N = 99, 40, 100
VALUES = BEACON.components.values_with({})
CHANGES = [
    {},
    {"copies": 1, "squalls": 9, "squall_cards": 3},
    {"thick": 1, "wrecks": 2, "copies": 4},
    {"max_rounds": 5},
    {"squalls": 0, "cost": 0, "dawn_beacons": 3},
    {"squall_cards": 0, "oil": 6},
]


def strategy(name: str, **parameters) -> Strategy:
    return load_strategy(StrategySpec.model_validate({"name": name, **parameters}), "beacon", TOY)


KEEPERS = {
    "first": (Strategy(), by_hand.first),
    "random": (Random(), by_hand.any_legal),
    "watchful": (strategy("watchful"), by_hand.watchful()),
    "fearless": (strategy("watchful", fear=9), by_hand.watchful(9)),
    "thrifty": (strategy("thrifty", spare=2), by_hand.thrifty(2)),
    "plain": (strategy("plain"), by_hand.plain),
}
LINE_UPS = [
    ["random"] * 2,
    ["watchful", "thrifty"],
    ["thrifty"] * 3,
    ["plain", "first", "random"],
    ["random"] * 4,
    ["random", "plain", "fearless", "thrifty"],
]


def rules_with(changes):
    return BEACON.rules(**(VALUES | changes))


def games_by_hand(changes, line_up) -> list[by_hand.Coast]:
    keepers = [KEEPERS[name][1] for name in line_up]
    return [by_hand.Coast(SEED, deal, VALUES | changes, keepers) for deal in range(FIRST, FIRST + N)]


def in_lockstep(changes, line_up, width=None) -> Results:
    seated = [KEEPERS[name][0] for name in line_up]
    return play(BEACON, rules_with(changes), seated, SEED, FIRST, N, width=width)


@pytest.mark.parametrize("line_up", LINE_UPS, ids=" ".join)
@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_every_game_is_that_played_by_hand(changes, line_up):
    results, games = in_lockstep(changes, line_up), games_by_hand(changes, line_up)
    for name, column in {
        "won": [game.won for game in games],
        "n_turns": [game.turn + 1 for game in games],
        "end_cause": [BEACON.all_end_causes.index(game.end) for game in games],
        "n_wrecks": [game.n_wrecks for game in games],
        "n_squalls": [game.n_squalls for game in games],
        "n_beacons": [game.n_beacons for game in games],
    }.items():
        assert results.games[name].tolist() == column, name
    for name in ("n_held", "n_built", "oil"):
        assert results.seats[name].T.tolist() == [getattr(game, name) for game in games], name
    assert counts_of(results) == sum((counts_by_hand(game) for game in games), Counter())


def counts_by_hand(game: by_hand.Coast) -> Counter:
    """Its tallies, and the group that its deal belongs to."""
    return Counter({(*cell, game.deal % GROUPS): count for cell, count in game.tally.items()})


def counts_of(results: Results) -> Counter:
    """Tally cells that are not empty, by name and values."""
    met, counts = ("fog", "thick fog", "held beacon", "lost beacon"), Counter()
    for name, table in results.tallies().items():
        for *keys, group in np.argwhere(table).tolist():
            told = (*keys[:-1], met[keys[-1]]) if name == "weather" else tuple(keys)
            counts[(name, *told, group)] = int(table[(*keys, group)])
    return counts


@pytest.mark.parametrize("width", [1, 13, 64])
def test_results_do_not_depend_on_the_width(width):
    line_up = ["random", "plain", "thrifty"]
    whole, cut = in_lockstep({}, line_up), in_lockstep({}, line_up, width)
    for part in ("games", "seats"):
        for name, column in getattr(whole, part).items():
            assert getattr(cut, part)[name].tolist() == column.tolist()
    assert counts_of(cut) == counts_of(whole)


def test_the_toy_reaches_what_it_is_there_for():
    """Every end, both answers to an out-of-turn question, squalls in squalls, dice that differ from game to game."""
    games = [game for changes in CHANGES for game in games_by_hand(changes, ["random", "plain", "fearless", "thrifty"])]
    assert set(BEACON.all_end_causes) == {game.end for game in games}
    assert {game.won for game in games if game.end == "dawn"} == {True, False}
    assert all(sum(game.tally["defence", seat, held] for game in games) > 20 for seat in range(4) for held in (0, 1))
    assert max(game.n_squalls for game in games if game.turn < game.n_squalls) > 2
    assert len({game.n_ships for game in games if game.turn == 20}) > 2


# --------------------------------------------------------------------------------------------------- traces and secrets


def test_a_trace_tells_every_game_and_changes_none():
    """The boards told at the last event are those of the game by hand."""
    line_up, trace = ["random", "plain", "watchful"], Trace()
    seated = [KEEPERS[name][0] for name in line_up]
    results = play(BEACON, rules_with({}), seated, SEED, FIRST, 40, observer=trace)
    untold = in_lockstep({}, line_up)
    assert {name: column.tolist() for name, column in results.games.items()} == {
        name: column[:40].tolist() for name, column in untold.games.items()
    }
    for game in games_by_hand({}, line_up)[:40]:
        last = trace.games[game.deal][-1]
        assert (last["event"], last["cause"]) == ("end", game.end)
        assert last["state"]["fog"] == [game.fog[i : i + 3] for i in (0, 3, 6)]
        keepers = [0 if keeper is None else keeper + 1 for keeper in game.keeper]
        assert last["state"]["keeper"] == [keepers[i : i + 3] for i in (0, 3, 6)]
        assert (last["state"]["oil"], last["state"]["wrecks"]) == (game.oil, game.n_wrecks)
        assert last["state"]["pile"] == len(game.pile)


class Clairvoyant(type(strategy("watchful"))):
    """Looks at the next card that a squall would draw, which it must not."""

    def defend(self, view):
        table = view._table
        depth = np.minimum(table.state.n_low, table.state.pile.n_bottom - 1)
        is_north = view.look(table.state.pile.from_bottom(depth, np.arange(table.n))) < 3
        return np.stack([is_north, ~is_north])


def leaks(seated: list[Strategy]) -> LeakTable:
    rules, n = rules_with({"copies": 1}), 12
    deals = np.arange(n, dtype=np.uint64)
    table = LeakTable(BEACON, rules, seated, Tape(SEED), deals, Results(BEACON, rules, len(seated), n))
    play_batch(table)
    return table


@pytest.mark.parametrize("name", ["watchful", "thrifty", "plain", "random"])
def test_choices_do_not_depend_on_the_order_of_the_pile(name):
    """Also those of a seat that is asked out of turn."""
    kept = KEEPERS[name][0]
    table = leaks([kept, Epsilon(kept, 0.2)])
    assert table.n_compared > 100
    assert table.leaks == []


def test_a_look_at_the_pile_is_found_out():
    found = leaks([Clairvoyant(), Random()]).leaks
    assert {decision for decision, _ in found} == {"defend"}
