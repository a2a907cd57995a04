"""The answer to the experiment's question, in sentences that follow from verdicts and differences by fixed rules.

Where strategies met, who beats whom comes first; then whether seats (cooperative: the table) are balanced, and what
each setting changes. The first sentence answers; the others give the numbers, player count by player count. A question
may be put either way round, so that no answer begins with yes or no.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simkit.report.cells import Cell
from simkit.report.ladders import ladder_sentences
from simkit.report.study import Study, players_of
from simkit.report.verdict_words import change_key, effect, finding, focus, subject, verdict_sentence
from simkit.report.words import PERCENT, POINTS, SPACE, capital, interval, listed, told
from simkit.stats.intervals import Estimate

MOST_SETTINGS = 3
"""Settings beside the base that sentences tell apart."""
MOST_NAMES = 3
"""Line-ups that a sentence names."""


def answer(study: Study) -> list[str]:
    """Sentences, the first of which answers the question."""
    bases = [cell for cell in study.headlines if _is_first(study, cell)]
    balance = [_lead(study, bases), *(sentence for base in bases for sentence in _numbers(study, base))]
    return [*ladder_sentences(study), *balance]


def told_cells(study: Study) -> list[Cell]:
    """The cells whose verdicts stand in the answer."""
    bases = [cell for cell in study.headlines if _is_first(study, cell)]
    return bases + [other for base in bases for other in _few_others(study, base)]


def _is_first(study: Study, cell: Cell) -> bool:
    """Whether a headline is that of its player count's base setting."""
    same = [other for other in study.headlines if other.info.players == cell.info.players]
    return cell is next((other for other in same if other.is_base), same[0])


def _few_others(study: Study, base: Cell) -> list[Cell]:
    """The same line-up under other settings, if there are few."""
    others = study.kin_of(base)
    return others if len(others) <= MOST_SETTINGS else []


# ------------------------------------------------------------------------------------------------- the first sentence


def _lead(study: Study, bases: Sequence[Cell]) -> str:
    """What is found with which player counts, what other settings do to it, and the widest gap's numbers."""
    findings: dict[str, list[Cell]] = {}
    for cell in bases:
        findings.setdefault(finding(study, cell), []).append(cell)
    clauses = [f"{_with(cells)} {found}" for found, cells in findings.items()]
    widest = max(bases, key=lambda cell: study.verdicts[cell.id].gap)
    return f"{capital('; '.join([*clauses, *_effects(study, bases)]))}: {_example(study, widest)}."


def _with(cells: Sequence[Cell]) -> str:
    """Player counts: "with 2 and 3 players"."""
    counts = players_of(cells)
    return f"with {listed([str(n) for n in counts])} player{'' if counts == [1] else 's'}"


def _effects(study: Study, bases: Sequence[Cell]) -> list[str]:
    """What each other setting does to the verdicts."""
    effects: dict[str, dict[str, list[Cell]]] = {}
    for base in bases:
        for other in study.kin_of(base):
            effects.setdefault(other.spoken, {}).setdefault(effect(study, base, other), []).append(base)
    if len(effects) > MOST_SETTINGS:
        return [_counted(study, bases)]
    return [f"{setting} {_what(by_effect, bases)}" for setting, by_effect in effects.items()]


def _what(by_effect: Mapping[str, Sequence[Cell]], bases: Sequence[Cell]) -> str:
    """What a setting does with which player counts."""
    every = [what if len(cells) == len(bases) else f"{what} {_with(cells)}" for what, cells in by_effect.items()]
    return listed(every)


def _counted(study: Study, bases: Sequence[Cell]) -> str:
    """How the verdicts of many settings fall."""
    words = [study.verdicts[other.id].word for base in bases for other in study.kin_of(base)]
    if len(set(words)) == 1:
        return f"all {len(words)} cells with other settings are {words[0]}"
    parts = [f"{words.count(word)} {'is' if words.count(word) == 1 else 'are'} {word}" for word in sorted(set(words))]
    return f"of {len(words)} cells with other settings {listed(parts)}"


def _example(study: Study, base: Cell) -> str:
    """The numbers of the widest gap."""
    verdict = study.verdicts[base.id]
    seat = focus(verdict)
    band = f"{interval(verdict.low, verdict.high, PERCENT, 1)}{SPACE}%"
    text = f"with {base.players_name} {subject(study, seat)} wins {told(verdict.estimates[seat], PERCENT)} of games"
    if study.cooperative:
        text += f", wanted {band}"
    else:
        text += f" where {PERCENT.number(verdict.centre, 1)}{SPACE}% would be fair, band {band}"
    changes = [f"; {other.spoken}: {_moved(study, base, other)}" for other in _few_others(study, base)]
    return text + ("".join(changes) or _largest_change(study, base))


def _largest_change(study: Study, base: Cell) -> str:
    """Of many settings the one that changes the estimate in focus most."""
    others = study.kin_of(base)
    if not others:
        return ""
    most = max(others, key=lambda other: abs(_change(study, base, other).value))
    return f"; of the settings {most.spoken} changes that most, by {_moved(study, base, most)}"


# ----------------------------------------------------------------------------------------------- player count by count


def _numbers(study: Study, base: Cell) -> Iterator[str]:
    """One player count: the base's verdict, then each other setting's."""
    several = len(study.groups[base.info.players, base.setting_name]) > 1
    names = (base.players_name, base.setting_name, f"{base.line_up_name} ({study.headline_name})" if several else "")
    yield f"{', '.join(filter(None, names))}: {verdict_sentence(study, base)}{_dissent(study, base)}"
    for other in _few_others(study, base):
        who = (
            "the table’s win rate" if study.cooperative else f"{subject(study, focus(study.verdicts[base.id]))}’s share"
        )
        moved = f"Against {base.spoken} {who} changes by {_moved(study, base, other)} on the same deals."
        yield f"{other.players_name}, {other.setting_name}: {verdict_sentence(study, other)} {moved}"


def _moved(study: Study, base: Cell, other: Cell) -> str:
    """The paired difference of the estimate in focus, in words."""
    return told(_change(study, base, other), POINTS)


def _change(study: Study, base: Cell, other: Cell) -> Estimate:
    """The paired difference of the estimate in focus."""
    key = change_key(study, study.verdicts[base.id])
    return next(change for change in study.changes_of(other) if change.key == key).difference.estimate


def _dissent(study: Study, headline: Cell) -> str:
    """How many of the other line-ups read otherwise, and which."""
    others = [cell for cell in study.groups[headline.info.players, headline.setting_name] if cell is not headline]
    by_reading: dict[str, list[str]] = {}
    for cell in others:
        if _reading(study, cell) != _reading(study, headline):
            by_reading.setdefault(_reading(study, cell), []).append(cell.line_up_name)
    parts = []
    for reading, names in sorted(by_reading.items()):
        some = listed(names) if len(names) <= MOST_NAMES else f"{', '.join(names[:MOST_NAMES])} and others"
        parts.append(f"{len(names)} {'is' if len(names) == 1 else 'are'} {reading} ({some})")
    kind = "weaker" if study.are_compared else "other"
    return f" Of {len(others)} {kind} line-up{'s' * (len(others) > 1)} {listed(parts)}." if parts else ""


def _reading(study: Study, cell: Cell) -> str:
    """A verdict's word; of a table that is unbalanced also which way."""
    verdict = study.verdicts[cell.id]
    is_odd = study.cooperative and verdict.word == "unbalanced"
    return f"{verdict.word}, {finding(study, cell)}" if is_odd else verdict.word
