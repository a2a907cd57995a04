"""Puts strategies and games to the test: what `simkit check` asks of them, each in a process of its own."""

from simkit.probe.checks import Check, Report
from simkit.probe.parent import check_game, check_strategy

__all__ = ["Check", "Report", "check_game", "check_strategy"]
