"""The questions a report can put to a run. A definition lists those that matter for its game, in its own order."""

from simkit.report.blocks import Section
from simkit.report.sections.averages import averages
from simkit.report.sections.balance import seats, table_rate, verdicts
from simkit.report.sections.beside_exact import Known, agreement, exact_picture, exact_table
from simkit.report.sections.choices import choices
from simkit.report.sections.circumstances import Circumstance, circumstances
from simkit.report.sections.clocks import Clock, clocks
from simkit.report.sections.difficulty import difficulty
from simkit.report.sections.difficulty_steps import Scale
from simkit.report.sections.effects import effects
from simkit.report.sections.endings import endings
from simkit.report.sections.fares import Kinds, fares
from simkit.report.sections.features import Features
from simkit.report.sections.happenings import Happenings, happenings
from simkit.report.sections.head_starts import HeadStart, head_starts
from simkit.report.sections.length import length
from simkit.report.sections.losses import Losses, Mark, losses
from simkit.report.sections.mixed_tables import mixed_tables
from simkit.report.sections.mixes import Mix, mixes
from simkit.report.sections.over_time import over_time
from simkit.report.sections.progress import progress
from simkit.report.sections.provenance import assumptions, reproduction
from simkit.report.sections.ratios import SeatRatio, TallyRate, ratios
from simkit.report.sections.rules import rules
from simkit.report.sections.sensitivity import sensitivity
from simkit.report.sections.shown import table_of
from simkit.report.sections.sources import sources
from simkit.report.sections.strategies import strategies
from simkit.report.sections.what_ifs import what_ifs

DEFAULT: tuple[Section, ...] = (
    *(verdicts, table_rate, seats, rules, strategies),
    *(mixed_tables, length, endings, over_time),
)
"""For games without a definition, rival or cooperative."""
ALWAYS: tuple[Section, ...] = (assumptions, reproduction)
"""Close every report."""

__all__ = [
    "ALWAYS",
    "DEFAULT",
    "Circumstance",
    "Clock",
    "Features",
    "Happenings",
    "HeadStart",
    "Kinds",
    "Known",
    "Losses",
    "Mark",
    "Mix",
    "Scale",
    "SeatRatio",
    "TallyRate",
    "agreement",
    "assumptions",
    "averages",
    "choices",
    "circumstances",
    "clocks",
    "difficulty",
    "effects",
    "endings",
    "exact_picture",
    "exact_table",
    "fares",
    "happenings",
    "head_starts",
    "length",
    "losses",
    "mixed_tables",
    "mixes",
    "over_time",
    "progress",
    "ratios",
    "reproduction",
    "rules",
    "seats",
    "sensitivity",
    "sources",
    "strategies",
    "table_of",
    "table_rate",
    "verdicts",
    "what_ifs",
]
