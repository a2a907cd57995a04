"""Components: everything from a game's box and every ambiguity of its rulebook, with where each value comes from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from simkit.errors import in_words

Tag = Literal["rulebook", "confirmed", "inferred", "assumed"]


class Component(BaseModel):
    """One value: a number, a name or a table from the box, or the reading of an ambiguous rule.

    Attributes
    ----------
    value, alternatives
        The default, and what else it may well be.
    tag
        rulebook (in its text), confirmed (a public source), inferred (reason in `source`) or assumed.
    source, meaning
        Where the value comes from, and what it is.
    swept
        Whether a sweep over assumptions takes it in (guards are not worth a sweep).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: Any
    tag: Tag
    source: str
    meaning: str
    alternatives: tuple[Any, ...] = ()
    swept: bool = True


class Components(Mapping[str, Component]):
    """The components of a game by name, in the file's order."""

    def __init__(self, entries: Mapping[str, Component]) -> None:
        self._entries = dict(entries)

    @classmethod
    def read(cls, path: Path) -> Components:
        """Read a game's `components.toml`.

        Raises
        ------
        ValueError
            If it is not TOML, or an entry lacks a value, tag, source or meaning; the message names file and entry.
        """
        entries = {}
        try:
            document = tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path}: must be valid TOML; {error}") from error
        for name, entry in document.items():
            try:
                entries[name] = Component.model_validate(entry)
            except ValidationError as error:
                first = error.errors()[0]
                key = "".join(f", `{part}`" for part in first["loc"])
                raise ValueError(f"{path}, component `{name}`{key}: {in_words(first['msg'])}") from error
        return cls(entries)

    def __getitem__(self, name: str) -> Component:
        return self._entries[name]

    def __iter__(self) -> Any:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def values_with(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """All values, the changed ones replaced."""
        return {name: entry.value for name, entry in self._entries.items()} | dict(changes)
