"""A harbour laid out by hand: bakeries, cards and orders as a test wants them, one game, told choices and luck.

harbour = Harbour("ac. ... ...", open="bce", small=["Xc 3"])
harbour.turn("take left, cell 1, complete")
assert (harbour.bakery(), harbour.coins()) == ("... ... ...", 3)

Ingredients are letters a to f, buns X (of a and b), Y (c, d), Z (e, f). A bakery is drawn as its three rows, cells are
counted 1 to 9. An order is told as its items, coins and icon: "aX 3 tentacle", and called by its items.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from simkit.games.octobuns import GAME
from simkit.games.octobuns.lacks import Lacks
from simkit.results import Results
from simkit.strategy import Strategy
from simkit.table import Table
from simkit.tape import Tape
from simkit.view import View

OTHER, MINE = 0, 1
"""Columns of the batch: a game that somehow goes on beside it, so that nothing may be mixed up, and the position."""

INGREDIENTS, BUNS = "abcdef", {"X": "ab", "Y": "cd", "Z": "ef"}
NO_ORDER = NO_ACTION = 255
ACTIONS = ("take left", "take middle", "take right", "rope in", "exchange", "clean up")
BONUSES = ("extra rope in", "extra tentacle", "take from supply", "starting card")


@lru_cache(maxsize=512)
def _made(changes: str) -> Any:
    """Rules are frozen: positions may share them."""
    return GAME.rules(**GAME.components.values_with(json.loads(changes)))


def box(small: Sequence[str] = (), large: Sequence[str] = (), **changes: Any) -> Any:
    """Rules with ingredients and buns as letters, and these orders."""
    kinds: dict[str, Any] = {"ingredients": list(INGREDIENTS)}
    kinds["buns"] = [{"name": bun, "of": list(of)} for bun, of in BUNS.items()]
    kinds["small_orders"] = [card(words) for words in small or ["small"]]
    kinds["large_orders"] = [card(words) for words in large or ["large"]]
    return _made(json.dumps(kinds | changes))


def card(words: str) -> dict[str, Any]:
    """An order card of "aX 3 tentacle"; coins are 2 if left out. "small" and "large" are cards that do not matter."""
    items, *rest = words.split(" ")
    coins = int(rest.pop(0)) if rest and rest[0].isdigit() else 2
    held = ["f", "f"] if items in ("small", "large") else list(items)
    return {"name": items, "items": held, "coins": coins, "icon": " ".join(rest)}


def set_up(rules: Any, seats: int = 2, n: int = 1) -> list[dict[str, Any]]:
    """The states after the set-up of n games."""
    deals = np.arange(n, dtype=np.uint64)
    table = Table(GAME, rules, [Script([], {})] * seats, Tape(1), deals, Results(GAME, rules, seats, n))
    GAME.setup(table)
    return GAME.describe(table, np.arange(n))


def paths(bakery: str, order: str, **rules: Any) -> list[str]:
    """The sets of cells on which an order may be completed; the action before it touches no card."""
    harbour = Harbour(bakery, small=[order], large=["", "", "fff"], **rules)
    harbour.tried("rope in, reserve large pile, complete")
    if "complete" not in harbour.legal("act", 1):
        return []
    names = harbour.table.options["path"]
    return harbour.legal("path") or [names[harbour.told("complete")[0]["path"]]]


class Script(Strategy):
    """Answers as told, in the order told: "take left, cell 5". What leaves no choice need not be told."""

    def __init__(self, answers: Sequence[str], options: Mapping[str, Sequence[str]]) -> None:
        self.left, self.options = [*answers], options
        self.asked: list[tuple[str, int, list[str]]] = []
        self.offers: list[dict[str, Any]] = []
        self.seen: list[Any] = []
        self.n_others = 0
        self.look: Callable[[View], Any] = lambda view: None
        self.faults: list[str] = []

    def choose(self, view: View) -> np.ndarray:
        choice = np.zeros(view.n, np.uint8)
        for column, game in enumerate(view.columns.tolist()):
            if view.asked[column]:
                choice[column] = self.told(view.only(np.array([column]))) if game == MINE else self.other(view, column)
        return choice

    def other(self, view: View, column: int) -> int:
        """What the other game of the batch does: now this, now that."""
        options = view.legal[:, column].nonzero()[0]
        self.n_others += 1
        return int(options[self.n_others * 7 % len(options)])

    def told(self, view: View) -> int:
        """The answer told."""
        options = view.legal[:, 0].nonzero()[0].tolist()
        names = [self.options[view.decision][option] for option in options]
        self.asked.append((view.decision, view.seat, names))
        self.offers.append({name: value[..., 0].tolist() for name, value in view.offer.items()})
        self.seen.append(self.look(view))
        return options[names.index(self.answer(view.decision, names))]

    def answer(self, decision: str, names: list[str]) -> str:
        """The next answer, if it is one to this decision."""
        answer = self.left[0] if self.left else "end turn"
        option = answer if decision == "act" else answer.removeprefix(f"{decision} ")
        if option in names and (decision == "act" or option != answer):
            self.left[:1] = []
            return option
        if len(names) > 1:
            self.faults.append(f"{decision}: {answer} is not legal, only {names}")
        return "end turn" if "end turn" in names else names[0]


class Watch:
    """The events of the position alone, with the state after each if wanted."""

    def __init__(self, keeps_states: bool) -> None:
        self.keeps_states = keeps_states
        self.events: list[dict[str, Any]] = []

    def noted(self, table: Table, event: str, seat: int | None, games: Any, fields: Mapping[str, Any]) -> None:
        places = [MINE] if games is None else np.flatnonzero(games == MINE).tolist()
        if places and (games is not None or table.live[MINE]):
            told = {name: v[..., places[0]].tolist() if isinstance(v, np.ndarray) else v for name, v in fields.items()}
            state = {"state": GAME.describe(table, np.array([MINE]))[0]} if self.keeps_states else {}
            self.events.append({"event": event, "seat": seat} | told | state)

    def decided(self, table: Table, view: View, choice: np.ndarray) -> None:
        """The script has kept it."""


class Harbour:
    """One game at the start of a turn; what is left out is empty.

    Parameters
    ----------
    bakery
        Rows of the bakery of the seat whose turn it is, or bakeries by seat.
    open, stacks, discards
        Ingredient cards; stacks from the top.
    stock
        Buns of each kind in the supply; those not in bakeries if left out.
    small, large
        Orders: the two open ones ("" for none), then the pile from the top.
    reserved
        Orders of the seat whose turn it is, or lists of them by seat; large ones as "large aXc 5".
    icons, starting, done, coins
        Of the seat whose turn it is, or by seat: "rts" is an unused icon of each kind; small orders completed, coins.
    players, whose, round
        Seats, whose turn it is in which round (the first is 0).
    states
        Whether events keep the state after them.
    rules, components
        Changed components, told either way.
    """

    def __init__(
        self,
        bakery: str | Sequence[str] = "",
        *,
        open: str = "ace",
        stacks: Sequence[str] = ("bdbd", "dfdf", "fbfb"),
        discards: str = "",
        stock: Sequence[int] | None = None,
        small: Sequence[str] = (),
        large: Sequence[str] = (),
        reserved: Sequence[Any] = (),
        icons: str | Sequence[str] = "",
        starting: int | Sequence[int] = 0,
        done: int | Sequence[int] = 0,
        coins: int | Sequence[int] = 0,
        players: int = 2,
        whose: int = 0,
        round: int = 0,
        states: bool = False,
        rules: Mapping[str, Any] | None = None,
        **components: Any,
    ) -> None:
        self.players, self.first_seat = players, whose
        held = self._by_seat(reserved, [])
        own = [words for seat in held for words in seat]
        self.kinds = [
            [words for words in small if words] + [words for words in own if words and not words.startswith("large ")],
            [words for words in large if words] + [words[6:] for words in own if words.startswith("large ")],
        ]
        self.rules = box(self.kinds[0], self.kinds[1], **{**(rules or {}), **components})
        self.letters = "".join(self.rules.item_names[1:])
        self.results, self.watch = Results(GAME, self.rules, players, 2), Watch(states)
        self.script = Script([], {})
        deals = np.array([OTHER, MINE], np.uint64)
        self.table = Table(GAME, self.rules, [self.script] * players, Tape(1), deals, self.results, observer=self.watch)
        self.table.turn = whose + players * round - 1
        self._lay_out_cards(self._by_seat(bakery, ""), open, stacks, discards)
        self._lay_out_orders(small, large, held)
        self._lay_out_seats(icons, starting, done, coins)
        if stock is not None:
            self._set("bun_stock", list(stock))
        self.luck, self.table.shuffle = self.table.shuffle, self._luck  # type: ignore[method-assign]
        self.look: Callable[[View], Any] = lambda view: None
        self.n_before, self.is_shuffled = 0, False
        self.shuffled: list[str] = []
        self.told_state: dict[str, Any] | None = None

    # ------------------------------------------------------------------------------------------- how the table stands

    def _by_seat(self, value: Any, nothing: Any) -> list[Any]:
        """What each seat has: told for all seats, or for the one whose turn it is."""
        if isinstance(value, str | int) or (isinstance(nothing, list) and not any(isinstance(v, list) for v in value)):
            return [value if seat == self.first_seat else nothing for seat in range(self.players)]
        return [*value, *[nothing] * self.players][: self.players]

    def _set(self, name: str, value: Any) -> None:
        """A field of the position, and of the other game, which begins in the same way."""
        getattr(self.table.state, name)[:] = np.array(value)[..., None]

    def _codes(self, letters: str) -> list[int]:
        """Codes of items, a dot being nothing."""
        return [0 if letter == "." else self.letters.index(letter) + 1 for letter in letters]

    def _lay_out_cards(self, bakeries: Sequence[str], open: str, stacks: Sequence[str], discards: str) -> None:
        """Cards in bakeries and in the supply."""
        drawn = ["".join(bakery.split()).ljust(9, ".") for bakery in bakeries]
        assert {len(bakery) for bakery in drawn} == {9}, bakeries
        self._set("bakery", [self._codes(bakery) for bakery in drawn])
        self._set("open", self._codes(open.ljust(3, ".")))
        for stack, cards in enumerate(stacks):
            self.table.state.stack[stack, : len(cards)] = np.array(self._codes(cards))[:, None]
        self._set("size", [len(cards) for cards in stacks])
        self._set("newest", [len(cards) for cards in stacks])
        self._set("tops", self._codes("".join(cards[:1] or "." for cards in stacks)))
        self._set("discards", [discards.count(letter) for letter in self.rules.ingredients])
        baked = "".join(drawn)
        buns = [self.rules.bun_copies - baked.count(bun.name) for bun in self.rules.buns]
        self._set("bun_stock", buns or [0])

    def _lay_out_orders(self, small: Sequence[str], large: Sequence[str], held: Sequence[Sequence[str]]) -> None:
        """Orders open, in piles and reserved."""
        places = [[self._id(words) for words in orders] for orders in (small, large)]
        self._set("orders", [(ids + [NO_ORDER] * 2)[place] for ids in places for place in (0, 1)])
        for kind, ids in enumerate(places):
            self.table.state.pile[kind, : len(ids[2:])] = np.array(ids[2:])[:, None]
        self._set("pile_size", [len(ids[2:]) for ids in places])
        self._set("reserved", NO_ORDER)
        for seat, orders in enumerate(held):
            for place, words in enumerate(orders):
                self.table.state.reserved[seat, place] = self._id(words.removeprefix("large "))

    def _id(self, words: str) -> int:
        """The id of an order."""
        return self.rules.order_names.index(words.split(" ")[0]) if words else NO_ORDER

    def _lay_out_seats(self, icons: Any, starting: Any, done: Any, coins: Any) -> None:
        """What seats have beside their bakeries."""
        unused = [[own.count(letter) for letter in "rts"] for own in self._by_seat(icons, "")]
        self._set("icons", unused)
        self._set("starting", self._by_seat(starting, 0))
        self._set("action", NO_ACTION)
        self._set("lifted", [255, 255])
        self._set("first_done", self.players)
        state = self.table.state
        self.table.answers["lacks"] = Lacks(self.players, len(state.orders) + len(state.reserved[0]), self.table.n)
        self._set("n_done", [[n, 0] for n in self._by_seat(done, 0)])
        self._set("coins_from", [[n, 0] for n in self._by_seat(coins, 0)])

    # ------------------------------------------------------------------------------------------------------------ luck

    def _luck(self, stream: str, sizes: Any, games: Any) -> np.ndarray:
        """Shuffled discards come as told; the other game has its own luck."""
        order = self.luck(stream, sizes, games)
        for place in np.flatnonzero(games == MINE):
            cards = "".join(self.letters[n] * count for n, count in enumerate(self.table.state.discards[:, MINE]))
            assert (stream, len(cards)) == ("rebuild", int(sizes[place]))
            order[place, : len(cards)] = self._as_told(cards)
        return order

    def _as_told(self, cards: str) -> list[int]:
        """The numbers of the cards, which lie by kind, in the order told."""
        told, left = self.shuffled[: len(cards)], list(range(len(cards)))
        self.shuffled = self.shuffled[len(cards) :]
        if told or not (self.is_shuffled or len({*cards}) == 1):
            assert sorted(told) == list(cards), f"say how {cards} are shuffled, not {told}"
        return [left.pop(next(n for n, card in enumerate(left) if cards[card] == letter)) for letter in told or cards]

    # ------------------------------------------------------------------------------------------------------------ play

    def turn(self, answers: str = "", shuffled: str = "") -> Harbour:
        """The turn of the seat whose turn it is; the next one is that of the next seat."""
        self.tried(answers, shuffled)
        assert not self.script.faults, self.script.faults
        assert not self.script.left, f"never asked: {self.script.left}; asked: {self.script.asked}"
        assert not self.shuffled, f"not shuffled: {self.shuffled}"
        return self

    def turns(self, *answers: str) -> Harbour:
        """Turns one after another."""
        for told in answers:
            self.turn(told)
        return self

    def acts(self) -> list[str]:
        """What the seat may do at the start of its turn; it then does something."""
        return self.tried().legal("act")

    def tried(self, answers: str = "", shuffled: str | None = None) -> Harbour:
        """A turn in which answers that are not legal are passed over, and cards are shuffled anyhow."""
        self.table.turn += 1
        self.is_shuffled, self.shuffled, self.n_before = shuffled is None, list(shuffled or ""), len(self.events)
        self.script = Script(answers.split(", ") if answers else [], self.table.options)
        self.script.look, before = self.look, self._box()
        self.table.strategies = (self.script,) * self.players
        GAME.turn(self.table, self.seat)
        self.results.settle()
        self.told_state = None
        assert self._box() == before, "cards got lost"
        return self

    def _box(self) -> list[int]:
        """All cards by kind, and all orders: their numbers never change."""
        state = self.table.state
        lying = [state.bakery[..., MINE].ravel(), state.hand[:, MINE], state.open[:, MINE]]
        for stack, first, size in zip(state.stack[..., MINE], state.first[:, MINE], state.size[:, MINE], strict=True):
            lying.append(stack[(first + np.arange(size)) % len(stack)])
        counts = np.bincount(np.concatenate(lying), minlength=len(self.letters) + 1)[1:]
        counts[: self.rules.n_ingredients] += state.discards[:, MINE]
        counts[self.rules.n_ingredients :] += state.bun_stock[: len(self.rules.buns), MINE]
        n_open = np.count_nonzero(state.orders[:, MINE] != NO_ORDER)
        n_held = np.count_nonzero(state.reserved[..., MINE] != NO_ORDER)
        n_orders = n_open + n_held + state.pile_size[:, MINE].sum() + state.n_done[..., MINE].sum()
        dropped = state.n_dropped[:, MINE].sum() if self.rules.dropped_orders == "out" else 0
        return [*counts.tolist(), int(n_orders + dropped)]

    # ------------------------------------------------------------------------------------------------- what came of it

    @property
    def seat(self) -> int:
        """Whose turn it is, or was."""
        return self.table.turn % self.players

    @property
    def state(self) -> dict[str, Any]:
        """The state in plain values."""
        if self.told_state is None:
            self.told_state = GAME.describe(self.table, np.array([MINE]))[0]
        return self.told_state

    def hide(self, trial: int) -> Harbour:
        """Another order of what a seat does not know."""
        GAME.hidden(self.table, self.seat, np.random.default_rng(trial))
        self.told_state = None
        return self

    def items(self, codes: Sequence[int]) -> str:
        """Letters of items."""
        return "".join(self.letters[code - 1] if code else "." for code in codes)

    def bakery(self, seat: int | None = None) -> str:
        """Rows of a bakery."""
        items = self.items(self.state["bakeries"][self.seat if seat is None else seat])
        return f"{items[:3]} {items[3:6]} {items[6:]}"

    @property
    def open(self) -> str:
        """The open ingredient cards."""
        return self.items(self.state["open"])

    @property
    def stacks(self) -> tuple[str, ...]:
        """The stacks, each from the top."""
        return tuple(self.items(cards) for cards in self.state["stacks"])

    @property
    def discards(self) -> str:
        """The discard pile, sorted."""
        return "".join(letter * count for letter, count in zip(self.letters, self.state["discards"], strict=False))

    @property
    def stock(self) -> list[int]:
        """Buns in the supply."""
        return self.state["bun_stock"]

    def names(self, ids: Sequence[int | None]) -> list[str]:
        """Orders by name, "" for none."""
        return ["" if order is None else self.rules.order_names[order] for order in ids]

    @property
    def orders(self) -> list[str]:
        """The open orders."""
        return self.names(self.state["open_orders"])

    @property
    def piles(self) -> list[list[str]]:
        """The piles of orders, each from the top."""
        return [self.names(pile) for pile in self.state["piles"]]

    def reserved(self, seat: int | None = None) -> list[str]:
        """A seat's reserved orders."""
        return self.names(self.state["reserved"][self.seat if seat is None else seat])

    def icons(self, seat: int | None = None) -> str:
        """A seat's unused icons."""
        counts = self.state["icons"][self.seat if seat is None else seat]
        return "".join(letter * count for letter, count in zip("rts", counts, strict=True))

    def coins(self, seat: int | None = None) -> int:
        """Coins of a seat's completed orders."""
        return self.state["coins"][self.seat if seat is None else seat]

    def done(self, seat: int | None = None) -> list[int]:
        """Small and large orders that a seat has completed."""
        return self.state["n_done"][self.seat if seat is None else seat]

    @property
    def events(self) -> list[dict[str, Any]]:
        """All events so far."""
        return self.watch.events

    def told(self, event: str) -> list[dict[str, Any]]:
        """The events of that name in the last turn."""
        return [noted for noted in self.events[self.n_before :] if noted["event"] == event]

    @property
    def course(self) -> str:
        """What happened in the last turn, in order."""
        return ", ".join(event["event"] for event in self.events[self.n_before :])

    def legal(self, decision: str = "act", time: int = 0) -> list[str]:
        """What was legal when a decision was put in the last turn; nothing if it was not put."""
        asked = [names for name, _, names in self.script.asked if name == decision]
        return asked[time] if time < len(asked) else []

    def cells(self, decision: str = "cell", time: int = 0) -> str:
        """The cells that were legal."""
        return "".join(name for name in self.legal(decision, time) if name.isdigit())

    def offer(self, decision: str, time: int = 0) -> dict[str, Any]:
        """What a decision was about when it was put in the last turn."""
        offers = [
            offer for (name, _, _), offer in zip(self.script.asked, self.script.offers, strict=True) if name == decision
        ]
        return offers[time]

    def asked(self, decision: str) -> int:
        """How often a decision was put in the last turn."""
        return [name for name, _, _ in self.script.asked].count(decision)

    @property
    def over(self) -> str | None:
        """Why the game ended, or None."""
        return None if self.table.live[MINE] else GAME.all_end_causes[self.results.games["end_cause"][MINE]]

    def result(self, column: str) -> Any:
        """A column of `games`, or one of `seats` as a list."""
        if column in self.results.games:
            return self.results.games[column][MINE].item()
        return self.results.seats[column][:, MINE].tolist()
