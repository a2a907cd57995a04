"""How a plan goes on from what its run folder holds: what is kept, what is replaced, and what stands in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simkit.errors import UserError
from simkit.names import printable
from simkit.plan import Cell, Plan
from simkit.running import manifest
from simkit.running.holdings import Fault, Holding, cells_of, survey
from simkit.running.parts import part_place
from simkit.running.rundescription import cell_in_words, differences

_REMEDY = "Replace what differs with `--fresh`, or choose another folder with `--runs`"


@dataclass
class Continuation:
    """What play starts from.

    Attributes
    ----------
    entries
        The manifest's entries of cells that stay, whether the plan asks for them or not.
    holdings
        What is held of them.
    replaced
        Entries of cells whose files go: `--fresh` was given, or an earlier replacement was broken off.
    files
        What was listed of files that stay.
    leftovers
        Files that go: they were never published.
    start_anew
        Nothing of the folder stays.
    """

    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    holdings: dict[str, Holding] = field(default_factory=dict)
    replaced: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    leftovers: list[Path] = field(default_factory=list)
    start_anew: bool = False

    def kept(self, plan: Plan, replaced_too: bool = False) -> dict[str, dict[str, Any]]:
        """Entries of cells that the plan does not ask for; on request, of those that are about to go as well."""
        asked = {cell.id for cell in plan.cells}
        entries = {**self.entries, **self.replaced} if replaced_too else self.entries
        return {cell: entry for cell, entry in entries.items() if cell not in asked}

    def make_room(self, folder: Path, datasets: Sequence[str]) -> None:
        """Delete what goes; parts of `games` first, so that nothing incomplete counts as published."""
        for path in self.leftovers:
            path.unlink(missing_ok=True)
        for dataset in reversed(datasets if self.replaced else ()):
            for path in (folder / dataset).iterdir():
                if part_place(path.name)[0] in self.replaced:
                    path.unlink()


def is_already_played(plan: Plan, found: Mapping[str, Any]) -> bool:
    """Whether a run holds all that a plan asks for, to go by its manifest."""
    told, asked = found["experiment"], plan.experiment.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if not found["complete"] or found["cells"].keys() != {cell.id for cell in plan.cells}:
        return False
    if asked.get("stop") != told.get("stop") or ("stop" in asked and asked["games"] != told["games"]):
        return False
    entries = ((cell, found["cells"][cell.id]) for cell in plan.cells)
    return all(
        cell.digest == entry["digest"] and ("stop" in asked or cell.n_deals <= entry["n_deals"])
        for cell, entry in entries
    )


def continuation(plan: Plan, folder: Path, datasets: Sequence[str], fresh: bool) -> Continuation:
    """What play starts from.

    Raises
    ------
    UserError
        If something stands in the way; with `fresh` only if it is not simkit's to replace.
    """
    if manifest.is_vacant(folder):
        return Continuation(start_anew=True)
    try:
        found = manifest.read_manifest(folder)
        if found["game"] != plan.game_id:
            raise UserError(
                f"a run folder must hold one game; {printable(str(folder))} holds {printable(found['game'])}, and "
                f"this is {plan.game_id}. {_REMEDY}"
            )
    except UserError:
        if not fresh:
            raise
        return Continuation(start_anew=True)
    return _from_manifest(plan, folder, datasets, fresh, found)


def refuse_foreign(folder: Path) -> None:
    """`--fresh` leaves alone what is not a run."""
    if not manifest.is_ours(folder):
        raise UserError(
            f"`--fresh` replaces a run of simkit's; {printable(str(folder))} holds other files, which it leaves "
            "alone: choose another folder with `--runs`"
        )


def _from_manifest(
    plan: Plan, folder: Path, datasets: Sequence[str], fresh: bool, found: Mapping[str, Any]
) -> Continuation:
    """What of a run of this game can stay."""
    entries = {**found["kept"], **found["cells"]}
    going = [cell for cell in found["replacing"] if cell in entries]
    seen = survey(folder, entries, datasets, found["files"], thorough=fresh)
    faults = [fault for fault in seen.faults if fault.cell not in going]
    held = {cell: holding for cell, holding in seen.holdings.items() if holding.furthest and cell not in going}
    changed = [cell for cell in plan.cells if cell.id in held and cell.digest != entries[cell.id]["digest"]]
    strays = [fault for fault in faults if fault.cell not in entries]
    if strays or (faults and not fresh):
        raise manifest.damaged(folder, _told(strays or faults))
    if changed and not fresh:
        raise UserError(_refusal(folder, changed, entries))
    replaced = list(dict.fromkeys([*going, *(cell.id for cell in changed), *cells_of(faults)]))
    return Continuation(
        entries={cell: entry for cell, entry in entries.items() if cell in held and cell not in replaced},
        holdings={cell: holding for cell, holding in held.items() if cell not in replaced},
        replaced={cell: entries[cell] for cell in replaced},
        files={file: told for file, told in found["files"].items() if part_place(Path(file).name)[0] not in replaced},
        leftovers=seen.leftovers,
    )


def _told(faults: Sequence[Fault]) -> str:
    """The first fault, and how many more there are."""
    return str(faults[0]) + (f" (and {len(faults) - 1} more)" if len(faults) > 1 else "")


def _refusal(folder: Path, changed: Sequence[Cell], entries: Mapping[str, Mapping[str, Any]]) -> str:
    """What to say of held cells that would come out otherwise now."""
    cell = changed[0]
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    fields = ", ".join(differences(cell, entries[cell.id]))
    return (
        f"a cell that is held must be what the experiment asks for; in {printable(str(folder))} cell "
        f"{printable(cell_in_words(cell.id, cell.key))}{more} differs in {printable(fields)}. {_REMEDY}"
    )
