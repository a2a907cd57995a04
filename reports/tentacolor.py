"""Tentacolor: what its report shows, in which order."""

from simkit.report import Report, sections

REPORT = Report(
    title="Tentacolor: who wins, how fast, and what decides it",
    sections=(
        sections.verdicts,
        sections.seats,
        sections.rules,
        sections.strategies,
        sections.length,
        sections.progress(
            tally="progress",
            of="run",
            heading="Longest run by round",
            xlabel="round",
            ylabel="mean longest run [cards]",
        ),
        sections.endings,
    ),
    names={"rules.expert": {False: "the basic game", True: "the Expert variant"}},
)
