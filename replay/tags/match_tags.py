"""The tags of a match: its players, place and time, and the match it came from.

They are mutable facts, stored outside the log and its hash chain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date
from typing import Final, NamedTuple

import msgspec

from domain.names import is_role
from replay.book import OTHER_TAGS, Book, is_tag
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from replay.store.people_chain import SEAT_TAG
from replay.store.types import Author, Stream
from replay.tags.names import check_player, clean_name
from replay.texts import MAX_TAG, check_text, clean_text

IMPORTED: Final = "imported."
"""The beginning of the name of an import's fact; the rest is the digest."""


def is_imported(facts: Iterable[str]) -> bool:
    """Return whether a match with these facts came from a text record."""
    return any(name.startswith(IMPORTED) for name in facts)


def without_origin(facts: Iterable[str]) -> dict[str, None]:
    """Return the change of facts that erases the digest."""
    return dict.fromkeys(name for name in facts if name.startswith(IMPORTED))


def forget_origin(book: Book, stream: Stream) -> None:
    """Erase the digest of a match, and of its ancestors."""
    while True:
        change = without_origin(book.store.metadata(stream.id))
        if change:
            book.store.set_metadata(stream.id, change).result()
        if stream.parent is None:
            return
        stream = book.store.stream(stream.parent)


DATE: Final = re.compile(r"([0-9]{4}|\?{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)")
KEPT_TAGS: Final = ("Date", "Site")
"""The tags, besides `SeatN`, that are stored as facts of their own."""

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,49}")
OF_SEAT: Final = "ScoresheetOf"
"""The tag with the seat that keeps a scoresheet."""
FIXED: Final = frozenset(("Game", "Rules", "Option", "Result", "Position"))
"""Tags that follow from the match itself, and cannot be changed."""


def tags(book: Book, record: MatchRecord) -> list[Tag]:
    """Return the tags of a match in the order in which they were set."""
    return tags_of(book.facts(record))


def tags_of(facts: Mapping[str, str]) -> list[Tag]:
    """Return the tags that the facts of a match hold."""
    own = [Tag(name, value) for name, value in facts.items() if is_tag(name) and name != OTHER_TAGS]
    return own + _others(facts)


def decode_other_tags(facts: Mapping[str, str]) -> list[Tag]:
    """Return the tags that are not stored as facts of their own. Raises `msgspec.DecodeError`."""
    return msgspec.json.decode(facts.get(OTHER_TAGS, "[]"), type=list[Tag])


def tag(book: Book, record: MatchRecord, values: Mapping[str, str]) -> None:
    """Set tags of a match; an empty value deletes a tag. `replay.tags.people` names players.

    Raises `Usage` for names and values that no text record can hold, and for fixed tags.
    """
    for name, value in values.items():
        check_tag(record.match.seats, name, value)
        if SEAT_TAG.fullmatch(name):
            raise Usage(f"{name} is a player and no tag; name players instead")
    retag(book, record.stream, values)


def retag(book: Book, stream: Stream, values: Mapping[str, str]) -> None:
    """Set valid tags that are no players; an empty value deletes a tag."""

    def change(facts: Mapping[str, str]) -> dict[str, str | None]:
        there = [each for each in tags_of(facts) if each.name in values]
        lost = any(each.value != values[each.name] for each in there)
        return _changes(facts, values) | (without_origin(facts) if lost else {})

    by = Author(at=book.now())
    book.store.change_metadata(stream.id, change, None, by).result()


def add_tags(
    book: Book, record: MatchRecord, more: Iterable[Tag], facts: Mapping[str, str]
) -> None:
    """Add valid tags of names that the match does not have, and facts that are no tags."""

    def change(there: Mapping[str, str]) -> dict[str, str | None]:
        names = {tag.name for tag in tags_of(there)}
        new = {tag.name: tag.value for tag in more if tag.name not in names}
        assert not any(map(SEAT_TAG.fullmatch, new)), "players are named by replay.tags.people"
        return {**_changes(there, new), **facts}

    by = Author(at=book.now())
    book.store.change_metadata(record.stream.id, change, None, by).result()


def with_tags(facts: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """Return the facts of a new match with tags that are valid, without empty ones."""
    changed = {**facts, **(_changes(facts, values) if values else {})}
    return {name: value for name, value in changed.items() if value is not None}


def _changes(facts: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str | None]:
    """Return the facts that setting tags changes; `None` deletes one."""
    others = _others(facts)
    changed: dict[str, str | None] = {}
    for name, value in values.items():
        if name in KEPT_TAGS or SEAT_TAG.fullmatch(name):
            changed[name] = value or None
        else:
            others = _set_tag(others, Tag(name, value))
            if name in facts and name != OTHER_TAGS:  # stored as a separate fact until now
                changed[name] = None
    kept = msgspec.json.encode(others).decode() if others else None
    if kept != facts.get(OTHER_TAGS):
        changed[OTHER_TAGS] = kept
    return changed


def _others(facts: Mapping[str, str]) -> list[Tag]:
    """Return the other tags; none if they cannot be read, which `doctor` reports for search."""
    try:
        return decode_other_tags(facts)
    except msgspec.DecodeError:  # no hash covers facts, so the disk may have changed them
        return []


def _set_tag(others: list[Tag], new: Tag) -> list[Tag]:
    """Replace the first tag of the same name, or append the tag; an empty value removes it."""
    places = [place for place, other in enumerate(others) if other.name == new.name]
    place = places[0] if places else len(others)
    kept = [other for other in others[place:] if other.name != new.name]
    return [*others[:place], *([new] if new.value else []), *kept]


def check_tag(seats: int, name: str, value: str) -> None:
    """Raise `Usage` for a name or a value that no text record can hold, and for a fixed tag."""
    if not NAME.fullmatch(name):
        raise Usage(
            f"{name!r} is not a valid name of a tag; use a letter, then letters, digits and"
            " underscores, at most 50 in all"
        )
    if name in FIXED:
        raise Usage(f"the tag {name} follows from the match and cannot be changed")
    if name == "Date" and value:
        check_date(value)
    seat = re.fullmatch("Seat([0-9]+)", name)
    if seat and not (SEAT_TAG.fullmatch(name) and int(seat[1]) <= seats):
        raise Usage(f"seat {seat[1]} is not in this match, which has seats 1 to {seats}")
    if seat and value:
        check_player(f"the name of seat {seat[1]}", value)
    _check_value(name, value)


def clean_tag(tag: Tag) -> tuple[Tag, str]:
    """Return a tag of a file as it can be stored, and a description of the changes.

    The description is empty if the tag is unchanged.
    """
    seat = SEAT_TAG.fullmatch(tag.name)
    value, done = clean_name(tag.value) if seat else clean_text(tag.value, MAX_TAG)
    if seat and is_role(value):
        done = f"{done or 'kept'}; {value!r} is the word for a role and stands in quotes"
    return Tag(tag.name, value), done and f"the tag {tag.name}: {done}"


def _check_value(name: str, value: str) -> None:
    check_text(f"the tag {name}", value, MAX_TAG)


class Tag(NamedTuple):
    """`[Name "value"]`, the value without its escapes."""

    name: str
    value: str


def check_date(text: str) -> None:
    """Raise `Usage` unless a text is a date of PGN, like 2026.11.23 or 2026.??.??."""
    found = DATE.fullmatch(text)
    with suppress(ValueError):
        if found is not None:
            # December has every day of a month, and 1212 was a leap year.
            date(*(int(part.replace("??", "12")) for part in found.groups()))
            return
    raise Usage(
        f"{text!r} is not a valid date; use a date like 2026.11.23, with ?? for an unknown part"
    )
