"""What a run folder says of itself: `manifest.json`, written whole or not at all, and what belongs to such a folder."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from simkit.errors import UserError
from simkit.names import printable
from simkit.running.parts import footer_mark

FORMAT = "simkit run"
FORMAT_VERSION = 2

MANIFEST, EXPERIMENT = "manifest.json", "experiment.toml"
WRITING, LOCK = ".writing", ".lock"
"""Folder for files that are not yet published, and the file that keeps a second process out."""
_RESULTS = ("games", "seats", "tallies", "report")


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Replace the manifest in one step."""
    document = {"format": FORMAT, "format_version": FORMAT_VERSION} | manifest
    replace_file(folder / MANIFEST, json.dumps(document, indent=1).encode())


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file in one step: it is never half-written."""
    draft = path.with_name(path.name + ".tmp")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder, finished or not.

    Raises
    ------
    UserError
        If the folder does not exist, is none of ours, or its manifest is damaged.
    """
    shown = printable(str(folder))
    if not os.path.isdir(folder):
        raise UserError(f"a run must be a folder that `simkit run` has written; found no folder {shown}")
    try:
        manifest = json.loads(_text(folder / MANIFEST))
    except FileNotFoundError:
        raise UserError(
            f"a run folder must hold {MANIFEST}; {shown} holds none, so that it is not one of simkit's: name another"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(folder, f"{MANIFEST} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise UserError(
            f"a run folder must hold a {MANIFEST} written by simkit; that in {shown} is another program's: name another"
        )
    if manifest.get("format_version") != FORMAT_VERSION:
        raise UserError(
            f"{shown} must be in format {FORMAT_VERSION} of simkit's runs; found {manifest.get('format_version')!r}: "
            "use the version of simkit that wrote it, or play it again with `--fresh`"
        )
    wrong = _wrong(manifest)
    if wrong:
        raise damaged(folder, f"{MANIFEST} does not say what it must ({wrong})")
    return manifest


def _text(path: Path, errors: str = "strict") -> str:
    """A file's text; nothing ever comes out of a pipe."""
    if path.exists() and not path.is_file():
        raise OSError("it is not a file")
    return path.read_text(encoding="utf-8", errors=errors)


def _wrong(manifest: dict[str, Any]) -> str:
    """What a manifest should say and does not."""
    wrong = [name for name, kind in _entries(manifest).items() if not isinstance(manifest.get(name), kind)]
    if wrong:
        return ", ".join(wrong)
    if not all(isinstance(cell, str) for cell in manifest["replacing"]):
        return "replacing"
    if not all(map(_is_file, manifest["files"].values())):
        return "files"
    if manifest["complete"] and not isinstance(manifest["timing"].get("seconds", 0), int | float):
        return "timing"
    if "\0" in manifest["base"]:
        return "base"
    return "" if all(map(_is_cell, [*manifest["cells"].values(), *manifest["kept"].values()])) else "cells"


def _entries(manifest: dict[str, Any]) -> dict[str, type]:
    """What every manifest must hold, and what a finished one must hold besides."""
    always = {"game": str, "command": str, "base": str, "seed": int, "games": int, "experiment": dict}
    always |= {"cells": dict, "kept": dict, "replacing": list, "files": dict, "complete": bool}
    always |= {"simkit": str, "libraries": dict, "source_texts": dict}
    return always | ({"results_digest": str, "timing": dict} if manifest.get("complete") else {})


def _is_file(entry: Any) -> bool:
    """Whether a file's entry tells it from another."""
    wanted = {"bytes": int, "footer": str}
    return isinstance(entry, dict) and all(isinstance(entry.get(name), kind) for name, kind in wanted.items())


def _is_cell(entry: Any) -> bool:
    """Whether a cell's entry says what is needed to go on with it."""
    wanted = {"digest": str, "rotations": int, "made_of": dict, "key": dict, "n_deals": int}
    wanted |= {"players": int, "seats": int, "rules": dict, "labels": list, "games": int}
    if not isinstance(entry, dict) or not all(isinstance(entry.get(name), kind) for name, kind in wanted.items()):
        return False
    key = {"players": int, "rules": dict, "line_up": list, "swept": dict}
    return (
        all(isinstance(entry["key"].get(name), kind) for name, kind in key.items())
        and len(entry["labels"]) == entry["seats"] >= 1
        and all(isinstance(label, str) for label in entry["labels"])
        and entry["rotations"] >= 1
        and entry["n_deals"] >= 1
    )


def damaged(folder: Path, what: str) -> UserError:
    """The complaint about a run that cannot be used as it is."""
    return UserError(
        f"a run must be whole; {printable(str(folder))} is damaged: {what}; "
        "`simkit run` with `--fresh` plays again what is damaged"
    )


def is_ours(folder: Path) -> bool:
    """Whether a folder is a run of ours, be it unfinished or damaged."""
    try:
        return f'"format": "{FORMAT}"' in _text(folder / MANIFEST, "replace")
    except OSError:
        return False


def is_vacant(folder: Path) -> bool:
    """Whether a run may be written there without replacing anything: nothing is there but what a killed start left."""
    for place in (folder, *folder.parents):
        if os.path.lexists(place) and not os.path.isdir(place):
            what = "a link that leads nowhere" if os.path.islink(place) else "a file"
            raise UserError(f"a run needs a folder; {printable(str(place))} is {what}: name another with `--runs`")
    try:
        folder.stat()
    except FileNotFoundError:
        return True
    except OSError as error:
        raise _no_folder(error) from None
    return all(path.name in (f"{MANIFEST}.tmp", WRITING, LOCK) for path in folder.iterdir())


def make_folder(folder: Path) -> None:
    """Make the folder of a run."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _no_folder(error) from None


def _no_folder(error: OSError) -> UserError:
    """The complaint about a place where no folder can be."""
    return UserError(printable(f"a run needs a folder that is writable; {error}: name another with `--runs`"))


def clear(folder: Path) -> None:
    """Delete the results that a run of ours holds, and nothing else."""
    for name in _RESULTS:
        remove_tree(folder / name)


def remove_tree(path: Path) -> None:
    """Delete a folder if there is one; of a link only the link."""
    if path.is_symlink():
        path.unlink()
    elif path.is_dir():
        shutil.rmtree(path, ignore_errors=path.name == WRITING)  # a worker about to end may still be writing there


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes from playing into the folder; a lock goes with its process, however that ends.

    Raises
    ------
    UserError
        If another process plays into it.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise UserError(
            f"a run folder must be played into by one process at a time; another one is at work in "
            f"{printable(str(folder))}: wait for it, or choose another folder with `--runs`"
        ) from None
    try:
        yield
    finally:
        lock.release()


def list_files(folder: Path, known: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Size [bytes] and footer's checksum of every result file, by its path in the run folder.

    Parameters
    ----------
    folder
    known
        Files that were listed before, and stay as they were listed.
    """
    return {
        file: dict(known[file]) if file in known else {"bytes": size, "footer": footer_mark(folder / file)}
        for file, size in sizes(folder).items()
    }


def sizes(folder: Path) -> dict[str, int]:
    """Size of every result file by its path in the run folder [bytes]."""
    tables = [folder / "games", folder / "seats", folder / "tallies"]
    files = sorted(path for table in tables for path in table.rglob("*") if not path.is_dir())
    return {path.relative_to(folder).as_posix(): path.stat().st_size if path.exists() else -1 for path in files}


def check_files(folder: Path, manifest: dict[str, Any]) -> None:
    """Refuse a run that is unfinished, or whose files are not those it was finished with, to go by their sizes."""
    if not manifest["complete"]:
        raise UserError(
            f"a run must be finished to be read; {printable(str(folder))} was interrupted or is still being played: "
            f"go on with `{printable(manifest['command'])}`"
        )
    expected, found = {file: told["bytes"] for file, told in manifest["files"].items()}, sizes(folder)
    faults = {
        "file missing": expected.keys() - found.keys(),
        "file that is not the run's": found.keys() - expected.keys(),
        "file of another size than was written": {n for n in expected.keys() & found.keys() if expected[n] != found[n]},
    }
    for what, names in faults.items():
        if names:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            raise damaged(folder, f"{what}, {printable(min(names))}{more}")
