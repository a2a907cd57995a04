"""Verdicts in plain words: what is found, and what another setting does to it."""

from __future__ import annotations

from simkit.report.cells import Cell
from simkit.report.measures import Key
from simkit.report.study import Study
from simkit.report.words import PERCENT, SPACE, about, capital, interval, listed, seat_name, told, whole
from simkit.stats.verdicts import Verdict


def focus(verdict: Verdict) -> int:
    """The estimate that sentences speak of: the farthest of those wholly above the band, else below it, else of all."""
    outside = verdict.outside
    above = [i for i in outside if verdict.estimates[i].value > verdict.centre]
    among = above or outside or range(len(verdict.estimates))
    return max(among, key=lambda i: abs(verdict.estimates[i].value - verdict.centre))


def change_key(study: Study, verdict: Verdict) -> Key:
    """The measure in focus, as changes name it."""
    return ("table", "won") if study.cooperative else ("seat", str(focus(verdict)))


def subject(study: Study, seat: int) -> str:
    """Who wins."""
    return "the table" if study.cooperative else seat_name(seat)


def verdict_sentence(study: Study, cell: Cell) -> str:
    """One cell's verdict with interval, band and n."""
    verdict = study.verdicts[cell.id]
    who = verdict.outside if verdict.word == "unbalanced" else [focus(verdict)]
    wins = listed([f"{subject(study, i)} wins {told(verdict.estimates[i], PERCENT)}" for i in who])
    band = f"{interval(verdict.low, verdict.high, PERCENT, 1)}{SPACE}%"
    fair = f"fair is {PERCENT.number(verdict.centre, 1)}{SPACE}%, the band {band}"
    against = f"wanted is {band}" if study.cooperative else fair
    found = f"{capital(verdict.word)}. {capital(wins)} of {whole(cell.n_games)} games"
    return f"{found}; {against}{what_would_decide(verdict)}."


def what_would_decide(verdict: Verdict) -> str:
    """What would decide an undecided one; nothing for the others."""
    if verdict.word != "undecided":
        return ""
    if verdict.deals_needed is None:
        return "; the estimate lies at the band’s edge, so that more games may not decide it"
    few = "; too few cases to claim coverage" if verdict.few_cases else ""
    return f"{few}; about {about(verdict.deals_needed)} deals would decide it if the estimates stay as they are"


def finding(study: Study, cell: Cell) -> str:
    """What a verdict means at the table, without numbers."""
    verdict = study.verdicts[cell.id]
    if verdict.word == "unbalanced":
        return _too_much(study, cell, verdict)
    good = "the table wins as often as wanted" if study.cooperative else "every seat wins its fair share"
    return good if verdict.word == "balanced" else f"it is undecided whether {good}"


def _too_much(study: Study, cell: Cell, verdict: Verdict) -> str:
    """Who wins too often, and who too seldom."""
    if study.cooperative:
        return f"the table wins too {'often' if verdict.estimates[0].value > verdict.centre else 'seldom'}"
    above = [_role(i, cell) for i in verdict.outside if verdict.estimates[i].value > verdict.centre]
    below = [_role(i, cell) for i in verdict.outside if verdict.estimates[i].value < verdict.centre]
    often = f"{listed(above)} win{'s' if len(above) == 1 else ''} too often" if above else ""
    verb = "" if above else f" win{'s' if len(below) == 1 else ''}"
    seldom = f"{listed(below)}{verb} too seldom" if below else ""
    return " and ".join(filter(None, (often, seldom)))


def _role(seat: int, cell: Cell) -> str:
    """A seat's part in the game: first and last are the same at any player count."""
    if seat == 0:
        return "the first seat"
    return "the last seat" if seat == cell.info.seats - 1 else seat_name(seat)


def effect(study: Study, base: Cell, other: Cell) -> str:
    """What a setting does to the base's verdict: mends it, lessens it, breaks it ..."""
    before, after = study.verdicts[base.id], study.verdicts[other.id]
    if before.word == "unbalanced":
        return "mends it" if after.word == "balanced" else _lessens(study, before, other)
    if after.word == before.word:
        return {"balanced": "keeps it so", "undecided": "leaves it undecided"}[after.word]
    return f"is {after.word}" if before.word == "undecided" else f"makes it {after.word}"


def _lessens(study: Study, before: Verdict, other: Cell) -> str:
    """Whether a gap that was too wide is narrower, by the paired difference of the estimate in focus."""
    key = change_key(study, before)
    moved = next(change for change in study.changes_of(other) if change.key == key).difference.estimate
    gap = before.estimates[focus(before)].value - before.centre
    undecided = study.verdicts[other.id].word == "undecided"
    if moved.few_cases or moved.low <= 0 <= moved.high:
        return "leaves it undecided" if undecided else "does not mend it"
    if abs(gap + moved.value) >= abs(gap):
        return "does not mend it but makes it worse"
    return "lessens it (enough or not: undecided)" if undecided else "lessens it but does not mend it"
