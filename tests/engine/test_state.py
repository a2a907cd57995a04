"""States keep the games they are told to, and a history is a stack for every game."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simkit.history import History
from simkit.state import Field, State

FIELDS = (
    Field("one", "uint8", (), "", "a value a game"),
    Field("many", "int32", (3,), "", "three"),
    Field("board", "uint16", (3, 3), "", "nine"),
    Field("none", "uint8", (0,), "", "left out by the rules"),
)


class Part:
    """Remembers what it was told to keep."""

    def __init__(self) -> None:
        self.kept: list[list[int]] = []

    def take(self, games) -> None:
        self.kept.append(games.tolist())


def test_a_state_is_as_declared_and_empty():
    state = State(FIELDS, 7)
    for field in FIELDS:
        array = getattr(state, field.name)
        assert (str(array.dtype), array.shape) == (field.dtype, (*field.shape, 7))
        assert not array.any()


@given(st.permutations(range(6)), st.integers(0, 6))
def test_games_are_kept_with_all_that_is_theirs(order, n):
    state, part = State(FIELDS, 6), Part()
    state.add("part", part)
    for field in FIELDS:
        array = getattr(state, field.name)
        array[...] = np.arange(array.size).reshape(array.shape)
    before = {field.name: getattr(state, field.name).copy() for field in FIELDS}
    state.take(np.array(order[:n], np.intp))
    for name, array in before.items():
        assert getattr(state, name).tolist() == array[..., order[:n]].tolist()
    assert state.part is part
    assert part.kept == [order[:n]]


@given(st.data())
def test_a_history_is_a_stack_a_game(data):
    """Two stacks a game, pushed and popped in any games, some of which are dropped, against Python lists."""
    n, width = 4, 2
    history, stacks = History(2, width, n), [[[], []] for _ in range(n)]
    for step in range(data.draw(st.integers(1, 12))):
        games = np.array(data.draw(st.lists(st.sampled_from(range(len(stacks))), unique=True)), np.intp)
        what = data.draw(st.sampled_from(["push", "push all", "pop", "take"]))
        if what.startswith("push"):
            stack, games = step % 2, np.arange(len(stacks)) if what == "push all" else games
            tops = np.array([games + 10 * step, games * 0 + step], np.uint8)
            history.push(stack, tops, None if what == "push all" else games)
            for column, game in enumerate(games.tolist()):
                stacks[game][stack].append(tops[:, column].tolist())
        elif what == "pop":
            which = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(games), max_size=len(games))), np.intp)
            tops = history.pop(which, games)
            expected = [stacks[game][stack] for game, stack in zip(games.tolist(), which.tolist(), strict=True)]
            assert tops.T.tolist() == [stack.pop() if stack else [0, 0] for stack in expected]
        elif len(games):
            history.take(games)
            stacks = [stacks[game] for game in games.tolist()]


def test_a_stack_may_grow_high():
    """Far above the room guessed at first."""
    history, game = History(1, 1, 1), np.array([0])
    for value in range(200):
        history.push(0, np.array([[value]], np.uint8))
    assert [int(history.pop(game, game)[0, 0]) for _ in range(201)] == [*range(199, -1, -1), 0]
