"""What Octobuns answers without play."""

from __future__ import annotations

from simkit.exact import Topic

TOPICS: tuple[Topic, ...] = ()
