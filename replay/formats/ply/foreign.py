"""Files in the text formats of games, like PGN, read as text records line by line."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from domain.notation import TextFormat
from replay import registry
from replay.formats.ply.lexer import GAME_LINE, TAG_LINE

MARK: Final = b"\xef\xbb\xbf"
"""A byte order mark."""


def as_records(source: str | bytes | Iterable[str | bytes]) -> Iterable[str | bytes]:
    """Return the lines of a text; a format of a game becomes lines of a text record."""
    if isinstance(source, str):
        source = io.StringIO(source, newline="\n")
    elif isinstance(source, bytes):
        source = io.BytesIO(source)
    lines = iter(source)
    passed: list[str | bytes] = []
    for line in lines:
        passed.append(line)
        if line.strip():
            break
    every = chain(passed, lines)
    form = _format(passed[-1]) if passed else None
    return form.read(map(encoded, every)) if form else every


def _format(first: str | bytes) -> TextFormat | None:
    """Return the format of a file that begins with a line; `None` for a text record."""
    line = encoded(first).removeprefix(MARK).lstrip()
    text = line.decode(errors="replace")
    if GAME_LINE.match(text) or not TAG_LINE.match(text):
        return None
    return next((one for one in text_formats() if line.startswith(one.begins)), None)


def text_formats() -> Iterator[TextFormat]:
    """Yield the text formats of all games."""
    for game in registry.games().values():
        yield from game.formats


def encoded(line: str | bytes) -> bytes:
    """Return a line as bytes."""
    return line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
