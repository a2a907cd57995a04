"""Traces of Octobuns for the reference's own tests: told by the reference itself; positions set by hand."""

from __future__ import annotations

import random
from typing import Any

from .octobuns import Reference
from .octobuns_table import ICONS, RULES


def order(name: str, items: str, coins: int = 2, icon: str = "") -> dict[str, Any]:
    """An order card; items are told as "a+b"."""
    return {"name": name, "items": items.split("+"), "coins": coins, "icon": icon}


BOX: dict[str, Any] = {
    "ingredients": ["a", "b", "c"], "copies": 6,
    "buns": [{"name": "ab", "of": ["a", "b"]}, {"name": "cc", "of": ["c", "c"]}], "bun_copies": 3,
    "small_orders": [
        order("first", "a+b", 2, "rope-in"), order("second", "a+a"), order("third", "ab+c", 3, "tentacle"),
        order("fourth", "c+a", 1, "supply"), order("fifth", "b+cc", 4),
    ],
    "large_orders": [order("sixth", "a+b+c", 5), order("seventh", "c+b+c", 5), order("eighth", "a+ab+a+b", 8)],
    "icons": "printed", "coins": "printed", "flat_coins": [3, 6], "reserve_limit": 2, "starting_cards": 1,
    "orders_to_end": 2, "orders_per_turn": 1, "clean_up_cards": 2, "coins_per_bun": 1, "finish_round": True,
    "blind_rope_in": True, "used_cards": "leave", "bends": True, "reversal": True, "grid": "fixed",
    "isolated_neighbours": True, "stacking_next_to": False, "bun_out_of_stock": "no-stacking",
    "full_bakery": "no-taking", "freed_cell": True, "clean_up_mixed": True, "clean_up_stacks": True,
    "clean_up_orders_alone": True, "dropped_orders": "out", "clean_up_sequence": "one-by-one",
    "extra_rope_in": "capped", "refill": "turn-end", "bonus_after_order": True, "new_bonus": "at-once",
    "rebuild": "level", "rebuild_when": "turn-end", "given_order": "", "given_icon": "", "max_rounds": 12,
}  # fmt: skip


def bakery(told: str) -> list[int]:
    """Nine cells told in three words: "." empty, a, b, c, then A the bun of a and b, C that of two c.

    >>> bakery("ab. ... ..A")
    [1, 2, 0, 0, 0, 0, 0, 0, 4]
    """
    return [".abcAC".index(card) for row in told.split() for card in row]


def position(told: str, rules: dict[str, Any] | None = None, **seat: Any) -> Reference:
    """A game of two in which seat 0, whose turn it is, has this bakery; 3 cards lie open, all orders are there."""
    game = Reference(2, BOX | (rules or {}))
    game.me.bakery = bakery(told)
    game.open, game.stacks = [1, 2, 3], [[1], [2], [3]]
    game.piles, game.open_orders = [[2, 3, 4], [7]], [0, 1, 5, 6]
    for name, value in seat.items():
        setattr(game if hasattr(game, name) else game.me, name, value)
    return game


class Teller(Reference):
    """The same rules, but where the reference would wait for an event it makes one up; `events` is the trace."""

    def __init__(self, players: int, rules: dict[str, Any], rng: random.Random) -> None:
        self.rng = rng
        self.events: list[dict[str, Any]] = []
        super().__init__(players, rules)

    def _choose(self, decision: str, options: Any, **offer: int) -> Any:
        legal = sorted(options)
        choice = self.rng.choice(legal)
        if decision == "act" and 10 in legal:
            choice = 10  # whoever can complete an order does
        if len(legal) > 1:
            flags = [i in legal for i in range(100)]
            told = {"event": "decision", "decision": decision, "seat": self.active, "legal": flags, "choice": choice}
            self.events.append(told | offer)
        return choice
        yield

    def _next(self, kind: str, /, **fields: Any) -> Any:
        event = {"event": kind, "turn": self.turn, "seat": self.active, **fields}
        if kind == "setup":
            event["state"] = self._dealt()
        elif kind == "rebuild":
            event["state"] = {"stacks": self._rebuilt()}
        return event
        yield

    def _check_state(self, event: dict[str, Any]) -> None:
        self.events.append(event | {"state": self.describe()})

    def _dealt(self) -> dict[str, Any]:
        cards = [1 + kind for kind in range(self.n_ingredients) for _ in range(self.rules["copies"])]
        self.rng.shuffle(cards)
        stacks = [cards[place::3] for place in range(3)]
        names = [card["name"] for card in self.rules["small_orders"] + self.rules["large_orders"]]
        piles = [[i for i, card in enumerate(self.orders) if card.kind == kind] for kind in range(2)]
        for pile in piles:
            self.rng.shuffle(pile)
        piles = [[i for i in pile if names[i] != self.rules["given_order"]] for pile in piles]
        up = [pile[place] if place < len(pile) else None for pile in piles for place in range(2)]
        return {
            "open": [stack[0] if stack else 0 for stack in stacks],
            "stacks": [stack[1:] for stack in stacks],
            "open_orders": up,
            "piles": [pile[2:] for pile in piles],
        }

    def _rebuilt(self) -> list[list[int]]:
        cards = [1 + kind for kind, n in enumerate(self.discards) for _ in range(n)]
        self.rng.shuffle(cards)
        stacks = [list(stack) for stack in self.stacks]
        for number, card in enumerate(cards):
            lowest = min(stacks, key=len)  # the leftmost of them
            (stacks[number % 3] if self.rules["rebuild"] == "spread" else lowest).append(card)
        return stacks


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Any alternatives together, and some numbers."""
    rules = BOX | {key: rng.choice(values) for key, values in RULES.items() if values}
    numbers = {
        "copies": (2, 4, 6), "bun_copies": (1, 3), "reserve_limit": (0, 1, 2, 3), "starting_cards": (0, 1, 2),
        "orders_to_end": (1, 2, 3), "orders_per_turn": (1, 2), "clean_up_cards": (0, 1, 2), "coins_per_bun": (0, 1, 2),
    }  # fmt: skip
    given = {"given_order": rng.choice(("", "third")), "given_icon": rng.choice(("", *ICONS))}
    rules |= {key: rng.choice(values) for key, values in numbers.items()} | given
    return rules | ({"given_order": ""} if rules["reserve_limit"] == 0 else {})


def told(seed: int) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    """A game that the reference tells itself."""
    rng = random.Random(seed)
    players, rules = rng.choice([2, 3, 4]), random_rules(rng)
    return players, rules, Teller(players, rules, rng).events
