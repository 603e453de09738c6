"""Split the lines of a text record into lexemes: tags, words, comments, parentheses.

The lexer is lazy: it holds one line, or one comment. A comment is in braces, or follows a `;` that
begins a word, to the end of its line. White space is space, tab and line end; a line
ends with LF, and a CR before it belongs to the line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, NamedTuple

from replay.texts import CONTROL

LEXEME: Final = re.compile(r";.*|[^ \t\r\n(){}]+|[(){}]")
TAG_LINE: Final = re.compile(r"[ \t]*\[[ \t]*[A-Za-z]")
NEXT_TAG: Final = re.compile(r'(?<!\\)(?:\\\\)*"[ \t]*\](?=[ \t]*\[[ \t]*[A-Za-z])')
"""The end of a tag with another tag after it on the same line."""
GAME_LINE: Final = re.compile(r"[ \t]*\[[ \t]*Game\b")


class LexemeKind(Enum):
    """The kinds of lexemes."""

    WORD = "word"
    COMMENT = "comment"
    OPEN = "("
    CLOSE = ")"
    STRAY = "}"
    TAG = "tag"
    HEADING = "heading"
    """A Game tag after an empty line, or at the start: it always begins a record."""
    RESULT = "result"
    """A terminator of a format that has no rulings."""
    NOTE = "note"
    """How the text from here on was read, if not as it is usual."""


KINDS: Final = {"(": LexemeKind.OPEN, ")": LexemeKind.CLOSE, "}": LexemeKind.STRAY}


class RecordLexeme(NamedTuple):
    """A lexeme and its place; `text` is the inside of a comment, and the whole line of a tag.

    With a `problem`, the text at this place could not be read.
    """

    kind: LexemeKind
    text: str
    line: int
    column: int
    problem: str = ""


class SourceLine(NamedTuple):
    """A line without its end; if it is not UTF-8, `problem` says so and `column` is the place.

    A `note` says which encoding was guessed.
    """

    number: int
    text: str
    problem: str = ""
    column: int = 1
    note: str = ""


class Lexer:
    """The lexemes of a text, whose lines are bytes or str; `first` numbers the first line."""

    def __init__(self, source: Iterable[str | bytes], first: int = 1) -> None:
        self._lines = read_lines(source, first)
        self._closable = True
        """Whether a closing brace may still follow; false once a search has reached the end."""
        self._held: SourceLine | None = None

    def __iter__(self) -> Iterator[RecordLexeme]:
        after_gap = True
        while (line := self._next()) is not None:
            if TAG_LINE.match(line.text):
                yield from _tags(line, after_gap)
            else:
                yield from self._movetext(line)
            after_gap = not line.text.strip(" \t\r")

    def _movetext(self, line: SourceLine) -> Iterator[RecordLexeme]:
        if line.problem:
            yield RecordLexeme(LexemeKind.WORD, "", line.number, line.column, line.problem)
        end = 0
        while found := LEXEME.search(line.text, end):
            text, end = found[0], found.end()
            if text == "{":
                comment, line, end = self._comment(line, end)
                yield comment
            elif text[0] == ";":
                yield _inside(text[1:], line.number, found.start() + 1)
            else:
                kind = KINDS.get(text, LexemeKind.WORD)
                yield RecordLexeme(kind, text, line.number, found.start() + 1)

    def _comment(self, line: SourceLine, start: int) -> tuple[RecordLexeme, SourceLine, int]:
        """Read a comment from behind its brace; return it, and the line and column of its end."""
        place = line.number, start
        end = line.text.find("}", start)
        if end >= 0:
            return _inside(line.text[start:end], *place), line, end + 1
        passed = list(self._to_closing_brace())
        end = passed[-1].text.find("}") if passed else -1
        if end < 0:
            self._recover(passed)
            problem = "the brace opened here is never closed"
            return RecordLexeme(LexemeKind.COMMENT, "", *place, problem), line, len(line.text)
        parts = [line.text[start:], *(one.text for one in passed[:-1]), passed[-1].text[:end]]
        broken = next((one for one in passed if one.problem), None)
        if broken:
            comment = RecordLexeme(
                LexemeKind.COMMENT, "", broken.number, broken.column, broken.problem
            )
        else:
            comment = _inside("\n".join(parts), *place)
        return comment, passed[-1], end + 1

    def _to_closing_brace(self) -> Iterator[SourceLine]:
        """Read lines until the next closing brace, or to the end."""
        for line in self._lines if self._closable else ():
            yield line
            if "}" in line.text:
                return

    def _recover(self, passed: list[SourceLine]) -> None:
        """Resume at the next Game tag after a brace that is never closed."""
        if self._closable:
            self._closable = False
            self._lines = iter(passed)
        for line in self._lines:
            if GAME_LINE.match(line.text):
                self._held = line
                return

    def _next(self) -> SourceLine | None:
        held, self._held = self._held, None
        return held or next(self._lines, None)


def _tags(line: SourceLine, after_gap: bool) -> Iterator[RecordLexeme]:
    """Yield the tags of a line; a Game tag after an empty line is a heading."""
    ends = [found.end() for found in NEXT_TAG.finditer(line.text)]
    for start, end in zip((0, *ends), (*ends, len(line.text)), strict=True):
        heading = after_gap and not start and GAME_LINE.match(line.text)
        kind = LexemeKind.HEADING if heading else LexemeKind.TAG
        column = line.column if line.problem else line.text.index("[", start) + 1
        text = line.text[start:end].strip(" \t\r")
        yield RecordLexeme(kind, text, line.number, column, line.problem)


def _inside(text: str, line: int, column: int) -> RecordLexeme:
    found = CONTROL.search(text)
    if found is None:
        return RecordLexeme(LexemeKind.COMMENT, text, line, column)
    problem = f"a comment cannot hold the control character U+{ord(found[0]):04X}"
    return RecordLexeme(LexemeKind.COMMENT, "", line, column, problem)


def read_lines(source: Iterable[str | bytes], first: int = 1) -> Iterator[SourceLine]:
    """Number the lines of a text record, strip their ends and byte order mark, and decode UTF-8."""
    for number, raw in enumerate(source, first):
        line = _decode(number, raw)
        text = line.text.removesuffix("\n").removesuffix("\r")
        if number == 1 and text.startswith("\ufeff"):
            text, line = text[1:], line._replace(column=max(1, line.column - 1))
        yield line._replace(text=text)


def _decode(number: int, raw: str | bytes) -> SourceLine:
    data = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
    try:
        return SourceLine(number, data.decode())
    except UnicodeDecodeError as error:
        column = len(data[: error.start].decode()) + 1
        problem = (
            f"this is not UTF-8: byte {error.start + 1} of the line is 0x{data[error.start]:02x}"
        )
        return SourceLine(number, data.decode(errors="replace"), problem, column)
