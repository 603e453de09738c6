"""The command line of Plybook."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `plybook`. Exit status 1: refused, or a record that fails; 2: the request is wrong."""
    from cli.app import command
    from replay.errors import PlybookError, Usage

    _open_what_is_closed()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error does
    try:
        try:
            command(arguments, prog_name="plybook")
        finally:
            sys.stdout.flush()
    except PlybookError as error:
        sys.stdout.flush()
        print(f"plybook: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, Usage) else 1)
    except (BrokenPipeError, KeyboardInterrupt):
        # The reader has gone, or the person has: neither wants to hear about it.
        sys.stderr.close()
        sys.exit(130)
    except OSError as error:
        # Mostly that nothing more can be written; what is left must not be tried again at the end.
        with suppress(OSError):
            sys.stdout.close()
        named = f"{error.filename}: " if error.filename else ""
        print(f"plybook: {named}{error.strerror or error}", file=sys.stderr)
        sys.exit(1)


def _open_what_is_closed() -> None:
    """Give standard streams that were closed (`<&-`) a place to read nothing from, or write to."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
