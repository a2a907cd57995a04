"""Octobuns: what its report shows, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.games.octobuns import GAME
from simkit.games.octobuns.rules import Rules
from simkit.games.octobuns.state import ROUNDS_TOLD, TURNS_TOLD
from simkit.report import Part, Report, Study, sections
from simkit.report.cells import Cell
from simkit.report.per_deal import (
    Measure,
    a_seat,
    game_mean,
    game_share,
    rounds,
    seat_mean,
    seat_share,
    seats_best,
    seats_margin,
)
from simkit.report.pooled import defaults
from simkit.report.sections import HeadStart, Kinds, Mix, SeatRatio
from simkit.report.words import PERCENT, POINTS
from simkit.stats.frequencies import PerDeal
from simkit.stats.intervals import SHARE
from simkit.stats.shares import WIN

MOST_COINS = 200
"""That a seat can have, by far."""
GIVEN = ("given_order", "given_icon")
"""Rules that are ours: what the first seat has to begin with."""

# -------------------------------------------------------------------------------------------------- words of the rules


def order_name(rules: Rules, name: str) -> str:
    """What a guest wants, and pays: "ferryman: kelp, kelp bun (3 coins, rope-in)"."""
    order = rules.orders[rules.order_names.index(name)]
    return f"{name}: {', '.join(order.items)}"


def kind_of(rules: Rules, name: str) -> str:
    """Small or large."""
    return "small" if name in (order.name for order in rules.small_orders) else "large"


def icon_name(rules: Rules, name: str) -> str:
    """An order's icon under these rules; empty where it has none."""
    code = int(rules.icon_of[rules.order_names.index(name)])
    return ("", "rope-in", "tentacle", "supply")[code]


def kinds_of_order(rules: Rules, name: str) -> tuple[str, ...]:
    """What it is compared by."""
    icon = "with icon" if icon_name(rules, name) else "without icon"
    return (f"{kind_of(rules, name)} orders", f"{kind_of(rules, name)} ones {icon}")


def about_order(rules: Rules, name: str) -> Mapping[str, str]:
    """What a table says of it."""
    place = rules.order_names.index(name)
    items, icon = ", ".join(rules.orders[place].items), icon_name(rules, name)
    return {"size": kind_of(rules, name), "wants": items, "pays": str(int(rules.coins_of[place])), "its icon": icon}


def deck_name(orders: Sequence[Mapping[str, Any]], size: str) -> str:
    """
    >>> deck_name([{"name": "gull"}, {"name": "seal"}], "small")
    'other small orders (gull ...)'
    """
    usual = GAME.components[f"{size}_orders"].value
    names = [str(order["name"]) for order in orders]
    return (
        f"our {size} orders" if names == [order["name"] for order in usual] else f"other {size} orders ({names[0]} ...)"
    )


def bun_recipes(buns: Sequence[Mapping[str, Any]]) -> str:
    """
    >>> bun_recipes([{"name": "kelp bun", "of": ["kelp", "kelp"]}, {"name": "crab bun", "of": ["crab", "leek"]}])
    'buns of kelp + kelp, crab + leek'
    """
    return f"buns of {', '.join(' + '.join(bun['of']) for bun in buns)}" if buns else "no buns"


READINGS = {
    "icons": {"printed": "icons as printed", "all": "every order has an icon", "none": "no order has an icon"},
    "coins": {"printed": "coins as printed", "flat": "flat coins"},
    "grid": {"fixed": "a fixed frame", "floating": "a floating frame"},
    "isolated_neighbours": {True: "isolated cards count", False: "isolated cards do not count as neighbours"},
    "stacking_next_to": {False: "stacking anywhere", True: "stacking needs a neighbour"},
    "bun_out_of_stock": {"no-stacking": "no stacking out of stock", "lost": "cards of a bun out of stock are lost"},
    "full_bakery": {"no-taking": "no taking into a full bakery", "discard": "a full bakery discards what is taken"},
    "freed_cell": {True: "the exchanged bun’s cell is free", False: "the exchanged bun’s cell needs a neighbour"},
    "clean_up_sequence": {"one-by-one": "cards cleaned up one by one", "together": "cards cleaned up together"},
    "clean_up_mixed": {True: "clean-ups may be mixed", False: "a clean-up moves or discards, not both"},
    "clean_up_stacks": {True: "moved cards may be stacked", False: "moved cards may not be stacked"},
    "clean_up_orders_alone": {True: "orders discarded alone", False: "orders discarded only with cards"},
    "dropped_orders": {"out": "discarded orders are out", "bottom": "discarded orders go under their pile"},
    "bends": {True: "orders may bend", False: "orders must lie straight"},
    "reversal": {True: "orders in any direction", False: "orders only as one reads"},
    "used_cards": {"leave": "used cards leave", "stay": "used cards stay"},
    "refill": {"turn-end": "refill at the turn’s end", "at-once": "refill at once"},
    "rebuild": {"level": "stacks rebuilt level", "spread": "discards spread in turn"},
    "rebuild_when": {"turn-end": "stacks rebuilt at the turn’s end", "at-once": "stacks rebuilt at once"},
    "extra_rope_in": {"capped": "extra rope-in within the limit", "beyond": "extra rope-in beyond the limit"},
    "bonus_after_order": {True: "bonuses after an order", False: "no bonus after an order"},
    "new_bonus": {"at-once": "new icons at once", "next-turn": "new icons from the next turn"},
}

