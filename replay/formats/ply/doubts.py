"""Doubts in a text record: `{[%unsure]}`, and `{[%reconstructed rules "--"]}` after a move."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from domain.events import (
    FoundLater,
    LineEvent,
    Moved,
    NamedPerson,
    Noted,
    Unrecorded,
    found_later,
)
from replay.tags.names import SCOREKEEPER

STRING: Final = r'"(?:[^"\\]|\\["\\]|\\x7d)*"'
UNSURE: Final = re.compile(r"\[%unsure\]")
FOUND: Final = re.compile(rf"\[%reconstructed (rules|scoresheet|{STRING})((?: {STRING}){{1,2}})\]")
SEAT: Final = re.compile("seat [1-9]")
ESCAPE: Final = re.compile(r'\\(["\\]|x7d)')


def read_doubts(event: LineEvent | None, comment: str) -> tuple[LineEvent | None, str]:
    """Return an event with the doubts of a comment after it, and the rest of the comment."""
    if not isinstance(event, Moved | Noted | Unrecorded):
        return event, comment
    if UNSURE.search(comment):
        event, comment = replace(event, unsure=True), UNSURE.sub("", comment)
    found = FOUND.search(comment)
    if found is None or isinstance(event, Unrecorded):
        return event, comment
    who, entries = found[1], tuple(map(_unquoted, re.findall(STRING, found[2])))
    by: Any = NamedPerson(_unquoted(who)) if who[0] == '"' else who
    return replace(event, reconstructed=FoundLater(by, entries)), FOUND.sub("", comment, count=1)


def write_doubts(event: LineEvent, players: Mapping[int, str]) -> Iterator[str]:
    """Yield the doubts about an event as comments, without their braces."""
    if isinstance(event, Moved | Noted | Unrecorded) and event.unsure:
        yield "[%unsure]"
    found = found_later(event)
    if found:
        seats = {f"seat {seat}": name for seat, name in players.items() if name}
        by = found.by
        who = _quoted(seats.get(by.name, by.name)) if isinstance(by, NamedPerson) else by
        yield f"[%reconstructed {who} {' '.join(map(_quoted, found.entries))}]"


def storable(event: LineEvent, players: Mapping[int, str]) -> LineEvent:
    """Return an event to store, which names a person only by their seat or task.

    So a name can be erased: a person who is not a player becomes the scorekeeper.
    """
    found = event.reconstructed if isinstance(event, Moved | Noted) else UNSET
    if not found or not isinstance(found.by, NamedPerson) or SEAT.fullmatch(found.by.name):
        return event
    seats = {name: f"seat {seat}" for seat, name in players.items() if name}
    by = NamedPerson(seats.get(found.by.name, SCOREKEEPER))
    return replace(event, reconstructed=replace(found, by=by))


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("}", "\\x7d")
    return f'"{text}"'


def _unquoted(text: str) -> str:
    return ESCAPE.sub(lambda found: "}" if found[1] == "x7d" else found[1], text[1:-1])
