"""Witness 4: the plain-Python reference engine replays Tentacle Town's traces and agrees after every event.

It checks the state, the legal options of every decision and that each luck outcome was possible. The settings are
chosen so that every rule alternative and every case of the rulebook is reached: narrow rows fill up, few tentacles
are all on the board, rich seats do many tasks a turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from simkit.games.tentacle_town import GAME
from simkit.strategy import Epsilon, Random, Strategy
from tests.games.tentacle_town_replay import reference_rules, rules_with, scripted, traced_games
from tests.reference.tentacle_town import CASES, Mismatch, replay
from tests.reference.tentacle_town_table import WITH_ALTERNATIVES, rule_text

RICH = {"start_gold": 9, "start_food": 6, "start_iron": 6, "start_fame": 3, "start_harpoons": 9}
EVERY_CARD = {"task_cards": 12}
NARROW = {
    "rows": [4, 1, 2],
    "row_left_out_two_players": 1,
    "row_left_out_three_players": 1,
    "buildings": 6,
    "tentacles": 3,
    "die": [2, 1, 0, 1, 2],
}
STRICT = {"zero_tasks": False, "trades": "all", "overtime_from_earnings": False, "movers_same_district": False}
VOLLEY = {"hunt_firing": "volley"}
OVERTIME = {
    "build_by_overtime": True,
    "overtime_after_pass": True,
    "overtime_limit": "residents",
    "pass_work": "stuck",
}
DEFENCE = {"harpoons_per_result": 2, "defence_pays": {"food": 2, "fame": 1}}


def pie(food: int, fame: int) -> dict[str, Any]:
    """Another price of a pie."""
    return {"cost": {"food": food}, "gain": {"fame": fame}}


def for_nothing(good: str, amount: int) -> dict[str, Any]:
    """Another gift."""
    return {"gain": {good: amount}}


SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "younger players": {"task_cards": 0},
    "every card": EVERY_CARD | RICH,
    "given cards": {"cards": ["hire_movers", "housing_project", "squid_bake", "plant_flowers"]} | RICH,
    "a card in, another out": {"card_in": "can_calamari", "card_out": "bake_pie", "task_cards": 4, "start_gold": 6},
    "narrow rows": NARROW | RICH | EVERY_CARD,
    "narrow, no zero": NARROW | {"zero_tasks": False, "pass_work": "stuck", "task_cards": 0},
    "line": {"adjacency": "line", "rows": [4, 6, 3], "row_left_out_two_players": 4, "dice_order": "skulls-first"},
    "strict": RICH | EVERY_CARD | STRICT,
    "volley": RICH | VOLLEY | {"hit": "2/3", "dice_order": "arrows-first", "overtime_limit": "residents"},
    "volley, no zero": RICH | VOLLEY | {"zero_tasks": False, "hit": 0.6, "overtime_cost": 2},
    "overtime": RICH | EVERY_CARD | OVERTIME,
    "tokens": RICH | EVERY_CARD | {"token_limit": True, "tokens": 20, "hire_movers": {"cost": {"gold": 1}}},
    "lost buildings": EVERY_CARD | {"destroyed_returns": False, "die": [1, 1, 3, 1, 0], "bake_pie": pie(1, 1)},
    "defence": RICH | DEFENCE | {"hit": 0.4, "die": [1, 1, 2, 1, 1]},
    "another die": EVERY_CARD | {"die": [1, 1, 2, 2, 0], "recycle_anchors": for_nothing("iron", 1)},
    "pies": EVERY_CARD | {"die": [1, 2, 1, 1, 1], "bake_pie": pie(3, 2), "start_food": 9},
    "sticks": EVERY_CARD | {"whittle_sticks": for_nothing("harpoons", 2)},
    "round limit": {"max_rounds": 4},
    "six dice": {"dice": 6, "tentacles": 12, "hit": 0.37},
}


def line_ups(players: int) -> Iterator[list[Strategy]]:
    """Random, scripted and epsilon-wrapped tables."""
    mixed = [scripted(name) for name in ("tycoon", "hunter", "gardener", "builder", "caravan", "greedy")]
    yield [Random()] * players
    yield [*mixed[: players - 1], Random()]
    yield [Epsilon(strategy, 0.3) for strategy in mixed[-players:]]


Match = tuple[str, list[Strategy]]
"""The name of a setting, and who plays."""


def matches() -> list[Match]:
    """Every setting with every player count and line-up."""
    return [(name, line_up) for name in SETTINGS for players in GAME.players for line_up in line_ups(players)]


def replayed(matches: list[Match], n: int, seed: int) -> tuple[Counter[Any], int]:
    """Replay n games of each match; what was reached, and how many games it took."""
    coverage: Counter[Any] = Counter()
    n_games = 0
    for name, strategies in matches:
        rules, players = rules_with(**SETTINGS[name]), len(strategies)
        told = reference_rules(rules)
        for deal, events in enumerate(traced_games(rules, strategies, seed, n)):
            try:
                coverage.update(replay(players, told, events).coverage)
            except Mismatch as mismatch:
                pytest.fail(f"{name}, {players} players, seed {seed}, deal {deal}: {mismatch}")
            n_games += 1
    return coverage, n_games


def test_the_reference_agrees_on_every_event() -> None:
    """Some games of each setting, with another player count and line-up in each, for the default suite."""
    some = matches()[:: len(GAME.players) * 3 + 1]
    _, n_games = replayed(some, 2, seed=1)
    assert n_games == 2 * len(some) >= len(SETTINGS)
    assert {len(strategies) for _, strategies in some} == set(GAME.players)


@pytest.mark.slow
def test_the_reference_agrees_on_10_000_games_that_reach_every_case() -> None:
    """Every event, option, end cause, rule alternative and case occurs at least 20 times."""
    coverage, n_games = replayed(matches(), 56, seed=2)
    assert n_games >= 10_000
    rare = {what: coverage[what] for what in due() if coverage[what] < 20}
    assert not rare


def due() -> list[tuple[Any, ...]]:
    """All that must occur."""
    events = ("setup", "recruit", "pass", "build", "task", "hunt", "shot", "tentacle", "roll")
    events += ("skull", "arrow", "destroy", "new", "end")
    wanted: list[tuple[Any, ...]] = [("case", case) for case in CASES] + [("event", event) for event in events]
    wanted += [("cause", cause) for cause in GAME.all_end_causes] + [("players", players) for players in GAME.players]
    for decision in GAME.decisions:
        options = decision.options_for(rules_with(), 4)
        n_used = (
            11 if decision.name == "times" else len(options)
        )  # no seat trades more often than it has buildings left
        wanted += [("decision", decision.name), *(("option", decision.name, i) for i in range(n_used))]
    for rule in WITH_ALTERNATIVES:
        component = GAME.components[rule]
        for value in (component.value, *component.alternatives):
            wanted.append(("rule", rule, rule_text(rule, str(Fraction(str(value))) if rule == "hit" else value)))
    return wanted


@pytest.mark.parametrize("spoil", ["goods", "legal", "roll", "winner"])
def test_a_wrong_trace_is_refused(spoil: str) -> None:
    """Negative control: one wrong fact anywhere in a trace is a mismatch."""
    rules = rules_with()
    events = list(next(iter(traced_games(rules, [Random()] * 3, 3, 1))))
    if spoil == "goods":
        events[40]["state"]["iron"][1] += 1
    elif spoil == "legal":
        work = [event for event in events if event.get("decision") == "work"]
        work[2]["legal"][3] ^= True
    elif spoil == "roll":
        roll = next(event for event in events if event["event"] == "roll")
        roll["dice"][0] += 1
    else:
        events[-1]["winners"] = [(events[-1]["winners"][0] + 1) % 3]
    with pytest.raises(Mismatch):
        replay(3, reference_rules(rules), events)
