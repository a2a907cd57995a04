"""Numbers and names in words: every estimate with its interval, as exact as it is known."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from simkit.stats.intervals import Estimate

SPACE = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Unit:
    """How values of a kind are shown.

    Parameters
    ----------
    scale
        Shown = value x scale.
    name
        Follows the number.
    signed
        A plus sign is shown: it is a change.
    most_digits
        After the point.
    """

    scale: float
    name: str
    signed: bool = False
    most_digits: int = 4

    def number(self, value: float, digits: int) -> str:
        """A bare number.

        Examples
        --------
        >>> Unit(100, "points", signed=True).number(-0.0123, 1)
        '−1.2'
        """
        shown = round(value * self.scale, digits) + 0.0
        return f"{shown:{'+' if self.signed and shown else ''},.{digits}f}".replace("-", MINUS)

    def digits(self, low: float, high: float) -> int:
        """Digits after the point that an interval of this width deserves."""
        half = (high - low) / 2 * self.scale
        wanted = math.ceil(-math.log10(half)) if math.isfinite(half) and half > 0 else 1
        return min(max(wanted, 1), self.most_digits)


PERCENT = Unit(100, "%")
POINTS = Unit(100, "points", signed=True)


def told(estimate: Estimate, unit: Unit) -> str:
    """An estimate with its interval.

    Examples
    --------
    >>> told(Estimate(0.36, 0.3591, 0.3609, 10**6, 0.95, "Wilson"), PERCENT).replace(SPACE, " ")
    '36.00 % (35.91 to 36.09)'
    """
    digits = unit.digits(estimate.low, estimate.high)
    ends = interval(estimate.low, estimate.high, unit, digits)
    return f"{unit.number(estimate.value, digits)}{SPACE}{unit.name} ({ends})"


def estimate_of(row: Any) -> Estimate:
    """The estimate of a table's row (its columns are those of `Estimate.row`)."""
    ends = (float(row["value"]), float(row["low"]), float(row["high"]), int(row["n_deals"]), float(row["level"]))
    return Estimate(*ends, str(row["method"]), bool(row["few_cases"]))


def interval(low: float, high: float, unit: Unit, digits: int) -> str:
    """The ends of an interval."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return "no interval"
    return f"{unit.number(low, digits)} to {unit.number(high, digits)}"


def columns(frame: pd.DataFrame, unit: Unit) -> tuple[list[str], list[str]]:
    """The values and intervals of a table's estimates, all to the digits that most of them deserve.

    Parameters
    ----------
    frame
        Columns `value`, `low`, `high`, `few_cases`.
    unit
    """
    each = [unit.digits(low, high) for low, high in zip(frame["low"], frame["high"], strict=True)]
    digits = sorted(each)[len(each) // 2] if each else 1
    values = [f"{unit.number(value, digits)}{SPACE}{unit.name}" for value in frame["value"]]
    ends = zip(frame["low"], frame["high"], frame["few_cases"], strict=True)
    return values, [interval(low, high, unit, digits) + (" (few cases)" if few else "") for low, high, few in ends]


def whole(number: float) -> str:
    """
    >>> whole(1234567)
    '1,234,567'
    """
    return f"{round(number):,}"


def about(number: int) -> str:
    """A number to two digits.

    >>> about(123456)
    '120,000'
    """
    return f"{round(number, 2 - len(str(number))):,}"


def level(probability: float) -> str:
    """
    >>> level(1 - 0.05 / 6).replace(SPACE, " "), level(0.95).replace(SPACE, " ")
    ('99.17 %', '95 %')
    """
    digits = 2 if probability < 0.9999 else 2 - math.floor(math.log10(1 - probability)) - 3
    return f"{100 * probability:.{digits}f}".rstrip("0").rstrip(".") + f"{SPACE}%"


def spelled(value: Any) -> str:
    """A rule's value as a config spells it.

    >>> spelled(True), spelled("spread"), spelled(((0, 2), (1, 3)))
    ('true', 'spread', '[[0, 2], [1, 3]]')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def seat_name(seat: int) -> str:
    """Seats are counted from 1: seat 1 starts."""
    return f"seat {seat + 1}"


def players_name(players: int) -> str:
    """
    >>> players_name(1), players_name(3)
    ('1 player', '3 players')
    """
    return f"{players} player{'' if players == 1 else 's'}"


def listed(items: Sequence[str]) -> str:
    """
    >>> listed(["2"]), listed(["2", "3"]), listed(["2", "3", "4"])
    ('2', '2 and 3', '2, 3 and 4')
    """
    return "".join(items) if len(items) < 2 else f"{', '.join(items[:-1])} and {items[-1]}"


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
