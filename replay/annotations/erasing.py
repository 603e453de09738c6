"""Erase an annotation with its history, as if it had never been entered."""

from __future__ import annotations

from collections.abc import Iterator

from replay.annotations.current import Remark, decode, read_notes, remarks
from replay.annotations.editing import find_remark
from replay.annotations.events import Edited, Retracted
from replay.book import Book
from replay.errors import Damaged, Usage
from replay.record.match_record import MatchRecord
from replay.store.types import StoredEvent, Stream
from replay.tags.match_tags import forget_origin


def erase(book: Book, record: MatchRecord, key: str) -> Remark:
    """Erase an annotation with its history and its edits in forks, and return it.

    The hash chain of the other notes is rebuilt. Raises `Usage` for an unknown annotation, or for
    one of a match that this one forks from.
    """
    remark = find_remark(remarks(book, record), key, retracted=True)
    if not any(each.id.hex() == remark.id for each in read_notes(book.store, record.stream)):
        raise Usage(f"annotation {key} was made in a match that {record.id} leaves: erase it there")
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
