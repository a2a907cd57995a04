"""Octobuns' parameters, validated, and the tables of items and orders that follow from them."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

EMPTY = 0
NO_ORDER = 255
SMALL, LARGE = 0, 1
KINDS = ("small", "large")
N_STACKS, N_OPEN = 3, 4
"""Supply stacks, each with an open card; open orders, two of each kind."""

ICONS = ("rope-in", "tentacle", "supply")
ROPE_IN, TENTACLE, SUPPLY = 1, 2, 3
"""Codes of the icons; 0 is none."""

MOST_ITEMS, N_CELLS = 5, 9
LONGEST_NAME = 40


def _on_one_line(name: str) -> str:
    """A name as tables and messages can show it."""
    if not name.isprintable():
        raise ValueError("must be on one line, of characters that can be seen")
    return name


Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_NAME), AfterValidator(_on_one_line)]
Name = Annotated[Text, Field(min_length=1)]
Icon = Literal["", *ICONS]  # type: ignore[valid-type]
Coins = Annotated[int, Field(ge=0, le=20, strict=True)]
Copies = Annotated[int, Field(ge=1, le=20)]
Bytes = npt.NDArray[np.uint8]


class Bun(BaseModel):
    """A kind of bun and the two ingredients that are stacked to make it, one of them twice or two different ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    of: Annotated[tuple[Name, ...], Field(min_length=2, max_length=2)]


