"""Every path of Octobuns' 3x3 grid by plain recursion, and what an order needs of it, from the rulebook alone.

A bakery is a tuple of nine items, row by row, 0 for an empty cell. An order is a tuple of items. `recipes` says which
two ingredients make a bun: {bun: (ingredient, ingredient)}.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

Path = tuple[int, ...]
Bakery = tuple[int, ...]
Recipes = Mapping[int, tuple[int, int]]


def next_to(cell: int) -> list[int]:
    """The cells above, left, right and below."""
    row, column = divmod(cell, 3)
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [3 * r + c for r, c in around if 0 <= r <= 2 and 0 <= c <= 2]


def extended(
    path: Path, n_cells: int, steps: Callable[[int], Sequence[int]], *, revisit: bool = False
) -> Iterator[Path]:
    """The path and all that go on from it, of so many cells in the end."""
    if len(path) == n_cells:
        yield path
        return
    for cell in steps(path[-1]):
        if revisit or cell not in path:
            yield from extended((*path, cell), n_cells, steps, revisit=revisit)


def is_straight(path: Path) -> bool:
    """Whether the cells lie in one row or in one column."""
    return len({cell // 3 for cell in path}) == 1 or len({cell % 3 for cell in path}) == 1


def as_one_reads(path: Path) -> bool:
    """Whether every step goes right or down."""
    return all((b // 3, b % 3) in ((a // 3, a % 3 + 1), (a // 3 + 1, a % 3)) for a, b in pairwise(path))


@cache
def paths(n_cells: int, bends: bool = True, reversal: bool = True) -> tuple[Path, ...]:
    """The paths along which the items of an order may lie, from its first item to its last."""
    found = [path for start in range(9) for path in extended((start,), n_cells, next_to)]
    return tuple(path for path in found if (bends or is_straight(path)) and (reversal or as_one_reads(path)))


def cells_of(all_paths: Sequence[Path]) -> list[Path]:
    """The sets of cells of some paths, the smaller sets first, then by their cells."""
    return sorted({tuple(sorted(path)) for path in all_paths}, key=lambda cells: (len(cells), cells))


def where(order: Sequence[int], bakery: Bakery, along: Sequence[Path]) -> set[Path]:
    """The sets of cells that hold an order."""
    held = {path for path in along if [bakery[cell] for cell in path] == [*order]}
    return {tuple(sorted(path)) for path in held}


# ----------------------------------------------------------------------------------------------------- what is missing


def cards_for(item: int, here: int, recipes: Recipes) -> int | None:
    """Cards to be put down on a cell until it holds an item; None: it never will, nothing being taken away."""
    if here == item:
        return 0
    if here == 0:
        return 2 if item in recipes else 1
    return 1 if item in recipes and here in recipes[item] else None


def missing(order: Sequence[int], bakery: Bakery, along: Sequence[Path], recipes: Recipes) -> int | None:
    """The fewest cards to be put down until the order lies in the bakery; None: it never will."""
    totals = []
    for path in along:
        costs = [cards_for(item, bakery[cell], recipes) for item, cell in zip(order, path, strict=True)]
        if None not in costs:
            totals.append(sum(cost for cost in costs if cost is not None))
    return min(totals, default=None)


def put(bakery: Bakery, cell: int, item: int, recipes: Recipes) -> Bakery | None:
    """The bakery after an ingredient is put on a cell, empty or to be stacked on; None: it cannot be."""
    made = item
    if bakery[cell]:
        fitting = [bun for bun, pair in recipes.items() if sorted(pair) == sorted((item, bakery[cell]))]
        if not fitting:
            return None
        made = fitting[0]
    return (*bakery[:cell], made, *bakery[cell + 1 :])


def missing_by_search(
    order: Sequence[int], bakery: Bakery, along: Sequence[Path], recipes: Recipes, ingredients: Sequence[int], most: int
) -> int | None:
    """The same without counting: card after card is put down, anywhere, until the order lies there.

    None if `most` cards are not enough.
    """
    reached = {bakery}
    for n_cards in range(most + 1):
        if any(where(order, each, along) for each in reached):
            return n_cards
        every = {put(each, cell, item, recipes) for each in reached for cell in range(9) for item in ingredients}
        reached = {each for each in every if each is not None}
    return None


def is_step(
    order: Sequence[int], bakery: Bakery, along: Sequence[Path], recipes: Recipes, cell: int, item: int
) -> bool:
    """Whether one card fewer is missing once this ingredient lies on that cell."""
    after, before = put(bakery, cell, item, recipes), missing(order, bakery, along, recipes)
    return after is not None and before is not None and missing(order, after, along, recipes) == before - 1
