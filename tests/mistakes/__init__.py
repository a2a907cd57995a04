"""What simkit says when something is wrong: one message, exit code 2, and the files as they were."""
