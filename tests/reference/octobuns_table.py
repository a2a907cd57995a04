"""Octobuns' table in plain Python: what lies on it, and how a trace is compared with it.

The rules of play are in `octobuns`, what a bakery allows in `octobuns_bakery`; here is what they act upon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn, TypeVar

from .octobuns_bakery import Cells, Recipes

Event = dict[str, Any]
T = TypeVar("T")
Script = Generator[None, Event, T]

SMALL, LARGE = KINDS = range(2)
ICONS = ("rope-in", "tentacle", "supply")
ACTS = (
    "take left", "take middle", "take right", "rope in", "exchange", "clean up", "extra rope in", "extra tentacle",
    "take from supply", "starting card", "complete", "end turn",
)  # fmt: skip
OPEN_PLACES = range(4)  # of orders: two small, two large
MOST_STEPS = 24  # of what is told by rounds or turns; the last for all later ones

OF_DECISIONS = ("event", "decision", "seat", "legal", "choice")
"""What every decision tells; the rest is what it is about."""

IS_EITHER = (False, True)
RULES: dict[str, tuple[Any, ...]] = {  # every key that must be given, with its values where they are few
    "ingredients": (), "copies": (), "buns": (), "bun_copies": (), "small_orders": (), "large_orders": (),
    "icons": ("printed", "all", "none"), "coins": ("printed", "flat"), "flat_coins": (), "reserve_limit": (),
    "starting_cards": (), "orders_to_end": (), "orders_per_turn": (), "clean_up_cards": (), "coins_per_bun": (),
    "finish_round": IS_EITHER, "blind_rope_in": IS_EITHER, "used_cards": ("leave", "stay"), "bends": IS_EITHER,
    "reversal": IS_EITHER, "grid": ("fixed", "floating"), "isolated_neighbours": IS_EITHER,
    "stacking_next_to": IS_EITHER, "bun_out_of_stock": ("no-stacking", "lost"),
    "full_bakery": ("no-taking", "discard"), "freed_cell": IS_EITHER, "clean_up_mixed": IS_EITHER,
    "clean_up_stacks": IS_EITHER, "clean_up_orders_alone": IS_EITHER, "dropped_orders": ("out", "bottom"),
    "clean_up_sequence": ("one-by-one", "together"), "extra_rope_in": ("capped", "beyond"),
    "refill": ("turn-end", "at-once"), "bonus_after_order": IS_EITHER, "new_bonus": ("at-once", "next-turn"),
    "rebuild": ("level", "spread"), "rebuild_when": ("turn-end", "at-once"), "given_order": (),
    "given_icon": ("", *ICONS), "max_rounds": (),
}  # fmt: skip
SWITCHES = tuple(key for key, values in RULES.items() if values and key != "given_icon")


class Mismatch(Exception):  # noqa: N818  (the name the traces' users know)
    """The trace and the rules disagree: the event, what the rules ask for, what was found."""


class Order(NamedTuple):
    """An order card: small or large, the items by their codes, coins, icon (its number, None without one)."""

    kind: int
    items: Cells
    coins: int
    icon: int | None


@dataclass
class Seat:
    """What lies before a player: bakery, reserved orders in their places, unused icons, orders done of each kind."""

    reserved: list[int | None]
    starting: int
    bakery: list[int] = field(default_factory=lambda: [0] * 9)
    icons: list[int] = field(default_factory=lambda: [0, 0, 0])
    n_done: list[int] = field(default_factory=lambda: [0, 0])
    coins: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def n_reserved(self) -> int:
        """Orders reserved and not completed."""
        return sum(order is not None for order in self.reserved)


def read_orders(rules: dict[str, Any], codes: dict[str, int]) -> list[Order]:
    """The order cards, small ones first, with coins and icons as the rules say."""
    cards, n_bare = [], 0
    for kind, name in ((SMALL, "small_orders"), (LARGE, "large_orders")):
        for card in rules[name]:
            icon = card["icon"] or ""
            if rules["icons"] == "none":
                icon = ""
            elif rules["icons"] == "all" and not icon:
                icon, n_bare = ICONS[n_bare % 3], n_bare + 1
            coins = card["coins"] if rules["coins"] == "printed" else rules["flat_coins"][kind]
            items = tuple(codes[item] for item in card["items"])
            cards.append(Order(kind, items, coins, ICONS.index(icon) if icon else None))
    return cards


class Table:
    """What lies on the table, and the trace so far; `_play` is the game."""

    def __init__(self, players: int, rules: dict[str, Any]) -> None:
        check_rules(players, rules)
        self.players, self.rules, self.recipes = players, rules, Recipes(rules)
        self.n_ingredients, self.n_buns = len(rules["ingredients"]), len(rules["buns"])
        self.orders = read_orders(rules, self.recipes.codes)
        self.longest = max(len(order.items) for order in self.orders)
        n_places = rules["reserve_limit"] + 2 * (rules["extra_rope_in"] == "beyond")
        self.seats = [Seat([None] * n_places, rules["starting_cards"]) for _ in range(players)]
        self.hand, self.open = [0, 0], [0, 0, 0]
        self.stacks: list[list[int]] = [[], [], []]
        self.discards, self.bun_stock = [0] * self.n_ingredients, [rules["bun_copies"]] * self.n_buns
        self.piles: list[list[int]] = [[], []]
        self.open_orders: list[int | None] = [None] * 4
        self.up_since = [0] * 4  # turns ended before the open order was turned up
        self.turn = self.n_events = 0
        self.first_done = players  # the seat that first had completed enough orders
        self.totals: Counter[str] = Counter()
        self.tallies: Counter[tuple[Any, ...]] = Counter()
        self.finished = self._is_refused = self.was_out_of_stock = False
        self.coverage: Counter[tuple[Any, ...]] = Counter({("players", players): 1})
        self.coverage.update(("rule", name, rule_text(name, rules[name])) for name in RULES)
        self._begin_turn()
        self._script = self._play()
        next(self._script, None)

    def _play(self) -> Script[None]:
        """The game, a generator that waits for the events one after the other."""
        raise NotImplementedError

    def _begin_turn(self) -> None:
        """Nothing has been done in this turn."""
        self.action: int | None = None
        self.n_cleaned, self.n_orders = 0, 0
        self.cleaned_how: str | None = None
        self.fresh = [0, 0, 0]

    @property
    def active(self) -> int:
        """The active seat: turns proceed clockwise."""
        return self.turn % self.players

    @property
    def me(self) -> Seat:
        """What the active seat has."""
        return self.seats[self.active]

    def apply(self, event: Event) -> None:
        """Follow one event; `Mismatch` if the rules do not allow it or its state is not the one they lead to."""
        self._event = event
        self.n_events += 1
        if self.finished or self._is_refused:
            self._refuse(f"nothing after {'the end' if self.finished else 'a mismatch'}", "one more event")
        self._is_refused = True
        try:
            self._script.send(event)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Mismatch(f"{self._whereabouts()}: expected an event of the agreed form; found {error!r}") from error
        self._is_refused = False

    # Cards on their ways

    def _leave(self, item: int, how: str) -> None:
        """A card leaves a bakery or the game's hand: an ingredient to the discard pile, a bun to the supply."""
        if self.recipes.is_bun(item):
            self.bun_stock[item - self.n_ingredients - 1] += 1
        else:
            self.discards[item - 1] += 1
        self.tallies["leaving", item - 1, how] += 1

    # Comparing

    def _choose(self, decision: str, options: Iterable[int], **offer: int) -> Script[int]:
        """A decision: name, seat, legal options, what is offered, the choice; a single option needs no event."""
        legal = sorted(options)
        if len(legal) == 1:
            return legal[0]
        event = yield
        self._agree("event", f"decision {decision}", kind_of(event))
        self._agree(f"{decision} of seat", self.active, event["seat"])
        self._agree(f"{decision} between", legal, [i for i, is_legal in enumerate(event["legal"]) if is_legal])
        offered = {name: value for name, value in event.items() if name not in OF_DECISIONS}
        self._agree(f"{decision} about", offer, offered)
        self.coverage.update(("offer", decision, name) for name in offer)
        choice: int = event["choice"]
        if choice not in legal:
            self._refuse(f"a choice of {decision} among {legal}", choice)
        self.coverage["decision", decision] += 1
        self.coverage["option", decision, choice] += 1
        return choice

    def _next(self, kind: str, /, **fields: Any) -> Script[Event]:
        """Wait for the next event: of this kind, this turn (the end: or the turn before) and with these fields."""
        event = yield
        self._agree("event", kind, kind_of(event))
        turns = {max(self.turn - (kind == "end"), 0), self.turn}
        if event["turn"] not in turns or event["seat"] != event["turn"] % self.players:
            self._refuse(f"turn {self.turn} of seat {self.active}", (event["turn"], event["seat"]))
        for name, expected in fields.items():
            if isinstance(expected, dict):
                for column, value in expected.items():
                    self._agree(f"{name} {column}", value, event[name][column])
            else:
                self._agree(name, expected, event[name])
        self.coverage["event", kind] += 1
        return event

    def _next_and_check(self, kind: str, /, **fields: Any) -> Script[None]:
        """Wait for the event that tells what has just been done to the table."""
        event = yield from self._next(kind, **fields)
        self._check_state(event)

    def describe(self) -> dict[str, Any]:
        """The whole table, as the traces tell it."""
        return {
            "bakeries": [list(seat.bakery) for seat in self.seats], "hand": list(self.hand), "open": list(self.open),
            "stacks": [list(stack) for stack in self.stacks], "discards": list(self.discards),
            "bun_stock": list(self.bun_stock), "piles": [list(pile) for pile in self.piles],
            "open_orders": list(self.open_orders), "reserved": [list(seat.reserved) for seat in self.seats],
            "icons": [list(seat.icons) for seat in self.seats], "starting": [seat.starting for seat in self.seats],
            "n_done": [list(seat.n_done) for seat in self.seats], "coins": [seat.coins for seat in self.seats],
            "action": self.action, "n_cleaned": self.n_cleaned, "cleaned_how": self.cleaned_how,
            "n_orders": self.n_orders, "fresh": list(self.fresh),
        }  # fmt: skip

    def _check_state(self, event: Event) -> None:
        """Compare the whole state with the table."""
        wanted, found = self.describe(), event["state"]
        if wanted != found:
            for name, expected in wanted.items():
                self._agree(f"state {name}", expected, found[name])
            self._agree("state of", sorted(wanted), sorted(found))

    def _agree(self, what: str, expected: Any, found: Any) -> None:
        if expected != found:
            self._refuse(f"{what} {expected!r}", found)

    def _refuse(self, expected: str, found: Any) -> NoReturn:
        raise Mismatch(f"{self._whereabouts()}: expected {expected}; found {found!r}")

    def _whereabouts(self) -> str:
        """Where the trace is: the event's number and kind, the game's turn and seat."""
        return f"event {self.n_events - 1} ({self._event.get('event')}, turn {self.turn}, seat {self.active})"

    def _note(self, case: str, is_reached: bool = True) -> None:
        if is_reached:
            self.coverage["case", case] += 1


def kind_of(event: Event) -> str:
    """The event's name, and of a decision which one."""
    return f"decision {event['decision']}" if event["event"] == "decision" else event["event"]


def rule_text(name: str, value: Any) -> str:
    """How the coverage tells a rule's value: cards without their empty parts."""
    if name in ("buns", "small_orders", "large_orders"):
        return repr([sorted((part, told) for part, told in card.items() if told) for card in value])
    return repr(value)


def check_rules(players: int, rules: dict[str, Any]) -> None:
    """Refuse rules under which no game can be set up."""
    for key, values in RULES.items():
        if key not in rules or (values and rules[key] not in values):
            raise ValueError(f"rules[{key!r}] must be given {values or ''}; found {rules.get(key)!r}")
    if not 2 <= players <= 4:
        raise ValueError(f"2 to 4 players must be given; found {players}")
    codes = {*rules["ingredients"], *(bun["name"] for bun in rules["buns"])}
    for card in (*rules["small_orders"], *rules["large_orders"]):
        if (
            not set(card["items"]) <= codes
            or not 2 <= len(card["items"]) <= 5
            or card["icon"] not in (None, "", *ICONS)
        ):
            raise ValueError(f"an order must ask for 2 to 5 items that there are; found {card}")
