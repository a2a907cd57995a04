"""Which strategy is better, by a margin that the designer sets: all contests of a run, judged at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import pandas as pd

from simkit.errors import UserError
from simkit.names import printable
from simkit.report import tables
from simkit.report.cells import Cell, arrange
from simkit.report.ladders import ladder_sentences
from simkit.report.measures import Contest, contests, mirror_pairs, pairs, table_contests
from simkit.report.study import Study
from simkit.report.verdict_words import what_would_decide
from simkit.report.words import PERCENT, POINTS, SPACE, capital, players_name, told, whole
from simkit.stats import intervals
from simkit.stats.comparisons import against_margin, one_among, side
from simkit.stats.frequencies import Frequencies
from simkit.stats.verdicts import Verdict, family_level

MARGIN = 0.01
"""A difference within one point of win share makes no odds, unless told otherwise [probability]."""
EVEN = 0.05
"""A pairing gain so close to 1 is none."""

Word = Literal["better", "worse", "alike", "undecided"]
_WORDS: dict[str, Word] = {"above": "better", "below": "worse", "alike": "alike", "undecided": "undecided"}


@dataclass(frozen=True)
class Judged:
    """One strategy against another, and what the margin says: the mean over line-ups where there are several."""

    contest: Contest
    verdict: Verdict

    @property
    def word(self) -> Word:
        """`better` or `worse` by at least the margin, `alike` within it, or `undecided`; of the one named first."""
        return _WORDS[side(self.verdict)]

    @property
    def ahead(self) -> str | None:
        """Who is ahead beyond the interval, by however little."""
        found = self.verdict.estimates[0]
        if found.few_cases or found.low <= 0 <= found.high:
            return None
        return self.contest.label if found.low > 0 else self.contest.other


@dataclass(frozen=True)
class Comparison:
    """The strategies of a run, compared.

    Attributes
    ----------
    study
        Its cells and contests; nothing else is measured.
    margin
        Within which strategies are alike [probability].
    level
        Of every interval, so that all verdicts hold at once at 95 %.
    """

    study: Study
    margin: float
    level: float

    @classmethod
    def of(cls, run: Any, margin: float = MARGIN) -> Comparison:
        """Compare every two strategies that met (cooperative: that played the same deals).

        Parameters
        ----------
        run
            A `simkit.store.Run`.
        margin

        Raises
        ------
        UserError
            If no two of them can be compared.
        """
        cells = arrange(run.cells, {name: component.value for name, component in run.game.components.items()})
        level = family_level(_n_verdicts(run, cells))
        met = table_contests(run, cells, level) if run.game.cooperative else contests(run, cells, level)
        found = tuple(_in_order(met, _order(run)))
        return cls(Study(run, {}, tuple(cells), {}, (), found, level), margin, level)

    @cached_property
    def judged(self) -> list[Judged]:
        """A verdict for each pair, number of players and setting."""
        every = [contest for group in self.study.groups for contest in self.study.decisive(*group)]
        return [Judged(contest, against_margin(contest.difference.estimate, self.margin)) for contest in every]

    @property
    def labels(self) -> list[str]:
        """Who met."""
        return list(dict.fromkeys(label for contest in self.study.contests for label in (contest.label, contest.other)))


def _n_verdicts(run: Any, cells: Sequence[Cell]) -> int:
    """How many verdicts there will be; none is a mistake."""
    n_verdicts = len(mirror_pairs(cells) if run.game.cooperative else pairs(cells))
    if n_verdicts:
        return n_verdicts
    where = printable(str(run.path))
    labels = sorted({label for cell in cells for label in cell.labels})
    wanted = (
        "two line-ups with one strategy in every seat, alike but for the strategy"
        if run.game.cooperative
        else "a line-up in which two strategies meet (`line_ups = round-robin`)"
    )
    raise UserError(
        f"to compare strategies a run must hold {wanted}; {where} holds none (strategies: "
        f"{printable(', '.join(labels))}). Play them with `simkit compare GAME STRATEGY STRATEGY`, or compare settings "
        "with `--by`"
    )


def _order(run: Any) -> dict[str, int]:
    """The place of each label in the experiment."""
    return {spec.default_label: place for place, spec in enumerate(run.experiment.strategies)}


def _in_order(met: Iterator[Contest], order: Mapping[str, int]) -> Iterator[Contest]:
    """Of each pair the one that the experiment names first comes first."""
    for contest in met:
        places = [order.get(label, 0) for label in (contest.label, contest.other)]
        yield contest if places[0] <= places[1] else contest.turned()


# -------------------------------------------------------------------------------------------------------------- numbers


def verdict_table(comparison: Comparison) -> pd.DataFrame:
    """A row per pair: the difference of win shares per seat (cooperative: of win rates) and the verdict."""
    rows = []
    for judged in comparison.judged:
        contest, verdict = judged.contest, judged.verdict
        rows.append(
            {"players": contest.players, "setting": contest.setting_name}
            | {"label": contest.label, "other": contest.other, "verdict": judged.word, "ahead": judged.ahead}
            | {"n_line_ups": _n_line_ups(comparison, contest)}
            | contest.difference.row()
            | {"deals_needed": verdict.deals_needed, "at_edge": verdict.at_edge}
            | {"sentence": sentence(comparison, judged)}
        )
    return pd.DataFrame(rows).astype({"deals_needed": "Int64"})


def _n_line_ups(comparison: Comparison, contest: Contest) -> int:
    """Line-ups over which the difference is a mean; tables that are compared are one."""
    return 1 if comparison.study.cooperative else len(contest.line_ups)


def line_up_table(comparison: Comparison) -> pd.DataFrame:
    """A row per pair and line-up, and their mean: both shares of the win per seat, and the difference."""
    found = tables.contest_table(comparison.study)
    parts = [
        _share("label", contest.shares.get(contest.label), comparison.level)
        | _share("other", contest.shares.get(contest.other), comparison.level)
        for contest in comparison.study.contests
    ]
    return pd.concat([found, pd.DataFrame(parts, index=found.index)], axis=1)


def _share(who: str, deals: Frequencies | None, level: float) -> dict[str, float]:
    """A share's columns; no numbers where the row is a mean over line-ups."""
    if deals is None:
        return {f"{who}_{name}": math.nan for name in ("share", "low", "high")}
    found = intervals.share(deals, level)
    return {f"{who}_share": found.value, f"{who}_low": found.low, f"{who}_high": found.high}


