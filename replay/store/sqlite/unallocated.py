"""Overwrite the copies of rows in the unallocated space of b-tree pages.

SQLite overwrites what it deletes (`secure_delete`). But when it splits or joins pages, it packs
their rows anew and leaves the earlier copies in the space between the pointers and the rows. No
statement reads that space or clears it, except `VACUUM`, which writes the whole file.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

HEADERS: Final = {2: 12, 5: 12, 10: 8, 13: 8}
"""The bytes of a b-tree page's header by the first of them, which tells its kind.

https://www.sqlite.org/fileformat2.html#b_tree_pages
"""
MAX_PAGES: Final = 2**25
"""Pages of the largest file: in a larger one an overflow page may begin like a b-tree page."""
SCAN_PAGES: Final = 256
"""Pages that are looked at in one step."""
FIRST_PAGE: Final = 2
"""The first page to scan; page 1 has a part of the schema and no rows of Plybook."""


class Gap(NamedTuple):
    """The unallocated bytes of a page: from `start` to before `end`."""

    start: int
    end: int


class Pages:
    """The pages of a database file, read and overwritten without SQLite.

    Close it after all connections of this process: that takes away their POSIX locks.
    """

    def __init__(self, path: Path) -> None:
        """Open the file. Raises `OSError`."""
        self._file = path.open("r+b", buffering=0)
        head = self._file.read(100)
        self._size = 65536 if head[16:18] == b"\0\1" else int.from_bytes(head[16:18])
        self._has_maps = any(head[52:56])
        """Whether the file has pointer maps (`auto_vacuum`), which may begin like b-tree pages."""

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def sync(self) -> None:
        """Wait until the overwritten pages are on the disk. Raises `OSError`."""
        os.fsync(self._file.fileno())

    def count(self) -> int:
        """Return the number of pages, or 0 if other pages could be taken for b-tree pages."""
        pages = self._file.seek(0, 2) // self._size
        return 0 if self._has_maps or pages >= MAX_PAGES else pages

    def scan(self, first: int) -> tuple[int, list[int]]:
        """Scan some pages; return the number after them, and the pages with bytes left in a gap.

        Raises `OSError`, also where the file has become shorter.
        """
        self._file.seek((first - 1) * self._size)
        data = self._file.read(SCAN_PAGES * self._size)
        begins = range(0, len(data) - self._size + 1, self._size)
        pages = [data[begin : begin + self._size] for begin in begins]
        found = [number for number, page in enumerate(pages, first) if gap_of(page) is not None]
        if not pages:
            raise OSError(f"the file has no page {first}")
        return first + len(pages), found

    def overwrite(self, numbers: Iterable[int]) -> None:
        """Overwrite the gaps of some pages. Raises `OSError`.

        No program may write to the file meanwhile, or checkpoint.
        """
        for number in numbers:
            begin = (number - 1) * self._size
            self._file.seek(begin)
            if gap := gap_of(self._file.read(self._size)):
                self._file.seek(begin + gap.start)
                if self._file.write(bytes(gap.end - gap.start)) != gap.end - gap.start:
                    raise OSError("the disk took a part of the bytes only")


def gap_of(page: bytes) -> Gap | None:
    """Return the gap of a b-tree page, if there is anything in it but zeros.

    Return `None` for other pages, and for a damaged one, which stays unchanged.
    """
    header = HEADERS.get(page[0])
    if header is None:
        return None
    _, cells, end = struct.unpack_from(">HHH", page, 1)
    end = end or 65536
    start = header + 2 * cells
    if not page[start:end].strip(b"\0"):
        return None
    rows = struct.unpack_from(f">{cells}H", page, header) if start < end <= len(page) else (0,)
    return Gap(start, end) if min(rows, default=end) >= end else None


def overwrite_all(path: Path) -> None:
    """Overwrite the gaps of a file that no program has open. Raises `OSError`."""
    with closing(Pages(path)) as pages:
        first = FIRST_PAGE
        while first <= pages.count():
            first, found = pages.scan(first)
            pages.overwrite(found)
        pages.sync()
