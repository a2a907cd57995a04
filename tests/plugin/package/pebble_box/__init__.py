"""Pebbles for simkit. Leaves a mark where it is run, so that tests see whether listings run it."""

import os
from pathlib import Path

if "PEBBLE_MARK" in os.environ:
    Path(os.environ["PEBBLE_MARK"]).write_text("ran", encoding="utf-8")
