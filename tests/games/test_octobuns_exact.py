"""Octobuns' exact topics: values worked out by hand, and by enumeration that shares nothing with them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, perm
from typing import Any

import pytest
from pydantic import ValidationError

from simkit.batch import play
from simkit.errors import UserError
from simkit.exact import Answer
from simkit.games.octobuns import GAME
from simkit.games.octobuns.exact import TOPICS, market_distribution, p_held
from simkit.strategy import Random
from tests.oracles import octobuns_paths as oracle
from tests.oracles.octobuns_box import rules_with
from tests.statistical.bounds import far_off


def asked(topic: str, rules: Any = None, **options: Any) -> Answer:
    """A topic's answer."""
    found = {each.name: each for each in TOPICS}[topic]
    return found.answer(rules or rules_with(), found.options(**options))


def values(answer: Answer) -> dict[str, Fraction]:
    """An answer's numbers."""
    return {each.name: each.value for each in answer.values}


# --------------------------------------------------------------------------------------------------------------- paths


def test_paths_by_hand() -> None:
    """12 pairs of neighbours; 22 paths of three cells, 6 of them straight; both ends may come first."""
    assert values(asked("paths", items=2)) == {"ways_2": 24, "paths_2": 12, "sets_2": 12}
    assert values(asked("paths", items="3")) == {"ways_3": 44, "paths_3": 22, "sets_3": 22}
    assert values(asked("paths", items=3, bends=False)) == {"ways_3": 12, "paths_3": 6, "sets_3": 6}
    assert values(asked("paths", items=3, bends="false", reversal="false"))["ways_3"] == 6
    # round each of the four squares of cells there are four paths of four, on the same cells
    assert values(asked("paths", items=4)) == {"ways_4": 80, "paths_4": 40, "sets_4": 40 - 4 * 3}
    assert values(asked("paths", items=4, bends=False)) == {"ways_4": 0, "paths_4": 0, "sets_4": 0}


@pytest.mark.parametrize(("bends", "reversal"), [*product((True, False), repeat=2)])
@pytest.mark.parametrize("n_items", [2, 3, 4, 5])
def test_paths_by_recursion(n_items: int, bends: bool, reversal: bool) -> None:
    along = oracle.paths(n_items, bends, reversal)
    for answer in (
        asked("paths", items=n_items, bends=bends, reversal=reversal),
        asked("paths", rules_with(bends=bends, reversal=reversal), items=n_items),
    ):
        numbers = values(answer)
        assert numbers[f"ways_{n_items}"] == len(along)
        assert numbers[f"paths_{n_items}"] == len({frozenset([path, path[::-1]]) for path in along})
        assert numbers[f"sets_{n_items}"] == len(oracle.cells_of(along))


def test_all_lengths_of_the_box() -> None:
    lengths = {len(order.items) for order in rules_with().orders}
    assert [*values(asked("paths"))] == [f"{what}_{n}" for n in sorted(lengths) for what in ("ways", "paths", "sets")]


# -------------------------------------------------------------------------------------------------------------- orders

NO_TWO_NEXT = {0: 1, 1: 9, 2: 24, 3: 22, 4: 6, 5: 1}
"""Sets of cells of the 3x3 grid no two of which are next to each other, by their number: counted below."""


def test_sets_of_cells_that_do_not_touch() -> None:
    found = Counter(
        n
        for n in range(10)
        for cells in combinations(range(9), n)
        if not any({*oracle.next_to(c)} & {*cells} for c in cells)
    )
    assert found == NO_TWO_NEXT


