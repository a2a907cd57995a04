"""A game of Tentacolor in the rulebook's words, event by event.

Whoever reads it sees everything: all hands, and in the Expert variant all Extremity cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simkit.games.tentacolor.rules import Rules
from simkit.games.tentacolor.trace import card_value
from simkit.trace import Event, Scene

COLOURS = ("green", "yellow", "orange", "blue", "red", "purple")
"""The rulebook names five; what a sixth would be called is ours."""
_ENCOUNTERS = {"shark": "shark", "school": "school of fish", "rare": "rare specimen"}

Card = tuple[tuple[int, ...], str | None]
Tip = Sequence[tuple[int, int]] | None


def tell(event: Event, scene: Scene) -> list[str]:
    """What happened, in sentences that begin with the name of whoever acts."""
    return list(_TELLERS[event["event"]](event, scene))


# ---------------------------------------------------------------------------------------------------------------- Setup


def _deal(event: Event, scene: Scene) -> Iterator[str]:
    """A card for each, one more for the first, and in the Expert variant the objectives."""
    state = event["state"]
    for name, hand in zip(scene.names, state["hands"], strict=True):
        yield f"{name} is dealt {card_name(hand[0])}"
    yield f"{scene.names[0]} receives the Expedition Leader card and draws {card_name(state['hands'][0][1])}"
    for name, colours in zip(scene.names, state["extremities"] or (), strict=False):
        yield f"{name} is dealt the Extremity card {_extremity(colours)}"


# ----------------------------------------------------------------------------------------------------- Playing the Game


def _draw(event: Event, scene: Scene) -> Iterator[str]:
    """Draw a Tentacle Card."""
    hand = ", ".join(map(card_name, event["state"]["hands"][event["seat"]]))
    yield f"{scene.names[event['seat']]} draws {_drawn(event['card'], event)} and has {hand} in hand"


def _place(event: Event, scene: Scene) -> Iterator[str]:
    """Extend the Tentacle, with the card of the turn or with that of a rare specimen."""
    seat, card = event["seat"], _chosen(event)
    then = "then " if event["event"] == "rare" else ""
    before, after = (state["tips"][seat] for state in (scene.before, event["state"]))
    yield f"{scene.names[seat]} {then}places {card_name(card)}{_growth(before, after)}{_goal(event, scene)}"
    yield from _unmet(card[1], event, scene)


def _growth(before: Tip, after: Tip) -> str:
    """What a card has made of its tentacle."""
    if before is None:
        return ", the first card of its tentacle"
    if _longest(after) > 1:
        return f": {_runs(after)}"
    return ", which shares no colour with the last card: a new series begins"


def _goal(event: Event, scene: Scene) -> str:
    """Whether the run is long enough."""
    seat, rules = event["seat"], scene.rules
    if _longest(event["state"]["tips"][seat]) < rules.need(len(scene.names)):
        return ""
    if not rules.expert:
        return ", which completes its tentacle"
    own, tip = event["state"]["extremities"][seat], event["state"]["tips"][seat]
    long_enough = [colour for colour, run in tip if run >= rules.need(len(scene.names))]
    if set(long_enough) & set(own):
        return "; if it lasts until its next turn, it can reveal its Extremity card"
    return f"; {' and '.join(COLOURS[colour] for colour in long_enough)} is not on its Extremity card"


def _give(event: Event, scene: Scene) -> Iterator[str]:
    """Give a Card to Your Neighbour."""
    seat, decision = event["seat"], event["decision"]
    given, kept = (card_value(decision["cards"][place]) for place in (decision["choice"], 1 - decision["choice"]))
    keeps = f"keeps {card_name(kept)}" if kept else "has no card left"
    yield f"{scene.names[seat]} gives {card_name(given)} to {_left(scene, seat)} and {keeps}"


# ------------------------------------------------------------------------------------------------------ Encounter Cards


def _unmet(encounter: str | None, event: Event, scene: Scene) -> Iterator[str]:
    """An encounter card whose effect is not applied, and why."""
    seat, state = event["seat"], event["state"]
    if encounter is None:
        return
    if not scene.rules.expert and _longest(state["tips"][seat]) >= scene.rules.need(len(scene.names)):
        yield f"the {_ENCOUNTERS[encounter]} no longer matters"
    elif encounter == "shark":
        if all(tip is None for other, tip in enumerate(state["tips"]) if other != seat):
            yield "the shark has no effect: no opponent has a card on a tentacle"
    elif not _can_draw(state, scene.rules) and not (encounter == "rare" and _plays_one(state, seat, scene.rules)):
        yield f"the {_ENCOUNTERS[encounter]} has no effect: there is no card to draw"


def _can_draw(state: dict[str, Any], rules: Rules) -> bool:
    """Whether there is a card in the pile, or in a box that may be reshuffled."""
    return bool(state["pile"] or (rules.deck_out == "reshuffle" and state["boxed"]))


def _plays_one(state: dict[str, Any], seat: int, rules: Rules) -> bool:
    """Whether a rare specimen without a card to draw still places one of two left."""
    return rules.rare_at_deck_out == "play-one" and len(state["hands"][seat]) == 2


def _shark(event: Event, scene: Scene) -> Iterator[str]:
    """Shark."""
    victim = _victim(event, scene)
    bitten, left = scene.before["tips"][victim], event["state"]["tips"][victim]
    colours = "-".join(COLOURS[colour] for colour, _ in bitten)
    rest = "its tentacle is now empty" if left is None else _runs(left)
    yield (
        f"{scene.names[event['seat']]} sends the shark to {scene.names[victim]}, whose last card, {colours}, "
        f"is removed and returned to the box: {rest}"
    )


def _school_chosen(event: Event, scene: Scene) -> Iterator[str]:
    """School of Fish: the choice, and the card that is lost by it."""
    victim = _victim(event, scene)
    (card,) = event["state"]["hands"][victim]
    yield f"{scene.names[event['seat']]} chooses {scene.names[victim]} for the school of fish"
    yield f"{scene.names[victim]} discards {card_name(card)}, which is returned to the box"


def _school(event: Event, scene: Scene) -> Iterator[str]:
    """School of Fish: the new card."""
    yield f"{scene.names[event['victim']]} draws {_drawn(event['drawn'], event)}"


def _rare_drawn(event: Event, scene: Scene) -> Iterator[str]:
    """Rare Specimen."""
    name = scene.names[event["seat"]]
    if event["card"]:
        yield f"{name} draws {_drawn(event['card'], event)} for the rare specimen"
    else:
        yield f"{name} has no card to draw for the rare specimen, but two left"


# ------------------------------------------------------------------------------------------------------ End of the Game


def _reshuffle(event: Event, scene: Scene) -> Iterator[str]:
    """The box becomes the draw pile."""
    yield f"the draw pile is empty: the {event['state']['pile']} cards in the box are shuffled as a new one"


def _reveal(event: Event, scene: Scene) -> Iterator[str]:
    """Variant Expert Oceanographer."""
    seat = event["seat"]
    card = _extremity(event["state"]["extremities"][seat])
    yield f"{scene.names[seat]} reveals its Extremity card {card} and places it at the end of its tentacle"


def _end(event: Event, scene: Scene) -> Iterator[str]:
    """How the game ends."""
    winner = scene.names[event["turn"] % len(scene.names)]
    own = " in a colour of one's own Extremity card" if scene.rules.expert else ""
    yield {
        "run-complete": f"{winner} wins the game",
        "deck-out": f"the draw pile is empty: the game ends, and the longest run{own} wins",
        "unfinished": f"the game is given up after {scene.rules.max_rounds} rounds",
    }[event["cause"]]


_TELLERS: dict[str, Callable[[Event, Scene], Iterator[str]]] = {
    "deal": _deal,
    "draw": _draw,
    "place": _place,
    "give": _give,
    "shark": _shark,
    "school chosen": _school_chosen,
    "school": _school,
    "rare drawn": _rare_drawn,
    "rare": _place,
    "reshuffle": _reshuffle,
    "reveal": _reveal,
    "end": _end,
}


# ---------------------------------------------------------------------------------------------------------------- words


def card_name(card: Card | None) -> str:
    """A Tentacle card.

    >>> card_name(((0, 2), "shark")), card_name(((1, 3), None))
    ('green-orange with a shark', 'yellow-blue')
    """
    if card is None:
        return "no card"
    colours, encounter = card
    name = "-".join(COLOURS[colour] for colour in colours)
    return f"{name} with a {_ENCOUNTERS[encounter]}" if encounter else name


def _chosen(event: Event) -> Card:
    """The card that a seat has chosen of those offered."""
    decision = event["decision"]
    card = card_value(decision["cards"][decision["choice"]])
    if card is None:
        raise ValueError("an empty place was chosen")
    return card


def _longest(tip: Tip) -> int:
    """The longest run at the end of a tentacle [cards]."""
    return max((run for _, run in tip or ()), default=0)


def _runs(tip: Tip) -> str:
    """
    >>> _runs([(0, 1), (3, 4)]), _runs([(0, 2), (3, 4)]), _runs([(0, 1), (3, 1)])
    ('its blue run is now 4', 'its blue run is now 4 and its green run 2', 'its green and blue runs are now 1')
    """
    (short, least), (long, most) = sorted(tip or (), key=lambda colour_run: colour_run[1])
    if least == most:
        return f"its {COLOURS[short]} and {COLOURS[long]} runs are now {most}"
    return f"its {COLOURS[long]} run is now {most}" + (f" and its {COLOURS[short]} run {least}" if least > 1 else "")


def _extremity(colours: Sequence[int]) -> str:
    """An Extremity card, as the rulebook writes it."""
    return "/".join(COLOURS[colour] for colour in colours)


def _drawn(card: int, event: Event) -> str:
    """A card just drawn."""
    last = "" if event["state"]["pile"] else ", the last card of the draw pile,"
    return card_name(card_value(card)) + last


def _victim(event: Event, scene: Scene) -> int:
    """The seat that a shark or a school of fish was sent to."""
    return (event["seat"] + 1 + event["decision"]["choice"]) % len(scene.names)


def _left(scene: Scene, seat: int) -> str:
    """The left neighbour."""
    return scene.names[(seat + 1) % len(scene.names)]
