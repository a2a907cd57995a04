"""A study's numbers as DataFrames, in full precision: what goes into CSV and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from simkit.report.cells import Cell
from simkit.report.measures import Key
from simkit.report.study import Study
from simkit.report.words import seat_name, spelled
from simkit.stats import intervals
from simkit.stats.comparisons import one_among
from simkit.stats.progress import tally_means


def keys(cell: Cell) -> dict[str, Any]:
    """What identifies a cell's rows."""
    return {
        "cell": cell.id,
        "players": cell.info.players,
        "setting": cell.setting_name,
        "line_up": cell.line_up_name,
        "n_games": cell.n_games,
    }


def verdict_table(study: Study, cells: Sequence[Cell]) -> pd.DataFrame:
    """A row per cell: its verdict and the estimate farthest from fair (cooperative: the table's win rate)."""
    rows = []
    for cell in cells:
        verdict = study.verdicts[cell.id]
        about = "table" if study.cooperative else seat_name(verdict.worst)
        rows.append(
            keys(cell)
            | {"verdict": verdict.word, "about": about}
            | verdict.estimates[verdict.worst].row()
            | {"fair": verdict.centre, "band_low": verdict.low, "band_high": verdict.high}
            | {"deals_needed": verdict.deals_needed, "at_edge": verdict.at_edge}
        )
    return pd.DataFrame(rows).astype({"deals_needed": "Int64"})


def seat_table(study: Study) -> pd.DataFrame:
    """A row per cell and seat: its win share, alone and as part of the cell's verdict."""
    rows = []
    for cell in study.cells:
        verdict = study.verdicts[cell.id]
        seats = study.measures[cell.id].of("seat").values()
        for seat, (deals, judged) in enumerate(zip(seats, verdict.estimates, strict=True)):
            own = {"verdict_low": judged.low, "verdict_high": judged.high, "verdict_method": judged.method}
            band = {"fair": verdict.centre, "band_low": verdict.low, "band_high": verdict.high}
            rows.append(keys(cell) | {"seat": seat_name(seat)} | intervals.share(deals).row() | own | band)
    return pd.DataFrame(rows)


def table_rates(study: Study) -> pd.DataFrame:
    """Cooperative games: a row per cell, how often the table wins."""
    rows = []
    for cell in study.cells:
        verdict = study.verdicts[cell.id]
        rate = intervals.share(study.measures[cell.id].per_deal["table", "won"])
        (judged,) = verdict.estimates
        own = {"verdict_low": judged.low, "verdict_high": judged.high}
        rows.append(keys(cell) | rate.row() | own | {"band_low": verdict.low, "band_high": verdict.high})
    return pd.DataFrame(rows)


def label_table(study: Study) -> pd.DataFrame:
    """A row per line-up and label: its win share per seat it holds, over all rotations."""
    rows = []
    for cell in study.cells:
        among = dict(one_among(cell.labels))
        for label, deals in study.measures[cell.id].of("label").items():
            who = {"label": label, "among": among.get(label, ""), "seats_held": cell.labels.count(label)}
            rows.append(keys(cell) | who | intervals.share(deals).row() | {"fair": study.fair(cell)})
    return pd.DataFrame(rows)


def contest_table(study: Study) -> pd.DataFrame:
    """A row per pair and line-up, and their mean: win share of `label` less that of `other`."""
    rows = []
    for contest in study.contests:
        mean_of = f"mean of {len(contest.line_ups)} line-ups"
        where = contest.line_ups[0].line_up_name if len(contest.line_ups) == 1 else mean_of
        where = "one strategy in every seat" if study.cooperative else where
        rows.append(
            {
                "players": contest.players,
                "setting": contest.setting_name,
                "label": contest.label,
                "other": contest.other,
            }
            | {"line_up": where, "n_games": sum(cell.n_games for cell in contest.line_ups)}
            | contest.difference.row()
        )
    return pd.DataFrame(rows)


