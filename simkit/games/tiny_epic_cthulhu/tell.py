"""A game of Tiny Epic Cthulhu in the rulebook's words, event by event.

The sentences alone are enough to follow the game: every tentacle and every Shambler that moves is named, with where it
comes from and where it goes (what is paid goes where it always does: Madness to the Discard Mat, Chaos to the supply),
and every clock when it moves. Step 2 is told in `tell_actions.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from simkit.games.tiny_epic_cthulhu.cards import CHAOS, COLOURS, ELDRITCH, KINDS, N_TOWNS
from simkit.games.tiny_epic_cthulhu.tell_actions import ACTIONS
from simkit.games.tiny_epic_cthulhu.tell_words import (
    OPEN,
    PLACES,
    TENTACLES,
    actor,
    decided,
    effects,
    go,
    listed,
    of_kind,
    page,
    shamblers,
    strength,
    tentacles,
    town,
)
from simkit.trace import Event, Scene


def tell(event: Event, scene: Scene) -> list[str]:
    """What happened, in sentences that begin with the name of whoever acts."""
    return [*_declined(event, scene), *_TELLERS[event["event"]](event, scene)]


def _declined(event: Event, scene: Scene) -> Iterator[str]:
    """What a seat could have gone on with, and has not: it moves nothing, and so has no event of its own."""
    for choice in decided(event):
        option, words = _DECLINED.get(choice["decision"], (-1, ""))
        if choice["choice"] == option and sum(choice["legal"]) > 1:
            yield f"{scene.names[choice['seat']]} {words}"


_DECLINED = {
    "reroll_banish": (0, "rolls no die again"),
    "reroll_seal": (0, "rolls no die again"),
    "tentacle": (3, "moves no more tentacles"),
    "page": (N_TOWNS, "leaves the pages as they are"),
}

# ---------------------------------------------------------------------------------------------------------------- Setup


def _setup(event: Event, scene: Scene) -> Iterator[str]:
    """The towns, the Great Old One, the tentacles, and who is where."""
    state, rules = event["state"], scene.rules
    towns = [f"{town(event, scene, place)} ({_edge(state['sides'][place], rules)})" for place in range(N_TOWNS)]
    yield f"the towns, clockwise from the first one: {listed(towns)}"
    yield f"the Great Old One is {rules.mat.name}, in {town(event, scene, state['goo'])}: {strength(event, scene)}"
    pairs = zip(COLOURS, rules.portal_numbers[::2], rules.portal_numbers[1::2], strict=True)
    yield f"the portals need {listed([f'{colour} {first} and {second}' for colour, first, second in pairs])}"
    yield f"the bag holds {tentacles(state['bag'])}"
    yield f"the Discard Mat holds {tentacles(state['discard'])}"
    yield f"the Shambler Mat holds {tentacles(state['mat'])}, and {shamblers(state['mat_shamblers'])}"
    supply = tentacles([0, 0, 0, state["chaos_supply"], state["eldritch_supply"]])
    yield f"the supply holds {supply}; {state['lines']} Chaos lie on the Necronomicon, an Eldritch on each town"
    if state["discard"][ELDRITCH]:
        yield "a Shambler Track was accursed already: its Eldritch lies on the Discard Mat"
    for place, there in enumerate(state["shamblers"]):
        if any(there):
            yield f"{town(event, scene, place)} has {shamblers(there)}"
    for place, is_up in enumerate(state["face_up"]):
        if is_up:
            yield f"the page at {town(event, scene, place)} lies face up: {page(state['pages'][place], rules)}"
    for seat, name in enumerate(scene.names):
        character = rules.character_names[state["characters"][seat]]
        yield f"{name} is the {character}, in {town(event, scene, state['at'][seat])}"


def _edge(side: int, rules: Any) -> str:
    """The colours of Shamblers at the two halves of a town's edge."""
    return "/".join(rules.sides[side].colours)


# ------------------------------------------------------------------------------------ Step 1: Spin the Wheel of Madness


def _spin(event: Event, scene: Scene) -> Iterator[str]:
    """Where both ends of the spinner point."""
    pointer, tail = (town(event, scene, event[end]) for end in ("town", "tail"))
    yield f"{actor(event, scene)} spins: the pointer at {pointer}, the tentacle end at {tail}, {_colour(event)}"


