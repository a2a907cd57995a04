"""Watches games of Octobuns: every card lies in one place after every event, and each event does what it says, no more.

The state is the one that traces tell; what an event may change is taken from the rulebook and from the state before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns import GAME
from simkit.results import Results
from simkit.table import Table
from simkit.view import View
from tests.oracles.octobuns_paths import cells_of, is_straight, next_to, paths, where

State = dict[str, Any]

IN_HAND = ("take", "lift", "shift", "refill", "rebuild", "place", "discard")
"""Events during which cards may be in hand; after those of a clean-up of two cards one is."""
ENDING = ("refill", "rebuild", "orders")
"""Events that replenish."""


def miscounts(rules: Any, state: State, gone: Sequence[int]) -> list[str]:
    """What there is too much or too little of."""
    items = Counter(state["hand"]) + Counter(item for bakery in state["bakeries"] for item in bakery)
    found: dict[str, int] = {}
    for item in range(1, rules.n_ingredients + 1):
        loose = state["open"].count(item) + sum(stack.count(item) for stack in state["stacks"])
        found[rules.item_names[item]] = items[item] + loose + state["discards"][item - 1]
    should = dict.fromkeys(found, rules.copies)
    for bun, left in enumerate(state["bun_stock"], rules.n_ingredients + 1):
        found[rules.item_names[bun]] = items[bun] + left
        should[rules.item_names[bun]] = rules.bun_copies
    held = [*state["open_orders"], *(order for places in state["reserved"] for order in places)]
    orders = Counter([order for order in held if order is not None]) + Counter(gone)
    orders += Counter(order for pile in state["piles"] for order in pile)
    for order, name in enumerate(rules.order_names):
        found[name], should[name] = orders[order], 1
    off = [f"{name}: {found[name]} instead of {number}" for name, number in should.items() if found[name] != number]
    if set(items) - set(range(len(rules.item_names))) or set(orders) - set(range(len(rules.orders))):
        off.append(f"no such card: {items}, {orders}")
    kinds = [[rules.kind_of[order] for order in pile] for pile in state["piles"]]
    kinds += [[rules.kind_of[o] for o in state["open_orders"][2 * kind :][:2] if o is not None] for kind in (0, 1)]
    return off + [f"kinds of orders: {kinds}" for kind in range(4) if set(kinds[kind]) - {kind % 2}]


def excesses(rules: Any, state: State) -> list[str]:
    """What is above its limit."""
    limit = rules.reserve_limit + 2 * (rules.extra_rope_in == "beyond")
    told = [("orders this turn", state["n_orders"], rules.orders_per_turn)]
    told.append(("cards cleaned up", state["n_cleaned"], rules.clean_up_cards))
    told += [("reserved", sum(o is not None for o in places), limit) for places in state["reserved"]]
    told += [("starting cards", n, rules.starting_cards) for n in state["starting"]]
    told += [("new icons", new, mine) for new, mine in zip(state["fresh"], np.max(state["icons"], axis=0), strict=True)]
    if rules.new_bonus == "at-once":
        told = [each for each in told if each[0] != "new icons"]
    return [f"{name}: {n} of {most}" for name, n, most in told if not 0 <= n <= most]


class Ledger:
    """An observer.

    Attributes
    ----------
    n_events
        By name, those of each game counted.
    """

    def __init__(self, rules: Any, seats: int) -> None:
        self.rules, self.seats, self.n_events = rules, seats, Counter[str]()
        self.before: dict[int, State] = {}
        self.turns: dict[int, int] = {}
        self.gone: dict[int, list[int]] = {}  # orders completed, and discarded for good
        self.icons: dict[int, Any] = {}
        self.done: dict[int, list[list[int]]] = {}
        self.freed: dict[int, int] = {}
        self.causes: dict[int, str] = {}
        longest = max(len(order.items) for order in rules.orders)
        self.sets = cells_of([path for n in range(2, longest + 1) for path in paths(n)])

    # ----------------------------------------------------------------------------------------------- the observer

    def noted(self, table: Table, event: str, seat: int | None, games: Any, fields: Mapping[str, Any]) -> None:
        """Count, and look at what the event did."""
        columns = table.live.nonzero()[0] if games is None else games
        if event == "end":
            for column in columns:
                self.causes[int(table.deals[column])] = str(fields["cause"])
            return
        states = GAME.describe(table, columns)
        for place, (column, state) in enumerate(zip(columns, states, strict=True)):
            told = {name: _plain(value, place) for name, value in fields.items()}
            self._enter(int(table.deals[column]), event, seat, state, told, table.turn)

    def decided(self, table: Table, view: View, choice: npt.NDArray[np.uint8]) -> None:
        """The choice is legal; the view tells what lies open, and nothing else."""
        asked = np.flatnonzero(view.asked)
        assert view.legal[choice[asked], asked].all()
        for column, state in zip(asked, GAME.describe(table, view.columns[asked]), strict=True):
            for left in range(self.seats):
                seat = (view.seat + left) % self.seats
                assert view.bakery(left)[:, column].tolist() == state["bakeries"][seat]
                assert view.icons(left)[:, column].tolist() == state["icons"][seat]
                assert view.starting(left)[column] == state["starting"][seat]
                assert view.n_done(left)[column] == sum(state["n_done"][seat])
                assert view.coins(left)[column] == state["coins"][seat]
            assert view.open_ingredients[:, column].tolist() == state["open"]
            assert view.tops[:, column].tolist() == [stack[0] if stack else 0 for stack in state["stacks"]]
            assert view.stack_sizes[:, column].tolist() == [*map(len, state["stacks"])]
            assert view.discards[:, column].tolist() == state["discards"]
            assert view.pile_sizes[:, column].tolist() == [*map(len, state["piles"])]
            mine = [*state["open_orders"], *state["reserved"][view.seat]]
            assert [255 if o is None else o for o in mine] == view.orders[: len(mine), column].tolist()

    # ------------------------------------------------------------------------------------------------- every event

    def _enter(self, deal: int, event: str, seat: int | None, state: State, told: Mapping[str, Any], turn: int) -> None:
        """Enter one event of one game."""
        self.n_events[event] += 1
        if event == "setup":
            self.gone[deal], self.done[deal] = [], [[0, 0] for _ in range(self.seats)]
            self.icons[deal] = np.zeros((self.seats, 3), int)
            if self.rules.given_icon:
                self.icons[deal][0, ("rope-in", "tentacle", "supply").index(self.rules.given_icon)] = 1
        else:
            before = self.before[deal]
            if self.turns[deal] != turn:
                self._turn_is_over(before)
                before = {
                    **before,
                    "action": None,
                    "n_cleaned": 0,
                    "cleaned_how": None,
                    "n_orders": 0,
                    "fresh": [0] * 3,
                }
            assert all(a <= b for a, b in zip(before["coins"], state["coins"], strict=True)), event
            for other in range(self.seats):
                if other != seat:
                    alike = ("bakeries", "reserved", "icons", "starting", "n_done", "coins")
                    assert all(before[name][other] == state[name][other] for name in alike), event
            look = getattr(self, "_" + event.replace(" ", "_"))
            look(deal, seat, before, state, told) if event in ENDING else look(deal, seat or 0, before, state, told)
        assert miscounts(self.rules, state, self.gone[deal]) == [], event
        assert excesses(self.rules, state) == [], event
        assert event in IN_HAND or state["hand"] == [0, 0], event
        assert state["n_done"] == self.done[deal], event
        assert state["icons"] == self.icons[deal].tolist(), event
        self.before[deal], self.turns[deal] = state, -1 if event == "setup" else turn

    def _turn_is_over(self, state: State) -> None:
        """Replenished, as far as there are cards; nothing in hand."""
        assert state["hand"] == [0, 0]
        assert all(state["stacks"]) or not any(state["discards"])
        for card, stack in zip(state["open"], state["stacks"], strict=True):
            assert card or not stack
        for place, order in enumerate(state["open_orders"]):
            assert order is not None or not state["piles"][place // 2]

    # ------------------------------------------------------------------------------------------- ingredients and buns

    def _take(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """From where it says, to hand."""
        assert before["hand"] == [0, 0]
        assert state["hand"] == [told["item"], 0]
        place, way = told["place"], told["way"]
        if way in ("open", "tentacle"):
            assert before["open"][place] == told["item"]
            assert state["open"][place] == 0
            assert state["stacks"] == before["stacks"]
        elif way == "supply":
            if self.rules.rebuild_when == "turn-end":
                assert before["stacks"][place] == [told["item"], *state["stacks"][place]]
        else:
            assert before["discards"][told["item"] - 1] == state["discards"][told["item"] - 1] + 1
        if way == "open":
            assert before["action"] is None
        if way != "exchange":
            self.freed.pop(deal, None)

    def _place(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """On an empty cell next to a card, or on an ingredient that makes a bun with it."""
        cell, made, item = told["cell"], told["made"], before["hand"][0]
        bakery, under = before["bakeries"][seat], before["bakeries"][seat][told["cell"]]
        assert item
        assert state["hand"] == [before["hand"][1], 0]
        after = list(bakery)
        if under:
            pair = sorted((self.rules.item_names[item], self.rules.item_names[under]))
            fitting = [n for n, bun in enumerate(self.rules.buns) if sorted(bun.of) == pair]
            assert len(fitting) == 1
            bun, in_stock = fitting[0], before["bun_stock"][fitting[0]]
            assert in_stock or self.rules.bun_out_of_stock == "lost"
            assert made == (bun + self.rules.n_ingredients + 1 if in_stock else 0)
            assert state["bun_stock"][bun] == in_stock - (in_stock > 0)
            after[cell] = made
        else:
            assert made == 0
            cards = [other for other in range(9) if bakery[other]]
            freed = self.freed.get(deal) if self.rules.freed_cell else None
            assert not cards or cell == freed or set(next_to(cell)) & {*cards}
            after[cell] = item
        assert state["bakeries"][seat] == after
        self.freed.pop(deal, None)

    def _lose(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """Only from a full bakery."""
        assert self.rules.full_bakery == "discard"
        assert all(before["bakeries"][seat])
        assert state["bakeries"] == before["bakeries"]
        assert state["discards"][told["item"] - 1] == before["discards"][told["item"] - 1] + 1

    def _shift(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """All cards keep their places to each other."""
        assert self.rules.grid == "floating"
        moves = set()
        held = [[(cell, item) for cell, item in enumerate(each["bakeries"][seat]) if item] for each in (before, state)]
        for (a, item), (b, same) in zip(*held, strict=True):
            assert item == same
            moves.add((b // 3 - a // 3, b % 3 - a % 3))
        assert len(moves) == 1
        assert moves != {(0, 0)}
        if deal in self.freed:
            row, column = (x + by for x, by in zip(divmod(self.freed[deal], 3), *moves, strict=True))
            self.freed[deal] = 3 * row + column if 0 <= row <= 2 and 0 <= column <= 2 else -1

    def _return(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """Exchange a Bun."""
        assert before["action"] is None
        assert before["bakeries"][seat][told["cell"]] == told["bun"] > self.rules.n_ingredients
        assert state["bakeries"][seat][told["cell"]] == 0
        assert any(before["discards"])
        self.freed[deal] = told["cell"]

    def _lift(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """Clean Up."""
        assert before["action"] in (None, 5)
        assert not before["n_orders"]
        assert before["bakeries"][seat][told["cell"]] == told["item"] != 0
        assert state["n_cleaned"] == before["n_cleaned"] + 1

    def _discard(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """Out of hand."""
        assert state["bakeries"] == before["bakeries"]
        assert before["hand"][0] == told["item"] != 0

    # -------------------------------------------------------------------------------------------- bonuses and orders

    def _use(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """An icon or the starting card is turned down."""
        if told["kind"] == 3:
            assert state["starting"][seat] == before["starting"][seat] - 1
        else:
            assert before["icons"][seat][told["kind"]] > 0
            self.icons[deal][seat, told["kind"]] -= 1
        assert self.rules.bonus_after_order or not before["n_orders"]

    def _rope_in(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """From where it says to a free place."""
        source, order = told["source"], told["order"]
        assert order == (before["open_orders"][source] if source < 4 else before["piles"][source - 4][0])
        assert self.rules.blind_rope_in or source < 4
        place = before["reserved"][seat].index(None)
        assert state["reserved"][seat] == [order if r == place else o for r, o in enumerate(before["reserved"][seat])]

    def _drop(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """Reserved orders that are discarded."""
        assert before["action"] in (None, 5)
        assert before["reserved"][seat][told["place"]] == told["order"]
        assert self.rules.clean_up_orders_alone or before["n_cleaned"]
        if self.rules.dropped_orders == "out":
            self.gone[deal].append(told["order"])

    def _complete(self, deal: int, seat: int, before: State, state: State, told: Mapping[str, Any]) -> None:
        """The order lies there; its cards are used; coins and icon are the seat's."""
        order, place, cells = told["order"], told["place"], self.sets[told["path"]]
        rules, bakery = self.rules, before["bakeries"][seat]
        assert before["action"] is not None
        assert order == [*before["open_orders"], *before["reserved"][seat]][place]
        items = [rules.item_names.index(name) for name in rules.orders[order].items]
        along = [path for path in paths(len(items), rules.bends, rules.reversal) if rules.bends or is_straight(path)]
        assert cells in where(items, tuple(bakery), along)
        leave = cells if rules.used_cards == "leave" else ()
        assert state["bakeries"][seat] == [0 if cell in leave else item for cell, item in enumerate(bakery)]
        assert state["coins"][seat] == before["coins"][seat] + int(rules.coins_of[order])
        self.gone[deal].append(order)
        self.done[deal][seat][int(rules.kind_of[order])] += 1
        if icon := int(rules.icon_of[order]):
            self.icons[deal][seat, icon - 1] += 1

    # ---------------------------------------------------------------------------------------------------- the supply

    def _refill(self, deal: int, seat: int | None, before: State, state: State, told: Mapping[str, Any]) -> None:
        """The card comes from the stack above its place."""
        place = told["place"]
        assert state["open"][place] == told["item"]
        if self.rules.rebuild_when == "turn-end":
            assert before["open"][place] == 0
            assert before["stacks"][place] == [told["item"], *state["stacks"][place]]

    def _rebuild(self, deal: int, seat: int | None, before: State, state: State, told: Mapping[str, Any]) -> None:
        """Discards go under the stacks, to equal height or a third under each."""
        assert any(before["discards"])
        assert not any(state["discards"])
        pairs = [*zip(before["stacks"], state["stacks"], strict=True)]
        if self.rules.rebuild_when == "turn-end":
            assert not all(before["stacks"])
            assert all(new[: len(old)] == old for old, new in pairs)
            put = [len(new) - len(old) for old, new in pairs]
            assert sum(put) == sum(before["discards"])
            heights = [len(new) for _, new in pairs]
            if self.rules.rebuild == "spread":
                assert put == sorted(put, reverse=True)
                assert put[0] - put[2] <= 1
            else:
                assert all(not n or height <= min(heights) + 1 for n, height in zip(put, heights, strict=True))

    def _orders(self, deal: int, seat: int | None, before: State, state: State, told: Mapping[str, Any]) -> None:
        """Empty places are filled, from the top of the pile."""
        piles = [list(pile) for pile in before["piles"]]
        for place, (old, new) in enumerate(zip(before["open_orders"], state["open_orders"], strict=True)):
            assert new == (old if old is not None or not piles[place // 2] else piles[place // 2].pop(0))
        assert piles == state["piles"]

    # ------------------------------------------------------------------------------------------------------- the rows

    def close(self, results: Results) -> None:
        """What the rows and the counts say is what has been seen; deals are numbered from 0."""
        games, seats, rules = results.games, results.seats, self.rules
        for deal in range(len(games["n_turns"])):
            last, cause = self.before[deal], self.causes[deal]
            assert GAME.all_end_causes[games["end_cause"][deal]] == cause
            n_turns, n_done = int(games["n_turns"][deal]), [sum(done) for done in self.done[deal]]
            assert (max(n_done) >= rules.orders_to_end) == (cause == "orders")
            if rules.finish_round or cause == "unfinished":
                assert n_turns % self.seats == 0
            assert n_turns <= rules.max_rounds * self.seats
            buns = [sum(item > rules.n_ingredients for item in bakery) for bakery in last["bakeries"]]
            coins = [c + rules.coins_per_bun * b for c, b in zip(last["coins"], buns, strict=True)]
            own = {"coins": coins, "buns_left": buns, "icons_left": [*map(sum, last["icons"])]}
            own |= {"n_small": [n for n, _ in self.done[deal]], "n_large": [n for _, n in self.done[deal]]}
            own["cards_left"] = [sum(map(bool, b)) - n for b, n in zip(last["bakeries"], buns, strict=True)]
            own["reserved_left"] = [sum(order is not None for order in places) for places in last["reserved"]]
            own["n_starting_used"] = [rules.starting_cards - n for n in last["starting"]]
            for name, values in own.items():
                assert seats[name][:, deal].tolist() == values, name
            if cause == "orders":
                best = max(zip(coins, buns, strict=True))
                winners = [seat for seat in range(self.seats) if (coins[seat], buns[seat]) == best]
                assert [seat for seat in range(self.seats) if games["winners"][deal] >> seat & 1] == winners
        self._close_counts(results)

    def _close_counts(self, results: Results) -> None:
        """Tallies add up to the rows."""
        seats, counts = results.seats, results.tallies()
        total = {name: int(column.sum()) for name, column in seats.items()}
        n_done = total["n_small"] + total["n_large"]
        assert n_done == counts["orders"].sum() == self.n_events["complete"]
        assert total["from_small"] + total["from_large"] == sum(sum(last["coins"]) for last in self.before.values())
        takes = total["n_taken"] + total["n_extra_tentacles"] + total["n_supply_takes"] + total["n_exchanges"]
        assert counts["flow"].sum() == takes == self.n_events["take"]
        assert total["n_dropped"] == self.n_events["drop"]
        assert total["n_exchanges"] == self.n_events["return"]
        assert total["n_rope_ins"] + total["n_extra_rope_ins"] == self.n_events["rope in"]
        assert int(results.games["n_rebuilds"].sum()) == self.n_events["rebuild"]
        left = counts["leaving"][: self.rules.n_ingredients].sum() + total["cards_left"]
        assert left + self.n_events["lose"] == takes
        assert total["n_buns_made"] - counts["leaving"][self.rules.n_ingredients :].sum() == total["buns_left"]


def _plain(value: Any, place: int) -> Any:
    """An event's field of one game."""
    return value[place].item() if isinstance(value, np.ndarray) else value
