"""Annotate a match: add comments, glyphs and marks, edit and retract them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from replay.annotations.current import (
    CurrentNotes,
    Remark,
    current_notes,
    decode,
    plies_by_version,
    read_notes,
    remarks,
)
from replay.annotations.events import (
    Annotation,
    Bookmarked,
    Commented,
    Edited,
    Glyphed,
    Labelled,
    NoteEvent,
    Retracted,
    encode_notes,
)
from replay.annotations.glyphs import glyph, group
from replay.annotations.notation import Wording, check_author
from replay.book import Book
from replay.errors import Damaged, Stale, UnknownMatch, Usage
from replay.record.match_record import MatchRecord
from replay.store import validation
from replay.store.types import NewEvent, StoredEvent, Stream
from replay.tags.match_tags import forget_origin
from replay.tags.names import OF_A_SEAT, SCOREKEEPER

MIN_ID: Final = 4
"""The shortest abbreviation of an annotation's id, in characters."""

BuildNotes = Callable[[Sequence[Remark]], Sequence[NoteEvent]]
"""Builds events for the stream of notes from all current annotations. Raises `Usage`."""


def annotate(
    book: Book,
    record: MatchRecord,
    ply: int,
    wording: Wording,
    *,
    author: str = SCOREKEEPER,
    ids: Sequence[bytes] = (),
    known: CurrentNotes | None = None,
) -> list[Remark]:
    """Annotate the event at a ply (0: the start), all or nothing, and return the annotations.

    A comment replaces the bookmarks of its event: they are retracted with it. `ids` are their ids,
    by which `find_repeated` finds them. `known` are the current annotations, if the caller has read
    them. Raises `Usage` for places that are not on the board, a second glyph of one group, and so
    on.
    """
    on = record.match.line[ply - 1].version if ply else 0
    said = _said(record, on, wording)
    if not said:
        raise Usage("an annotation is empty; give a text, a glyph, a mark or a bookmark")

    def build(existing: Sequence[Remark]) -> list[NoteEvent]:
        for place, each in enumerate(said):
            _check_conflicts(each, [(one.said, one.id) for one in existing], said[:place])
        return [*said, *_replaced(existing, said)]

    events, after = _enter(book, record, known, build, author, ids)
    return [after.by_id[event.id.hex()] for event in events[: len(said)]]


def set_comments(book: Book, record: MatchRecord, comments: Mapping[int, str], author: str) -> None:
    """Comment on plies as an author, in place of the author's earlier comments, all or nothing.

    Raises `Usage` for an invalid comment.
    """

    def build(existing: Sequence[Remark]) -> list[NoteEvent]:
        said = (each for each in existing if isinstance(each.said, Commented))
        own = {each.on: each for each in said if each.author == author}
        events: list[NoteEvent] = []
        for ply, text in comments.items():
            on = record.match.line[ply - 1].version if ply else 0
            (new,) = _said(record, on, Wording(comment=text))
            if on not in own:
                events.append(new)
            elif own[on].said != new:
                events.append(Edited(own[on].id, new))
        return events

    _enter(book, record, None, build, author)


def annotate_missing(book: Book, record: MatchRecord, said: Sequence[Annotation]) -> None:
    """Add annotations that the match never had and that clash with no other, as the scorekeeper."""

    def build(existing: Sequence[Remark]) -> list[NoteEvent]:
        before = [change.said for each in existing for change in each.changes]
        return [
            new
            for new in said
            if new not in before and not any(old and _clash(old, new) for old in before)
        ]

    _enter(book, record, None, build, SCOREKEEPER)


def find_repeated(
    book: Book, record: MatchRecord, wording: Wording, *, author: str, ids: Sequence[bytes]
) -> list[Remark]:
    """Return the first versions of the annotations with these ids; unknown ids are skipped.

    Raises `Usage` if their content or their author differs.
    """
    names = {each.hex() for each in ids}
    there = [each for each in remarks(book, record, whole=True) if each.id in names]
    if there:
        said = _said(record, there[0].on, wording)
        if [each.changes[0].said for each in there] != said or there[0].author != author:
            raise Usage("these ids belong to other annotations already")
    return [replace(each, changes=each.changes[:1]) for each in there]


def edit(
    book: Book,
    record: MatchRecord,
    key: str,
    wording: Wording,
    *,
    author: str = SCOREKEEPER,
    known: CurrentNotes | None = None,
) -> Remark:
    """Change the content of an annotation and return it; its history keeps the old content.

    Raises `Usage` for an unknown annotation, or for new content of a different kind.
    """

    def build(existing: Sequence[Remark]) -> list[NoteEvent]:
        old = find_remark(existing, key)
        new = _reworded(record, old, wording)
        _check_conflicts(new, [(one.said, one.id) for one in existing if one is not old], ())
        return [Edited(old.id, new)]

    _, after = _enter(book, record, known, build, author)
    return find_remark(after.remarks, key)


def retract(
    book: Book,
    record: MatchRecord,
    key: str,
    *,
    author: str = SCOREKEEPER,
    known: CurrentNotes | None = None,
) -> Remark:
    """Retract an annotation and return it; its history is kept. Raises `Usage`."""

    def build(existing: Sequence[Remark]) -> list[NoteEvent]:
        return [Retracted(find_remark(existing, key).id)]

    _, after = _enter(book, record, known, build, author)
    return find_remark(after.remarks, key, retracted=True)


