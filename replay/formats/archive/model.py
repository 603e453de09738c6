"""The lines of an archive, as JSON Lines in this order.

The opening; then for each match (a fork after its parent) the match, its facts, its own events, its
notes; then the closing. Hashed data (headers, events) is included byte for byte.
"""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec
from msgspec import Raw, Struct

from replay.record.codec import SALT
from replay.store.types import NewEvent, StoredEvent

FORMAT: Final = "plybook archive"
VERSION: Final = 1
BEGINNING: Final = b'{"format":"plybook archive"'
"""The beginning of the first line of every archive."""


class ArchiveOpening(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: str = FORMAT
    version: int = VERSION


class MatchLine(Struct, frozen=True, tag_field="line", tag="match", forbid_unknown_fields=True):
    """The first line of a match: its header as hashed, and the hash before its first event."""

    header: Raw
    hash: str


class FactsLine(Struct, frozen=True, tag_field="line", tag="facts", forbid_unknown_fields=True):
    """The names and tags of the match; the hash covers them and the match's origin."""

    facts: Raw
    hash: str


class RevealedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of a sealed event: the salt in hex, and the move."""

    salt: str
    move: Raw


class EventLine(
    Struct,
    frozen=True,
    tag_field="line",
    tag="event",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
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


class ArchiveHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The last versions of a match and of its notes, and the hashes there."""

    match: str
    version: int
    hash: str
    notes: int
    notes_hash: str


class EndLine(Struct, frozen=True, tag_field="line", tag="end", forbid_unknown_fields=True):
    """The last line: the number of lines including itself, and the heads of the matches."""

    lines: int
    heads: tuple[ArchiveHead, ...]


Line = MatchLine | FactsLine | EventLine | NoteLine | EndLine


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


def event_of(line: EventLine) -> NewEvent:
    """Return the event of a line. Raises `ValueError` for invalid hexadecimal."""
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
    """Return a line as bytes, including the newline."""
    return msgspec.json.encode(line) + b"\n"
