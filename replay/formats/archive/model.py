"""The lines of an archive, as JSON Lines in this order.

The opening line; then for each match (a fork after its parent) its header, facts, events of people,
own events and notes; then the closing line. Hashed data (headers, events) is included byte for
byte.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import asdict

from replay.record.codec import SALT
from replay.store.people_chain import Happened
from replay.store.types import NewEvent, PersonEvent, PersonText, StoredEvent
from replay.store.validation import MAX_VERSION

FORMAT: Final = "plybook archive"
VERSION: Final = 3
WITH_PEOPLE: Final = 2
"""The version of archives with events of people, and without doubts, written as before."""
FORMER: Final = 1
"""The version of archives without events of people, written as before."""
DOUBT: Final = re.compile(
    rb'(?<!\\)"(?:type":"(?:unrecorded|filled|reopened)"|unsure":true|reconstructed":)'
)
"""A part of an event that needs the newest version: a dash, or a doubt."""
BEGINNING: Final = b'{"format":"plybook archive"'
"""The beginning of the first line of every archive."""


class ArchiveOpening(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: str = FORMAT
    version: int = VERSION


class ArchiveLine(
    Struct, frozen=True, tag_field="line", forbid_unknown_fields=True, omit_defaults=True
):
    """A line after the opening line; `line` names its kind."""


class MatchLine(ArchiveLine, frozen=True, tag="match"):
    """The first line of a match: its header as hashed, and the hash before its first event."""

    header: Raw
    hash: str


class FactsLine(ArchiveLine, frozen=True, tag="facts"):
    """The names and tags of the match; the hash covers them and the match's origin."""

    facts: Raw
    hash: str


class SaltedText(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a digest, with its salt in hex."""

    salt: str
    text: str


class PersonLine(ArchiveLine, frozen=True, tag="person"):
    """An event of a match's people. `hash`, `name` and `reason` are in hex.

    A text that is null is withheld; an erased text is missing.
    """

    number: int
    event: Happened
    seat: Annotated[int, Meta(ge=0, le=9)]
    at: int
    after_version: Annotated[int, Meta(ge=0, le=MAX_VERSION)]
    hash: str
    other: Annotated[int, Meta(ge=0, le=9)] = 0
    author: str = ""
    reason: str = ""
    name: str = ""
    texts: dict[str, SaltedText | None] = {}


class RevealedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of a sealed event: the salt in hex, and the move."""

    salt: str
    move: Raw


class EventLine(ArchiveLine, frozen=True, tag="event"):
    """An event of the match. `id` and `hash` are in hex, `at` is in milliseconds since 1970."""

    version: int
    id: str
    type: str
    actor: str
    at: int
    data: Raw
    hash: str
    revealed: RevealedLine | None = None


class NoteLine(EventLine, frozen=True, tag="note"):
    """An event of the match's stream of annotations."""


class ArchiveHead(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The last versions of a match and of its notes, its people, and the hashes there."""

    match: str
    version: int
    hash: str
    notes: int
    notes_hash: str
    people: int = 0
    people_hash: str = ""


class EndLine(ArchiveLine, frozen=True, tag="end"):
    """The last line: the number of lines including itself, and the heads of the matches."""

    lines: int
    heads: tuple[ArchiveHead, ...]


Line = MatchLine | FactsLine | PersonLine | EventLine | NoteLine | EndLine


def facts_hash(origin: bytes, facts: bytes) -> str:
    """Return the hash of facts in hex; `origin` ties them to their match."""
    return hashlib.sha256(origin + facts).hexdigest()


def line_of(stored: StoredEvent, kind: type[EventLine], payload: bytes | None) -> EventLine:
    """Return an event as a line, with its secret `payload` unless that is `None`."""
    return kind(
        stored.version,
        stored.id.hex(),
        stored.type,
        stored.actor,
        stored.at,
        Raw(stored.data),
        stored.hash.hex(),
        None if payload is None else RevealedLine(payload[:SALT].hex(), Raw(payload[SALT:])),
    )


def person_line(event: PersonEvent, texts: Sequence[PersonText]) -> PersonLine:
    """Return an event of people as a line, with the texts that belong to this event."""
    told = {
        each.kind: SaltedText(each.salt.hex(), each.text) if each.salt else None
        for each in texts
        if each.number == event.number
    }
    fields: dict[str, Any] = {
        name: value.hex() if isinstance(value, bytes) else value
        for name, value in asdict(event).items()
    }
    return PersonLine(texts=told, **fields)


def person_of(line: PersonLine) -> tuple[PersonEvent, list[PersonText]]:
    """Return the event of a line, and its texts. Raises `ValueError` for invalid hexadecimal."""
    fields = asdict(line)
    texts = [
        PersonText(line.number, kind, *((_decode_hex(each.salt), each.text) if each else (b"", "")))
        for kind, each in fields.pop("texts").items()
    ]
    digests = {name: _decode_hex(fields[name]) for name in ("hash", "name", "reason")}
    return PersonEvent(**fields | digests), texts


def event_of(line: EventLine) -> NewEvent:
    """Return the event of a line of an archive. Raises `ValueError` for invalid hexadecimal."""
    told = line.revealed
    payload = None if told is None else _decode_hex(told.salt) + bytes(told.move)
    data = bytes(line.data)
    return NewEvent(_decode_hex(line.id), line.type, line.actor, line.at, data, payload)


def _decode_hex(text: str) -> bytes:
    number = bytes.fromhex(text)
    if number.hex() != text:  # `fromhex` would accept capitals and blanks
        raise ValueError(f"{text!r} is not valid; use lowercase hexadecimal digits")
    return number


def encode(line: ArchiveOpening | Line) -> bytes:
    """Return a line of an archive as bytes, including the newline."""
    return msgspec.json.encode(line) + b"\n"
