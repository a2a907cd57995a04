"""How much does each of many settings matter: what it moves, the verdict on the seats, and who is the best strategy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

import pandas as pd

from simkit.figures.dots import dots
from simkit.report import tables
from simkit.report.blocks import Block, Part, Picture, Section, Text
from simkit.report.cells import Cell
from simkit.report.per_deal import Measure
from simkit.report.sections.shown import HALF, by_measure, keys_of, table_of, wide_texts
from simkit.report.study import Study
from simkit.report.words import POINTS, SPACE, Unit, capital, estimate_of, listed, players_name, told, whole
from simkit.stats import comparisons
from simkit.stats.verdicts import family_level

MOST_DRAWN = 8
"""Settings that a panel shows, those that move its measure most."""
MOST_TOLD = 2
"""Settings that a sentence names for a measure."""
FEW_SETTINGS = 4
"""That the general answer tells one by one."""
LEAD = Unit(100, "points of win share", signed=True)


def sensitivity(measures: Sequence[Measure], heading: str, apart: Set[str] = frozenset(), note: str = "") -> Section:
    """Every setting against the base, on the same deals and with the same line-up: that of the base's headline.

    Parameters
    ----------
    measures
    heading
    apart
        `rules.NAME` of those that other sections tell: a run that varies nothing else has no such section.
    note
        A sentence above the figure; optional.
    """

    def section(study: Study) -> Part | None:
        pairs = [(base, kin) for base in study.headlines if base.is_base and (kin := _others(study, base, apart))]
        if not pairs:
            return None
        table = pd.DataFrame([row for base, kin in pairs for row in _rows(study, base, kin, measures)])
        n = max(len(kin) for _, kin in pairs)
        how = (
            f"Intervals are wider than at 95{SPACE}%: for each measure and player count they hold for all {n} settings "
            f"at once at 95{SPACE}%."
        )
        bases = list(dict.fromkeys(base.spoken for base, _ in pairs))
        against = bases[0] if len(bases) == 1 else "the base"
        line_ups = listed(list(dict.fromkeys(base.line_up_name for base, _ in pairs)))
        caption = (
            f"What each setting changes against {against}, on the same deals ({line_ups}): {HALF}. {how} The verdict "
            "is that on the seats."
        )
        sentences = _sentences(study, pairs, table, measures)
        blocks: list[Block] = [
            Text([sentence for sentence in (note, *sentences) if sentence]),
            _picture(table, measures, against, how),
            table_of("sensitivity", caption, _shown(study, pairs, table, measures), _in_full(study, pairs, table)),
        ]
        few = all(len(kin) < FEW_SETTINGS for _, kin in pairs)
        return Part(heading, blocks, answer=() if few else sentences[:2])

    return section


def _others(study: Study, base: Cell, apart: Set[str]) -> list[Cell]:
    """The same line-up under rules that are told here."""
    usual = dict(base.setting)
    found = []
    for cell in study.kin_of(base):
        changed = {key for key, value in cell.setting if usual.get(key) != value}
        found += [cell] if changed - apart and all(key.startswith("rules.") for key in changed) else []
    return found


def _rows(study: Study, base: Cell, kin: Sequence[Cell], measures: Sequence[Measure]) -> Iterator[dict[str, Any]]:
    """A row per setting and measure."""
    level = family_level(len(kin))
    for measure in measures:
        before = measure.read(study.run, base)
        for cell in kin:
            after = measure.read(study.run, cell)
            found = comparisons.paired(before, after, level, bounds=measure.difference_bounds)
            yield tables.keys(cell) | {"base": base.setting_name, "measure": measure.name} | found.row()


# ---------------------------------------------------------------------------------------------------------- strategies


def _lead(study: Study, base: Cell, cell: Cell) -> Any:
    """The lead under a setting of the base's best strategy over the one next to it; None where they never met."""
    players = base.info.players
    strengths = study.strengths(players, base.setting_name)
    if len(strengths) < 2:
        return None
    best, second = sorted(strengths, key=lambda label: -strengths[label])[:2]
    for contest in study.decisive(players, cell.setting_name):
        if {contest.label, contest.other} == {best, second}:
            return f"{best} over {second}", contest.lead(best)
    return None


