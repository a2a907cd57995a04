"""Files that come and go together."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from errno import EISDIR
from pathlib import Path


def replace_all(contents: Mapping[Path, str | bytes]) -> list[Path]:
    """Write every file, or replace none; `OSError` if one cannot be written."""
    drafts = {path: path.with_name(f"{path.name}.tmp") for path in contents}
    try:
        for path, content in contents.items():
            if path.is_dir():
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
            if path.exists() and not path.is_file():
                raise OSError(f"{path} is a device or a pipe")
            drafts[path].write_bytes(content.encode() if isinstance(content, str) else content)
        for path, draft in drafts.items():
            draft.replace(path)
    finally:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink(missing_ok=True)
    return list(contents)
