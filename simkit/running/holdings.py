"""What a run folder holds: the published chunks of every cell, and whatever is not as it should be.

A chunk is published when its part of `games` has its name; its other parts have theirs by then. Deals are published in
order, so that what is held of a rotation is a number of deals and two hashes, however often play was broken off.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from simkit.names import first_line, printable
from simkit.running.parts import Stamp, footer_mark, part_place, read_stamp
from simkit.running.rowhash import MODULUS


@dataclass
class Held:
    """What is held of one rotation: deals 0 .. n_deals - 1, and the sums of their chunks' hashes."""

    n_deals: int = 0
    rows: int = 0
    tallies: int = 0

    def add(self, stamp: Stamp) -> None:
        """Take in the next chunk."""
        if stamp.first_deal != self.n_deals:
            raise RuntimeError(f"chunks must be published in order; found {stamp}")
        self.n_deals = stamp.end
        self.rows = (self.rows + stamp.rows) % MODULUS
        self.tallies = (self.tallies + stamp.tallies) % MODULUS


@dataclass
class Holding:
    """What is held of one cell, by rotation."""

    rotations: dict[int, Held] = field(default_factory=dict)

    def of(self, rotation: int) -> Held:
        """What is held of a rotation."""
        return self.rotations.setdefault(rotation, Held())

    @property
    def furthest(self) -> int:
        """Deals of the rotation that has most."""
        return max((held.n_deals for held in self.rotations.values()), default=0)

    def digest(self) -> str:
        """SHA-256 of what is held."""
        lines = (
            f"rotation {rotation}, {held.n_deals} deals, rows {held.rows}, tallies {held.tallies}\n"
            for rotation, held in sorted(self.rotations.items())
        )
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def results_digest(digests: Mapping[str, str]) -> str:
    """SHA-256 of the cells' digests in the order of their ids."""
    return hashlib.sha256("".join(f"{cell} {digests[cell]}\n" for cell in sorted(digests)).encode()).hexdigest()


@dataclass(frozen=True)
class Fault:
    """A file that is not as it should be, and the cell that it belongs to (None if to none of the run's)."""

    file: str
    what: str
    cell: str | None

    def __str__(self) -> str:
        return f"{printable(self.file)}: {self.what}"


@dataclass
class Survey:
    """What was found in a folder.

    Attributes
    ----------
    holdings
        By cell.
    faults
        In the order of the files' names.
    leftovers
        Files of a chunk that was about to be published; it will be played again.
    """

    holdings: dict[str, Holding] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    leftovers: list[Path] = field(default_factory=list)


def survey(
    folder: Path,
    cells: Mapping[str, Mapping[str, Any]],
    datasets: Sequence[str],
    listed: Mapping[str, Mapping[str, Any]],
    thorough: bool = False,
) -> Survey:
    """Look at every part file of a run folder: at its name, size, footer and stamp; if thorough, at its pages too.

    Parameters
    ----------
    folder
    cells
        The cells that the folder is known to hold, by id: their `digest` and `rotations`.
    datasets
        Folders of part files, `games` last.
    listed
        Size and footer's checksum of files that must be there, by their path in the folder.
    thorough
        Read every page, which takes as long as reading the run.
    """
    found = Survey()
    names = {dataset: _names(folder / dataset) for dataset in datasets}
    for file, told in listed.items():
        what = _unlike(folder / file, told, thorough)
        if what:
            found.faults.append(Fault(file, what, _cell_of(file.rpartition("/")[2])))
    for name in sorted(set().union(*names.values())):
        _look_at(found, folder, name, [dataset for dataset in datasets if name in names[dataset]], cells, datasets)
    return found


def _unlike(path: Path, told: Mapping[str, Any], thorough: bool) -> str:
    """In what a file is not as it was listed."""
    if not path.is_file():
        return "the file is missing"
    if path.stat().st_size != told["bytes"]:
        return "its size is not that which was written"
    try:
        if footer_mark(path) != told["footer"]:
            return "its footer is not that which was written"
        if thorough:
            pq.ParquetFile(path, page_checksum_verification=True).read()
    except (OSError, ValueError, pa.ArrowException) as error:
        return f"it cannot be read: {first_line(error)}"
    return ""


def _names(folder: Path) -> set[str]:
    """The files in a folder, if there is one."""
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


def _cell_of(name: str) -> str | None:
    """The cell that a part's name gives."""
    try:
        return part_place(name)[0]
    except ValueError:
        return None


def _look_at(
    found: Survey,
    folder: Path,
    name: str,
    where: Sequence[str],
    cells: Mapping[str, Mapping[str, Any]],
    datasets: Sequence[str],
) -> None:
    """The files of one chunk: they are whole, belong together and follow what is held."""
    cell = _cell_of(name)
    if cell is None or cell not in cells:
        foreign = "it is not a file of this run; move it elsewhere"
        found.faults += [Fault(f"{dataset}/{name}", foreign, None) for dataset in where]
        return
    _, rotation, first = part_place(name)
    held = found.holdings.setdefault(cell, Holding()).of(rotation)
    if "games" not in where and first == held.n_deals:
        found.leftovers += [folder / dataset / name for dataset in where]
        return
    missing = [dataset for dataset in datasets if dataset not in where]
    if missing:
        found.faults.append(Fault(f"{missing[-1]}/{name}", "the file is missing", cell))
        return
    stamps = {dataset: _stamp(found, folder, f"{dataset}/{name}", cell) for dataset in datasets}
    stamp = stamps["games"]
    if stamp is None or None in stamps.values():
        return
    for dataset, other in stamps.items():
        if other != stamp or (other.name, other.cell_digest) != (name, cells[cell]["digest"]):
            found.faults.append(Fault(f"{dataset}/{name}", "it belongs to another run, cell or deal", cell))
            return
    if rotation >= cells[cell]["rotations"] or first != held.n_deals:
        missed = f"the deals before {first:,} are missing" if first > held.n_deals else "its deals are there twice"
        found.faults.append(Fault(f"games/{name}", missed, cell))
        return
    held.add(stamp)


def _stamp(found: Survey, folder: Path, file: str, cell: str) -> Stamp | None:
    """What a part says of itself; None, and a fault, if it cannot be read."""
    try:
        return read_stamp(folder / file)
    except (OSError, ValueError) as error:
        found.faults.append(Fault(file, f"it cannot be read: {first_line(error)}", cell))
        return None


def cells_of(faults: Iterable[Fault]) -> list[str]:
    """The cells that faults concern, each once."""
    return list(dict.fromkeys(fault.cell for fault in faults if fault.cell is not None))
