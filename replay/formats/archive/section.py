"""The lines of one match in an archive, and the plausibility of its data.

Hashes prove that nothing was changed, not that the values were ever valid: a forged archive has
fitting hashes. So times must be within the calendar, and texts must be valid in the book and in a
text record.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from replay.annotations.events import DECODER as NOTES
from replay.annotations.events import Annotation, Edited, Glyphed, Retracted, clean_note
from replay.annotations.glyphs import LAST as LAST_GLYPH
from replay.book import OTHER_TAGS, is_tag
from replay.errors import PlybookError, Usage
from replay.formats.archive.model import (
    ArchiveHead,
    EventLine,
    FactsLine,
    NoteLine,
    PersonLine,
    event_of,
    facts_hash,
    person_of,
)
from replay.formats.reader_warning import Warnings
from replay.record.codec import commitment_holds, is_sealed
from replay.record.match_record import HEADER, Header
from replay.store import validation
from replay.store.hash_chain import event_hash, header_hash
from replay.store.people_chain import (
    NAME,
    REASON,
    SEAT_TAG,
    beginning,
    fits,
    head_of,
    names_among,
    person_hash,
)
from replay.store.types import Creation, KeptPeople, NewEvent, NewStream, PersonEvent, PersonText
from replay.tags.match_tags import Tag, clean_tag, decode_other_tags, tags_of
from replay.tags.names import check_name
from replay.texts import CONTROL, MAX_COMMENT, check_text

LATEST: Final = 253_370_764_800_000
"""The beginning of the year 9999, in milliseconds since 1970, near the end of calendars."""

LINE_BREAK: Final = re.compile("[\r\n]")
TAG: Final = re.compile("[A-Za-z0-9_]+")
ANY_SEAT: Final = re.compile("Seat[0-9]+")


def check_time(at: int) -> None:
    """Raise `Usage` for a time before 1970 or beyond the calendar."""
    if not 0 <= at <= LATEST:
        raise Usage(f"{at} is not a valid time; use milliseconds since 1970, before the year 9999")


def check_words(text: str) -> None:
    """Raise `Usage` for a text that is not a single line."""
    _check_characters(text)
    if LINE_BREAK.search(text):
        raise Usage(f"{text[:40]!r} is more than one line")


def check_facts(facts: Mapping[str, str]) -> None:
    """Raise `Usage` for names and tags that no text record can hold."""
    for name, _ in (*facts.items(), *tags_of(facts)):
        if is_tag(name) and (not TAG.fullmatch(name) or _is_no_seat(name)):
            raise Usage(f"{name[:40]!r} is not a valid name of a tag")


def _read_tags(facts: Mapping[str, str]) -> list[Tag]:
    try:
        return decode_other_tags(facts)
    except msgspec.DecodeError as error:
        raise Usage(f"the tags of this match cannot be read: {error}") from None


def check_said(said: Annotation) -> None:
    """Raise `Usage` for an annotation that could not be entered."""
    if isinstance(said, Glyphed) and not 0 <= said.glyph <= LAST_GLYPH:
        raise Usage(f"{said.glyph} is not a glyph; use 0 to {LAST_GLYPH}")


def _is_no_seat(name: str) -> bool:
    return ANY_SEAT.fullmatch(name) is not None and SEAT_TAG.fullmatch(name) is None


def _check_characters(text: str) -> None:
    bad = CONTROL.search(text)
    if bad:
        raise Usage(f"{text[:40]!r} holds the control character U+{ord(bad[0]):04X}")


JSON_TEXT: Final = re.compile(rb'"((?:[^"\\]|\\.)*)"')
RULES: Final = re.compile("[a-z][a-z0-9_-]{0,39}/[1-9][0-9]{0,3}")
MAX_SEATS: Final = 9
OPTION: Final = re.compile("[a-z][a-z0-9_]{0,39}")
ID: Final = re.compile("[0-9a-z]{4,40}")
FACTS: Final = msgspec.json.Decoder(dict[str, str])


class BadPart(Exception):
    """A line does not fit into the archive; the argument says why."""


class Section:
    """A match: its header, and the facts, events and notes read so far."""

    def __init__(self, new: NewStream, origin: bytes, warnings: Warnings) -> None:
        self.new = new
        self.warnings = warnings
        self.facts: dict[str, str] | None = None
        self.events: list[NewEvent] = []
        self.notes: list[NewEvent] = []
        self.people: list[PersonEvent] = []
        self.texts: list[PersonText] = []
        self._ids: set[bytes] = set()
        self._origin = self._hash = origin
        self._notes_hash = b""

    @property
    def version(self) -> int:
        """The version of the last event in the archive, including shared ones."""
        return (self.new.fork_version or 0) + len(self.events)

    @property
    def head(self) -> ArchiveHead:
        """The head of the match, as the closing line must state it."""
        hashes = self._hash.hex(), self._notes_hash.hex()
        return ArchiveHead(
            self.new.public_id,
            self.version,
            hashes[0],
            len(self.notes),
            hashes[1],
            *(len(self.people), head_of(self.people).hash.hex()),
        )

    def creation(self) -> Creation:
        """Return the match as a store creates it."""
        facts = self.facts or {}
        people = KeptPeople(self.people, self.texts, names_among(facts), head_of(self.people))
        return Creation(self.new, self.events, facts, self.notes, people=people)

    def add_facts(self, line: FactsLine, number: int) -> None:
        """Add the metadata of the archive's line with a number, clean.

        Raises `BadPart` or `Usage`.
        """
        if self.facts is not None:
            raise BadPart("the facts of a match must come once, after its header")
        if facts_hash(self._origin, bytes(line.facts)) != line.hash:
            raise BadPart("the facts do not match their hash")
        facts = _decode(FACTS, line.facts, "facts")
        validation.check_metadata(facts)
        self.facts = self._cleaned(facts, number)
        check_facts(self.facts)

    def _cleaned(self, facts: dict[str, str], number: int) -> dict[str, str]:
        """Return facts without signs that hide or reverse a text; what the hash covers stays."""

        def clean(tag: Tag) -> Tag:
            cleaned, done = clean_tag(tag)
            self.warnings.add(number, 1, done)
            return cleaned

        read = _read_tags(facts)
        others = [clean(tag) for tag in read]
        if others != read:
            facts = facts | {OTHER_TAGS: msgspec.json.encode(others).decode()}
        tags = (Tag(*fact) for fact in facts.items())
        return dict(tag if tag.name == OTHER_TAGS else clean(tag) for tag in tags)

    def add_person(self, line: PersonLine) -> None:
        """Add the next event of people in the archive. Raises `BadPart` or `Usage`."""
        if self.facts is None or self.events or self.notes:
            raise BadPart("the events of people must come after the facts, before other events")
        try:
            event, texts = person_of(line)
        except ValueError as error:
            raise BadPart(f"this is not an event of people: {error}") from None
        before = self.people[-1].hash if self.people else beginning(self._origin)
        if event.number != len(self.people) + 1 or event.hash != person_hash(before, event):
            raise BadPart("the event of people does not match its hash: it was changed, or moved")
        for text in texts:
            _check_person_text(event, text)
        check_time(event.at)
        check_words(event.author)
        self.people.append(event)
        self.texts += texts

    def add_event(self, line: EventLine) -> None:
        """Add the next event of the match in the archive. Raises `BadPart`."""
        if self.facts is None or self.notes:
            raise BadPart("the events of a match must come after its facts and before its notes")
        event = _next_event(line, self._hash, self.version + 1)
        if event.id in self._ids:
            raise BadPart(f"the event id {line.id} appears twice")
        if event.sealed is not None:
            _check_revealed(line.version, event)
        self._ids.add(event.id)
        self.events.append(event)
        self._hash = bytes.fromhex(line.hash)

    def add_note(self, line: NoteLine, number: int) -> None:
        """Add the next note of the archive's line with a number, clean. Raises `BadPart`."""
        if self.facts is None:
            raise BadPart("the notes of a match must come after its facts")
        origin = header_hash(validation.notes_header(self.new.public_id))
        note = _next_event(line, self._notes_hash or origin, len(self.notes) + 1)
        self._check_note(note)
        note, done = clean_note(note)
        self.warnings.add(number, 1, done)
        self.notes.append(note)
        self._notes_hash = bytes.fromhex(line.hash)

    def _check_note(self, note: NewEvent) -> None:
        said = _decode(NOTES, note.data, "annotation")
        if isinstance(said, Retracted):
            return
        now = said.now if isinstance(said, Edited) else said
        check_said(now)
        on = now.on
        if not 0 <= on <= self.version:
            raise BadPart(
                f"this annotation is about version {on}, and {self.new.public_id}"
                f" has versions 0 to {self.version}"
            )