def matrix_table(comparison: Comparison) -> pd.DataFrame:
    """The win matrix: a row for each label as the one among others, its share of the win."""
    rows = []
    for contest in comparison.study.contests:
        if len(contest.line_ups) == 1:
            for label, among in one_among(contest.line_ups[0].labels):
                who = {"players": contest.players, "setting": contest.setting_name, "label": label, "among": among}
                rows.append(who | intervals.share(contest.shares[label], comparison.level).row())
    return pd.DataFrame(rows)


def ladders(comparison: Comparison) -> list[dict[str, Any]]:
    """For each number of players and setting: the labels by their mean lead, who beats all others, and the cycles."""
    found = []
    for players, setting_name in comparison.study.groups:
        strengths = comparison.study.strengths(players, setting_name)
        top, cycles = comparison.study.ladder(players, setting_name)
        order = sorted(strengths, key=lambda label: -strengths[label])
        steps = [{"label": label, "mean_lead": strengths[label]} for label in order]
        where = {"players": players, "setting": setting_name}
        found.append(where | {"top": top, "order": steps, "cycles": [list(cycle) for cycle in cycles]})
    return [ladder for ladder in found if ladder["order"]]


# ------------------------------------------------------------------------------------------------------------- in words


def points(margin: float) -> str:
    """
    >>> points(0.01).replace(SPACE, " "), points(0.005).replace(SPACE, " ")
    ('1 point', '0.5 points')
    """
    return f"{100 * margin:g}{SPACE}point{'' if math.isclose(margin, 0.01) else 's'}"


def gain_words(gain: float) -> str:
    """What sharing the deals did to the interval.

    Examples
    --------
    >>> gain_words(2.345)
    '; the same deals made the interval as narrow as 2.3 times as many games would'
    >>> gain_words(1.01), gain_words(math.nan)
    ('; sharing the deals gained nothing', '')
    """
    if math.isnan(gain):
        return ""
    if abs(gain - 1) < EVEN:
        return "; sharing the deals gained nothing"
    width = "narrow" if gain > 1 else "wide"
    return f"; the same deals made the interval as {width} as {gain:.{1 if gain > 1 else 2}f} times as many games would"


def sentences(comparison: Comparison) -> list[str]:
    """What holds for each pair, one sentence each."""
    return [sentence(comparison, judged) for judged in comparison.judged]


