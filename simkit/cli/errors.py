"""How commands end when something is wrong: a user's mistake, Ctrl-C, or a fault of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from simkit.cli.tables import documents_alone
from simkit.errors import UserError, foreign_fault, in_words
from simkit.names import printable, quoted

MISTAKE, FAULT, INTERRUPTED = 2, 1, 130
"""Exit codes; a fault of ours leaves Python's traceback and code 1."""

_UsageError: Any = typer.BadParameter.__base__
"""What typer raises when it cannot read a command line, in all its versions."""


class Commands(TyperGroup):
    """Commands whose user errors are one message on stderr."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options that stand before the command."""
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            raise _refused(error, args) from None

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        words = [*getattr(ctx, "_protected_args", ()), *ctx.args]
        try:
            with documents_alone("--json" in words):
                return super().invoke(ctx)
        except (UserError, _UsageError) as error:
            raise _refused(error, words) from None
        except KeyboardInterrupt:
            typer.echo("stopped", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except Exception as error:
            fault = foreign_fault(error)
            if fault is None:
                raise
            raise _refused(fault, words) from None


def _refused(error: Any, words: Sequence[str]) -> Exception:
    """Say what is wrong, and end; help that was asked for by giving no words at all is typer's to show."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return error
    told = str(error) if isinstance(error, UserError) else _told(error, words)
    typer.echo(f"Error: {printable(told)}", err=True)
    return typer.Exit(MISTAKE)


def _told(error: Any, words: Sequence[str]) -> str:
    """A command line that cannot be read, in our form."""
    help_ = f"`{error.ctx.command_path} --help` tells more" if error.ctx else "`simkit --help` tells more"
    param = getattr(error, "param", None)
    if param is None:
        said = error.format_message().rstrip(".")
        end = "" if said.endswith("?") else ";"
        return f"a command line must be one that simkit knows; {said[:1].lower()}{said[1:]}{end} {help_}"
    name = param.opts[0] if param.param_type_name == "option" else param.metavar or str(param.name).upper()
    if "Missing" in type(error).__name__:
        return f"`{name}` must be given; found nothing; {help_}"
    found = _given(param.opts, words)
    told = "" if found is None else f"; found {quoted(found)}"
    return f"`{name}` {in_words(error.message)}{told}; {help_}"


def _given(options: Sequence[str], words: Sequence[str]) -> str | None:
    """The value of an option among a command's words, the last one if there are several.

    >>> _given(["--jobs"], ["run", "--jobs=x"]), _given(["--jobs"], ["--jobs", "1", "--jobs", "y"]), _given([], ["z"])
    ('x', 'y', None)
    """
    given = None
    for place, word in enumerate(words):
        name, has_value, value = word.partition("=")
        if name in options:
            given = value if has_value else next(iter(words[place + 1 :]), None)
    return given
