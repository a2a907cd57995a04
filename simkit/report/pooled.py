"""Strategies over all their games: what they do and get per seat that they hold, in all line-ups together.

Sums are kept by 64 groups of deals; line-ups share the deals, so that a deal's games are in one group whatever the
line-up, and the intervals rest on deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from simkit.report.cells import Cell, is_default
from simkit.report.study import Study
from simkit.stats.frequencies import tabulate
from simkit.stats.grouped import GROUPS, Sample, Sums, deals_in_groups, group_sums, ratio
from simkit.stats.intervals import LEVEL, Bounds, Estimate
from simkit.stats.shares import places

MOST_SETTINGS = 8
"""That are told apart; of more the base alone, or where this is not the game's own all of them together."""


@dataclass(frozen=True)
class Pool:
    """Cells whose games are counted together: a player count and a setting, all line-ups.

    Attributes
    ----------
    setting_name
        Empty where all cells are played alike.
    """

    players: int
    setting_name: str
    cells: tuple[Cell, ...]

    @property
    def labels(self) -> list[str]:
        """Who sits in its line-ups."""
        return list(dict.fromkeys(label for cell in self.cells for label in cell.labels))

    @property
    def n_deals(self) -> int:
        """That were counted: line-ups share them."""
        return max(int(cell.info.n_deals) for cell in self.cells)

    def where(self) -> dict[str, Any]:
        """What tables call it."""
        return {"players": self.players, "setting": self.setting_name, "line_up": ""}

    def games_of(self, label: str) -> int:
        """Games in which a strategy takes part."""
        return sum(cell.n_games for cell in self.cells if label in cell.labels)


def pools(study: Study) -> list[Pool]:
    """The groups of cells that tables by strategy tell apart."""
    found = []
    for players in dict.fromkeys(cell.info.players for cell in study.cells):
        mine = [cell for cell in study.cells if cell.info.players == players]
        names = list(dict.fromkeys(cell.setting_name for cell in mine))
        if len(names) > MOST_SETTINGS:
            usual = [cell for cell in mine if cell.is_base and is_default(cell.setting, defaults(study))]
            told = usual[0].setting_name if usual else f"{len(names)} settings together"
            found.append(Pool(players, told, tuple(usual or mine)))
        else:
            found += [Pool(players, name, tuple(c for c in mine if c.setting_name == name)) for name in names]
    return found


def pooled_words(study: Study) -> str:
    """What captions say of the cells that are counted together."""
    shown = pools(study)
    n_settings = len({cell.setting_name for cell in study.cells})
    line_ups = "all line-ups together" if any(len({c.labels for c in pool.cells}) > 1 for pool in shown) else ""
    if n_settings <= MOST_SETTINGS:
        return line_ups
    one = len({cell.setting_name for pool in shown for cell in pool.cells}) == 1
    settings = "with the default rules only" if one else f"{n_settings} settings together"
    return ", ".join(filter(None, (line_ups, settings)))


def defaults(study: Study) -> dict[str, Any]:
    """The components' values."""
    return {name: component.value for name, component in study.run.game.components.items()}


def label_order(study: Study) -> list[str]:
    """All strategies: the strongest first where they met, else as they are listed."""
    labels = list(dict.fromkeys(label for cell in study.cells for label in cell.labels))
    strengths = [study.strengths(*group) for group in study.groups]
    totals = {label: sum(found.get(label, 0.0) for found in strengths) for label in labels}
    return sorted(labels, key=lambda label: -totals[label])


# ---------------------------------------------------------------------------------------------------- columns of seats


@dataclass
class LabelSums:
    """What one strategy's seats have in a pool.

    Attributes
    ----------
    games
        Seats held, times games, by group.
    sums
        Columns of `seats`, by group.
    n_off, most
        By column: deals off the commonest value, and the highest value that any seat has.
    n_deals, n_games
    """

    n_deals: int
    n_games: int
    games: Sums = field(default_factory=lambda: np.zeros(GROUPS, np.int64))
    sums: dict[str, Sums] = field(default_factory=dict)
    n_off: dict[str, int] = field(default_factory=dict)
    most: dict[str, int] = field(default_factory=dict)

    def mean(self, column: str, level: float = LEVEL) -> Estimate:
        """Per game and seat, by the spread of 64 groups of deals."""
        sample = self._sample((0, max(self.most[column], 1)), level)
        return ratio(self.sums[column], self.games, sample, self.n_off[column])

    def ratio(self, tops: Sequence[str], bottoms: Sequence[str], bounds: Bounds, level: float = LEVEL) -> Estimate:
        """Sum of some columns per sum of others, by the spread of 64 groups; NaN where nothing is counted below."""
        top, bottom = (sum(self.sums[name] for name in names) for names in (tops, bottoms))
        n, total = int(np.sum(bottom)), int(np.sum(top))
        sample = self._sample(bounds, level)
        if n == 0:
            return Estimate(np.nan, *bounds, 0, level, "nothing counted", few_cases=True)
        n_off = min(total, abs(n - total)) if bounds == (0, 1) else total
        return ratio(np.asarray(top), np.asarray(bottom), sample, n_off)

    def _sample(self, bounds: Bounds, level: float) -> Sample:
        """What the groups come from."""
        return Sample(min(GROUPS, self.n_deals), self.n_deals, bounds, level)


