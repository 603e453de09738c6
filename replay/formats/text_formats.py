"""The text formats of games: detect a text's format, and cut a text into whole records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

from domain.game import Game
from domain.notation import TextFormat
from replay import registry
from replay.errors import Usage
from replay.formats.encodings import with_encoding
from replay.formats.ply.lexer import GAME_LINE

SIZE: Final = 64 * 1024
"""The size in bytes from which a chunk ends at the next record."""

BEGINNING: Final = 8192
"""How many bytes of a text show its format."""
RECORD_ENDING: Final = ".ply"
RECORD_TYPE: Final = "application/x-plybook-record"
TAG: Final = re.compile(rb"[ \t]*\[[ \t]*[A-Za-z]")
HEADING: Final = re.compile(rb'[ \t]*\[[ \t]*Game[ \t"]')
COMMENT: Final = re.compile(rb"\{|(?<![^ \t(){}]);")
"""The beginning of a comment: a brace, or a semicolon for the rest of the line."""
FOREIGN_COMMENT: Final = re.compile(rb'\{|;|\[[^"{};\[\]]*"(?:[^"\\]|\\.)*"')
"""The beginning of a comment in another format, or a tag whose value may hold such signs."""
FOREIGN_HEADING: Final = re.compile(
    rb'[ \t]*\[[ \t]*[A-Za-z]\w*[ \t]*"(?:[^"\\]|\\["\\])*"[ \t]*\]'
)
RESULT_LINE: Final = re.compile(rb"[^\[{;%]*(?:1-0|0-1|1/2|\*)\s*")
"""A line that ends with a result."""
MARK: Final = b"\xef\xbb\xbf"
"""A byte order mark."""


class Hint(NamedTuple):
    """Hints about a text besides its content; all may be empty.

    The name of its file, its media type, its encoding, whether its moves may be spelled otherwise
    than in the notation of their game, and the language of its letters of pieces.
    """

    file: str = ""
    media_type: str = ""
    encoding: str = ""
    spellings: bool = False
    pieces: str = ""


NO_HINT: Final = Hint()


class Chunk(NamedTuple):
    """Whole records: the text from the line with this number on, its format and its encoding.

    A text record has no format; a text without an encoding is in UTF-8 or Windows-1252. Moves of a
    text record with `spellings` may be spelled otherwise.
    """

    text: bytes
    line: int
    form: str = ""
    encoding: str = ""
    spellings: bool = False
    pieces: str = ""


def text_formats() -> Iterator[tuple[Game[Any], TextFormat]]:
    """Yield the text formats of all games."""
    for game in registry.games().values():
        for form in game.formats:
            yield game, form


def format_named(name: str) -> TextFormat:
    """Return the text format of a chunk by its name."""
    return next(form for _, form in text_formats() if form.name == name)


def check_pieces(language: str) -> None:
    """Raise `Usage` for a language whose letters of pieces no format knows."""
    if not language:
        return  # without a look at the plug-ins
    known = sorted({each for _, form in text_formats() for each in form.languages})
    if language not in known:
        others = f"use {' or '.join(known)}" if known else "no installed game has such letters"
        raise Usage(f"{language!r} is not a known language of letters of pieces; {others}")


def media_types() -> dict[str, str]:
    """Return the media types of texts by the endings of their files."""
    return {RECORD_ENDING: RECORD_TYPE} | {
        form.ending: form.media_type for _, form in text_formats()
    }


def format_of(beginning: bytes, hint: Hint = NO_HINT) -> TextFormat | None:
    """Return the format of a text: by its media type, its file's ending or its beginning.

    `None` selects a text record.
    """
    if hint.media_type == RECORD_TYPE or hint.file.lower().endswith(RECORD_ENDING):
        return None  # without a look at the plug-ins
    text = beginning.removeprefix(MARK).decode(errors="replace")
    forms = [form for _, form in text_formats()]
    for form in forms:
        if form.media_type == hint.media_type or hint.file.lower().endswith(form.ending):
            return form
    if GAME_LINE.match(text.lstrip()):
        return None
    return next((form for form in forms if form.recognises(text)), None)


def cut(lines: Iterable[bytes], hint: Hint = NO_HINT) -> Iterator[Chunk]:
    """Cut a text into chunks, each of one text format, and yield at least one.

    A chunk ends before a tag that follows an empty line and is in no comment; in a text record it
    must be a Game tag, in another format it must follow a result. Each chunk begins at a record.
    """
    given, encoding = with_encoding(lines, hint.encoding)
    rest = iter(given)
    first = _first_lines(rest)
    form = format_of(b"".join(first), hint)
    if form is None:
        name, heading, comment = "", HEADING, COMMENT
    else:
        name, heading, comment = form.name, FOREIGN_HEADING, FOREIGN_COMMENT
    held: list[bytes] = []
    size, begun, in_comment, after_gap, ended = 0, 1, False, False, form is None
    every = chain.from_iterable(
        line.splitlines(True) if form else (line,) for line in chain(first, rest)
    )
    for number, line in enumerate(every, 1):
        if size >= SIZE and after_gap and ended and heading.match(line):
            yield Chunk(b"".join(held), begun, name, encoding, hint.spellings, hint.pieces)
            held, size, begun = [], 0, number
        held.append(line)
        size += len(line)
        if form and line.strip():
            ended = not in_comment and RESULT_LINE.fullmatch(line) is not None
        in_comment = _ends_in_comment(line.removeprefix(MARK), in_comment, comment)
        after_gap = not in_comment and not line.strip(b" \t\r\n")
    yield Chunk(b"".join(held), begun, name, encoding, hint.spellings, hint.pieces)


def _first_lines(lines: Iterator[bytes]) -> list[bytes]:
    """Return the lines that show the format of a text."""
    first, size = list[bytes](), 0
    for line in lines:
        first.append(line)
        size += len(line)
        if size >= BEGINNING:
            break
    return first


def _ends_in_comment(line: bytes, in_comment: bool, comment: re.Pattern[bytes]) -> bool:
    """Return whether a line ends in a comment, given whether it begins in one."""
    if not in_comment and (TAG.match(line) if comment is COMMENT else line[:1] == b"%"):
        return False
    end = 0
    while True:
        if in_comment:
            end = line.find(b"}", end) + 1
            if not end:
                return True
        begun = comment.search(line, end)
        if begun is None or begun[0] == b";":
            return False
        in_comment, end = begun[0] == b"{", begun.end()
