"""Tiny Epic Cthulhu: translate the Necronomicon, seal six portals, and do not go mad.

Edition: the English rulebook of 2024 as a text without its pictures; `edition = "published"` adds what is known of the
finished game. What only pictures show is a component, and reports say so.

Left out: an ability may be used while the wheel is resolved in some readings of "on their turn"; here it may be used
from the first action on (effect: small, none of the written abilities changes a spin). Everyone at the table speaks
with one voice only as far as their strategies do; there is no talk to model.

Places that the rulebook's text settles, or that have one sensible reading, without a switch (numbers as in the
components' sources): a Chaos Tentacle is spent once, for an action or as a wild one (3); the tentacle that covers a
portal is gone (4); draws go on after an accursed track, onto the emptied one (7); where no Shambler is left none is
placed (9); nobody draws at the set-up, whoever must leave the Great Old One draws as always (10); only drawn tentacles
make a Temperament Track accursed (11); Fear, Rage and Greed count as they are when the action starts (12); without a
card in the deck a town stays without a page (14); without a rune of its colour a portal cannot be tried (15); only a
page that lies face up is translated (20), if one of its numbers has a free space (21). Moving Madness off the Shambler
Mat after a Banish is done as far as it goes: it never hurts. A town action may be used if one of its effects can do
something; a card that gives back the Chaos that pays for it would make a turn endless, so that a turn ends after
`max_actions`. A Shambler Track that is full at the set-up is accursed as always.

One function per section of the rulebook, in the book's order: Step 1 in `play_wheel.py`, powers in `play_powers.py`,
accursed tracks in `tracks.py`; Step 2 in `play_actions.py`, `play_dice.py`, `play_pages.py` and `play_effects.py`. The
state is declared in `state.py`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.game import Outcome
from simkit.games.tiny_epic_cthulhu.cards import ELDRITCH, N_NUMBERS, N_TOWNS
from simkit.games.tiny_epic_cthulhu.play_actions import player_actions
from simkit.games.tiny_epic_cthulhu.play_wheel import spin, wheel_of_madness
from simkit.games.tiny_epic_cthulhu.state import DEEDS, NOTHING, OPEN
from simkit.games.tiny_epic_cthulhu.tracks import spawn
from simkit.table import Table

Games = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]

# ---------------------------------------------------------------------------------------------------------------- Setup


def setup(table: Table) -> None:
    """Setup: towns, characters, pages, tentacles; then the wheel places the tokens."""
    state, rules = table.state, table.rules
    state.sides[:] = dealt_towns(table)
    state.characters[:] = dealt_characters(table)
    state.brain[:] = rules.brain_at_start
    state.portals[:] = OPEN
    deal_pages(table)
    prepare_tentacles(table)
    state.mat_shamblers[:] = rules.shamblers_each
    everyone = np.arange(table.n)
    spin(table)
    state.goo[:] = state.town
    for seat in range(table.seats):
        spin(table)
        spawn(table, seat, everyone, state.town, state.colour, "")
    for at in state.at:
        spin(table)
        at[:] = state.town
    if rules.starts_face_up:
        state.face_up[state.goo, everyone] = True
        state.known[state.goo, everyone] = True
    table.note("setup")


def shuffled(table: Table, size: int) -> Bytes:
    """The numbers below `size` in an order drawn from the set-up's luck, uint8 (size, n)."""
    cards = np.repeat(np.arange(size, dtype=np.uint8)[:, None], table.n, axis=1)
    everyone = np.arange(table.n)
    for place in range(size - 1):
        other = table.draw("setup", size - place) + place
        picked = cards[other, everyone]
        cards[other, everyone] = cards[place]
        cards[place] = picked
    return cards


