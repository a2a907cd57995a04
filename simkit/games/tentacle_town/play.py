"""Tentacle Town: put residents to work, hunt tentacles, defend the town, and become its most famous founder.

Edition: the English rulebook, which names neither year nor publisher; what only its pictures show is a component.

Left out: the other set of task cards that the campaign is said to have had (nothing is known of their contents; games
with them would have more conflict), and what decides nothing: who sits where, where in a district a resident stands,
which space of a row a building takes.

Places that the rulebook's text or examples settle, without a switch (numbers as in the components' sources): the active
player picks which building of the outermost occupied row falls (8) and where a resident flees to (9); a result that
finds nothing does nothing (9, 10); the row is read anew after each destruction (10); defence is one's own choice, and a
hit cancels no other result (11); a saved building is not replaced by another (12); with all tentacles on the board one
is moved from another area, chosen by the active player, or none if all are here (13); dice are counted after the new
tentacle (14); the end is looked at when a resident is to be recruited (16); majorities that are tied share, rounded
down (17); the main action costs nothing (20). Goods that are paid are paid before others are taken.

One function per section of the rulebook, in the book's order; the tasks are in `play_tasks.py`, attacks in
`play_attack.py`. The state is declared in `state.py`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simkit.game import Outcome
from simkit.games.tentacle_town.play_attack import tentacle_attack
from simkit.games.tentacle_town.play_tasks import carry_out, legal_work
from simkit.games.tentacle_town.rules import CARDS, GOODS
from simkit.games.tentacle_town.state import BUILD, PASS
from simkit.games.tentacle_town.tasks import all_times, means_of
from simkit.table import Table
from simkit.view import any_of

Games = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]

# ----------------------------------------------------------------------------------------------------------- Game Setup


def setup(table: Table) -> None:
    """Game Setup: goods, a building in each district's outermost row, task cards."""
    state, rules = table.state, table.rules
    for good in GOODS:
        getattr(state, good)[:] = getattr(rules, f"start_{good}")
    spaces = np.array(rules.rows_for(table.seats), np.uint8)
    state.free[:] = spaces[:, None]
    state.free[:, 0] -= np.uint8(rules.start_buildings * table.seats)
    state.buildings[:, :, 0] = rules.start_buildings
    state.supply[:], state.tentacles_left[:] = rules.residents, rules.tentacles
    deal_task_cards(table)
    state.is_begun = False
    table.note("setup")


def deal_task_cards(table: Table) -> None:
    """Task Cards: some are dealt for the whole game, or they are given; one may be in or out by rule."""
    state, rules = table.state, table.rules
    if rules.cards or not rules.task_cards:
        state.cards[:] = sum(1 << CARDS.index(name) for name in rules.cards)
        return
    first, last = (CARDS.index(name) if name else len(CARDS) for name in (rules.card_in, rules.card_out))
    if rules.card_in:
        state.cards[:] = 1 << first
    n_in_play = np.full(table.n, int(bool(rules.card_in)), np.uint8)
    deck = table.deck("cards", np.arange(len(CARDS), dtype=np.uint8))
    for place in range(min(rules.task_cards + 2, len(CARDS))):
        card = deck.top(place)
        comes = (n_in_play < rules.task_cards) & (card != first) & (card != last)
        state.cards |= np.left_shift(comes, card, dtype=np.uint16)
        n_in_play += comes


# ------------------------------------------------------------------------------------------------------------- The turn


def turn(table: Table, seat: int) -> None:
    """Playing the Game: recruit a resident, pay overtime, see what the tentacles do."""
    end_of_game(table)
    if not table.n_live:
        return
    recruit(table, seat)
    passed = new_resident(table, seat)
    pay_overtime(table, seat, passed)
    tentacle_attack(table, seat)
    count_tokens(table)


def end_of_game(table: Table) -> None:
    """Ending the Game: at once when a resident is to be placed and there is none."""
    over = ((table.state.supply == 0) & table.live).nonzero()[0]
    if len(over):
        table.finish(over, "no-resident", n_turns=table.turn)


def recruit(table: Table, seat: int) -> None:
    """Recruit a New Resident: to a district, where the work of this turn is done."""
    state = table.state
    state.is_begun = True
    state.gold_before[:] = state.gold[seat]
    state.district[:] = table.ask("district", seat)
    state.supply -= table.live
    own = state.buildings[seat].sum(axis=1, dtype=np.uint8)
    state.residents_here[:] = 0
    state.buildings_here[:] = 0
    for district in range(3):
        here = state.district == district
        state.residents[district] += here & table.live
        state.residents_here += state.residents[district] * here
        state.buildings_here += own[district] * here
    state.done[:] = 0
    state.n_paid[:] = 0
    table.note("recruit", seat)


def new_resident(table: Table, seat: int) -> npt.NDArray[np.bool_]:
    """The new resident builds a building, completes a task, or does nothing: where it did nothing, bool (n,)."""
    means = means_of(table, seat, None)
    often = all_times(table.rules, means)
    legal = legal_work(table, seat, None, means, often)
    legal[PASS] = True if table.rules.pass_work == "always" else ~any_of(legal[1:])
    choice = table.ask("work", seat, legal=legal, times=often)
    table.tally("tasks", seat=seat, option=choice, how=0)
    carry_out(table, seat, None, choice, means, often)
    return choice == PASS


