"""Split PGN into lexemes: tags, comments, words, parentheses (PGN 5 to 8).

Move numbers, periods and white space are left out; a lexeme that ends by itself needs no space
after it. A tag after an empty line is a heading. Nothing inside a comment is a tag, a move or an
escaped line.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from replay.formats.ply.lexer import KINDS, LexemeKind, RecordLexeme, SourceLine

NAME: Final = r'\[\s*([^\W\d][^\s"\[\]]*)'
TAG: Final = re.compile(rf'{NAME}\s*"((?:[^"\\]|\\["\\])*)"\s*\]')
ODD_TAG: Final = re.compile(rf'{NAME}(?:\s*"(.*?)"|\s+([^"\]]*?))\s*\](?=\s*(?:[\[;{{%]|$))')
"""A tag with quotes or backslashes inside its value, or with a value that is not quoted."""
RESULTS: Final = {"1-0": "+1", "0-1": "+2", "1/2-1/2": "=", "1/2": "=", "½-½": "=", "*": "*"}
"""Results as PGN and some programs write them, with ours."""
SYMBOLS: Final = {ours: theirs for theirs, ours in reversed(RESULTS.items())}
HYPHENS: Final = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212:", "-") | {" ": ""}
)
LEXEME: Final = re.compile(
    r"(?:1/2|[01½])[ ]+[-\u2010-\u2015\u2212:][ ]+(?:1/2|[01½])(?=[\s(){};]|$)"
    r"|(?P<skip>[\s\ufeff.\u2026]+|e\.?p(?:\.|(?=[\s(){};$!?]|$)))"
    r"|(?P<number>(?!0000)[0-9]+(?![^\s.\u2026(){};$!?*\[\]]))"
    r"|(?P<brace>\{)|;(?P<rest>.*)|[()}]|\$[0-9]*|[!?]+|\*|\[[^\]]*\]?"
    r"|[a-h][^\s.\u2026(){};$!?*\[]*?(?:e\.p\.|\([QRBN]\))|[^\s.\u2026(){};$!?*\[]+"
)
TAG_START: Final = re.compile(r"\s*\[\s*[A-Za-z]")
BRACE: Final = re.compile(r"[{}]")
MAX_NESTED: Final = 50
"""The most lines, and braces, within which the end of a comment with comments is searched."""
NESTED: Final = "this comment has others inside, which PGN has not; it was read with them"


def result_of(word: str) -> str | None:
    """Return the result of a word as text records write it, or `None`."""
    return RESULTS.get(word.translate(HYPHENS))


class PgnLexer:
    """The lexemes of a text whose lines are decoded."""

    def __init__(self, lines: Iterable[SourceLine]) -> None:
        self._lines = list(lines)
        self._next = 0
        """The index of the line to read next."""
        self._after_gap = True
        self._end = 0
        """The column after the last comment."""
        self.number = ""
        """The last number of a move."""

    def __iter__(self) -> Iterator[RecordLexeme]:
        while self._next < len(self._lines):
            line = self._take()
            if not line.text.startswith("%") or line.problem:
                yield from self._line(line)

    def _take(self) -> SourceLine:
        line = self._lines[self._next]
        self._after_gap = not (self._next and self._lines[self._next - 1].text.strip())
        self._next += 1
        return line

    def _line(self, line: SourceLine) -> Iterator[RecordLexeme]:
        yield from _remarks(line)
        at = 0
        while found := _match(line.text, at):
            place, at = (line.number, found.start() + 1), found.end()
            if found.re is not LEXEME:
                kind = LexemeKind.HEADING if self._after_gap else LexemeKind.TAG
                yield RecordLexeme(kind, found[0], *place)
            elif found.lastgroup is None:
                yield RecordLexeme(KINDS.get(found[0], LexemeKind.WORD), found[0], *place)
            elif found.lastgroup == "number":
                self.number = found[0]
            elif found.lastgroup == "rest":
                yield RecordLexeme(LexemeKind.COMMENT, found["rest"], *place)
            elif found.lastgroup == "brace":
                yield from self._comment(line, at)
                line, at = self._lines[self._next - 1], self._end

    def _comment(self, line: SourceLine, start: int) -> Iterator[RecordLexeme]:
        """Yield the comment behind a brace, and go on to the line where it ends."""
        place = line.number, start
        end = line.text.find("}", start)
        first, closing = self._next, self._next - 1 if end >= 0 else self._find_closing()
        if closing is None:
            self._end = sys.maxsize
            problem = "the brace opened here is never closed; close the comment with }"
            yield RecordLexeme(LexemeKind.COMMENT, "", *place, problem)
            return
        end = end if end >= 0 else self._lines[closing].text.index("}")
        inside = self._inside(first - 1, start, closing, end)
        if "{" in inside:
            whole = self._find_pair(first - 1, start)
            if whole is not None and whole != (closing, end):
                yield RecordLexeme(LexemeKind.NOTE, NESTED, *place)
                inside, (closing, end) = self._inside(first - 1, start, *whole), whole
        self._next, self._end = closing + 1, end + 1
        yield from chain.from_iterable(map(_remarks, self._lines[first : self._next]))
        yield RecordLexeme(LexemeKind.COMMENT, inside, *place)

    def _inside(self, first: int, start: int, last: int, end: int) -> str:
        """Return the text between two places."""
        if first == last:
            return self._lines[first].text[start:end]
        between = (one.text for one in self._lines[first + 1 : last])
        return _join((self._lines[first].text[start:], *between, self._lines[last].text[:end]))

    def _find_pair(self, first: int, start: int) -> tuple[int, int] | None:
        """Return the place of the brace that closes a comment and all comments inside it.

        In a game with as many opening as closing braces, only the first closing brace counts.
        """
        depth, seen = 1, 0
        for index, line in enumerate(self._lines[first : first + MAX_NESTED], first):
            if index > first and TAG_START.match(line.text) and not self._lines[index - 1].text:
                return None
            for brace in BRACE.finditer(line.text, start if index == first else 0):
                depth, seen = depth + (1 if brace[0] == "{" else -1), seen + 1
                if not depth:
                    return index, brace.start()
                if seen > MAX_NESTED:
                    return None
        return None

    def _find_closing(self) -> int | None:
        """Return the index of the line that closes a comment.

        A comment that is closed nowhere, or only after tags and another brace that opens, was
        forgotten to be closed: then the lines from these tags on come next.
        """
        heading = len(self._lines)
        for index in range(self._next, len(self._lines)):
            before, text = (line.text for line in self._lines[index - 1 : index + 1])
            opening, closing = text.find("{"), text.find("}")
            if heading < index and opening >= 0 and (closing < 0 or opening < closing):
                break
            if closing >= 0:
                return index
            if index < heading and TAG_START.match(text) and not before.strip():
                heading = index
        self._next = heading
        return None


def _match(text: str, at: int) -> re.Match[str] | None:
    """Match a tag, or any other lexeme."""
    found = LEXEME.match(text, at)
    if found and found[0][0] == "[":
        return TAG.match(text, at) or ODD_TAG.match(text, at) or found
    return found


def _remarks(line: SourceLine) -> Iterator[RecordLexeme]:
    """Yield the problem of a line that cannot be decoded, or how it was decoded."""
    if line.problem:
        yield RecordLexeme(LexemeKind.WORD, "", line.number, line.column, line.problem)
    elif line.note:
        yield RecordLexeme(LexemeKind.NOTE, line.note, line.number, 1)


WIDTH: Final = 255
"""The most characters in a line of PGN.

A longer word ends with a backslash and continues on the next line.
"""


def _join(parts: Iterable[str]) -> str:
    joined = "".join(
        part[:-1] if len(part) >= WIDTH and part[-1] == "\\" else f"{part}\n" for part in parts
    )
    return joined.removesuffix("\n")
