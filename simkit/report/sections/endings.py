"""Why do games end?"""

from __future__ import annotations

from simkit.report import tables
from simkit.report.blocks import Block, Part, Text
from simkit.report.sections.shown import dots_of, estimates_of, games_of, headline_rows, keys_of, strongest, table_of
from simkit.report.study import Study
from simkit.report.words import PERCENT


def endings(study: Study) -> Part:
    """Shares of end causes, of games decided by the tie-break, and of unfinished ones."""
    table = tables.ending_table(study)
    shown = keys_of(table) | {"ending": table["ending"]} | estimates_of(table, "share of games", PERCENT)
    shown |= {"method": table["method"]} | games_of(table)
    occurred = table[table["value"] > 0]["ending"].unique()
    causes = [cause for cause in study.run.game.all_end_causes if cause in occurred]
    drawn = headline_rows(study, table)
    drawn = drawn[drawn["ending"].isin(causes)]
    picture: list[Block] = [Text([f"Every game ended in the same way: {causes[0]}."])] if len(causes) == 1 else []
    if len(causes) > 1:
        drawn_of = f"Share of games by what ended them{strongest(study)}."
        picture = dots_of(drawn, "ending", drawn_of, "share of games [%]")
    caption = (
        "Every way to end that the game declares, whether or not it occurred, each interval at 95 % by itself. "
        "Unfinished games were given up after the rule `max_rounds`; they count for nobody."
    )
    return Part("How games end", [*picture, table_of("endings", caption, shown, table)])
