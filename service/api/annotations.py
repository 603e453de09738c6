"""Annotations of a match: comments, glyphs and marks, and the right to change them.

A seat's annotations are stored under the seat, because the player's name may be erased.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Final

from litestar import Response
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct

from replay.access import capability_tokens
from replay.annotations import editing, events
from replay.annotations.current import CurrentNotes, Remark, current_notes, plies_by_version
from replay.annotations.events import (
    Arrowed,
    Bookmarked,
    Circled,
    Commented,
    Glyphed,
    Labelled,
)
from replay.annotations.glyphs import glyph
from replay.annotations.notation import Wording, check_author
from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from service.api.presenters import answer, players
from service.app_state import TheAppState
from service.http.access import (
    AnyRequest,
    Caller,
    TheBook,
    TheMatchAccess,
)
from service.http.caching import ASK_AGAIN
from service.http.idempotency import REUSED, derive_id, once, retry_key
from service.http.problems import Problem, blaming
from service.http.rights import WRITER
from service.models import responses
from service.models.requests import AnnotationWording, NewAnnotation
from service.openapi.operations import delete, get, patch, post
from service.settings import Settings

MAX_ANNOTATIONS: Final = 6
"""The most annotations added at once: one of each kind."""

OF_A_SEAT: Final = re.compile("seat [1-9]", re.IGNORECASE)
"""The author names of seats."""

Key = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
AnnotationKind = Annotated[
    str,
    Meta(extra_json_schema={"enum": ["comment", "glyph", "arrow", "circle", "label", "bookmark"]}),
]


class Wordings(Struct, frozen=True):
    """A version of an annotation since a time; `text` is null once it was retracted."""

    text: str | None
    """An earlier wording of the annotation."""
    author: str
    at: responses.Milliseconds


class Annotation(Struct, frozen=True):
    """An annotation of the event at a version, of one `kind`.

    `text` has the notation of a request, and is null for a retracted annotation; `words` describe
    the annotation. `ply` is null when the event is no longer in the line. `player` is the name of
    an author who has a seat. `history` is given on request, the oldest first.
    """

    id: Key
    """The annotation's id, with which it is edited or retracted."""
    version: responses.EventVersion
    ply: responses.Ply | None
    kind: AnnotationKind
    """The kind of annotation: `comment`, `glyph` and so on."""
    text: str | None
    """The text of the annotation in its notation; null after a retraction."""
    words: str | None
    """The annotation in words; null if it was retracted."""
    author: str
    player: str | None
    """The player's name."""
    at: responses.Milliseconds
    edited: bool
    """Whether the text was changed after it was written."""
    history: tuple[Wordings, ...] | None
    """Earlier wordings, the oldest first; null unless asked for."""


class AnnotationList(Struct, frozen=True):
    """The annotations of a match, by ply."""

    match: str
    version: responses.Version
    annotations: tuple[Annotation, ...]
    """The annotations of the match, by ply."""


@get("/matches/{match:str}/annotations", {200: AnnotationList}, sends=("ETag",))
def list_annotations(
    book: TheBook,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    history: FromQuery[bool] = False,
) -> Response[bytes]:
    """List the annotations of a match, or of one of its plies.

    With `history` the answer adds earlier wordings; retracted annotations appear only to the host
    and their author.
    """
    record = visit.record
    at = None if ply is None else record.ply(ply)
    current = current_notes(book, record, whole=visit.whole)
    there = current.remarks if history else current.standing
    plies = plies_by_version(record)
    kept = [each for each in there if at is None or plies.get(each.on) == at]
    kept = [each for each in kept if each.said is not None or _is_own(visit.caller, each)]
    return answer(_all(book, record, kept, history=history), headers=ASK_AGAIN)


@post(
    "/matches/{match:str}/annotations",
    {201: AnnotationList},
    right=WRITER,
    problems=(409,),
    headers=("Idempotency-Key",),
)
async def annotate(
    request: AnyRequest, data: JSONBody[NewAnnotation], live: TheAppState, visit: TheMatchAccess
) -> Response[bytes]:
    """Annotate the event at a ply with all items or none; returns the added annotations.

    The author is the seat, or an author named by the host. 409 if the `Idempotency-Key` belongs to
    different annotations.
    """
    book, caller = live.book, visit.caller
    key = retry_key(request)
    author = _author(caller, data.author)
    record, wording = visit.record, _wording(data)
    ids = (
        [derive_id(caller, f"{record.id}:{n}:{key}") for n in range(MAX_ANNOTATIONS)] if key else []
    )

    def find() -> AnnotationList | None:
        made = _find_annotated(book, record, wording, author, ids)
        return _all(book, record, made, history=False) if made else None

    def make() -> AnnotationList:
        ply = record.ply(data.ply)
        known = current_notes(book, record, whole=visit.whole)
        check_room(live.settings, known)
        made = editing.annotate(book, record, ply, wording, author=author, ids=ids, known=known)
        return _all(book, record, made, history=False)

    added = await once(ids, partial(asyncio.to_thread, find), partial(asyncio.to_thread, make))
    return answer(added, 201, ASK_AGAIN)


