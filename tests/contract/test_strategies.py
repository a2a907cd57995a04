"""What every game and every library strategy must keep to: hidden things stay hidden, games do not see each other.

The probes of `simkit check` are used in this process here; tests/probe puts them to the test themselves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.batch import play, play_batch
from simkit.catalog import find_game, list_games, list_strategies, load_strategy
from simkit.experiment import StrategySpec
from simkit.game import Game
from simkit.probe import check_game, check_strategy
from simkit.probe.findings import Findings
from simkit.probe.guard import Guarded
from simkit.probe.interview import Interview
from simkit.probe.questions import ExaminedTable
from simkit.probe.variants import Setting, settings_of, variants
from simkit.results import Results
from simkit.strategy import Epsilon, Mixture, Random, Strategy
from simkit.tape import Tape
from simkit.view import View
from tests.contract.leaks import LeakTable

HERE = Path(__file__).parent
WRAPPED = {"mixture": {"of": ["random"]}, "epsilon": {"of": "random"}, "never": {"of": "random"}}


def library_strategies() -> list[tuple[str, str]]:
    """(game, strategy) for everything that is listed; the engine's own with the quickest game only."""
    listed = [(g.name, s.name) for g in list_games(HERE) for s in list_strategies(g.name, HERE)]
    return [(game, name) for game, name in listed if game == "tentacolor" or name not in ("random", *WRAPPED)]


def spec_of(name: str) -> StrategySpec:
    """A strategy with its default parameters; wrappers around random play."""
    return StrategySpec.model_validate({"name": name, **WRAPPED.get(name, {})})


def loaded(game_id: str, name: str) -> Strategy:
    """The strategy."""
    return load_strategy(spec_of(name), game_id, HERE)


def leaks(game_id: str, strategy: Strategy, changes: dict[str, Any], seats: int) -> tuple[int, int]:
    """Decisions that depended on something hidden, and how many were compared."""
    game = find_game(game_id)
    rules = game.rules(**game.components.values_with(changes))
    results = Results(game, rules, seats, 24)
    table = LeakTable(game, rules, [strategy] * seats, Tape(3), np.arange(24, dtype=np.uint64), results)
    play_batch(table)
    assert table.n_changed > 0
    return len(table.leaks), table.n_compared


OPEN = {"tentacle-town"}
"""Games in which nothing lies hidden."""
LONG = {"tiny-epic-cthulhu": "balanced", "octobuns": "planner"}
"""Games that take long, and the one strategy that speaks for all in the quick suite."""
CUT: dict[str, dict[str, Any]] = {"octobuns": {"max_rounds": 5}}
"""Where random play takes very long, games are given up early."""
CHECKED: dict[str, dict[str, Any]] = {"octobuns": {"max_rounds": 25}}
"""The same for the whole check: planner's games end by then, random ones rarely do."""
EVERY = [
    pytest.param(game, name, marks=[pytest.mark.slow] if name != LONG.get(game, name) else [])
    for game, name in library_strategies()
]
WITH_SECRETS = [
    pytest.param(game, name, marks=[pytest.mark.slow] if game in LONG else [])
    for game, name in library_strategies()
    if game not in OPEN
]


@pytest.mark.parametrize(("game_id", "name"), WITH_SECRETS)
def test_a_strategy_sees_nothing_hidden(game_id: str, name: str) -> None:
    game = find_game(game_id)
    for variant in variants(game)[:2]:
        changes = variant | CUT.get(game_id, {})
        for players in (min(game.players), max(game.players)):
            n_leaks, n_compared = leaks(game_id, loaded(game_id, name), changes, game.seats_for(players))
            assert n_compared > 100
            assert n_leaks == 0


@pytest.mark.parametrize(("game_id", "name"), EVERY)
def test_a_strategy_keeps_nothing_and_minds_each_game_alone(game_id: str, name: str) -> None:
    """The same question put again, afresh, in another order and beside other games."""
    game, findings = find_game(game_id), Findings()
    for variant in variants(game)[:1]:  # `simkit check`, below, tries the others
        changes = variant | CUT.get(game_id, {})
        seats = game.seats_for(max(game.players))
        rules = Setting(max(game.players), changes).rules(game)

        def make() -> Strategy:
            return Guarded(loaded(game_id, name), (), findings)

        interview = Interview(make, findings, str(changes))
        deals, results = np.arange(24, dtype=np.uint64), Results(game, rules, seats, 24)
        strategies = [interview.used] * seats
        play_batch(ExaminedTable(game, rules, strategies, Tape(3), deals, results, examiner=interview))
        interview.in_another_order(make)
    assert findings.found == []
    assert min(findings.compared[check] for check in ("memory", "columns", "hidden")) > 100


