"""Witness 4: the plain-Python reference engine replays Tentacolor's traces and agrees after every event.

It checks the state, the legal options of every decision and that each luck outcome was possible. The settings are
chosen so that every case of the rulebook and of its open questions is reached: small boxes run out of cards, many
encounters chain, short runs make Expert seats ready at awkward moments.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from simkit.games.tentacolor import GAME
from simkit.strategy import Epsilon, Random, Strategy
from tests.games.tentacolor_replay import reference_rules, rules_with, scripted, traced_games
from tests.reference.tentacolor import CASES, Mismatch, replay

THREE = {"colours": 3, "extremities": [[0], [1], [2], [0, 1]]}


def box(cards: int, sharks: int, schools: int, rares: int, run: int = 5) -> dict[str, Any]:
    """A box of another size and another length of run."""
    return {"cards": cards, "sharks": sharks, "schools": schools, "rares": rares, "run": run, "run_two_players": run}


ALTERNATIVES = {"deck_out": "reshuffle", "rare_at_deck_out": "play-one", "forced_match": True}
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "expert": {"expert": True},
    "six colours": {"colours": 6, "carriers": "random"},
    "forced match": {"forced_match": True, "carriers": "random"},
    "reshuffle": {"deck_out": "reshuffle", **box(20, 4, 3, 3)},
    "all alternatives": ALTERNATIVES | box(20, 4, 3, 3),
    "play one, expert": {"rare_at_deck_out": "play-one", "expert": True} | box(20, 4, 3, 3),
    "round limit": {"max_rounds": 3},
    "six colours, expert": {"colours": 6, "expert": True, "carriers": "random", "deck_out": "reshuffle"}
    | box(30, 6, 6, 6, run=4),
    "tiny": ALTERNATIVES | {"colours": 3, "carriers": "random", "forced_match": False} | box(12, 4, 1, 5, run=4),
    "expert, round limit": {"expert": True, "max_rounds": 2} | box(60, 4, 4, 4, run=2),
    "expert, sharks": THREE | {"expert": True} | box(30, 20, 2, 2, run=2),
    "expert, deck out": THREE | {"expert": True} | box(9, 1, 1, 1, run=3),
}


def line_ups(players: int) -> list[list[Strategy]]:
    """Random, scripted and epsilon-wrapped tables."""
    names = ("spiteful", "blocker", "flexible", "objective")
    mixed = [scripted(name) for name in (*names, "shark-hunter", "longest-run")]
    return [
        [Random()] * players,
        mixed[:players],
        [Epsilon(strategy, 0.3) for strategy in mixed[-players:]],
    ]


def replayed(n: int, seed: int) -> tuple[Counter[Any], int]:
    """Replay n games of every setting, player count and line-up; what was reached, and how many games it took."""
    coverage: Counter[Any] = Counter()
    n_games = 0
    for name, changes in SETTINGS.items():
        rules = rules_with(**changes)
        told = reference_rules(rules)
        for players in GAME.players:
            for strategies in line_ups(players):
                for deal, events in enumerate(traced_games(rules, strategies, seed, n)):
                    try:
                        coverage += replay(players, told, events).coverage
                    except Mismatch as mismatch:
                        pytest.fail(f"{name}, {players} players, seed {seed}, deal {deal}: {mismatch}")
                    n_games += 1
    return coverage, n_games


def test_the_reference_agrees_on_every_event() -> None:
    """A few games of each setting, for the default suite."""
    _, n_games = replayed(4, seed=1)
    assert n_games == 4 * len(SETTINGS) * 3 * 3


@pytest.mark.slow
def test_the_reference_agrees_on_20_000_games_that_reach_every_case() -> None:
    """Every event, option, end cause, rule alternative and case occurs at least 20 times."""
    coverage, n_games = replayed(172, seed=2)
    assert n_games >= 20_000
    due = [("case", case) for case in CASES]
    due += [("cause", cause) for cause in GAME.all_end_causes]
    due += [("event", event) for event in ("deal", "draw", "decision", "school", "rare", "reshuffle", "reveal", "end")]
    for decision in GAME.decisions:
        options = decision.options_for(rules_with(), 4)
        due += [("decision", decision.name), *(("option", decision.name, i) for i in range(len(options)))]
    for rule, component in GAME.components.items():
        if rule in ("forced_match", "expert", "carriers", "deck_out", "rare_at_deck_out", "colours"):
            due += [("rule", rule, value) for value in {component.value, *component.alternatives, *extra(rule)}]
    rare = {what: coverage[what] for what in due if coverage[what] < 20}
    assert not rare


def extra(rule: str) -> tuple[Any, ...]:
    """Values that are no alternatives of an assumption but variants of the rulebook."""
    return (True,) if rule == "expert" else ()


@pytest.mark.parametrize("spoil", ["tip", "legal", "card", "winner"])
def test_a_wrong_trace_is_refused(spoil: str) -> None:
    """Negative control: one wrong fact anywhere in a trace is a mismatch."""
    rules = rules_with()
    events = list(next(iter(traced_games(rules, [Random()] * 3, 3, 1))))
    places = [event for event in events if event.get("decision") == "place"]
    if spoil == "tip":
        seat = places[4]["seat"]
        (colour, run), other = places[4]["state"]["tips"][seat]
        places[4]["state"]["tips"][seat] = [(colour, run + 1), other]
    elif spoil == "legal":
        places[2]["legal"][1] = False
    elif spoil == "card":
        draws = [event for event in events if event["event"] == "draw"]
        pair, _ = draws[0]["card"]
        draws[0]["card"] = (pair, "shark" if draws[0]["card"][1] != "shark" else None)
    else:
        events[-1]["winners"] = [(events[-1]["winners"][0] + 1) % 3]
    with pytest.raises(Mismatch):
        replay(3, reference_rules(rules), events)
