"""Tiny Epic Cthulhu, Step 2: Take Player Actions; Move and Collect Tentacles. See `play.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.tiny_epic_cthulhu.cards import N_TOWNS
from simkit.games.tiny_epic_cthulhu.legal import (
    BACK,
    COLLECT,
    END_TURN,
    USE_ABILITY,
    Situation,
    legal_actions,
)
from simkit.games.tiny_epic_cthulhu.play_dice import banish, seal
from simkit.games.tiny_epic_cthulhu.play_effects import ability, town_action, turn_up
from simkit.games.tiny_epic_cthulhu.play_pages import translate
from simkit.games.tiny_epic_cthulhu.rules import MOST_STEPS
from simkit.games.tiny_epic_cthulhu.state import DEEDS, NO_CARD, STOP
from simkit.games.tiny_epic_cthulhu.tracks import alive, can_draw, draw_onto_seat
from simkit.state import add
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

NO_FLIP, NO_MORE = MOST_STEPS, 3
"""Options of `flip` and of `collect`: none, no more."""
DEED_OF = np.array([0] * COLLECT + list(range(1, len(DEEDS))), np.uint8)
"""What kind of thing each option of `action` is, see `DEEDS`."""
_ONE = np.uint8(1)


def player_actions(table: Table, seat: int) -> None:
    """Step 2: up to three actions, one more for each Chaos spent, and the ability at any moment."""
    state, rules = table.state, table.rules
    state.ability_used[:] = False
    state.left[:] = rules.actions
    here = (state.goo == state.at[seat]) & (state.side == 0)
    state.must_leave[:] = here & state.was_here if rules.must_leave_checked == "turn-start" else here
    games = table.live.nonzero()[0]
    for _ in range(rules.max_actions):
        games = one_action(table, seat, games)
        if not len(games):
            return
    end_turn(table, seat, games)


def one_action(table: Table, seat: int, games: Games) -> Games:
    """The next action of each game's turn; the games in which the turn goes on."""
    left, chaos = table.state.left.take(games), table.state.chaos[seat].take(games)
    has_none = left == 0
    legal = legal_actions(Situation(table, seat, games, has_none & (chaos != 0)), left)
    goes_on = any_of(legal[:END_TURN])
    choice = np.full(len(games), END_TURN, np.uint8)
    for decision, asked in (("action", goes_on & ~has_none), ("chaos_action", goes_on & has_none)):
        columns = asked.nonzero()[0]
        if len(columns):
            asking = games.take(columns)
            choice[columns] = table.ask(decision, seat, games=asking, legal=legal.take(columns, axis=1))
    extra = has_none & (choice < USE_ABILITY)
    deeds = DEED_OF.take(choice)
    pay(table, seat, games, choice, deeds, extra)
    for deed, act in enumerate(_ACTS):
        chosen = (deeds == deed).nonzero()[0]
        if len(chosen):
            act(table, seat, games.take(chosen), choice.take(chosen), extra.take(chosen))
    return alive(table, games[choice != END_TURN])


def pay(table: Table, seat: int, games: Games, choice: Bytes, deeds: Bytes, extra: Mask) -> None:
    """An action is one of the turn's, or costs a Chaos Tentacle; the ability costs nothing."""
    state = table.state
    state.left[games] -= ~extra & (choice < USE_ABILITY)
    state.chaos[seat][games] -= extra
    state.chaos_supply[games] += extra
    state.n_extra[seat][games] += extra
    add(state.n_done[seat], deeds * np.intp(table.n) + games, np.uint16(1))
    phase = state.side.take(games)
    table.tally("actions", games, seat=seat, phase=phase, action=deeds, extra=extra.view(np.uint8))


def end_turn(table: Table, seat: int, games: Games, *_: Any) -> None:
    """Next Turn: nothing of this one is left."""
    state = table.state
    state.left[games] = 0
    state.must_leave[games] = False
    state.ability_used[games] = False
    table.note("stop", seat, games)


# ----------------------------------------------------------------------------------------------------------------- Move


