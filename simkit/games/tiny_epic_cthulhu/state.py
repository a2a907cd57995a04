"""What Tiny Epic Cthulhu remembers: declared arrays, the game axis last."""

from __future__ import annotations

from simkit.games.tiny_epic_cthulhu.cards import N_NUMBERS, N_TOWNS
from simkit.games.tiny_epic_cthulhu.rules import Rules
from simkit.state import Field

N_PORTALS = 6
NO_CARD, OPEN, NOT_ROLLED = 255, 255, 255
"""A place without a page card; a portal not yet sealed; a die that was not rolled."""

TRIGGERS = (
    *("none", "wheel draw", "stop", "power by wheel", "power by madness"),
    *("town action", "ability", "spin", "pointer", "seal"),
)
NOTHING, WHEEL_DRAW, STOP, POWER_BY_WHEEL, POWER_BY_MADNESS, TOWN_ACTION, ABILITY, SPIN, POINTER, SEAL = range(10)
"""What is under way: where a tentacle or a Shambler comes from, and what ended a game."""

TRACKS = ("none", "energy", "fear", "rage", "greed", "shambler")
NO_TRACK, ENERGY, TEMPER, SHAMBLERS = 0, 1, 2, 5
"""The track whose accursed ended the game; `TEMPER` + a colour for a Temperament Track."""

ACCURSED = (
    *("energy", "madness fear", "madness rage", "madness greed"),
    *("temper fear", "temper rage", "temper greed", "shambler"),
)
ENERGY_ACCURSED, MADNESS_ACCURSED, TEMPER_ACCURSED, SHAMBLERS_ACCURSED = 0, 1, 4, 7

DEEDS = ("move", "collect", "banish", "town action", "translate", "seal", "ability", "stop")
"""What a seat does in a turn, moves of any distance being one."""


def fields(rules: Rules, seats: int) -> tuple[Field, ...]:
    """The declared state."""
    return (
        Field("goo", "uint8", (), "", "town of the Great Old One, 0 to 4 clockwise"),
        Field("side", "uint8", (), "", "of the mat: 0 in Phase One, 1 in Phase Two"),
        Field("strength", "uint8", (), "steps", "of the Strength Token on this side"),
        Field("energy", "uint8", (), "tentacles", "Eldritch on the Energy Track"),
        Field("bag", "uint8", (5,), "tentacles", "in the bag: fear, rage, greed, chaos, eldritch"),
        Field("discard", "uint8", (5,), "tentacles", "on the Discard Mat, by kind"),
        Field("mat", "uint8", (3,), "tentacles", "Madness on the Shambler Mat, by colour"),
        Field("mat_shamblers", "uint8", (3,), "Shamblers", "on the Shambler Mat, by colour"),
        Field("chaos_supply", "uint8", (), "tentacles", "Chaos in the supply"),
        Field("eldritch_supply", "uint8", (), "tentacles", "Eldritch in the supply"),
        Field("madness", "uint8", (N_TOWNS, 3), "tentacles", "on the Madness Tracks of the towns"),
        Field("shamblers", "uint8", (N_TOWNS, 3), "Shamblers", "on the Shambler Tracks of the towns"),
        Field("town_eldritch", "uint8", (N_TOWNS,), "tentacles", "Eldritch above the Shambler Tracks"),
        Field("sides", "uint8", (N_TOWNS,), "", "side of a town card that lies up: 2 x card, + 1 for its back"),
        Field("pages", "uint8", (N_TOWNS,), "", f"page card at each town; {NO_CARD}: none"),
        Field("face_up", "bool", (N_TOWNS,), "", "whether it lies face up"),
        Field("known", "bool", (N_TOWNS,), "", "whether it has been seen"),
        Field("n_dealt", "uint8", (), "cards", "taken from the pile of pages"),
        Field("rows", "uint8", (N_NUMBERS,), "tokens", "on the Necronomicon, by number"),
        Field("portals", "uint8", (N_PORTALS,), "", f"kind of tentacle that covers it; {OPEN}: open"),
        Field("at", "uint8", (seats,), "", "town of each seat's token"),
        Field("temper", "uint8", (seats, 3), "tentacles", "on the Temperament Tracks"),
        Field("chaos", "uint8", (seats,), "tentacles", "on the Chaos Track"),
        Field("brain", "uint8", (seats,), "", "space of the Brain Token, 1 being the bottom; 0: not on the track"),
        Field("delirious", "bool", (seats,), "", "a Temperament Track has been accursed"),
        Field("runes", "uint8", (seats, 3), "runes", "on the pages that each seat translated"),
        Field("characters", "uint8", (seats,), "", "who each seat plays, in the order of the component"),
        # ---------------------------------------------------------------------------------- the turn under way
        Field("segment", "uint8", (), "", "of the wheel that the pointer is at"),
        Field("town", "uint8", (), "", "that the pointer is at"),
        Field("tail", "uint8", (), "", "town that the spinner's tail is at"),
        Field("colour", "uint8", (), "", "of Shamblers there"),
        Field("pending", "uint8", (3,), "powers", "of accursed Madness Tracks, yet to be resolved"),
        Field("left", "uint8", (), "actions", "left, those paid with Chaos apart"),
        Field("was_here", "bool", (), "", "the Great Old One was where the seat is when the turn began"),
        Field("must_leave", "bool", (), "", "the seat must leave the Great Old One"),
        Field("ability_used", "bool", (), "", "this turn"),
        Field("origin", "uint8", (), "", "what is under way, see `TRIGGERS`"),
        Field("power", "uint8", (), "", "whose power is under way: 0 none, 1 + colour"),
        # ------------------------------------------------------------------------------------------- for the rows
        Field("track", "uint8", (), "", "the track whose accursed ended the game, see `TRACKS`"),
        Field("n_draws", "uint16", (), "tentacles", "drawn by the wheel"),
        Field("n_strength", "uint8", (), "steps", "of strength, both sides"),
        Field("n_accursed", "uint8", (), "tracks", "Madness Tracks accursed"),
        Field("n_done", "uint16", (seats, len(DEEDS)), "actions", "of each kind, see `DEEDS`"),
        Field("n_extra", "uint16", (seats,), "actions", "paid with Chaos"),
        Field("n_collected", "uint16", (seats,), "tentacles", "collected"),
        Field("n_banished", "uint8", (seats,), "Shamblers", "banished"),
        Field("n_sealed", "uint8", (seats,), "portals", "sealed"),
        Field("n_stop_draws", "uint16", (seats,), "tentacles", "drawn when stopping beside Shamblers"),
        Field("sides_used", "uint16", (seats,), "bit mask", "sides of town cards used, a bit each"),
    )
