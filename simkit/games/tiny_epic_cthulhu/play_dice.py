"""Tiny Epic Cthulhu: the Cthulhu Dice, Banish Shamblers, Seal the Portals. See `play.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import CHAOS
from simkit.games.tiny_epic_cthulhu.legal import Situation
from simkit.games.tiny_epic_cthulhu.state import N_PORTALS, NOT_ROLLED, OPEN, SEAL
from simkit.state import add
from simkit.table import Table

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

NO_COLOUR = 3
"""Option of `banish`: nothing is banished."""
PURPOSES = ("banish", "translate", "seal")
FOR_BANISH, FOR_PAGE, FOR_PORTAL = range(3)
_ONE = np.uint8(1)


# -------------------------------------------------------------------------------------------------------- Cthulhu Dice


def roll(table: Table, seat: int, games: Games, number: Bytes, purpose: int, extra: Mask, **offer: Bytes) -> Bytes:
    """Roll some dice and reroll as delirium allows: faces, uint8 (dice, k), `NOT_ROLLED` beyond the number."""
    dice = np.full((table.rules.n_dice, len(games)), NOT_ROLLED, np.uint8)
    _throw(table, games, dice, (_ONE << number) - _ONE)
    if table.observer is not None:
        table.note("roll", seat, games, dice=_told(dice), purpose=PURPOSES[purpose], chaos=extra)
    delirious = np.minimum(table.state.brain[seat].take(games), 3)
    allowed = delirious + table.rules.passives["rerolls"].take(table.state.characters[seat].take(games))
    while len(some := allowed.nonzero()[0]):
        told = {name: value.take(some) for name, value in offer.items()}
        again = _ask_reroll(table, seat, games.take(some), dice.take(some, axis=1), allowed.take(some), purpose, told)
        rerolled = again.nonzero()[0]
        if not len(rerolled):
            break
        columns = some.take(rerolled)
        thrown = dice.take(columns, axis=1)
        _throw(table, games.take(columns), thrown, again.take(rerolled))
        dice[:, columns] = thrown
        table.note("reroll", seat, games.take(columns), dice=_told(thrown))
        left = allowed.take(columns) - _N_BITS.take(again.take(rerolled))
        allowed = np.zeros_like(allowed)
        if table.rules.rerolls == "once":
            break
        allowed[columns] = left
    return dice


_N_BITS = np.array([mask.bit_count() for mask in range(8)], np.uint8)


def _ask_reroll(
    table: Table, seat: int, games: Games, dice: Bytes, allowed: Bytes, purpose: int, offer: dict[str, Bytes]
) -> Bytes:
    """Which dice are rolled again: a bit each, uint8 (k,)."""
    masks = np.arange(1 << len(dice), dtype=np.uint8)[:, None]
    legal = _N_BITS.take(masks) <= allowed
    for die, row in enumerate(dice):
        legal &= ((masks >> np.uint8(die) & _ONE) == 0) | (row != NOT_ROLLED)
    decision = "reroll_banish" if purpose == FOR_BANISH else "reroll_seal"
    return table.ask(decision, seat, games=games, legal=legal, dice=dice, n_rerolls=allowed, **offer)


def _throw(table: Table, games: Games, dice: Bytes, which: Bytes) -> None:
    """Throw some of the dice, a bit each."""
    faces = np.repeat(np.arange(3, dtype=np.uint8), table.rules.die)
    for die, row in enumerate(dice):
        rolled = (which >> np.uint8(die) & _ONE).nonzero()[0]
        if len(rolled):
            row[rolled] = faces.take(table.draw("dice", len(faces), games.take(rolled)))


def _told(dice: Bytes) -> npt.NDArray[np.int8]:
    """Dice for a trace: -1 where none was rolled."""
    return dice.view(np.int8)


def chaos_paid(
    table: Table, seat: int, games: Games, colours: Any, need: Bytes, own: Bytes, most: Bytes, purpose: int
) -> Bytes:
    """How many Chaos Tentacles stand for those of a colour: what is lacking at least, uint8 (k,)."""
    options = np.arange(table.rules.chaos_track + 1, dtype=np.uint8)[:, None]
    least, most = need - np.minimum(need, own), np.minimum(most, need)
    paid = least.copy()
    some = (least < most).nonzero()[0]
    if len(some):
        paid[some] = table.ask(
            "chaos_paid",
            seat,
            games=games.take(some),
            legal=(options >= least.take(some)) & (options <= most.take(some)),
            colour=np.broadcast_to(np.uint8(colours), games.shape).take(some),
            need=need.take(some),
            purpose=np.full(len(some), purpose, np.uint8),
        )
    return paid


# ----------------------------------------------------------------------------------------------------- Banish Shamblers


def banish(table: Table, seat: int, games: Games, choice: Bytes, extra: Mask) -> None:
    """Banish Shamblers, as an action."""
    banish_one(table, seat, games, extra, 0, "action")


def banish_one(table: Table, seat: int, games: Games, extra: Mask, fewer: int, source: str) -> None:
    """Roll a die for each Shambler that is present, some fewer; pay what they show, and one goes."""
    rules, here = table.rules, Situation(table, seat, games)
    shamblers, temper, rage = here.shamblers, here.temper, here.temper[1]
    targets = np.stack(shamblers) != 0
    if rules.banish_target == "before-roll":
        chosen = table.ask("target", seat, games=games, legal=targets)
        targets = targets & (np.arange(3, dtype=np.uint8)[:, None] == chosen)
    off = here.passive("banish_dice") + np.uint8(fewer)
    present = shamblers[0] + shamblers[1] + shamblers[2]
    number = np.clip(present - np.minimum(off, present), 1, rules.n_dice).astype(np.uint8)
    dice = roll(table, seat, games, number, FOR_BANISH, extra)
    cost = banish_cost(rules, dice)
    legal = np.ones((NO_COLOUR + 1, len(games)), bool)
    legal[:NO_COLOUR] = targets & (temper + here.chaos >= cost)
    colour = table.ask("banish", seat, games=games, legal=legal, dice=dice, cost=cost)
    hit = (colour != NO_COLOUR).nonzero()[0]
    paid = np.zeros(len(games), np.uint8)
    if len(hit):
        paid[hit] = _banished(table, here, hit, colour.take(hit), cost.take(hit), rage.take(hit))
    if table.observer is not None:
        told = np.where(colour == NO_COLOUR, np.int8(-1), colour.view(np.int8))
        table.note("banish", seat, games, colour=told, paid=paid, source=source)


def banish_cost(rules: Any, dice: Bytes) -> Bytes:
    """Tentacles to spend: the highest die (or the sum), uint8 (k,)."""
    shown = dice * (dice != NOT_ROLLED)
    cost: Bytes = shown.max(axis=0) if rules.banish_cost == "highest" else shown.sum(axis=0, dtype=np.uint8)
    return cost if rules.free_banish else np.maximum(cost, _ONE)


def _banished(table: Table, here: Situation, hit: Games, colour: Bytes, cost: Bytes, rage: Bytes) -> Bytes:
    """A Shambler goes; Madness of its colour leaves the Shambler Mat, the more the more rage there was; Chaos paid."""
    state, n, seat = table.state, np.intp(table.n), here.seat
    games, at = here.games.take(hit), here.at.take(hit)
    tracks = state.temper[seat].reshape(-1)
    place = colour * n + games
    paid = chaos_paid(table, seat, games, colour, cost, tracks.take(place), state.chaos[seat].take(games), FOR_BANISH)
    add(state.shamblers, (at * np.intp(3) + colour) * n + games, how=np.subtract)
    add(state.mat_shamblers, place)
    relief = np.minimum(rage + _ONE, state.mat.reshape(-1).take(place))
    add(state.mat, place, relief, np.subtract)
    add(state.temper[seat], place, cost - paid, np.subtract)
    add(state.discard, place, relief + cost - paid)
    state.chaos[seat][games] -= paid
    state.chaos_supply[games] += paid
    state.n_banished[seat][games] += _ONE
    return paid


# ----------------------------------------------------------------------------------------------------- Seal the Portals


def seal(table: Table, seat: int, games: Games, choice: Bytes, extra: Mask) -> None:
    """Seal the Portals: a die for each rune of the portal's colour; their sum must reach its number."""
    state, rules = table.state, table.rules
    state.origin[games] = SEAL
    here = Situation(table, seat, games)
    portal = table.ask("portal", seat, games=games, legal=np.stack(here.sealable()))
    colour, place = portal // np.uint8(2), (portal // np.uint8(2)) * np.intp(table.n) + games
    runes = state.runes[seat].reshape(-1).take(place)
    need = np.array(rules.portal_numbers, np.uint8).take(portal)
    number = np.minimum(runes, np.uint8(rules.n_dice))
    dice = roll(table, seat, games, number, FOR_PORTAL, extra, portal=portal, need=need)
    sealed = (dice * (dice != NOT_ROLLED)).sum(axis=0, dtype=np.uint8) >= need
    spends = sealed | (rules.failed_seal == "tentacle")
    own, one = state.temper[seat].reshape(-1).take(place), spends.view(np.uint8)
    paid = chaos_paid(table, seat, games, colour, one, own, here.chaos, FOR_PORTAL)
    add(state.temper[seat], place, one - paid, np.subtract)
    state.chaos[seat][games] -= paid
    if rules.failed_seal == "tentacle":
        failed = ~sealed
        add(state.discard, place, failed & (paid == 0))
        state.chaos_supply[games] += failed & (paid != 0)
    done = sealed.nonzero()[0]
    covers = np.where(paid.take(done) != 0, np.uint8(CHAOS), colour.take(done))
    state.portals.reshape(-1)[portal.take(done) * np.intp(table.n) + games.take(done)] = covers
    state.n_sealed[seat][games] += sealed
    table.note("seal", seat, games, portal=portal, sealed=sealed, paid=paid)
    won = games[(state.portals.take(games, axis=1) != OPEN).sum(axis=0) == N_PORTALS]
    if len(won):
        table.finish(won, "sealed", won=True)
