"""Files that commands write with `-o`."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import os
import secrets
import stat
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.output import write_bytes
from replay.errors import Usage

STDOUT: Final = Path("-")

Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Write to this file; - is standard output."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace the file if there is one already.")]


def check_replaceable(file: Path | None, force: bool) -> None:
    """Raise `Usage` if a plain file of this name exists and may not be replaced."""
    if file is not None and file != STDOUT and file.is_file() and not force:
        raise Usage(f"{file} exists already; --force replaces it")


def write_output(file: Path | None, content: bytes) -> None:
    """Write to a file, or to standard output without one. Raises `Usage`."""
    if file is not None and file != STDOUT:
        write_file(file, content)
        return
    write_bytes(content)
    sys.stdout.buffer.flush()


def write_file(file: Path, content: bytes) -> None:
    """Write a file atomically where it is plain: readers never see a part of it.

    Links are followed. An existing file keeps its mode and its owner; a device, a pipe or a file
    with several names is written in place. Raises `Usage` if it cannot be written.
    """
    try:
        before = _status(file)
        if before is not None and not (stat.S_ISREG(before.st_mode) and before.st_nlink == 1):
            file.write_bytes(content)
            return
        try:
            _replace(file.resolve(), content, before)
        except PermissionError:  # of the folder, or of the owner
            if before is None:
                raise
            file.write_bytes(content)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        reason = getattr(error, "strerror", None) or error
        raise Usage(f"cannot write {file}: {reason}") from None


def _status(file: Path) -> os.stat_result | None:
    try:
        return file.stat()
    except FileNotFoundError:
        return None


def _replace(file: Path, content: bytes, before: os.stat_result | None) -> None:
    """Write a new file beside, and give it the name, mode and owner of the one before."""
    beside = file.with_name(f".plybook-{secrets.token_hex(8)}")
    mode = 0o666 if before is None else 0o600
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with open(number, "wb") as new:
            if before is not None:
                _take_over(number, before)
            new.write(content)
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _take_over(number: int, before: os.stat_result) -> None:
    if os.name == "posix":
        os.fchown(number, before.st_uid, before.st_gid)
        os.fchmod(number, stat.S_IMODE(before.st_mode))
