"""Witness 4: the plain-Python reference engine replays Tiny Epic Cthulhu's traces and agrees after every event.

It checks the state, the legal options of every decision and that each luck outcome was possible. The settings are
chosen so that every rule alternative and every case of the rulebook is reached: long strength tracks and cheap pages
lead to Phase Two, short tracks and small bags to what is rare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.cards import ROUTES
from simkit.strategy import Epsilon, Random, Strategy
from tests.games.tiny_epic_cthulhu_replay import (
    Scholar,
    reference_rules,
    rules_with,
    scripted,
    tallied,
    traced_games,
    traced_with_results,
)
from tests.games.tiny_epic_cthulhu_settings import OFTEN, SETTINGS
from tests.reference.tiny_epic_cthulhu import CASES, CAUSES, Mismatch, replay
from tests.reference.tiny_epic_cthulhu_table import COLOURS, LUCK_FIXED, WITH_ALTERNATIVES, rule_text


def line_up(kind: int, seats: int) -> list[Strategy]:
    """Tables of scholars, of scripted strategies, of both kinds wrapped, of players at random."""
    mixed = [scripted(name) for name in ("balanced", "page_rusher", "shambler_cleaner", "cautious")]
    kinds: list[list[Strategy]] = [
        [Epsilon(Scholar(), 0.2)] * seats,
        mixed[:seats],
        [Epsilon(strategy, 0.3) for strategy in (Scholar(), *mixed)][:seats],
        [Random()] * seats,
    ]
    return kinds[kind % 4]


Match = tuple[str, list[Strategy]]
"""The name of a setting, and who plays."""


def matches() -> Iterator[Match]:
    """Every setting at two tables, of another kind and with another player count in each."""
    for number, name in enumerate(SETTINGS):
        for table in range(2):
            players = GAME.players[(number // 4 + 2 * table) % len(GAME.players)]
            yield name, line_up(number + 3 * table, GAME.seats_for(players))


def replayed(matches: list[Match], n: int, seed: int, **changes: Any) -> tuple[Counter[Any], int]:
    """Replay n games of each match, of some more; what was reached, and how many games it took."""
    coverage: Counter[Any] = Counter()
    n_games = 0
    for name, strategies in matches:
        rules = rules_with(**SETTINGS[name] | changes)
        told = reference_rules(rules)
        games, results = traced_with_results(rules, strategies, seed, n * 4 if name in OFTEN else n)
        tallies: Counter[Any] = Counter()
        for deal, events in enumerate(games):
            try:
                reference = replay(len(strategies), told, events)
            except Mismatch as mismatch:
                pytest.fail(f"{name}, {len(strategies)} seats, seed {seed}, deal {deal}: {mismatch}")
            coverage.update(reference.coverage)
            tallies.update(reference.tallies)
            n_games += 1
        assert tallied(results) == tallies, f"{name}, {len(strategies)} seats, seed {seed}"
    return coverage, n_games


def test_the_reference_agrees_on_every_event() -> None:
    """The first rounds of some games, with another setting, player count and line-up in each."""
    some = list(matches())[::22]
    _, n_games = replayed(some, 2, seed=1, max_rounds=6)
    assert n_games >= 2 * len(some)
    assert {len(strategies) for _, strategies in some} == {2, 3, 4}


@pytest.mark.slow
def test_the_reference_agrees_on_thousands_of_games_that_reach_every_case() -> None:
    """Every event, option, end cause, effect, rule alternative and case occurs at least 20 times."""
    coverage, n_games = replayed(list(matches()), 27, seed=2)
    assert n_games >= 5_000
    assert coverage["phase", 2] >= 1_000
    assert coverage["cause", "sealed"] >= 100
    rare = {what: coverage[what] for what in due() if coverage[what] < 20}
    assert not rare


def due() -> list[tuple[Any, ...]]:
    """All that must occur."""
    events = (
        "setup", "spin", "pointer", "power", "draw", "strength", "spawn", "great_old_one", "move", "flip", "delirium",
        "collect", "roll", "reroll", "banish", "town", "moved", "fed", "reveal", "swap", "travel", "lure", "fill",
        "hide", "translate", "phase", "seal", "ability", "stop", "end",
    )  # fmt: skip
    wanted: list[tuple[Any, ...]] = [("case", case) for case in CASES] + [("event", event) for event in events]
    wanted += [("cause", cause) for cause in CAUSES] + [("seats", seats) for seats in (2, 3, 4)]
    for decision in GAME.decisions:
        options = decision.options_for(rules_with(), 4)
        wanted += [("decision", decision.name), *(("option", decision.name, i) for i in range(len(options)))]
    for rule in WITH_ALTERNATIVES:
        component = GAME.components[rule]
        wanted += [("rule", rule, rule_text(value)) for value in (component.value, *component.alternatives)]
    wanted += [("rule", rule, "given") for rule in LUCK_FIXED]
    return [*wanted, *due_effects(), *due_ends(), *due_offers()]


def due_effects() -> Iterator[tuple[Any, ...]]:
    """Every effect wherever it may stand, every way of moving tentacles, every power by either cause."""
    for effect in ("move madness", "draw you", "reveal", "swap", "travel", "lure", "banish"):
        yield from (("effect", effect, place) for place in ("town", "ability"))
    for effect in ("move chaos", "move eldritch"):
        yield from (("effect", effect, place) for place in ("town", "ability", "power"))
    for effect in (
        "move colour",
        "feed",
        "draw you",
        "draw all",
        "fill",
        "spawn pointer",
        "spawn great-old-one",
        "hide",
    ):
        yield "effect", effect, "power"
    for what, (sources, targets) in ROUTES.items():
        kind = "madness" if what == "colour" else what
        yield from (("moved", kind, source, target) for source in sources for target in targets if source != target)
    yield from (("power", colour, cause) for colour in range(3) for cause in ("wheel", "madness"))
    for name in ("nyarlathotep", "yog_sothoth", "yig", "cthulhu", "custom"):
        yield from (("unleashed", name, side, colour) for side in range(2) for colour in range(3))


def due_ends() -> Iterator[tuple[Any, ...]]:
    """What was under way when the game ended, and which track was accursed."""
    yield from (("trigger", "none", "none"), ("trigger", "seal", "none"), ("trigger", "wheel draw", "energy"))
    yield from (
        ("trigger", trigger, "shambler") for trigger in ("spin", "pointer", "power by wheel", "power by madness")
    )
    for trigger in ("stop", "town action", "ability", "power by wheel", "power by madness"):
        yield from (("trigger", trigger, track) for track in ("energy", *COLOURS))


def due_offers() -> Iterator[tuple[Any, ...]]:
    """What decisions tell besides their options."""
    offers = {
        "flip": ("way",), "banish": ("cost",), "chaos_paid": ("colour", "need", "purpose"), "collect": ("n_more",),
        "tentacle": ("source", "target", "n_more"), "page": ("purpose",), "town": ("purpose",),
        "reroll_banish": ("dice", "n_rerolls"), "reroll_seal": ("dice", "n_rerolls", "portal", "need"),
    }  # fmt: skip
    return (("offer", decision, name) for decision, names in offers.items() for name in names)


@pytest.mark.parametrize("spoil", ["madness", "legal", "draw", "dice", "column"])
def test_a_wrong_trace_is_refused(spoil: str) -> None:
    """Negative control: one wrong fact anywhere in a trace is a mismatch."""
    rules = rules_with(delirium=9)
    events = list(next(iter(traced_games(rules, [Random()] * 3, 3, 1))))
    if spoil == "madness":
        events[40]["state"]["madness"][1][2] += 1
    elif spoil == "legal":
        actions = [event["decision"] for event in events if event.get("decision", {}).get("decision") == "action"]
        actions[2]["legal"][8] ^= True
    elif spoil == "draw":
        draw = next(event for event in events if event["event"] == "draw")
        draw["kind"] = 3  # no chaos lies in the bag at the start
    elif spoil == "dice":
        roll = next(event for event in events if event["event"] == "roll")
        roll["dice"][0] = 3
    else:
        events[-1]["seats"]["n_moves"][0] += 1
    with pytest.raises(Mismatch):
        replay(3, reference_rules(rules), events)
