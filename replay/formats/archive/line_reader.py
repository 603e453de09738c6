"""Read the lines of an untrusted file: decoded one by one, within limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import msgspec

from replay.errors import BadLine
from replay.formats.archive.model import FORMAT, VERSION, ArchiveOpening, Line

LONGEST: Final = 2**24
"""The longest line, in bytes. Events have a few hundred; the closing has as many per match."""
LARGEST: Final = 2**26
"""The largest archive, in bytes: more than a hundred thousand events."""

OPENING: Final = msgspec.json.Decoder(ArchiveOpening)
LINE: Final[msgspec.json.Decoder[Line]] = msgspec.json.Decoder(Line)


def read_lines(file: BinaryIO) -> Iterator[tuple[int, Line]]:
    """Yield the lines after the opening, each with its number from 1.

    Raises `BadLine` for the first malformed line. Never holds more than one line.
    """
    size = 0
    for number, text in _split(file):
        size += len(text)
        if len(text) > LONGEST:
            raise BadLine(number, f"this line is longer than {LONGEST} bytes")
        if size > LARGEST:
            raise BadLine(number, f"an archive has at most {LARGEST} bytes")
        if number == 1:
            _check_opening(text)
        else:
            yield number, _decode(LINE, number, text)


def _split(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while text := file.readline(LONGEST + 1):
        number += 1
        yield number, text
    if not number:
        raise BadLine(1, "the file is empty")


def _check_opening(text: bytes) -> None:
    opening = _decode(OPENING, 1, text)
    if opening.format != FORMAT:
        raise BadLine(1, f"this is no {FORMAT} but {opening.format!r}")
    if opening.version != VERSION:
        raise BadLine(
            1, f"the archive is of version {opening.version}; this Plybook reads version {VERSION}"
        )


def _decode(decoder: msgspec.json.Decoder[Any], number: int, text: bytes) -> Any:
    try:
        return decoder.decode(text)
    except UnicodeDecodeError:
        raise BadLine(number, "this is not UTF-8") from None
    except RecursionError:
        raise BadLine(number, "this is nested too deeply") from None
    except msgspec.DecodeError as error:
        raise BadLine(number, f"this is no line of an archive: {error}") from None