def move(table: Table, seat: int, games: Games, choice: Bytes, extra: Mask) -> None:
    """Move: some towns either way, a page may be flipped, and tentacles are drawn for the Shamblers there."""
    state = table.state
    is_back = choice >= BACK
    steps = choice % np.uint8(MOST_STEPS) + _ONE
    step = np.where(is_back, np.uint8(N_TOWNS - 1), _ONE)
    at = state.at[seat].take(games)
    way = np.stack([(at + step * np.uint8(k)) % np.uint8(N_TOWNS) for k in range(1, MOST_STEPS + 1)])
    place = (steps - _ONE) * np.intp(len(games)) + np.arange(len(games))
    state.at[seat][games] = town = way.reshape(-1).take(place)
    state.must_leave[games] = False
    signed = np.where(is_back, -steps.view(np.int8), steps.view(np.int8))
    table.note("move", seat, games, steps=signed, town=town, chaos=extra)
    flip(table, seat, games, way, steps)
    draw_for_shamblers(table, seat, games)


def flip(table: Table, seat: int, games: Games, way: Bytes, steps: Bytes) -> None:
    """A page that was moved past or stopped next to may be turned face up."""
    state, n = table.state, np.intp(table.n)
    legal = np.ones((MOST_STEPS + 1, len(games)), bool)
    shown = way.copy()
    for k in range(MOST_STEPS):
        on_way = steps > k
        may_flip = on_way if table.rules.flips_passed else steps == k + 1
        place = way[k] * n + games
        lies_down = (state.pages.reshape(-1).take(place) != NO_CARD) & ~state.face_up.reshape(-1).take(place)
        legal[k] = may_flip & lies_down
        shown[k][~on_way] = NO_CARD
    some = any_of(legal[:NO_FLIP]).nonzero()[0]
    if not len(some):
        return
    games, shown = games.take(some), shown.take(some, axis=1)
    choice = table.ask("flip", seat, games=games, legal=legal.take(some, axis=1), way=shown)
    turned = (choice != NO_FLIP).nonzero()[0]
    towns = shown.reshape(-1).take(choice.take(turned) * np.intp(len(some)) + turned)
    games = games.take(turned)
    turn_up(table, games, towns)
    if table.observer is not None:
        table.note("flip", seat, games, town=towns, card=state.pages.reshape(-1).take(towns * n + games))


def draw_for_shamblers(table: Table, seat: int, games: Games) -> None:
    """Stopping beside Shamblers: a tentacle is drawn for each of them."""
    state = table.state
    state.origin[games] = STOP
    here = Situation(table, seat, games)
    if not here.has_shamblers.any():
        return
    number = here.shamblers[0] + here.shamblers[1] + here.shamblers[2]
    number -= np.minimum(number, here.passive("stop_draws"))
    for drawn in range(int(number.max())):
        mine = can_draw(table, games[number > drawn])
        state.n_stop_draws[seat][mine] += np.uint16(1)
        draw_onto_seat(table, seat, mine, "stop")


# ---------------------------------------------------------------------------------------------------- Collect Tentacles


def collect(table: Table, seat: int, games: Games, choice: Bytes, extra: Mask) -> None:
    """Collect Tentacles: one of the town's Madness, and one more for each greed that one had."""
    state, n = table.state, np.intp(table.n)
    here = Situation(table, seat, games)
    most = here.temper[2] + _ONE + here.passive("collects")
    for taken in range(int(most.max())):
        here = Situation(table, seat, games)
        legal = np.stack([*here.can_collect(), np.full(len(games), taken > 0)])
        some = (any_of(legal[:NO_MORE]) & (most > taken)).nonzero()[0]
        if not len(some):
            return
        games, most, extra = games.take(some), most.take(some), extra.take(some)
        n_more: Any = most - np.uint8(taken)
        colours = table.ask("collect", seat, games=games, legal=legal.take(some, axis=1), n_more=n_more)
        going = (colours != NO_MORE).nonzero()[0]
        games, most, extra, colours = (array.take(going) for array in (games, most, extra, colours))
        at = state.at[seat].take(games)
        add(state.madness, (at * np.intp(3) + colours) * n + games, how=np.subtract)
        add(state.temper[seat], colours * n + games)
        state.n_collected[seat][games] += np.uint16(1)
        table.note("collect", seat, games, colour=colours, chaos=extra if taken == 0 else np.zeros_like(extra))


_ACTS = (move, collect, banish, town_action, translate, seal, ability, end_turn)
"""What carries the deeds out, in their order."""