MEASURE_NAMES = {"table": "table wins", "turns": "mean turns", "tiebreak": "decided by tie-break"}


def measure_name(key: Key) -> str:
    """What a measure is called.

    Examples
    --------
    >>> measure_name(("seat", "0")), measure_name(("cause", "deck-out"))
    ('win share of seat 1', 'ends by deck-out')
    """
    kind, name = key
    if kind == "seat":
        return f"win share of {seat_name(int(name))}"
    if kind == "label":
        return f"win share of {name}"
    return f"ends by {name}" if kind == "cause" else MEASURE_NAMES[kind]


def change_table(study: Study) -> pd.DataFrame:
    """A row per cell that has a base and measure: value here less value there, on the same deals."""
    rows = [
        keys(change.cell)
        | {"base": change.base.setting_name, "measure": measure_name(change.key), "kind": change.key[0]}
        | change.difference.row()
        for change in study.changes
    ]
    return pd.DataFrame(rows)


def length_table(study: Study) -> pd.DataFrame:
    """A row per cell and statistic: the mean of its games' turns and their quantiles [turns]."""
    rows = []
    for cell in study.cells:
        found = study.measures[cell.id]
        if found.mean_turns is not None:
            rows.append(keys(cell) | {"statistic": "mean"} | found.mean_turns.row())
        named = found.quantiles.rename(columns={"quantile": "statistic"})
        named["statistic"] = [f"{q:.0%} quantile" for q in named["statistic"]]
        rows += [keys(cell) | {str(k): v for k, v in row.items()} for row in named.to_dict("records")]
    return pd.DataFrame(rows)


def histogram_table(study: Study) -> pd.DataFrame:
    """A row per cell and number of turns: the share of games of that length."""
    parts = [study.measures[cell.id].histogram.assign(**keys(cell)) for cell in study.cells]
    return pd.concat(parts, ignore_index=True)


def ending_table(study: Study) -> pd.DataFrame:
    """A row per cell and end cause, and one for the tie-break: the share of games."""
    rows = []
    for cell in study.cells:
        found = study.measures[cell.id]
        endings = list(found.of("cause").items())
        endings += [(MEASURE_NAMES["tiebreak"], deals) for deals in found.of("tiebreak").values()]
        rows += [keys(cell) | {"ending": name} | intervals.share(deals).row() for name, deals in endings]
    return pd.DataFrame(rows)


def progress_table(study: Study, tally: str, by: Sequence[str], of: str) -> pd.DataFrame:
    """A row per headline cell and values of the keys `by`: the mean of the key `of` (see `tally_means`)."""
    (declared,) = (t for t in study.run.game.tallies if t.name == tally)
    (key,) = (k for k in declared.keys if k.name == of)
    parts = []
    for cell in study.headlines:
        values = study.run.game.components.values_with(cell.info.rules)
        size = key.size_for(study.run.game.rules(**values), cell.info.seats)
        counts = study.run.tallies(tally, [cell.id])
        means = tally_means(counts, by, of, (0, size - 1), cell.info.n_deals)
        parts.append(means.assign(**keys(cell)))
    return pd.concat(parts, ignore_index=True)


def component_table(study: Study) -> pd.DataFrame:
    """A row per component that the rulebook does not give, or that this experiment changes."""
    rows = []
    for name, component in study.run.game.components.items():
        values = [cell.info.rules.get(name, component.value) for cell in study.cells]
        here = list(dict.fromkeys(spelled(value) for value in values))
        changed = here != [spelled(component.value)]
        if changed or component.tag != "rulebook":
            rows.append(
                {"component": name, "meaning": component.meaning, "value": " | ".join(here), "changed": changed}
                | {"default": spelled(component.value), "tag": component.tag, "source": component.source}
                | {"alternatives": " | ".join(spelled(value) for value in component.alternatives)}
            )
    return pd.DataFrame(rows)
