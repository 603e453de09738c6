"""The examples at the end of a command's help, which are in the docstring of its function."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from collections.abc import Callable
from inspect import cleandoc
from typing import Any

from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from replay.errors import Usage


class Examples:
    """Ends the help with examples, one per line."""

    epilog: str | None

    def format_epilog(self, _: Any, formatter: Any) -> None:
        """Print the examples unchanged."""
        with formatter.section("Examples"):
            for line in (self.epilog or "").splitlines():
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


class CommandWithExamples(Examples, TyperCommand):
    """A command whose help ends with examples."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; if a number is one too many, the error says how to name a ply."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            ply = next((each for each in given if each.isdecimal()), None)
            if ply is None or "extra argument" not in str(error):
                raise
            told = f"{ply!r} is not an argument here; name a ply as @{ply}"
            at = f" or --at {ply}" if any(each.name == "at" for each in self.params) else ""
            raise Usage(told + at) from None


class GroupWithExamples(Examples, TyperGroup):
    """A group of commands whose help ends with examples."""


def help_of(run: Callable[..., None]) -> dict[str, Any]:
    """Return the help and the examples of a command, as typer takes them."""
    words, _, examples = cleandoc(run.__doc__ or "").partition("\n\nExamples:\n")
    return {"help": words, "epilog": cleandoc(examples)}
