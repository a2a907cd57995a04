"""Tallies count exactly what one would count game by game."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.game import Key, Tally
from simkit.results import GROUPS, Results
from simkit.strategy import Strategy
from simkit.table import Table
from simkit.tape import Tape

from .tiny import RULES, SEED, table_of, tiny_game

GAME = tiny_game(
    tallies=(
        Tally("one", (Key("a", 3),), "one key"),
        Tally("two", (Key("a", 3), Key("b", 5)), "two keys"),
        Tally("three", (Key("a", 3), Key("seat", lambda rules, seats: seats), Key("c", 7)), "three keys"),
        Tally("single", (Key("alone", 1), Key("b", 5), Key("kind", 2, labels=("good", "bad"))), "a key with one value"),
    )
)
SEATS = 2
SIZES = {"one": {"a": 3}, "two": {"a": 3, "b": 5}, "three": {"a": 3, "seat": SEATS, "c": 7}}
SIZES["single"] = {"alone": 1, "b": 5, "kind": 2}


def key_values(n: int, size: int):
    """A number for all games, or an array of any integer type."""
    arrays = st.lists(st.integers(0, size - 1), min_size=n, max_size=n)
    kinds = st.sampled_from(["uint8", "int8", "int32", "intp", "uint32"])
    return st.integers(0, size - 1) | st.builds(np.array, arrays, kinds)


def counted(table: Table, name: str) -> Counter:
    """Cells that are not empty: (keys ..., group) -> count."""
    counts = table.results.tallies()[name]
    return Counter({tuple(map(int, cell)): int(counts[tuple(cell)]) for cell in np.argwhere(counts)})


def by_hand(keys: dict, columns: list[int], deals: list[int]) -> Counter:
    """One game at a time: the column of the keys, and the deal."""
    value = {name: (lambda c, v=v: int(v[c]) if isinstance(v, np.ndarray) else v) for name, v in keys.items()}
    return Counter((*(value[name](c) for name in keys), deal % GROUPS) for c, deal in zip(columns, deals, strict=True))


@pytest.mark.parametrize("name", SIZES)
@given(data=st.data())
def test_counts_of_all_games(name, data):
    """Any mixture of numbers and arrays; games that are over are not counted."""
    n, first = data.draw(st.integers(1, 8)), data.draw(st.integers(0, 200))
    over = data.draw(st.sets(st.integers(0, n - 1)))
    table = table_of(Strategy(), Strategy(), n=n, first_deal=first, over=sorted(over), game=GAME)
    alive, expected = [game for game in range(n) if game not in over], Counter()
    for _ in range(data.draw(st.integers(1, 4))):
        keys = {key: data.draw(key_values(n, size)) for key, size in SIZES[name].items()}
        table.tally(name, **keys)
        expected += by_hand(keys, alive, [first + game for game in alive])
    assert counted(table, name) == expected


@pytest.mark.parametrize("name", SIZES)
@given(data=st.data())
def test_counts_of_some_games(name, data):
    first = data.draw(st.integers(0, 200))
    table, expected = table_of(Strategy(), Strategy(), n=8, first_deal=first, game=GAME), Counter()
    for _ in range(data.draw(st.integers(1, 4))):
        games = data.draw(st.lists(st.integers(0, 7), unique=True))
        keys = {key: data.draw(key_values(len(games), size)) for key, size in SIZES[name].items()}
        table.tally(name, np.array(games, np.intp), **keys)
        expected += by_hand(keys, list(range(len(games))), [first + game for game in games])
    assert counted(table, name) == expected


def test_a_game_that_ends_is_no_longer_counted():
    table = table_of(Strategy(), Strategy(), n=4, game=GAME)
    table.tally("one", a=1)
    table.finish(np.array([2]), "done")
    table.tally("one", a=np.array([0, 1, 2, 1]))
    table.tally("one", np.array([1, 2]), a=2)
    assert counted(table, "one") == Counter({(1, 0): 1, (1, 1): 2, (1, 2): 1, (1, 3): 2, (0, 0): 1, (2, 1): 1})


def test_groups_stay_with_their_games_when_others_are_dropped():
    table = table_of(Strategy(), Strategy(), n=6, first_deal=62, game=GAME)
    table.take(np.array([1, 3, 5]))
    table.tally("one", a=np.array([0, 1, 2]))
    assert counted(table, "one") == Counter({(0, 63): 1, (1, 1): 1, (2, 3): 1})


def test_batches_of_one_chunk_add_up():
    results = Results(GAME, RULES, SEATS, 10)
    for start in (0, 5):
        deals = np.arange(start, start + 5, dtype=np.uint64)
        table = Table(GAME, RULES, (Strategy(), Strategy()), Tape(SEED), deals, results, start)
        table.tally("two", a=1, b=np.arange(5))
    assert counted(table, "two") == Counter({(1, deal % 5, deal): 1 for deal in range(10)})


def test_sizes_may_depend_on_the_rules():
    game = tiny_game(
        tallies=(Tally("sized", (Key("step", lambda rules, seats: rules.steps * seats),), "by the rules"),)
    )
    rules = SimpleNamespace(steps=4, max_rounds=1)
    table = table_of(*[Strategy()] * 3, n=2, game=game, rules=rules)
    table.tally("sized", step=11)
    assert table.results.tallies()["sized"].shape == (12, GROUPS)
    assert counted(table, "sized") == Counter({(11, 0): 1, (11, 1): 1})


def test_a_tally_that_is_not_declared_is_an_error():
    with pytest.raises(KeyError):
        table_of(Strategy(), Strategy(), game=GAME).tally("four", a=1)


@pytest.mark.parametrize("keys", [{"a": 1}, {"a": 1, "b": 1, "c": 1}])
def test_keys_too_few_or_too_many_are_an_error(keys):
    with pytest.raises(ValueError, match="has the keys"):
        table_of(Strategy(), Strategy(), game=GAME).tally("two", **keys)


@pytest.mark.parametrize("keys", [{"b": 4, "a": 1}, {"b": np.full(5, 4), "a": np.full(5, 1)}])
def test_keys_are_known_by_name(keys):
    table = table_of(Strategy(), Strategy(), game=GAME)
    table.tally("two", **keys)
    assert counted(table, "two") == Counter({(1, 4, group): 1 for group in range(5)})


def test_a_value_beyond_its_keys_size_is_an_error():
    table = table_of(Strategy(), Strategy(), game=GAME)
    with pytest.raises((ValueError, IndexError)):
        table.tally("two", a=np.array([0, 0, 1, 1, 0]), b=np.array([0, 5, 1, 2, 3]))


@pytest.mark.parametrize("names", [("cell",), ("a", "group"), ("a", "a"), ("count",)], ids=str)
def test_a_key_with_the_name_of_a_column_of_the_engines_is_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=f"tally odd: a column must have a name of its own.*found `{names[-1]}`"):
        tiny_game(tallies=(Tally("odd", tuple(Key(name, 2) for name in names), ""),))
