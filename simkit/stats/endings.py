"""Why games end: the share of each end cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from simkit.stats.frequencies import PerDeal, share_of_rotations

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
