"""How commands end when something is wrong."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

from simkit.cli.errors import Commands
from simkit.errors import StrategyError, UserError


def call(problem):
    """The outcome of a command that raises this."""
    app = typer.Typer(cls=Commands, pretty_exceptions_enable=False)

    @app.command("fail")
    def fail() -> None:
        raise problem

    @app.command("other")
    def other() -> None:
        """A second command, so that the first has a name."""

    return CliRunner().invoke(app, ["fail"])


@pytest.mark.parametrize("kind", [UserError, StrategyError])
def test_a_users_mistake_is_one_message(kind):
    outcome = call(kind("games must be at least 1; found \x1b[2J0"))
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    assert outcome.stderr == "Error: games must be at least 1; found \\x1b[2J0\n"


def test_ctrl_c():
    assert call(KeyboardInterrupt()).exit_code == 130


def test_a_fault_of_ours_keeps_its_traceback():
    outcome = call(ValueError("ours"))
    assert outcome.exit_code == 1
    assert isinstance(outcome.exception, ValueError)
