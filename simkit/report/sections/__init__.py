"""The questions a report can put to a run. A definition lists those that matter for its game, in its own order."""

from simkit.report.blocks import Section
from simkit.report.sections.balance import seats, table_rate, verdicts
from simkit.report.sections.endings import endings
from simkit.report.sections.length import length
from simkit.report.sections.progress import progress
from simkit.report.sections.provenance import assumptions, reproduction
from simkit.report.sections.rules import rules
from simkit.report.sections.strategies import strategies

DEFAULT: tuple[Section, ...] = (verdicts, table_rate, seats, rules, strategies, length, endings)
"""For games without a definition, rival or cooperative."""
ALWAYS: tuple[Section, ...] = (assumptions, reproduction)
"""Close every report."""

__all__ = [
    "ALWAYS",
    "DEFAULT",
    "assumptions",
    "endings",
    "length",
    "progress",
    "reproduction",
    "rules",
    "seats",
    "strategies",
    "table_rate",
    "verdicts",
]