def test_two_of_a_kind_by_hand() -> None:
    """Two of a kind side by side: of k cards of the kind, all sets of k cells are as likely, and few do not touch."""
    rules = rules_with()
    kind, rest = rules.copies, rules.n_cards + len(rules.buns) * rules.bun_copies - rules.copies
    apart = sum(
        Fraction(comb(kind, k) * comb(rest, 9 - k), comb(kind + rest, 9)) * Fraction(n, comb(9, k))
        for k, n in NO_TWO_NEXT.items()
    )
    name = rules.ingredients[0]
    numbers = values(asked("orders", items=[name, name]))
    assert numbers["p_held"] == 1 - apart
    # either end may come first, and it makes no difference
    assert (numbers["ways"], numbers["sets"], numbers["cards"]) == (12, 12, 2)
    assert numbers["mean_ways"] == 12 * Fraction(kind * (kind - 1), (kind + rest) * (kind + rest - 1))


def test_what_always_or_never_lies_there() -> None:
    rules = rules_with()
    n_items, name = len(rules.item_names) - 1, rules.ingredients[0]
    alike = (9, *[0] * (n_items - 1))
    assert values(asked("orders", items=f"{name},{name},{name}", cards=alike))["p_held"] == 1
    other = rules.ingredients[1]
    assert values(asked("orders", items=f"{name}, {other}", cards=alike)) == {
        "cards": 2,
        "ways": 24,
        "sets": 12,
        "p_held": 0,
        "mean_ways": 0,
    }
    # one card of the other kind has a neighbour wherever it lies
    assert values(asked("orders", items=[name, other], cards=(8, 1, *alike[2:])))["p_held"] == 1
    # and lies in the middle of a straight row of three unless it is in a corner
    row = values(asked("orders", items=[name, other, name], cards=(8, 1, *alike[2:]), bends=False))
    assert row["p_held"] == Fraction(5, 9)
    assert (row["ways"], row["sets"]) == (6, 6)


def by_enumeration(items: tuple[int, ...], cards: tuple[int, ...], along: Any) -> Fraction:
    """Every bakery of nine cards, with its probability, looked at."""
    p, total = Fraction(0), sum(cards)
    for bakery in product(range(1, len(cards) + 1), repeat=9):
        ways = 1
        for item, n in Counter(bakery).items():
            ways *= perm(cards[item - 1], n)
        if ways and oracle.where(items, bakery, along):
            p += ways
    return p / perm(total, 9)


@pytest.mark.parametrize(
    ("items", "cards"),
    [((1, 2), (2, 7)), ((1, 2, 1), (4, 6)), ((1, 2, 2, 1), (5, 5)), ((1, 1, 2, 1, 1), (6, 5)), ((2, 1, 1, 1), (6, 3))],
)
@pytest.mark.parametrize(("bends", "reversal"), [(True, True), (False, False)])
def test_random_bakeries_by_enumeration(
    items: tuple[int, ...], cards: tuple[int, ...], bends: bool, reversal: bool
) -> None:
    along = oracle.paths(len(items), bends, reversal)
    assert p_held(items, cards, along) == by_enumeration(items, cards, along)


@pytest.mark.slow
@pytest.mark.parametrize("items", [(1, 2, 3), (1, 2, 3, 2), (3, 1, 2, 1, 3)])
def test_random_bakeries_of_three_kinds_by_enumeration(items: tuple[int, ...]) -> None:
    along = oracle.paths(len(items))
    assert p_held(items, (4, 4, 5), along) == by_enumeration(items, (4, 4, 5), along)


def test_every_order_of_the_box() -> None:
    """Ways by laying the items out; the chance is at most the mean, and above nothing."""
    rules = rules_with()
    for order in rules.orders:
        numbers = values(asked("orders", order=order.name))
        laid = {tuple(sorted(zip(path, order.items, strict=True))) for path in oracle.paths(len(order.items))}
        assert numbers["ways"] == len(laid)
        assert 0 < numbers["p_held"] <= numbers["mean_ways"]
        assert numbers["cards"] == sum(1 + (item not in rules.ingredients) for item in order.items)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "either"),
        ({"order": "nobody"}, "nobody"),
        ({"items": ["nothing", "nothing"]}, "nothing"),
        ({"items": "FIRST,FIRST", "cards": [1]}, "found 1"),
        ({"items": "FIRST,FIRST", "cards": "SMALL"}, "found 8"),
    ],
)
def test_orders_that_cannot_be_asked_for(options: dict[str, Any], told: str) -> None:
    rules = rules_with()
    small = [8, *[0] * (len(rules.item_names) - 2)]
    options = {
        name: small
        if value == "SMALL"
        else value.replace("FIRST", rules.ingredients[0])
        if isinstance(value, str)
        else value
        for name, value in options.items()
    }
    with pytest.raises(UserError, match=told):
        asked("orders", **options)


