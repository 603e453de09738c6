"""Limits of texts and of imported records, from the settings and the record format.

Each text field is marked with its `Bound`. Decoding and the schema both use `longest`, so they
agree.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct, inspect

from replay.annotations.current import decode
from replay.annotations.events import Commented, Edited
from replay.branches.forks import NAME as FORK_NAME
from replay.corrections.adjustments import MAX_REASON
from replay.formats.archive.reader import Archive
from replay.formats.import_bounds import Bounds
from replay.formats.ply.model import Record, RecordLine
from replay.store import people_chain
from replay.store.people_chain import SEAT_TAG
from replay.store.types import StoredEvent, Stream
from replay.tags.match_tags import FIXED, Tag, tags_of
from replay.tags.names import MAX_NAME, ROLES
from replay.texts import MAX_COMMENT, MAX_TAG
from service.http.problems import Problem
from service.settings import Settings

MARK: Final = "x-bound"
"""The schema key for a type's bound, until the settings are known."""


class Bound(NamedTuple):
    """The limit of a text: its setting, and the limit of the record format."""

    setting: Literal["longest_name", "longest_text"]
    ceiling: int

    def longest(self, settings: Settings) -> int:
        """Return the most characters allowed."""
        set_to: int = getattr(settings, self.setting)
        return min(set_to or self.ceiling, self.ceiling)

    def mark(self) -> Meta:
        """Return the annotation that limits the texts of a type."""
        return Meta(extra={MARK: self}, extra_json_schema=self.marked())

    def marked(self) -> dict[str, Any]:
        """Return the annotation for the schema of such a type."""
        return {MARK: [*self]}


MAX_MOVES: Final = 1000
"""The maximum number of tokens that lead to a position in the explorer."""

MAX_QUOTED: Final = 20
"""The number of characters that identify a text in an error."""

NAME: Final = Bound("longest_name", MAX_NAME)
TAG: Final = Bound("longest_text", MAX_TAG)
REASON: Final = Bound("longest_text", MAX_REASON)
COMMENT: Final = Bound("longest_text", MAX_COMMENT)


class _Field(NamedTuple):
    """A field with bounded texts: its names in Python and in JSON."""

    attribute: str
    name: str
    bound: Bound


def check_body(settings: Settings, body: object) -> None:
    """Raise `Problem` 400 for the first text of a body that is too long."""
    kind: Any = type(body)
    for field in _fields(kind):
        value = getattr(body, field.attribute)
        if isinstance(value, dict):
            for key, text in value.items():
                check(settings, field.bound, text, f"$.{field.name}.{key}")
        elif value is not None:
            check(settings, field.bound, value, f"$.{field.name}")


def check(settings: Settings, bound: Bound, text: str, path: str | None = None) -> None:
    """Raise `Problem` 400 for a text that is too long; `path` is its JSON path."""
    most = bound.longest(settings)
    if len(text) > most:
        wrong = (
            f"{text[:MAX_QUOTED]!r}… has {len(text)} characters; at most {most} are allowed here"
        )
        raise Problem(400, wrong, **({"path": path} if path else {}))


def apply_limits(settings: Settings, schema: Any) -> Any:
    """Return a schema with the limits in force in place of the marks."""
    if isinstance(schema, list):
        return [apply_limits(settings, part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: apply_limits(settings, part) for name, part in schema.items() if name != MARK}
    if MARK not in schema:
        return parts
    return parts | {"maxLength": Bound(*schema[MARK]).longest(settings)}


@functools.cache
def _fields(kind: Any) -> tuple[_Field, ...]:
    """Return the fields of a body that are bounded texts, or objects with such fields."""
    struct: Any = inspect.type_info(kind)
    return tuple(
        _Field(field.name, field.encode_name, bound)
        for field in struct.fields
        for bound in _bounds(field.type)
    )


def _bounds(kind: Any) -> Iterator[Bound]:
    match kind:
        case inspect.UnionType():
            for part in kind.types:
                yield from _bounds(part)
        case inspect.DictType():
            yield from _bounds(kind.value_type)
        case inspect.Metadata(extra=dict() as extra) if MARK in extra:
            yield extra[MARK]
        case inspect.Metadata():
            yield from _bounds(kind.type)


Said = tuple[Bound, str]
"""A text and its limit."""


class _Reason(Struct, frozen=True):
    """The scorekeeper's reason for an event."""

    reason: str = ""


_REASON_DECODER: Final = msgspec.json.Decoder(_Reason)
REASONED: Final = frozenset(("ruled", "adjusted"))
"""Event types with a reason."""


BOUNDS: Final = ("events_per_import", "variations_per_import", "variation_depth")
"""The settings that limit each import."""


def bounds(settings: Settings) -> Bounds:
    """Return the text limits of one import."""
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
        raise Problem(400, f"a match can have at most {most} events here, not {events}")


def _check_texts(settings: Settings, texts: Iterable[Said]) -> None:
    for bound, text in texts:
        check(settings, bound, text)


def _tagged(tags: Iterable[Tag]) -> Iterator[Said]:
    for tag in tags:
        if tag.name not in FIXED:
            yield NAME if SEAT_TAG.fullmatch(tag.name) else TAG, tag.value


def _commented(line: RecordLine) -> Iterator[Said]:
    lines = [line]
    while lines:
        here = lines.pop()
        yield from ((COMMENT, text) for text in here.comments)
        for node in here.nodes:
            yield from ((COMMENT, text) for text in node.comments)
            lines += node.variations


def _archived(archive: Archive, stream: Stream) -> Iterator[Said]:
    store = archive.store
    facts = store.metadata(stream.id)
    yield from _tagged(tags_of(facts))
    yield NAME, facts.get(FORK_NAME, "")
    for text in store.people(stream.id).texts:
        yield NAME if text.kind == people_chain.NAME else REASON, text.text
    for stored in store.read(stream.id, stream.fork_version or 0):
        if stored.type in REASONED:
            yield REASON, _REASON_DECODER.decode(stored.data).reason
    notes = store.notes(stream.id)
    for stored in store.read(notes.id) if notes else ():
        yield from _noted(stored)


def _noted(stored: StoredEvent) -> Iterator[Said]:
    if not ROLES.fullmatch(stored.actor):
        yield NAME, stored.actor
    event = decode(stored)
    said = event.now if isinstance(event, Edited) else event
    if isinstance(said, Commented):
        yield COMMENT, said.text
