"""Write text records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.entry import move_text
from domain.events import Adjusted, Moved, Ruled, Stood, Unrecorded
from domain.game import Game
from domain.match import Match
from domain.names import count
from replay.book import Book
from replay.branches.analysis import analyse
from replay.formats.ply.doubts import write_doubts
from replay.formats.ply.model import POSITION_TAG, Node, Record, RecordLine
from replay.formats.ply.nested_lines import LeftOut, nest
from replay.record.match_record import MatchRecord
from replay.tags.match_tags import Tag, tags
from replay.texts import CONTROL, tidy

WIDTH: Final = 80
TIME_CONTROL: Final = "TimeControl"
"""The tag of PGN for the clock."""


def write_record(record: Record) -> str:
    """Write a record: its tags, an empty line, its movetext, an empty line.

    Characters that a text record cannot hold are replaced: a closing brace inside a comment by a
    parenthesis, a control character by a space.
    """
    words = _line_words(record.game, _without_ruling(record), 0, record.players)
    return f"{write_heading(record)}\n{_wrap([*words, record.result])}\n\n"


def write_heading(record: Record) -> str:
    """Write the tags of a record, a line each."""
    return "".join(write_tag(tag) for tag in _heading(record))


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


def write_tag(tag: Tag) -> str:
    """Write a tag as a line, with escapes in its value and spaces for control characters."""
    value = tidy(CONTROL.sub(" ", tag.value)) if _unfit(tag.value) else tag.value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{tag.name} "{escaped}"]\n'


def _unfit(value: str) -> bool:
    return "\n" in value or "\r" in value or CONTROL.search(value) is not None


def _without_ruling(record: Record) -> RecordLine:
    """Leave out a ruling that the terminator of a record with an open dash implies."""
    nodes = record.line.nodes
    dashed = record.match.state.unjudged and not record.match.start.unjudged
    implied = dashed and record.result != "*" and isinstance(nodes[-1].event, Ruled)
    return (
        replace(record.line, nodes=nodes[:-1]) if implied and _is_bare(nodes[-1]) else record.line
    )


def _is_bare(node: Node) -> bool:
    return not (node.comments or node.glyphs or node.variations)


def _line_words(
    game: Game[Any], line: RecordLine, numbered: int, players: Mapping[int, str]
) -> list[str]:
    """Return the words of a line; `numbered` is the turn of the last move before it."""
    words = list(_comments(line.comments))
    for node in line.nodes:
        before = numbered
        if isinstance(node.event, Moved | Stood | Unrecorded) and node.turn != numbered:
            words.append(f"{node.turn}.")
            numbered = node.turn
        words.append(move_text.write(game, node.event))
        words.extend(_remarks(node, players))
        for variation in node.variations:
            inside = _line_words(game, variation, before, players)
            inside[0] = f"({inside[0]}"
            inside[-1] += ")"
            words.extend(inside)
    return words


def _remarks(node: Node, players: Mapping[int, str]) -> Iterator[str]:
    for glyph in sorted(set(node.glyphs)):
        yield f"${glyph}"
    for doubt in write_doubts(node.event, players):
        yield from f"{{{doubt}}}".split(" ")
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


def export_record(book: Book, record: MatchRecord) -> str:
    """Return a match as a text record in canonical form, as `export_lines` has it."""
    return write_record(export_lines(book, record))


def export_lines(book: Book, record: MatchRecord) -> Record:
    """Return a match as a record with comments, glyphs and variations.

    The main line is the played line, or the promoted variation. Hidden variations are omitted, and
    so are the events of a variation after an adjustment. Hidden moves are omitted, because a record
    may reach any reader. A text cannot express an adjustment: the record begins at the last
    adjustment, with its position as a tag and its reason as a comment.
    """
    analysis = analyse(book, record)
    match = analysis.main.match
    adjusted = _last_adjustment(match)
    line = nest(book, analysis, adjusted).line
    if adjusted:
        line = replace(line, comments=(_reason(match, adjusted), *line.comments))
        match = replace(match, start=match.at(adjusted), line=match.line[adjusted:])
    positioned = adjusted or record.header.position
    begins_at = match.game.write_position(match.start.position) if positioned else None
    given = _set_position_tag(tags(book, record), begins_at)
    return Record((*given, *_time_control(record, given)), match, line)


def left_out(book: Book, record: MatchRecord) -> tuple[LeftOut, ...]:
    """Return the parts of a match's lines that a text record cannot hold."""
    analysis = analyse(book, record)
    return nest(book, analysis, _last_adjustment(analysis.main.match)).left_out


def _last_adjustment(match: Match) -> int:
    """Return the ply of the last adjustment, or 0."""
    plies = reversed(list(enumerate(match.line, 1)))
    return next((number for number, ply in plies if isinstance(ply.event, Adjusted)), 0)


def _reason(match: Match, adjusted: int) -> str:
    """Return the comment with the reason of an adjustment."""
    event = match.line[adjusted - 1].event
    assert isinstance(event, Adjusted)
    before = count(adjusted - 1, "event")
    return f"Position set by the scorekeeper: {event.reason} ({before} before it)"


def _time_control(record: MatchRecord, given: list[Tag]) -> Iterator[Tag]:
    """Yield the tag of a clock that has a control, unless the match has a tag of that name."""
    clock = record.header.clock
    named = any(tag.name == TIME_CONTROL for tag in given)
    if clock is not None and clock.control is not None and not named:
        yield Tag(TIME_CONTROL, clock.control)


def _set_position_tag(given: list[Tag], begins_at: str | None) -> list[Tag]:
    """Set the tag `Position` to the first position, in its old place or as the first tag."""
    places = [tag.name for tag in given]
    if begins_at is None or POSITION_TAG not in places:
        kept = [tag for tag in given if tag.name != POSITION_TAG]
        return kept if begins_at is None else [Tag(POSITION_TAG, begins_at), *kept]
    at = places.index(POSITION_TAG)
    return [*given[:at], Tag(POSITION_TAG, begins_at), *given[at + 1 :]]
