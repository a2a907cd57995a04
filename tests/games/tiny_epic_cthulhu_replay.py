"""Traced games of Tiny Epic Cthulhu in the words of the plain-Python reference engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.batch import play
from simkit.games.tiny_epic_cthulhu import GAME
from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView
from simkit.results import Results
from simkit.strategy import Strategy
from simkit.trace import Trace
from tests.games.traced import scripted as traced_strategy
from tests.reference.tiny_epic_cthulhu_actions import COLLECT, SEAL, STOP
from tests.reference.tiny_epic_cthulhu_actions import TRANSLATE_PAGE as TRANSLATE

Event = dict[str, Any]


def rules_with(**changes: Any) -> Any:
    """Tiny Epic Cthulhu's rules, some of them changed."""
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
    games = [[_translated(event, len(strategies)) for event in trace.games[deal]] for deal in range(n)]
    return [[*events[:-1], events[-1] | ending(results, deal)] for deal, events in enumerate(games)], results


def tallied(results: Results) -> Counter[Any]:
    """The production engine's tallies as the reference counts them."""
    told: Counter[Any] = Counter()
    for tally in GAME.tallies:
        counts = results.tallies()[tally.name].sum(axis=-1)
        for place in np.argwhere(counts).tolist():
            keys = [key.labels[i] if key.labels else i for key, i in zip(tally.keys, place, strict=True)]
            if tally.name == "actions":
                keys = [keys[1], keys[0], keys[2], keys[3] == "paid with chaos"]
            told[tally.name, *keys] = int(counts[tuple(place)])
    return told


def ending(results: Results, deal: int) -> Event:
    """The rows that the production engine wrote for a game of a table together."""
    games = {name: column[deal].item() for name, column in results.games.items()}
    seats = {name: column[:, deal].tolist() for name, column in results.seats.items()}
    cause = GAME.all_end_causes[games["end_cause"]]
    return {"cause": cause, "won": games["won"], "n_turns": games["n_turns"], "games": games, "seats": seats}


def _translated(event: Event, seats: int) -> Event:
    """The event with the decisions that led to it, but for those with a single legal option."""
    chosen = (*event.get("earlier", ()), *([event["decision"]] if "decision" in event else []))
    decisions = [one for one in chosen if sum(one["legal"]) > 1]
    told = {name: value for name, value in event.items() if name not in ("earlier", "decision")}
    told["seat"] = event["turn"] % seats if event["seat"] is None else event["seat"]
    return told | ({"earlier": decisions[:-1], "decision": decisions[-1]} if decisions else {})


@dataclass(frozen=True)
class Scholar(Strategy):
    """Seals, translates, goes for the Great Old One's town in Phase Two and turns pages up; otherwise at random."""

    ties = "coin"

    def action(self, view: TinyEpicCthulhuView) -> npt.NDArray[np.int8]:
        scores = np.ones((len(view.options), view.n), np.int8)
        scores[COLLECT] = 2
        scores[STOP] = 0
        for option, steps in enumerate((1, 2, 3, 4, -1, -2, -3, -4)):
            scores[option] += 2 * (view.is_phase_two & ((view.at() + np.uint8(5 + steps)) % 5 == view.goo))
        scores[TRANSLATE], scores[SEAL] = 4, 5
        return scores

    def flip(self, view: TinyEpicCthulhuView) -> npt.NDArray[np.int8]:
        scores = np.ones((len(view.options), view.n), np.int8)
        scores[-1] = 0
        return scores

    page = collect = tentacle = banish = flip


def scripted(name: str) -> Strategy:
    """A strategy of the library, by name."""
    return traced_strategy(GAME, name)
