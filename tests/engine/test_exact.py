"""Topics and answers: what is refused, and questions of other kinds that the same interface holds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simkit.exact import LISTED, Answer, ExactProbability, Measure, Topic, Value

HALF = Fraction(1, 2)
HEADS, TAILS = Measure("heads", "coins", "up"), Measure("tails", "coins", "down")


class Options(BaseModel):
    """A number, a list and a probability."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    n: int = Field(description="how many")
    counts: Annotated[tuple[int, ...], LISTED] = Field((1,), description="some numbers")
    p: ExactProbability | None = Field(None, description="a probability")


def test_options_are_read_from_text_and_taken_as_they_are() -> None:
    typed = Options.model_validate({"n": "3", "counts": "2,1,0", "p": "0.45"})
    assert typed == Options(n=3, counts=(2, 1, 0), p=Fraction(9, 20))
    assert Options(n=1, p=0.45) == Options(n=1, p="9/20")


@pytest.mark.parametrize("p", [True, "x", "1/0", float("nan"), float("inf"), 1.01, Fraction(-1, 2), "1e3", [1], None])
def test_what_is_no_probability(p: Any) -> None:
    if p is None:
        assert Options(n=1, p=p).p is None
    else:
        with pytest.raises(ValidationError):
            Options(n=1, p=p)


def test_an_answer_is_a_distribution() -> None:
    answer = Answer(("",), (HEADS, TAILS), {(0, 2): HALF / 2, (1, 1): HALF, (2, 0): HALF / 2, (3, 3): Fraction(0)})
    assert answer.outcomes() == [((1, 1), HALF), ((0, 2), HALF / 2), ((2, 0), HALF / 2)]
    assert answer.marginal("tails") == {0: HALF / 2, 1: HALF, 2: HALF / 2}
    assert answer.mean("heads") == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"distribution": {(0,): HALF}}, "add up to 1; found 1/2"),
        ({"distribution": {(0,): Fraction(2), (1,): Fraction(-1)}}, "at least 0"),
        ({"distribution": {(0, 1): Fraction(1)}}, "a number for each of"),
        ({"measures": (HEADS, HEADS)}, "names of their own"),
        ({"measures": (Measure("p", "", ""),)}, "names of their own"),
        ({"shown": ("tails",)}, "must show measures of the answer"),
    ],
)
def test_what_is_no_answer(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Answer(("",), **{"measures": (HEADS,), "distribution": {(0,): Fraction(1)}} | wrong)


def model(name: str = "n", description: str | None = "how many", **config: Any) -> type[BaseModel]:
    """A model of one option."""
    config = {"frozen": True} | config
    fields = {"__annotations__": {name: int}, name: Field(1, description=description)}
    return type("Asked", (BaseModel,), {"__module__": __name__, "model_config": config, **fields})


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("A topic", model(), "a-z, 0-9 and -"),
        ("topic", model(frozen=False), "must be frozen"),
        ("topic", model(description=None), "needs a description"),
        ("topic", model("quiet"), "needs a description, and a name that is none of set, csv"),
    ],
)
def test_what_is_no_topic(name: str, options: type[BaseModel], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Topic(name, "", options, lambda rules, options: Answer(("",)))
    Topic("topic", "", model(), lambda rules, options: Answer(("",)))


# ------------------------------------------------------------------------------------------- questions of other kinds


def test_draws_until_something_happens() -> None:
    """Tokens drawn from a bag until the third of three marked ones among thirty: the mean is 3 * 31 / 4."""
    waits = {(n,): Fraction(comb(n - 1, 2), comb(30, 3)) for n in range(3, 31)}
    answer = Answer(("",), (Measure("draws", "tokens", "until the step"),), waits)
    assert answer.mean("draws") == Fraction(93, 4)


def test_dice_that_may_be_rolled_again() -> None:
    """Three dice of faces 0, 1, 2, each rolled again once if it shows 0: the chance of four at least, as a value.

    In ninths a die gives 0, 1, 2 with 1, 4, 4. Of 729: 2 2 2 has 64, 2 2 1 three times 64, 2 1 1 as well, 2 2 0 three
    times 16.
    """
    face = {0: Fraction(1, 9), 1: Fraction(4, 9), 2: Fraction(4, 9)}
    totals: dict[tuple[int, ...], Fraction] = {}
    for a, b, c in product(face, repeat=3):
        totals[(a + b + c,)] = totals.get((a + b + c,), Fraction(0)) + face[a] * face[b] * face[c]
    banished = sum((p for (total,), p in totals.items() if total >= 4), Fraction(0))
    answer = Answer(("",), (Measure("total", "pips", ""),), totals, (Value("banished", banished, "probability", ""),))
    assert answer.mean("total") == 4
    assert banished == Fraction(64 + 192 + 192 + 48, 729)


def test_counts_stand_alone() -> None:
    """Paths of one to four steps in a grid of nine, either way round: numbers, and no distribution."""
    cells = list(product(range(3), repeat=2))
    paths = [[cell] for cell in cells]
    values = []
    for n in range(2, 6):
        paths = [
            [*path, cell]
            for path in paths
            for cell in cells
            if cell not in path and abs(cell[0] - path[-1][0]) + abs(cell[1] - path[-1][1]) == 1
        ]
        values.append(Value(f"of_{n}", Fraction(len(paths), 2), "paths", f"of {n} cells"))
    answer = Answer(("",), values=tuple(values))
    assert [value.value for value in answer.values] == [12, 22, 40, 52]
    assert answer.outcomes() == []
