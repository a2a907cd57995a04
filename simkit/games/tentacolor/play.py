"""Tentacolor: grow your tentacle card by card until five in a row share a colour (six with two players).

Edition: LOKI 2022, from the rulebook; numbers printed only in pictures are components. Nothing of the rules is left
out. Not modelled: who sat at the seaside last (seat 0 is whoever starts), the body's fish symbols and the bends of
the tentacles, which decide nothing.

Readings of places where the rulebook is silent, without a switch: a run is the longest tail of the tentacle that shares
one colour; a shark must bite and a school must take effect where they can; the winning card's encounter is not met;
what sharks and schools remove is seen by all. The others are components, with their alternatives.

One function per section of the rulebook, in the book's order. Encounters play on the games that meet them. The state
is declared in `state.py`, the byte that is a card in `rules.py`; `pile.py` draws cards.

An encounter draws from the bottom of the pile and a turn from its top. The pile is shuffled, so that this makes no
difference, and the turn's card lies at the same place in every game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.game import Outcome
from simkit.games.tentacolor.pile import (
    add,
    can_draw,
    draw_for_encounter,
    draw_from_box,
    in_box,
    keep_in_box,
    place_of_turn,
)
from simkit.games.tentacolor.rules import COLOUR_BITS, ENCOUNTER_SHIFT, RARE, SCHOOL, SHARK, Rules
from simkit.games.tentacolor.state import CARD, FIRST, ROUNDS_TOLD, RUN, SECOND, SHORT_RUN
from simkit.history import History
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Cards = npt.NDArray[np.uint8]

_COLOURS = np.array(COLOUR_BITS, np.uint8)
_ONE = np.array(1, np.uint8)
_FIRST_SLOTS = np.array([[0], [1]], np.uint8)


# ---------------------------------------------------------------------------------------------------------------- Setup


def setup(table: Table) -> None:
    """Setup: shuffle, deal one card to each seat and one more to the first; Expert: an Extremity card each."""
    state, rules = table.state, table.rules
    state.add("deck", table.deck("pile", _box(table), rules.schools + rules.rares))
    state.add("history", History(*state.tip.shape))
    for seat in range(table.seats):
        state.held[seat] = state.deck.top(seat)
    state.hand[1] = state.deck.top(table.seats)
    state.hand_of, state.n_top = 0, table.seats + 1
    if rules.expert:
        state.extremity[:] = table.deck("extremities", np.array(rules.objectives, np.uint8), table.seats).bottom
    table.note("deal")


def _box(table: Table) -> Cards:
    """The cards before the shuffle: one box for all games, or a line a game where the carriers are drawn at random."""
    rules: Rules = table.rules
    if rules.carriers == "spread":
        return rules.pair_cards() | rules.encounters() << np.uint8(ENCOUNTER_SHIFT)
    kinds = np.repeat(np.array([SHARK, SCHOOL, RARE], np.uint8), [rules.sharks, rules.schools, rules.rares])
    carriers = table.deck("carriers", np.arange(rules.cards, dtype=np.uint8), len(kinds)).bottom
    box = np.tile(rules.pair_cards(), (table.n, 1))
    for kind, carrier in zip(kinds, carriers, strict=True):
        box[np.arange(table.n), carrier] |= kind << ENCOUNTER_SHIFT
    return box


# ----------------------------------------------------------------------------------------------------- Playing the Game


def turn(table: Table, seat: int) -> None:
    """Playing the Game: draw a card, extend the tentacle, give a card to the neighbour."""
    if table.rules.expert:
        reveal(table, seat)
    draw_card(table, seat)
    extend_tentacle(table, seat)
    give_card(table, seat)


def draw_card(table: Table, seat: int) -> None:
    """Draw a Tentacle Card: to the one kept and the one passed; without a card to draw the game ends."""
    state, place = table.state, place_of_turn(table)
    state.hand[0] = state.held[seat]
    state.held[seat] = 0
    if place < state.deck.size:
        state.hand[2] = state.deck.top(place)
    state.n_top = place + 1
    if place >= state.deck.n_main:  # not before this can encounters have emptied a pile
        without = ((place + state.n_swapped + state.n_rare >= state.deck.size) & table.live).nonzero()[0]
        if len(without):
            state.hand[2][without] = 0
            renewable = in_box(table, without) > 0
            deck_out(table, without[~renewable])
            state.hand[2][without[renewable]] = draw_from_box(table, seat, without[renewable])
    table.note("draw", seat, card=state.hand[2])


def extend_tentacle(table: Table, seat: int) -> None:
    """Extend the Tentacle: place one of the three cards in hand at its end."""
    state = table.state
    tip = state.tip[seat]
    choice = table.ask("place", seat, legal=placeable(table.rules, state.hand, tip), cards=state.hand)
    card = take_card(state.hand, choice)
    state.history.push(seat, tip)
    grow(tip, card)
    state.seen += table.rules.seen_units.take(card)
    table.note("place", seat)
    n_told = min(table.round, ROUNDS_TOLD - 1)
    table.tally("progress", round=n_told, seat=seat, run=np.minimum(tip[RUN], table.rules.need_array(table.seats)))
    met = ((card > _COLOURS) & table.live & ~complete_run(table, seat)).nonzero()[0]
    if len(met):
        meet(table, seat, met, card.take(met))
    won = complete_run(table, seat) & table.live
    if won.any():
        table.finish(won.nonzero()[0], "run-complete", winners=seat)


def placeable(rules: Rules, hand: Cards, tip: Cards) -> npt.NDArray[np.bool_] | None:
    """Which cards of a hand (3, k) may be placed on a tip (rows, k); None: all of them."""
    if not rules.forced_match:
        return None if rules.rare_at_deck_out == "no-effect" else hand != 0
    matches = (hand & (tip[FIRST] | tip[SECOND])) != 0
    return (hand != 0) & (matches | ~any_of(matches))


def take_card(hand: Cards, choice: npt.NDArray[np.uint8]) -> Cards:
    """Take the chosen card out of a hand (3, k), which keeps the other two in its first slots."""
    swap = hand[:2] ^ hand[2]
    swap *= choice == _FIRST_SLOTS  # the chosen card's slot gets the last card
    card = hand[2] ^ swap[0]
    card ^= swap[1]
    hand[:2] ^= swap
    hand[2] = 0
    return card


def grow(tip: Cards, card: Cards) -> None:
    """Put a card (k,) on a tip (rows, k): a colour that the last card shares goes on with its run."""
    colours = card & _COLOURS
    shared = colours & tip[FIRST : SECOND + 1]
    lone = shared == 0
    runs = tip[RUN : SHORT_RUN + 1] * ~lone
    np.maximum(runs[0], runs[1], out=tip[RUN])
    np.minimum(runs[0], runs[1], out=tip[SHORT_RUN])
    tip[RUN : SHORT_RUN + 1] += _ONE
    # the colour with the longer run: the tip's first if it is shared, or its second, or any
    first = np.negative(colours)
    first &= colours
    new = lone.view(np.uint8)
    first *= new[1]
    first |= shared[1]
    first *= new[0]
    first |= shared[0]
    tip[FIRST] = first
    np.bitwise_xor(colours, first, out=tip[SECOND])
    if len(tip) > CARD:
        tip[CARD] = card


def give_card(table: Table, seat: int) -> None:
    """Give a Card to Your Neighbour: one of the two left goes to the left, the other is kept."""
    state = table.state
    left = state.hand[:2]
    legal = left != 0 if table.rules.rare_at_deck_out == "play-one" else None
    swap = left[0] ^ left[1]
    swap *= table.ask("give", seat, legal=legal, cards=left)
    np.bitwise_xor(left[1], swap, out=state.held[seat])
    np.bitwise_xor(left[0], swap, out=state.hand[1])
    state.hand[0] = 0
    state.hand_of = (seat + 1) % table.seats
    table.note("give", seat)


# ------------------------------------------------------------------------------------------------------ Encounter Cards


def meet(table: Table, seat: int, games: Games, cards: Cards) -> None:
    """Encounter Cards: the effects of the encounter cards (k,) just placed in these games.

    A rare specimen comes first: it ends with another card placed, which is then the one to look at.
    """
    while len(rare := (cards >= RARE << ENCOUNTER_SHIFT).nonzero()[0]):
        cards[rare] = 0
        cards[rare] = rare_specimen(table, seat, games.take(rare))
    for kind, effect in ((SHARK, shark), (SCHOOL, school_of_fish)):
        met = (cards >> ENCOUNTER_SHIFT == kind).nonzero()[0]
        if len(met):
            effect(table, seat, games.take(met))


def shark(table: Table, seat: int, games: Games) -> None:
    """Shark: the last card of an opponent's tentacle goes back to the box; without a card there, nothing happens."""
    state = table.state
    runs = np.stack([state.tip[other, RUN].take(games) for other in _others(table, seat)])
    legal = runs != 0
    targets = any_of(legal)
    if not targets.all():
        games, runs, legal = games[targets], runs[:, targets], legal[:, targets]
    if not len(games):
        return
    victim = _other(table, seat, table.ask("shark", seat, games=games, legal=legal, runs=runs))
    if table.rules.deck_out == "reshuffle":
        keep_in_box(table, games, state.tip[victim, CARD, games])
    add(state.n_bitten, games, _ONE)
    tips, at = state.tip.reshape(-1), victim * (state.tip.shape[1] * table.n) + games
    for row in state.history.pop(victim, games):
        tips[at] = row
        at += table.n
    table.note("shark", seat, games)


