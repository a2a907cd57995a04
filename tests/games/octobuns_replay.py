"""Traced games of Octobuns in the words of the plain-Python reference engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from simkit.batch import play
from simkit.games.octobuns import GAME
from simkit.results import Results
from simkit.strategy import Strategy
from simkit.trace import Trace
from tests.games.traced import ending

Event = dict[str, Any]


def rules_with(**changes: Any) -> Any:
    """Octobuns' rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))


def reference_rules(rules: Any) -> dict[str, Any]:
    """The same rules as the reference engine takes them."""
    told: dict[str, Any] = rules.model_dump(mode="json", by_alias=True)
    return told


def traced_games(rules: Any, strategies: Sequence[Strategy], seed: int, n: int) -> Iterator[list[Event]]:
    """Play n games under observation; the events of each, ready for the reference engine."""
    return iter(traced_with_results(rules, strategies, seed, n)[0])


def traced_with_results(
    rules: Any, strategies: Sequence[Strategy], seed: int, n: int
) -> tuple[list[list[Event]], Results]:
    """The events of n games, and what the production engine counted."""
    trace = Trace()
    results = play(GAME, rules, strategies, seed, 0, n, observer=trace, width=500)
    seats = len(strategies)
    games = [[told for event in trace.games[deal] for told in _translated(event, seats)] for deal in range(n)]
    return [[*events[:-1], events[-1] | ending(GAME, results, deal)] for deal, events in enumerate(games)], results


def tallied(results: Results) -> Counter[Any]:
    """The production engine's tallies as the reference counts them."""
    told: Counter[Any] = Counter()
    for tally in GAME.tallies:
        counts = results.tallies()[tally.name].sum(axis=-1)
        for place in np.argwhere(counts).tolist():
            keys = [key.labels[i] if key.labels else i for key, i in zip(tally.keys, place, strict=True)]
            told[tally.name, *keys] = int(counts[tuple(place)])
    return told


def _translated(event: Event, seats: int) -> Iterator[Event]:
    """The decisions that led to an event, but for those with a single legal option, and the event."""
    for chosen in (*event.get("earlier", ()), *([event["decision"]] if "decision" in event else [])):
        if sum(chosen["legal"]) > 1:
            yield {"event": "decision"} | chosen
    told = {name: value for name, value in event.items() if name not in ("earlier", "decision")}
    yield told | {"seat": event["turn"] % seats if event["seat"] is None else event["seat"]}
