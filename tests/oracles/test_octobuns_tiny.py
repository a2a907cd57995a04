"""Tiny games of Octobuns: the enumerator worked by hand, the production beside it, and wrong rules that must show.

One seat plays at random. How a game ended is compared number by number (`End`), all of them together and some alone, by
Clopper and Pearson's intervals shared out so that a right program fails on fewer than one seed in a million.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from simkit.batch import play
from simkit.games.octobuns import GAME
from simkit.strategy import Random
from tests.statistical.bounds import chance, far_off

from .octobuns_box import rules_with
from .octobuns_tiny import BOXES, TWO, Box, End, Order, Position, Tiny, exact

SOLO = replace(GAME, players=(1,))
QUICK = ("first order", "clean-ups", "one of each")
SEATS = ("coins", "n_small", "n_large", "buns_left", "cards_left", "reserved_left", "icons_left", "n_starting_used")


@cache
def truth(name: str) -> dict[End, Fraction]:
    """What a box comes to; kept, as the larger ones take their time."""
    return exact(BOXES[name])


def rules_of(box: Box) -> Any:
    """The production's rules for a tiny box."""
    names = ["", *(f"i{item}" for item in range(1, box.ingredients + 1)), *(f"b{k}" for k in range(len(box.buns)))]

    def told(kind: str, orders: tuple[Order, ...]) -> list[dict[str, Any]]:
        return [
            {"name": f"{kind} {k}", "items": [names[item] for item in items], "coins": coins, "icon": icon}
            for k, (items, coins, icon) in enumerate(orders)
        ]

    alike = {each.name: getattr(box, each.name) for each in fields(box)}
    own = {
        "ingredients": names[1 : box.ingredients + 1],
        "buns": [{"name": f"b{k}", "of": [names[a], names[b]]} for k, (a, b) in enumerate(box.buns)],
        "small_orders": told("small", alike.pop("small")),
        "large_orders": told("large", alike.pop("large")),
    }
    return rules_with(**{**alike, **own})


def simulated(box: Box, n: int, seed: int) -> Counter[End]:
    """How so many games ended."""
    results = play(SOLO, rules_of(box), [Random()], seed, 0, n)
    games, seats = results.games, results.seats
    causes = [SOLO.all_end_causes[cause] for cause in games["end_cause"]]
    numbers = [games["n_turns"], *(seats[name][0] for name in SEATS), games["n_rebuilds"]]
    return Counter(map(End, causes, *(column.tolist() for column in numbers)))


VIEWS = {
    "all": [*End._fields],
    "how, when, coins": ["cause", "n_turns", "coins"],
    **{name: [name] for name in End._fields},
}


def disagreements(seen: Counter[End], said: dict[End, Fraction]) -> list[str]:
    """What is too far off, looked at together and number by number."""
    off = []
    for view, names in VIEWS.items():
        found, known = Counter[Any](), defaultdict[Any, Fraction](Fraction)
        for end, n in seen.items():
            found[tuple(getattr(end, name) for name in names)] += n
        for end, p in said.items():
            known[tuple(getattr(end, name) for name in names)] += p
        off += [f"{view}: {line}" for line in far_off(found, known, chance(len(VIEWS) * len(BOXES)))]
    return off


# ------------------------------------------------------------------------------------------------------ worked by hand


def marginal(said: dict[End, Fraction], *names: str) -> dict[Any, Fraction]:
    """The distribution of some of the numbers."""
    found = defaultdict[Any, Fraction](Fraction)
    for end, p in said.items():
        found[tuple(getattr(end, name) for name in names)] += p
    return dict(found)


def test_two_of_a_kind() -> None:
    """Two of four cards are taken: alike with probability 1/3, and then the order is completed or not."""
    box = replace(BOXES["first order"], buns=(), small=(Order((1, 1), 2, ""),), large=(Order((2, 2), 3, ""),))
    box = replace(box, starting_cards=0, reserve_limit=0, max_rounds=2)
    said = marginal(exact(box), "cause", "n_turns", "coins", "cards_left")
    twelfth = Fraction(1, 12)
    assert said == {("orders", 2, 2, 0): twelfth, ("orders", 2, 3, 0): twelfth, ("unfinished", 2, 0, 2): 10 * twelfth}


