"""The paths of Octobuns: the oracle's counts, the production's puzzle beside it, and wrong readings that must show."""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise, permutations, product
from typing import Any, NamedTuple

import numpy as np
import pytest

from simkit.games.octobuns import puzzle
from simkit.games.octobuns.rules import NO_ORDER, Rules

from . import octobuns_paths as oracle
from .octobuns_box import rules_with
from .octobuns_paths import Bakery, Path, Recipes

READINGS = [*product((True, False), repeat=2)]  # bends, reversal


# ---------------------------------------------------------------------------------------------------------- the oracle


def test_paths_of_the_grid() -> None:
    """The numbers known of the 3x3 grid, either end first: 12, 22, 40, 52; and of Hamiltonian paths, 20."""
    assert {n: len(oracle.paths(n)) // 2 for n in (2, 3, 4, 5, 9)} == {2: 12, 3: 22, 4: 40, 5: 52, 9: 20}


def test_straight_paths_of_the_grid() -> None:
    """Two of three cells next to each other in three rows and three columns; whole rows and columns; no more."""
    straight = {n: len(oracle.paths(n, bends=False)) // 2 for n in (2, 3, 4, 5)}
    assert straight == {2: 12, 3: 6, 4: 0, 5: 0}
    read = {n: len(oracle.paths(n, bends=False, reversal=False)) for n in (2, 3, 4, 5)}
    assert read == straight


def test_paths_as_one_reads() -> None:
    """Steps right and down only: from a corner to a corner of a part of the grid, each counted by the binomials.

    A path of two steps right and two down, say, starts top left, and there are 6 of them; of one right and one down
    there are 2 from each of 4 cells, of two to one side 3 each.
    """
    assert {n: len(oracle.paths(n, reversal=False)) for n in (2, 3, 4, 5)} == {2: 12, 3: 8 + 6, 4: 2 * 2 * 3, 5: 6}


@pytest.mark.parametrize("n_cells", [2, 3, 4, 5])
def test_paths_are_the_sequences_of_cells_next_to_each_other(n_cells: int) -> None:
    """Every sequence of different cells, and those kept whose steps are of length one."""
    places = [divmod(cell, 3) for cell in range(9)]

    def is_step(a: int, b: int) -> bool:
        return sum(abs(x - y) for x, y in zip(places[a], places[b], strict=True)) == 1

    kept = [path for path in permutations(range(9), n_cells) if all(is_step(a, b) for a, b in pairwise(path))]
    assert sorted(oracle.paths(n_cells)) == kept


def test_sets_of_cells() -> None:
    """Round a square of four cells there are four paths of four; all other sets of 3 or 4 cells have one."""
    n_sets = {n: len(oracle.cells_of(oracle.paths(n))) for n in (2, 3, 4, 5)}
    assert n_sets[2] == 12
    assert n_sets[3] == 22
    assert n_sets[4] == 40 - 4 * 3
    squares = {
        cells for cells in oracle.cells_of(oracle.paths(4)) if cells[1] == cells[0] + 1 and cells[2] == cells[0] + 3
    }
    assert {(c, c + 1, c + 3, c + 4) for c in (0, 1, 3, 4)} <= squares
    for cells in oracle.cells_of(oracle.paths(4)):
        n_paths = sum(tuple(sorted(path)) == cells for path in oracle.paths(4))
        assert n_paths == (8 if cells in {(c, c + 1, c + 3, c + 4) for c in (0, 1, 3, 4)} else 2)


def test_missing_by_hand() -> None:
    """1 and 2 make the bun 4, 3 is another ingredient."""
    recipes, along = {4: (1, 2)}, oracle.paths(3)
    empty = (0,) * 9
    assert oracle.missing((1, 4, 3), empty, along, recipes) == 4  # 1, two for the bun, 3
    assert oracle.missing((1, 4, 3), (0, 2, *empty[2:]), along, recipes) == 3  # the bun's other half
    assert oracle.missing((1, 4, 3), (1, 2, 0, 0, 3, *empty[5:]), along, recipes) == 1  # round the corner
    assert oracle.missing((1, 4, 3), (1, 2, 0, 0, 3, *empty[5:]), oracle.paths(3, bends=False), recipes) == 2
    assert oracle.missing((1, 4, 3), (3, 4, 1, *empty[3:]), along, recipes) == 0  # from its end
    assert oracle.missing((1, 4, 3), (3, 4, 1, *empty[3:]), oracle.paths(3, reversal=False), recipes) == 3
    assert oracle.missing((1, 4, 3), (3,) * 9, along, recipes) is None
    assert (
        oracle.missing((3, 3), (4, 0, 4, 0, 4, 0, 4, 0, 4), oracle.paths(2), recipes) is None
    )  # no two cells are left


# ------------------------------------------------------------------------------------------------------- random puzzles


class Puzzle(NamedTuple):
    """A box, and bakeries each with an order."""

    rules: Rules
    recipes: Recipes
    orders: list[tuple[int, ...]]
    bakeries: list[Bakery]
    ids: list[int]


def any_order(luck: random.Random, n_items: int, *, repeat: float = 0.5) -> tuple[int, ...]:
    """Items by number from 1, of 2 to 5 places: often twice the same, often the same from either end."""
    items: list[int] = []
    for _ in range(luck.randint(2, 5)):
        items.append(luck.choice(items) if items and luck.random() < repeat else luck.randint(1, n_items))
    if luck.random() < 0.3:
        items[-1 : -len(items) // 2 - 1 : -1] = items[: (len(items) + 1) // 2]
    return tuple(items)


def any_puzzle(seed: int, n: int, **readings: Any) -> Puzzle:
    """A random box with as many bakeries: of all fillings, many with most of the order in them."""
    luck = random.Random(seed)
    n_ingredients, n_buns = luck.randint(2, 5), luck.randint(0, 3)
    ingredients = [f"i{k}" for k in range(n_ingredients)]
    pairs = [(a, b) for a in range(n_ingredients) for b in range(a, n_ingredients)]
    chosen = luck.sample(pairs, min(n_buns, len(pairs)))
    buns = [{"name": f"b{k}", "of": [ingredients[a], ingredients[b]]} for k, (a, b) in enumerate(chosen)]
    names = ["", *ingredients, *(str(bun["name"]) for bun in buns)]
    orders = [any_order(luck, len(names) - 1) for _ in range(24)]
    told = [{"name": f"o{k}", "items": [names[i] for i in order], "coins": 1} for k, order in enumerate(orders)]
    rules = rules_with(
        ingredients=ingredients, buns=buns, bun_copies=9, small_orders=told[:12], large_orders=told[12:], **readings
    )
    recipes = {n_ingredients + 1 + k: (a + 1, b + 1) for k, (a, b) in enumerate(chosen)}
    ids = [luck.randrange(len(orders)) for _ in range(n)]
    bakeries = [any_bakery(luck, len(names) - 1, orders[each], recipes) for each in ids]
    return Puzzle(rules, recipes, orders, bakeries, ids)


def any_bakery(luck: random.Random, n_items: int, order: Sequence[int], recipes: Recipes) -> Bakery:
    """Cells at random; mostly an order is laid along some walk first, with some of it missing."""
    p_empty = luck.choice([0.0, 0.2, 0.5, 0.9])
    cells = [0 if luck.random() < p_empty else luck.randint(1, n_items) for _ in range(9)]
    if luck.random() < 0.6:
        halves = [luck.choice(recipes[item]) if item in recipes and luck.random() < 0.4 else item for item in order]
        for cell, item in zip(luck.choice(oracle.paths(len(order))), halves, strict=True):
            cells[cell] = item if luck.random() < 0.8 else 0
    return tuple(cells)


Along = Callable[[Puzzle, int], Sequence[Path]]


def allowed(puzzle_: Puzzle, n_cells: int) -> Sequence[Path]:
    """The paths that the rules of a puzzle allow."""
    return oracle.paths(n_cells, puzzle_.rules.bends, puzzle_.rules.reversal)


def told(given: Puzzle, along: Along = allowed) -> dict[str, list[Any]]:
    """What the oracle says of every bakery and its order."""
    orders = [given.orders[each] for each in given.ids]
    routes = {n: along(given, n) for n in range(2, 6)}
    each = [(order, bakery, routes[len(order)]) for order, bakery in zip(orders, given.bakeries, strict=True)]
    return {
        "where": [oracle.where(order, bakery, route) for order, bakery, route in each],
        "missing": [oracle.missing(order, bakery, route, given.recipes) for order, bakery, route in each],
    }


def found(given: Puzzle) -> dict[str, list[Any]]:
    """What the production says of them."""
    bakery, ids = np.array(given.bakeries, np.uint8).T.copy(), np.array(given.ids, np.uint8)
    held = puzzle.fitting_sets(given.rules, bakery, ids)
    assert np.array_equal(puzzle.fits(given.rules, bakery, ids), held.any(axis=0))
    sets = puzzle.cell_sets(given.rules.longest)
    fewest = puzzle.missing(given.rules, bakery, ids)
    assert fewest.dtype == np.uint8
    return {
        "where": [{sets[row] for row in np.flatnonzero(column)} for column in held.T],
        "missing": [None if n >= puzzle.BAR else int(n) for n in fewest],
    }


def n_different(given: Puzzle, what: str, along: Along = allowed) -> int:
    """Puzzles of which the two say different things."""
    return sum(a != b for a, b in zip(found(given)[what], told(given, along)[what], strict=True))


@pytest.mark.parametrize(("bends", "reversal"), READINGS)
@pytest.mark.parametrize("seed", range(6))
def test_the_production_finds_orders_where_the_oracle_does(
    monkeypatch: pytest.MonkeyPatch, seed: int, bends: bool, reversal: bool
) -> None:
    monkeypatch.setattr(puzzle, "BLOCK", 64)  # several blocks, the last not full
    given = any_puzzle(seed, 150, bends=bends, reversal=reversal)
    truth = told(given)
    assert found(given) == truth
    assert sum(map(bool, truth["where"])) > 1
    assert len(set(truth["missing"])) > 3


@pytest.mark.slow
@pytest.mark.parametrize(("bends", "reversal"), READINGS)
@pytest.mark.parametrize("seed", range(100, 112))
def test_the_production_finds_orders_where_the_oracle_does_over_and_over(
    seed: int, bends: bool, reversal: bool
) -> None:
    given = any_puzzle(seed, 5000, bends=bends, reversal=reversal)
    assert found(given) == told(given)


@pytest.mark.parametrize(("bends", "reversal"), READINGS)
def test_steps_make_fewer_cards_missing(bends: bool, reversal: bool) -> None:
    n_steps = 0
    for seed in range(200, 204):
        given = any_puzzle(seed, 8, bends=bends, reversal=reversal)
        bakery, ids = np.array(given.bakeries, np.uint8).T.copy(), np.array(given.ids, np.uint8)
        kinds = range(1, given.rules.n_ingredients + 1)
        steps = puzzle.steps(given.rules, bakery, ids)
        for item in kinds:
            cells = (steps & puzzle.bit_of(np.uint8(item))) != 0
            for column, each in enumerate(given.ids):
                order = given.orders[each]
                route, here = allowed(given, len(order)), given.bakeries[column]
                truth = [oracle.is_step(order, here, route, given.recipes, cell, item) for cell in range(9)]
                assert cells[:, column].tolist() == truth, (order, here, item)
                n_steps += sum(truth)
    assert n_steps > 30


def test_no_order_never_fits() -> None:
    given = any_puzzle(7, 20)
    bakery, ids = np.array(given.bakeries, np.uint8).T.copy(), np.full(20, NO_ORDER, np.uint8)
    assert not puzzle.fits(given.rules, bakery, ids).any()
    assert not puzzle.fitting_sets(given.rules, bakery, ids).any()
    assert (puzzle.missing(given.rules, bakery, ids) >= puzzle.BAR).all()


def test_sets_of_cells_are_numbered_alike() -> None:
    for longest in (2, 3, 4, 5):
        all_paths = [path for n in range(2, longest + 1) for path in oracle.paths(n)]
        assert list(puzzle.cell_sets(longest)) == oracle.cells_of(all_paths)


def test_counting_what_is_missing_is_putting_cards_down() -> None:
    """The definition itself: the shortest way to a bakery that holds the order, card by card."""
    n_compared = 0
    for seed in range(300, 340):
        given = any_puzzle(seed, 4)
        for bakery, each in zip(given.bakeries, given.ids, strict=True):
            order, kinds = given.orders[each], range(1, given.rules.n_ingredients + 1)
            route = allowed(given, len(order))
            truth = oracle.missing(order, bakery, route, given.recipes)
            most = 2 if bakery.count(0) > 4 or len(kinds) > 3 else 3
            searched = oracle.missing_by_search(order, bakery, route, given.recipes, kinds, most)
            assert searched == (truth if truth is not None and truth <= most else None), (order, bakery)
            n_compared += searched is not None and searched > 0
    assert n_compared > 30


# --------------------------------------------------------------------------------------------------- negative controls


def crossing(given: Puzzle, n_cells: int) -> Sequence[Path]:
    """Walks that may come back to a cell."""
    every = (oracle.extended((start,), n_cells, oracle.next_to, revisit=True) for start in range(9))
    return [path for some in every for path in some]


def round_the_edge(given: Puzzle, n_cells: int) -> Sequence[Path]:
    """Cells whose numbers follow each other count as next to each other, also from row to row."""

    def steps(cell: int) -> list[int]:
        return [other for other in (cell - 3, cell - 1, cell + 1, cell + 3) if 0 <= other < 9]

    return [path for start in range(9) for path in oracle.extended((start,), n_cells, steps)]


def diagonal(given: Puzzle, n_cells: int) -> Sequence[Path]:
    """Steps to all eight cells around."""

    def steps(cell: int) -> list[int]:
        return [other for other in range(9) if max(abs(other // 3 - cell // 3), abs(other % 3 - cell % 3)) == 1]

    return [path for start in range(9) for path in oracle.extended((start,), n_cells, steps)]


def other_reading(given: Puzzle, n_cells: int) -> Sequence[Path]:
    return oracle.paths(n_cells, not given.rules.bends, given.rules.reversal)


def other_direction(given: Puzzle, n_cells: int) -> Sequence[Path]:
    return oracle.paths(n_cells, given.rules.bends, not given.rules.reversal)


@pytest.mark.parametrize("wrong", [crossing, round_the_edge, diagonal, other_reading, other_direction])
def test_other_paths_are_noticed(wrong: Along) -> None:
    given = any_puzzle(3, 300)
    assert not n_different(given, "where")
    assert n_different(given, "where", wrong)
    assert n_different(given, "missing", wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda item, here, recipes: 0 if here == item else 1 if not here or here in recipes.get(item, ()) else None,
        lambda item, here, recipes: 0 if here == item else None if here else 2 if item in recipes else 1,
        lambda item, here, recipes: 0 if here in (item, *recipes.get(item, ())) else None if here else 1,
    ],
    ids=["a bun is one card", "halves bar the cell", "halves are buns"],
)
def test_other_counts_are_noticed(monkeypatch: pytest.MonkeyPatch, wrong: Callable[..., int | None]) -> None:
    given = any_puzzle(3, 300)
    assert given.recipes
    assert not n_different(given, "missing")
    monkeypatch.setattr(oracle, "cards_for", wrong)
    assert n_different(given, "missing")
