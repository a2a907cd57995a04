"""Tiny Epic Cthulhu: Translate Pages, and the change to Phase Two. See `play.py`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import CHAOS, ELDRITCH, N_NUMBERS
from simkit.games.tiny_epic_cthulhu.legal import Situation
from simkit.games.tiny_epic_cthulhu.play_dice import FOR_PAGE, chaos_paid
from simkit.games.tiny_epic_cthulhu.state import NO_CARD
from simkit.games.tiny_epic_cthulhu.tracks import empty_discard
from simkit.table import Table

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

N_SPACES = N_NUMBERS * N_NUMBERS
_ONE = np.uint8(1)


def translate(table: Table, seat: int, games: Games, choice: Bytes, extra: Mask) -> None:
    """Translate Pages: pay, place the tokens, take Chaos of completed lines and the runes; a new page comes."""
    state, rules = table.state, table.rules
    here = Situation(table, seat, games)
    card = here.page
    paid = pay_for_page(table, seat, games, here, card)
    before = lines(state.rows.take(games, axis=1))
    for number in range(N_NUMBERS):
        row = state.rows[number].take(games)
        state.rows[number][games] = row + ((row < N_NUMBERS) & rules.page_numbers[:, number].take(card))
    completed = lines(state.rows.take(games, axis=1)) - before
    state.discard[CHAOS][games] += completed * np.uint8(rules.chaos_per_line)
    for colour in range(3):
        state.runes[seat][colour][games] += rules.page_runes[:, colour].take(card)
    replace_page(table, games, here.place)
    table.note("translate", seat, games, card=card, paid=paid, lines=completed, chaos=extra)
    is_last = state.rows.take(games, axis=1).sum(axis=0, dtype=np.uint8) == N_SPACES
    if is_last.any():
        begin_phase_two(table, seat, games[is_last])


def pay_for_page(table: Table, seat: int, games: Games, here: Situation, card: Bytes) -> Bytes:
    """A: Madness as shown, to the Discard Mat; Chaos stands for any, and goes to the supply: Chaos paid, (3, k)."""
    state, costs = table.state, table.rules.page_costs
    chaos, paid = here.chaos.copy(), np.zeros((3, len(games)), np.uint8)
    needs = [costs[:, colour].take(card) for colour in range(3)]
    lacks = [need - np.minimum(need, own) for need, own in zip(needs, here.temper, strict=True)]
    for colour, need in enumerate(needs):
        later = sum(lacks[colour + 1 :], np.zeros_like(need))
        paid[colour] = chaos_paid(table, seat, games, colour, need, here.temper[colour], chaos - later, FOR_PAGE)
        chaos -= paid[colour]
        spent = need - paid[colour]
        state.temper[seat][colour][games] -= spent
        state.discard[colour][games] += spent
    state.chaos[seat][games] = chaos
    state.chaos_supply[games] += paid.sum(axis=0, dtype=np.uint8)
    return paid


def lines(rows: Bytes) -> Bytes:
    """Completed rows and columns of the Necronomicon, uint8 (k,): tokens lie left-most, so the shortest row tells."""
    return (rows == N_NUMBERS).sum(axis=0, dtype=np.uint8) + rows.min(axis=0)


def replace_page(table: Table, games: Games, place: Games) -> None:
    """A new Page Card, face down, if the deck has one."""
    state, n_cards = table.state, np.uint8(len(table.rules.pages))
    dealt = state.n_dealt.take(games)
    has_one = dealt < n_cards
    cards = np.full(len(games), NO_CARD, np.uint8)
    some = has_one.nonzero()[0]
    cards[some] = state.deck.from_bottom(dealt.take(some), games.take(some))
    state.n_dealt[games] += has_one
    state.pages.reshape(-1)[place] = cards
    state.face_up.reshape(-1)[place] = False
    state.known.reshape(-1)[place] = False


def begin_phase_two(table: Table, seat: int, games: Games) -> None:
    """The mat is flipped, the Strength Token starts anew, the Discard Mat goes to the bag."""
    state = table.state
    state.side[games] = 1
    state.strength[games] = 0
    state.must_leave[games] = False
    empty_discard(table, games, with_eldritch=True)
    if table.rules.energy_at_flip == "bag":
        state.bag[ELDRITCH][games] += state.energy.take(games)
        state.energy[games] = 0
    table.note("phase", seat, games)
