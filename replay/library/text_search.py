"""Full-text search over the comments, names and tags of all matches.

The search index is derived data. It is updated before each search with the changes committed since,
so entering events never waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from replay.annotations.current import decode, holds_notes, plies_by_version, standing
from replay.annotations.events import Commented, Edited, Retracted
from replay.book import Book
from replay.errors import Damaged, PlybookError, UnknownMatch, Usage
from replay.fields import EventVersion, Ply, TextKind
from replay.library import indexes
from replay.library.indexes import Watched, finish
from replay.store.people_chain import SEAT_TAG
from replay.store.search_words import words
from replay.store.types import Hit, IndexedTexts, StoredEvent, Stream, Text
from replay.store.validation import NUL
from replay.tags.match_tags import tags_of

COMMENT: Final = "comment"
PLAYER: Final = "player"
TAG: Final = "tag"
MOST: Final = 100
LOOKED: Final = 2000
"""The most texts that are examined to find the matching matches."""


class FoundText(Struct, frozen=True):
    """A found text: a comment, a player or a tag of a match.

    `name` is the annotation's id or the tag's name; a comment has the version and the ply of its
    event (null: no longer in the line) and an author.
    """

    match: str
    kind: TextKind
    """The source of the words: a comment, a player's name or a tag."""
    name: str
    """The id of the annotation, or the name of the tag."""
    text: str
    """The comment, the player's name, or the value of the tag."""
    version: EventVersion | None
    """The version of the match after the event; null for the text of a tag."""
    ply: Ply | None
    author: str | None


def find(book: Book, query: str, limit: int = MOST) -> Iterator[FoundText]:
    """Yield the texts that contain every word of the query as a prefix, newest match first.

    Case and accents are ignored. Raises `Usage` for a query without words.
    """
    return (_text_match(book, hit) for hit in _hits(book, query, limit))


def find_among(
    book: Book, query: str, wanted: Callable[[Stream], bool], limit: int = MOST
) -> Iterator[FoundText]:
    """Yield texts as `find` does, for the wanted matches, among the newest `LOOKED`."""
    fitting = (hit for hit in _hits(book, query, LOOKED) if wanted(hit.stream))
    return (_text_match(book, hit) for hit in islice(fitting, limit))


def _hits(book: Book, query: str, limit: int) -> list[Hit]:
    if not words(query):
        raise Usage(f"{query!r} has no words to search for")
    refresh(book)
    return [hit for hit in book.store.search(query, limit) if is_shown(book, hit)]


def is_shown(book: Book, hit: Hit) -> bool:
    """Return whether every reader of a match may find it by a text: not by a comment it holds."""
    text = hit.text
    if text.kind != COMMENT or not holds_notes(book, hit.stream):
        return True
    try:
        said = {one.id: one.said for one in standing(book, book.read(hit.stream))}.get(text.name)
    except PlybookError:
        return False
    return isinstance(said, Commented) and _text(COMMENT, text.name, said.text) == text


def refresh(book: Book) -> None:
    """Index `indexes.MOST` matches that have changed; a running indexer leaves only a few."""
    finish(index_matches(book, limit=indexes.MOST))


def catch_up(book: Book, watched: Watched = iter) -> None:
    """Index the texts of all matches that have changed."""
    finish(index_matches(book, watched))


def index_matches(
    book: Book, watched: Watched = iter, limit: int | None = None
) -> Iterator[Future[None]]:
    """Index the due matches one by one, oldest first, and yield the future of each write."""
    for stream in watched(book.store.texts_due(limit)):
        try:
            write = _index(book, stream)
        except UnknownMatch:
            continue
        yield write


def rebuild(book: Book, watched: Watched = iter) -> None:
    """Drop the search index and build it again."""
    book.store.forget_texts().result()
    catch_up(book, watched)


def _index(book: Book, stream: Stream) -> Future[None]:
    found = texts_of(book, stream)
    return book.store.index(stream.id, found.texts, found.notes, found.metadata)


def texts_of(book: Book, stream: Stream) -> IndexedTexts:
    """Return the texts by which a match is found."""
    notes = book.store.notes(stream.id)
    head = notes.head if notes else 0
    facts = book.store.metadata(stream.id)
    said = book.store.read(notes.id, 0, head) if notes else []
    return IndexedTexts(head, derive_texts(facts, said), facts)


def derive_texts(facts: Mapping[str, str], notes: Iterable[StoredEvent]) -> list[Text]:
    """Return the texts that follow from the facts and the notes of a match."""
    return [*_tags(facts), *_comments(notes)]


def _tags(facts: Mapping[str, str]) -> Iterator[Text]:
    for tag in tags_of(facts):
        yield _text(PLAYER if SEAT_TAG.fullmatch(tag.name) else TAG, tag.name, tag.value)


def _comments(events: Iterable[StoredEvent]) -> list[Text]:
    """Return the current comments of a match's own notes; its parent's belong to the parent."""
    found: dict[str, str] = {}
    for stored in events:
        try:
            event = decode(stored)
        except Damaged:  # readable comments can still be found
            continue
        key = event.of if isinstance(event, Edited | Retracted) else stored.id.hex()
        said = event.now if isinstance(event, Edited) else event
        found.pop(key, None)
        if isinstance(said, Commented):
            found[key] = said.text
    return [_text(COMMENT, key, text) for key, text in found.items()]


def _text(kind: str, name: str, text: str) -> Text:
    """Return a text without the character that databases refuse."""
    return Text(kind, name.replace(NUL, " "), text.replace(NUL, " "))


def _text_match(book: Book, hit: Hit) -> FoundText:
    text = hit.text
    found = FoundText(hit.stream.public_id, text.kind, text.name, text.text, None, None, None)
    if found.kind != COMMENT:
        return found
    try:
        record = book.read(hit.stream)
        remark = next((one for one in standing(book, record) if one.id == found.name), None)
    except PlybookError:  # an unreadable match still has its comments
        return found
    if remark is None:
        return found
    ply = plies_by_version(record).get(remark.on)
    return replace(found, version=remark.on, ply=ply, author=remark.author)
