"""Exact answers on Octobuns: paths of the 3x3 grid, how an order can lie on them, and the first market.

All is counted, path by path and card by card, in whole numbers and fractions; nothing is drawn and nothing rounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import comb, perm
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from simkit.errors import UserError
from simkit.exact import LISTED, Answer, Measure, Topic, Value, counted, decimal, percent
from simkit.games.octobuns.puzzle import Path, levels
from simkit.games.octobuns.rules import MOST_ITEMS, N_CELLS, N_STACKS

MAX_CARDS = 1000
"""Of each item that a bakery is drawn from."""

BENDS: Any = Field(None, description="whether an order may lie round a corner; as in the rules if left out")
REVERSAL: Any = Field(
    None,
    description="whether it may lie in any direction, otherwise each step goes right or down; as in the rules if left "
    "out",
)


def allowed_paths(rules: Any, n_items: int, bends: bool | None, reversal: bool | None) -> tuple[Path, ...]:
    """The cells of an order's first item, second item and so on, for every way in which it may lie."""
    bends, reversal = _reading(rules, bends, reversal)
    return levels(bends, reversal)[n_items - 1].paths


def _reading(rules: Any, bends: bool | None, reversal: bool | None) -> tuple[bool, bool]:
    """What is asked, or what the rules say."""
    return rules.bends if bends is None else bends, rules.reversal if reversal is None else reversal


def _read(rules: Any, bends: bool | None, reversal: bool | None) -> str:
    """The reading in words."""
    may_bend, may_turn = _reading(rules, bends, reversal)
    shape = "round corners" if may_bend else "straight"
    return f"{shape} and in any direction" if may_turn else f"{shape}, each step right or down"


# --------------------------------------------------------------------------------------------------------------- paths


class PathsOptions(BaseModel):
    """Paths of some number of cells."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items: Annotated[int, Field(ge=2, le=MOST_ITEMS)] | None = Field(
        None, description="items of an order; each number of items that orders have if left out", examples=["3"]
    )
    bends: bool | None = BENDS
    reversal: bool | None = REVERSAL


def paths(rules: Any, options: PathsOptions) -> Answer:
    """How many paths there are: from one end, from either end, and sets of cells that they take up."""
    asked = [options.items] if options.items else sorted({len(order.items) for order in rules.orders})
    sentences, values = [f"Orders lie {_read(rules, options.bends, options.reversal)}."], []
    for n in asked:
        ways = allowed_paths(rules, n, options.bends, options.reversal)
        routes, sets = {min(path, path[::-1]) for path in ways}, {frozenset(path) for path in ways}
        values += [
            Value(f"ways_{n}", Fraction(len(ways)), "ways", f"for {n} items in sequence to lie, first to last"),
            Value(f"paths_{n}", Fraction(len(routes)), "paths", f"of {n} cells, whichever end comes first"),
            Value(f"sets_{n}", Fraction(len(sets)), "sets", f"of {n} cells that such paths take up"),
        ]
        taken = counted(len(sets), "set")
        sentences.append(
            f"{n} items lie in {counted(len(ways), 'way')}: {counted(len(routes), 'path')}, {taken} of cells."
        )
    return Answer(tuple(sentences), values=tuple(values))


# -------------------------------------------------------------------------------------------------------------- orders


class OrdersOptions(BaseModel):
    """An order, one of the box or any other."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    order: str | None = Field(None, description="the harbour guest's name", examples=["ferryman"])
    items: Annotated[tuple[str, ...], LISTED, Field(min_length=2, max_length=MOST_ITEMS)] | None = Field(
        None, description="or the items of an order, in sequence", examples=["kelp,kelp bun"]
    )
    cards: Annotated[tuple[Annotated[int, Field(ge=0, le=MAX_CARDS)], ...], LISTED] | None = Field(
        None,
        description="cards of each item, ingredients then buns, of which nine are drawn; as many as in the box if left "
        "out",
        examples=["10,10,10,10,10,10,6,6,6"],
    )
    bends: bool | None = BENDS
    reversal: bool | None = REVERSAL


