"""Sampled designs: points spread evenly over axes, in place of every combination.

Points depend on the experiment's seed, the kind of design, the number of points, and the axes in their order; they are
the same on every platform. They come from SciPy, whose next versions may draw other ones: what is played is therefore
identified by its values, never by its number in a design.

References
----------
McKay, Beckman, Conover (1979), "A comparison of three methods for selecting values of input variables" (lhs);
Sobol' (1967), Owen (1998), "Scrambling Sobol' and Niederreiter-Xing points" (sobol).
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from simkit.planning.digests import digest
from simkit.planning.sweep import Axis


def design_points(axes: Sequence[Axis], design: str, n: int, seed: int) -> list[dict[str, Any]]:
    """What each point sets, by key.

    Parameters
    ----------
    axes
        Ranges, and lists of which each value is equally likely.
    design
        `lhs`: of n equal slices of each axis, each holds one point. `sobol`: so do all boxes of equal size that halving
        axes makes; the first half of the points of twice as many is the design of n.
    n
        Points; for `sobol` a power of two.
    seed
        The experiment's.
    """
    points = _unit_points(design, len(axes), n, int(digest({"design": design, "seed": seed})[:32], 16))
    return [
        {
            key: value
            for axis, u in zip(axes, point, strict=True)
            for key, value in zip(axis.keys, axis.at(u), strict=True)
        }
        for point in points
    ]


def _unit_points(design: str, dimensions: int, n: int, seed: int) -> list[list[float]]:
    """Points of the unit cube."""
    import numpy as np
    from scipy.stats import qmc

    kind: Any = {"lhs": qmc.LatinHypercube, "sobol": qmc.Sobol}[design]
    name = "rng" if "rng" in inspect.signature(kind).parameters else "seed"  # SciPy before 1.15
    points: list[list[float]] = kind(dimensions, **{name: np.random.default_rng(seed)}).random(n).tolist()
    return points
