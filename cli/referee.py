"""Commands for programs at the table: referee."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Iterator, Sequence
from io import BufferedReader
from typing import cast

from cli.output import write_bytes


def referee() -> None:
    """Judge the moves of a program in any language.

    Reads requests like `new poptrix` and `play M@c1` from standard input, one a line, and prints
    one line of JSON for each; `help` lists them.

    Examples:
        plybook referee
        plybook referee < requests.txt
    """
    from replay.programs.referee_lines import MAX_LINE, RefereeLines

    referee = RefereeLines()
    write = write_bytes if sys.stdout.isatty() else sys.stdout.buffer.write
    for lines in read_lines(cast("BufferedReader", sys.stdin.buffer), MAX_LINE):
        for line in lines:
            write(referee.answer(line) + b"\n")
            if referee.ended:
                return
        sys.stdout.flush()


def read_lines(stream: BufferedReader, most: int) -> Iterator[Sequence[bytes]]:
    """Yield the lines of a stream as they come, those together that came together.

    A line of more than `most` bytes may be cut, but the part that is left has more bytes than that.
    """
    rest = b""
    while chunk := stream.read1(most):
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[: most + 1]
        yield lines
    if rest:
        yield [rest]