def orders(rules: Any, options: OrdersOptions) -> Answer:
    """In how many ways an order can lie, and how often nine random cards in a full bakery hold it."""
    items, cards = _items(rules, options), _cards(rules, options)
    along = allowed_paths(rules, len(items), options.bends, options.reversal)
    placements = {frozenset(zip(path, items, strict=True)) for path in along}
    sets = {frozenset(path) for path in along}
    n_cards = sum(2 if item > rules.n_ingredients else 1 for item in items)
    p = p_held(items, cards, along)
    mean = len(placements) * Fraction(_in_sequence(items, cards), perm(sum(cards), len(items)))
    values = (
        Value("cards", Fraction(n_cards), "cards", "that it takes, two for a bun"),
        Value("ways", Fraction(len(placements)), "ways", "to lie in a bakery, item by item"),
        Value("sets", Fraction(len(sets)), "sets", "of cells that it can take up"),
        Value("p_held", p, "probability", "that nine cards drawn at random, in a full bakery, hold it"),
        Value("mean_ways", mean, "ways", "in which it lies there, on average"),
    )
    named = ", ".join(rules.item_names[item] for item in items)
    return Answer(
        (
            f"{named}: {counted(n_cards, 'card')}. Orders lie {_read(rules, options.bends, options.reversal)}.",
            f"It can lie in {counted(len(placements), 'way')}, on {counted(len(sets), 'set')} of cells.",
            f"In {percent(p)} of full bakeries of nine cards drawn at random it lies somewhere, "
            f"in {decimal(mean)} ways on average.",
        ),
        values=values,
    )


def _items(rules: Any, options: OrdersOptions) -> tuple[int, ...]:
    """The codes of the items asked for."""
    if (options.order is None) == (options.items is None):
        raise UserError("orders: must have either `--order` or `--items`; found both or none; give one")
    names = options.items or ()
    if options.order is not None:
        if options.order not in rules.order_names:
            raise UserError(f"`--order` must be one of {', '.join(rules.order_names)}; found `{options.order}`")
        names = rules.orders[rules.order_names.index(options.order)].items
    known = rules.item_names[1:]
    if unknown := [name for name in names if name.strip() not in known]:
        raise UserError(f"`--items` must be of {', '.join(known)}; found `{unknown[0].strip()}`")
    return tuple(known.index(name.strip()) + 1 for name in names)


def _cards(rules: Any, options: OrdersOptions) -> tuple[int, ...]:
    """Cards of each item to draw from."""
    box = (rules.copies,) * rules.n_ingredients + (rules.bun_copies,) * len(rules.buns)
    cards = box if options.cards is None else options.cards
    if len(cards) != len(box):
        raise UserError(f"`--cards` must be {len(box)} numbers, one for each ingredient, then bun; found {len(cards)}")
    if sum(cards) < N_CELLS:
        raise UserError(f"`--cards` must be {N_CELLS} cards at least, to fill a bakery; found {sum(cards)}")
    return cards


def _in_sequence(items: Sequence[int], cards: Sequence[int]) -> int:
    """In how many ways one draws these items one after another."""
    ways, left = 1, list(cards)
    for item in items:
        ways *= left[item - 1]
        left[item - 1] -= 1
    return ways


def p_held(items: tuple[int, ...], cards: tuple[int, ...], along: Sequence[Path]) -> Fraction:
    """The probability that nine cards drawn at random and laid out cell by cell hold an order.

    Cell after cell, positions are told apart by the placements of the order that are still open and by the cards of
    its items that have been drawn; a placement that is complete counts, whatever the cards after it.

    Parameters
    ----------
    items
        The order's, by code.
    cards
        Of each item, those of code 1 first; nine at least in all.
    along
        Paths on which it may lie.

    Returns
    -------
    Fraction
        [probability]

    Examples
    --------
    >>> p_held((1, 1), (9, 9), [(0, 1)])  # two cards on two cells: 9/18 x 8/17
    Fraction(4, 17)
    """
    placements = sorted({tuple(sorted(zip(path, items, strict=True))) for path in along})
    kinds, total = sorted(set(items)), sum(cards)
    left = [*(cards[kind - 1] for kind in kinds), total - sum(cards[kind - 1] for kind in kinds)]
    wanted = [dict(placement) for placement in placements]
    n_held, positions = 0, {((1 << len(placements)) - 1, (0,) * len(left)): 1}
    for cell in range(N_CELLS):
        following: dict[tuple[int, tuple[int, ...]], int] = defaultdict(int)
        ended = sum(1 << place for place, placement in enumerate(placements) if placement[-1][0] == cell)
        stays = [_bits(wanted, cell, kind) for kind in (*kinds, None)]
        for (still_open, drawn), n in positions.items():
            for kind, open_with in enumerate(stays):
                n_now, open_now = n * (left[kind] - drawn[kind]), still_open & open_with
                if n_now and open_now & ended:
                    n_held += n_now * perm(total - cell - 1, N_CELLS - cell - 1)
                elif n_now and open_now:
                    following[open_now, (*drawn[:kind], drawn[kind] + 1, *drawn[kind + 1 :])] += n_now
        positions = following
    return Fraction(n_held, perm(total, N_CELLS))