def school_of_fish(table: Table, seat: int, games: Games) -> None:
    """School of Fish: another seat's card goes back to the box and it draws; with no card to draw, nothing happens."""
    state = table.state
    drawable = can_draw(table, games)
    if not drawable.all():
        games = games[drawable]
    if not len(games):
        return
    victim = _other(table, seat, table.ask("school", seat, games=games))
    table.note("school chosen", seat, games)
    at = victim * table.n + games
    held = state.held.reshape(-1)
    discarded = held.take(at)
    held[at] = 0
    if table.rules.deck_out == "reshuffle":
        keep_in_box(table, games, discarded)
    add(state.n_swapped, games, _ONE)
    add(state.seen, games, table.rules.seen_units.take(discarded))
    drawn = draw_for_encounter(table, seat, games)
    held[at] = drawn
    table.note("school", seat, games, victim=victim, discarded=discarded, drawn=drawn)


def rare_specimen(table: Table, seat: int, games: Games) -> Cards:
    """Rare Specimen: draw a card and place a second one.

    Returns
    -------
    uint8 (k,)
        The card placed; 0 where none was, or where it ended the game.
    """
    state, drawable = table.state, can_draw(table, games)
    if not drawable.all():
        return _rare_specimen_at_deck_out(table, seat, games, drawable)
    add(state.n_rare, games, _ONE)
    state.hand[2][games] = draw_for_encounter(table, seat, games)
    return place_second_card(table, seat, games)


