"""Witness 4: the plain-Python reference engine replays Octobuns' traces and agrees after every event.

It checks the state, the legal options of every decision, that each luck outcome was possible, the rows and the
tallies. The settings are chosen so that every rule alternative and every case of the rulebook is reached: small boxes
run dry, boxes of two ingredients fill bakeries and orders, few buns are soon out of stock.
"""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from simkit.games.octobuns import GAME
from simkit.strategy import Random, Strategy
from tests.games.octobuns_replay import Event, reference_rules, rules_with, tallied, traced_games, traced_with_results
from tests.games.octobuns_settings import OFTEN, SETTINGS, SUITED, line_up
from tests.reference.octobuns import CASES, Mismatch, replay
from tests.reference.octobuns_bakery import path_sets
from tests.reference.octobuns_table import RULES, SWITCHES, rule_text

PARTS = 8
"""Of the many games; those that end last check what all of them have reached."""

Match = tuple[str, list[Strategy]]
"""The name of a setting, and who plays."""


def matches() -> list[Match]:
    """Every setting at two tables, of another kind and with another player count in each."""
    told = []
    for number, name in enumerate(SETTINGS):
        for table in range(2):
            players = GAME.players[(number // 4 + table) % len(GAME.players)]
            rules = rules_with(**SETTINGS[name])
            options_of = {decision.name: decision.options_for(rules, players) for decision in GAME.decisions}
            told.append((name, line_up(name, number + table, players, options_of)))
    return told


def n_games_of(name: str, n: int) -> int:
    """The settings at random play short games, those with seats that suit them bring about what is rare."""
    if name == "the box":
        return n // 2
    if name in OFTEN:
        return n * 4
    return n * 2 if name.startswith("at random") or name in SUITED else n


def replayed(matches: Sequence[Match], n: int, seed: int, **changes: Any) -> tuple[Counter[Any], int]:
    """Replay games of each match; what was reached, and how many games it took."""
    coverage: Counter[Any] = Counter()
    n_games = 0
    for name, strategies in matches:
        rules, players = rules_with(**SETTINGS[name] | changes), len(strategies)
        told = reference_rules(rules)
        games, results = traced_with_results(rules, strategies, seed, n_games_of(name, n))
        tallies: Counter[Any] = Counter()
        for deal, events in enumerate(games):
            try:
                reference = replay(players, told, events)
            except Mismatch as mismatch:
                pytest.fail(f"{name}, {players} players, seed {seed}, deal {deal}: {mismatch}")
            coverage.update(reference.coverage)
            tallies.update(reference.tallies)
        assert tallied(results) == tallies, f"{name}, {players} players, seed {seed}"
        n_games += len(games)
    return coverage, n_games


def test_the_reference_agrees_on_every_event() -> None:
    """The first rounds of some games, with another setting, player count and line-up in each."""
    some = matches()[::9]
    _, n_games = replayed(some, 2, seed=1, max_rounds=5)
    assert n_games >= 2 * len(some)
    assert {len(strategies) for _, strategies in some} == set(GAME.players)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_the_reference_agrees_on_10_000_games_that_reach_every_case(
    part: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Every event, option, end cause, rule alternative and case occurs at least 20 times in all parts together."""
    found = replayed(matches()[part::PARTS], 26, seed=2)
    parts = kept(found, part, tmp_path_factory)
    if len(parts) == PARTS:
        coverage = sum((coverage for coverage, _ in parts), Counter[Any]())
        assert sum(n_games for _, n_games in parts) >= 10_000
        assert not {what: coverage[what] for what in due() if coverage[what] < 20}


def kept(
    found: tuple[Counter[Any], int], part: int, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[Counter[Any], int]]:
    """Keep what a part has found where the parts in other processes see it; all that have been kept so far."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "octobuns-reference"
    folder.mkdir(exist_ok=True)
    unfinished = folder / f"{part}.unfinished"
    unfinished.write_bytes(pickle.dumps(found))
    unfinished.rename(folder / f"{part}.pickle")
    return [pickle.loads(Path(file).read_bytes()) for file in folder.glob("*.pickle")]


def due() -> list[tuple[Any, ...]]:
    """All that must occur."""
    events = (
        "setup", "take", "lose", "place", "shift", "use", "rope in", "return", "lift", "discard", "drop", "complete",
        "rebuild", "refill", "orders", "end",
    )  # fmt: skip
    wanted: list[tuple[Any, ...]] = [("case", case) for case in CASES] + [("event", event) for event in events]
    wanted += [("cause", cause) for cause in GAME.all_end_causes] + [("players", players) for players in GAME.players]
    offers = {"cell": "card", "shift": "card", "clean_to": "card", "discarded": "freed", "path": "order"}
    wanted += [("offer", decision, name) for decision, name in offers.items()]
    return [*wanted, *due_options(), *due_rules(), *due_ways()]


def due_options() -> Iterator[tuple[Any, ...]]:
    """Every option of every decision, with orders of five and as many places to reserve as there may be here."""
    rules = rules_with(**SETTINGS["many ropes"])
    for decision in GAME.decisions:
        n_options = len(decision.options_for(rules, 4))
        if decision.name == "path":
            n_options = len(path_sets(5))
        elif decision.name == "discarded":
            n_options = len(rules_with().ingredients)
        yield "decision", decision.name
        yield from (("option", decision.name, option) for option in range(n_options))


def due_rules() -> Iterator[tuple[Any, ...]]:
    """Every alternative, and some numbers."""
    for rule, values in RULES.items():
        component = GAME.components[rule]
        for value in (component.value, *component.alternatives, *values):
            yield "rule", rule, rule_text(rule, value)
    yield from (("rule", "reserve_limit", repr(n)) for n in range(4))
    for rule in ("starting_cards", "clean_up_cards", "coins_per_bun"):
        yield from (("rule", rule, repr(n)) for n in range(3))
    yield from (("rule", rule, repr(n)) for rule in ("orders_to_end", "orders_per_turn") for n in (1, 2))
    yield from (("rule", rule, repr(value)) for rule in ("finish_round", "blind_rope_in") for value in (False, True))


def due_ways() -> Iterator[tuple[Any, ...]]:
    """What may become of a card taken in each way, where an order may come from, what may be used and gained."""
    ways = ("open", "tentacle", "supply", "exchange")
    yield from (("flow", way, fate) for way in ways for fate in ("placed", "stacked", "lost"))
    yield from (("roped in", source) for source in range(6))
    yield from (("use", kind) for kind in range(4))
    yield from (("icon", icon) for icon in (None, 0, 1, 2))


@pytest.mark.parametrize("spoil", ["bakery", "legal", "deal", "rebuild", "column", "winner"])
def test_a_wrong_trace_is_refused(spoil: str) -> None:
    """Negative control: one wrong fact anywhere in a trace is a mismatch."""
    rules = rules_with(**SETTINGS["dry"])
    events = list(next(iter(traced_games(rules, [Random()] * 3, 3, 1))))
    replay(3, reference_rules(rules), events)
    if spoil == "bakery":
        events[40]["state"]["bakeries"][1][2] ^= 1
    elif spoil == "legal":
        acts = [event for event in events if event.get("decision") == "act"]
        acts[5]["legal"][5] ^= True
    elif spoil == "deal":
        events[0]["state"]["stacks"][1][0] = 3 - events[0]["state"]["stacks"][1][0]
    elif spoil == "rebuild":
        rebuild = next(event for event in events if event["event"] == "rebuild")
        stack = next(stack for stack in rebuild["state"]["stacks"] if stack)
        stack[-1] = 3 - stack[-1]
    elif spoil == "column":
        events[-1]["seats"]["n_taken"][0] += 1
    else:
        events[-1]["winners"] = [seat for seat in range(3) if seat not in events[-1]["winners"]]
    with pytest.raises(Mismatch):
        replay(3, reference_rules(rules), events)


@cache
def games_of_all_sorts() -> list[tuple[int, dict[str, Any], list[Event]]]:
    """Some games of settings at random, of full bakeries and scarce buns: players, rules, events."""
    names = ("at random 5", "at random 25", "at random 35", "full", "scarce buns", "trade of the lonely")
    games = []
    for name, strategies in matches():
        if name in names:
            rules = rules_with(**SETTINGS[name])
            told = reference_rules(rules)
            games += [(len(strategies), told, events) for events in traced_games(rules, strategies, 4, 6)]
    return games


@pytest.mark.xdist_group("octobuns_of_all_sorts")  # the games are played once
@pytest.mark.parametrize("rule", SWITCHES)
def test_a_rule_read_otherwise_is_refused(rule: str) -> None:
    """Negative control: no rule can be mistaken for its alternative in all of some games."""
    for players, rules, events in games_of_all_sorts():
        other = next(value for value in RULES[rule] if value != rules[rule])
        try:
            replay(players, rules | {rule: other}, events)
        except Mismatch:
            return
    pytest.fail(f"nothing told another {rule} apart")
