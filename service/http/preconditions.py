"""Preconditions of a write: the expected version and room in the log, with their problems."""

from __future__ import annotations

import re
from typing import Final

from msgspec import UNSET

from replay.book import Book
from replay.errors import Refused, Stale
from replay.reading import hints, timeline
from replay.record.match_record import MatchRecord
from replay.referee.referee import describe, left_words, near
from replay.tags.names import names_of
from service.http.access import AnyRequest, MatchAccess, find_match
from service.http.problems import Problem
from service.settings import Settings

TAG: Final = r'(?:W/)?"(0|[1-9][0-9]{0,8})(?:\.[0-9a-f]+)?"'
"""A tag of a match, as answers send it; the group is its version."""

VERSION: Final = re.compile(TAG)
TAGS: Final = re.compile(rf"{TAG}(?:[ \t]*,[ \t]*{TAG})*")


def expected_version(request: AnyRequest, body: int | None, current: int) -> int | None:
    """Return the version expected by `If-Match` or the body, if given.

    `If-Match` has a tag of the match, several tags, or `*`, which fits every version. If several
    versions are given, the current version counts if it is among them, or else the newest. Raises
    `Problem` 400.
    """
    header = request.headers.get("if-match")
    if header is None or header.strip() == "*":
        return body
    versions = _versions(header)
    if body is None:
        return current if current in versions else max(versions)
    if body not in versions:
        raise Problem(400, "If-Match and expected name different versions", path="$.expected")
    return body


def _versions(header: str) -> set[int]:
    """Return the versions in an `If-Match` header.

    A tag begins with the version. The digest after it does not count: the log does not depend on
    it. Nor does a `W/` count, which a compressing proxy adds.
    """
    if not TAGS.fullmatch(header.strip()):
        wrong = f'{header[:100]!r} is not a valid If-Match; use the ETag of an answer, like "12"'
        raise Problem(400, wrong, path="If-Match")
    return {int(version) for version in VERSION.findall(header)}


def demand(record: MatchRecord, expected: int | None) -> None:
    """Raise `Stale` unless the match is at the expected version, if one is given."""
    if expected is not None and expected != record.match.version:
        raise Stale(expected, record.match.version)


def check_room(settings: Settings, record: MatchRecord, count: int) -> None:
    """Raise `Problem` 403 if the log has no room for this many more events."""
    most = settings.events_per_match
    if most and record.match.version + count > most:
        wrong = f"a match can have at most {most} events here; this one is full"
        raise Problem(403, wrong, "match-full")


def refusal(book: Book, visit: MatchAccess, refused: Refused, token: str | None) -> Problem:
    """Build the 409: the clause, its text, and the legal moves there."""
    record = visit.record
    listed = hints.legal_texts(record, refused.match, visit.viewer)
    hidden = hints.withheld(record, visit.viewer, refused.match)
    fitting = near(refused, token, hidden) if record.header.legal == "listed" else ()
    found = describe(refused, token, names_of(book, record), fitting)
    some = {"tries_left": found.tries_left, "near": found.near}
    return Problem(
        409,
        found.message + left_words(found),
        refused.code,
        event=found.event,
        text=found.text,
        seat=found.seat,
        clause=found.clause,
        words=found.words,
        squares=found.squares,
        version=record.match.version,
        legal=listed,
        **{name: value for name, value in some.items() if value is not UNSET},
    )


def stale(book: Book, error: Stale, visit: MatchAccess) -> Problem:
    """Build the 412: the events missed since the expected version."""
    record = find_match(book, visit.record.id)
    version, names = record.match.version, names_of(book, record)
    missed = tuple(timeline.log(record, visit.viewer, min(error.expected, version), names))
    facts = {"expected": error.expected, "version": version, "missed": missed}
    facts["headers"] = {"ETag": f'"{version}"'}
    return Problem(412, str(error), error.code, **facts)
