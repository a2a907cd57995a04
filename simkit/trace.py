"""Traces: every event of every game, seen from the production path.

A trace is an observer. It copies what it sees at each event and changes nothing, so that a traced game is the very game
that an untraced run plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.table import Table
from simkit.view import View

Games = npt.NDArray[np.intp]
Event = dict[str, Any]


@dataclass(frozen=True)
class Scene:
    """What is known beside an event when a game's `tell` puts it into words.

    Attributes
    ----------
    names
        What sentences call each seat: "blocker (seat 2)".
    rules
        Those in force.
    before
        The state before the event; empty for the first.
    """

    names: tuple[str, ...]
    rules: Any
    before: Mapping[str, Any]


class Trace:
    """Records games event by event; meant for hundreds of games, not for millions.

    Attributes
    ----------
    games : dict of list of dict
        By deal. Each event has `event`, `turn`, `seat`, the fields that the game notes, `state` after it (the game's
        `describe`), and, if a seat has just chosen, `decision`: its name, the options `legal` and the `choice`, and
        what was offered. Choices before that one and after the event before are in `earlier`, if there are any.
    """

    def __init__(self) -> None:
        self.games: dict[int, list[Event]] = {}
        self._chosen: dict[int, list[Event]] = {}

    def decided(self, table: Table, view: View, choice: npt.NDArray[np.uint8]) -> None:
        """Keep the choice until the event that carries it out."""
        for column, game in enumerate(view.columns.tolist()):
            if view.legal[:, column].any():
                chosen = {
                    "decision": view.decision,
                    "seat": view.seat,
                    "legal": view.legal[:, column].tolist(),
                    "choice": int(choice[column]),
                    **{name: value[..., column].tolist() for name, value in view.offer.items()},
                }
                self._chosen.setdefault(int(table.deals[game]), []).append(chosen)

    def noted(self, table: Table, event: str, seat: int | None, games: Games | None, fields: Mapping[str, Any]) -> None:
        """One more event in each of the games."""
        columns = table.live.nonzero()[0] if games is None else games
        told = {
            name: (value if games is not None else value[..., columns]).T.tolist()
            for name, value in fields.items()
            if isinstance(value, np.ndarray)
        }
        same = {name: value for name, value in fields.items() if name not in told}
        states = table.game.describe(table, columns)
        for place, column in enumerate(columns.tolist()):
            event_told = {"event": event, "turn": table.turn, "seat": seat, "state": states[place], **same}
            event_told |= {name: values[place] for name, values in told.items()}
            deal = int(table.deals[column])
            *earlier, last = self._chosen.pop(deal, [{}])
            event_told |= {name: value for name, value in (("decision", last), ("earlier", earlier)) if value}
            self.games.setdefault(deal, []).append(event_told)