class Order(BaseModel):
    """An order card.

    Attributes
    ----------
    name
        The harbour guest.
    items
        Ingredients and buns in sequence; any may repeat.
    coins
        What it pays.
    icon
        The bonus action that it gives; "" for none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    items: Annotated[tuple[Name, ...], Field(min_length=2, max_length=MOST_ITEMS)]
    coins: Coins
    icon: Icon = ""


Orders = Annotated[tuple[Order, ...], Field(min_length=1, max_length=30)]


class Rules(BaseModel):
    """One value for each component of `components.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ingredients: Annotated[tuple[Name, ...], Field(min_length=2, max_length=8)]
    copies: Copies
    buns: Annotated[tuple[Bun, ...], Field(max_length=4)]
    bun_copies: Copies
    small_orders: Orders
    large_orders: Orders
    icons: Literal["printed", "all", "none"]
    coins: Literal["printed", "flat"]
    flat_coins: Annotated[tuple[Coins, ...], Field(min_length=2, max_length=2)]
    starting_cards: Annotated[int, Field(ge=0, le=9)]

    grid: Literal["fixed", "floating"]
    isolated_neighbours: bool
    stacking_next_to: bool
    bun_out_of_stock: Literal["no-stacking", "lost"]
    full_bakery: Literal["no-taking", "discard"]

    reserve_limit: Annotated[int, Field(ge=0, le=4)]
    blind_rope_in: bool

    freed_cell: bool

    clean_up_cards: Annotated[int, Field(ge=0, le=2)]
    clean_up_sequence: Literal["one-by-one", "together"]
    clean_up_mixed: bool
    clean_up_stacks: bool
    clean_up_orders_alone: bool
    dropped_orders: Literal["out", "bottom"]

    orders_per_turn: Annotated[int, Field(ge=1, le=9)]
    bends: bool
    reversal: bool
    used_cards: Literal["leave", "stay"]

    refill: Literal["turn-end", "at-once"]
    rebuild: Literal["level", "spread"]
    rebuild_when: Literal["turn-end", "at-once"]

    extra_rope_in: Literal["capped", "beyond"]
    bonus_after_order: bool
    new_bonus: Literal["at-once", "next-turn"]

    orders_to_end: Annotated[int, Field(ge=1, le=20)]
    finish_round: bool
    coins_per_bun: Annotated[int, Field(ge=0, le=9)]

    given_order: Text
    given_icon: Icon
    max_rounds: Annotated[int, Field(ge=1, le=1000)]

    @model_validator(mode="after")
    def _fits(self) -> Rules:
        """Names are known and stand once; every order can be filled from the box."""
        self._check_names()
        self._check_buns()
        self._check_orders()
        if self.given_order and self.given_order not in self.order_names:
            raise ValueError(f"given_order must be a name in small_orders or large_orders; found {self.given_order}")
        if self.given_order and not self.reserve_limit:
            raise ValueError("given_order needs a reserve_limit of 1 or more; found 0")
        return self

    def _check_names(self) -> None:
        """What carries a name is found by it."""
        for what, names in (("ingredients and buns", self.item_names[1:]), ("orders", self.order_names)):
            if twice := [name for name, often in Counter(names).items() if often > 1]:
                raise ValueError(f"{what} must have names of their own; found {twice[0]} twice")

    def _check_buns(self) -> None:
        """A bun is made of ingredients, and two ingredients make one kind."""
        made: dict[frozenset[str], str] = {}
        for bun in self.buns:
            self._check_made_of(f"bun {bun.name}", bun.of, self.ingredients)
            if (other := made.setdefault(frozenset(bun.of), bun.name)) != bun.name:
                raise ValueError(f"{' and '.join(bun.of)} must make one kind of bun; found {other} and {bun.name}")

    def _check_orders(self) -> None:
        """An order is made of what the box holds."""
        for order in self.orders:
            self._check_made_of(f"order {order.name}", order.items, self.item_names[1:])

    def _check_made_of(self, what: str, items: tuple[str, ...], known: tuple[str, ...]) -> None:
        """All are known, and the box holds as many."""
        for name, often in Counter(items).items():
            if name not in known:
                raise ValueError(f"{what} must be made of {', '.join(known)}; found {name}")
            rule = "copies" if name in self.ingredients else "bun_copies"
            if often > (held := getattr(self, rule)):
                raise ValueError(f"{what} needs {often} cards of {name}; {rule} is {held}")

    # ----------------------------------------------------------------------------------------------------- the box

    @cached_property
    def n_ingredients(self) -> int:
        """Kinds of ingredients."""
        return len(self.ingredients)

    @cached_property
    def item_names(self) -> tuple[str, ...]:
        """What may lie on a cell by item code: nothing, ingredients, buns."""
        return ("", *self.ingredients, *(bun.name for bun in self.buns))

    @cached_property
    def n_cards(self) -> int:
        """Ingredient cards in the box."""
        return self.n_ingredients * self.copies

    @cached_property
    def bun_of(self) -> Bytes:
        """The bun that two items make when one is stacked on the other, 0 for none; uint8 (items, items)."""
        table = np.zeros((len(self.item_names),) * 2, np.uint8)
        for bun in self.buns:
            one, other = (self.item_names.index(name) for name in bun.of)
            table[one, other] = table[other, one] = self.item_names.index(bun.name)
        return table

    @cached_property
    def partners(self) -> tuple[tuple[Bytes, Bytes], ...]:
        """By item, what it may be stacked with (255: nothing) and the bun's place in the supply; uint8 (256,) each.

        As many pairs of tables as there are buns that an ingredient is part of at most.
        """
        pairs = [[(x, b - self.n_ingredients - 1) for x, b in enumerate(row.tolist()) if b] for row in self.bun_of]
        tables = np.full((max(map(len, pairs)), 2, NO_ORDER + 1), 255, np.uint8)
        for item, of_item in enumerate(pairs):
            for table, pair in zip(tables, of_item, strict=False):
                table[:, item] = pair
        return tuple((partner, bun) for partner, bun in tables)

    @cached_property
    def recipes(self) -> tuple[Bytes, Bytes, Bytes]:
        """By item: the two ingredients that make it (255: none), and the cards it takes; uint8 (items,) each."""
        one, other = np.full((2, len(self.item_names)), 255, np.uint8)
        for item, bun in enumerate(self.buns, self.n_ingredients + 1):
            one[item], other[item] = (self.item_names.index(name) for name in bun.of)
        return one, other, np.where(one < 255, 2, 1).astype(np.uint8)

    # ------------------------------------------------------------------------------------------------------ orders

    @cached_property
    def orders(self) -> tuple[Order, ...]:
        """All orders, the small ones first; an order's id is its place here."""
        return (*self.small_orders, *self.large_orders)

    @cached_property
    def order_names(self) -> tuple[str, ...]:
        """The harbour guests."""
        return tuple(order.name for order in self.orders)

    @cached_property
    def n_reserved(self) -> int:
        """Places for reserved orders of a seat."""
        return self.reserve_limit + (2 if self.extra_rope_in == "beyond" else 0)

    @cached_property
    def longest(self) -> int:
        """Items of the longest order."""
        return max(len(order.items) for order in self.orders)

    def _by_order(self, values: list[Any]) -> Bytes:
        """A table by id of order; 0 for `NO_ORDER` and ids that there are not."""
        table = np.zeros(NO_ORDER + 1, np.uint8)
        table[: len(values)] = values
        return table

    @cached_property
    def items(self) -> Bytes:
        """Item codes of each order in sequence, then zeros; uint8 (longest, 256)."""
        codes = [[self.item_names.index(name) for name in order.items] for order in self.orders]
        return np.stack([self._by_order([c[i] if i < len(c) else 0 for c in codes]) for i in range(self.longest)])

    @cached_property
    def wants(self) -> tuple[tuple[Bytes, ...], ...]:
        """For each place of a sequence: items of the orders, then what `recipes` says of them; uint8 (256,) each."""
        return tuple((items, *(table.take(items) for table in self.recipes)) for items in self.items)

    @cached_property
    def lengths(self) -> Bytes:
        """Items of each order, uint8 (256,)."""
        return self._by_order([len(order.items) for order in self.orders])

    @cached_property
    def kind_of(self) -> Bytes:
        """0 small, 1 large; uint8 (256,)."""
        return self._by_order([SMALL] * len(self.small_orders) + [LARGE] * len(self.large_orders))

    @cached_property
    def coins_of(self) -> Bytes:
        """What each order pays [coins], uint8 (256,)."""
        if self.coins == "flat":
            small, large = self.flat_coins
            return self._by_order([small] * len(self.small_orders) + [large] * len(self.large_orders))
        return self._by_order([order.coins for order in self.orders])

    @cached_property
    def icon_of(self) -> Bytes:
        """The icon of each order, 0 for none; uint8 (256,)."""
        if self.icons == "none":
            return self._by_order([])
        codes = [ICONS.index(order.icon) + 1 if order.icon else 0 for order in self.orders]
        if self.icons == "all":
            without = [place for place, code in enumerate(codes) if not code]
            for i, place in enumerate(without):
                codes[place] = i % len(ICONS) + 1
        return self._by_order(codes)
