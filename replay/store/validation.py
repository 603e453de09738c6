"""Checks before a write and their errors, the same in every backend. No I/O happens here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from replay.errors import AmbiguousMatch, Stale, StoreError, UnknownMatch, Usage
from replay.store.feed_types import Hook
from replay.store.types import (
    CARRIER,
    Appended,
    Creation,
    NewEvent,
    NewStream,
    StoredEvent,
    Stream,
    Summary,
    Text,
)

ID_BYTES: Final = 16
MIN_PREFIX: Final = 4
"""The number of characters of an id that are enough to look a match up."""
MAX_VERSION: Final = 2**63 - 1
"""The greatest version, and the greatest time in milliseconds, that a store can hold."""
MAX_NAMED: Final = 5
NUL: Final = "\0"


def check_stream(stream: NewStream) -> None:
    """Raise `Usage` for a new stream with contradictory or unreadable fields."""
    if not stream.public_id:
        raise Usage("a match needs an id")
    if stream.public_id.startswith(CARRIER):
        raise Usage(f"the id of a match cannot begin with {CARRIER}")
    if stream.kind not in ("match", "notes"):
        raise Usage(f"a stream must be of the kind 'match' or 'notes', not {stream.kind!r}")
    if (stream.kind == "notes") != (stream.subject is not None):
        raise Usage(
            "notes need a `subject`, the match they are about; other streams must not have one"
        )
    if (stream.parent is None) != (stream.fork_version is None):
        raise Usage("a fork must name its parent and the version where it leaves the parent")
    if stream.kind == "notes" and stream.parent is not None:
        raise Usage("notes cannot be forked")
    _check_text(stream.public_id)
    _check_json(stream.header)


def check_fork(stream: NewStream, parent: Stream) -> None:
    """Raise `Usage` unless the parent is a match with the version where the fork leaves it."""
    if parent.kind == "notes":
        raise Usage(f"{parent.public_id} has notes, which cannot be forked; fork their match")
    if parent.is_carrier:
        raise unknown_stream_error(parent.id)
    if stream.fork_version is None or not 0 <= stream.fork_version <= parent.head:
        wrong = f"{parent.public_id} cannot be forked at version {stream.fork_version}"
        raise Usage(f"{wrong}; use 0 to {parent.head}")


def check_subject(subject: Stream) -> None:
    """Raise `Usage` if a new stream of notes is not about a match."""
    if subject.is_carrier:
        raise unknown_stream_error(subject.id)
    if subject.kind != "match":
        raise Usage(f"notes must be about a match, and stream {subject.id} is not a match")


def resolve_parent(creation: Creation, made: Sequence[Stream]) -> NewStream:
    """Return a stream with the number of its parent, which may be one of those `made` with it."""
    if creation.fork_of is None:
        return creation.stream
    if creation.stream.parent is not None or not 0 <= creation.fork_of < len(made):
        raise Usage("a fork must name its parent once, and must come after it")
    return msgspec.structs.replace(creation.stream, parent=made[creation.fork_of].id)


def notes_of(stream: Stream) -> NewStream:
    """Return the stream for the annotations of a match."""
    header = notes_header(stream.public_id)
    return NewStream(stream.public_id, header, kind="notes", subject=stream.id)


def notes_header(public_id: str) -> bytes:
    """Return the header of the stream for the annotations of a match."""
    return msgspec.json.encode({"notes": public_id})


def check_head(stream: Stream, expected: int) -> None:
    """Raise `Stale` unless the stream is at the expected version."""
    if stream.head != expected:
        raise Stale(expected, stream.head)


def check_summary(summary: Summary, head: int) -> None:
    """Raise `Usage` unless a summary is that of the stream at a version."""
    if summary.head != head:
        raise Usage(f"the summary is of version {summary.head}, but the match will be at {head}")


def check_events(events: Sequence[NewEvent]) -> None:
    """Raise `Usage` for events that no store can hold, or for two events with the same id."""
    for event in events:
        if len(event.id) != ID_BYTES:
            raise Usage(f"an event id must have {ID_BYTES} bytes, not {len(event.id)}")
        if not -MAX_VERSION <= event.at <= MAX_VERSION:
            raise Usage(f"{event.at} milliseconds is not a valid time")
        _check_text(event.type, event.actor)
        _check_json(event.data)
    if len(events) > 1 and len({event.id for event in events}) != len(events):
        raise Usage("two events of one append have the same id")


def check_metadata(metadata: Mapping[str, str | None]) -> None:
    """Raise `Usage` for metadata that are not Unicode."""
    for name, value in metadata.items():
        _check_text(name, value or "")


def check_held(held: Mapping[str, bytes]) -> None:
    """Raise `Usage` for private values whose names are not Unicode."""
    _check_text(*held)


def check_texts(texts: Iterable[Text]) -> None:
    """Raise `Usage` for search texts that are not Unicode."""
    for each in texts:
        _check_text(each.kind, each.name, each.text)


def repeated_append(events: Sequence[NewEvent], found: Sequence[StoredEvent]) -> Appended:
    """Return the first answer to a repeated append; `found` are its events in the stream.

    The time is not compared (a retry may have a new time), nor is the data of a sealed event (it
    holds a digest with a fresh salt). Raises `Usage` if the ids already belong to different events.
    """
    first = found[0].version
    same = len(found) == len(events) and all(
        _is(event, stored) and stored.version == first + place
        for place, (event, stored) in enumerate(zip(events, found, strict=True))
    )
    if not same:
        raise event_ids_taken_error(found)
    return Appended(tuple(found), found[-1].hash, repeated=True)


def event_ids_taken_error(found: Sequence[StoredEvent]) -> Usage:
    """Return the error for new events whose ids are taken."""
    ids = ", ".join(event.id.hex() for event in found[:MAX_NAMED])
    return Usage(f"these event ids belong to other events already: {ids}")


def as_text(public_id: str) -> str:
    """Return a match id as Unicode, with `?` for other bytes of a command line."""
    return public_id.encode(errors="replace").decode()


def match_by_prefix(public_id: str, found: Sequence[Stream]) -> Stream:
    """Return the match of a prefix; `found` are the matches with it, in the order of their ids.

    Raises `UnknownMatch` and `AmbiguousMatch`.
    """
    if found and found[0].public_id == public_id:
        return found[0]
    if len(public_id) < MIN_PREFIX:
        ply = f", or @{public_id} for a ply of the latest match" if public_id.isdecimal() else ""
        raise UnknownMatch(
            f"no match {public_id!r}; give at least {MIN_PREFIX} characters of its id{ply}"
        )
    if not found:
        raise UnknownMatch(f"no match has the id {public_id!r}")
    if len(found) > 1:
        names = ", ".join(stream.public_id for stream in found[:MAX_NAMED])
        more = ", …" if len(found) > MAX_NAMED else ""
        raise AmbiguousMatch(f"{public_id!r} fits several matches: {names}{more}")
    return found[0]


def carrier_id(stream: int) -> str:
    """Return the public id of a carrier, the rest of a deleted match, from its stream number."""
    return f"{CARRIER}{stream}"


def unknown_stream_error(stream: int) -> UnknownMatch:
    """Return the error for a stream that does not exist."""
    return UnknownMatch(f"no stream has the number {stream}")


def match_id_taken_error(stream: NewStream) -> Usage:
    """Return the error for a second match of one id, or second notes of one match."""
    if stream.kind == "match":
        return Usage(f"there is a match {stream.public_id!r} already")
    return Usage(
        f"stream {stream.subject} has notes already, or the id {stream.public_id!r} is taken"
    )


def hook_id_taken_error(hook: Hook) -> Usage:
    """Return the error for a second hook of one id."""
    return Usage(f"there is a hook {hook.id!r} already")


def fork_needs_log_error(stream: Stream, fork: str) -> Usage:
    """Return the error for purging a match whose log a fork needs."""
    return Usage(
        f"{stream.public_id} cannot be deleted for good while its fork {fork} needs its log; "
        "delete its forks for good first, or leave it in the trash"
    )


def store_closed_error() -> StoreError:
    """Return the error for using a store after `close`."""
    return StoreError("the store is closed", "it is closed")


def _is(event: NewEvent, stored: StoredEvent) -> bool:
    if (event.id, event.type, event.actor) != (stored.id, stored.type, stored.actor):
        return False
    if event.sealed is None or stored.sealed is None:
        return event.sealed is stored.sealed and event.data == stored.data
    return True


def _check_text(*texts: str) -> None:
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Usage(f"{text!r} is not Unicode text") from None
        if NUL in text:
            raise Usage(f"{text!r} has a NUL character, which not every book can hold")


def _check_json(data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError:
        raise Usage(f"{data[:40]!r} is not UTF-8, so it is not JSON") from None
    if NUL.encode() in data:
        raise Usage(f"{data[:40]!r} has a NUL character, so it is not JSON")