def _enter(
    book: Book,
    record: MatchRecord,
    known: CurrentNotes | None,
    build: BuildNotes,
    author: str,
    ids: Sequence[bytes] = (),
) -> tuple[list[NewEvent], CurrentNotes]:
    """Build events from the current annotations and append them; retry on conflict.

    Return the events, and the annotations after them.
    """
    check_author(author)
    while True:
        whole = not author.startswith(OF_A_SEAT)  # a player's annotations clash with no hidden one
        current = known or current_notes(book, record, whole=whole)
        events = encode_notes(book, build(current.remarks), author, ids)
        if not events:
            return events, current
        try:
            _store(book, record.stream, current.stream, events)
        except Stale:
            known = None
        else:
            return events, current.after(events)


def _store(book: Book, stream: Stream, notes: Stream | None, events: Sequence[NewEvent]) -> None:
    if notes is not None:
        try:
            book.store.append(notes.id, notes.head, events).result()
        except UnknownMatch:  # an erasure replaced the notes meanwhile
            raise Stale(notes.head, 0) from None
        return
    try:
        book.store.create(validation.notes_of(stream), events).result()
    except Usage:
        begun = book.store.notes(stream.id)
        if begun is None:
            raise
        raise Stale(0, begun.head) from None


def find_remark(remarks: Iterable[Remark], key: str, *, retracted: bool = False) -> Remark:
    """Return the annotation whose id begins with `key`. Raises `Usage`."""
    matching = [each for each in remarks if each.id.startswith(key.lower())]
    if len(key) < MIN_ID or not matching:
        raise Usage(
            f"{key!r} is not an annotation here; use at least {MIN_ID} characters of its id"
        )
    if len(matching) > 1:
        raise Usage(f"{key!r} fits several annotations: {', '.join(each.id for each in matching)}")
    if matching[0].said is None and not retracted:
        raise Usage(f"annotation {key} was retracted")
    return matching[0]


def _replaced(existing: Sequence[Remark], said: Sequence[Annotation]) -> Iterator[Retracted]:
    """Retract the bookmarks of an event that is commented now."""
    commented = {each.on for each in said if isinstance(each, Commented)}
    for remark in existing:
        if isinstance(remark.said, Bookmarked) and remark.on in commented:
            yield Retracted(remark.id)


def _reworded(record: MatchRecord, old: Remark, wording: Wording) -> Annotation:
    said = _said(record, old.on, wording)
    if len(said) != 1:
        raise Usage("to edit an annotation, give exactly one new text, glyph or mark")
    if said[0].kind != old.kind:
        raise Usage(
            f"annotation {old.id[:8]} is a {old.kind} and cannot become a {said[0].kind};"
            " retract it and add a new one"
        )
    return said[0]


def _said(record: MatchRecord, on: int, wording: Wording) -> list[Annotation]:
    """Parse annotations of an event. Raises `Usage`."""
    return wording.said(on, _places(record, on) if wording.has_marks else ())


def _places(record: MatchRecord, on: int) -> frozenset[str]:
    """Return the places of the board after an event, even one that was taken back."""
    ply = plies_by_version(record).get(on)
    if ply is None:
        record = record.at_version(on)
        ply = plies_by_version(record).get(on, 0)
    return places(record, ply)


def places(record: MatchRecord, ply: int) -> frozenset[str]:
    """Return the places of the board at a ply, as spectators see it."""
    return frozenset(record.game.scene(record.match.at(ply).position.view(None)).places)


def _check_conflicts(
    new: Annotation,
    existing: Sequence[tuple[Annotation | None, str]],
    with_it: Sequence[Annotation],
) -> None:
    """Raise `Usage` for a duplicate, or for a second glyph or label where only one is allowed."""
    for said, key in (*existing, *((each, "") for each in with_it)):
        if said is None or said.on != new.on:
            continue
        which = f"annotation {key[:8]}; edit that one" if key else "given with it"
        if said == new:
            raise Usage(f"{new.words()!r} is there already ({which})")
        if clash := _conflict(said, new):
            raise Usage(f"{clash} ({which})")


def _clash(existing: Annotation, new: Annotation) -> bool:
    return existing.on == new.on and _conflict(existing, new) is not None


def _conflict(existing: Annotation, new: Annotation) -> str | None:
    match existing, new:
        case Glyphed(), Glyphed() if group(existing.glyph) == group(new.glyph) != "observation":
            about, sign = group(existing.glyph), glyph(existing.glyph).sign
            return f"the {about} has a glyph already, {sign}"
        case Labelled(), Labelled() if existing.at == new.at:
            return f"{existing.at} is labelled {existing.text} already"
    return None


def erase(book: Book, record: MatchRecord, key: str) -> Remark:
    """Erase an annotation with its history and its edits in forks, and return it.

    The hash chain of the other notes is rebuilt. Raises `Usage` for an unknown annotation, or for
    an annotation of a match that this match forks from.
    """
    remark = find_remark(remarks(book, record, whole=True), key, retracted=True)
    if not any(each.id.hex() == remark.id for each in read_notes(book.store, record.stream)):
        raise Usage(
            f"annotation {key} belongs to a match before the fork of {record.id}: erase it there"
        )
    for stream in _descent(book, record.stream):
        erased = {each.id for each in read_notes(book.store, stream) if _is_about(each, remark.id)}
        if erased:
            book.store.erase_notes(stream.id, erased).result()
    forget_origin(book, record.stream)
    return remark


def _descent(book: Book, stream: Stream) -> Iterator[Stream]:
    waiting = [stream]
    while waiting:
        yield (current := waiting.pop())
        waiting += book.store.forks(current.id)


def _is_about(stored: StoredEvent, key: str) -> bool:
    if stored.id.hex() == key:
        return True
    try:
        event = decode(stored)
    except Damaged:
        return False
    return isinstance(event, Edited | Retracted) and event.of == key
