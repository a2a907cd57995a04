"""Slow, obvious, exact enumerators: independent witnesses for the games."""
