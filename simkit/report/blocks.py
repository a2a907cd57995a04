"""What a report is made of: parts with a heading, made of sentences, tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from simkit.figures.style import svg
from simkit.report.cells import Names
from simkit.report.study import Study


@dataclass(frozen=True)
class Text:
    """Sentences; several are a list, which may be closed until it is asked for under its caption."""

    sentences: Sequence[str]
    folded: str = ""
    kind: str = "text"


@dataclass(frozen=True)
class Table:
    """A table, as shown and in full.

    Parameters
    ----------
    name
        Of its CSV file and in `report.json`.
    caption
        What to see in it.
    shown
        Texts only, column names as headings.
    data
        In full precision.
    folded
        Closed until it is asked for.
    """

    name: str
    caption: str
    shown: pd.DataFrame
    data: pd.DataFrame
    folded: bool = False
    kind: str = "table"


@dataclass(frozen=True)
class Picture:
    """A matplotlib Figure, a caption that says what to see, and what a reader who cannot see it should know."""

    figure: Any
    caption: str
    alt: str
    kind: str = "picture"

    @property
    def svg(self) -> str:
        """The figure as an SVG document."""
        return svg(self.figure)


Block = Text | Table | Picture


@dataclass(frozen=True)
class Part:
    """A section of the report.

    Parameters
    ----------
    heading
    blocks
    answer
        Sentences that open the report's answer, for a run that was made for this section's question: one whose cells
        vary what it is about.
    """

    heading: str
    blocks: Sequence[Block] = field(default_factory=list)
    answer: Sequence[str] = ()

    @property
    def anchor(self) -> str:
        """For links within the page."""
        return "".join(c if c.isalnum() else "-" for c in self.heading.lower())


Section = Callable[[Study], Part | None]
"""A question put to the run; None where it does not arise."""


@dataclass(frozen=True)
class Report:
    """A report's definition: what to show, in which order.

    Parameters
    ----------
    title
    sections
        What is assumed and how to reproduce the run follow always.
    names
        What to call values of rules in words: {"rules.expert": {True: "the Expert variant"}}.
    """

    title: str
    sections: Sequence[Section]
    names: Names = field(default_factory=dict)
