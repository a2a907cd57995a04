"""What is a card (or any other feature) worth: put in on the same deals, beside how those who use it fare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from simkit.figures.dots import dots
from simkit.report.blocks import Block, Part, Picture, Section, Text
from simkit.report.cells import Cell
from simkit.report.per_deal import Measure, game_mean, label_share, seats_best, seats_total
from simkit.report.pooled import defaults
from simkit.report.sections.shown import HALF, pool_keys, table_of, wide_texts
from simkit.report.study import Study
from simkit.report.words import POINTS, Unit, capital, estimate_of, spelled, told, whole
from simkit.stats import effects as paired
from simkit.stats.comparisons import Difference
from simkit.stats.grouped import GROUPS, Sample, Sums, group_sums, ratio_gap
from simkit.stats.intervals import Estimate
from simkit.stats.shares import WIN


@dataclass(frozen=True)
class Features:
    """Things that a game may have or not.

    Parameters
    ----------
    names
        Of the features.
    has
        (a cell's rules) -> for each feature whether its games have it; None where luck decides.
    rules
        The rules that say so.
    used
        The column of `seats` with a bit for each feature that a seat made use of.
    score, unit
        The column of `seats` that is the score, and what it counts.
    one
        What a feature is called: a card.
    """

    names: Sequence[str]
    has: Callable[[Mapping[str, Any]], Sequence[bool | None]]
    rules: Sequence[str]
    used: str
    score: str
    unit: str
    one: str


@dataclass(frozen=True)
class Group:
    """Cells that differ in nothing but features."""

    cells: tuple[Cell, ...]
    setting_name: str

    def where(self) -> dict[str, Any]:
        """What tables call it."""
        first = self.cells[0]
        n_games = sum(cell.n_games for cell in self.cells)
        keys = {"players": first.info.players, "setting": self.setting_name, "line_up": first.line_up_name}
        return keys | {"n_cells": len(self.cells), "n_games": n_games}


def effects(what: Features, heading: str) -> Section:
    """Games with each feature less games without, beside what its use seems to say."""

    def section(study: Study) -> Part | None:
        rows = [row for group in groups(study, what) for row in _rows(study, group, what)]
        if not rows:
            return None
        table = pd.DataFrame(rows)
        blocks: list[Block] = [
            Text([_reading(what)]),
            *_pictures(table, what),
            table_of("effects", _caption(what, table), _shown(table, what), table),
        ]
        return Part(heading, blocks, answer=_answer(table, what))

    return section


def groups(study: Study, what: Features) -> list[Group]:
    """Cells alike but for features, where some have one that others have not."""
    usual = defaults(study)
    keys = [f"rules.{rule}" for rule in what.rules]
    found: dict[Any, list[Cell]] = {}
    for cell in study.cells:
        rest = tuple(pair for pair in cell.setting if pair[0] not in keys)
        found.setdefault((cell.kin, spelled(rest)), []).append(cell)
    several = len({rest for _, rest in found}) > 1
    told = []
    for (_, rest), cells in found.items():
        has = [what.has(usual | dict(cell.info.rules)) for cell in cells]
        if any({True, False} <= set(column) for column in zip(*has, strict=True)):
            told.append(Group(tuple(cells), rest if several else ""))
    return told


def _rows(study: Study, group: Group, what: Features) -> Iterator[dict[str, Any]]:
    """A row per feature and measure."""
    usual, where, known = defaults(study), group.where(), list[str]()
    has = [what.has(usual | dict(cell.info.rules)) for cell in group.cells]
    for measure in _measures(group, what):
        values = ((measure.read(study.run, cell), in_cell) for cell, in_cell in zip(group.cells, has, strict=True))
        found = paired.effects(values, len(what.names), bounds=measure.difference_bounds)
        known = [name for name, difference in zip(what.names, found, strict=True) if difference is not None]
        for name, difference in zip(what.names, found, strict=True):
            if difference is not None:
                yield where | {"feature": name, "measure": measure.name, "kind": "put in"} | difference.row()
    uses = _uses(study, group, what, has)
    for name in (name for name in known if name in uses):
        for measure_name, estimate in uses[name].items():
            yield where | {"feature": name, "measure": measure_name, "kind": "use"} | Difference(estimate, np.nan).row()


def _measures(group: Group, what: Features) -> list[Measure]:
    """What is compared."""
    first = group.cells[0]
    shares = [] if first.is_mirror else [label_share(label) for label in dict.fromkeys(first.labels)]
    return [
        seats_total(what.score, f"{what.unit} of all seats", what.unit),
        seats_best(what.score, f"winning {what.unit}", what.unit),
        game_mean("n_turns", "turns", "turns"),
        *shares,
    ]


# ------------------------------------------------------------------------------------------------------- use, not value


def _uses(
    study: Study, group: Group, what: Features, has: Sequence[Sequence[bool | None]]
) -> dict[str, dict[str, Estimate]]:
    """Seats that used a feature less seats of the same games that did not: share of the win, and score.

    Pooled over all cells that have the feature; the intervals come from the spread of 64 groups of deals.
    """
    sums: dict[str, dict[str, Sums]] = {}
    for cell, in_cell in zip(group.cells, has, strict=True):
        if True in in_cell:
            used, win, score = (study.run.column("seats", name, cell.id) for name in (what.used, "win", what.score))
            for bit, (name, is_in) in enumerate(zip(what.names, in_cell, strict=True)):
                if is_in:
                    _add_use(sums.setdefault(name, {}), (used >> bit & 1).astype(bool), win, score)
    n_deals = min(int(cell.info.n_deals) for cell in group.cells)
    return {name: _use_gaps(found, n_deals, what) for name, found in sums.items()}


def _add_use(sums: dict[str, Sums], used: Any, win: Any, score: Any) -> None:
    """Count a cell's seats, their wins and scores, by use."""
    for who, mask in (("users", used), ("others", ~used)):
        for name, values in (("n", mask), ("win", win * mask), ("score", score * mask)):
            own = group_sums(values.sum(axis=(0, 1), dtype=np.int64))
            sums[f"{who} {name}"] = sums.get(f"{who} {name}", np.zeros(GROUPS, np.int64)) + own


def _use_gaps(sums: dict[str, Sums], n_deals: int, what: Features) -> dict[str, Estimate]:
    """Users less others."""
    fewer = min(int(sums["users n"].sum()), int(sums["others n"].sum()))
    found = {}
    for name, column, scale, reach in (("wins", "win", WIN, 1.0), (what.unit, "score", 1, np.inf)):
        pairs = [(sums[f"{who} {column}"], scale * sums[f"{who} n"]) for who in ("users", "others")]
        gap = ratio_gap(pairs[0], pairs[1], Sample(min(GROUPS, n_deals), n_deals, (-reach, reach)), fewer)
        if gap is not None:
            found[f"{name} of users"] = gap
    return found


# -------------------------------------------------------------------------------------------------------------- showing


def _reading(what: Features) -> str:
    """How to read it."""
    return (
        f"What a {what.one} does is the difference between games with it and games without it on the same deals, all "
        f"other luck unchanged. How the seats that used it fare is another thing, and no measure of its worth: whoever "
        f"has the means to use a {what.one} may be ahead for other reasons, and what it gives to all seats alike does "
        "not show."
    )


def _caption(what: Features, table: pd.DataFrame) -> str:
    """Of the table."""
    cells, games = (
        whole(table.drop_duplicates(["players", "setting", "line_up"])[n].sum()) for n in ("n_cells", "n_games")
    )
    return (
        f"Games with the {what.one} less games without it, on the same deals ({cells} cells, {games} games): a deal’s "
        f"value is the mean of all cells with the {what.one} less the mean of all without; t over deals. “Of users”: "
        "seats that used it at least once less seats of the same games that did not; not causal; by the spread of 64 "
        f"groups of deals. {capital(HALF)}."
    )


def _shown(table: pd.DataFrame, what: Features) -> dict[str, Any]:
    """A row per feature, the most valuable first, a column per measure."""
    keys = ["players", "setting", "line_up", "feature"]
    every = _by_value(table, what)[keys]
    first = every.merge(table.drop_duplicates(keys), on=keys)
    shown: dict[str, Any] = pool_keys(first) | {what.one: list(first["feature"])}
    for name in dict.fromkeys(table["measure"]):
        part = every.merge(table[table["measure"] == name], how="left", on=keys)
        is_share = name.startswith("win share") or name == "wins of users"
        texts = wide_texts(part, POINTS if is_share else Unit(1, "", signed=True))
        shown[f"{name}{' [points]' if is_share else ''}"] = texts
    return shown


def _by_value(table: pd.DataFrame, what: Features) -> pd.DataFrame:
    """The rows of all seats' score: group by group, the highest first."""
    total = table[table["measure"] == f"{what.unit} of all seats"]
    groups = total.groupby(["players", "setting", "line_up"], sort=False)
    return pd.concat([mine.sort_values("value", ascending=False) for _, mine in groups])


def _pictures(table: pd.DataFrame, what: Features) -> list[Picture]:
    """Score and turns, feature by feature."""
    return [_picture(mine, what) for _, mine in table.groupby(["players", "setting", "line_up"], sort=False)][:3]


def _picture(mine: pd.DataFrame, what: Features) -> Picture:
    """One group's figure: what the feature does to a seat's score, and beside it what its use seems to say."""
    seats = int(mine["players"].iloc[0])
    total = _by_value(mine, what)
    total[["value", "low", "high"]] /= seats
    order = total["feature"].tolist()
    ours = f"with the {what.one} less without it"
    theirs = "those who used it less those who did not"
    score = f"{what.unit} of a seat"
    parts = [
        total.assign(panel=score, series=ours),
        mine[mine["measure"] == f"{what.unit} of users"].assign(panel=score, series=theirs),
        mine[mine["measure"] == "turns"].assign(panel="turns of a game", series=ours),
    ]
    frame = pd.concat(parts).assign(row=lambda f: f["feature"], fair=0.0)
    frame = frame.sort_values("feature", key=lambda names: names.map(order.index), kind="stable")
    where = ", ".join(filter(None, (f"{seats} players", mine["setting"].iloc[0], mine["line_up"].iloc[0])))
    caption = (
        f"{where}: what each {what.one} changes, in {what.unit} of a seat and in turns, and how those who use it "
        "seem to fare. Dashed: no difference. Bars are intervals; they may be narrower than the dots."
    )
    figure = dots(frame.sort_values("panel", kind="stable"), "difference", percent=False)
    return Picture(figure, caption, f"{caption} The numbers are in the table below.")


def _answer(table: pd.DataFrame, what: Features) -> list[str]:
    """The most and the least valuable, and whether use would have said so."""
    groups = [mine for _, mine in table.groupby(["players", "setting", "line_up"], sort=False)]
    several = len(groups) > 1
    return [_sentence(mine, what, several) for mine in groups[:3]]


def _sentence(mine: pd.DataFrame, what: Features, several: bool) -> str:
    """One group's answer."""
    total = _by_value(mine, what)
    use = mine[mine["measure"] == f"{what.unit} of users"].set_index("feature")
    unit = Unit(1, what.unit, signed=True)
    best, worst = total.iloc[0], total.iloc[-1]
    where = f"With {mine['players'].iloc[0]} players, {mine['line_up'].iloc[0]}, the" if several else "The"
    text = (
        f"{where} {what.one} that adds most to a game is {best['feature']}: with it all seats together have "
        f"{told(estimate_of(best), unit)}, against games without it on the same deals; at the other end is "
        f"{worst['feature']} with {told(estimate_of(worst), unit)}"
    )
    if use.empty:
        return f"{text}."
    each = total.set_index("feature")
    each[["value", "low", "high"]] /= int(mine["players"].iloc[0])
    seeming = _most_misleading(use, each)
    used, own = (told(estimate_of(found.loc[seeming]), unit) for found in (use, each))
    return (
        f"{text}. Use misleads: seats that used {seeming} differ from those that did not by {used}, yet putting it in "
        f"changes a seat’s {what.unit} by {own}."
    )


def _most_misleading(use: pd.DataFrame, worth: pd.DataFrame) -> str:
    """Where use says the opposite of what is so, if it does anywhere, beyond the intervals; else farthest off."""
    own = worth.reindex(use.index)
    is_opposite = ((use["low"] > 0) & (own["high"] < 0)) | ((use["high"] < 0) & (own["low"] > 0))
    off = (use["value"] - own["value"]).abs()
    return str(off[is_opposite].idxmax() if is_opposite.any() else off.idxmax())