def _ranking(study: Study, pairs: Sequence[tuple[Cell, Sequence[Cell]]]) -> list[str]:
    """Whether the best strategy stays the best."""
    sentences = []
    for base, kin in pairs:
        leads = [(cell, found) for cell in kin if (found := _lead(study, base, cell)) is not None]
        own = _lead(study, base, base)
        if not leads or own is None:
            continue
        turned = [f"{cell.spoken}: {told(found[1], LEAD)}" for cell, found in leads if found[1].high < 0]
        open_ones = [cell for cell, found in leads if found[1].low <= 0 <= found[1].high]
        least = min(leads, key=lambda pair: pair[1][1].value)
        text = f"With {base.players_name} {own[0]}: the lead is {told(own[1], LEAD)} with {base.spoken}"
        if turned:
            text += f"; it is turned round by {listed(turned)}"
        elif len(leads) == 1:
            text += f", {told(least[1][1], LEAD)} with {least[0].spoken}"
        elif open_ones:
            text += f"; of {len(leads)} others none turns it round, {len(open_ones)} leave it open"
        else:
            text += f"; all {len(leads)} others keep it, the smallest is {told(least[1][1], LEAD)} ({least[0].spoken})"
        sentences.append(f"{text}.")
    return sentences


# --------------------------------------------------------------------------------------------------------------- words


def _sentences(
    study: Study, pairs: Sequence[tuple[Cell, Sequence[Cell]]], table: pd.DataFrame, measures: Sequence[Measure]
) -> list[str]:
    """What moves each measure most; what changes the verdict; whether the best strategy stays so."""
    return [_movers(table, measures), _verdicts(study, pairs), *_untouched(table), *_ranking(study, pairs)]


def _untouched(table: pd.DataFrame) -> list[str]:
    """The settings under which no deal comes out otherwise."""
    alike = table["gain"].isna() & (table["value"] == 0)
    settings = [str(name) for name, own in alike.groupby(table["setting"], sort=False) if own.all()]
    if not settings:
        return []
    return [
        f"No deal comes out otherwise with {listed(settings)}: these line-ups do not come to what "
        f"{'that is' if len(settings) == 1 else 'those are'} about."
    ]


def _verdicts(study: Study, pairs: Sequence[tuple[Cell, Sequence[Cell]]]) -> str:
    """Which settings change the verdict on the seats."""
    parts = []
    for base, kin in pairs:
        word = study.verdicts[base.id].word
        other: dict[str, list[str]] = {}
        for cell in kin:
            if study.verdicts[cell.id].word != word:
                other.setdefault(study.verdicts[cell.id].word, []).append(cell.spoken)
        told_others = [f"{now} with {listed(names)}" for now, names in other.items()]
        alike = "and so with the other setting" if len(kin) == 1 else f"and so with all {len(kin)} others"
        rest = "; ".join(told_others) or alike
        parts.append(f"with {base.players_name} the seats are {word} with {base.spoken}, {rest}")
    return f"{capital('; '.join(parts))}."


def _movers(table: pd.DataFrame, measures: Sequence[Measure]) -> str:
    """For each measure, how many settings move it, and which do most."""
    several = table["players"].nunique() > 1
    if table["setting"].nunique() == 1:
        return _moved_by_one(table, measures, several)
    parts = []
    for measure in measures:
        mine = table[table["measure"] == measure.name]
        moved = mine[((mine["low"] > 0) | (mine["high"] < 0)) & ~mine["few_cases"]]
        most = moved.loc[moved["value"].abs().sort_values(ascending=False).index].head(MOST_TOLD)
        named = [_named(row, several, measure) for _, row in most.iterrows()]
        verb = f"{len(moved) or 'none'} move{'s' * (len(moved) < 2)}"
        parts.append(f"{verb} {measure.name}{f', most {listed(named)}' if named else ' beyond its interval'}")
    settings = f"{table['setting'].nunique()} other settings{' at each player count' if several else ''}"
    return f"Of {settings}, each by itself, {'; '.join(parts)}."