def _pointer(event: Event, scene: Scene) -> Iterator[str]:
    """Pointer Actions."""
    icon = event["icon"]
    if icon == "madness":
        goes = f"1 {_colour(event)} goes from the Shambler Mat to the Discard Mat"
        does = goes if event["colour"] >= 0 else "no Madness is on the Shambler Mat"
    elif icon == "chaos":
        has_one = scene.before["chaos_supply"] > 0
        does = "1 Chaos goes from the supply to the Discard Mat" if has_one else "no Chaos is in the supply"
    elif icon == "draw":
        does = "one tentacle more is drawn"
    elif icon == "shambler":
        does = "a Shambler spawns"
    else:
        does = f"the {icon}{_stopped(COLOURS.index(icon.removesuffix(' power')), event, scene)}"
    yield f"{actor(event, scene)} resolves the pointer: {does}"


def _draw(event: Event, scene: Scene) -> Iterator[str]:
    """Draw Tentacles: of the wheel, beside Shamblers, or by an effect."""
    kind, seat, state, rules = event["kind"], event["seat"], event["state"], scene.rules
    draws = f"{scene.names[seat]} draws {TENTACLES[kind]}{' for a Shambler' if event['source'] == 'stop' else ''}"
    if kind == ELDRITCH:
        yield f"{draws}: {_energy(event, scene)}"
    elif kind == CHAOS:
        held = state["chaos"][seat]
        has_room = held > scene.before["chaos"][seat]
        yield f"{draws} and has {held} of {rules.chaos_track}" if has_room else f"{draws}, which is lost to the supply"
    elif event["source"] == "wheel":
        yield f"{draws}: {_town_track(event, scene)}"
    elif event["accursed"]:
        yield f"{draws}: {_accursed(kind, scene.before['temper'][seat][kind] + 1)}"
    else:
        yield f"{draws} and has {state['temper'][seat][kind]} of {rules.temperament_track}"
    if not any(state["bag"]):
        yield "the bag is empty"


def _town_track(event: Event, scene: Scene) -> str:
    """Madness on a town's track, which may be accursed."""
    colour, tracks = event["kind"], zip(scene.before["madness"], event["state"]["madness"], strict=True)
    changed = ((place, was[colour]) for place, (was, now) in enumerate(tracks) if was[colour] != now[colour])
    place, held = next(changed)
    here = town(event, scene, place)
    if event["accursed"]:
        return f"at {here} {_accursed(colour, held + 1)}{_stopped(colour, event, scene)}"
    return f"{here} has {held + 1} of {scene.rules.madness_track}"


def _accursed(colour: int, number: int) -> str:
    """
    >>> _accursed(1, 4)
    'the rage track is accursed, and 4 rage go to the Shambler Mat'
    """
    return f"the {COLOURS[colour]} track is accursed, and {go(of_kind(colour, number))} to the Shambler Mat"


def _stopped(colour: int, event: Event, scene: Scene) -> str:
    """Why a power does not come."""
    if scene.rules.powers == "none":
        return "; there are no powers"
    is_sealed = OPEN not in event["state"]["portals"][2 * colour : 2 * colour + 2]
    return "; sealed portals stop its power" if scene.rules.sealing_stops_power and is_sealed else ""


def _energy(event: Event, scene: Scene) -> str:
    """An Eldritch comes to the Energy Track, which may be accursed."""
    before, state = scene.before, event["state"]
    if not event["accursed"]:
        return f"the Energy Track has {state['energy']} of {scene.rules.energy_track[state['side']]}"
    goes = [was - now for was, now in zip(before["discard"], state["discard"], strict=True)]
    discard = f", with {tentacles(goes)} from the Discard Mat" if any(goes) else ""
    return f"the Energy Track is accursed, and {before['energy'] + 1} Eldritch go to the bag{discard}"


def _strengthened(event: Event, scene: Scene) -> Iterator[str]:
    """Consequence of accursed energy."""
    yield f"the Great Old One grows stronger: {strength(event, scene)}"


def _spawn(event: Event, scene: Scene) -> Iterator[str]:
    """Spawn Shambler."""
    here, before, state = town(event, scene, event["town"]), scene.before, event["state"]
    if event["colour"] < 0:
        yield f"{actor(event, scene)} spawns no Shambler in {here}: none is on the Shambler Mat"
        return
    spawns = f"{actor(event, scene)} spawns a {_colour(event)} Shambler in {here}"
    if not event["accursed"]:
        yield f"{spawns}: {sum(state['shamblers'][event['town']])} of {scene.rules.shambler_track}"
        return
    number = sum(before["shamblers"][event["town"]]) + 1
    yield f"{spawns}: the Shambler Track is accursed, and {number} Shamblers go to the Shambler Mat"
    goes = state["discard"][ELDRITCH] > before["discard"][ELDRITCH]
    comes = state["eldritch_supply"] < before["eldritch_supply"]
    if goes:
        yield f"1 Eldritch goes from {here} to the Discard Mat"
    yield f"1 Eldritch goes from the supply to {here}" if comes else f"no Eldritch is in the supply for {here}"


