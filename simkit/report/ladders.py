"""Which strategy beats all others, or why there is none, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from simkit.report.study import Study
from simkit.report.words import Unit, capital, players_name, told

MOST_CYCLES = 3
MOST_DETAILS = 8
"""Settings that a sentence tells one by one; of more only how many there are."""
LEAD = Unit(100, "points of win share per seat", signed=True)
TABLE_LEAD = Unit(100, "points of win rate", signed=True)


def ladder_sentences(study: Study) -> list[str]:
    """What holds where strategies met: first with the base setting, then with the others."""
    bases = [key for key, group in study.groups.items() if any(cell.is_base for cell in group)]
    others = [key for key in study.groups if key not in bases]
    return [sentence for sentence in (_sentence(study, bases), _sentence(study, others)) if sentence]


def _sentence(study: Study, groups: Sequence[tuple[int, str]]) -> str:
    """What holds for each player count and setting; empty if strategies never met there."""
    found: dict[str, list[str]] = {}
    for players, setting_name in groups:
        if study.decisive(players, setting_name):
            rank, detail = _rank(study, players, setting_name)
            where = f"with {players_name(players)}{f', {setting_name},' if setting_name else ''}"
            found.setdefault(rank, []).append(f"{where} {detail}")
    n = sum(map(len, found.values()))
    if n > MOST_DETAILS:
        told_counts = [f"{rank} in {len(details)} of {n} cells" for rank, details in found.items()]
        return f"With other settings: {'; '.join(told_counts)}."
    return capital("; ".join(f"{rank}: {'; '.join(details)}" for rank, details in found.items())) + "." * bool(found)


def _rank(study: Study, players: int, setting_name: str) -> tuple[str, str]:
    """The strategy at the top and its narrowest lead, or that there is none and the cycle."""
    top, cycles = study.ladder(players, setting_name)
    met = study.decisive(players, setting_name)
    if top is None:
        best = max(study.strengths(players, setting_name).items(), key=lambda pair: pair[1])[0]
        rings = [f"; {a} beats {b}, {b} beats {c} and {c} beats {a}" for a, b, c in cycles[:MOST_CYCLES]]
        return "no strategy beats every other one", f"the best on average is {best}{''.join(rings)}"
    own = [contest for contest in met if top in (contest.label, contest.other)]
    nearest = min(own, key=lambda contest: contest.lead(top).value)
    rival = nearest.other if nearest.label == top else nearest.label
    lead = told(nearest.lead(top), TABLE_LEAD if study.cooperative else LEAD)
    if len(own) == 1:
        return f"strategy {top} beats {rival}", f"its lead is {lead}"
    return f"strategy {top} beats every other one", f"its narrowest lead is {lead}, over {rival}"
