"""Processes that tests start."""

from __future__ import annotations

import os
import time


def is_gone(group: int) -> bool:
    """Whether no process of the group is left, soon."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
