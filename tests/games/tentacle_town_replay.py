"""Traced games of Tentacle Town in the words of the plain-Python reference engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from simkit.games.tentacle_town import GAME
from simkit.games.tentacle_town.rules import TASKS
from simkit.strategy import Strategy
from tests.games.traced import scripted as traced_strategy
from tests.games.traced import traced

Event = dict[str, Any]


def rules_with(**changes: Any) -> Any:
    """Tentacle Town's rules, some of them changed."""
    return GAME.rules(**GAME.components.values_with(changes))


def reference_rules(rules: Any) -> dict[str, Any]:
    """The same rules as the reference engine takes them."""
    told: dict[str, Any] = rules.model_dump()
    for name in TASKS:
        told[name] |= {part: _goods(told[name][part]) for part in ("cost", "gain")}
    return told | {"defence_pays": _goods(told["defence_pays"]), "hit": str(rules.hit_chance)}


def _goods(amounts: dict[str, int]) -> dict[str, int]:
    """The goods that there are."""
    return {good: amount for good, amount in amounts.items() if amount}


def traced_games(
    rules: Any, strategies: Sequence[Strategy], seed: int, n: int, width: int = 500
) -> Iterator[list[Event]]:
    """Play n games under observation; the events of each, ready for the reference engine."""
    return traced(GAME, rules, strategies, seed, n, partial(_translated, seats=len(strategies)), width)


def _translated(event: Event, seats: int) -> Iterator[Event]:
    """The decisions that led to an event, but for those with a single legal option, and the event."""
    for chosen in (*event.get("earlier", ()), *([event["decision"]] if "decision" in event else [])):
        if sum(chosen["legal"]) > 1:
            yield {"event": "decision"} | {name: chosen[name] for name in ("decision", "seat", "legal", "choice")}
    told = {name: value for name, value in event.items() if name not in ("earlier", "decision")}
    yield told | {"seat": event["turn"] % seats if event["seat"] is None else event["seat"]}


def scripted(name: str) -> Strategy:
    """A strategy of the library, by name."""
    return traced_strategy(GAME, name)