def _rare_specimen_at_deck_out(table: Table, seat: int, games: Games, drawable: npt.NDArray[np.bool_]) -> Cards:
    """Some games have no card to draw: nothing happens there, or one of two cards left is placed."""
    placed = np.zeros(len(games), np.uint8)
    if drawable.any():
        placed[drawable] = rare_specimen(table, seat, games[drawable])
    if table.rules.rare_at_deck_out == "play-one":
        two_left = ~drawable & (np.count_nonzero(table.state.hand[:2].take(games, axis=1), axis=0) == 2)
        if two_left.any():
            add(table.state.n_rare, games[two_left], _ONE)
            placed[two_left] = place_second_card(table, seat, games[two_left])
    return placed


def place_second_card(table: Table, seat: int, games: Games) -> Cards:
    """The rare specimen's card goes on the tentacle; it may complete the run, which leaves no encounter to meet."""
    state = table.state
    table.note("rare drawn", seat, games, card=state.hand[2].take(games))
    hand, tip = state.hand.take(games, axis=1), state.tip[seat].take(games, axis=1)
    choice = table.ask("rare", seat, games=games, legal=placeable(table.rules, hand, tip), cards=hand)
    card = take_card(hand, choice)
    state.history.push(seat, tip, games)
    grow(tip, card)
    for column, row in zip((*state.hand, *state.tip[seat]), (*hand, *tip), strict=True):
        column[games] = row
    add(state.seen, games, table.rules.seen_units.take(card))
    table.note("rare", seat, games)
    if not table.rules.expert:
        card *= tip[RUN] < table.rules.need_array(table.seats)
    return card


# ------------------------------------------------------------------------------------------------------ End of the Game


def complete_run(table: Table, seat: int) -> npt.NDArray[np.bool_]:
    """End of the Game: whoever has placed the last card of the run wins at once (Expert: has to reveal it), (n,)."""
    if table.rules.expert:
        return np.zeros(table.n, bool)
    return table.state.tip[seat, RUN] >= table.rules.need_array(table.seats)


def deck_out(table: Table, games: Games) -> None:
    """No card to draw (the rulebook has no rule for it): the longest run wins, equal ones share."""
    if len(games):
        table.finish(games, "deck-out", n_turns=table.turn)


def reveal(table: Table, seat: int) -> None:
    """Variant Expert Oceanographer: whoever begins a turn with the run in a colour of their own reveals it and wins."""
    ready = (own_run(table, seat) >= table.rules.need(table.seats)) & table.live
    games = ready.nonzero()[0]
    if len(games):
        table.note("reveal", seat, games)
        table.finish(games, "run-complete", winners=seat)


def own_run(table: Table, seat: int) -> npt.NDArray[np.uint8]:
    """Expert: the run at the end of a tentacle in a colour of the seat's Extremity card, the longer of two; (n,)."""
    tip = table.state.tip[seat]
    own = (tip[FIRST : SECOND + 1] & table.state.extremity[seat]) != 0
    runs = tip[RUN : SHORT_RUN + 1] * own
    return np.maximum(runs[0], runs[1])


def outcome(table: Table, games: Games) -> Outcome:
    """Scores are runs: they decide at deck-out, and rank the losers."""
    state = table.state
    runs = np.stack([own_run(table, seat) for seat in range(table.seats)]) if table.rules.expert else state.tip[:, RUN]
    return Outcome(
        score=runs[:, games],
        games={name: getattr(state, name).take(games) for name in ("n_bitten", "n_swapped", "n_rare")},
    )


# ---------------------------------------------------------------------------------------------------------- Neighbours


def _others(table: Table, seat: int) -> list[int]:
    """The other seats, from the left neighbour on."""
    return [(seat + distance) % table.seats for distance in range(1, table.seats)]


def _other(table: Table, seat: int, choice: npt.NDArray[np.uint8]) -> Games:
    """The seat that an option of shark or school stands for, intp (k,)."""
    return np.array(_others(table, seat)).take(choice)
