"""The Cthulhu Dice and the Tentacle Draw Bag, exactly, with icepool: a second reading of the rulebook, without simkit.

Dice are kept apart and in their order. A thrower looks at them, tries every choice of dice that may be rolled again,
and takes the one after which what is wanted is the most likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import icepool

KINDS = ("fear", "rage", "greed", "chaos", "eldritch")


def cthulhu_die(sides: Sequence[int]) -> icepool.Die[int]:
    """A die with so many sides of 0, 1 and 2 tentacles."""
    return icepool.Die({face: number for face, number in enumerate(sides) if number})


def cost(sides: Sequence[int], dice: int, by: str = "highest", is_free: bool = True) -> dict[int, Fraction]:
    """What a banishment costs, without rerolls."""
    die = cthulhu_die(sides)
    told = dice @ die if by == "sum" else die.highest(dice, 1)
    return shares(told if is_free else icepool.map(lambda n: max(n, 1), told))


def total(sides: Sequence[int], dice: int) -> dict[int, Fraction]:
    """What the dice come to, without rerolls."""
    return shares(dice @ cthulhu_die(sides))


def reached(
    sides: Sequence[int], dice: int, rerolls: int, is_good: Callable[[Sequence[int]], bool], how: str = "once"
) -> Fraction:
    """The chance of a good roll in the end, with the best choice of dice to roll again.

    Parameters
    ----------
    how
        once: up to so many dice, all of them at the same time; total: again and again, that many dice in all.
    """
    die = cthulhu_die(sides)

    @cache
    def chance(rolled: tuple[int, ...], left: int) -> Fraction:
        best = Fraction(is_good(rolled))
        for again in product((False, True), repeat=dice):
            if 0 < sum(again) <= left:
                after = left - sum(again) if how == "total" else 0
                ends = icepool.tupleize(*(die if one else kept for one, kept in zip(again, rolled, strict=True)))
                best = max(best, expected(ends, lambda end, after=after: chance(tuple(end), after)))
        return best

    return expected(icepool.tupleize(*[die] * dice), lambda rolled: chance(tuple(rolled), rerolls))


def expected(outcomes: Any, of: Callable[[Any], Fraction]) -> Fraction:
    """The mean of something over the outcomes."""
    return sum((Fraction(outcomes.probability(outcome)) * of(outcome) for outcome in outcomes), Fraction(0))


def attempts(p: Fraction) -> Fraction:
    """How often something is tried until it succeeds, as the time until a chain of states ends."""
    coin = icepool.coin(p.numerator, p.denominator)
    return icepool.mean_time_to_absorb(lambda is_sealed: is_sealed or coin, False, star=False)


def drawn(bag: Sequence[int], draws: int) -> dict[tuple[int, ...], Fraction]:
    """How many of each kind are dealt from a deck of such tentacles."""
    deck = icepool.Deck({kind: number for kind, number in zip(KINDS, bag, strict=True) if number})
    hands = deck.deal(min(draws, sum(bag))).expand()
    return shares(icepool.map(lambda *hand: tuple(hand.count(kind) for kind in KINDS), hands, star=True))


def draws_until(others: int, eldritch: int, needed: int) -> Fraction:
    """Draws until that many Eldritch are out of the bag, as the time until a chain of states ends."""

    def following(state: Any) -> Any:
        n_others, n_eldritch = state
        if n_eldritch == eldritch - needed:
            return state
        ways = {(n_others - 1, n_eldritch): n_others, (n_others, n_eldritch - 1): n_eldritch}
        return icepool.Die({after: n for after, n in ways.items() if n})

    return icepool.mean_time_to_absorb(following, icepool.Die([(others, eldritch)]), star=False)


def shares(outcomes: Any) -> dict[Any, Fraction]:
    """icepool's outcomes as fractions."""
    return {outcome: Fraction(outcomes.probability(outcome)) for outcome in outcomes}
