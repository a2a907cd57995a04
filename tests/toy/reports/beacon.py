"""Beacon: what its report shows, with a section of its own."""

from simkit.report import Part, Report, Table, sections


def fog(study):
    """What fog meets, by keepers' line-up."""
    counts = study.run.tallies("weather").groupby(["cell", "met"], observed=False)["count"].sum().unstack()
    data = counts.reset_index()
    shown = data.astype(str)
    return Part("What fog meets", [Table("fog", "Fog cards by what they met, all games of a cell.", shown, data)])


REPORT = Report(
    title="Beacon: is the coast kept?",
    sections=(sections.verdicts, sections.table_rate, sections.rules, sections.strategies, sections.length, fog),
    names={"rules.wrecks": {2: "two wrecks lose", 3: "three wrecks lose"}},
)
