"""Words for Tiny Epic Cthulhu's replays: towns, pages, tentacles, effects, and whose turn it is. See `tell.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simkit.games.tiny_epic_cthulhu.cards import (
    COLOURS,
    N_NUMBERS,
    Banish,
    Draw,
    Feed,
    Fill,
    Hide,
    Lure,
    Move,
    Reveal,
    Spawn,
    Swap,
)
from simkit.trace import Event, Scene

TENTACLES = (*COLOURS, "Chaos", "Eldritch")
OPEN = -1
"""A portal that is not sealed."""
PLACES = {
    "bag": "the bag",
    "discard": "the Discard Mat",
    "mat": "the Shambler Mat",
    "supply": "the supply",
    "energy": "the Energy Track",
    "players": "the player mats",
    "you": "its player mat",
    "here": "its town",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


# ------------------------------------------------------------------------------------------------------------ the event


def decided(event: Event) -> list[dict[str, Any]]:
    """The choices since the event before."""
    return [*event.get("earlier", ()), *([event["decision"]] if "decision" in event else [])]


def actor(event: Event, scene: Scene) -> str:
    """Whose turn it is."""
    return scene.names[event["turn"] % len(scene.names)]


def acts(event: Event, scene: Scene) -> str:
    """Whose turn it is, and the Chaos that an action beyond the regular ones costs."""
    return f"{actor(event, scene)}{' pays 1 Chaos and' if event['chaos'] else ''}"


def town(event: Event, scene: Scene, place: int) -> str:
    """A town, by the side of the card that lies there."""
    return f"the {scene.rules.side_names[event['state']['sides'][place]]}"


def strength(event: Event, scene: Scene) -> str:
    """The Strength Token, and what is drawn there."""
    steps, draws = event["state"]["strength"], scene.rules.draws(event["state"]["side"])
    number = f"{some(draws[steps], 'tentacle', 'tentacles')} to draw" if steps < len(draws) else "its full strength"
    return f"strength {steps} of {len(draws)}, {number}"


# ------------------------------------------------------------------------------------------------------ what is printed


def page(card: int, rules: Any) -> str:
    """A page card: its numbers, what it costs, its runes."""
    shown = [str(number + 1) for number in range(N_NUMBERS) if rules.page_numbers[card, number]]
    cost = tentacles(rules.page_costs[card].tolist(), "nothing")
    carved = runes(rules.page_runes[card].tolist())
    return f"{'number' if len(shown) == 1 else 'numbers'} {listed(shown)} for {cost}, {carved}"


def portal(place: int) -> str:
    """
    >>> portal(0), portal(3)
    ('the first fear portal', 'the second rage portal')
    """
    return f"the {('first', 'second')[place % 2]} {COLOURS[place // 2]} portal"


def effects(carried_out: Sequence[Any], colour: str = "") -> str:
    """What is written on a town card, a character or, of some colour, a power; in parentheses.

    >>> effects([]), effects([Reveal(do="reveal", n=2), Swap(do="swap")])
    (' (nothing)', ' (reveal two pages; swap two pages)')
    """
    return f" ({'; '.join(_effect(effect, colour) for effect in carried_out) or 'nothing'})"


def _effect(effect: Any, colour: str) -> str:
    """One effect."""
    if isinstance(effect, Move):
        what = {"colour": colour, "madness": "Madness"}.get(effect.what, effect.what.capitalize())
        return f"{effect.n} {what} from {PLACES[effect.source]} to {PLACES[effect.target]}"
    if isinstance(effect, Draw):
        number = some(effect.n, "tentacle", "tentacles")
        return f"everybody draws {number}" if effect.who == "all" else f"draw {number}"
    if isinstance(effect, Feed):
        return f"{effect.n} Eldritch from the supply to the Energy Track"
    if isinstance(effect, Fill):
        return f"1 {colour} from the Discard Mat to {some(effect.n, 'town', 'towns')}"
    if isinstance(effect, Spawn):
        where = "the pointer" if effect.where == "pointer" else "the Great Old One"
        return f"{some(effect.n, f'{colour} Shambler', f'{colour} Shamblers')} at {where}"
    if isinstance(effect, Hide):
        return f"{some(effect.n, 'page', 'pages')} face down"
    if isinstance(effect, Reveal):
        return f"reveal {some(effect.n, 'page', 'pages')}"
    if isinstance(effect, Banish):
        return f"banish with {some(effect.n, 'die', 'dice')} fewer"
    if isinstance(effect, Swap):
        return "swap two pages"
    return "lure the Great Old One" if isinstance(effect, Lure) else "travel"


# -------------------------------------------------------------------------------------------------------------- amounts


def tentacles(counts: Sequence[int], none: str = "no tentacles") -> str:
    """
    >>> tentacles([2, 0, 1, 3]), tentacles([0, 0, 0])
    ('2 fear, 1 greed and 3 Chaos', 'no tentacles')
    """
    return listed([f"{n} {name}" for n, name in zip(counts, TENTACLES, strict=False) if n]) or none


def go(counts: Sequence[int]) -> str:
    """
    >>> go([0, 1, 0]), go([1, 1, 0])
    ('1 rage goes', '1 fear and 1 rage go')
    """
    return f"{tentacles(counts)} {'goes' if sum(counts) == 1 else 'go'}"


def of_kind(kind: int, number: int) -> list[int]:
    """
    >>> of_kind(3, 2)
    [0, 0, 0, 2, 0]
    """
    return [number * (kind == other) for other in range(len(TENTACLES))]


def shamblers(counts: Sequence[int]) -> str:
    """
    >>> shamblers([2, 0, 1]), shamblers([0, 1, 0]), shamblers([0, 0, 0])
    ('2 fear and 1 greed Shamblers', '1 rage Shambler', 'no Shamblers')
    """
    return f"{tentacles(counts, 'no')} {'Shambler' if sum(counts) == 1 else 'Shamblers'}"


def runes(counts: Sequence[int]) -> str:
    """
    >>> runes([1, 0, 0]), runes([1, 2, 0]), runes([0, 0, 0])
    ('1 fear rune', '1 fear and 2 rage runes', 'no runes')
    """
    return f"{tentacles(counts, 'no')} {'rune' if sum(counts) == 1 else 'runes'}"


def listed(items: Sequence[Any]) -> str:
    """
    >>> listed(["a"]), listed([0, 2, 1])
    ('a', '0, 2 and 1')
    """
    words = [str(item) for item in items]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def some(n: int, one: str, more: str) -> str:
    """
    >>> some(1, "die", "dice"), some(3, "die", "dice"), some(11, "die", "dice")
    ('one die', 'three dice', '11 dice')
    """
    return f"{_NUMBERS[n] if n < len(_NUMBERS) else n} {one if n == 1 else more}"
