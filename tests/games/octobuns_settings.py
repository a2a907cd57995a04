"""Settings and line-ups of Octobuns under which every rule alternative and every rare case comes about."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns import GAME
from simkit.games.octobuns.view import OctobunsView
from simkit.strategy import Epsilon, Random, Strategy
from simkit.view import View
from tests.games.tiny_epic_cthulhu_likings import Likes, Liking
from tests.games.traced import scripted
from tests.reference.octobuns_table import ACTS, ICONS, RULES

Setting = dict[str, Any]

BONUSES = ("extra rope in", "extra tentacle", "take from supply", "starting card")
PLACES = ("1", "2", "3", "4", "5", "6", "7", "8", "9")
TAKES = ("take middle", "take left", "take right")
HASTY: Liking = {"act": ("complete", "take right", "take left", "take middle"), "clean_to": ("5", "4", "2", "6", "8")}
"""Completes what it can, takes otherwise."""
LAVISH: Liking = {"act": (*BONUSES, "complete"), "cell": ("5", "4", "6", "2", "8"), "reserve": ("small pile",)}
"""Uses every bonus at once, before and after an order."""
ROPER: Liking = {"act": ("extra rope in", "rope in", "complete"), "reserve": ("large pile", "large 2", "small 2")}
"""Ropes in what it may."""
TIDY: Liking = {"act": ("complete", "clean up"), "clean_up": ("reserved 1", "reserved 2"), "clean_to": ("1", "9", "5")}
"""Always cleans up, drops orders."""
TRADER: Liking = {"act": ("complete", "exchange", "take left"), "clean_second": ("none",)}
"""Gives buns back."""
LATE: Liking = {"act": ("complete", *BONUSES, "end turn", *TAKES), "order": ("reserved 2", "reserved 1", "large 1")}
"""Keeps its bonuses for after an order, if it can."""
LONELY: Liking = {"cell": ("1", "3", "7", "9"), "clean_up": ("2", "4", "6", "8"), "clean_to": ("discard",)}
"""Leaves its buns alone in the corners."""
LOWEST, HIGHEST = ("reserved 1", "reserved 2"), ("reserved 5", "reserved 4", "reserved 3")
DROPPER: Liking = {
    "act": ("extra rope in", "complete", "rope in", "clean up"),
    "order": LOWEST,
    "clean_up": LOWEST,
    "reserve": ("small pile",),
}
"""Frees the lower of its places."""
KEEPER: Liking = {"act": ("extra rope in", "rope in", "complete"), "order": HIGHEST, "clean_up": HIGHEST}
"""Fills its places and frees the higher of them."""
STARTING_CARD, COMPLETE = ACTS.index("starting card"), ACTS.index("complete")
LIKINGS = (HASTY, LAVISH, ROPER, TIDY, TRADER, LATE)


@dataclass(frozen=True)
class Hoarder(Likes):
    """Takes the first ingredient wherever it lies open or on top of a stack, else does what it likes."""

    def choose(self, view: View) -> npt.NDArray[np.uint8]:
        """The last of such options."""
        assert isinstance(view, OctobunsView)
        chosen = super().choose(view)
        is_first: dict[int, npt.NDArray[np.bool_]] = {}
        if view.decision == "act":
            is_first = dict(enumerate(view.open_ingredients == 1)) | {STARTING_CARD: (view.tops == 1).any(axis=0)}
        elif view.decision == "stack":
            is_first = dict(enumerate(view.tops == 1))
        for option, takes in is_first.items():
            chosen[takes & view.legal[option] & (chosen != COMPLETE)] = option
        return chosen


def likes(liking: Liking, options_of: Mapping[str, Any]) -> Strategy:
    """A seat that likes this, as far as such options exist under these rules."""
    return Likes({name: tuple(one for one in liked if one in options_of[name]) for name, liked in liking.items()})


def line_up(name: str, kind: int, seats: int, options_of: Mapping[str, Any]) -> list[Strategy]:
    """Tables at random, by likings, scripted, some of them with some chance; or what suits a setting."""
    if name in SUITED:
        suited = SUITED[name]
        strategy = suited if isinstance(suited, Strategy) else likes(suited, options_of)
        return [Epsilon(strategy, 0.2)] * (seats - 1) + [strategy]
    nearest = scripted(GAME, "nearest-order")
    liking = [likes(LIKINGS[(kind // 4 + seat) % len(LIKINGS)], options_of) for seat in range(seats)]
    kinds: list[list[Strategy]] = [
        [Random()] * seats,
        [Epsilon(strategy, 0.4) for strategy in liking],
        [likes(HASTY, options_of), *liking[1:]],
        [Epsilon(likes((HASTY, LAVISH)[seat % 2], options_of), 0.15) for seat in range(seats)],
        [Epsilon(nearest, 0.25), nearest, *liking[2:]],
    ]
    return kinds[kind % 5]


def orders(kind: str, *items: str, icons: tuple[str, ...] = ("rope-in", "", "tentacle", "supply")) -> list[Setting]:
    """Order cards, each told by its items; coins and icons in turn."""
    return [
        {"name": f"{kind} {i}", "items": told.split("+"), "coins": 1 + i % 4, "icon": icons[i % len(icons)]}
        for i, told in enumerate(items)
    ]


def deck(ingredients: str, buns: str, small: str, large: str, **more: Any) -> Setting:
    """A small box: ingredients are letters, buns are told by their two."""
    icons = {"icons": more.pop("order_icons")} if "order_icons" in more else {}
    return {
        "ingredients": ingredients.split(),
        "buns": [{"name": bun, "of": list(bun)} for bun in buns.split()],
        "small_orders": orders("small", *small.split(), **icons),
        "large_orders": orders("large", *large.split(), **icons),
    } | more


TWO = deck("a b", "ab", "a+b a+a b+b ab+a a+ab b+ab ab+ab a+b+a", "a+b+a b+ab+a a+a+b+b ab+a+ab b+a+b+a")
PLAIN = deck("a b", "", "a+b a+a b+b b+a+b a+b+b a+a+b", "a+b+a+b a+a+b+b a+b+b+a a+a+a")
TRIO = deck("a b c", "ab cc", "a+b a+c ab+c cc+a b+cc c+c+a b+c", "a+b+c cc+ab c+ab+c a+cc+b+a ab+ab+c")
SHARED = deck("a b c", "ab ac bb", "a+b ab+c ac+b bb+a c+ac c+c a+a", "a+ab+ac bb+c+a c+ab+c a+b+c+a c+c+bb")
FOUR = deck("a b c d", "ab cd aa dd", "a+b c+d ab+c cd+a aa+b dd+c d+a b+c", "ab+cd aa+dd+b a+b+c+d c+ab+c d+cd+b+a")
FIVES = deck(
    "a b",
    "",
    "a+a+a+a+a b+b+b+b+b a+b+a+b+a a+a+b+a+a b+b+a+a a+a+b+b+b a+b a+a+a b+b+b",
    "b+a+b+a+b a+a+b+b+a b+b+a+b+b b+a+a+b+b a+a+a+b+b a+b+a b+a+b a+a",
    copies=20,
    used_cards="stay",
    orders_to_end=9,
    orders_per_turn=2,
    max_rounds=12,
)
HOARDS = deck(
    "a b",
    "",
    " ".join(["a+a+a a+a+a+a a+a+a+a"] * 10),
    " ".join(["a+a a+a+a+a a+a+a+a+a"] * 10),
    copies=20,
    used_cards="stay",
    orders_to_end=20,
    orders_per_turn=3,
    max_rounds=14,
    starting_cards=3,
    full_bakery="discard",
)
ROPES = deck(
    "a b", "ab", " ".join(["a+b a+a b+b ab+a"] * 4), " ".join(["a+b+a a+a+b b+b+b"] * 4), order_icons=("rope-in",)
)
SOME = {"orders_to_end": 2, "max_rounds": 7, "copies": 8}
DECKS = (TWO, PLAIN, TRIO, SHARED, FOUR)
FULL = PLAIN | {"copies": 20, "max_rounds": 16, "orders_to_end": 3}
DRY = TWO | {"copies": 4, "orders_to_end": 3, "max_rounds": 10}
SCARCE_BUNS = TWO | {"bun_copies": 2, "max_rounds": 8, "orders_to_end": 3}
FLOATING = {"grid": "floating"}
TOGETHER = {"clean_up_sequence": "together"}
BEYOND = {"extra_rope_in": "beyond", "blind_rope_in": True}

SETTINGS: dict[str, Setting] = {
    "default": {"max_rounds": 8, "orders_to_end": 1},
    "default, floating": {"max_rounds": 7, "orders_to_end": 1} | FLOATING,
    "two": TWO | SOME,
    "plain": PLAIN | SOME,
    "trio": TRIO | SOME,
    "shared": SHARED | SOME,
    "four": FOUR | SOME,
    "fives": FIVES,
    "fives leave": FIVES | {"used_cards": "leave", "orders_to_end": 3},
    "fives, straight or forwards": FIVES | {"reversal": False, "max_rounds": 9},
    "full": FULL,
    "full, discarded": FULL | {"full_bakery": "discard", "icons": "all"},
    "full, floating": FULL | FLOATING | {"full_bakery": "discard", "max_rounds": 12},
    "full of pairs": TRIO | {"orders_to_end": 5, "copies": 20, "bun_copies": 2, "max_rounds": 14},
    "dry": DRY,
    "dry at once": DRY | {"refill": "at-once", "rebuild_when": "at-once", "icons": "all"},
    "dry, spread": DRY | {"rebuild": "spread", "refill": "at-once"},
    "nearly nothing": deck("a b", "ab", "a+b a+a", "a+b b+b", copies=2, reserve_limit=0, max_rounds=6),
    "one stack": deck("a b", "ab", "a+b a+b b+a", "a+b b+a", copies=1, max_rounds=6, orders_to_end=2),
    "scarce buns": SCARCE_BUNS,
    "scarce buns, lost": SCARCE_BUNS
    | {"bun_out_of_stock": "lost", "bun_copies": 1, "small_orders": PLAIN["small_orders"]}
    | {"large_orders": PLAIN["large_orders"]},
    "last bun": SCARCE_BUNS
    | {"bun_copies": 1, "small_orders": TWO["small_orders"][:6], "large_orders": PLAIN["large_orders"]},
    "few orders": TWO | SOME | {"small_orders": TWO["small_orders"][:3], "large_orders": TWO["large_orders"][:1]},
    "few orders come back": ROPES
    | {"small_orders": ROPES["small_orders"][:4], "large_orders": ROPES["large_orders"][:3]}
    | {"dropped_orders": "bottom", "orders_to_end": 3, "max_rounds": 10},
    "no reserving": TWO | SOME | {"reserve_limit": 0, "icons": "all"},
    "bonus only reserving": ROPES | SOME | BEYOND | {"reserve_limit": 0},
    "ropes": ROPES | SOME | BEYOND | {"orders_to_end": 6, "max_rounds": 9},
    "many ropes": ROPES | BEYOND | {"orders_to_end": 8, "max_rounds": 10, "reserve_limit": 3, "used_cards": "stay"},
    "ropes, capped": ROPES | {"reserve_limit": 1, "orders_to_end": 4, "blind_rope_in": False, "max_rounds": 12},
    "together": TRIO | SOME | TOGETHER,
    "together, alike": TRIO | SOME | TOGETHER | {"clean_up_mixed": False, "clean_up_stacks": False},
    "together, floating": TWO | SOME | TOGETHER | FLOATING,
    "alike": TWO | SOME | {"clean_up_mixed": False},
    "alike, floating": SHARED | SOME | FLOATING | {"clean_up_mixed": False, "clean_up_orders_alone": False},
    "no clean-up of cards": FOUR | SOME | {"clean_up_cards": 0, "isolated_neighbours": False},
    "one card": FOUR | SOME | {"clean_up_cards": 1, "orders_per_turn": 2, "icons": "all"},
    "lonely": TRIO | SOME | {"isolated_neighbours": False, "clean_up_stacks": False, "freed_cell": False},
    "next to": TWO | SOME | {"stacking_next_to": True, "isolated_neighbours": False},
    "next to, floating": SHARED | SOME | FLOATING | {"stacking_next_to": True, "freed_cell": False},
    "floating": FOUR | SOME | FLOATING,
    "floating trade": TWO | SOME | FLOATING | {"orders_to_end": 4, "copies": 12},
    "bonuses": TWO | {"icons": "all", "starting_cards": 3, "orders_to_end": 4, "orders_per_turn": 2, "max_rounds": 7},
    "bonuses not after": TWO | {"icons": "all", "bonus_after_order": False, "orders_to_end": 4, "max_rounds": 12},
    "bonuses next turn": TWO | {"icons": "all", "new_bonus": "next-turn", "orders_to_end": 4, "max_rounds": 8},
    "given": TWO | SOME | {"given_order": "large 1", "given_icon": "tentacle"},
    "given too": ROPES | SOME | BEYOND | {"given_order": "small 3", "given_icon": "rope-in", "reserve_limit": 1},
    "given, default": {
        "given_order": GAME.components["small_orders"].value[0]["name"],
        "given_icon": "supply",
        "max_rounds": 6,
        "orders_to_end": 1,
    },
    "no round": TWO | SOME | {"finish_round": False, "orders_to_end": 1},
    "flat": TWO | SOME | {"coins": "flat", "flat_coins": [2, 2], "coins_per_bun": 0, "finish_round": False},
    "ties": TWO | SOME | {"coins": "flat", "flat_coins": [1, 1], "coins_per_bun": 0, "orders_to_end": 1},
    "round limit": {"max_rounds": 3},
    "full, by bonuses": FULL
    | {"full_bakery": "discard", "used_cards": "stay", "starting_cards": 3, "orders_to_end": 4, "max_rounds": 10}
    | {"small_orders": orders("small", "a+b", "a+a", "b+b", "b+a+b", icons=("tentacle", "supply"))},
    "trade": TWO | {"orders_to_end": 3, "max_rounds": 10, "starting_cards": 2},
    "trade the last bun": SCARCE_BUNS
    | {"bun_copies": 1, "small_orders": TWO["small_orders"][:6], "large_orders": PLAIN["large_orders"]},
    "trade, floating": TWO | FLOATING | {"orders_to_end": 3, "max_rounds": 8},
    "trade what is lost": SHARED
    | {"bun_out_of_stock": "lost", "bun_copies": 1, "orders_to_end": 4, "max_rounds": 12, "starting_cards": 3}
    | {"small_orders": PLAIN["small_orders"], "large_orders": PLAIN["large_orders"]},
    "trade of the lonely": TWO | {"orders_to_end": 3, "max_rounds": 10, "freed_cell": False},
    "ropes to drop": ROPES
    | BEYOND
    | {"orders_to_end": 8, "max_rounds": 8, "used_cards": "stay", "given_icon": "rope-in"},
    "ropes to keep": ROPES | BEYOND | {"orders_to_end": 8, "max_rounds": 11, "used_cards": "stay", "reserve_limit": 3},
    "hoards": HOARDS,
    "hoards of five": HOARDS
    | {kind: orders(kind, *["a+a+a+a+a"] * 28) for kind in ("small_orders", "large_orders")}
    | {"orders_per_turn": 4, "orders_to_end": 20, "max_rounds": 16},
    "the box": {},
}
OFTEN = ("hoards of five", "ropes to drop")
"""What is rare even there."""
SUITED: dict[str, Liking | Strategy] = {
    "full, by bonuses": LAVISH,
    "trade": TRADER,
    "trade the last bun": TRADER,
    "trade, floating": TRADER,
    "trade what is lost": TRADER,
    "trade of the lonely": LONELY,
    "ropes to drop": DROPPER,
    "ropes to keep": KEEPER,
    "hoards": Hoarder({"act": ("complete", "rope in")}),
    "hoards of five": Hoarder({"act": ("complete", "rope in")}),
    "the box": scripted(GAME, "nearest-order"),
}


def at_random(number: int) -> Setting:
    """Any deck, any alternatives together."""
    rng = random.Random(number)
    setting = dict(DECKS[number % len(DECKS)])
    for name, values in RULES.items():
        if values and name != "given_icon":
            setting[name] = rng.choice(values)
    numbers: Mapping[str, tuple[int, ...]] = {
        "copies": (5, 8, 12), "bun_copies": (3, 6), "reserve_limit": (0, 1, 2, 3), "starting_cards": (0, 1, 2),
        "orders_to_end": (1, 2), "orders_per_turn": (1, 1, 2), "clean_up_cards": (0, 1, 2, 2, 2),
        "coins_per_bun": (0, 1, 2), "max_rounds": (5, 8),
    }  # fmt: skip
    setting |= {name: rng.choice(values) for name, values in numbers.items()}
    return setting | {"given_icon": rng.choice(("", *ICONS))}


for _rule in ("ingredients", "buns", "small_orders", "large_orders"):
    for _number, _value in enumerate(GAME.components[_rule].alternatives):
        SETTINGS[f"{_rule}, alternative {_number}"] = {_rule: _value, "max_rounds": 8, "orders_to_end": 1}
for _number in range(60):
    SETTINGS[f"at random {_number}"] = at_random(_number)