# ------------------------------------------------------------------------------------------------------------ measures


def first_wins() -> Measure:
    """The share of the win of the seat that was first to complete all its orders."""

    def read(run: Any, cell: Cell) -> PerDeal:
        win, first = run.column("seats", "win", cell.id), run.column("games", "first_done", cell.id)
        seats = np.arange(win.shape[1])[:, None]
        points = (win * (first[:, None] == seats)).sum(axis=(0, 1), dtype=np.int64)
        return PerDeal(points, WIN * len(win))

    return Measure("first to finish wins", PERCENT, POINTS, read, SHARE)


GAME_MEANS = (
    rounds(100),
    a_seat("coins", "coins of a seat", "coins", MOST_COINS),
    seats_best("coins", "winning coins", "coins", MOST_COINS),
    seats_margin("coins", "winner’s margin", "coins", MOST_COINS),
    first_wins(),
    game_share("stock_out", "buns run out"),
    game_mean("n_rebuilds", "rebuilds", "rebuilds"),
)
HEAD_START_MEASURES = (
    seat_share(0),
    seat_mean("coins", 0, "coins of seat 1", "coins", MOST_COINS),
    rounds(100),
)
SWEPT_MEASURES = (seat_share(0), rounds(100), a_seat("coins", "coins of a seat", "coins", MOST_COINS), first_wins())

ORDERS_DONE = (
    SeatRatio("coins", ["coins"]),
    SeatRatio("small orders", ["n_small"]),
    SeatRatio("large orders", ["n_large"]),
    SeatRatio("coins of a small one", ["from_small"], ["n_small"]),
    SeatRatio("coins of a large one", ["from_large"], ["n_large"]),
    SeatRatio("orders that are large", ["n_large"], ["n_small", "n_large"], PERCENT, SHARE),
    SeatRatio("orders from reserve", ["n_from_reserve"], ["n_small", "n_large"], PERCENT, SHARE),
)
TURNS_SPENT = (
    SeatRatio("takes", ["n_taken"]),
    SeatRatio("rope-ins", ["n_rope_ins"]),
    SeatRatio("exchanges", ["n_exchanges"]),
    SeatRatio("clean-ups", ["n_clean_ups"]),
    SeatRatio("extra rope-ins", ["n_extra_rope_ins"]),
    SeatRatio("extra tentacles", ["n_extra_tentacles"]),
    SeatRatio("from the supply", ["n_supply_takes"]),
    SeatRatio("icons left", ["icons_left"]),
)
BUNS = (
    SeatRatio("buns made", ["n_buns_made"]),
    SeatRatio("left at the end", ["buns_left"]),
    SeatRatio("of those made, left", ["buns_left"], ["n_buns_made"], PERCENT, SHARE),
    SeatRatio("ingredients left", ["cards_left"]),
    SeatRatio("reserved, left", ["reserved_left"]),
    SeatRatio("reserved, discarded", ["n_dropped"]),
)

# ----------------------------------------------------------------------------------------------------- what tallies say


def ingredient_names(rules: Rules) -> Sequence[str]:
    """Of the tally `flow`."""
    return rules.ingredients


def item_names(rules: Rules) -> Sequence[str]:
    """Of the tally `leaving`."""
    return rules.item_names[1:]


def orders_told(rules: Rules) -> Sequence[str]:
    """Of the tally `orders`: guest, and what is wanted."""
    return [
        f"{order_name(rules, name)} ({int(pays)})"
        for name, pays in zip(rules.order_names, rules.coins_of, strict=False)
    ]


def round_names(rules: Rules) -> Sequence[str]:
    """Of the tally `acts`."""
    return [*(str(number + 1) for number in range(ROUNDS_TOLD - 1)), f"{ROUNDS_TOLD} and later"]


WAITS = (*((turns, turns) for turns in range(5)), (5, 6), (7, 9), (10, 14), (15, TURNS_TOLD - 2))
"""Turns that are told together, first and last."""


def wait_names(rules: Rules) -> Sequence[str]:
    """
    >>> wait_names(None)[:2], wait_names(None)[6], wait_names(None)[-1]
    (['0 turns', '1 turn'], '5 to 6 turns', '23 turns or more')
    """
    names = []
    for first, last in WAITS:
        name = f"{first} turn{'s' * (first != 1)}" if first == last else f"{first} to {last} turns"
        names += [name] * (last - first + 1)
    return [*names, f"{TURNS_TOLD - 1} turns or more"]


DONE = ("take", "take", "take", "rope in", "exchange", "clean up", *["bonus"] * 4, "complete an order", "end turn")


def act_names(rules: Rules) -> Sequence[str]:
    """Of the tally `acts`, bonuses together."""
    return DONE