def sentence(comparison: Comparison, judged: Judged) -> str:
    """One pair's verdict, with its difference, interval, n and what pairing gained."""
    contest, found = judged.contest, judged.contest.difference.estimate
    first, second = contest.label, contest.other
    if found.value < 0:
        first, second = second, first
    by = points(comparison.margin)
    said = {
        "better": f"{first} is better than {second} by at least {by}",
        "alike": f"{first} and {second} are alike within {by}",
        "undecided": f"undecided whether {first} is better than {second} by {by}",
    }["better" if judged.word == "worse" else judged.word]
    where = ", ".join(filter(None, (f"with {players_name(contest.players)}", contest.setting_name)))
    n_line_ups = _n_line_ups(comparison, contest)
    mean = f", the mean of {n_line_ups} line-ups" if n_line_ups > 1 else ""
    lead = f"{first} leads by {told(contest.lead(first), POINTS)}"
    deals = f"on {whole(found.n_deals)} deals{mean}"
    return f"{capital(where)}: {said}; {lead} {deals}{_besides(judged)}{gain_words(contest.difference.gain)}."


def _besides(judged: Judged) -> str:
    """Of an undecided pair: that one is ahead nevertheless, and what would decide it."""
    if judged.word != "undecided":
        return ""
    ahead = f"; {judged.ahead} is ahead, by however little" if judged.ahead else ""
    return ahead + what_would_decide(judged.verdict)


def standings(comparison: Comparison) -> list[str]:
    """Who beats all others, cycles, and everyone's mean lead; of two there is nothing more to say."""
    if len(comparison.labels) < 3:
        return []
    return [*ladder_sentences(comparison.study), *map(_ladder, ladders(comparison))]


def _ladder(ladder: Mapping[str, Any]) -> str:
    """One ladder."""
    where = ", ".join(filter(None, (f"with {players_name(ladder['players'])}", ladder["setting"])))
    steps = [f"{step['label']} {POINTS.number(step['mean_lead'], 1)}" for step in ladder["order"]]
    return f"Ladder {where}, mean lead over the others in points: {', '.join(steps)}."


# --------------------------------------------------------------------------------------------------------------- tables


def shown_line_ups(comparison: Comparison) -> pd.DataFrame:
    """`line_up_table` as texts."""
    found, contests_of = line_up_table(comparison), comparison.study.contests
    shown: dict[str, Any] = {"players": found["players"].astype(str)}
    if found["setting"].ne("").any():
        shown["setting"] = found["setting"]
    shown |= {"strategy": found["label"], "against": found["other"], "line-up": found["line_up"]}
    for who, heading in (("label", "strategy wins"), ("other", "against wins")):
        shown[heading] = [_told(contest, getattr(contest, who), comparison.level) for contest in contests_of]
    estimates = [contest.difference.estimate for contest in contests_of]
    shown["lead"] = [told(e, POINTS) + " (few cases)" * e.few_cases for e in estimates]
    shown["deals"] = found["n_deals"].map(whole)
    shown["pairing gain"] = ["" if pd.isna(gain) else f"{gain:.2f}" for gain in found["gain"]]
    return pd.DataFrame(shown)


def _told(contest: Contest, label: str, level: float) -> str:
    """A strategy's share in one line-up; nothing for the mean over several."""
    return told(intervals.share(contest.shares[label], level), PERCENT) if label in contest.shares else ""


def shown_matrices(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Win matrices as texts, the strongest first, by what they are called; for three and more strategies."""
    found, shown = matrix_table(comparison), {}
    if found.empty or found["label"].nunique() < 3:
        return {}
    for players, setting_name in comparison.study.groups:
        mine = found[(found["players"] == players) & (found["setting"] == setting_name)]
        where = ", ".join(filter(None, (players_name(players), setting_name)))
        if not mine.empty:
            title = f"Win share, in %, of the row’s strategy in one seat among the column’s, with {where}"
            shown[title] = _matrix(mine, comparison.study.strengths(players, setting_name))
    return shown


def _matrix(mine: pd.DataFrame, strengths: Mapping[str, float]) -> pd.DataFrame:
    """One win matrix."""
    names = sorted({*mine["label"], *mine["among"]}, key=lambda name: -strengths[name])
    columns = (mine[name] for name in ("label", "among", "value", "low", "high"))
    texts = {(label, among): _percent(*ends) for label, among, *ends in zip(*columns, strict=True)}
    lines = [[name, *(texts.get((name, other), "") for other in names)] for name in names]
    return pd.DataFrame(lines, columns=["", *names])


def _percent(share: float, low: float, high: float) -> str:
    """A share and half its interval."""
    digits = PERCENT.digits(low, high)
    return f"{PERCENT.number(share, digits)} ±{PERCENT.number((high - low) / 2, digits)}"
