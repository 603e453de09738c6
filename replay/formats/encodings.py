"""Decode the files of other programs: UTF-8, -16 and -32 by their marks, else Windows-1252."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from replay.errors import Usage
from replay.formats.ply.lexer import SourceLine

WIDE: Final = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"[\0": "utf-16-le",
    b"\0[": "utf-16-be",
}
"""Encodings by the first bytes of a text: a mark, or a bracket that no other encoding has so."""
FALLBACK: Final = "cp1252"
GUESSED: Final = "this line is not UTF-8 and was read as Windows-1252; --encoding names another"
BROKEN: Final = b"\xff\n"
"""Bytes that are not UTF-8; they replace a line that cannot be decoded."""


class EncodedLines(NamedTuple):
    """Lines of bytes, and their encoding; none if each line is UTF-8 or Windows-1252."""

    lines: Iterable[bytes]
    encoding: str = ""


def check_encoding(name: str) -> None:
    """Raise `Usage` for an unknown encoding of texts."""
    try:
        "\n".encode(name or "utf-8")
    except (LookupError, UnicodeError, ValueError):
        raise Usage(f"{name!r} is not a known encoding; use one like cp1251 or utf-16") from None


def with_encoding(lines: Iterable[bytes], encoding: str = "") -> EncodedLines:
    """Return lines that end with a byte LF; those in UTF-16 become UTF-8."""
    lines = iter(lines)
    first = next(lines, b"")
    encoding = encoding or next((WIDE[each] for each in WIDE if first.startswith(each)), "")
    lines = chain((first,), lines)
    if not encoding or "\n".encode(encoding) == b"\n":
        return EncodedLines(lines, encoding)
    return EncodedLines(_as_utf8(lines, encoding), "utf-8")


def _as_utf8(lines: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    held = ""
    try:
        for part in codecs.iterdecode(lines, encoding):
            *whole, held = (held + part).split("\n")
            yield from (f"{line}\n".encode() for line in whole)
    except UnicodeError:
        yield held.encode() + BROKEN
        return
    yield held.encode()


def decode_lines(text: bytes, first: int, encoding: str) -> Iterator[SourceLine]:
    """Decode the lines of a text, which end with CR, LF or both, and number them."""
    for number, raw in enumerate(text.splitlines(), first):
        line = _decode(number, raw, encoding)
        yield line._replace(text=line.text[1:]) if line.text.startswith("\ufeff") else line


def _decode(number: int, raw: bytes, encoding: str) -> SourceLine:
    known = encoding or "utf-8"
    try:
        return SourceLine(number, raw.decode(known))
    except UnicodeDecodeError:
        if encoding:
            return _problem(number, raw, known, f"is not {known}")
    try:
        return SourceLine(number, raw.decode(FALLBACK), note=GUESSED)
    except UnicodeDecodeError:
        why = "is neither UTF-8 nor Windows-1252; name the encoding with --encoding"
        return _problem(number, raw, FALLBACK, why)


def _problem(number: int, raw: bytes, encoding: str, why: str) -> SourceLine:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode(encoding, "replace")) + 1
        problem = f"byte {error.start + 1} of the line, 0x{raw[error.start]:02x}, {why}"
        return SourceLine(number, raw.decode(encoding, "replace"), problem, column)
    raise AssertionError(encoding)
