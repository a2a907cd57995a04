"""Pebbles: what its report shows."""

from simkit.report import Report, sections

REPORT = Report(title="Pebbles, from a package", sections=(sections.verdicts, sections.seats, sections.endings))
