"""What do seats do, strategy by strategy?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from simkit.figures.grid import grid
from simkit.report.blocks import Block, Part, Picture, Section
from simkit.report.pooled import Pool, counts_of, declared_values, in_own_order, label_order, pooled_words, pools
from simkit.report.sections.shown import estimates_of, pool_keys, table_of
from simkit.report.study import Study, players_of
from simkit.report.words import SPACE, Unit, listed, whole
from simkit.stats.rates import rates

MOST_GRIDS = 4
PER_HUNDRED = Unit(100, "")


def choices(tally: str, of: str, how: str, main: str, heading: str, what: str) -> Section:
    """How often each value of a tally's key occurs per turn of each strategy.

    Parameters
    ----------
    tally
        With the keys `seat`, `of` and `how`.
    of
        What is chosen.
    how, main
        The key, and the value of it that is counted exactly once a turn.
    heading, what
        Of the section; what is counted, in the plural.
    """

    def section(study: Study) -> Part:
        parts = [_rates(study, pool, tally, of, how, main) for pool in pools(study)]
        table = pd.concat(parts, ignore_index=True)
        note, ways = pooled_words(study), " or ".join(declared_values(study, tally, how))
        caption = (
            f"{what} per 100 turns, by strategy, {ways}{f' ({note})' if note else ''}; intervals from the spread "
            "of 64 groups of deals. What nobody ever does is left out."
        )
        occurs = table[table.groupby(of, observed=True)["n_events"].transform("sum") > 0]
        shown = pool_keys(occurs) | {"strategy": occurs["label"], of: occurs[of].astype(str)}
        shown |= {how: occurs[how].astype(str)} | estimates_of(occurs, "per 100 turns", PER_HUNDRED)
        shown |= {"turns": occurs["n"].map(whole)}
        long = table_of(tally, caption, shown, table, folded=True)
        return Part(heading, [*_pictures(study, tally, of, how, main, what), long])

    return section


def _rates(study: Study, pool: Pool, tally: str, of: str, how: str, main: str) -> pd.DataFrame:
    """Per turn, by strategy, choice and way."""
    counts = counts_of(study, tally, pool.cells)
    turns = counts[counts[how] == main]
    found = rates(counts, turns[["label", "group", "count"]], ["label", of, how], pool.n_deals, (0, 1))
    return found.assign(**pool.where())


def _pictures(study: Study, tally: str, of: str, how: str, main: str, what: str) -> list[Block]:
    """A shaded table for each setting, if there are not too many: all ways and player counts together."""
    shown = pools(study)
    settings = dict.fromkeys(pool.setting_name for pool in shown)
    if len(settings) > MOST_GRIDS:
        return []
    pictures: list[Block] = []
    for setting in settings:
        cells = tuple(cell for pool in shown if pool.setting_name == setting for cell in pool.cells)
        counts = counts_of(study, tally, cells)
        turns = counts.loc[counts[how] == main, ["label", "group", "count"]]
        found = rates(counts, turns, ["label", of], max(pool.n_deals for pool in shown), (0, 2))
        found = found[found.groupby(of, observed=True)["n_events"].transform("sum") > 0]
        found = found.assign(row=found[of].astype(str), column=found["label"], text=_texts(found))
        found = in_own_order(in_own_order(found, "label", label_order(study)), "row", declared_values(study, tally, of))
        ways = listed(declared_values(study, tally, how))
        pictures.append(_picture(found, players_of(cells), setting, f"{what} per 100 turns, {ways} together"))
    return pictures


def _picture(found: pd.DataFrame, players: Sequence[int], setting: str, what: str) -> Picture:
    """One setting's shaded table."""
    counts = f"{listed([str(n) for n in players])} players{' together' if len(players) > 1 else ''}"
    caption = f"{what} ({', '.join(filter(None, (counts, setting)))}), ± half the 95{SPACE}% interval."
    return Picture(grid(found), f"{caption} The darker, the more.", f"{caption} The numbers are in the table below.")


def _texts(found: pd.DataFrame) -> Sequence[str]:
    """A number and half its interval."""
    texts = []
    for value, low, high in zip(found["value"], found["low"], found["high"], strict=True):
        digits = min(PER_HUNDRED.digits(low, high), 2)
        half: Any = PER_HUNDRED.number((high - low) / 2, digits)
        texts.append(f"{PER_HUNDRED.number(value, digits)} ±{half}" if value else "0")
    return texts
