"""One game of a run again: found, followed, told."""
