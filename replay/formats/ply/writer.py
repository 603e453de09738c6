"""Write the canonical form of a record: one text per record, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.entry import tokens
from domain.events import Moved, Stood
from domain.game import Game
from replay.formats.ply.model import Node, Record, RecordLine
from replay.tags.match_tags import Tag
from replay.tags.name_rules import CONTROL, tidy

WIDTH: Final = 80


def write_record(record: Record) -> str:
    """Write a record: its tags, an empty line, its movetext, an empty line.

    Characters that a text record cannot hold are replaced: a closing brace inside a comment by a
    parenthesis, a control character by a space.
    """
    heading = "".join(_tag(tag) for tag in _heading(record))
    words = _line_words(record.game, record.line, 0)
    return f"{heading}\n{_wrap([*words, record.result])}\n\n"


def _heading(record: Record) -> Iterator[Tag]:
    match = record.match
    yield Tag("Game", record.game.slug)
    yield Tag("Rules", record.game.ruleset)
    for name in ("Date", "Site"):
        value = record.tag(name)
        if value is not None:
            yield Tag(name, value)
    players = record.players
    if players or match.seats != record.game.seats[0]:
        for seat in range(1, match.seats + 1):
            yield Tag(f"Seat{seat}", players.get(seat, ""))
    for name, value in record.game.set_options(match.options).items():
        yield Tag("Option", f"{name}={value}")
    yield Tag("Result", record.result)
    yield from record.others


def _tag(tag: Tag) -> str:
    value = tidy(CONTROL.sub(" ", tag.value)) if _unfit(tag.value) else tag.value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{tag.name} "{escaped}"]\n'


def _unfit(value: str) -> bool:
    return "\n" in value or "\r" in value or CONTROL.search(value) is not None


def _line_words(game: Game[Any], line: RecordLine, numbered: int) -> list[str]:
    """Return the words of a line; `numbered` is the turn of the last move before it."""
    words = list(_comments(line.comments))
    for node in line.nodes:
        before = numbered
        if isinstance(node.event, Moved | Stood) and node.turn != numbered:
            words.append(f"{node.turn}.")
            numbered = node.turn
        words.append(tokens.write(game, node.event))
        words.extend(_remarks(node))
        for variation in node.variations:
            inside = _line_words(game, variation, before)
            inside[0] = f"({inside[0]}"
            inside[-1] += ")"
            words.extend(inside)
    return words


def _remarks(node: Node) -> Iterator[str]:
    for glyph in sorted(set(node.glyphs)):
        yield f"${glyph}"
    yield from _comments(node.comments)


def _comments(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        text = tidy(CONTROL.sub(" ", comment).replace("}", ")"))
        if text:
            yield from f"{{{text}}}".split(" ")


def _wrap(words: list[str]) -> str:
    """Fill lines with words up to `WIDTH` characters."""
    parts = [words[0]]
    width = len(words[0])
    for word in words[1:]:
        width += 1 + len(word)
        if width > WIDTH:
            parts.append("\n")
            width = len(word)
        else:
            parts.append(" ")
        parts.append(word)
    return "".join(parts)