def _bits(wanted: Sequence[dict[int, int]], cell: int, item: int | None) -> int:
    """The placements that are open still when this item lies on the cell, a bit each."""
    return sum(1 << place for place, placement in enumerate(wanted) if placement.get(cell, item) == item)


# -------------------------------------------------------------------------------------------------------------- market


class MarketOptions(BaseModel):
    """Ingredients that somebody wants at the start."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kinds: Annotated[int, Field(ge=1, le=8)] = Field(
        1, description="kinds of ingredients that would do", examples=["2"]
    )


def market_distribution(rules: Any, kinds: int) -> dict[tuple[int, ...], Fraction]:
    """The exact distribution of wanted cards among the open cards and among the tops of the stacks.

    The shuffled cards are dealt; of N cards W are wanted, and of n places a hold a wanted one in C(n, a) ways, so that
    (a, b) has probability C(n, a) C(m, b) C(N - n - m, W - a - b) / C(N, W).
    """
    total, wanted = rules.n_cards, kinds * rules.copies
    n_open = min(N_STACKS, total)
    n_tops = min(N_STACKS, total - n_open)
    found: dict[tuple[int, ...], Fraction] = {}
    for a in range(min(n_open, wanted) + 1):
        for b in range(min(n_tops, wanted - a) + 1):
            ways = comb(n_open, a) * comb(n_tops, b) * comb(total - n_open - n_tops, wanted - a - b)
            found[a, b] = Fraction(ways, comb(total, wanted))
    return {outcome: p for outcome, p in found.items() if p}


def market(rules: Any, options: MarketOptions) -> Answer:
    """How many wanted ingredients there are to take at the start."""
    if options.kinds > rules.n_ingredients:
        raise UserError(f"`--kinds` must be at most {rules.n_ingredients}, as many as there are; found {options.kinds}")
    distribution = market_distribution(rules, options.kinds)
    p_open = sum((p for (a, _), p in distribution.items() if a), Fraction(0))
    p_either = 1 - distribution.get((0, 0), Fraction(0))
    p_top = sum((p for (_, b), p in distribution.items() if b), Fraction(0))
    wanted = f"{options.kinds * rules.copies} of {counted(rules.n_cards, 'card')}"
    return Answer(
        (
            f"{counted(options.kinds, 'kind')} of ingredient would do: {wanted}.",
            f"In {percent(p_open)} of games one of them lies open at the start, in {percent(p_top)} one is the top "
            f"of a stack, in {percent(p_either)} there is one in either place.",
        ),
        (
            Measure("open", "cards", "wanted ones among the open cards"),
            Measure("tops", "cards", "wanted ones among the top cards of the stacks"),
        ),
        distribution,
        (
            Value("p_open", p_open, "probability", "a wanted card lies open"),
            Value("p_top", p_top, "probability", "a wanted card is the top of a stack"),
            Value("p_either", p_either, "probability", "a wanted card lies open or is the top of a stack"),
        ),
    )


TOPICS: tuple[Topic, ...] = (
    Topic("paths", "along how many paths of the grid orders can lie", PathsOptions, paths),
    Topic("orders", "in how many ways an order can lie, and how often a random bakery holds it", OrdersOptions, orders),
    Topic("market", "how often a wanted ingredient is there to take at the start", MarketOptions, market),
)
