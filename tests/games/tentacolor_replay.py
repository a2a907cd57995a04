"""Traced games of Tentacolor in the words of the plain-Python reference engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simkit.games.tentacolor import GAME
from simkit.games.tentacolor.trace import card_value
from simkit.strategy import Strategy
from tests.games.traced import scripted as traced_strategy
from tests.games.traced import traced

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
    for events in traced(GAME, rules, strategies, seed, n, _translated, width):
        yield [*events[:-1], _with_runs(events[-1])]


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


def _with_runs(end: Event) -> Event:
    """The end, its rows by the reference's names."""
    scores = end["seats"]["score"]
    runs = {"scores": scores, "winning_run": max((scores[seat] for seat in end["winners"]), default=0)}
    return end | runs | {name: end["games"][name] for name in ("n_bitten", "n_swapped", "n_rare")}


def scripted(name: str) -> Strategy:
    """A strategy of the library, by name."""
    return traced_strategy(GAME, name)