def _moved_by_one(table: pd.DataFrame, measures: Sequence[Measure], several: bool) -> str:
    """The changes by the one other setting that there is."""
    parts = []
    for measure in measures:
        rows = table[table["measure"] == measure.name].iterrows()
        changes = [f"{told(estimate_of(row), measure.change)}{_where(row, several)}" for _, row in rows]
        parts.append(f"{measure.name} {listed(changes)}")
    return f"{capital(str(table['setting'].iloc[0]))} changes: {'; '.join(parts)}."


def _named(row: pd.Series[Any], several: bool, measure: Measure) -> str:
    """A setting and its change."""
    return f"{row['setting']}{_where(row, several)} ({told(estimate_of(row), measure.change)})"


def _where(row: pd.Series[Any], several: bool) -> str:
    """The players of a row, where that says something."""
    return f" with {players_name(int(row['players']))}" if several else ""


# --------------------------------------------------------------------------------------------------------------- shown


def _picture(table: pd.DataFrame, measures: Sequence[Measure], against: str, how: str) -> Picture:
    """A panel for each measure, in it the settings that move it most."""
    parts = []
    for measure in measures:
        mine = table[table["measure"] == measure.name].copy()
        reach = mine.groupby("setting", sort=False)["value"].agg(lambda values: values.abs().max())
        order = list(reach.sort_values(ascending=False).head(MOST_DRAWN).index)
        mine = mine[mine["setting"].isin(order)].sort_values("setting", key=lambda names: names.map(order.index))
        mine[["value", "low", "high"]] *= measure.change.scale
        sign = " [points]" if measure.change is POINTS else ""
        parts.append(mine.assign(panel=f"{measure.name}{sign}", row=mine["setting"], fair=0.0))
    frame = pd.concat(parts).assign(series=lambda f: f["players"].map(players_name))
    n = table["setting"].nunique()
    some = f" of {n} settings the {MOST_DRAWN} that move it most" if n > MOST_DRAWN else " each setting"
    caption = f"For each measure{some}: the change against {against}. Dashed: no change. {how}"
    return Picture(dots(frame, "change", percent=False), caption, f"{caption} The numbers are in the table below.")


def _in_full(study: Study, pairs: Sequence[tuple[Cell, Sequence[Cell]]], table: pd.DataFrame) -> pd.DataFrame:
    """With the verdicts, and the leads as rows of their own."""
    words = {cell.id: study.verdicts[cell.id].word for _, kin in pairs for cell in kin}
    rows = [
        tables.keys(cell) | {"base": base.setting_name, "measure": f"lead of {found[0]}"} | found[1].row()
        for base, kin in pairs
        for cell in kin
        if (found := _lead(study, base, cell)) is not None
    ]
    every = pd.concat([table, pd.DataFrame(rows)], ignore_index=True) if rows else table
    return every.assign(verdict=every["cell"].map(words))


def _shown(
    study: Study, pairs: Sequence[tuple[Cell, Sequence[Cell]]], table: pd.DataFrame, measures: Sequence[Measure]
) -> dict[str, Any]:
    """A row per setting, a column per measure."""
    first = table.drop_duplicates("cell").assign(line_up="")
    shown: dict[str, Any] = {name: list(values) for name, values in keys_of(first).items()}
    changes = {measure.name: measure.change for measure in measures}
    for name, part in by_measure(table, ["cell"], "measure"):
        unit = changes[name]
        sign = " [points]" if unit is POINTS else ""
        shown[f"{name}{sign}"] = wide_texts(part, Unit(unit.scale, "", signed=True, most_digits=2))
    shown["verdict"] = [study.verdicts[cell].word for cell in first["cell"]]
    leads = {cell.id: found for base, kin in pairs for cell in kin if (found := _lead(study, base, cell)) is not None}
    for pair in dict.fromkeys(name for name, _ in leads.values()):
        own = [leads[cell][1] if cell in leads and leads[cell][0] == pair else None for cell in first["cell"]]
        texts = wide_texts(pd.DataFrame([found.row() if found else {"value": None} for found in own]), LEAD)
        shown[f"lead of {pair} [points]"] = texts
    return shown | {"games": list(first["n_games"].map(whole))}