def seat_sums(study: Study, pool: Pool, columns: Sequence[str]) -> dict[str, LabelSums]:
    """Sums of some columns of `seats` for each strategy of a pool, per seat that it holds."""
    found = {label: LabelSums(pool.n_deals, pool.games_of(label)) for label in pool.labels}
    for cell in pool.cells:
        held = {label: places(cell.labels, label, cell.info.rotations) for label in dict.fromkeys(cell.labels)}
        for label, where in held.items():
            found[label].games += deals_in_groups(cell.info.n_deals) * len(where)
        for column in columns:
            _add(study.run.column("seats", column, cell.id), column, held, found)
    most = {column: max(sums.most[column] for sums in found.values()) for column in columns}
    for sums in found.values():
        sums.most = most
    return found


def _add(values: Any, column: str, held: dict[str, list[tuple[int, int]]], found: dict[str, LabelSums]) -> None:
    """Add a cell's column (rotations, seats, n) to the sums of those who sit there."""
    for label, where in held.items():
        deals = np.zeros(values.shape[2], np.int64)
        for rotation, seat in where:
            deals += values[rotation, seat]
        mine = found[label]
        mine.sums[column] = mine.sums.get(column, np.zeros(GROUPS, np.int64)) + group_sums(deals)
        mine.n_off[column] = max(mine.n_off.get(column, 0), tabulate(deals).n_off)
        mine.most[column] = max(mine.most.get(column, 0), int(values.max(initial=0)))


# -------------------------------------------------------------------------------------------------------------- tallies


def counts_of(study: Study, tally: str, cells: Sequence[Cell]) -> pd.DataFrame:
    """A tally's counts, keys by their declared names; where it has a key `seat`, also who sits there (`label`)."""
    counts = study.run.tallies(tally, [cell.id for cell in cells]).copy()
    (declared,) = (t for t in study.run.game.tallies if t.name == tally)
    for key in declared.keys:
        if key.labels and not isinstance(counts[key.name].dtype, pd.CategoricalDtype):
            names = pd.Series(key.labels)[counts[key.name].to_numpy(int)]
            counts[key.name] = pd.Categorical(names, categories=list(key.labels))
    if "seat" not in counts:
        return counts
    return pd.concat(_with_labels(counts, cells), ignore_index=True)


def declared_values(study: Study, tally: str, key: str) -> list[str]:
    """The declared values of a tally's key, in order."""
    (found,) = (t for t in study.run.game.tallies if t.name == tally)
    return [name for declared in found.keys if declared.name == key for name in declared.labels]


def in_own_order(frame: pd.DataFrame, column: str, order: Sequence[str]) -> pd.DataFrame:
    """Rows by a column's own order; rows of equal rank stay as they are."""
    ranks = {name: rank for rank, name in enumerate(order)}
    return frame.sort_values(column, key=lambda names: names.astype(str).map(ranks), kind="stable")


def _with_labels(counts: pd.DataFrame, cells: Sequence[Cell]) -> Iterator[pd.DataFrame]:
    """Who sits where: seat s holds labels[(s + rotation) % seats]."""
    labels = {cell.id: np.array(cell.labels, object) for cell in cells}
    for cell_id, mine in counts.groupby("cell", observed=True):
        own = labels[str(cell_id)]
        sits = (mine["seat"].astype(int) + mine["rotation"].astype(int)) % len(own)
        yield mine.assign(label=own[sits.to_numpy()])


def seat_games(pool: Pool) -> pd.DataFrame:
    """The occasions of rates per game and seat: seats held times games, by label and group."""
    rows = []
    for label in pool.labels:
        games = np.zeros(GROUPS, np.int64)
        for cell in pool.cells:
            held = len(places(cell.labels, label, cell.info.rotations)) if label in cell.labels else 0
            games += deals_in_groups(cell.info.n_deals) * held
        rows.append(pd.DataFrame({"label": label, "group": range(GROUPS), "count": games}))
    return pd.concat(rows, ignore_index=True)