def test_two_cards_side_by_side_or_stacked() -> None:
    """There are two cards in the box. The second has 2, 3 or 4 cells next to the first, and may be stacked on it.

    So it is stacked with probability 4/9 x 1/3 + 4/9 x 1/4 + 1/9 x 1/5 = 38/135, and the discards are shuffled; or the
    pair lies there, and half of the seats complete it.
    """
    box = Box(2, 1, ((1, 2),), small=(Order((1, 2), 2, ""),), large=(Order((3, 1), 4, ""),), max_rounds=2)
    said = marginal(exact(box), "cause", "coins", "buns_left", "n_rebuilds")
    stacked = Fraction(38, 135)
    side_by_side = (1 - stacked) / 2
    assert said == {
        ("unfinished", 1, 1, 1): stacked,
        ("orders", 2, 0, 1): side_by_side,
        ("unfinished", 0, 0, 0): side_by_side,
    }


def test_a_turn_of_reserving() -> None:
    """One of three options: two open cards (the box has no more), to rope in. A starting card is no option then."""
    box = Box(2, 1, ((1, 2),), (Order((1, 2), 2, ""),), (Order((3, 1), 4, ""),), reserve_limit=1, max_rounds=1)
    assert marginal(exact(box), "reserved_left") == {(1,): Fraction(1, 3), (0,): Fraction(2, 3)}
    assert exact(replace(box, starting_cards=1)) == exact(box)  # no stack has a card
    more = replace(box, copies=2, starting_cards=1)  # four cards: three takes, to rope in, the starting card
    used = marginal(exact(more), "n_starting_used")[1,]
    # at first one of five; after an action (four of five) to end the turn or, if there is a stack left, the card
    assert used == Fraction(1, 5) + Fraction(4, 5) * Fraction(1, 2)


def test_a_clean_up_of_one_card() -> None:
    """A lone card is discarded, or comes to one of the eight other cells; a second clean-up is not allowed."""
    box = Box(2, 1, (), (Order((1, 1), 2, ""),), (Order((2, 2), 4, ""),), clean_up_cards=1, max_rounds=2)
    # the first turn can but take a card; the second takes the other one, or cleans up
    said = marginal(exact(box), "cards_left")
    assert said[0,] == Fraction(1, 2) * Fraction(1, 9)
    assert said[1,] == Fraction(1, 2) * Fraction(8, 9)


class Unturned(Tiny):
    """Takes no bakery for another."""

    def _alike(self, bakery: tuple[int, ...]) -> tuple[int, ...]:
        return bakery


@pytest.mark.parametrize(
    "box",
    [
        replace(BOXES["clean-ups"], clean_up_cards=1),
        replace(BOXES["one of each"], max_rounds=2),
        pytest.param(BOXES["straight on"], marks=pytest.mark.slow),
    ],
    ids=["clean-ups", "one of each", "straight on"],
)
def test_turned_bakeries_come_to_the_same(box: Box) -> None:
    assert exact(box, Unturned) == exact(box)


# --------------------------------------------------------------------------------------------------------- agreement


