"""Mats of Great Old Ones that the games kept here are played with; those of the box are still being calibrated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

COLOURS = ("fear", "rage", "greed")

FIRST: dict[str, dict[str, Any]] = {
    "fear": {"do": "hide", "n": 1},
    "rage": {"do": "move", "what": "colour", "from": "discard", "to": "mat", "n": 2},
    "greed": {"do": "fill", "n": 1},
}
"""What Nyarlathotep may be like."""
ANYWHERE: dict[str, dict[str, Any]] = {
    "fear": {"do": "draw", "who": "all", "n": 1},
    "rage": {"do": "spawn", "where": "great-old-one", "n": 1},
    "greed": {"do": "feed", "n": 1},
}
"""What Cthulhu may be like."""
LEAN: dict[str, dict[str, Any]] = {
    "fear": {"do": "draw", "who": "you", "n": 1},
    "rage": {"do": "spawn", "where": "pointer", "n": 1},
    "greed": {"do": "move", "what": "eldritch", "from": "supply", "to": "discard", "n": 1},
}


def mat(
    front: Sequence[int], back: Sequence[int], portals: tuple[int, int], powers: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    """A mat with the same two portals in each colour."""
    return {
        "name": "Your own",
        "front": list(front),
        "back": list(back),
        "portals": {colour: list(portals) for colour in COLOURS},
        "powers": {colour: [powers[colour]] for colour in COLOURS},
    }