@pytest.mark.parametrize(("game_id", "name"), EVERY)
def test_a_game_does_not_depend_on_its_neighbours(game_id: str, name: str) -> None:
    """The same deals in batches of other sizes, beside other games, give the same rows."""
    game = find_game(game_id)
    for variant in variants(game)[:1]:
        changes = variant | CUT.get(game_id, {})
        rules = game.rules(**game.components.values_with(changes))
        line_up = [loaded(game_id, name), *[Random()] * (game.seats_for(max(game.players)) - 1)]
        whole = play(game, rules, line_up, 11, 0, 60)
        parts = [play(game, rules, line_up, 11, first, n, width=23) for first, n in ((0, 17), (17, 43))]
        for table in ("games", "seats"):
            for column, values in getattr(whole, table).items():
                pieces = np.concatenate([getattr(part, table)[column] for part in parts], axis=-1)
                assert np.array_equal(values, pieces), column
        for tally, counts in whole.tallies().items():
            assert np.array_equal(counts, sum(part.tallies()[tally] for part in parts))


def checked_settings(game: Game) -> list[Setting]:
    """What `simkit check` plays, cut where random play takes very long."""
    return [Setting(s.players, s.changes | CHECKED.get(game.id, {})) for s in settings_of(game)]


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "name"), library_strategies())
def test_a_library_strategy_passes_the_check(game_id: str, name: str) -> None:
    """As `simkit check` does it, in processes of its own; at the largest table, the smaller ones being tried above."""
    game = find_game(game_id)
    settings = [setting for setting in checked_settings(game) if setting.players == max(game.players)]
    report = check_strategy(spec_of(name), game_id, HERE, settings, seconds=1800, patience=120)
    assert report.passed, report.told()
    assert [check.name for check in report.checks if check.status == "not checked"] == []


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [game.name for game in list_games(HERE)])
def test_a_library_game_passes_the_check(game_id: str) -> None:
    report = check_game(game_id, HERE, checked_settings(find_game(game_id)), seconds=1800, patience=120)
    assert report.passed, report.told()
    assert [check.name for check in report.checks if check.status == "not checked"] == []


class Peeker(Strategy):
    """Looks at the left neighbour's card."""

    def give(self, view: View) -> np.ndarray:
        """Passes the second card if the neighbour's card is green."""
        scores = np.zeros((2, view.n), np.uint8)
        scores[1] = view.look(view._table.state.held[(view.seat + 1) % view.seats]) & 1
        return scores


class Crowd(Strategy):
    """Does what depends on the other games in the batch."""

    def place(self, view: View) -> np.ndarray:
        """Places the third card if the batch is large."""
        scores = np.zeros((3, view.n), np.uint8)
        scores[2] = view.n > 30
        return scores


def test_a_strategy_that_peeks_is_found() -> None:
    """Negative control, also inside wrappers."""
    for strategy in (Peeker(), Mixture((Peeker(), Random())), Epsilon(Peeker(), 0.1)):
        assert leaks("tentacolor", strategy, {}, 3)[0] > 0


def test_a_strategy_that_looks_at_other_games_is_found() -> None:
    """Negative control."""
    game = find_game("tentacolor")
    rules = game.rules(**game.components.values_with({}))
    whole = play(game, rules, [Crowd()] * 3, 11, 0, 60)
    part = play(game, rules, [Crowd()] * 3, 11, 0, 20)
    assert not np.array_equal(whole.games["n_turns"][:20], part.games["n_turns"])


@pytest.mark.parametrize("game_id", sorted(OPEN))
def test_nothing_is_hidden_in_an_open_game(game_id: str) -> None:
    """`hidden` changes nothing, and the state is all there is: luck to come is nowhere in it."""
    game = find_game(game_id)
    rules = game.rules(**game.components.values_with({}))
    seats = game.seats_for(max(game.players))
    results = Results(game, rules, seats, 24)
    table = LeakTable(game, rules, [Random()] * seats, Tape(3), np.arange(24, dtype=np.uint64), results)
    play_batch(table)
    assert table.n_changed == 0
    assert table.state.parts == []
