"""How commands end when something is wrong: a user's mistake, Ctrl-C, or a fault of ours."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from simkit.errors import UserError
from simkit.names import printable

MISTAKE, FAULT, INTERRUPTED = 2, 1, 130
"""Exit codes; a fault of ours leaves Python's traceback and code 1."""


class Commands(TyperGroup):
    """Commands whose user errors are one message on stderr."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            typer.echo(f"Error: {printable(str(error))}", err=True)
            raise typer.Exit(MISTAKE) from None
        except KeyboardInterrupt:
            typer.echo("stopped", err=True)
            raise typer.Exit(INTERRUPTED) from None
