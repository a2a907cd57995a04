"""Why games end: the share of each end cause, in all and by each turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from simkit.stats.frequencies import PerDeal, share_of_rotations
from simkit.stats.intervals import LEVEL, proportion, share

Array = npt.NDArray[Any]


def cause_shares(causes: Array, labels: Sequence[str]) -> dict[str, PerDeal]:
    """The share of a deal's games that end by each cause.

    Parameters
    ----------
    causes : integer codes (rotations, n)
    labels
        Every declared cause, in the order of the codes; causes that never occur are reported too.
    """
    return {label: share_of_rotations(causes == code) for code, label in enumerate(labels)}


def incidence(
    turns: Array, endings: Mapping[str, Array], level: float = LEVEL, last: int | None = None
) -> pd.DataFrame:
    """Competing causes over turns: the share of all games that each has ended by the end of each turn.

    Every game is followed to its end and none is censored, so that the estimator of Aalen and Johansen is the plain
    share of games ended so far by the cause, and its interval that of a share: one game a deal, binomial; several, t
    over deals.

    Parameters
    ----------
    turns : int (rotations, n)
        That each game took.
    endings : bool (rotations, n) by cause
        Which games it ended; each game has one cause.
    level
        Of each interval by itself.
    last
        The last turn told; that of the longest game if left out.

    Returns
    -------
    DataFrame
        `cause`, `turn` (from 1) and the columns of an estimate.

    References
    ----------
    Aalen and Johansen (1978), Scandinavian Journal of Statistics 5, 141-150.

    Examples
    --------
    >>> turns, lost = np.array([[1, 2, 2, 3]]), np.array([[True, False, True, True]])
    >>> incidence(turns, {"lost": lost, "won": ~lost})["value"].tolist()
    [0.25, 0.5, 0.75, 0.0, 0.25, 0.25]
    """
    last = int(turns.max(initial=0)) if last is None else last
    rows = []
    for cause, ended in endings.items():
        found = _by_turn(turns, ended, last, level)
        rows += [{"cause": cause, "turn": turn} | one.row() for turn, one in enumerate(found, 1)]
    return pd.DataFrame(rows)


def _by_turn(turns: Array, ended: Array, last: int, level: float) -> list[Any]:
    """One cause's estimates, turn by turn."""
    if len(turns) == 1:
        counts = np.bincount(np.minimum(turns[0][ended[0]], last + 1), minlength=last + 1).cumsum()
        return [proportion(int(counts[turn]), turns.shape[1], level) for turn in range(1, last + 1)]
    by_turn = (share_of_rotations(ended & (turns <= turn)) for turn in range(1, last + 1))
    return [share(deals.frequencies(), level) for deals in by_turn]
