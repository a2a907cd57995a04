"""simkit plays millions of tabletop games with scripted strategies and tells a designer what the games say."""

__version__ = "0.1.0"
