"""Commands for programs at the table: referee."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Iterator
from typing import BinaryIO

from cli.output import write_bytes


def referee() -> None:
    """Judge the moves of a program in any language.

    Reads requests like `new poptrix` and `play M@c1` from standard input, one a line, and prints
    one line of JSON for each; `help` lists them.
    """
    from replay.programs.referee_lines import MAX_LINE, RefereeLines

    lines = RefereeLines()
    for line in read_lines(sys.stdin.buffer, MAX_LINE):
        write_bytes(lines.answer(line) + b"\n")
        sys.stdout.flush()
        if lines.ended:
            return


def read_lines(stream: BinaryIO, most: int) -> Iterator[bytes]:
    """Yield the lines of a stream as they come; of a longer one only its first `most + 1` bytes."""
    while line := stream.readline(most + 1):
        part = line
        while len(part) > most and not part.endswith(b"\n"):
            part = stream.readline(most + 1)
        yield line
