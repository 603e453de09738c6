"""The command line of Plybook."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import codecs
import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import Final

FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk, a full quota or a file that is too large."""
UNWRITTEN: Final = 74
"""The exit status if the output cannot be written: EX_IOERR of `sysexits.h`."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `plybook`. Exit status 1: a refusal, or a record that fails; 2: a wrong request.

    It is 74 if the output cannot be written, 130 after Ctrl-C, and 141 if the reader of the output
    has gone, as after SIGPIPE.
    """
    from cli.app import command
    from cli.output import ReaderGone, Terminal, complete_commands
    from replay.errors import PlybookError, Usage

    _open_what_is_closed()
    _write_more_than_ascii()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the error handler of standard error
        if sys.stdout.isatty():
            sys.stdout = Terminal(sys.stdout)
    try:
        try:
            command(arguments, prog_name="plybook")
        finally:
            sys.stdout.flush()
    except PlybookError as error:
        sys.stdout.flush()
        print(f"plybook: {complete_commands(str(error))}", file=sys.stderr)
        sys.exit(2 if isinstance(error, Usage) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
    except (BrokenPipeError, ReaderGone):
        # Python would fail to write the rest at exit, and change the status.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        # Usually no more output can be written; pending output must not be flushed again at exit.
        with suppress(OSError):
            sys.stdout.close()
        if error.errno in FULL and error.filename is None:
            kept = "what was entered is kept"
            print(f"plybook: cannot write the output: {error.strerror}; {kept}", file=sys.stderr)
            sys.exit(UNWRITTEN)
        named = f"{error.filename}: " if error.filename else ""
        print(f"plybook: {named}{error.strerror or error}", file=sys.stderr)
        sys.exit(1)


def _write_more_than_ascii() -> None:
    """Use UTF-8 if the locale is C, which says nothing about the terminal."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and _is_ascii(stream) and stream.isatty():
            stream.reconfigure(encoding="utf-8")


def _is_ascii(stream: TextIOWrapper) -> bool:
    return codecs.lookup(stream.encoding).name == "ascii"


def _open_what_is_closed() -> None:
    """Open the null device for standard streams that were closed (`<&-`)."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
