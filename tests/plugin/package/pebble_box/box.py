"""What the game and its strategies share."""

HEAPS = 10
"""The heap is one of so many sizes."""
MULTIPLE = 4
"""Whoever leaves a multiple of it wins: one more than may be taken at once."""
