"""What is it worth to begin with something: one seat has it, on the same deals as where nobody has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from simkit.figures.dots import dots
from simkit.report.blocks import Block, Part, Picture, Section, Text
from simkit.report.cells import Cell, value_name
from simkit.report.per_deal import Measure
from simkit.report.pooled import defaults
from simkit.report.sections.shown import HALF, by_measure, keys_of, table_of, wide_texts
from simkit.report.study import Study
from simkit.report.words import POINTS, Unit, capital, estimate_of, listed, players_name, spelled, told, whole
from simkit.stats import comparisons
from simkit.stats import effects as paired

MOST_DRAWN = 3
"""Groups of cells with a figure."""
GROUP = ["players", "setting", "line_up"]


@dataclass(frozen=True)
class HeadStart:
    """A rule that gives one seat something to begin with; its default gives nothing.

    Parameters
    ----------
    rule
        Its name, without `rules.`.
    kinds
        (the game's rules, the value) -> what kinds of gift this is, for their means: "small", "large".
    about
        (the game's rules, the value) -> what a table says of it, by column.
    """

    rule: str
    kinds: Callable[[Any, Any], Sequence[str]]
    about: Callable[[Any, Any], Mapping[str, str]]


@dataclass(frozen=True)
class Gift:
    """A cell in which the seat has something."""

    cell: Cell
    name: str
    kinds: tuple[str, ...]
    about: Mapping[str, str]


def head_starts(
    starts: Sequence[HeadStart],
    measures: Sequence[Measure],
    heading: str,
    note: str = "",
    contrasts: Sequence[tuple[str, str]] = (),
) -> Section:
    """Each gift against none, and the mean of each kind of gift; the first measure leads.

    Parameters
    ----------
    starts
    measures
    heading
    note
        A sentence above the figures; optional.
    contrasts
        Pairs of kinds: the mean gift of the one less that of the other.
    """

    def section(study: Study) -> Part | None:
        groups = [(base, gifts) for base, gifts in _groups(study, starts) if gifts]
        if not groups:
            return None
        about = list(dict.fromkeys(name for _, gifts in groups for gift in gifts for name in gift.about))
        table = pd.DataFrame([row for base, gifts in groups for row in _rows(study, base, gifts, measures)])
        means = pd.DataFrame([row for base, gifts in groups for row in _means(study, base, gifts, measures, contrasts)])
        reading = "Nothing but the gift differs: the deals, and all luck, are those of the games without it."
        of_kinds = (
            f"The mean gift of each kind, against none and on the same deals: {HALF}, t over deals. A deal’s value is "
            "the mean over all gifts of the kind."
        )
        caption = (
            f"Games with the gift less games without, on the same deals: {HALF}, t over deals. The best come first."
        )
        blocks: list[Block] = [
            Text([sentence for sentence in (reading, note) if sentence]),
            *_pictures(table, means, measures),
            table_of("head_start_kinds", of_kinds, _shown(means, measures, ["kind"]), means),
            table_of("head_starts", caption, _shown(_by_value(table), measures, ["gift", *about]), table),
        ]
        answer = (
            _answer(table, means, measures, contrasts)
            if study.varied <= {f"rules.{start.rule}" for start in starts}
            else ()
        )
        return Part(heading, blocks, answer=answer)

    return section


def _groups(study: Study, starts: Sequence[HeadStart]) -> Iterator[tuple[Cell, list[Gift]]]:
    """Each cell without a gift, and those that differ from it in one gift alone."""
    keys = {f"rules.{start.rule}" for start in starts}
    usual = defaults(study)
    for base in study.cells:
        rules = usual | dict(base.info.rules)
        if all(rules[start.rule] == usual[start.rule] for start in starts):
            rest = [pair for pair in base.setting if pair[0] not in keys]
            kin = [cell for cell in study.kin_of(base) if [p for p in cell.setting if p[0] not in keys] == rest]
            yield base, [gift for cell in kin for gift in _gift(study, cell, starts)]


def _gift(study: Study, cell: Cell, starts: Sequence[HeadStart]) -> list[Gift]:
    """What a cell's seat has, if it is one thing."""
    usual, values = defaults(study), defaults(study) | dict(cell.info.rules)
    given = [start for start in starts if values[start.rule] != usual[start.rule]]
    if len(given) != 1:
        return []
    (start,) = given
    rules = study.rules_of(cell)
    value = values[start.rule]
    name = value_name(f"rules.{start.rule}", value, study.names)
    return [Gift(cell, name, tuple(start.kinds(rules, value)), start.about(rules, value))]


def _where(study: Study, base: Cell, gifts: Sequence[Gift]) -> dict[str, Any]:
    """What tables call a group."""
    settings = {spelled(cell.setting): cell for cell in study.cells if cell.kin == base.kin}
    setting = base.setting_name if len(settings) > len(gifts) + 1 else ""
    return {"players": base.info.players, "setting": setting, "line_up": base.line_up_name}


def _rows(study: Study, base: Cell, gifts: Sequence[Gift], measures: Sequence[Measure]) -> Iterator[dict[str, Any]]:
    """A row per gift and measure."""
    where = _where(study, base, gifts)
    for measure in measures:
        before = measure.read(study.run, base)
        for gift in gifts:
            found = comparisons.paired(before, measure.read(study.run, gift.cell), bounds=measure.difference_bounds)
            own = {"gift": gift.name} | dict(gift.about) | {"n_games": gift.cell.n_games}
            yield where | own | {"measure": measure.name} | found.row()


def _means(
    study: Study,
    base: Cell,
    gifts: Sequence[Gift],
    measures: Sequence[Measure],
    contrasts: Sequence[tuple[str, str]],
) -> Iterator[dict[str, Any]]:
    """A row per kind of gift, or two kinds, and measure."""
    where, cells = _where(study, base, gifts), [base, *(gift.cell for gift in gifts)]
    kinds = list(dict.fromkeys(kind for gift in gifts for kind in gift.kinds))
    for measure in measures:
        has: list[list[bool | None]] = [[False] * len(kinds) + [None] * len(contrasts)]
        for gift in gifts:
            having = [True if kind in gift.kinds else None for kind in kinds]
            has.append(having + [True if a in gift.kinds else False if b in gift.kinds else None for a, b in contrasts])
        values = ((measure.read(study.run, c), own) for c, own in zip(cells, has, strict=True))
        names = [*kinds, *(f"{a} less {b}" for a, b in contrasts)]
        found = paired.effects(values, len(names), bounds=measure.difference_bounds)
        for number, (name, difference) in enumerate(zip(names, found, strict=True)):
            if difference is not None:
                n_games = sum(cell.n_games for cell, own in zip(cells, has, strict=True) if own[number] is not None)
                yield where | {"kind": name, "measure": measure.name, "n_games": n_games} | difference.row()


# --------------------------------------------------------------------------------------------------------------- shown


def _by_value(table: pd.DataFrame) -> pd.DataFrame:
    """Gifts of each group by the leading measure, the best first."""
    lead = table[table["measure"] == table["measure"].iloc[0]]
    order = pd.concat([mine.sort_values("value", ascending=False) for _, mine in lead.groupby(GROUP, sort=False)])
    return order[[*GROUP, "gift"]].merge(table, on=[*GROUP, "gift"], how="left")


def _shown(table: pd.DataFrame, measures: Sequence[Measure], names: Sequence[str]) -> dict[str, Any]:
    """A row per gift or kind, a column per measure."""
    keys = [*GROUP, "gift" if "gift" in names else "kind"]
    first = table.drop_duplicates(keys)
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    shown |= {name: list(first[name].fillna("")) for name in names}
    units = {measure.name: measure for measure in measures}
    for name, part in by_measure(table, keys, "measure"):
        unit = units[name].change
        sign = " [points]" if unit is POINTS else ""
        shown[f"{name}{sign}"] = wide_texts(part, Unit(unit.scale, "", signed=True, most_digits=2))
    return shown | {"games": list(first["n_games"].map(whole))}


def _pictures(table: pd.DataFrame, means: pd.DataFrame, measures: Sequence[Measure]) -> list[Picture]:
    """A figure for each group: the leading measure of each kind, and of each gift, the best first."""
    pictures, lead = [], measures[0]
    several = len(table[GROUP].drop_duplicates()) > 1
    unit = "points" if lead.change is POINTS else lead.change.name
    for where, mine in list(_by_value(table).groupby(GROUP, sort=False))[:MOST_DRAWN]:
        kinds = means[(means[GROUP] == list(where)).all(axis=1)]
        rows = (kinds.assign(row=kinds["kind"], panel="Kinds"), mine.assign(row=mine["gift"], panel="Each gift"))
        frame = pd.concat(rows)
        frame = frame[frame["measure"] == lead.name].assign(series="with it less without it", fair=0.0)
        frame[["value", "low", "high"]] *= lead.change.scale
        caption = (
            f"What a gift adds to the {lead.name}{f' ({_told_where(where)})' if several else ''}: the means of kinds, "
            "then each gift, the best first. Dashed: no difference. Bars are 95 % intervals."
        )
        figure = dots(frame, f"change of {lead.name} [{unit}]", percent=False)
        pictures.append(Picture(figure, caption, f"{caption} The numbers are in the tables below."))
    return pictures


def _told_where(where: Sequence[Any]) -> str:
    """A group in words."""
    players, setting, line_up = where
    return ", ".join(filter(None, (players_name(int(players)), str(setting), str(line_up))))


def _answer(
    table: pd.DataFrame, means: pd.DataFrame, measures: Sequence[Measure], contrasts: Sequence[tuple[str, str]]
) -> list[str]:
    """Group by group: the first contrast, the others and the means of kinds; the best gift and the least."""
    lead = measures[0]
    sentences = []
    for where, mine in list(_by_value(table).groupby(GROUP, sort=False))[:MOST_DRAWN]:
        own = mine[mine["measure"] == lead.name]
        mean = means[(means[GROUP] == list(where)).all(axis=1) & (means["measure"] == lead.name)].set_index("kind")
        known = [pair for pair in contrasts if f"{pair[0]} less {pair[1]}" in mean.index]
        compared = [_compared(mean.loc[f"{a} less {b}"], a, b, lead) for a, b in known]
        if compared:
            sentences.append(f"With {_told_where(where)}, given at the start, by the {lead.name}: {compared[0]}.")
        kinds = [kind for kind in mean.index if kind not in {f"{a} less {b}" for a, b in known}]
        told_kinds = listed([f"{kind} {told(estimate_of(mean.loc[kind]), lead.change)}" for kind in kinds])
        best, worst = (f"{row['gift']} ({told(estimate_of(row), lead.change)})" for row in (own.iloc[0], own.iloc[-1]))
        sentences.append(f"On the same deals without a gift, the {lead.name} changes by: {told_kinds}.")
        sentences.append(f"The gift that adds most is {best}, the one that adds least {worst}.")
        sentences += [f"{capital(text)}." for text in compared[1:]]
    return sentences


def _compared(row: Any, a: str, b: str, lead: Measure) -> str:
    """One kind of gift against another."""
    found = estimate_of(row)
    if found.low <= 0 <= found.high:
        return f"whether {a} are worth more than {b} is open: {told(found, lead.change)}"
    more = "more" if found.value > 0 else "less"
    return f"{a} are worth {more} than {b}, by {told(found, lead.change)}"
