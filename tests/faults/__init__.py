"""Runs that are killed, starved of disk, damaged or changed: nothing is lost, and nothing wrong is ever shown."""
