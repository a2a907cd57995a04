"""Conditions on a run's columns mean what pandas' query means, and are nothing but comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.catalog import find_game
from simkit.errors import UserError
from simkit.games.tentacolor import GAME
from simkit.replaying.where import MAX_DEPTH, Condition, parse, seats_needed
from tests.toy.planned import TOY

LABELS = ("bold", "epsilon(random, p=0.1)", "deck-out")
SEATS, N = 3, 40


def columns(seed: int) -> dict[tuple[str, str], np.ndarray]:
    """Made columns of N games of three seats, small values so that they often meet."""
    rng = np.random.default_rng(seed)

    def seats(high: int) -> np.ndarray:
        return rng.integers(0, high, (SEATS, N)).astype(np.uint8)

    return {
        ("games", "rotation"): np.ones(N, np.uint8),
        ("games", "deal"): np.arange(100, 100 + N),
        ("games", "n_turns"): rng.integers(0, 6, N).astype(np.uint16),
        ("games", "n_rare"): rng.integers(0, 6, N).astype(np.uint16),
        ("games", "decided_by_tiebreak"): rng.integers(0, 2, N).astype(bool),
        ("games", "end_cause"): rng.integers(0, 3, N).astype(np.int8),
        ("seats", "score"): seats(6),
        ("seats", "rank"): seats(4),
        ("seats", "label"): seats(3),
    }


def parsed(text: str) -> Condition:
    return parse(text, GAME, LABELS)


def found(text: str, made: dict[tuple[str, str], np.ndarray]) -> list[int]:
    """The games that match, by place."""
    mask = parsed(text).mask(lambda table, name: made[table, name])
    assert mask.dtype == bool
    assert mask.shape == (N,)
    return mask.nonzero()[0].tolist()


def frame(made: dict[tuple[str, str], np.ndarray]) -> pd.DataFrame:
    """The same as pandas sees it: a column for each seat, names for codes."""
    plain = {name: values for (_, name), values in made.items() if values.ndim == 1}
    by_seat = {f"{n}_{seat + 1}": v[seat] for (_, n), v in made.items() if v.ndim == 2 for seat in range(SEATS)}
    table = pd.DataFrame(plain | by_seat)
    table["end_cause"] = np.array(GAME.all_end_causes)[table["end_cause"]]
    for seat in range(1, SEATS + 1):
        table[f"label_{seat}"] = np.array(LABELS)[table[f"label_{seat}"]]
    return table


SIGNS = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
NUMBERS = st.one_of(st.integers(-2, 7).map(str), st.sampled_from(["2.5", "-0.5", "3.0", "1000000"]))
NUMERIC = ["n_turns", "n_rare", "deal", *(f"{name}[{seat}]" for name in ("score", "rank") for seat in (1, 2, 3))]


def in_pandas(column: str) -> str:
    return column.replace("[", "_").replace("]", "")


@st.composite
def compared(draw: Any) -> tuple[str, str]:
    """A comparison as we write it and as pandas does."""
    kind = draw(st.sampled_from(["number", "column", "any", "name", "bool", "alone"]))
    if kind in ("number", "column"):
        left, sign = draw(st.sampled_from(NUMERIC)), draw(SIGNS)
        right = draw(NUMBERS if kind == "number" else st.sampled_from(NUMERIC))
        ours = f"{left} {sign if sign != '==' else draw(st.sampled_from(['=', '==']))} {right}"
        return ours, f"{in_pandas(left)} {sign} {in_pandas(right)}"
    if kind == "any":
        sign, right = draw(SIGNS), draw(NUMBERS)
        return f"score[any]{sign}{right}", " or ".join(f"(score_{seat} {sign} {right})" for seat in (1, 2, 3))
    if kind == "name":
        left, names = draw(st.sampled_from([("label[2]", LABELS), ("end_cause", GAME.all_end_causes)]))
        sign, name = draw(st.sampled_from(["=", "!="])), draw(st.sampled_from(names))
        return f"{left} {sign} '{name}'", f"{in_pandas(left)} {'==' if sign == '=' else sign} '{name}'"
    if kind == "bool":
        value = draw(st.booleans())
        return f"decided_by_tiebreak = {str(value).lower()}", f"decided_by_tiebreak == {value}"
    return "games.decided_by_tiebreak", "decided_by_tiebreak == True"


def joined(parts: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    """Conditions made of conditions; ours with as few parentheses as the order of `and` and `or` allows."""

    def both(word: str, pair: tuple[tuple[str, str], tuple[str, str]]) -> tuple[str, str]:
        (a, pa), (b, pb) = pair
        if word == "and":
            a, b = (f"({text})" if " or " in text else text for text in (a, b))
        return f"{a} {word} {b}", f"(({pa}) {word} ({pb}))"

    pairs = st.tuples(parts, parts)
    return st.one_of(
        pairs.map(lambda pair: both("and", pair)),
        pairs.map(lambda pair: both("or", pair)),
        parts.map(lambda part: (f"not ({part[0]})", f"(not ({part[1]}))")),
    )


@given(pair=st.recursive(compared(), joined, max_leaves=6), seed=st.integers(0, 20))
def test_means_what_pandas_means(pair: tuple[str, str], seed: int) -> None:
    made = columns(seed)
    wanted = frame(made).query(pair[1], engine="python")
    assert found(pair[0], made) == wanted.index.tolist()


def test_and_binds_closer_than_or() -> None:
    """By hand: one false, the others true."""
    made = columns(1)
    made["games", "n_turns"][:] = 5
    every = list(range(N))
    assert found("n_turns = 5 or n_turns = 1 and n_turns = 2", made) == every
    assert found("(n_turns = 5 or n_turns = 1) and n_turns = 2", made) == []
    assert found("not n_turns = 1 and n_turns = 5", made) == every
    assert found("not (n_turns = 5 and n_turns = 1)", made) == every
    assert found("NOT n_turns=1 AND n_turns=5", made) == every


def test_any_seat_is_the_same_on_both_sides() -> None:
    made = columns(2)
    score, rank = made["seats", "score"], made["seats", "rank"]
    score[:], rank[:] = 1, 0
    score[2, 7], rank[2, 7] = 3, 3
    score[0, 8], rank[1, 8] = 4, 4
    assert found("score[any] = rank[any]", made) == [7]
    assert found("score[any] > score[1]", made) == [7]
    assert found("not score[any] > 1", made) == [n for n in range(N) if n not in (7, 8)]


def test_names_may_stand_without_quotes() -> None:
    made = columns(3)
    assert (
        found("end_cause = deck-out", made)
        == found("end_cause = 'deck-out'", made)
        == found('end_cause="deck-out"', made)
    )
    assert found("label[1] = bold", made)
    assert found('label[1] = "epsilon(random, p=0.1)"', made)


def test_numbers_beyond_a_columns_type() -> None:
    made = columns(4)
    assert found("score[1] < 300", made) == found("score[1] > -1", made) == list(range(N))
    assert found("score[1] = 256", made) == []
    assert found("n_turns < 100000000000000000", made) == list(range(N))


def test_seats_that_a_table_must_have() -> None:
    assert seats_needed(parsed("n_turns > 3")) == 0
    assert seats_needed(parsed("score[any] > 3")) == 0
    assert seats_needed(parsed("score[1] > score[3] or not rank[2] = 1")) == 3


def test_columns_of_a_cooperative_game() -> None:
    game = find_game("beacon", TOY)
    made = {("games", "won"): np.array([True, False]), ("games", "end_cause"): np.array([0, 1])}
    for text, mask in (("won", [1, 0]), ("not won", [0, 1]), ("end_cause = 'line of light'", [1, 0])):
        assert parse(text, game, LABELS).mask(lambda t, n: made[t, n]).tolist() == [bool(m) for m in mask]
    with pytest.raises(UserError, match="unknown column `score`"):
        parse("score[1] > 3", game, LABELS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a column"),
        ("   ", "a column"),
        ("n_turn > 3", "did you mean `n_turns`"),
        ("seats.n_turns > 3", "unknown column `seats.n_turns`"),
        ("games.score[1] > 3", "unknown column `games.score`"),
        ("rows.n_turns > 3", "unknown column `rows.n_turns`"),
        ("score > 3", "score[1]"),
        ("n_turns[1] > 3", "whole game"),
        ("score[0] > 3", "from 1"),
        ("score[-1] > 3", "from 1"),
        ("score[1.5] > 3", "from 1"),
        ("score[all] > 3", "from 1"),
        ("score[1 > 3", "`]`"),
        ("score[", "`]`"),
        ("end_cause = deckout", "did you mean `deck-out`"),
        ("end_cause < deck-out", "no order"),
        ("end_cause = 1", "one of its values"),
        ("label[1] = nobody", "Allowed"),
        ("decided_by_tiebreak > true", "no order"),
        ("decided_by_tiebreak = 1", "true or false"),
        ("n_turns = true", "a number"),
        ("n_turns = deck-out", "unknown column `deck-out`"),
        ("n_turns = end_cause", "must be compared with one"),
        ("n_turns", "a sign after `n_turns`"),
        ("n_turns >", "found `the end`"),
        ("n_turns > 3 and", "found `the end`"),
        ("n_turns > 3 n_turns < 9", "`and`, `or`"),
        ("(n_turns > 3", "`)`"),
        ("n_turns > 3)", "found `)`"),
        ("40 < n_turns", "a column"),
        ("n_turns > 3x", "found `3x"),
        ("n_turns > 1e9", "found `1e9"),
        ("n_turns > " + "9" * 19, "digits"),
        ("n_turns > 3; import os", "found `; import os`"),
        ("__import__('os').system('true')", "found `.system"),
        ("__import__('os')", "unknown column `__import__`"),
        ("n_turns.__class__ = 3", "unknown column `n_turns.__class__`"),
        ("n_turns > (lambda: 3)()", "found `: 3)"),
        ("n_turns > (lambda)", "a number"),
        ("@n_turns > 3", "found `@n_turns"),
        ("n_turns > `os`", "found ``os``"),
        ("n_turns > 3 # more", "found `# more`"),
        ("n_turns > 3 \x1b[31m", r"\x1b[31m"),
        ("n_turns > '3", "found `'3`"),
        ("not", "a column"),
        ("n_turns > 3 and " * 200 + "n_turns > 3", "characters"),
        ("(" * (MAX_DEPTH + 1) + "n_turns > 3", "deep"),
        ("not " * (MAX_DEPTH + 1) + "n_turns > 3", "deep"),
    ],
)
def test_what_is_no_condition_is_one_message(text: str, said: str) -> None:
    with pytest.raises(UserError) as error:
        parsed(text)
    message = str(error.value)
    assert message.startswith("`--where`: ")
    assert said in message
    assert message.isprintable()


def test_as_deep_as_is_allowed() -> None:
    """The control of the last two."""
    deep = MAX_DEPTH - 1
    assert found("(" * deep + "n_turns >= 0" + ")" * deep, columns(5)) == list(range(N))


@given(text=st.text(alphabet="()[]=<>!.'\"-_ 0123456789abnotruedkscr", max_size=40))
def test_anything_else_is_a_users_mistake(text: str) -> None:
    """Whatever is typed gives a condition or one message."""
    try:
        read = [str(field) for field in parsed(text).fields()]
    except UserError as error:
        read = [str(error).partition("`--where`: ")[2]]
    assert all(read)
    assert read
