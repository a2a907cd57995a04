"""What changes, deal by deal: between cells of a run that differ in a rule, or between two runs of the same cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from simkit.errors import UserError
from simkit.names import printable, unknown
from simkit.report.cells import Cell, Setting, arrange, nearest, value_names
from simkit.report.contest import MARGIN
from simkit.report.measures import Key, columns, difference_bounds, values_per_deal
from simkit.report.tables import keys, measure_name
from simkit.report.words import POINTS, Unit, about, spelled, whole
from simkit.report.words import columns as estimate_columns
from simkit.running.parts import columns_of
from simkit.stats import comparisons, intervals
from simkit.stats.comparisons import Difference, Side, against_margin, side
from simkit.stats.frequencies import PerDeal
from simkit.stats.intervals import Estimate
from simkit.stats.verdicts import family_level
from simkit.store import KEYS

TURNS = Unit(1, "turns", signed=True)
WORDS: dict[Side, str] = {"above": "rises", "below": "falls", "alike": "same", "undecided": "undecided"}


@dataclass(frozen=True)
class Place:
    """A cell and the run that holds it."""

    run: Any
    cell: Cell

    def per_deal(self, table: str, column: str) -> dict[Key, PerDeal]:
        """A column's measures, a value for each deal."""
        return values_per_deal(self.run, self.cell, column, self.run.column(table, column, self.cell.id))

    def judged(self) -> set[Key]:
        """The measures that have a verdict: the table's wins, each seat's, or each strategy's where several sit."""
        if self.run.game.cooperative:
            return {("table", "won")}
        if self.cell.is_mirror:
            return {("seat", str(seat)) for seat in range(self.cell.info.seats)}
        return {("label", label) for label in self.cell.labels}


@dataclass(frozen=True)
class Step:
    """From one cell to another: what is compared and what it is called.

    Parameters
    ----------
    before, after
    base, here
        What tells them apart.
    setting
        What they share, where the run has several.
    """

    before: Place
    after: Place
    base: str
    here: str
    setting: str


@dataclass(frozen=True)
class Changes:
    """Differences of headlines, after less before.

    Attributes
    ----------
    table
        A row per step and measure.
    margin
        Within which a share is the same [probability].
    level
        Of every interval, so that all verdicts hold at once at 95 %.
    n_verdicts
    is_paired
        The same deals on both sides.
    identical
        Cells without any difference, by name, and the deals that both have.
    only_first, only_second
        Cells that the other run does not have, by name.
    """

    table: pd.DataFrame
    margin: float
    level: float
    n_verdicts: int
    is_paired: bool = True
    identical: Mapping[str, int] = field(default_factory=dict)
    only_first: Sequence[str] = ()
    only_second: Sequence[str] = ()


def _changes(steps: Sequence[Step], margin: float, *, is_paired: bool = True, **found: Any) -> Changes:
    """Measure every step."""
    n_verdicts = sum(len(step.after.judged()) for step in steps)
    level = family_level(n_verdicts)
    rows = [row for step in steps for row in _rows(step, margin, level, is_paired)]
    frame = pd.DataFrame(rows).astype({"deals_needed": "Int64"}) if rows else pd.DataFrame()
    return Changes(frame, margin, level, n_verdicts, is_paired, **found)


def _rows(step: Step, margin: float, level: float, is_paired: bool) -> Iterator[dict[str, Any]]:
    """One step, measure by measure."""
    where = keys(step.after.cell) | {"setting": step.setting, "base": step.base, "here": step.here}
    judged = step.after.judged()
    for key, before, after, difference in _differences(step, level, is_paired):
        row = where | {"measure": measure_name(key), "kind": key[0]} | difference.row()
        row |= _level("before", before, key, step, level) | _level("after", after, key, step, level)
        verdict = against_margin(difference.estimate, margin) if key in judged else None
        needed = None if verdict is None else verdict.deals_needed
        yield row | {"verdict": "" if verdict is None else WORDS[side(verdict)], "deals_needed": needed}


def _differences(step: Step, level: float, is_paired: bool) -> Iterator[tuple[Key, PerDeal, PerDeal, Difference]]:
    """Each measure before and after, and its difference."""
    for table, column in columns(step.after.run.game):
        before, after = step.before.per_deal(table, column), step.after.per_deal(table, column)
        for key in after:
            bounds = difference_bounds(step.after.run, key, step.after.cell)
            yield key, before[key], after[key], _difference(before[key], after[key], level, bounds, is_paired)