# -------------------------------------------------------------------------------------------------------------- market


def test_the_market_by_hand() -> None:
    """10 of 60 cards would do: not among three, C(50, 3) of C(60, 3); not among six, C(50, 6) of C(60, 6)."""
    answer = asked("market", rules_with(copies=10))
    none_open, none_at_all = Fraction(comb(50, 3), comb(60, 3)), Fraction(comb(50, 6), comb(60, 6))
    assert values(answer) == {"p_open": 1 - none_open, "p_top": 1 - none_open, "p_either": 1 - none_at_all}
    assert answer.mean("open") == answer.mean("tops") == Fraction(1, 2)
    assert answer.distribution[3, 3] == Fraction(comb(10, 6), comb(60, 6))


def test_a_market_of_few_cards() -> None:
    """Four cards, two of them wanted: three lie open, one below them. All six deals of two places are as likely."""
    orders = [{"name": "a", "items": ["x", "y"], "coins": 1}], [{"name": "b", "items": ["x", "y"], "coins": 1}]
    box = {"ingredients": ["x", "y"], "buns": [], "small_orders": orders[0], "large_orders": orders[1]}
    assert asked("market", rules_with(**box, copies=2)).distribution == {(2, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)}
    assert asked("market", rules_with(**box, copies=1)).distribution == {(1, 0): Fraction(1)}
    assert values(asked("market", rules_with(**box, copies=1), kinds=2)) == {"p_open": 1, "p_top": 0, "p_either": 1}


def test_the_market_by_enumeration() -> None:
    """Every deal of seven cards to three open places and three tops."""
    seven, found = (1, 1, 1, 0, 0, 0, 0), Counter[tuple[int, int]]()
    for deal in permutations(seven):
        found[sum(deal[:3]), sum(deal[3:6])] += 1

    class Seven:
        n_cards, copies = 7, 3

    told = market_distribution(Seven, 1)
    assert told == {outcome: Fraction(n, found.total()) for outcome, n in found.items()}


class Start:
    """Counts wanted cards at setup."""

    def __init__(self, kinds: int) -> None:
        self.kinds, self.seen = kinds, Counter[tuple[int, ...]]()

    def noted(self, table: Any, event: str, seat: Any, games: Any, fields: Any) -> None:
        if event == "setup":
            counts = [
                ((cards > 0) & (cards <= self.kinds)).sum(axis=0) for cards in (table.state.open, table.state.tops)
            ]
            self.seen.update(zip(*(column.tolist() for column in counts), strict=True))

    def decided(self, table: Any, view: Any, choice: Any) -> None:
        """Nothing to see."""


@pytest.mark.parametrize("kinds", [1, 3])
def test_games_begin_with_such_markets(kinds: int) -> None:
    rules, start = rules_with(max_rounds=1), Start(kinds)
    play(GAME, rules, [Random()] * 2, 1, 0, 20_000, observer=start)
    assert start.seen.total() == 20_000
    assert far_off(start.seen, asked("market", rules, kinds=kinds).distribution, 1e-6) == []
    assert far_off(start.seen, asked("market", rules, kinds=kinds + 1).distribution, 1e-6) != []


@pytest.mark.parametrize("kinds", [0, 9])
def test_kinds_that_cannot_be(kinds: int) -> None:
    with pytest.raises(ValidationError):
        asked("market", kinds=kinds)


def test_more_kinds_than_there_are() -> None:
    with pytest.raises(UserError, match="at most 6"):
        asked("market", kinds=7)
