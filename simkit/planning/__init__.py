"""What to play: the parts of an experiment, and how they make cells."""
