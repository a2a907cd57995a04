"""A run while it is played: workers, part files, what a folder holds and how it goes on."""
