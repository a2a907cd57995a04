"""The user's files for workers on other machines: sent as text, unpacked into a folder of the worker's own.

Nothing is pickled but plain values, and what is unpacked is checked like any other file: by the digests in the cell.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from simkit.plan import Plan
from simkit.running.rundescription import foreign_sources


@dataclass(frozen=True)
class Parcel:
    """The files that a plan needs beside simkit.

    Attributes
    ----------
    base
        The user's folder, absolute.
    files
        Absolute path and text of each.
    """

    base: str
    files: tuple[tuple[str, str], ...]


def packed(plan: Plan) -> Parcel:
    """A plan's files."""
    files = (path.resolve() for path in foreign_sources(plan))
    return Parcel(str(plan.base.resolve()), tuple((str(path), path.read_text(encoding="utf-8")) for path in files))


_UNPACKED: dict[Parcel, Path] = {}


def unpacked(parcel: Parcel) -> Path:
    """The user's folder as it is on this machine; written once a process, removed with it."""
    if parcel not in _UNPACKED:
        root = Path(tempfile.mkdtemp(prefix="simkit-"))
        atexit.register(shutil.rmtree, root, ignore_errors=True)
        for path, text in parcel.files:
            _below(root, path).parent.mkdir(parents=True, exist_ok=True)
            _below(root, path).write_text(text, encoding="utf-8")
        base = _below(root, parcel.base)
        base.mkdir(parents=True, exist_ok=True)
        _UNPACKED[parcel] = base
    return _UNPACKED[parcel]


def _below(root: Path, path: str) -> Path:
    """Where an absolute path lies below a root of our own."""
    absolute = Path(path)
    return root.joinpath(*absolute.parts[1:])
