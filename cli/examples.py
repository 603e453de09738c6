"""The examples at the end of a command's help, which are in the docstring of its function."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from collections.abc import Callable
from inspect import cleandoc
from typing import Any

from typer.core import TyperCommand, TyperGroup


class Examples:
    """Ends the help with examples, one on each line."""

    epilog: str | None

    def format_epilog(self, _: Any, formatter: Any) -> None:
        """Write the examples as they stand."""
        with formatter.section("Examples"):
            for line in (self.epilog or "").splitlines():
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


class CommandWithExamples(Examples, TyperCommand):
    """A command whose help ends with examples."""


class GroupWithExamples(Examples, TyperGroup):
    """A group of commands whose help ends with examples."""


def help_of(run: Callable[..., None]) -> dict[str, Any]:
    """Return the help and the examples of a command, as typer takes them."""
    words, _, examples = cleandoc(run.__doc__ or "").partition("\n\nExamples:\n")
    return {"help": words, "epilog": cleandoc(examples)}