def read_header(data: bytes) -> Header:
    """Decode the header of a match in an archive. Raises `BadPart`."""
    header: Header = _decode(HEADER, data, "header")
    if not ID.fullmatch(header.id):
        raise BadPart(f"{header.id!r} is not a valid id of a match")
    if not RULES.fullmatch(header.rules):
        raise BadPart(f"{header.rules[:40]!r} is not a valid ruleset; use one like game/1")
    if not 1 <= header.seats <= MAX_SEATS:
        raise BadPart(f"{header.seats} is not a number of seats; use 1 to {MAX_SEATS}")
    for name in header.options:
        if not OPTION.fullmatch(name) or keyword.iskeyword(name):
            raise BadPart(f"{name[:40]!r} is not the name of an option; use small letters and _")
    check_time(header.created)
    return header


def _next_event(line: EventLine, before: bytes, version: int) -> NewEvent:
    """Return the event of a line if its hash follows from the previous one."""
    if line.version != version:
        raise BadPart(
            f"version {line.version} comes where version {version} is expected:"
            " lines are missing or out of order"
        )
    try:
        event = event_of(line)
        validation.check_events([event])
        check_time(event.at)
        check_words(event.actor)
        fits = event_hash(before, event).hex() == line.hash
    except (ValueError, PlybookError) as error:
        raise BadPart(f"this is not an event: {error}") from None
    for data in (event.data, event.sealed or b""):
        _check_lengths(data)
    if not fits:
        raise BadPart("the event does not match its hash: it was changed, or belongs elsewhere")
    return event