def _difference(before: PerDeal, after: PerDeal, level: float, bounds: intervals.Bounds, is_paired: bool) -> Difference:
    """after - before."""
    if is_paired:
        return comparisons.paired(before, after, level, bounds)
    return comparisons.unpaired(before.frequencies(), after.frequencies(), level, bounds)


def _level(when: str, deals: PerDeal, key: Key, step: Step, level: float) -> dict[str, float]:
    """The measure itself, with its interval."""
    most = difference_bounds(step.after.run, key, step.after.cell)[1]
    found = deals.frequencies()
    estimate: Estimate = (
        intervals.mean(found, level, (0.0, most)) if key[0] == "turns" else intervals.share(found, level)
    )
    return {when: estimate.value, f"{when}_low": estimate.low, f"{when}_high": estimate.high}


def _arranged(run: Any) -> list[Cell]:
    """The run's cells, named."""
    return arrange(run.cells, _defaults(run))


def _defaults(run: Any) -> dict[str, Any]:
    """The components' values."""
    return {name: component.value for name, component in run.game.components.items()}


# --------------------------------------------------------------------------------------------------------- within a run


def by_keys(run: Any, by: Sequence[str], margin: float = MARGIN) -> Changes:
    """What some keys change: cells that differ in nothing else, on the same deals.

    Parameters
    ----------
    run
        A `simkit.store.Run`.
    by
        `rules.X` or `strategies.LABEL.PARAMETER`; of several the cells may differ in all. The base is the setting
        nearest to the game's defaults, or else the first.
    margin

    Raises
    ------
    UserError
        If a key is not known, or no two cells differ in these keys alone.
    """
    cells = _arranged(run)
    for key in by:
        _check_key(run, cells, key)
    kin: dict[Any, list[Cell]] = {}
    for cell in cells:
        own = {key for key, _ in cell.setting}
        if own.intersection(by):
            kin.setdefault((cell.kin, spelled(_rest(cell.setting, by))), []).append(cell)
    steps = [step for group in kin.values() for step in _steps(run, group, by)]
    if not steps:
        raise UserError(
            f"`--by` needs cells that differ in nothing but {_quoted(by)}; {printable(str(run.path))} has none. Keys "
            f"that were set together are named together, each with its own `--by`: {_varied(cells)}"
        )
    return _changes(steps, margin)


def _steps(run: Any, group: Sequence[Cell], by: Sequence[str]) -> Iterator[Step]:
    """From the base to each other cell of a group."""
    values = [_part(cell.setting, by) for cell in group]
    base = nearest(values, _defaults(run))
    first = Place(run, group[values.index(base)])
    for cell, value in zip(group, values, strict=True):
        if value != base:
            base_name, name = (", ".join(value_names(part, base, {})) for part in (base, value))
            rest = _rest(cell.setting, by)
            yield Step(first, Place(run, cell), base_name, name, ", ".join(value_names(rest, rest, {})))


def _part(setting: Setting, by: Sequence[str]) -> Setting:
    """The keys asked for."""
    return tuple((key, value) for key, value in setting if key in by)


def _rest(setting: Setting, by: Sequence[str]) -> Setting:
    """All the other keys."""
    return tuple((key, value) for key, value in setting if key not in by)


def _check_key(run: Any, cells: Sequence[Cell], key: str) -> None:
    """Refuse what no two cells could differ in."""
    if key == "players":
        raise UserError(
            "`--by` compares cells on the same deals, which tables of different numbers of players do not share; found "
            "`players`. The report of the run shows them side by side: `simkit report RUN`"
        )
    varied = dict.fromkeys(name for cell in cells for name, _ in cell.setting)
    if key in varied:
        return
    rule = key.removeprefix("rules.")
    if key.startswith("rules.") and rule in run.game.components:
        raise UserError(
            f"`--by` needs a key in which cells differ; `{printable(key)}` has one value in "
            f"{printable(str(run.path))}. Keys that vary there: {_varied(cells)}"
        )
    raise UserError(f"`--by`: {unknown('key', key, [*(f'rules.{name}' for name in run.game.components), *varied])}")


