"""Tiny Epic Cthulhu, declared: what the engine, the listings and the reports need to know of it."""

from __future__ import annotations

from pathlib import Path

from simkit.components import Components
from simkit.game import Column, Decision, Game, Key, Tally
from simkit.games.tiny_epic_cthulhu import play
from simkit.games.tiny_epic_cthulhu.cards import COLOURS, KINDS, N_TOWNS
from simkit.games.tiny_epic_cthulhu.exact import TOPICS
from simkit.games.tiny_epic_cthulhu.legal import OPTIONS
from simkit.games.tiny_epic_cthulhu.rules import MOST_STEPS, Rules
from simkit.games.tiny_epic_cthulhu.state import ACCURSED, DEEDS, TRACKS, TRIGGERS, fields
from simkit.games.tiny_epic_cthulhu.tell import tell
from simkit.games.tiny_epic_cthulhu.trace import describe, hidden
from simkit.games.tiny_epic_cthulhu.view import TinyEpicCthulhuView

TOWNS = tuple(f"town {town}" for town in range(N_TOWNS))
_PORTALS = tuple(f"{colour} {portal}" for colour in COLOURS for portal in ("first", "second"))


def _dice(rules: Rules, seats: int) -> tuple[str, ...]:
    """Which dice are rolled again: option i has a bit for each."""
    names = [[f"die {die + 1}" for die in range(rules.n_dice) if mask >> die & 1] for mask in range(1 << rules.n_dice)]
    return tuple(" and ".join(dice) or "keep" for dice in names)


def _numbers(rules: Rules, seats: int) -> tuple[str, ...]:
    """How many Chaos Tentacles are paid."""
    return tuple(map(str, range(rules.chaos_track + 1)))


def _characters(rules: Rules, seats: int) -> int:
    """Keys of a seat."""
    return seats


_phase = Key("phase", 2, labels=("one", "two"))
_origin = Key("origin", len(TRIGGERS), labels=TRIGGERS)

GAME = Game(
    id="tiny-epic-cthulhu",
    title="Tiny Epic Cthulhu",
    summary="Together translate the Necronomicon and seal six portals before the Great Old One wakes or one goes mad.",
    rules_version=1,
    players=(1, 2, 3, 4),
    cooperative=True,
    components=Components.read(Path(__file__).with_name("components.toml")),
    rules=Rules,
    decisions=(
        Decision("wheel_madness", COLOURS, "which Madness leaves the Shambler Mat by the pointer's icon"),
        Decision("action", OPTIONS, "what to do next"),
        Decision("chaos_action", OPTIONS, "what else to do, for a Chaos Tentacle", "action"),
        Decision("flip", (*map(str, range(1, MOST_STEPS + 1)), "none"), "which page of the way to turn face up"),
        Decision("collect", (*COLOURS, "stop"), "which Madness to collect"),
        Decision("target", COLOURS, "which Shambler to banish, if said before the roll"),
        Decision("reroll_banish", _dice, "which dice of a Banish to roll again"),
        Decision("banish", (*COLOURS, "none"), "which Shambler to banish, and to pay for"),
        Decision("chaos_paid", _numbers, "how many Chaos Tentacles to spend as wild ones"),
        Decision("portal", _PORTALS, "which portal to try"),
        Decision("reroll_seal", _dice, "which dice to roll again when sealing"),
        Decision("tentacle", (*COLOURS, "stop"), "which Madness a town action or an ability moves"),
        Decision("page", (*TOWNS, "stop"), "which page a town action or an ability is about"),
        Decision("town", TOWNS, "where to go, or to lure the Great Old One"),
    ),
    streams=("setup", "pages", "spins", "bag", "dice"),
    end_causes=("sealed", "strength", "delirium", "shamblers"),
    fields=fields,
    setup=play.setup,
    turn=play.turn,
    outcome=play.outcome,
    view=TinyEpicCthulhuView,
    hidden=hidden,
    describe=describe,
    tell=tell,
    seats_for=lambda players: max(2, players),  # Solo Game Mode: one player, two characters
    columns=(
        Column("phase", "uint8", "", "1 or 2, in which the game ended"),
        Column("strength", "uint8", "steps", "of the Great Old One on that side of the mat"),
        Column("strength_left", "uint8", "steps", "to the space that loses the game"),
        Column("brain", "uint8", "", "the highest space of any Brain Token, 0 off the track"),
        Column("shamblers_left", "uint8", "Shamblers", "on the Shambler Mat"),
        Column("pages", "uint8", "pages", "of the Necronomicon translated"),
        Column("portals", "uint8", "portals", "sealed"),
        Column("trigger", "uint8", "", "what was under way when the game ended", labels=TRIGGERS),
        Column("track", "uint8", "", "the track whose accursed ended it", labels=TRACKS),
        Column("power", "uint8", "", "whose colour's power was under way", labels=("none", *COLOURS)),
        Column("n_draws", "uint16", "tentacles", "drawn by the wheel"),
        Column("n_strength", "uint8", "steps", "of strength, both sides together"),
        Column("n_accursed", "uint8", "tracks", "Madness Tracks accursed"),
    ),
    seat_columns=(
        Column("character", "uint8", "", "in the order of the component `characters`"),
        Column("brain", "uint8", "", "space of the Brain Token, 0 off the track"),
        Column("held", "uint8", "tentacles", "on the player mat at the end"),
        Column("runes", "uint8", "runes", "of the pages translated"),
        Column("n_moves", "uint16", "actions", "moves"),
        Column("n_collects", "uint16", "actions", "collecting"),
        Column("n_collected", "uint16", "tentacles", "collected"),
        Column("n_banishes", "uint16", "actions", "trying to banish"),
        Column("n_banished", "uint8", "Shamblers", "banished, by town actions too"),
        Column("n_towns", "uint16", "actions", "town actions"),
        Column("n_translated", "uint16", "actions", "pages translated"),
        Column("n_seals", "uint16", "actions", "trying to seal a portal"),
        Column("n_sealed", "uint8", "portals", "sealed"),
        Column("n_abilities", "uint16", "times", "the character's ability was used"),
        Column("n_extra", "uint16", "actions", "paid with Chaos"),
        Column("n_stop_draws", "uint16", "tentacles", "drawn when stopping beside Shamblers"),
        Column("sides_used", "uint16", "bit mask of town sides", "used at least once"),
    ),
    tallies=(
        Tally(
            "actions",
            (
                Key("seat", _characters),
                _phase,
                Key("action", len(DEEDS), labels=DEEDS),
                Key("extra", 2, labels=("regular", "paid with chaos")),
            ),
            "what seats did in their turns",
        ),
        Tally("draws", (_phase, _origin, Key("kind", len(KINDS), labels=KINDS)), "tentacles drawn from the bag"),
        Tally("accursed", (_phase, _origin, Key("track", len(ACCURSED), labels=ACCURSED)), "tracks accursed"),
    ),
    exact=TOPICS,
    source=Path(__file__).parent,
    turn_seconds=4e-6,
    width=1 << 17,
)