def _check_person_text(event: PersonEvent, text: PersonText) -> None:
    """Refuse a text that belongs to another event or that nobody could have entered."""
    known = {NAME: event.name, REASON: event.reason}.get(text.kind, b"")
    if not known or not fits(text, known):
        raise BadPart(f"the {text.kind[:10]} of an event of people does not match its digest")
    if text.salt and text.kind == NAME:
        check_name("the name of a player", text.text)
    check_text("the reason", text.text, MAX_COMMENT)


def _check_lengths(data: bytes) -> None:
    """Refuse a text that is longer than any that can be entered."""
    texts = JSON_TEXT.findall(data) if len(data) > MAX_COMMENT else ()
    longest = max(map(len, texts), default=0)
    if longest > MAX_COMMENT:
        raise BadPart(f"a text of this event has {longest} bytes; at most {MAX_COMMENT} are valid")


def _check_revealed(version: int, event: NewEvent) -> None:
    stored = event.as_stored(version, b"")
    try:
        holds = is_sealed(stored) and commitment_holds(stored)
    except (msgspec.DecodeError, RecursionError):
        holds = False
    if not holds:
        raise BadPart("the revealed move does not match its commitment")


def _decode(decoder: msgspec.json.Decoder[Any], data: Any, what: str) -> Any:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadPart(f"this {what} cannot be read: {error}") from None