def _great_old_one(event: Event, scene: Scene) -> Iterator[str]:
    """Move the Great Old One."""
    moves = "moves to" if event["town"] != scene.before["goo"] else "stays in"
    is_there = event["town"] == event["state"]["at"][event["seat"]]
    whose = f", where {actor(event, scene)} is" if is_there else ""
    yield f"the Great Old One {moves} {town(event, scene, event['town'])}{whose}"


# ---------------------------------------------------------------------------------------- Powers, and effects of others


def _power(event: Event, scene: Scene) -> Iterator[str]:
    """A power of the Great Old One: what it does is told by the events that follow."""
    printed = scene.rules.effects_of(event["colour"], event["state"]["side"])
    is_twice = scene.rules.powers == "twice"
    does = effects(printed[: len(printed) // 2] if is_twice else printed, _colour(event))
    yield f"the Great Old One uses its {_colour(event)} power{' twice' if is_twice else ''}{does}"


def _fed(event: Event, scene: Scene) -> Iterator[str]:
    """An Eldritch for the Energy Track."""
    yield f"1 Eldritch comes from the supply: {_energy(event, scene)}"


def _fill(event: Event, scene: Scene) -> Iterator[str]:
    """Madness from the Discard Mat to towns."""
    state = event["state"]
    colour = next(c for c in range(3) if scene.before["discard"][c] > state["discard"][c])
    for place in _marked(event):
        has = f"{state['madness'][place][colour]} of {scene.rules.madness_track}"
        yield f"1 {COLOURS[colour]} goes from the Discard Mat to {town(event, scene, place)}: {has}"


def _hide(event: Event, scene: Scene) -> Iterator[str]:
    """Pages are turned face down."""
    for place in _marked(event):
        yield f"the page at {town(event, scene, place)} is turned face down"


def _marked(event: Event) -> list[int]:
    """The towns of an event."""
    return [place for place, is_marked in enumerate(event["towns"]) if is_marked]


def _moved(event: Event, scene: Scene) -> Iterator[str]:
    """Tentacles change places: moved by a seat, or by what is written."""
    what = of_kind(KINDS.index(event["what"]), event["number"])
    source, target = (_place(event, scene, event[end]) for end in ("source", "target"))
    if event["seat"] is None:
        yield f"{go(what)} from {source} to {target}"
    else:
        yield f"{scene.names[event['seat']]} moves {tentacles(what)} from {source} to {target}"


def _place(event: Event, scene: Scene, place: str) -> str:
    """A place of tentacles, for whose turn it is."""
    if place == "here":
        return town(event, scene, event["state"]["at"][event["turn"] % len(scene.names)])
    if place == "you" and event["seat"] is None:
        return f"{actor(event, scene)}'s player mat"
    return PLACES[place]


# ------------------------------------------------------------------------------------------------------------- End Game


def _end(event: Event, scene: Scene) -> Iterator[str]:
    """How the game ends."""
    brains = zip(scene.names, event["state"]["brain"], strict=True)
    mad = [name for name, brain in brains if brain >= scene.rules.delirium]
    yield {
        "sealed": "all six portals are sealed: the Great Old One is banished, and the table wins",
        "strength": "the Great Old One has reached its full strength: the table loses",
        "delirium": f"{listed(mad)} has gone completely mad: the table loses",
        "shamblers": "no Shambler is left on the Shambler Mat: the table loses",
        "unfinished": f"the game is given up after {scene.rules.max_rounds} rounds",
    }[event["cause"]]


def _colour(event: Event) -> str:
    """The colour that an event is about."""
    return COLOURS[event["colour"]]


_TELLERS: dict[str, Callable[[Event, Scene], Iterator[str]]] = {
    "setup": _setup,
    "spin": _spin,
    "pointer": _pointer,
    "draw": _draw,
    "strength": _strengthened,
    "spawn": _spawn,
    "great_old_one": _great_old_one,
    "power": _power,
    "fed": _fed,
    "fill": _fill,
    "hide": _hide,
    "moved": _moved,
    "end": _end,
    **ACTIONS,
}
