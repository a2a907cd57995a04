"""Traced games of Tentacolor in the words of the plain-Python reference engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from simkit.batch import play
from simkit.catalog import load_strategy
from simkit.experiment import StrategySpec
from simkit.games.tentacolor import GAME
from simkit.games.tentacolor.trace import card_value
from simkit.results import WIN, Results
from simkit.strategy import Strategy
from simkit.trace import Trace

Event = dict[str, Any]


def rules_with(**changes: Any) -> Any:
    """Tentacolor's rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))


def reference_rules(rules: Any) -> dict[str, Any]:
    """The same rules as the reference engine takes them."""
    told = rules.model_dump()
    told["copies"] = told.pop("cards") // len(rules.pairs)
    six = told.pop("extremities_six_colours")
    told["extremities"] = [tuple(card) for card in (six if rules.colours == 6 else told["extremities"])]
    return told


def traced_games(
    rules: Any, strategies: Sequence[Strategy], seed: int, n: int, width: int = 500
) -> Iterator[list[Event]]:
    """Play n games under observation; the events of each, ready for the reference engine."""
    trace = Trace()
    results = play(GAME, rules, strategies, seed, 0, n, observer=trace, width=width)
    for deal in range(n):
        events = [told for event in trace.games[deal] for told in _translated(event)]
        yield [*events[:-1], events[-1] | _ending(results, deal)]


def _translated(event: Event) -> Iterator[Event]:
    """An event of the production engine as one or two of the reference's."""
    told = {name: event[name] for name in ("event", "turn", "seat", "state")}
    state, kind = event["state"], event["event"]
    if kind == "deal":
        first = state["hands"][0]
        hands = [first[:1], *state["hands"][1:]]
        yield told | {
            "seat": 0,
            "hands": [hand[0] for hand in hands],
            "passed": first[1],
            "extremities": state["extremities"],
        }
    elif kind == "draw":
        yield told | {"card": card_value(event["card"])}
    elif kind == "rare drawn":
        yield told | {"event": "rare", "card": card_value(event["card"])}
    elif kind in ("place", "rare", "give", "shark", "school chosen"):
        yield told | _decision(event["decision"])
    elif kind == "school":
        cards = {name: card_value(event[name]) for name in ("discarded", "drawn")}
        yield told | {"victim": event["victim"], **cards}
    elif kind == "end":
        yield told | {"cause": event["cause"], "seat": event["turn"] % len(state["hands"])}
    else:
        yield told


def _decision(chosen: Event) -> Event:
    """What was offered and taken."""
    told = {"event": "decision"} | {name: chosen[name] for name in ("decision", "seat", "legal", "choice")}
    return told | ({"cards": [card_value(card) for card in chosen["cards"]]} if "cards" in chosen else {})


def _ending(results: Results, deal: int) -> Event:
    """The rows that the production engine wrote for this game."""
    games = {name: column[deal].item() for name, column in results.games.items()}
    seats = {name: column[:, deal].tolist() for name, column in results.seats.items()}
    winners = [seat for seat in range(len(seats["win"])) if games["winners"] >> seat & 1]
    assert seats["win"] == [WIN // len(winners) if seat in winners else 0 for seat in range(len(seats["win"]))]
    return {
        "cause": GAME.all_end_causes[games["end_cause"]],
        "winners": winners,
        "n_turns": games["n_turns"],
        "scores": seats["score"],
        "ranks": seats["rank"],
        "winning_run": max((seats["score"][seat] for seat in winners), default=0),
        **{name: games[name] for name in ("n_bitten", "n_swapped", "n_rare")},
    }


def scripted(name: str) -> Strategy:
    """A strategy of the library, by name."""
    return load_strategy(StrategySpec.model_validate({"name": name}), GAME.id, Path())