@pytest.mark.parametrize("name", QUICK)
def test_the_simulation_agrees_with_the_enumeration(name: str) -> None:
    assert sum(truth(name).values()) == 1
    assert disagreements(simulated(BOXES[name], 40_000, 1), truth(name)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", BOXES)
def test_many_games_agree_with_the_enumeration(name: str) -> None:
    assert sum(truth(name).values()) == 1
    assert disagreements(simulated(BOXES[name], 400_000, 2), truth(name)) == []


@pytest.mark.slow
def test_the_boxes_reach_what_is_rare() -> None:
    """Between them every number takes several values, and orders and rebuilds come twice in a game."""
    for name in End._fields:
        assert len({getattr(end, name) for box in BOXES for end in truth(box)}) > 1, name
    assert {end.n_small + end.n_large for box in BOXES for end in truth(box)} >= {0, 1, 2}
    assert max(end.n_rebuilds for box in BOXES for end in truth(box)) >= 3


# -------------------------------------------------------------------------------------------------- negative controls


class StacksFreely(Tiny):
    """Buns never run out."""

    def stackable(self, bakery: Any, stock: Any, item: int, cell: int, near: set[int]) -> bool:
        return super().stackable(bakery, (1,) * len(stock), item, cell, near)

    def put_down(self, position: Position, item: int, cell: int) -> Position:
        after = super().put_down(position._replace(stock=(9,) * len(position.stock)), item, cell)
        return after._replace(stock=position.stock)


class NeverRebuilds(Tiny):
    """Discards stay where they are, but are counted."""

    def rebuilt(self, position: Position) -> Position:
        return position


class FillsOneStack(Tiny):
    """All discards go under the left stack."""

    def rebuilt(self, position: Position) -> Position:
        after = super().rebuilt(position)
        if after is position:
            return after
        last = after.supply[-1]
        return after._replace(supply=(*after.supply[:-1], last._replace(sizes=(len(last.cards), 0, 0))))


class PlacesAnywhere(Tiny):
    """Any empty cell will do."""

    def _cells_in(self, bakery: Any, stock: Any, item: int, freed: int | None, stacking: bool) -> list[int]:
        stacks = [cell for cell in super()._cells_in(bakery, stock, item, freed, stacking) if bakery[cell]]
        return [cell for cell in range(9) if not bakery[cell]] + stacks


class KeepsTheCards(Tiny):
    """Cards of an order stay."""

    def cleared(self, position: Position, cells: Any) -> Position:
        return position


class NoIcons(Tiny):
    """Icons are never used."""

    def bonuses(self, position: Position) -> list[str]:
        return super().bonuses(position._replace(icons=(0, 0, 0)))


class OrdersFirst(Tiny):
    """An order may be completed before the action."""

    def acts(self, position: Position) -> list[str]:
        acts = super().acts(position)
        return acts + (["complete"] if not position.action and self.fitting(position) else [])


class NoBlindReserving(Tiny):
    """Piles may not be roped in from."""

    def reservable(self, position: Position) -> list[tuple[str, int]]:
        return [choice for choice in super().reservable(position) if choice[0] == "open"]


class LeaningDeck(Tiny):
    """Each kind of ingredient is as likely as any other, however many cards are left of it."""

    def drawn(self, p: Fraction, position: Position, stack: int) -> Iterator[tuple[Fraction, int, Position]]:
        found = [*super().drawn(p, position, stack)]
        return ((p / len(found), card, after) for _, card, after in found)


QUICKER = Box(**TWO, small=(Order((1, 2), 2, "supply"),), large=(Order((1, 1), 3, "tentacle"),), max_rounds=3)
"""Small enough to be enumerated for every control."""


@pytest.mark.parametrize(
    ("wrong", "box"),
    [
        *((wrong, QUICKER) for wrong in (NeverRebuilds, PlacesAnywhere, KeepsTheCards, NoIcons, OrdersFirst)),
        pytest.param(StacksFreely, replace(QUICKER, starting_cards=2), marks=pytest.mark.slow),
        (LeaningDeck, replace(QUICKER, copies=3, max_rounds=2)),
    ],
)
def test_other_rules_are_noticed(wrong: type[Tiny], box: Box) -> None:
    assert disagreements(games_of(box), exact(box)) == []
    assert disagreements(games_of(box), exact(box, wrong)) != []


@cache
def games_of(box: Box) -> Counter[End]:
    """Simulated games."""
    return simulated(box, 40_000, 4)


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [FillsOneStack, NoBlindReserving])
def test_other_rules_are_noticed_in_many_games(wrong: type[Tiny]) -> None:
    box = replace(BOXES["first order"], small=(*BOXES["first order"].small, Order((2, 2), 5, "rope-in")))
    box = replace(box, clean_up_cards=1, orders_to_end=2)
    seen = simulated(box, 200_000, 3)
    assert disagreements(seen, exact(box)) == []
    assert disagreements(seen, exact(box, wrong)) != []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("first order", {"reversal": False}),
        ("first order", {"starting_cards": 2}),
        ("first order", {"new_bonus": "next-turn"}),
        ("holes", {"clean_up_stacks": False}),
        ("clean-ups", {"clean_up_mixed": False}),
        ("one of each", {"clean_up_orders_alone": True}),
        ("holes", {"stacking_next_to": True}),
        ("straight on", {"bends": True}),
        ("straight on", {"bun_out_of_stock": "no-stacking"}),
        ("straight on", {"refill": "turn-end"}),
        ("stay", {"used_cards": "leave"}),
        ("stay", {"rebuild": "level"}),
        ("at once", {"rebuild_when": "turn-end"}),
        ("both at once", {"refill": "turn-end"}),
        ("at once", {"bonus_after_order": True}),
        ("at once", {"blind_rope_in": True}),
        ("two orders", {"orders_per_turn": 1}),
    ],
)
def test_games_by_other_rules_are_noticed(name: str, change: dict[str, Any]) -> None:
    """So every one of these rules shows in the numbers; isolated cards come too late in tiny games to be seen there."""
    assert disagreements(simulated(replace(BOXES[name], **change), 400_000, 5), truth(name)) != []
