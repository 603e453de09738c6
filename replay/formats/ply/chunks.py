"""Cut a text of many records into chunks of whole records, so that they can be read apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

SIZE: Final = 64 * 1024
"""The size in bytes from which a chunk ends at the next record."""

MARK: Final = b"\xef\xbb\xbf"
"""A byte order mark."""

TAG: Final = re.compile(rb"[ \t]*\[[ \t]*[A-Za-z]")
HEADING: Final = re.compile(rb'[ \t]*\[[ \t]*Game[ \t"]')
BRACE: Final = {False: b"{", True: b"}"}
"""The brace that begins a comment outside of one, and that ends it inside."""


class Chunk(NamedTuple):
    """Whole records: the text from the line with this number on."""

    text: bytes
    line: int


def cut(lines: Iterable[bytes]) -> Iterator[Chunk]:
    """Yield the chunks of a text, at least one.

    A chunk ends before a Game tag that follows an empty line and is in no comment; such a tag
    always begins a record.
    """
    held: list[bytes] = []
    size, first, in_comment, after_gap = 0, 1, False, False
    for number, line in enumerate(lines, 1):
        if size >= SIZE and after_gap and HEADING.match(line):
            yield Chunk(b"".join(held), first)
            held, size, first = [], 0, number
        held.append(line)
        size += len(line)
        in_comment = _ends_in_comment(line.removeprefix(MARK), in_comment)
        after_gap = not in_comment and not line.strip(b" \t\r\n")
    yield Chunk(b"".join(held), first)


def _ends_in_comment(line: bytes, in_comment: bool) -> bool:
    """Return whether the end of a line is in a comment; `in_comment` tells it of its start."""
    if not in_comment and TAG.match(line):
        return False
    end = line.find(BRACE[in_comment])
    while end >= 0:
        in_comment = not in_comment
        end = line.find(BRACE[in_comment], end + 1)
    return in_comment
