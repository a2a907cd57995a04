"""Whether what should be harder is harder, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from simkit.report.cells import Cell, value_name
from simkit.report.sections.difficulty_steps import BROKEN, HOLDS, OPEN, Scale, named, orders_of, place_of, rest_of
from simkit.report.sections.shown import strongest
from simkit.report.study import Study
from simkit.report.words import PERCENT, POINTS, capital, estimate_of, listed, players_name, told
from simkit.stats import intervals

FEW = 6
"""Exceptions that a sentence names."""


def survives(steps: pd.DataFrame, scales: Sequence[Scale]) -> list[str]:
    """How many lines keep the order, scale by scale, and which do not."""
    return [_order_words(orders_of(steps, scale), steps, scale) for scale in scales]


def _order_words(orders: pd.DataFrame, steps: pd.DataFrame, scale: Scale) -> str:
    """One scale: in how many comparisons its order holds, and which are the others."""
    mine = steps[steps["scale"] == scale.name]
    names = ", ".join(dict.fromkeys([*mine["easier"], *mine["harder"]]))
    judged = "Each step is judged by its own 95 % interval."
    if len(orders) == 1:
        odd = mine[mine["is"] == ("easier" if orders["order"].iloc[0] == BROKEN else OPEN)]
        falls = "falls at every step" if odd.empty else "should fall at every step"
        but = {HOLDS: "", BROKEN: ", but does not: ", OPEN: "; undecided are "}[orders["order"].iloc[0]]
        return f"By {scale.name} ({names}) the win rate {falls}{but}{listed(_told_steps(odd))}. {judged}"
    held = int((orders["order"] == HOLDS).sum())
    text = f"By {scale.name} ({names}) the win rate falls at every step in {held} of {len(orders)} comparisons"
    for word, found in ((BROKEN, "a step goes the other way"), (OPEN, "a step is undecided")):
        odd = orders[orders["order"] == word]
        text += f"; {found} in {_counted(odd, orders)}" if len(odd) else ""
    return f"{text}. {judged}"


def _told_steps(steps: pd.DataFrame) -> list[str]:
    """Steps with their numbers."""
    return [f"{row['harder']} after {row['easier']} {told(estimate_of(row), POINTS)}" for _, row in steps.iterrows()]


def _counted(odd: pd.DataFrame, orders: pd.DataFrame) -> str:
    """How many comparisons, and which if they are few."""
    several = orders["line_up"].nunique() > 1
    each = [f"{_where(row)}{f', {row.line_up}' * several}" for _, row in odd.iterrows()]
    return f"{len(odd)} ({'; '.join(each)})" if len(odd) <= FEW else str(len(odd))


def _where(row: pd.Series[Any]) -> str:
    """Players and setting."""
    return ", ".join(filter(None, (players_name(int(row["players"])), str(row["setting"]))))


def answer(study: Study, steps: pd.DataFrame, scales: Sequence[Scale]) -> list[str]:
    """For runs about difficulty: several scales or player counts, or a scale under other settings."""
    has_others = not steps["usual"].all()
    is_about = len(scales) > 1 or steps["players"].nunique() > 1 or has_others
    if not is_about or study.contests:
        return []
    sentences = survives(steps, scales) if has_others else [*_rates(study, scales), *survives(steps, scales)]
    for scale in scales:
        usual = steps[(steps["scale"] == scale.name) & steps["usual"]]
        if len(usual):
            line = usual[usual["line"] == usual["line"].iloc[0]]
            sentences.append(f"{capital(_where(line.iloc[0]))}, step by step: {listed(_told_steps(line))}.")
    return [*sentences, *_in_band(study, scales)]


def _rates(study: Study, scales: Sequence[Scale]) -> Iterator[str]:
    """The most and the least that tables win, and at the easiest values each player count."""
    rates = {cell.id: intervals.share(study.measures[cell.id].per_deal["table", "won"]) for cell in study.headlines}
    ranked = sorted(study.headlines, key=lambda cell: rates[cell.id].value)
    most, least = (
        f"{told(rates[cell.id], PERCENT)} {'of games ' * first}with {cell.players_name}, {_values(study, cell, scales)}"
        for first, cell in ((True, ranked[-1]), (False, ranked[0]))
    )
    yield f"Tables win {most}, and {least}: the most and the least of {len(ranked)} settings{strongest(study)}."
    easiest = [cell for cell in study.headlines if all(place_of(study, cell, scale) == 0 for scale in scales)]
    if len(easiest) > 1:
        each = [f"{told(rates[cell.id], PERCENT)} with {cell.players_name}" for cell in easiest]
        yield f"With {_values(study, easiest[0], scales)} tables win {listed(each)}."


def _values(study: Study, cell: Cell, scales: Sequence[Scale]) -> str:
    """A cell's values of the scales, in words."""
    return ", ".join(named(study, cell, scale) for scale in scales)


def _in_band(study: Study, scales: Sequence[Scale]) -> list[str]:
    """Of the easiest values under other settings, where there are any: how the verdicts fall."""
    judged = [
        study.verdicts[cell.id].word
        for cell in study.headlines
        if rest_of(study, cell, scales) and all(place_of(study, cell, scale) == 0 for scale in scales)
    ]
    if not judged:
        return []
    low, high = study.run.experiment.verdicts.win_rate
    counts = {word: judged.count(word) for word in dict.fromkeys(judged)}
    parts = [f"{n} {'is' if n == 1 else 'are'} {word}" for word, n in counts.items()]
    band = f"{PERCENT.number(low, 0)} to {PERCENT.number(high, 0)} %"
    easiest = listed([value_name(s.rule, s.values[0], study.names) for s in scales])
    return [f"Of the other settings with {easiest}, judged against a win rate of {band}, {listed(parts)}."]
