"""What chance does in games of Tiny Epic Cthulhu, seen by observers and summed up as martingales.

An event that has chance p, given all that happened before it, adds 1 - p to a sum if it happens and takes p off if not.
Whatever the players do and whenever games end, such a sum S stays near 0: with V the sum of p (1 - p), and for every
number x > 0, E exp(x S - (e^x - 1 - x) V) is at most 1 (Freedman 1975), so that by Ville's inequality

    x S > log(1 / a) + (e^x - 1 - x) V

ever holds with a probability of at most a. `bound` takes the best of some x, the probability being shared out among
them and both signs: it needs no assumption, neither on how many events there are nor that S is nearly normal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import exp, log
from typing import Any

import numpy as np
import numpy.typing as npt

from simkit.table import Table
from simkit.view import View
from tests.games.tiny_epic_cthulhu_likings import Likes

Array = npt.NDArray[Any]
KINDS = ("fear", "rage", "greed", "chaos", "eldritch")
SLOPES = [2.0**-k for k in range(12)]


def bound(variance: float, error_rate: float) -> float:
    """How far a sum may be from 0, given the sum of p (1 - p)."""
    share = log(2 * len(SLOPES) / error_rate)
    return min((share + (exp(x) - 1 - x) * variance) / x for x in SLOPES)


class Sums:
    """Sums of what happened less its chance, and of p (1 - p), by name."""

    def __init__(self) -> None:
        self.totals: dict[Hashable, float] = {}
        self.variances: dict[Hashable, float] = {}
        self.counts: dict[Hashable, int] = {}
        self.impossible: dict[Hashable, int] = {}

    def add(self, name: Hashable, happened: Any, p: Any) -> None:
        """Events, and the chances that they had."""
        happened, p = np.atleast_1d(happened), np.broadcast_to(np.asarray(p, float), np.shape(np.atleast_1d(happened)))
        never_so = happened != (p >= 1)
        for sums, more in (
            (self.totals, (happened - p).sum()),
            (self.variances, (p * (1 - p)).sum()),
            (self.counts, len(happened)),
            (self.impossible, np.count_nonzero(never_so & ((p <= 0) | (p >= 1)))),
        ):
            sums[name] = sums.get(name, 0) + more  # type: ignore[index, attr-defined]

    def far_off(self, error_rate: float) -> list[str]:
        """Names whose sum is too far from 0, with a chance below the error rate if all chances are right."""
        found = [f"{name}: {n} times what cannot be" for name, n in self.impossible.items() if n]
        for name, total in self.totals.items():
            most = bound(self.variances[name], error_rate / len(self.totals))
            if abs(total) > most:
                found.append(f"{name}: {total:+.1f} of {self.counts[name]} events, where {most:.1f} is possible")
        return found


class Watcher:
    """Calls a method named after the event, if there is one, with the games' deals and their fields."""

    def decided(self, table: Table, view: View, choice: Array) -> None:
        """Nothing is learned from choices."""

    def noted(self, table: Table, event: str, seat: int | None, games: Array | None, fields: Mapping[str, Any]) -> None:
        """Hand the event on."""
        columns = table.live.nonzero()[0] if games is None else games
        if len(columns):
            told = {
                name: (value[..., columns] if games is None else value) if isinstance(value, np.ndarray) else value
                for name, value in fields.items()
            }
            if hasattr(self, f"on_{event}"):
                getattr(self, f"on_{event}")(table, columns, table.deals[columns].astype(int), **told)
            self.after(table, columns, table.deals[columns].astype(int))

    def after(self, table: Table, columns: Array, deals: Array) -> None:
        """What every event may have changed."""


class DrawWatcher(Watcher):
    """Every tentacle drawn, and the bag as it was before.

    Attributes
    ----------
    draws
        For each event of some games: where they came from, bags (5, k), kinds (k,).
    """

    def __init__(self, n_deals: int) -> None:
        self.bag = np.zeros((5, n_deals), int)
        self.draws: list[tuple[str, Array, Array]] = []

    def on_draw(self, table: Table, columns: Array, deals: Array, source: str, kind: Array, accursed: Array) -> None:
        """One more in each of the games."""
        self.draws.append((source, self.bag[:, deals], kind.astype(int)))

    def after(self, table: Table, columns: Array, deals: Array) -> None:
        """The bag as it is now."""
        self.bag[:, deals] = table.state.bag[:, columns]

    def sums(self, chances: Callable[[Array], Array]) -> Sums:
        """All draws, and those from each place, against the chance of each kind by the bag: (5, k) -> (5, k)."""
        sums = Sums()
        for source in sorted({source for source, _, _ in self.draws}):
            drawn = [(bag, kind) for each, bag, kind in self.draws if each == source]
            bags, kinds = (np.concatenate(arrays, axis=-1) for arrays in zip(*drawn, strict=True))
            p = chances(bags)
            for number, name in enumerate(KINDS):
                for told in (name, f"{name} by {source}"):
                    sums.add(told, kinds == number, p[number])
        return sums


class StrengthWatcher(Watcher):
    """Draws and turns until strength first grows.

    Attributes
    ----------
    found
        (draws, turns) -> games.
    """

    def __init__(self, n_deals: int) -> None:
        self.found: Counter[tuple[int, int]] = Counter()
        self.n_draws, self.is_done = np.zeros(n_deals, int), np.zeros(n_deals, bool)

    def on_draw(self, table: Table, columns: Array, deals: Array, **told: Any) -> None:
        """One more."""
        self.n_draws[deals] += 1

    def on_strength(self, table: Table, columns: Array, deals: Array) -> None:
        """Count the first one of each game."""
        first = deals[~self.is_done[deals]]
        self.is_done[first] = True
        self.found.update((n, table.turn + 1) for n in self.n_draws[first].tolist())


