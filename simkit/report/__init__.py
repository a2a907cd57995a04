"""Tables, figures and sentences -> one HTML file, CSV, JSON.

A report definition (`reports/<game>.py`) holds `REPORT = Report(title, sections)`, its sections taken from
`simkit.report.sections` or written as functions `Study -> Part`.
"""

from simkit.report.blocks import Part, Picture, Report, Table, Text
from simkit.report.build import write_report
from simkit.report.study import Study

__all__ = ["Part", "Picture", "Report", "Study", "Table", "Text", "write_report"]
