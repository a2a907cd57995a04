"""What the numbers rest on, and how to get them again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from simkit.report import tables
from simkit.report.blocks import Part, Text
from simkit.report.sections.shown import table_of
from simkit.report.study import Study
from simkit.report.words import whole
from simkit.stats.sequential import PRECISE

MOST_LETTERS = 80
"""Of a component's value on the page."""


def assumptions(study: Study) -> Part:
    """Every component that is not in the rulebook's text, and what this experiment changes."""
    table = tables.component_table(study)
    text = (
        "The rulebook’s text does not give these values: they are confirmed (by a public source), inferred (for the "
        "reason given) or assumed. Their alternatives may change the results above. What the experiment sets is marked."
    )
    shown: dict[str, Any] = {"component": table["component"], "meaning": table["meaning"]}
    shown |= {"value here": table["value"].map(_short), "tag": table["tag"]}
    shown |= {"set here": ["yes" if changed else "" for changed in table["changed"]]}
    shown |= {"default": table["default"].where(table["changed"], "").map(_short)}
    shown |= {"alternatives": table["alternatives"].map(_short), "source": table["source"]}
    caption = (
        "Components not tagged “rulebook”, and those that the experiment sets. The default stands where it is another; "
        "long values are cut off here, and in full in the file."
    )
    return Part("What is assumed", [Text([text]), table_of("components", caption, shown, table)])


def _short(text: str) -> str:
    """
    >>> _short("[2, 2, 2]"), len(_short("2" * 100)), _short("2" * 100)[-3:]
    ('[2, 2, 2]', 80, '2 …')
    """
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 2].rstrip()} …"


def reproduction(study: Study) -> Part:
    """The command, the seed, the versions and the results digest."""
    facts = {name: str(value) for name, value in _facts(study).items() if value not in (None, "")}
    table = pd.DataFrame({"what": list(facts), "value": list(facts.values())})
    caption = "The same command and versions give the same results digest, whatever the machine and number of workers."
    return Part("How to reproduce it", [table_of("reproduction", caption, dict(table), table)])


def _facts(study: Study) -> dict[str, Any]:
    """What the manifest says of the run."""
    manifest, game = study.run.manifest, study.run.game
    facts = {name: manifest.get(name) for name in ("command", "seed")}
    facts |= {"game": f"{game.id}, rules version {game.rules_version}", "simkit": manifest.get("simkit")}
    facts |= {"tape version": manifest.get("tape_version")} | dict(manifest.get("libraries") or {})
    facts |= {f"{name}, not from the library": source for name, source in (manifest.get("sources") or {}).items()}
    facts |= {"cells": len(study.cells), "games": whole(sum(cell.n_games for cell in study.cells))}
    facts |= {"stop": _stop(manifest), "experiment digest": manifest.get("experiment_digest")}
    return facts | {"results digest": manifest.get("results_digest")}


def _stop(manifest: Mapping[str, Any]) -> str:
    """Why cells have no more games, where the experiment asked to stop early."""
    looks = [cell["stopped"] for cell in manifest.get("cells", {}).values() if "stopped" in cell]
    if not looks:
        return ""
    precision = manifest["experiment"]["stop"]["precision"]
    n_precise = sum(look["why"] == PRECISE for look in looks)
    return (
        f"looked at after 4,096 deals and each time these had doubled, until the widest 95 % interval was within "
        f"±{100 * precision:g} points: {n_precise:,} of {len(looks):,} cells; the others have all the games asked for. "
        "Estimates and intervals are as they stand, not adjusted for the looks"
    )