def pay_overtime(table: Table, seat: int, passed: npt.NDArray[np.bool_]) -> None:
    """Pay Overtime: another task for a gold, as often as one likes and can, none of them twice a turn."""
    rules, cost = table.rules, np.uint16(table.rules.overtime_cost)
    can_go_on = table.live if rules.overtime_after_pass else table.live & ~passed
    games = can_go_on.nonzero()[0]
    while len(games := games[may_pay(table, seat, games)]):
        means = means_of(table, seat, games, int(cost))
        often = all_times(rules, means)
        legal = legal_work(table, seat, games, means, often)
        legal[BUILD] &= rules.build_by_overtime & ((table.state.done.take(games) & (1 << BUILD)) == 0)
        legal[PASS] = True
        choice = table.ask("overtime", seat, games=games, legal=legal, times=often)
        going = (choice != PASS).nonzero()[0]
        games, choice, often = games.take(going), choice.take(going), often.take(going, axis=1)
        if not len(games):
            return
        table.state.gold[seat][games] -= cost
        table.state.n_paid[games] += np.uint8(1)
        table.state.n_overtime[seat][games] += np.uint16(1)
        table.tally("tasks", games, seat=seat, option=choice, how=1)
        carry_out(table, seat, games, choice, means_of(table, seat, games), often)


def may_pay(table: Table, seat: int, games: Games) -> npt.NDArray[np.bool_]:
    """Whether the seat may pay for one more task, (k,)."""
    state, rules, cost = table.state, table.rules, table.rules.overtime_cost
    may = state.gold[seat].take(games) >= cost
    if rules.overtime_limit == "residents":
        may &= state.n_paid.take(games) < state.residents_here.take(games)
    if not rules.overtime_from_earnings:
        may &= (state.n_paid.take(games) + np.uint16(1)) * np.uint16(cost) <= state.gold_before.take(games)
    return may


def count_tokens(table: Table) -> None:
    """What's in the Box: whether more tokens of a kind were needed than there are."""
    state, tokens = table.state, np.uint16(table.rules.tokens)
    for good in ("gold", "food", "iron", "fame"):
        held = getattr(state, good)
        total = held[0] + held[1]
        for more in held[2:]:
            total += more
        state.over_tokens |= total > tokens


# ----------------------------------------------------------------------------------------------------- Winning the Game


def outcome(table: Table, games: Games) -> Outcome:
    """Winning the Game: fame for the most buildings in each district; the most fame, then the most gold."""
    state, rules = table.state, table.rules
    award, lost, unheld = majorities(table, games)
    fame = state.fame.take(games, axis=1)
    from_cards = fame + state.spent.take(games, axis=1)
    for source in (state.from_hunting, state.from_defence, state.from_board):
        from_cards -= source.take(games, axis=1)
    seat_measures = ("gold", "from_hunting", "from_defence", "from_board", "spent")
    seat_counts = ("n_built", "n_fired", "n_hit", "n_overtime", "cards_used")
    n_buildings = state.buildings.take(games, axis=-1).sum(axis=(1, 2), dtype=np.uint8)
    game_counts = ("n_killed", "n_fled", "n_destroyed", "n_saved", "cards", "over_tokens")
    return Outcome(
        score=fame + award,
        tiebreak=state.gold.take(games, axis=1),
        games={name: getattr(state, name).take(games) for name in game_counts}
        | {"majority_lost": lost, "majority_unheld": unheld},
        seats={name: getattr(state, name).take(games, axis=1) for name in (*seat_measures, *seat_counts)}
        | {
            "from_cards": from_cards - np.uint16(rules.start_fame),
            "from_majority": award,
            "n_buildings": n_buildings,
            "n_lost": state.n_built.take(games, axis=1) + np.uint16(3 * rules.start_buildings) - n_buildings,
        },
    )


def majorities(table: Table, games: Games) -> tuple[npt.NDArray[np.uint16], Bytes, Bytes]:
    """Fame for the most buildings in each district, shared and rounded down between equals.

    Returns
    -------
    award : uint16 (seats, k)
        [fame]
    lost, unheld : uint8 (k,)
        Lost to rounding [fame], and residents where nobody has a building.
    """
    state = table.state
    residents = state.residents.take(games, axis=1)
    standing = state.buildings.take(games, axis=-1).sum(axis=2, dtype=np.uint8)
    award = np.zeros((table.seats, len(games)), np.uint16)
    lost, unheld = np.zeros((2, len(games)), np.uint8)
    for district, fame in enumerate(residents):
        most = standing[:, district].max(axis=0)
        holds = (standing[:, district] == most) & (most > 0)
        n_holders = np.count_nonzero(holds, axis=0).astype(np.uint8)
        each = fame // np.maximum(n_holders, 1)
        award += each * holds
        lost += (fame - each * n_holders) * (n_holders > 0)
        unheld += fame * (n_holders == 0)
    return award, lost, unheld
