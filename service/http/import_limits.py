"""Apply the API's event and text limits to imported records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from replay.annotations import Commented, Edited
from replay.annotations.current import decode
from replay.branches.forks import NAME as FORK_NAME
from replay.formats.archive.reader import Archive
from replay.formats.import_bounds import Bounds
from replay.formats.ply.model import Record, RecordLine
from replay.referee.entering import SCOREKEEPER
from replay.store.protocol import StoredEvent, Stream
from replay.tags.match_tags import FIXED, SEAT_TAG, Tag, tags_of
from service.http import text_limits
from service.http.problems import Problem
from service.http.text_limits import Bound
from service.settings import Settings

Said = tuple[Bound, str]
"""A text and its limit."""


class _Reason(Struct, frozen=True):
    """The scorekeeper's reason for an event."""

    reason: str = ""


REASON: Final = msgspec.json.Decoder(_Reason)
REASONED: Final = frozenset(("ruled", "adjusted"))
"""Event types with a reason."""
OURS: Final = re.compile(f"{SCOREKEEPER}|seat [1-9]")
"""Authors without a name."""


BOUNDS: Final = ("events_per_import", "variations_per_import", "variation_depth")
"""The settings that limit one import."""


def bounds(settings: Settings) -> Bounds:
    """Return the limits of one import."""
    return Bounds(
        settings.variations_per_import, settings.variation_depth, settings.events_per_import
    )


def check_record(settings: Settings, record: Record) -> None:
    """Raise `Problem` 400 for a record that exceeds a match's limits here."""
    check_events(settings, len(record.match.line))
    _check_texts(settings, [*_tagged(record.tags), *_commented(record.line)])


def check_archived(settings: Settings, archive: Archive, stream: Stream) -> None:
    """Raise `Problem` 400 for an archived match that exceeds a match's limits here."""
    check_events(settings, stream.head)
    _check_texts(settings, _archived(archive, stream))


def check_events(settings: Settings, events: int) -> None:
    """Raise `Problem` 400 if there are more events than a match may have."""
    most = settings.events_per_match
    if most and events > most:
        raise Problem(400, f"a match has at most {most} events here, not {events}")


def _check_texts(settings: Settings, texts: Iterable[Said]) -> None:
    for bound, text in texts:
        text_limits.check(settings, bound, text)


def _tagged(tags: Iterable[Tag]) -> Iterator[Said]:
    for tag in tags:
        if tag.name not in FIXED:
            yield text_limits.NAME if SEAT_TAG.fullmatch(tag.name) else text_limits.TAG, tag.value


def _commented(line: RecordLine) -> Iterator[Said]:
    lines = [line]
    while lines:
        here = lines.pop()
        yield from ((text_limits.COMMENT, text) for text in here.comments)
        for node in here.nodes:
            yield from ((text_limits.COMMENT, text) for text in node.comments)
            lines += node.variations


def _archived(archive: Archive, stream: Stream) -> Iterator[Said]:
    store = archive.store
    facts = store.facts(stream.id)
    yield from _tagged(tags_of(facts))
    yield text_limits.NAME, facts.get(FORK_NAME, "")
    for stored in store.read(stream.id, stream.fork_version or 0):
        if stored.type in REASONED:
            yield text_limits.REASON, REASON.decode(stored.data).reason
    notes = store.notes(stream.id)
    for stored in store.read(notes.id) if notes else ():
        yield from _noted(stored)


def _noted(stored: StoredEvent) -> Iterator[Said]:
    if not OURS.fullmatch(stored.actor):
        yield text_limits.NAME, stored.actor
    event = decode(stored)
    said = event.now if isinstance(event, Edited) else event
    if isinstance(said, Commented):
        yield text_limits.COMMENT, said.text