def _varied(cells: Sequence[Cell]) -> str:
    """The keys in which cells differ."""
    return printable(", ".join(dict.fromkeys(name for cell in cells for name, _ in cell.setting)) or "none")


def _quoted(by: Sequence[str]) -> str:
    """Keys as messages quote them."""
    return " and ".join(f"`{printable(key)}`" for key in by)


# --------------------------------------------------------------------------------------------------------- between runs


def between(first: Any, second: Any, margin: float = MARGIN) -> Changes:
    """What differs between two runs in the cells that both have: the second less the first.

    Parameters
    ----------
    first, second
        Two `simkit.store.Run`. With the same seed and tape they are compared deal by deal, else as samples that share
        nothing.
    margin

    Raises
    ------
    UserError
        If the games differ, or the runs have no cell in common.
    """
    if first.manifest["game"] != second.manifest["game"]:
        games = " and ".join(f"{run.manifest['game']} in {run.path}" for run in (first, second))
        raise UserError(f"two runs must be of one game to be compared; found {printable(games)}")
    ours, theirs = ({cell.id: cell for cell in _arranged(run)} for run in (first, second))
    common = [cell for cell in ours.values() if cell.id in theirs]
    if not common:
        raise UserError(
            "two runs are compared in the cells that both have (the same players, rules set or swept, and labels of "
            f"strategies); {printable(str(first.path))} and {printable(str(second.path))} have none in common"
        )
    is_paired = all(first.manifest.get(name) == second.manifest.get(name) for name in ("seed", "tape_version"))
    steps, identical = [], {}
    for cell in common:
        step = Step(Place(first, cell), Place(second, theirs[cell.id]), "", "", cell.setting_name)
        n_deals = _identical(step) if is_paired else 0
        if n_deals:
            identical[_name(cell)] = n_deals
        else:
            steps.append(step)
    return _changes(
        steps,
        margin,
        is_paired=is_paired,
        identical=identical,
        only_first=[_name(cell) for cell in ours.values() if cell.id not in theirs],
        only_second=[_name(cell) for cell in theirs.values() if cell.id not in ours],
    )


def _name(cell: Cell) -> str:
    """A cell in a list."""
    return ", ".join(filter(None, (cell.players_name, cell.setting_name, cell.line_up_name)))


def _identical(step: Step) -> int:
    """Deals that both have, if every row of theirs is the same; else 0."""
    n_deals = min(step.before.cell.info.n_deals, step.after.cell.info.n_deals)
    for table in KEYS:
        for column in columns_of(step.after.run.game, table):
            before, after = (
                place.run.column(table, column.name, place.cell.id)[..., :n_deals]
                for place in (step.before, step.after)
            )
            if not np.array_equal(before, after):
                return 0
    return int(n_deals)


# --------------------------------------------------------------------------------------------------------------- tables


def shown(changes: Changes) -> pd.DataFrame:
    """The differences as texts; what never occurs on either side is left out."""
    table = changes.table
    never = table["kind"].isin(["cause", "tiebreak"]) & (table["before"] + table["after"] == 0)
    told, turns = table[~never], table[~never]["kind"] == "turns"
    texts = pd.concat([_texts(told[~turns], POINTS), _texts(told[turns], TURNS)]).sort_index()
    return texts[[name for name in texts if texts[name].ne("").any()]]


def _texts(told: pd.DataFrame, unit: Unit) -> pd.DataFrame:
    """Differences in one unit."""
    values, ends = estimate_columns(told, unit)
    gains = ["" if pd.isna(gain) else f"{gain:.2f}" for gain in told["gain"]]
    shown: dict[str, Any] = {
        "players": told["players"].astype(str),
        "line-up": told["line_up"],
        "setting": told["setting"],
    }
    shown |= {"with": told["here"], "against": told["base"], "measure": told["measure"]}
    shown |= {"changes by": values, "interval": ends, "deals": told["n_deals"].map(whole), "pairing gain": gains}
    words = [
        word if pd.isna(needed) else f"{word}, about {about(int(needed))} deals would decide"
        for word, needed in zip(told["verdict"], told["deals_needed"], strict=True)
    ]
    return pd.DataFrame(shown | {"verdict": words}, index=told.index)