def dealt_towns(table: Table) -> Bytes:
    """2: the town cards in any order, each with either side up, uint8 (towns, n)."""
    rules = table.rules
    if rules.towns:
        return np.array([[rules.side_names.index(name)] for name in rules.towns], np.uint8)
    cards, backs = shuffled(table, N_TOWNS), table.draw("setup", 1 << N_TOWNS).astype(np.uint8)
    sides = cards * np.uint8(2) + (backs >> cards & np.uint8(1))
    if rules.town_up:
        up = rules.side_names.index(rules.town_up)
        sides[cards == up // 2] = up
    return sides


def dealt_characters(table: Table) -> Bytes:
    """4: a character for each seat, uint8 (seats, n)."""
    rules, names = table.rules, table.rules.character_names
    if rules.table_characters:
        return np.array([[names.index(name)] for name in rules.table_characters[: table.seats]], np.uint8)
    first, last = (names.index(name) if name else len(names) for name in (rules.character_in, rules.character_out))
    dealt = np.full((table.seats, table.n), first, np.uint8)
    filled = np.full(table.n, int(first < len(names)), np.uint8)
    for character in shuffled(table, len(names)):
        comes = ((character != first) & (character != last) & (filled < table.seats)).nonzero()[0]
        dealt[filled[comes], comes] = character[comes]
        filled[comes] += 1
    return dealt


def deal_pages(table: Table) -> None:
    """6: the page cards are shuffled; one lies face down at each town."""
    state, n_cards = table.state, len(table.rules.pages)
    state.add("deck", table.deck("pages", np.arange(n_cards, dtype=np.uint8), n_cards))
    everyone = np.arange(table.n)
    for town, pages in enumerate(state.pages):
        pages[:] = state.deck.from_bottom(np.full(table.n, town), everyone)
    state.n_dealt[:] = N_TOWNS


def prepare_tentacles(table: Table) -> None:
    """11: bag, mats, an Eldritch on each town, Chaos on the Necronomicon; the rest is the supply."""
    state, rules = table.state, table.rules
    state.bag[:ELDRITCH] = np.array([[rules.bag_each]] * 3 + [[0]], np.uint8)
    state.bag[ELDRITCH] = rules.n_eldritch
    state.mat[:] = rules.mat_each
    state.discard[:3] = rules.discard_each
    state.town_eldritch[:] = 1
    state.eldritch_supply[:] = rules.eldritch - rules.n_eldritch - N_TOWNS
    state.chaos_supply[:] = rules.chaos - 2 * N_NUMBERS * rules.chaos_per_line


# --------------------------------------------------------------------------------------------------------- On Your Turn


def turn(table: Table, seat: int) -> None:
    """On Your Turn: spin the wheel and resolve; take player actions."""
    state = table.state
    state.was_here[:] = state.goo == state.at[seat]
    wheel_of_madness(table, seat)
    player_actions(table, seat)
    state.origin[:] = NOTHING


# ------------------------------------------------------------------------------------------------------------- End Game


def outcome(table: Table, games: Games) -> Outcome:
    """End Game: every clock as it stands, and what was under way."""
    state, rules = table.state, table.rules
    side = state.side.take(games)
    strength = state.strength.take(games)
    brain = state.brain.take(games, axis=1)
    done = state.n_done.take(games, axis=-1)
    held = state.temper.take(games, axis=-1).sum(axis=1, dtype=np.uint8) + state.chaos.take(games, axis=1)
    counted = {f"n_{name}": done[:, DEEDS.index(deed)] for name, deed in _COUNTED.items()}
    seats = ("n_extra", "n_collected", "n_banished", "n_sealed", "n_stop_draws", "sides_used")
    return Outcome(
        games={
            "phase": side + np.uint8(1),
            "strength": strength,
            "strength_left": np.array(rules.last_space, np.uint8).take(side) - strength,
            "brain": brain.max(axis=0),
            "shamblers_left": state.mat_shamblers.take(games, axis=1).sum(axis=0, dtype=np.uint8),
            "pages": state.rows.take(games, axis=1).sum(axis=0, dtype=np.uint8),
            "portals": (state.portals.take(games, axis=1) != OPEN).sum(axis=0, dtype=np.uint8),
            "trigger": state.origin.take(games),
            **{name: getattr(state, name).take(games) for name in ("track", "power", "n_draws", "n_strength")},
            "n_accursed": state.n_accursed.take(games),
        },
        seats={name: getattr(state, name).take(games, axis=1) for name in seats}
        | {"character": state.characters.take(games, axis=1)}
        | {"brain": brain, "held": held, "runes": state.runes.take(games, axis=-1).sum(axis=1, dtype=np.uint8)}
        | counted,
    )


_COUNTED = {
    "moves": "move",
    "collects": "collect",
    "banishes": "banish",
    "towns": "town action",
    "translated": "translate",
    "seals": "seal",
    "abilities": "ability",
}
