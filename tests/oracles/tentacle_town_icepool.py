"""What a tentacle attack comes to, exactly, with icepool: a second reading of the rulebook, without simkit.

All dice are rolled as a pool, and a coin is tossed beforehand for every harpoon that might be thrown. What happens then
is settled by a referee that goes through the dice one by one; coins that are not needed drop out of the sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import icepool

FACES = ("skull", "arrow", "destroy", "new", "blank")
ORDERS = {"kill-first": ("skull", "arrow", "destroy", "new"), "retreat-first": ("arrow", "skull", "destroy", "new")}
DEFENDED = {"never": (), "buildings": ("destroy",), "all": ("destroy", "skull")}

Outcome = tuple[int, int, int, int, int]
"""Residents killed and fled, buildings destroyed, tentacles added and removed."""


def attack(
    dice: int,
    faces: Sequence[int],
    hit: Fraction,
    residents: int | None = None,
    buildings: int | None = None,
    harpoons: int = 0,
    order: str = "kill-first",
    defend: str = "never",
    owners: str = "other",
    shots: int = 1,
) -> dict[Outcome, Fraction]:
    """The joint distribution of what the attack does.

    Parameters
    ----------
    dice, faces, hit
        Dice rolled; how many faces show a skull, an arrow, a destroyed building, a new tentacle, nothing; how often a
        harpoon hits [probability].
    residents, buildings
        In the district; None for as many as can be hit.
    harpoons
        Of the seat whose turn it is, and of the seat that owns the buildings (`owners` "same": that is one seat).
    order, defend
        What comes first, and what is defended while harpoons are left: see `ORDERS` and `DEFENDED`.
    shots
        Harpoons that may be thrown at one result.
    """
    die = icepool.Die({face: number for face, number in zip(FACES, faces, strict=False) if number})
    coin = icepool.coin(hit.numerator, hit.denominator)
    tosses = icepool.tupleize(*[coin] * min(dice * shots, harpoons * (1 if owners == "same" else 2)))

    def settled(rolled: Any, tossed: Any) -> Outcome:
        return referee(rolled, tossed, residents, buildings, harpoons, order, defend, owners, shots)

    outcomes = icepool.map(settled, die.pool(dice).expand(), tosses, star=False)
    return {tuple(outcome): outcomes.probability(outcome) for outcome in outcomes}


def referee(
    rolled: Sequence[str],
    tossed: Sequence[bool],
    residents: int | None,
    buildings: int | None,
    harpoons: int,
    order: str,
    defend: str,
    owners: str,
    shots: int,
) -> Outcome:
    """One attack with all its luck known."""
    there = {"skull": len(rolled) if residents is None else residents}
    there["destroy"] = len(rolled) if buildings is None else buildings
    quivers = [harpoons, harpoons]  # of the seat whose turn it is, of the owner
    quiver_for = {"skull": 0, "destroy": 0 if owners == "same" else 1}
    coins = iter(tossed)
    done = dict.fromkeys((*FACES, "hit"), 0)
    for face in sorted((face for face in rolled if face != "blank"), key=ORDERS[order].index):
        target = "skull" if face == "arrow" else face
        if face == "new":
            done["new"] += 1
        elif there[target]:
            quiver, is_saved = quiver_for[target], False
            for _ in range(shots):
                if face in DEFENDED[defend] and quivers[quiver] and not is_saved:
                    quivers[quiver] -= 1
                    is_saved = next(coins)
            if is_saved:
                done["hit"] += 1
            else:
                there[target] -= 1
                done[face] += 1
    return done["skull"], done["arrow"], done["destroy"], done["new"], done["hit"]


def hunt(harpoons: int, tentacles: int, hit: Fraction, is_volley: bool = False) -> dict[tuple[int, int, int], Fraction]:
    """Harpoons thrown, hits rolled, and tentacles killed, of a hunt that goes on as long as it can."""

    def settled(tossed: Any) -> tuple[int, int, int]:
        thrown = list(tossed)
        while thrown and not is_volley and sum(thrown[:-1]) >= tentacles:  # the area was empty before the last
            thrown.pop()
        return len(thrown), sum(thrown), min(sum(thrown), tentacles)

    tosses = icepool.tupleize(*[icepool.coin(hit.numerator, hit.denominator)] * harpoons)
    outcomes = icepool.map(settled, tosses, star=False)
    return {tuple(outcome): outcomes.probability(outcome) for outcome in outcomes}