@patch("/matches/{match:str}/annotations/{annotation:str}", {200: Annotation}, right=WRITER)
def reword(
    data: JSONBody[AnnotationWording],
    live: TheAppState,
    visit: TheMatchAccess,
    annotation: FromPath[str],
) -> Response[bytes]:
    """Reword an annotation. Only its author and the host may."""
    book, caller, record = live.book, visit.caller, visit.record
    known = current_notes(book, record, whole=visit.whole)
    _check_own(known, caller, annotation)
    check_room(live.settings, known)
    wording, author = _wording(data), caller.actor
    now = editing.edit(book, record, annotation, wording, author=author, known=known)
    return answer(_shown(book, record, now), headers=ASK_AGAIN)


@delete("/matches/{match:str}/annotations/{annotation:str}", {200: Annotation}, right=WRITER)
def retract(book: TheBook, visit: TheMatchAccess, annotation: FromPath[str]) -> Response[bytes]:
    """Retract an annotation; its history remains. Only its author and the host may."""
    caller = visit.caller
    record = visit.record
    known = current_notes(book, record, whole=visit.whole)
    _check_own(known, caller, annotation)
    now = editing.retract(book, record, annotation, author=caller.actor, known=known)
    return answer(_shown(book, record, now), headers=ASK_AGAIN)


def _find_annotated(
    book: Book, record: MatchRecord, wording: Wording, author: str, ids: Sequence[bytes]
) -> list[Remark]:
    """Return the annotations that an earlier request made under these ids; empty if none did.

    Raises `Problem` 409 if their content differs.
    """
    try:
        return editing.find_repeated(book, record, wording, author=author, ids=ids)
    except Usage:
        wrong = "this Idempotency-Key belongs to other annotations already"
        raise Problem(409, wrong, REUSED) from None


def _author(caller: Caller, named: str | None) -> str:
    if named is None:
        return caller.actor
    if caller.seat is not None:
        raise Problem(403, "only the host may name an author", path="$.author")
    if OF_A_SEAT.fullmatch(named.strip()):
        raise Problem(
            400, "a seat cannot be an `author`; use the token of that seat", path="$.author"
        )
    with blaming("$.author"):
        check_author(named)
    return named


def _check_own(known: CurrentNotes, caller: Caller, key: str) -> None:
    """Raise `Problem` 404 or 403 unless the caller may change the annotation with an id."""
    found = next((each for each in known.standing if each.id == key), None)
    if found is None:
        raise Problem(404, f"{key!r} is not an annotation of this match")
    if not _is_own(caller, found):
        raise Problem(
            403, f"this annotation is by {found.author}; only its author and the host may change it"
        )


def _is_own(caller: Caller, remark: Remark) -> bool:
    """Return whether a caller is the author of an annotation, or the host."""
    return caller.role == capability_tokens.HOST or (
        caller.may_write and remark.author == caller.actor
    )


def check_room(settings: Settings, known: CurrentNotes) -> None:
    """Raise `Problem` 403 if a match has room for no more annotations."""
    most = settings.events_per_match
    if most and known.stream is not None and known.stream.head >= most:
        raise Problem(403, f"a match can have at most {most} annotations here", "match-full")


def _wording(body: NewAnnotation | AnnotationWording) -> Wording:
    bookmark = isinstance(body, NewAnnotation) and body.bookmark
    return Wording(
        body.comment,
        _listed(body.glyph),
        _listed(body.arrow),
        _listed(body.circle),
        _listed(body.label),
        bookmark,
    )


def _listed(item: str | None) -> tuple[str, ...]:
    return () if item is None else (item,)


def _all(
    book: Book, record: MatchRecord, remarks: Sequence[Remark], *, history: bool
) -> AnnotationList:
    plies, names = plies_by_version(record), _names(book, record, remarks)
    gone = len(plies)
    by_ply = sorted(remarks, key=lambda each: plies.get(each.on, gone))
    listed = [_one(each, plies, names, history=history) for each in by_ply]
    return AnnotationList(record.id, record.match.version, tuple(listed))


def _one(
    remark: Remark, plies: Mapping[int, int], names: Mapping[str, str], *, history: bool = False
) -> Annotation:
    changes = (Wordings(_text(one.said), one.author, one.at) for one in remark.changes)
    author, said = remark.author, remark.said
    seat = author.removeprefix("seat ") if OF_A_SEAT.fullmatch(author) else ""
    return Annotation(
        remark.id,
        remark.on,
        plies.get(remark.on),
        remark.kind,
        _text(said),
        said.words() if said else None,
        author,
        names.get(seat),
        remark.at,
        remark.edited,
        tuple(changes) if history else None,
    )


def _shown(book: Book, record: MatchRecord, remark: Remark) -> Annotation:
    return _one(remark, plies_by_version(record), _names(book, record, [remark]))


def _names(book: Book, record: MatchRecord, remarks: Sequence[Remark]) -> dict[str, str]:
    """Return the names of players by seat, if any annotation is by the player of a seat."""
    by_seat = any(OF_A_SEAT.fullmatch(each.author) for each in remarks)
    return players(book, record) if by_seat else {}


def _text(said: events.Annotation | None) -> str | None:
    """Write an annotation's text in the notation of a request."""
    match said:
        case Commented():
            return said.text
        case Glyphed():
            return glyph(said.glyph).sign
        case Arrowed():
            return f"{said.start}-{said.end}"
        case Circled():
            return said.at
        case Labelled():
            return f"{said.at}={said.text}"
        case Bookmarked():
            return ""
    return None
