"""Tiny Epic Cthulhu, Step 2 in words: player actions, dice, pages, portals, town actions, abilities. See `tell.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simkit.games.tiny_epic_cthulhu.cards import CHAOS, COLOURS, N_NUMBERS
from simkit.games.tiny_epic_cthulhu.play_pages import N_SPACES
from simkit.games.tiny_epic_cthulhu.state import N_PORTALS
from simkit.games.tiny_epic_cthulhu.tell_words import (
    OPEN,
    TENTACLES,
    actor,
    acts,
    decided,
    effects,
    go,
    listed,
    of_kind,
    page,
    portal,
    runes,
    some,
    strength,
    tentacles,
    town,
)
from simkit.trace import Event, Scene

# ----------------------------------------------------------------------------------------------------- Move and Collect


def _delirium(event: Event, scene: Scene) -> Iterator[str]:
    """Consequence of accursed temperament."""
    seat = event["seat"]
    space = event["state"]["brain"][seat]
    moves = "has its Brain Token at" if space == scene.before["brain"][seat] else "moves its Brain Token to"
    yield f"{scene.names[seat]} {moves} space {space} of {scene.rules.delirium}"


def _move(event: Event, scene: Scene) -> Iterator[str]:
    """Move."""
    steps, way = abs(event["steps"]), "clockwise" if event["steps"] > 0 else "back"
    yield f"{acts(event, scene)} moves {some(steps, 'town', 'towns')} {way} to {town(event, scene, event['town'])}"


def _flip(event: Event, scene: Scene) -> Iterator[str]:
    """A page is turned face up."""
    verb = "flips" if event["event"] == "flip" else "reveals"
    shown = page(event["card"], scene.rules)
    yield f"{actor(event, scene)} {verb} the page at {town(event, scene, event['town'])}: {shown}"


def _collect(event: Event, scene: Scene) -> Iterator[str]:
    """Collect Tentacles: the first one of the action, or one more."""
    seat, colour, state = event["seat"], event["colour"], event["state"]
    is_first = any(choice["decision"] in ("action", "chaos_action") for choice in decided(event))
    what = f"1 {COLOURS[colour]}{'' if is_first else ' more'}"
    collects = f"{acts(event, scene)} collects {what} in {town(event, scene, state['at'][seat])}"
    yield f"{collects} and has {state['temper'][seat][colour]} of {scene.rules.temperament_track}"


# --------------------------------------------------------------------------------------------------------- Cthulhu Dice


def _roll(event: Event, scene: Scene) -> Iterator[str]:
    """A roll, and what it is for."""
    chosen = {choice["decision"]: choice["choice"] for choice in decided(event)}
    if event["purpose"] == "seal":
        place = chosen["portal"]
        purpose = f"seal {portal(place)}, which needs {scene.rules.portal_numbers[place]}"
    elif "target" in chosen:
        purpose = f"banish a {COLOURS[chosen['target']]} Shambler"
    else:
        purpose = "banish a Shambler"
    dice = _rolled(event["dice"])
    yield f"{acts(event, scene)} rolls {some(len(dice), 'die', 'dice')} to {purpose}: {listed(dice)}"


def _reroll(event: Event, scene: Scene) -> Iterator[str]:
    """A delirious player rolls some dice again."""
    again = [("first", "second", "third")[die] for die in range(3) if event["decision"]["choice"] >> die & 1]
    which = f"the {listed(again)} {'die' if len(again) == 1 else 'dice'}"
    yield f"{actor(event, scene)} rolls {which} again: {listed(_rolled(event['dice']))}"


def _rolled(dice: Sequence[int]) -> list[int]:
    """
    >>> _rolled([2, 0, -1])
    [2, 0]
    """
    return [die for die in dice if die >= 0]


def _banish(event: Event, scene: Scene) -> Iterator[str]:
    """Banish Shamblers: paid, and with Madness moved off the Shambler Mat; or not."""
    name, colour, state = actor(event, scene), event["colour"], event["state"]
    asked = next(choice for choice in decided(event) if choice["decision"] == "banish")
    if colour < 0:
        could = "pays for" if any(asked["legal"][:-1]) else "can pay for"
        yield f"{name} {could} no Shambler: it would cost {asked['cost']}"
        return
    here = town(event, scene, state["at"][event["seat"]])
    paid = of_kind(colour, asked["cost"] - event["paid"])
    paid[CHAOS] += event["paid"]
    yield f"{name} banishes a {COLOURS[colour]} Shambler from {here} for {tentacles(paid, 'nothing')}"
    relief = scene.before["mat"][colour] - state["mat"][colour]
    if relief:
        yield f"{go(of_kind(colour, relief))} from the Shambler Mat to the Discard Mat"


# ------------------------------------------------------------------------------------------ Town Actions, and Abilities


def _town_action(event: Event, scene: Scene) -> Iterator[str]:
    """Use a Town Action."""
    side = scene.rules.sides[event["side"]]
    yield f"{acts(event, scene)} uses the town action of the {side.name}{effects(side.effects)}"


def _ability(event: Event, scene: Scene) -> Iterator[str]:
    """Player Abilities."""
    character = scene.rules.characters[event["character"]]
    yield f"{actor(event, scene)} uses the ability of the {character.name}{effects(character.effects)}"


def _swap(event: Event, scene: Scene) -> Iterator[str]:
    """Two pages change places."""
    here, there = (town(event, scene, event[end]) for end in ("town", "other"))
    yield f"{actor(event, scene)} swaps the page at {here} with that at {there}"


def _travel(event: Event, scene: Scene) -> Iterator[str]:
    """A seat or the Great Old One goes anywhere."""
    goes = "travels" if event["event"] == "travel" else "lures the Great Old One"
    yield f"{actor(event, scene)} {goes} to {town(event, scene, event['town'])}"


# ------------------------------------------------------------------------------------------------------ Translate Pages


def _translate(event: Event, scene: Scene) -> Iterator[str]:
    """Pay, place tokens, take Chaos of completed lines and the runes."""
    name, seat, before, state, rules = actor(event, scene), event["seat"], scene.before, event["state"], scene.rules
    here, card = town(event, scene, state["at"][seat]), event["card"]
    own = [cost - chaos for cost, chaos in zip(rules.page_costs[card].tolist(), event["paid"], strict=True)]
    paid = tentacles([*own, sum(event["paid"])], "nothing")
    yield f"{acts(event, scene)} translates the page at {here} for {paid}: {_pages(before['rows'], state['rows'])}"
    if event["lines"]:
        chaos = state["discard"][CHAOS] - before["discard"][CHAOS]
        taken = f": {go(of_kind(CHAOS, chaos))} to the Discard Mat" if chaos else ""
        yield f"{name} completes {some(event['lines'], 'line', 'lines')} of the Necronomicon{taken}"
    if any(rules.page_runes[card]):
        yield f"{name} takes {runes(rules.page_runes[card].tolist())} and has {runes(state['runes'][seat])}"
    if state["pages"][state["at"][seat]] < 0:
        yield f"the deck has no page left for {here}"


def _pages(before: Sequence[int], now: Sequence[int]) -> str:
    """
    >>> _pages([0, 2, 0, 0, 4], [0, 3, 0, 0, 4])
    'number 2 has 3 of 5, the Necronomicon 7 of 25'
    """
    places = (place for place in range(N_NUMBERS) if now[place] > before[place])
    rows = [f"number {place + 1} has {now[place]} of {N_NUMBERS}" for place in places]
    return f"{listed(rows)}, the Necronomicon {sum(now)} of {N_SPACES}"


def _phase(event: Event, scene: Scene) -> Iterator[str]:
    """The Necronomicon is translated."""
    before, state = scene.before, event["state"]
    yield f"Phase Two begins, and the mat of {scene.rules.mat.name} is flipped: {strength(event, scene)}"
    if any(before["discard"]):
        yield f"{go(before['discard'])} from the Discard Mat to the bag"
    if before["energy"] > state["energy"]:
        yield f"{go([0, 0, 0, 0, before['energy'] - state['energy']])} from the Energy Track to the bag"


# ----------------------------------------------------------------------------------------------------- Seal the Portals


def _seal(event: Event, scene: Scene) -> Iterator[str]:
    """A portal is sealed, or not."""
    sealing = f"{portal(event['portal'])}"
    tentacle = TENTACLES[CHAOS if event["paid"] else event["portal"] // 2]
    if event["sealed"]:
        n = sum(covered != OPEN for covered in event["state"]["portals"])
        yield f"{actor(event, scene)} seals {sealing} with 1 {tentacle}: {n} of {N_PORTALS} portals are sealed"
    else:
        spent = f" and loses 1 {tentacle}" if scene.rules.failed_seal == "tentacle" else ""
        yield f"{actor(event, scene)} fails to seal {sealing}{spent}"


def _stop(event: Event, scene: Scene) -> Iterator[str]:
    """Next Turn."""
    yield f"{actor(event, scene)} ends its turn"


ACTIONS = {
    "delirium": _delirium,
    "move": _move,
    "flip": _flip,
    "reveal": _flip,
    "collect": _collect,
    "roll": _roll,
    "reroll": _reroll,
    "banish": _banish,
    "town": _town_action,
    "ability": _ability,
    "swap": _swap,
    "travel": _travel,
    "lure": _travel,
    "translate": _translate,
    "phase": _phase,
    "seal": _seal,
    "stop": _stop,
}