FLOW = sections.mixes(
    (
        Mix(
            "flow",
            "ingredients that come to seats",
            "fate",
            "item",
            "way",
            values={"item": ingredient_names},
            is_phase=False,
            note="Placed on a cell of its own, or stacked at once to a bun; open: the turn’s action.",
        ),
        Mix(
            "leaving",
            "cards that leave bakeries",
            "",
            "item",
            "how",
            values={"item": item_names},
            note="A bun takes two ingredients; exchanged are buns.",
        ),
        Mix(
            "waits",
            "open orders taken",
            "kind",
            "turns",
            "how",
            values={"turns": wait_names},
            is_phase=False,
            note="Turns of all seats since the order was turned up; orders still open at the end are not counted.",
        ),
    ),
    "The market: what comes, what goes, what waits",
)
COMPLETED = sections.mixes(
    (
        Mix(
            "orders",
            "orders completed",
            "",
            "order",
            "how",
            values={"order": orders_told},
            largest_first=True,
            note=(
                "In brackets what it pays. All orders of a size come up equally often: what differs is how willingly "
                "they are filled."
            ),
        ),
    ),
    "Which orders are completed",
)
WHEN = sections.mixes(
    (
        Mix(
            "acts",
            "things done by all seats",
            "",
            "round",
            "act",
            values={"round": round_names, "act": act_names},
            note="Bars shorten as games end; each step of a clean-up counts.",
        ),
    ),
    "What is done when",
)
SOURCES = sections.sources(
    {"from_small": "small orders", "from_large": "large orders", "buns_left": "buns left"},
    total="coins",
    heading="Where coins come from",
    unit="coins",
)


def coins(study: Study) -> Part | None:
    """Where coins come from, while a bun left is a coin."""
    pays = {(defaults(study) | dict(cell.info.rules))["coins_per_bun"] for cell in study.cells}
    return SOURCES(study) if pays == {1} else None


# ---------------------------------------------------------------------------------------------------- small and large


def mixes_of(rules: Rules) -> Sequence[str]:
    """Kinds of seats by the orders that they completed."""
    n = rules.orders_to_end
    whole = [f"{n - large} small, {large} large" for large in range(n + 1)]
    return [*whole, *(f"fewer than {n}, {large} large" for large in (*("none", "one", "two"), "three or more"))]


def mix_of(rules: Rules, small: npt.NDArray[Any], large: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The number of each seat's kind."""
    n = rules.orders_to_end
    return np.where(small + large >= n, np.minimum(large, n), n + 1 + np.minimum(large, 3))


BY_MIX = sections.fares(
    Kinds(mixes_of, ["n_small", "n_large"], mix_of, "coins", "coins", "orders completed"),
    "orders_mix",
    "Small orders or large ones",
    "Seats by the orders that they completed",
    (
        "What goes together here need not cause: a seat that was lucky with its cards completes more, and larger, "
        "orders. What choosing does is told by strategies that choose (who beats whom), and by orders "
        "given to the first seat."
    ),
)
GIFTS = sections.head_starts(
    (
        HeadStart("given_order", kinds_of_order, about_order),
        HeadStart("given_icon", lambda rules, icon: ("an icon alone",), lambda rules, icon: {}),
    ),
    HEAD_START_MEASURES,
    "What an order card or an icon is worth",
    note=(
        "The first seat begins with this order reserved (it takes one of the two places, and is missing from its "
        "pile), or with an unused icon more."
    ),
    contrasts=(
        ("large orders", "small orders"),
        ("small ones with icon", "small ones without icon"),
        ("large ones with icon", "large ones without icon"),
    ),
)

# ------------------------------------------------------------------------------------------------------------ sections

READ_OTHERWISE = sections.sensitivity(
    SWEPT_MEASURES, "How much each open question matters", {f"rules.{rule}" for rule in GIVEN}
)
DONE_BY = sections.ratios(ORDERS_DONE, "orders_done", "Coins and orders, by strategy", "What a seat has in a game")
HOW_GAMES_GO = sections.averages(
    GAME_MEANS, "games", "How games go", "Rounds, coins and shortages, unfinished games as far as they went"
)
LEFT = sections.ratios(BUNS, "buns", "Buns, and what is left at the end", "Of a seat in a game")
SPENT = sections.ratios(
    TURNS_SPENT, "turns_spent", "What seats do with their turns", "Turns and bonuses of a seat in a game"
)

REPORT = Report(
    title="Octobuns: who wins, how long it takes, and what decides it",
    sections=(
        GIFTS,
        READ_OTHERWISE,
        sections.verdicts,
        sections.seats,
        sections.strategies,
        DONE_BY,
        coins,
        BY_MIX,
        HOW_GAMES_GO,
        sections.length,
        COMPLETED,
        FLOW,
        LEFT,
        SPENT,
        WHEN,
        sections.rules,
        sections.endings,
    ),
    names={
        **{f"rules.{name}": told for name, told in READINGS.items()},
        "rules.small_orders": partial(deck_name, size="small"),
        "rules.large_orders": partial(deck_name, size="large"),
        "rules.buns": bun_recipes,
        "rules.given_order": lambda name: name or "no order given",
        "rules.given_icon": lambda name: f"an icon ({name})" if name else "no icon given",
    },
)