class SpinWatcher(Watcher):
    """Where spins stop: pointer's town, icon, distance and half of the tail; and the segments."""

    def __init__(self) -> None:
        self.found: Counter[tuple[int, ...]] = Counter()
        self.segments: Counter[int] = Counter()

    def on_spin(
        self, table: Table, columns: Array, deals: Array, segment: Array, town: Array, tail: Array, colour: Array
    ) -> None:
        """Count them; the half of a tail's town is that of its colour, the two being different."""
        rules = table.rules
        sides = rules.side_colours[table.state.sides[tail, columns]]
        assert (sides[:, 0] != sides[:, 1]).all()
        assert ((sides[:, 0] == colour) | (sides[:, 1] == colour)).all()
        icons = np.array([ICONS.index(icon) for icon in rules.wheel])[segment]
        distance = (tail.astype(int) - town) % 5
        self.segments.update(segment.tolist())
        self.found.update(zip(*(x.tolist() for x in (town, icons, distance, sides[:, 1] == colour)), strict=True))


ICONS = ("madness", "shambler", "chaos", "fear power", "rage power", "greed power", "draw")


class DiceWatcher(Watcher):
    """Every die, every cost of a banishment, every portal tried.

    Attributes
    ----------
    faces
        How a die came to be rolled ("first", "again") -> what it showed.
    costs
        (dice, cost) of banishments, in the end.
    seals
        (number to reach, dice, whether it was reached) of portals.
    """

    def __init__(self, n_deals: int) -> None:
        self.faces: dict[str, list[int]] = {"first": [], "again": []}
        self.costs: list[tuple[int, int]] = []
        self.seals: list[tuple[int, int, bool]] = []
        self.dice, self.again = np.full((3, n_deals), -1), np.zeros(n_deals, int)

    def decided(self, table: Table, view: View, choice: Array) -> None:
        """Which dice are to be rolled again."""
        if view.decision.startswith("reroll"):
            asked = view.asked
            self.again[table.deals[view.columns[asked]].astype(int)] = choice[asked]

    def on_roll(self, table: Table, columns: Array, deals: Array, dice: Array, purpose: str, chaos: Array) -> None:
        """The first roll."""
        self.dice[: len(dice), deals] = dice
        self.faces["first"] += dice[dice >= 0].tolist()

    def on_reroll(self, table: Table, columns: Array, deals: Array, dice: Array) -> None:
        """The dice chosen, and no others, are new."""
        chosen = (self.again[deals] >> np.arange(len(dice))[:, None] & 1) != 0
        assert (dice[~chosen] == self.dice[: len(dice), deals][~chosen]).all()
        self.dice[: len(dice), deals] = dice
        self.faces["again"] += dice[chosen].tolist()

    def on_banish(self, table: Table, columns: Array, deals: Array, **told: Any) -> None:
        """The cost follows from the dice as they lie."""
        dice = self.dice[:, deals]
        self.costs += zip((dice >= 0).sum(axis=0).tolist(), dice.max(axis=0).tolist(), strict=True)

    def on_seal(self, table: Table, columns: Array, deals: Array, portal: Array, sealed: Array, paid: Array) -> None:
        """A portal's number is reached or not."""
        needs = [table.rules.portal_numbers[number] for number in portal.tolist()]
        self.seals += zip(needs, (self.dice[:, deals] >= 0).sum(axis=0).tolist(), sealed.tolist(), strict=True)


# ------------------------------------------------------------------------------------------------------- rerolling well


@dataclass(frozen=True)
class Rerolls(Likes):
    """Rolls dice again so that one tentacle pays for a Shambler, or a portal is sealed, as often as can be."""

    def choose(self, view: View) -> npt.NDArray[np.uint8]:
        """By going through all choices of dice and all that they may show."""
        if not view.decision.startswith("reroll"):
            return super().choose(view)
        need = view.need if view.decision == "reroll_seal" else np.full(view.n, 255)
        faces, again = tuple(view.rules.die), view.rules.rerolls == "total"
        chosen = np.zeros(view.n, np.uint8)
        for column in view.asked.nonzero()[0]:
            dice = tuple(n for n in view.dice[:, column].tolist() if n != 255)
            chosen[column] = best_reroll(faces, dice, int(view.n_rerolls[column]), again, int(need[column]))[1]
        return chosen


@cache
def best_reroll(
    faces: tuple[int, ...], dice: tuple[int, ...], left: int, again: bool, need: int
) -> tuple[Fraction, int]:
    """The best chance, and the dice to roll again, a bit each; need 255: all dice are to show 1 at most."""
    best = (Fraction(max(dice) <= 1 if need == 255 else sum(dice) >= need), 0)
    sides = [face for face, n in enumerate(faces) for _ in range(n)]
    for mask in range(1, 1 << len(dice)):
        rolled = [die for die in range(len(dice)) if mask >> die & 1]
        if len(rolled) > left:
            continue
        total = Fraction(0)
        for new in product(sides, repeat=len(rolled)):
            end = list(dice)
            for die, face in zip(rolled, new, strict=True):
                end[die] = face
            total += best_reroll(faces, tuple(sorted(end)), left - len(rolled) if again else 0, again, need)[0]
        best = max(best, (total / len(sides) ** len(rolled), mask), key=lambda way: way[0])
    return best
